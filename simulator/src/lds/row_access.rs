//! LDS instructions whose lanes' addresses are rows: work that is otherwise lane by lane is done at once.

use crate::error::Problem;
use crate::lds::access::{LdsAccess, LdsOutcome};
use crate::lds::action::Action;
use crate::lds::between::source_distance;
use crate::lds::memory::{LdsMemory, WantedRows};
use crate::memory::reach::Reach;
use crate::state::loaded::Loaded;
use crate::state::row::Row;
use crate::state::scalar_registers::M0;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;

impl LdsAccess {
    /// The addresses of the values as one row or two; `None` if they are irregular, not aligned, or not all below `limit`.
    pub(super) fn rows(&self, wave: &Wave, limit: u64) -> Option<(Row, Option<Row>)> {
        let [first, second] = self.offsets.map(Row::same);
        let rows = match self.action {
            Action::Count(_) => (Row::same(u64::from(wave.scalars.read(M0)? & 0xfffc)).plus(first), None),
            Action::ByLane(_) => {
                let base = u64::from(wave.scalars.read(M0)? & 0xfffc);
                (Row { first: base, step: 4 }.plus(first), None)
            }
            Action::Double(_) => {
                let row = wave.row(self.address)?;
                (row.plus(first), Some(row.plus(second)))
            }
            Action::FromMemory(..) => {
                let row = wave.row(self.address)?;
                // Of higher addresses only some bits count.
                let is_low = row.extent(LANES, 0)?.1 <= 0x1_ffff;
                let second = row.plus(Row::same(source_distance(0, self.offsets[0])));
                (is_low.then_some(row)?, Some(second))
            }
            _ => (wave.row(self.address)?.plus(first), None),
        };
        let bytes = self.value_bytes();
        let fits = |row: Row| {
            row.is_aligned(u64::from(self.alignment)) && row.extent(LANES, bytes).is_some_and(|(_, end)| end <= limit)
        };
        (fits(rows.0) && rows.1.is_none_or(fits)).then_some(rows)
    }

    /// Executes it where all lanes are active and inside the limits.
    pub(super) fn execute_rows(
        &self,
        wave: &mut Wave,
        local: &mut LdsMemory,
        instruction: u32,
        rows: (Row, Option<Row>),
    ) -> Result<LdsOutcome, Problem> {
        let wanted = WantedRows { rows, dwords: u32::from(self.dwords), service: self.service };
        let mut done = LdsOutcome { cycles: local.row_conflict_cycles(wanted), loaded: Loaded::default() };
        if self.is_unobserved {
            return Ok(done);
        }
        let reaches = [rows.0, rows.1.unwrap_or(rows.0)].map(|row| Reach::Row { row, distance: 4 });
        self.perform(wave, local, (reaches, u64::MAX, instruction), &mut done)?;
        Ok(done)
    }
}
