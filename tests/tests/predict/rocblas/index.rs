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

impl Types {
    /// Bytes of an element of a factor.
    fn factor_bytes(&self) -> u64 {
        match self.a_type.as_str() {
            "Int8" => 1,
            "Half" | "BFloat16" => 2,
            "Float" | "Int8x4" => 4,
            "Double" | "ComplexFloat" => 8,
            "ComplexDouble" => 16,
            other => panic!("no size of {other}"),
        }
    }
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

/// A kernel at two sizes that differ only in how often it goes through its loop.
#[derive(Debug, Clone)]
pub(super) struct Tuned {
    pub(super) kernel: String,
    /// Types of the factors and of the result.
    pub(super) types: String,
    /// Work-groups.
    pub(super) groups: u64,
    /// Share of their tiles that lies in the result: those at its edges compute more.
    pub(super) wanted: f64,
    /// Bytes of the factors of the deeper size.
    pub(super) factor_bytes: u64,
    /// How often each of their elements is loaded.
    pub(super) reuse: f64,
    /// Per cent of the peak that the iterations reached by which the two differ.
    pub(super) measured: f64,
    /// By how much the error of one of the two speeds grows in it, at most.
    growth: f64,
}

impl Tuned {
    /// That of two depths with the speeds of the whole kernel. Start and end of the kernel are in both, so that they do not count.
    fn between(kernel: &Solution, of: Factors, sizes: [(u64, f64); 2]) -> Option<Self> {
        let Types { a_type, c_type } = &kernel.problem_type;
        let [less, more] = sizes.map(|(depth, speed)| depth as f64 / speed);
        let tuned = Self {
            kernel: kernel.name.clone(),
            types: format!("{a_type} → {c_type}"),
            groups: of.groups,
            wanted: of.wanted,
            factor_bytes: of.rows * sizes[1].0 * kernel.problem_type.factor_bytes(),
            reuse: of.loaded_rows as f64 / of.rows as f64,
            measured: (sizes[1].0 - sizes[0].0) as f64 / (more - less),
            growth: (more + less) / (more - less),
        };
        (more > less && tuned.growth <= MOST_GROWTH).then_some(tuned)
    }
}

/// Factors of any depth and the work-groups that multiply them.
struct Factors {
    groups: u64,
    wanted: f64,
    /// Rows of the one and columns of the other, once; and as often as they are loaded.
    rows: u64,
    loaded_rows: u64,
}

impl Factors {
    fn of([m, n, batch]: [u64; 3], kernel: &Solution) -> Self {
        let [tile_m, tile_n, _] = kernel.size_mapping.macro_tile.map(u64::from);
        let groups = m.div_ceil(tile_m) * n.div_ceil(tile_n) * batch;
        let wanted = (m * n * batch) as f64 / (groups * tile_m * tile_n) as f64;
        Self { groups, wanted, rows: (m + n) * batch, loaded_rows: groups * (tile_m + tile_n) }
    }
}

/// More than that, and the noise of the speeds is what is compared.
const MOST_GROWTH: f64 = 3.0;

impl Library {
    /// That of a folder.
    pub(super) fn read(folder: &Path) -> Self {
        let file = File::open(folder.join("TensileLibrary.dat")).unwrap();
        rmp_serde::from_read(BufReader::new(file)).unwrap()
    }
}

/// The kernels of a target that were measured at sizes that differ only in depth, by their names, each at the sizes whose errors
/// count the least.
///
/// A speed is in GFLOPS, or per cent of the peak at the clock of the tuning (`convertToEfficiency.py` in ROCm/Tensile,
/// `tuning/scripts/provision_tuning.sh`). At these sizes all of the former are above 100; they are left out, because their clock is unknown.
pub(super) fn tuned(library: &Library, target: &str, compute_units: u32, most_flop: u64) -> Vec<Tuned> {
    const COUNT: &str = "CUCount";
    /// Iterations of the loop: with fewer it fills its queues most of the time.
    const FEWEST: u64 = 16;
    let solutions: BTreeMap<u32, &Solution> = library.solutions.iter().map(|it| (it.index, it)).collect();
    // Where a card with other compute units has rows of its own, only the rows that name this card's number are about it.
    let names = |row: &&Row, what: &str| row.predicate.to_string().contains(what);
    let of_target: Vec<&Row> = library.library.rows.iter().filter(|row| names(row, &format!("{target:?}"))).collect();
    let is_counted = of_target.iter().any(|row| names(row, COUNT));
    let count = format!("{COUNT}\",\"value\":{compute_units}}}");
    let of_card = of_target.into_iter().filter(|row| !is_counted || names(row, &count));
    // By kernel and result, the speed at each depth.
    let mut depths: BTreeMap<(u32, [u64; 3]), BTreeMap<u64, f64>> = BTreeMap::new();
    for size in of_card.flat_map(|row| row.library.sizes()) {
        let [m, n, batch, k] = match size.key[..] {
            [m, n, k] => [m, n, 1, k],
            [m, n, batch, k] => [m, n, batch, k],
            _ => continue,
        };
        let sizes = &solutions[&size.index].size_mapping;
        let is_whole = k / sizes.depth_u >= FEWEST && sizes.global_split_u == 1 && 2 * m * n * batch * k <= most_flop;
        if is_whole && (0.1..100.0).contains(&size.speed) {
            depths.entry((size.index, [m, n, batch])).or_default().insert(k, size.speed);
        }
    }
    let mut found: BTreeMap<&str, Tuned> = BTreeMap::new();
    for ((kernel, [m, n, batch]), speeds) in depths {
        let kernel = solutions[&kernel];
        let of = Factors::of([m, n, batch], kernel);
        // Most tables do not name the number of batches. Where these groups cannot reach the speed there were several.
        let most = 100.0 * of.wanted * of.groups as f64 / f64::from(compute_units);
        if speeds.values().any(|speed| *speed > most) {
            continue;
        }
        let (Some(first), Some(last)) = (speeds.first_key_value(), speeds.last_key_value()) else { continue };
        let sizes = [first, last].map(|(depth, speed)| (*depth, *speed));
        let Some(tuned) = Tuned::between(kernel, of, sizes) else { continue };
        let best = found.entry(&kernel.name).or_insert_with(|| tuned.clone());
        if tuned.growth < best.growth {
            *best = tuned;
        }
    }
    found.into_values().collect()
}
