//! An instruction of each unit, with the register that it reads and the one that it writes: what producers and consumers of results are made of.
//!
//! All results are 0, so that each can be an address.

use std::sync::LazyLock;

use gcn_model::hazard::repair;
use gcn_model::isa::{Generation, Instruction, Processor};
use serde::Deserialize;

use super::form::{Form, is_memory};
use super::layout::{RESULTS, SCRATCH};
use super::registers::{InitialValue, tuple};
use super::snippet::{Copies, Snippet, mnemonic};

/// First registers of the passed values, of unread ones, and of the consumer's results.
const HANDED_ON: Place = Place { vector: 14, scalar: 34 };
const UNREAD: Place = Place { vector: 16, scalar: 36 };
const WRITTEN: Place = Place { vector: 18, scalar: 38 };
/// First registers of the input of a producer, and of zeros.
const INPUT: Place = Place { vector: 10, scalar: 26 };
const ZERO: Place = Place { vector: 8, scalar: 24 };
/// The register that the last instruction writes, which waits for the consumer's result.
const END: u8 = 20;

/// Where a pair of registers begins in each file.
#[derive(Debug, Clone, Copy)]
struct Place {
    vector: u8,
    scalar: u8,
}

/// A file of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RegisterFile {
    Vector,
    Scalar,
}

impl RegisterFile {
    /// The name of its registers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vector => "VGPR",
            Self::Scalar => "SGPR",
        }
    }
}

/// A register, a pair of them, or a mask with a bit for each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum Carrier {
    #[serde(rename = "v1")]
    Vector,
    #[serde(rename = "v2")]
    VectorPair,
    #[serde(rename = "s1")]
    Scalar,
    #[serde(rename = "s2")]
    ScalarPair,
    #[serde(rename = "mask")]
    Mask,
}

impl Carrier {
    fn file(self) -> RegisterFile {
        match self {
            Self::Vector | Self::VectorPair => RegisterFile::Vector,
            Self::Scalar | Self::ScalarPair | Self::Mask => RegisterFile::Scalar,
        }
    }

    fn text(self, place: Place, lanes: u32) -> String {
        let registers = match self {
            Self::Vector | Self::Scalar => 1,
            Self::VectorPair | Self::ScalarPair => 2,
            Self::Mask => (lanes / 32) as u8,
        };
        match self.file() {
            RegisterFile::Vector => tuple('v', place.vector, registers),
            RegisterFile::Scalar => tuple('s', place.scalar, registers),
        }
    }
}

/// The role of a unit's instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Role {
    Both,
    Consumer,
}

/// In which of two encodings an instruction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Length {
    Long,
}

/// Whether the result of an instruction is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Known {
    Yes,
    No,
}

/// A row of `units.csv`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    unit: String,
    role: Role,
    /// Names with spaces between, the first that a GPU has counts.
    instructions: String,
    form: Option<Length>,
    /// Its operands: `{to}` and `{from}` are the registers, `{v}`, `{v2}` and `{s}` zeros.
    operands: String,
    writes: Carrier,
    /// Carriers with spaces between.
    reads: String,
    /// The sources with which a producer writes 0.
    input: String,
    is_known: Known,
    /// Why that instruction.
    reason: String,
    source: String,
}

impl Row {
    fn reads(&self) -> impl Iterator<Item = Carrier> {
        let carrier = |word| {
            let of_word: serde::de::value::StrDeserializer<'_, serde::de::value::Error> =
                serde::de::IntoDeserializer::into_deserializer(word);
            Carrier::deserialize(of_word).ok()
        };
        self.reads.split(' ').filter_map(carrier)
    }
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let rows = csv::Reader::from_reader(include_str!("../../data/units.csv").as_bytes()).into_deserialize();
    rows.map(|row| row.unwrap_or_else(|error| panic!("built-in file: units.csv: {error}"))).collect()
});

/// A unit of a GPU, and the instruction that stands for it.
#[derive(Debug, Clone)]
pub struct Unit {
    row: &'static Row,
    pub instruction: &'static Instruction,
    processor: Processor,
}

