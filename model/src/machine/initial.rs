//! The registers that a wave starts with.
//!
//! Source: LLVM `AMDGPUUsage.rst`, "Initial Kernel Execution State" (SGPR and VGPR register set up order) and "Flat Scratch".

use super::aperture::Segments;
use super::configuration::Configuration;
use super::dispatcher::Needs;
use super::flight::Flights;
use super::mode::Mode;
use super::registers::{EXEC, LANES, ScalarRegisters, VectorRegisters};
use super::wave::{State, Trace, Wave};
use crate::code_object::KernelDescriptor;
use crate::isa::Generation;

/// A grid of work-items, and the work-groups that it is cut into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// Work-items in X, Y and Z.
    pub grid: [u32; 3],
    /// Work-items of a group; those at the far edges of the grid may have fewer.
    pub group: [u32; 3],
}

impl Shape {
    fn groups_by_dimension(self) -> [u64; 3] {
        [0, 1, 2].map(|i| u64::from(self.grid[i].div_ceil(self.group[i])))
    }

    /// Work-groups.
    pub(super) fn groups(self) -> u64 {
        self.groups_by_dimension().iter().product()
    }

    /// The id of a group by its number: X runs fastest.
    fn id_of(self, number: u64) -> [u32; 3] {
        let [x, y, _] = self.groups_by_dimension();
        [number % x, number / x % y, number / (x * y)].map(|id| id as u32)
    }

    /// Work-items of a group in each dimension.
    pub(super) fn size_of(self, number: u64) -> [u32; 3] {
        let id = self.id_of(number);
        [0, 1, 2].map(|i| (self.grid[i] - id[i] * self.group[i]).min(self.group[i]))
    }

    /// Waves of a whole group.
    fn waves(self) -> u32 {
        self.group.iter().product::<u32>().div_ceil(LANES as u32)
    }
}

/// The scratch memory of a dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScratchArea {
    /// Its address.
    pub address: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Bytes of a work-item.
    pub item_bytes: u32,
    /// Bytes of a wave.
    pub wave_bytes: u32,
}

/// What the waves of a dispatch start with.
#[derive(Debug)]
pub(super) struct Initial {
    /// Grid and groups.
    pub shape: Shape,
    /// Registers and LDS.
    pub needs: Needs,
    /// The kernel's descriptor.
    pub descriptor: KernelDescriptor,
    /// Addresses and numbers that user SGPRs can hold.
    pub pointers: Pointers,
    /// Scratch memory.
    pub scratch: ScratchArea,
    /// Where FLAT addresses mean LDS and scratch.
    pub segments: Segments,
}

/// What user SGPRs can hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Pointers {
    /// Kernel arguments.
    pub kernarg: u64,
    /// The AQL packet.
    pub packet: u64,
    /// The queue (`amd_queue_t`).
    pub queue: u64,
    /// The number of the dispatch.
    pub dispatch_id: u64,
}

impl Initial {
    /// A wave: number `in_group` of a group, on a slot of a SIMD of a compute unit.
    pub(super) fn wave(
        &self,
        (group, in_group): (u64, u32),
        (unit, simd, slot): (u32, u32, u32),
        configuration: &Configuration,
    ) -> Wave {
        let size = self.shape.size_of(group);
        let items = size.iter().product::<u32>() - in_group * LANES as u32;
        let exec = if items >= LANES as u32 { u64::MAX } else { (1 << items) - 1 };
        let in_wave_slots = (unit * 4 + simd) * configuration.waves_per_simd + slot;
        Wave {
            number: (group as u32).wrapping_mul(self.shape.waves()).wrapping_add(in_group),
            group: 0,
            simd,
            slot,
            next: 0,
            away: 0,
            ready: 0,
            scalar_ready: 0,
            trace: Trace::default(),
            scalars: self.scalars(group, in_group, in_wave_slots, exec, configuration.generation),
            vectors: self.vectors(size, in_group, exec),
            scc: None,
            mode: Mode::of(&self.descriptor, configuration.generation),
            gpr_index: None,
            arrivals: Vec::new(),
            scalar_memory: Flights::default(),
            vector_memory: Flights::default(),
            state: State::Running,
            line: u64::MAX,
            turns: vec![0; configuration.turns.len()],
            readings: 0,
        }
    }

