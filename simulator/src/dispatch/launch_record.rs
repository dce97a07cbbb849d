//! A line about a launch, by which the simulated driver in one process tells another what the card did.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::cost::unit::UNITS;
use crate::dispatch::dispatcher::LaunchStatistics;
use crate::dispatch::profile::Profile;
use crate::issue::activity::Activity;
use crate::issue::totals::Cycles;

/// A launch, and the time that the host took for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchRecord {
    /// The process that launched it.
    pub process: u32,
    pub statistics: LaunchStatistics,
    /// The host's time.
    pub host: Duration,
    /// Whether values are approximations, see [`Configuration::approximates`](crate::Configuration::approximates).
    pub is_approximate: bool,
    /// Shader cycles of all waves by activity, if they were recorded.
    cycles: Option<Cycles>,
    /// The kernel's name, or another name for it.
    pub kernel: String,
}

impl LaunchRecord {
    /// The record of a launch by this process.
    pub fn new(kernel: &str, statistics: LaunchStatistics, profile: Option<&Profile>, host: Duration) -> Self {
        let of = |profile: &Profile| {
            Activity::ALL.map(|activity| profile.waves.iter().map(|wave| wave.cycles(activity)).sum())
        };
        Self {
            process: std::process::id(),
            statistics,
            host,
            is_approximate: profile.is_some_and(|profile| profile.instructions.values().any(|it| it.is_approximate)),
            cycles: profile.map(of),
            kernel: kernel.into(),
        }
    }

    /// Shader cycles that all waves spent on an activity, if they were recorded.
    pub fn cycles(&self, activity: Activity) -> Option<u64> {
        self.cycles.map(|cycles| cycles[activity as usize])
    }
}

/// One line without its end; the name is last, since it may have any character.
impl fmt::Display for LaunchRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LaunchStatistics { waves, cycles, .. } = self.statistics;
        write!(f, "{} {waves} {cycles} {} {}", self.process, self.host.as_nanos(), u8::from(self.is_approximate))?;
        self.statistics.by_unit.iter().try_for_each(|count| write!(f, " {count}"))?;
        write!(f, " {}", u8::from(self.cycles.is_some()))?;
        self.cycles.unwrap_or_default().iter().try_for_each(|cycles| write!(f, " {cycles}"))?;
        write!(f, " {}", self.kernel.replace(char::is_control, "?"))
    }
}

/// Numbers before the name.
const NUMBERS: usize = 6 + UNITS + Activity::ALL.len();

impl FromStr for LaunchRecord {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let wrong = || format!("`{line}` is no record of a launch");
        let mut words = line.splitn(NUMBERS + 1, ' ');
        let numbers: Vec<u64> = words.by_ref().take(NUMBERS).map_while(|word| word.parse().ok()).collect();
        let [process, waves, cycles, nanoseconds, is_approximate, rest @ ..] = numbers.as_slice() else {
            return Err(wrong());
        };
        let (Some(by_unit), Some([has_cycles, activities @ ..])) = (rest.first_chunk::<UNITS>(), rest.get(UNITS..))
        else {
            return Err(wrong());
        };
        let activities = Cycles::try_from(activities).map_err(|_| wrong())?;
        Ok(Self {
            process: *process as u32,
            statistics: LaunchStatistics {
                waves: *waves as u32,
                instructions: by_unit.iter().sum(),
                cycles: *cycles,
                by_unit: *by_unit,
            },
            host: Duration::from_nanos(*nanoseconds),
            is_approximate: *is_approximate == 1,
            cycles: (*has_cycles == 1).then_some(activities),
            kernel: words.next().ok_or_else(wrong)?.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let mut by_unit = [0; UNITS];
        by_unit[..2].copy_from_slice(&[7, 5]);
        let statistics = LaunchStatistics { waves: 4, instructions: 12, cycles: 99, by_unit };
        let plain = LaunchRecord::new("a kernel, (of two words)", statistics, None, Duration::from_nanos(1500));
        let profiled = LaunchRecord { cycles: Some([1, 2, 3, 4, 5, 6, 7, 8]), is_approximate: true, ..plain.clone() };
        for record in [plain, profiled] {
            assert_eq!(record.to_string().parse(), Ok(record));
        }
        for line in ["", "1 2 3", "1 2 3 4 0 x y"] {
            assert!(line.parse::<LaunchRecord>().is_err(), "{line}");
        }
    }
}
