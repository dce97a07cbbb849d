//! LLVM in a process of its own, for text of others.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::confined_process::{Reply, Request};
use super::limited::Started;
use super::text_limits::TextLimits;
use super::{AssembleError, Diagnostic};
use crate::device::ChildProgram;

/// Of the time that a process waits for a busy machine, this much is allowed for each second of its own.
const WAITING: u64 = 10;
/// Seconds of processor time for each look for the line of a fatal error. A text of 256 MiB takes at most 28 of them.
const LOOK: u64 = 1;
/// The words of LLVM, and of Rust's and C++'s libraries, when memory is used up. LLVM throws no other exception.
const NO_MEMORY: [&str; 4] = ["out of memory", "memory allocation of", "bad_alloc", "foreign exceptions"];

/// LLVM in a process of its own, which reads no file and ends when a limit is reached.
#[derive(Debug, Clone)]
pub struct ConfinedLlvm {
    /// This program, to be started again.
    pub program: ChildProgram,
    /// LLVM's library, if it is not to be searched for.
    pub library: Option<PathBuf>,
    pub limits: TextLimits,
    /// A process that has loaded LLVM, or is doing so.
    ahead: Arc<Mutex<Option<Started>>>,
}

/// How a process ended that did not answer.
enum Failure {
    /// At an error of LLVM's that it cannot go on after.
    Fatal(String),
    Other(AssembleError),
}

impl ConfinedLlvm {
    /// LLVM's library, if it is not to be searched for, in a process of this program.
    pub fn new(program: ChildProgram, library: Option<PathBuf>, limits: TextLimits) -> Self {
        Self { program, library, limits, ahead: Arc::default() }
    }

    /// Starts the process for the first text, which loads LLVM while this one does something else.
    pub fn start_ahead(&self) {
        // What fails now fails again, and is said then.
        *self.ahead() = Started::new(self.command()).ok();
    }

    fn ahead(&self) -> MutexGuard<'_, Option<Started>> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Assembles text for a target such as `gfx803`, as [`super::Llvm::assemble`] does.
    ///
    /// # Errors
    /// Every line that is wrong; a fatal error with its line, where that can be found; a limit that is reached.
    pub fn assemble(&self, target: &str, text: &str) -> Result<Vec<u8>, AssembleError> {
        self.attempt(target, text, self.limits).map_err(|failure| match failure {
            Failure::Fatal(message) => {
                let line = self.fatal_line(target, text).unwrap_or(0);
                AssembleError::Text(vec![Diagnostic { line, column: 0, message }])
            }
            Failure::Other(error) => error,
        })
    }

    /// The line that a text is fatal with and is not without: what is after it plays no part. A part of it that takes too long has none.
    fn fatal_line(&self, target: &str, text: &str) -> Option<usize> {
        let limits = TextLimits { seconds: self.limits.seconds.min(LOOK), ..self.limits };
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).chain([text.len()]).collect();
        let (mut sound, mut fatal) = (0, ends.len());
        while fatal - sound > 1 {
            let middle = sound.midpoint(fatal);
            match self.attempt(target, &text[..ends[middle - 1]], limits) {
                Err(Failure::Fatal(_)) => fatal = middle,
                Err(Failure::Other(AssembleError::Limit(_))) => return None,
                _ => sound = middle,
            }
        }
        Some(fatal)
    }

    fn attempt(&self, target: &str, text: &str, limits: TextLimits) -> Result<Vec<u8>, Failure> {
        let limits = limits.for_bytes(text.len());
        let process = |error: String| Failure::Other(AssembleError::Process(format!("LLVM's process: {error}")));
        let wall = Duration::from_secs(limits.seconds.saturating_mul(WAITING));
        let ahead = self.ahead().take();
        let started =
            ahead.map_or_else(|| Started::new(self.command()), Ok).map_err(|error| process(error.to_string()))?;
        let request = Request { target: target.to_owned(), limits }.with(text);
        let output = match started.output_for(&request, wall) {
            Err(error) if error.kind() == std::io::ErrorKind::TimedOut => return Err(out_of_time(limits)),
            output => output.map_err(|error| process(error.to_string()))?,
        };
        match Reply::of(&output.stdout) {
            Some((Reply::Object { .. }, object)) => Ok(object.to_vec()),
            Some((Reply::Errors { errors }, _)) => Err(Failure::Other(AssembleError::Text(errors))),
            Some((Reply::Refused { message }, _)) => Err(Failure::Other(AssembleError::Process(message))),
            None => Err(failure(output.status, &String::from_utf8_lossy(&output.stderr), limits)),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program.program);
        command.args(&self.program.arguments).arg("assemble-child");
        // The user's own choice is in the arguments.
        command.env_remove("GCN_TIMINGS_LLVM");
        if let Some(library) = &self.library {
            command.args([OsString::from("--llvm"), library.into()]);
        }
        command
    }
}

/// Why a process gave no answer.
fn failure(status: std::process::ExitStatus, said: &str, limits: TextLimits) -> Failure {
    if NO_MEMORY.iter().any(|words| said.contains(words)) {
        let limit = limits.mebibytes;
        let message =
            format!("it takes more than {limit} MiB of memory to assemble, the limit; --llvm-memory raises it");
        return Failure::Other(AssembleError::Limit(message));
    }
    if said.contains("has overflowed its stack") {
        return Failure::Fatal("LLVM's stack is used up: it is nested too deeply".to_owned());
    }
    #[cfg(unix)]
    {
        use rustix::process::Signal;
        use std::os::unix::process::ExitStatusExt;
        let signal = status.signal();
        // The second is that of the hard limit.
        if signal == Some(Signal::XCPU.as_raw()) || signal == Some(Signal::KILL.as_raw()) {
            return out_of_time(limits);
        }
        if signal == Some(Signal::XFSZ.as_raw()) {
            return Failure::Other(AssembleError::Limit(
                "what is assembled of it is larger than a code object may be".into(),
            ));
        }
    }
    let of_llvm = said.lines().filter_map(|line| line.split_once("LLVM ERROR: ")).next_back();
    Failure::Fatal(match of_llvm {
        Some((_, message)) => message.to_owned(),
        None => format!("LLVM's process ended without an answer ({status})"),
    })
}

fn out_of_time(limits: TextLimits) -> Failure {
    let limit = limits.seconds;
    Failure::Other(AssembleError::Limit(format!(
        "LLVM does not end within {limit} s of processor time, the limit; --llvm-seconds raises it. A `/*` without its end, `.rept` or a \
         macro can be the cause"
    )))
}
