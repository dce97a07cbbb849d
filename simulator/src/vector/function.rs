//! A vector instruction as decoded: its function, its sources, and their modifiers and those of the result.
// Long: the functions, and the table of their names.

use std::borrow::Cow;

use crate::lower::registers::{operands, placed};
use crate::state::operand::Source;
use crate::state::vector_number::{VectorNumber, vector_number};
use crate::vector::approximate::{self, Values};
use crate::vector::compare as vector_compare;
use crate::vector::data_parallel::DataParallel;
use crate::vector::float as vector_float;
use crate::vector::integer as vector_integer;
use crate::vector::lanes::Lanes;
use crate::vector::mixed::MixedSource;
use crate::vector::number::{Number, place};
use crate::vector::packed::Packed;
use crate::vector::pairs::Pairs;
use crate::vector::part_sources::PartSources;
use crate::vector::sub_dword::{DWORD, Parts};
use crate::vector::{cube, differences, dot, extremum, legacy, mixed, normalized, saturating, small_float};
use gcn_model::decode::{Decoded, DecodedOperand, Half, Location};
use gcn_model::isa::{Encoding, Generation, Instruction, InstructionClass, OperandKind};

/// Scalar code of VCC.
const VCC: u8 = crate::state::scalar_registers::VCC;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VectorSource {
    /// Where it is.
    pub place: Source,
    /// Whether it has 64 bits.
    pub is_wide: bool,
    /// The sign bit that `negated` and `absolute` mean.
    pub sign: u64,
    pub negated: bool,
    /// Its sign is dropped.
    pub absolute: bool,
    /// Its high half is taken.
    pub is_high: bool,
    /// No more than one half of it is read.
    pub is_half: bool,
}

/// An instruction's treatment of its sources and its result besides its function.
#[derive(Clone, Copy)]
pub(crate) struct Modifiers {
    /// Parts of dwords, in place of all of them.
    pub sub_dword: Option<Parts>,
    /// DPP.
    pub data_parallel: Option<DataParallel>,
    /// Output modifier: 1 times 2, 2 times 4, 3 divided by 2.
    pub output: u8,
    /// The result is clamped: a floating-point number to 0 up to 1.
    pub clamps: bool,
    /// The function itself clamps: the result is an integer.
    pub saturates: bool,
    /// Bits of the floating-point result, for `output` and `clamps`.
    pub result_bits: u8,
    /// The half of the register that is written, where the other is kept: 0 or 16.
    pub half: Option<u32>,
    /// It is done twice, on two dwords of each source.
    pub pairs: Option<Pairs>,
    /// It is done twice, on low and on high halves.
    pub packed: Option<Packed>,
    /// The halves that make up its first two sources.
    pub halves: Option<Packed>,
    /// Sources may be of half precision while the function is of single precision.
    pub mixed: Option<[MixedSource; 3]>,
}

/// A vector instruction.
#[derive(Clone, Copy)]
pub(crate) struct VectorFunction {
    /// The function of the lanes.
    pub lanes: Lanes,
    /// Whether MODE changes it.
    pub is_float: bool,
    pub sources: [VectorSource; 3],
    /// Vector register of the result.
    pub result: Option<VectorNumber>,
    /// Whether the result has 64 bits.
    pub is_wide: bool,
    /// Scalar register of the bits that are read.
    pub flags: Option<u8>,
    /// The other content of these bits: the table of V_BITOP3_*.
    pub truth_table: u8,
    /// Scalar register of the bits that are written.
    pub flags_result: Option<u8>,
    /// The bits are written to EXEC, too.
    pub writes_exec: bool,
    /// The result is that of one of two sources: the other one may be unknown.
    pub selects: bool,
    /// The sources of which a part says something of the result.
    pub part_sources: PartSources,
    /// The low dword of the result depends on the low dwords of the sources alone.
    pub low_from_low: bool,
    /// The bits that its lanes give say where the result is known.
    pub says_what_is_known: bool,
    /// Its values are approximations, not those of a card.
    pub is_approximate: bool,
    /// What else it does, if anything.
    pub modifiers: Option<Modifiers>,
}

/// The types in a name: V_CVT_F32_I32 has F32 and I32.
fn types(name: &str) -> impl DoubleEndedIterator<Item = (char, u8)> {
    name.split('_').filter_map(|part| {
        let kind = part.chars().next().filter(|kind| "FIUB".contains(*kind))?;
        Some((kind, part[1..].parse().ok()?))
    })
}

