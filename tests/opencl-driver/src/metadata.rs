//! The metadata of a code object: the driver's facts about kernels and their arguments.
//!
//! Source: LLVM `AMDGPUUsage.rst`, "Code Object V3 Metadata", "Code Object V4 Metadata".

use serde::Deserialize;
use serde::de::IgnoredAny;

/// Versions of the metadata: of code objects 4 and 5 (facts §5.1).
const VERSIONS: [[u32; 2]; 2] = [[1, 1], [1, 2]];

/// The metadata of a code object. A key that the documentation does not have is an error, as it is to ROCm 5 (facts §5.3).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Metadata {
    #[serde(rename = "amdhsa.version")]
    version: [u32; 2],
    /// The target with its settings, such as `amdgcn-amd-amdhsa--gfx900:xnack-`.
    #[serde(rename = "amdhsa.target")]
    pub(crate) target: Option<String>,
    #[serde(rename = "amdhsa.printf")]
    _printf: Option<IgnoredAny>,
    #[serde(rename = "amdhsa.kernels")]
    pub(crate) kernels: Vec<KernelMetadata>,
}

/// The metadata of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KernelMetadata {
    #[serde(rename = ".name")]
    pub(crate) name: String,
    /// The symbol of its descriptor.
    #[serde(rename = ".symbol")]
    pub(crate) symbol: String,
    /// Its arguments, those of the language and those that the driver fills in.
    #[serde(rename = ".args", default)]
    pub(crate) arguments: Vec<Argument>,
    /// The one size of work-group that it runs with.
    #[serde(rename = ".reqd_workgroup_size")]
    pub(crate) required_group: Option<[usize; 3]>,
    /// Size of the kernel arguments.
    #[serde(rename = ".kernarg_segment_size")]
    pub(crate) kernarg_bytes: u32,
    #[serde(rename = ".kernarg_segment_align")]
    pub(crate) kernarg_alignment_bytes: u32,
    /// Static LDS of a work-group.
    #[serde(rename = ".group_segment_fixed_size")]
    pub(crate) group_segment_bytes: u32,
    /// Scratch of a work-item.
    #[serde(rename = ".private_segment_fixed_size")]
    pub(crate) private_segment_bytes: u32,
    /// Work-items of a wave.
    #[serde(rename = ".wavefront_size")]
    pub(crate) wave_items: u32,
    /// SGPRs of a wave.
    #[serde(rename = ".sgpr_count")]
    pub(crate) sgprs: u32,
    /// VGPRs of a work-item.
    #[serde(rename = ".vgpr_count")]
    pub(crate) vgprs: u32,
    /// Largest work-group.
    #[serde(rename = ".max_flat_workgroup_size")]
    pub(crate) most_items: u32,
    #[serde(rename = ".language")]
    _language: Option<String>,
    #[serde(rename = ".language_version")]
    _language_version: Option<[u32; 2]>,
    #[serde(rename = ".workgroup_size_hint")]
    _group_hint: Option<[usize; 3]>,
    #[serde(rename = ".vec_type_hint")]
    _vector_hint: Option<String>,
    #[serde(rename = ".sgpr_spill_count")]
    _sgpr_spills: Option<u32>,
    #[serde(rename = ".vgpr_spill_count")]
    _vgpr_spills: Option<u32>,
    #[serde(rename = ".uses_dynamic_stack")]
    _uses_dynamic_stack: Option<bool>,
    #[serde(rename = ".kind")]
    _kind: Option<String>,
}

/// The metadata of an argument.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Argument {
    /// Where it is in the kernel arguments, bytes.
    #[serde(rename = ".offset")]
    pub(crate) offset: usize,
    #[serde(rename = ".size")]
    pub(crate) bytes: usize,
    #[serde(rename = ".value_kind")]
    pub(crate) kind: ValueKind,
    /// Where a pointer points.
    #[serde(rename = ".address_space")]
    pub(crate) address_space: Option<String>,
    /// Alignment of the LDS that it points to, bytes.
    #[serde(rename = ".pointee_align")]
    pub(crate) pointee_alignment_bytes: Option<u32>,
    #[serde(rename = ".name")]
    _name: Option<String>,
    #[serde(rename = ".type_name")]
    _type_name: Option<String>,
    #[serde(rename = ".value_type")]
    _value_type: Option<String>,
    #[serde(rename = ".access")]
    _access: Option<String>,
    #[serde(rename = ".actual_access")]
    _actual_access: Option<String>,
    #[serde(rename = ".is_const")]
    _is_const: Option<bool>,
    #[serde(rename = ".is_restrict")]
    _is_restrict: Option<bool>,
    #[serde(rename = ".is_volatile")]
    _is_volatile: Option<bool>,
}

