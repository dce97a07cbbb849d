//! A device's process, seen from the run.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

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

/// How long a process has for its own end, and for the one that it is killed for.
const END: Duration = Duration::from_secs(2);

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
            // On a busy machine, or where memory is written to a core file, that may take a while.
            Silence::Ended => ended_within(&mut self.child, Duration::from_secs(30)),
            _ => None,
        };
        let status = status.or_else(|| {
            let _ = self.child.kill();
            ended_within(&mut self.child, END)
        });
        let mut text = match (why, status) {
            (Silence::TimedOut(limit), None) => {
                format!(
                    "the device did not answer within {limit:?}, and its process does not end: it hangs in the kernel"
                )
            }
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

    /// Lets the process go: the end of its input tells it so. Returns its last message, as the end of an error.
    pub(super) fn leave(self) -> String {
        let Self { mut child, requests, answers, last_lines } = self;
        drop(requests);
        // A driver may hang in its own end; nothing of the run is lost with it.
        if ended_within(&mut child, END).is_none() {
            let _ = child.kill();
            ended_within(&mut child, END);
        }
        drop(answers);
        it_last_said(last_lines)
    }
}

/// How a process ended; `None` if it goes on. One that hangs in the kernel does not die, and what waits for it would never end.
fn ended_within(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(None) if start.elapsed() < limit => thread::sleep(Duration::from_millis(10)),
            Ok(status) => return status,
            Err(_) => return None,
        }
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn started(script: &str) -> DeviceProcess {
        let arguments = ["-c", script].map(OsString::from).to_vec();
        DeviceProcess::start(&ChildProgram { program: "sh".into(), arguments }).unwrap()
    }

    #[test]
    fn a_process_that_does_not_end_is_not_waited_for() {
        let mut child = Command::new("sleep").arg("3600").spawn().unwrap();
        let start = Instant::now();
        assert_eq!(ended_within(&mut child, Duration::from_millis(50)), None);
        assert!(start.elapsed() < Duration::from_secs(60));
        child.kill().unwrap();
        assert!(ended_within(&mut child, Duration::from_secs(60)).is_some());
    }

    #[test]
    fn a_pipe_that_a_grandchild_holds_is_not_waited_for() {
        // It outlives its parent and keeps the standard error.
        let process = started("echo last words >&2; sleep 3600 >/dev/null </dev/null & echo $! >&2; exit 3");
        let silence = process.answer(Duration::from_secs(3600)).unwrap_err();
        let start = Instant::now();
        let told = process.end(&silence);
        assert!(start.elapsed() < Duration::from_secs(60), "{told}");
        assert!(told.starts_with("the device's process ended with exit code 3; it last said: last words / "), "{told}");
        let grandchild = told.rsplit(' ').next().unwrap();
        assert!(Command::new("kill").arg(grandchild).status().unwrap().success());
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let process = started("head -c 100000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo last >&2; exit 0");
        let silence = process.answer(Duration::from_secs(3600)).unwrap_err();
        let told = process.end(&silence);
        assert!(told.ends_with("/ last") && told.len() < 2000, "{told}");
    }
}
