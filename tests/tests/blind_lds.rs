//! LDS facts that the harness cannot know: other buses, other banks, other times of single instructions. Their effect
//! is worked out here from the bus model's sentences (docs/facts.md §3.2), not with the model's own code.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use gcn_analysis::Verdict;
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::record::StrideCase;
use gcn_tests::{
    MeasuredRun, assert_others_unchanged, blind_gpu, cycles, found_again, measure, only, quick, throughputs,
};

/// Instruction; dwords of a lane that are sent in (the address among them), come back, and are accessed.
const MOVES: [(&str, u32, u32, u32); 14] = [
    ("DS_READ_B32", 1, 1, 1),
    ("DS_READ_B64", 1, 2, 2),
    ("DS_READ_B128", 1, 4, 4),
    ("DS_READ2_B32", 1, 2, 2),
    ("DS_READ2_B64", 1, 4, 4),
    ("DS_READ_U8", 1, 1, 1),
    ("DS_WRITE_B32", 2, 0, 1),
    ("DS_WRITE_B128", 5, 0, 4),
    ("DS_WRITE2_B32", 3, 0, 2),
    ("DS_ADD_U32", 2, 0, 1),
    ("DS_ADD_RTN_U32", 2, 1, 1),
    ("DS_ADD_U64", 3, 0, 2),
    ("DS_CMPST_B32", 3, 0, 1),
    ("DS_CMPST_RTN_B64", 5, 2, 2),
];

/// All LDS instructions, and some that have nothing to do with LDS.
const MEASURED: [&str; 4] = ["DS_*", "V_ADD_F32", "BUFFER_LOAD_DWORD", "S_LOAD_DWORD"];

fn run(lines: &str) -> MeasuredRun {
    measure(&blind_gpu("hawaii", lines), &only(&MEASURED, &[2]))
}

/// Hawaii as it ships.
fn hawaii() -> &'static MeasuredRun {
    static RUN: OnceLock<MeasuredRun> = OnceLock::new();
    RUN.get_or_init(|| run(""))
}

/// Cycles and throughput of all of [`MOVES`] with a bus of this many bytes a cycle for each of two pairs, and a number of banks: 64
/// lanes' dwords over the bus, in and out; the banks after both buses give a dword each in a cycle.
fn moved(run: &MeasuredRun, bus_bytes: u32, banks: u32) -> Result<(), String> {
    let (mut all_cycles, mut all_throughputs) = (BTreeMap::new(), BTreeMap::new());
    for (name, into, out, accessed) in MOVES {
        let bus = f64::from(64 * 4 * into.max(out)) / f64::from(bus_bytes);
        let bus = bus.max(4.0);
        let array = f64::from(64 / banks * accessed);
        all_cycles.insert(name.to_owned(), bus.max(array));
        all_throughputs.insert(name.to_owned(), (2.0 / bus).min(1.0 / array));
    }
    found_again(&all_cycles, &cycles(run))?;
    found_again(&all_throughputs, &throughputs(run))
}

#[test]
fn other_buses_and_banks_are_found_and_nothing_else_changes() {
    moved(hawaii(), 64, 32).unwrap();
    for (lines, bus_bytes, banks) in
        [("[lds]\nbus_bytes = 32\n", 32, 32), ("[lds]\nbus_bytes = 128\n", 128, 32), ("[lds]\nbanks = 16\n", 64, 16)]
    {
        let run = run(lines);
        moved(&run, bus_bytes, banks).unwrap_or_else(|why| panic!("{lines}{why}"));
        assert_others_unchanged(&run, hawaii(), &|name| name.starts_with("DS_"));
        // The results of a bus of another width or other banks do not pass, nor does the GPU as it ships.
        moved(&run, 64, 32).unwrap_err();
        moved(hawaii(), bus_bytes, banks).unwrap_err();
    }
}

