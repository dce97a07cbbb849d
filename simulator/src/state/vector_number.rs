//! The numbers of vector registers: VGPRs from 0 on, accumulation registers (AGPRs) from 256 on.

use gcn_model::decode::{Decoded, Location};

/// Number of a vector register, or of the first of a tuple.
pub(crate) type VectorNumber = u16;

/// The number of the first AGPR: there are at most this many VGPRs.
pub(crate) const FIRST_AGPR: VectorNumber = 256;
/// Vector registers that can be named.
pub(crate) const VECTOR_REGISTERS: usize = 512;

/// The number of the vector register at a location; `None` for other locations.
pub(crate) fn vector_number(location: Location) -> Option<VectorNumber> {
    match location {
        Location::Vgpr(register) => Some(register.into()),
        Location::Agpr(register) => Some(FIRST_AGPR + VectorNumber::from(register)),
        _ => None,
    }
}

/// The vector register that the words of an instruction name for the operand of this name; `None` if they name none.
pub(crate) fn vector_operand(decoded: &Decoded, name: &str) -> Option<VectorNumber> {
    let operands = decoded.operands();
    vector_number(operands.iter().find(|operand| operand.operand.name == name)?.location)
}

/// The register as the assembler writes it, for messages.
pub(crate) fn vector_name(register: VectorNumber) -> String {
    match register.checked_sub(FIRST_AGPR) {
        Some(number) => format!("a{number}"),
        None => format!("v{register}"),
    }
}
