//! The table of the traces next to the simulator: `docs/silicon.md`.

use std::fmt::Write as _;

use serde::Deserialize;

use crate::silicon::compared::{Compared, LeftOut};

/// A trace that is compared: the GPU file of its card, and whether values of that file were read from it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Judged {
    pub trace: String,
    pub gpu: String,
    /// Waves of a work-group on each SIMD of its processor, inferred from those that continue together after a barrier.
    pub group_waves: usize,
    pub part: String,
    /// What was read from it.
    pub reason: String,
    /// Why an iteration of its loop takes others cycles than in the simulator.
    pub cause: String,
}

/// The list of traces.
pub(crate) fn list() -> Vec<Judged> {
    let rows = csv::Reader::from_reader(include_str!("traces.csv").as_bytes()).into_deserialize();
    rows.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("traces.csv: {error}"))
}

pub(crate) const HEAD: &str = "\
| trace | part | gaps compared | equal | share | left out: fetch, memory | an iteration, silicon | simulated | with the trace's latency |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
";

/// The row of a trace, and of the trace with the latency that it shows.
pub(crate) fn row(judged: &Judged, compared: &Compared<'_>, shown: Option<(u64, &Compared<'_>)>) -> String {
    let (told, equal) = counts(compared);
    let left_out = |why| compared.gaps.iter().filter(|gap| gap.left_out == Some(why)).count();
    let [silicon, simulated] =
        iterations(compared).map(|cycles| cycles.map_or_else(|| "no loop".to_owned(), |it| it.to_string()));
    let shown = shown.and_then(|(latency, compared)| Some(format!("{} ({latency})", iterations(compared)[1]?)));
    let shown = shown.unwrap_or_else(|| "–".to_owned());
    let mut row = String::new();
    let (fetch, memory) = (left_out(LeftOut::Fetch), left_out(LeftOut::Memory));
    let share = 100.0 * equal as f64 / told.max(1) as f64;
    let (trace, reason) = (&judged.trace, &judged.reason);
    let part = if reason.is_empty() { judged.part.clone() } else { format!("{}: {reason}", judged.part) };
    writeln!(
        row,
        "| {trace} | {part} | {told} | {equal} | {share:.1} % | {fetch}, {memory} | {silicon} | {simulated} | {shown} |"
    )
    .unwrap();
    row
}

/// How many gaps are compared, and how many of them are equal.
pub(crate) fn counts(compared: &Compared<'_>) -> (usize, usize) {
    let told = || compared.gaps.iter().filter(|gap| gap.left_out.is_none());
    (told().count(), told().filter(|gap| gap.simulated == gap.silicon as i64).count())
}

/// Cycles of an iteration on silicon and in the simulator, if there is a loop.
pub(crate) fn iterations(compared: &Compared<'_>) -> [Option<u64>; 2] {
    [0, 1].map(|which| iteration(&compared.loops[which]))
}

/// The median of all waves, without the first third of each.
fn iteration(loops: &[Vec<u64>]) -> Option<u64> {
    let mut cycles: Vec<u64> = Vec::new();
    for heads in loops {
        cycles.extend(heads[heads.len() / 3..].windows(2).map(|pair| pair[1] - pair[0]));
    }
    cycles.sort_unstable();
    cycles.get(cycles.len() / 2).copied()
}
