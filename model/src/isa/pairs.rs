//! What two instructions in one (VOPD) may read and write.

use serde::Deserialize;

/// Ports through which an instruction reads vector registers: one for each source.
pub const PORTS: usize = 3;

/// The rules for two instructions in one.
///
/// That one destination is even and the other odd, and that both have the same literal, no words can break: the second destination has no lowest
/// bit of its own, and one literal follows both.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairFacts {
    /// Of each port, the bits of a register's number that say in which bank it is: what both read through it has to be in different banks.
    pub bank_masks: [u8; PORTS],
    /// Of each port, whether both may read the very same register through it.
    #[serde(default)]
    pub may_read_the_same: [bool; PORTS],
    /// Instructions, by the name of their single form, that read their first source through the last port as the second half.
    #[serde(default)]
    pub second_of_two_reads_last: Vec<String>,
    /// Different SGPRs and literals that both together may read; VCC is one of them, and a further one where it is a mask.
    pub most_scalars: usize,
    /// Where these facts are from.
    pub source: String,
}
