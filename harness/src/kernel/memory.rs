//! Memory instructions: LDS, scalar, buffer and flat memory, in each form whose time may differ.
//!
//! Every lane has its own aligned element, so that nothing conflicts, faults or serialises: in LDS, or in the scratch memory
//! that the launch brings along. A chase goes through zeros: a load from address 0 gives the address 0.
// Long: the operands of memory instructions, which share their registers.

use gcn_model::isa::{
    Access, Encoding, Generation, Instruction, InstructionClass, NumRecords, Operand, OperandKind, Segment,
};
use gcn_model::record::LaneGroupsCase;

use super::constraints::{Action, rows_of};
use super::encode::{Register, long};
use super::form::Form;
use super::layout::{
    ADDRESS, LDS_BYTES, RESULTS, SCALAR_DESTINATIONS, SCALAR_SOURCES, SCRATCH, SCRATCH_BYTES, SCRATCH_DESCRIPTOR,
    SCRATCH_OFFSET, VECTOR_DESTINATIONS, VECTOR_SOURCES,
};
use super::operands::{registers, rotation_length};
use super::registers::{InitialValue, Pool, rotate, set_values, tuple};
use super::snippet::{Copies, Snippet, Wait, mnemonic};

impl Snippet {
    /// The copies of a memory instruction; `None` for a chase of what returns nothing, or a form that it has not.
    pub fn memory(
        instruction: &'static Instruction,
        generation: Generation,
        copies: Copies,
        form: Form,
    ) -> Option<Self> {
        let is_chase = copies == Copies::Chase;
        let returns = instruction.operands.iter().any(Operand::is_written);
        if matches!(copies, Copies::Chain | Copies::Relay) || is_chase && !returns {
            return None;
        }
        let form =
            if is_chase && instruction.is(InstructionClass::Atomic) && form == Form::Plain { Form::Glc } else { form };
        // With an address in SGPRs the lane's offset is one register, which a load can bring.
        let is_global = instruction.segment == Some(Segment::Global);
        let form =
            if is_chase && is_global && !instruction.is(InstructionClass::Atomic) { Form::ScalarAddress } else { form };
        let mut writer = Writer { snippet: Self::bare(instruction), generation, form, is_chase };
        writer.state();
        for index in 0..if is_chase { 1 } else { rotation_length(instruction, &VECTOR_DESTINATIONS) } {
            let copy = writer.copy(index)?;
            writer.snippet.copies.push(copy);
        }
        Some(writer.snippet)
    }
}

/// NUM_FORMAT of floating-point numbers.
const FLOAT: u8 = 7;
/// Private memory of a lane, to the end of the widest access and beyond, bytes.
const PRIVATE_BYTES: u32 = 32;

/// Dwords that lie so far apart in the LDS are in one bank, where the number of banks is a power of two up to 64.
const LDS_ROW_BYTES: u32 = 256;

/// Writes one snippet.
struct Writer {
    snippet: Snippet,
    generation: Generation,
    form: Form,
    is_chase: bool,
}

impl Writer {
    /// Registers, M0 and memory before the first pass.
    fn state(&mut self) {
        let instruction = self.snippet.instruction;
        let encoding = instruction.encoding;
        // Nothing of the pass before is under way when a pass begins.
        self.snippet.before.splice(0..0, self.generation.assembly.wait_all.iter().cloned());
        // LDS instructions of GCN 1.0 to 1.2 keep below M0, and flat ones may be LDS instructions (docs/facts.md §7).
        let is_limited = self.generation.lds.m0_limits && matches!(encoding, Encoding::Ds | Encoding::Flat);
        self.snippet.m0 = if is_limited { "-1" } else { "0" };
        self.snippet.has_scratch = match encoding {
            Encoding::Mubuf | Encoding::Mtbuf | Encoding::Flat => true,
            Encoding::Smem => instruction.operands.iter().any(|operand| self.is_scalar_store(operand)),
            _ => false,
        };
        if self.is_chase {
            let waits = &self.generation.assembly;
            self.snippet.wait = Some(match encoding {
                Encoding::Ds => Wait::of(&waits.wait_local),
                Encoding::Smrd | Encoding::Smem => Wait::of(&waits.wait_scalar),
                Encoding::Flat if instruction.segment == Some(Segment::Flat) => Wait::of(&waits.wait_flat),
                _ => Wait::of(&waits.wait_vector),
            });
        }
        match encoding {
            Encoding::Ds => self.local(),
            Encoding::Mubuf | Encoding::Mtbuf => self.buffer(),
            Encoding::Flat => {
                let returns = instruction.operands.iter().any(Operand::is_written);
                // What goes to LDS goes to a dword of each lane from M0 on.
                self.snippet.lds_bytes = if instruction.is(InstructionClass::Load) && !returns { LDS_BYTES } else { 0 };
                self.flat();
            }
            _ if self.snippet.has_scratch => self.descriptor(0),
            _ => {}
        }
    }

