//! `TensileLibrary.dat` of rocBLAS: its kernels, and how fast each was for the sizes that AMD's tuning measured.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;

/// What is asked of the file (MessagePack); it has more.
#[derive(Deserialize)]
pub(super) struct Library {
    solutions: Vec<Solution>,
    library: Node,
}

/// A kernel.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Solution {
    index: u32,
    name: String,
    size_mapping: Sizes,
    problem_type: Types,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sizes {
    macro_tile: [u32; 3],
    /// Products that an iteration of the loop adds to each element of the result.
    depth_u: u64,
    global_split_u: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Types {
    a_type: String,
    c_type: String,
}

/// A step of the choice of a kernel: by hardware, by operation, by type, or by size.
#[derive(Deserialize)]
struct Node {
    #[serde(default)]
    rows: Vec<Row>,
    #[serde(default)]
    map: BTreeMap<String, Node>,
    #[serde(default)]
    table: Vec<Size>,
}

#[derive(Deserialize)]
struct Row {
    predicate: serde_json::Value,
    library: Node,
}

/// A size, the kernel that was the fastest for it, and its speed.
#[derive(Deserialize)]
struct Size {
    key: Vec<u64>,
    index: u32,
    #[serde(default)]
    speed: f64,
}

impl Node {
    /// Those of all its tables. For the other arithmetic of F16 the speeds are copies of the usual one's.
    fn sizes(&self) -> Vec<&Size> {
        let measured = self.rows.iter().filter(|row| !row.predicate.to_string().contains("Fp16AltImpl"));
        let below = measured.map(|row| &row.library).chain(self.map.values());
        self.table.iter().chain(below.flat_map(Self::sizes)).collect()
    }
}

/// A kernel at the size at which it was the fastest.
#[derive(Debug, Clone)]
pub(super) struct Tuned {
    pub(super) kernel: String,
    /// Types of the factors and of the result.
    pub(super) types: String,
    /// Per cent of the peak that the whole kernel reached.
    pub(super) measured: f64,
    /// Work-groups, and how many of them the results would fill.
    groups: u64,
    filled: f64,
}

impl Tuned {
    /// The share of the compute units' time that their work-groups take, each as long as all others.
    pub(super) fn fill(&self, compute_units: u32) -> f64 {
        self.filled / (f64::from(compute_units) * self.groups.div_ceil(compute_units.into()) as f64)
    }
}

impl Library {
    /// That of a folder.
    pub(super) fn read(folder: &Path) -> Self {
        let file = File::open(folder.join("TensileLibrary.dat")).unwrap();
        rmp_serde::from_read(BufReader::new(file)).unwrap()
    }
}

/// The kernels of a target that were measured at sizes that fill a card, by their names.
///
/// A speed is in GFLOPS, or per cent of the peak at the clock of the tuning (`convertToEfficiency.py` in ROCm/Tensile,
/// `tuning/scripts/provision_tuning.sh`). At these sizes all of the former are above 100; they are left out, because their clock is unknown.
pub(super) fn tuned(library: &Library, target: &str, compute_units: u32) -> Vec<Tuned> {
    const COUNT: &str = "CUCount";
    /// Of work-groups for each compute unit, and of iterations of the loop: with fewer, start and end of the kernel count.
    const FEWEST: [u64; 2] = [4, 128];
    let solutions: BTreeMap<u32, &Solution> = library.solutions.iter().map(|it| (it.index, it)).collect();
    // Where a card with other compute units has rows of its own, only the rows that name this card's number are about it.
    let names = |row: &&Row, what: &str| row.predicate.to_string().contains(what);
    let of_target: Vec<&Row> = library.library.rows.iter().filter(|row| names(row, &format!("{target:?}"))).collect();
    let is_counted = of_target.iter().any(|row| names(row, COUNT));
    let count = format!("{COUNT}\",\"value\":{compute_units}}}");
    let of_card = of_target.into_iter().filter(|row| !is_counted || names(row, &count));
    let mut found: BTreeMap<String, Tuned> = BTreeMap::new();
    for size in of_card.flat_map(|row| row.library.sizes()) {
        let Solution { name, size_mapping: sizes, problem_type: types, .. } = solutions[&size.index];
        let [m, n, batch, k] = match size.key[..] {
            [m, n, k] => [m, n, 1, k],
            [m, n, batch, k] => [m, n, batch, k],
            _ => continue,
        };
        let tile = [sizes.macro_tile[0], sizes.macro_tile[1]].map(u64::from);
        let groups = m.div_ceil(tile[0]) * n.div_ceil(tile[1]) * batch;
        let is_full = groups >= FEWEST[0] * u64::from(compute_units)
            && k / sizes.depth_u >= FEWEST[1]
            && sizes.global_split_u == 1;
        if !is_full || !(0.1..100.0).contains(&size.speed) {
            continue;
        }
        let tuned = Tuned {
            kernel: name.clone(),
            types: format!("{} → {}", types.a_type, types.c_type),
            measured: size.speed,
            groups,
            filled: (m * n * batch) as f64 / (tile[0] * tile[1]) as f64,
        };
        let best = found.entry(name.clone()).or_insert_with(|| tuned.clone());
        if best.measured < tuned.measured {
            *best = tuned;
        }
    }
    found.into_values().collect()
}
