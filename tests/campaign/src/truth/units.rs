//! Latencies of RDNA between units, and its pairs, by the meaning of the keys.

use gcn_model::timing::InstructionTiming;

use super::{Range, Truth};

/// Consumers whose addresses come later than other operands.
const ADDRESSED: [&str; 2] = ["lds", "global"];
/// Consumers that write scalar registers: they wait for the scalar instructions before them, whatever they read.
const WRITERS_OF_MASKS: [&str; 2] = ["compare", "first-lane"];

impl Truth {
    /// Cycles from an instruction of one unit to a dependent one of another; `None` where no key says it.
    pub fn unit(&self, producer: &str, instruction: &str, consumer: &str) -> Option<Range> {
        let pipelines = self.gpu.pipelines.as_ref()?;
        let (found, timing) = self.find(instruction)?;
        let latency = self.result(found, &timing) as u32;
        let own = self.own_cycles(found, &timing) as u32;
        let cycles = match (producer, consumer) {
            ("lds", _) => self.gpu.lds.latency_cycles,
            ("global", _) => self.gpu.vector_memory.latency_cycles,
            ("scalar-memory", _) => self.gpu.scalar_memory.latency_cycles,
            ("scalar", "scalar" | "scalar-float") => latency,
            ("scalar", consumer) if WRITERS_OF_MASKS.contains(&consumer) => return None,
            ("scalar", _) => pipelines.scalar_read_cycles + latency + pipelines.scalar_result_cycles,
            ("compare" | "first-lane", "scalar" | "scalar-float") => {
                (own + pipelines.mask_result_cycles).saturating_sub(pipelines.scalar_read_cycles)
            }
            ("compare" | "first-lane", "scalar-memory") => own + pipelines.mask_result_cycles,
            ("compare" | "first-lane", _) => latency,
            ("vector" | "vector-64" | "quarter" | "transcendental" | "double", consumer) => {
                let late = pipelines.address_latency_cycles - pipelines.vector_latency_cycles;
                latency + if ADDRESSED.contains(&consumer) { late } else { 0 }
            }
            _ => return None,
        };
        Some(Range::exactly(f64::from(cycles)))
    }

    /// Cycles of a pair (VOPD) whose sources are in different banks: those of the longer half.
    pub fn pair(&self, first: &str, second: &str) -> Option<Range> {
        let (first, second) = self.find(first).zip(self.find(second))?;
        let of = |(instruction, timing): (_, InstructionTiming)| self.hold(instruction, &timing);
        Some(Range::exactly(f64::max(of(first), of(second))))
    }
}
