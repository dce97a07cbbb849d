//! Matrix products of the shape of published ones, written here: the share of the peak next to that of the whole published kernel.

use std::fmt::Write as _;
use std::num::NonZero;

use gcn_harness::mca::LlvmMca;
use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_predict::Question;
use gcn_tests::in_rounds;

use crate::silicon::accuracy::{Case, Measured, iteration};

/// Rows of a tile of A and columns of one of B that an iteration multiplies: of a work-group 128 × 128, in depth 8.
const DEPTH: u32 = 8;

/// Waves of a work-group.
const WAVES: u32 = 4;

/// A kernel: its loop, who runs it, and what was published of it.
struct Kernel {
    name: &'static str,
    gpu: &'static str,
    text: String,
    /// Work-groups that a compute unit has room for.
    groups_at_once: u32,
    /// Those of the published size; 0 where the best of many sizes was published.
    groups: u32,
    simds: u32,
    /// Cycles of a SIMD for the multiplications of an iteration of a wave.
    ideal_cycles: u32,
    /// Per cent of the peak that the whole kernel reached.
    measured: f64,
    source: &'static str,
    cause: &'static str,
}

/// The cases, in per cent of the peak.
pub(super) fn cases(mca: Option<&LlvmMca>) -> Vec<Measured> {
    let rdna = |name, stage, measured, cause| Kernel {
        name,
        gpu: "rx7900xtx",
        text: dual_issue(stage),
        groups_at_once: 3,
        groups: 1024,
        simds: 2,
        // 16 × 8 products of a lane, two in an instruction.
        ideal_cycles: DEPTH * 64,
        measured,
        source: "fp32_sgemm_amd @6d582dd1, 4096³; peak 61.4 TFLOPS",
        cause,
    };
    let kernels = [
        Kernel {
            name: "SGEMM 128 × 128 × 8, groups of 4 waves",
            gpu: "fiji",
            text: multiply_add(),
            groups_at_once: 2,
            groups: 0,
            simds: 4,
            ideal_cycles: DEPTH * 64 * 4,
            measured: 91.4,
            source: "rocBLAS @b520bc83, r9nano: best of 160 sizes; peak 8,192 GFLOPS",
            cause: "a loop, not the published code; the whole kernel, its start, its end and its last work-groups included, was measured",
        },
        rdna("SGEMM, kernel 6: dual issue", 6, 61.5, WHOLE),
        rdna("SGEMM, kernel 7: inner loop unrolled, S_SETPRIO", 7, 67.2, PRIORITY),
        rdna("SGEMM, kernel 8: addresses in SGPRs", 8, 79.8, WHOLE),
    ];
    kernels.into_iter().map(|kernel| kernel.case(mca)).collect()
}

const WHOLE: &str = "a loop, not the published code; start and end of a work-group are not simulated; the clock under load is not published";

/// With the loop's share without S_SETPRIO.
const PRIORITY: &str = "as of kernel 6, which is slower on silicon and faster here: waves that lead by S_SETPRIO wait at the barrier here; without it the loop has WITHOUT";

impl Kernel {
    fn case(self, mca: Option<&LlvmMca>) -> Measured {
        let gpu = Gpu::named(self.gpu).unwrap_or_else(|error| panic!("{error}"));
        let [predicted, of_mca] = self.shares(mca, &gpu, &self.text);
        let without = || {
            let lines = self.text.lines().filter(|line| !line.starts_with("s_setprio"));
            let text: String = lines.flat_map(|line| [line, "\n"]).collect();
            format!("{:.1} %", self.shares(None, &gpu, &text)[0].unwrap_or_default())
        };
        let cause = match self.cause.split_once("WITHOUT") {
            Some((before, after)) => format!("{before}{}{after}", without()),
            None => self.cause.to_owned(),
        };
        let family = if gpu.generation.has_wave_sizes() { "RDNA" } else { "GCN" };
        let case = Case::of(self.name, [family, "judged"], self.measured, self.source, &cause);
        Measured { case, predicted: predicted.unwrap_or_default(), mca: of_mca }
    }

