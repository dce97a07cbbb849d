//! Buffer memory: loads, stores and atomics through a buffer descriptor that the kernel built.
//!
//! Source: CLRX `GcnMemHandling`; AMD "Southern Islands" manual, section 8.1; Mesa radeonsi on what NUM_RECORDS counts in
//! each generation; LLVM `SIInstrInfo` on ADDR64.

use crate::error::Problem;
use crate::lower::registers::scalar_place;
use crate::memory::descriptor::{Bounds, Descriptor, Swizzle};
use crate::memory::element::{Element, Half, Transfer, TransferRegisters};
use crate::memory::global::Memory;
use crate::memory::half_format::Halves;
use crate::memory::memories::Memories;
use crate::memory::reach::{Addresses, Reach, Words, active};
use crate::memory::to_lds;
use crate::memory::word::Word;
use crate::state::loaded::{Loaded, MOST_DWORDS};
use crate::state::operand::read32;
use crate::state::operand::{Source, source};
use crate::state::row::Row;
use crate::state::vector_number::{VectorNumber, vector_operand};
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;
use gcn_model::decode::{BufferFields, Decoded, Location, TypedBufferFormat};
use gcn_model::isa::{Generation, InstructionClass, Unaligned};

/// Number format FLOAT.
const FLOAT: u8 = 7;
/// Number formats UINT and SINT, which leave 32 bits as they are, as FLOAT does.
const INTEGERS: [u8; 2] = [4, 5];
/// DST_SEL of a descriptor that gives x, y, z and w as they are.
const SELECT_XYZW: u32 = 0xfac;

/// The data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moved {
    /// Bits as they are in memory.
    Raw(Transfer),
    /// Elements of a format, to or from this many registers; `typed`: the format, where the instruction says it.
    Formatted { is_load: bool, registers: u8, halves: Option<Halves>, typed: Option<TypedBufferFormat> },
    /// Nothing: the vector cache is invalidated.
    Nothing,
}

/// A buffer instruction as decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BufferAccess {
    moved: Moved,
    registers: TransferRegisters,
    /// First of its address registers.
    address: VectorNumber,
    fields: BufferFields,
    soffset: Source,
    generation: Generation,
    /// It writes memory and returns nothing.
    is_store: bool,
}

