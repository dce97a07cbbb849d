//! How many waves were at one place at the same time, from their slots and the readings around their stay.

use std::collections::BTreeMap;

use crate::statistics::{HampelSplit, median};

/// From the first reading of a wave to its last, shader cycles.
type Window = (u64, u64);

/// A wave's stay: its slot at the place, and its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stay {
    /// SIMD and slot by HW_ID.
    pub(super) slot: (u8, u8),
    /// When it was there.
    pub(super) window: Window,
}

/// The most waves that were at one place at the same time, and whether others waited for theirs to end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ConcurrentWaves {
    pub(super) waves: u32,
    pub(super) is_full: bool,
}

/// The common value of an experiment's places.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Agreement {
    /// The median over the places, of two middle ones the lower.
    pub(super) waves: u32,
    /// Whether waves waited at most of the places.
    pub(super) is_full: bool,
    /// Places with just that many waves.
    pub(super) agreeing: u32,
    pub(super) places: u32,
}

impl Agreement {
    pub(super) fn of(concurrent: impl Iterator<Item = ConcurrentWaves>) -> Self {
        let mut concurrent: Vec<ConcurrentWaves> = concurrent.collect();
        concurrent.sort_unstable();
        let Some(middle) = concurrent.get(concurrent.len().saturating_sub(1) / 2).copied() else {
            return Self::default();
        };
        let count = |is_meant: &dyn Fn(&ConcurrentWaves) -> bool| {
            concurrent.iter().filter(|concurrent| is_meant(concurrent)).count()
        };
        Self {
            waves: middle.waves,
            is_full: 2 * count(&|concurrent| concurrent.is_full) > concurrent.len(),
            agreeing: count(&|concurrent| concurrent.waves == middle.waves) as u32,
            places: concurrent.len() as u32,
        }
    }
}

/// Takes late readings off: all waves stay equally long, so a window that is longer than the others' by more than noise ended with a late
/// reading, and so did one that reaches into the next window of its own slot, which no two waves have at once.
pub(super) fn clip(stays: &mut [Stay]) {
    let elapsed: Vec<f64> = stays.iter().map(|stay| stay.window.1.saturating_sub(stay.window.0) as f64).collect();
    let usual = median(&elapsed).unwrap_or_default();
    let split = HampelSplit::of(&elapsed);
    for ((stay, elapsed), keep) in stays.iter_mut().zip(&elapsed).zip(&split.keep) {
        if !keep && *elapsed > usual {
            stay.window.1 = stay.window.0 + usual as u64;
        }
    }
    let mut slots: BTreeMap<(u8, u8), Vec<&mut Stay>> = BTreeMap::new();
    for stay in stays {
        slots.entry(stay.slot).or_default().push(stay);
    }
    for of_slot in slots.values_mut() {
        of_slot.sort_unstable_by_key(|stay| stay.window);
        for place in 1..of_slot.len() {
            let next = of_slot[place].window.0;
            let window = &mut of_slot[place - 1].window;
            window.1 = window.1.min(next);
        }
    }
}

/// The most windows that hold one moment; a wave that begins when another ends has taken its place.
pub(super) fn concurrent(stays: &[Stay]) -> ConcurrentWaves {
    let mut ends: Vec<u64> = stays.iter().map(|stay| stay.window.1).collect();
    let mut begins: Vec<u64> = stays.iter().map(|stay| stay.window.0).collect();
    ends.sort_unstable();
    begins.sort_unstable();
    let (mut here, mut most, mut ended) = (0_u32, 0, 0);
    for begin in &begins {
        while ends.get(ended).is_some_and(|end| end <= begin) {
            ended += 1;
            here = here.saturating_sub(1);
        }
        here += 1;
        most = most.max(here);
    }
    ConcurrentWaves { waves: most, is_full: ended > 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stays(windows: &[(u8, u64, u64)]) -> Vec<Stay> {
        windows.iter().map(|&(slot, begin, end)| Stay { slot: (0, slot), window: (begin, end) }).collect()
    }

    fn clipped(windows: &[(u8, u64, u64)]) -> ConcurrentWaves {
        let mut stays = stays(windows);
        clip(&mut stays);
        concurrent(&stays)
    }

    #[test]
    fn concurrent_waves_overlap() {
        let full = |waves| ConcurrentWaves { waves, is_full: true };
        assert_eq!(concurrent(&stays(&[(0, 0, 10), (1, 2, 12), (0, 10, 20), (1, 13, 22)])), full(2));
        assert_eq!(
            concurrent(&stays(&[(0, 0, 10), (1, 9, 12), (2, 3, 20)])),
            ConcurrentWaves { waves: 3, is_full: false }
        );
        assert_eq!(concurrent(&stays(&[(0, 0, 10), (0, 10, 20)])), full(1));
        assert_eq!(concurrent(&[]), ConcurrentWaves::default());
    }

    #[test]
    fn a_late_end_adds_no_wave() {
        // Two slots, two waves in each; the first one's last reading came late.
        let late = [(0, 0, 4100), (1, 4, 104), (0, 102, 202), (1, 106, 206)];
        assert_eq!(concurrent(&stays(&late)).waves, 3);
        assert_eq!(clipped(&late), ConcurrentWaves { waves: 2, is_full: true });
        // By less than other stays differ: only the slot tells.
        let within = [(0, 0, 112), (1, 4, 104), (0, 102, 202), (1, 106, 206)];
        assert_eq!((concurrent(&stays(&within)).waves, clipped(&within).waves), (3, 2));
    }

    #[test]
    fn most_places_count() {
        let of = |waves: &[u32]| Agreement::of(waves.iter().map(|&waves| ConcurrentWaves { waves, is_full: true }));
        assert_eq!((of(&[10, 11, 10, 10]).waves, of(&[10, 11, 10, 10]).agreeing), (10, 3));
        assert_eq!(of(&[10, 11]).waves, 10);
        assert_eq!(of(&[]), Agreement::default());
    }
}
