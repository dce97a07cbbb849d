//! The shader clock from S_MEMTIME against S_MEMREALTIME.

use gcn_analysis::{NoClock, Results, ShaderClock};
use gcn_model::record::Reading;

use crate::lcg::Lcg;
use crate::synthetic::{SyntheticRun, vop2};

/// Ticks of S_MEMREALTIME in a microsecond.
const REALTIME_MHZ: f64 = 25.0;

/// A run of this many launches, some cycles apart; `mhz` is the clock from each to the next.
///
/// The launches of the three experiments are mixed, and what runs before the first reading of S_MEMTIME differs by up to 10,000 cycles.
fn run(launches: u32, cycles: u64, mhz: impl Fn(u32) -> f64) -> SyntheticRun {
    let mut run = SyntheticRun::new("gfx900", "1.4", 1);
    run.record.device.realtime_mhz = Some(REALTIME_MHZ);
    for name in ["V_ADD_F32", "V_MUL_F32", "V_MAX_F32"] {
        run.cycles(vop2(name), 4);
    }
    run.readings.clear();
    let (mut lcg, mut ticks) = (Lcg::new(3), 1000.0);
    for launch in 0..launches {
        let before = lcg.below(10_000);
        let begin = u64::from(launch) * cycles + before;
        let experiment = &run.experiments[lcg.below(3) as usize].experiment;
        run.readings.push(Reading {
            experiment: experiment.clone(),
            launch,
            n: 16,
            pass: 0,
            wave: 0,
            begin,
            end: begin + 700,
            hw_id: 0,
            hw_id_end: 0,
            realtime_begin: Some(ticks as u64),
            realtime_end: Some(ticks as u64 + 10),
        });
        ticks += cycles as f64 / mhz(launch) * REALTIME_MHZ;
    }
    run
}

fn clock(run: &SyntheticRun) -> Result<ShaderClock, NoClock> {
    let analysis: Results = run.analysis_in_memory();
    assert_eq!(analysis.summary().clock, analysis.clock.clone());
    analysis.clock
}

/// The launches at which the clock steps, with the clock before and after.
fn steps(clock: &ShaderClock) -> Vec<(u32, f64, f64)> {
    clock.steps().map(|(before, behind)| (behind.launch, before.mhz, behind.mhz)).collect()
}

#[test]
fn a_steady_clock_is_found_with_any_launches() {
    let clock = clock(&run(400, 500_000, |_| 1500.0)).unwrap();
    assert!((clock.mhz - 1500.0).abs() < 3.0 && clock.windows >= 44, "{clock:?}");
    assert!(!clock.moved() && steps(&clock).is_empty() && clock.drift_share() == 0.0, "{clock:?}");
    assert!(clock.to_string().ends_with("windows of the run); no step; no drift"), "{clock}");
}

#[test]
fn two_steps_and_a_drift_are_distinguished() {
    let drift = |launch: u32| 1.0 - 0.01 * f64::from(launch) / 3000.0;
    let step = |launch: u32| if (1000..2000).contains(&launch) { 0.8 } else { 1.0 };
    let clock = clock(&run(3000, 500_000, |launch| 1500.0 * drift(launch) * step(launch))).unwrap();
    let [(down, from, low), (up, _, high)] = steps(&clock)[..] else { panic!("{clock:?}") };
    // A window is nine launches long, and one of them holds the step.
    assert!(down.abs_diff(1000) < 9 && up.abs_diff(2000) < 9, "{clock:?}");
    assert!((from - 1497.5).abs() < 3.0 && (low - 1194.0).abs() < 3.0 && (high - 1487.5).abs() < 3.0, "{clock:?}");
    assert!(clock.moved() && (clock.drift_share() + 0.01).abs() < 0.002, "{} {clock:?}", clock.drift_share());
    let words = clock.to_string();
    assert!(
        words.contains("; 2 steps, at launch 997 from 1497 to 1194 MHz, at launch ")
            && words.ends_with("; drift -0.9 %"),
        "{words}"
    );
}

#[test]
fn one_disturbed_launch_is_no_step() {
    let clock = clock(&run(400, 500_000, |launch| if launch == 70 { 300.0 } else { 1500.0 })).unwrap();
    assert!(!clock.moved(), "{clock:?}");
}

#[test]
fn where_a_counter_goes_backwards_nothing_is_measured() {
    let mut two_cards = run(400, 500_000, |_| 1500.0);
    // The other card was switched on much later, and its counter of ticks much earlier.
    for reading in two_cards.readings.iter_mut().filter(|reading| reading.launch >= 200) {
        reading.begin -= 90_000_000;
        reading.end -= 90_000_000;
        reading.realtime_begin = reading.realtime_begin.map(|ticks| ticks + 100_000_000);
    }
    let clock = clock(&two_cards).unwrap();
    assert!((clock.low_mhz - 1500.0).abs() < 5.0 && !clock.moved(), "{clock:?}");
}

#[test]
fn an_unknown_clock_has_a_reason() {
    assert_eq!(clock(&run(400, 5_000, |_| 1500.0)), Err(NoClock::TooShort));
    let mut unknown = run(400, 500_000, |_| 1500.0);
    unknown.record.device.realtime_mhz = None;
    assert_eq!(clock(&unknown), Err(NoClock::UnknownRate));
    let old = clock(&SyntheticRun::new("gfx600", "1.0", 1)).unwrap_err();
    assert_eq!(old.to_string(), "unknown: GCN 1.0 has no S_MEMREALTIME");
}
