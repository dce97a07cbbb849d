//! The formats of machine words: which encodings a generation has, and where the fields of each stand.
//!
//! Data: `encodings.csv` and `fields.csv` of the generation, and what all have in common in `model/data/isa/fields.csv`.

use serde::Deserialize;

use super::bits::BitRange;
use super::data_file::DataFile;
use super::files::rows;
use super::{Encoding, IsaError};
use crate::quantity::Dwords;

/// A field's name, as in the manuals, in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldName {
    Sdst,
    Ssrc0,
    Ssrc1,
    Simm16,
    Sdata,
    Sbase,
    /// The immediate offset of a memory format.
    Offset,
    /// The offset of a FLAT instruction that names a segment.
    SegmentOffset,
    /// The register in the offset's place (SMEM).
    OffsetRegister,
    /// Whether the offset is an immediate.
    Imm,
    Soffset,
    SoffsetEn,
    Glc,
    Slc,
    Vdst,
    Src0,
    Src1,
    Src2,
    Vsrc,
    Vsrc1,
    /// The scalar destination of VOP3B, in addition to a vector one.
    Carry,
    Abs,
    Neg,
    NegHi,
    Omod,
    Clamp,
    OpSel,
    OpSelHi,
    /// The third bit of OP_SEL_HI.
    OpSelHi2,
    Attribute,
    Channel,
    Addr,
    Data,
    Data0,
    Data1,
    Vaddr,
    Vdata,
    Offset0,
    Offset1,
    Gds,
    Lds,
    Offen,
    Idxen,
    Addr64,
    Tfe,
    Srsrc,
    Ssamp,
    Format,
    Dfmt,
    Nfmt,
    Saddr,
    Seg,
    Dmask,
    Unorm,
    Da,
    R128,
    Lwe,
    D16,
    En,
    Compr,
    Tgt,
    Src3,
    /// System-coherent: a further bit of the cache policy.
    Scc,
    /// Whether a SCRATCH instruction has an address VGPR.
    Sve,
    /// Whether the data of a memory instruction are in AGPRs.
    Acc,
    /// Whether src0 is in AGPRs (VOP3P-MAI).
    Acc0,
    /// As above, for src1.
    Acc1,
    /// As above, for the destination and src2.
    AccCd,
    /// How many blocks of A one block is broadcast to, as a power of two (VOP3P-MAI).
    Cbsz,
    /// The block of A that is broadcast.
    Abid,
    /// How the lanes of B are permuted; which sources are negated, in double precision.
    Blgp,
    /// Device-level coherent: a further bit of the cache policy.
    Dlc,
    /// Dimensions of an image.
    Dim,
    /// How many dwords with numbers of further address VGPRs follow an image instruction.
    Nsa,
    /// Whether the addresses of an image instruction have 16 bits.
    A16,
    /// The opcode of the second of two instructions in one (VOPD).
    OpcodeY,
    /// Its first source.
    SrcY0,
    /// Its second source.
    VsrcY1,
    /// Its destination without the lowest bit, which is the other one of the first destination's.
    VdstY,
    /// Exports that have to be done before (VINTERP).
    Waitexp,
    /// Vector instructions that may be under way (LDSDIR).
    Waitvdst,
    /// Which caches are coherent (RDNA 4).
    Scope,
    /// How caches treat the data (RDNA 4).
    Th,
    /// Whether the data are non-volatile (gfx1250).
    Nv,
    /// Whether an offset in a register counts elements (gfx1250).
    ScaleOffset,
    /// The third source of VOPD3.
    Vsrc2,
    /// That of the second instruction.
    VsrcY2,
    /// Which of its sources are negated.
    NegY,
}

const FIELD_NAMES: usize = FieldName::NegY as usize + 1;

impl FieldName {
    /// The field of that name.
    pub fn find(name: &str) -> Option<Self> {
        use serde::de::IntoDeserializer;
        let name: serde::de::value::StrDeserializer<'_, serde::de::value::Error> = name.into_deserializer();
        Self::deserialize(name).ok()
    }
}