#[test]
fn other_times_of_single_lds_instructions_are_found_and_nothing_else_changes() {
    const LINES: &str = "[cycles]\nDS_WRITE_B32 = 24\nDS_READ_B64 = 40\nDS_MAX_RTN_F32 = 22\n\
                         [throughput]\nDS_ADD_U32 = 0.2\nDS_READ_B32 = \"1/6\"\n";
    // With cycles alone the bus is held for them: a throughput of 2 / cycles. With throughput alone the cycles stay.
    let truth = |values: &[(&str, f64)]| values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let all_cycles = truth(&[("DS_WRITE_B32", 24.0), ("DS_READ_B64", 40.0), ("DS_MAX_RTN_F32", 22.0)]);
    let all_throughputs = truth(&[
        ("DS_WRITE_B32", 1.0 / 12.0),
        ("DS_READ_B64", 0.05),
        ("DS_MAX_RTN_F32", 1.0 / 11.0),
        ("DS_ADD_U32", 0.2),
        ("DS_READ_B32", 1.0 / 6.0),
    ]);
    let run = run(LINES);
    found_again(&all_cycles, &cycles(&run)).unwrap();
    found_again(&all_throughputs, &throughputs(&run)).unwrap();
    assert_others_unchanged(&run, hawaii(), &|name| all_throughputs.contains_key(name));
    for name in ["DS_ADD_U32", "DS_READ_B32"] {
        assert_eq!(cycles(&run)[name], cycles(hawaii())[name], "{name}");
    }
    found_again(&all_cycles, &cycles(hawaii())).unwrap_err();
    found_again(&all_throughputs, &throughputs(hawaii())).unwrap_err();
}

/// Strides whose lanes meet 1, 2, 4, … 32-fold in one of 32 banks.
const WAYS: [u32; 6] = [1, 2, 4, 8, 16, 32];

fn sweep(base: &str, lines: &str) -> MeasuredRun {
    let options = MeasureOptions { suites: vec![Suite::Lds], ..quick(&[]) };
    measure(&blind_gpu(base, lines), &options)
}

/// Cycles of the array for 64 lanes that read a dword each, `stride` dwords apart: a pass serves as many lanes as there are banks
/// and takes as many cycles as the most distinct dwords in one bank.
fn array_cycles(stride: usize, banks: usize) -> usize {
    let lanes: Vec<usize> = (0..64).collect();
    let worst = |pass: &[usize]| {
        let mut dwords = vec![Vec::new(); banks];
        for lane in pass {
            let dword = lane * stride;
            if !dwords[dword % banks].contains(&dword) {
                dwords[dword % banks].push(dword);
            }
        }
        dwords.iter().map(Vec::len).max().unwrap()
    };
    lanes.chunks(banks).map(worst).sum()
}

/// Every stride of the sweep costs as the arithmetic says; gives the strides.
fn strides(run: &MeasuredRun, banks: usize) -> Result<Vec<u32>, String> {
    let mut strides = Vec::new();
    for row in &run.analysis.throughputs {
        let stride: u32 = StrideCase::read(&row.case).ok_or("a case that is no stride")?.0;
        // Two buses take a dword's address of 64 lanes each in 4 cycles: no more than 1/2, whatever the banks do.
        let cost = (array_cycles(stride as usize, banks) as f64).max(2.0);
        let truth = BTreeMap::from([(row.case.clone(), 1.0 / cost)]);
        let found = row.throughput.ok_or_else(|| format!("{}: {}", row.case, row.detail))?.numbers();
        found_again(&truth, &BTreeMap::from([(row.case.clone(), found)]))?;
        strides.push(stride);
    }
    Ok(strides)
}

#[test]
fn strides_cost_by_bank_arithmetic() {
    // The arithmetic itself, where it can be seen at a glance.
    assert_eq!(WAYS.map(|stride| array_cycles(stride as usize, 32)), [2, 4, 8, 16, 32, 64]);
    assert_eq!([3, 33, 24].map(|stride| array_cycles(stride, 32)), [2, 2, 16]);
    assert_eq!([1, 2, 16, 32].map(|stride| array_cycles(stride, 16)), [4, 8, 64, 64]);

    for (base, lines, banks) in [("tahiti", "", 32), ("vega10", "", 32), ("hawaii", "[lds]\nbanks = 16\n", 16)] {
        let run = sweep(base, lines);
        let swept = strides(&run, banks).unwrap_or_else(|why| panic!("{base}: {why}"));
        assert!(WAYS.iter().all(|stride| swept.contains(stride)) && swept.len() > 12, "{base}: {swept:?}");
        strides(&run, 48 - banks).unwrap_err();
        let found = run.analysis.lds_banks.as_ref().unwrap();
        assert_eq!(found.banks, Some(banks as u32), "{base}: {found}");
        assert_eq!(found.verdict, if banks == 32 { Verdict::Match } else { Verdict::Mismatch }, "{base}");
        for row in &run.analysis.penalties {
            let stride = row.offset_dwords.unwrap() as usize;
            let more = array_cycles(stride, banks) - array_cycles(1, banks);
            let [value, ..] = row.penalty.unwrap().numbers();
            assert!((value - more as f64).abs() < 0.02 * more as f64 + 0.05, "{base}: {row:?}, {more} expected");
        }
    }
}
