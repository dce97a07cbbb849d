//! Thread traces of RDNA silicon: the published source `silicon-traces` is derived from them by a rule (`README.md`).

mod rule;
mod trace;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use gcn_model::published::source;

use rule::{Judged, Verdict};
use trace::Trace;

fn judged() -> [Judged; 2] {
    Trace::all().map(Judged::new)
}

#[test]
fn packets_are_classified_by_the_rule() {
    let mut text = String::new();
    for judged in judged() {
        let mut counts = BTreeMap::new();
        for (packet, verdict) in judged.packets() {
            assert!(packet.operands.contains('('), "{packet:?}");
            *counts.entry(verdict).or_insert(0) += 1;
        }
        writeln!(text, "{}: {} packets, {counts:?}", judged.trace.target, judged.trace.packets.len()).unwrap();
        writeln!(text, "cycles of the classes: {:?}", judged.classes).unwrap();
        for wanted in [Verdict::Label, Verdict::Missing, Verdict::Fetch, Verdict::Waits, Verdict::Overlaps] {
            writeln!(text, "{wanted:?}:").unwrap();
            for (packet, _) in judged.packets().filter(|(_, verdict)| *verdict == wanted) {
                let cycles = packet.cycles().map_or("differs".to_owned(), |cycles| cycles.to_string());
                let (pc, name, next) = (packet.pc, &packet.instruction, &packet.next_instruction);
                writeln!(text, "  {pc:#x} {name} {} {cycles} -> {next}", packet.class).unwrap();
            }
        }
    }
    insta::assert_snapshot!(text);
}

/// Class, instruction and cycles.
type Row = (String, String, u64);

/// The table of the published source, as the rule makes it: one row where both traces agree.
fn table() -> String {
    let mut rows: Vec<(Row, Vec<&str>)> = Vec::new();
    for judged in judged() {
        for row in judged.rows() {
            match rows.iter_mut().find(|(known, _)| *known == row) {
                Some((_, targets)) => targets.extend(judged.trace.speaks_of),
                None => rows.push((row, judged.trace.speaks_of.to_vec())),
            }
        }
    }
    let mut text = "section,instruction,cycles,throughput,seeds,remark,targets\n".to_owned();
    for ((class, name, cycles), targets) in rows {
        writeln!(text, "{class},{name},{cycles},,,,{}", targets.join(";")).unwrap();
    }
    text
}

#[test]
fn the_published_table_follows_from_the_rule() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/data/timings/silicon-traces.csv");
    if env::var_os("GCN_TIMINGS_UPDATE_TRACES").is_some() {
        fs::write(&path, table()).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), table(), "GCN_TIMINGS_UPDATE_TRACES=1 makes it anew");
    let traces = source("silicon-traces").unwrap();
    assert!(traces.rows().len() > 400, "{}", traces.rows().len());
}

/// The requirements of a model of these machines: of compares, which write an SGPR or VCC, the seventh since the last wait
/// lets the next one wait 8 cycles, and no other does, but for fetches.
#[test]
fn each_seventh_compare_is_followed_by_a_wait() {
    for judged in judged() {
        let compares: Vec<_> =
            judged.packets().filter(|(packet, _)| packet.instruction.starts_with("v_cmp_")).collect();
        assert!(compares.len() > 150, "{}", judged.trace.target);
        let (mut since_wait, mut sevenths) = (0, BTreeMap::new());
        for (at, (packet, verdict)) in compares.iter().enumerate() {
            let wait = packet.fewest_cycles().saturating_sub(judged.classes[&packet.class]);
            let place = format!("{} {:#x}: {wait}", judged.trace.target, packet.pc);
            since_wait += 1;
            if since_wait == 7 {
                assert!(wait >= 7, "{place}");
                *sevenths.entry(wait).or_insert(0) += 1;
            } else {
                // The instruction after the last ones is not a compare, or follows code of another line.
                let is_fetch = *verdict == Verdict::Fetch && wait > 100;
                assert!(wait == 0 || is_fetch || at + 6 > compares.len(), "{place}");
            }
            if wait >= 7 {
                since_wait = 0;
            }
        }
        let most = sevenths.into_iter().max_by_key(|(_, count)| *count);
        assert_eq!(most.map(|(wait, _)| wait), Some(8), "{}", judged.trace.target);
    }
}