/// The content of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldKind {
    /// A number.
    Immediate,
    /// A number in two's complement.
    Signed,
    Vgpr,
    /// A scalar register code.
    Scalar,
    /// Half of a scalar register code (SBASE).
    ScalarPair,
    /// A quarter of a scalar register code (SRSRC, SSAMP).
    ScalarQuad,
    /// A scalar source code.
    ScalarSource,
    /// A scalar source or a VGPR.
    VectorSource,
    /// A VGPR, with the code of a vector source.
    VectorRegister,
    /// The same, or an inline constant.
    VectorRegisterOrConstant,
}

/// A field of a format: bits of its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field {
    pub kind: FieldKind,
    /// Where it stands; bits of the second word count from 32 on, those of the third from 64 on.
    pub bits: BitRange,
}

impl Field {
    /// The field's value.
    #[inline]
    pub const fn value(self, words: [u32; 3]) -> u32 {
        self.bits.of_words(words)
    }

    /// The field's value as a number in two's complement, if it holds one.
    pub const fn number(self, words: [u32; 3]) -> i32 {
        let value = self.value(words);
        match self.kind {
            FieldKind::Signed => {
                let unused = 32 - self.bits.width as u32;
                ((value << unused) as i32) >> unused
            }
            _ => value as i32,
        }
    }
}

/// One format: an encoding as a generation has it.
#[derive(Debug, Clone)]
pub struct Format {
    /// The topmost bits of the first word, in their place.
    prefix: u32,
    opcode: Option<BitRange>,
    /// The opcode's highest bit, where it stands by itself.
    opcode_high: Option<BitRange>,
    /// Size without what may follow: a literal, an SDWA or a DPP dword.
    dwords: Dwords,
    fields: [Option<Field>; FIELD_NAMES],
}

impl Format {
    /// A field, if the format has it.
    #[inline]
    pub const fn field(&self, name: FieldName) -> Option<Field> {
        self.fields[name as usize]
    }

    /// Size of an instruction without the literal, SDWA or DPP dword that may follow it.
    #[inline]
    pub const fn dwords(&self) -> Dwords {
        self.dwords
    }

    #[inline]
    pub fn opcode(&self, words: [u32; 3]) -> u16 {
        let Some(low) = self.opcode else { return 0 };
        let high = self.opcode_high.map_or(0, |bit| bit.of_words(words));
        (low.of(words[0]) | high << low.width) as u16
    }

    /// The highest opcode that the field holds.
    pub fn highest_opcode(&self) -> u16 {
        self.opcode.map_or(0, |bits| {
            let width = bits.width + self.opcode_high.map_or(0, |bit| bit.width);
            BitRange { low: 0, width }.most() as u16
        })
    }

    /// The highest opcode of a second instruction's field; 0 without one.
    pub fn highest_second_opcode(&self) -> u16 {
        self.field(FieldName::OpcodeY).map_or(0, |field| BitRange { low: 0, ..field.bits }.most() as u16)
    }

    /// The words of an instruction whose fields are all 0.
    pub fn words(&self, opcode: u16) -> [u32; 3] {
        let Some(low) = self.opcode else { return [self.prefix, 0, 0] };
        let opcode = u32::from(opcode);
        let [first, second, third] = self.opcode_high.map_or([0; 3], |bit| bit.place_in_words(opcode >> low.width));
        [self.prefix | low.place(opcode) | first, second, third]
    }

    /// Puts a value into a field that is 0; `false` if the format has no such field.
    pub fn set(&self, words: &mut [u32; 3], name: FieldName, value: u32) -> bool {
        let Some(field) = self.field(name) else { return false };
        for (word, bits) in words.iter_mut().zip(field.bits.place_in_words(value)) {
            *word |= bits;
        }
        true
    }
}

/// The formats of a generation.
#[derive(Debug, Clone)]
pub(super) struct Formats {
    by_encoding: [Option<Format>; Encoding::COUNT],
    by_prefix: Box<[Option<Encoding>]>,
}

