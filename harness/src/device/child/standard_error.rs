//! The last lines of a device process on its standard error.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Lines that are kept: a driver that aborts says why in its last few.
const LINES: usize = 4;
/// Longest line that is kept whole, characters.
const LINE: usize = 240;
/// A line is cut into pieces of this many bytes.
const MOST_BYTES: u64 = 1 << 16;
/// How long the end of the stream is waited for: a process that the writer started may hold it for ever.
const END: Duration = Duration::from_secs(1);

/// The last lines of a stream, read on a thread of their own so that the writer never waits.
#[derive(Debug)]
pub(super) struct LastLines {
    lines: Arc<Mutex<Vec<String>>>,
    reader: JoinHandle<()>,
}

impl LastLines {
    pub(super) fn of(stream: impl Read + Send + 'static) -> Self {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let kept = lines.clone();
        let reader = thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            let mut bytes = Vec::new();
            while matches!((&mut stream).take(MOST_BYTES).read_until(b'\n', &mut bytes), Ok(1..)) {
                let line = String::from_utf8_lossy(&bytes);
                let line: String = line.trim().chars().filter(|c| !c.is_control()).take(LINE).collect();
                bytes.clear();
                if !line.is_empty() {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    if kept.len() == LINES {
                        kept.remove(0);
                    }
                    kept.push(line);
                }
            }
        });
        Self { lines, reader }
    }

    /// The lines, once the writer is gone.
    pub(super) fn end(self) -> String {
        let start = Instant::now();
        while !self.reader.is_finished() && start.elapsed() < END {
            thread::sleep(Duration::from_millis(1));
        }
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).join(" / ")
    }
}
