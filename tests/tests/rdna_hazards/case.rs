//! Instructions that break a row, as LLVM's machine code text.

/// An example of a row.
pub(crate) struct Case {
    pub(crate) row: &'static str,
    /// A target that has the row.
    pub(crate) target: &'static str,
    /// Targets that have not, or none that has these instructions.
    pub(crate) others: &'static [&'static str],
    /// The instructions, `|` where another block begins.
    pub(crate) lines: &'static [&'static str],
}

const RDNA_2: &[&str] = &["gfx1030"];
const NOT_RDNA_3_0: &[&str] = &["gfx1030", "gfx1150", "gfx1200"];
/// Waves of 32 lanes read masks of 32 bits: the examples have 64.
const NOT_IN_64: &[&str] = &["gfx1010:wavefrontsize64+", "gfx1030:wavefrontsize64+"];
const NOT_RDNA_4: &[&str] = &["gfx1030", "gfx1100", "gfx1150"];
/// Waves of 32 lanes, and another generation.
const NOT_PARTIAL: &[&str] = &["gfx1100", "gfx1030:wavefrontsize64+"];
const NOT_GFX1250: &[&str] = &["gfx1030", "gfx1150", "gfx1200"];
const RDNA_3_IN_64: &str = "gfx1100:wavefrontsize64+";

const BUFFER_LOAD: &str = "$vgpr0 = BUFFER_LOAD_DWORD_OFFSET $sgpr4_sgpr5_sgpr6_sgpr7, $sgpr3, 0, 0, 0, implicit $exec";
const STORE: &str = "GLOBAL_STORE_DWORD $vgpr60_vgpr61, $vgpr0, 0, 0, implicit $exec";
const LDS_STORE: &str = "DS_WRITE_B32_gfx9 $vgpr60, $vgpr0, 0, 0, implicit $exec";
const LOAD: &str = "$sgpr3 = S_LOAD_DWORD_IMM $sgpr0_sgpr1, 0, 0";
const BRANCH: &str = "S_BRANCH %bb.1";
const CMPX: &str = "V_CMPX_EQ_U32_nosdst_e32 $vgpr60, $vgpr61, implicit-def $exec, implicit $mode, implicit $exec";
const PERMLANE: &str =
    "$vgpr1 = V_PERMLANE16_B32_e64 0, killed $vgpr1, 0, $sgpr2, 0, $sgpr3, $vgpr1, 0, implicit $exec";
const PERMLANE64: &str = "$vgpr1 = V_PERMLANE64_B32 killed $vgpr2, implicit $exec";
const MOVE: &str = "$vgpr9 = V_MOV_B32_e32 0, implicit $exec";
const RCP: &str = "$vgpr0 = V_RCP_F32_e32 $vgpr60, implicit $mode, implicit $exec";
/// Two instructions in one, of which the second reads what RCP writes.
const PAIR: &str = "$vgpr2, $vgpr3 = V_DUAL_MOV_B32_e32_X_MOV_B32_e32_gfx11 $vgpr61, $vgpr0, implicit $exec, implicit $exec, implicit $exec";
const SELECT: &str = "$vgpr1 = V_CNDMASK_B32_e64 0, $vgpr2, 0, $vgpr3, $sgpr8_sgpr9, implicit $exec";
const SELECT_VCC: &str = "$vgpr1 = V_CNDMASK_B32_e32 $vgpr2, $vgpr3, implicit $vcc, implicit $exec";
const COMPARE_VCC: &str = "V_CMP_EQ_U32_e32 $vgpr60, $vgpr61, implicit-def $vcc, implicit $exec";
const SALU_WRITES: &str = "$sgpr8 = S_MOV_B32 0";
const VALU_WRITES: &str = "$sgpr8 = V_READFIRSTLANE_B32 $vgpr7, implicit $exec";
const SALU_READS: &str = "$sgpr10 = S_MOV_B32 $sgpr8";
const VALU_READS: &str = "$vgpr2 = V_MOV_B32_e32 $sgpr8, implicit $exec";
const WMMA: &str = "$vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23 = V_WMMA_F32_16X16X16_F16_twoaddr_w32 8, $vgpr0_vgpr1_vgpr2_vgpr3_vgpr4_vgpr5_vgpr6_vgpr7, 8, $vgpr8_vgpr9_vgpr10_vgpr11_vgpr12_vgpr13_vgpr14_vgpr15, 8, $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23, 0, 0, implicit $exec";
const WMMA_OF_IT: &str = "$vgpr24_vgpr25_vgpr26_vgpr27_vgpr28_vgpr29_vgpr30_vgpr31 = V_WMMA_F32_16X16X16_F16_twoaddr_w32 8, $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23, 8, $vgpr8_vgpr9_vgpr10_vgpr11_vgpr12_vgpr13_vgpr14_vgpr15, 8, $vgpr24_vgpr25_vgpr26_vgpr27_vgpr28_vgpr29_vgpr30_vgpr31, 0, 0, implicit $exec";
const SMALL_WMMA: &str = "$vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23 = V_WMMA_F32_16X16X16_F16_w32_twoaddr 8, $vgpr0_vgpr1_vgpr2_vgpr3, 8, $vgpr4_vgpr5_vgpr6_vgpr7, 8, $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23, 0, 0, implicit $exec";
const SMALL_WMMA_OF_IT: &str = "$vgpr24_vgpr25_vgpr26_vgpr27_vgpr28_vgpr29_vgpr30_vgpr31 = V_WMMA_F32_16X16X16_F16_w32_twoaddr 8, $vgpr16_vgpr17_vgpr18_vgpr19, 8, $vgpr4_vgpr5_vgpr6_vgpr7, 8, $vgpr24_vgpr25_vgpr26_vgpr27_vgpr28_vgpr29_vgpr30_vgpr31, 0, 0, implicit $exec";

