//! `docs/exports.md`: what each format has of each target, what it lacks, and why.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gcn_analysis::{Results, aco_text, export_json, llvm_text};
use gcn_model::gpu::Gpu;
use gcn_model::isa::{Generation, Processor};
use gcn_tests::{compare_part, gpus_with_results};
use serde_json::Value;

use super::reference;

/// The page.
const PAGE: &str = "exports.md";

/// The product whose run, which ships, stands for a target: one of the target, of one with its features, of a member, or of the generation.
fn product(processor: Processor) -> &'static str {
    let distance = |name: &&'static str| {
        let other = Gpu::named(name).unwrap().processor();
        let is_near = [
            other.name() == processor.name(),
            other.features() == processor.features(),
            other.runs(processor),
            other.generation == processor.generation,
        ];
        is_near.iter().position(|near| *near && other.generation == processor.generation)
    };
    let near = gpus_with_results().into_iter().filter_map(|name| Some((distance(&name)?, name)));
    near.min_by_key(|(distance, _)| *distance).expect("each generation has a run").1
}

/// Instructions or classes that lack something.
type Names = BTreeSet<String>;

/// The state of one target.
struct Target {
    processor: Processor,
    /// Its line of the first table, without its name.
    line: String,
    /// What it lacks: format, reason and names.
    lacks: Vec<(&'static str, String, Names)>,
}

impl Target {
    fn new(processor: Processor, run: &Results) -> Self {
        let product = product(processor);
        let mut run = run.clone();
        run.record.device.target = processor.name().to_owned();
        run.timings.retain(|row| processor.instruction(&row.instruction).is_some());
        let has_row = |name: &str| run.timings.iter().any(|row| row.instruction == name);
        let absent: Names =
            processor.instructions().map(|row| row.name.clone()).filter(|name| !has_row(name)).collect();
        let mut lacks = vec![("all", format!("not an instruction of {product}"), absent)];
        let mut without: BTreeMap<String, Names> = BTreeMap::new();
        for row in run.timings.iter().filter(|row| !row.has_number()) {
            without.entry(reason(&row.detail)).or_default().insert(row.instruction.clone());
        }
        lacks.extend(without.into_iter().map(|(why, names)| ("all", why, names)));
        let json = export_json(&run);
        let [writes, classes] = [&json["llvm"]["writes"], &json["aco"]].map(|list| list.as_array().expect("a table"));
        lacks.extend(of_classes("llvm", "write", writes));
        lacks.extend(of_classes("aco", "class", classes));
        let is_unnamed = |name: &String| processor.instruction(name).is_some_and(|row| row.llvm_mnemonic().is_none());
        let unnamed = run.timings.iter().map(|row| row.instruction.clone()).filter(is_unnamed).collect();
        lacks.push(("llvm", "LLVM has no name for it".to_owned(), unnamed));
        lacks.extend(of_no_class("llvm", &llvm_text(&run).unwrap(), "Of no SchedWrite: "));
        lacks.extend(of_no_class("aco", &aco_text(&run).unwrap(), "of no class of ACO: "));
        lacks.retain(|(.., names)| !names.is_empty());
        let rows = run.timings.len();
        let numbers = run.timings.iter().filter(|row| row.has_number()).count();
        let [whole_writes, whole_classes] =
            [writes, classes].map(|list| list.iter().filter(|class| why(class).is_none()).count());
        let model = json["llvm"]["model"].as_str().expect("a model");
        let line = format!(
            "{product} | {rows} | {numbers} | {model} | {} | {whole_writes} | {} | {whole_classes} |",
            writes.len(),
            classes.len()
        );
        Self { processor, line, lacks }
    }
}

/// A row's reason without the source and what follows it.
fn reason(detail: &str) -> String {
    detail.split([';', '(']).next().unwrap_or_default().trim().to_owned()
}

/// Why a class keeps the scheduler's numbers, or some of them; `None` where both are measured.
fn why(class: &Value) -> Option<&'static str> {
    let count = |numbers: &str| class[numbers].as_array().expect("candidates").len();
    match (class["instructions"].as_u64().expect("a number"), count("latency_cycles"), count("independent_cycles")) {
        (0, ..) => Some("no instruction of it"),
        (_, 0, 0) => Some("none of its instructions is measured"),
        (_, 1, 1) => None,
        (_, 0, _) => Some("no latency is measured"),
        (_, 1, _) => Some("its instructions differ in their cycles"),
        (_, _, 1) => Some("its instructions differ in their latency"),
        _ => Some("its instructions differ in their cycles and latency"),
    }
}

