//! The places in front of a unit: rows of `queues.csv`.

use std::collections::BTreeMap;

use gcn_model::quantity::Cycles;
use gcn_model::record::QUEUE;

use crate::one_wave::OneWave;
use crate::settle::{CYCLES_RESOLUTION, least_issue_cycles};
use crate::suites::rule::of_rule;
use crate::tables::{Measured, table, unique};

table! { "queues.csv":
    /// A row of `queues.csv`: an instruction whose unit takes longer than a wave issues.
    pub struct QueueRow {
        pub instruction: String,
        /// Instructions that wait while one is executed; absent where the cycles do not tell.
        pub places: Option<u32>,
        /// Cycles until the second one is issued.
        pub first: Option<Measured<Cycles>> = "first" "first_low" "first_high",
        /// Cycles from one issue to the next where no place is free.
        pub full: Option<Measured<Cycles>> = "full" "full_low" "full_high",
        /// Why something is absent.
        pub detail: String,
    }
}

/// Cycles of a block, by the number of instructions in its row.
type Costs = BTreeMap<u32, Measured<Cycles>>;

/// One of these.
type Row = (u32, Measured<Cycles>);

/// The rows of all instructions with such experiments, in the order of the run.
pub(super) fn rows(waves: &OneWave<'_>) -> Vec<QueueRow> {
    let least = least_issue_cycles(waves.run.generation);
    let row = |name: &str| {
        let of = of_rule(waves, QUEUE).filter(|(_, record)| record.instruction == name);
        let settled = of.map(|(position, record)| match waves.slope(position) {
            Ok(slope) => Ok((record.amount.unwrap_or(0), Measured::from(&slope.estimate))),
            Err((_, why)) => Err(why),
        });
        let found = settled.collect::<Result<Costs, String>>().and_then(|costs| Intervals::of(&costs));
        let places = found.as_ref().map_err(Clone::clone).and_then(|found| found.places(least));
        QueueRow {
            instruction: name.to_owned(),
            first: found.as_ref().ok().map(|found| found.first),
            full: found.as_ref().ok().map(|found| found.full),
            detail: places.as_ref().err().cloned().unwrap_or_default(),
            places: places.ok(),
        }
    };
    unique(of_rule(waves, QUEUE).map(|(_, record)| record.instruction.as_str())).into_iter().map(row).collect()
}

/// Cycles from one issue to another.
#[derive(Debug, Clone)]
struct Intervals {
    /// From the first to the second.
    first: Measured<Cycles>,
    /// From one to the next of the last ones.
    full: Measured<Cycles>,
    /// The same of those before them.
    before: Measured<Cycles>,
    /// From the first to the last.
    all: Measured<Cycles>,
    /// Instructions in the shortest and the longest row where no place should be free.
    rows: [u32; 2],
}

impl Intervals {
    /// From the cycles of rows of one and of two instructions, and of three long ones.
    fn of(costs: &Costs) -> Result<Self, String> {
        let rows: Vec<Row> = costs.iter().map(|(amount, cost)| (*amount, *cost)).collect();
        let [(1, one), (2, two), (short, shortest), (middle, between), (long, longest)] = rows[..] else {
            return Err("a row of instructions was not measured".to_owned());
        };
        let each = |(from, less): Row, (to, most): Row| most.minus(less).scaled(1.0 / f64::from(to - from));
        Ok(Self {
            first: two.minus(one),
            full: each((short, shortest), (long, longest)),
            before: each((short, shortest), (middle, between)),
            all: longest.minus(one),
            rows: [short, long],
        })
    }

    /// The places, where instructions are issued in `least` cycles.
    ///
    /// # Errors
    /// The instructions are executed as fast as they are issued, or the queue is not full in all of the long rows.
    fn places(&self, least: Cycles) -> Result<u32, String> {
        let Self { first, full, before, all, rows: [short, long] } = *self;
        let is_longer = |what: Measured<Cycles>, than: f64| what.low.0 > than + CYCLES_RESOLUTION;
        if !is_longer(full, least.0) {
            return Err("one is executed as fast as the next one is issued".to_owned());
        }
        if is_longer(first, least.0) && full.minus(first).is_nothing() == Some(true) {
            return Ok(0);
        }
        // The last one is issued a cycle after the start of the one as far before it as there are places.
        let last = f64::from(long - 1);
        let at = |all: f64, full: f64| last - (all - least.0) / full;
        let [low, high] =
            [at(all.high.0, full.low.0), at(all.low.0, full.high.0)].map(|places| places.round().max(0.0));
        if (full.value.0 - before.value.0).abs() > CYCLES_RESOLUTION + full.half_width() + before.half_width() {
            return Err(format!("the queue is not full after {short} instructions"));
        }
        if low != high {
            return Err(format!("{low} to {high} places"));
        }
        // It fills while its unit already executes: by then this one is issued.
        let filled = (full.value.0 * low - least.0) / (full.value.0 - least.0);
        if filled > f64::from(short - 1) {
            return Err(format!("the queue is not full after {short} instructions"));
        }
        Ok(low as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cycles of rows in front of a unit that takes `cycles` for each instruction, and has some places.
    fn costs_of(places: u32, cycles: u32) -> Costs {
        let mut issued: Vec<u32> = Vec::new();
        for index in 0..48_u32 {
            let next = issued.last().map_or(0, |last| last + 1);
            let left = index.checked_sub(places.max(1)).map_or(0, |leaving| cycles * leaving + 1);
            let held = if places == 0 { cycles * index } else { left };
            issued.push(next.max(held));
        }
        let exactly = |cycles: u32| Measured::exactly(Cycles(f64::from(cycles)));
        [1, 2, 32, 40, 48].map(|amount| (amount, exactly(500 + issued[amount as usize - 1]))).into()
    }

    #[test]
    fn places_follow_from_the_issues_of_long_rows() {
        let places = |places, cycles| Intervals::of(&costs_of(places, cycles)).unwrap().places(Cycles(1.0));
        for (wanted, cycles) in [(0, 4), (1, 4), (2, 8), (4, 2), (8, 4), (15, 2), (16, 8)] {
            assert_eq!(places(wanted, cycles), Ok(wanted), "{wanted} places, {cycles} cycles");
        }
        assert_eq!(places(8, 1), Err("one is executed as fast as the next one is issued".to_owned()));
        assert_eq!(places(20, 2), Err("the queue is not full after 32 instructions".to_owned()));
        assert!(Intervals::of(&Costs::new()).is_err());
    }
}
