//! PM4 packets of type 3: a command buffer's requests to the command processor.
//!
//! Source: Mesa 22.3, `src/amd/common/sid.h` (opcodes and fields) and the functions of `src/gallium/drivers/radeonsi` that write them;
//! Linux, `drivers/gpu/drm/amd/amdgpu/sid.h`, `cikd.h`, `vid.h`, `soc15d.h`.

use super::shader_registers;

/// The value that a packet writes to memory when everything before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Data {
    Nothing,
    Dword(u32),
    /// Two dwords.
    Qword(u64),
    /// The GPU's clock.
    Clock,
}

/// A condition on the dword at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) address: u64,
    /// `WAIT_REG_MEM`'s function: 0 always, 1 to 6 below, at most, equal, not equal, at least, above.
    pub(crate) function: u32,
    /// The value that it is compared with.
    pub(crate) reference: u32,
    /// Bits that are compared.
    pub(crate) mask: u32,
}

impl Condition {
    /// Whether a dword meets it.
    pub(crate) fn is_met(&self, value: u32) -> bool {
        let value = value & self.mask;
        match self.function {
            0 => true,
            1 => value < self.reference,
            2 => value <= self.reference,
            3 => value == self.reference,
            4 => value != self.reference,
            5 => value >= self.reference,
            _ => value > self.reference,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Packet {
    /// It changes nothing that the simulated GPU has: caches, events without data, graphics state.
    Nothing,
    /// Registers of shaders, from an address on.
    SetShaderRegisters {
        /// Address of the first.
        first: u32,
        values: Vec<u32>,
    },
    /// Groups in X, Y and Z, and COMPUTE_DISPATCH_INITIATOR.
    Dispatch {
        groups: [u32; 3],
        /// How they are started.
        initiator: u32,
    },
    /// Dwords to memory.
    Write {
        /// Where the first goes.
        to: u64,
        /// All to the same address.
        is_one_address: bool,
        /// The dwords.
        values: Vec<u32>,
    },
    /// The value that is written when everything before is done.
    Finish {
        to: u64,
        data: Data,
        /// Whether the host gets an interrupt then.
        interrupts: bool,
    },
    /// Bytes copied.
    Copy {
        /// From where.
        from: u64,
        /// To where.
        to: u64,
        /// How many.
        bytes: u64,
    },
    /// Bytes filled with a dword.
    Fill {
        /// From where on.
        to: u64,
        /// With what.
        value: u32,
        /// How many.
        bytes: u64,
    },
    /// Goes on when a dword in memory meets the condition.
    Wait(Condition),
    /// The dwords after it are for some XCCs alone.
    OfEngines {
        /// A bit for each.
        mask: u32,
        dwords: u32,
    },
    /// Another command buffer.
    Indirect {
        address: u64,
        dwords: u32,
        /// It takes the place of the rest of this one.
        is_chain: bool,
    },
}

/// A packet that the simulated command processor does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("packet {header:#010x} (opcode {:#04x}) {body:#x?}: {problem}", opcode(*.header))]
pub(crate) struct UnknownPacket {
    header: u32,
    body: Vec<u32>,
    problem: &'static str,
}

/// The opcode in a header.
pub(crate) fn opcode(header: u32) -> u32 {
    header >> 8 & 0xff
}

/// Packets without meaning here. CLEAR_STATE and CONTEXT_CONTROL, SET_CONFIG_REG, SET_CONTEXT_REG, SET_UCONFIG_REG and its indexed
/// form set up graphics; INDEX_TYPE and NUM_INSTANCES as well; PFP_SYNC_ME, SURFACE_SYNC and ACQUIRE_MEM order memory that is always in order here.
const WITHOUT_MEANING: [u32; 10] = [0x12, 0x28, 0x68, 0x69, 0x79, 0x7a, 0x2a, 0x42, 0x43, 0x58];

const NOP: u32 = 0x10;
const DISPATCH_DIRECT: u32 = 0x15;
const PRED_EXEC: u32 = 0x23;
const INDIRECT_BUFFER_SI: u32 = 0x32;
const WRITE_DATA: u32 = 0x37;
const WAIT_REG_MEM: u32 = 0x3c;
const INDIRECT_BUFFER_CIK: u32 = 0x3f;
const COPY_DATA: u32 = 0x40;
const CP_DMA: u32 = 0x41;
const EVENT_WRITE: u32 = 0x46;
const EVENT_WRITE_EOP: u32 = 0x47;
const RELEASE_MEM: u32 = 0x49;
const DMA_DATA: u32 = 0x50;
const SET_SH_REG: u32 = 0x76;
const SET_SH_REG_INDEX: u32 = 0x9b;

/// EVENT_TYPE of EVENT_WRITE that counts pixels, always zero here.
const ZPASS_DONE: u32 = 0x15;

impl Packet {
    /// Reads a packet: its header and what follows. GFX9 has more bits for the bytes of a copy.
    ///
    /// # Errors
    /// [`UnknownPacket`].
    pub(crate) fn decode(header: u32, body: &[u32], is_gfx9_or_later: bool) -> Result<Self, UnknownPacket> {
        let unknown = |problem| UnknownPacket { header, body: body.iter().take(8).copied().collect(), problem };
        if header & 1 != 0 {
            return Err(unknown("it depends on a predicate"));
        }
        match opcode(header) {
            NOP => Ok(Self::Nothing),
            opcode if WITHOUT_MEANING.contains(&opcode) => Ok(Self::Nothing),
            SET_SH_REG | SET_SH_REG_INDEX => match body {
                [first, values @ ..] => {
                    let first = shader_registers::FIRST + (first & 0xffff) * 4;
                    Ok(Self::SetShaderRegisters { first, values: values.to_vec() })
                }
                [] => Err(unknown("no register")),
            },
            opcode => Self::decode_work(opcode, body, is_gfx9_or_later).map_err(unknown),
        }
    }

    fn decode_work(opcode: u32, body: &[u32], is_gfx9_or_later: bool) -> Result<Self, &'static str> {
        match (opcode, body) {
            (DISPATCH_DIRECT, [x, y, z, initiator]) => {
                Ok(Self::Dispatch { groups: [*x, *y, *z], initiator: *initiator })
            }
            (PRED_EXEC, [word]) => Ok(Self::OfEngines { mask: word >> 24, dwords: word & 0x3fff }),
            (INDIRECT_BUFFER_SI | INDIRECT_BUFFER_CIK, [low, high, size]) => Ok(Self::Indirect {
                address: address(*low, *high),
                dwords: size & 0xf_ffff,
                is_chain: size >> 20 & 1 == 1,
            }),
            (WRITE_DATA, [control, low, high, values @ ..]) => match control >> 8 & 0xf {
                // Memory, directly or in order with registers; the L2 cache.
                1 | 2 | 5 => Ok(Self::Write {
                    to: address(*low, *high),
                    is_one_address: control >> 16 & 1 == 1,
                    values: values.to_vec(),
                }),
                _ => Err("it does not write to memory"),
            },
            (WAIT_REG_MEM, [control, low, high, reference, mask, _interval]) => match control >> 4 & 3 {
                1 => Ok(Self::Wait(Condition {
                    address: address(*low, *high) & !3,
                    function: control & 7,
                    reference: *reference,
                    mask: *mask,
                })),
                // It writes a register and waits for another: GPU_HDP_FLUSH_REQ and DONE, which are neighbours. The model has no cache
                // between host and card (Linux, `emit_hdp_flush`).
                0 if control >> 6 & 3 == 1 && *high == low + 1 => Ok(Self::Nothing),
                _ => Err("it waits for a register"),
            },
            (COPY_DATA, [control, from @ .., low, high]) if from.len() == 2 => {
                copy_data(*control, from, address(*low, *high))
            }
            // CP_SYNC and the selections are in the dword that has the high part of the address.
            (CP_DMA, [low, selection, to_low, to_high, command]) => {
                let from = address(*low, selection & 0xffff);
                dma(*selection, from, address(*to_low, *to_high), u64::from(command & 0x1f_ffff))
            }
            (DMA_DATA, [selection, low, high, to_low, to_high, command]) => {
                let mask = if is_gfx9_or_later { 0x3ff_ffff } else { 0x1f_ffff };
                dma(*selection, address(*low, *high), address(*to_low, *to_high), u64::from(command & mask))
            }
            (EVENT_WRITE, [_event]) => Ok(Self::Nothing),
            (EVENT_WRITE, [event, ..]) if event & 0x3f == ZPASS_DONE => Ok(Self::Nothing),
            (EVENT_WRITE_EOP, [_event, low, selection, value, value_high]) => {
                finish(*selection, address(*low, selection & 0xffff), *value, *value_high)
            }
            // GFX9 has a seventh dword.
            (RELEASE_MEM, [_event, selection, low, high, value, value_high, ..]) => {
                finish(*selection, address(*low, *high), *value, *value_high)
            }
            _ => Err("the simulated command processor does not know it"),
        }
    }
}

fn address(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high & 0xffff) << 32
}

fn finish(selection: u32, to: u64, value: u32, high: u32) -> Result<Packet, &'static str> {
    let data = match selection >> 29 {
        0 => Data::Nothing,
        1 => Data::Dword(value),
        2 => Data::Qword(u64::from(value) | u64::from(high) << 32),
        3 => Data::Clock,
        _ => return Err("what it writes at the end is neither a value nor the clock"),
    };
    Ok(Packet::Finish { to, data, interrupts: matches!(selection >> 24 & 7, 1 | 2) })
}

