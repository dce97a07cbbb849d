//! The front end behind the alignment cases: block, free dwords, penalty.

use std::fmt;

use gcn_model::quantity::{Bytes, Cycles};

use super::penalty::PenaltyRow;
use crate::tables::decimal;

/// Penalties that differ by less are the same, shader cycles.
const SAME: f64 = 0.5;
/// Dwords of the line that a sweep goes through.
const LINE: usize = 16;
/// Bytes of a dword.
const DWORD: u32 = 4;

/// What the sweep of one instruction through a line says of the front end.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontEnd {
    /// The instruction that was swept.
    pub instruction: String,
    /// The block after which the pattern repeats; absent where nothing is charged, or no pattern repeats in a line.
    pub block: Option<Bytes>,
    /// First dwords of a block at which nothing is charged.
    pub free_dwords: u32,
    /// The least that is charged at the other dwords, shader cycles; 0 where nothing is.
    pub penalty: Cycles,
}

impl FrontEnd {
    /// The pattern of the first sweep on one wave that is complete; `None` if there is none.
    pub(crate) fn of(penalties: &[PenaltyRow]) -> Option<Self> {
        let sweep = |row: &&PenaltyRow| row.experiment == "alignment" && row.waves_per_simd == 1;
        let first = penalties.iter().find(sweep)?;
        let mut values = [None; LINE];
        for row in penalties.iter().filter(sweep).filter(|row| row.case == first.case) {
            let place = row.offset_dwords.and_then(|offset| values.get_mut(offset as usize));
            // The rows of one wave come before those of one wave on each SIMD.
            if let Some(place @ None) = place {
                *place = row.penalty.map(|penalty| penalty.value.0);
            }
        }
        let values: Vec<f64> = values.into_iter().collect::<Option<_>>()?;
        let charged = values.iter().copied().filter(|value| *value > SAME).fold(f64::INFINITY, f64::min);
        let instruction = first.case.clone();
        if charged.is_infinite() {
            return Some(Self { instruction, block: None, free_dwords: LINE as u32, penalty: Cycles(0.0) });
        }
        let repeats = |period: &usize| values.iter().zip(&values[*period..]).all(|(a, b)| (a - b).abs() <= SAME);
        let period = [1, 2, 4, 8].into_iter().find(repeats);
        let free = values.iter().take_while(|value| **value <= SAME).count();
        Some(Self {
            instruction,
            block: period.map(|period| Bytes(period as u32 * DWORD)).or(Some(Bytes(LINE as u32 * DWORD))),
            free_dwords: free as u32,
            penalty: Cycles(charged),
        })
    }
}

impl fmt::Display for FrontEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.block {
            None => write!(f, "no alignment penalty ({} at all dwords of a line)", self.instruction),
            Some(block) => write!(
                f,
                "blocks of {} bytes, nothing charged in their first {} dwords, {} cycles and up behind them ({})",
                block.0,
                self.free_dwords,
                decimal(self.penalty),
                self.instruction
            ),
        }
    }
}
