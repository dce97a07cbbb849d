//! What code may ask of a generation: `generation.toml`. The keys are described in `model/data/generations/README.md`.
// Long: the sections of generation.toml, with a type for each.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::codes::OperandCodes;
use super::pairs::PairFacts;
use super::place::PlaceRegister;
use super::wait::WaitFields;

/// The facts of a generation that are not in its tables.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationFacts {
    /// The name that LLVM's targets begin with: `gfx9`.
    pub(super) name: String,
    /// The name in the CLRX table, where that has it: `1.4`.
    pub(super) clrx_name: Option<String>,
    /// The name of AMD's, where there is no such page: `CDNA 3`.
    pub(super) product_line: Option<String>,
    /// Where the names are from.
    pub source: String,
    /// Lanes, SIMDs and how often one issues.
    pub waves: Waves,
    /// How time is read.
    pub counters: Counters,
    /// The instructions that wait for counters, by name.
    pub waits: BTreeMap<String, WaitFields>,
    /// The register that says where a wave runs.
    pub place: PlaceRegister,
    /// The names of scalar operand codes.
    pub operand_codes: OperandCodes,
    /// Scalar memory instructions.
    pub scalar_memory: ScalarMemoryFacts,
    /// Buffer instructions and their descriptors.
    pub buffers: BufferFacts,
    /// LDS instructions.
    pub lds: LdsFacts,
    /// Flat instructions, where there are any.
    pub flat: Option<FlatFacts>,
    /// Vector instructions.
    pub vector: VectorFacts,
    /// Matrix instructions, and the formats of 8 bits that came with them; empty without them.
    pub matrix: Option<MatrixFacts>,
    /// Dual issue (VOPD); empty without it.
    pub pairs: Option<PairFacts>,
    /// Matrix instructions of 16 rows and columns whose matrices lie in groups of 16 lanes (WMMA), where there are any.
    pub wave_matrix: Option<WaveMatrixFacts>,
    /// Kernel descriptors.
    pub descriptor: DescriptorFacts,
    /// Drivers of real cards.
    pub drivers: DriverFacts,
    /// How a kernel's text says what generations spell differently.
    pub assembly: AssemblyFacts,
}

impl GenerationFacts {
    /// The most loads from vector memory in flight that a wave counts.
    pub fn most_loads(&self) -> u32 {
        self.waits.values().filter_map(|fields| fields.counts(u32::MAX).vector_memory).max().unwrap_or(0)
    }
}

/// Lanes of a wave, and how a compute unit executes waves.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waves {
    /// The numbers of lanes that a wave can have.
    pub sizes: Vec<u32>,
    /// SIMDs of a compute unit.
    pub simds: u32,
    /// Waves that a SIMD has slots for; chips may have fewer.
    pub slots: u32,
    /// Shader cycles from one vector instruction of a SIMD to the next.
    pub issue_interval_cycles: u32,
    /// When the result of an instruction can be read.
    pub dependency_tracking: DependencyTracking,
    /// The most wait states that one S_NOP gives.
    pub wait_states_of_nop: u32,
    /// The message with which a wave gives its VGPRs back before it ends, where there is one.
    pub deallocation_message: Option<u32>,
    /// Where these facts are from.
    pub source: String,
}

/// When the result of a vector or scalar instruction can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DependencyTracking {
    /// With the end of the instruction: nothing of the wave issues before.
    Blocking,
    /// By a scoreboard: the wave issues on, and an instruction that reads the result stalls until it is there.
    Scoreboard,
}

/// How a kernel reads the time.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// The counter of shader cycles.
    pub cycles: CycleCounter,
    /// The instruction that reads a counter of constant rate, where there is one.
    pub realtime: Option<String>,
    /// A hardware register with the low bits of the cycle counter, in addition to the kernels' way of reading it.
    pub cycle_register: Option<CycleRegister>,
    /// Where these facts are from.
    pub source: String,
}

/// A hardware register that counts shader cycles.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CycleRegister {
    pub register: u32,
    /// Bits that it has.
    pub bits: u32,
    /// The feature that a target has to have.
    pub feature: String,
}

/// The counter of shader cycles.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CycleCounter {
    /// The way in which it is read.
    pub read: CounterRead,
    /// The instruction that reads it.
    pub instruction: String,
    /// Numbers of the hardware registers that hold it, low half first, where it is read from registers.
    #[serde(default)]
    pub registers: Vec<u32>,
}

