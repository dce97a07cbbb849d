//! What each rule does to readings: the picture of `docs/method.md`, drawn again by the rules of today. A module of the library, whose
//! axes and marks it uses; no run has it.

use std::path::Path;
use std::{env, fs};

use gcn_model::quantity::Cycles;

use crate::clock::{ClockWindow, ShaderClock};
use crate::settle::{DropRule, Sample, Settlement, SlopeRules};
use crate::statistics::{HampelSplit, Line, median};

mod drawing;
#[path = "../runs/lcg.rs"]
mod lcg;

use drawing::{RuleLine, RuleMark, RulePanel, RulePoint, rules_picture};
use lcg::Lcg;

/// If set, the picture is written instead of compared.
const UPDATE: &str = "GCN_TIMINGS_UPDATE_RESULTS";
/// The length whose samples are shown.
const SHOWN: u32 = 16;
/// Cycles of a block: eight instructions of 4.
const BLOCK: f64 = 32.0;
/// The cost of the readings.
const READINGS: f64 = 41.0;
/// Samples of each length.
const SAMPLES: u32 = 60;

/// Samples of three lengths, each with up to 8 cycles of jitter at either reading, changed by `change` (length, number, cycles).
fn samples(seed: u64, change: impl Fn(&mut Lcg, u32, u32, f64) -> f64) -> Vec<Sample> {
    let mut lcg = Lcg::new(seed);
    let mut samples = Vec::new();
    for n in [8, SHOWN, 32] {
        for number in 0..SAMPLES {
            let jitter = lcg.below(9) as f64 - lcg.below(9) as f64;
            let cycles = change(&mut lcg, n, number, READINGS + f64::from(n) * BLOCK) + jitter;
            samples.push(Sample { n, cycles: Cycles(cycles) });
        }
    }
    samples
}

fn rules() -> SlopeRules {
    SlopeRules { least_block: BLOCK, ..SlopeRules::default() }
}

/// The samples of the shown length, by what became of them.
fn points(samples: &[Sample], found: &Settlement) -> Vec<RulePoint> {
    let shown = samples.iter().zip(&found.fates).filter(|(sample, _)| sample.n == SHOWN);
    let mark = |fate: &Option<DropRule>| match (fate, &found.slope) {
        (Some(_), _) => RuleMark::Dropped,
        (None, Ok(_)) => RuleMark::Used,
        (None, Err(_)) => RuleMark::NoEstimate,
    };
    shown
        .zip(1..)
        .map(|((sample, fate), x)| RulePoint { x: f64::from(x), y: sample.cycles.0, mark: mark(fate) })
        .collect()
}

/// A level across the samples.
fn level(name: &str, y: f64) -> RuleLine {
    RuleLine { name: name.into(), points: vec![(1.0, y), (f64::from(SAMPLES), y)] }
}

/// A panel of samples of the same length, in the order in which they were taken.
fn panel(title: &str, samples: &[Sample], lines: Vec<RuleLine>) -> RulePanel {
    let found = rules().settle(samples);
    let said = match &found.slope {
        Ok(slope) => format!(
            "{} of {} samples of all lengths dropped: {}; {:.2} cycles per instruction",
            slope.dropped.total(),
            samples.len(),
            slope.dropped,
            slope.estimate.value / 8.0
        ),
        Err(why) => format!("unstable: {why}"),
    };
    RulePanel {
        title: title.into(),
        said,
        x: format!("sample, in order ({SHOWN} blocks of 8 instructions)"),
        y: "cycles".into(),
        points: points(samples, &found),
        lines,
    }
}

/// The median of the shown length.
fn middle(samples: &[Sample]) -> f64 {
    let shown: Vec<f64> = samples.iter().filter(|sample| sample.n == SHOWN).map(|sample| sample.cycles.0).collect();
    median(&shown).unwrap()
}

fn below_the_bound() -> RulePanel {
    let samples =
        samples(1, |lcg, _, _, cycles| if lcg.chance(0.06) { cycles - 60.0 - lcg.below(90) as f64 } else { cycles });
    let lines = vec![level("median", middle(&samples)), level("4 cycles each", BLOCK * f64::from(SHOWN))];
    panel("1. Below the bound: the first reading came late", &samples, lines)
}

fn two_modes() -> RulePanel {
    let samples = samples(2, |_, _, number, cycles| if number / 20 == 1 { cycles + 72.0 } else { cycles });
    let centre = READINGS + BLOCK * f64::from(SHOWN);
    let lines = vec![level("one mode", centre), level("the other", centre + 72.0)];
    panel("2. Two modes: one launch of three was disturbed", &samples, lines)
}