/// The sources that are integers.
fn integer_sources(name: &str, kind: char) -> impl Iterator<Item = usize> {
    let are_all = matches!(kind, 'I' | 'U');
    let is_one = move |source: usize| match source {
        1 => name.starts_with("V_LDEXP_") || name == "V_CVT_PK_U8_F32",
        2 => name == "V_CVT_PK_U8_F32",
        _ => false,
    };
    (0..3).filter(move |source| are_all || is_one(*source))
}

fn lanes_of(instruction: &Instruction, name: &str, generation: Generation) -> Option<Lanes> {
    if instruction.is(InstructionClass::Compare) {
        return vector_compare::of(name);
    }
    let of_matrix = generation.matrix.as_ref().and_then(|matrix| matrix.eight_bit_floats);
    let of_waves = generation.wave_matrix.as_ref().and_then(|matrix| matrix.eight_bit_floats);
    vector_integer::of(name)
        .or_else(|| differences::of(name))
        .or_else(|| normalized::of(name))
        .or_else(|| cube::of(name))
        .or_else(|| dot::of(name, generation.vector.dot_products))
        .or_else(|| mixed::of(name))
        .or_else(|| extremum::of(name))
        .or_else(|| vector_float::of_single(name))
        .or_else(|| vector_float::of_double(name))
        .or_else(|| vector_integer::of_half(name))
        .or_else(|| vector_float::of_half_precision(name))
        .or_else(|| legacy::of(name))
        .or_else(|| small_float::of(name, of_matrix.or(of_waves), &generation.vector))
}

impl VectorFunction {
    /// The function of an instruction; `None` if it has none, or none together with its modifiers. Values that no manual defines are
    /// approximated if the caller wants that.
    pub(crate) fn of(decoded: &Decoded, approximates: bool) -> Option<Self> {
        Self::of_part(decoded, decoded.instruction, &operands(decoded), approximates)
    }

    /// Those of two instructions in one (VOPD); `None` if one of them has none.
    pub(crate) fn of_pair(decoded: &Decoded, approximates: bool) -> Option<[Self; 2]> {
        let [first, second] = decoded.halves()?;
        let of = |half: Half| {
            Self::of_part(decoded, half.instruction, &placed(half.operands, decoded.generation), approximates)
        };
        Some([of(first)?, of(second)?])
    }

