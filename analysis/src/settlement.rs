//! The settled experiments of a run: the question of a running run, without deriving anything else.

use std::collections::{HashMap, HashSet};

use gcn_model::isa::{self, Generation};
use gcn_model::record::ExperimentKind;
use rayon::prelude::*;

use crate::many_waves::{Hold, HwIdLayout, ThroughputRow, throughput_of};
use crate::occupancy::Occupancy;
use crate::one_wave::{Form, OneWave, capacity};
use crate::run::StoredRun;
use crate::settle::{Status, units_of};

/// Ids of the experiments whose readings did not settle, or are contradicted by others of their sweep, or whose intervals are wider than published figures are resolved (a quarter
/// of a cycle, 2 % of a throughput) though more readings can make them narrower: they are to be measured again.
///
/// New readings (of new launches) join the old ones; a disturbance that was a passing one is then outvoted.
pub fn unsettled(run: &StoredRun) -> Open {
    let layout = HwIdLayout::of_device(&run.record.device);
    let waves = OneWave::new(run);
    let rows = throughputs(&waves, layout);
    let waves = waves.with_holds(holds(&rows, run.generation));
    let short = rows.iter().filter(|row| is_short(&waves, row)).map(|row| row.experiment.clone()).collect();
    let mut experiments = unsettled_of(&waves, &rows);
    experiments.extend(Occupancy::unsettled(run, layout));
    Open { experiments, short }
}

/// What a run is to measure again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Open {
    /// Ids of the experiments.
    pub experiments: Vec<String>,
    /// Ids of those whose code is to be longer.
    pub short: HashSet<String>,
}

/// Least share of the samples that are late in a noisy run. The published readings of cards have 5 in a thousand.
const NOISY: f64 = 0.001;

/// Whether longer code tells the throughput better, and was not run often enough. Where readings come late, they do so at one place in each launch,
/// which scatters nothing: of longer code they are a smaller part.
fn is_short(waves: &OneWave<'_>, row: &ThroughputRow) -> bool {
    waves.late.any >= NOISY && is_plain(row) && row.was_placed && row.lengthened < ENOUGH
}

/// Launches of each length of longer code that tell an interval.
const ENOUGH: u32 = 2;

/// The same, from derived values.
pub(crate) fn unsettled_of(waves: &OneWave<'_>, throughputs: &[ThroughputRow]) -> Vec<String> {
    let is_open = |row: &&ThroughputRow| {
        let is_unstable = row.status == Status::Unstable && !row.does_not_fit;
        is_unstable || row.is_rough() || row.is_vague()
    };
    let decided = decided(waves, throughputs);
    let is_asked = |row: &&ThroughputRow| !is_plain(row) || !decided.contains(row.instruction.as_str());
    let is_wanted = |row: &&ThroughputRow| is_short(waves, row) || is_open(row) && is_asked(row);
    let open = throughputs.iter().filter(is_wanted).map(|row| row.experiment.as_str());
    waves.unsettled().chain(open).map(str::to_owned).collect()
}

/// Whether a row supports the throughput of an instruction in `timings.csv`.
fn is_plain(row: &ThroughputRow) -> bool {
    row.case.is_empty() && !row.is_rule
}

/// The rows that support each instruction's throughput in `timings.csv`.
pub(crate) fn plain_by_instruction(throughputs: &[ThroughputRow]) -> HashMap<&str, Vec<&ThroughputRow>> {
    let mut rows: HashMap<&str, Vec<&ThroughputRow>> = HashMap::new();
    throughputs.iter().filter(|row| is_plain(row)).for_each(|row| rows.entry(&row.instruction).or_default().push(row));
    rows
}

/// How long instructions keep their units, by name.
pub(crate) fn holds(throughputs: &[ThroughputRow], generation: Generation) -> HashMap<String, Hold> {
    let units = |name: &str| isa::find(name, generation).and_then(|found| units_of(found, generation)).unwrap_or(1);
    let of = |(name, rows): (&str, Vec<&ThroughputRow>)| Some((name.to_owned(), Hold::of(&rows, units(name))?));
    plain_by_instruction(throughputs).into_iter().filter_map(of).collect()
}

/// Instructions whose numbers of waves say together what their throughput is, closely enough: what single ones of them still hide does not matter.
fn decided<'a>(waves: &OneWave<'a>, throughputs: &[ThroughputRow]) -> HashSet<&'a str> {
    let rows = plain_by_instruction(throughputs);
    let is_decided = |form: &Form<'_>| {
        let rows = rows.get(form.instruction).map_or(&[][..], Vec::as_slice);
        capacity(waves, form, rows).is_some_and(|found| !found.is_open())
    };
    Form::all(waves.run)
        .into_iter()
        .filter(|form| form.is_plain() && is_decided(form))
        .map(|form| form.instruction)
        .collect()
}

/// The throughputs of a run, cases of rules among them, in the order of its experiments.
pub(crate) fn throughputs(waves: &OneWave<'_>, layout: Option<HwIdLayout>) -> Vec<ThroughputRow> {
    let (run, late) = (waves.run, waves.late);
    let mut rows: Vec<ThroughputRow> = run
        .experiments
        .par_iter()
        .enumerate()
        .filter(|(_, record)| record.kind == ExperimentKind::Throughput)
        .map(|(position, record)| throughput_of(record, run.readings_of(position), layout, late))
        .collect();
    find_room(&mut rows);
    rows
}

/// Applies to all rows the statement of some: a device that cannot hold this many waves cannot for any instruction, if all of their groups were
/// somewhere else. In noise, few groups alone show it.
fn find_room(rows: &mut [ThroughputRow]) {
    let mut room: HashMap<u32, (bool, bool)> = HashMap::new();
    for row in rows.iter() {
        let (was_placed, has_none) = room.entry(row.waves_per_simd).or_default();
        *was_placed |= row.was_placed;
        *has_none |= row.does_not_fit;
    }
    for row in rows.iter_mut().filter(|row| row.status == Status::Unstable) {
        row.does_not_fit |= room.get(&row.waves_per_simd) == Some(&(false, true));
    }
}
