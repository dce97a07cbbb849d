//! The machine alone: small kernels, their memory and their time.

use std::fmt::Write as _;
use std::sync::OnceLock;

use gcn_harness::assembler::{Assembler, KernelSource, ModuleSource, Text};
use gcn_harness::llvm::{Linker, Llvm};
use gcn_model::code_object::CodeObject;
use gcn_model::gpu::Gpu;
use gcn_model::isa::{AccumulationRegisters, GroupMode, Processor};
use gcn_simulator::{Configuration, LaunchShape, LaunchStatistics, Memory, SimulationError};

/// VGPRs and SGPRs that the kernels here allocate, VCC included.
const VGPRS: u32 = 24;
const SGPRS: u32 = 46;
/// AGPRs that they allocate where these are in the file of the VGPRs.
const AGPRS: u32 = 8;

/// The assembler; loading LLVM takes longer than most tests.
///
/// # Panics
/// If there is no LLVM.
pub fn assembler() -> &'static Assembler {
    static ASSEMBLER: OnceLock<Assembler> = OnceLock::new();
    ASSEMBLER.get_or_init(|| {
        let llvm = Llvm::find(None).expect("the Rust toolchain's LLVM");
        let linker = Linker::find(None, &llvm).expect("the Rust toolchain's linker");
        Assembler::new(llvm, linker)
    })
}

/// The object file of an assembly text, as LLVM writes it.
///
/// # Panics
/// If there is no LLVM, or it refuses the text.
pub fn object_of(target: &str, text: &str) -> Vec<u8> {
    static LLVM: OnceLock<Llvm> = OnceLock::new();
    let llvm = LLVM.get_or_init(|| Llvm::find(None).expect("the Rust toolchain's LLVM"));
    llvm.assemble(target, text).unwrap_or_else(|error| panic!("{error}"))
}

/// A GPU that runs kernels.
#[derive(Debug, Clone)]
pub struct Chip {
    gpu: Gpu,
    configuration: Configuration,
    processor: Processor,
    mode: GroupMode,
}

/// The results of a kernel.
#[derive(Debug)]
pub struct Ended {
    /// The 256 dwords at the address that the kernel arguments give.
    pub memory: Vec<u32>,
    /// How long it took.
    pub statistics: LaunchStatistics,
}

