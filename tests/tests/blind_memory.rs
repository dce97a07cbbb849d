//! Facts of memory instructions and jumps that the harness cannot know: GLC, cycles of scalar loads and of jumps, latencies.
//! Each is found again and nothing else changes.

use std::collections::BTreeMap;

use gcn_analysis::{Distribution, Quantity, Verdict, csv_text};
use gcn_harness::device::SimulatedDevice;
use gcn_model::isa::{self, Encoding};
use gcn_model::published::{self, Expression};
use gcn_tests::{
    Intervals, MeasuredRun, ROUNDING, assert_others_unchanged, blind_gpu, cycles, found_again, latencies, measure,
    measure_on, only,
};

fn run(base: &str, lines: &str, patterns: &[&str]) -> MeasuredRun {
    measure(&blind_gpu(base, lines), &only(patterns, &[]))
}

/// The same numbers for all of these instructions.
fn all(names: &[&str], value: f64) -> BTreeMap<String, f64> {
    names.iter().map(|name| ((*name).to_owned(), value)).collect()
}

/// What GLC adds, by instruction.
fn with_glc(run: &MeasuredRun) -> Intervals {
    let rows = run.analysis.variants.iter().filter(|row| row.case == "glc" && row.quantity.0 == Quantity::Cycles);
    rows.filter_map(|row| Some((row.instruction.clone(), row.difference?.numbers()))).collect()
}

/// The criterion of GLC: the CLRX table's GLC1 and GLC2 come out as these numbers, from each instruction that prints them.
fn is_glc(run: &MeasuredRun, [one, two]: [f64; 2]) -> Result<(), String> {
    let found: Vec<_> = run.analysis.glc.iter().map(|glc| (glc.extra, glc.cycles.numbers())).collect();
    let [(1, first), (2, second)] = found[..] else { return Err(format!("{found:?}")) };
    for (truth, [value, low, high]) in [(one, first), (two, second)] {
        if (value - truth).abs() > ROUNDING || high - low > 0.5 {
            return Err(format!("GLC adds {truth}, found {value} [{low}, {high}]"));
        }
    }
    let page = published::source("clrx").unwrap();
    let (mut printed, found) = (0, with_glc(run));
    for (name, [value, ..]) in &found {
        let extra = match page.row(name, None).and_then(|row| row.cycles) {
            Some(Expression::Glc { extra: 1, .. }) => one,
            Some(Expression::Glc { extra: 2, .. }) => two,
            _ => continue,
        };
        printed += 1;
        if (value - extra).abs() > ROUNDING {
            return Err(format!("{name}: GLC adds {extra}, found {value}"));
        }
    }
    if printed > 20 { Ok(()) } else { Err(format!("only {printed} instructions")) }
}

