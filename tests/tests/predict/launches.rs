//! A repeated block against a launch of the same loop: the same machine, but nothing is computed.

use std::cell::Cell;
use std::num::NonZeroU32;

use gcn_model::code_object::ProgramRegisters;
use gcn_model::gpu::Gpu;
use gcn_predict::{Code, Question, Region, RegionKind, predict};
use gcn_simulator::{
    Activity, Apertures, Block, BlockShape, Configuration, Memory, RegisterDispatch, dispatch_registers, run_block,
};
use gcn_tests::{Chip, chip};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Lines that take the same time whatever their registers hold, each unit among them. A wave starts with the work-item in v0.
const LINES: [&str; 24] = [
    "v_mul_f32_e32 v5, v3, v4",
    "v_mul_f32_e64 v6, v3, v4",
    "v_fma_f64 v[8:9], v[10:11], v[10:11], v[8:9]",
    "v_rcp_f32_e32 v13, v4",
    "v_mul_lo_u32 v3, v4, v5",
    "v_readfirstlane_b32 s20, v0",
    "v_cmp_lt_f32_e32 vcc, v3, v4",
    "s_add_u32 s22, s22, s23",
    "s_brev_b32 s29, s28",
    "s_mul_i32 s27, s22, s23",
    "s_nop 3",
    "s_sleep 1",
    "s_cbranch_execz .Lskip",
    "s_cbranch_scc1 .Lover",
    "s_branch .Lforth",
    "s_barrier",
    "ds_read_u8 v4, v0",
    "ds_write_b8 v0, v0",
    "ds_read_u16 v6, v14\ns_waitcnt lgkmcnt(0)",
    "s_waitcnt lgkmcnt(1)",
    "s_waitcnt vmcnt(0)",
    "buffer_load_ubyte v7, v0, s[4:7], 0 offen",
    "buffer_store_byte v0, v0, s[4:7], 0 offen offset:256",
    "s_load_dword s24, s[0:1], 0x0",
];
/// Where the kernels have how often they repeat their lines.
const COUNTER: usize = 8;

/// A kernel that is a loop, with nothing in front.
fn kernel(lines: &[&str]) -> String {
    let body: String = (0..)
        .zip(lines)
        .map(|(n, line)| match *line {
            "s_cbranch_execz .Lskip" => format!("s_cbranch_execz .Lskip{n}\nv_nop\n.Lskip{n}:\n"),
            // The code after the jump leads nowhere: the jump is taken.
            "s_cbranch_scc1 .Lover" => format!("s_cmp_eq_u32 0, 0\n{line}{n}\ns_endpgm\n.Lover{n}:\n"),
            // A jump back that closes no loop.
            "s_branch .Lforth" => {
                format!("{line}{n}\n.Lback{n}:\ns_branch .Lon{n}\n.Lforth{n}:\ns_branch .Lback{n}\n.Lon{n}:\n")
            }
            line => format!("{line}\n"),
        })
        .collect();
    format!(
        ".Lagain:\ns_mov_b32 m0, -1\nv_lshlrev_b32_e32 v14, 1, v0\n{body}s_sub_u32 s{COUNTER}, s{COUNTER}, 1\n\
         s_cmp_lg_u32 s{COUNTER}, 0\ns_cbranch_scc1 .Lagain\ns_endpgm\n"
    )
}

/// The code of such a kernel, and its loop.
fn code(chip: &Chip, gpu: &Gpu, lines: &[&str]) -> (Code, Region) {
    let object = chip.object(&kernel(lines));
    let code = Code { address: object.code_address, words: object.code.into() };
    let region = code.regions(gpu.processor()).unwrap().remove(0);
    assert_eq!(region.kind, RegionKind::Loop);
    (code, region)
}

/// Cycles of a launch of a loop that lies in memory, on the only compute unit of a GPU.
fn launched(configuration: &Configuration, words: &[u32], iterations: u32, waves: [u32; 2]) -> u64 {
    const LINES_OF_CODE: u64 = 1 << 12;
    let mut memory = Memory::default();
    let [program_address, data] = [LINES_OF_CODE, 4096].map(|bytes| memory.allocate(bytes));
    memory.upload(program_address, words).unwrap();
    let mut user_data = vec![Some(0); 16];
    for (register, value) in [(0, data as u32), (1, (data >> 32) as u32)] {
        (user_data[register], user_data[register + 4]) = (Some(value), Some(value));
    }
    (user_data[6], user_data[7], user_data[COUNTER]) = (Some(4096), Some(0x27fac), Some(iterations));
    let [groups, waves_of_group] = waves;
    let dispatch = RegisterDispatch {
        program_address,
        // 24 VGPRs, 48 SGPRs, the modes of HSA; 16 user SGPRs, 4 granules of LDS.
        registers: ProgramRegisters { rsrc1: 5 | 5 << 6 | 0xc0 << 12, rsrc2: 16 << 1 | 4 << 15, rsrc3: 0 },
        user_data,
        grid: [groups * waves_of_group * 64, 1, 1],
        group: [waves_of_group * 64, 1, 1],
        wave_size: None,
        private_segment_bytes: 0,
        scratch_waves: 0,
        apertures: Apertures::of(configuration.generation),
        ordinal: 0,
        cycle_limit: 10_000_000,
    };
    dispatch_registers(configuration, &dispatch, &mut memory).unwrap_or_else(|error| panic!("{error}")).cycles
}

