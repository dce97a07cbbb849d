//! Memory instructions: an access of one of four kinds, and how it gets under way.

use crate::cost::configuration::Configuration;
use crate::error::Problem;
use crate::lds::access::LdsAccess;
use crate::lds::service::LdsService;
use crate::lower::registers::Written;
use crate::memory::buffer::BufferAccess;
use crate::memory::element::{Element, Half, Transfer};
use crate::memory::flat::FlatAccess;
use crate::memory::memories::Memories;
use crate::memory::scalar_memory::ScalarAccess;
use crate::state::flight::Filled;
use crate::state::loaded::Loaded;
use crate::state::vector_number::VectorNumber;
use crate::state::wave::Wave;
use gcn_model::decode::Decoded;
use gcn_model::isa::Encoding;

/// The access that an instruction makes, as decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// MUBUF and MTBUF.
    Buffer(BufferAccess),
    /// FLAT, GLOBAL and SCRATCH.
    Flat(FlatAccess),
    Local(LdsAccess),
    /// SMRD and SMEM.
    Scalar(ScalarAccess),
}

impl Access {
    /// The access of an instruction; `None` without one.
    ///
    /// # Errors
    /// Why the simulator does not execute it.
    pub(crate) fn of(decoded: &Decoded, lds_service: LdsService) -> Result<Option<Self>, &'static str> {
        Ok(Some(match decoded.form {
            Encoding::Mubuf | Encoding::Mtbuf => Self::Buffer(BufferAccess::of(decoded)?),
            Encoding::Flat => Self::Flat(FlatAccess::of(decoded)?),
            Encoding::Ds => Self::Local(LdsAccess::of(decoded, lds_service)?),
            Encoding::Smrd | Encoding::Smem => Self::Scalar(ScalarAccess::of(decoded)?),
            _ => return Ok(None),
        }))
    }

    /// Bytes that a wave of this many lanes moves to or from memory, all of them active; `None` where only a descriptor tells.
    pub(crate) fn memory_bytes(&self, lanes: u32) -> Option<u32> {
        match self {
            Self::Buffer(access) => Some(lanes * access.lane_bytes()?),
            Self::Flat(access) => Some(lanes * access.lane_bytes()),
            Self::Scalar(access) => Some(access.bytes()),
            Self::Local(_) => Some(0),
        }
    }

    /// The vector registers whose dwords it moves to or from memory as they are. `None` if it does anything else, or may reach the LDS.
    pub(crate) fn moved_dwords(&self, written: &Written) -> Option<(VectorNumber, u8)> {
        let transfer = match self {
            Self::Buffer(access) => access.transfer(),
            Self::Flat(access) => access.transfer(),
            Self::Local(_) | Self::Scalar(_) => None,
        };
        match transfer? {
            (Transfer::Store(Element::Dwords(dwords), Half::Whole), data) => Some((data, dwords)),
            (Transfer::Load(Element::Dwords(_), Half::Whole), _) => Some((written.first_vector, written.vectors)),
            _ => None,
        }
    }

    /// Drops its results for vector registers: it reaches the same addresses, in the same time.
    pub(crate) fn drop_result(&mut self) {
        match self {
            Self::Buffer(access) => access.drop_result(),
            Self::Flat(access) => access.drop_result(),
            Self::Local(access) => access.drop_result(),
            Self::Scalar(_) => {}
        }
    }

    /// Whether it could reveal the content of the LDS: FLAT addresses may lead there.
    pub(crate) fn observes_lds(&self) -> bool {
        match self {
            Self::Local(access) => access.observes(),
            Self::Flat(_) => true,
            Self::Buffer(access) => access.reaches_lds(),
            Self::Scalar(_) => false,
        }
    }

    /// Nothing observes its stores in the LDS.
    pub(crate) fn drop_lds_store(&mut self) {
        if let Self::Local(access) = self {
            access.drop_store();
        }
    }

    /// Executes the access of the instruction at `instruction`, issued at `cycle`, and gives the cycles that bank conflicts add.
    /// Its destinations are unknown until the wave has waited for them.
    ///
    /// # Errors
    /// An address that is unknown, wrong or not allocated.
    pub(crate) fn execute(
        &self,
        wave: &mut Wave,
        memories: Memories<'_>,
        cycle: u64,
        (instruction, lds_latency_cycles): (u32, u32),
        configuration: &Configuration,
    ) -> Result<u32, Problem> {
        let arrives = cycle + u64::from(configuration.vector_memory_latency_cycles);
        match self {
            Self::Buffer(access) => {
                let loaded = access.execute(wave, memories, instruction)?;
                let filled = expect(wave, (access.filled(), access.filled_half()), &loaded);
                under_way(wave, access.is_store() && configuration.counts_stores_apart, arrives, filled);
                Ok(0)
            }
            Self::Flat(access) => {
                let loaded = access.execute(wave, memories, instruction)?;
                let filled = expect(wave, (access.filled(), access.filled_half()), &loaded);
                under_way(wave, access.is_store() && configuration.counts_stores_apart, arrives, filled);
                if access.is_flat() {
                    wave.local_counter(configuration).out_of_order(arrives);
                }
                Ok(0)
            }
            Self::Scalar(access) => {
                access.execute(wave, memories.global, instruction)?;
                wave.scalar_memory.out_of_order(cycle + u64::from(configuration.scalar_memory_latency_cycles));
                Ok(0)
            }
            Self::Local(access) => {
                let done = access.execute(wave, memories.local, instruction)?;
                let filled = expect(wave, (access.filled(), access.filled_half()), &done.loaded);
                let latency = u64::from(lds_latency_cycles) + u64::from(done.cycles);
                wave.local_counter(configuration).in_order(cycle + latency, filled);
                Ok(done.cycles)
            }
        }
    }
}

/// An access to vector memory is counted: as a store, where these have a counter of their own.
fn under_way(wave: &mut Wave, is_store: bool, arrives: u64, filled: Filled) {
    let counter = if is_store { &mut wave.vector_stores } else { &mut wave.vector_memory };
    counter.in_order(arrives, filled);
}

fn expect(wave: &mut Wave, ((first, count), half): ((VectorNumber, u8), Option<Half>), loaded: &Loaded) -> Filled {
    if count == 0 {
        return Filled::NONE;
    }
    let exec = wave.exec().unwrap_or(u64::MAX);
    match half {
        Some(half) => wave.vectors.expect_half(first, half == Half::High, exec, loaded.lanes[0]),
        None => wave.vectors.expect((first, count), exec, loaded),
    }
}
