//! Every shipped product, measured whole (quickly, where another one has the same facts), and every command on its run: exit code 0, something printed, and no word of another family.
//!
//! It takes minutes: `GCN_TIMINGS_TESTS=all` runs it, and `CI_TIER=all .ci/run` sets that. `GCN_TIMINGS_CELLS=tahiti,mi300x` runs these products alone.

mod command;
mod family;
#[path = "../../../tests/src/generated_page.rs"]
pub mod page;
#[path = "../../../tests/src/published_results.rs"]
pub mod published_results;
#[path = "../../../tests/src/tier.rs"]
pub mod tier;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use command::{COMMANDS, Command, Ended};
use family::Family;
use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;
use page::{compare_part, part};
use published_results::{compare_with_published, is_published};
use tier::Tier;

/// Lines of the table before its rows.
const HEADING_LINES: usize = 2;

/// Products that are tried alone, by name.
const PRODUCTS: &str = "GCN_TIMINGS_CELLS";

/// The product before it, of a target with the same features, whose facts are the same but for those that no measurement depends on: its run would be the same.
fn alike(name: &str) -> Option<&'static str> {
    let gpu = Gpu::named(name).unwrap();
    let processor = |gpu: &Gpu| Processor::find(&gpu.gfx_target).expect("a target that is known");
    let is_same = |other: &&str| {
        let other = Gpu::named(other).unwrap();
        let [one, two] = [processor(&gpu), processor(&other)];
        let are_alike = one.generation == two.generation && one.features() == two.features();
        let named = Gpu {
            name: gpu.name.clone(),
            product: gpu.product.clone(),
            gfx_target: gpu.gfx_target.clone(),
            compute_units: gpu.compute_units,
            shader_engines: gpu.shader_engines,
            clock: gpu.clock.clone(),
            memory: gpu.memory.clone(),
            origins: gpu.origins.clone(),
            ..other
        };
        are_alike && named == gpu
    };
    Gpu::shipped().take_while(|other| *other != name).find(is_same)
}

/// A product whose run lies in a folder.
struct Product {
    gpu: Gpu,
    run: PathBuf,
}

#[test]
fn every_command_works_on_a_whole_run_of_every_product() {
    let alone = std::env::var(PRODUCTS).ok();
    if alone.is_none() && !Tier::All.runs(&format!("whole runs of {} products", Gpu::shipped().count())) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut wrong, mut rows) = (Vec::new(), BTreeMap::new());
    let mut before: Option<Product> = None;
    let is_chosen = |name: &&str| alone.as_ref().is_none_or(|names| names.split(',').any(|chosen| chosen == *name));
    for name in Gpu::shipped().filter(is_chosen) {
        let gpu = Gpu::named(name).unwrap();
        let product = Product { run: folder.path().join(name), gpu };
        let other = before.as_ref().map_or(Path::new("shipped:tahiti"), |product| &product.run);
        let (row, problems) = tried(name, &product, other, folder.path());
        wrong.extend(problems);
        println!("{name} | {row}");
        rows.insert(name, row);
        if let Some(before) = before.replace(product) {
            std::fs::remove_dir_all(before.run).unwrap();
        }
    }
    // Results of products that were not chosen stay as they are.
    let page = part("cells.md", "commands");
    let stored: HashMap<&str, &str> = page.lines().skip(HEADING_LINES).flat_map(row_of_page).collect();
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for name in Gpu::shipped() {
        let Some(result) = rows.get(name).map(String::as_str).or_else(|| stored.get(name).copied()) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == result) {
            Some((_, products)) => products.push(name),
            None => groups.push((result, vec![name])),
        }
    }
    let groups = groups.iter().map(|(result, products)| format!("| {} | {result}\n", products.join(" ")));
    compare_part("cells.md", "commands", &(heading() + &groups.collect::<String>()));
    assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), wrong.join("\n"));
}

fn heading() -> String {
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    format!("| products | measure | {} |\n| --- | --- | --- |\n", names.join(", "))
}

/// The products of a row of the page, each with the row's result.
fn row_of_page(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let (products, result) = line.trim_start_matches("| ").split_once(" | ").unwrap_or_default();
    products.split(' ').map(move |product| (product, result))
}

/// Measures a product and runs every command on its run: the product's row, and the problems.
fn tried(name: &str, product: &Product, other: &Path, scratch: &Path) -> (String, Vec<String>) {
    let alike = alike(name).filter(|_| !is_published(name));
    let family = Family::of(&product.gpu);
    let measured = command::measure(name, &product.run, alike.is_some());
    let mut wrong: Vec<String> =
        measured.problems(family).map(|problem| format!("{name}: measure: {problem}")).collect();
    if alike.is_none() {
        compare_with_published(name, &product.run);
    }
    let how = alike.map_or("ok".to_owned(), |other| format!("quick, as {other}"));
    let mut failed = Vec::new();
    for (command, ended) in COMMANDS.iter().zip(each(product, other, scratch)) {
        wrong.extend(ended.problems(family).map(|problem| format!("{name}: {}: {problem}", command.name)));
        failed.extend((!ended.succeeded()).then_some(command.name));
    }
    let how = if measured.code == Some(0) { &how } else { "fails" };
    let commands = if failed.is_empty() { "all ok".to_owned() } else { format!("fail: {}", failed.join(", ")) };
    (format!("{how} | {commands} |"), wrong)
}

/// All commands on a run, as many at once as there are processors; the first one of a run derives its tables.
fn each(product: &Product, other: &Path, scratch: &Path) -> Vec<Ended> {
    let (next, ended) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(command) = COMMANDS.get(next.fetch_add(1, Ordering::Relaxed)) {
            let place = next.load(Ordering::Relaxed);
            let found = Command::run(command, &product.run, other, scratch);
            ended.lock().unwrap().push((place, command.name, found));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut ended = ended.into_inner().unwrap();
    COMMANDS
        .iter()
        .map(|command| {
            let at = ended.iter().position(|(_, name, _)| *name == command.name).expect("it ran");
            ended.swap_remove(at).2
        })
        .collect()
}
