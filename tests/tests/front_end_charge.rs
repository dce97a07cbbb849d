//! What the front end charges for two dwords is in no conclusion about something else: invented cards that charge, against the same card
//! without it. Also copies that add to their destination, and a slow scalar unit.

use std::collections::BTreeMap;

use gcn_analysis::{Measured, OverlapRow, Status, UnitRow};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::quantity::Cycles;
use gcn_tests::{MeasuredRun, blind_gpu, measure, only, part_of};

/// Half of the 2-dword instructions back to back are charged, by other rules.
const CHARGES: [&str; 2] = [
    "[front_end]\nalignment_penalties = true\npenalty_cycles = 3\nblock_bytes = 16\nfree_dwords = 2\n",
    "[front_end]\nalignment_penalties = true\npenalty_cycles = 2\nblock_bytes = 32\nfree_dwords = 3\n",
];

/// Each instruction of two dwords is charged, at whichever dword.
const ALL_CHARGED: &str =
    "[front_end]\nalignment_penalties = true\npenalty_cycles = 1\nblock_bytes = 16\nfree_dwords = 0\n";

/// Blocks longer than most blocks of the experiments, of which the end is charged.
const WIDE_BLOCKS: &str =
    "[front_end]\nalignment_penalties = true\npenalty_cycles = 8\nblock_bytes = 64\nfree_dwords = 9\n";

fn suite(suites: &[Suite], names: &[&str]) -> MeasureOptions {
    MeasureOptions { suites: suites.to_vec(), ..only(names, &[1]) }
}

fn number(measured: Option<Measured<Cycles>>) -> Option<f64> {
    measured.map(|measured| measured.value.0)
}

/// To a thousandth: a line through exact readings is off by less.
fn rounded(measured: Option<Measured<Cycles>>) -> Option<f64> {
    number(measured).map(|value| (value * 1000.0).round() / 1000.0)
}

/// The charged card says what the card without a charge says, of each case within a quarter of a cycle.
fn assert_alike<K: Ord + std::fmt::Debug>(
    of: impl Fn(&MeasuredRun) -> BTreeMap<K, f64>,
    plain: &MeasuredRun,
    charged: &MeasuredRun,
) {
    let (plain, charged) = (of(plain), of(charged));
    let far = |key: &K, value: f64| plain.get(key).is_none_or(|known| (known - value).abs() > 0.25);
    let wrong: Vec<_> = charged.iter().filter(|(key, value)| far(key, **value)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(charged.len() * 10 >= plain.len() * 9 && !plain.is_empty(), "{} of {}", charged.len(), plain.len());
}

#[test]
fn units_wait_as_long_on_a_card_that_charges_long_instructions() {
    let of = |run: &MeasuredRun| {
        let rows = run.analysis.units.cells.iter();
        rows.filter_map(|row| Some(((row.producer.clone(), row.consumer.clone()), number(row.cycles)?))).collect()
    };
    let options = MeasureOptions { suites: vec![Suite::Units], ..MeasureOptions::default() };
    let plain = measure(&blind_gpu("rx6800", ""), &options);
    for charge in part_of(&CHARGES, 1, "another front end") {
        assert_alike(of, &plain, &measure(&blind_gpu("rx6800", charge), &options));
    }
    // A bound is an interval from 0 on.
    let intervals = |run: &MeasuredRun| {
        let rows = run.analysis.units.cells.iter();
        let numbers =
            |row: &UnitRow| row.cycles.map(|cycles| cycles.numbers()).or(row.at_most.map(|most| [most, 0.0, most]));
        rows.filter_map(|row| Some(((row.producer.clone(), row.consumer.clone()), numbers(row)?))).collect()
    };
    assert_holds(intervals, &plain, &measure(&blind_gpu("rx6800", ALL_CHARGED), &options));
}

#[test]
fn pairs_take_as_long_on_a_card_that_charges_long_instructions() {
    let of = |run: &MeasuredRun| {
        let rows = run.analysis.pairs.iter().filter(|row| row.status == Status::Ok && row.shared.is_none());
        rows.filter_map(|row| Some(((row.first.clone(), row.second.clone()), number(row.cycles)?))).collect()
    };
    let options = suite(&[Suite::Pairs], &["V_DUAL_FMAC_F32", "V_DUAL_MUL_F32"]);
    let plain = measure(&blind_gpu("rx7900xtx", ""), &options);
    for charge in part_of(&CHARGES, 1, "another front end") {
        assert_alike(of, &plain, &measure(&blind_gpu("rx7900xtx", charge), &options));
    }
}

#[test]
fn latencies_are_the_same_on_a_card_that_charges_long_instructions() {
    let of = |run: &MeasuredRun| {
        let rows = run.analysis.timings.iter();
        rows.filter_map(|row| Some((row.instruction.clone(), number(row.latency)?))).collect()
    };
    let names = ["V_FMA_F64", "V_MUL_LO_U32", "V_ADD_F32", "V_BFE_U32", "V_ADD_F64", "V_AND_B32", "V_XOR_B32"];
    // With the sweeps of the front end, and with the probes of the instructions alone.
    let suites = [&[Suite::Instructions, Suite::Alignment][..], &[Suite::Instructions]];
    for suites in part_of(&suites, 1, "the probes of the instructions alone") {
        let options = suite(suites, &names);
        let plain = measure(&blind_gpu("rx7900xtx", ""), &options);
        for charge in part_of(&CHARGES, 1, "another front end") {
            assert_alike(of, &plain, &measure(&blind_gpu("rx7900xtx", charge), &options));
        }
    }
}

/// Each interval on the charged card holds the number of the card without a charge.
fn assert_holds<K: Ord + std::fmt::Debug>(
    of: impl Fn(&MeasuredRun) -> BTreeMap<K, [f64; 3]>,
    plain: &MeasuredRun,
    charged: &MeasuredRun,
) {
    let (plain, charged) = (of(plain), of(charged));
    let misses = |key: &K, [_, low, high]: &[f64; 3]| {
        plain.get(key).is_none_or(|[known, ..]| *known < low - 0.3 || *known > high + 0.3)
    };
    let wrong: Vec<_> =
        charged.iter().filter(|(key, row)| misses(key, row)).map(|row| (row, plain.get(row.0))).collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:?}", wrong.len(), charged.len());
    assert!(charged.len() * 10 >= plain.len() * 9 && !plain.is_empty(), "{} of {}", charged.len(), plain.len());
}

