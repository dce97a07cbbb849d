//! Experiments on how soon one unit can use what another brings, where a wave goes on while a result is under way: each producer with each
//! consumer, S_DELAY_ALU between two of them, and vector instructions that overlap transcendental ones.
//!
//! A block is a producer, a consumer that reads its result, what waits for the consumer's own result, and S_NOPs until all of that is over.
//! The producer and consumer take as many cycles more than the consumer alone at the same place, with fillers before it and the same code after it. The same block with an independent
//! producer shows the smallest distance of the two: where it takes as long, the result is ready by then.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gcn_model::isa::DependencyTracking;
use gcn_model::record::{DELAYS, ExperimentKind, ExperimentStatus, TRANSCENDENTAL_OVERLAP, UNITS, UnitCase, UnitDelay};
use serde::Deserialize;

use crate::device::DeviceInformation;
use crate::experiment::measurement::Measurement;
use crate::experiment::plan::{PAIR_LENGTHS, Plan};
use crate::experiment::subject::Subject;
use crate::kernel::{
    Block, INTERNAL_FILLER, LINE_DWORDS, Order, Part, RegisterFile, Snippet, Unit, line_of, repair_between,
};

/// Dwords of a block: four lines of 64 bytes, two of 128.
const BLOCK_DWORDS: u32 = 4 * LINE_DWORDS;
/// Transcendental instructions, and the instructions that are tried for overlap.
const TRANSCENDENTAL: [&str; 2] = ["V_EXP_F32", "V_RCP_F32"];
const BESIDE: [&str; 2] = ["V_MOV_B32", "V_ADD_F32"];
/// How many of them at most.
const MOST_BESIDE: u32 = 8;
/// Why a value that is not a number cannot be an address.
const NO_ADDRESS: &str = "no manual gives the bits of its result, so that it cannot be an address";

/// Whether S_DELAY_ALU has the compiler's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Meaning {
    Right,
    Wrong,
}

/// A row of `delays.csv`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Delay {
    producer: String,
    consumer: String,
    meaning: Meaning,
    delay: String,
    /// Where they mean that.
    source: String,
}

static DELAY_ROWS: LazyLock<Vec<Delay>> = LazyLock::new(|| {
    let rows = csv::Reader::from_reader(include_str!("../../../data/delays.csv").as_bytes()).into_deserialize();
    rows.map(|row| row.unwrap_or_else(|error| panic!("built-in file: delays.csv: {error}"))).collect()
});

/// The block before its fillers, and its case.
#[derive(Clone)]
struct Window {
    snippets: Vec<Snippet>,
    /// Which of them is the consumer.
    consumer: usize,
    /// Dwords of fillers before them: an instruction of two dwords may cost more at another place.
    lead: u32,
    case: UnitCase,
    /// Why these instructions, for the comment.
    reason: String,
}

impl Window {
    /// A consumer of a file's registers after a producer, if there is one, with the code that the hardware needs between them and the wait for
    /// the consumer's result.
    fn new(device: &DeviceInformation, producer: Option<&Unit>, consumer: &Unit, file: RegisterFile) -> Option<Self> {
        let processor = device.processor()?;
        let mut all = Vec::new();
        if let Some(producer) = producer {
            all.push(producer.producer(true)?);
        }
        let place = all.len();
        all.push(consumer.consumer(file)?);
        all.extend(consumer.end(device.generation));
        let name = match producer {
            Some(_) => consumer.name().to_owned(),
            None => format!("{} of {}", consumer.name(), file.name()),
        };
        let mut case = UnitCase {
            producer: producer.map(|unit| unit.name().to_owned()),
            consumer: name,
            is_dependent: producer.is_some(),
            ..UnitCase::default()
        };
        let first = all.first().filter(|_| producer.is_some());
        case.behind.extend(first.and_then(|first| first.wait.as_ref()).map(|wait| wait.name.clone()));
        let reason = consumer.reason();
        let mut window = Self { snippets: Vec::new(), consumer: place, lead: 0, case, reason };
        for (position, next) in all.iter().enumerate() {
            if let Some(repair) = repair_between(&all, &window.snippets, next, processor) {
                if position == place {
                    window.case.behind.push(repair.instruction.name.clone());
                }
                window.snippets.push(repair);
            }
            if position == place {
                window.consumer = window.snippets.len();
            }
            window.snippets.push(next.clone());
        }
        Some(window)
    }

