//! The kernels of a code object on the simulator.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gcn_model::code_object::CodeObject;
use gcn_simulator::{Configuration, LaunchShape, Memory, SimulationError, TimelessLaunch, launch_timeless};

use super::{DeviceError, Launch, Module};

/// A launch that takes more shader cycles is given up: seconds of a real card, hundreds of times what any kernel here needs.
const CYCLE_LIMIT: u64 = 20_000_000;

/// A loaded code object. A launch whose course is the same at any time is simulated once, however often it is made.
pub(super) struct SimulatedModule<'a> {
    configuration: &'a Configuration,
    object: CodeObject,
    /// Shader cycles of all launches.
    cycles: &'a AtomicU64,
    /// By launch, whatever its ordinal.
    kept: Mutex<HashMap<Launch, Arc<KeptLaunch>>>,
}

/// A launch that need not be simulated again.
struct KeptLaunch {
    cycles: u64,
    /// The dwords of the results that are not 0, with their places.
    words: Box<[(u32, u32)]>,
    timeless: TimelessLaunch,
}

impl KeptLaunch {
    /// The results of the launch with this ordinal.
    fn results(&self, launch: &Launch) -> Vec<u32> {
        let mut results = vec![0; launch.result_bytes as usize / 4];
        for (place, word) in &self.words {
            results[*place as usize] = self.timeless.word(*word, launch.ordinal);
        }
        results
    }
}

impl<'a> SimulatedModule<'a> {
    pub(super) fn new(configuration: &'a Configuration, object: CodeObject, cycles: &'a AtomicU64) -> Self {
        Self { configuration, object, cycles, kept: Mutex::default() }
    }

    fn simulate(&self, launch: &Launch) -> Result<(Vec<u32>, u64, Option<TimelessLaunch>), DeviceError> {
        let mut memory = Memory::default();
        let results = memory.allocate(u64::from(launch.result_bytes));
        let scratch = if launch.scratch_bytes > 0 { memory.allocate(u64::from(launch.scratch_bytes)) } else { 0 };
        let arguments = memory.allocate(24);
        let (low, high) = (|address: u64| address as u32, |address: u64| (address >> 32) as u32);
        let argument_words =
            [low(results), high(results), launch.result_bytes, launch.loop_passes, low(scratch), high(scratch)];
        memory.upload(arguments, &argument_words).map_err(|error| DeviceError::Launch(error.to_string()))?;
        let shape = LaunchShape {
            groups: launch.groups,
            group_size: launch.group_size,
            dynamic_lds_bytes: launch.lds_bytes,
            kernarg_address: arguments,
            ordinal: launch.ordinal,
            cycle_limit: CYCLE_LIMIT,
        };
        let launched = launch_timeless(self.configuration, &self.object, &launch.kernel, &shape, &mut memory);
        let (done, timeless) = launched.map_err(|error| match error {
            SimulationError::Launch { .. } | SimulationError::NoSuchKernel(_) => DeviceError::Launch(error.to_string()),
            _ => DeviceError::Kernel(error.to_string()),
        })?;
        let words = memory
            .download(results, launch.result_bytes as usize / 4)
            .map_err(|error| DeviceError::Kernel(error.to_string()))?;
        Ok((words, done.cycles, timeless))
    }
}

impl Module for SimulatedModule<'_> {
    fn launch(&self, launch: &Launch) -> Result<Vec<u32>, DeviceError> {
        // What is kept is whole.
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at_any_time = Launch { ordinal: 0, ..launch.clone() };
        let known = kept().get(&at_any_time).cloned();
        if let Some(known) = known {
            self.cycles.fetch_add(known.cycles, Ordering::Relaxed);
            return Ok(known.results(launch));
        }
        let (words, cycles, timeless) = self.simulate(launch)?;
        self.cycles.fetch_add(cycles, Ordering::Relaxed);
        let Some(timeless) = timeless else { return Ok(words) };
        let words = (0..).zip(words).filter(|(_, word)| *word != 0).collect();
        let new = Arc::new(KeptLaunch { cycles, words, timeless });
        kept().insert(at_any_time, Arc::clone(&new));
        Ok(new.results(launch))
    }
}
