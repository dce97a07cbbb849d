//! Running a program that may hang.

use std::{
    fs::File,
    io::{Error, ErrorKind, Read, Result, Seek, Write},
    process::{Child, Command, Output, Stdio},
    time::Duration,
};

use wait_timeout::ChildExt;

/// How long a program that was killed may take to end.
const DEATH: Duration = Duration::from_secs(2);

/// Runs a program without input to its end and returns its output; one that takes longer is killed.
///
/// # Errors
/// It does not start, or it is killed.
pub(crate) fn output(mut command: Command, limit: Duration) -> Result<Output> {
    command.stdin(Stdio::null());
    Started::of(command)?.ended(limit)
}

/// A program that was started and waits for its input; one that gets none is killed.
#[derive(Debug)]
pub(super) struct Started {
    child: Child,
    /// Its output goes through files, which do not fill up as pipes do.
    stdout: File,
    stderr: File,
}

impl Started {
    pub(super) fn new(mut command: Command) -> Result<Self> {
        command.stdin(Stdio::piped());
        Self::of(command)
    }

    fn of(mut command: Command) -> Result<Self> {
        let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
        command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
        Ok(Self { child: command.spawn()?, stdout, stderr })
    }

    /// What it prints for these bytes.
    ///
    /// # Errors
    /// Those of [`output`].
    pub(super) fn output_for(mut self, input: &[u8], limit: Duration) -> Result<Output> {
        let pipe = self.child.stdin.take();
        std::thread::scope(|scope| {
            // It may read nothing, and die or be killed: its end says more than a pipe that is closed.
            scope.spawn(|| pipe.map(|mut pipe| pipe.write_all(input)));
            self.ended(limit)
        })
    }

    fn ended(&mut self, limit: Duration) -> Result<Output> {
        let Some(status) = self.child.wait_timeout(limit)? else {
            self.child.kill()?;
            // One that hangs in the kernel does not die.
            self.child.wait_timeout(DEATH)?;
            return Err(Error::new(ErrorKind::TimedOut, format!("it did not end within {limit:?} and was killed")));
        };
        Ok(Output { status, stdout: content(&mut self.stdout)?, stderr: content(&mut self.stderr)? })
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            let _ = self.child.kill();
            let _ = self.child.wait_timeout(DEATH);
        }
    }
}

fn content(file: &mut File) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_program_that_hangs_is_killed() {
        let error = output(shell("exec sleep 3600"), Duration::from_millis(100)).unwrap_err();
        assert_eq!(error.to_string(), "it did not end within 100ms and was killed");
    }

    #[test]
    fn a_program_that_ends_gives_what_it_printed() {
        let output = output(shell("echo out; echo error >&2; exit 3"), Duration::from_secs(3600)).unwrap();
        assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (&b"out\n"[..], &b"error\n"[..]));
        assert_eq!(output.status.code(), Some(3));
    }
}