    /// Likewise where no instruction reads the producer's result, at the same places.
    fn independent(&self, producer: &Unit) -> Option<Self> {
        let mut window = self.clone();
        window.case = UnitCase { is_dependent: false, behind: Vec::new(), ..window.case };
        *window.snippets.first_mut()? = producer.producer(false)?;
        Some(window)
    }

    /// With S_DELAY_ALU before the consumer.
    fn delayed(&self, line: Snippet, row: &Delay) -> Self {
        let mut window = self.clone();
        let is_right = row.meaning == Meaning::Right;
        window.case.delay = Some(UnitDelay { is_right, operands: row.delay.clone() });
        window.reason.clone_from(&row.source);
        window.snippets.insert(window.consumer, line);
        window
    }

    /// Where the consumer stands, dwords from the start of the block.
    fn place(&self) -> u32 {
        self.lead + self.snippets[..self.consumer].iter().map(dwords).sum::<u32>()
    }

    /// With the consumer at a dword of the block.
    fn at(&self, place: u32) -> Self {
        let mut window = self.clone();
        window.lead += place - self.place();
        if window.lead > 0 {
            window.case.consumer += &format!(" at dword {place}");
        }
        window
    }

    /// Dwords in front of the last fillers.
    fn dwords(&self) -> u32 {
        self.lead + self.snippets.iter().map(dwords).sum::<u32>()
    }
}

fn dwords(snippet: &Snippet) -> u32 {
    u32::from(snippet.dwords) + u32::from(snippet.wait.is_some())
}

impl Plan {
    /// All producers and consumers, S_DELAY_ALU, and the overlap with transcendental instructions.
    pub(super) fn units(&mut self, measured: Measurement<'_>) {
        let device = measured.device;
        let Some(processor) =
            device.processor().filter(|it| it.generation.waves.dependency_tracking == DependencyTracking::Scoreboard)
        else {
            return;
        };
        let units = Unit::all(processor, |name| device.instruction(name));
        let is_asked = |unit: &Unit| measured.options.wants(&unit.instruction.name);
        for consumer in &units {
            for file in [RegisterFile::Vector, RegisterFile::Scalar] {
                let of_file = |unit: &&Unit| unit.is_producer() && unit.writes() == file && consumer.reads(file);
                let is_asked = |producer: &&Unit| is_asked(producer) || is_asked(consumer);
                let producers: Vec<&Unit> = units.iter().filter(of_file).filter(is_asked).collect();
                if producers.is_empty() {
                    continue;
                }
                let Some(alone) = Window::new(device, None, consumer, file) else { continue };
                // Where the consumer stands after a producer, by its dword.
                let mut bases = BTreeMap::new();
                for producer in producers {
                    let Some(dependent) = Window::new(device, Some(producer), consumer, file) else {
                        continue;
                    };
                    let place = dependent.place();
                    let base = bases.entry(place).or_insert_with(|| self.window(measured, &alone.at(place), UNITS, ""));
                    self.cell(measured, (producer, consumer), dependent, base);
                }
            }
        }
        for name in TRANSCENDENTAL {
            self.transcendental_overlap(measured, name);
        }
    }

