//! How long a number of iterations takes, from the start of the first wave to the end of the last.

use gcn_model::quantity::{Bytes, Cycles};
use gcn_simulator::{Block, BlockShape, Configuration, LoweredBlock};
use serde::Serialize;

use crate::card::{Card, End};
use crate::code::Code;
use crate::error::PredictError;
use crate::prediction::Prediction;
use crate::start::{ColdLine, Start};
use crate::unsure::Unsure;

/// No run has more instructions of all waves than this, beyond [`LEAST_ITERATIONS`] iterations.
const MOST_INSTRUCTIONS: u64 = 100_000;
/// A run that further iterations are added to has at least this many; they take the cycles of its later half.
const LEAST_ITERATIONS: u64 = 32;

/// The time of a number of iterations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trip {
    /// How often each wave goes through the region.
    pub iterations: u32,
    /// From the start of the first wave to the end of the last.
    pub cycles: Cycles,
    /// The fewest cycles, with the timings that are unsure at their ends.
    pub low: Cycles,
    /// The most cycles.
    pub high: Cycles,
    /// Iterations of each wave that were simulated, first to last; all of them, or else it is an extrapolation.
    pub simulated_iterations: u32,
    /// What these take.
    pub simulated_cycles: Cycles,
    /// What each further one takes: as much as those of the later half of the simulated ones on average, or nothing if all were simulated.
    pub further_cycles: Cycles,
    /// Whether the instruction cache has the code at the start.
    pub starts_warm: bool,
    /// Lines of the instruction cache that the waves fetch.
    pub lines: u32,
    pub line_bytes: Bytes,
    /// How much longer the first iteration takes than with a warm cache; nothing if it is warm. How the waves meet later may change, too.
    pub cold_cycles: Cycles,
    /// How long a missing line takes, if it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cold_line: Option<ColdLine>,
    /// The same in words.
    #[serde(skip)]
    pub(crate) line_words: String,
}

/// The time of a number of iterations on a simulator.
#[derive(Debug, Clone, Copy)]
struct Total {
    simulated_iterations: u32,
    simulated_cycles: f64,
    further_cycles: f64,
    cycles: f64,
}

impl Total {
    fn of(configuration: &Configuration, block: Block<'_>, shape: BlockShape) -> Result<Self, PredictError> {
        let lowered = LoweredBlock::of(configuration, block)?;
        let of_one = lowered.instructions().len() as u64 * u64::from(shape.simds * shape.waves_per_simd);
        let most = (MOST_INSTRUCTIONS / of_one.max(1)).max(LEAST_ITERATIONS);
        let simulated_iterations = u32::try_from(most).unwrap_or(u32::MAX).min(shape.iterations);
        let run = |iterations| lowered.cycles(BlockShape { iterations, ..shape }).map(|cycles| cycles as f64);
        let simulated_cycles = run(simulated_iterations)?;
        let left = shape.iterations - simulated_iterations;
        let half = simulated_iterations / 2;
        let further_cycles = match left {
            0 => 0.0,
            _ => (simulated_cycles - run(half)?) / f64::from(simulated_iterations - half),
        };
        let cycles = simulated_cycles + f64::from(left) * further_cycles;
        Ok(Self { simulated_iterations, simulated_cycles, further_cycles, cycles })
    }
}

impl Trip {
    /// Of the waves and the region of a prediction, which all start at once.
    ///
    /// # Errors
    /// Those of [`crate::predict`].
    pub fn of(
        card: &Card,
        code: &Code,
        prediction: &Prediction,
        iterations: u32,
        start: &Start,
    ) -> Result<Self, PredictError> {
        let region = &prediction.region;
        let part = code.part(region)?;
        let decoded = part.instructions(card.gpu.processor())?;
        let block = Block { name: &region.name, address: region.start, words: &part.words };
        let question = &prediction.question;
        let shape = question.shape(iterations);
        let gpus = Unsure::of(card, decoded.iter().map(|(_, decoded)| decoded.instruction)).gpus();
        let likeliest = start.gpu(&gpus[0]);
        let configuration = start.machine(&likeliest, question);
        let total = Total::of(&configuration, block, shape)?;
        let first = |start: &Start| {
            Total::of(&start.machine(&likeliest, question), block, question.shape(1)).map(|first| first.cycles)
        };
        let (mut low, mut high) = (total.cycles, total.cycles);
        let ends: &[End] = if start.has_range() { &[End::Low, End::Middle, End::High] } else { &[End::Middle] };
        for gpu in gpus.iter().flat_map(|gpu| ends.iter().map(|end| start.at(gpu, *end))) {
            let cycles = Total::of(&start.machine(&gpu, question), block, shape)?.cycles;
            (low, high) = (low.min(cycles), high.max(cycles));
        }
        let line_bytes = likeliest.instruction_cache.line;
        let lowered = LoweredBlock::of(&configuration, block)?;
        let reached = decoded.iter().zip(lowered.instructions()).filter(|(_, instruction)| instruction.is_reached);
        let line = |address: u64| address / u64::from(line_bytes.0);
        let mut lines: Vec<u64> = reached
            .flat_map(|((address, decoded), _)| {
                let last_dword = address + u64::from(decoded.dwords.0 - 1) * 4;
                line(*address)..=line(last_dword)
            })
            .collect();
        lines.dedup();
        Ok(Self {
            iterations,
            cycles: Cycles(total.cycles),
            low: Cycles(low),
            high: Cycles(high),
            simulated_iterations: total.simulated_iterations,
            simulated_cycles: Cycles(total.simulated_cycles),
            further_cycles: Cycles(total.further_cycles),
            starts_warm: *start == Start::Warm,
            lines: lines.len() as u32,
            line_bytes,
            cold_cycles: Cycles((first(start)? - first(&Start::Warm)?).max(0.0)),
            cold_line: if let Start::Cold { line } = start { line.clone() } else { None },
            line_words: start.line_words(&likeliest),
        })
    }

