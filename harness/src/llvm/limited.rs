//! Running a program that may hang.

use std::{
    fs::File,
    io::{Error, ErrorKind, Read, Result, Seek, Write},
    process::{Command, Output, Stdio},
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
    ended(command, limit)
}

/// Runs a program that reads these bytes.
///
/// # Errors
/// Those of [`output`].
pub(super) fn output_for(input: &[u8], mut command: Command, limit: Duration) -> Result<Output> {
    let mut file = tempfile::tempfile()?;
    file.write_all(input)?;
    file.rewind()?;
    command.stdin(file);
    ended(command, limit)
}

/// Its output goes through files, which do not fill up as pipes do.
fn ended(mut command: Command, limit: Duration) -> Result<Output> {
    let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let mut child = command.spawn()?;
    let Some(status) = child.wait_timeout(limit)? else {
        child.kill()?;
        // One that hangs in the kernel does not die.
        child.wait_timeout(DEATH)?;
        return Err(Error::new(ErrorKind::TimedOut, format!("it did not end within {limit:?} and was killed")));
    };
    Ok(Output { status, stdout: content(stdout)?, stderr: content(stderr)? })
}

fn content(mut file: File) -> Result<Vec<u8>> {
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
