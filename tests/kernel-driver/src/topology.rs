//! The topology: what the kernel driver says about CPU and GPU in sysfs, as a temporary folder.

use std::fmt::Write;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::card::{Card, VRAM_BYTES};

/// Start of the folder's name.
const PREFIX: &str = "gcn-kernel-driver-";
/// The file in it that the living process holds locked.
const LOCK: &str = "lock";
/// `gpu_id` of the GPU; any number but 0, which says "no GPU".
pub(crate) const GPU_ID: u32 = 0x4743;
/// The number of the GPU's node.
pub(crate) const GPU_NODE: u32 = 1;
/// Minor number of the render node.
pub(crate) const RENDER_MINOR: u32 = 128;

/// `HSA_CAPABILITY` of the thunk's `hsakmttypes.h`: doorbells of GFX8 are 32 bits of packets, those of GFX9 64 bits.
const DOORBELL_TYPE_SHIFT: u32 = 12;
/// `AQLQueueDoubleMap`: the ring is mapped twice in a row.
const AQL_DOUBLE_MAP: u32 = 1 << 14;
/// `QueueSizePowerOfTwo`, `WatchPointsSupported`: what every card says.
const CAPABILITY: u32 = 1 << 3 | 1 << 7;
/// Waves of a compute unit that may use scratch memory, as the driver says for all of gfx8 and gfx9.
const SCRATCH_SLOTS: u32 = 32;

/// The folder of one process. It is locked as long as the process lives, so that what a process that was aborted
/// left behind is known to be dead.
#[derive(Debug)]
pub(crate) struct Topology {
    path: PathBuf,
    _lock: File,
}

impl Topology {
    /// Writes the folder, and removes those of processes that ended without doing so.
    ///
    /// # Errors
    /// The temporary folder cannot be written.
    pub(crate) fn create(card: Option<&Card>) -> io::Result<Self> {
        sweep(&std::env::temp_dir());
        let path = tempfile::Builder::new().prefix(PREFIX).tempdir()?.keep();
        // Locked before it has the name that others look for.
        let lock = File::create(path.join("new"))?;
        lock.lock()?;
        fs::rename(path.join("new"), path.join(LOCK))?;
        for (name, content) in files(card) {
            let file = path.join(name);
            fs::create_dir_all(file.parent().unwrap_or(&path))?;
            fs::write(file, content)?;
        }
        fs::create_dir_all(path.join("topology/nodes"))?;
        Ok(Self { path, _lock: lock })
    }

    /// Where a file of the kernel's is found instead, if it is one of ours.
    pub(crate) fn rewrite(&self, path: &str) -> Option<PathBuf> {
        const KFD: [&str; 2] = ["/sys/devices/virtual/kfd/kfd/", "/sys/class/kfd/kfd/"];
        let rest = KFD.iter().find_map(|prefix| path.strip_prefix(prefix));
        match path {
            "/proc/modules" => Some(self.path.join("modules")),
            "/sys/module/amdgpu/initstate" => Some(self.path.join("initstate")),
            _ => Some(self.path.join(rest?)),
        }
    }

