//! Files with code for several GPUs: offload bundles, and programs and libraries of a host that hold them.

use std::ops::Range;

use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;
use object::LittleEndian;
use object::elf::{EM_AMDGPU, FileHeader64};
use object::read::ReadRef;
use object::read::elf::{FileHeader, SectionHeader};

use super::CodeError;
use super::bundle::{Bundle, BundleEntry, COMPRESSED, MAGIC};
use super::user_object::UserObject;

/// Where HIP's compiler puts the bundles of a program (Clang, "HIP Support").
const SECTION: &[u8] = b".hip_fatbin";
/// Padding is read in pieces of this many bytes.
const PIECE: u64 = 4096;

/// The tables of all bundles of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FatBinary {
    /// Its bundles, one for each translation unit of a program; at least one entry in all.
    bundles: Vec<Bundle>,
}

impl FatBinary {
    /// Whether a file is a bundle, or an ELF file for another machine than AMDGPU.
    pub fn is_one<'data>(data: impl ReadRef<'data>) -> bool {
        let begins = |magic: &[u8]| data.read_bytes_at(0, magic.len() as u64).is_ok_and(|bytes| bytes == magic);
        let is_host =
            || FileHeader64::<LittleEndian>::parse(data).is_ok_and(|it| it.e_machine(LittleEndian) != EM_AMDGPU);
        begins(MAGIC) || begins(COMPRESSED) || is_host()
    }

    /// Reads the tables of the bundles of a file, and nothing of the code.
    ///
    /// # Errors
    /// A file without bundles, or with damaged or compressed ones.
    pub fn read<'data>(data: impl ReadRef<'data>) -> Result<Self, CodeError> {
        let wrong = |problem: &str| CodeError::Object(problem.to_owned());
        let mut bundles = Vec::new();
        let length = data.len().map_err(|()| wrong("its length is not known"))?;
        for part in parts(data, length)? {
            let mut at = part.start;
            while let Some(next) = behind_padding(data, at..part.end)? {
                if data.read_bytes_at(next, COMPRESSED.len() as u64) == Ok(COMPRESSED) {
                    return Err(CodeError::Object(compressed(part.start > 0)));
                }
                let bundle = Bundle::read(data, next..part.end)?;
                at = bundle.end;
                bundles.push(bundle);
            }
        }
        match bundles.iter().any(|bundle| !bundle.entries.is_empty()) {
            true => Ok(Self { bundles }),
            false => Err(wrong("there is no code in its offload bundles")),
        }
    }

    /// All entries, in the order of the file.
    pub fn entries(&self) -> impl Iterator<Item = &BundleEntry> {
        self.bundles.iter().flat_map(|bundle| &bundle.entries)
    }

    /// The targets of its code, features included, each once.
    pub fn targets(&self) -> Vec<&str> {
        let has_code = |entry: &&BundleEntry| !entry.range.is_empty();
        let mut targets: Vec<&str> = self.entries().filter(has_code).filter_map(BundleEntry::target).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The code of each bundle that a GPU can run: the code for its very target, or else the first for its processor, whatever its
    /// features are, or else the first for a generic target that it is a member of.
    ///
    /// # Errors
    /// No code: the targets of the file, and GPUs that have them.
    pub fn fitting(&self, gpu: &Gpu) -> Result<Vec<&BundleEntry>, CodeError> {
        let own = gpu.processor();
        let rank = |entry: &BundleEntry| {
            let code =
                Processor::find(entry.processor_name()?).filter(|code| own.runs(*code) && !entry.range.is_empty())?;
            Some((code.is_generic(), entry.target() != Some(own.name())))
        };
        let of_bundle = |bundle: &'_ Bundle| -> Option<usize> {
            let ranked = bundle.entries.iter().enumerate().filter_map(|(at, entry)| Some((rank(entry)?, at)));
            ranked.min().map(|(_, at)| at)
        };
        let found: Vec<_> =
            self.bundles.iter().filter_map(|bundle| Some(&bundle.entries[of_bundle(bundle)?])).collect();
        if found.is_empty() { Err(CodeError::Object(self.no_target_of(gpu))) } else { Ok(found) }
    }

    /// The code of [`Self::fitting`], read from the file.
    ///
    /// # Errors
    /// Those of [`Self::fitting`]; code that is damaged, or not for the processor that its bundle says.
    pub fn objects<'data>(&self, data: impl ReadRef<'data>, gpu: &Gpu) -> Result<Vec<UserObject<'data>>, CodeError> {
        let read = |entry: &BundleEntry| {
            let at = entry.range.start;
            let bytes = data.read_bytes_at(at, entry.range.end - at);
            let bytes = bytes.map_err(|()| CodeError::Object(format!("the code at byte {at}: it cannot be read")))?;
            UserObject::of_bundle(bytes, at, gpu)
        };
        self.fitting(gpu)?.into_iter().map(read).collect()
    }

    fn no_target_of(&self, gpu: &Gpu) -> String {
        let targets = self.targets();
        let code: Vec<Processor> = targets.iter().filter_map(|target| Processor::find(target)).collect();
        let is_there = |other: &Gpu| code.iter().any(|code| other.processor().runs(*code));
        let others: Vec<&str> =
            Gpu::shipped().filter(|name| Gpu::named(name).is_ok_and(|other| is_there(&other))).collect();
        let next = match (targets.as_slice(), others.as_slice()) {
            ([], _) => return "its offload bundles have no code for AMD GPUs".to_owned(),
            (_, []) => "none of the GPUs that `gcn-timings devices` shows has one of them".to_owned(),
            (_, others) => format!("name a GPU of one of them with --gpu: {}", others.join(", ")),
        };
        format!("it has code for {}, and {} is {}: {next}", targets.join(", "), gpu.name, gpu.processor().name())
    }
}

