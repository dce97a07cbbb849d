//! Shards of a run: merged, they are the run; other folders are refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use gcn_analysis::run::load_run_record;
use gcn_harness::device::SimulatedDevice;
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_harness::kernel::Templates;
use gcn_harness::run::{RunError, RunFolder, Silent, measure, merge};
use gcn_model::gpu::Gpu;
use gcn_model::record::{RunRecord, ShardRecord};
use gcn_tests::{NoisyRun, assembler, blind_gpu, files, forge_record, measure_on, only, without_times};
use tempfile::TempDir;

/// Readings so disturbed that some do not settle at first, and few enough that shards treat them as the whole run does: where much is
/// left, each asks of its own experiments whether one more round is worth it (docs/runs.md).
const NOISE: &str = "[noise]\nseed = 5\njitter_cycles = 40\noutlier_rate = 0.1\noutlier_cycles = 900\n";

fn options() -> MeasureOptions {
    let patterns = ["V_A*_F32", "V_M*_F64", "S_ADD_U32", "S_CBRANCH_SCC1", "DS_READ_B32", "S_SLEEP"];
    MeasureOptions { suites: vec![Suite::All], sweeps: 2, ..only(&patterns, &[1, 2]) }
}

fn shard(gpu: &Gpu, text: &str, options: MeasureOptions, folder: &Path) {
    let options = MeasureOptions { shard: Some(text.parse().unwrap()), ..options };
    let device = SimulatedDevice::new("sim:test", gpu);
    let mut run = RunFolder::create(folder).unwrap();
    let (templates, never) = (Templates::shipped().unwrap(), AtomicBool::new(false));
    measure(&device, assembler(), &templates, &options, &mut run, &never, &mut Silent).unwrap();
}

#[test]
fn four_shards_merged_are_the_whole_run() {
    let gpu = blind_gpu("fiji", NOISE);
    let whole = measure_on(&SimulatedDevice::new("sim:test", &gpu), &options());
    let folder = tempfile::tempdir().unwrap();
    let parts: Vec<PathBuf> = (1..=4).map(|index| folder.path().join(format!("part-{index}"))).collect();
    for (index, part) in (1..).zip(&parts) {
        shard(&gpu, &format!("{index}/4"), options(), part);
        // Each is a run of its own.
        let analysis = gcn_analysis::analyze(part).unwrap();
        assert!(analysis.record.end.is_some());
        let experiments = fs::read_to_string(part.join("experiments.csv")).unwrap();
        let all = fs::read_to_string(whole.folder().join("experiments.csv")).unwrap();
        let (found, all) = (experiments.lines().count(), all.lines().count());
        assert!(found > 5 && found < all, "{found} of {all}");
    }
    let out = folder.path().join("merged");
    // In any order.
    let shuffled: Vec<PathBuf> = [2, 0, 3, 1].map(|index| parts[index].clone()).to_vec();
    let record = merge(&shuffled, &out).unwrap();
    assert_eq!(record.shards.iter().map(|shard| shard.index).collect::<Vec<_>>(), [1, 2, 3, 4]);
    gcn_analysis::analyze(&out).unwrap().write(&out).unwrap();
    let again = files(whole.folder());
    let rounds = String::from_utf8(again["journal.csv"].clone()).unwrap();
    assert!(rounds.lines().any(|line| line.starts_with("2,")), "behind two sweeps something is measured again");
    let (mut expected, mut found) = (without_times(whole.folder()), without_times(&out));
    let run_json = |files: &mut std::collections::BTreeMap<String, Vec<u8>>| -> RunRecord {
        serde_json::from_slice(&files.remove("run.json").unwrap()).unwrap()
    };
    let (one, merged) = (run_json(&mut expected), run_json(&mut found));
    assert_eq!(RunRecord { shards: Vec::new(), ..merged }, one);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, content) in &expected {
        assert!(found[name] == *content, "{name} differs");
    }
    // And it is complete for a later resume.
    let mut run = RunFolder::resume(&out).unwrap();
    let (templates, never) = (Templates::shipped().unwrap(), AtomicBool::new(false));
    let device = SimulatedDevice::new("sim:test", &gpu);
    let measured = measure(&device, assembler(), &templates, &options(), &mut run, &never, &mut Silent).unwrap();
    assert_eq!(measured.spent.launches, 0);
}