#[test]
fn a_block_takes_the_cycles_of_a_launch() {
    const CASES: u32 = 600;
    let compared = Cell::new(0);
    let cases = (
        prop::sample::select(vec!["tahiti", "hawaii", "vega10"]),
        prop::collection::vec(prop::sample::select(LINES.to_vec()), 1..24),
        // A block has equally many waves on each SIMD.
        (1_u32..=4).prop_flat_map(|waves_of_group| {
            let whole = move |groups: &u32| waves_of_group * groups < 4 || (waves_of_group * groups).is_multiple_of(4);
            (Just(waves_of_group), prop::sample::select((1_u32..=8).filter(whole).collect::<Vec<_>>()))
        }),
    );
    let mut runner = TestRunner::new(Config { cases: CASES, ..Config::default() });
    let outcome = runner.run(&cases, |(name, lines, (waves_of_group, groups))| {
        let waves = waves_of_group * groups;
        let simulation = "[simulation]\ncompute_units = 1\n";
        let chip = chip(name, simulation);
        let gpu = Gpu::from_toml(&format!("base = \"{name}\"\nname = \"test\"\n{simulation}"), "test.toml").unwrap();
        let configuration = Configuration::of(&gpu);
        let (code, region) = code(&chip, &gpu, &lines);
        let shape = |iterations| BlockShape {
            simds: waves.min(4),
            waves_per_simd: waves.div_ceil(4),
            waves_per_group: waves_of_group,
            iterations,
        };
        // With S_ENDPGM after the loop, since that takes its time and its unit.
        let words = code.words_of(region.start, region.end + 4).unwrap();
        let block = Block { name: "loop", address: region.start, words: &words };
        for iterations in [1, 3, 40] {
            let of_block = run_block(&configuration, block, shape(iterations)).unwrap().cycles;
            let of_launch = launched(&configuration, &code.words, iterations, [groups, waves_of_group]);
            prop_assert_eq!(of_launch, of_block, "{} iterations", iterations);
        }
        compared.set(compared.get() + 1);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(compared.get() >= CASES, "{} loops", compared.get());
}

#[test]
fn every_cycle_of_every_wave_is_accounted_for() {
    let cases = (
        prop::sample::select(vec!["tahiti", "fiji", "vega10"]),
        prop::collection::vec(prop::sample::select(LINES.to_vec()), 1..24),
        1_u32..=4,
        1_u32..=10,
    );
    let hidden = Cell::new(0);
    let mut runner = TestRunner::new(Config { cases: 150, ..Config::default() });
    let outcome = runner.run(&cases, |(name, lines, simds, waves_per_simd)| {
        let chip = chip(name, "");
        let gpu = Gpu::named(name).unwrap();
        let (code, region) = code(&chip, &gpu, &lines);
        let words = code.words_of(region.start, region.end).unwrap();
        let block = Block { name: "loop", address: region.start, words: &words };
        let shape = BlockShape { simds, waves_per_simd, waves_per_group: simds, iterations: 8 };
        let run = run_block(&Configuration::of(&gpu), block, shape).unwrap();
        let mut until = std::collections::BTreeMap::new();
        for segment in &run.segments {
            let end = until.entry(segment.wave).or_insert(segment.start);
            prop_assert_eq!(*end, segment.start, "wave {} has a gap or an overlap", segment.wave);
            *end += segment.cycles;
        }
        prop_assert_eq!(until.len() as u32, simds * waves_per_simd);
        prop_assert_eq!(until.values().copied().max(), Some(run.cycles));
        let executed = run.segments.iter().filter(|segment| segment.activity == Activity::Issue).count();
        let reached = run.instructions.iter().filter(|instruction| instruction.is_reached).count();
        prop_assert_eq!(executed as u32, 8 * simds * waves_per_simd * reached as u32);

        let question =
            Question { waves_per_simd, simds, waves_per_group: NonZeroU32::new(simds), ..Question::default() };
        let prediction = predict(&gpu, &code, &region, question).unwrap();
        let sum: f64 = prediction.instructions.iter().map(|line| line.issue.0 + line.stalled().0).sum();
        let cycles = prediction.cycles_per_iteration.0;
        prop_assert!((sum - cycles).abs() <= 1e-9 * cycles, "{sum} of {cycles}");
        for line in &prediction.instructions {
            prop_assert!(line.hidden.0 <= line.stalled().0 + 1e-9, "{line:?}");
            prop_assert!(waves_per_simd > 1 || line.hidden.0 == 0.0, "there is no other wave: {line:?}");
            hidden.set(hidden.get() + u32::from(line.hidden.0 > 0.0));
        }
        for bound in &prediction.bounds {
            prop_assert!(bound.share <= 1.01 || !prediction.is_steady, "{bound:?} in {cycles}");
        }
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(hidden.get() > 0, "no stall of any loop was hidden");
}
