//! When llvm-mca issues the instructions of a block, once it repeats.

use super::report::{CodeRegion, Issued};

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
    /// The turns in which it stands still, with the instruction of the block for which it waits: the one whose result is there when it
    /// issues. `None` if there is no such instruction.
    pub(super) waits: Vec<(Option<usize>, f64)>,
}

/// Iterations of a block of so many instructions that count, after as many that do not.
pub(super) fn iterations(instructions: usize) -> usize {
    (MOST_STEPS / instructions.max(1) / 2).clamp(1, ITERATIONS)
}

/// The steps of a block: of its later half, so that the way to the steady state does not count. `may_await` says whether the one of two
/// instructions can wait for the other.
pub(super) fn steps(region: &CodeRegion, may_await: impl Fn(usize, usize) -> bool) -> Vec<Step> {
    let info = &region.instruction_info_view.instruction_list;
    let issued = &region.timeline_view.timeline_info;
    let count = region.instructions.len();
    let first = issued.len() / count / 2 * count;
    let counted = ((issued.len() - first) / count) as f64;
    let mut steps: Vec<Step> = info.iter().map(|info| Step { latency: info.latency, ..Step::default() }).collect();
    for at in first..issued.len() {
        let turns = issued[at].cycle_issued - issued[at - 1].cycle_issued;
        let step = &mut steps[at % count];
        step.turns += turns as f64 / counted;
        // One turn is what each instruction takes.
        if turns > 1 {
            let waited = (turns - 1) as f64 / counted;
            let for_what = awaited(issued, at, |before| may_await(at % count, before % count));
            let for_what = for_what.map(|index| index % count);
            match step.waits.iter_mut().find(|(other, _)| *other == for_what) {
                Some((_, known)) => *known += waited,
                None => step.waits.push((for_what, waited)),
            }
        }
    }
    steps
}

/// The latest of the instructions that may be awaited whose result is there in the turn in which another issues that had to wait.
fn awaited(issued: &[Issued], at: usize, may_be: impl Fn(usize) -> bool) -> Option<usize> {
    let ready = issued[at].cycle_issued;
    (0..at).rev().find(|before| issued[*before].cycle_executed == ready && may_be(*before))
}

#[cfg(test)]
mod tests {
    use super::super::report::{InstructionInfo, InstructionInfoView, SummaryView, TimelineView};
    use super::*;

    /// Two iterations of two instructions of latency 3 and 1, which issue in these turns.
    fn region(issued: [u64; 4]) -> CodeRegion {
        let latencies = [3, 1];
        let timed = issued.into_iter().zip(latencies.into_iter().cycle());
        CodeRegion {
            instructions: vec!["v_rcp_f32 v1, v0".to_owned(), "v_add_f32 v2, v1, v1".to_owned()],
            summary_view: SummaryView { total_cycles: issued[3] + 1 },
            instruction_info_view: InstructionInfoView {
                instruction_list: latencies.map(|latency| InstructionInfo { latency }).into(),
            },
            timeline_view: TimelineView {
                timeline_info: timed
                    .map(|(at, latency)| Issued { cycle_issued: at, cycle_executed: at + latency })
                    .collect(),
            },
        }
    }

    #[test]
    fn a_wait_is_for_the_instruction_whose_result_comes_then() {
        let found = steps(&region([0, 3, 4, 7]), |_, _| true);
        assert_eq!(found[0], Step { turns: 1.0, latency: 3, waits: Vec::new() });
        assert_eq!(found[1], Step { turns: 3.0, latency: 1, waits: vec![(Some(0), 2.0)] });
    }

    #[test]
    fn a_wait_for_nothing_that_is_known_has_no_instruction() {
        assert_eq!(steps(&region([0, 3, 4, 8]), |_, _| true)[1].waits, [(None, 3.0)]);
        assert_eq!(steps(&region([0, 3, 4, 7]), |_, _| false)[1].waits, [(None, 2.0)]);
    }

    #[test]
    fn long_blocks_are_repeated_less() {
        assert_eq!([1, 10_000, 1_000_000].map(iterations), [64, 10, 1]);
    }
}