/// The classes of a scheduler that keep its numbers.
fn of_classes(format: &'static str, name: &str, classes: &[Value]) -> Vec<(&'static str, String, Names)> {
    let mut all: BTreeMap<&str, Names> = BTreeMap::new();
    for (class, why) in classes.iter().filter_map(|class| Some((class, why(class)?))) {
        all.entry(why).or_default().insert(class[name].as_str().expect("a name").to_owned());
    }
    all.into_iter().map(|(why, names)| (format, why.to_owned(), names)).collect()
}

/// What a text says of instructions that are of none of its classes.
fn of_no_class(format: &'static str, text: &str, says: &str) -> Option<(&'static str, String, Names)> {
    let (_, found) = text.split_once(says)?;
    let found = found.lines().next()?.trim_end_matches(" */").trim_end_matches('.');
    Some((format, "of no class".to_owned(), Names::from([found.to_owned()])))
}

/// Targets in few words: `gfx11*` is every target of a generation.
fn names(targets: &[Processor]) -> String {
    let of = |generation: Generation| {
        let these: Vec<&str> =
            targets.iter().filter(|target| target.generation == generation).map(|target| target.name()).collect();
        let all = Processor::of(generation).count();
        if all > 1 && these.len() == all {
            vec![format!("{}\\*", generation.name())]
        } else {
            these.into_iter().map(str::to_owned).collect()
        }
    };
    Generation::all().into_iter().flat_map(of).collect::<Vec<_>>().join(" ")
}

/// The names, or how many there are and the first.
fn shown(names: &Names) -> String {
    let first: Vec<&str> = names.iter().take(4).map(String::as_str).collect();
    let all = first.join(", ");
    if names.len() > first.len() && names.iter().all(|name| name.starts_with(char::is_uppercase) && name.contains('_'))
    {
        return format!("{}: {}, {}, …", names.len(), first[0], first[1]);
    }
    if names.len() > first.len() { names.iter().map(String::as_str).collect::<Vec<_>>().join(", ") } else { all }
}

/// Rows with the same words, each with its targets, in the order of their first.
fn grouped<Words: PartialEq>(rows: impl Iterator<Item = (Words, Processor)>) -> Vec<(Words, Vec<Processor>)> {
    let mut groups: Vec<(Words, Vec<Processor>)> = Vec::new();
    for (words, target) in rows {
        match groups.iter_mut().find(|(known, _)| *known == words) {
            Some((_, targets)) => targets.push(target),
            None => groups.push((words, vec![target])),
        }
    }
    groups
}

#[test]
fn the_page_says_what_each_format_has_of_each_target() {
    let mut runs: HashMap<&str, Results> = HashMap::new();
    let targets: Vec<Target> = Processor::all()
        .filter(|processor| Gpu::is_known_of(processor.generation))
        .map(|processor| {
            Target::new(processor, runs.entry(product(processor)).or_insert_with_key(|name| reference(name)))
        })
        .collect();
    let mut table = "| targets | run of | rows | with a number | LLVM's model | SchedWrites | measured | ACO's classes | measured |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n".to_owned();
    for (line, targets) in grouped(targets.iter().map(|target| (&target.line, target.processor))) {
        table += &format!("| {} | {line}\n", names(&targets));
    }
    compare_part(PAGE, "targets", &table);
    let lacks = targets.iter().flat_map(|target| target.lacks.iter().map(|lack| (lack, target.processor)));
    let mut table = "| format | lacks | why | targets |\n| --- | --- | --- | --- |\n".to_owned();
    let mut lacks = grouped(lacks);
    lacks.sort_by(|((one, why, _), _), ((other, because, _), _)| (one, why).cmp(&(other, because)));
    for ((format, why, lacking), targets) in lacks {
        table += &format!("| {format} | {} | {why} | {} |\n", shown(lacking), names(&targets));
    }
    compare_part(PAGE, "lacks", &table);
}
