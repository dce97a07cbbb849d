//! A wave's vector registers. Each half of a lane is known or unknown; what is unknown is never read as a number.
// Long: which lanes are known, and what loads bring that are under way; the tests follow both through any events.

use crate::state::bits::Bits;
use crate::state::flight::Filled;
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
    /// By register, the lanes whose low half is known, and those whose high half is, while the other one is not.
    halves: Vec<[u64; 2]>,
    /// By register, the expected values of its low half and of its high half.
    expected: Vec<[Expected; 2]>,
    /// Some half was known without the other one.
    has_halves: bool,
    ticket: u32,
    /// Lanes of which only some bits are known: what V_WRITELANE_B32 put there of a mask.
    partial: Vec<(VectorNumber, u8, Bits)>,
}

/// The expected values of a memory instruction in flight; they are in the register already, but not yet known.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Expected {
    ticket: u32,
    lanes: u64,
    known: u64,
}

/// Values, known lanes, known halves and expected values of a register.
pub(crate) type Saved = ([u32; LANES], u64, [u64; 2], [Expected; 2]);

impl VectorRegisters {
    /// So many VGPRs and AGPRs of unknown content.
    pub(crate) fn new(vgprs: u32, agprs: u32) -> Self {
        let count = (vgprs + agprs) as usize;
        Self {
            vgprs: vgprs as VectorNumber,
            values: vec![[0; LANES]; count],
            known: vec![0; count],
            halves: vec![[0; 2]; count],
            expected: vec![[Expected::default(); 2]; count],
            has_halves: false,
            ticket: 0,
            partial: Vec::new(),
        }
    }

    /// Where a register lies among those that the wave has.
    #[inline(always)]
    fn place(&self, register: VectorNumber) -> usize {
        let place = if register < FIRST_AGPR { register } else { register - FIRST_AGPR + self.vgprs };
        usize::from(place)
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
        self.drop_partial(register);
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
        self.halves[place] = self.halves[place].map(|half| half & !exec);
        self.spoil(place, exec & !known);
    }

    /// Lanes became unknown while a memory instruction may be under way to them: what it brings counts no longer.
    #[inline(always)]
    fn spoil(&mut self, place: usize, lanes: u64) {
        if lanes != 0 {
            self.expected[place].iter_mut().for_each(|expected| expected.known &= !lanes);
        }
    }

    /// The lanes in which one half is known.
    pub(crate) fn half_known(&self, register: VectorNumber, is_high: bool) -> u64 {
        let place = self.place(register);
        self.known[place] | self.halves[place][usize::from(is_high)]
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
        self.drop_partial(register);
        let place = self.place(register);
        for (lane, (to, from)) in self.values[place].iter_mut().zip(values).enumerate() {
            if exec >> lane & 1 == 1 {
                *to = *from;
            }
        }
        let before = self.half_known(register, is_high);
        self.set_half_known(place, is_high, before & !exec | known & exec);
        self.expected[place][usize::from(is_high)].known &= !(exec & !known);
    }

    /// Sets the lanes in which one half is known, and keeps those of the other.
    fn set_half_known(&mut self, place: usize, is_high: bool, lanes: u64) {
        let mut halves = self.halves[place].map(|half| half | self.known[place]);
        halves[usize::from(is_high)] = lanes;
        self.known[place] = halves[0] & halves[1];
        self.halves[place] = halves.map(|half| half & !self.known[place]);
        self.has_halves |= self.halves[place] != [0; 2];
    }

    /// Whether a half of any register was ever known without the other one.
    #[inline(always)]
    pub(crate) fn has_halves(&self) -> bool {
        self.has_halves
    }

    /// Whether one half of some lane is known and the other one is not.
    pub(crate) fn is_half_known(&self, register: VectorNumber) -> bool {
        self.halves[self.place(register)] != [0; 2]
    }

