//! Invented dual issue: GPU files made up here, with other times of pairs and of sources in one bank of registers, each
//! found again by an analysis that never sees them.

use gcn_analysis::{PairRow, Status};
use gcn_harness::device::{Chosen, Device, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Plan, Suite};
use gcn_harness::kernel::{Templates, check};
use gcn_model::decode::PairBreach;
use gcn_model::gpu::Gpu;
use gcn_tests::{MeasuredRun, assembler, blind_gpu, measure, measure_on, only};

/// One of each kind of operands: an addend, a literal after and between, two sources, one, and VCC.
const KINDS: [&str; 6] = [
    "V_DUAL_FMAC_F32",
    "V_DUAL_FMAAK_F32",
    "V_DUAL_FMAMK_F32",
    "V_DUAL_MUL_F32",
    "V_DUAL_MOV_B32",
    "V_DUAL_CNDMASK_B32",
];
/// Clocks that jitter, readings that come late.
const NOISE: &str = "[noise]\nseed = 7\njitter_cycles = 4\noutlier_rate = 0.01\noutlier_cycles = 3000\n";

fn pairs(names: &[&str]) -> MeasureOptions {
    MeasureOptions { suites: vec![Suite::Pairs], dangerous: true, ..only(names, &[]) }
}

fn run(product: &str, lines: &str) -> MeasuredRun {
    measure(&blind_gpu(product, lines), &pairs(&KINDS))
}

/// The whole number of a row, cycles or the excess over them.
fn whole(number: Option<gcn_analysis::Measured<gcn_model::quantity::Cycles>>, row: &PairRow) -> i64 {
    let [value, low, high] = number.unwrap_or_else(|| panic!("{row:?}")).numbers();
    assert!(high - low < 0.9 && (value - value.round()).abs() < 0.3, "{row:?}");
    value.round() as i64
}

/// Compares a run's finding with the cost of three sources in one bank.
fn assert_costs(run: &MeasuredRun, costs: [i64; 3]) {
    let rows = &run.analysis.pairs;
    let shared: Vec<&PairRow> = rows.iter().filter(|row| row.shared.is_some()).collect();
    let mut found = [0; 3];
    for row in &shared {
        assert_eq!(row.status, Status::Ok, "{row:?}");
        let place = row.shared.map(|shared| shared.place);
        let place = place.unwrap_or_else(|| panic!("{row:?}"));
        assert_eq!(whole(row.more, row), costs[place], "{row:?}");
        found[place] += 1;
    }
    // Six kinds by six; four by four have a second source; three read a third one that can be in one bank, one of them that can be the same.
    assert_eq!(found, [2 * 36, 2 * 16, 3 + 1]);
    for row in rows.iter().filter(|row| row.shared.is_none()) {
        assert_eq!((whole(row.cycles, row), whole(row.in_sequence, row), row.status), (1, 2, Status::Ok), "{row:?}");
    }
}

#[test]
fn the_cost_of_each_shared_bank_is_found() {
    let lines = "[pipelines]\npair_src0_bank_cycles = 1\npair_src1_bank_cycles = 2\npair_src2_bank_cycles = 3\n";
    assert_costs(&run("rx7900xtx", lines), [1, 2, 3]);
    assert_costs(&run("rx7900xtx", &format!("{lines}{NOISE}")), [1, 2, 3]);
}

