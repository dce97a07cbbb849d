//! Users' GPU files: their overrides, and the texts of errors in them.

use std::{fs, path::PathBuf};

use gcn_model::{
    gpu::{Gpu, GpuError, Provenance},
    isa::{Generation, Processor, find, generation},
    quantity::Bytes,
    timing::{TimingSource, Timings},
};

const EXAMPLE: &str = r#"
base = "hawaii"
name = "my-card"
dp_factor = 3
[cycles]
V_MUL_HI_U32 = 24
[throughput]
DS_ADD_U32 = 0.2
V_MOV_B32 = "1/6"
[front_end]
penalty_cycles = 8
block_bytes = 32
free_dwords = 3
[branch]
taken_cycles = 20
[memtime]
round_trip_cycles = 41
[noise]
seed = 1
jitter_cycles = 3
outlier_rate = 0.02
outlier_cycles = 4000
"#;

#[test]
fn a_file_overrides_its_base() {
    let gpu = Gpu::from_toml(EXAMPLE, "my.toml").unwrap();
    let base = Gpu::named("hawaii").unwrap();
    assert_eq!((gpu.name.as_str(), gpu.dp_factor, gpu.dp_rate().as_str()), ("my-card", 3.0, "1/6"));
    assert_eq!((gpu.front_end.penalty_cycles, gpu.memtime.round_trip_cycles), (8, 41));
    assert_eq!((gpu.compute_units, gpu.lds.clone()), (base.compute_units, base.lds.clone()));
    assert!(!gpu.noise.is_none() && base.noise.is_none());
    let origin = &gpu.origins["front_end.penalty_cycles"];
    assert_eq!((origin.at.to_string().as_str(), &origin.provenance), ("my.toml:11:1", &Provenance::Stated));
    assert!(matches!(gpu.origins["lds.granule_bytes"].provenance, Provenance::Source(_)));
}

#[test]
fn overridden_timings_go_first() {
    let timings = Timings::of(&Gpu::from_toml(EXAMPLE, "my.toml").unwrap());
    let get = |name| timings.get(find(name, generation("gfx7")).unwrap());
    let mul = get("V_MUL_HI_U32");
    assert_eq!((mul.cycles, mul.throughput), (24, 4.0 / 24.0));
    assert_eq!(mul.source, TimingSource::GpuFile { key: "cycles.V_MUL_HI_U32".to_owned() });
    assert_eq!((get("DS_ADD_U32").cycles, get("DS_ADD_U32").throughput), (8, 0.2));
    assert_eq!((get("V_MOV_B32").cycles, get("V_MOV_B32").throughput), (4, 1.0 / 6.0));
    assert_eq!((get("V_ADD_F64").cycles, get("V_ADD_F64").throughput), (12, 4.0 / 12.0));
    assert_eq!(get("V_FMA_F32").cycles, 16, "DPFACTOR 3 is one of the footnote's other devices");
}

#[test]
fn of_several_cycles_the_lowest_counts() {
    let gpu = Gpu::from_toml("base = \"fiji\"\n[cycles]\nS_LOAD_DWORDX16 = [20, 16, 24]\n", "x.toml").unwrap();
    let timing = Timings::of(&gpu).get(find("S_LOAD_DWORDX16", generation("gfx8")).unwrap());
    assert_eq!((timing.cycles, timing.throughput), (16, 0.25));
    assert_eq!(gpu.cycles["S_LOAD_DWORDX16"], [20, 16, 24]);
}

#[test]
fn overridden_lds_cycles_follow_the_bus() {
    let gpu = Gpu::from_toml("base = \"fiji\"\n[cycles]\nDS_ADD_U32 = 10\nS_BRANCH = 9\n", "x.toml").unwrap();
    let timings = Timings::of(&gpu);
    let get = |name| timings.get(find(name, generation("gfx8")).unwrap());
    assert_eq!((get("DS_ADD_U32").cycles, get("DS_ADD_U32").throughput), (10, 0.2));
    assert_eq!((get("S_BRANCH").cycles, get("S_BRANCH").taken_cycles), (9, Some(9)));
}