/// Matrix instructions of gfx1250 on other engines, by the vector instructions that have to lie between: four, eight, two, and one alone.
const DENSE: &str = "early-clobber $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23 = V_WMMA_F32_16X16X32_F16_w32_twoaddr 8, $vgpr24_vgpr25_vgpr26_vgpr27_vgpr28_vgpr29_vgpr30_vgpr31, 8, $vgpr32_vgpr33_vgpr34_vgpr35_vgpr36_vgpr37_vgpr38_vgpr39, 8, $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23, 0, 0, 0, 0, implicit $exec";
const INTEGER: &str = "early-clobber $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23 = V_WMMA_I32_16X16X64_IU8_w32_twoaddr 8, $vgpr24_vgpr25_vgpr26_vgpr27_vgpr28_vgpr29_vgpr30_vgpr31, 8, $vgpr32_vgpr33_vgpr34_vgpr35_vgpr36_vgpr37_vgpr38_vgpr39, $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23, 0, 0, 0, 0, implicit $exec";
const SPARSE: &str = "early-clobber $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23 = V_SWMMAC_F32_16X16X64_F16_w32_twoaddr 8, $vgpr24_vgpr25_vgpr26_vgpr27_vgpr28_vgpr29_vgpr30_vgpr31, 8, $vgpr32_vgpr33_vgpr34_vgpr35_vgpr36_vgpr37_vgpr38_vgpr39_vgpr40_vgpr41_vgpr42_vgpr43_vgpr44_vgpr45_vgpr46_vgpr47, $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23, $vgpr56, 0, 0, 0, 0, 0, implicit $exec";
const SINGLE: &str = "early-clobber $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23 = V_WMMA_F32_16X16X4_F32_w32_twoaddr 8, $vgpr24_vgpr25, 8, $vgpr32_vgpr33, 8, $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23, 0, 0, 0, 0, implicit $exec";
const MATRIX_OF_IT: &str = "early-clobber $vgpr48_vgpr49_vgpr50_vgpr51_vgpr52_vgpr53_vgpr54_vgpr55 = V_WMMA_F32_16X16X32_F16_w32_twoaddr 8, $vgpr16_vgpr17_vgpr18_vgpr19_vgpr20_vgpr21_vgpr22_vgpr23, 8, $vgpr32_vgpr33_vgpr34_vgpr35_vgpr36_vgpr37_vgpr38_vgpr39, 8, $vgpr48_vgpr49_vgpr50_vgpr51_vgpr52_vgpr53_vgpr54_vgpr55, 0, 0, 0, 0, implicit $exec";
const USE_OF_IT: &str = "$vgpr1 = V_MOV_B32_e32 $vgpr16, implicit $exec";
const OVERWRITES_IT: &str = "$vgpr16 = V_MOV_B32_e32 0, implicit $exec";
const OVERWRITES_A: &str = "$vgpr24 = V_MOV_B32_e32 0, implicit $exec";
const OVERWRITES_THE_INDEX: &str = "$vgpr56 = V_MOV_B32_e32 0, implicit $exec";
const USE_OF_RCP: &str = "$vgpr1 = V_MOV_B32_e32 $vgpr0, implicit $exec";
const RCP_OF_MATRIX: &str = "$vgpr0 = V_RCP_F32_e32 $vgpr16, implicit $mode, implicit $exec";

