//! Every cell: product × wave size × mode × suite. The kernels of each are planned, rendered, assembled, decoded and looked through for hazards;
//! nothing is launched. Rows share the work if what the device says is the same but for its name and its target, of which generation and
//! features count: these decide which instructions and which hazards a target has.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use clap::ValueEnum;
use gcn_harness::device::{Device, DeviceInformation, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Plan, Suite};
use gcn_harness::kernel::{KernelPlan, Templates};
use gcn_harness::run::{ObjectSource, Refusal};
use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_model::published::disputes_of;
use gcn_tests::{Tier, assembler, compare_part};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Kernels of a code object, as in a run.
const KERNELS_PER_OBJECT: usize = 2048;

/// One of this many kernels is rendered to compare texts.
const RENDERED: usize = 50;

/// Products whose kernels the quick tests keep launchable: one of each family.
const FEW: [&str; 5] = ["tahiti", "vega10", "mi300x", "rx6800", "rx9070xt"];

/// A product in waves of one size and one mode.
struct Row {
    product: &'static str,
    information: DeviceInformation,
}

impl Row {
    /// Those of every product that ships.
    fn all() -> Vec<Self> {
        Gpu::shipped().flat_map(Self::of).collect()
    }

    fn of(product: &'static str) -> Vec<Self> {
        let gpu = Gpu::named(product).unwrap();
        let device = SimulatedDevice::new(&format!("sim:{product}"), &gpu);
        let sizes = device.information().generation.waves.sizes.iter();
        let sizes = sizes.map(|&lanes| device.information().in_waves_of(lanes).unwrap());
        let in_modes = |information: DeviceInformation| match information.generation.has_group_modes() {
            true => {
                [GroupMode::ComputeUnit, GroupMode::Processor].map(|mode| information.in_mode(mode).unwrap()).to_vec()
            }
            false => vec![information],
        };
        sizes.flat_map(in_modes).map(|information| Self { product, information }).collect()
    }

    fn mode(&self) -> &'static str {
        self.information.record.mode.map_or("", GroupMode::name)
    }

    /// What kernels and hazards hang on, but for the mode: generation, features and lanes.
    fn kind(&self) -> Kind {
        let processor = self.information.processor().expect("a target that is known");
        (processor.generation.name(), processor.features().to_vec(), self.information.lanes())
    }

    /// What its cells hang on: all that the device says but for names, and the questions that it has.
    fn says(&self) -> (Kind, String) {
        let DeviceInformation { compute_units, waves_per_simd, lds_bytes, .. } = &self.information;
        let DeviceInformation { lds_granule_bytes, lds_bytes_per_group, lds_request, .. } = &self.information;
        let numbers = [compute_units, waves_per_simd, lds_bytes, lds_granule_bytes, lds_bytes_per_group];
        let questions = disputes_of(self.information.generation, &self.information.target);
        let questions: Vec<&str> = questions.map(|question| question.number.as_str()).collect();
        (self.kind(), format!("{numbers:?} {lds_request:?} {} {questions:?}", self.mode()))
    }

    fn plan(&self, suite: Suite) -> Plan {
        let waves = MeasureOptions::waves_of(self.information.generation);
        let options = MeasureOptions { dangerous: true, suites: vec![suite], waves, ..MeasureOptions::default() };
        Plan::new(&self.information, &options)
    }
}

