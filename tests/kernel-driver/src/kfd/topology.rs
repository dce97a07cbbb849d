//! The topology: the kernel driver's facts about CPU and GPU in `/sys/class/kfd`.

use std::fmt::Write;
use std::fs;

use gcn_simulated_card::{Card, VRAM_BYTES};

use crate::drm::sysfs::RENDER_MINOR;

/// `gpu_id` of the GPU; any number but 0, which says "no GPU".
pub(crate) const GPU_ID: u32 = 0x4743;
/// The number of the GPU's node.
pub(crate) const GPU_NODE: u32 = 1;
/// `HSA_CAPABILITY` of the thunk's `hsakmttypes.h`: doorbells of GFX8 are 32 bits of packets, those of GFX9 64 bits.
const DOORBELL_TYPE_SHIFT: u32 = 12;
/// `AQLQueueDoubleMap`: the ring is mapped twice in a row.
const AQL_DOUBLE_MAP: u32 = 1 << 14;
/// `QueueSizePowerOfTwo`, `WatchPointsSupported`: what every card says.
const CAPABILITY: u32 = 1 << 3 | 1 << 7;
/// Waves of a compute unit that may use scratch memory, as the driver says for gfx8 and all later ones.
const SCRATCH_SLOTS: u32 = 32;

/// Folders that each node has, links or not (Linux, `kfd_build_sysfs_node_entry`).
pub(crate) const LINK_FOLDERS: [&str; 2] = ["io_links", "p2p_links"];

/// The files of the topology with their content, by path in the [folder](crate::sysfs::Sysfs). Without a card that ROCm runs on there is only the CPU.
pub(crate) fn files(card: Option<&Card>) -> Vec<(String, String)> {
    let modules = fs::read_to_string("/proc/modules").unwrap_or_default();
    let mut files = vec![
        ("modules".into(), format!("{modules}amdgpu 1 0 - Live 0x0000000000000000\n")),
        ("module/initstate".into(), "live\n".into()),
        ("topology/generation_id".into(), "2\n".into()),
        ("topology/system_properties".into(), lines(&[("platform_oem", 0), ("platform_id", 0), ("platform_rev", 0)])),
    ];
    let mut node = |number: u32, parts: Vec<(&str, String)>| {
        files.extend(parts.into_iter().map(|(name, text)| (format!("topology/nodes/{number}/{name}"), text)));
    };
    let card = card.filter(|card| card.has_rocm());
    node(0, cpu());
    if let Some(card) = card {
        node(GPU_NODE, gpu(card));
    }
    files
}

/// Without a large BAR there is no link to the card, only the card's to it (Linux `kfd_crat.c`, CRAT_IOLINK_FLAGS_BI_DIRECTIONAL).
fn cpu() -> Vec<(&'static str, String)> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    vec![
        ("gpu_id", "0\n".into()),
        ("name", "\n".into()),
        (
            "properties",
            lines(&[
                ("cpu_cores_count", cores),
                ("simd_count", 0),
                ("mem_banks_count", 1),
                ("caches_count", 0),
                ("io_links_count", 0),
                ("cpu_core_id_base", 0),
                ("max_engine_clk_ccompute", 2000),
            ]),
        ),
        ("mem_banks/0/properties", bank(0, host_bytes(), 64, 1600)),
    ]
}

fn gpu(card: &Card) -> Vec<(&'static str, String)> {
    let gpu = &card.gpu;
    let units = u64::from(card.compute_units());
    let simds = u64::from(gpu.registers.simds);
    let xccs = u64::from(card.xccs());
    let arrays = u64::from(card.shader_engines()) * xccs;
    let [major, minor, stepping] = card.version.map(u64::from);
    let doorbell =
        if card.is_gfx9_or_later() { 2 << DOORBELL_TYPE_SHIFT } else { 1 << DOORBELL_TYPE_SHIFT | AQL_DOUBLE_MAP };
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
        ("wave_front_size", u64::from(gpu.generation.lanes())),
        // All arrays of all XCCs (Linux kfd_crat.c, "array_count" times NUM_XCC).
        ("array_count", arrays),
        ("simd_arrays_per_engine", 1),
        ("cu_per_simd_array", units.div_ceil(arrays)),
        ("simd_per_cu", simds),
        ("max_slots_scratch_cu", u64::from(SCRATCH_SLOTS)),
        ("gfx_target_version", major * 10_000 + minor * 100 + stepping),
        ("vendor_id", 0x1002),
        ("device_id", u64::from(card.chip.device_id)),
        ("location_id", 0x100),
        ("domain", 0),
        ("drm_render_minor", u64::from(RENDER_MINOR)),
        ("hive_id", 0),
        ("num_sdma_engines", 2),
        ("num_sdma_xgmi_engines", 0),
        ("num_sdma_queues_per_engine", 2),
        ("num_cp_queues", 24),
        ("num_xcc", xccs),
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
        // Heap type 2 (Linux `kfd_crat.h`, HSA_MEM_HEAP_TYPE_FB_PRIVATE): memory that the host sees only through copies, as on a card
        // without a large BAR.
        ("mem_banks/0/properties", bank(2, VRAM_BYTES, 256, 500)),
        // The simulator has no vector caches; 16 KiB of L1 and 2 MiB of L2 are what GCN cards have.
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
    fn the_topology_follows_the_gpu_file() {
        let vega = ["simd_count 8", "gfx_target_version 90000", "max_engine_clk_fcompute 1546", "wave_front_size 64"];
        let rdna = ["simd_count 4", "gfx_target_version 100300", "max_waves_per_simd 16", "wave_front_size 32"];
        for (gpu, lines) in [("vega10", vega), ("rx6800", rdna)] {
            let card = Card::new(Gpu::named(gpu).unwrap()).unwrap();
            let files = files(Some(&card));
            let read = |name: &str| {
                let name = format!("topology/nodes/1/{name}");
                files.iter().find(|(found, _)| *found == name).unwrap().1.clone()
            };
            let properties = read("properties");
            for line in lines.into_iter().chain(["lds_size_in_kb 64"]) {
                assert!(properties.lines().any(|found| found == line), "{line} is not in\n{properties}");
            }
            assert_eq!(read("gpu_id"), format!("{GPU_ID}\n"));
        }
    }
}
