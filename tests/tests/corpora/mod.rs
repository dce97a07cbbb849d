//! Foreign kernels: every one of two libraries of ROCm is predicted, or refused with a reason, and the counts
//! are those that docs/predict-corpora.md states.
//!
//! `GCN_TIMINGS_CORPORA` names a folder with the unpacked packages (docs/predict-corpora.md says how to fill it). Another version of a
//! package has other kernels, so it counts as none.

mod counts;
mod library;
mod table;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use gcn_model::gpu::Gpu;
use gcn_tests::UPDATE;

use counts::Counts;
use library::{Library, descriptors};

/// The folder with the unpacked packages.
const FOLDER: &str = "GCN_TIMINGS_CORPORA";
/// Whether everything is counted, not only the default part: the large library takes five minutes a target.
const WHOLE: &str = "GCN_TIMINGS_WHOLE_CORPORA";
/// Of the large library each run counts one kernel of so many.
const OF_EACH_RUN: usize = 32;
/// One GPU of each target: products differ in their rates only.
const GPUS: [&str; 3] = ["fiji", "vega10", "vega20"];

fn docs(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(file)
}

/// The rows of a library, by target; targets that are not counted keep their published row.
fn rows(library: &Library, folder: &Path, published: &str) -> String {
    let (file, bundles) = library.open(folder);
    let is_whole = env::var_os(WHOLE).is_some() || env::var_os(UPDATE).is_some();
    let of_target = |target: &&str| {
        let kernels = descriptors(&file, &bundles, target);
        let processor = target.split(':').next();
        let gpu = GPUS.into_iter().map(|gpu| Gpu::named(gpu).unwrap());
        let Some(gpu) = gpu.into_iter().find(|gpu| Some(gpu.processor().name()) == processor) else {
            return table::row_without_gpu(library, target, kernels);
        };
        let functions = library.functions(folder, &gpu);
        assert_eq!(functions.len(), kernels, "{}, {target}: functions, and descriptors of kernels", library.package);
        let row = |each: usize| {
            let counts = Counts::of(&gpu, functions.iter().step_by(each));
            table::row(library, target, &gpu.name, (each, &counts))
        };
        let part = if library.is_large { row(OF_EACH_RUN) } else { String::new() };
        let published = table::whole_row_of(published, library, target, kernels);
        match published.filter(|_| library.is_large && !is_whole) {
            Some(whole) => {
                println!("NOT COUNTED: {}, {target}: {WHOLE} is not set", library.package);
                whole + &part
            }
            None => row(1) + &part,
        }
    };
    bundles.targets().iter().map(of_target).collect()
}

#[test]
fn every_kernel_of_the_libraries_is_predicted_or_refused_as_counted() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else {
        println!("SKIPPED: {FOLDER} is not set (docs/predict-corpora.md says to what)");
        return;
    };
    for library in &Library::ALL {
        let path = library.path(&folder);
        assert!(path.is_file(), "{FOLDER} is set, and {} is not there", path.display());
    }
    let file = docs("predict-corpora.csv");
    let before = fs::read_to_string(&file).unwrap();
    let counted: String = Library::ALL.iter().map(|library| rows(library, &folder, &before)).collect();
    let counted = table::heading() + &counted;
    if env::var_os(UPDATE).is_some() {
        fs::write(&file, &counted).unwrap();
    }
    let published = fs::read_to_string(&file).unwrap();
    assert!(
        published == counted,
        "docs/predict-corpora.csv is not what is counted:\n{counted}\nIf that is meant, run the test with {UPDATE}=1, bring the page in line \
         and commit."
    );
}

#[test]
fn the_table_of_the_page_has_the_counts_of_the_file() {
    let table = table::of_page(&fs::read_to_string(docs("predict-corpora.csv")).unwrap());
    let page = fs::read_to_string(docs("predict-corpora.md")).unwrap();
    assert!(page.contains(&table), "docs/predict-corpora.md should have this table:\n{table}");
}
