//! The results of the suite `pairs`, dual issue: pairs that take the same, and those that differ from most.

use std::collections::BTreeSet;

use gcn_model::isa::{Encoding, Processor};
use gcn_model::quantity::Cycles;
use gcn_model::record::{RunRecord, SharedSource};

use super::row::PairRow;
use crate::document::{Document, Topic, escaped};
use crate::settle::{CYCLES_RESOLUTION, Status};
use crate::tables::{Measured, by_key, cell, plural, two, unique};

/// The suites that ask for pairs of instructions.
const ASKING: [&str; 2] = ["pairs", "all"];

/// A number of a pair.
type Number<'r> = (&'r PairRow, Measured<Cycles>);

/// Adds the section, if the run has the suite.
pub(in crate::suites) fn section(page: &mut Document, rows: &[PairRow], record: &RunRecord) {
    if let Some(lanes) = lanes_without_pairs(record) {
        page.section(Topic::Suite, 2, "Dual issue (VOPD)");
        page.paragraph(format!("Waves of {lanes} lanes have no pairs of instructions (VOPD)."));
    } else if !rows.is_empty() {
        pairs(page, rows);
    }
}

/// The lanes of the run's waves, where it asked for pairs of instructions of a generation that has them, and such waves have none.
fn lanes_without_pairs(RunRecord { options, device, .. }: &RunRecord) -> Option<u32> {
    let asked = options.suites.iter().any(|suite| ASKING.contains(&suite.as_str()));
    let processor = Processor::find(&device.target)?;
    let has_pairs = |lanes| {
        let processor = processor.with_wave_size(lanes);
        processor.is_some_and(|it| it.instructions().any(|instruction| instruction.encoding == Encoding::Vopd))
    };
    let some_have = processor.generation.waves.sizes.iter().any(|lanes| has_pairs(*lanes));
    (asked && some_have && !has_pairs(device.lanes())).then_some(device.lanes())
}

fn pairs(page: &mut Document, rows: &[PairRow]) {
    let legal: Vec<&PairRow> = rows.iter().filter(|row| row.shared.is_none()).collect();
    page.section(Topic::Suite, 2, "Dual issue (VOPD)");
    page.paragraph(
        "Shader cycles of one wave from a pair of instructions (VOPD: the first one, X, and the second, Y) to the next that does not depend on \
         it; sources are in different banks of registers, destinations are an even and an odd register. Next to it, those of the same two instructions in sequence (`pairs.csv`).",
    );
    let cycles: Vec<Number<'_>> = legal.iter().filter_map(|row| Some((*row, row.cycles?))).collect();
    grouped(page, &cycles, ("pair", "takes", "take"), "");
    let in_sequence: Vec<Number<'_>> = legal.iter().filter_map(|row| Some((*row, row.in_sequence?))).collect();
    grouped(page, &in_sequence, ("pair", "takes", "take"), " in sequence");
    without_number(page, legal);
    shared(page, rows);
}

/// Sources in one bank.
fn shared(page: &mut Document, rows: &[PairRow]) {
    let kinds: BTreeSet<SharedSource> = rows.iter().filter_map(|row| row.shared).collect();
    if kinds.is_empty() {
        return;
    }
    page.part("Sources in one bank");
    page.paragraph(
        "Extra shader cycles of a pair whose sources of one place are in the same bank of registers (src0, src1: by their number modulo 4, \
         src2: modulo 2), or are the same register; one pair of each kind of operands. Two even or two odd destinations cannot be encoded: the low bit of Y's register is the inverse of X's.",
    );
    for kind in kinds {
        let of_kind: Vec<&PairRow> = rows.iter().filter(|row| row.shared == Some(kind)).collect();
        let more: Vec<Number<'_>> = of_kind.iter().filter_map(|row| Some((*row, row.more?))).collect();
        grouped(page, &more, ("pair", "costs", "cost"), &format!(" more: {}", shared_words(kind)));
    }
    without_number(page, rows.iter().filter(|row| row.shared.is_some()));
}

/// The shared registers, in words.
fn shared_words(SharedSource { place, is_same_register }: SharedSource) -> String {
    if is_same_register { format!("the same register as src{place}") } else { format!("src{place} in one bank") }
}

