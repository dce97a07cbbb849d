//! Ctrl-C, and the signal that ends a job.

use std::io::Write;
use std::process::{ExitCode, exit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The exit code of a program that a signal ends is this and the signal's number.
const OF_A_SIGNAL: i32 = 128;
/// How often the watch looks for a signal, and how long a job then has to end by itself: two seconds with its end.
const LOOK: Duration = Duration::from_millis(100);
const GRACE: Duration = Duration::from_millis(1600);

/// The first signal that asks for the end.
#[derive(Debug, Default)]
pub(super) struct Interruption {
    /// Set by it.
    pub(super) flag: Arc<AtomicBool>,
    /// Its number.
    signal: Arc<AtomicUsize>,
}

impl Interruption {
    /// Waits for these signals. The first one sets the flag, and SIGTERM ends the program soon whatever it does; the second one ends it at
    /// once. The files on disk stay usable.
    ///
    /// SIGHUP is left as it was, so that `nohup` works.
    pub(super) fn listen() -> std::io::Result<Self> {
        let listening = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag unset.
            flag::register_conditional_shutdown(signal, OF_A_SIGNAL + signal, Arc::clone(&listening.flag))?;
            flag::register_usize(signal, Arc::clone(&listening.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&listening.flag))?;
        }
        let signal = Arc::clone(&listening.signal);
        thread::spawn(move || {
            while signal.load(Ordering::SeqCst) != SIGTERM as usize {
                thread::sleep(LOOK);
            }
            thread::sleep(GRACE);
            // Nothing is left to do if standard error is closed.
            let _ = writeln!(std::io::stderr(), "gcn-timings: interrupted; the same command with --resume goes on");
            exit(OF_A_SIGNAL + SIGTERM);
        });
        Ok(listening)
    }

    /// Why the job ended early.
    pub(super) fn early(&self) -> Early {
        let signal = self.signal.load(Ordering::SeqCst) as i32;
        Early { why: "interrupted".to_owned(), code: (OF_A_SIGNAL + signal) as u8 }
    }
}

/// Why a job ended early, and the program's exit code for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub(super) struct Early {
    pub(super) why: String,
    pub(super) code: u8,
}

/// The exit code for an error: that of the signal which caused it, or else 1.
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    error.downcast_ref().map_or(ExitCode::FAILURE, |early: &Early| ExitCode::from(early.code))
}
