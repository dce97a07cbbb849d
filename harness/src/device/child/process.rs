//! A device's process, seen from the run.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::frame;
use super::message::{Reply, Request};
use super::standard_error::LastLines;

/// How to start a device's process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildProgram {
    /// The executable.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
}

impl ChildProgram {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // Ctrl-C goes to the group of the terminal: it is for the run, which ends after the current launch.
            command.process_group(0);
        }
        command
    }
}

type Answer = std::io::Result<Option<(Reply, Vec<u8>)>>;

/// A running process, and its messages.
#[derive(Debug)]
pub(super) struct DeviceProcess {
    child: Child,
    requests: Sender<Vec<u8>>,
    answers: Receiver<Answer>,
    last_lines: LastLines,
}

impl DeviceProcess {
    /// Starts the process; its first answer is still to come.
    pub(super) fn start(program: &ChildProgram) -> std::io::Result<Self> {
        let mut child = program.command().spawn()?;
        let missing = || std::io::Error::other("a pipe is missing");
        let mut input = child.stdin.take().ok_or_else(missing)?;
        let mut output = child.stdout.take().ok_or_else(missing)?;
        let last_lines = LastLines::of(child.stderr.take().ok_or_else(missing)?);
        // Threads, so that neither a full pipe nor an empty one can hold the run beyond its limits.
        let (requests, to_write) = channel::<Vec<u8>>();
        thread::spawn(move || {
            for request in to_write {
                // A process that does not listen does not answer either, and that is reported.
                if input.write_all(&request).and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        });
        let (answered, answers) = channel();
        thread::spawn(move || {
            loop {
                let answer: Answer = frame::read(&mut output);
                let is_last = !matches!(answer, Ok(Some(_)));
                if answered.send(answer).is_err() || is_last {
                    break;
                }
            }
        });
        Ok(Self { child, requests, answers, last_lines })
    }

    /// Sends a request, whose answer is then to be waited for.
    pub(super) fn send(&self, request: &Request, payload: &[u8]) -> std::io::Result<()> {
        // The writer is gone if the process is, which the answer will tell.
        let _ = self.requests.send(frame::bytes(request, payload)?);
        Ok(())
    }

    /// Waits for an answer.
    ///
    /// # Errors
    /// Why the process is gone, in a word or two for [`DeviceProcess::end`].
    pub(super) fn answer(&self, limit: Duration) -> Result<(Reply, Vec<u8>), Silence> {
        match self.answers.recv_timeout(limit) {
            Ok(Ok(Some(answer))) => Ok(answer),
            Ok(Ok(None)) | Err(RecvTimeoutError::Disconnected) => Err(Silence::Ended),
            Ok(Err(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                Err(Silence::Garbled(error.to_string()))
            }
            Ok(Err(_)) => Err(Silence::Ended),
            Err(RecvTimeoutError::Timeout) => Err(Silence::TimedOut(limit)),
        }
    }

    /// Ends the process, whatever it does, and says how it went.
    pub(super) fn end(mut self, why: &Silence) -> String {
        // It fails only where the process has ended already.
        let status = match why {
            Silence::Ended => self.wait_briefly(),
            _ => None,
        };
        let status = status.or_else(|| {
            let _ = self.child.kill();
            self.child.wait().ok()
        });
        let mut text = match (why, status) {
            (Silence::TimedOut(limit), _) => format!("the device did not answer within {limit:?} and was ended"),
            (Silence::Garbled(what), _) => {
                format!("the device's process gave a malformed reply ({what}) and was ended")
            }
            (Silence::Ended, Some(status)) => format!("the device's process {}", ended(status)),
            (Silence::Ended, None) => "the device's process is gone".into(),
        };
        text += &it_last_said(self.last_lines);
        text
    }

    /// The end of a process whose output has ended; `None` if it goes on nevertheless.
    fn wait_briefly(&mut self) -> Option<ExitStatus> {
        // On a busy machine, or where memory is written to a core file, that may take a while.
        for _ in 0..3000 {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(10)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
        None
    }

    /// Lets the process go: the end of its input tells it so. Returns its last message, as the end of an error.
    pub(super) fn leave(self) -> String {
        let Self { mut child, requests, answers, last_lines } = self;
        drop(requests);
        for _ in 0..200 {
            if matches!(child.try_wait(), Ok(Some(_))) {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        // A driver may hang in its own end; nothing of the run is lost with it.
        let _ = child.kill();
        let _ = child.wait();
        drop(answers);
        it_last_said(last_lines)
    }
}

/// Why an answer did not come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Silence {
    /// The time was up.
    TimedOut(Duration),
    /// The process ended, or closed its output.
    Ended,
    /// What came was no answer.
    Garbled(String),
}

fn it_last_said(last_lines: LastLines) -> String {
    match last_lines.end() {
        said if said.is_empty() => String::new(),
        said => format!("; it last said: {said}"),
    }
}

fn ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            let name = match signal {
                4 => " (SIGILL)",
                6 => " (SIGABRT)",
                7 => " (SIGBUS)",
                8 => " (SIGFPE)",
                9 => " (SIGKILL)",
                11 => " (SIGSEGV)",
                15 => " (SIGTERM)",
                _ => "",
            };
            return format!("was ended by signal {signal}{name}");
        }
    }
    match status.code() {
        Some(code) => format!("ended with exit code {code}"),
        None => "ended".into(),
    }
}