    fn of_part(
        decoded: &Decoded,
        instruction: &Instruction,
        operands: &[DecodedOperand],
        approximates: bool,
    ) -> Option<Self> {
        // Long: a table, with an arm for each kind of operation.
        let name = instruction.canonical_name();
        let is_packed = instruction.is(InstructionClass::Packed);
        // Each half has the function of the instruction of the same name without PK.
        let pairs = decoded.vop3().and_then(|fields| Pairs::of(name, &fields));
        let function_name = match is_packed || pairs.is_some() {
            true => Cow::Owned(name.replacen("_PK_", "_", 1)),
            false => Cow::Borrowed(name),
        };
        let exact = lanes_of(instruction, &function_name, decoded.generation);
        let values = if approximates { Values::Approximate } else { Values::Special };
        let lanes = exact.or_else(|| approximate::of(name, values))?;
        let bf16 = name.ends_with("_BF16").then_some(('F', 16));
        let (source_kind, source_bits) = types(name).next_back().or(bf16)?;
        let (result_kind, result_bits) = types(name).next().or(bf16)?;
        let is_float = types(name).chain(bf16).any(|(kind, _)| kind == 'F');
        let halves_are_registers = decoded.generation.vector.halves_are_registers;
        let has_halves = !decoded.generation.vector.keeps_high_half.is_empty();
        let mut this = Self {
            lanes,
            is_float,
            sources: [VectorSource::none(source_bits); 3],
            result: None,
            is_wide: false,
            flags: None,
            truth_table: 0,
            flags_result: None,
            writes_exec: instruction.is(InstructionClass::WritesExec),
            selects: instruction.is(InstructionClass::Select),
            part_sources: PartSources::of(name),
            low_from_low: matches!(name, "V_MAD_U64_U32" | "V_MAD_I64_I32"),
            says_what_is_known: exact.is_none() && !approximates
                || dot::says_what_is_known(name)
                || legacy::says_what_is_known(name)
                || small_float::says_what_is_known(name, &decoded.generation.vector),
            is_approximate: exact.is_none() && approximates,
            modifiers: None,
        };
        let mixed_half = mixed::written_half(name);
        let mixed = mixed_half.and(decoded.vop3()).map(|fields| MixedSource::all(&instruction.name, &fields));
        let number = match (mixed, is_packed) {
            (Some(mixed), _) => Number::Mixed(mixed),
            _ if pairs.is_some() => Number::Pairs,
            (None, true) => Number::Packed { is_float: source_kind == 'F' },
            (None, false) if dot::has_halves(name) && source_kind == 'F' => Number::Halves,
            (None, false) => Number::Plain { kind: source_kind, bits: source_bits },
        };
        let mut half = mixed_half.flatten();
        this.find_operands(instruction, operands, (source_bits, has_halves), number)?;
        let written = operands.iter().find(|operand| operand.operand.is_written() && operand.operand.bits == 16);
        let keeps_high = written.is_some() && decoded.generation.vector.keeps_high_half(&instruction.name);
        if halves_are_registers && mixed_half.is_none() {
            half = written.map(|operand| 16 * u32::from(operand.is_high));
        }
        let is_constant = |source: usize| matches!(this.sources[source].place, Source::Constant(value) if value != 0);
        if pairs.is_some_and(|pairs| (0..3).any(|source| is_constant(source) && pairs.reads_high(source)))
            || name.starts_with("V_DOT2") && name.ends_with("BF16") && (is_constant(0) || is_constant(1))
        {
            // No source says what such a constant is.
            return None;
        }
        let mut modifiers = Modifiers {
            sub_dword: decoded.sdwa().as_ref().map(Parts::of),
            data_parallel: None,
            output: 0,
            clamps: false,
            saturates: false,
            result_bits,
            half,
            pairs,
            packed: None,
            halves: None,
            mixed,
        };
        let mut is_plain = mixed.is_none() && pairs.is_none();
        // V_PK_FMAC_F16: each half of its own.
        if is_packed && decoded.form != Encoding::Vop3p {
            modifiers.packed = Some(Packed { high: [[false; 3], [true; 3]], negated: [[false; 3]; 2] });
            is_plain = false;
        }
        let (mut negated, mut absolute) = ([false; 3], [false; 3]);
        if let Some(fields) = decoded.vop3() {
            (modifiers.output, modifiers.clamps) = (fields.omod, fields.clamp);
            this.truth_table = fields.truth_table.unwrap_or(0);
            let has_signs = fields.neg != [false; 3] || fields.abs != [false; 3];
            let selects = fields.op_sel != [false; 4];
            // Where halves are registers OP_SEL picks bytes, elsewhere SDWA does.
            let has_no_bytes = small_float::reads_bytes(name) && (has_signs || selects && !halves_are_registers);
            let has_no_model = decoded.form == Encoding::Vop3
                && (has_no_bytes
                    || dot::has_halves(name) && (has_signs || selects)
                    || is_packed && (has_signs || selects));
            if has_no_model || pairs.is_some() && fields.clamp {
                return None;
            }
            if is_packed && decoded.form == Encoding::Vop3p {
                if source_kind != 'F' && (has_signs || fields.neg_hi != [false; 3]) {
                    return None;
                }
                modifiers.packed = Some(Packed {
                    high: [[fields.op_sel[0], fields.op_sel[1], fields.op_sel[2]], fields.op_sel_hi],
                    negated: [fields.neg, fields.neg_hi],
                });
                is_plain = false;
            } else if decoded.form == Encoding::Vop3p && mixed.is_none() && pairs.is_none() {
                (modifiers.halves, negated[2]) = (dot::halves(name, &fields)?, fields.neg[2]);
                is_plain = modifiers.halves.is_none();
                this.lanes = dot::of_signs(name, fields.neg).unwrap_or(this.lanes);
            } else if decoded.form == Encoding::Vop3
                && let Some(parts) = small_float::parts(name, fields.op_sel)
            {
                (negated, absolute, is_plain) = (fields.neg, fields.abs, false);
                modifiers.sub_dword = Some(parts);
            } else if mixed.is_none() && pairs.is_none() {
                (negated, absolute) = (fields.neg, fields.abs);
                let mut integers = integer_sources(name, source_kind);
                if integers.any(|source| fields.neg[source] || fields.abs[source])
                    || fields.op_sel[3] && result_bits == 32 && !small_float::writes_half(name)
                {
                    // No manual says what these are.
                    return None;
                }
                for (source, is_high) in this.sources.iter_mut().zip(fields.op_sel) {
                    source.is_high |= is_high;
                }
                if fields.op_sel[3] {
                    modifiers.half = Some(16);
                }
            }
        }
        if let Some(fields) = decoded.sdwa() {
            negated[..2].copy_from_slice(&fields.neg);
            absolute[..2].copy_from_slice(&fields.abs);
            (modifiers.output, modifiers.clamps) = (fields.omod, fields.clamp);
            is_plain = false;
            if matches!(lanes, Lanes::Two(_)) && (fields.dst_sel != DWORD || fields.sext[0]) {
                return None;
            }
        }
        if let Some(fields) = decoded.dpp8() {
            modifiers.data_parallel = Some(DataParallel::of_eight(&fields));
            is_plain = false;
            if matches!(lanes, Lanes::Two(_)) {
                return None;
            }
        }
        if let Some(fields) = decoded.dpp() {
            // Behind the words of VOP3 and VOP3P these have said it.
            if decoded.vop3().is_none() {
                negated[..2].copy_from_slice(&fields.neg);
                absolute[..2].copy_from_slice(&fields.abs);
            }
            modifiers.data_parallel = Some(DataParallel::of(&fields)?);
            is_plain = false;
            if matches!(lanes, Lanes::Two(_)) {
                return None;
            }
        }
        for (source, (negated, absolute)) in this.sources.iter_mut().zip(negated.into_iter().zip(absolute)) {
            (source.negated, source.absolute) = (negated, absolute);
        }
        if small_float::writes_half(name) && modifiers.half.is_none() {
            modifiers.half = Some(0);
        }
        if keeps_high && modifiers.half.is_none() && modifiers.sub_dword.is_none() {
            modifiers.half = Some(0);
        }
        is_plain &= modifiers.half.is_none() && modifiers.output == 0 && !modifiers.clamps;
        if modifiers.clamps && result_kind != 'F' {
            // Comparisons signal: that has no model.
            this.lanes = saturating::of(&function_name)?;
            modifiers.saturates = true;
        }
        let is_compare = instruction.is(InstructionClass::Compare);
        let has_output = result_kind == 'F' && !is_compare && !is_packed && !name.starts_with("V_CVT_PK");
        let has_clamp = !is_compare && !small_float::packs_floats(name);
        if modifiers.output != 0 && !has_output || modifiers.clamps && !has_clamp {
            return None;
        }
        this.modifiers = (!is_plain).then_some(modifiers);
        Some(this)
    }