/// The chip of a GPU that ships, with lines of a GPU file on top.
///
/// # Panics
/// If the lines are wrong.
pub fn chip(base: &str, lines: &str) -> Chip {
    let text = format!("base = \"{base}\"\nname = \"test\"\n{lines}");
    let gpu = Gpu::from_toml(&text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    Chip { configuration: Configuration::of(&gpu), processor: gpu.processor(), mode: GroupMode::ComputeUnit, gpu }
}

/// The memory that a launch leaves.
#[derive(Debug)]
pub struct AtTime {
    /// Simulated at its time.
    pub simulated: Vec<u32>,
    /// Simulated once and told for its time; `None` if the code takes another course at another time.
    pub told: Option<Vec<u32>>,
}

impl Chip {
    /// Dwords of memory that a kernel gets.
    pub const DWORDS: usize = 1 << 14;

    /// The same chip, whose kernels here have waves of this many lanes.
    ///
    /// # Panics
    /// If it has no such waves.
    pub fn in_waves_of(&self, lanes: u32) -> Self {
        let processor = self.processor.with_wave_size(lanes).unwrap_or_else(|| panic!("waves of {lanes} lanes"));
        Self { processor, ..self.clone() }
    }

    /// The same chip, whose work-groups may run there.
    pub fn in_mode(&self, mode: GroupMode) -> Self {
        Self { mode, ..self.clone() }
    }

    /// The same chip, which also computes what nothing observes.
    pub fn computing_everything(&self) -> Self {
        let mut chip = self.clone();
        chip.configuration.computes_everything = true;
        chip
    }

    /// The code object of a kernel `k`, which starts a page.
    ///
    /// # Panics
    /// If the code does not assemble.
    pub fn object(&self, code: &str) -> CodeObject {
        CodeObject::read(&self.object_file(code)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The file of it. The kernel's arguments are a buffer, a number and LDS.
    ///
    /// # Panics
    /// If the code does not assemble.
    pub fn object_file(&self, code: &str) -> Vec<u8> {
        let header =
            format!(".amdgcn_target \"amdgcn-amd-amdhsa--{}\"\n.amdhsa_code_object_version 4\n", self.gpu.gfx_target);
        let kernel = format!(
            ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n{code}\n.size k, .-k\n.rodata\n.p2align 6\n\
             .amdhsa_kernel k\n.amdhsa_next_free_vgpr {}\n.amdhsa_next_free_sgpr {}\n\
             .amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_kernarg_size 16\n.amdhsa_reserve_vcc 1\n{}.end_amdhsa_kernel\n",
            self.vgprs(),
            SGPRS - 2,
            self.further_directives()
        );
        let metadata = format!(
            ".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    \
             .kernarg_segment_size: 16\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n    \
             .private_segment_fixed_size: 0\n    .wavefront_size: {}\n    .sgpr_count: {SGPRS}\n    \
             .vgpr_count: {VGPRS}\n    .max_flat_workgroup_size: 256\n    .args:\n      \
             - .offset: 0\n        .size: 8\n        .value_kind: global_buffer\n        .address_space: global\n      \
             - .offset: 8\n        .size: 4\n        .value_kind: by_value\n      \
             - .offset: 12\n        .size: 4\n        .value_kind: dynamic_shared_pointer\n        \
             .address_space: local\n        .pointee_align: 4\n...\n.end_amdgpu_metadata\n",
            self.processor.wave_size()
        );
        let module = ModuleSource {
            target: self.processor.with_wave_size_in(&self.gpu.gfx_target),
            header: Text::of_template("header", &header),
            kernels: vec![KernelSource { name: "k".into(), text: Text::of_template("code", &kernel) }],
            footer: Text::of_template("footer", &metadata),
        };
        assembler().assemble(&module).unwrap_or_else(|error| panic!("{error}"))
    }

    /// VGPRs that a descriptor asks for, with eight AGPRs where these are in the same file.
    fn vgprs(&self) -> u32 {
        if self.is_unified() { VGPRS + AGPRS } else { VGPRS }
    }

    fn is_unified(&self) -> bool {
        let registers = self.gpu.generation.descriptor.accumulation_registers;
        registers == Some(AccumulationRegisters::Unified)
    }

    /// The directives of a descriptor on some targets alone.
    fn further_directives(&self) -> String {
        let mut text = String::new();
        if self.gpu.generation.descriptor.reserves_flat_scratch {
            text.push_str(".amdhsa_reserve_flat_scratch 0\n");
        }
        if self.gpu.generation.has_wave_sizes() {
            let _ = writeln!(text, ".amdhsa_wavefront_size32 {}", u32::from(self.processor.wave_size() == 32));
        }
        if self.gpu.generation.has_group_modes() {
            let is_of_processor = u32::from(self.mode == GroupMode::Processor);
            let _ = writeln!(text, ".amdhsa_workgroup_processor_mode {is_of_processor}");
        }
        if self.is_unified() {
            let _ = writeln!(text, ".amdhsa_accum_offset {VGPRS}");
        }
        text
    }

    /// Runs code on this many work-groups of this many work-items.
    ///
    /// # Errors
    /// The simulator's message.
    pub fn launch(&self, code: &str, groups: u32, group_size: u32, lds: u32) -> Result<Ended, SimulationError> {
        self.launch_by(code, (groups, group_size, lds, 0), gcn_simulator::launch)
            .map(|(memory, statistics)| Ended { memory, statistics })
    }

    /// The memory that one wave leaves at each of these launches.
    ///
    /// # Errors
    /// The simulator's message.
    pub fn at_times(&self, code: &str, ordinals: &[u64]) -> Result<Vec<AtTime>, SimulationError> {
        let (kept, (_, timeless)) = self.launch_by(code, (1, 64, 64, 0), gcn_simulator::launch_timeless)?;
        let at = |&ordinal: &u64| {
            let (memory, _) = self.launch_by(code, (1, 64, 64, ordinal), gcn_simulator::launch)?;
            let told =
                timeless.as_ref().map(|timeless| kept.iter().map(|word| timeless.word(*word, ordinal)).collect());
            Ok(AtTime { simulated: memory, told })
        };
        ordinals.iter().map(at).collect()
    }

    fn launch_by<R>(
        &self,
        code: &str,
        (groups, group_size, lds, ordinal): (u32, u32, u32, u64),
        launch: impl FnOnce(&Configuration, &CodeObject, &str, &LaunchShape, &mut Memory) -> Result<R, SimulationError>,
    ) -> Result<(Vec<u32>, R), SimulationError> {
        let object = self.object(code);
        let mut memory = Memory::default();
        let results = memory.allocate(Self::DWORDS as u64 * 4);
        let arguments = memory.allocate(16);
        let words = [results as u32, (results >> 32) as u32, Self::DWORDS as u32 * 4, 0];
        memory.upload(arguments, &words).expect("the arguments are allocated");
        let shape = LaunchShape {
            groups,
            group_size,
            dynamic_lds_bytes: lds,
            kernarg_address: arguments,
            ordinal,
            cycle_limit: 100_000,
        };
        let launched = launch(&self.configuration, &object, "k", &shape, &mut memory)?;
        let memory = memory.download(results, Self::DWORDS).map_err(|problem| SimulationError::Execution {
            kernel: "k".into(),
            wave: 0,
            address: results,
            instruction: "download".into(),
            problem,
        })?;
        Ok((memory, launched))
    }

    /// The code that a kernel here starts with: `s[4:7]` describes its memory, v1 is the lane's offset in it.
    pub fn prologue(&self) -> String {
        let size = 8 / self.gpu.generation.scalar_memory.offset_unit_bytes;
        format!(
            "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dword s6, s[0:1], {size:#x}\nv_lshlrev_b32_e32 v1, 2, v0\n\
             s_mov_b32 s7, {:#x}\ns_waitcnt lgkmcnt(0)\ns_and_b32 s5, s5, 0xffff\n",
            self.gpu.generation.buffers.descriptor_word
        )
    }

    /// The code that stores v2 of each lane of the first group and ends.
    pub const EPILOGUE: &str = "buffer_store_dword v2, v1, s[4:7], 0 offen\ns_endpgm\n";

    /// Runs code that leaves a value in v2 on one wave and gives the value of each lane.
    ///
    /// # Errors
    /// The simulator's message.
    pub fn values(&self, code: &str) -> Result<Vec<u32>, SimulationError> {
        let code = format!("{}{code}\n{}", self.prologue(), Self::EPILOGUE);
        Ok(self.launch(&code, 1, 64, 0)?.memory[..64].to_vec())
    }

    /// With this much LDS, which M0 does not limit.
    ///
    /// # Errors
    /// The simulator's message.
    pub fn values_with_lds(&self, lds: u32, code: &str) -> Result<Vec<u32>, SimulationError> {
        let code = format!("{}s_mov_b32 m0, -1\n{code}\n{}", self.prologue(), Self::EPILOGUE);
        Ok(self.launch(&code, 1, 64, lds)?.memory[..64].to_vec())
    }

    /// The value of lane 0, from code that leaves it in s20.
    ///
    /// # Errors
    /// The simulator's message.
    pub fn scalar(&self, code: &str) -> Result<u32, SimulationError> {
        Ok(self.values(&format!("{code}\nv_mov_b32_e32 v2, s20"))?[0])
    }
}

impl Chip {
    /// Whether scalar memory instructions are two dwords: from GCN 1.2 on.
    pub fn is_smem(&self) -> bool {
        self.gpu.generation.has_realtime_counter()
    }
}
