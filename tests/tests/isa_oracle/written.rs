//! Instructions as text for LLVM's assembler, with the values that the decoder has to find again.

use crate::isa_oracle::random::is_image;
use gcn_model::decode::{InlineConstant, Location};
use gcn_model::isa::{
    Access, Encoding, FieldName, Generation, Instruction, InstructionClass, Operand, OperandKind, Processor, Segment,
};

/// The values of sources that can be of several kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sources {
    Registers,
    Constants,
    /// A literal in the first source, registers in the others.
    Literal,
}

/// A line of assembly and the locations of the operands in it.
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) locations: Vec<Location>,
}

const LITERAL: u32 = 0x1234;

/// Writes an instruction in its native form or, with `vop3`, in its VOP3 form; `None` if LLVM has no name for it, or if a
/// literal is asked for and has no place.
pub(crate) fn write(instruction: &Instruction, processor: Processor, vop3: bool, sources: Sources) -> Option<Written> {
    let generation = processor.generation;
    let name = instruction.llvm_mnemonic()?;
    let has_both = instruction.vop3_opcode.is_some() && !matches!(instruction.encoding, Encoding::Vintrp);
    let suffix = match (vop3, has_both) {
        (true, _) => "_e64",
        (false, true) => "_e32",
        (false, false) => "",
    };
    let mut line = Line {
        instruction,
        generation,
        lanes: processor.wave_size(),
        vop3,
        sources,
        operands: Vec::new(),
        modifiers: String::new(),
        locations: Vec::new(),
    };
    if sources == Sources::Literal && !line.takes_literal() {
        return None;
    }
    line.write();
    let operands = line.operands.join(", ");
    let text = format!("{name}{suffix} {operands}{}", line.modifiers);
    if !instruction.encoding.is_pair() {
        return Some(Written { text, locations: line.locations });
    }
    // Two instructions in one: the other one moves a register of another bank into a register with an odd number.
    // LLVM takes VOPD3 where VOPD cannot say it: both destinations even.
    let written = if instruction.encoding == Encoding::Vopd3 { 102 } else { 101 };
    let other = format!("v_dual_mov_b32 v{written}, v103");
    let moved = [Location::Vgpr(written), Location::Vgpr(103)];
    let is_first = generation.format(instruction.encoding)?.highest_opcode() >= instruction.opcode
        && !instruction.is(InstructionClass::SecondOfPair);
    Some(if is_first {
        Written { text: format!("{text} :: {other}"), locations: [line.locations, moved.into()].concat() }
    } else {
        Written { text: format!("{other} :: {text}"), locations: [moved.into(), line.locations].concat() }
    })
}

struct Line<'a> {
    instruction: &'a Instruction,
    generation: Generation,
    lanes: u32,
    vop3: bool,
    sources: Sources,
    operands: Vec<String>,
    modifiers: String,
    locations: Vec<Location>,
}