/// The ways in which a counter of cycles is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CounterRead {
    /// A load of 64 bits through scalar memory, which has to be waited for.
    #[serde(rename = "scalar-memory-64")]
    ScalarMemory64,
    /// A hardware register of 20 bits, which wraps.
    #[serde(rename = "register-20")]
    Register20,
    /// The two halves of 64 bits in two hardware registers.
    RegisterHalves,
    /// A scalar instruction that gives 64 bits.
    #[serde(rename = "scalar-64")]
    Scalar64,
}

impl CounterRead {
    /// Bits that the counter has.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Register20 => 20,
            Self::ScalarMemory64 | Self::RegisterHalves | Self::Scalar64 => 64,
        }
    }

    /// Bits of a reading: a difference is taken modulo two to the power of them. Of two halves the low one is read alone, since the other one may
    /// have gone on between two instructions.
    pub const fn bits_of_reading(self) -> u32 {
        match self {
            Self::RegisterHalves => 32,
            read => read.bits(),
        }
    }
}

/// Scalar memory instructions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScalarMemoryFacts {
    /// Whether an offset can be a literal dword after the instruction.
    pub literal_offset: bool,
    /// The unit of an immediate offset.
    pub offset_unit_bytes: u32,
    /// Whether VCCZ may be wrong while a load is under way.
    pub loads_spoil_vccz: bool,
    /// Where these facts are from.
    pub source: String,
}

/// What NUM_RECORDS of a buffer descriptor with a stride counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NumRecords {
    Records,
    /// Records in a swizzled buffer, otherwise bytes.
    RecordsIfSwizzled,
    /// Records where an instruction has an index, otherwise bytes.
    RecordsIfIndexed,
}

/// How a buffer descriptor says that the buffer is swizzled, and how big its elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SwizzleBits {
    /// A bit, and ELEMENT_SIZE.
    Described,
    /// A bit; elements have four bytes.
    Dwords,
    /// Two bits: 1 for elements of four bytes, 3 for those of sixteen.
    TwoBits,
}

/// Buffer instructions and their descriptors.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BufferFacts {
    /// What NUM_RECORDS counts where there is a stride.
    pub num_records: NumRecords,
    /// How a descriptor says that the buffer is swizzled.
    pub swizzle: SwizzleBits,
    /// Whether the bytes of a swizzled buffer with a stride are checked, with OOB_SELECT 3; otherwise records and the places in them are.
    #[serde(default)]
    pub checks_swizzled_bytes: bool,
    /// Whether SOFFSET is a part of the offset that is swizzled; otherwise it is added to the base.
    #[serde(default)]
    pub swizzles_soffset: bool,
    /// Whether the descriptor scales the stride.
    #[serde(default)]
    pub scales_stride: bool,
    /// Bits of a format that has one number.
    #[serde(default = "format_bits")]
    pub format_bits: u32,
    /// Whether a descriptor of format 0 is that of no buffer: loads give 0, stores do nothing.
    #[serde(default)]
    pub unbound_without_format: bool,
    /// Whether DATA_FORMAT is further bits of the stride where the lane's number is added.
    pub data_format_extends_stride: bool,
    /// The formats that have one number for data and number format, in the order of the numbers; none where they have two. Such a descriptor has
    /// OOB_SELECT, too, which decides the out-of-bounds check.
    #[serde(default)]
    unified_formats: Vec<FormatRun>,
    /// Whether SOFFSET is a register, and no constant.
    #[serde(default)]
    pub offset_is_register: bool,
    /// Where loads and stores of vector memory need no alignment; atomics always do.
    pub unaligned: Unaligned,
    /// The fourth dword of the descriptor of a buffer of floats of 32 bits, whose NUM_RECORDS counts bytes.
    #[serde(default = "gcn_descriptor_word")]
    pub descriptor_word: u32,
    /// Likewise with NUM_RECORDS in records.
    #[serde(default = "gcn_descriptor_word")]
    pub record_descriptor_word: u32,
    /// Where these facts are from.
    pub source: String,
}

const fn format_bits() -> u32 {
    7
}

/// DST_SEL xyzw, NUM_FORMAT float, DATA_FORMAT 32, type buffer.
const fn gcn_descriptor_word() -> u32 {
    0x27fac
}

/// Formats that follow each other: the same data format with several number formats.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormatRun {
    /// Number of the first one.
    first: u8,
    /// DATA_FORMAT of the generations that have two numbers.
    data: u8,
    /// NUM_FORMAT of each.
    numbers: Vec<u8>,
}