impl Unit {
    /// The units of a processor whose instructions `find` finds, in the order of the data.
    ///
    /// # Panics
    /// If the file that is built in is wrong, which a test rules out.
    pub fn all(processor: Processor, find: impl Fn(&str) -> Option<&'static Instruction>) -> Vec<Self> {
        let unit = |row: &'static Row| {
            let instruction = row.instructions.split(' ').find_map(&find)?;
            Some(Self { row, instruction, processor })
        };
        ROWS.iter().filter_map(unit).collect()
    }

    /// Its name: `vector`, `lds`.
    pub fn name(&self) -> &'static str {
        &self.row.unit
    }

    /// Why that instruction stands for it, with the source.
    pub fn reason(&self) -> String {
        format!("{} ({})", self.row.reason, self.row.source)
    }

    /// Whether something can read its result that is of interest.
    pub fn is_producer(&self) -> bool {
        self.row.role == Role::Both
    }

    /// Whether its result is known, so that it can be an address.
    pub fn is_known(&self) -> bool {
        self.row.is_known == Known::Yes
    }

    /// Whether its source is an address.
    pub fn reads_address(&self) -> bool {
        is_memory(self.instruction)
    }

    /// Where it writes.
    pub fn writes(&self) -> RegisterFile {
        self.row.writes.file()
    }

    /// Whether it reads registers of a file.
    pub fn reads(&self, file: RegisterFile) -> bool {
        self.row.reads().any(|carrier| carrier.file() == file)
    }

    /// The producer: it writes the consumer's source, or a register without readers.
    pub fn producer(&self, is_read: bool) -> Option<Snippet> {
        let place = if is_read { HANDED_ON } else { UNREAD };
        let reads = self.row.reads().next()?;
        let snippet = self.snippet((INPUT, reads), place)?;
        // No wait is needed for a result without readers.
        Some(Snippet { wait: snippet.wait.filter(|_| is_read), ..snippet })
    }

    /// The consumer of a result in a file.
    pub fn consumer(&self, file: RegisterFile) -> Option<Snippet> {
        let reads = self.row.reads().find(|carrier| carrier.file() == file)?;
        self.snippet((HANDED_ON, reads), WRITTEN)
    }

    /// What waits for the consumer's result: a vector instruction that reads it, or nothing where it has its own wait.
    pub fn end(&self, generation: Generation) -> Option<Snippet> {
        if is_memory(self.instruction) {
            return None;
        }
        let instruction = generation.instruction("V_MOV_B32")?;
        let read = match self.writes() {
            RegisterFile::Vector => tuple('v', WRITTEN.vector, 1),
            RegisterFile::Scalar => tuple('s', WRITTEN.scalar, 1),
        };
        line_of(instruction, &format!("v{END}, {read}"))
    }

    fn snippet(&self, (from, reads): (Place, Carrier), to: Place) -> Option<Snippet> {
        let (generation, lanes) = (self.processor.generation, self.processor.wave_size());
        let mut snippet = match is_memory(self.instruction) {
            // Zeros lie where it loads.
            true => Snippet::memory(self.instruction, generation, Copies::Chase, Form::Plain)?,
            false => Snippet::bare(self.instruction),
        };
        let operands = self
            .row
            .operands
            .replace("{to}", &self.row.writes.text(to, lanes))
            .replace("{from}", &reads.text(from, lanes))
            .replace("{v}", &Carrier::Vector.text(ZERO, lanes))
            .replace("{v2}", &Carrier::VectorPair.text(ZERO, lanes))
            .replace("{s}", &Carrier::Scalar.text(ZERO, lanes))
            .replace("{scratch}", &tuple('s', SCRATCH, 2))
            .replace("{results}", &tuple('s', RESULTS, 2));
        snippet.copies = vec![format!("{} {operands}", mnemonic(self.instruction)?)];
        if self.row.form == Some(Length::Long) {
            snippet = snippet.in_two_dwords()?;
        }
        let value = |register: u8, value: &str| InitialValue { register, value: value.to_owned() };
        let pair = |first: u8, text: &str| [value(first, text), value(first + 1, "0")];
        let input = &self.row.input;
        // A producer has its own sources; a consumer finds zeros.
        let input = if from.vector == INPUT.vector { input } else { "0" };
        let values = |from: u8, others: [u8; 2]| {
            let zeros = others.into_iter().flat_map(|first| pair(first, "0"));
            pair(from, input).into_iter().chain(zeros).collect::<Vec<_>>()
        };
        snippet.vector_values = values(from.vector, [HANDED_ON.vector, ZERO.vector]);
        snippet.scalar_values = values(from.scalar, [HANDED_ON.scalar, ZERO.scalar]);
        Some(snippet)
    }
}