    /// Whether each iteration was simulated.
    pub fn is_simulated(&self) -> bool {
        self.simulated_iterations == self.iterations
    }
}

#[cfg(test)]
mod tests {
    use gcn_model::gpu::Gpu;
    use gcn_simulator::run_block;

    use super::*;
    use crate::prediction::predict;
    use crate::question::Question;

    const MUL: u32 = 0x0a02_0100;
    const RCP: u32 = 0x7e02_4500;
    const WAIT: u32 = 0xbf8c_0f7f;

    /// A loop on Fiji of these instructions.
    fn code(body: &[u32]) -> Code {
        let back = 0xbf82_0000 | (0xffff - body.len() as u32);
        Code { address: 0, words: body.iter().copied().chain([back]).collect() }
    }

    fn trip(gpu: &Gpu, code: &Code, question: Question, iterations: u32, start: &str) -> (Prediction, Trip) {
        let region = &code.regions(gpu.processor()).unwrap()[0];
        let prediction = predict(gpu, code, region, question).unwrap();
        let trip = Trip::of(&Card::from(gpu), code, &prediction, iterations, &start.parse().unwrap()).unwrap();
        (prediction, trip)
    }

    #[test]
    fn a_total_is_simulated_and_then_extrapolated() {
        let fiji = Gpu::named("fiji").unwrap();
        let configuration = Configuration::of(&fiji);
        for (waves_per_simd, simds) in [(1, 1), (1, 4), (3, 3), (10, 4)] {
            let question = Question { waves_per_simd, simds, ..Question::default() };
            let code = code(&[RCP, MUL, MUL, RCP, MUL]);
            let block = Block { name: "loop", address: 0, words: &code.words };
            for iterations in [1, 7, 100, 30_000] {
                let (_, trip) = trip(&fiji, &code, question, iterations, "cold");
                let machine = run_block(&configuration, block, question.shape(iterations)).unwrap().cycles as f64;
                assert_eq!(trip.is_simulated(), iterations < 30_000, "{trip:?}");
                match trip.is_simulated() {
                    true => assert_eq!(trip.cycles.0, machine, "{question:?}, {iterations}"),
                    false => assert!((trip.cycles.0 / machine - 1.0).abs() < 1e-3, "{trip:?}, {machine}"),
                }
                // No timing of it is unsure.
                assert_eq!((trip.low, trip.high), (trip.cycles, trip.cycles));
            }
        }
    }

    #[test]
    fn estimates_and_the_range_of_a_missing_line_lie_between_the_ends() {
        let fiji = Gpu::named("fiji").unwrap();
        let of = |start: &str| trip(&fiji, &code(&[WAIT, MUL]), Question::default(), 50, start).1;
        let (sure, range) = (of("cold=100"), of("cold=100..300"));
        // The wait may take as much again: 4 cycles each time.
        assert_eq!((sure.low, sure.high.0 - sure.cycles.0), (sure.cycles, 200.0));
        assert_eq!((range.low, range.high.0), (sure.low, sure.high.0 + 200.0));
        assert_eq!(range.cycles.0, sure.cycles.0 + 100.0);
    }

    #[test]
    fn a_loop_that_the_cache_cannot_hold_misses_warm_or_cold() {
        let mut fiji = Gpu::named("fiji").unwrap();
        fiji.instruction_cache.bytes = Bytes(1024);
        let of = |body: usize, start: &str| {
            let question = Question { simds: 1, ..Question::default() };
            trip(&fiji, &code(&vec![MUL; body]), question, 40, start)
        };
        let ((prediction, cold), (_, warm)) = (of(600, "cold"), of(600, "warm"));
        let lines = (601_f64 * 4.0 / 64.0).ceil();
        assert_eq!((f64::from(cold.lines), cold.cold_cycles.0), (lines, cold.cycles.0 - warm.cycles.0));
        assert_eq!(cold.cold_cycles.0, lines * f64::from(fiji.instruction_cache.miss_cycles));
        // Both go on as the prediction says.
        assert!(prediction.cycles_per_iteration.0 > 601.0 * 4.0 + lines * 100.0, "{prediction:?}");
        assert!(warm.cycles.0 > 39.0 * prediction.cycles_per_iteration.0, "{warm:?}");
        let (small, _) = of(60, "warm");
        assert_eq!(small.cycles_per_iteration.0, 60.0 * 4.0 + 20.0);
    }
}
