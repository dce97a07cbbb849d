//! An encoder for the toy: instructions by the tables of its folder; LLVM writes the objects and knows nothing of the toy.

use gcn_harness::assembler::Encoder;
use gcn_harness::llvm::{AssembleError, Diagnostic, Llvm};
use gcn_model::isa::{Encoding, FieldKind, FieldName, Generation, Instruction, Operand, OperandKind, Processor};
use object::{Object, ObjectSection};

/// A target that LLVM knows, for the object around the words.
const STAND_IN: &str = "gfx900";
/// VGPRs that a step of the stand-in's descriptor stands for.
const STAND_IN_GRANULE: u32 = 4;
/// The high halves of its S_NOP, which fills up to alignments, and of its jumps.
const STAND_IN_WORDS: [(u16, &str); 3] = [(0xbf80, "S_NOP"), (0xbf82, "S_BRANCH"), (0xbf85, "S_CBRANCH_SCC1")];
/// Where an ELF header has EF_AMDGPU_MACH.
const MACH: usize = 48;
/// The toy's hardware registers.
const REGISTERS: [(&str, u32); 2] = [("TOY_PLACE", 21), ("TOY_CYCLES", 29)];

#[derive(Debug)]
pub(crate) struct ToyEncoder {
    pub(crate) generation: Generation,
    pub(crate) llvm: Llvm,
}

impl Encoder for ToyEncoder {
    fn assemble(&self, target: &str, text: &str) -> Result<Vec<u8>, AssembleError> {
        let processor = Processor::find(target).expect("a target of the toy");
        let mut translated = String::new();
        let mut errors = Vec::new();
        for (number, line) in text.lines().enumerate() {
            match self.line(line) {
                Ok(line) => translated += &line,
                Err(message) => errors.push(Diagnostic { line: number + 1, column: 0, message }),
            }
            translated.push('\n');
        }
        if !errors.is_empty() {
            return Err(AssembleError::Text(errors));
        }
        let mut object = self.llvm.assemble(STAND_IN, &translated)?;
        object[MACH] = processor.mach();
        self.own_words(&mut object);
        Ok(object)
    }
}

impl ToyEncoder {
    /// LLVM fills up to alignments and computes how far a branch goes; its opcodes become the toy's, which has nothing else at LLVM's.
    fn own_words(&self, object: &mut [u8]) {
        let file = object::File::parse(&*object).expect("LLVM's object");
        let range = file.section_by_name(".text").and_then(|text| text.file_range());
        let Some((start, size)) = range else { return };
        let own = STAND_IN_WORDS.map(|(high, name)| {
            let instruction = self.generation.instruction(name).expect("the toy has it");
            let format = self.generation.format(instruction.encoding).expect("the toy has it");
            (high, (format.words(instruction.opcode)[0] >> 16) as u16)
        });
        for word in object[start as usize..(start + size) as usize].chunks_exact_mut(4) {
            if let Some((_, own)) = own.iter().find(|(high, _)| word[2..] == high.to_le_bytes()) {
                word[2..].copy_from_slice(&own.to_le_bytes());
            }
        }
    }

    fn line(&self, line: &str) -> Result<String, String> {
        let code = line.split("//").next().unwrap_or_default().trim();
        if let Some(vgprs) = code.strip_prefix(".amdhsa_next_free_vgpr ") {
            let vgprs: u32 = vgprs.trim().parse().map_err(|_| "a number of VGPRs".to_owned())?;
            let steps = vgprs.div_ceil(self.generation.descriptor.vgpr_granule);
            return Ok(format!(".amdhsa_next_free_vgpr {}", steps * STAND_IN_GRANULE));
        }
        let is_instruction = code.starts_with(|c: char| c.is_ascii_lowercase()) && !code.ends_with(':');
        if code.starts_with(".amdgcn_target") {
            return Ok(format!(".amdgcn_target \"amdgcn-amd-amdhsa--{STAND_IN}\""));
        }
        let name = code.split_whitespace().next().unwrap_or_default();
        let name = name.strip_suffix("_e32").or(name.strip_suffix("_e64")).unwrap_or(name).to_ascii_uppercase();
        let instruction = self.generation.instruction(&name).filter(|_| is_instruction);
        match instruction {
            Some(found) if found.operands.iter().any(|operand| operand.kind == OperandKind::Label) => {
                Ok(line.to_owned())
            }
            Some(instruction) => self.instruction(code, instruction),
            None if is_instruction
                && (name.starts_with("S_") || name.starts_with("V_") || name.starts_with("BUFFER_")) =>
            {
                Err(format!("the toy has no {name}"))
            }
            None => Ok(line.to_owned()),
        }
    }