    fn setup(&mut self, line: impl Into<String>) {
        self.snippet.setup.push(line.into());
    }

    /// LDS: an element for each lane, or zeros at 0 for a chase.
    fn local(&mut self) {
        self.snippet.lds_bytes = LDS_BYTES;
        if self.is_chase {
            let m0 = self.snippet.m0;
            self.setup(format!("s_mov_b32 m0, {m0}"));
            self.setup(format!("v_mov_b32_e32 v{ADDRESS}, 0 // zeros at address 0"));
            for offset in [0, 4, 8, 12] {
                self.setup(format!("ds_write_b32 v{ADDRESS}, v{ADDRESS} offset:{offset}"));
            }
        }
        match self.form {
            Form::Stride(dwords) => {
                self.snippet.lds_bytes = LDS_BYTES.max(self.generation.most_lanes() * 4 * dwords);
                self.setup(format!("v_mul_u32_u24_e32 v{ADDRESS}, {dwords}, v22"));
            }
            Form::LaneGroups(case) => self.lane_groups(case),
            // RDNA's drivers let LDS accesses begin at any dword. Elements of 16 bytes would leave a bank of four idle.
            _ if self.element() == 3 && self.generation.has_group_modes() => {
                self.setup(format!("v_mul_u32_u24_e32 v{ADDRESS}, 3, v22 // 12 bytes for each lane"));
            }
            _ => self.lane_address(self.element()),
        }
    }

    /// The lanes of a group a row of 64 dwords apart, all in the same banks, and the second group after the first in these or, eight dwords
    /// on, in others. Of each 32 lanes those of the two groups alone access.
    fn lane_groups(&mut self, LaneGroupsCase { lanes: [first, second], is_one_bank }: LaneGroupsCase) {
        let exec = |lanes: u32| [format!("s_mov_b32 exec_lo, {lanes:#x}"), format!("s_mov_b32 exec_hi, {lanes:#x}")];
        let group = |first: u32| 0xf_u32 << first;
        self.snippet.lds_bytes = LDS_BYTES.max(8 * LDS_ROW_BYTES);
        let rows = 4 * LDS_ROW_BYTES + if is_one_bank { 0 } else { 32 };
        self.setup(format!("v_and_b32_e32 v{ADDRESS}, 12, v22"));
        self.setup(format!("v_lshlrev_b32_e32 v{ADDRESS}, 6, v{ADDRESS} // a row for each lane of a group"));
        self.snippet.setup.extend(exec(group(second)));
        self.setup(format!("v_or_b32_e32 v{ADDRESS}, {rows:#x}, v{ADDRESS} // the second group"));
        self.setup("s_mov_b64 exec, -1");
        self.snippet.before.extend(exec(group(first) | group(second)));
    }

    /// Dwords of an LDS element of a lane.
    fn element(&self) -> u8 {
        let instruction = self.snippet.instruction;
        let row = rows_of(instruction, Action::LaneBytes).next();
        if let Some(bytes) = row.and_then(|row| row.value.parse::<u8>().ok()) {
            return bytes / 4;
        }
        let width = |name: &str| instruction.operand(name).map(Operand::registers);
        let has_two = width("offset1").is_some();
        width("data0").or(width("vdst").map(|width| if has_two { width / 2 } else { width })).unwrap_or(1)
    }

    /// The address register gets lane × element, in powers of two so that wide elements are aligned.
    fn lane_address(&mut self, dwords: u8) {
        self.setup(match dwords {
            0 | 1 => format!("v_mov_b32_e32 v{ADDRESS}, v22 // 4 bytes for each lane"),
            2 => format!("v_lshlrev_b32_e32 v{ADDRESS}, 1, v22 // 8 bytes for each lane"),
            _ => format!("v_mov_b32_e32 v{ADDRESS}, v0 // 16 bytes for each lane"),
        });
    }

