//! The metadata of a code object: kernels and their arguments, for the launching side.
//!
//! Source: LLVM `AMDGPUUsage.rst`, "Code Object V3 Metadata" to "Code Object V5 Metadata". Keys that are not asked for here are passed
//! over: compilers add some.

use object::LittleEndian as LE;
use object::elf::{FileHeader64, NoteType};
use object::read::elf::{ElfFile, ProgramHeader as _, SectionHeader as _};
use serde::Deserialize;

use super::CodeObjectError;
use crate::quantity::Bytes;

/// `NT_AMDGPU_METADATA` (LLVM `AMDGPUUsage.rst`, "Note Records").
const NOTE: NoteType = NoteType(32);

/// The metadata of a code object.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Metadata {
    #[serde(rename = "amdhsa.kernels")]
    pub kernels: Vec<KernelMetadata>,
}

/// The metadata of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct KernelMetadata {
    #[serde(rename = ".name")]
    pub name: String,
    /// Its arguments: those of the language, then those that a runtime fills in.
    #[serde(rename = ".args", default)]
    pub arguments: Vec<ArgumentMetadata>,
    /// The one size of work-group that it runs with.
    #[serde(rename = ".reqd_workgroup_size")]
    pub required_group: Option<[u32; 3]>,
    /// Work-items of the largest work-group.
    #[serde(rename = ".max_flat_workgroup_size")]
    pub most_items: Option<u32>,
    /// The symbol of its descriptor.
    #[serde(rename = ".symbol")]
    pub symbol: Option<String>,
    /// Lanes of a wave.
    #[serde(rename = ".wavefront_size")]
    pub wave_size: Option<u32>,
    #[serde(rename = ".vgpr_count")]
    pub vgprs: Option<u32>,
    #[serde(rename = ".agpr_count")]
    pub agprs: Option<u32>,
    #[serde(rename = ".sgpr_count")]
    pub sgprs: Option<u32>,
    /// LDS of a work-group.
    #[serde(rename = ".group_segment_fixed_size", default, deserialize_with = "some_bytes")]
    pub group_lds: Option<Bytes>,
    #[serde(rename = ".kernarg_segment_size", default, deserialize_with = "some_bytes")]
    pub kernarg: Option<Bytes>,
}

/// The metadata of an argument.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ArgumentMetadata {
    #[serde(rename = ".name")]
    pub name: Option<String>,
    /// Its type in the language.
    #[serde(rename = ".type_name")]
    pub type_name: Option<String>,
    /// Where it is among the kernel arguments.
    #[serde(rename = ".offset", deserialize_with = "bytes")]
    pub offset: Bytes,
    #[serde(rename = ".size", deserialize_with = "bytes")]
    pub size: Bytes,
    #[serde(rename = ".value_kind")]
    pub kind: ArgumentKind,
    /// Alignment of the data that a pointer to LDS points to.
    #[serde(rename = ".pointee_align", default, deserialize_with = "some_bytes")]
    pub pointee_alignment: Option<Bytes>,
}

/// The kind of an argument, by its name in the metadata.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum ArgumentKind {
    /// The value itself.
    ByValue,
    /// The address of a buffer.
    GlobalBuffer,
    /// Where in LDS memory begins whose size the launch gives.
    DynamicSharedPointer,
    /// One that a runtime fills in, by its name after `hidden_`.
    Hidden(String),
    /// Images, pipes and the like.
    Other(String),
}

impl From<String> for ArgumentKind {
    fn from(name: String) -> Self {
        match name.as_str() {
            "by_value" => Self::ByValue,
            "global_buffer" => Self::GlobalBuffer,
            "dynamic_shared_pointer" => Self::DynamicSharedPointer,
            _ => match name.strip_prefix("hidden_") {
                Some(hidden) => Self::Hidden(hidden.to_owned()),
                None => Self::Other(name),
            },
        }
    }
}

fn bytes<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
    u32::deserialize(deserializer).map(Bytes)
}

fn some_bytes<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Bytes>, D::Error> {
    Option::<u32>::deserialize(deserializer).map(|bytes| bytes.map(Bytes))
}

impl Metadata {
    /// The metadata of a code object, linked or not. One linked from several files has a note of each.
    ///
    /// # Errors
    /// A file that has no such note, or one that cannot be read.
    pub fn of_file(file: &[u8]) -> Result<Self, CodeObjectError> {
        let elf = |error: object::Error| CodeObjectError::Elf(error.to_string());
        let file = ElfFile::<FileHeader64<LE>>::parse(file).map_err(elf)?;
        let headers = file.elf_program_headers();
        // Without program headers the file is not linked, and has its notes in sections.
        let of_sections = file
            .elf_section_table()
            .iter()
            .filter(|_| headers.is_empty())
            .map(|section| section.notes(LE, file.data()));
        let of_headers = headers.iter().map(|header| header.notes(LE, file.data()));
        let mut found = Vec::new();
        for notes in of_sections.chain(of_headers) {
            let Some(mut notes) = notes.map_err(elf)? else { continue };
            while let Some(note) = notes.next().map_err(elf)? {
                if note.n_type(LE) == NOTE && note.name() == b"AMDGPU" {
                    found.push(note.desc());
                }
            }
        }
        if found.is_empty() {
            return Err(CodeObjectError::Metadata("there is none (NT_AMDGPU_METADATA)".to_owned()));
        }
        let mut kernels = Vec::new();
        for note in found {
            kernels.extend(Self::read(note)?.kernels);
        }
        Ok(Self { kernels })
    }

    /// Reads the MessagePack of the note.
    ///
    /// # Errors
    /// What does not fit the documentation.
    pub fn read(note: &[u8]) -> Result<Self, CodeObjectError> {
        let metadata: Self =
            rmp_serde::from_slice(note).map_err(|error| CodeObjectError::Metadata(error.to_string()))?;
        for kernel in &metadata.kernels {
            for (number, argument) in (1..).zip(&kernel.arguments) {
                if argument.offset.0.checked_add(argument.size.0).is_none() {
                    let problem = format!("its argument {number} lies beyond 4 GiB");
                    return Err(CodeObjectError::Kernel { kernel: kernel.name.clone(), problem });
                }
            }
        }
        Ok(metadata)
    }

    /// The metadata of the kernel with that symbol.
    pub fn kernel(&self, name: &str) -> Option<&KernelMetadata> {
        self.kernels.iter().find(|kernel| kernel.symbol_name() == name)
    }
}

impl KernelMetadata {
    /// The name of its code's symbol: that of its descriptor without `.kd`. In the language it may have another name.
    pub fn symbol_name(&self) -> &str {
        self.symbol.as_deref().and_then(|symbol| symbol.strip_suffix(".kd")).unwrap_or(&self.name)
    }

    /// The arguments that the program gives, in the order of the kernel's signature.
    pub fn explicit(&self) -> impl Iterator<Item = &ArgumentMetadata> {
        self.arguments.iter().filter(|argument| !matches!(argument.kind, ArgumentKind::Hidden(_)))
    }
}