    fn find_operands(
        &mut self,
        instruction: &Instruction,
        operands: &[DecodedOperand],
        (source_bits, is_half): (u8, bool),
        number: Number,
    ) -> Option<()> {
        let mut next = 0;
        let mut accumulator = None;
        for operand in operands {
            let bits = operand.operand.bits;
            let is_mask = bits == 64
                && (matches!(operand.operand.kind, OperandKind::Vcc | OperandKind::Mask | OperandKind::Sgpr)
                    || operand.operand.name == "sdst");
            match operand.location {
                Location::Sgpr(code) if is_mask && operand.operand.is_written() => self.flags_result = Some(code),
                Location::Sgpr(code) if is_mask => self.flags = Some(code),
                location => {
                    if operand.operand.is_written() {
                        (self.result, self.is_wide) = (Some(vector_number(location)?), bits > 32);
                    }
                    if operand.operand.is_read() {
                        let place = place(location, bits, number, next)?;
                        if operand.is_high && matches!(place, Source::Constant(_)) {
                            // No source says the high half of a constant.
                            return None;
                        }
                        let (is_wide, is_high) = (bits > 32, operand.is_high);
                        let is_half = is_half && bits == 16;
                        let source =
                            VectorSource { place, is_wide, is_high, is_half, ..VectorSource::none(source_bits) };
                        if operand.operand.is_written() {
                            accumulator = Some(source);
                        } else {
                            *self.sources.get_mut(next)? = source;
                            next += 1;
                        }
                    }
                }
            }
        }
        // A source that only keeps its other half is not among the function's three.
        if let (Some(accumulator), Some(source)) = (accumulator, self.sources.get_mut(next)) {
            *source = accumulator;
        }
        if instruction.is(InstructionClass::DivFmas) {
            self.flags = Some(VCC);
        }
        Some(())
    }
}

impl VectorSource {
    fn none(bits: u8) -> Self {
        Self {
            place: Source::Constant(0),
            is_wide: false,
            sign: vector_float::sign_of(bits),
            negated: false,
            absolute: false,
            is_high: false,
            is_half: false,
        }
    }

    /// Whether it is more than the value at its place.
    pub(crate) fn is_modified(&self) -> bool {
        self.negated || self.absolute || self.is_high
    }
}

/// Whether an instruction has a format that this module knows.
pub(crate) fn is_vector(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Vop1 | Encoding::Vop2 | Encoding::Vop3 | Encoding::Vop3p | Encoding::Vopc)
}
