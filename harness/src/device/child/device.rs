//! The device of a run whose driver lives in another process.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::super::{Device, DeviceError, DeviceInformation, Launch, Module};
use super::ChildLimits;
use super::message::{Reply, Request};
use super::process::{ChildProgram, DeviceProcess, Silence};

/// A device in a process of its own. A process that dies takes one launch with it; the next launch starts a new one, which
/// loads the code objects that it needs again.
#[derive(Debug)]
pub struct ChildDevice {
    program: ChildProgram,
    limits: ChildLimits,
    information: DeviceInformation,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    process: Option<DeviceProcess>,
    /// Modules that the process has loaded.
    loaded: HashSet<u32>,
    modules: u32,
    faults: u32,
    /// Why there is no device any more.
    lost: Option<String>,
}

impl ChildDevice {
    /// Starts the process and opens its device.
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`]: the device cannot be opened, or its process does not start.
    pub fn start(program: ChildProgram, limits: ChildLimits) -> Result<Self, DeviceError> {
        let (process, information) = open(&program, limits).map_err(|error| match error {
            DeviceError::Fault(why) => DeviceError::NoDevice(format!("the device cannot be opened: {why}")),
            error => error,
        })?;
        let state = Mutex::new(State { process: Some(process), ..State::default() });
        Ok(Self { program, limits, information, state })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Each change of the state is whole: a panic elsewhere leaves it valid.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks and waits; a device that does not answer, or says that it is lost, costs its process.
    fn ask(
        &self,
        state: &mut State,
        request: &Request,
        payload: &[u8],
        limit: Duration,
    ) -> Result<(Reply, Vec<u8>), DeviceError> {
        let process = self.process(state)?;
        process.send(request, payload).map_err(|error| DeviceError::Launch(error.to_string()))?;
        let fault = match process.answer(limit) {
            Ok((Reply::Failed { error: DeviceError::Lost(why) }, _)) => {
                let said = state.process.take().map_or_else(String::new, DeviceProcess::leave);
                format!("the device was lost: {why}{said}")
            }
            Ok((Reply::Failed { error }, _)) => return Err(error),
            Ok(answer) => return Ok(answer),
            Err(silence) => match state.process.take() {
                Some(process) => process.end(&silence),
                None => "the device's process is gone".into(),
            },
        };
        Err(self.fault(state, fault))
    }

    /// The process that is there, or a new one.
    fn process<'a>(&self, state: &'a mut State) -> Result<&'a DeviceProcess, DeviceError> {
        if let Some(why) = &state.lost {
            return Err(DeviceError::Lost(why.clone()));
        }
        if state.process.is_none() {
            // A card that is being reset needs some time.
            thread::sleep(Duration::from_millis(500) * state.faults.saturating_sub(1));
            state.loaded.clear();
            match open(&self.program, self.limits) {
                Ok((process, _)) => state.process = Some(process),
                Err(error) => return Err(self.fault(state, format!("the device cannot be opened again: {error}"))),
            }
        }
        state.process.as_ref().ok_or_else(|| DeviceError::Lost("its process is gone".into()))
    }

    fn fault(&self, state: &mut State, why: String) -> DeviceError {
        state.faults += 1;
        if state.faults >= self.limits.faults_in_a_row {
            let times = if state.faults == 1 { "once".into() } else { format!("{} times in a row", state.faults) };
            state.lost = Some(format!("it failed {times}, the last time so: {why}"));
        }
        DeviceError::Fault(why)
    }
}

fn open(program: &ChildProgram, limits: ChildLimits) -> Result<(DeviceProcess, DeviceInformation), DeviceError> {
    let fault = |what: String| DeviceError::Fault(what);
    let process = DeviceProcess::start(program)
        .map_err(|error| fault(format!("{} does not start: {error}", program.program.display())))?;
    match process.answer(limits.start) {
        Ok((Reply::Ready { information }, _)) => Ok((process, *information)),
        Ok((Reply::Failed { error }, _)) => {
            process.leave();
            Err(error)
        }
        Ok((reply, _)) => Err(fault(process.end(&Silence::Garbled(format!("{reply:?}"))))),
        Err(silence) => Err(fault(process.end(&silence))),
    }
}

impl Device for ChildDevice {
    fn information(&self) -> &DeviceInformation {
        &self.information
    }

    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError> {
        let mut state = self.state();
        let module = ChildModule { device: self, number: state.modules, code_object: code_object.into() };
        state.modules += 1;
        module.load(&mut state)?;
        Ok(Box::new(module))
    }

    fn renew(&self) {
        if let Some(process) = self.state().process.take() {
            process.leave();
        }
    }
}

impl Drop for ChildDevice {
    fn drop(&mut self) {
        self.renew();
    }
}

struct ChildModule<'a> {
    device: &'a ChildDevice,
    number: u32,
    code_object: Arc<[u8]>,
}

impl ChildModule<'_> {
    fn load(&self, state: &mut State) -> Result<(), DeviceError> {
        // A new process first: it loses the modules of the one before.
        self.device.process(state)?;
        if state.loaded.contains(&self.number) {
            return Ok(());
        }
        let request = Request::Load { module: self.number };
        match self.device.ask(state, &request, &self.code_object, self.device.limits.start)? {
            (Reply::Loaded, _) => {
                state.loaded.insert(self.number);
                Ok(())
            }
            (reply, _) => Err(self.wrong(state, &reply)),
        }
    }

    /// An answer to another question: nothing that follows could be trusted.
    fn wrong(&self, state: &mut State, reply: &Reply) -> DeviceError {
        let silence = Silence::Garbled(format!("{reply:?}"));
        let why = state.process.take().map_or_else(String::new, |process| process.end(&silence));
        self.device.fault(state, why)
    }
}

impl Module for ChildModule<'_> {
    fn launch(&self, launch: &Launch) -> Result<Vec<u32>, DeviceError> {
        let mut state = self.device.state();
        self.load(&mut state)?;
        let request = Request::Launch { module: self.number, launch: launch.clone() };
        let answer = self.device.ask(&mut state, &request, &[], self.device.limits.launch);
        if !matches!(answer, Err(DeviceError::Fault(_) | DeviceError::Lost(_))) {
            state.faults = 0;
        }
        match answer? {
            (Reply::Results, bytes) if bytes.len() == launch.result_bytes as usize => Ok(bytes
                .chunks_exact(4)
                .map(|dword| u32::from_le_bytes([dword[0], dword[1], dword[2], dword[3]]))
                .collect()),
            (reply, bytes) => {
                let what = format!("{reply:?} with {} bytes", bytes.len());
                let process = state.process.take();
                let why = process.map_or_else(String::new, |process| process.end(&Silence::Garbled(what)));
                Err(self.device.fault(&mut state, why))
            }
        }
    }
}