    fn data_dwords(&self) -> u8 {
        let data = ["vdata", "data", "vdst"].into_iter().find_map(|name| self.snippet.instruction.operand(name));
        data.map_or(1, Operand::registers)
    }

    /// The descriptor of the wave's scratch memory; with a stride it has a record for each lane.
    fn descriptor(&mut self, stride: u32) {
        let (base, word) = (SCRATCH, SCRATCH_DESCRIPTOR);
        self.setup(format!("s_mov_b32 s{word}, s{base} // descriptor of the scratch memory"));
        self.setup(format!("s_and_b32 s{}, s{}, 0xffff", word + 1, base + 1));
        if stride > 0 {
            let bits = stride << 16;
            self.setup(format!("s_or_b32 s{0}, s{0}, {bits:#x} // records of {stride} bytes", word + 1));
        }
        let records = match (stride, self.generation.buffers.num_records) {
            (0, _) => SCRATCH_BYTES,
            (stride, NumRecords::RecordsIfSwizzled) => self.generation.most_lanes() * stride,
            (_, NumRecords::Records | NumRecords::RecordsIfIndexed) => self.generation.most_lanes(),
        };
        self.setup(format!("s_movk_i32 s{}, {records:#x}", word + 2));
        let buffers = &self.generation.buffers;
        let last = if stride > 0 { buffers.record_descriptor_word } else { buffers.descriptor_word };
        self.setup(format!("s_mov_b32 s{}, {last:#x}", word + 3));
    }

    fn buffer(&mut self) {
        let dwords = self.data_dwords();
        let bytes = 4 * u32::from(dwords.next_power_of_two());
        match self.form {
            Form::Idxen | Form::IdxenOffen => {
                self.descriptor(bytes);
                self.setup(format!("v_lshrrev_b32_e32 v{ADDRESS}, 2, v22 // index: the lane"));
                self.setup(format!("v_mov_b32_e32 v{}, 0 // offset in the record", ADDRESS + 1));
            }
            _ => {
                self.descriptor(0);
                self.lane_address(dwords);
            }
        }
    }

    fn flat(&mut self) {
        let segment = self.snippet.instruction.segment;
        if segment == Some(Segment::Scratch) {
            // The hardware gives each lane its own dwords.
            self.snippet.has_flat_scratch = true;
            let lines = self.generation.assembly.set_flat_scratch(SCRATCH);
            let is_given = lines.is_empty();
            self.snippet.setup.extend(lines);
            self.setup(format!("v_mov_b32_e32 v{ADDRESS}, 0 // the lane's first private byte"));
            if is_given {
                // A driver's memory is not cleared, and a chase reads its addresses there.
                self.snippet.private_bytes = PRIVATE_BYTES;
                let zeros = if self.is_chase { 0..PRIVATE_BYTES } else { 0..0 };
                for offset in zeros.step_by(4) {
                    self.setup(format!("scratch_store_b32 off, v{ADDRESS}, off offset:{offset}"));
                }
            }
            self.setup(format!("s_mov_b32 s{SCRATCH_OFFSET}, 0"));
            return;
        }
        self.lane_address(self.data_dwords());
        if self.form != Form::ScalarAddress {
            // The wave's scratch memory is aligned to its size: no carry.
            self.setup(format!("v_or_b32_e32 v{ADDRESS}, s{SCRATCH}, v{ADDRESS}"));
            self.setup(format!("v_mov_b32_e32 v{}, s{}", ADDRESS + 1, SCRATCH + 1));
        }
    }

    /// Whether a scalar instruction's data operand goes to memory.
    fn is_scalar_store(&self, operand: &Operand) -> bool {
        let is_discard = self.snippet.instruction.operand("sdata").is_none();
        operand.name == "sdata" && operand.access != Access::Write || is_discard && operand.name == "sbase"
    }