    /// Removes the folder.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Whether a path may be one that [`Topology::rewrite`] knows; cheap, since every `open` of the process asks.
pub(crate) fn is_candidate(path: &str) -> bool {
    path.starts_with("/sys/devices/virtual/kfd/")
        || path.starts_with("/sys/class/kfd/")
        || path == "/proc/modules"
        || path == "/sys/module/amdgpu/initstate"
}

/// Removes the folders whose process is gone.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let ours = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(PREFIX);
    for path in entries.flatten().filter(ours).map(|entry| entry.path()) {
        let is_dead = File::open(path.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if is_dead {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// The files of the topology with their content. Without a card there is only the CPU.
fn files(card: Option<&Card>) -> Vec<(String, String)> {
    let modules = fs::read_to_string("/proc/modules").unwrap_or_default();
    let mut files = vec![
        ("modules".into(), format!("{modules}amdgpu 1 0 - Live 0x0000000000000000\n")),
        ("initstate".into(), "live\n".into()),
        ("topology/generation_id".into(), "2\n".into()),
        ("topology/system_properties".into(), lines(&[("platform_oem", 0), ("platform_id", 0), ("platform_rev", 0)])),
    ];
    let mut node = |number: u32, parts: Vec<(&str, String)>| {
        files.extend(parts.into_iter().map(|(name, text)| (format!("topology/nodes/{number}/{name}"), text)));
    };
    node(0, cpu(card.is_some()));
    if let Some(card) = card {
        node(GPU_NODE, gpu(card));
    }
    files
}

fn cpu(has_gpu: bool) -> Vec<(&'static str, String)> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let links = u64::from(has_gpu);
    let mut files = vec![
        ("gpu_id", "0\n".into()),
        ("name", "\n".into()),
        (
            "properties",
            lines(&[
                ("cpu_cores_count", cores),
                ("simd_count", 0),
                ("mem_banks_count", 1),
                ("caches_count", 0),
                ("io_links_count", links),
                ("cpu_core_id_base", 0),
                ("max_engine_clk_ccompute", 2000),
            ]),
        ),
        ("mem_banks/0/properties", bank(0, host_bytes(), 64, 1600)),
    ];
    if has_gpu {
        files.push(("io_links/0/properties", link(0, GPU_NODE)));
    }
    files
}

fn gpu(card: &Card) -> Vec<(&'static str, String)> {
    let gpu = &card.gpu;
    let units = u64::from(card.compute_units());
    let simds = u64::from(gpu.registers.simds);
    // A card smaller than the product has fewer engines, too: each has at least one compute unit.
    let engines = u64::from(gpu.shader_engines).min(units);
    let [major, minor, stepping] = card.version.map(u64::from);
    let doorbell = if card.is_gfx9() { 2 << DOORBELL_TYPE_SHIFT } else { 1 << DOORBELL_TYPE_SHIFT | AQL_DOUBLE_MAP };
    let properties = [
        ("cpu_cores_count", 0),
        ("simd_count", units * simds),
        ("mem_banks_count", 1),
        ("caches_count", 2),
        ("io_links_count", 1),
        ("cpu_core_id_base", 0),
        ("simd_id_base", 0x8000_0000),
        ("max_waves_per_simd", u64::from(gpu.registers.waves_per_simd)),
        ("lds_size_in_kb", u64::from(gpu.lds.bytes.0) / 1024),
        ("gds_size_in_kb", 0),
        ("num_gws", 0),
        ("wave_front_size", 64),
        ("array_count", engines),
        ("simd_arrays_per_engine", 1),
        ("cu_per_simd_array", units.div_ceil(engines)),
        ("simd_per_cu", simds),
        ("max_slots_scratch_cu", u64::from(SCRATCH_SLOTS)),
        ("gfx_target_version", major * 10_000 + minor * 100 + stepping),
        ("vendor_id", 0x1002),
        ("device_id", u64::from(card.device_id)),
        ("location_id", 0x100),
        ("domain", 0),
        ("drm_render_minor", u64::from(RENDER_MINOR)),
        ("hive_id", 0),
        ("num_sdma_engines", 2),
        ("num_sdma_xgmi_engines", 0),
        ("num_sdma_queues_per_engine", 2),
        ("num_cp_queues", 24),
        ("max_engine_clk_fcompute", gpu.clock.shader_mhz as u64),
        ("local_mem_size", 0),
        ("fw_version", 0),
        ("capability", u64::from(CAPABILITY | doorbell)),
        ("sdma_fw_version", 0),
        ("unique_id", 0),
        ("max_engine_clk_ccompute", 2000),
    ];
    let scalar = u64::from(gpu.scalar_cache.bytes.0);
    vec![
        ("gpu_id", format!("{GPU_ID}\n")),
        ("name", format!("{}\n", gpu.name)),
        ("properties", lines(&properties)),
        // Heap type 1: memory that the host sees only through copies, as on a card without a large BAR.
        ("mem_banks/0/properties", bank(1, VRAM_BYTES, 256, 500)),
        // The reference model has no vector caches; 16 KiB of L1 and 2 MiB of L2 are what GCN cards have.
        ("caches/0/properties", cache(1, scalar.max(16 * 1024))),
        ("caches/1/properties", cache(2, 2048 * 1024)),
        ("io_links/0/properties", link(GPU_NODE, 0)),
    ]
}

fn bank(heap: u64, bytes: u64, width: u64, mhz: u64) -> String {
    lines(&[("heap_type", heap), ("size_in_bytes", bytes), ("flags", 0), ("width", width), ("mem_clk_max", mhz)])
}

/// A cache of the GPU: type 9 is "data" and "of a compute unit" (thunk, `HSA_CACHE_TYPE`).
fn cache(level: u64, bytes: u64) -> String {
    lines(&[
        ("processor_id_low", 0x8000_0000),
        ("level", level),
        ("size", bytes / 1024),
        ("cache_line_size", 64),
        ("cache_lines_per_tag", 1),
        ("association", 16),
        ("latency", 0),
        ("type", 9),
    ]) + "sibling_map 1\n"
}

/// A link over PCI Express: type 2, weight 20 (the distance in ACPI's SLIT of another node).
fn link(from: u32, to: u32) -> String {
    let (from, to) = (u64::from(from), u64::from(to));
    lines(&[
        ("type", 2),
        ("version_major", 0),
        ("version_minor", 0),
        ("node_from", from),
        ("node_to", to),
        ("weight", 20),
        ("min_latency", 0),
        ("max_latency", 0),
        ("min_bandwidth", 312),
        ("max_bandwidth", 15_753),
        ("recommended_transfer_size", 0),
        ("flags", 1),
    ])
}

fn lines(values: &[(&str, u64)]) -> String {
    values.iter().fold(String::new(), |mut text, (key, value)| {
        let _ = writeln!(text, "{key} {value}");
        text
    })
}

/// Bytes of the host's memory.
fn host_bytes() -> u64 {
    let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB"));
    total.and_then(|kib| kib.trim().parse::<u64>().ok()).unwrap_or(8 << 20) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;

    #[test]
    fn it_says_what_the_gpu_file_says() {
        let card = Card::new(Gpu::named("vega10").unwrap()).unwrap();
        let topology = Topology::create(Some(&card)).unwrap();
        let read = |name: &str| {
            let path = topology.rewrite(&format!("/sys/devices/virtual/kfd/kfd/topology/nodes/1/{name}")).unwrap();
            fs::read_to_string(path).unwrap()
        };
        let properties = read("properties");
        for line in ["simd_count 8", "gfx_target_version 90000", "max_engine_clk_fcompute 1546", "lds_size_in_kb 64"] {
            assert!(properties.lines().any(|found| found == line), "{line} is not in\n{properties}");
        }
        assert_eq!(read("gpu_id"), format!("{GPU_ID}\n"));
        topology.remove();
        assert!(!topology.path.exists());
    }

    #[test]
    fn folders_of_dead_processes_go_and_those_of_living_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let [dead, living] = ["dead", "living"].map(|name| folder.path().join(format!("{PREFIX}{name}")));
        for path in [&dead, &living] {
            fs::create_dir(path).unwrap();
        }
        let lock = File::create(living.join(LOCK)).unwrap();
        lock.lock().unwrap();
        File::create(dead.join(LOCK)).unwrap();
        sweep(folder.path());
        assert!(!dead.exists() && living.exists());
    }
}
