//! The GPU files that ship.

use gcn_model::gpu::{Gpu, Grounds};

/// Keys that are a name, not a fact.
const NAMES: [&str; 1] = ["name"];

#[test]
fn each_ships_with_a_source_for_every_fact() {
    let names: Vec<&str> = Gpu::shipped().collect();
    assert_eq!(names.len(), 11);
    for name in names {
        let gpu = Gpu::named(name).unwrap();
        assert_eq!(gpu.name, name);
        for (key, origin) in &gpu.origins {
            let stated = origin.grounds == Grounds::Stated;
            assert_eq!(stated, NAMES.contains(&key.as_str()), "{name}: {key} at {}", origin.at);
        }
        assert!(gpu.origins.len() > 45, "{name}: only {} facts", gpu.origins.len());
    }
}

#[test]
fn generations_differ_where_the_sources_say_so() {
    let [tahiti, hawaii, pro, tonga, fiji, vii] =
        ["tahiti", "hawaii", "hawaii-pro", "tonga", "fiji", "radeon-vii"].map(|name| Gpu::named(name).unwrap());
    assert_eq!((tahiti.dp_factor, tahiti.dp_rate()), (2, "1/4".to_owned()));
    assert_eq!((hawaii.dp_factor, pro.dp_factor, vii.dp_factor), (4, 1, 2));
    assert_eq!(hawaii.gfx_target, pro.gfx_target);
    assert_eq!((tahiti.lds.granule.0, hawaii.lds.granule.0), (256, 512));
    assert_eq!((tahiti.front_end.penalty_cycles, fiji.front_end.penalty_cycles), (4, 0));
    assert_eq!((tonga.registers.sgpr_granule, fiji.registers.sgpr_granule), (96, 16));
    assert_eq!((tahiti.clock.realtime_mhz, vii.clock.realtime_mhz), (None, Some(25.0)));
    assert_eq!((vii.gfx_target.as_str(), vii.instruction_cache.shared_by), ("gfx906", 3));
    assert!(tahiti.scheduling.vector_to_scalar_producers.contains("V_READFIRSTLANE_B32"));
}