    /// Per cent of the peak that a kernel reaches here, and one wave of its loop by llvm-mca.
    fn shares(&self, mca: Option<&LlvmMca>, gpu: &Gpu, text: &str) -> [Option<f64>; 2] {
        let waves = |groups: u32| groups * WAVES / self.simds;
        let question = |groups| Question {
            waves_per_simd: waves(groups),
            simds: self.simds,
            waves_per_group: NonZero::new(WAVES),
            group_mode: GroupMode::ComputeUnit,
        };
        let ideal = |waves: u32| 100.0 * f64::from(waves * self.ideal_cycles);
        let [full, of_mca] = iteration(mca, gpu, text, question(self.groups_at_once));
        let of_mca = of_mca.map(|cycles| ideal(1) / cycles);
        if self.groups == 0 {
            return [full.map(|cycles| ideal(waves(self.groups_at_once)) / cycles), of_mca];
        }
        // A compute unit with one work-group more than others takes longest.
        let cycles = full.map(|full| {
            let of_others = |groups| iteration(None, gpu, text, question(groups))[0].unwrap_or(f64::NAN);
            let cycles = |groups| if groups == self.groups_at_once { full } else { of_others(groups) };
            in_rounds(self.groups.div_ceil(gpu.compute_units), self.groups_at_once, cycles)
        });
        let of_all = ideal(waves(self.groups)) / f64::from(gpu.compute_units);
        [cycles.map(|cycles| of_all / cycles), of_mca]
    }
}

/// The loop of GCN: 8 × 8 products of a lane, operands from one half of the LDS while the next tile comes to the other.
fn multiply_add() -> String {
    let mut text = ".Ltile:\nbuffer_load_dwordx4 v[90:93], v2, s[4:7], 0 offen\nbuffer_load_dwordx4 v[94:97], v3, s[4:7], 0 offen\n\
        v_add_u32_e32 v2, vcc, 0x100, v2\nv_add_u32_e32 v3, vcc, 0x100, v3\n"
        .to_owned();
    let read = |text: &mut String, step: u32, to: u32| {
        for half in 0..2 {
            let (row, at) = (to + 4 * half, 512 * step + 16 * half);
            writeln!(text, "ds_read_b128 v[{}:{}], v0 offset:{at}", row, row + 3).unwrap();
            writeln!(text, "ds_read_b128 v[{}:{}], v1 offset:{at}", row + 8, row + 11).unwrap();
        }
    };
    read(&mut text, 0, 100);
    for step in 0..DEPTH {
        // The operands of the next step are under way during this one.
        let (now, next) = (100 + 16 * (step % 2), 100 + 16 * ((step + 1) % 2));
        if step + 1 < DEPTH {
            read(&mut text, step + 1, next);
        }
        writeln!(text, "s_waitcnt lgkmcnt({})\ns_setprio 1", if step + 1 < DEPTH { 4 } else { 0 }).unwrap();
        for product in 0..64 {
            let (row, column) = (product / 8, product % 8);
            writeln!(text, "v_mac_f32_e32 v{}, v{}, v{}", 10 + product, now + row, now + 8 + column).unwrap();
        }
        text += "s_setprio 0\n";
    }
    text + "s_waitcnt vmcnt(0)\nds_write_b128 v4, v[90:93]\nds_write_b128 v5, v[94:97]\nv_xor_b32_e32 v0, 0x2000, v0\nv_xor_b32_e32 v1, 0x2000, v1\n\
        v_xor_b32_e32 v4, 0x2000, v4\nv_xor_b32_e32 v5, 0x2000, v5\ns_waitcnt lgkmcnt(0)\ns_barrier\ns_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\n\
        s_cbranch_scc1 .Ltile\ns_endpgm\n"
}

