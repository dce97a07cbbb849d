//! DPP: src0 read from other lanes.
//!
//! Source: AMD "GCN3 ISA", section 6.6.2, and "Vega ISA", table of DPP_CTRL; AMD "RDNA 1 ISA" and
//! "RDNA 2 ISA", DPP16 (row_share, row_xmask, FI) and DPP8.

use crate::state::vector_registers::LANES;
use gcn_model::decode::{Dpp8Fields, DppFields};

/// Where each lane reads src0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DataParallel {
    from: [u8; LANES],
    /// Lanes whose source exists.
    exists: u64,
    /// Lanes that the row and bank masks let be written.
    enabled: u64,
    /// What does not exist reads as zero; otherwise the lane is not written.
    reads_zero: bool,
    /// Lanes that EXEC disables are sources, too.
    fetches_inactive: bool,
}

impl DataParallel {
    /// The pattern of a DPP dword; `None` if it is not defined.
    pub(crate) fn of(fields: &DppFields) -> Option<Self> {
        let mut this = Self {
            from: [0; LANES],
            exists: 0,
            enabled: 0,
            reads_zero: fields.bound_ctrl,
            fetches_inactive: fields.fetches_inactive,
        };
        for lane in 0..LANES as i32 {
            let (row, in_row) = (lane / 16, lane % 16);
            let step = i32::from(fields.ctrl & 15);
            let within_row = |to: i32| (0..16).contains(&to).then_some(row * 16 + to);
            let within_wave = |to: i32| (0..64).contains(&to).then_some(to);
            let from = match fields.ctrl {
                ctrl @ 0..=0xff => Some(lane / 4 * 4 + i32::from(ctrl >> (2 * (lane % 4)) & 3)),
                0x101..=0x10f => within_row(in_row + step),
                0x111..=0x11f => within_row(in_row - step),
                0x121..=0x12f => Some(row * 16 + (in_row + 16 - step) % 16),
                0x130 => within_wave(lane + 1),
                0x134 => Some((lane + 1) % 64),
                0x138 => within_wave(lane - 1),
                0x13c => Some((lane + 63) % 64),
                0x140 => Some(row * 16 + 15 - in_row),
                0x141 => Some(lane / 8 * 8 + 7 - lane % 8),
                0x150..=0x15f => Some(row * 16 + step),
                0x160..=0x16f => Some(lane ^ step),
                0x142 => (row > 0).then_some(row * 16 - 1),
                0x143 => (row > 1).then_some(31),
                _ => return None,
            };
            if let Some(from) = from {
                this.from[lane as usize] = from as u8;
                this.exists |= 1 << lane;
            }
            let is_enabled = fields.row_mask >> row & 1 == 1 && fields.bank_mask >> (in_row / 4) & 1 == 1;
            this.enabled |= u64::from(is_enabled) << lane;
        }
        Some(this)
    }

    /// The pattern of a DPP8 dword. A lane that EXEC disables reads as zero, unless it is asked for.
    pub(crate) fn of_eight(fields: &Dpp8Fields) -> Self {
        Self {
            from: std::array::from_fn(|lane| lane as u8 / 8 * 8 + fields.lanes[lane % 8]),
            exists: u64::MAX,
            enabled: u64::MAX,
            reads_zero: true,
            fetches_inactive: fields.fetches_inactive,
        }
    }

    /// src0 as the lanes see it, which of them know it, and which lanes are written. A lane that EXEC disables is no source
    /// unless the dword says so.
    pub(crate) fn apply(&self, values: &[u32; LANES], known: u64, exec: u64) -> ([u32; LANES], u64, u64) {
        let mut moved = [0; LANES];
        let (mut moved_known, mut exists) = (0, 0);
        let sources = if self.fetches_inactive { u64::MAX } else { exec };
        for (lane, (moved, from)) in moved.iter_mut().zip(self.from).enumerate() {
            if self.exists >> lane & sources >> from & 1 == 1 {
                *moved = values[from as usize];
                moved_known |= (known >> from & 1) << lane;
                exists |= 1 << lane;
            }
        }
        if self.reads_zero {
            (moved, moved_known | !exists, self.enabled)
        } else {
            (moved, moved_known, self.enabled & exists)
        }
    }
}