fn chains(run: &MeasuredRun) -> BTreeMap<(String, &'static str), [f64; 3]> {
    let rows = run.analysis.matrix.instructions.iter();
    let numbers = rows.flat_map(|row| {
        [
            ("cycles", row.cycles),
            ("accumulators", row.to_accumulators),
            ("operand", row.to_operand),
            ("reader", row.to_reader),
        ]
        .map(|(what, number)| number.map(|number| ((row.instruction.clone(), what), number.numbers())))
    });
    numbers.flatten().collect()
}

fn overlaps(run: &MeasuredRun) -> BTreeMap<(String, String, u32, u32), [f64; 3]> {
    let key = |row: &OverlapRow| (row.instruction.clone(), row.neighbour.clone(), row.amount, row.waves_per_simd);
    run.analysis.matrix.overlaps.iter().map(|row| (key(row), row.cycles.numbers())).collect()
}

/// Also the judgement whether a neighbour costs nothing: it is open where the charge leaves it open.
fn is_free(run: &MeasuredRun) -> BTreeMap<String, bool> {
    let rows = run.analysis.matrix.overlaps.iter();
    rows.filter_map(|row| Some((format!("{} {} {}", row.instruction, row.neighbour, row.amount), row.is_free()?)))
        .collect()
}

#[test]
fn matrix_instructions_take_as_long_on_a_card_that_charges_long_instructions() {
    let matrices = [
        ("mi300x", ["V_MFMA_F32_16X16X16_F16", "V_MFMA_F32_4X4X4_16B_F16"]),
        ("mi210", ["V_MFMA_F32_16X16X16F16", "V_MFMA_F32_4X4X4F16"]),
    ];
    let charges = [WIDE_BLOCKS, CHARGES[0], CHARGES[1]];
    for (product, names) in part_of(&matrices, 1, "a card of CDNA 2") {
        let options = suite(&[Suite::Matrix], names);
        let plain = measure(&blind_gpu(product, ""), &options);
        for charge in part_of(&charges, 1, "two more front ends") {
            let charged = measure(&blind_gpu(product, charge), &options);
            assert_holds(chains, &plain, &charged);
            assert_holds(overlaps, &plain, &charged);
            let known = is_free(&plain);
            let wrong: Vec<_> =
                is_free(&charged).into_iter().filter(|(key, free)| known.get(key) != Some(free)).collect();
            assert!(wrong.is_empty(), "{product}: {wrong:?}");
        }
    }
}

/// A unit that is busy when the result is there hides a part of the charge in a chain, which then shows less than the instruction's cycles.
#[test]
fn a_chain_is_never_faster_than_its_unit() {
    let slow = "[throughput]\nV_BFE_U32 = \"1/8\"\nV_LSHLREV_B64 = \"1/6\"\nV_DUAL_MUL_F32 = \"1/4\"\n";
    let charged = "[front_end]\nalignment_penalties = true\nblock_bytes = 128\nfree_dwords = 14\npenalty_cycles = 10\n";
    let names = ["V_BFE_U32", "V_LSHLREV_B64", "V_DUAL_MUL_F32", "V_FMA_F32"];
    let latencies = |file: &str| -> Vec<Option<f64>> {
        let run = measure(&blind_gpu("rx7900xtx", file), &only(&names, &[1, 2, 4]));
        run.analysis.timings.iter().map(|row| rounded(row.latency)).collect()
    };
    let plain = latencies(slow);
    assert_eq!(plain.iter().flatten().count(), names.len());
    assert_eq!(latencies(&format!("{charged}{slow}")), plain);
}