impl BufferFacts {
    /// Whether data and number format have one number.
    pub fn has_unified_formats(&self) -> bool {
        !self.unified_formats.is_empty()
    }

    /// DATA_FORMAT and NUM_FORMAT of a format that has one number for both; `None` where no format has it.
    pub fn unified_format(&self, number: u8) -> Option<(u8, u8)> {
        let run = self.unified_formats.iter().rev().find(|run| run.first <= number)?;
        Some((run.data, *run.numbers.get(usize::from(number - run.first))?))
    }

    /// The number of a format that has one for both.
    pub fn unified_number(&self, data: u8, number: u8) -> Option<u8> {
        let run = self.unified_formats.iter().find(|run| run.data == data)?;
        Some(run.first + run.numbers.iter().position(|found| *found == number)? as u8)
    }
}

/// Where loads and stores of vector memory need no alignment, as drivers set it up (SH_MEM_CONFIG.ALIGNMENT_MODE).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unaligned {
    Nowhere,
    /// In memory whose dwords lie one after the other, not in scratch memory.
    Linear,
    Everywhere,
}

/// LDS instructions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LdsFacts {
    /// Whether M0 limits the addresses.
    pub m0_limits: bool,
    /// Whether reads and writes need no alignment; atomics always do.
    pub unaligned: bool,
    /// Lanes within which DS_PERMUTE_B32 and DS_BPERMUTE_B32 move values, where a wave can have more.
    pub permutes_lanes: Option<u32>,
    /// Where these facts are from.
    pub source: String,
}

/// What FLAT_SCRATCH holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlatScratch {
    /// An offset in units of 256 bytes from the base of the process, and the bytes of a work-item.
    SegmentOffset,
    /// The address of the wave's scratch memory.
    Address,
}

/// Flat instructions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlatFacts {
    pub flat_scratch_holds: FlatScratch,
    /// Numbers of the hardware registers that are its halves, low half first, where it is not among the SGPRs.
    pub flat_scratch_registers: Option<[u32; 2]>,
    /// First address that means LDS.
    pub shared_aperture: u64,
    /// First address that means scratch memory.
    pub private_aperture: u64,
    /// What says that a SCRATCH instruction has no address register at all, where the scalar address says it.
    pub without_address: Option<WithoutAddress>,
    /// Whether a hardware register (SH_MEM_BASES) tells the apertures.
    pub aperture_register: bool,
    /// Where these facts are from.
    pub source: String,
}

/// A scalar address that says that there is no address register.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WithoutAddress {
    /// The code in the field of the scalar address.
    pub code: u8,
    /// The feature that a target has to have.
    pub feature: String,
}

/// Vector instructions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorFacts {
    /// Whether the SDWA dword can name scalar registers and constants.
    pub sdwa_names_scalars: bool,
    /// Whether minimum and maximum flush denormals as the mode says.
    pub minimum_flushes_denormals: bool,
    /// Whether MODE has FP16_OVFL.
    pub half_overflow_mode: bool,
    /// The instructions with a result of 16 bits that leave the high half of its register as it was, `*` for all; the others set it to 0.
    pub keeps_high_half: Vec<String>,
    /// Whether a literal dword can follow a VOP3 or VOP3P instruction.
    #[serde(default)]
    pub long_forms_take_literals: bool,
    /// Whether an instruction with a DPP form has one that names a lane for each of eight, too.
    #[serde(default)]
    pub dpp8: bool,
    /// Whether those that have a DPP form have it in VOP3 and VOP3P, too.
    #[serde(default)]
    pub long_forms_have_dpp: bool,
    /// Whether 16-bit operands are halves of registers: the short forms name one of 128 registers and say by the highest bit which half,
    /// VOP3 says it by OP_SEL.
    #[serde(default)]
    pub halves_are_registers: bool,
    /// How dot products of numbers add their products, where a card showed it.
    pub dot_products: Option<DotProducts>,
    /// Whether conversions to 8 bits that round by chance truncate after they add random bits, as a card showed; otherwise the manual's text is
    /// all that is known, which rounds to nearest once more.
    #[serde(default)]
    pub stochastic_sums_are_truncated: bool,
    /// Whether a tuple of VGPRs or AGPRs has to begin at an even number.
    #[serde(default)]
    pub tuples_begin_even: bool,
    /// Where these facts are from.
    pub source: String,
}

impl VectorFacts {
    /// Whether an instruction leaves the high half of the register as it was where its result has 16 bits.
    pub fn keeps_high_half(&self, name: &str) -> bool {
        self.keeps_high_half.iter().any(|kept| kept == "*" || kept == name)
    }
}

