//! The last lines of a device process on its standard error.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Lines that are kept: a driver that aborts says why in its last few.
const LINES: usize = 4;
/// Longest line that is kept whole, characters.
const LINE: usize = 240;

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
            while matches!(stream.read_until(b'\n', &mut bytes), Ok(1..)) {
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
        // A panic of the reader would lose lines and nothing else.
        let _ = self.reader.join();
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).join(" / ")
    }
}
