//! A wave's vector registers. Each bit of a lane is known or unknown; what is unknown is never read as a number.

#[cfg(test)]
mod tests;

use crate::state::bits::Bits;
use crate::state::flight::Filled;
use crate::state::loaded::{Loaded, Part};
use crate::state::under_way::{Expected, ExpectedPart, HALVES, UnderWay};
use crate::state::vector_number::{FIRST_AGPR, VectorNumber};

/// Lanes of a wave.
pub(crate) const LANES: usize = 64;

/// The lanes of the two registers of scales, that of A and that of B, and the known ones.
pub(crate) type Scales = [([u32; LANES], u64); 2];

/// The vector registers: 64 lanes each, each lane known or unknown. AGPRs follow the VGPRs.
#[derive(Debug, Clone)]
pub(crate) struct VectorRegisters {
    /// VGPRs among them.
    vgprs: VectorNumber,
    values: Vec<[u32; LANES]>,
    known: Vec<u64>,
    /// By register, the known bits of the lanes that are known in part; `None` where there are no such lanes.
    bits: Vec<Option<Box<[u32; LANES]>>>,
    under_way: UnderWay,
    /// Some lane was known in part.
    has_parts: bool,
}

/// Values, known lanes, known bits of other lanes, and expected values of a register.
pub(crate) type Saved = ([u32; LANES], u64, Option<Box<[u32; LANES]>>, [Expected; 2]);

impl VectorRegisters {
    /// So many VGPRs and AGPRs of unknown content.
    pub(crate) fn new(vgprs: u32, agprs: u32) -> Self {
        let count = (vgprs + agprs) as usize;
        Self {
            vgprs: vgprs as VectorNumber,
            values: vec![[0; LANES]; count],
            known: vec![0; count],
            bits: vec![None; count],
            under_way: UnderWay::new(count),
            has_parts: false,
        }
    }

    /// Where a register lies among those that the wave has.
    #[inline(always)]
    fn place(&self, register: VectorNumber) -> usize {
        let place = if register < FIRST_AGPR { register } else { register - FIRST_AGPR + self.vgprs };
        usize::from(place)
    }

    /// Whether the wave has it.
    pub(crate) fn has(&self, register: VectorNumber) -> bool {
        self.place(register) < self.values.len()
    }

    /// All lanes, and the mask of those that are known.
    pub(crate) fn read(&self, register: VectorNumber) -> (&[u32; LANES], u64) {
        let place = self.place(register);
        (&self.values[place], self.known[place])
    }

    /// All lanes of some registers, and the known bits of each.
    pub(crate) fn each(&self, first: VectorNumber, count: usize) -> (&[[u32; LANES]], &[u64]) {
        let place = self.place(first);
        (&self.values[place..place + count], &self.known[place..place + count])
    }

    /// With the lanes that are known in all of them.
    pub(crate) fn tuple(&self, first: VectorNumber, count: usize) -> (&[[u32; LANES]], u64) {
        let (values, known) = self.each(first, count);
        (values, known.iter().fold(u64::MAX, |all, known| all & known))
    }

    /// One lane, or `None` where it is unknown.
    pub(crate) fn lane(&self, register: VectorNumber, lane: usize) -> Option<u32> {
        let place = self.place(register);
        (self.known[place] >> lane & 1 == 1).then(|| self.values[place][lane])
    }

    /// Writes the lanes of `exec`; those outside of `known` become unknown.
    pub(crate) fn write(&mut self, register: VectorNumber, exec: u64, values: &[u32; LANES], known: u64) {
        let place = self.place(register);
        let target = &mut self.values[place];
        if exec == u64::MAX {
            *target = *values;
        } else {
            for (lane, (to, from)) in target.iter_mut().zip(values).enumerate() {
                if exec >> lane & 1 == 1 {
                    *to = *from;
                }
            }
        }
        let mask = &mut self.known[place];
        *mask = *mask & !exec | known & exec;
        self.forget_parts(place, exec);
        self.under_way.spoil(place, exec & !known);
    }

