//! The five noise levels of a campaign. Rates are those of a reading; a sample has two.

use crate::random::Random;

/// Shader cycles in which the counters of published readings move.
pub(crate) const STEP: u32 = 4;

/// How noisy a card is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing disturbs it.
    Quiet,
    /// As readings of MI100, MI210 and MI300X are published: no jitter, cold code and few late readings, and a counter that moves in steps of 4
    /// cycles, as all that they do; and now and then a reading that shows the last one, or a counter that was reset.
    Card,
    /// The same with a screen: the wave is put aside, the caches are taken, the clock drifts and steps.
    Desktop,
    /// Worse than any published readings: jitter of up to 20 cycles.
    Busy,
    /// No card is like that: 7 to 10 % of the readings are late.
    Stress,
}

impl Level {
    /// All, from none to the strongest.
    pub const ALL: [Self; 5] = [Self::Quiet, Self::Card, Self::Desktop, Self::Busy, Self::Stress];

    /// The level of a campaign's file.
    pub fn of_seed(seed: u64) -> Self {
        Self::ALL[(seed % Self::ALL.len() as u64) as usize]
    }

    /// Whether the counter moves in steps, as on cards.
    pub(crate) fn has_steps(self) -> bool {
        matches!(self, Self::Card | Self::Desktop)
    }

    /// The `[noise]` table of a GPU file; nothing of a quiet one.
    pub(crate) fn table(self, random: &mut Random) -> String {
        if self == Self::Quiet {
            return String::new();
        }
        let mut table = format!("[noise]\nseed = {}\n", random.whole(1, 1_000_000));
        table += &match self {
            Self::Quiet | Self::Card | Self::Desktop => as_on_cards(random),
            Self::Busy => beyond_cards(random, (9, 20), (0.03, 0.05)),
            Self::Stress => beyond_cards(random, (12, 20), (0.07, 0.1)),
        };
        let [preempted, evicted] = match self {
            Self::Quiet | Self::Card => return table,
            Self::Desktop => [(0.001, 0.005), (0.005, 0.01)],
            Self::Busy => [(0.005, 0.01), (0.01, 0.03)],
            Self::Stress => [(0.01, 0.03), (0.02, 0.05)],
        };
        table + &shared(random, preempted, evicted)
    }
}

/// Late readings as they are published.
fn as_on_cards(random: &mut Random) -> String {
    format!(
        "outlier_rate = {}\noutlier_cycles = 100\noutlier_spread_cycles = 500\ncold_readings = {}\ncounter_step_cycles = {STEP}\n\
         repeated_rate = 0.0005\nreset_rate = 0.0002\n",
        random.share(0.0, 0.008),
        random.whole(0, 4),
    )
}

/// Jitter between these cycles, and a share of outliers between these.
fn beyond_cards(random: &mut Random, (least, most): (u32, u32), (few, many): (f64, f64)) -> String {
    format!(
        "jitter_cycles = {}\noutlier_rate = {}\noutlier_cycles = {}\n",
        random.whole(least, most),
        random.share(few, many),
        random.one_of(&[60, 400, 4000, 20000]),
    )
}

/// What others do on the same card: shares of the readings that are preempted and evicted, a clock that drifts and steps.
fn shared(random: &mut Random, preempted: (f64, f64), evicted: (f64, f64)) -> String {
    format!(
        "preemption_rate = {}\npreemption_cycles = {}\neviction_rate = {}\ndrift_share = {}\ndrift_launches = {}\n\
         step_share = {}\nstep_launches = {}\n",
        random.share(preempted.0, preempted.1),
        random.whole(1000, 30000),
        random.share(evicted.0, evicted.1),
        random.share(0.0, 0.1),
        random.whole(500, 5000),
        random.share(0.0, 0.3),
        random.whole(200, 3000),
    )
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Quiet => "quiet",
            Self::Card => "card",
            Self::Desktop => "desktop",
            Self::Busy => "busy",
            Self::Stress => "stress",
        })
    }
}