fn copy_data(control: u32, from: &[u32], to: u64) -> Result<Packet, &'static str> {
    let is_wide = control >> 16 & 1 == 1;
    if !matches!(control >> 8 & 0xf, 1 | 2 | 5) {
        return Err("it does not copy to memory");
    }
    match control & 0xf {
        1 | 2 => Ok(Packet::Copy { from: address(from[0], from[1]), to, bytes: if is_wide { 8 } else { 4 } }),
        5 if is_wide => Ok(Packet::Finish {
            to,
            data: Data::Qword(u64::from(from[0]) | u64::from(from[1]) << 32),
            interrupts: false,
        }),
        5 => Ok(Packet::Finish { to, data: Data::Dword(from[0]), interrupts: false }),
        9 => Ok(Packet::Finish { to, data: Data::Clock, interrupts: false }),
        _ => Err("it copies neither memory, nor a value, nor the clock"),
    }
}

/// A copy or a fill: SRC_SEL in bits 30:29, DST_SEL in 21:20.
fn dma(selection: u32, from: u64, to: u64, bytes: u64) -> Result<Packet, &'static str> {
    match (selection >> 29 & 3, selection >> 20 & 3) {
        // To nowhere: a prefetch into the L2 cache. Without bytes: it only waits.
        (0 | 3, 2) => Ok(Packet::Nothing),
        _ if bytes == 0 => Ok(Packet::Nothing),
        (0 | 3, 0 | 3) => Ok(Packet::Copy { from, to, bytes }),
        (2, 0 | 3) => Ok(Packet::Fill { to, value: from as u32, bytes }),
        _ => Err("it copies to or from the GDS"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header of a packet with that many dwords after it.
    fn header(opcode: u32, dwords: u32) -> u32 {
        0xc000_0000 | (dwords - 1) << 16 | opcode << 8
    }

    fn decode(header: u32, body: &[u32]) -> Result<Packet, UnknownPacket> {
        Packet::decode(header, body, false)
    }

    #[test]
    fn packets_of_both_dma_forms_copy_and_fill() {
        let copy = Packet::Copy { from: 0x1_0000_1000, to: 0x2_0000_2000, bytes: 100 };
        assert_eq!(decode(header(CP_DMA, 5), &[0x1000, 1, 0x2000, 2, 100]), Ok(copy.clone()));
        let selection = 3 << 29 | 3 << 20;
        assert_eq!(decode(header(DMA_DATA, 6), &[selection, 0x1000, 1, 0x2000, 2, 100 | 1 << 21]), Ok(copy.clone()));
        assert_eq!(
            Packet::decode(header(DMA_DATA, 6), &[selection, 0x1000, 1, 0x2000, 2, 100 | 1 << 26], true),
            Ok(copy)
        );
        let fill = Packet::Fill { to: 0x2000, value: 0x55, bytes: 8 };
        assert_eq!(decode(header(CP_DMA, 5), &[0x55, 2 << 29, 0x2000, 0, 8]), Ok(fill));
        assert_eq!(decode(header(DMA_DATA, 6), &[2 << 20, 1, 1, 1, 1, 8]), Ok(Packet::Nothing));
        assert!(decode(header(DMA_DATA, 6), &[1 << 20, 1, 1, 1, 1, 8]).is_err());
    }

    #[test]
    fn ends_write_values_and_the_clock() {
        let eop = |selection: u32| decode(header(EVENT_WRITE_EOP, 5), &[0x528, 0x1000, selection << 29 | 1, 7, 8]);
        let to = 0x1_0000_1000;
        assert_eq!(eop(2), Ok(Packet::Finish { to, data: Data::Qword(0x8_0000_0007), interrupts: false }));
        assert_eq!(eop(3), Ok(Packet::Finish { to, data: Data::Clock, interrupts: false }));
        let release = decode(header(RELEASE_MEM, 6), &[0x528, 1 << 29, 0x1000, 1, 7, 8]);
        assert_eq!(release, Ok(Packet::Finish { to, data: Data::Dword(7), interrupts: false }));
    }

    #[test]
    fn unknown_packets_are_errors() {
        // DRAW_INDEX_AUTO, a predicated dispatch, an event that writes, a wait for a register.
        let wait = [3, 0, 0, 0, 0, 0];
        for (header, body) in [
            (header(0x2d, 2), &[3, 0][..]),
            (header(DISPATCH_DIRECT, 4) | 1, &[1, 1, 1, 5]),
            (header(EVENT_WRITE, 3), &[0x16, 0, 0]),
            (header(WAIT_REG_MEM, 6), &wait),
            (header(DISPATCH_DIRECT, 3), &[1, 1, 1]),
        ] {
            let error = decode(header, body).unwrap_err().to_string();
            assert!(error.starts_with(&format!("packet {header:#010x}")), "{error}");
        }
        assert_eq!(decode(header(EVENT_WRITE, 1), &[0x407]), Ok(Packet::Nothing));
    }
}
