//! Generations of the instruction set, each read from its folder.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::data_file::DataFile;
use super::files::file_of;
use super::format::Formats;
use super::hazard_wait::HazardWait;
use super::instruction_set::InstructionSet;
use super::matrix::MatrixOperation;
use super::target_rows::{self, ChipRow, ProcessorRow};
use super::{Encoding, Format, GenerationFacts, GroupMode, Instruction, IsaError};
use crate::data_files;

/// A generation of the instruction set: the common facts of a family of chips.
///
/// A handle that is copied; what code may ask of it are the fields of [`GenerationFacts`], its formats, its instructions and its
/// hazards. Generations have no order: code asks for a capability.
///
/// ```
/// let generation = gcn_model::isa::Generation::find("gfx9").expect("it ships");
/// assert_eq!(generation.title(), "GCN 1.4");
/// assert!(generation.has_realtime_counter());
/// ```
#[derive(Clone, Copy)]
pub struct Generation(&'static GenerationData);

/// All that is known of a generation.
#[derive(Debug)]
pub struct GenerationData {
    facts: GenerationFacts,
    formats: Formats,
    processors: Vec<ProcessorRow>,
    chips: Vec<ChipRow>,
    /// Read when it is wanted first: most programs want one of many.
    set: OnceLock<InstructionSet>,
    /// The files that it is read from, of a generation that ships.
    files: Vec<DataFile<'static>>,
    /// Number among those of the process.
    number: usize,
}

/// The most generations of a process.
pub(crate) const MOST_GENERATIONS: usize = 64;

/// Those that ship, and those that were registered.
static KNOWN: LazyLock<RwLock<Vec<Generation>>> = LazyLock::new(|| {
    let mut folders: Vec<&str> =
        data_files::below("generations").filter_map(|(path, _)| path.split('/').nth(1)).collect();
    folders.dedup();
    // gfx9 before gfx10.
    folders.sort_by_key(|folder| (folder.len(), *folder));
    let shipped = folders.into_iter().enumerate().map(|(number, folder)| {
        let files: Vec<_> = data_files::below(&format!("generations/{folder}")).collect();
        let data = GenerationData::read(&files, number).unwrap_or_else(|error| bad(&error));
        Generation(Box::leak(Box::new(GenerationData { files, ..data })))
    });
    RwLock::new(shipped.collect())
});

fn bad(error: &IsaError) -> ! {
    panic!("a generation that ships is bad: {error}")
}

impl Generation {
    /// All generations, those that ship first.
    pub fn all() -> Vec<Self> {
        KNOWN.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The generation of a name: `gfx9`, or `1.4` as in the CLRX table.
    pub fn find(name: &str) -> Option<Self> {
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        known.iter().copied().find(|known| known.name() == name || known.clrx_name() == Some(name))
    }

    /// Brings a generation in that does not ship: the files of its folder, each with the name that messages have.
    ///
    /// # Errors
    /// The fault of the files, or a name that another generation has.
    pub fn register(files: &[DataFile<'_>]) -> Result<Self, IsaError> {
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        let data = GenerationData::read(files, known.len())?;
        let set = OnceLock::from(data.instruction_set(files)?);
        let data = GenerationData { set, ..data };
        let is_known = known.iter().any(|other| other.name() == data.facts.name);
        if is_known || known.len() == MOST_GENERATIONS {
            return Err(IsaError::Known { name: data.facts.name });
        }
        let generation = Self(Box::leak(Box::new(data)));
        known.push(generation);
        Ok(generation)
    }

    /// What LLVM's targets begin with: `gfx9`.
    pub fn name(self) -> &'static str {
        &self.0.facts.name
    }

    /// The name in the CLRX table, `1.0` to `1.4`, where that has it.
    pub fn clrx_name(self) -> Option<&'static str> {
        self.0.facts.clrx_name.as_deref()
    }

    /// The name in files: that of the CLRX table, otherwise LLVM's.
    pub fn record_name(self) -> &'static str {
        self.clrx_name().unwrap_or(self.name())
    }

    /// The name in sentences: `GCN 1.4`, `CDNA 3`, or LLVM's where the file has none of them.
    pub fn title(self) -> String {
        let amds = self.0.facts.product_line.as_deref().unwrap_or(self.name());
        self.clrx_name().map_or_else(|| amds.to_owned(), |name| format!("GCN {name}"))
    }

    /// Lanes of a wave: the fewest that the generation has.
    pub fn lanes(self) -> u32 {
        self.0.facts.waves.sizes.iter().copied().min().unwrap_or(64)
    }

    /// The most lanes that a wave can have.
    pub fn most_lanes(self) -> u32 {
        self.0.facts.waves.sizes.iter().copied().max().unwrap_or(64)
    }

    /// Whether a wave can have one number of lanes or another.
    pub fn has_wave_sizes(self) -> bool {
        self.0.facts.waves.sizes.len() > 1
    }

    /// Whether compute units are halves of work-group processors, so that a work-group may run on one or on both.
    pub fn has_group_modes(self) -> bool {
        self.place.unit_in_processor.is_some()
    }

    /// Compute units that the waves of a work-group share in a mode.
    pub fn compute_units_of_group(self, mode: GroupMode) -> u32 {
        match mode {
            GroupMode::ComputeUnit => 1,
            GroupMode::Processor => self.place.compute_units_of_processor(),
        }
    }

    /// SIMDs that the waves of a work-group may run on in a mode.
    pub fn simds_of_group(self, mode: GroupMode) -> u32 {
        self.waves.simds * self.compute_units_of_group(mode)
    }

    /// Whether stores to vector memory have a counter of their own: an instruction waits for it.
    pub fn counts_stores_apart(self) -> bool {
        self.waits.values().any(|fields| fields.counts(0).vector_stores.is_some())
    }

    /// Whether LDS instructions have a counter of their own: an instruction waits for it.
    pub fn counts_local_memory_apart(self) -> bool {
        self.waits.values().any(|fields| fields.counts(0).local_memory.is_some())
    }

    /// Whether a counter of constant rate can be read.
    pub fn has_realtime_counter(self) -> bool {
        self.0.facts.counters.realtime.is_some()
    }

    /// The encoding by the topmost bits of an instruction's first word; `None` if undefined.
    #[inline]
    pub fn encoding(self, word: u32) -> Option<Encoding> {
        self.0.formats.encoding(word)
    }

    /// The format of an encoding; `None` where the generation lacks it.
    #[inline]
    pub fn format(self, encoding: Encoding) -> Option<&'static Format> {
        self.0.formats.format(encoding)
    }

    /// All instructions, encoding by encoding, each in the manual's order.
    pub fn instructions(self) -> &'static [Instruction] {
        &self.set().instructions
    }

    fn set(self) -> &'static InstructionSet {
        let Self(data) = self;
        data.set.get_or_init(|| data.instruction_set(&data.files).unwrap_or_else(|error| bad(&error)))
    }

    /// The instruction of a name, which is upper case as in the CLRX table; the first one, where the targets differ in its
    /// operands. A target's own facts are in its [`Processor`](super::Processor).
    pub fn instruction(self, name: &str) -> Option<&'static Instruction> {
        self.instructions_of(name).next()
    }

    /// The instructions of a name, no two of which a target has.
    pub(super) fn instructions_of(self, name: &str) -> impl Iterator<Item = &'static Instruction> {
        self.set().named(name)
    }

    /// The shape of a matrix instruction; `None` for every other instruction.
    pub fn matrix_operation(self, instruction: &Instruction) -> Option<&'static MatrixOperation> {
        self.set().matrix.get(&instruction.name)
    }

    pub(super) fn processors(self) -> &'static [ProcessorRow] {
        &self.0.processors
    }

    pub(super) fn chips(self) -> &'static [ChipRow] {
        &self.0.chips
    }

    /// The hazards that it has.
    pub(crate) fn hazards(self) -> &'static [HazardWait] {
        &self.set().hazards
    }

    /// Its number in the process, for values that are computed once.
    pub(crate) fn number(self) -> usize {
        self.0.number
    }
}