    /// Makes lanes known of which one half is: the other one becomes ones or zeros.
    pub(crate) fn fill_halves(&mut self, register: VectorNumber, with_ones: bool) {
        let place = self.place(register);
        for (lanes, unknown) in std::mem::take(&mut self.halves[place]).into_iter().zip([0xffff_0000, 0xffff_u32]) {
            for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
                let value = &mut self.values[place][lane];
                *value = if with_ones { *value | unknown } else { *value & !unknown };
            }
            self.known[place] |= lanes;
        }
    }

    /// A register's content, with its known and expected lanes.
    pub(crate) fn saved(&self, register: VectorNumber) -> Saved {
        let place = self.place(register);
        (self.values[place], self.known[place], self.halves[place], self.expected[place])
    }

    /// Brings a register back to a state before.
    pub(crate) fn restore(&mut self, register: VectorNumber, saved: &Saved) {
        let place = self.place(register);
        (self.values[place], self.known[place], self.halves[place], self.expected[place]) = *saved;
    }

    /// The known bits of a lane; the high half counts as known.
    pub(crate) fn lane_bits(&self, register: VectorNumber, lane: usize) -> Bits {
        match self.lane(register, lane) {
            Some(value) => Bits::of(Some(u64::from(value))),
            None => {
                let is_it = |entry: &&(VectorNumber, u8, Bits)| (entry.0, entry.1) == (register, lane as u8);
                let place = self.place(register);
                let masks = [0xffff, 0xffff_0000].into_iter().zip(self.halves[place]);
                let mask = masks.filter(|(_, lanes)| lanes >> lane & 1 == 1).fold(0, |all, (mask, _)| all | mask);
                let value = u64::from(self.values[place][lane]) & mask;
                let half = Bits { value, known: mask | u64::MAX << 32 };
                self.partial.iter().find(is_it).map_or(half, |entry| entry.2)
            }
        }
    }

    /// Writes the known bits of a lane.
    pub(crate) fn write_lane_bits(&mut self, register: VectorNumber, lane: usize, bits: Bits) {
        self.partial.retain(|entry| (entry.0, entry.1) != (register, lane as u8));
        if bits.known as u32 == u32::MAX {
            self.write_lane(register, lane, Some(bits.value as u32));
        } else {
            self.write_lane(register, lane, None);
            self.partial.push((register, lane as u8, bits));
        }
    }

    /// Something else is written to a register.
    fn drop_partial(&mut self, register: VectorNumber) {
        if !self.partial.is_empty() {
            self.partial.retain(|entry| entry.0 != register);
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
                self.spoil(place, 1 << lane);
            }
        }
        self.halves[place] = self.halves[place].map(|half| half & !(1 << lane));
    }

    /// The values of all lanes, for a memory instruction to fill: [`VectorRegisters::expect`] has their known bits.
    pub(crate) fn lanes_mut(&mut self, register: VectorNumber) -> &mut [u32; LANES] {
        let place = self.place(register);
        &mut self.values[place]
    }

    /// Makes the lanes of `exec` of some registers unknown until [`VectorRegisters::arrive`]; then those of `known` are known.
    pub(crate) fn expect(&mut self, first: VectorNumber, exec: u64, known: &[u64]) -> Filled {
        self.ticket = self.ticket.wrapping_add(1);
        for ((register, place), known) in (first..).zip(self.place(first)..).zip(known) {
            self.drop_partial(register);
            self.known[place] &= !exec;
            self.halves[place] = self.halves[place].map(|half| half & !exec);
            self.expected[place] = [Expected { ticket: self.ticket, lanes: exec, known: *known }; 2];
        }
        Filled { first, count: known.len() as u8, ticket: self.ticket, half: None }
    }

    /// Likewise for a half of a register.
    pub(crate) fn expect_half(&mut self, register: VectorNumber, is_high: bool, exec: u64, known: u64) -> Filled {
        self.ticket = self.ticket.wrapping_add(1);
        self.drop_partial(register);
        let place = self.place(register);
        let before = self.half_known(register, is_high);
        self.set_half_known(place, is_high, before & !exec);
        self.expected[place][usize::from(is_high)] = Expected { ticket: self.ticket, lanes: exec, known };
        Filled { first: register, count: 1, ticket: self.ticket, half: Some(is_high) }
    }

    /// Says of the high half of a register that is [expected](Self::expect) in which lanes it will be known.
    pub(crate) fn expect_high(&mut self, register: VectorNumber, known: u64) {
        let place = self.place(register);
        self.expected[place][1].known = known;
        self.has_halves |= known != self.expected[place][0].known;
    }

    /// A memory instruction's results are ready. Where another one fills the same register later, that one counts; where
    /// something was written in between, the two have raced and the value is unknown.
    pub(crate) fn arrive(&mut self, filled: Filled) {
        for place in (self.place(filled.first)..).take(filled.count.into()) {
            for is_high in [false, true] {
                let Expected { ticket, lanes, known } = self.expected[place][usize::from(is_high)];
                if ticket == filled.ticket {
                    let before = self.known[place] | self.halves[place][usize::from(is_high)];
                    let raced = before & lanes;
                    self.set_half_known(place, is_high, before & !lanes | known & lanes & !raced);
                }
            }
        }
    }

    /// Makes all of them unknown.
    pub(crate) fn clobber_all(&mut self) {
        self.partial.clear();
        self.known.fill(0);
        self.halves.fill([0; 2]);
        self.expected.as_flattened_mut().iter_mut().for_each(|expected| expected.known = 0);
    }

    /// Makes the lanes of `exec` of `count` registers unknown.
    pub(crate) fn clobber(&mut self, first: VectorNumber, count: u8, exec: u64) {
        (first..).take(count.into()).for_each(|register| self.drop_partial(register));
        let place = self.place(first);
        let places = place..place + usize::from(count);
        for place in places {
            self.known[place] &= !exec;
            self.halves[place] = self.halves[place].map(|half| half & !exec);
            self.spoil(place, exec);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What happens to the two halves of a register, in lanes of a mask.
    #[derive(Debug, Clone, Copy)]
    enum Event {
        /// Something is written, known in the lanes of the second mask.
        Write(u64, u64),
        /// One half is.
        WriteHalf(bool, u64, u64),
        /// One lane is, or some of its bits.
        WriteLane(usize, Option<u32>),
        WriteBits(usize, u64),
        Clobber(u64),
        ClobberAll,
        /// A load gets under way, of the whole or of a half, and brings what is known in the lanes of the second mask.
        Expect(u64, u64),
        ExpectHalf(bool, u64, u64),
        /// One of the loads so far arrives.
        Arrive(prop::sample::Index),
    }

    fn events() -> impl Strategy<Value = Event> {
        let mask = || prop_oneof![Just(u64::MAX), Just(0), any::<u64>()];
        let value = prop::option::of(Just(7));
        let bits = prop_oneof![Just(u64::MAX), Just(u64::MAX << 16)];
        prop_oneof![
            (mask(), mask()).prop_map(|(exec, known)| Event::Write(exec, known)),
            (any::<bool>(), mask(), mask()).prop_map(|(half, exec, known)| Event::WriteHalf(half, exec, known)),
            (0..LANES, value).prop_map(|(lane, value)| Event::WriteLane(lane, value)),
            (0..LANES, bits).prop_map(|(lane, known)| Event::WriteBits(lane, known)),
            mask().prop_map(Event::Clobber),
            Just(Event::ClobberAll),
            (mask(), mask()).prop_map(|(exec, known)| Event::Expect(exec, known)),
            (any::<bool>(), mask(), mask()).prop_map(|(half, exec, known)| Event::ExpectHalf(half, exec, known)),
            any::<prop::sample::Index>().prop_map(Event::Arrive),
        ]
    }

    /// One half of one lane, as the manuals have it: a write while a load is under way races with the load.
    #[derive(Debug, Clone, Copy, Default)]
    struct Cell {
        is_known: bool,
        /// The load that fills it, and whether its data are known.
        awaited: Option<(usize, bool)>,
    }

    impl Cell {
        fn write(&mut self, is_known: bool) {
            self.is_known = is_known;
            self.awaited = self.awaited.map(|(load, _)| (load, false));
        }
    }

    /// Applies an event to the cells, and to the register. `loads` are those so far.
    fn apply(
        event: Event,
        cells: &mut [[Cell; LANES]; 2],
        vectors: &mut VectorRegisters,
        loads: &mut Vec<Option<Filled>>,
    ) {
        let has = |mask: u64, lane: usize| mask >> lane & 1 == 1;
        let write = |cells: &mut [Cell; LANES], exec: u64, known: u64| {
            let active = cells.iter_mut().enumerate().filter(|(lane, _)| has(exec, *lane));
            active.for_each(|(lane, cell)| cell.write(has(known, lane)));
        };
        let expect = |cells: &mut [Cell; LANES], load: usize, exec: u64, known: u64| {
            for (lane, cell) in cells.iter_mut().enumerate() {
                cell.is_known &= !has(exec, lane);
                cell.awaited = has(exec, lane).then_some((load, has(known, lane)));
            }
        };
        match event {
            Event::Write(exec, known) => {
                cells.iter_mut().for_each(|half| write(half, exec, known));
                vectors.write(1, exec, &[7; LANES], known);
            }
            Event::WriteHalf(half, exec, known) => {
                write(&mut cells[usize::from(half)], exec, known);
                vectors.write_half(1, exec, (&[7; LANES], half), known);
            }
            Event::WriteLane(lane, value) => {
                cells.iter_mut().for_each(|half| half[lane].write(value.is_some()));
                vectors.write_lane(1, lane, value);
            }
            Event::WriteBits(lane, known) => {
                cells.iter_mut().for_each(|half| half[lane].write(known == u64::MAX));
                vectors.write_lane_bits(1, lane, Bits { value: 0, known });
            }
            Event::Clobber(exec) => {
                cells.iter_mut().for_each(|half| write(half, exec, 0));
                vectors.clobber(1, 1, exec);
            }
            Event::ClobberAll => {
                cells.iter_mut().for_each(|half| write(half, u64::MAX, 0));
                vectors.clobber_all();
            }
            Event::Expect(exec, known) => {
                cells.iter_mut().for_each(|half| expect(half, loads.len(), exec, known));
                loads.push(Some(vectors.expect(1, exec, &[known])));
            }
            Event::ExpectHalf(half, exec, known) => {
                expect(&mut cells[usize::from(half)], loads.len(), exec, known);
                loads.push(Some(vectors.expect_half(1, half, exec, known)));
            }
            Event::Arrive(index) if !loads.is_empty() => {
                let load = index.index(loads.len());
                for cell in cells.iter_mut().flatten() {
                    if let Some((_, is_known)) = cell.awaited.take_if(|(of, _)| *of == load) {
                        cell.is_known = is_known;
                    }
                }
                if let Some(filled) = loads[load].take() {
                    vectors.arrive(filled);
                }
            }
            Event::Arrive(_) => {}
        }
    }

    proptest! {
        #[test]
        fn a_register_is_known_where_nothing_raced(events in prop::collection::vec(events(), 0..24)) {
            let (mut cells, mut vectors) = ([[Cell::default(); LANES]; 2], VectorRegisters::new(4, 0));
            let mut loads = Vec::new();
            for event in events {
                apply(event, &mut cells, &mut vectors, &mut loads);
                let known = |half: usize| (0..LANES).fold(0, |mask, lane| mask | u64::from(cells[half][lane].is_known) << lane);
                prop_assert_eq!([vectors.half_known(1, false), vectors.half_known(1, true)], [known(0), known(1)]);
                prop_assert_eq!(vectors.read(1).1, known(0) & known(1));
            }
        }
    }

    #[test]
    fn accumulation_registers_follow_the_others() {
        let mut vectors = VectorRegisters::new(4, 4);
        vectors.write(3, u64::MAX, &[3; LANES], u64::MAX);
        vectors.write(FIRST_AGPR + 1, u64::MAX, &[7; LANES], u64::MAX);
        assert_eq!((vectors.lane(3, 0), vectors.lane(FIRST_AGPR, 0)), (Some(3), None));
        vectors.clobber(FIRST_AGPR, 2, 1);
        assert_eq!((vectors.lane(FIRST_AGPR + 1, 0), vectors.lane(FIRST_AGPR + 1, 1)), (None, Some(7)));
        assert_eq!(vectors.lane(3, 0), Some(3));
        let filled = vectors.expect(FIRST_AGPR + 2, 2, &[2, 2]);
        assert_eq!(vectors.lane(FIRST_AGPR + 3, 1), None);
        vectors.arrive(filled);
        assert_eq!((vectors.lane(FIRST_AGPR + 2, 1), vectors.lane(FIRST_AGPR + 3, 1)), (Some(0), Some(0)));
    }
}
