//! Instructions whose result can be known where only a part of a source is.

/// What a result depends on, by source: source n is bit n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PartSources {
    /// Each bit of the result depends on one bit of these at most.
    pub bits: u8,
    /// A bit of the result depends on the same bit of these and on lower ones: sums and products carry upward.
    pub carries: u8,
    /// The low five bits alone matter: how far something is shifted.
    pub amounts: u8,
    /// Ones in unknown bits give the same result as zeros, or it is unknown: the bits up to the first one that is set are counted, or a
    /// part is converted.
    pub counts: u8,
    /// Bits of one source can make those of another one matter no more.
    pub masks: bool,
}

/// The instructions in which bits of one source can make those of another one matter no more, or shift them out.
const MASKING: [&str; 12] = [
    "V_AND_B32",
    "V_OR_B32",
    "V_AND_OR_B32",
    "V_OR3_B32",
    "V_BFI_B32",
    "V_PERM_B32",
    "V_BFE_U32",
    "V_ALIGNBIT_B32",
    "V_ALIGNBYTE_B32",
    "V_LSHL_OR_B32",
    "V_LSHLREV_B32",
    "V_LSHRREV_B32",
];

impl PartSources {
    /// Those of an instruction.
    pub(crate) fn of(name: &str) -> Self {
        let [bits, carries, amounts, counts] = match name {
            "V_MOV_B32" | "V_NOT_B32" | "V_BFREV_B32" | "V_MOV_B16" | "V_NOT_B16" => [0b001, 0, 0, 0],
            "V_ACCVGPR_READ_B32" | "V_ACCVGPR_WRITE_B32" | "V_ACCVGPR_MOV_B32" => [0b001, 0, 0, 0],
            "V_AND_B32" | "V_OR_B32" | "V_XOR_B32" | "V_XNOR_B32" | "V_CNDMASK_B32" | "V_PERM_B32" => [0b011, 0, 0, 0],
            "V_AND_B16" | "V_OR_B16" | "V_XOR_B16" | "V_CNDMASK_B16" | "V_PACK_B32_F16" => [0b011, 0, 0, 0],
            "V_AND_OR_B32" | "V_OR3_B32" | "V_XOR3_B32" | "V_BFI_B32" => [0b111, 0, 0, 0],
            "V_BFE_U32" | "V_BFE_I32" => [0b001, 0, 0b110, 0],
            "V_ALIGNBIT_B32" | "V_ALIGNBYTE_B32" => [0b011, 0, 0b100, 0],
            "V_LSHLREV_B32" | "V_LSHRREV_B32" | "V_ASHRREV_I32" => [0b010, 0, 0b001, 0],
            "V_LSHLREV_B16" | "V_LSHRREV_B16" | "V_ASHRREV_I16" => [0b010, 0, 0b001, 0],
            "V_PK_LSHLREV_B16" | "V_PK_LSHRREV_B16" | "V_PK_ASHRREV_I16" => [0b010, 0, 0, 0],
            "V_LSHL_OR_B32" => [0b101, 0, 0b010, 0],
            "V_ADD_NC_U32" | "V_SUB_NC_U32" | "V_SUBREV_NC_U32" | "V_ADD_NC_I32" | "V_SUB_NC_I32" => [0, 0b011, 0, 0],
            "V_ADD_I32" | "V_ADD_U32" | "V_ADD_CO_U32" | "V_SUB_I32" | "V_SUB_U32" | "V_SUB_CO_U32" => [0, 0b011, 0, 0],
            "V_SUBREV_I32" | "V_SUBREV_U32" | "V_SUBREV_CO_U32" => [0, 0b011, 0, 0],
            "V_MUL_LO_U32" | "V_MUL_LO_I32" | "V_MUL_U32_U24" | "V_MUL_I32_I24" => [0, 0b011, 0, 0],
            "V_ADD3_U32" | "V_XAD_U32" | "V_MAD_U32_U24" | "V_MAD_I32_I24" => [0, 0b111, 0, 0],
            "V_ADD_U16" | "V_SUB_U16" | "V_SUBREV_U16" | "V_ADD_NC_U16" | "V_SUB_NC_U16" => [0, 0b011, 0, 0],
            "V_MUL_LO_U16" => [0, 0b011, 0, 0],
            "V_MAD_U16" | "V_MAD_LEGACY_U16" => [0, 0b111, 0, 0],
            "V_BCNT_U32_B32" => [0, 0b010, 0, 0],
            "V_ADD_LSHL_U32" => [0, 0b011, 0b100, 0],
            "V_LSHL_ADD_U32" => [0, 0b101, 0b010, 0],
            "V_MAD_U32_U16" | "V_MAD_I32_I16" => [0, 0b100, 0, 0],
            "V_FFBL_B32" | "V_FFBH_U32" => [0, 0, 0, 0b001],
            "V_CVT_F32_UBYTE0" | "V_CVT_F32_UBYTE1" | "V_CVT_F32_UBYTE2" | "V_CVT_F32_UBYTE3" => [0, 0, 0, 0b001],
            _ => [0; 4],
        };
        Self { bits, carries, amounts, counts, masks: MASKING.contains(&name) }
    }

    /// All of these sources.
    pub(crate) fn all(self) -> u8 {
        self.bits | self.carries | self.amounts | self.counts
    }
}