impl GenerationData {
    fn read(files: &[DataFile<'_>], number: usize) -> Result<Self, IsaError> {
        let facts_file = file_of(files, "generation.toml")?;
        let facts: GenerationFacts = toml::from_str(facts_file.1)
            .map_err(|source| IsaError::Toml { file: facts_file.0.to_owned(), source: Box::new(source) })?;
        let common = ("isa/fields.csv", data_files::text("isa/fields.csv"));
        let own = file_of(files, "fields.csv").ok();
        let formats = Formats::read(file_of(files, "encodings.csv")?, [common].into_iter().chain(own.copied()))?;
        let processors = target_rows::processors(file_of(files, "targets.csv")?)?;
        let chips = file_of(files, "chips.csv").map_or(Ok(Vec::new()), |file| target_rows::chips(file, &processors))?;
        Ok(Self { facts, formats, processors, chips, set: OnceLock::new(), files: Vec::new(), number })
    }

    fn instruction_set(&self, files: &[DataFile<'_>]) -> Result<InstructionSet, IsaError> {
        InstructionSet::read(files, &self.formats, &self.processors, &self.facts.waves.sizes)
    }
}

impl Deref for Generation {
    type Target = GenerationFacts;

    fn deref(&self) -> &GenerationFacts {
        &self.0.facts
    }
}

impl PartialEq for Generation {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Generation {}

impl Hash for Generation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Generation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.record_name().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Generation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::find(&name).ok_or_else(|| de::Error::custom(format!("`{name}` is not a generation")))
    }
}
