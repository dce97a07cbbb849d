//! Instructions that can take a card with them: never unasked, last, and each in a process of its own.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use gcn_harness::device::{Device, DeviceError, DeviceInformation, Launch, Module, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_harness::kernel::Templates;
use gcn_harness::run::{RunFolder, Silent, measure};
use gcn_model::gpu::Gpu;
use gcn_tests::{assembler, only};

/// The requests to a device.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Launch(String),
    Renew,
}

/// A device that takes one launch after the other, as a card does, and notes them.
struct Noting {
    device: SimulatedDevice,
    asked: Mutex<Vec<Asked>>,
}

struct NotingModule<'a> {
    device: &'a Noting,
    module: Box<dyn Module + 'a>,
}

impl Device for Noting {
    fn information(&self) -> &DeviceInformation {
        self.device.information()
    }

    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError> {
        Ok(Box::new(NotingModule { device: self, module: self.device.load(code_object)? }))
    }

    fn renew(&self) {
        self.asked.lock().unwrap().push(Asked::Renew);
    }
}

impl Module for NotingModule<'_> {
    fn launch(&self, launch: &Launch) -> Result<Vec<u32>, DeviceError> {
        self.device.asked.lock().unwrap().push(Asked::Launch(launch.kernel.clone()));
        self.module.launch(launch)
    }
}

/// The requests to a device in a run with a dangerous instruction among others.
fn asked(dangerous: bool) -> Vec<Asked> {
    let device =
        Noting { device: SimulatedDevice::new("sim:fiji", &Gpu::named("fiji").unwrap()), asked: Mutex::default() };
    // S_SETHALT comes before S_SLEEP in every table, and the occupancy suite follows S_SLEEP.
    let options = MeasureOptions {
        suites: vec![Suite::Instructions, Suite::Occupancy],
        dangerous,
        ..only(&["S_SETHALT", "S_SLEEP"], &[1])
    };
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunFolder::create(folder.path()).unwrap();
    let (templates, never) = (Templates::shipped().unwrap(), AtomicBool::new(false));
    measure(&device, assembler(), &templates, &options, &mut run, &never, &mut Silent).unwrap();
    device.asked.into_inner().unwrap()
}

#[test]
fn nothing_dangerous_is_launched_unasked() {
    let asked = asked(false);
    assert!(asked.iter().any(|asked| matches!(asked, Asked::Launch(kernel) if kernel.starts_with("S_SLEEP"))));
    assert!(!asked.iter().any(|asked| matches!(asked, Asked::Launch(kernel) if kernel.starts_with("S_SETHALT"))));
    assert!(!asked.contains(&Asked::Renew));
}

#[test]
fn dangerous_instructions_run_last_and_alone() {
    let asked = asked(true);
    let is_dangerous = |asked: &Asked| matches!(asked, Asked::Launch(kernel) if kernel.starts_with("S_SETHALT"));
    let first = asked.iter().position(is_dangerous).expect("it is launched");
    let (safe, dangerous) = asked.split_at(first - 1);
    assert!(!safe.contains(&Asked::Renew) && !safe.iter().any(is_dangerous));
    assert!(dangerous.iter().all(|asked| *asked == Asked::Renew || is_dangerous(asked)), "{dangerous:?}");
    // A process of its own for each experiment: cycles, and throughput on one wave.
    let experiments: Vec<_> = dangerous.split(|asked| *asked == Asked::Renew).filter(|part| !part.is_empty()).collect();
    assert_eq!(experiments.len(), 2, "{dangerous:?}");
    assert_eq!(dangerous.last(), Some(&Asked::Renew));
}