fn doubled() -> RulePanel {
    let samples = samples(3, |lcg, _, _, cycles| if lcg.chance(0.07) { 2.0 * cycles } else { cycles });
    let lines = vec![level("median", middle(&samples)), level("twice", 2.0 * middle(&samples))];
    panel("3. Doubled: the wave had half of its share", &samples, lines)
}

fn late() -> RulePanel {
    let samples =
        samples(11, |lcg, _, _, cycles| if lcg.chance(0.08) { cycles + 40.0 + lcg.below(140) as f64 } else { cycles });
    let shown: Vec<f64> = samples.iter().filter(|sample| sample.n == SHOWN).map(|sample| sample.cycles.0).collect();
    let split = HampelSplit::of(&shown);
    let lines = vec![
        level("+ 6 scales", split.median + split.bound),
        level("median", split.median),
        level("− 6 scales", split.median - split.bound),
    ];
    panel("4. Late (Hampel): the second reading came late", &samples, lines)
}

fn bend() -> RulePanel {
    // Beyond 16 blocks the code does not fit the cache any more, say.
    let samples = samples(5, |_, n, _, cycles| cycles + 3.0 * f64::from(n.saturating_sub(16)));
    let found = rules().settle(&samples);
    let xy: Vec<(f64, f64)> = samples.iter().map(|sample| (f64::from(sample.n), sample.cycles.0)).collect();
    let line = Line::fit(&xy).unwrap();
    let mark = if found.slope.is_ok() { RuleMark::Used } else { RuleMark::NoEstimate };
    // Side by side, in the order in which they were taken.
    let beside = |place: usize| 3.0 * ((place % SAMPLES as usize) as f64 / f64::from(SAMPLES) - 0.5);
    let points = xy.iter().enumerate();
    let points = points.map(|(place, &(x, y))| RulePoint { x: x + beside(place), y: y - line.at(x), mark }).collect();
    RulePanel {
        title: "5. Bend: longer code takes more than its share".into(),
        said: found.slope.map_or_else(|why| format!("unstable: {why}"), |_| "settled".into()),
        x: "blocks of the timed code".into(),
        y: "cycles off the line".into(),
        points,
        lines: vec![RuleLine { name: "line".into(), points: vec![(6.0, 0.0), (34.0, 0.0)] }],
    }
}

fn clock_step() -> RulePanel {
    let mut lcg = Lcg::new(6);
    let rate =
        |launch: u32| 1500.0 * (1.0 - 0.01 * f64::from(launch) / 900.0) * if launch / 300 == 1 { 0.8 } else { 1.0 };
    // A few windows were disturbed.
    let mut window = |number: u32| {
        let disturbed = if lcg.chance(0.06) { 0.9 } else { 1.0 };
        ClockWindow {
            launch: 9 * number,
            mhz: rate(9 * number) * disturbed * (0.998 + 0.004 * lcg.below(1000) as f64 / 1000.0),
        }
    };
    let windows: Vec<ClockWindow> = (0..100).map(&mut window).collect();
    let clock = ShaderClock::of_windows(&windows).unwrap();
    let starts = clock.stretches.iter().map(|stretch| f64::from(stretch.launch));
    let ends = starts.clone().skip(1).chain([900.0]);
    let lines = clock.stretches.iter().zip(starts.zip(ends)).map(|(stretch, (from, to))| {
        let half = stretch.drift_share.0 * stretch.mhz / 2.0;
        RuleLine { name: String::new(), points: vec![(from, stretch.mhz - half), (to, stretch.mhz + half)] }
    });
    RulePanel {
        title: "6. Steps and drift of the shader clock".into(),
        said: clock.to_string(),
        x: "launch".into(),
        y: "MHz".into(),
        points: windows.iter().map(|w| RulePoint { x: f64::from(w.launch), y: w.mhz, mark: RuleMark::Used }).collect(),
        lines: lines.collect(),
    }
}

#[test]
fn the_picture_of_the_rules_shows_their_effect() {
    let panels = [below_the_bound(), two_modes(), doubled(), late(), bend(), clock_step()];
    // Each rule is met in its own panel, and leaves the right samples.
    for (panel, said) in
        panels.iter().zip(["below the bound", "bimodal", "exactly doubled", "late (Hampel)", "not linear", "2 steps"])
    {
        assert!(panel.said.contains(said), "{}", panel.said);
    }
    let drawn = rules_picture(&panels);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.svg");
    if env::var_os(UPDATE).is_some() {
        fs::write(&path, &drawn).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == drawn,
        "docs/rules.svg is not what the rules do today; if that is meant, run the test with {UPDATE}=1"
    );
}