/// The kind of an argument, of those that this driver can pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ValueKind {
    /// The value itself.
    ByValue,
    /// A buffer's address.
    GlobalBuffer,
    /// Where in LDS memory begins whose size the program gives.
    DynamicSharedPointer,
    /// The first work-item's number in X; the driver fills in this and the following.
    HiddenGlobalOffsetX,
    HiddenGlobalOffsetY,
    HiddenGlobalOffsetZ,
    HiddenNone,
}

impl ValueKind {
    /// Whether the program does not see the argument.
    pub(crate) fn is_hidden(self) -> bool {
        !matches!(self, Self::ByValue | Self::GlobalBuffer | Self::DynamicSharedPointer)
    }
}

impl Metadata {
    /// Reads the MessagePack of the note, and checks what needs no other part of the code object.
    ///
    /// # Errors
    /// The fault, with the kernel.
    pub(crate) fn read(note: &[u8]) -> Result<Self, String> {
        let metadata: Self = rmp_serde::from_slice(note).map_err(|error| format!("metadata: {error}"))?;
        let version = metadata.version;
        if !VERSIONS.contains(&version) {
            return Err(format!("metadata: amdhsa.version {version:?} is not one of {VERSIONS:?}"));
        }
        let wrong = |kernel: &KernelMetadata, problem| format!("metadata of kernel {}: {problem}", kernel.name);
        metadata.kernels.iter().try_for_each(|kernel| kernel.check().map_err(|problem| wrong(kernel, problem)))?;
        Ok(metadata)
    }
}

impl KernelMetadata {
    /// The arguments that the program sees.
    pub(crate) fn explicit(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|argument| !argument.kind.is_hidden())
    }

    fn check(&self) -> Result<(), String> {
        if self.symbol != format!("{}.kd", self.name) {
            return Err(format!(".symbol is {}", self.symbol));
        }
        if !(1..=1024).contains(&self.most_items) {
            return Err(format!(".max_flat_workgroup_size is {}, not 1 to 1024", self.most_items));
        }
        if self.wave_items != 64 {
            return Err(format!(".wavefront_size is {}, and a GCN wave has 64 work-items", self.wave_items));
        }
        if !self.kernarg_alignment_bytes.is_power_of_two() {
            return Err(format!(".kernarg_segment_align is {}, no power of two", self.kernarg_alignment_bytes));
        }
        let mut end = 0;
        for (i, argument) in self.arguments.iter().enumerate() {
            let problem = argument.check().err();
            let problem =
                problem.or_else(|| (argument.offset < end).then(|| format!(".offset {} overlaps", argument.offset)));
            end = argument.offset.saturating_add(argument.bytes);
            let most = self.kernarg_bytes as usize;
            let problem = problem
                .or_else(|| (end > most).then(|| format!("it ends at {end}, and the arguments have {most} bytes")));
            if let Some(problem) = problem {
                return Err(format!("argument {i}: {problem}"));
            }
        }
        Ok(())
    }
}

impl Argument {
    fn check(&self) -> Result<(), String> {
        let (bytes, space) = match self.kind {
            ValueKind::ByValue => return if self.bytes > 0 { Ok(()) } else { Err(".size is 0".into()) },
            ValueKind::GlobalBuffer => (8, &["global", "constant"][..]),
            ValueKind::DynamicSharedPointer => (4, &["local"][..]),
            ValueKind::HiddenNone => return Ok(()),
            _ => (8, &[][..]),
        };
        if self.bytes != bytes || !self.offset.is_multiple_of(bytes) {
            return Err(format!(".size {} at .offset {}, for a value of {bytes} bytes", self.bytes, self.offset));
        }
        let named = self.address_space.as_deref();
        if !space.is_empty() && !named.is_some_and(|named| space.contains(&named)) {
            return Err(format!(".address_space is {}, not {}", named.unwrap_or("missing"), space.join(" or ")));
        }
        match self.pointee_alignment_bytes {
            Some(alignment) if !alignment.is_power_of_two() => {
                Err(format!(".pointee_align {alignment} is no power of two"))
            }
            _ => Ok(()),
        }
    }
}
