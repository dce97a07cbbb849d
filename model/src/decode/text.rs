//! A decoded instruction as a line of text, much as LLVM writes it.

use std::fmt;

use super::swizzle::swizzle;
use super::table::Entry;
use super::{Aperture, Decoded, DecodedOperand, Location, Modifier, ScalarMemoryOffset};
use crate::isa::{
    Access, Encoding, FieldName, Generation, InstructionClass, Operand, OperandKind, RegisterRun, Segment,
};

impl fmt::Display for Decoded {
    /// Mnemonic, operands and the modifiers that are set. Branch distances and SMRD offsets are in dwords, all other offsets
    /// in bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name_and_operands(f, self.entry)?;
        if let Some(second) = self.second {
            f.write_str(" :: ")?;
            self.name_and_operands(f, second)?;
            let table = self.value(FieldName::VsrcY2);
            if second.instruction.is(InstructionClass::TruthTable) && table != 0 {
                write!(f, " bitop3:{table:#x}")?;
            }
        }
        self.modifiers(f)
    }
}

impl Decoded {
    /// Mnemonic and operands of the instruction, or of one of two in one.
    fn name_and_operands(&self, f: &mut fmt::Formatter<'_>, entry: &'static Entry) -> fmt::Result {
        match entry.instruction.llvm_mnemonic() {
            Some(name) => f.write_str(&name)?,
            None => f.write_str(&entry.instruction.name.to_ascii_lowercase())?,
        }
        match (self.form, self.modifier) {
            (_, Some(Modifier::Sdwa)) => f.write_str("_sdwa")?,
            (Encoding::Vop3 | Encoding::Vop3p, Some(Modifier::Dpp | Modifier::Dpp8)) => f.write_str("_e64_dpp")?,
            (_, Some(Modifier::Dpp | Modifier::Dpp8)) => f.write_str("_dpp")?,
            (Encoding::Vop3, None) if self.instruction.encoding != Encoding::Vop3 => f.write_str("_e64")?,
            _ => {}
        }
        let mut separator = " ";
        for item in self.text_operands(entry) {
            write!(f, "{separator}{item}")?;
            separator = ", ";
        }
        Ok(())
    }

    /// The positional operands as text, with `off` where an address is absent.
    fn text_operands(&self, entry: &'static Entry) -> Vec<String> {
        let decoded = self.operands_of(entry);
        let mut texts = Vec::new();
        for operand in &entry.instruction.operands {
            // V_DUAL_CNDMASK_B32 reads VCC without naming it.
            let is_unnamed = self.form == Encoding::Vopd && operand.kind == OperandKind::Vcc
                || self.form == Encoding::Vopd3 && operand.kind == OperandKind::Immediate;
            if is_unnamed || matches!(operand.kind, OperandKind::Offset | OperandKind::Flag | OperandKind::Format) {
                continue;
            }
            let found = decoded.iter().find(|found| std::ptr::eq(found.operand, operand));
            match found {
                Some(found) if self.is_negated_half(entry, operand) => texts.push(format!("-{}", self.text(found))),
                Some(found) => texts.push(self.text(found)),
                None if operand.kind == OperandKind::ScalarAddress
                    && entry.instruction.segment == Some(Segment::Flat) => {}
                None if matches!(operand.kind, OperandKind::BufferAddress | OperandKind::ScalarAddress)
                    || operand.name == "vaddr" =>
                {
                    texts.push("off".to_owned());
                }
                None if self.form == Encoding::Exp => texts.push("off".to_owned()),
                None => {}
            }
        }
        texts
    }

    /// Whether a source of VOPD3 is negated.
    fn is_negated_half(&self, entry: &Entry, operand: &Operand) -> bool {
        if self.form != Encoding::Vopd3 || !operand.is_read() || operand.is_written() {
            return false;
        }
        let is_second = self.second.is_some_and(|second| std::ptr::eq(second, entry));
        let bit = ["src0", "vsrc1", "vsrc2"].iter().position(|name| *name == operand.name);
        let signs: [bool; 3] = self.flags(if is_second { FieldName::NegY } else { FieldName::Neg });
        entry.instruction.name.contains("_F") && bit.is_some_and(|bit| signs[bit])
    }

