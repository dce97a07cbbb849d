//! Experiments on what waves share: the way back of loads, the places in front of a unit, and the turn to issue.

use gcn_model::isa::Instruction;
use gcn_model::record::{ALIKE, ExperimentKind, QUEUE, RAISED, RETURNS, WAVE_ORDER};

use crate::experiment::measurement::Measurement;
use crate::experiment::plan::{PAIR_LENGTHS, Plan, THROUGHPUT_LOOPS};
use crate::experiment::subject::Subject;
use crate::experiment::throughput::Throughput;
use crate::kernel::{Block, Order, Part, Snippet};

/// The widest load that each generation has: its bytes, and not its address, decide how soon the next one can return.
const LOAD: &str = "BUFFER_LOAD_DWORDX4";
/// Loads before a wait: none of GCN's counters has more than 15.
const LOADS: [u32; 2] = [8, 12];
/// Instructions whose unit takes longer than a wave issues. Not of the scalar unit, where two limits hide each other, nor of the
/// matrix unit, where the pause may wait for a place, too: six or seven places.
const QUEUED: [&str; 2] = ["DS_READ_B64", "DS_READ_B128"];
/// The same for vector memory: the first one that a generation has. An address of 64 bits takes longer than the issue.
const QUEUED_LOADS: [&str; 2] = ["GLOBAL_LOAD_DWORDX4", LOAD];
/// How many of them in a row: one, two, and three lengths at which a queue of 16 places is full.
const IN_A_ROW: [u32; 5] = [1, 2, 32, 40, 48];
/// Loads in a row where a wave counts no more than 15: a sixteenth would wait for the counter.
const FEW_IN_A_ROW: [u32; 5] = [1, 2, 9, 12, 15];
/// Pauses after them, of eight issues each: as long as 48 wide accesses to the LDS take.
const PAUSES: u32 = 48;
/// Pauses after loads: until most of them are back.
const LOAD_PAUSES: u32 = 128;
/// An instruction of which a single wave fills its unit, or nearly so.
const SHARED: &str = "V_MOV_B32";
/// Waves on a SIMD that share its vector ALU.
const WAVES: u32 = 2;
/// Lanes of a compute unit that load at once: enough for its way back, and their 4 KiB stay in any first cache.
const LOADING_LANES: u32 = 256;
/// Times that their code runs between the readings: the readings themselves take as long as a hundred of these instructions.
const ORDER_LOOPS: u32 = 16;

impl Plan {
    /// Returns of loads, queues, and the order of waves.
    pub(super) fn contention(&mut self, measured: Measurement<'_>) {
        if let Some(load) = measured.wanted(LOAD) {
            self.returns(measured, load);
        }
        for queued in QUEUED.into_iter().filter_map(|name| measured.wanted(name)) {
            self.queue(measured, queued, IN_A_ROW, PAUSES);
        }
        if let Some(load) = QUEUED_LOADS.into_iter().find_map(|name| measured.wanted(name)) {
            let counts_few = measured.device.generation.most_loads() <= 15;
            self.queue(measured, load, if counts_few { FEW_IN_A_ROW } else { IN_A_ROW }, LOAD_PAUSES);
        }
        if let Some(shared) = measured.wanted(SHARED).filter(|_| measured.device.waves_per_simd >= WAVES) {
            self.wave_order(measured, shared);
        }
    }

    /// Loads and a wait for all of them, on one wave and on several.
    fn returns(&mut self, measured: Measurement<'_>, load: &'static Instruction) {
        let generation = measured.device.generation;
        let Some((loads, wait)) = measured.plain(load).zip(Snippet::wait_for_loads(generation)) else { return };
        let subject = Subject::new(measured, loads).joined_by(wait);
        for amount in LOADS {
            let before = self.experiments.len();
            let mut parts = vec![Part::Snippet; amount as usize];
            parts.push(Part::Other(0));
            let block = (Block { parts }, Order::Straight);
            let name = format!("{RETURNS}/{amount}");
            let purpose = "loads, and a wait for all of them: more loads take longer by the time of their way back";
            self.one_wave_of(&subject, ExperimentKind::Block, &name, purpose, block.clone(), &PAIR_LENGTHS);
            let id = format!("{name}/waves");
            let waves = [LOADING_LANES / (generation.waves.simds * measured.device.lanes())];
            let kind = ExperimentKind::Throughput;
            self.throughput_of(
                &subject,
                &Throughput { name: &id, id: &id, kind, block, timed: THROUGHPUT_LOOPS, waves: &waves },
            );
            self.tell_rule(before, RETURNS, "", Some(amount));
        }
    }

    /// Instructions in a row, and a pause: where there is room, they only take their issue.
    fn queue(&mut self, measured: Measurement<'_>, queued: &'static Instruction, rows: [u32; 5], pauses: u32) {
        let Some((snippet, pause)) = measured.plain(queued).zip(Snippet::pause(measured.device.generation)) else {
            return;
        };
        let subject = Subject::new(measured, snippet).joined_by(pause);
        for amount in rows {
            let before = self.experiments.len();
            let mut parts = vec![Part::Snippet; amount as usize];
            parts.extend((0..pauses).map(|_| Part::Other(0)));
            let block = (Block { parts }, Order::Straight);
            let purpose = "instructions in a row, and a pause in which their unit executes those that wait";
            let name = format!("{QUEUE}/{amount}");
            self.one_wave_of(&subject, ExperimentKind::Block, &name, purpose, block, &PAIR_LENGTHS);
            self.tell_rule(before, QUEUE, "", Some(amount));
        }
    }

    /// Two waves on each SIMD, alike and with a higher priority for one of them: whether they share the unit, or one is served first.
    fn wave_order(&mut self, measured: Measurement<'_>, shared: &'static Instruction) {
        let Some(alike) = measured.plain(shared) else { return };
        for (case, snippet) in [(ALIKE, alike.clone()), (RAISED, alike.raised_in_odd_slots())] {
            let before = self.experiments.len();
            let id = format!("{WAVE_ORDER}/{}", case.replace(' ', "-"));
            let planned = Throughput {
                name: &id,
                id: &id,
                kind: ExperimentKind::Throughput,
                block: (Block::bare(), Order::Straight),
                timed: ORDER_LOOPS,
                waves: &[WAVES],
            };
            self.throughput_of(&Subject::new(measured, snippet), &planned);
            self.tell_rule(before, WAVE_ORDER, case, None);
        }
    }
}