/// The four products of a pair of rows and a pair of columns; so many squares of four lie before them.
fn products_of_pairs(square: u32) -> String {
    let (band, at) = (square / 8, square % 8);
    let row = 34 + 4 * (at / 2);
    let column = 68 + 4 * ((2 * band + [0, 1, 1, 0, 0, 1, 1, 2][at as usize]) % 8);
    let product = |result: u32, [row, column]: [u32; 2]| {
        format!("v_dual_fmac_f32 v{}, v{row}, v{column}", 104 + 4 * square + result)
    };
    let crossed = [[row, column + 1], [row + 1, column]];
    let [x, y] = if at % 2 == 0 { crossed } else { [crossed[1], crossed[0]] };
    let straight = [product(5, [row, column]), product(2, [row + 1, column + 1])];
    let crossed = [product(3, x), product(4, y)];
    format!("{}\n{}\n", straight.join(" :: "), crossed.join(" :: "))
}

/// The loop of RDNA 3: 16 × 8 products of a lane by dual issue. Kernel 6 has a loop over the depth, 7 has none, and 8 has its addresses in SGPRs.
fn dual_issue(stage: u32) -> String {
    let mut text = ".Ltile:\n".to_owned();
    let load = |text: &mut String, which: u32| {
        if stage == 8 {
            writeln!(text, "global_load_b32 v{}, v2, s[10:11] offset:{}", 16 + which, 4 * which).unwrap();
        } else {
            text.push_str(
                "v_add_nc_u32_e32 v8, s8, v8\ns_delay_alu instid0(VALU_DEP_1)\nv_ashrrev_i32_e32 v9, 31, v8\ns_delay_alu instid0(VALU_DEP_1)\n\
                 v_lshlrev_b64 v[10:11], 2, v[8:9]\ns_delay_alu instid0(VALU_DEP_1)\nv_add_co_u32 v10, vcc_lo, s10, v10\n\
                 v_add_co_ci_u32_e32 v11, vcc_lo, s11, v11, vcc_lo\n",
            );
            writeln!(text, "global_load_b32 v{}, v[10:11], off", 16 + which).unwrap();
        }
    };
    if stage < 8 {
        (0..16).for_each(|which| load(&mut text, which));
    }
    for step in 0..DEPTH {
        if stage == 8 {
            (2 * step..2 * step + 2).for_each(|which| load(&mut text, which));
        }
        // In a loop each step has the same offsets, and moves the addresses.
        let offset = if stage == 6 { 0 } else { 512 * step };
        text += "s_clause 0xb\n";
        for pair in 0..8 {
            let to = 68 + 4 * pair;
            writeln!(text, "ds_load_b64 v[{to}:{}], v0 offset:{}", to + 1, offset + 8 * pair).unwrap();
        }
        for pair in 0..4 {
            let to = 34 + 4 * pair;
            writeln!(text, "ds_load_b64 v[{to}:{}], v1 offset:{}", to + 1, offset + 8 * pair).unwrap();
        }
        text += if stage == 6 { "s_waitcnt lgkmcnt(0)\n" } else { "s_waitcnt lgkmcnt(0)\ns_setprio 1\n" };
        // Order and registers of the published kernel: each pair of products shares a factor with the next one, and two pairs of results
        // lie in four banks.
        for square in 0..32 {
            text += &products_of_pairs(square);
        }
        if stage == 6 {
            writeln!(
                text,
                "v_add_nc_u32_e32 v0, 0x200, v0\nv_add_nc_u32_e32 v1, 0x200, v1\ns_add_i32 s14, s14, 1\ns_cmp_lg_u32 s14, 8\n\
                 s_branch .Lstep{step}\n.Lstep{step}:"
            )
            .unwrap();
        } else {
            text += "s_setprio 0\n";
        }
    }
    text += "s_barrier\ns_waitcnt vmcnt(0)\n";
    for which in 0..16 {
        writeln!(text, "ds_store_b32 v3, v{} offset:{}", 16 + which, 512 * (which % 8)).unwrap();
    }
    text + "s_waitcnt lgkmcnt(0)\ns_barrier\ns_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Ltile\ns_endpgm\n"
}