/// Each wave is charged at each instruction of two dwords, and hides the charges of the others: their unit's time tells the cycles.
#[test]
fn many_waves_tell_the_cycles_of_instructions_that_are_always_charged() {
    let slow = "[throughput]\nV_BFE_U32 = \"1/8\"\nV_ADD_F64 = \"1/26\"\n";
    let charged = "[front_end]\nalignment_penalties = true\nblock_bytes = 8\nfree_dwords = 0\npenalty_cycles = 4\n";
    let names = ["V_BFE_U32", "V_ADD_F64", "V_FMA_F32"];
    let cycles = |file: &str, waves: &[u32]| -> Vec<Option<f64>> {
        let run = measure(&blind_gpu("rx7900xtx", file), &only(&names, waves));
        run.analysis.timings.iter().map(|row| rounded(row.cycles)).collect()
    };
    let plain = cycles(slow, &[1, 2, 4, 8]);
    assert_eq!(plain.iter().flatten().count(), names.len());
    assert_eq!(cycles(&format!("{charged}{slow}"), &[1, 2, 4, 8]), plain);
    assert_eq!(cycles(&format!("{charged}{slow}"), &[1]), [None; 3], "one wave alone shows the sum");
}

/// More results are under way at once than a few registers hold.
#[test]
fn copies_that_add_to_their_destination_do_not_wait_for_each_other() {
    for (latency, lines) in [(5.0, ""), (8.0, "[pipelines]\nvector_latency_cycles = 8\n")] {
        let names = ["V_DUAL_FMAC_F32", "V_DUAL_DOT2ACC_F32_F16", "V_SWAP_B32"];
        let run = measure(&blind_gpu("rx7900xtx", lines), &suite(&[Suite::Instructions], &names));
        for name in ["V_DUAL_FMAC_F32", "V_DUAL_DOT2ACC_F32_F16"] {
            let row = run.row(name);
            assert_eq!((rounded(row.cycles), rounded(row.latency)), (Some(1.0), Some(latency)), "{row:?}");
        }
        assert_eq!(rounded(run.row("V_SWAP_B32").cycles), Some(2.0));
    }
}

/// The instructions of a kernel's own loop are on a unit that the waves share: where they are slow, many waves show no more than few.
#[test]
fn a_slow_instruction_of_the_loop_makes_no_other_one_faster() {
    let options = only(&["V_SUB_F32", "V_MUL_F32", "V_MAD_F32"], &[1, 2, 4, 8, 10]);
    let run = measure(&blind_gpu("tahiti", "[cycles]\nS_CMP_LG_U32 = 153\n"), &options);
    for name in ["V_SUB_F32", "V_MUL_F32", "V_MAD_F32"] {
        let [value, low, _] = run.row(name).throughput.unwrap().numbers();
        assert!(value <= 1.01 && low <= 1.0, "{:?}", run.row(name));
    }
    let rows = run.analysis.throughputs.iter().filter(|row| row.status == Status::Ok);
    let high: Vec<_> = rows.filter(|row| row.throughput.is_some_and(|found| found.low.0 > 1.01)).collect();
    assert!(high.is_empty(), "{high:?}");
}

/// Blocks as long as two lines of 64 bytes, of which the first is free.
#[test]
fn a_free_line_before_a_charged_one_is_told() {
    let lines = "[instruction_cache]\nline_bytes = 128\n[front_end]\nalignment_penalties = true\npenalty_cycles = 16\nblock_bytes = 128\n\
                 free_dwords = 16\nlong_instruction_cycles_per_free_dword = 0\n";
    let run = measure(&blind_gpu("tonga", lines), &suite(&[Suite::Alignment], &["V_*", "S_*"]));
    let found = run.analysis.front_end.as_ref().unwrap();
    assert!(!found.rule.contains("no dword differs"), "{found:?}");
    assert_eq!((found.free_dwords, found.penalty), (16, Cycles(16.0)), "{found:?}");
}

/// Three dwords of each lane side by side want no bank twice.
#[test]
fn accesses_of_three_dwords_leave_no_bank_idle() {
    let options = only(&["DS_LOAD_B96", "DS_LOAD_B128"], &[1, 4, 8, 16]);
    let run = measure(&blind_gpu("rx7900xtx", ""), &options);
    let [three, four] = ["DS_LOAD_B96", "DS_LOAD_B128"].map(|name| run.row(name).throughput.unwrap().value.0);
    assert!((three / four - 4.0 / 3.0).abs() < 0.02, "{three}, {four}");
}

/// A card with fewer registers than its generation may have refuses the launches that want more: that is what the suite asks.
#[test]
fn launches_that_want_more_than_a_card_has_are_not_lost() {
    let run =
        measure(&blind_gpu("tahiti", "[registers]\nvgprs = 128\n"), &suite(&[Suite::Occupancy], &["S_SLEEP", "V_*"]));
    assert!(run.analysis.failed.is_empty(), "{:?}", run.analysis.failed);
    let refused = run.analysis.occupancy.residence.iter().filter(|row| row.status == Status::Unsupported);
    assert!(
        refused.count() > 10
            && run.analysis.occupancy.to_string().contains("VGPRs in granules of 4 or less, 128 to 131")
    );
}
