//! The lanes that the LDS serves together: rows of `lds-lanes.csv`, and their section.

use std::collections::{BTreeSet, HashMap};

use gcn_model::gpu::LdsPasses;
use gcn_model::quantity::Cycles;
use gcn_model::record::{LDS_LANES, LaneGroupsCase};

use crate::document::{Document, Topic};
use crate::many_waves::ThroughputRow;
use crate::one_wave::OneWave;
use crate::suites::rule::of_rule;
use crate::tables::{Measured, Single, cell, table, unique};

/// Groups of four lanes in 32.
const GROUPS: usize = 8;
/// The share of an instruction's cycles that a conflict costs at least.
const LEAST_CONFLICT: f64 = 0.05;

table! { "lds-lanes.csv":
    /// A row of `lds-lanes.csv`: a wide access to the LDS.
    pub struct LdsLanesRow {
        pub instruction: String,
        /// Waves on each SIMD.
        pub waves_per_simd: u32,
        /// The lanes that are served together; absent where the conflicts do not tell.
        pub passes: Option<LdsPasses>,
        /// Cycles of the compute unit that the lanes of two groups of a pass cost more in one bank than in two.
        pub conflict: Option<Measured<Cycles>> = "conflict" "low" "high",
        /// Why something is absent.
        pub detail: String,
    }
}

impl Single for LdsPasses {
    fn text(&self) -> String {
        self.to_string()
    }

    fn of_text(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

/// By how much two groups of four lanes cost more in one bank than in two; absent if one of the two did not settle.
type Conflicts = [[Option<Measured<Cycles>>; GROUPS]; GROUPS];

/// The rows of all instructions with such experiments, in the order of the run.
pub(super) fn rows(waves: &OneWave<'_>, cases: &[ThroughputRow]) -> Vec<LdsLanesRow> {
    let by_case: HashMap<(&str, &str), &ThroughputRow> =
        cases.iter().map(|row| ((row.instruction.as_str(), row.case.as_str()), row)).collect();
    let measured = || of_rule(waves, LDS_LANES).map(|(_, record)| record);
    let names = unique(measured().map(|record| record.instruction.as_str()));
    let row = |name: &str| {
        let cost = |lanes: [u32; 2], is_one_bank: bool| {
            let case = LaneGroupsCase { lanes, is_one_bank }.to_string();
            by_case.get(&(name, case.as_str()))?.cost()
        };
        let mut conflicts = Conflicts::default();
        let (mut conflict, mut least): (Option<Measured<Cycles>>, f64) = (None, 0.0);
        for (first, second) in pairs() {
            let lanes = [first, second].map(|group| 4 * group as u32);
            let Some((one, two)) = cost(lanes, true).zip(cost(lanes, false)) else { continue };
            let found = one.minus(two);
            conflicts[first][second] = Some(found);
            if conflict.is_none_or(|most| found.low.0 > most.low.0) {
                (conflict, least) = (Some(found), LEAST_CONFLICT * two.value.0);
            }
        }
        let conflict = conflict.filter(|most| most.low.0 > least);
        let passes = match conflict {
            Some(most) => passes(&conflicts, most.value.0 / 2.0),
            None => Err("no two groups of four lanes are seen to conflict".to_owned()),
        };
        let waves_per_simd = measured().find(|record| record.instruction == name).map_or(0, |it| it.waves_per_simd);
        let detail = passes.as_ref().err().cloned().unwrap_or_default();
        LdsLanesRow { instruction: name.to_owned(), waves_per_simd, passes: passes.ok(), conflict, detail }
    };
    names.into_iter().map(row).collect()
}

fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..GROUPS).flat_map(|first| (first + 1..GROUPS).map(move |second| (first, second)))
}

