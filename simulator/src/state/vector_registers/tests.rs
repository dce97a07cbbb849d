//! Registers follow the manuals' rules through any events.

use super::*;
use crate::state::flight::Filled;
use crate::state::loaded::Loaded;
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
    /// A load gets under way, of the whole or of a half, and brings what is known in the lanes of the other masks, by half.
    Expect(u64, [u64; 2]),
    ExpectHalf(bool, u64, u64),
    /// One of the loads so far arrives.
    Arrive(prop::sample::Index),
}

fn events() -> impl Strategy<Value = Event> {
    let mask = || prop_oneof![Just(u64::MAX), Just(0), any::<u64>()];
    let value = prop::option::of(Just(7));
    let bits = prop_oneof![Just(u64::MAX), Just(u64::MAX << 16), Just(u64::MAX << 32 | 0xff_ffff)];
    prop_oneof![
        (mask(), mask()).prop_map(|(exec, known)| Event::Write(exec, known)),
        (any::<bool>(), mask(), mask()).prop_map(|(half, exec, known)| Event::WriteHalf(half, exec, known)),
        (0..LANES, value).prop_map(|(lane, value)| Event::WriteLane(lane, value)),
        (0..LANES, bits).prop_map(|(lane, known)| Event::WriteBits(lane, known)),
        mask().prop_map(Event::Clobber),
        Just(Event::ClobberAll),
        (mask(), mask()).prop_map(|(exec, known)| Event::Expect(exec, [known; 2])),
        (mask(), mask(), mask()).prop_map(|(exec, low, high)| Event::Expect(exec, [low, high])),
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
fn apply(event: Event, cells: &mut [[Cell; LANES]; 2], vectors: &mut VectorRegisters, loads: &mut Vec<Option<Filled>>) {
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
            for (half, bits) in cells.iter_mut().zip(HALVES) {
                half[lane].write(known as u32 & bits == bits);
            }
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
            let mut loaded = Loaded::default();
            for lane in (0..LANES).filter(|lane| has(exec, *lane)) {
                let bits = known.iter().zip(HALVES).filter(|(known, _)| has(**known, lane));
                loaded.set(0, lane, bits.fold(0, |all, (_, bits)| all | bits));
            }
            cells.iter_mut().zip(known).for_each(|(half, known)| expect(half, loads.len(), exec, known));
            loads.push(Some(vectors.expect((1, 1), exec, &loaded)));
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
    let filled = vectors.expect((FIRST_AGPR + 2, 2), 2, &Loaded { lanes: [2, 2, 0, 0], parts: Vec::new() });
    assert_eq!(vectors.lane(FIRST_AGPR + 3, 1), None);
    vectors.arrive(filled);
    assert_eq!((vectors.lane(FIRST_AGPR + 2, 1), vectors.lane(FIRST_AGPR + 3, 1)), (Some(0), Some(0)));
}