impl Line<'_> {
    fn takes_literal(&self) -> bool {
        let native = matches!(
            self.instruction.encoding,
            Encoding::Sop1
                | Encoding::Sop2
                | Encoding::Sopc
                | Encoding::Vop1
                | Encoding::Vop2
                | Encoding::Vopc
                | Encoding::Vopd
        );
        let own = self.instruction.operands.iter().any(|operand| operand.kind == OperandKind::Literal);
        let is_long = self.vop3 || matches!(self.instruction.encoding, Encoding::Vop3 | Encoding::Vop3p);
        let has_room = if is_long { self.generation.vector.long_forms_take_literals } else { native };
        has_room
            && !own
            && self
                .instruction
                .operands
                .iter()
                .any(|operand| self.is_source(operand.kind) && operand.name.ends_with("src0"))
    }

    fn is_source(&self, kind: OperandKind) -> bool {
        matches!(kind, OperandKind::ScalarSource | OperandKind::VectorSource)
    }

    fn write(&mut self) {
        let instruction = self.instruction;
        for (n, operand) in instruction.operands.iter().enumerate() {
            let first = u8::try_from(20 * n).expect("few operands");
            let registers = self.registers(n);
            let name = operand.name.as_str();
            let image = is_image(instruction.encoding);
            let (text, location) = match operand.kind {
                kind if self.is_source(kind) && self.sources == Sources::Constants => {
                    ("-7".to_owned(), Location::Constant(InlineConstant::Integer(-7)))
                }
                kind if self.is_source(kind) && self.sources == Sources::Literal && name.ends_with("src0") => {
                    (format!("{LITERAL:#x}"), Location::Literal(LITERAL))
                }
                OperandKind::Vgpr if instruction.encoding == Encoding::Flat && operand.access == Access::WriteIfGlc => {
                    self.modifiers += &format!(" {}", self.generation.assembly.cache_policy.glc);
                    (tuple("v", first, registers), Location::Vgpr(first))
                }
                // V_DUAL_CNDMASK_B32 reads VCC without naming it.
                OperandKind::Vcc if instruction.encoding == Encoding::Vopd => {
                    self.locations.push(Location::Sgpr(106));
                    continue;
                }
                OperandKind::VgprOrConstant if self.sources == Sources::Constants => {
                    ("-7".to_owned(), Location::Constant(InlineConstant::Integer(-7)))
                }
                // A barrier's number is in M0 or a constant.
                OperandKind::ScalarSource if self.is_barrier() => ("m0".to_owned(), Location::Sgpr(125)),
                OperandKind::Vgpr if image && name == "vaddr" && self.lists_addresses() => {
                    (self.address_list(first, registers), Location::Vgpr(first))
                }
                OperandKind::Vgpr | OperandKind::VectorSource if self.is_half(operand) => {
                    (format!("v{first}.l"), Location::Vgpr(first))
                }
                OperandKind::Vgpr | OperandKind::VectorSource | OperandKind::VgprOrConstant => {
                    (tuple("v", first, registers), Location::Vgpr(first))
                }
                // A vector instruction reads one SGPR at most, so V_WRITELANE_B32's two are the same.
                OperandKind::ScalarSource if instruction.name.starts_with("V_") => {
                    ("s40".to_owned(), Location::Sgpr(40))
                }
                // LLVM's assembler takes no other register there from gfx11 on.
                OperandKind::Sgpr if instruction.name.starts_with("S_WAITCNT_") => {
                    let null = self.generation.operand_codes.null.expect("generations that wait so have it");
                    ("null".to_owned(), Location::Sgpr(null))
                }
                OperandKind::Sgpr | OperandKind::ScalarSource => (tuple("s", first, registers), Location::Sgpr(first)),
                OperandKind::Mask => (tuple("s", first, registers), Location::Sgpr(first)),
                OperandKind::Vcc if self.vop3 => (tuple("s", first, registers), Location::Sgpr(first)),
                OperandKind::Vcc if registers == 1 => ("vcc_lo".to_owned(), Location::Sgpr(106)),
                OperandKind::Vcc => ("vcc".to_owned(), Location::Sgpr(106)),
                OperandKind::Literal if operand.bits == 64 => {
                    (format!("lit64({LITERAL:#x})"), Location::WideLiteral(LITERAL.into()))
                }
                OperandKind::Literal => (format!("{LITERAL:#x}"), Location::Literal(LITERAL)),
                OperandKind::Immediate if name == "vsrc" => ("p20".to_owned(), Location::Immediate(1)),
                OperandKind::Immediate if name == "tgt" => ("mrtz".to_owned(), Location::Immediate(8)),
                OperandKind::Immediate if instruction.encoding == Encoding::Vopd3 => {
                    self.modifiers += " bitop3:0x5";
                    self.locations.push(Location::Immediate(5));
                    continue;
                }
                OperandKind::Immediate | OperandKind::Label => ("5".to_owned(), Location::Immediate(5)),
                // The words of GCN 1.0 and 1.1 count dwords.
                OperandKind::ScalarOffset if self.generation.scalar_memory.offset_unit_bytes == 4 => {
                    ("0x9".to_owned(), Location::Immediate(36))
                }
                OperandKind::ScalarOffset => ("0x24".to_owned(), Location::Immediate(36)),
                OperandKind::BufferAddress => {
                    self.modifiers += " offen";
                    (tuple("v", first, 1), Location::Vgpr(first))
                }
                OperandKind::ScalarAddress => {
                    if instruction.segment != Some(Segment::Flat) {
                        self.operands.push("off".to_owned());
                    }
                    continue;
                }
                OperandKind::Offset => {
                    let value = if name == "offset1" { 6 } else { 5 };
                    self.modifiers += &format!(" {name}:{value}");
                    self.locations.push(Location::Immediate(value));
                    continue;
                }
                OperandKind::Flag => {
                    self.modifiers += &format!(" {name}");
                    self.locations.push(Location::Immediate(1));
                    continue;
                }
                OperandKind::Format => {
                    self.modifiers.insert_str(0, " format:5");
                    self.locations.push(Location::Immediate(5));
                    continue;
                }
                OperandKind::Attribute => ("attr3.y".to_owned(), Location::Immediate(13)),
                OperandKind::VectorRegisterSource if self.sources == Sources::Constants => {
                    ("-7".to_owned(), Location::Constant(InlineConstant::Integer(-7)))
                }
                OperandKind::Agpr => (tuple("a", first, registers), Location::Agpr(first)),
                // The sources of a matrix instruction are anywhere; destination and third source are in the same registers.
                OperandKind::VectorRegister | OperandKind::VectorRegisterSource => {
                    (tuple("a", first, registers), Location::Agpr(first))
                }
            };
            if image && name == "vdata" && !self.is_fixed(FieldName::Dmask) {
                self.modifiers += if instruction.name.contains("CMPSWAP") { " dmask:0x3" } else { " dmask:0x1" };
            }
            self.operands.push(text);
            self.locations.push(location);
        }
        let has_dimensions = self.format_has(FieldName::Dim) && is_image(instruction.encoding);
        if has_dimensions && !self.is_fixed(FieldName::Dim) {
            self.modifiers += if self.has_samples() { " dim:SQ_RSRC_IMG_2D_MSAA" } else { " dim:SQ_RSRC_IMG_1D" };
        }
    }

    /// Whether an operand is half of a register.
    fn is_half(&self, operand: &Operand) -> bool {
        let is_vector = matches!(
            self.instruction.encoding,
            Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc | Encoding::Vop3 | Encoding::Vinterp
        );
        self.generation.vector.halves_are_registers && operand.bits == 16 && is_vector
    }

    fn is_fixed(&self, field: FieldName) -> bool {
        self.instruction.fixed.iter().any(|(name, _)| *name == field)
    }

    fn format_has(&self, field: FieldName) -> bool {
        self.generation.format(self.instruction.encoding).is_some_and(|format| format.field(field).is_some())
    }

    /// Whether it takes images of more than one sample alone.
    fn has_samples(&self) -> bool {
        self.instruction.name == "IMAGE_MSAA_LOAD"
    }

    /// How many registers the address of an image takes, by the parts of an instruction's name: of one dimension, or of two
    /// with samples.
    fn image_address_registers(&self) -> u8 {
        if self.has_samples() {
            return 3;
        }
        let parts = self.instruction.name.split('_').skip(2);
        let registers = parts.map(|part| match part {
            "O" | "B" | "C" | "CL" | "L" | "MIP" => 1,
            "D" | "CD" => 2,
            _ => 0,
        });
        1 + registers.sum::<u8>()
    }

    /// Whether an operand is the number of a barrier.
    fn is_barrier(&self) -> bool {
        self.instruction.name.contains("_BARRIER")
    }

    /// Whether the addresses of an image are written one by one: the words have room for several.
    fn lists_addresses(&self) -> bool {
        self.generation.format(self.instruction.encoding).is_some_and(|format| format.dwords().0 == 3)
    }

    /// Address registers, as many as the words have room for, with those that are left in the last place.
    fn address_list(&self, first: u8, registers: u8) -> String {
        let name = self.instruction.name.as_str();
        let places: Vec<u8> = match name {
            _ if registers == 1 => return tuple("v", first, 1),
            "IMAGE_BVH_INTERSECT_RAY" => vec![1, 1, 3, 3, 3],
            "IMAGE_BVH64_INTERSECT_RAY" => vec![2, 1, 3, 3, 3],
            "IMAGE_BVH_DUAL_INTERSECT_RAY" => vec![2, 2, 3, 3, 2],
            "IMAGE_BVH8_INTERSECT_RAY" => vec![2, 2, 3, 3, 1],
            _ => {
                let single = if self.instruction.encoding == Encoding::Vsample { 3 } else { 4 };
                let rest = registers.saturating_sub(single);
                std::iter::repeat_n(1, usize::from(registers.min(single))).chain((rest > 0).then_some(rest)).collect()
            }
        };
        let mut next = first;
        let list = places.into_iter().map(|count| {
            let text = tuple("v", next, count);
            next += count;
            text
        });
        format!("[{}]", list.collect::<Vec<_>>().join(", "))
    }

    /// How many registers to write for an operand.
    fn registers(&self, n: usize) -> u8 {
        let operand = &self.instruction.operands[n];
        match (self.instruction.encoding, operand.name.as_str()) {
            (Encoding::Mimg | Encoding::Vsample, "vdata") if self.instruction.gathers => 4,
            (Encoding::Mimg | Encoding::Vsample, "vdata") if self.instruction.name.contains("CMPSWAP") => 2,
            (Encoding::Mimg | Encoding::Vsample, "vdata") if self.instruction.name.contains("INTERSECT_RAY") => {
                operand.registers()
            }
            (Encoding::Mimg | Encoding::Vsample, "vdata") => 1,
            (Encoding::Mimg | Encoding::Vsample, "vaddr") if self.is_fixed(FieldName::Dim) => operand.registers(),
            (Encoding::Mimg | Encoding::Vsample, "vaddr") if self.format_has(FieldName::Dim) => {
                self.image_address_registers()
            }
            (Encoding::Mimg | Encoding::Vsample, "vaddr") => 4,
            (Encoding::Flat, "vaddr") if self.instruction.segment == Some(Segment::Scratch) => 1,
            _ => operand.registers_of_wave(self.lanes),
        }
    }
}

fn tuple(prefix: &str, first: u8, registers: u8) -> String {
    if registers == 1 { format!("{prefix}{first}") } else { format!("{prefix}[{first}:{}]", first + registers - 1) }
}
