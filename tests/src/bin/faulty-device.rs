//! The child's side of a device that fails where it is told to: the simulator, with faults. For the tests of
//! `tests/tests/device_faults.rs`; the product knows nothing of it.
//!
//! `faulty-device GPU FAULT FIRST LAST [TIMES FILE]`: the launches from ordinal FIRST to LAST fail, this many times if that is given: the file
//! keeps the count, which outlasts the process.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, fs, process, thread};

use gcn_harness::device::{
    Device, DeviceError, DeviceInformation, Launch, Module, SimulatedDevice, serve, take_standard_output,
};
use gcn_model::gpu::Gpu;

/// Whether the next reply is to be something else than a reply.
static GARBLE: AtomicBool = AtomicBool::new(false);

#[derive(Debug, Clone)]
struct Fault {
    kind: String,
    first: u64,
    last: u64,
    times: Option<(u64, PathBuf)>,
}

impl Fault {
    /// Whether a launch fails.
    fn is_due(&self, ordinal: u64) -> bool {
        if !(self.first..=self.last).contains(&ordinal) {
            return false;
        }
        let Some((times, file)) = &self.times else { return true };
        let before = fs::metadata(file).map_or(0, |file| file.len());
        if before < *times {
            fs::write(file, vec![b'x'; before as usize + 1]).expect("the count can be kept");
        }
        before < *times
    }
}

struct FaultyDevice {
    device: SimulatedDevice,
    fault: Fault,
}

struct FaultyModule<'a> {
    module: Box<dyn Module + 'a>,
    fault: &'a Fault,
}

impl Device for FaultyDevice {
    fn information(&self) -> &DeviceInformation {
        self.device.information()
    }

    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError> {
        Ok(Box::new(FaultyModule { module: self.device.load(code_object)?, fault: &self.fault }))
    }
}

impl Module for FaultyModule<'_> {
    fn launch(&self, launch: &Launch) -> Result<Vec<u32>, DeviceError> {
        let mut results = self.module.launch(launch)?;
        if !self.fault.is_due(launch.ordinal) {
            return Ok(results);
        }
        match self.fault.kind.as_str() {
            "abort" => {
                println!("what a driver prints on standard output is no reply");
                // What ROCr says before it aborts.
                let _ = writeln!(io::stderr(), "Memory access fault by GPU node-1 on address 0xdead000.");
                process::abort()
            }
            "exit" => process::exit(7),
            "hang" => loop {
                thread::sleep(Duration::from_secs(1));
            },
            "spin" => loop {
                std::hint::spin_loop();
            },
            "lost" => return Err(DeviceError::Lost("no ROCm-capable device is detected".into())),
            "kernel" => return Err(DeviceError::Kernel("the kernel failed, the device did not".into())),
            "garbled" => GARBLE.store(true, Ordering::SeqCst),
            "short" => results.truncate(1),
            other => panic!("{other} is no fault"),
        }
        Ok(results)
    }
}

struct Output<W>(W);

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if GARBLE.swap(false, Ordering::SeqCst) {
            self.0.write_all(b"HSA_STATUS_ERROR: this is no frame\n")?;
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let ([gpu, kind, first, last], times) = match arguments.as_slice() {
        [gpu, kind, first, last] => ([gpu, kind, first, last], None),
        [gpu, kind, first, last, times, file] => ([gpu, kind, first, last], Some((times, file))),
        _ => {
            let _ = writeln!(io::stderr(), "faulty-device GPU FAULT FIRST LAST [TIMES FILE]");
            process::exit(2);
        }
    };
    let number = |text: &String| text.parse().expect("a number");
    let times = times.map(|(times, file)| (number(times), PathBuf::from(file)));
    let fault = Fault { kind: kind.clone(), first: number(first), last: number(last), times };
    let mut output = Output(take_standard_output().expect("standard output"));
    let open = || -> Result<Box<dyn Device>, DeviceError> {
        if fault.kind == "closed" {
            return Err(DeviceError::NoDevice("no AMD GPU".into()));
        }
        let gpu = Gpu::named(gpu).map_err(|error| DeviceError::NoDevice(error.to_string()))?;
        Ok(Box::new(FaultyDevice { device: SimulatedDevice::new(&format!("sim:{}", gpu.name), &gpu), fault }))
    };
    serve(open, &mut output).expect("requests and replies");
}
