//! No region is faster than what bounds it.

use std::num::NonZeroU32;

use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_predict::{Code, Question, predict};
use gcn_tests::chip;

/// Loops that one unit bounds: its lines.
const LOOPS: [(&str, &str); 4] = [
    ("LDS", "ds_load_b32 v4, v1\nds_load_b128 v[8:11], v1\n"),
    ("LDS", "ds_store_b64 v1, v[2:3]\n"),
    ("scalar unit", "s_add_u32 s4, s5, s6\n"),
    ("vector memory", "global_load_b128 v[4:7], v1, s[4:5]\n"),
];

/// Other names before gfx11.
fn of_gfx10(line: &str) -> String {
    [("ds_load_", "ds_read_"), ("ds_store_", "ds_write_"), ("global_load_b128", "global_load_dwordx4")]
        .into_iter()
        .fold(line.to_owned(), |line, (new, old)| line.replace(new, old))
}

/// With both compute units of a work-group processor a loop has two of each shared unit, and of the LDS as many arrays as the card's file says.
#[test]
fn no_loop_is_faster_than_its_bounds() {
    let gpus = Gpu::shipped().map(|name| Gpu::named(name).unwrap());
    let mut seen = 0;
    for gpu in gpus.filter(|gpu| gpu.generation.has_group_modes()) {
        let chip = chip(&gpu.name, "");
        for (unit, lines) in LOOPS {
            let is_gfx10 = gpu.processor().instruction("DS_LOAD_B32").is_none();
            let lines = if is_gfx10 { of_gfx10(lines) } else { lines.to_owned() };
            // Without a wait any number of loads is under way.
            let is_gfx12 = gpu.processor().instruction("S_WAIT_LOADCNT").is_some();
            let wait = if is_gfx12 { "s_wait_loadcnt 0x0" } else { "s_waitcnt vmcnt(0)" };
            let text = format!(".Ltop:\n{}{wait}\ns_cbranch_scc1 .Ltop\ns_endpgm\n", lines.repeat(16));
            let object = chip.object(&text);
            let code = Code { address: object.code_address, words: object.code.into() };
            let region = code.regions(gpu.processor()).unwrap().remove(0);
            for (simds, group_mode) in [(2, GroupMode::ComputeUnit), (4, GroupMode::Processor)] {
                for waves_per_simd in [1, 3, 8] {
                    let question =
                        Question { waves_per_simd, simds, waves_per_group: NonZeroU32::new(simds), group_mode };
                    let prediction = predict(&gpu, &code, &region, question).unwrap();
                    let tightest = &prediction.bounds[0];
                    let what = format!("{}, {unit}, {question:?}: {tightest:?}", gpu.name);
                    assert!(tightest.share < 1.01, "{what}");
                    // With many waves it is what bounds.
                    assert!(waves_per_simd < 8 || tightest.share > 0.97, "{what}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 400, "{seen}");
}

/// Loads of CDNA 4 wait in a queue, and atomics do not: both take their time of the same unit.
#[test]
fn loads_in_a_queue_and_atomics_share_their_unit() {
    let gpu = Gpu::named("mi350x").unwrap();
    let lines = "global_load_dword v4, v[0:1], off\nglobal_atomic_add v[0:1], v2, off\n".repeat(8);
    let text = format!(".Ltop:\n{lines}s_waitcnt vmcnt(0)\ns_cbranch_scc1 .Ltop\ns_endpgm\n");
    let object = chip("mi350x", "").object(&text);
    let code = Code { address: object.code_address, words: object.code.into() };
    let region = code.regions(gpu.processor()).unwrap().remove(0);
    for waves_per_simd in [1, 2, 4, 8] {
        let question = Question { waves_per_simd, simds: 4, waves_per_group: None, group_mode: GroupMode::ComputeUnit };
        let prediction = predict(&gpu, &code, &region, question).unwrap();
        let tightest = &prediction.bounds[0];
        assert!(tightest.share < 1.01, "{waves_per_simd}: {tightest:?}");
    }
}

#[test]
fn loads_that_nothing_waits_for_are_said_to_take_longer_on_a_card() {
    let gpu = Gpu::named("rx7900xtx").unwrap();
    let said = |wait: &str| {
        let loads = "global_load_b128 v[4:7], v[0:1], off\n".repeat(4);
        let object = chip("rx7900xtx", "").object(&format!(".Ltop:\n{loads}{wait}s_cbranch_scc1 .Ltop\ns_endpgm\n"));
        let code = Code { address: object.code_address, words: object.code.into() };
        let region = code.regions(gpu.processor()).unwrap().remove(0);
        let question =
            Question { waves_per_simd: 1, simds: 2, waves_per_group: None, group_mode: GroupMode::ComputeUnit };
        let prediction = predict(&gpu, &code, &region, question).unwrap();
        prediction.assumptions.iter().any(|said| said.starts_with("nothing waits for the loads: on a card 80 cycles"))
    };
    // 512 bytes of each of four loads of two waves, 51 bytes a cycle.
    assert_eq!([said(""), said("s_waitcnt vmcnt(0)\n")], [true, false]);
}
