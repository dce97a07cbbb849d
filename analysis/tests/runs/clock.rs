//! The shader clock from S_MEMTIME against S_MEMREALTIME.

use gcn_model::record::Reading;

use crate::synthetic::{SyntheticRun, vop2};

/// A run of 41 launches, so many cycles apart; `mhz` is the clock from each to the next, S_MEMREALTIME has 25 MHz.
fn run(mhz: impl Fn(u32) -> f64, cycles: u64) -> SyntheticRun {
    let mut run = SyntheticRun::new("gfx900", "1.4", 1);
    run.record.device.realtime_mhz = Some(25.0);
    run.cycles(vop2("V_ADD_F32"), 4);
    let experiment = run.readings[0].experiment.clone();
    run.readings.clear();
    let mut ticks = 1000.0;
    for launch in 0..=40 {
        run.readings.push(Reading {
            experiment: experiment.clone(),
            launch,
            n: 16,
            pass: 0,
            wave: 0,
            begin: u64::from(launch) * cycles,
            end: u64::from(launch) * cycles + 100,
            hw_id: 0,
            hw_id_end: 0,
            realtime_begin: Some(ticks as u64),
            realtime_end: Some(ticks as u64 + 10),
        });
        ticks += cycles as f64 / mhz(launch) * 25.0;
    }
    run
}

#[test]
fn a_steady_clock_is_found() {
    let clock = run(|_| 1500.0, 1_000_000).analysis_in_memory().clock().unwrap();
    assert!((clock.mhz - 1500.0).abs() < 1.0 && clock.launches == 40, "{clock:?}");
    assert!(!clock.moved(), "{clock:?}");
}

#[test]
fn a_clock_that_moves_is_told() {
    let clock =
        run(|launch| if launch < 30 { 1500.0 } else { 1200.0 }, 1_000_000).analysis_in_memory().clock().unwrap();
    assert!(clock.moved(), "{clock:?}");
    assert!((clock.low_mhz - 1200.0).abs() < 1.0 && (clock.high_mhz - 1500.0).abs() < 1.0, "{clock:?}");
    // One launch that was disturbed is no movement of the clock.
    let clock = run(|launch| if launch == 7 { 300.0 } else { 1500.0 }, 1_000_000).analysis_in_memory().clock().unwrap();
    assert!(!clock.moved(), "{clock:?}");
}

#[test]
fn short_launches_and_unknown_rates_tell_nothing() {
    assert!(run(|_| 1500.0, 5_000).analysis_in_memory().clock().is_none());
    let mut unknown = run(|_| 1500.0, 1_000_000);
    unknown.record.device.realtime_mhz = None;
    assert!(unknown.analysis_in_memory().clock().is_none());
}