/// Bits of the longest prefix.
const PREFIX_BITS: u32 = 9;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EncodingRow {
    encoding: Encoding,
    prefix: String,
    opcode_low: Option<u8>,
    opcode_width: Option<u8>,
    #[serde(default)]
    opcode_high: Option<u8>,
    /// Size, where it is not that of the encoding elsewhere.
    #[serde(default)]
    dwords: Option<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldRow {
    encoding: Encoding,
    field: FieldName,
    low: u8,
    width: u8,
    kind: FieldKind,
}

impl Formats {
    /// Reads a generation's `encodings.csv`, the fields that all generations have, and its own `fields.csv`, which wins.
    pub(super) fn read<'a>(
        encodings: &DataFile<'_>,
        fields: impl IntoIterator<Item = DataFile<'a>>,
    ) -> Result<Self, IsaError> {
        let mut this =
            Self { by_encoding: [const { None }; Encoding::COUNT], by_prefix: vec![None; 1 << PREFIX_BITS].into() };
        let mut lengths = vec![0; this.by_prefix.len()];
        for (line, row) in rows::<EncodingRow>(encodings)? {
            let bad = |column, value: &str, expected| IsaError::value(encodings, line, column, value, expected);
            let length = row.prefix.len() as u32;
            let prefix = u32::from_str_radix(&row.prefix, 2)
                .ok()
                .filter(|_| (1..=PREFIX_BITS).contains(&length))
                .ok_or_else(|| bad("prefix", &row.prefix, "the topmost bits of the first word, 1 to 9 of them"))?;
            let opcode = row.opcode_low.zip(row.opcode_width).map(|(low, width)| BitRange { low, width });
            if opcode.is_some_and(|bits| bits.low > 31 || bits.width > 10 || u32::from(bits.low + bits.width) > 32) {
                return Err(bad("opcode_low", "", "an opcode of at most 10 bits in the first word"));
            }
            let dwords = row.dwords.map_or(row.encoding.dwords(), Dwords);
            if !(1..=3).contains(&dwords.0) {
                return Err(bad("dwords", "", "1, 2 or 3"));
            }
            if row.opcode_high.is_some_and(|bit| bit > 63) {
                return Err(bad("opcode_high", "", "a bit of the first two words"));
            }
            let opcode_high = row.opcode_high.map(|low| BitRange { low, width: 1 });
            let free = PREFIX_BITS - length;
            for index in prefix << free..(prefix + 1) << free {
                let index = index as usize;
                if lengths[index] == length {
                    return Err(bad("prefix", &row.prefix, "bits that no other encoding has"));
                }
                if lengths[index] < length {
                    (lengths[index], this.by_prefix[index]) = (length, Some(row.encoding));
                }
            }
            let prefix = prefix << (32 - length);
            this.by_encoding[row.encoding as usize] =
                Some(Format { prefix, opcode, opcode_high, dwords, fields: [None; FIELD_NAMES] });
        }
        fields.into_iter().try_for_each(|file| this.add_fields(&file))?;
        Ok(this)
    }

    /// Adds the fields of a file; those that are there already are replaced.
    fn add_fields(&mut self, file: &DataFile<'_>) -> Result<(), IsaError> {
        for (line, row) in rows::<FieldRow>(file)? {
            // What all generations have in common names encodings that this one may lack.
            let Some(format) = &mut self.by_encoding[row.encoding as usize] else { continue };
            if row.width == 0 {
                // What all others have in common and this generation lacks.
                format.fields[row.field as usize] = None;
                continue;
            }
            let end = if row.low < 64 { 64 } else { 96 };
            if !(1..=32).contains(&row.width) || row.low > 95 || row.low + row.width > end {
                let expected = "a range of the first 64 bits, or of the third word";
                return Err(IsaError::value(file, line, "width", &row.width.to_string(), expected));
            }
            let bits = BitRange { low: row.low, width: row.width };
            format.fields[row.field as usize] = Some(Field { kind: row.kind, bits });
        }
        Ok(())
    }

    /// The encoding that the first word's topmost bits say.
    #[inline]
    pub(super) fn encoding(&self, word: u32) -> Option<Encoding> {
        self.by_prefix[(word >> (32 - PREFIX_BITS)) as usize]
    }

    #[inline]
    pub(super) const fn format(&self, encoding: Encoding) -> Option<&Format> {
        self.by_encoding[encoding as usize].as_ref()
    }
}