const OLDER: &str = "$vgpr0 = V_MOV_B32_e32 0, implicit $exec";
const NEWER: &str = "$vgpr1 = V_MOV_B32_e32 1, implicit $exec";
const READS_BOTH: &str = "$vgpr4 = V_ADD_U32_e64 $vgpr0, $vgpr1, 0, implicit $exec";
const EXEC_CHANGES: &str = "$exec = S_MOV_B64 -1";

const fn case(
    row: &'static str,
    target: &'static str,
    others: &'static [&'static str],
    lines: &'static [&'static str],
) -> Case {
    Case { row, target, others, lines }
}

pub(crate) const CASES: &[Case] = &[
    case("memory-sgpr-salu", "gfx1010", RDNA_2, &[BUFFER_LOAD, "$sgpr3 = S_MOV_B32 0"]),
    case("memory-sgpr-salu", "gfx1010", RDNA_2, &[STORE, "$exec = S_MOV_B64 -1"]),
    case("memory-sgpr-salu", "gfx1010", RDNA_2, &[LDS_STORE, "$exec = S_MOV_B64 -1"]),
    case("memory-sgpr-smem", "gfx1010", RDNA_2, &[BUFFER_LOAD, LOAD]),
    case("smem-sgpr-valu", "gfx1010", RDNA_2, &[LOAD, "$sgpr0 = V_READFIRSTLANE_B32 $vgpr60, implicit $exec"]),
    case("exec-reader-cmpx", "gfx1010", RDNA_2, &["$sgpr0_sgpr1 = S_MOV_B64 $exec", CMPX]),
    case("exec-reader-cmpx", "gfx1010", RDNA_2, &[STORE, MOVE, CMPX]),
    case("cmpx-permlane", "gfx1010", RDNA_2, &[CMPX, PERMLANE]),
    case("cmpx-permlane", "gfx1100", RDNA_2, &[CMPX, PERMLANE]),
    case("cmpx-permlane", "gfx1150", RDNA_2, &[CMPX, PERMLANE]),
    case("cmpx-permlane", "gfx1200", RDNA_2, &[CMPX, PERMLANE]),
    case("cmpx-permlane", "gfx1100", &[], &[CMPX, PERMLANE64]),
    case("lds-branch-vmem", "gfx1010", RDNA_2, &[LDS_STORE, BRANCH, "|", STORE]),
    case("vmem-branch-lds", "gfx1010", RDNA_2, &[STORE, BRANCH, "|", LDS_STORE]),
    case(
        "float-atomic-denorm-mode",
        "gfx1030",
        &["gfx1100"],
        &[
            "GLOBAL_ATOMIC_FMIN $vgpr60_vgpr61, $vgpr0, 0, 0, implicit $exec",
            "S_DENORM_MODE 0, implicit-def $mode, implicit $mode",
        ],
    ),
    case("transcendental-use", "gfx1100", NOT_RDNA_3_0, &[RCP, "$vgpr1 = V_MOV_B32_e32 $vgpr0, implicit $exec"]),
    case("transcendental-use", "gfx1102", NOT_RDNA_3_0, &[RCP, RCP, "$vgpr1 = V_MOV_B32_e32 $vgpr0, implicit $exec"]),
    case(
        "transcendental-use",
        "gfx1100",
        NOT_RDNA_3_0,
        &[RCP, MOVE, MOVE, MOVE, MOVE, MOVE, "$vgpr1 = V_MOV_B32_e32 $vgpr0, implicit $exec"],
    ),
    case(
        "transcendental-use",
        "gfx1100",
        NOT_RDNA_3_0,
        &[RCP, "$vgpr1 = V_RCP_F32_e32 $vgpr0, implicit $mode, implicit $exec"],
    ),
    case(
        "transcendental-use",
        "gfx1100",
        NOT_RDNA_3_0,
        &[
            "$vgpr0_vgpr1 = V_RCP_F64_e32 $vgpr60_vgpr61, implicit $mode, implicit $exec",
            "$vgpr2 = V_MOV_B32_e32 $vgpr1, implicit $exec",
        ],
    ),
    case("transcendental-use", "gfx1100", &["gfx1150"], &[RCP, PAIR]),
    case("wave-matrix-factor", "gfx1100", &[], &[WMMA, WMMA_OF_IT]),
    case("wave-matrix-factor", "gfx1150", &[], &[WMMA, WMMA_OF_IT]),
    case("wave-matrix-factor", "gfx1200", &[], &[SMALL_WMMA, SMALL_WMMA_OF_IT]),
    case("mask-salu-alu", RDNA_3_IN_64, NOT_IN_64, &[SELECT, SALU_WRITES, SALU_READS]),
    case("mask-salu-alu", "gfx1150:wavefrontsize64+", NOT_IN_64, &[SELECT, SALU_WRITES, VALU_READS]),
    case("mask-salu-alu", RDNA_3_IN_64, NOT_IN_64, &[SELECT_VCC, "$vcc = S_MOV_B64 0", SELECT_VCC]),
    case("mask-valu-alu", RDNA_3_IN_64, NOT_IN_64, &[SELECT, VALU_WRITES, VALU_READS]),
    case("mask-valu-alu", RDNA_3_IN_64, NOT_IN_64, &[SELECT, MOVE, VALU_WRITES, SALU_READS]),
    case("mask-vcc-alu", RDNA_3_IN_64, NOT_IN_64, &[SELECT_VCC, COMPARE_VCC, SELECT_VCC]),
    case("forwarded-beside-newer", RDNA_3_IN_64, NOT_PARTIAL, &[OLDER, EXEC_CHANGES, NEWER, READS_BOTH]),
    case("forwarded-beside-newer", "gfx1150:wavefrontsize64+", NOT_PARTIAL, &[OLDER, EXEC_CHANGES, NEWER, READS_BOTH]),
    case("forwarded-beside-newer", RDNA_3_IN_64, NOT_PARTIAL, &[OLDER, MOVE, EXEC_CHANGES, MOVE, NEWER, READS_BOTH]),
    case(
        "forwarded-beside-newer",
        RDNA_3_IN_64,
        NOT_PARTIAL,
        &[OLDER, EXEC_CHANGES, NEWER, MOVE, MOVE, MOVE, MOVE, READS_BOTH],
    ),
    case("forwarded-beside-newer", RDNA_3_IN_64, NOT_PARTIAL, &[OLDER, MOVE, MOVE, EXEC_CHANGES, NEWER, READS_BOTH]),
    case(
        "forwarded-beside-newer",
        RDNA_3_IN_64,
        NOT_PARTIAL,
        &[OLDER, EXEC_CHANGES, NEWER, BRANCH, "|", EXEC_CHANGES, MOVE, READS_BOTH],
    ),
    case("read-pair-salu-alu", "gfx1200", NOT_RDNA_4, &[VALU_READS, SALU_WRITES, VALU_READS]),
    case("read-pair-salu-alu", "gfx1201", NOT_RDNA_4, &[VALU_READS, SALU_WRITES, SALU_READS]),
    // The neighbouring register is enough, however long ago.
    case(
        "read-pair-salu-alu",
        "gfx1200",
        NOT_RDNA_4,
        &["$vgpr1 = V_MOV_B32_e32 $sgpr9, implicit $exec", MOVE, MOVE, MOVE, MOVE, SALU_WRITES, STORE, VALU_READS],
    ),
    case("read-pair-valu-valu", "gfx1200", NOT_RDNA_4, &[VALU_READS, VALU_WRITES, VALU_READS]),
    case("read-pair-vcc-valu", "gfx1200:wavefrontsize64+", NOT_IN_64, &[SELECT_VCC, COMPARE_VCC, SELECT_VCC]),
    case("cmpx-permlane", "gfx1250", RDNA_2, &[CMPX, PERMLANE]),
    case("wave-matrix-factor", "gfx1250", &[], &[SINGLE, MATRIX_OF_IT]),
    case("transcendental-result", "gfx1250", NOT_GFX1250, &[RCP, USE_OF_RCP]),
    case("transcendental-result", "gfx1250", NOT_GFX1250, &[RCP, SALU_WRITES, USE_OF_RCP]),
    case("transcendental-result", "gfx1251", NOT_GFX1250, &[RCP, USE_OF_RCP]),
    case("transcendental-source", "gfx1250", NOT_GFX1250, &[RCP, "$vgpr60 = V_MOV_B32_e32 0, implicit $exec"]),
    case("wave-matrix-of2-factor", "gfx1250", &[], &[SPARSE, MATRIX_OF_IT]),
    case("wave-matrix-of2-factor", "gfx1250", &[], &[SPARSE, MOVE, MOVE, MATRIX_OF_IT]),
    case("wave-matrix-of2-valu", "gfx1250", &[], &[SPARSE, MOVE, USE_OF_IT]),
    case("wave-matrix-of2-overwritten", "gfx1250", &[], &[SPARSE, OVERWRITES_IT]),
    case("wave-matrix-of2-factor-overwritten", "gfx1250", &[], &[SPARSE, OVERWRITES_THE_INDEX]),
    case("wave-matrix-of4-factor", "gfx1250", &[], &[DENSE, MOVE, MOVE, MOVE, MOVE, MATRIX_OF_IT]),
    case("wave-matrix-of4-valu", "gfx1250", &[], &[DENSE, MOVE, SALU_WRITES, RCP, MOVE, USE_OF_IT]),
    case("wave-matrix-of4-overwritten", "gfx1250", &[], &[DENSE, OVERWRITES_IT]),
    case("wave-matrix-of4-factor-overwritten", "gfx1251", &[], &[DENSE, OVERWRITES_A]),
    case("wave-matrix-of8-factor", "gfx1250", &[], &[INTEGER, MATRIX_OF_IT]),
    case("wave-matrix-of8-valu", "gfx1250", &[], &[INTEGER, MOVE, MOVE, MOVE, MOVE, MOVE, MOVE, MOVE, USE_OF_IT]),
    case("wave-matrix-of8-overwritten", "gfx1250", &[], &[INTEGER, OVERWRITES_IT]),
    case("wave-matrix-of8-factor-overwritten", "gfx1250", &[], &[INTEGER, OVERWRITES_A]),
];

