//! How a run goes: a bar where standard error is a terminal, a line a minute where it is a file or a pipe.

use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::log::Log;
use crate::run::{DeviceCost, Event, Measured, Progress, Stage};

/// Between two lines, where there is no bar.
const EVERY: Duration = Duration::from_secs(60);

/// Tells on standard error how a run goes.
pub(super) struct Bar {
    bar: ProgressBar,
    /// Where there is no terminal to draw a bar on.
    lines: Option<Lines>,
    /// Whether the run's cost is printed.
    says_plan: bool,
    /// Whether nothing is said.
    quiet: bool,
    log: Log,
}

impl Bar {
    pub(super) fn new(says_plan: bool, quiet: bool, verbose: bool) -> Self {
        let has_bar = console::user_attended_stderr();
        let lines = (!has_bar && !quiet).then(|| Lines::new(Instant::now()));
        Self { bar: ProgressBar::hidden(), lines, says_plan: says_plan && !quiet, quiet, log: Log::new(verbose) }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Tells how the run ended.
    pub(super) fn ended(&mut self, measured: &Measured) {
        if let Some(why) = &measured.record.warm_up_failure {
            self.log.line(&format!("failed: a launch that warmed the card up: {why}"));
        }
        let how = match &measured.lost {
            Some(why) => format!("the device is lost: {why}"),
            None if measured.interrupted => "interrupted".to_owned(),
            None => "complete".to_owned(),
        };
        let DeviceCost { launches, gpu_time } = measured.spent;
        self.log.line(&format!("end: {how}, {launches} launches, {:.3} s of GPU time", gpu_time.as_secs_f64()));
    }

    /// Tells why the run stopped.
    pub(super) fn stopped(&mut self, why: &str) {
        self.log.line(&format!("stopped: {why}"));
    }
}

impl Progress for Bar {
    fn enter(&mut self, stage: Stage) {
        self.bar.finish_and_clear();
        self.log.stage(&stage);
        let sweeps;
        let (what, items) = match stage {
            Stage::Planned(expected) => {
                if self.says_plan {
                    say(&format!("{expected} (an estimate; `--dry-run` shows the plan)"));
                }
                return;
            }
            Stage::Resuming(_) if self.quiet => return,
            Stage::Resuming(resuming) => return say(&resuming.to_string()),
            Stage::Assembling { kernels } => ("assembling", kernels),
            Stage::Again { experiments } => ("repeat", experiments),
            Stage::Launching { experiments, sweep, of } => {
                sweeps = format!("sweep {} of {of}", sweep + 1);
                (sweeps.as_str(), experiments)
            }
            Stage::Dangerous { experiments } => ("dangerous", experiments),
        };
        if let Some(lines) = &mut self.lines {
            lines.enter(what, items, Instant::now());
        }
        if self.quiet {
            return;
        }
        let style = ProgressStyle::with_template("{msg:>12} [{bar:40}] {pos}/{len}, {eta} left");
        self.bar = ProgressBar::new(items as u64).with_message(what.to_owned());
        if let Ok(style) = style {
            self.bar.set_style(style.progress_chars("=> "));
        }
    }

    fn advance(&mut self, items: usize) {
        self.bar.inc(items as u64);
        let line = self.lines.as_mut().and_then(|lines| lines.advance(items, Instant::now()));
        if let Some(line) = line {
            say(&line);
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        // Between two drawings of the bar, if there is one.
        self.bar.suspend(|| self.log.event(event));
    }
}

/// Lines about a stage, some time apart.
#[derive(Debug)]
struct Lines {
    what: String,
    done: usize,
    of: usize,
    /// Begin of the stage.
    begin: Instant,
    /// The last line, or the begin of all.
    last: Instant,
}

impl Lines {
    fn new(now: Instant) -> Self {
        Self { what: String::new(), done: 0, of: 0, begin: now, last: now }
    }

    fn enter(&mut self, what: &str, of: usize, now: Instant) {
        *self = Self { what: what.to_owned(), done: 0, of, begin: now, last: self.last };
    }

    /// The next line, if it is time for one.
    fn advance(&mut self, items: usize, now: Instant) -> Option<String> {
        self.done += items;
        if now.saturating_duration_since(self.last) < EVERY {
            return None;
        }
        self.last = now;
        let spent = now.saturating_duration_since(self.begin);
        let left = spent.mul_f64(self.of.saturating_sub(self.done) as f64 / self.done.max(1) as f64);
        Some(format!("{}: {} of {}, about {} left", self.what, self.done, self.of, minutes(left)))
    }
}

/// A time in whole minutes, or seconds if it is short.
fn minutes(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..60 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

fn say(line: &str) {
    // A closed standard error is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_a_minute() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut lines = Lines::new(begin);
        lines.enter("assembling", 100, at(0));
        assert_eq!(lines.advance(50, at(59)), None);
        assert_eq!(lines.advance(25, at(60)).as_deref(), Some("assembling: 75 of 100, about 20 s left"));
        assert_eq!(lines.advance(25, at(61)), None);
        // A stage that is over in less says nothing, and the minute goes on.
        lines.enter("sweep 1 of 2", 1000, at(100));
        assert_eq!(lines.advance(10, at(119)), None);
        assert_eq!(lines.advance(10, at(120)).as_deref(), Some("sweep 1 of 2: 20 of 1000, about 17 min left"));
        assert_eq!(lines.advance(980, at(180)).as_deref(), Some("sweep 1 of 2: 1000 of 1000, about 0 s left"));
    }
}
