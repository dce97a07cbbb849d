//! A SIMD's choice of the wave that issues next.

use crate::cost::unit::{Availability, Reservation, UNITS, Unit};
use crate::issue::matrix_queue::MatrixQueue;
use crate::issue::matrix_unit::MatrixUnit;
use crate::lower::step::Step;
use gcn_model::gpu::Pipelines;

/// Never: no wave can issue.
pub(crate) const NEVER: u64 = u64::MAX;
/// Wave slots of a SIMD that the model has room for: what a GPU file may say at most.
const SLOTS: usize = 32;
/// Bits of a [`Candidate`] that number the wave.
const WAVE_BITS: u32 = 24;

/// When each unit is free, in whole cycles, by [`Unit`].
pub(crate) type Free = [u64; UNITS];

/// A wave and the cycle from which on it can issue, as one number: candidates are in the order in which a unit serves
/// them, who is ready for longest first, of those the wave that was launched first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate(u64);

impl Candidate {
    fn new(wave: u32, ready: u64) -> Self {
        Self(ready << WAVE_BITS | u64::from(wave))
    }

    fn ready(self) -> u64 {
        self.0 >> WAVE_BITS
    }

    fn wave(self) -> u32 {
        (self.0 & ((1 << WAVE_BITS) - 1)) as u32
    }
}

/// The waves that want one unit, in the order in which it serves them: a ring.
#[derive(Debug, Clone, Copy, Default)]
struct Queue {
    ring: [Candidate; SLOTS],
    head: usize,
    length: usize,
}

impl Queue {
    fn first(&self) -> Candidate {
        self.ring[self.head % SLOTS]
    }

    fn pop(&mut self) -> Candidate {
        let first = self.first();
        self.head = (self.head + 1) % SLOTS;
        self.length -= 1;
        first
    }

    /// Puts a candidate in its place, which is the last one unless waves take different times.
    fn insert(&mut self, candidate: Candidate) {
        let mut place = self.head + self.length;
        while place > self.head && self.ring[(place - 1) % SLOTS] > candidate {
            self.ring[place % SLOTS] = self.ring[(place - 1) % SLOTS];
            place -= 1;
        }
        self.ring[place % SLOTS] = candidate;
        self.length += 1;
    }
}

/// The waves of a SIMD that can issue, and when its units take them.
///
/// A wave is ready at some cycle and wants some unit; it issues at the later of the two. The wave that can issue first
/// does; of those at the same cycle, the one that is ready for longest, then the one that was launched first.
#[derive(Debug)]
pub(crate) struct Simd {
    /// The wave in each slot.
    pub(crate) slots: Vec<Option<u32>>,
    /// Waves that wait at a barrier, which waves of other SIMDs may open.
    pub(crate) at_barrier: u32,
    /// A port to a shared unit takes one instruction in this many cycles: one turn of the SIMDs.
    interval: u64,
    queues: [Queue; UNITS],
    /// Units that waves want, one bit each.
    wanted: u32,
    /// When the ports to the units are free.
    ports: Free,
    vector: Availability,
    matrix: MatrixUnit,
    transcendental: MatrixUnit,
    matrices: MatrixQueue,
    /// The cycle at which the SIMD issues next.
    next: u64,
    /// The cycle since which the wave that issues then waits for a memory unit; 0 for other units.
    since: u64,
    /// The unit to which it issues then.
    chosen: usize,
}

impl Simd {
    /// A SIMD without waves.
    pub(crate) fn new(slots: u32, interval: u32, pipelines: Option<&Pipelines>) -> Self {
        Self {
            slots: vec![None; slots as usize],
            at_barrier: 0,
            interval: u64::from(interval),
            queues: [Queue::default(); UNITS],
            wanted: 0,
            ports: [0; UNITS],
            vector: Availability::default(),
            matrix: MatrixUnit::default(),
            transcendental: MatrixUnit::default(),
            matrices: MatrixQueue::new(pipelines),
            next: NEVER,
            since: NEVER,
            chosen: 0,
        }
    }

    /// The cycle at which the SIMD issues next, as far as it knows of the shared units: no later than it really does.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// The cycle since which the wave that issues at [`Simd::next`] waits, if it wants a memory unit. These take who came
    /// first; at the others the SIMDs take turns.
    pub(crate) fn since(&self) -> u64 {
        self.since
    }

    /// Adds a wave that can issue from cycle `ready` on.
    pub(crate) fn enter(&mut self, wave: u32, ready: u64, unit: Unit, shared: &Free) {
        self.queues[unit as usize].insert(Candidate::new(wave, ready));
        self.wanted |= 1 << unit as u32;
        self.look(shared);
    }

    /// Takes out the wave that issues at [`Simd::next`]; `None` if a shared unit is taken by then, and the SIMD issues later.
    pub(crate) fn take(&mut self, shared: &Free) -> Option<u32> {
        // Shared units only ever become free later: a choice whose own cycle stands is still the best.
        let queue = &mut self.queues[self.chosen];
        if queue.first().ready().max(self.ports[self.chosen]).max(shared[self.chosen]) > self.next {
            self.look(shared);
            return None;
        }
        Some(self.pop())
    }

    /// The wave that issues next and when, if that is not after `until`.
    pub(crate) fn candidate(&self, until: u64) -> Option<(u32, u64)> {
        let can_issue = self.next <= until && self.next != NEVER;
        can_issue.then(|| (self.queues[self.chosen].first().wave(), self.next))
    }