impl BufferAccess {
    /// The access that an instruction makes.
    ///
    /// # Errors
    /// Why the simulator does not execute it.
    pub(crate) fn of(decoded: &Decoded) -> Result<Self, &'static str> {
        const UNKNOWN: &str = ": this buffer instruction has no model";
        let fields = decoded.buffer().ok_or(UNKNOWN)?;
        let instruction = decoded.instruction;
        if instruction.name == "BUFFER_STORE_LDS_DWORD" {
            return Err(": stores from LDS to memory have no model");
        }
        if fields.tfe {
            return Err(": TFE has no model");
        }
        let name = instruction.canonical_name().split_once('_').ok_or(UNKNOWN)?.1;
        let vdata = instruction.operand("vdata");
        let is_load = instruction.is(InstructionClass::Load);
        let moved = match name.split_once("_FORMAT_") {
            _ if name.starts_with("WBINVL1") || matches!(name, "INV" | "INVL2" | "WBL2" | "GL0_INV" | "GL1_INV") => {
                Moved::Nothing
            }
            Some(_) if fields.lds => return Err(": loads of a format to LDS have no model"),
            Some((_, components)) => Moved::Formatted {
                is_load,
                registers: vdata.ok_or(UNKNOWN)?.registers(),
                halves: Halves::of(components, decoded.packs_halves()),
                typed: decoded.typed_buffer_format(),
            },
            None => Moved::Raw(Transfer::of_global(name).ok_or(UNKNOWN)?),
        };
        let data = vector_operand(decoded, "vdata").unwrap_or(0);
        let has_result = is_load && !fields.lds || fields.glc && instruction.is(InstructionClass::Atomic);
        let result = has_result.then_some(data);
        Ok(Self {
            moved,
            registers: match moved {
                Moved::Raw(transfer) => TransferRegisters::of_memory(transfer, data, result),
                _ => TransferRegisters { result, data, second: data },
            },
            address: fields.vaddr.into(),
            fields,
            soffset: match fields.soffset {
                Location::Sgpr(code) if decoded.generation.operand_codes.null == Some(code) => Source::Constant(0),
                Location::Sgpr(code) => Source::Scalar(scalar_place(code, decoded.generation)),
                location => source(location, 32),
            },
            generation: decoded.generation,
            is_store: instruction.is(InstructionClass::Store)
                || instruction.is(InstructionClass::Atomic) && !fields.glc,
        })
    }

    /// Bytes of a lane; `None` where only the descriptor tells.
    pub(crate) fn lane_bytes(&self) -> Option<u32> {
        match self.moved {
            Moved::Raw(transfer) => Some(transfer.bytes()),
            Moved::Formatted { typed, .. } => Some(4 * u32::from(element_dwords(typed?))),
            Moved::Nothing => Some(0),
        }
    }

    /// Bytes of a lane.
    fn bytes_by(&self, descriptor: Descriptor) -> u32 {
        self.lane_bytes().unwrap_or(4 * u32::from(element_dwords(descriptor.format)))
    }

    /// The half of its register that it fills, if it fills no more.
    pub(crate) fn filled_half(&self) -> Option<Half> {
        match self.moved {
            Moved::Raw(transfer) => transfer.filled_half(),
            _ => None,
        }
    }

    /// Whether it writes memory and returns nothing.
    pub(crate) fn is_store(&self) -> bool {
        self.is_store
    }

    /// Its transfer of bits as they are and the first of its data registers, if it reaches nothing but memory.
    pub(crate) fn transfer(&self) -> Option<(Transfer, VectorNumber)> {
        match self.moved {
            Moved::Raw(transfer) if !self.fields.lds => Some((transfer, self.registers.data)),
            _ => None,
        }
    }

    /// Whether it loads to the LDS.
    pub(crate) fn reaches_lds(&self) -> bool {
        self.fields.lds
    }

    /// Nothing observes the filled registers.
    pub(crate) fn drop_result(&mut self) {
        if matches!(self.moved, Moved::Raw(_)) {
            self.registers.result = None;
        }
    }

    /// First register and number of registers that it fills.
    pub(crate) fn filled(&self) -> (VectorNumber, u8) {
        let count = match self.moved {
            Moved::Raw(transfer) => transfer.filled(self.registers),
            Moved::Formatted { is_load: true, registers, .. } => registers,
            Moved::Formatted { .. } | Moved::Nothing => 0,
        };
        (self.registers.result.unwrap_or(0), count)
    }

    /// Executes it and says what is known of its registers.
    ///
    /// # Errors
    /// An unknown address or EXEC; a memory fault.
    pub(crate) fn execute(&self, wave: &mut Wave, memories: Memories<'_>, instruction: u32) -> Result<Loaded, Problem> {
        // Long: an access from its descriptor to its results; its parts share nearly all values.
        let memory = memories.global;
        let mut loaded = Loaded::default();
        if self.moved == Moved::Nothing {
            return Ok(loaded);
        }
        let exec = wave.exec().ok_or_else(|| Problem::UnknownAddress("EXEC".into()))?;
        let descriptor = Descriptor::read(wave, self.fields.srsrc, self.generation)?;
        if let (true, Moved::Raw(transfer)) = (self.fields.lds, self.moved) {
            let addresses = self.addresses(wave, exec, descriptor)?;
            let places = (&addresses, u64::from(self.fields.offset));
            to_lds::load(transfer, wave, places, (exec, instruction), (memory, memories.local))?;
            return Ok(loaded);
        }
        let row = if wave.is_all(exec) { self.row(wave, descriptor) } else { None };
        let addresses;
        let reach = match row {
            Some(row) => Reach::Row { row, distance: 4 },
            None => {
                addresses = self.addresses(wave, exec, descriptor)?;
                Reach::Lanes(&addresses)
            }
        };
        let lanes = (reach, exec, instruction);
        match self.moved {
            Moved::Raw(transfer) => {
                let unaligned = self.generation.buffers.unaligned;
                loaded = transfer.execute_aligned(unaligned, &mut wave.vectors, self.registers, lanes, memory)?;
            }
            Moved::Formatted { is_load, registers, halves, typed } => {
                let format = typed.unwrap_or(descriptor.format);
                let of_32_bits = components(format).filter(|_| descriptor.select == SELECT_XYZW);
                match (of_32_bits, halves) {
                    (Some(components), Some(halves)) if format.number == FLOAT => {
                        let filled = (self.registers.data, registers);
                        if is_load {
                            loaded = halves.load(&mut wave.vectors, filled, (reach, exec), components, memory)?;
                        } else {
                            halves.store(&wave.vectors, self.registers.data, lanes, components, memory)?;
                        }
                    }
                    (Some(components), None) => {
                        let moved = Element::Dwords(registers.min(components));
                        let transfer = if is_load {
                            Transfer::Load(moved, Half::Whole)
                        } else {
                            Transfer::Store(moved, Half::Whole)
                        };
                        let vectors = &mut wave.vectors;
                        loaded =
                            transfer.execute_aligned(Unaligned::Nowhere, vectors, self.registers, lanes, memory)?;
                        if is_load {
                            let one = if format.number == FLOAT { 1.0_f32.to_bits() } else { 1 };
                            let absent = components..registers;
                            self.fill_absent(wave, (exec, reach.inside(0)), absent, one, &mut loaded);
                        }
                    }
                    // Other conversions are not worked out.
                    _ => touch(lanes, memory, element_dwords(format), !is_load)?,
                }
            }
            Moved::Nothing => {}
        }
        Ok(loaded)
    }

    /// Components that the format lacks are 0, the fourth is 1 in lanes that are inside.
    fn fill_absent(
        &self,
        wave: &mut Wave,
        (exec, inside): (u64, u64),
        absent: std::ops::Range<u8>,
        one: u32,
        loaded: &mut Loaded,
    ) {
        for component in absent {
            let target = wave.vectors.lanes_mut(self.registers.data + u16::from(component));
            let ones = if component == 3 { inside } else { 0 };
            active(exec).for_each(|lane| target[lane] = if ones >> lane & 1 == 1 { one } else { 0 });
            loaded.lanes[component as usize] = exec;
        }
    }

    /// The addresses as a row; `None` if they are irregular, or if not all of it is inside the limits.
    fn row(&self, wave: &Wave, descriptor: Descriptor) -> Option<Row> {
        if descriptor.swizzle.is_some() || descriptor.adds_lane || self.is_unbound(descriptor) {
            return None;
        }
        let (fields, lanes) = (&self.fields, wave.lanes as usize);
        let base = Row::same(descriptor.base);
        let fixed = Row::same(u64::from(read32(wave, self.soffset)?) + u64::from(fields.offset));
        if fields.addr64 {
            let (low, high) = (wave.row(self.address)?, wave.row(self.address + 1)?);
            return Some(low.plus(high.times(1 << 32)).plus(base).plus(fixed));
        }
        let none = Row::same(0);
        let index = if fields.idxen { wave.row(self.address)? } else { none };
        let offset = if fields.offen { wave.row(self.address + u16::from(fields.idxen))? } else { none };
        let in_buffer = index.times(u64::from(descriptor.stride)).plus(offset).plus(fixed);
        let bytes = self.bytes_by(descriptor).into();
        let bounds = descriptor.bounds(fields.idxen, &self.generation.buffers);
        match bounds {
            Bounds::Nothing => return (descriptor.records > 0).then_some(in_buffer.plus(base)),
            Bounds::RecordsAndStride | Bounds::RecordsAndOffset
                if offset.plus(fixed).extent(lanes, bytes)?.1 > u64::from(descriptor.stride) =>
            {
                return None;
            }
            _ => {}
        }
        let end = if bounds == Bounds::Bytes { in_buffer.extent(lanes, bytes)? } else { index.extent(lanes, 1)? }.1;
        (end <= u64::from(descriptor.records)).then_some(in_buffer.plus(base))
    }

    /// The addresses lane by lane.
    fn addresses(&self, wave: &Wave, exec: u64, descriptor: Descriptor) -> Result<Addresses, Problem> {
        // Long: the rules of an address, each once, for all lanes.
        const ZEROS: &[u32; LANES] = &[0; LANES];
        let fields = &self.fields;
        let soffset = read32(wave, self.soffset).ok_or_else(|| Problem::UnknownAddress("soffset".into()))?;
        let fixed = u64::from(soffset) + u64::from(fields.offset);
        let mut addresses = Addresses { lanes: [0; LANES], inside: [u64::MAX; MOST_DWORDS], distance: 4 };
        if fields.addr64 {
            // The registers are an address, to which the descriptor's base is added; its range does not count.
            let low = wave.known_lanes(self.address, exec)?;
            let high = wave.known_lanes(self.address + 1, exec)?;
            for ((to, low), high) in addresses.lanes.iter_mut().zip(low).zip(high) {
                let address = u64::from(*low) | u64::from(*high) << 32;
                *to = descriptor.base.wrapping_add(address).wrapping_add(fixed);
            }
            return Ok(addresses);
        }
        let index = if fields.idxen { wave.known_lanes(self.address, exec)? } else { ZEROS };
        let offset = if fields.offen { wave.known_lanes(self.address + u16::from(fields.idxen), exec)? } else { ZEROS };
        let bounds = descriptor.bounds(fields.idxen, &self.generation.buffers);
        let is_unbound = self.is_unbound(descriptor);
        // Only the dwords that the access has are looked at.
        let all = u64::from(self.bytes_by(descriptor));
        let (bytes, dwords) = (all.min(4), all.div_ceil(4) as usize);
        let is_raw = matches!(self.moved, Moved::Raw(_));
        let (stride, records) = (u64::from(descriptor.stride), u64::from(descriptor.records));
        let (in_base, in_offset) = match descriptor.swizzle {
            Some(_) if self.generation.buffers.swizzles_soffset => (0, u64::from(soffset)),
            _ => (u64::from(soffset), 0),
        };
        let mut inside = [0; MOST_DWORDS];
        for lane in 0..LANES {
            let index = u64::from(index[lane]) + if descriptor.adds_lane { lane as u64 } else { 0 };
            let mut in_record = u64::from(offset[lane]) + u64::from(fields.offset) + in_offset;
            if bounds == Bounds::Nothing || descriptor.swizzle.is_some() {
                // Nothing looks at the carry: a negative offset is one.
                in_record &= u64::from(u32::MAX);
            }
            let in_buffer = |further: u64| match descriptor.swizzle {
                Some(swizzle) => swizzle.offset(index, in_record + further, stride) + in_base,
                None => index * stride + in_record + further + in_base,
            };
            if let Some(swizzle) = descriptor.swizzle
                && exec >> lane & 1 == 1
                && !(is_raw && swizzle.element == 4)
                && in_record % swizzle.element + all > swizzle.element
            {
                return Err(Problem::Unmodelled(": an access beyond an element of a swizzled buffer".into()));
            }
            addresses.lanes[lane] = descriptor.base + in_buffer(0);
            for (dword, inside) in (0..).step_by(4).zip(&mut inside[..dwords]) {
                let is_inside = match bounds {
                    Bounds::Nothing => records > 0,
                    Bounds::Records => index < records,
                    Bounds::RecordsAndOffset => index < records && in_record < stride,
                    Bounds::RecordsAndStride => index < records && in_record + dword + bytes <= stride,
                    // Of a swizzled buffer without a stride only the place in the record is looked at, which lanes do not share.
                    Bounds::Bytes if descriptor.swizzle.is_some() && stride == 0 => {
                        in_record + dword + bytes <= records
                    }
                    Bounds::Bytes => in_buffer(dword) + bytes <= records,
                };
                *inside |= u64::from(is_inside && !is_unbound) << lane;
            }
        }
        addresses.distance = match descriptor.swizzle {
            Some(Swizzle { element: 4, indices }) => 4 * indices,
            _ => 4,
        };
        // An element is inside as a whole or not at all.
        addresses.inside = if is_raw { inside } else { [inside[dwords - 1]; MOST_DWORDS] };
        Ok(addresses)
    }

    /// Whether its descriptor is that of no buffer.
    fn is_unbound(&self, descriptor: Descriptor) -> bool {
        descriptor.is_unbound && !matches!(self.moved, Moved::Formatted { typed: Some(_), .. })
    }
}

/// Dwords that an element of a data format covers ("Southern Islands" manual, table of data formats).
fn element_dwords(format: TypedBufferFormat) -> u8 {
    match format.data {
        11 | 12 => 2,
        13 => 3,
        14 => 4,
        _ => 1,
    }
}

/// How many components a format has, if each of them is 32 bits that are moved as they are.
fn components(format: TypedBufferFormat) -> Option<u8> {
    let is_as_it_is = format.number == FLOAT || INTEGERS.contains(&format.number);
    (is_as_it_is && matches!(format.data, 4 | 11 | 13 | 14)).then(|| element_dwords(format))
}

/// Reaches the elements of all lanes without knowing their values; the stored values are unknown.
fn touch(
    (reach, exec, instruction): (Reach<'_>, u64, u32),
    memory: &mut Memory,
    dwords: u8,
    is_store: bool,
) -> Result<(), Problem> {
    for lane in active(exec & reach.inside(0)) {
        for dword in 0..u64::from(dwords) {
            let word = memory.word(reach.address(lane) + 4 * dword)?;
            if is_store {
                *word = Word::unknown(instruction);
            }
        }
    }
    Ok(())
}