#[test]
fn free_banks_are_reported_free() {
    let run = run("rx7900xtx", "[pipelines]\nregister_banks = 0\n");
    assert_costs(&run, [0; 3]);
    let page = gcn_analysis::page(&run.analysis);
    for line in [
        "* All 36 pairs take 1 cycle.",
        "* All 36 pairs take 2 cycles in sequence.",
        "* All 36 pairs cost nothing more: src0 in one bank.",
        "* All 16 pairs cost nothing more: src1 in one bank.",
        "* All 3 pairs cost nothing more: src2 in one bank.",
        "* The only pair costs nothing more: the same register as src2.",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
}

/// Where a bank is read once a cycle, and no cache has third sources. Half of the copies add to another bank than the addend is in; two
/// addends are always in one.
#[test]
fn banks_that_are_read_once_a_cycle_delay_third_sources_of_one_bank() {
    let run = run("rx7900xtx", "");
    let is_third = |row: &&PairRow| row.shared.is_some_and(|shared| shared.place == 2 && !shared.is_same_register);
    let more = run.analysis.pairs.iter().filter(is_third).map(|row| row.more.unwrap().numbers()[0]);
    assert_eq!(more.map(|cycles| (cycles * 10.0).round()).collect::<Vec<_>>(), [5.0, 5.0, 10.0]);
}

/// On RDNA 4 both may read one register as their first or second source, and two moves whatever they like.
#[test]
fn pairs_allowed_on_rdna_4_cost_nothing() {
    let lines = "[pipelines]\npair_src0_bank_cycles = 2\npair_src1_bank_cycles = 2\npair_src2_bank_cycles = 2\n";
    let run = run("rx9070xt", lines);
    let mut free = 0;
    for row in run.analysis.pairs.iter().filter(|row| row.shared.is_some()) {
        let are_moves = [&row.first, &row.second].iter().all(|name| *name == "V_DUAL_MOV_B32");
        let is_allowed = row.shared.is_some_and(|shared| shared.is_same_register && shared.place < 2) || are_moves;
        assert_eq!(whole(row.more, row), if is_allowed { 0 } else { 2 }, "{row:?}");
        free += usize::from(is_allowed);
    }
    assert_eq!(free, 36 + 16 + 1);
}

/// A pair takes as long as the longer of the two; whichever it is.
#[test]
fn pairs_of_two_cycles_are_found_among_those_of_one() {
    let run = run("rx7900xtx", &format!("[cycles]\nV_DUAL_MUL_F32 = 2\n{NOISE}"));
    let rows = &run.analysis.pairs;
    for row in rows.iter().filter(|row| row.shared.is_none()) {
        let is_long = [&row.first, &row.second].iter().any(|name| *name == "V_DUAL_MUL_F32");
        assert_eq!(whole(row.cycles, row), if is_long { 2 } else { 1 }, "{row:?}");
    }
    let page = gcn_analysis::page(&run.analysis);
    assert!(page.contains("* 25 of 36 pairs take 1 cycle; the others:"), "{page}");
    let columns = KINDS.map(|name| format!(" | {name}")).concat();
    assert!(page.contains(&format!("\nX \\ Y{columns}\n")), "{page}");
    assert!(page.contains("\nV_DUAL_FMAC_F32 |  |  |  | 2 |  |\n"), "{page}");
    assert!(page.contains("\nV_DUAL_MUL_F32 | 2 | 2 | 2 | 2 | 2 | 2\n"), "{page}");
}

/// Without `--dangerous` no pair that breaks a rule is launched, and the page says why.
#[test]
fn forbidden_pairs_are_launched_on_request_alone() {
    let options = MeasureOptions { dangerous: false, ..pairs(&KINDS) };
    for (product, allowed) in [("rx7900xtx", 0), ("rx9070xt", 36 + 16 + 1)] {
        let run = measure(&blind_gpu(product, ""), &options);
        let shared: Vec<&PairRow> = run.analysis.pairs.iter().filter(|row| row.shared.is_some()).collect();
        let (launched, left_out): (Vec<&PairRow>, Vec<&PairRow>) =
            shared.into_iter().partition(|row| row.status == Status::Ok);
        assert_eq!((launched.len(), launched.len() + left_out.len()), (allowed, 2 * 36 + 2 * 16 + 4), "{product}");
        assert!(left_out.iter().all(|row| row.status == Status::Skipped && row.detail.contains("--dangerous")));
        let page = gcn_analysis::page(&run.analysis);
        assert!(
            page.contains("* skipped: dangerous, launched with --dangerous only: the ISA manual forbids"),
            "{page}"
        );
        assert!(page.contains(&format!(": {} pairs\n", left_out.len())), "{page}");
    }
}

/// Pairs that break a rule are launched where the plan says that they break just this one.
#[test]
fn a_kernel_with_a_forbidden_pair_is_taken_only_as_it_was_planned() {
    let gpu = Gpu::named("rx7900xtx").expect("a card that ships");
    let device = SimulatedDevice::new("sim:test", &gpu);
    let plan = Plan::new(Device::information(&device), &pairs(&["V_DUAL_MUL_F32"]));
    let target = "gfx1100:wavefrontsize32+";
    let module = Templates::shipped().unwrap().module(target, gpu.generation, &plan.kernels).unwrap();
    let bytes = assembler().assemble(&module).unwrap();
    check(assembler(), &bytes, target, &plan.kernels).unwrap_or_else(|error| panic!("{error}"));
    let refused = |change: &dyn Fn(&mut Vec<PairBreach>)| {
        let mut kernels = plan.kernels.clone();
        kernels.iter_mut().for_each(|kernel| change(&mut kernel.snippet.breaches));
        check(assembler(), &bytes, target, &kernels).unwrap_err().to_string()
    };
    let error = refused(&Vec::clear);
    assert!(error.contains("breaks rules for pairs, [Bank { port: 0, same: false }], and [] were planned"), "{error}");
    let error = refused(&|breaches| breaches.iter_mut().for_each(|breach| *breach = PairBreach::Scalars));
    assert!(error.contains("and [Scalars] were planned"), "{error}");
    let error = refused(&|breaches| *breaches = vec![PairBreach::Overwritten]);
    assert!(error.contains("no pair breaks [Overwritten], as planned"), "{error}");
}

#[test]
fn every_pair_of_both_generations_is_measured() {
    for product in ["rx7900xtx", "rx9070xt"] {
        let gpu = Gpu::named(product).expect("a card that ships");
        let options = MeasureOptions { suites: vec![Suite::Pairs], ..only(&[], &[]) };
        let run = measure(&gpu, &options);
        let legal: Vec<&PairRow> = run.analysis.pairs.iter().filter(|row| row.shared.is_none()).collect();
        // Fourteen of the seventeen can be the first.
        assert_eq!(legal.len(), 14 * 17, "{product}");
        for row in legal {
            assert_eq!((row.status, whole(row.cycles, row)), (Status::Ok, 1), "{product}: {row:?}");
        }
        println!("{product}: {} rows", run.analysis.pairs.len());
    }
}

#[test]
fn waves_of_64_lanes_have_no_pairs_and_the_page_states_it() {
    let device = SimulatedDevice::new("sim:test", &blind_gpu("rx7900xtx", ""));
    let device = Chosen::in_waves_of(Box::new(device), 64).expect("RDNA has waves of both sizes");
    let options = MeasureOptions { suites: vec![Suite::Pairs, Suite::Disputed], ..only(&[], &[]) };
    let run = measure_on(&device, &options);
    assert_eq!(run.analysis.pairs, []);
    assert!(gcn_analysis::page(&run.analysis).contains("Waves of 64 lanes have no pairs of instructions (VOPD)."));
}