    /// The text of copy `index`.
    fn copy(&mut self, index: usize) -> Option<String> {
        // Long: a table, with an arm for each kind of operand.
        let instruction = self.snippet.instruction;
        if let Some(row) = rows_of(instruction, Action::Operands).next() {
            return Some(format!("{} {}", mnemonic(instruction)?, row.value));
        }
        let mut sources = Pool::new(VECTOR_SOURCES.start + 2..VECTOR_SOURCES.end);
        let mut operands = Vec::new();
        let mut modifiers = String::new();
        for (position, operand) in instruction.operands.iter().enumerate() {
            let registers = operand.registers();
            let text = match (operand.kind, operand.name.as_str()) {
                (OperandKind::Vgpr, "vdst") if operand.access == Access::WriteIfGlc && self.form != Form::Glc => {
                    continue;
                }
                (OperandKind::Vgpr, "vdst" | "vdata") if operand.is_written() => {
                    let register = rotate(&VECTOR_DESTINATIONS, operand.kind, registers, index)?;
                    if self.is_chase && !instruction.is(InstructionClass::Atomic) {
                        self.zero(register, registers);
                    } else if operand.is_read() || self.is_chase {
                        set_values(&mut self.snippet.vector_values, register, operand, position);
                    }
                    tuple('v', register, registers)
                }
                (OperandKind::Vgpr, "vdata" | "data" | "data0" | "data1") => match self.chased_data(operand) {
                    Some(text) => text,
                    None => {
                        let register = sources.take(operand.kind, registers)?;
                        set_values(&mut self.snippet.vector_values, register, operand, position);
                        tuple('v', register, registers)
                    }
                },
                (OperandKind::Vgpr, "addr" | "vaddr") => self.lane_operand(operand)?,
                (OperandKind::BufferAddress, _) => {
                    modifiers.push_str(match self.form {
                        Form::Off => "",
                        Form::Idxen => " idxen",
                        Form::IdxenOffen => " idxen offen",
                        _ => " offen",
                    });
                    match self.form {
                        Form::Off => "off".into(),
                        Form::IdxenOffen => tuple('v', ADDRESS, 2),
                        _ => self.lane_operand(operand)?,
                    }
                }
                (OperandKind::Sgpr, "srsrc") => tuple('s', SCRATCH_DESCRIPTOR, 4),
                (OperandKind::ScalarSource, "soffset") if self.generation.buffers.offset_is_register => "null".into(),
                (OperandKind::ScalarSource, "soffset") => "0".into(),
                // Without an address of the lane there is no other.
                (OperandKind::ScalarAddress, _) if instruction.operand("vaddr").is_none() => tuple('s', SCRATCH, 2),
                (OperandKind::ScalarAddress, _) => match (self.form, instruction.segment) {
                    (Form::ScalarAddress, Some(Segment::Scratch)) => format!("s{SCRATCH_OFFSET}"),
                    (Form::ScalarAddress, _) => tuple('s', SCRATCH, 2),
                    _ => "off".into(),
                },
                (OperandKind::Sgpr, "sdata") => self.scalar_data(operand, index)?,
                (OperandKind::Sgpr, "sbase") if !self.snippet.has_scratch => tuple('s', RESULTS, registers),
                (OperandKind::Sgpr, "sbase") if registers == 4 => tuple('s', SCRATCH_DESCRIPTOR, 4),
                (OperandKind::Sgpr, "sbase") => tuple('s', SCRATCH, registers),
                (OperandKind::ScalarOffset, _) if self.is_chase && !instruction.is(InstructionClass::Atomic) => {
                    format!("s{}", scalar_chase(instruction)?)
                }
                (OperandKind::ScalarOffset, _) => "0x0".into(),
                (OperandKind::Offset, name) => {
                    modifiers.push_str(&self.offset(name));
                    continue;
                }
                // 32-bit components, as many as there are registers: DATA_FORMAT, and NUM_FORMAT float above it.
                (OperandKind::Format, _) => {
                    let components = instruction.operands.first().map_or(1, Operand::registers);
                    let data_format = match components {
                        1 => 4,
                        2 => 11,
                        3 => 13,
                        _ => 14,
                    };
                    let format = self.generation.buffers.unified_number(data_format, FLOAT);
                    let format = format.unwrap_or(data_format | FLOAT << 4);
                    modifiers.insert_str(0, &format!(" format:{format}"));
                    continue;
                }
                _ => return None,
            };
            operands.push(text);
        }
        if self.form == Form::Glc {
            modifiers.push(' ');
            // Scalar memory keeps the old word.
            let is_scalar = instruction.encoding == Encoding::Smem;
            modifiers.push_str(if is_scalar { "glc" } else { &self.generation.assembly.cache_policy.glc });
        }
        let operands = operands.join(", ");
        Some(match mnemonic(instruction) {
            Some(mnemonic) => format!("{mnemonic} {operands}{modifiers}").trim_end().to_owned(),
            // LLVM has no name for it: its words, with their meaning as a comment.
            None => {
                let words = long(instruction, self.generation, &registers_of(&operands)?, &modifiers)?;
                format!("{words} // {} {operands}{modifiers}", instruction.name.to_ascii_lowercase())
            }
        })
    }

