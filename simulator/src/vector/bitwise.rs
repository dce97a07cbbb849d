//! Instructions that take their sources bit by bit.

/// The sources of which each bit of the result depends on one bit at most, source n as bit n.
pub(crate) fn sources_of_bits(name: &str) -> u8 {
    match name {
        "V_MOV_B32" | "V_NOT_B32" | "V_BFREV_B32" | "V_BFE_U32" | "V_BFE_I32" => 0b001,
        "V_AND_B32" | "V_OR_B32" | "V_XOR_B32" | "V_XNOR_B32" | "V_CNDMASK_B32" => 0b011,
        "V_PERM_B32" | "V_ALIGNBIT_B32" | "V_ALIGNBYTE_B32" => 0b011,
        "V_AND_OR_B32" | "V_OR3_B32" | "V_XOR3_B32" | "V_BFI_B32" => 0b111,
        "V_LSHLREV_B32" | "V_LSHRREV_B32" | "V_ASHRREV_I32" => 0b010,
        "V_LSHL_OR_B32" => 0b101,
        _ => 0,
    }
}
