//! The process that assembles text of others.

use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::text_limits::TextLimits;
use super::{AssembleError, Diagnostic, Llvm};
use crate::device::end_at_once;

/// Errors after which LLVM is stopped: each of 100,000 takes a third of a millisecond.
pub(crate) const MOST_ERRORS: usize = 1000;
/// The most bytes of an answer, and of what LLVM prints: as many as are read of an ELF file.
const MOST_BYTES: u64 = 256 << 20;

/// The first line of standard input; the text follows.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) target: String,
    pub(super) limits: TextLimits,
}

impl Request {
    /// Its line, and a text.
    pub(super) fn with(&self, text: &str) -> Vec<u8> {
        format!("{}\n{text}", serde_json::json!(self)).into_bytes()
    }

    fn read() -> io::Result<(Self, String)> {
        let mut input = io::stdin().lock();
        let (mut line, mut text) = (String::new(), String::new());
        input.read_line(&mut line)?;
        let request = serde_json::from_str(&line)?;
        input.read_to_string(&mut text)?;
        Ok((request, text))
    }
}

/// The first line of an answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "answer")]
pub(super) enum Reply {
    /// The object follows.
    Object {
        bytes: usize,
    },
    Errors {
        errors: Vec<Diagnostic>,
    },
    /// There is no library, or it does not know the target.
    Refused {
        message: String,
    },
}

impl Reply {
    /// An answer and the bytes after it, if it is whole.
    pub(super) fn of(output: &[u8]) -> Option<(Self, &[u8])> {
        let end = output.iter().position(|byte| *byte == b'\n')?;
        let (reply, rest) = (serde_json::from_slice(&output[..end]).ok()?, &output[end + 1..]);
        match reply {
            Self::Object { bytes } if bytes != rest.len() => None,
            _ => Some((reply, rest)),
        }
    }

    fn send(&self, object: &[u8], mut output: &File) -> io::Result<()> {
        let line = serde_json::to_string(self)? + "\n";
        output.write_all(line.as_bytes())?;
        output.write_all(object)
    }
}

/// Assembles the text of standard input and answers on `output`, which LLVM does not print to.
///
/// # Errors
/// No request; an output that is closed. A text that LLVM refuses is an answer.
pub fn serve_text(library: Option<&Path>, output: &File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // It may be started before there is a text, so that both programs are busy at once.
    let llvm = Llvm::find(library);
    let (Request { target, limits }, text) = Request::read()?;
    let llvm = match llvm {
        Ok(llvm) => llvm,
        Err(error) => return Reply::Refused { message: error.to_string() }.send(&[], output),
    };
    #[cfg(unix)]
    confine(limits)?;
    #[cfg(not(unix))]
    let _ = limits;
    let at_error = |errors: &[Diagnostic]| {
        if errors.len() == MOST_ERRORS {
            // There is no way back out of LLVM. Whoever reads an answer that is cut off says so.
            let _ = Reply::Errors { errors: errors.to_vec() }.send(&[], output);
            end_at_once();
        }
    };
    match llvm.assemble_until(&target, &text, &at_error) {
        Ok(object) => Reply::Object { bytes: object.len() }.send(&object, output),
        Err(AssembleError::Text(errors)) => Reply::Errors { errors }.send(&[], output),
        Err(other) => Reply::Refused { message: other.to_string() }.send(&[], output),
    }
}

/// Limits this process, now that LLVM is loaded: it opens no file any more, whatever directives the text has or makes by macros.
#[cfg(unix)]
fn confine(limits: TextLimits) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let memory = limits.mebibytes.saturating_mul(1 << 20);
    let all = [
        (Resource::Cpu, limits.seconds),
        (Resource::As, memory),
        (Resource::Fsize, MOST_BYTES),
        (Resource::Core, 0),
        (Resource::Nofile, 0),
    ];
    for (resource, limit) in all {
        // It may have been lowered for all processes already.
        let most = getrlimit(resource).maximum.map_or(limit, |most| most.min(limit));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_cut_off_is_none() {
        let whole = b"{\"answer\":\"object\",\"bytes\":3}\nabc";
        assert!(matches!(Reply::of(whole), Some((Reply::Object { bytes: 3 }, b"abc"))));
        assert!((0..whole.len()).all(|length| Reply::of(&whole[..length]).is_none()));
    }
}
