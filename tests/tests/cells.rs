//! Every cell: product × wave size × mode × suite. The kernels of each are planned, rendered, assembled, decoded and looked through for hazards;
//! nothing is launched. Products share the work if their targets are of one generation and have the same features: these decide which
//! instructions and which hazards a target has.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::Path;

use clap::ValueEnum;
use gcn_harness::device::{Device, DeviceInformation, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Plan, Suite};
use gcn_harness::kernel::{KernelPlan, Templates};
use gcn_harness::run::{ObjectSource, Refusal};
use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_tests::{assembler, compare_cells};

/// Kernels of a code object, as in a run.
const KERNELS_PER_OBJECT: usize = 2048;

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
    fn kind(&self) -> (&'static str, String, u32) {
        let DeviceInformation { generation, target, .. } = &self.information;
        (generation.name(), features(generation.name(), target), self.information.lanes())
    }

    fn plan(&self, suite: Suite) -> Plan {
        let waves = MeasureOptions::waves_of(self.information.generation);
        let options = MeasureOptions { dangerous: true, suites: vec![suite], waves, ..MeasureOptions::default() };
        Plan::new(&self.information, &options)
    }
}

/// Features of a target, as its generation's `targets.csv` lists them.
fn features(generation: &str, target: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/data/generations").join(generation);
    let mut table = csv::Reader::from_path(folder.join("targets.csv")).unwrap();
    let mut rows = table.deserialize::<HashMap<String, String>>().map(Result::unwrap);
    rows.find(|row| row["target"] == target).unwrap_or_else(|| panic!("{target}"))["features"].clone()
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

#[test]
fn the_kernels_of_every_cell_can_be_launched() {
    let mut checked: HashMap<_, (Kernels, BTreeSet<String>)> = HashMap::new();
    let mut page = String::from("| product | target | lanes | mode |");
    suites().iter().for_each(|suite| write!(page, " {} |", name(*suite)).unwrap());
    page += "\n| --- | --- | --- | --- |";
    suites().iter().for_each(|_| page += " --- |");
    page.push('\n');
    for row in Row::all() {
        let plans: Vec<Plan> = suites().into_iter().map(|suite| row.plan(suite)).collect();
        let (known, refused) = checked.entry(row.kind()).or_default();
        refused.extend(left_out(&row.information, new_kernels(&plans, known)));
        let cells: Vec<String> = plans.iter().map(|plan| cell(plan, refused)).collect();
        let (target, mode) = (&row.information.target, row.mode());
        writeln!(page, "| {} | {target} | {} | {mode} | {} |", row.product, row.information.lanes(), cells.join(" | "))
            .unwrap();
    }
    compare_cells("kernels", &page);
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