#[test]
fn a_base_may_be_a_file_in_the_same_folder() {
    let folder = folder("beside");
    fs::create_dir_all(folder.join("below")).unwrap();
    fs::write(folder.join("one.toml"), "base = \"below/two.toml\"\nname = \"one\"\n").unwrap();
    fs::write(folder.join("below/two.toml"), "base = \"../three.toml\"\nname = \"two\"\ndp_factor = 16\n").unwrap();
    fs::write(folder.join("three.toml"), "base = \"tahiti\"\ndp_factor = 5\ncompute_units = 7\n").unwrap();
    let gpu = Gpu::from_file(&folder.join("one.toml")).unwrap();
    assert_eq!((gpu.name.as_str(), gpu.dp_factor, gpu.compute_units), ("one", 16.0, 7));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_chain_that_bites_its_tail_is_an_error() {
    let folder = folder("tail");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.toml"), "name = \"a\"\nbase = \"b.toml\"\n").unwrap();
    fs::write(folder.join("b.toml"), "base = \"./a.toml\"\n").unwrap();
    let error = Gpu::from_file(&folder.join("a.toml")).unwrap_err();
    assert!(matches!(error, GpuError::BaseCycle { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("b.toml:1:8") && text.contains("a.toml -> "), "{text}");
    fs::write(folder.join("self.toml"), "base = \"self.toml\"\n").unwrap();
    assert!(matches!(Gpu::from_file(&folder.join("self.toml")), Err(GpuError::BaseCycle { .. })));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_that_is_not_there_is_an_error() {
    let error = Gpu::from_file(&PathBuf::from("no-such-gpu.toml")).unwrap_err();
    assert!(error.to_string().contains("no-such-gpu.toml"), "{error}");
}

#[cfg(unix)]
#[test]
fn special_files_are_refused() {
    for path in ["/dev/zero", "/"] {
        let error = Gpu::from_file(&PathBuf::from(path)).unwrap_err();
        assert!(matches!(error, GpuError::Read { .. }) && error.to_string().contains(path), "{error}");
    }
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("gcn-model-user-gpus-{}-{name}", std::process::id()))
}

/// Texts after `base = "tahiti"`, on a line of their own.
const WRONG: [&str; 51] = [
    "dp_facto = 3",
    "colour = \"red\"",
    "[front_end]\npenalty_cycle = 4",
    "[frontend]\npenalty_cycles = 4",
    "dp_factor = 0",
    "dp_factor = -1",
    "dp_factor = \"3\"",
    "dp_factor = 2.5",
    "dp_factor = { value = 3, sauce = \"S1\" }",
    "dp_factor = { value = 3, source = 1 }",
    "name = \"\"",
    "name = 7",
    "name = \"\\u001b[2Jtahiti\"",
    "product = \"0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123\"",
    "generation = \"1.3\"",
    "gfx_target = \"navi\"",
    "compute_units = 0",
    "[cycles]\nV_MUL_HI_U33 = 24",
    "[cycles]\nV_ADD3_U32 = 4",
    "[cycles]\nV_MUL_HI_U32 = 0",
    "[cycles]\nV_MUL_HI_U32 = 1000001",
    "[cycles]\nV_MUL_HI_U32 = 4.5",
    "[cycles]\nV_MUL_HI_U32 = \"16\"",
    "[cycles]\nV_MUL_HI_U32 = []",
    "[cycles]\nV_MUL_HI_U32 = [16, 3]",
    "[cycles]\nV_MUL_HI_U32 = [16, \"20\"]",
    "[lds]\nbus_bytes = 48",
    "[lds]\npairs = 3",
    "[vector_memory]\nglc1_cycles = -1",
    "cycles = 3",
    "[throughput]\nDS_ADD_U32 = 0",
    "[throughput]\nDS_ADD_U32 = 4.5",
    "[throughput]\nDS_ADD_U32 = \"1/0\"",
    "[throughput]\nDS_ADD_U33 = 1",
    "[front_end]\nblock_bytes = 24",
    "[front_end]\nblock_bytes = 128",
    "[front_end]\njump_penalties = 1",
    "front_end = 4",
    "[scheduling]\nvector_to_scalar_producers = [\"V_READLANE_B33\"]",
    "[noise]\noutlier_rate = 1.5",
    "[noise]\nseed = -1",
    "[branch]\ntaken_cycles = 20\ntaken_cycles = 24",
    "branch.taken_cycles = 20\n\"branch.taken_cycles\" = 24",
    "name = \"two\\nlines\"",
    "gfx_target = \"gfx803\"",
    "gfx_target = \"gfx6ff\"",
    "generation = \"1.2\"",
    "clock.realtime_mhz = 25.0",
    "[throughput]\nDS_ADD_U32 = 1e-9",
    "instruction_cache.line_bytes = 16",
    "shader_engines = 1\nsimulation.compute_units = 33",
];

/// The message without its lists from the data: another GPU, generation or target does not change the statement.
fn without_lists(error: String) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/gpus/generations");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut bases: Vec<String> =
        files.map(|path| format!("`{}`", path.file_stem().unwrap().to_str().unwrap())).collect();
    bases.sort();
    let products = Gpu::shipped().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let generations: Vec<_> = Generation::all().into_iter().map(|it| format!("\"{}\"", it.record_name())).collect();
    let targets: Vec<_> = Processor::of(generation("gfx8")).map(Processor::name).collect();
    error
        .replace(&products.join(", "), "(all that ship)")
        .replace(&bases.join(", "), "(all bases)")
        .replace(&generations.join(", "), "(all generations)")
        .replace(&targets.join(", "), "(its targets)")
}

#[test]
fn errors_name_file_line_and_key() {
    let mut table = String::new();
    for text in WRONG {
        let error = Gpu::from_toml(&format!("base = \"tahiti\"\n{text}\n"), "my.toml").unwrap_err();
        let error = without_lists(error.to_string());
        table += &format!("{}\n    {error}\n", text.replace('\n', " | "));
    }
    for text in [
        "base = \"tahitii\"",
        "base = \"nonsense\"",
        "base = 3",
        "base =",
        "name = \"from nothing\"",
        "base = \"gcn-1.0\"\nname = \"x\"",
    ] {
        let error = without_lists(Gpu::from_toml(text, "my.toml").unwrap_err().to_string());
        table += &format!("{}\n    {error}\n", text.replace('\n', " | "));
    }
    for name in ["tahitti", "vega", "fiji ", "nvidia"] {
        let error = without_lists(Gpu::named(name).unwrap_err().to_string());
        table += &format!("sim:{name}\n    {error}\n");
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_work_group_cannot_exceed_the_lds() {
    let gpu = Gpu::from_toml("base = \"fiji\"\nlds.bytes = 4096\n", "x.toml").unwrap();
    assert_eq!((gpu.lds.bytes, gpu.lds.max_group), (Bytes(4096), Bytes(4096)));
}

#[test]
fn a_file_names_instructions_of_its_target() {
    let of = |base: &str, name: &str| {
        let text = format!("base = \"{base}\"\nname = \"x\"\n[cycles]\n{name} = 8\n");
        Gpu::from_toml(&text, "my.toml").map(|gpu| gpu.cycles[name].clone()).map_err(|error| error.to_string())
    };
    assert_eq!(of("vega20", "V_FMAC_F32"), Ok(vec![8]));
    assert_eq!(of("vega10", "V_MAD_MIX_F32"), Ok(vec![8]));
    for (base, name, target) in [("vega10", "V_FMAC_F32", "gfx900"), ("radeon-vii", "V_MAD_MIX_F32", "gfx906")] {
        let error = of(base, name).unwrap_err();
        assert!(error.contains("my.toml:4:1") && error.contains(&format!("{target} has no {name}")), "{error}");
    }
}