    fn instruction(&self, code: &str, instruction: &Instruction) -> Result<String, String> {
        let (mnemonic, rest) = code.split_once(' ').unwrap_or((code, ""));
        let is_long = mnemonic.ends_with("_e64") && instruction.encoding != Encoding::Vop3;
        let (form, opcode) = match instruction.vop3_opcode.filter(|_| is_long) {
            Some(opcode) => (Encoding::Vop3, opcode),
            None => (instruction.encoding, instruction.opcode),
        };
        let format = self.generation.format(form).ok_or("no such encoding")?;
        let mut words = format.words(opcode);
        let mut literal = None;
        let mut texts = operands(rest).into_iter();
        let mut last = String::new();
        for operand in &instruction.operands {
            let Some(text) = texts.next().filter(|text| !text.is_empty()) else {
                // S_ENDPGM is written without its 0.
                continue;
            };
            // Modifiers follow the last operand.
            let (text, modifiers) = match text.split_once(' ') {
                Some((first, rest)) => (first.to_owned(), rest.to_owned()),
                None => (text, String::new()),
            };
            last = modifiers;
            let mut set = |name, value| {
                format.set(&mut words, name, value).then_some(()).ok_or_else(|| format!("no field {name:?}"))
            };
            match operand.kind {
                OperandKind::ScalarOffset => {
                    set(FieldName::Imm, 1)?;
                    set(FieldName::Offset, immediate(&text)?)?;
                }
                _ => {
                    let name = field_name(form, operand).ok_or_else(|| format!("no field {}", operand.name))?;
                    let field = format.field(name).ok_or_else(|| format!("no field {}", operand.name))?;
                    let value = match (operand.kind, field.kind) {
                        (OperandKind::Immediate, _) => immediate(&text)?,
                        (_, FieldKind::ScalarPair) => source(&text, &mut literal)? / 2,
                        (_, FieldKind::ScalarQuad) => source(&text, &mut literal)? / 4,
                        (_, FieldKind::Vgpr) => source(&text, &mut literal)? - 256,
                        _ => source(&text, &mut literal)?,
                    };
                    set(name, value)?;
                }
            }
        }
        for modifier in last.split_whitespace() {
            let (name, value) = modifier.split_once(':').unwrap_or((modifier, "1"));
            let name = FieldName::find(name).ok_or_else(|| format!("no modifier {name}"))?;
            if !format.set(&mut words, name, immediate(value)?) {
                return Err(format!("no field for {modifier}"));
            }
        }
        let mut all = words[..usize::from(form.dwords().0)].to_vec();
        all.extend(literal);
        let text: Vec<String> = all.iter().map(|word| format!("{word:#010x}")).collect();
        Ok(format!(".long {}", text.join(", ")))
    }
}

/// The texts of the operands; commas in parentheses and brackets do not part them.
fn operands(text: &str) -> Vec<String> {
    let (mut all, mut depth) = (vec![String::new()], 0);
    for c in text.trim().chars() {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        match c {
            ',' if depth == 0 => all.push(String::new()),
            ' ' if depth > 0 => {}
            c => all.last_mut().expect("there is one").push(c),
        }
    }
    all.into_iter().map(|operand| operand.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn field_name(form: Encoding, operand: &Operand) -> Option<FieldName> {
    match (form, operand.name.as_str()) {
        (Encoding::Vop3, "vsrc1" | "ssrc1") => Some(FieldName::Src1),
        (_, name) => FieldName::find(name),
    }
}

/// The code of a source: register, inline constant, or a literal that follows.
fn source(text: &str, literal: &mut Option<u32>) -> Result<u32, String> {
    let register = |rest: &str| rest.trim_start_matches('[').split([':', ']']).next()?.parse::<u32>().ok();
    let named = [("vcc", 106), ("vcc_lo", 106), ("vcc_hi", 107), ("m0", 124), ("exec", 126)];
    if let Some((_, code)) = named.iter().find(|(name, _)| *name == text) {
        return Ok(*code);
    }
    let of_file = |prefix: char, first: u32| Some(first + register(text.strip_prefix(prefix)?)?);
    if let Some(code) = of_file('v', 256).or_else(|| of_file('s', 0)) {
        return Ok(code);
    }
    let floats = [("0.5", 240), ("-0.5", 241), ("1.0", 242), ("-1.0", 243), ("2.0", 244), ("-2.0", 245), ("4.0", 246)];
    if let Some((_, code)) = floats.iter().find(|(float, _)| *float == text) {
        return Ok(*code);
    }
    Ok(match immediate(text)?.cast_signed() {
        value @ 0..=64 => 128 + value.cast_unsigned(),
        value @ -16..=-1 => 192 + value.unsigned_abs(),
        value => {
            *literal = Some(value.cast_unsigned());
            255
        }
    })
}

/// A number, or a hardware register with offset and size.
fn immediate(text: &str) -> Result<u32, String> {
    if let Some(inner) = text.strip_prefix("hwreg(").and_then(|rest| rest.strip_suffix(')')) {
        let mut parts = inner.split(',');
        let name = parts.next().unwrap_or_default();
        let id = REGISTERS.iter().find(|(known, _)| *known == name).ok_or_else(|| format!("no register {name}"))?.1;
        let offset = parts.next().map_or(Ok(0), immediate)?;
        let size = parts.next().map_or(Ok(32), immediate)?;
        return Ok(id | offset << 6 | (size - 1) << 11);
    }
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse::<i64>().ok().map(|value| value as u32),
    };
    // Values of operands may be floats written out: their bits.
    parsed.or_else(|| text.parse::<f32>().ok().map(f32::to_bits)).ok_or_else(|| format!("`{text}` is not a number"))
}
