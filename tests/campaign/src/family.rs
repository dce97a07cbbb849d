//! The families of cards that a campaign makes up: bases, instructions and suites of each.

/// Generations whose cards have the same rules and suites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Family {
    /// GCN 1.0 to 1.4.1.
    Gcn,
    /// CDNA 1 to 4.
    Cdna,
    /// RDNA 1 to 4; waves of 64 lanes in each third file.
    Rdna,
}

/// Instructions that files of GCN and CDNA are asked for: all encodings, short and long ones, some of each rule.
const OF_GCN: [&str; 48] = [
    "S_MOV_B32",
    "S_ADD_U32",
    "S_CMP_EQ_U32",
    "S_MUL_I32",
    "S_BFE_U32",
    "S_MOV_B64",
    "S_AND_SAVEEXEC_B64",
    "S_MOVK_I32",
    "S_NOP",
    "S_BRANCH",
    "S_CBRANCH_SCC1",
    "S_CBRANCH_VCCNZ",
    "S_LOAD_DWORD",
    "S_LOAD_DWORDX4",
    "S_LOAD_DWORDX16",
    "V_MOV_B32",
    "V_ADD_F32",
    "V_MUL_F32",
    "V_AND_B32",
    "V_ADD_I32",
    "V_ADD_U32",
    "V_READLANE_B32",
    "V_RCP_F32",
    "V_SQRT_F32",
    "V_CVT_F32_I32",
    "V_CVT_F32_F64",
    "V_CMP_EQ_U32",
    "V_CMP_LT_F64",
    "V_BFE_U32",
    "V_FMA_F32",
    "V_MAD_F32",
    "V_SAD_U32",
    "V_MUL_LO_U32",
    "V_MUL_HI_U32",
    "V_ADD_F64",
    "V_MUL_F64",
    "V_FMA_F64",
    "V_MIN_F64",
    "V_RCP_F64",
    "V_LDEXP_F64",
    "DS_READ_B32",
    "DS_WRITE_B32",
    "DS_ADD_U32",
    "DS_READ_B64",
    "BUFFER_LOAD_DWORD",
    "BUFFER_STORE_DWORD",
    "BUFFER_ATOMIC_ADD",
    "FLAT_LOAD_DWORD",
];

/// Instructions that files of CDNA are asked for, beside those of GCN.
const OF_CDNA: [&str; 9] = [
    "V_PK_FMA_F32",
    "V_EXP_F32",
    "V_MFMA_F32_16X16X16_F16",
    "V_MFMA_F32_4X4X4_16B_F16",
    "V_MFMA_F32_32X32X2_F32",
    "V_MFMA_F32_32X32X1_2B_F32",
    "V_MFMA_F32_16X16X4_F32",
    "V_MFMA_F64_16X16X4_F64",
    "V_MFMA_F32_16X16X32_FP8_FP8",
];

/// Instructions that files of RDNA are asked for: all classes, short and long ones, pairs.
const OF_RDNA: [&str; 40] = [
    "S_MOV_B32",
    "S_ADD_U32",
    "S_ADD_CO_U32",
    "S_CMP_EQ_U32",
    "S_MUL_I32",
    "S_BFE_U32",
    "S_MOV_B64",
    "S_AND_SAVEEXEC_B64",
    "S_MOVK_I32",
    "S_ADD_F32",
    "S_NOP",
    "S_BRANCH",
    "S_CBRANCH_SCC1",
    "S_CBRANCH_VCCNZ",
    "V_MOV_B32",
    "V_ADD_F32",
    "V_MUL_F32",
    "V_AND_B32",
    "V_ADD_NC_U32",
    "V_ADD_CO_CI_U32",
    "V_READLANE_B32",
    "V_EXP_F32",
    "V_RCP_F32",
    "V_SQRT_F32",
    "V_CVT_F32_I32",
    "V_CMP_EQ_U32",
    "V_BFE_U32",
    "V_FMA_F32",
    "V_SAD_U32",
    "V_MUL_LO_U32",
    "V_LSHLREV_B64",
    "V_PK_FMA_F16",
    "V_ADD_F64",
    "V_MUL_F64",
    "V_FMA_F64",
    "V_MIN_F64",
    "V_DUAL_FMAC_F32",
    "V_DUAL_MUL_F32",
    "V_DUAL_MOV_B32",
    "V_DUAL_CNDMASK_B32",
];

impl Family {
    /// The products that files start from. A further one would give every seed another file.
    pub(crate) const fn bases(self) -> &'static [&'static str] {
        match self {
            Self::Gcn => &[
                "tahiti",
                "pitcairn",
                "hawaii",
                "hawaii-pro",
                "bonaire",
                "tonga",
                "fiji",
                "polaris10",
                "vega10",
                "vega20",
                "radeon-vii",
            ],
            Self::Cdna => &["mi100", "mi210", "mi300x", "mi355x"],
            Self::Rdna => &["rx5700xt", "rx6800", "rx7900xtx", "strix-halo", "rx9070xt"],
        }
    }

    /// The instructions that a file's run is asked for, as far as its generation has them.
    pub fn selection(self) -> Vec<&'static str> {
        match self {
            Self::Gcn => OF_GCN.to_vec(),
            Self::Cdna => [&OF_GCN[..], &OF_CDNA[..]].concat(),
            Self::Rdna => OF_RDNA.to_vec(),
        }
    }

    /// Suites of rules, which are measured in a run of their own: `--only` would thin them out.
    pub const fn rules(self) -> &'static [&'static str] {
        match self {
            Self::Gcn | Self::Cdna => &["alignment", "scheduling", "occupancy", "lds"],
            Self::Rdna => &["alignment", "occupancy", "lds", "units"],
        }
    }

    /// Suites of the instructions that the file's run is asked for.
    pub const fn instructions(self) -> &'static [&'static str] {
        match self {
            Self::Gcn => &["instructions"],
            // The sweeps of the front end tell its charge, which is in blocks of matrix instructions too.
            Self::Cdna => &["instructions", "matrix", "alignment"],
            Self::Rdna => &["instructions", "pairs"],
        }
    }

    /// Lanes of a wave in the runs of a file.
    pub fn lanes(self, seed: u64) -> u32 {
        match self {
            Self::Rdna if !seed.is_multiple_of(3) => 32,
            Self::Gcn | Self::Cdna | Self::Rdna => 64,
        }
    }
}
