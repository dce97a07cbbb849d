//! Invented RDNA cards: GPU files made up here, measured, and every changed fact found again by an analysis that
//! never sees them.

use std::collections::BTreeMap;

use gcn_analysis::DpClass;
use gcn_harness::device::{Chosen, SimulatedDevice};
use gcn_model::gpu::Gpu;
use gcn_tests::{
    Intervals, MeasuredRun, ROUNDING, blind_gpu, cycles, found_again, latencies, measure, measure_on, only, throughputs,
};

/// One instruction of each class.
const CLASSES: [&str; 5] = ["V_ADD_F32", "V_LSHLREV_B64", "V_MUL_LO_U32", "V_EXP_F32", "V_FMA_F64"];

/// Keys of a card and their effect on an instruction of each class, in the order of `CLASSES`.
struct Card {
    lines: &'static str,
    cycles: [u32; 5],
    latencies: [u32; 5],
}

/// Cards with latencies of 4 to 7 cycles, other transcendental units and other double precision.
const CARDS: [Card; 4] = [
    Card {
        lines: "dp_factor = 8\n[pipelines]\nvector_latency_cycles = 4\n",
        cycles: [1, 2, 4, 4, 16],
        latencies: [4, 5, 7, 10, 22],
    },
    Card {
        lines: "dp_factor = 16\n[pipelines]\nvector_latency_cycles = 5\ntranscendental_cycles = 8\ntranscendental_latency_cycles = 13\n",
        cycles: [1, 2, 4, 8, 32],
        latencies: [5, 6, 8, 13, 38],
    },
    Card {
        lines: "dp_factor = 32\n[pipelines]\nvector_latency_cycles = 6\ntranscendental_cycles = 2\ndouble_latency_cycles = 11\n",
        cycles: [1, 2, 4, 2, 64],
        latencies: [6, 7, 9, 10, 75],
    },
    Card {
        lines: "dp_factor = 4\n[pipelines]\nvector_latency_cycles = 7\ntranscendental_cycles = 3\ntranscendental_latency_cycles = 9\n",
        cycles: [1, 2, 4, 3, 8],
        latencies: [7, 8, 10, 9, 14],
    },
];

fn truth(values: [u32; 5]) -> BTreeMap<String, f64> {
    named(&CLASSES, &values)
}

fn named(names: &[&str], values: &[u32]) -> BTreeMap<String, f64> {
    names.iter().zip(values).map(|(name, value)| ((*name).to_owned(), f64::from(*value))).collect()
}

fn card(lines: &str) -> Gpu {
    blind_gpu("rx6800", lines)
}

fn run(lines: &str) -> MeasuredRun {
    measure(&card(lines), &only(&CLASSES, &[]))
}

#[test]
fn latencies_and_rates_of_all_classes_are_found() {
    for Card { lines, cycles: wanted, latencies: late } in CARDS {
        let run = run(lines);
        found_again(&truth(wanted), &cycles(&run)).unwrap_or_else(|why| panic!("{lines}{why}"));
        found_again(&truth(late), &latencies(&run)).unwrap_or_else(|why| panic!("{lines}{why}"));
    }
}

#[test]
fn a_second_pass_is_found_in_waves_of_64_lanes() {
    let Card { lines, cycles: of_pass, latencies: late } = &CARDS[3];
    // The exceptions of gfx11, which this card has for one instruction: it takes one pass.
    let lines = format!("{lines}one_pass = [\"V_MUL_LO_U32\"]\n");
    let device = SimulatedDevice::new("sim:test", &card(&lines));
    let device = Chosen::in_waves_of(Box::new(device), 64).unwrap();
    let run = measure_on(&device, &only(&CLASSES, &[]));
    let (mut wanted, mut wanted_latencies) = (truth(*of_pass), truth(*late));
    for name in CLASSES.into_iter().filter(|name| *name != "V_MUL_LO_U32") {
        *wanted_latencies.get_mut(name).unwrap() += wanted[name];
        *wanted.get_mut(name).unwrap() *= 2.0;
    }
    found_again(&wanted, &cycles(&run)).unwrap();
    found_again(&wanted_latencies, &latencies(&run)).unwrap();
}

/// Instructions that also write a mask, by their cycles on a card whose DPFACTOR is 4: one, one, one, eight and four
/// cycles; and a compare, whose mask is all that it writes.
const BESIDE_MASKS: [&str; 6] =
    ["V_ADD_CO_U32", "V_SUB_CO_CI_U32", "V_DIV_SCALE_F32", "V_DIV_SCALE_F64", "V_MAD_*U64_U32", "V_CMP_LT_F32"];

