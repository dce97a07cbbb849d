//! A SIMD's choice of the wave that issues next.

use crate::cost::issue_model::IssueModel;
use crate::cost::unit::{Availability, Reservation, UNITS, Unit};
use crate::issue::matrix_queue::MatrixQueue;
use crate::issue::matrix_unit::MatrixUnit;
use crate::issue::register_banks::RegisterBanks;
use crate::lower::bank_use::BankUse;
use crate::lower::micro_op::MicroOp;
use crate::state::bank_caches::BankCaches;
use crate::state::vector_number::VectorNumber;
use gcn_model::gpu::Pipelines;

/// Never: no wave can issue.
pub(crate) const NEVER: u64 = u64::MAX;
/// Wave slots of a SIMD in the model: the most that a GPU file may have.
const SLOTS: usize = 32;
/// Bits of a [`Candidate`] that number the wave, and those of its priority.
const WAVE_BITS: u32 = 24;
const PRIORITY_BITS: u32 = 2;
const MOST_PRIORITY: u8 = 3;

/// When each unit is free, in whole cycles, by [`Unit`].
pub(crate) type Free = [u64; UNITS];

/// A wave that can issue from a cycle on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entering {
    pub(crate) wave: u32,
    pub(crate) ready: u64,
    pub(crate) priority: u8,
}

/// A wave and the cycle from which on it can issue, as one number: candidates are in the order of that cycle, of those at the same one the
/// wave of the higher priority is first, then the one that was launched first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate(u64);

impl Candidate {
    fn new(entering: Entering) -> Self {
        let behind = u64::from(MOST_PRIORITY - entering.priority.min(MOST_PRIORITY));
        Self(entering.ready << (WAVE_BITS + PRIORITY_BITS) | behind << WAVE_BITS | u64::from(entering.wave))
    }

    fn ready(self) -> u64 {
        self.0 >> (WAVE_BITS + PRIORITY_BITS)
    }

    /// Its place among those that can issue, if the oldest is first: by priority, then by age.
    fn place(self) -> u64 {
        self.0 & ((1 << (WAVE_BITS + PRIORITY_BITS)) - 1)
    }