    fn text(&self, found: &DecodedOperand) -> String {
        let operand = found.operand;
        let plain = match found.location {
            Location::Vgpr(n) if self.is_half(operand) => format!("v{n}.{}", if found.is_high { 'h' } else { 'l' }),
            Location::Vgpr(n) => tuple('v', n, found.registers),
            Location::Agpr(n) => tuple('a', n, found.registers),
            Location::Sgpr(n) => scalar(self.generation, n, found.registers),
            Location::Constant(constant) => constant.to_string(),
            Location::Literal(value) => format!("{value:#x}"),
            Location::WideLiteral(value) => format!("lit64({value:#x})"),
            Location::Vccz => "src_vccz".to_owned(),
            Location::Execz => "src_execz".to_owned(),
            Location::Scc => "src_scc".to_owned(),
            Location::LdsDirect => "src_lds_direct".to_owned(),
            Location::Aperture(aperture) => match aperture {
                Aperture::SharedBase => "src_shared_base",
                Aperture::SharedLimit => "src_shared_limit",
                Aperture::PrivateBase => "src_private_base",
                Aperture::PrivateLimit => "src_private_limit",
                Aperture::PopsExitingWaveId => "src_pops_exiting_wave_id",
                Aperture::FlatScratchBaseLow => "src_flat_scratch_base_lo",
                Aperture::FlatScratchBaseHigh => "src_flat_scratch_base_hi",
            }
            .to_owned(),
            Location::Immediate(value) => match operand.kind {
                OperandKind::Label => (value as u16 as i16).to_string(),
                // As LLVM has it: the words of GCN 1.0 and 1.1 count dwords.
                OperandKind::ScalarOffset if self.form == Encoding::Smrd => {
                    format!("{:#x}", value / self.generation.scalar_memory.offset_unit_bytes)
                }
                OperandKind::Immediate if self.instruction.encoding == Encoding::Vintrp => ["p10", "p20", "p0"]
                    .get(value as usize)
                    .map_or_else(|| format!("{value:#x}"), |name| (*name).to_owned()),
                OperandKind::Attribute => format!("attr{}.{}", value / 4, ['x', 'y', 'z', 'w'][value as usize % 4]),
                _ => format!("{:#x}", value as i32),
            },
        };
        let source = match operand.name.as_str() {
            "src0" => 0,
            "src1" | "vsrc1" => 1,
            "src2" => 2,
            _ => return plain,
        };
        if operand.access == Access::Read { self.signed(plain, source) } else { plain }
    }

    /// Sources of a packed instruction.
    fn sources(&self) -> usize {
        if self.has("src2") { 3 } else { 2 }
    }

    /// Whether an operand is half of a register.
    fn is_half(&self, operand: &Operand) -> bool {
        let forms = [Encoding::Vop1, Encoding::Vop2, Encoding::Vopc, Encoding::Vop3, Encoding::Vinterp];
        self.generation.vector.halves_are_registers && operand.bits == 16 && forms.contains(&self.form)
    }