/// How the products of a dot product and what they are added to come together: all are cut off at a common bit below the largest, and their sum is
/// rounded once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DotProducts {
    /// All at once; what has another sign than the addend loses one more unit.
    AtOnce,
    /// The products first, then their sum and the addend.
    ProductsFirst,
}

/// Matrix instructions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatrixFacts {
    /// Whether those of F16 and BF16 take denormals for zero, and give none.
    pub halves_flush_denormals: bool,
    /// Whether A and B of single precision have the denormals that MODE says; otherwise they have all of them.
    pub singles_follow_mode: bool,
    /// What FP8 and BF8 are, where there are any.
    pub eight_bit_floats: Option<EightBitFloats>,
    /// Where these facts are from.
    pub source: String,
}

/// WMMA.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaveMatrixFacts {
    /// How matrices lie in the lanes of a wave.
    pub layout: WaveMatrixLayout,
    /// Whether a register has two elements of a result of 16 bits; otherwise OP_SEL says which half its one element takes.
    pub packs_halves: bool,
    /// What FP8 and BF8 are, where there are any.
    pub eight_bit_floats: Option<EightBitFloats>,
    /// Where these facts are from.
    pub source: String,
}

/// How the matrices of WMMA lie in groups of 16 lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WaveMatrixLayout {
    /// Each group has all of A and of B; the rows of the result go round the groups.
    Replicated,
    /// Runs of four elements along k go round the groups; each group has rows of the result in a run.
    Dealt,
}

/// What floating-point numbers of 8 bits are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EightBitFloats {
    /// Without infinities and −0, the bias one higher than IEEE's.
    Fnuz,
    /// Those of the Open Compute Project.
    Ocp,
}

/// How a kernel's text says what generations spell differently.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssemblyFacts {
    /// The lines that read the counter of cycles, waits included; `{pair}` is where it goes, `{low}` and `{high}` its halves.
    read_cycles: Vec<String>,
    /// The lines once before all readings, for what `read_cycles` leaves alone; the same.
    #[serde(default)]
    before_readings: Vec<String>,
    /// The line that reads the counter of constant rate, which has to be waited for as a scalar load; the same.
    read_realtime: Option<String>,
    /// The line that waits for scalar memory and messages.
    pub wait_scalar: String,
    /// The line that waits for the LDS.
    pub wait_local: String,
    /// The line that waits for what vector memory brings.
    pub wait_vector: String,
    /// The line that waits for what FLAT instructions bring, from memory or the LDS.
    pub wait_flat: String,
    /// The lines that wait for all of these.
    pub wait_all: Vec<String>,
    /// The feature that LLVM's assembler has to be told of, where a target has not all of its own: `real-true16`.
    pub llvm_feature: Option<String>,
    /// The register that says where a wave runs, as an operand of S_GETREG_B32.
    pub place: String,
    /// The bits of the register that says on which XCC a wave runs, where there may be several; the same.
    pub xcc: Option<String>,
    /// The words for the bits of the cache policy.
    #[serde(default)]
    pub cache_policy: CachePolicyWords,
    /// The register that tells the rate of double precision, where there is one; the same.
    pub dp_rate: Option<String>,
    /// The lines that set FLAT_SCRATCH, or none where a kernel cannot and a wave starts with it, as `read_cycles` is written.
    #[serde(default = "set_flat_scratch_of_gcn")]
    set_flat_scratch: Vec<String>,
    /// Where these facts are from.
    pub source: String,
}

fn set_flat_scratch_of_gcn() -> Vec<String> {
    vec!["s_mov_b64 flat_scratch, {pair}".to_owned()]
}

/// The words for the bits of vector memory instructions that say how caches treat them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CachePolicyWords {
    /// Globally coherent; of an atomic: the value before is returned.
    pub glc: String,
    /// Whether only atomics have this one.
    #[serde(default)]
    pub glc_is_of_atomics: bool,
    /// System-level coherent.
    pub slc: String,
    /// System-coherent.
    pub scc: String,
}

impl Default for CachePolicyWords {
    fn default() -> Self {
        Self { glc: "glc".into(), glc_is_of_atomics: false, slc: "slc".into(), scc: "scc".into() }
    }
}

impl AssemblyFacts {
    /// The field of the DPFACTOR's coding, such as `TRAPSTS.DP_RATE`.
    pub fn dp_rate_name(&self) -> String {
        let register = |field: &str| Some(field.strip_prefix("hwreg(HW_REG_")?.split_once(',')?.0.to_owned());
        format!("{}.DP_RATE", self.dp_rate.as_deref().and_then(register).unwrap_or_default())
    }