/// The measured cycles of these on cards with this many masks in flight, this late; the card's own latency and wave size.
#[test]
fn latencies_with_masks_are_found_for_any_number_in_flight() {
    for (base, lanes) in [("rx5700xt", 32), ("rx6800", 64), ("rx7900xtx", 32), ("rx7900xtx", 64), ("rx9070xt", 32)] {
        for (latency, masks, mask_latency) in [(4, 3, 20), (7, 12, 3), (5, 3, 40)] {
            let lines = format!(
                "dp_factor = 4\n[pipelines]\nvector_latency_cycles = {latency}\nmasks_under_way = {masks}\nmask_latency_cycles = {mask_latency}\n"
            );
            let gpu = blind_gpu(base, &lines);
            let device = SimulatedDevice::new("sim:test", &gpu);
            let device = Chosen::in_waves_of(Box::new(device), lanes).unwrap();
            let run = measure_on(&device, &only(&BESIDE_MASKS, &[]));
            let mad =
                gpu.processor().instructions().find(|it| it.name.starts_with("V_MAD_") && it.name.ends_with("U64_U32"));
            let [add, sub, scale, scale_double, _, compare] = BESIDE_MASKS;
            let names = [add, sub, scale, scale_double, &mad.unwrap().name, compare];
            let passes = lanes / 32;
            let of_one_pass = [1, 1, 1, 8, 4, 1];
            let wanted = of_one_pass.map(|cycles| passes * cycles);
            let late = [0, 1, 2, 4].map(|place| latency + wanted[place] - 1);
            let late = [late[0], late[1], late[2], wanted[3] + 6, late[3]];
            let what = format!("{base} in waves of {lanes}: {lines}");
            found_again(&named(&names, &wanted), &cycles(&run)).unwrap_or_else(|why| panic!("{what}{why}"));
            found_again(&named(&names[..5], &late), &latencies(&run)).unwrap_or_else(|why| panic!("{what}{why}"));
        }
    }
}

#[test]
fn a_card_of_rdna_4_is_found_in_noise() {
    const LINES: &str = "dp_factor = 8\n[pipelines]\nvector_latency_cycles = 7\ntranscendental_cycles = 3\ntranscendental_latency_cycles = 12\nscalar_float_latency_cycles = 6\nmasks_under_way = 4\nmask_latency_cycles = 11\n";
    const NOISE: &str = "[noise]\nseed = 7\njitter_cycles = 3\noutlier_rate = 0.02\noutlier_cycles = 4000\n";
    const FURTHER: [&str; 5] = ["V_ADD_CO_CI_U32", "V_CMP_LT_F32", "S_FMAAK_F32", "V_ADD_F64", "V_DIV_SCALE_F64"];
    let names = [&CLASSES[..], &FURTHER[..]].concat();
    let (of_cycles, of_latencies) = ([1, 2, 4, 3, 16, 1, 1, 1, 16, 16], [7, 8, 10, 12, 22, 7, 0, 6, 22, 22]);
    let asked = only(&names, &[]);
    let quiet = measure(&blind_gpu("rx9070xt", LINES), &asked);
    let mut late = named(&names, &of_latencies);
    late.remove("V_CMP_LT_F32");
    found_again(&named(&names, &of_cycles), &cycles(&quiet)).unwrap();
    found_again(&late, &latencies(&quiet)).unwrap();
    assert_eq!(quiet.analysis.dpfactor.as_ref().unwrap().words(), "8");
    let run = measure(&blind_gpu("rx9070xt", &format!("{LINES}{NOISE}")), &asked);
    within_their_intervals(&named(&names, &of_cycles), &cycles(&run));
    within_their_intervals(&late, &latencies(&run));
    assert_eq!(run.analysis.dpfactor.as_ref().unwrap().words(), "8");
}

