//! The parts of the FLAT address space that mean LDS and scratch memory.

use crate::state::vector_registers::LANES;
use gcn_model::isa::Generation;

/// Where FLAT addresses mean LDS (the shared segment) and scratch (the private segment): 4 GiB each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Apertures {
    /// First address that means LDS.
    pub shared: u64,
    /// First address that means scratch.
    pub private: u64,
}

impl Apertures {
    /// Those that Linux's kernel driver gives each process. Without flat instructions no address is asked about, and any will do.
    pub fn of(generation: Generation) -> Self {
        let flat = generation.flat.as_ref();
        flat.map_or(Self { shared: 1 << 61, private: (1 << 61) + (1 << 32) }, |flat| Self {
            shared: flat.shared_aperture,
            private: flat.private_aperture,
        })
    }
}

/// The segments of a dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segments {
    /// Where FLAT addresses mean them.
    pub apertures: Apertures,
    /// What FLAT_SCRATCH is an offset to before GCN 1.4 (SH_HIDDEN_PRIVATE_BASE).
    pub private_base: u64,
}

impl Segments {
    /// Whether a FLAT address means LDS.
    pub(crate) fn is_shared(self, address: u64) -> bool {
        address >> 32 == self.apertures.shared >> 32
    }

    /// Whether a FLAT address means scratch.
    pub(crate) fn is_private(self, address: u64) -> bool {
        address >> 32 == self.apertures.private >> 32
    }

    /// The lanes of `exec` whose addresses mean LDS, and those whose addresses mean scratch.
    pub(crate) fn lanes(self, addresses: &[u64; LANES], exec: u64) -> [u64; 2] {
        let mut lanes = [0; 2];
        for (lane, address) in addresses.iter().enumerate() {
            lanes[0] |= u64::from(self.is_shared(*address)) << lane;
            lanes[1] |= u64::from(self.is_private(*address)) << lane;
        }
        lanes.map(|lanes| lanes & exec)
    }
}
