//! The units of a run, in a line of the summary.

use super::found::Units;

/// How many results there are, and those that say most; `None` of a run without any.
pub(in crate::suites) fn words(found: &Units) -> Option<String> {
    let known = found.cells.iter().filter(|row| row.cycles.is_some()).count();
    let bound = found.cells.iter().filter(|row| row.at_most.is_some()).count();
    if found.cells.is_empty() && found.beside.is_empty() {
        return None;
    }
    let of_itself = |unit: &str| {
        let cycles = found.cell(unit, unit)?.cycles?;
        let [value, ..] = cycles.numbers();
        Some(format!("{unit} to {unit} {} cycles", (value * 100.0).round() / 100.0))
    };
    let mut words =
        vec![format!("of {} results from unit to unit {known} known, {bound} within a bound", found.cells.len())];
    words.extend(["vector", "transcendental", "scalar"].into_iter().filter_map(of_itself));
    let free = |(instruction, neighbour): (&str, &str)| {
        let (most, is_most) = found.free(instruction, neighbour)?;
        let more = if is_most { "" } else { " or more" };
        Some(format!("{most}{more} {neighbour} free during {instruction}"))
    };
    words.extend(found.neighbours().into_iter().next().and_then(free));
    Some(format!("{}; see units.csv", words.join(", ")))
}