#[test]
fn other_glc_cycles_are_found_and_nothing_else_changes() {
    let patterns = ["BUFFER_*", "TBUFFER_*", "S_LOAD_*", "DS_READ_*"];
    let base = run("hawaii", "", &patterns);
    let other = run("hawaii", "[vector_memory]\nglc1_cycles = 5\nglc2_cycles = 11\n", &patterns);
    is_glc(&base, [1.0, 2.0]).unwrap();
    is_glc(&other, [5.0, 11.0]).unwrap();
    is_glc(&base, [5.0, 11.0]).unwrap_err();
    is_glc(&other, [11.0, 5.0]).unwrap_err();
    assert_others_unchanged(&other, &base, &|_| false);
    // No other form changes, and none without a number of the CLRX table's.
    let others = |run: &MeasuredRun| {
        let text = csv_text(&run.analysis.variants);
        text.lines().filter(|line| !line.contains(",glc,")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(others(&other), others(&base));
    assert!(others(&base).len() > 100, "other forms were measured");
    // The published numbers with GLC, and those alone, are contradicted.
    let mut rows = other.analysis.validation.iter().filter(|row| row.source == "clrx" && row.asked);
    assert!(rows.all(|row| (row.verdict == Verdict::Mismatch) == (row.quantity == Quantity::GlcCycles)));
}

#[test]
fn other_jumps_are_found_and_nothing_else_changes() {
    const CONDITIONAL: [&str; 6] = [
        "S_CBRANCH_SCC0",
        "S_CBRANCH_SCC1",
        "S_CBRANCH_VCCZ",
        "S_CBRANCH_VCCNZ",
        "S_CBRANCH_EXECZ",
        "S_CBRANCH_EXECNZ",
    ];
    const ALWAYS: [&str; 4] = ["S_BRANCH", "S_SETPC_B64", "S_SWAPPC_B64", "S_CALL_B64"];
    let patterns = ["S_CBRANCH_*", "S_BRANCH", "S_SETPC_B64", "S_SWAPPC_B64", "S_CALL_B64", "S_NOP", "S_GETPC_B64"];
    let taken = |run: &MeasuredRun| -> Intervals {
        let rows = run.analysis.timings.iter();
        rows.filter_map(|row| Some((row.instruction.clone(), row.taken?.numbers()))).collect()
    };
    let backward = |run: &MeasuredRun| -> Intervals {
        let rows = run.analysis.variants.iter().filter(|row| row.case == "backward");
        rows.filter_map(|row| Some((row.instruction.clone(), row.cycles?.numbers()))).collect()
    };
    for base in ["tahiti", "vega10"] {
        let generation = blind_gpu(base, "").generation;
        let jumps: Vec<&str> = CONDITIONAL.into_iter().chain(ALWAYS).collect();
        let jumps: Vec<&str> = jumps.into_iter().filter(|name| isa::find(name, generation).is_some()).collect();
        let shipped = run(base, "", &patterns);
        let other = run(base, "[branch]\nnot_taken_cycles = 8\ntaken_cycles = 28\n", &patterns);
        for (run, not_taken_cycles, taken_cycles) in [(&shipped, 4.0, 20.0), (&other, 8.0, 28.0)] {
            found_again(&all(&CONDITIONAL, not_taken_cycles), &cycles(run)).unwrap();
            found_again(&all(&jumps, taken_cycles), &taken(run)).unwrap();
            found_again(&all(&jumps, taken_cycles), &backward(run)).unwrap();
        }
        found_again(&all(&CONDITIONAL, 8.0), &cycles(&shipped)).unwrap_err();
        found_again(&all(&jumps, 28.0), &taken(&shipped)).unwrap_err();
        found_again(&all(&jumps, 28.0), &backward(&shipped)).unwrap_err();
        let is_jump = |name: &str| jumps.contains(&name) || name.starts_with("S_CBRANCH_");
        assert_others_unchanged(&other, &shipped, &is_jump);
        assert!(other.analysis.timings.iter().any(|row| !is_jump(&row.instruction)), "{base}");
    }
}

/// The criterion of a distribution: these values, each about equally often, of at least this many samples.
fn is_spread(distribution: &Distribution, values: &[i64]) -> Result<(), String> {
    let found: Vec<i64> = distribution.values.iter().map(|(value, _)| *value).collect();
    // They come in turn, from the same one in each of the two launches: one more or less in each.
    let share = distribution.count() / values.len();
    let is_even = distribution.values.iter().all(|(_, count)| count.abs_diff(share) <= 2);
    if found == values && is_even && distribution.count() >= 18 { Ok(()) } else { Err(distribution.to_string()) }
}

#[test]
fn other_scalar_loads_are_found_and_nothing_else_changes() {
    const CHANGED: [(&str, f64); 6] = [
        ("S_LOAD_DWORD", 8.0),
        ("S_LOAD_DWORDX2", 12.0),
        ("S_LOAD_DWORDX4", 22.0),
        ("S_LOAD_DWORDX8", 28.0),
        ("S_BUFFER_LOAD_DWORD", 17.0),
        ("S_DCACHE_INV", 60.0),
    ];
    let patterns = ["S_LOAD_*", "S_BUFFER_LOAD_*", "S_DCACHE_INV*", "S_MEMTIME", "S_MOV_B32", "S_ADD_U32"];
    for base in ["tahiti", "fiji"] {
        let mut lines = "[cycles]\nS_LOAD_DWORDX16 = [16, 20, 24]\nS_BUFFER_LOAD_DWORDX16 = 20\n".to_owned();
        for (name, cycles) in CHANGED {
            lines += &format!("{name} = {cycles}\n");
        }
        // With all samples: the cycles of one execution are not those of the next.
        let [shipped, other] = ["", &lines].map(|lines| {
            measure_on(&SimulatedDevice::new("sim:loads", &blind_gpu(base, lines)), &only(&patterns, &[]))
        });
        let truth = CHANGED.map(|(name, cycles)| (name.to_owned(), cycles)).into();
        found_again(&truth, &cycles(&other)).unwrap();
        found_again(&truth, &cycles(&shipped)).unwrap_err();
        let is_changed = |name: &str| truth.contains_key(name) || name.ends_with("DWORDX16");
        assert_others_unchanged(&other, &shipped, &is_changed);

        let distribution = |run: &MeasuredRun, name: &str| {
            let mut rows = run.analysis.distributions.iter();
            rows.find(|row| row.instruction == name).cloned().unwrap_or_else(|| panic!("no distribution of {name}"))
        };
        let load = distribution(&other, "S_LOAD_DWORDX16");
        is_spread(&load, &[16, 20, 24]).unwrap_or_else(|found| panic!("{base}: {found}"));
        assert!(other.row("S_LOAD_DWORDX16").detail.contains("16 ×"), "{base}: {:?}", other.row("S_LOAD_DWORDX16"));
        // The mean alone says nothing of that: a load that always takes 20 has the same.
        let means = ["S_LOAD_DWORDX16", "S_BUFFER_LOAD_DWORDX16"].map(|name| cycles(&other)[name]);
        assert!((means[0][0] - 20.0).abs() < 0.5 && (means[1][0] - 20.0).abs() < ROUNDING, "{base}: {means:?}");
        is_spread(&distribution(&other, "S_BUFFER_LOAD_DWORDX16"), &[20]).unwrap();
        is_spread(&distribution(&other, "S_BUFFER_LOAD_DWORDX16"), &[16, 20, 24]).unwrap_err();
        is_spread(&distribution(&shipped, "S_LOAD_DWORDX16"), &[16, 20, 24]).unwrap_err();
    }
}

#[test]
fn other_latencies_are_found_and_nothing_else_changes() {
    let patterns = [
        "DS_*",
        "S_LOAD_*",
        "S_BUFFER_LOAD_*",
        "S_ATOMIC_*",
        "S_MEMTIME",
        "BUFFER_LOAD_*",
        "BUFFER_ATOMIC_*",
        "TBUFFER_*",
        "FLAT_*",
        "GLOBAL_*",
        "SCRATCH_*",
        "V_ADD_F32",
        "S_ADD_U32",
    ];
    let shipped = run("vega10", "", &patterns);
    let lines =
        "[lds]\nlatency_cycles = 91\n[scalar_memory]\nlatency_cycles = 150\n[vector_memory]\nlatency_cycles = 502\n";
    let other = run("vega10", lines, &patterns);
    let truth: BTreeMap<String, f64> = latencies(&shipped)
        .keys()
        .filter_map(|name| {
            let latency = match isa::find(name, isa::generation("gfx9"))?.encoding {
                Encoding::Ds => 91.0,
                Encoding::Smem if name != "S_MEMTIME" => 150.0,
                Encoding::Mubuf | Encoding::Mtbuf | Encoding::Flat => 502.0,
                _ => return None,
            };
            Some((name.clone(), latency))
        })
        .collect();
    assert!(truth.len() > 200, "{}", truth.len());
    found_again(&truth, &latencies(&other)).unwrap();
    found_again(&truth, &latencies(&shipped)).unwrap_err();
    let without = |run: &MeasuredRun| {
        let mut rows = run.analysis.timings.to_vec();
        rows.iter_mut().filter(|row| truth.contains_key(&row.instruction)).for_each(|row| row.latency = None);
        csv_text(&rows)
    };
    assert_eq!(without(&other), without(&shipped));
}
