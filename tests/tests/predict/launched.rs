//! A predicted launch against the simulator's own: the same cycles, and every one of them accounted for.

use gcn_model::code_object::{CodeObject, LoadableObject};
use gcn_model::gpu::Gpu;
use gcn_model::quantity::Bytes;
use gcn_predict::{Argument, LaunchArguments, Launched, Value, launch_text};
use gcn_simulator::{Activity, Configuration, LaunchShape, LaunchStatistics, Memory};
use gcn_tests::{Chip, chip};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Lines of every unit; the places in LDS that some of them reach conflict, and the way through others depends on the lane.
const LINES: [&str; 24] = [
    "v_mul_f32_e32 v5, v3, v4",
    "v_mul_f32_e64 v6, v3, v4",
    "v_fma_f64 v[8:9], v[10:11], v[10:11], v[8:9]",
    "v_rcp_f32_e32 v13, v4",
    "v_rsq_f32_e32 v3, v13",
    "v_mul_lo_u32 v3, v4, v5",
    "v_readfirstlane_b32 s20, v0",
    "v_cmp_gt_u32_e32 vcc, 40, v0",
    "s_add_u32 s22, s22, s23",
    "s_mul_i32 s27, s22, s23",
    "s_nop 3",
    "s_sleep 1",
    "s_cbranch_execz .Lskip",
    "s_cbranch_vccnz .Lskip",
    "s_and_saveexec_b64 s[30:31], vcc\nv_mov_b32_e32 v4, v0\ns_mov_b64 exec, s[30:31]",
    "s_barrier",
    "ds_read_b32 v16, v15",
    "ds_write_b32 v14, v0",
    "ds_read_b64 v[16:17], v14\ns_waitcnt lgkmcnt(0)",
    "s_waitcnt lgkmcnt(1)",
    "s_waitcnt vmcnt(0)",
    "buffer_load_dword v7, v1, s[4:7], 0 offen",
    "buffer_store_dword v0, v1, s[4:7], 0 offen offset:1024",
    "s_load_dword s24, s[0:1], 0x0",
];
/// LDS of a work-group.
const LDS: u32 = 8192;

fn kernel(chip: &Chip, lines: &[&str], iterations: u32) -> String {
    let skips = |(n, line): (usize, &&str)| match line.strip_suffix(".Lskip") {
        Some(branch) => format!("{branch}.Lskip{n}\nv_nop\n.Lskip{n}:\n"),
        None => format!("{line}\n"),
    };
    let body: String = lines.iter().enumerate().map(|(n, line)| skips((n, line))).collect();
    let zeros: String = (2..18).filter(|v| *v != 14 && *v != 15).map(|v| format!("v_mov_b32_e32 v{v}, 0\n")).collect();
    format!(
        "{}{zeros}s_mov_b32 m0, -1\nv_lshlrev_b32_e32 v14, 3, v0\nv_lshlrev_b32_e32 v15, 5, v0\ns_mov_b64 vcc, 0\n\
         s_mov_b32 s22, 3\ns_mov_b32 s23, 5\ns_mov_b32 s8, {iterations}\n.Lagain:\n{body}s_sub_u32 s8, s8, 1\n\
         s_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Lagain\ns_endpgm\n",
        chip.prologue()
    )
}

/// The launch of the simulator, without a record.
fn plain(gpu: &Gpu, object: &CodeObject, groups: u32, group_size: u32) -> (LaunchStatistics, Vec<u32>) {
    let mut memory = Memory::default();
    let results = memory.allocate(Chip::DWORDS as u64 * 4);
    let kernarg_address = memory.allocate(16);
    let arguments = [results as u32, (results >> 32) as u32, Chip::DWORDS as u32 * 4, 0];
    memory.upload(kernarg_address, &arguments).unwrap();
    let shape = LaunchShape {
        groups,
        group_size,
        dynamic_lds_bytes: LDS,
        kernarg_address,
        ordinal: 0,
        cycle_limit: 10_000_000,
    };
    let done = gcn_simulator::launch(&Configuration::of(gpu), object, "k", &shape, &mut memory);
    (done.unwrap_or_else(|error| panic!("{error}")), memory.download(results, Chip::DWORDS).unwrap())
}