    /// The lines that read the counter of cycles into two scalar registers from `first` on.
    pub fn read_cycles(&self, first: u8) -> Vec<String> {
        self.read_cycles.iter().map(|line| with_registers(line, first)).collect()
    }

    /// The lines that stand before all readings of the counter into two scalar registers from `first` on.
    pub fn before_readings(&self, first: u8) -> Vec<String> {
        self.before_readings.iter().map(|line| with_registers(line, first)).collect()
    }

    /// The lines that set FLAT_SCRATCH to the pair of SGPRs that begins with `first`.
    pub fn set_flat_scratch(&self, first: u8) -> Vec<String> {
        self.set_flat_scratch.iter().map(|line| with_registers(line, first)).collect()
    }

    /// All of the register that says where a wave runs, as an operand.
    pub fn place_register(&self) -> String {
        let name = self.place.split([',', ')']).next().unwrap_or(&self.place);
        format!("{name})")
    }

    /// The line that reads the counter of constant rate, where there is one; nothing waits for it.
    pub fn read_realtime(&self, first: u8) -> Option<String> {
        self.read_realtime.as_ref().map(|line| with_registers(line, first))
    }
}

fn with_registers(line: &str, first: u8) -> String {
    let (low, high) = (format!("s{first}"), format!("s{}", first + 1));
    line.replace("{pair}", &format!("s[{first}:{}]", first + 1)).replace("{low}", &low).replace("{high}", &high)
}

/// Drivers of real cards.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriverFacts {
    /// Whether AMD's OpenCL driver takes AMDHSA code objects for the generation.
    pub amd_opencl_takes_code_objects: bool,
    /// Compute units that HIP and AMD's OpenCL driver count as one: those of a work-group processor, where there are such.
    #[serde(default = "each")]
    pub amd_counts_as_one: u32,
    /// Where these facts are from.
    pub source: String,
}

fn each() -> u32 {
    1
}

/// Where the accumulation registers of a wave are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccumulationRegisters {
    /// In a file of their own: each wave has as many as it has VGPRs.
    Separate,
    /// In the file of the VGPRs, which they follow from ACCUM_OFFSET of the descriptor on.
    Unified,
}

/// Kernel descriptors.
///
/// Where waves can have several sizes, registers are counted as for the first of them; [`Processor::descriptor`](super::Processor::descriptor)
/// has them for its own.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescriptorFacts {
    /// VGPRs that one step of the descriptor's field stands for.
    pub vgpr_granule: u32,
    /// SGPRs that one step of the descriptor's field stands for.
    pub sgpr_granule: u32,
    /// SGPRs that every wave has, whatever its descriptor says, where that is so.
    pub sgprs_of_a_wave: Option<u32>,
    /// Bytes of LDS that one step of the register's field stands for (the packet processor fills it in).
    pub lds_granule_bytes: u32,
    /// Whether FLAT_SCRATCH is among the registers that a kernel asks for.
    pub reserves_flat_scratch: bool,
    /// The place of a wave's accumulation registers (AGPRs); empty without them.
    pub accumulation_registers: Option<AccumulationRegisters>,
    /// VGPRs of a lane that the waves of a SIMD share.
    #[serde(default = "vgprs_of_a_lane")]
    pub vgprs_of_a_lane: u32,
    /// Whether v0 holds all ids of a work-item, ten bits each; otherwise each has a register of its own.
    #[serde(default)]
    pub packs_workitem_ids: bool,
    /// Whether a wave starts with the address of its scratch memory in FLAT_SCRATCH, and gets nothing else for it.
    #[serde(default)]
    pub architected_flat_scratch: bool,
    /// Whether the ids of a wave's work-group are in trap temporary registers, whatever the descriptor says: X in ttmp9, Y and Z in ttmp7.
    #[serde(default)]
    pub architected_workgroup_ids: bool,
    /// Whether the descriptor has the two modes IEEE_MODE and DX10_CLAMP.
    #[serde(default = "yes")]
    pub has_ieee_mode: bool,
    /// Where these facts are from.
    pub source: String,
}

const fn yes() -> bool {
    true
}

/// What all generations before the unified register file have (LLVM `AMDGPUBaseInfo.cpp`, getTotalNumVGPRs).
const fn vgprs_of_a_lane() -> u32 {
    256
}