/// The parts of a file that hold bundles.
fn parts<'data>(data: impl ReadRef<'data>, length: u64) -> Result<Vec<Range<u64>>, CodeError> {
    if !data.read_bytes_at(0, 4).is_ok_and(|magic| magic == b"\x7fELF") {
        return Ok(vec![Range { start: 0, end: length }]);
    }
    let damaged = |error: object::Error| CodeError::Object(format!("the ELF file is damaged: {error}"));
    let header = FileHeader64::<LittleEndian>::parse(data).map_err(damaged)?;
    let sections = header.sections(LittleEndian, data).map_err(damaged)?;
    let is_bundled = |section: &&_| sections.section_name(LittleEndian, section).is_ok_and(|name| name == SECTION);
    let ranges = sections.iter().filter(is_bundled).filter_map(|section| section.file_range(LittleEndian));
    let mut parts: Vec<_> = ranges.map(|(start, size)| start..start.saturating_add(size)).collect();
    parts.sort_by_key(|part| part.start);
    if parts.is_empty() {
        let machine = header.e_machine(LittleEndian);
        let problem =
            format!("an ELF file for machine {machine:?}, not for AMDGPU (224), and without a section .hip_fatbin");
        return Err(CodeError::Object(problem));
    }
    let damaged =
        |problem: &str| CodeError::Object(format!("the ELF file is damaged: its section .hip_fatbin {problem}"));
    if parts.iter().any(|part| part.end > length) {
        return Err(damaged("is cut off"));
    }
    if parts.windows(2).any(|pair| pair[1].start < pair[0].end) {
        return Err(damaged("is listed twice at one place"));
    }
    Ok(parts)
}

/// The first byte of a part that is no zero: linkers fill up between bundles.
fn behind_padding<'data>(data: impl ReadRef<'data>, part: Range<u64>) -> Result<Option<u64>, CodeError> {
    let mut at = part.start;
    while at < part.end {
        let size = PIECE.min(part.end - at);
        let piece = data.read_bytes_at(at, size);
        let piece = piece.map_err(|()| CodeError::Object(format!("{size} bytes at {at} cannot be read")))?;
        if let Some(offset) = piece.iter().position(|byte| *byte != 0) {
            return Ok(Some(at + offset as u64));
        }
        at += size;
    }
    Ok(None)
}

fn compressed(in_section: bool) -> String {
    let bundle = if in_section { "BUNDLE" } else { "FILE" };
    let unbundle = format!(
        "`clang-offload-bundler --list --type=o --input={bundle}` prints its targets, and `clang-offload-bundler --unbundle --type=o \
         --targets=TARGET --input={bundle} --output=CODE` takes the code of one of them out"
    );
    match in_section {
        false => format!("a compressed offload bundle, which is not read: {unbundle}"),
        true => format!(
            "its offload bundles are compressed and not read: compile it with --no-offload-compress, or take them out with `llvm-objcopy \
             --dump-section .hip_fatbin=BUNDLE FILE`; {unbundle}"
        ),
    }
}