/// The pass of each group; groups are in one if they cost more than `least` cycles more in one bank.
///
/// # Errors
/// The pairs do not tell, or contradict each other.
fn passes(conflicts: &Conflicts, least: f64) -> Result<LdsPasses, String> {
    let is_together = |first: usize, second: usize| {
        let found = conflicts[first][second]?;
        (found.low.0 > least || found.high.0 < least).then_some(found.value.0 > least)
    };
    let mut pass_of: [usize; GROUPS] = std::array::from_fn(|group| group);
    for (first, second) in pairs().filter(|(first, second)| is_together(*first, *second) == Some(true)) {
        let (kept, joined) = (pass_of[first], pass_of[second]);
        pass_of.iter_mut().filter(|pass| **pass == joined).for_each(|pass| *pass = kept);
    }
    let mut apart = BTreeSet::new();
    for (first, second) in pairs().filter(|(first, second)| is_together(*first, *second) == Some(false)) {
        if pass_of[first] == pass_of[second] {
            let [first, second] = [first, second].map(|group| 4 * group);
            return Err(format!("lanes {first} and {second} do not conflict, though both conflict with others"));
        }
        apart.extend([[pass_of[first], pass_of[second]], [pass_of[second], pass_of[first]]]);
    }
    let is_open = |(first, second): &(usize, usize)| {
        let of = [pass_of[*first], pass_of[*second]];
        of[0] != of[1] && !apart.contains(&of)
    };
    if let Some((first, second)) = pairs().find(is_open) {
        return Err(format!("whether lanes {} and {} conflict is not known", 4 * first, 4 * second));
    }
    let in_order = unique(pass_of);
    let digit = |pass: &usize| in_order.iter().position(|known| known == pass).unwrap_or_default().to_string();
    pass_of.iter().map(digit).collect::<String>().parse()
}

/// Adds the section, if the run has the suite.
pub(super) fn section(page: &mut Document, rows: &[LdsLanesRow]) {
    if rows.is_empty() {
        return;
    }
    page.section(Topic::LdsBanks, 2, "LDS: lanes served together");
    page.paragraph(
        "Of 32 neighbouring lanes, two groups of four access the LDS: in the same banks, or the second one in others. Where that makes a \
         difference, one pass over the banks serves both; it is the conflict, in cycles of the compute unit. Lanes 32 to 63 are not compared \
         with lanes 0 to 31 (`lds-lanes.csv`).",
    );
    let cells = |row: &LdsLanesRow| {
        let lanes = row.passes.map_or_else(|| row.detail.clone(), LdsPasses::words);
        [row.instruction.clone(), lanes, cell(row.conflict)]
    };
    page.table(["Instruction", "Lanes of each pass", "Conflict"], rows.iter().map(cells));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Conflicts of 8 ± 1 cycles between the groups of a pass, and of 0 ± 1 between others.
    fn conflicts_of(passes: &str) -> Conflicts {
        let mut conflicts = Conflicts::default();
        for (first, second) in pairs() {
            let value = if passes.as_bytes()[first] == passes.as_bytes()[second] { 8.0 } else { 0.0 };
            conflicts[first][second] = Some(Measured::around(value, 1.0).map(Cycles));
        }
        conflicts
    }

    #[test]
    fn passes_follow_from_conflicts() {
        for said in ["01231032", "01101001", "00000000", "00112233", "01234567"] {
            let mut conflicts = conflicts_of(said);
            assert_eq!(passes(&conflicts, 4.0).map(|found| found.to_string()).as_deref(), Ok(said));
            // Another pair of the same passes tells as much, where there is one.
            conflicts[1][4] = None;
            let told = passes(&conflicts, 4.0).map(|found| found.to_string());
            match said {
                "00112233" | "01101001" | "00000000" => assert_eq!(told.as_deref(), Ok(said)),
                _ => assert_eq!(told, Err("whether lanes 4 and 16 conflict is not known".to_owned())),
            }
        }
        let mut contradicting = conflicts_of("00001111");
        contradicting[0][1] = conflicts_of("01234567")[0][1];
        assert_eq!(
            passes(&contradicting, 4.0),
            Err("lanes 0 and 4 do not conflict, though both conflict with others".to_owned())
        );
    }
}