    /// The words after the operands, by encoding.
    fn modifiers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.buffer_modifiers(f)?;
        self.lds_modifiers(f)?;
        self.scalar_memory_modifiers(f)?;
        if let Some(fields) = self.flat() {
            flag(f, fields.offset != 0, &format!("offset:{}", fields.offset))?;
            flag(f, self.flag(FieldName::ScaleOffset), "scale_offset")?;
            self.hints(f, [fields.glc, fields.slc, fields.scc, fields.dlc])?;
            flag(f, fields.lds, "lds")?;
        }
        match self.form {
            Encoding::Vinterp => write!(f, " wait_exp:{}", self.value(FieldName::Waitexp))?,
            Encoding::Ldsdir => write!(f, " wait_vdst:{}", self.value(FieldName::Waitvdst))?,
            Encoding::Mimg | Encoding::Vsample => self.image_modifiers(f)?,
            Encoding::Tensor => self.hints(f, [false; 4])?,
            _ => {}
        }
        flag(f, self.flag(FieldName::Nv), "nv")?;
        self.wave_matrix_modifiers(f)?;
        self.vop3_modifiers(f)?;
        f.write_str(&self.modifier_words())?;
        self.matrix_modifiers(f)
    }

    fn has_hints(&self) -> bool {
        self.generation.format(self.form).is_some_and(|it| it.field(FieldName::Th).is_some())
    }

    /// What an access says to the caches: GLC, SLC, SCC and DLC.
    fn hints(&self, f: &mut fmt::Formatter<'_>, set: [bool; 4]) -> fmt::Result {
        if self.has_hints() {
            return f.write_str(&self.cache_policy());
        }
        let words = &self.generation.assembly.cache_policy;
        let names = [words.glc.as_str(), &words.slc, &words.scc, "dlc"];
        set.into_iter().zip(names).try_for_each(|(set, name)| flag(f, set, name))
    }

    fn buffer_modifiers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(fields) = self.buffer().filter(|_| !self.instruction.operands.is_empty()) else { return Ok(()) };
        if self.instruction.operands.iter().any(|operand| operand.kind == OperandKind::Format) {
            write!(f, " format:{}", self.value(FieldName::Format))?;
        }
        flag(f, fields.idxen, "idxen")?;
        flag(f, fields.offen, "offen")?;
        flag(f, fields.addr64, "addr64")?;
        flag(f, fields.offset != 0, &format!("offset:{}", fields.offset))?;
        self.hints(f, [fields.glc, fields.slc, fields.scc, fields.dlc])?;
        flag(f, fields.tfe, "tfe")?;
        flag(f, fields.lds, "lds")
    }

    fn lds_modifiers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(fields) = self.ds() else { return Ok(()) };
        if self.has("offset0") {
            flag(f, fields.offset0 != 0, &format!("offset0:{}", fields.offset0))?;
            flag(f, fields.offset1 != 0, &format!("offset1:{}", fields.offset1))?;
        } else if self.instruction.name == "DS_SWIZZLE_B32" {
            f.write_str(&swizzle(fields.offset))?;
        } else if self.has("offset") {
            flag(f, fields.offset != 0, &format!("offset:{}", fields.offset))?;
        }
        flag(f, fields.gds, "gds")
    }

    fn scalar_memory_modifiers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(fields) = self.scalar_memory() else { return Ok(()) };
        if let ScalarMemoryOffset::SgprAndBytes(_, bytes) = fields.offset {
            let has_offset = self.instruction.operands.iter().any(|it| it.kind == OperandKind::ScalarOffset);
            flag(f, has_offset, &format!("offset:{bytes:#x}"))?;
        }
        flag(f, self.flag(FieldName::ScaleOffset), "scale_offset")?;
        if self.has_hints() {
            return self.hints(f, [false; 4]);
        }
        flag(f, fields.glc, "glc")?;
        flag(f, fields.dlc, "dlc")
    }

    fn image_modifiers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " dmask:{:#x}", self.value(FieldName::Dmask))?;
        let flags = [
            (FieldName::Unorm, "unorm"),
            (FieldName::Glc, "glc"),
            (FieldName::Slc, "slc"),
            (FieldName::R128, "r128"),
            (FieldName::Tfe, "tfe"),
            (FieldName::Lwe, "lwe"),
            (FieldName::Da, "da"),
        ];
        flags.into_iter().try_for_each(|(field, name)| flag(f, self.flag(field), name))
    }

    /// Whether it is a matrix instruction of waves, or the scales of one, that has other fields in the bits of OP_SEL.
    fn has_matrix_words(&self) -> bool {
        let is = |class| self.instruction.is(class);
        is(InstructionClass::WaveMatrix) && is(InstructionClass::MixedFormats)
            || is(InstructionClass::MatrixScale) && self.generation.matrix.is_none()
    }

    /// The formats of matrices that WMMA names.
    fn wave_matrix_modifiers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.has_matrix_words() {
            return Ok(());
        }
        for (name, operand) in [("a", "src0"), ("b", "src1")] {
            let operand = self.instruction.operands.iter().find(|it| it.name == operand);
            let format = operand.and_then(|operand| self.matrix_format(operand));
            f.write_str(&format.map_or(String::new(), |format| format.written(name)))?;
        }
        Ok(())
    }

    fn vop3_modifiers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(fields) = self.vop3().filter(|_| !self.has_matrix_words()) else { return Ok(()) };
        let list = |name: &str, set: &[bool]| {
            format!("{name}:[{}]", set.iter().map(|&b| u8::from(b).to_string()).collect::<Vec<_>>().join(","))
        };
        let op_sel = if self.generation.vector.halves_are_registers && self.form != Encoding::Vop3p {
            // The bits of the sources that are there, and of the destination if that is a half of a register.
            let sources = self.entry.instruction.operands.iter().filter(|operand| operand.name.contains("src"));
            let has_half = self.instruction.operands.iter().any(|it| it.name == "vdst" && it.bits == 16);
            let sources = &fields.op_sel[..sources.count().min(3)];
            if has_half { [sources, &fields.op_sel[3..]].concat() } else { sources.to_vec() }
        } else {
            let sources = if self.form == Encoding::Vop3p { self.sources() } else { 4 };
            fields.op_sel[..sources].to_vec()
        };
        flag(f, op_sel.contains(&true), &list("op_sel", &op_sel))?;
        if self.form == Encoding::Vop3p {
            let sources = self.sources();
            flag(f, fields.op_sel_hi != [true; 3], &list("op_sel_hi", &fields.op_sel_hi[..sources]))?;
            flag(f, fields.neg != [false; 3], &list("neg_lo", &fields.neg[..sources]))?;
            flag(f, fields.neg_hi != [false; 3], &list("neg_hi", &fields.neg_hi[..sources]))?;
        }
        let table = fields.truth_table.unwrap_or(0);
        flag(f, table != 0, &format!("bitop3:{table:#x}"))?;
        flag(f, fields.clamp, "clamp")?;
        flag(f, fields.omod != 0, ["", "mul:2", "mul:4", "div:2"][usize::from(fields.omod)])
    }

    /// Those of matrix instructions; what reads and writes AGPRs multiplies nothing.
    fn matrix_modifiers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(fields) = self.matrix().filter(|_| self.matrix_operation().is_some()) else { return Ok(()) };
        flag(f, fields.cbsz != 0, &format!("cbsz:{}", fields.cbsz))?;
        flag(f, fields.abid != 0, &format!("abid:{}", fields.abid))?;
        flag(f, fields.blgp != 0, &format!("blgp:{}", fields.blgp))?;
        let neg = fields.neg.map(u8::from);
        flag(f, neg != [0; 3], &format!("neg:[{},{},{}]", neg[0], neg[1], neg[2]))
    }
}

fn flag(f: &mut fmt::Formatter<'_>, set: bool, name: &str) -> fmt::Result {
    if set { write!(f, " {name}") } else { Ok(()) }
}

fn tuple(prefix: char, first: u8, registers: u8) -> String {
    if registers <= 1 {
        format!("{prefix}{first}")
    } else {
        format!("{prefix}[{first}:{}]", u32::from(first) + u32::from(registers) - 1)
    }
}

fn scalar(generation: Generation, code: u8, registers: u8) -> String {
    let codes = &generation.operand_codes;
    let RegisterRun { first, count } = codes.ttmp;
    match (code, codes.pair(code)) {
        _ if code == codes.m0 => "m0".to_owned(),
        _ if Some(code) == codes.null => "null".to_owned(),
        (_, Some((name, _))) if registers == 2 && code.is_multiple_of(2) => name.to_owned(),
        (_, Some((name, first))) => format!("{name}_{}", if code == first { "lo" } else { "hi" }),
        _ if (first..first + count).contains(&code) => {
            let number = code - first;
            if registers <= 1 { format!("ttmp{number}") } else { tuple('p', number, registers).replace('p', "ttmp") }
        }
        _ => tuple('s', code, registers),
    }
}
