//! When llvm-mca issues the instructions of a block, once it repeats.

use super::report::{CodeRegion, InstructionInfo, Issued};

/// Iterations that are counted, after as many that are not; fewer of long blocks.
const ITERATIONS: usize = 64;
/// Instructions of all iterations.
const MOST_STEPS: usize = 200_000;

/// How long an instruction waits in llvm-mca's machine before it issues, on average over the iterations that count.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Step {
    /// Turns from the issue of the instruction before it to its own.
    pub(super) turns: f64,
    /// Turns until its result can be read.
    pub(super) latency: u64,
    /// Turns that it takes beyond one.
    pub(super) more_turns: u64,
    /// The turns in which it waits, and for what; `None` if nothing ends when it issues.
    pub(super) waits: Vec<(Option<Awaited>, f64)>,
}

/// What an instruction waits for, of an earlier one of the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Awaited {
    /// Its result is there when the later one issues, or, where results are written in their order, when that of the later one is.
    Result(usize),
    /// It leaves its unit when the later one issues.
    Unit(usize),
}

/// Iterations of a block of this many instructions that count, after as many that do not.
pub(super) fn iterations(instructions: usize) -> usize {
    (MOST_STEPS / instructions.max(1) / 2).clamp(1, ITERATIONS)
}

/// The steps of a block: of its later half, so that the way to the steady state does not count. `may_await` says whether the one of two
/// instructions can wait for the other.
pub(super) fn steps(region: &CodeRegion, may_await: impl Fn(usize, usize) -> bool) -> Vec<Step> {
    let info = &region.instruction_info_view.instruction_list;
    let count = region.instructions.len();
    let issued: Vec<u64> = region.timeline_view.timeline_info.iter().zip(info.iter().cycle()).map(issue).collect();
    let first = issued.len() / count / 2 * count;
    let counted = ((issued.len() - first) / count) as f64;
    let mut steps: Vec<Step> = info
        .iter()
        .map(|info| {
            let more_turns = info.micro_operations.saturating_sub(1);
            Step { latency: info.latency, more_turns, ..Step::default() }
        })
        .collect();
    for at in first..issued.len() {
        let turns = issued[at].saturating_sub(issued[at - 1]);
        let taken = 1 + steps[(at - 1) % count].more_turns;
        let step = &mut steps[at % count];
        step.turns += turns as f64 / counted;
        if turns > taken {
            let waited = (turns - taken) as f64 / counted;
            let result = |before: usize| issued[before] + info[before % count].latency;
            let may_be = |before: &usize| may_await(at % count, before % count);
            let ends = |turn: u64, may_be: &dyn Fn(&usize) -> bool| {
                (0..at).rev().find(|before| result(*before) == turn && may_be(before)).map(|index| index % count)
            };
            let leaves = |before: &usize| {
                let turns = info[before % count].unit_turns;
                turns > 1.0 && issued[*before] + turns.ceil() as u64 == issued[at]
            };
            let of_result = ends(issued[at], &may_be).map(Awaited::Result);
            let of_unit = || (0..at).rev().find(leaves).map(|index| Awaited::Unit(index % count));
            let last = issued[at] + info[at % count].latency;
            // Of several micro-operations llvm-mca shows the latest result alone.
            let first = if info[at % count].micro_operations > 1 { issued[at] + 1 } else { last };
            let in_order = || (first..=last).rev().find_map(|turn| ends(turn, &|_| true)).map(Awaited::Result);
            let for_what = of_result.or_else(of_unit).or_else(in_order);
            match step.waits.iter_mut().find(|(other, _)| *other == for_what) {
                Some((_, known)) => *known += waited,
                None => step.waits.push((for_what, waited)),
            }
        }
    }
    steps
}

/// When an instruction issues: one of two micro-operations that has to let another one finish has an earlier turn in the timeline, and
/// the right one for its result.
fn issue((issued, info): (&Issued, &InstructionInfo)) -> u64 {
    issued.cycle_executed.saturating_sub(info.latency).max(issued.cycle_issued)
}

#[cfg(test)]
mod tests {
    use super::super::report::{InstructionInfoView, SummaryView, TimelineView};
    use super::*;

    /// Two iterations of two instructions of latency 3 and 1, which issue in these turns; the first has this many micro-operations.
    fn region(micro_operations: u64, issued: [u64; 4]) -> CodeRegion {
        let info = |latency, micro_operations| InstructionInfo { latency, micro_operations, unit_turns: 1.0 };
        CodeRegion {
            instructions: vec!["v_rcp_f32 v1, v0".to_owned(), "v_add_f32 v2, v1, v1".to_owned()],
            summary_view: SummaryView { total_cycles: issued[3] + 1 },
            instruction_info_view: InstructionInfoView {
                instruction_list: vec![info(3, micro_operations), info(1, 1)],
            },
            timeline_view: TimelineView {
                timeline_info: issued.map(|cycle_issued| Issued { cycle_issued, cycle_executed: 0 }).into(),
            },
        }
    }

    #[test]
    fn a_wait_is_for_the_instruction_whose_result_comes_then() {
        let found = steps(&region(1, [0, 3, 4, 7]), |_, _| true);
        assert_eq!(found[0], Step { turns: 1.0, latency: 3, ..Step::default() });
        assert_eq!(
            found[1],
            Step { turns: 3.0, latency: 1, waits: vec![(Some(Awaited::Result(0)), 2.0)], ..Step::default() }
        );
    }

    #[test]
    fn a_wait_for_nothing_that_is_known_has_no_instruction() {
        assert_eq!(steps(&region(1, [0, 3, 4, 8]), |_, _| true)[1].waits, [(None, 3.0)]);
        assert_eq!(steps(&region(1, [0, 3, 4, 7]), |_, _| false)[1].waits, [(None, 2.0)]);
    }

    #[test]
    fn a_wait_is_for_the_unit_or_for_the_order_of_results_where_no_result_comes_then() {
        let mut busy = region(1, [0, 1, 8, 12]);
        busy.instruction_info_view.instruction_list[0].unit_turns = 4.0;
        assert_eq!(steps(&busy, |_, _| true)[1].waits, [(Some(Awaited::Unit(0)), 3.0)]);
        // Of latencies 3 and 1: the second result comes with the first.
        let in_order = region(1, [0, 2, 4, 6]);
        assert_eq!(steps(&in_order, |_, _| true)[1].waits, [(Some(Awaited::Result(0)), 1.0)]);
    }

    #[test]
    fn micro_operations_are_no_wait() {
        let found = steps(&region(2, [0, 3, 4, 6]), |_, _| true);
        assert_eq!((found[0].more_turns, found[1].turns), (1, 2.0));
        assert_eq!(found[1].waits, []);
        assert_eq!(steps(&region(2, [0, 3, 4, 7]), |_, _| true)[1].waits, [(Some(Awaited::Result(0)), 1.0)]);
    }

    #[test]
    fn long_blocks_are_repeated_less() {
        assert_eq!([1, 10_000, 1_000_000].map(iterations), [64, 10, 1]);
    }
}
