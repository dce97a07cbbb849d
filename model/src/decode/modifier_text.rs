//! What SDWA, DPP and DPP8 do to sources and results, as LLVM writes it.

use std::fmt::Write as _;

use super::{Decoded, Modifier};
use crate::isa::Encoding;

/// The parts of a register, by the number in a selection of SDWA.
const PARTS: [&str; 8] = ["BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "7"];
/// What becomes of the other parts of a result.
const UNUSED: [&str; 4] = ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "3"];

impl Decoded {
    /// A source with its signs, of which VOP3 has its own and SDWA and DPP others.
    pub(super) fn signed(&self, plain: String, source: usize) -> String {
        let of_two = |set: [bool; 2]| set.get(source).copied().unwrap_or_default();
        let (neg, abs, sext) = if let Some(sdwa) = self.sdwa() {
            (of_two(sdwa.neg), of_two(sdwa.abs), of_two(sdwa.sext))
        } else if let Some(fields) = self.vop3().filter(|_| self.form != Encoding::Vop3p) {
            (fields.neg[source], fields.abs[source], false)
        } else if let Some(dpp) = self.dpp() {
            (of_two(dpp.neg), of_two(dpp.abs), false)
        } else {
            return plain;
        };
        let plain = if sext { format!("sext({plain})") } else { plain };
        // A negated number is not that of the other sign.
        let is_number = plain.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        match (neg, abs) {
            (true, false) if is_number => format!("neg({plain})"),
            (true, false) => format!("-{plain}"),
            (true, true) => format!("-|{plain}|"),
            (false, true) => format!("|{plain}|"),
            (false, false) => plain,
        }
    }

    /// The words of the modifier after those of the instruction.
    pub(super) fn modifier_words(&self) -> String {
        match self.modifier {
            _ if self.instruction.operands.is_empty() => String::new(),
            Some(Modifier::Sdwa) => self.selections(),
            Some(Modifier::Dpp) => self.lanes(),
            Some(Modifier::Dpp8) => {
                let Some(fields) = self.dpp8() else { return String::new() };
                let inactive = if fields.fetches_inactive { " fi:1" } else { "" };
                format!(" dpp8:[{}]{inactive}", fields.lanes.map(|lane| lane.to_string()).join(","))
            }
            None => String::new(),
        }
    }

    fn selections(&self) -> String {
        let Some(fields) = self.sdwa() else { return String::new() };
        let mut words = String::new();
        let part = |number: u8| PARTS[usize::from(number) % PARTS.len()];
        if fields.clamp {
            words += " clamp";
        }
        words += ["", " mul:2", " mul:4", " div:2"][usize::from(fields.omod) % 4];
        if self.form != Encoding::Vopc {
            let unused = UNUSED[usize::from(fields.dst_unused) % UNUSED.len()];
            let _ = write!(words, " dst_sel:{} dst_unused:{unused}", part(fields.dst_sel));
        }
        let _ = write!(words, " src0_sel:{}", part(fields.src0_sel));
        if self.has("src1") || self.has("vsrc1") {
            let _ = write!(words, " src1_sel:{}", part(fields.src1_sel));
        }
        words
    }

    fn lanes(&self) -> String {
        let Some(fields) = self.dpp() else { return String::new() };
        let pattern = self.lane_pattern(fields.ctrl);
        let mut words = format!(" {pattern} row_mask:{:#x} bank_mask:{:#x}", fields.row_mask, fields.bank_mask);
        if fields.bound_ctrl {
            words += " bound_ctrl:1";
        }
        if fields.fetches_inactive {
            words += " fi:1";
        }
        words
    }

    /// From which lane each lane reads (LLVM 22.1 `SIDefines.h`, DppCtrl).
    fn lane_pattern(&self, ctrl: u16) -> String {
        let by = ctrl & 0xf;
        // RDNA has these numbers for other patterns.
        let of_row = if self.generation.vector.dpp8 { "row_share" } else { "row_newbcast" };
        match ctrl {
            0..=0xff => {
                let lanes = [0, 2, 4, 6].map(|shift| (ctrl >> shift & 3).to_string());
                format!("quad_perm:[{}]", lanes.join(","))
            }
            0x101..=0x10f => format!("row_shl:{by}"),
            0x111..=0x11f => format!("row_shr:{by}"),
            0x121..=0x12f => format!("row_ror:{by}"),
            0x130 => "wave_shl:1".to_owned(),
            0x134 => "wave_rol:1".to_owned(),
            0x138 => "wave_shr:1".to_owned(),
            0x13c => "wave_ror:1".to_owned(),
            0x140 => "row_mirror".to_owned(),
            0x141 => "row_half_mirror".to_owned(),
            0x142 => "row_bcast:15".to_owned(),
            0x143 => "row_bcast:31".to_owned(),
            0x150..=0x15f => format!("{of_row}:{by}"),
            0x160..=0x16f => format!("row_xmask:{by}"),
            other => format!("dpp_ctrl:{other:#x}"),
        }
    }
}
