//! The fields of the first word that say which encoding it is, and which opcode.
//!
//! Source: AMD's "Southern Islands", "Sea Islands", "GCN3" and "Vega" ISA manuals, chapter "Microcode Formats".

use crate::isa::{Encoding, Generation};

/// Bits `low + width - 1` to `low` of a word.
pub(super) const fn bits(word: u32, low: u32, width: u32) -> u32 {
    (word >> low) & ((1 << width) - 1)
}

/// Bit `n` of a word.
pub(super) const fn bit(word: u32, n: u32) -> bool {
    bits(word, n, 1) == 1
}

/// The low `width` bits of a value as a two's complement number.
pub(super) const fn signed(value: u32, width: u32) -> i32 {
    ((value << (32 - width)) as i32) >> (32 - width)
}

/// The encoding that the first word's topmost bits say; `None` if the generation defines none.
pub(super) const fn encoding(generation: Generation, word: u32) -> Option<Encoding> {
    let old = matches!(generation, Generation::Gcn10 | Generation::Gcn11);
    if !bit(word, 31) {
        return Some(match bits(word, 25, 6) {
            0x3e => Encoding::Vopc,
            0x3f => Encoding::Vop1,
            _ => Encoding::Vop2,
        });
    }
    if !bit(word, 30) {
        return Some(match bits(word, 23, 7) {
            0x7d => Encoding::Sop1,
            0x7e => Encoding::Sopc,
            0x7f => Encoding::Sopp,
            0x60..=0x7c => Encoding::Sopk,
            _ => Encoding::Sop2,
        });
    }
    Some(match bits(word, 26, 6) {
        0x30 | 0x31 if old => Encoding::Smrd,
        0x30 => Encoding::Smem,
        0x31 => Encoding::Exp,
        0x32 if old => Encoding::Vintrp,
        0x35 if !old => Encoding::Vintrp,
        0x34 if matches!(generation, Generation::Gcn14) && bits(word, 23, 3) == 7 => Encoding::Vop3p,
        0x34 => Encoding::Vop3,
        0x36 => Encoding::Ds,
        0x37 if !matches!(generation, Generation::Gcn10) => Encoding::Flat,
        0x38 => Encoding::Mubuf,
        0x3a => Encoding::Mtbuf,
        0x3c => Encoding::Mimg,
        0x3e if old => Encoding::Exp,
        _ => return None,
    })
}

/// The opcode field of the first word.
pub(super) const fn opcode(generation: Generation, encoding: Encoding, word: u32) -> u16 {
    let old = matches!(generation, Generation::Gcn10 | Generation::Gcn11);
    let (low, width) = match encoding {
        Encoding::Sop2 => (23, 7),
        Encoding::Sopk => (23, 5),
        Encoding::Sop1 => (8, 8),
        Encoding::Sopc | Encoding::Sopp => (16, 7),
        Encoding::Smrd => (22, 5),
        Encoding::Smem => (18, 8),
        Encoding::Vop2 => (25, 6),
        Encoding::Vop1 => (9, 8),
        Encoding::Vopc => (17, 8),
        Encoding::Vop3 if old => (17, 9),
        Encoding::Vop3 => (16, 10),
        Encoding::Vop3p => (16, 7),
        Encoding::Ds if old => (18, 8),
        Encoding::Ds => (17, 8),
        Encoding::Mubuf | Encoding::Flat | Encoding::Mimg => (18, 7),
        Encoding::Mtbuf if old => (16, 3),
        Encoding::Mtbuf => (15, 4),
        Encoding::Vintrp => (16, 2),
        Encoding::Exp => return 0,
    };
    bits(word, low, width) as u16
}
