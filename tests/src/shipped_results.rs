//! The results that ship, in `results/reference`.

use std::path::Path;

use gcn_model::gpu::Gpu;

/// The GPUs that ship whose results do, too. Those of the simulated CDNA cards are not published.
///
/// # Panics
/// If there are fewer than the GCN products.
pub fn gpus_with_results() -> Vec<&'static str> {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference");
    let gpus: Vec<_> = Gpu::shipped().filter(|gpu| reference.join(gpu).exists()).collect();
    assert!(gpus.len() >= 11, "{gpus:?}");
    gpus
}
