//! Launches before the first that counts: a card that has been idle runs at a low clock and takes some time to leave it.

use std::collections::VecDeque;

use gcn_model::record::Reading;

use crate::device::DeviceError;

/// Launches that agree about the clock.
const AGREEING: usize = 4;
/// How far apart the clocks of these may be, as a share.
const SHARE: f64 = 0.01;
/// Longest warm-up: a card's power management acts within some hundred milliseconds, and a launch is assumed to last a tenth of that. It is
/// counted in launches and not in seconds, so that a run on a busy machine has as many of them as on an idle one.
pub(super) const MOST: usize = 2000;
/// Launches where the device has no S_MEMREALTIME to tell its clock by.
const BLIND: usize = 200;

/// Launches until the clock is steady, there were enough, or a launch fails (which the experiments will find out, and say why);
/// gives the number of launches.
///
/// # Errors
/// [`DeviceError::Lost`].
pub(super) fn warm_up(mut launch: impl FnMut() -> Result<Vec<Reading>, DeviceError>) -> Result<usize, DeviceError> {
    let mut clocks = VecDeque::new();
    for launches in 1..=MOST {
        let readings = match launch() {
            Ok(readings) => readings,
            Err(DeviceError::Lost(why)) => return Err(DeviceError::Lost(why)),
            Err(_) => return Ok(launches),
        };
        match clock(&readings) {
            Some(clock) => clocks.push_back(clock),
            None if launches >= BLIND => return Ok(launches),
            None => {}
        }
        if clocks.len() > AGREEING {
            clocks.pop_front();
        }
        if clocks.len() == AGREEING && is_steady(&clocks) {
            return Ok(launches);
        }
    }
    Ok(MOST)
}

/// Shader cycles for a tick of the constant clock, in the first wave of a launch.
fn clock(readings: &[Reading]) -> Option<f64> {
    let wave = || readings.iter().filter(|reading| reading.wave == 0);
    let begin = wave().map(|reading| reading.begin).min()?;
    let end = wave().map(|reading| reading.end).max()?;
    let first = wave().next()?;
    let ticks = first.realtime_end?.checked_sub(first.realtime_begin?)?;
    (ticks > 0).then(|| end.saturating_sub(begin) as f64 / ticks as f64)
}

fn is_steady(clocks: &VecDeque<f64>) -> bool {
    let (low, high) =
        clocks.iter().fold((f64::MAX, f64::MIN), |(low, high), clock| (low.min(*clock), high.max(*clock)));
    high - low <= SHARE * high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(cycles: u64, realtime: Option<u64>) -> Vec<Reading> {
        vec![Reading {
            experiment: "e".into(),
            launch: 0,
            n: 1,
            pass: 0,
            wave: 0,
            begin: 1000,
            end: 1000 + cycles,
            hw_id: 0,
            hw_id_end: 0,
            realtime_begin: realtime.map(|_| 0),
            realtime_end: realtime,
        }]
    }

    #[test]
    fn warms_up_until_the_clock_is_steady() {
        // 300, 600, 900, 1000 and then 1200 cycles in 100 ticks.
        let mut cycles = [300, 600, 900, 1000].into_iter().chain(std::iter::repeat(1200));
        let launches = warm_up(|| Ok(reading(cycles.next().unwrap(), Some(100)))).unwrap();
        assert_eq!(launches, 4 + AGREEING);
        // Without a constant clock there is nothing to go by.
        assert_eq!(warm_up(|| Ok(reading(300, None))).unwrap(), BLIND);
    }

    #[test]
    fn a_launch_that_fails_ends_it_and_a_lost_device_ends_the_run() {
        assert_eq!(warm_up(|| Err(DeviceError::Fault("abort".into()))).unwrap(), 1);
        assert!(matches!(warm_up(|| Err(DeviceError::Lost("gone".into()))), Err(DeviceError::Lost(_))));
    }

    #[test]
    fn a_clock_that_never_settles_does_not_hold_the_run() {
        let mut cycles = (0..).map(|launch| 300 + launch % 2 * 300);
        assert_eq!(warm_up(|| Ok(reading(cycles.next().unwrap(), Some(100)))).unwrap(), MOST);
        assert_eq!(cycles.next(), Some(300 + MOST as u64 % 2 * 300), "so many launches, and no more");
    }
}