    /// Whether all waves that can issue want what the SIMD has for itself.
    pub(crate) fn wants_its_own(&self) -> bool {
        self.wanted & !(1 << Unit::Vector as u32 | 1 << Unit::Internal as u32) == 0
    }

    /// Whether one wave alone can issue.
    pub(crate) fn is_alone(&self) -> bool {
        self.wanted.is_power_of_two() && self.queues[self.chosen].length == 1
    }

    /// Takes out the wave of [`Simd::candidate`].
    pub(crate) fn pop(&mut self) -> u32 {
        let queue = &mut self.queues[self.chosen];
        let wave = queue.pop().wave();
        if queue.length == 0 {
            self.wanted &= !(1 << self.chosen);
        }
        wave
    }

    /// Takes out a wave, whether it is the next one or not.
    pub(crate) fn withdraw(&mut self, wave: u32, shared: &Free) {
        for (unit, queue) in self.queues.iter_mut().enumerate() {
            let all: Vec<Candidate> = (0..queue.length).map(|_| queue.pop()).collect();
            all.into_iter().filter(|candidate| candidate.wave() != wave).for_each(|candidate| queue.insert(candidate));
            if queue.length == 0 {
                self.wanted &= !(1 << unit);
            }
        }
        self.look(shared);
    }

    /// First cycle at which the port to a unit is free.
    pub(crate) fn port(&self, unit: Unit) -> u64 {
        self.ports[unit as usize]
    }

    /// Finds the candidate that can issue first.
    pub(crate) fn look(&mut self, shared: &Free) {
        let mut best = (NEVER, Candidate(u64::MAX));
        let mut wanted = self.wanted;
        while wanted != 0 {
            let unit = wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            let first = self.queues[unit].first();
            let cycle = first.ready().max(self.ports[unit]).max(shared[unit]);
            if (cycle, first) < best {
                best = (cycle, first);
                self.chosen = unit;
            }
        }
        self.next = best.0;
        let waits_in_line = self.chosen == Unit::LocalDataShare as usize || self.chosen == Unit::VectorMemory as usize;
        self.since = if waits_in_line { best.1.ready() } else { 0 };
    }

    /// Occupies what an instruction of `unit` needs of the SIMD.
    pub(crate) fn occupy(&mut self, unit: Unit, cycle: u64, hold: Reservation) {
        self.ports[unit as usize] = match unit {
            Unit::Internal => 0,
            Unit::Vector | Unit::MatrixQueue => {
                self.vector.occupy(cycle, hold);
                self.vector_ports()
            }
            _ => cycle + self.interval,
        };
    }

    /// Sets the ports of what is reached through the vector ALU: that of the vector ALU itself.
    fn vector_ports(&mut self) -> u64 {
        let vector = self.vector.free.max(self.matrices.ready());
        self.ports[Unit::Matrix as usize] = self.matrix.port(vector);
        self.ports[Unit::Transcendental as usize] = self.transcendental.port(vector);
        self.ports[Unit::MatrixQueue as usize] = vector;
        self.ports[Unit::Vector as usize] = vector;
        vector
    }

    /// Puts a vector step that is issued at `cycle` behind the matrix instructions under way, if it is none itself or there are any: the
    /// cycle of its start. It can read its registers from `reads` on; those that it writes are written by others at `overwritten`.
    pub(crate) fn follow_matrices(&mut self, cycle: u64, step: &Step, reads: u64, overwritten: u64) -> u64 {
        let start = match step.is_of_matrix_queue() {
            true => self.matrices.enter_matrix(cycle, step.array.cycles() as u64, reads, overwritten),
            false => self.matrices.enter(cycle, step.hold.cycles() as u64),
        };
        self.vector_ports();
        start
    }

    /// Occupies what an instruction needs of the SIMD that wants the matrix unit.
    pub(crate) fn occupy_matrix(&mut self, cycle: u64, vector: Reservation, matrix: Reservation) {
        self.matrix.occupy(cycle, matrix);
        self.occupy(Unit::Vector, cycle, vector);
    }

    /// Occupies what a transcendental instruction needs of the SIMD.
    pub(crate) fn occupy_transcendental(&mut self, cycle: u64, vector: Reservation, unit: Reservation) {
        self.transcendental.occupy(cycle, unit);
        self.occupy(Unit::Vector, cycle, vector);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_serves_who_is_ready_for_longest() {
        let shared = [0; UNITS];
        let mut simd = Simd::new(10, 4, None);
        simd.enter(0, 20, Unit::Vector, &shared);
        simd.enter(1, 8, Unit::Vector, &shared);
        simd.enter(2, 8, Unit::Vector, &shared);
        simd.occupy(Unit::Vector, 26, Reservation::of_simd(1.0, 4));
        simd.look(&shared);
        assert_eq!(simd.next(), 30);
        let order: Vec<_> = (0..3)
            .map(|_| {
                let wave = simd.take(&shared);
                simd.look(&shared);
                wave
            })
            .collect();
        assert_eq!(order, [Some(1), Some(2), Some(0)]);
        assert_eq!(simd.next(), NEVER);
    }

    #[test]
    fn a_shared_unit_that_was_taken_in_between_delays_the_choice() {
        let mut shared = [0; UNITS];
        let mut simd = Simd::new(10, 4, None);
        simd.enter(0, 4, Unit::Scalar, &shared);
        simd.enter(1, 6, Unit::Vector, &shared);
        assert_eq!(simd.next(), 4);
        shared[Unit::Scalar as usize] = 9;
        assert_eq!(simd.take(&shared), None);
        assert_eq!(simd.next(), 6, "the other wave is first now");
        assert_eq!(simd.take(&shared), Some(1));
    }
}
