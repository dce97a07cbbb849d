//! The registers that a wave starts with.
//!
//! Source: LLVM `AMDGPUUsage.rst`, "Initial Kernel Execution State" (SGPR and VGPR register set up order).

use crate::cost::configuration::Configuration;
use crate::dispatch::needs::Needs;
use crate::dispatch::scratch::ScratchArea;
use crate::dispatch::shape::Shape;
use crate::memory::aperture::Segments;
use crate::state::bits::Bits;
use crate::state::flight::Flights;
use crate::state::losses::Losses;
use crate::state::matrix_results::MatrixResults;
use crate::state::mode::Mode;
use crate::state::pipelines::WavePipelines;
use crate::state::scalar_registers::{EXEC, FLAT_SCRATCH, ScalarRegisters};
use crate::state::scoreboard::Scoreboard;
use crate::state::vector_registers::{LANES, VectorRegisters};
use crate::state::wave::{State, Trace, Wave};
use gcn_model::code_object::{ProgramRegisters, VectorFile};
use gcn_model::isa::{DependencyTracking, Generation};

/// The initial state of a dispatch's waves.
#[derive(Debug)]
pub(crate) struct Initial {
    /// Grid and groups.
    pub shape: Shape,
    /// Registers and LDS.
    pub needs: Needs,
    /// The program's request.
    pub registers: ProgramRegisters,
    /// User SGPRs, from s0 on; an unknown one was never set.
    pub user_data: Vec<Option<u32>>,
    /// The vector registers that its waves can name.
    pub file: VectorFile,
    /// Scratch memory.
    pub scratch: ScratchArea,
    /// Where FLAT addresses mean LDS and scratch.
    pub segments: Segments,
}

impl Initial {
    /// A wave: number `in_group` of a group, on a slot of a SIMD of a compute unit.
    pub(crate) fn wave(
        &self,
        (group, in_group): (u64, u32),
        (unit, simd, slot): (u32, u32, u32),
        configuration: &Configuration,
    ) -> Wave {
        let size = self.shape.size_of(group);
        let lanes = configuration.issue.wave_size;
        let items = (size.iter().product::<u32>() - in_group * lanes).min(lanes);
        let exec = u64::MAX.checked_shr(u64::BITS - items).unwrap_or(0);
        let scoreboard = match configuration.issue.dependency_tracking {
            DependencyTracking::Blocking => None,
            DependencyTracking::Scoreboard => Some(Box::new(Scoreboard::new(self.file.vgprs, self.file.agprs))),
        };
        let in_wave_slots = (unit * configuration.issue.simds + simd) * configuration.waves_per_simd + slot;
        Wave {
            number: (group as u32).wrapping_mul(self.shape.waves(lanes)).wrapping_add(in_group),
            in_group,
            lanes,
            pipelines: configuration.pipelines.as_ref().map(|of| Box::new(WavePipelines::new(of))),
            group: 0,
            simd,
            slot,
            next: 0,
            away: 0,
            ready: 0,
            scalar_ready: 0,
            trace: Trace::default(),
            priority: 0,
            scalars: self.scalars((group, in_group), in_wave_slots, (exec, lanes), configuration.generation),
            vectors: self.vectors(size, in_group * lanes, exec, configuration.generation),
            scoreboard,
            matrix_results: configuration.matrix.as_ref().map(|unit| Box::new(MatrixResults::new(unit))),
            losses: Losses::default(),
            scc: None,
            mode: Mode::of(self.registers, configuration.generation),
            scales: None,
            gpr_index: None,
            arrivals: Vec::new(),
            scalar_memory: Flights::default(),
            local_memory: Flights::default(),
            vector_memory: Flights::default(),
            vector_stores: Flights::default(),
            state: State::Running,
            signalled: None,
            line: u64::MAX,
            turns: vec![0; configuration.turns.len()],
            iterations: 0,
            readings: 0,
            last_reading: 0,
        }
    }

    fn scalars(
        &self,
        (group, in_group): (u64, u32),
        slot: u32,
        (exec, lanes): (u64, u32),
        generation: Generation,
    ) -> ScalarRegisters {
        let registers = self.registers;
        let scratch_offset = self.scratch.wave_bytes * slot;
        let is_architected = generation.descriptor.architected_flat_scratch;
        let mut scalars = ScalarRegisters::default();
        for (register, value) in (0..).zip(&self.user_data) {
            scalars.write(register, *value);
        }
        let mut next = registers.user_sgprs() as u8;
        let waves = self.shape.size_of(group).iter().product::<u32>().div_ceil(lanes);
        let id = self.shape.id_of(group);
        let has_architected_ids = generation.descriptor.architected_workgroup_ids;
        let ids = registers.workgroup_ids().map(|is_wanted| is_wanted && !has_architected_ids).into_iter().zip(id);
        let further = [
            (registers.wants_workgroup_information(), u32::from(in_group == 0) << 31 | waves & 0x3f),
            (registers.wants_scratch_wave_offset() && !is_architected, scratch_offset),
        ];
        for (is_wanted, value) in ids.chain(further) {
            if is_wanted {
                scalars.write(next, Some(value));
                next += 1;
            }
        }
        if is_architected {
            let flat_scratch = generation.operand_codes.flat_scratch().unwrap_or(FLAT_SCRATCH);
            let address = self.scratch.address + u64::from(scratch_offset);
            scalars.write64(flat_scratch, Some(address).filter(|_| registers.wants_scratch_wave_offset()));
        }
        if has_architected_ids {
            let [x, y, z] = id;
            let ttmp = generation.operand_codes.ttmp.first;
            scalars.write(ttmp + 9, Some(x));
            scalars.write(ttmp + 7, Some(y & 0xffff | z << 16));
            // Bits 29 to 25 are the wave's number in its group; what else is there has no source.
            let in_group = Bits { value: u64::from(in_group & 0x1f) << 25, known: 0x1f << 25 };
            scalars.write_bits(ttmp + 8, in_group);
        }
        scalars.write64(EXEC, Some(exec));
        scalars
    }

    fn vectors(&self, [x, y, _]: [u32; 3], first: u32, exec: u64, generation: Generation) -> VectorRegisters {
        let facts = &generation.descriptor;
        let VectorFile { vgprs, agprs } = self.file;
        let mut vectors = VectorRegisters::new(vgprs, agprs);
        let item = |lane: usize| first + lane as u32;
        let ids: [[u32; LANES]; 3] = [
            std::array::from_fn(|lane| item(lane) % x),
            std::array::from_fn(|lane| item(lane) / x % y),
            std::array::from_fn(|lane| item(lane) / (x * y)),
        ];
        let wanted = self.registers.workitem_ids().min(3) as usize;
        if facts.packs_workitem_ids {
            let packed = |lane: usize| ids[..wanted].iter().rev().fold(0, |packed, ids| packed << 10 | ids[lane]);
            vectors.write(0, u64::MAX, &std::array::from_fn(packed), exec);
            return vectors;
        }
        for (register, ids) in (0..).zip(&ids[..wanted]) {
            vectors.write(register, u64::MAX, ids, exec);
        }
        vectors
    }
}