    /// No part of these lanes is known, unless all of it is.
    #[inline(always)]
    fn forget_parts(&mut self, place: usize, lanes: u64) {
        if let Some(bits) = &mut self.bits[place] {
            bits.iter_mut().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 1).for_each(|(_, bits)| *bits = 0);
            self.drop_empty(place);
        }
    }

    fn drop_empty(&mut self, place: usize) {
        self.bits[place].take_if(|bits| bits.iter().all(|known| *known == 0));
    }

    /// Sets the known bits of a lane.
    fn set_bits(&mut self, place: usize, lane: usize, known: u32) {
        let is_whole = known == u32::MAX;
        self.known[place] = self.known[place] & !(1 << lane) | u64::from(is_whole) << lane;
        let part = if is_whole { 0 } else { known };
        if part != 0 || self.bits[place].is_some() {
            self.has_parts = true;
            self.bits[place].get_or_insert_with(|| Box::new([0; LANES]))[lane] = part;
        }
    }

    /// The known bits of a lane at a place.
    fn bits_at(&self, place: usize, lane: usize) -> u32 {
        match self.known[place] >> lane & 1 {
            1 => u32::MAX,
            _ => self.bits[place].as_ref().map_or(0, |bits| bits[lane]),
        }
    }

    /// The lanes in which all of these bits are known.
    pub(crate) fn known_where(&self, register: VectorNumber, wanted: u32) -> u64 {
        let place = self.place(register);
        let of_parts = |bits: &[u32; LANES]| {
            bits.iter().enumerate().fold(0, |lanes, (lane, known)| lanes | u64::from(known & wanted == wanted) << lane)
        };
        self.known[place] | self.bits[place].as_deref().map_or(0, of_parts)
    }

    /// The lanes in which one half is known.
    pub(crate) fn half_known(&self, register: VectorNumber, is_high: bool) -> u64 {
        self.known_where(register, HALVES[usize::from(is_high)])
    }

    /// The lanes in which the low half is known, and those in which the high one is.
    pub(crate) fn halves_known(&self, register: VectorNumber) -> [u64; 2] {
        [false, true].map(|is_high| self.half_known(register, is_high))
    }

    /// Writes both halves in the lanes of `exec`; each becomes known in lanes of its own.
    pub(crate) fn write_halves(&mut self, register: VectorNumber, exec: u64, values: &[u32; LANES], known: [u64; 2]) {
        self.write_half(register, exec, (values, false), known[0]);
        self.write_half(register, exec, (values, true), known[1]);
    }

    /// Writes the lanes of `exec`, whose values hold the other half as it was: that of `known` becomes known, and unknown outside of it.
    pub(crate) fn write_half(
        &mut self,
        register: VectorNumber,
        exec: u64,
        (values, is_high): (&[u32; LANES], bool),
        known: u64,
    ) {
        let place = self.place(register);
        for (lane, (to, from)) in self.values[place].iter_mut().zip(values).enumerate() {
            if exec >> lane & 1 == 1 {
                *to = *from;
            }
        }
        self.set_half_known(place, is_high, exec, known);
        self.under_way.spoil_half(place, is_high, exec & !known);
    }

    /// In the lanes of `exec`, makes one half known in those of `known` and unknown in the others, and keeps the other half.
    fn set_half_known(&mut self, place: usize, is_high: bool, exec: u64, known: u64) {
        let before = self.known[place];
        // Lanes that stay whole, or unknown, need no look at their bits.
        let changed = exec & if self.bits[place].is_some() { u64::MAX } else { before ^ known };
        for lane in (0..LANES).filter(|lane| changed >> lane & 1 == 1) {
            let half = HALVES[usize::from(is_high)];
            let bits = self.bits_at(place, lane);
            self.set_bits(place, lane, if known >> lane & 1 == 1 { bits | half } else { bits & !half });
        }
        self.drop_empty(place);
    }

    /// Whether a lane of any register was ever known in part.
    #[inline(always)]
    pub(crate) fn has_parts(&self) -> bool {
        self.has_parts
    }

    /// Whether some lane is known in part.
    pub(crate) fn is_partly_known(&self, register: VectorNumber) -> bool {
        self.bits[self.place(register)].is_some()
    }

    /// Makes all lanes known: the unknown bits become ones or zeros.
    pub(crate) fn fill_unknown(&mut self, register: VectorNumber, with_ones: bool) {
        let known = self.all_known_bits(register);
        let place = self.place(register);
        for (value, known) in self.values[place].iter_mut().zip(known) {
            *value = if with_ones { *value | !known } else { *value & known };
        }
        self.known[place] = u64::MAX;
        self.bits[place] = None;
    }

    /// A register's content, with its known and expected lanes.
    pub(crate) fn saved(&self, register: VectorNumber) -> Saved {
        let place = self.place(register);
        (self.values[place], self.known[place], self.bits[place].clone(), self.under_way.halves[place])
    }

    /// Brings a register back to a state before.
    pub(crate) fn restore(&mut self, register: VectorNumber, saved: &Saved) {
        let place = self.place(register);
        let (values, known, bits, expected) = saved;
        (self.values[place], self.known[place], self.under_way.halves[place]) = (*values, *known, *expected);
        self.bits[place].clone_from(bits);
    }

    /// A lane, and the bits of it that are known: the others mean nothing.
    pub(crate) fn known_bits(&self, register: VectorNumber, lane: usize) -> (u32, u32) {
        let place = self.place(register);
        (self.values[place][lane], self.bits_at(place, lane))
    }

    /// The known bits of all lanes.
    pub(crate) fn all_known_bits(&self, register: VectorNumber) -> [u32; LANES] {
        let place = self.place(register);
        std::array::from_fn(|lane| self.bits_at(place, lane))
    }

    /// Writes the lanes of `exec`, of which these bits become known.
    pub(crate) fn write_bits(
        &mut self,
        register: VectorNumber,
        exec: u64,
        values: &[u32; LANES],
        known: &[u32; LANES],
    ) {
        let of = |wanted: u32| (0..LANES).fold(0, |lanes, lane| lanes | u64::from(known[lane] == wanted) << lane);
        self.write(register, exec, values, of(u32::MAX));
        let place = self.place(register);
        for lane in (0..LANES).filter(|lane| (exec & !of(u32::MAX) & !of(0)) >> lane & 1 == 1) {
            self.set_bits(place, lane, known[lane]);
        }
    }

    /// The known bits of a lane; the high dword counts as known.
    pub(crate) fn lane_bits(&self, register: VectorNumber, lane: usize) -> Bits {
        let (value, known) = self.known_bits(register, lane);
        Bits { value: u64::from(value & known), known: u64::from(known) | u64::MAX << 32 }
    }

    /// Writes the known bits of a lane.
    pub(crate) fn write_lane_bits(&mut self, register: VectorNumber, lane: usize, bits: Bits) {
        let known = bits.known as u32;
        self.write_lane(register, lane, (known == u32::MAX).then_some(bits.value as u32));
        if known != u32::MAX {
            let place = self.place(register);
            self.values[place][lane] = bits.value as u32;
            self.set_bits(place, lane, known);
        }
    }

    pub(crate) fn write_lane(&mut self, register: VectorNumber, lane: usize, value: Option<u32>) {
        let place = self.place(register);
        let mask = &mut self.known[place];
        match value {
            Some(value) => {
                self.values[place][lane] = value;
                *mask |= 1 << lane;
            }
            None => {
                *mask &= !(1 << lane);
                self.under_way.spoil(place, 1 << lane);
            }
        }
        self.forget_parts(place, 1 << lane);
    }

    /// The values of all lanes, for a memory instruction to fill: [`VectorRegisters::expect`] has their known bits.
    pub(crate) fn lanes_mut(&mut self, register: VectorNumber) -> &mut [u32; LANES] {
        let place = self.place(register);
        &mut self.values[place]
    }

    /// Whether a lane of a register became unknown since the last look.
    pub(crate) fn take_lost(&mut self) -> bool {
        self.under_way.take_lost()
    }

    /// Makes the lanes of `exec` of so many registers unknown until [`VectorRegisters::arrive`]; then what is loaded is known.
    pub(crate) fn expect(&mut self, (first, count): (VectorNumber, u8), exec: u64, loaded: &Loaded) -> Filled {
        let ticket = self.under_way.next_ticket();
        for (place, known) in (self.place(first)..).zip(loaded.lanes).take(count.into()) {
            self.known[place] &= !exec;
            self.forget_parts(place, exec);
            self.under_way.halves[place] = [Expected { ticket, lanes: exec, known }; 2];
        }
        for Part { register, lane, known } in loaded.parts.iter().copied() {
            let place = self.place(first) + usize::from(register);
            self.under_way.parts.push(ExpectedPart { ticket, place, lane, known });
        }
        Filled { first, count, ticket, half: None }
    }

    /// Likewise for a half of a register.
    pub(crate) fn expect_half(&mut self, register: VectorNumber, is_high: bool, exec: u64, known: u64) -> Filled {
        let ticket = self.under_way.next_ticket();
        let place = self.place(register);
        self.set_half_known(place, is_high, exec, 0);
        self.under_way.halves[place][usize::from(is_high)] = Expected { ticket, lanes: exec, known };
        Filled { first: register, count: 1, ticket, half: Some(is_high) }
    }

    /// A memory instruction's results are ready. Where another one fills the same register later, that one counts; where
    /// something was written in between, the two have raced and the value is unknown.
    pub(crate) fn arrive(&mut self, filled: Filled) {
        let parts = self.under_way.parts_of(filled.ticket);
        for place in (self.place(filled.first)..).take(filled.count.into()) {
            let [low, high] = self.under_way.halves[place];
            if low == high && self.bits[place].is_none() && parts.is_empty() {
                if low.ticket == filled.ticket {
                    let before = self.known[place];
                    self.known[place] = before & !low.lanes | low.known & low.lanes & !before;
                }
                continue;
            }
            for (is_high, half) in [false, true].into_iter().zip(HALVES) {
                let Expected { ticket, lanes, known } = self.under_way.halves[place][usize::from(is_high)];
                if ticket != filled.ticket {
                    continue;
                }
                let in_part = |bits: &[u32; LANES]| {
                    bits.iter().enumerate().fold(0, |raced, (lane, bits)| raced | u64::from(bits & half != 0) << lane)
                };
                let raced = self.known[place] | self.bits[place].as_deref().map_or(0, in_part);
                self.set_half_known(place, is_high, lanes, known & !raced);
                for part in parts.iter().filter(|part| part.place == place && !(raced | !lanes) >> part.lane & 1 == 1) {
                    let lane = usize::from(part.lane);
                    self.set_bits(place, lane, self.bits_at(place, lane) & !half | part.known & half);
                }
            }
        }
    }

    /// Makes all of them unknown.
    pub(crate) fn clobber_all(&mut self) {
        self.known.fill(0);
        self.bits.fill(None);
        self.under_way.spoil_all();
    }

    /// Makes the lanes of `exec` of `count` registers unknown.
    pub(crate) fn clobber(&mut self, first: VectorNumber, count: u8, exec: u64) {
        let place = self.place(first);
        let places = place..place + usize::from(count);
        for place in places {
            self.known[place] &= !exec;
            self.forget_parts(place, exec);
            self.under_way.spoil(place, exec);
        }
    }
}