/// Instructions that stand close to breaking a row, on targets that have it: LLVM lets them be.
pub(crate) const ALLOWED: &[(&str, &[&str])] = &[
    ("gfx1010", &[BUFFER_LOAD, MOVE, "$sgpr3 = S_MOV_B32 0"]),
    ("gfx1010", &[BUFFER_LOAD, "$sgpr8 = S_MOV_B32 0"]),
    ("gfx1010", &[LOAD, "$sgpr20 = S_MOV_B32 0", "$sgpr0 = V_READFIRSTLANE_B32 $vgpr60, implicit $exec"]),
    ("gfx1010", &[CMPX, MOVE, PERMLANE]),
    ("gfx1010", &[LDS_STORE, STORE, BRANCH, "|", STORE]),
    ("gfx1010", &[LDS_STORE, BRANCH, "|", LDS_STORE, STORE]),
    ("gfx1100", &[RCP, MOVE, MOVE, MOVE, MOVE, MOVE, MOVE, "$vgpr1 = V_MOV_B32_e32 $vgpr0, implicit $exec"]),
    ("gfx1100", &[RCP, STORE, "$vgpr1 = V_MOV_B32_e32 $vgpr0, implicit $exec"]),
    ("gfx1100", &[RCP, "$vgpr0 = V_MOV_B32_e32 $vgpr7, implicit $exec"]),
    ("gfx1100", &[WMMA, MOVE, WMMA_OF_IT]),
    ("gfx1100", &[WMMA, WMMA]),
    (RDNA_3_IN_64, &[OLDER, MOVE, MOVE, EXEC_CHANGES, MOVE, NEWER, READS_BOTH]),
    (RDNA_3_IN_64, &[OLDER, EXEC_CHANGES, NEWER, MOVE, MOVE, MOVE, MOVE, MOVE, READS_BOTH]),
    (RDNA_3_IN_64, &[OLDER, EXEC_CHANGES, NEWER, STORE, READS_BOTH]),
    (RDNA_3_IN_64, &[OLDER, NEWER, READS_BOTH]),
    (RDNA_3_IN_64, &[OLDER, EXEC_CHANGES, OLDER, NEWER, READS_BOTH]),
    ("gfx1200", &[VALU_READS, SALU_WRITES, LOAD, VALU_READS]),
    ("gfx1200", &[VALU_READS, VALU_WRITES, SALU_READS, VALU_READS]),
    ("gfx1250", &[VALU_READS, SALU_WRITES, VALU_READS]),
    ("gfx1250", &[RCP, MOVE, USE_OF_RCP]),
    ("gfx1250", &[RCP, "$vgpr1 = V_RCP_F32_e32 $vgpr0, implicit $mode, implicit $exec"]),
    ("gfx1250", &[DENSE, MOVE, RCP, MOVE, MOVE, USE_OF_IT]),
    ("gfx1250", &[DENSE, MOVE, MOVE, MOVE, MOVE, MOVE, MATRIX_OF_IT]),
    ("gfx1250", &[DENSE, DENSE]),
    ("gfx1250", &[DENSE, RCP_OF_MATRIX]),
    ("gfx1250", &[SPARSE, MOVE, MOVE, USE_OF_IT]),
    ("gfx1250", &[SINGLE, USE_OF_IT]),
];