    /// The lane's address: that of the element, or in a chase of loads the result of the load before.
    fn lane_operand(&self, operand: &Operand) -> Option<String> {
        let instruction = self.snippet.instruction;
        let is_load = self.is_chase
            && !instruction.is(InstructionClass::Atomic)
            && !instruction.operands.iter().any(|operand| operand.name.starts_with("data"));
        let is_offset =
            operand.registers() == 1 || operand.kind == OperandKind::BufferAddress || self.form == Form::ScalarAddress;
        if instruction.segment == Some(Segment::Scratch) && self.form == Form::ScalarAddress {
            return Some("off".into());
        }
        Some(match (is_load && is_offset, self.form) {
            (true, _) => format!("v{}", VECTOR_DESTINATIONS.start),
            (false, Form::ScalarAddress) => format!("v{ADDRESS}"),
            (false, _) if operand.kind == OperandKind::BufferAddress => format!("v{ADDRESS}"),
            (false, _) => tuple('v', ADDRESS, operand.registers()),
        })
    }

    /// In a chase of atomics: the result of the one before, where it has the width of the data.
    fn chased_data(&self, operand: &Operand) -> Option<String> {
        let destination = self.snippet.instruction.operand("vdst")?;
        let is_chased = self.is_chase && operand.name != "data1" && destination.registers() == operand.registers();
        is_chased.then(|| tuple('v', VECTOR_DESTINATIONS.start, operand.registers()))
    }

    fn zero(&mut self, register: u8, registers: u8) {
        for register in register..register + registers.max(1) {
            self.snippet.vector_values.push(InitialValue { register, value: "0".into() });
        }
    }

    /// Destinations of scalar loads go round; data of stores and atomics hold numbers.
    fn scalar_data(&mut self, operand: &Operand, index: usize) -> Option<String> {
        let registers = operand.registers();
        let instruction = self.snippet.instruction;
        if self.is_chase && !instruction.is(InstructionClass::Atomic) {
            let register = scalar_chase(instruction)?;
            self.snippet.scalar_values.push(InitialValue { register, value: "0".into() });
            return Some(tuple('s', register, registers));
        }
        // Sixteen registers are more than the pool; a load that wants them has no sources in the other one.
        let range = if registers > 8 { SCALAR_SOURCES.start..SCALAR_DESTINATIONS.end } else { SCALAR_DESTINATIONS };
        let register = rotate(&range, operand.kind, registers, if operand.is_written() { index } else { 0 })?;
        if operand.is_read() {
            set_values(&mut self.snippet.scalar_values, register, operand, 0);
        }
        Some(tuple('s', register, registers))
    }

    /// The offsets of the DS format. Two accesses are 64 elements apart, as far as the ST64 forms reach with 1.
    fn offset(&self, name: &str) -> String {
        let instruction = self.snippet.instruction;
        if let Some(row) = rows_of(instruction, Action::Offset).next() {
            return format!(" offset:{}", row.value);
        }
        match name {
            "offset1" if instruction.is(InstructionClass::FarOffsets) => " offset1:1".into(),
            "offset1" => " offset1:64".into(),
            _ => String::new(),
        }
    }
}

/// The register through which a chase of scalar loads goes: the first of its destinations, and the offset of the next.
fn scalar_chase(instruction: &Instruction) -> Option<u8> {
    let data = instruction.operand("sdata")?;
    Some(match data.registers() {
        1 | 2 => SCRATCH_OFFSET,
        3 | 4 => SCRATCH,
        _ => SCALAR_SOURCES.start,
    })
}

/// The registers among an operand list's texts.
fn registers_of(operands: &str) -> Option<Vec<Register>> {
    let texts: Vec<&str> = operands.split(", ").filter(|operand| operand.starts_with(['s', 'v'])).collect();
    registers(&texts.join(", "))
}