#[test]
fn dpfactor_is_found() {
    const NOISE: &str = "[noise]\nseed = 5\njitter_cycles = 4\noutlier_rate = 0.02\n";
    let wanted = [("8", "1/16", DpClass::Known), ("16", "1/32", DpClass::Known), ("32", "1/64", DpClass::New)];
    for (factor, rate, class) in wanted {
        for (base, noise) in [("rx6800", ""), ("rx6800", NOISE), ("rx7900xtx", "")] {
            let gpu = blind_gpu(base, &format!("dp_factor = {factor}\n{noise}"));
            let run = measure(&gpu, &only(&["V_*_F64*", "V_CVT_F64_*"], &[]));
            let found = run.analysis.dpfactor.as_ref().unwrap();
            assert_eq!((found.words().as_str(), found.dp_rate.as_str()), (factor, rate), "{base} {noise}{found:?}");
            assert_eq!((found.class, found.pairs_not_counted), (class, base == "rx7900xtx"), "{base} {noise}{found:?}");
            assert!(found.contradicting.is_empty() && found.agreeing >= 20, "{base} {noise}{found:?}");
        }
    }
}

#[test]
fn waves_of_64_lanes_get_no_dpfactor() {
    let device = SimulatedDevice::new("sim:test", &blind_gpu("rx6800", "dp_factor = 8\n"));
    let device = Chosen::in_waves_of(Box::new(device), 64).unwrap();
    let run = measure_on(&device, &only(&["V_*_F64*"], &[]));
    let said = run.analysis.dpfactor.as_ref().unwrap_err().to_string();
    assert!(said.contains("on RDNA in waves of 32 lanes"), "{said}");
}

#[test]
fn a_late_reading_moves_no_result() {
    let Card { lines, cycles: wanted, latencies: late } = &CARDS[1];
    let noise = "[noise]\nseed = 11\njitter_cycles = 3\noutlier_rate = 0.02\noutlier_cycles = 4000\n";
    let run = run(&format!("{lines}{noise}"));
    within_their_intervals(&truth(*wanted), &cycles(&run));
    within_their_intervals(&truth(*late), &latencies(&run));
}

fn within_their_intervals(truth: &BTreeMap<String, f64>, found: &Intervals) {
    for (name, truth) in truth {
        let [value, low, high] = found[name];
        let half = (high - low) / 2.0;
        // Three half-widths are six standard errors: no bad luck.
        assert!(
            (value - truth).abs() <= 3.0 * half + ROUNDING && half <= 1.0,
            "{name}: {truth}, {value} [{low}, {high}]"
        );
    }
}

/// Traces of gfx1151 and gfx1200 show that RDNA serves the oldest wave first. The waves of a launch then run one after the other: what the
/// unit does stays the same.
#[test]
fn throughputs_are_found_where_the_oldest_wave_is_served_first() {
    const NAMES: [&str; 13] = [
        "V_ADD_F32",
        "V_CMP_LT_F32",
        "V_CMP_LT_F64",
        "V_DIV_SCALE_F64",
        "V_EXP_F32",
        "V_FMA_F64",
        "V_MUL_LO_U32",
        "V_MAD_U64_U32",
        "V_READFIRSTLANE_B32",
        "S_ADD_U32",
        "S_GETREG_B32",
        "DS_LOAD_B32",
        "DS_ADD_U32",
    ];
    /// Waves that run at the end cannot keep the unit of these busy.
    const MANY: [&str; 5] = ["S_GETREG_B32", "V_CMP_LT_F32", "V_CMP_LT_F64", "V_DIV_SCALE_F64", "V_READFIRSTLANE_B32"];
    const NOISE: &str = "[noise]\nseed = 5\njitter_cycles = 6\noutlier_rate = 0.03\noutlier_cycles = 3000\n";
    let options = only(&NAMES, &[1, 2, 4, 8, 16]);
    for (card, noise) in [("rx7900xtx", ""), ("rx6800", ""), ("rx9070xt", NOISE)] {
        let oldest = format!("{noise}[scheduling]\noldest_first = {{ value = true, estimated = \"blind\" }}\n");
        let [fair, oldest] = ["", &oldest].map(|lines| throughputs(&measure(&blind_gpu(card, lines), &options)));
        assert!(fair.len() >= 10 && fair.keys().eq(oldest.keys()), "{card}: {fair:?} {oldest:?}");
        for (name, [value, ..]) in fair {
            let [found, low, high] = oldest[&name];
            assert!(low * 0.995 <= value && value <= high * 1.005, "{card}: {name}: {value}, {found} [{low}, {high}]");
            // One wave keeps the unit of the others busy, or two do at their own pace.
            if card == "rx7900xtx" && !MANY.contains(&name.as_str()) {
                assert!((found / value - 1.0).abs() < 0.03, "{name}: {value}, {found}");
            }
        }
    }
}
