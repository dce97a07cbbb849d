//! LDS instructions, lane by lane.

use crate::error::Problem;
use crate::lds::access::{LdsAccess, LdsOutcome};
use crate::lds::action::Action;
use crate::lds::between::{combine, exchange, source_distance};
use crate::lds::counted::Wanted;
use crate::lds::memory::LdsMemory;
use crate::lds::permutation::PermutedRegisters;
use crate::memory::reach::{Addresses, Reach, active};
use crate::state::loaded::{Loaded, MOST_DWORDS};
use crate::state::scalar_registers::M0;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;

impl LdsAccess {
    /// Executes it.
    ///
    /// # Errors
    /// An address that is unknown or not aligned; an unknown EXEC or M0.
    pub(crate) fn execute(
        &self,
        wave: &mut Wave,
        local: &mut LdsMemory,
        instruction: u32,
    ) -> Result<LdsOutcome, Problem> {
        // Long: an access from its addresses to its results; its parts share nearly all values.
        let exec = wave.exec().ok_or_else(|| Problem::UnknownAddress("EXEC".into()))?;
        let mut done = LdsOutcome { cycles: 0, loaded: Loaded::default() };
        let m0 = |wave: &Wave| wave.scalars.read(M0).ok_or_else(|| Problem::UnknownControl("M0".into()));
        let limit = match self.action {
            Action::Permute(permutation) => {
                let (address, data) = (self.address, self.registers.data);
                let registers = PermutedRegisters { address, data, result: self.registers.result.unwrap_or(0) };
                let reach = (self.offsets[0] as u32, self.permutes_lanes);
                done.loaded = permutation.execute(wave, registers, reach, exec);
                return Ok(done);
            }
            Action::Nothing => return Ok(done),
            // M0 is the address here.
            Action::Count(_) | Action::ByLane(_) => local.bytes(),
            _ if self.is_limited => local.bytes().min(u64::from(m0(wave)?)),
            _ => local.bytes(),
        };
        if exec == u64::MAX {
            if let Some(rows) = self.rows(wave, limit) {
                return self.execute_rows(wave, local, instruction, rows);
            }
            if let Some(done) = self.execute_inside(wave, local, instruction, limit) {
                return Ok(done);
            }
        }
        let mut tuples = [[0; LANES]; 2];
        match self.action {
            Action::Count(_) | Action::ByLane(_) => {
                // LLVM puts the address of an LDS counter into M0 as it is (its `llvm.amdgcn.ds.append`).
                let base = u64::from(m0(wave)? & 0xfffc) + self.offsets[0];
                let distance = if matches!(self.action, Action::Count(_)) { 0 } else { 4 };
                tuples[0] = std::array::from_fn(|lane| base + distance * lane as u64);
            }
            _ => {
                let addresses = wave.known_lanes(self.address, exec)?;
                for (tuple, offset) in tuples.iter_mut().zip(self.offsets) {
                    for (to, address) in tuple.iter_mut().zip(addresses) {
                        *to = u64::from(*address) + offset;
                    }
                }
            }
        }
        let count = match self.action {
            Action::Double(_) => 2,
            Action::FromMemory(..) => {
                let offset = self.offsets[0];
                let [first, second] = &mut tuples;
                for (first, second) in first.iter_mut().zip(second) {
                    let address = first.wrapping_sub(offset);
                    *first = address & 0x1_ffff;
                    *second = first.wrapping_add(source_distance(address, offset));
                }
                2
            }
            _ => 1,
        };
        let mut inside = [[0; MOST_DWORDS]; 2];
        let alignment = u64::from(self.alignment);
        let bytes = self.value_bytes();
        for (tuple, inside) in tuples.iter().zip(&mut inside).take(count) {
            // No address is higher than all of their bits together.
            let bits = tuple.iter().fold(0, |bits, address| bits | address);
            let wrong = bits & (alignment - 1);
            let mut mask = u64::MAX;
            if bits.saturating_add(bytes) > limit {
                mask = (0..LANES)
                    .fold(0, |mask, lane| mask | u64::from(tuple[lane].saturating_add(bytes) <= limit) << lane);
            }
            if wrong != 0
                && let Some(lane) = active(exec).find(|lane| !tuple[*lane].is_multiple_of(alignment))
            {
                return Err(Problem::Misaligned { address: tuple[lane], bytes: self.alignment });
            }
            *inside = [mask; MOST_DWORDS];
        }
        let lanes = [inside[0][0] & exec, inside[1][0] & exec];
        let wanted = Wanted { tuples: &tuples[..count], lanes: &lanes[..count], dwords: u32::from(self.dwords) };
        done.cycles = match self.action {
            Action::FromMemory(..) => local.conflict_cycles(&wanted, self.service),
            _ => local.lane_conflict_cycles(&wanted, self.service),
        };
        if self.is_unobserved {
            return Ok(done);
        }
        let addresses = |tuple: usize| Addresses { lanes: tuples[tuple], inside: inside[tuple], distance: 4 };
        let first = addresses(0);
        let second = (count == 2).then(|| addresses(1));
        let reaches = [&first, second.as_ref().unwrap_or(&first)].map(Reach::Lanes);
        self.perform(wave, local, (reaches, exec, instruction), &mut done)?;
        Ok(done)
    }

    /// Does what it does to the LDS and to registers where its values reach.
    ///
    /// # Errors
    /// An address that is not there.
    pub(super) fn perform(
        &self,
        wave: &mut Wave,
        local: &mut LdsMemory,
        (reaches, exec, instruction): ([Reach<'_>; 2], u64, u32),
        done: &mut LdsOutcome,
    ) -> Result<(), Problem> {
        let [first, second] = reaches;
        let inside = exec & first.inside(0);
        let addresses = || active(inside).map(|lane| first.address(lane));
        match self.action {
            Action::Single(transfer) | Action::ByLane(transfer) => {
                let lanes = (first, exec, instruction);
                transfer.execute(&mut wave.vectors, self.registers, lanes, local, &mut done.loaded)?;
            }
            Action::Double(transfer) => {
                for (value, reach) in reaches.into_iter().enumerate() {
                    self.transfer_value(transfer, value, wave, (reach, exec, instruction), local, &mut done.loaded)?;
                }
            }
            Action::FromMemory(atomic, width) => {
                for lane in active(inside & second.inside(0)) {
                    combine((atomic, width), local, [first.address(lane), second.address(lane)], instruction)?;
                }
            }
            Action::Count(atomic) => {
                let place = (first.address(0), first.inside(0) & 1 == 1);
                self.count(atomic, wave, place, (exec, instruction), local, done)?;
            }
            Action::Exchange(dwords) => exchange(addresses(), dwords, local, instruction)?,
            Action::Transposed(dwords) if inside == u64::MAX => {
                self.deal(addresses(), dwords, (wave, local), &mut done.loaded)?;
            }
            Action::Permute(_) | Action::Transposed(_) | Action::Nothing => {}
        }
        Ok(())
    }
}
