//! The same run gives the same files, with any number of threads.

use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_tests::{blind_gpu, measure, only, part_of, without_times};

#[test]
fn the_same_run_gives_the_same_files_with_any_number_of_threads() {
    let noise = "base = \"vega10\"\n[noise]\nseed = 7\njitter_cycles = 5\noutlier_rate = 0.02\noutlier_cycles = 4000\n";
    let gpu = Gpu::from_toml(noise, "noisy.toml").unwrap();
    // More instructions than a batch has, so that the order of the batches counts; and all kinds of experiments.
    let patterns = ["V_*_F64", "V_*_F32", "S_A*", "S_LOAD_DWORDX16", "DS_READ_B32", "BUFFER_ATOMIC_ADD"];
    let options = MeasureOptions { suites: vec![Suite::All], ..only(&patterns, &[1, 3]) };
    let run_on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        without_times(pool.install(|| measure(&gpu, &options)).folder())
    };
    let once = run_on(1);
    for file in ["readings.csv", "TIMINGS.md", "variants.csv", "distributions.csv", "penalties.csv", "dpfactor.json"] {
        assert!(once.contains_key(file), "{:?}", once.keys());
    }
    for &threads in part_of(&[3, 1], 1, "the same number of threads again") {
        let again = run_on(threads);
        for (name, content) in &once {
            assert!(again[name] == *content, "{name} differs with {threads} threads");
        }
        assert_eq!(again.len(), once.len());
    }
}

#[test]
fn launches_that_are_simulated_once_have_the_readings_of_each() {
    // Noise that is too rare to disturb anything: with it, each launch is simulated.
    let noise = "[noise]\nseed = 1\noutlier_rate = 1e-18\noutlier_cycles = 1\n";
    let patterns = [
        "V_ADD_F*",
        "V_DUAL_ADD_F32*",
        "S_ADD*_U32",
        "S_MEM*TIME",
        "S_GETREG_B32",
        "DS_*_B32",
        "BUFFER_*_DWORD",
        "*MFMA*4X4*",
    ];
    let all = [
        "tahiti",
        "rx7900xtx",
        "mi300x",
        "rx9070xt",
        "hawaii",
        "fiji",
        "vega10",
        "mi100",
        "mi210",
        "rx5700xt",
        "rx6900xt",
    ];
    for gpu in part_of(&all, 2, "other generations") {
        let options = MeasureOptions { suites: vec![Suite::All], sweeps: 2, samples: 4, ..only(&patterns, &[1, 4]) };
        let [once, each] = ["", noise].map(|lines| without_times(measure(&blind_gpu(gpu, lines), &options).folder()));
        // The journal's checksums include the GPU's.
        for name in each.keys().filter(|name| name.ends_with(".csv") && *name != "journal.csv") {
            assert!(once[name] == each[name], "{gpu}: {name} differs");
        }
        assert!(once["readings.csv"].len() > 100_000, "{gpu}: {} bytes of readings", once["readings.csv"].len());
    }
}

#[test]
fn another_seed_gives_other_readings() {
    let run = |seed: u32| {
        let text = format!("base = \"fiji\"\n[noise]\nseed = {seed}\njitter_cycles = 3\n");
        let run = measure(&Gpu::from_toml(&text, "noisy.toml").unwrap(), &only(&["S_ADD_U32"], &[]));
        without_times(run.folder())["readings.csv"].clone()
    };
    assert_ne!(run(1), run(2));
}