/// What has to stand between the last of some instructions and the next one, where a loop of all brings the same registers round: `s_nop` with
/// the wait states that the hardware needs, or what ends a hazard.
pub fn repair_between(around: &[Snippet], before: &[Snippet], next: &Snippet, processor: Processor) -> Option<Snippet> {
    let last = before.last()?;
    let line = |name: &str, text: String| {
        let instruction = processor.instruction(name)?;
        Some(Snippet { copies: vec![text], ..Snippet::bare(instruction) })
    };
    let waits = last.waits_before(next, false, processor);
    if waits > 0 {
        return line("S_NOP", format!("s_nop {}", waits - 1));
    }
    let words = |snippet: &Snippet| snippet.words_of_first(processor).unwrap_or_default();
    let first: Vec<u32> = around.iter().chain(before).flat_map(words).collect();
    let text = repair(processor, &first, &words(next)).ok()??;
    let name = text.split(' ').next().unwrap_or_default().trim_end_matches("_e32").to_ascii_uppercase();
    line(&name, text.to_owned())
}

/// An instruction without a partner.
pub fn line_of(instruction: &'static Instruction, operands: &str) -> Option<Snippet> {
    let text = format!("{} {operands}", mnemonic(instruction)?);
    Some(Snippet { copies: vec![text], ..Snippet::bare(instruction) })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use gcn_model::isa;

    use super::*;

    #[test]
    fn every_row_names_instructions_and_says_why() {
        let mut names = HashSet::new();
        for row in ROWS.iter() {
            assert!(names.insert(&row.unit), "{} stands there twice", row.unit);
            assert!(row.instructions.split(' ').all(isa::exists), "{row:?}");
            assert_eq!(row.reads().count(), row.reads.split(' ').count(), "{row:?}");
            assert!(!row.reason.is_empty() && !row.source.is_empty(), "{row:?}");
            assert!(row.operands.contains("{to}") && row.operands.contains("{from}"), "{row:?}");
        }
    }

    #[test]
    fn the_consumer_reads_what_the_producer_writes() {
        for target in ["gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1201", "gfx1201:wavefrontsize64+"] {
            let processor = Processor::find(target).unwrap();
            let find = |name: &str| {
                let mut all = processor.instructions();
                processor.instruction(name).or_else(|| all.find(|it| it.canonical_name() == name))
            };
            let units = Unit::all(processor, find);
            assert!(units.len() >= 12, "{target}: {}", units.len());
            for producer in units.iter().filter(|unit| unit.is_producer()) {
                let written = |is_read| {
                    let snippet = producer.producer(is_read).unwrap();
                    let operands = snippet.copies[0].split_once(' ').unwrap().1.to_owned();
                    operands.split(", ").next().unwrap().trim_start_matches(['v', 's', '[']).to_owned()
                };
                assert!(written(true).starts_with(if producer.writes() == RegisterFile::Vector { "14" } else { "34" }));
                assert!(written(false).starts_with(if producer.writes() == RegisterFile::Vector {
                    "16"
                } else {
                    "36"
                }));
                for consumer in units.iter().filter(|unit| unit.reads(producer.writes())) {
                    let text = consumer.consumer(producer.writes()).unwrap().copies[0].clone();
                    assert!(
                        text.contains("v14")
                            || text.contains("v[14:")
                            || text.contains("s34")
                            || text.contains("s[34:"),
                        "{text}"
                    );
                }
            }
        }
    }
}
