//! The child's side: answers requests for a device until there are no more.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use super::super::{Device, DeviceError, Module};
use super::frame;
use super::message::{Reply, Request};

/// Keeps the standard output for frames alone: whatever a driver prints from now on goes to standard error. To be called before
/// a driver is loaded.
///
/// # Errors
/// A standard output that is not there.
pub fn take_standard_output() -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let kept = io::stdout().as_fd().try_clone_to_owned()?;
        rustix::stdio::dup2_stdout(io::stderr().as_fd())?;
        Ok(File::from(kept))
    }
    #[cfg(not(unix))]
    Err(io::Error::new(io::ErrorKind::Unsupported, "devices in a process of their own need Unix"))
}

/// Opens a device and answers requests from standard input on `output` until the input ends.
///
/// A run that dies closes the input: then this process ends as well, in the middle of a launch if need be.
///
/// # Errors
/// An output that is closed, an input that is no request. A device that cannot be opened is an answer.
pub fn serve(open: impl FnOnce() -> Result<Box<dyn Device>, DeviceError>, output: &mut dyn Write) -> io::Result<()> {
    let mut input = io::stdin();
    let device = match open() {
        Ok(device) => device,
        Err(error) => return frame::write(output, &Reply::Failed { error }, &[]),
    };
    let information = Box::new(device.information().clone());
    frame::write(output, &Reply::Ready { information }, &[])?;

    let is_busy = Arc::new(AtomicBool::new(false));
    let (sender, requests) = sync_channel(1);
    let busy = is_busy.clone();
    thread::spawn(move || {
        loop {
            let request = frame::read::<Request>(&mut input);
            let is_last = !matches!(request, Ok(Some(_)));
            if is_last && busy.load(Ordering::SeqCst) {
                end_at_once();
            }
            if sender.send(request).is_err() || is_last {
                break;
            }
        }
    });
    let mut modules = HashMap::new();
    for request in requests {
        let Some((request, payload)) = request? else { break };
        is_busy.store(true, Ordering::SeqCst);
        let (reply, results) = reply(&*device, &mut modules, request, &payload);
        frame::write(output, &reply, &results)?;
        is_busy.store(false, Ordering::SeqCst);
    }
    Ok(())
}

fn reply<'a>(
    device: &'a dyn Device,
    modules: &mut HashMap<u32, Box<dyn Module + 'a>>,
    request: Request,
    payload: &[u8],
) -> (Reply, Vec<u8>) {
    let result = match request {
        Request::Load { module: number } => device.load(payload).map(|module| {
            modules.insert(number, module);
            (Reply::Loaded, Vec::new())
        }),
        Request::Launch { module, launch } => match modules.get(&module) {
            Some(module) => module
                .launch(&launch)
                .map(|results| (Reply::Results, results.into_iter().flat_map(u32::to_le_bytes).collect())),
            None => Err(DeviceError::Launch(format!("module {module} is not loaded"))),
        },
    };
    result.unwrap_or_else(|error| (Reply::Failed { error }, Vec::new()))
}

/// Ends this process without the exit handlers of a driver that is in the middle of something.
pub fn end_at_once() {
    #[cfg(unix)]
    {
        use rustix::process::{Signal, getpid, kill_process};
        // It cannot fail for the own process.
        let _ = kill_process(getpid(), Signal::KILL);
    }
    #[cfg(not(unix))]
    std::process::abort();
}