    /// By how much its priority is below the highest.
    fn behind(self) -> u64 {
        self.place() >> WAVE_BITS
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

    fn at(&self, place: usize) -> Candidate {
        self.ring[(self.head + place) % SLOTS]
    }

    /// Takes out the candidate at a place.
    fn remove(&mut self, place: usize) -> Candidate {
        let removed = self.at(place);
        for place in (0..place).rev() {
            self.ring[(self.head + place + 1) % SLOTS] = self.at(place);
        }
        self.head = (self.head + 1) % SLOTS;
        self.length -= 1;
        removed
    }

    /// The place of the candidate that is served at a cycle, of those that can issue then.
    fn served(&self, cycle: u64, oldest_first: bool) -> usize {
        let can_issue = (0..self.length).take_while(|place| self.at(*place).ready() <= cycle);
        let first = match oldest_first {
            true => can_issue.min_by_key(|place| self.at(*place).place()),
            false => can_issue.min_by_key(|place| (self.at(*place).behind(), self.at(*place).0)),
        };
        first.unwrap_or(0)
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
/// does; of those at the same cycle, the one of the highest priority; of these the one that is ready for longest, or the one that was launched
/// first, as the GPU file says.
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
    banks: RegisterBanks,
    /// The cycle at which the SIMD issues next.
    next: u64,
    /// The cycle since which the wave that issues then waits for a memory unit; 0 for other units.
    since: u64,
    /// The unit to which it issues then.
    chosen: usize,
    /// The place among those that want it of the wave that does.
    place: usize,
    oldest_first: bool,
    heeds_priority: bool,
    /// A wave has a priority of its own.
    has_priorities: bool,
}

impl Simd {
    /// A SIMD without waves.
    pub(crate) fn new(slots: u32, issue: IssueModel, pipelines: Option<&Pipelines>) -> Self {
        Self {
            slots: vec![None; slots as usize],
            at_barrier: 0,
            interval: u64::from(issue.interval),
            queues: [Queue::default(); UNITS],
            wanted: 0,
            ports: [0; UNITS],
            vector: Availability::default(),
            matrix: MatrixUnit::default(),
            transcendental: MatrixUnit::default(),
            matrices: MatrixQueue::new(pipelines),
            banks: RegisterBanks::new(pipelines),
            next: NEVER,
            since: NEVER,
            chosen: 0,
            place: 0,
            oldest_first: issue.oldest_first,
            heeds_priority: issue.heeds_priority,
            has_priorities: false,
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

    /// Adds a wave that can issue.
    pub(crate) fn enter(&mut self, entering: Entering, unit: Unit, shared: &Free) {
        let entering = Entering { priority: if self.heeds_priority { entering.priority } else { 0 }, ..entering };
        self.has_priorities |= entering.priority > 0;
        self.queues[unit as usize].insert(Candidate::new(entering));
        self.wanted |= 1 << unit as u32;
        self.look(shared);
    }

    /// Takes out the wave that issues at [`Simd::next`]; `None` if a shared unit is taken by then, and the SIMD issues later.
    pub(crate) fn take(&mut self, shared: &Free) -> Option<u32> {
        // Shared units only ever become free later: a choice whose own cycle stands is still the best.
        let queue = &self.queues[self.chosen];
        if queue.at(self.place).ready().max(self.ports[self.chosen]).max(shared[self.chosen]) > self.next {
            self.look(shared);
            return None;
        }
        Some(self.pop())
    }

    /// The wave that issues next and when, if that is not after `until`.
    pub(crate) fn candidate(&self, until: u64) -> Option<(u32, u64)> {
        let can_issue = self.next <= until && self.next != NEVER;
        can_issue.then(|| (self.queues[self.chosen].at(self.place).wave(), self.next))
    }

    /// Whether all waves that can issue want the SIMD's own units.
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
        let wave = queue.remove(self.place).wave();
        if queue.length == 0 {
            self.wanted &= !(1 << self.chosen);
        }
        wave
    }

    /// Takes out a wave, whether it is the next one or not.
    pub(crate) fn withdraw(&mut self, wave: u32, shared: &Free) {
        for (unit, queue) in self.queues.iter_mut().enumerate() {
            let found = (0..queue.length).find(|place| queue.at(*place).wave() == wave);
            found.into_iter().for_each(|place| {
                queue.remove(place);
            });
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
        let mut best = (NEVER, (u64::MAX, u64::MAX));
        let mut since = NEVER;
        let is_plain = !self.oldest_first && !self.has_priorities;
        let mut wanted = self.wanted;
        while wanted != 0 {
            let unit = wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            let queue = &self.queues[unit];
            let cycle = queue.first().ready().max(self.ports[unit]).max(shared[unit]);
            if cycle > best.0 {
                continue;
            }
            let place = if is_plain { 0 } else { queue.served(cycle, self.oldest_first) };
            let served = queue.at(place);
            let rank = if self.oldest_first { (0, served.place()) } else { (served.behind(), served.0) };
            if (cycle, rank) < best {
                (best, since) = ((cycle, rank), served.ready());
                (self.chosen, self.place) = (unit, place);
            }
        }
        self.next = best.0;
        let waits_in_line = self.chosen == Unit::LocalDataShare as usize || self.chosen == Unit::VectorMemory as usize;
        self.since = if waits_in_line { since } else { 0 };
    }

    /// Occupies the parts of the SIMD that an instruction of `unit` needs.
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

    /// Sets the ports of the units reached through the vector ALU: that of the vector ALU itself.
    fn vector_ports(&mut self) -> u64 {
        let vector = self.vector.free.max(self.matrices.ready()).max(self.banks.ready());
        self.ports[Unit::Matrix as usize] = self.matrix.port(vector);
        self.ports[Unit::Transcendental as usize] = self.transcendental.port(vector);
        self.ports[Unit::MatrixQueue as usize] = vector;
        self.ports[Unit::Vector as usize] = vector;
        vector
    }

    /// Puts a vector step that is issued at `cycle` after the matrix instructions in flight, if it is one itself or there are any: the
    /// cycles of its start and its end. It can read its registers from `reads` on; those that it writes are written by others at `overwritten`.
    /// The caller knows whether it `accumulates` into its source.
    pub(crate) fn follow_matrices(
        &mut self,
        cycle: u64,
        step: &MicroOp,
        (reads, overwritten): (u64, u64),
        accumulates: bool,
    ) -> (u64, u64) {
        let start = match step.is_of_matrix_queue() {
            true => self.matrices.enter_matrix(cycle, step.array.cycles() as u64, (reads, overwritten), accumulates),
            false => self.matrices.enter(cycle, step.hold.cycles() as u64, reads),
        };
        self.vector_ports();
        (start, self.matrices.last())
    }

    /// Reads the operands of a vector instruction that a wave with these caches issues at `cycle`, and that writes these registers.
    pub(crate) fn read_operands(
        &mut self,
        caches: &mut BankCaches,
        cycle: u64,
        of: &BankUse,
        written: impl IntoIterator<Item = VectorNumber>,
    ) {
        self.banks.enter(caches, cycle, of, written);
        self.vector_ports();
    }

    /// First cycle at which there is a place in the queue of matrix instructions.
    pub(crate) fn matrices_ready(&self) -> u64 {
        self.matrices.ready()
    }

    /// Occupies the parts of the SIMD for an instruction that wants the matrix unit.
    pub(crate) fn occupy_matrix(&mut self, cycle: u64, vector: Reservation, matrix: Reservation) {
        self.matrix.occupy(cycle, matrix);
        self.occupy(Unit::Vector, cycle, vector);
    }

    /// Occupies the parts of the SIMD for a transcendental instruction.
    pub(crate) fn occupy_transcendental(&mut self, cycle: u64, vector: Reservation, unit: Reservation) {
        self.transcendental.occupy(cycle, unit);
        self.occupy(Unit::Vector, cycle, vector);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;

    fn issue() -> IssueModel {
        IssueModel::of(&Gpu::named("tahiti").unwrap())
    }

    /// The waves in the order in which they issue, of those that enter with a ready cycle and a priority while the unit is busy until 40.
    fn order(issue: IssueModel, waves: &[(u64, u8)]) -> Vec<u32> {
        let shared = [0; UNITS];
        let mut simd = Simd::new(10, issue, None);
        for (wave, &(ready, priority)) in (0..).zip(waves) {
            simd.enter(Entering { wave, ready, priority }, Unit::Vector, &shared);
        }
        simd.occupy(Unit::Vector, 36, Reservation::of_simd(1.0, 4));
        simd.look(&shared);
        let take = |_| {
            let wave = simd.take(&shared).unwrap();
            simd.look(&shared);
            wave
        };
        (0..waves.len()).map(take).collect()
    }

    #[test]
    fn the_oldest_wave_is_first_where_the_gpu_file_says_so_and_priorities_go_before() {
        let oldest = IssueModel { oldest_first: true, ..issue() };
        assert_eq!(order(issue(), &[(30, 0), (10, 0), (20, 0)]), [1, 2, 0]);
        assert_eq!(order(oldest, &[(30, 0), (10, 0), (20, 0)]), [0, 1, 2]);
        assert_eq!(order(issue(), &[(30, 0), (10, 0), (20, 2)]), [2, 1, 0]);
        assert_eq!(order(oldest, &[(30, 0), (10, 1), (20, 3)]), [2, 1, 0]);
        let deaf = IssueModel { heeds_priority: false, ..oldest };
        assert_eq!(order(deaf, &[(30, 0), (10, 1), (20, 3)]), [0, 1, 2]);
    }

    #[test]
    fn a_unit_serves_who_is_ready_for_longest() {
        let shared = [0; UNITS];
        let mut simd = Simd::new(10, issue(), None);
        simd.enter(Entering { wave: 0, ready: 20, priority: 0 }, Unit::Vector, &shared);
        simd.enter(Entering { wave: 1, ready: 8, priority: 0 }, Unit::Vector, &shared);
        simd.enter(Entering { wave: 2, ready: 8, priority: 0 }, Unit::Vector, &shared);
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
        let mut simd = Simd::new(10, issue(), None);
        simd.enter(Entering { wave: 0, ready: 4, priority: 0 }, Unit::Scalar, &shared);
        simd.enter(Entering { wave: 1, ready: 6, priority: 0 }, Unit::Vector, &shared);
        assert_eq!(simd.next(), 4);
        shared[Unit::Scalar as usize] = 9;
        assert_eq!(simd.take(&shared), None);
        assert_eq!(simd.next(), 6, "the other wave is first now");
        assert_eq!(simd.take(&shared), Some(1));
    }
}