    /// A producer and a consumer, dependent and not, and with S_DELAY_ALU between them.
    fn cell(&mut self, measured: Measurement<'_>, (producer, consumer): (&Unit, &Unit), dependent: Window, base: &str) {
        let Some(independent) = dependent.independent(producer) else { return };
        let windows = [dependent, independent].map(|window| {
            let id = self.window(measured, &window, UNITS, base);
            if window.case.is_dependent && consumer.reads_address() && !producer.is_known() {
                self.leave_out_last(NO_ADDRESS);
            }
            (window, id)
        });
        let Some(instruction) = measured.device.instruction("S_DELAY_ALU") else { return };
        let is_of_pair = |row: &&Delay| row.producer == producer.name() && row.consumer == consumer.name();
        for row in DELAY_ROWS.iter().filter(is_of_pair) {
            for (window, id) in &windows {
                let Some(line) = line_of(instruction, &row.delay) else { continue };
                self.window(measured, &window.delayed(line, row), DELAYS, id);
            }
        }
    }

    /// The experiment that was planned last is not tried.
    fn leave_out_last(&mut self, why: &str) {
        if let Some(experiment) = self.experiments.last_mut() {
            experiment.record.end(ExperimentStatus::Unsupported, why);
            experiment.launches.clear();
        }
    }

    /// An experiment with a block of a case: its id.
    fn window(&mut self, measured: Measurement<'_>, window: &Window, rule: &str, baseline: &str) -> String {
        let case = window.case.to_string();
        let mut snippets = window.snippets.iter().cloned();
        let Some(first) = snippets.next() else { return String::new() };
        let mut parts: Vec<Part> = (window.lead > 0).then_some(Part::Fillers(window.lead)).into_iter().collect();
        parts.push(Part::Snippet);
        parts.extend((1..window.snippets.len()).map(|other| Part::Other(other - 1)));
        parts.push(Part::Fillers(BLOCK_DWORDS.saturating_sub(window.dwords())));
        let subject = Subject { filler: INTERNAL_FILLER, ..Subject::new(measured, first) };
        let subject = snippets.fold(subject, Subject::joined_by);
        let name = format!("{rule}/{}", case.replace(' ', "-"));
        let purpose = format!(
            "latency from unit to unit, one wave, compared with the same without a dependency: {}",
            window.reason
        );
        let block = (Block { parts }, Order::Straight);
        self.one_wave_of(&subject, ExperimentKind::Block, &name, &purpose, block, &PAIR_LENGTHS);
        let Some(experiment) = self.experiments.last_mut() else { return String::new() };
        let record = &mut experiment.record;
        (record.rule, record.case, record.baseline) = (rule.to_owned(), case, baseline.to_owned());
        record.experiment.clone()
    }

    /// Blocks of a transcendental instruction and ever more others that do not depend on it.
    fn transcendental_overlap(&mut self, measured: Measurement<'_>, name: &str) {
        let snippet = |name: &str| measured.copies(measured.device.instruction(name)?);
        let Some(transcendental) = snippet(name) else { return };
        for other in BESIDE.into_iter().filter_map(snippet) {
            let neighbour = &other.instruction.name;
            if !measured.options.wants(neighbour) && !measured.options.wants(&transcendental.instruction.name) {
                continue;
            }
            let subject = Subject::new(measured, transcendental.clone()).joined_by(other.clone());
            for amount in 0..=MOST_BESIDE {
                let mut parts = vec![Part::Snippet];
                parts.extend((0..amount).map(|_| Part::Other(0)));
                let name = format!("{TRANSCENDENTAL_OVERLAP}/{amount}-{neighbour}");
                let purpose = "a transcendental instruction and others that overlap it, one wave";
                let before = self.experiments.len();
                self.one_wave(&subject, ExperimentKind::Block, &name, purpose, Block { parts });
                self.tell_rule(before, TRANSCENDENTAL_OVERLAP, neighbour, Some(amount));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use gcn_model::isa;

    use super::*;

    #[test]
    fn every_delay_is_between_two_units_and_has_a_source() {
        let units = include_str!("../../../data/units.csv");
        let is_unit = |name: &str| units.lines().any(|line| line.split(',').next() == Some(name));
        assert!(isa::exists("S_DELAY_ALU") && !DELAY_ROWS.is_empty());
        for row in DELAY_ROWS.iter() {
            assert!(is_unit(&row.producer) && is_unit(&row.consumer) && !row.source.is_empty(), "{row:?}");
        }
    }
}