/// What most say in a line, and a table of what differs.
fn grouped(page: &mut Document, numbers: &[Number<'_>], (noun, one, many): (&str, &str, &str), what: &str) {
    if numbers.is_empty() {
        return;
    }
    let Some(found) = Grouped::of(numbers) else {
        page.item(format!("{}{what}: none is a whole number of cycles.", plural(numbers.len(), noun)));
        table(page, numbers, numbers);
        return;
    };
    let cycles = if found.most == 0.0 { "nothing".to_owned() } else { plural(found.most, "cycle") };
    let verb = if found.alike == 1 { one } else { many };
    if found.others.is_empty() {
        let all = if numbers.len() == 1 { "The only".to_owned() } else { format!("All {}", numbers.len()) };
        let noun = if numbers.len() == 1 { noun.to_owned() } else { format!("{noun}s") };
        page.item(format!("{all} {noun} {verb} {cycles}{what}."));
        return;
    }
    page.item(format!("{} of {} {verb} {cycles}{what}; the others:", found.alike, plural(numbers.len(), noun)));
    table(page, &found.others, numbers);
}

/// A row for each first instruction, a column for each second one, of those that have one of these numbers; in the order of all of them.
fn table(page: &mut Document, numbers: &[Number<'_>], all: &[Number<'_>]) {
    let has = |of: fn(&PairRow) -> &str, name: &str| numbers.iter().any(|(row, _)| of(row) == name);
    let of = |of: fn(&PairRow) -> &str| unique(all.iter().map(|(row, _)| of(row)).filter(|name| has(of, name)));
    let (firsts, seconds) = (of(|row| &row.first), of(|row| &row.second));
    page.grid("X \\ Y", &firsts, &seconds, |first, second| {
        let number = numbers.iter().find(|(row, _)| row.first == first && row.second == second);
        number.map(|(_, number)| printed(*number)).unwrap_or_default()
    });
}

fn printed(number: Measured<Cycles>) -> String {
    whole(number).map_or_else(|| cell(Some(number)), two)
}

/// Pairs without a number, by the reason.
fn without_number<'r>(page: &mut Document, rows: impl IntoIterator<Item = &'r PairRow>) {
    let without = rows.into_iter().filter(|row| row.status != Status::Ok || !row.detail.is_empty()).map(|row| {
        let shared = row.shared.map_or_else(String::new, |shared| format!(" ({})", shared_words(shared)));
        ((row.status, &row.detail), format!("{} with {}{shared}", row.first, row.second))
    });
    for ((status, why), pairs) in by_key(without) {
        // A common reason is not theirs alone.
        let named = if pairs.len() > 4 { plural(pairs.len(), "pair") } else { pairs.join(", ") };
        let why = escaped(why);
        match status {
            Status::Ok => page.item(format!("{why}: {named}")),
            _ => page.item(format!("{status}: {why}: {named}")),
        }
    }
}

/// Numbers of pairs: what most of them say, and those that say something else.
pub(super) struct Grouped<'r> {
    /// The whole number of cycles that most stand for.
    pub(super) most: f64,
    /// How many do.
    pub(super) alike: usize,
    /// The others that have a number.
    pub(super) others: Vec<(&'r PairRow, Measured<Cycles>)>,
}

impl<'r> Grouped<'r> {
    /// Groups the rows that have a number; `None` if none stands for a whole one.
    pub(super) fn of(numbers: &[(&'r PairRow, Measured<Cycles>)]) -> Option<Self> {
        let counts = by_key(numbers.iter().filter_map(|(_, number)| Some((whole(*number)?, ()))));
        // Of two that are as many the first.
        let (most, alike) =
            counts.into_iter().map(|(whole, of)| (whole, of.len())).rev().max_by_key(|(_, count)| *count)?;
        let others = numbers.iter().copied().filter(|(_, number)| whole(*number) != Some(most)).collect();
        Some(Self { most, alike, others })
    }
}

/// The whole number that a number of cycles stands for, with the interval of one of hundreds that are read side by side.
pub(super) fn whole(number: Measured<Cycles>) -> Option<f64> {
    let number = number.of_many();
    let least = (number.low.0 - CYCLES_RESOLUTION).ceil();
    let most = (number.high.0 + CYCLES_RESOLUTION).floor();
    // No −0.
    (least == most).then_some(least + 0.0)
}

/// How many pairs take what, and how many have no number; `None` of a run without pairs.
pub(in crate::suites) fn words(rows: &[PairRow]) -> Option<String> {
    let legal: Vec<&PairRow> = rows.iter().filter(|row| row.shared.is_none()).collect();
    let known: Vec<(&PairRow, Measured<Cycles>)> = legal.iter().filter_map(|row| Some((*row, row.cycles?))).collect();
    let all = legal.len();
    if all == 0 {
        return None;
    }
    let Some(found) = Grouped::of(&known) else {
        return Some(format!("of {all}, none is known in whole cycles; see pairs.csv"));
    };
    let cycles = plural(found.most, "cycle");
    let others = match (found.others.len(), all - known.len()) {
        (0, 0) => String::new(),
        (others, 0) => format!(", {others} something else"),
        (0, unknown) => format!(", {unknown} not known"),
        (others, unknown) => format!(", {others} something else, {unknown} not known"),
    };
    Some(format!("{} of {all} take {cycles}{others}; see pairs.csv", found.alike))
}

#[cfg(test)]
mod tests {
    use gcn_model::record::SharedSource;

    use super::*;

    fn row(cycles: Option<f64>, shared: Option<SharedSource>) -> PairRow {
        PairRow {
            first: "V_DUAL_MUL_F32".into(),
            second: "V_DUAL_ADD_F32".into(),
            shared,
            cycles: cycles.map(|cycles| Measured::exactly(Cycles(cycles))),
            ..PairRow::default()
        }
    }

    #[test]
    fn most_others_and_unknown_ones_are_counted_apart() {
        let of = |cycles: &[Option<f64>]| {
            words(&cycles.iter().map(|cycles| row(*cycles, None)).collect::<Vec<_>>()).unwrap()
        };
        assert_eq!(of(&[Some(1.0), Some(1.0)]), "2 of 2 take 1 cycle; see pairs.csv");
        let said = of(&[Some(1.0), Some(3.0), Some(3.0), None]);
        assert_eq!(said, "2 of 4 take 3 cycles, 1 something else, 1 not known; see pairs.csv");
        assert_eq!(of(&[None]), "of 1, none is known in whole cycles; see pairs.csv");
        assert_eq!(words(&[row(Some(2.0), SharedSource::read("src0 bank"))]), None);
    }
}