    fn scalars(&self, group: u64, in_group: u32, slot: u32, exec: u64, generation: Generation) -> ScalarRegisters {
        let descriptor = &self.descriptor;
        let scratch_offset = self.scratch.wave_bytes * slot;
        let mut scalars = ScalarRegisters::default();
        let mut next = 0;
        let mut push = |values: &[u32]| {
            for value in values {
                scalars.write(next, Some(*value));
                next += 1;
            }
        };
        let pair = |value: u64| [value as u32, (value >> 32) as u32];
        if descriptor.wants_private_segment_buffer() {
            push(&self.scratch.descriptor(generation));
        }
        let pointers = &self.pointers;
        for (is_wanted, value) in [
            (descriptor.wants_dispatch_pointer(), pointers.packet),
            (descriptor.wants_queue_pointer(), pointers.queue),
            (descriptor.wants_kernarg_pointer(), pointers.kernarg),
            (descriptor.wants_dispatch_id(), pointers.dispatch_id),
            (descriptor.wants_flat_scratch_init(), self.scratch.flat_scratch_init(generation)),
        ] {
            if is_wanted {
                push(&pair(value));
            }
        }
        if descriptor.wants_private_segment_size() {
            push(&[self.scratch.item_bytes]);
        }
        let mut next = descriptor.user_sgprs() as u8;
        let waves = self.shape.size_of(group).iter().product::<u32>().div_ceil(LANES as u32);
        let id = self.shape.id_of(group);
        let ids = descriptor.workgroup_ids().into_iter().zip(id);
        let further = [
            (descriptor.wants_workgroup_information(), u32::from(in_group == 0) << 31 | waves & 0x3f),
            (descriptor.wants_scratch_wave_offset(), scratch_offset),
        ];
        for (is_wanted, value) in ids.chain(further) {
            if is_wanted {
                scalars.write(next, Some(value));
                next += 1;
            }
        }
        scalars.write64(EXEC, Some(exec));
        scalars
    }

    fn vectors(&self, [x, y, _]: [u32; 3], in_group: u32, exec: u64) -> VectorRegisters {
        let mut vectors = VectorRegisters::new(self.needs.vgprs);
        let item = |lane: usize| in_group * LANES as u32 + lane as u32;
        let ids: [[u32; LANES]; 3] = [
            std::array::from_fn(|lane| item(lane) % x),
            std::array::from_fn(|lane| item(lane) / x % y),
            std::array::from_fn(|lane| item(lane) / (x * y)),
        ];
        for (register, ids) in (0..self.descriptor.workitem_ids().min(3) as u8).zip(&ids) {
            vectors.write(register, u64::MAX, ids, exec);
        }
        vectors
    }
}

impl ScratchArea {
    /// The buffer descriptor of it: swizzled in elements of 4 bytes and indices of 64 lanes, which the lane's number is added to.
    ///
    /// Source: LLVM `AMDGPUUsage.rst`, "Private Segment Buffer"; ROCr fills the same fields.
    fn descriptor(&self, generation: Generation) -> [u32; 4] {
        const SWIZZLE: u32 = 1 << 31;
        const SELECT_XYZW: u32 = 0xfac;
        const FLOAT: u32 = 7 << 12;
        const DATA_32: u32 = 4 << 15;
        const ELEMENT_4_BYTES: u32 = 1 << 19;
        const INDEX_64: u32 = 3 << 21;
        const ADD_THREAD_ID: u32 = 1 << 23;
        // From GCN 1.2 on, the bits of the data format are further bits of the stride where the lane's number is added.
        let format = if generation >= Generation::Gcn12 { 0 } else { DATA_32 };
        let element = if generation == Generation::Gcn14 { 0 } else { ELEMENT_4_BYTES };
        [
            self.address as u32,
            (self.address >> 32) as u32 & 0xffff | SWIZZLE,
            self.bytes.min(u64::from(u32::MAX)) as u32,
            SELECT_XYZW | FLOAT | format | element | INDEX_64 | ADD_THREAD_ID,
        ]
    }

    /// What the prologue makes FLAT_SCRATCH of: in GCN 1.4 the address; before, the offset of the scratch memory from
    /// the hidden base, which is 0 here, and the bytes of a work-item.
    fn flat_scratch_init(&self, generation: Generation) -> u64 {
        match generation {
            Generation::Gcn14 => self.address,
            _ => u64::from(self.item_bytes) << 32,
        }
    }
}