/// Generation, features and lanes.
type Kind = (&'static str, Vec<String>, u32);

/// Products in waves of one size and one mode that say the same.
struct Group {
    says: (Kind, String),
    products: Vec<&'static str>,
    lanes: u32,
    mode: &'static str,
    cells: Vec<String>,
}

impl Group {
    /// They differ in their mode alone.
    fn looks_like(&self, other: &Self) -> bool {
        self.products == other.products && self.lanes == other.lanes && self.cells == other.cells
    }
}

/// The suites that can be asked for by themselves.
fn suites() -> Vec<Suite> {
    Suite::value_variants().iter().copied().filter(|suite| *suite != Suite::All).collect()
}

/// Kernels of a target by name, each once: suites share some, and modes most.
type Kernels = HashMap<String, KernelPlan>;

/// Kernels that are not launched, by name: their timed code needs wait states, or LLVM does not take it for the target.
fn left_out(information: &DeviceInformation, kernels: Vec<KernelPlan>) -> BTreeSet<String> {
    let templates = Templates::shipped().unwrap();
    let refused = kernels.chunks(KERNELS_PER_OBJECT).flat_map(|kernels| {
        let object = assembler().object(information, &templates, kernels);
        object.unwrap_or_else(|error| panic!("{}: {error}", information.target_id)).1
    });
    let is_defect = |name: &str, refusal: &Refusal| match refusal {
        Refusal::Unsafe(_) => true,
        // Some atomics of gfx908 return nothing.
        Refusal::Line(_) => !name.ends_with("_glc"),
        Refusal::Unspaced(_) => false,
    };
    let (defects, left_out): (Vec<_>, Vec<_>) = refused.partition(|(name, refusal)| is_defect(name, refusal));
    let defects: Vec<String> = defects.iter().map(|(name, refusal)| format!("{name}: {refusal}")).collect();
    assert!(defects.is_empty(), "{}: {} kernels:\n{}", information.target_id, defects.len(), defects.join("\n"));
    left_out.into_iter().map(|(name, _)| name).collect()
}

/// Kernels of which the tier `most` assembles one. Runs of whole products assemble all of theirs.
const ASSEMBLED: usize = 8;

/// The groups of rows of one kind, each with the number of its first row; of new kernels one in `one_in` is assembled.
fn groups(rows: Vec<(usize, Row)>, one_in: usize) -> Vec<(usize, Group)> {
    let (mut known, mut refused) = (Kernels::new(), BTreeSet::new());
    let mut groups: Vec<(usize, Group)> = Vec::new();
    for (number, row) in rows {
        let says = row.says();
        let group = match groups.iter().position(|(_, group)| group.says == says) {
            Some(place) => &mut groups[place].1,
            None => {
                let plans: Vec<Plan> = suites().into_iter().map(|suite| row.plan(suite)).collect();
                refused.extend(left_out(
                    &row.information,
                    new_kernels(&plans, &mut known).into_iter().step_by(one_in).collect(),
                ));
                let cells = plans.iter().map(|plan| cell(plan, &refused)).collect();
                let (lanes, mode) = (row.information.lanes(), row.mode());
                groups.push((number, Group { says, products: Vec::new(), lanes, mode, cells }));
                &mut groups.last_mut().expect("it was added").1
            }
        };
        group.products.push(row.product);
    }
    groups
}

#[test]
fn the_kernels_of_every_cell_can_be_launched() {
    let mut kinds: HashMap<Kind, Vec<(usize, Row)>> = HashMap::new();
    let is_whole = Tier::All.runs("the kernels of all products but one of each family, and three of four of these");
    let rows = Row::all().into_iter().enumerate();
    for (number, row) in rows.filter(|(_, row)| is_whole || FEW.contains(&row.product)) {
        kinds.entry(row.kind()).or_default().push((number, row));
    }
    let kinds: Vec<_> = kinds.into_values().collect();
    let one_in = if is_whole { 1 } else { ASSEMBLED };
    let mut groups: Vec<(usize, Group)> = kinds.into_par_iter().flat_map_iter(|rows| groups(rows, one_in)).collect();
    groups.sort_by_key(|(number, _)| *number);
    let groups: Vec<Group> = groups.into_iter().map(|(_, group)| group).collect();
    let mut page = String::from("| products | lanes | mode |");
    suites().iter().for_each(|suite| write!(page, " {} |", name(*suite)).unwrap());
    page += "\n| --- | --- | --- |";
    suites().iter().for_each(|_| page += " --- |");
    page.push('\n');
    for row in groups.chunk_by(|one, other| one.looks_like(other)) {
        let modes: Vec<&str> = row.iter().map(|group| group.mode).collect();
        let Group { products, lanes, cells, .. } = &row[0];
        let [products, modes, cells] = [products.join(" "), modes.join(" "), cells.join(" | ")];
        writeln!(page, "| {products} | {lanes} | {modes} | {cells} |").unwrap();
    }
    if is_whole {
        compare_part("cells.md", "kernels", &page);
    }
}

/// Products of two generations that share the kernels of others: those that the tier `most` compares.
const FEW_SHARING: [&str; 2] = ["rx6900xt", "rx7700xt"];

/// Products share kernels rightly: the plans of the first and of each that shares with it are the same, and so are the texts of their
/// kernels, of which some are rendered.
#[test]
fn products_that_share_their_kernels_have_the_same_plans_and_texts() {
    let kernels = |row: &Row| [Suite::Quick, Suite::Occupancy].map(|suite| row.plan(suite).kernels);
    let mut groups: BTreeMap<_, Vec<Row>> = BTreeMap::new();
    Row::all().into_iter().for_each(|row| groups.entry(row.says()).or_default().push(row));
    groups.retain(|_, rows| rows.len() > 1);
    let sharing = |product: &str| groups.values().any(|rows| rows.iter().skip(1).any(|row| row.product == product));
    assert!(["rx6900xt", "rx7700xt", "phoenix"].into_iter().all(sharing));
    let is_whole = Tier::All.runs("products that share their kernels, but for two of two generations");
    let mut generations = BTreeSet::new();
    for mut rows in groups.into_values() {
        let is_asked = is_whole || rows.iter().any(|row| FEW_SHARING.contains(&row.product));
        if is_asked && generations.insert(rows[0].information.generation.name()) {
            rows.truncate(if is_whole { rows.len() } else { 2 });
        } else if !is_whole {
            continue;
        }
        let (first, others) = rows.split_first().expect("several rows");
        let theirs = kernels(first);
        for row in others {
            let ours = kernels(row);
            assert_eq!(ours, theirs, "{} and {}", row.product, first.product);
            let [ours, theirs] = [(row, &ours), (first, &theirs)].map(|(row, suites)| text(row, suites));
            assert!(ours == theirs, "{} and {}: {}", row.product, first.product, first_difference(&ours, &theirs));
        }
    }
}

/// The text of some kernels of each suite. Equal kernels have equal texts but for the target, which all texts have alike.
fn text(row: &Row, suites: &[Vec<KernelPlan>]) -> String {
    let DeviceInformation { target_id, generation, .. } = &row.information;
    let some: Vec<KernelPlan> = suites.iter().flat_map(|kernels| kernels.iter().step_by(RENDERED)).cloned().collect();
    let module = Templates::shipped().unwrap().module(target_id, *generation, &some).unwrap();
    module.kernels.iter().map(|kernel| kernel.text.as_str()).collect()
}

fn first_difference(ours: &str, theirs: &str) -> String {
    let lines = ours.lines().zip(theirs.lines());
    lines
        .filter(|(ours, theirs)| ours != theirs)
        .map(|(ours, theirs)| format!("`{ours}`, `{theirs}`"))
        .take(3)
        .collect()
}

/// The kernels of some plans that are not known yet, which they are from then on. The mode alone makes no other code.
fn new_kernels(plans: &[Plan], known: &mut Kernels) -> Vec<KernelPlan> {
    let mut new = Vec::new();
    for kernel in plans.iter().flat_map(|plan| &plan.kernels) {
        let is_known = |known: &KernelPlan| KernelPlan { mode: kernel.mode, ..known.clone() } == *kernel;
        if !known.get(&kernel.name).is_some_and(is_known) {
            known.insert(kernel.name.clone(), kernel.clone());
            new.push(kernel.clone());
        }
    }
    new
}

/// How many experiments a suite launches, and how many it cannot; without what all suites begin with.
fn cell(plan: &Plan, refused: &BTreeSet<String>) -> String {
    if plan.parts.is_empty() {
        return "–".into();
    }
    let launched = plan.experiments.iter().filter(|experiment| !experiment.launches.is_empty());
    let is_refused = |kernel: usize| refused.contains(&plan.kernels[kernel].name);
    let (refused, launched): (Vec<_>, Vec<_>) =
        launched.partition(|experiment| experiment.launches.iter().any(|launch| is_refused(launch.kernel)));
    match refused.len() {
        0 => launched.len().to_string(),
        refused => format!("{} ({refused})", launched.len()),
    }
}

fn name(suite: Suite) -> String {
    suite.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