fn predicted(gpu: &Gpu, object: &LoadableObject, groups: u32, group_size: u32) -> Launched {
    let arguments = LaunchArguments {
        grid: [groups * group_size, 1, 1],
        group: [group_size, 1, 1],
        arguments: vec![
            Argument::Buffer(vec![0; Chip::DWORDS * 4]),
            Argument::Value(Value::U32(Chip::DWORDS as u32 * 4)),
            Argument::Local(Bytes(LDS)),
        ],
        cycle_limit: 10_000_000,
    };
    gcn_predict::launch(gpu, object, "k", &arguments).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_predicted_launch_equals_the_simulators_and_every_cycle_has_a_line() {
    let cases = (
        prop::sample::select(vec!["tahiti", "hawaii", "fiji", "vega10"]),
        prop::collection::vec(prop::sample::select(LINES.to_vec()), 1..24),
        (1_u32..=3, 1_u32..12, prop::sample::select(vec![64_u32, 100, 192, 256]), 1_u32..5),
    );
    let mut runner = TestRunner::new(Config { cases: 300, ..Config::default() });
    let outcome = runner.run(&cases, |(name, lines, (compute_units, groups, group_size, iterations))| {
        let simulation = format!("[simulation]\ncompute_units = {compute_units}\n");
        let chip = chip(name, &simulation);
        let gpu = Gpu::from_toml(&format!("base = \"{name}\"\nname = \"test\"\n{simulation}"), "test.toml").unwrap();
        let object = LoadableObject::read(&chip.object_file(&kernel(&chip, &lines, iterations))).unwrap();
        let (statistics, memory) = plain(&gpu, &object.object, groups, group_size);
        let launched = predicted(&gpu, &object, groups, group_size);
        let prediction = &launched.prediction;
        prop_assert_eq!(launched.profile.statistics, statistics);
        prop_assert_eq!(prediction.cycles.0, statistics.cycles as f64);
        prop_assert_eq!(prediction.groups, u64::from(groups));
        let stored: Vec<u8> = memory.into_iter().flat_map(u32::to_le_bytes).collect();
        prop_assert!(launched.buffer(1).unwrap() == stored, "the memory differs");

        let mut by_activity = [0; Activity::ALL.len()];
        prop_assert_eq!(launched.profile.waves.len() as u32, groups * group_size.div_ceil(64));
        for (number, wave) in (0..).zip(&launched.profile.waves) {
            prop_assert_eq!(wave.number, number);
            let of = Activity::ALL.map(|activity| wave.cycles(activity));
            prop_assert_eq!(wave.start + of.iter().sum::<u64>(), wave.end, "wave {}", number);
            by_activity.iter_mut().zip(of).for_each(|(sum, cycles)| *sum += cycles);
        }
        prop_assert_eq!(launched.profile.waves.iter().map(|wave| wave.end).max(), Some(statistics.cycles));
        let of_lines = Activity::ALL.map(|activity| {
            launched.profile.instructions.values().map(|instruction| instruction.cycles(activity)).sum::<u64>()
        });
        prop_assert_eq!(of_lines, by_activity);
        let told: f64 = prediction.instructions.iter().map(|line| line.issue.0 + line.stalled().0).sum();
        prop_assert_eq!(told, by_activity.iter().sum::<u64>() as f64);
        prop_assert_eq!(prediction.instructions.iter().map(|line| line.executed).sum::<u64>(), statistics.instructions);
        let means = prediction.wave_cycles.mean.0 * f64::from(prediction.waves);
        prop_assert!((means - told).abs() < 1e-6 * told, "{means} {told}");
        let approximates = lines.iter().any(|line| line.starts_with("v_rcp") || line.starts_with("v_rsq"));
        prop_assert_eq!(!prediction.approximate().is_empty(), approximates);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

/// A row of LDS for each lane, read again and again: the rows of 64 bytes lie in two banks, and those of 68 bytes in all.
fn rows_of(chip: &Chip, bytes: u32) -> LoadableObject {
    let text = format!(
        "{}s_mov_b32 m0, -1\nv_mul_u32_u24_e32 v15, {bytes:#x}, v0\ns_movk_i32 s8, 40\n.Lagain:\n{}s_sub_u32 s8, s8, 1\n\
         s_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Lagain\ns_waitcnt lgkmcnt(0)\ns_endpgm\n",
        chip.prologue(),
        "ds_read_b32 v16, v15\n".repeat(12),
    );
    LoadableObject::read(&chip.object_file(&text)).unwrap()
}

#[test]
fn conflicts_in_banks_cost_what_padding_by_hand_saves() {
    for name in ["fiji", "vega10", "mi300x"] {
        let (chip, gpu) = (chip(name, ""), Gpu::named(name).unwrap());
        let of = |bytes: u32| predicted(&gpu, &rows_of(&chip, bytes), 4, 256).prediction;
        let (rows, padded) = (of(64), of(68));
        assert_eq!((padded.conflicts().0, padded.without_conflicts), (0.0, None), "{name}");
        let promised = 1.0 - rows.without_conflicts.unwrap().0 / rows.cycles.0;
        let gained = 1.0 - padded.cycles.0 / rows.cycles.0;
        assert!(promised > 0.5 && (promised - gained).abs() < 0.03, "{name}: {promised}, {gained} by hand");
        let text = launch_text(&gpu, &rows);
        assert!(text.contains("bank conflicts removed: they keep the LDS") && text.contains("`ds_read_b32 v16, v15`"));
        assert!(!launch_text(&gpu, &padded).contains("advice"));
    }
}
