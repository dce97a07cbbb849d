//! The GPU files that ship.

use std::{collections::BTreeSet, fs, path::Path};

use gcn_model::gpu::{Gpu, Key, Provenance, keys};

/// Keys that are a name, not a fact.
const NAMES: [&str; 1] = ["name"];

#[test]
fn each_ships_with_a_source_for_every_fact() {
    for name in Gpu::shipped() {
        let gpu = Gpu::named(name).unwrap();
        assert_eq!(gpu.name, name);
        for (key, origin) in &gpu.origins {
            let stated = origin.provenance == Provenance::Stated;
            assert_eq!(stated, NAMES.contains(&key.as_str()), "{name}: {key} at {}", origin.at);
        }
        assert!(gpu.origins.len() > 45, "{name}: only {} facts", gpu.origins.len());
    }
}

#[test]
fn the_folder_is_the_list() {
    let mut shipped: Vec<&str> = Gpu::shipped().collect();
    shipped.sort_unstable();
    let folder = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gpus")).unwrap();
    let files = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut products: Vec<String> = files.filter_map(|file| file.strip_suffix(".toml").map(Into::into)).collect();
    products.sort_unstable();
    assert_eq!(shipped, products);
}

/// What a chip's first product says is that product's own where nothing else is said: these are never another's.
#[test]
fn a_product_based_on_another_states_the_difference() {
    let products = files_in("");
    let is_product = |name: &str| products.iter().any(|(other, _)| other == name);
    let base = |table: &toml::Table| table["base"].as_str().is_some_and(is_product);
    let further: Vec<_> = products.iter().filter(|(_, table)| base(table)).collect();
    assert!(further.len() > 8, "{further:?}");
    for (name, table) in further {
        for key in ["name", "product", "compute_units"] {
            assert!(table.contains_key(key), "{name}: {key}");
        }
        assert!(table["clock"].get("shader_mhz").is_some(), "{name}: clock.shader_mhz");
        assert!(!table.contains_key("gfx_target"), "{name} is of its base's chip");
    }
}

#[test]
fn generations_differ_where_the_sources_say_so() {
    let [tahiti, hawaii, pro, tonga, fiji, vii] =
        ["tahiti", "hawaii", "hawaii-pro", "tonga", "fiji", "radeon-vii"].map(|name| Gpu::named(name).unwrap());
    assert_eq!((tahiti.dp_factor, tahiti.dp_rate()), (2.0, "1/4".to_owned()));
    assert_eq!((hawaii.dp_factor, pro.dp_factor, vii.dp_factor), (4.0, 1.0, 2.0));
    assert_eq!(hawaii.gfx_target, pro.gfx_target);
    assert_eq!((tahiti.lds.granule.0, hawaii.lds.granule.0), (256, 512));
    assert_eq!((tahiti.front_end.penalty_cycles, fiji.front_end.penalty_cycles), (4, 0));
    assert_eq!((tonga.registers.sgpr_granule, fiji.registers.sgpr_granule), (96, 16));
    assert_eq!((tahiti.clock.realtime_mhz, vii.clock.realtime_mhz), (None, Some(25.0)));
    assert_eq!((vii.gfx_target.as_str(), vii.instruction_cache.shared_by), ("gfx906", 3));
    assert!(tahiti.scheduling.vector_to_scalar_producers.contains("V_READFIRSTLANE_B32"));
}

#[test]
fn the_table_of_keys_equals_a_gpus_keys() {
    let gpu = Gpu::named("fiji").unwrap();
    // Wide LDS accesses and queues of loads were measured on CDNA alone, and RDNA alone has work-group processors.
    let others = ["mi350x", "rx7800xt"].map(|name| Gpu::named(name).unwrap());
    let of_others = others
        .iter()
        .flat_map(|gpu| gpu.origins.keys())
        .filter(|key| key.starts_with("lds.") || *key == "vector_memory.queue");
    // Of a level of memory a file says what was measured.
    let is_of_level = |key: &str| key.split_once('.').is_some_and(|(section, _)| Gpu::MEMORY_LEVELS.contains(&section));
    let given = gpu.origins.keys().chain(of_others).map(String::as_str).filter(|key| !is_of_level(key));
    let given: BTreeSet<&str> = given.collect();
    let is_wanted = |key: &&Key| !key.kind.is_by_instruction() && !key.goes_with_section && !is_of_level(key.name);
    let wanted: BTreeSet<&str> = keys().iter().filter(is_wanted).map(|key| key.name).collect();
    assert_eq!(given, wanted, "fiji has the optional keys, too, and no matrix unit");
    let shipped: Vec<Gpu> = Gpu::shipped().map(|name| Gpu::named(name).unwrap()).collect();
    for fact in ["latency_cycles", "most_latency_cycles", "unit_bytes"] {
        let is_it = |key: &String| is_of_level(key) && key.ends_with(&format!(".{fact}"));
        assert!(shipped.iter().any(|gpu| gpu.origins.keys().any(is_it)), "{fact}");
    }
}

#[test]
fn each_key_belongs_to_a_part_of_the_readme() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gpus/README.md");
    let readme = fs::read_to_string(path).unwrap();
    for key in keys() {
        assert!(readme.contains(&format!("`{}`", key.part)), "{}: no part {}", key.name, key.part);
        assert!(!key.meaning.is_empty(), "{}: no meaning", key.name);
    }
}

/// The TOML files of a folder below `data/gpus`.
fn files_in(folder: &str) -> Vec<(String, toml::Table)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gpus").join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let read = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.file_stem().unwrap().to_string_lossy().into_owned(), table)
    };
    paths.map(read).collect()
}

/// What products have in common is held to the same: each value has its provenance, and each base is there.
#[test]
fn files_of_generations_have_a_source_for_every_fact_too() {
    let generations = files_in("generations");
    assert!(generations.iter().any(|(name, _)| name == "rdna-4"));
    for (name, table) in &generations {
        assert!(table.get("name").is_none_or(|given| given.as_str() == Some(name)), "{name}");
        let base = table.get("base").map(|base| base.as_str().unwrap());
        assert!(base.is_none_or(|base| generations.iter().any(|(name, _)| name == base)), "{name}: {base:?}");
        let sections = table.values().filter_map(toml::Value::as_table).filter(|table| !table.contains_key("value"));
        for (key, value) in table.iter().chain(sections.flatten()) {
            let is_section = value.as_table().is_some_and(|table| !table.contains_key("value"));
            if is_section || ["base", "name"].contains(&key.as_str()) {
                continue;
            }
            let provenance =
                ["source", "estimated"].map(|provenance| value.get(provenance).and_then(|text| text.as_str()));
            let given = provenance.into_iter().flatten().filter(|text| !text.is_empty()).count();
            assert!(value.get("value").is_some() && given == 1, "{name}: {key} = {value}");
        }
    }
}
