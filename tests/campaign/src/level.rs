//! The five noise levels of a campaign. Rates are those of a reading; a sample has two.

use crate::random::Random;

/// How noisy a card is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u32);

impl Level {
    /// All, from none to the strongest.
    pub const ALL: [Self; 5] = [Self(0), Self(1), Self(2), Self(3), Self(4)];

    /// The level of a campaign's file.
    pub fn of_seed(seed: u64) -> Self {
        Self((seed % 5) as u32)
    }

    /// Its place in [`ALL`](Self::ALL).
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The `[noise]` table of a GPU file; nothing at level 0.
    pub(crate) fn table(self, random: &mut Random) -> String {
        let ((least, most), (few, many), preempted, evicted) = match self.0 {
            0 => return String::new(),
            1 => ((1, 3), (0.0, 0.01), (0.0, 0.0), (0.0, 0.0)),
            2 => ((4, 8), (0.01, 0.03), (0.001, 0.005), (0.005, 0.01)),
            3 => ((9, 20), (0.03, 0.05), (0.005, 0.01), (0.01, 0.03)),
            _ => ((12, 20), (0.07, 0.1), (0.01, 0.03), (0.02, 0.05)),
        };
        let mut table = format!(
            "[noise]\nseed = {}\njitter_cycles = {}\noutlier_rate = {}\noutlier_cycles = {}\npreemption_rate = {}\n\
             preemption_cycles = {}\neviction_rate = {}\n",
            random.whole(1, 1_000_000),
            random.whole(least, most),
            random.share(few, many),
            random.one_of(&[60, 400, 4000, 20000]),
            random.share(preempted.0, preempted.1),
            random.whole(1000, 30000),
            random.share(evicted.0, evicted.1),
        );
        if self.0 >= 2 {
            table +=
                &format!("drift_share = {}\ndrift_launches = {}\n", random.share(0.0, 0.1), random.whole(500, 5000));
        }
        if self.0 >= 3 {
            table += &format!("step_share = {}\nstep_launches = {}\n", random.share(0.0, 0.3), random.whole(200, 3000));
        }
        table
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "L{}", self.0)
    }
}