/// What `merge` says of these shards: number, GPU, options.
fn refused(parts: &[(&str, &Gpu, MeasureOptions)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let parts: Vec<PathBuf> = (0..)
        .zip(parts)
        .map(|(index, (text, gpu, options))| {
            let path = folder.path().join(format!("part-{index}"));
            shard(gpu, text, options.clone(), &path);
            path
        })
        .collect();
    let out = folder.path().join("merged");
    let error = merge(&parts, &out).unwrap_err();
    assert!(matches!(error, RunError::Merge(_)), "{error}");
    assert!(!out.exists(), "{error}");
    error.to_string()
}

#[test]
fn shards_of_different_runs_are_refused() {
    let (fiji, noisy, tahiti) = (blind_gpu("fiji", ""), blind_gpu("fiji", NOISE), blind_gpu("tahiti", ""));
    let small = || only(&["V_ADD_F32", "V_MUL_F32", "V_ADD_F64"], &[1]);
    let others = || MeasureOptions { samples: 30, ..small() };
    for (parts, what) in [
        (vec![("1/2", &fiji, small())], vec!["shards are missing: 2/2"]),
        (vec![("1/2", &fiji, small()), ("1/2", &fiji, small())], vec!["shard 1/2 is given twice", "part-0", "part-1"]),
        (vec![("1/2", &fiji, small()), ("2/2", &noisy, small())], vec!["device.facts_sha256", "part-0", "part-1"]),
        (
            vec![("1/2", &fiji, small()), ("2/2", &tahiti, small())],
            vec!["device.generation is \"1.2\"", "device.facts_sha256"],
        ),
        (vec![("1/2", &fiji, small()), ("2/2", &fiji, others())], vec!["options.samples is 20", "30"]),
        (vec![("1/2", &fiji, small()), ("2/3", &fiji, small())], vec!["shards is 2", "and 3"]),
    ] {
        let error = refused(&parts);
        for part in what {
            assert!(error.contains(part), "{part}: {error}");
        }
    }
}

/// Two shards in a folder.
fn two() -> (TempDir, [PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let parts = ["1/2", "2/2"].map(|text| {
        let path = folder.path().join(text.replace('/', "-"));
        shard(&blind_gpu("fiji", ""), text, only(&["V_ADD_F32", "V_MUL_F32"], &[1]), &path);
        path
    });
    (folder, parts)
}

#[test]
fn shards_that_are_not_complete_damaged_or_of_other_tools_are_refused() {
    let (folder, parts) = two();
    let out = folder.path().join("merged");
    let path = parts[1].join("run.json");
    let record = load_run_record(&path).unwrap();
    let write = |record: &RunRecord| forge_record(&parts[1], record);
    let error = || merge(&parts, &out).unwrap_err().to_string();
    write(&RunRecord { tool: "gcn-timings 9.9.9".into(), ..record.clone() });
    assert!(error().contains("tool is \"gcn-timings 0.1.0\"") && error().contains("9.9.9"), "{}", error());
    let mut device = record.device.clone();
    device.driver = "another".into();
    write(&RunRecord { device, ..record.clone() });
    assert!(error().contains("device.driver"), "{}", error());
    let mut code_objects = record.code_objects.clone();
    code_objects[0].sha256 = "0".into();
    write(&RunRecord { code_objects, ..record.clone() });
    assert!(error().contains("code_objects[0].sha256"), "{}", error());
    write(&RunRecord { end: None, ..record.clone() });
    assert!(error().contains("shard 2/2 is incomplete") && error().contains("--resume"), "{}", error());
    write(&RunRecord { shard: None, ..record.clone() });
    assert!(error().contains("not a shard") && error().contains("2-2"), "{}", error());
    write(&record);
    let readings = parts[0].join("readings.csv");
    let text = fs::read_to_string(&readings).unwrap();
    fs::write(&readings, text.replacen(",0,0,", ",0,1,", 1)).unwrap();
    assert!(error().contains("readings.csv:"), "{}", error());
    fs::write(&readings, &text).unwrap();
    assert!(!out.exists());
    // Nothing is overwritten.
    fs::create_dir(&out).unwrap();
    fs::write(out.join("thesis.txt"), "x").unwrap();
    assert!(error().contains("not empty"), "{}", error());
    fs::remove_file(out.join("thesis.txt")).unwrap();
    merge(&parts, &out).unwrap();
}

/// Somebody wrote the record, with the right checksum.
#[test]
fn records_of_experiments_and_shards_that_cannot_be_are_refused() {
    let refused = |forge: fn(&mut ShardRecord)| {
        let folder = tempfile::tempdir().unwrap();
        let parts = NoisyRun::get().shards(2, folder.path());
        for part in &parts {
            let path = part.join("run.json");
            let mut record = load_run_record(&path).unwrap();
            forge(record.shard.as_mut().unwrap());
            forge_record(part, &record);
        }
        merge(&parts, &folder.path().join("whole")).unwrap_err().to_string()
    };
    let error = refused(|shard| shard.experiments += 1);
    assert!(error.contains("the shards do not have each experiment of the run once"), "{error}");
    let error = refused(|shard| shard.of = u32::MAX);
    assert!(error.contains("shards are missing: 3/4294967295, 4/") && error.ends_with(" and more"), "{error}");
}
