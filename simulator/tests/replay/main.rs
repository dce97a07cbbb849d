//! Thread traces of RDNA silicon, issued once more by the simulator. The traces and the verdicts on their packets are those of the test
//! `traces` (`tests/tests/traces/README.md`).

mod compared;
#[path = "../../../tests/tests/traces/rule.rs"]
#[expect(dead_code, reason = "the table of published rows is made elsewhere")]
mod rule;
#[path = "../../../tests/tests/traces/trace.rs"]
#[expect(dead_code, reason = "what only the list of packets shows")]
mod trace;

use std::fmt::Write as _;

use compared::{compared, counts};
use rule::Judged;
use trace::Trace;

/// Per cent that agree on both cards, at least. The others are in the snapshot; `tests/tests/traces/README.md` has the known causes.
const REACHED: usize = 95;

/// The simulator's cost model of RDNA against silicon: of the packets that are neither cold fetches nor waits for memory, at least 95 % issue
/// as many cycles before the next one as in the trace. The others are listed.
#[test]
fn the_simulator_replays_the_traces() {
    let mut text = String::new();
    for judged in Trace::all().map(Judged::new) {
        let compared = compared(&judged, "");
        let (left_out, told, agreeing) = counts(&compared);
        writeln!(text, "{}: {agreeing} of {told} agree; left out: {left_out:?}", judged.trace.target).unwrap();
        for it in compared.iter().filter(|it| it.left_out.is_none() && !it.agrees()) {
            let (packet, cycles) = (it.packet, it.packet.fewest_cycles());
            let (name, class) = (&packet.instruction, &packet.class);
            writeln!(text, "  {:#x} {name} {class} {cycles}, machine {}", packet.pc, it.machine).unwrap();
        }
        assert!(told > 600, "{text}");
        assert!(agreeing * 100 >= told * REACHED, "{text}");
    }
    insta::assert_snapshot!(text);
}
