//! Faults that the driver's user asks for, to see how a program takes them: `GCN_TIMINGS_FAULT`.
//!
//! The syntax is described in `README.md` of this crate.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The faults, separated by commas.
const VARIABLE: &str = "GCN_TIMINGS_FAULT";
/// A file that keeps the counts, so that they go on over several processes.
const COUNTS: &str = "GCN_TIMINGS_FAULT_COUNTS";

/// In that file: the device was lost.
const LOST: &str = "lost";

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Memory is refused.
    OutOfMemory,
    /// A submission to the card is refused.
    Refused,
    /// The dispatch touches an address that is not mapped.
    Memory,
    /// The queue stops with this error.
    Queue(u32),
    /// The dispatch never ends.
    Hang,
    /// The device is gone: every request fails from then on.
    Gone,
    /// The same, and the processes that share the counts have no device either.
    Lost,
    /// There is no device at all.
    Absent,
}

/// The counted events.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    /// Dispatches of kernels which are not the runtime's own.
    Dispatch,
    /// Dispatches of a kernel.
    Kernel(String),
    Allocation,
    /// Allocations of that many bytes: the numbers are the bytes.
    Bytes,
    /// Submissions to the card: of command buffers, or of kernels where the driver takes those.
    Submission,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Fault {
    kind: Kind,
    /// Nothing for [`Kind::Absent`].
    subject: Option<Subject>,
    /// Which of them, counted from 1.
    numbers: RangeInclusive<u64>,
}

/// The faults of a process and the counts that they depend on.
#[derive(Debug)]
pub struct Faults {
    faults: Vec<Fault>,
    counts: Mutex<BTreeMap<String, u64>>,
    file: Option<PathBuf>,
    report: fn(&str),
}

impl Faults {
    /// The faults that the environment asks for; one that cannot be read is reported, and none of them happens.
    pub fn from_environment(report: fn(&str)) -> Self {
        let text = std::env::var(VARIABLE).unwrap_or_default();
        let faults: Result<Vec<_>, String> = text.split(',').filter(|part| !part.is_empty()).map(parse).collect();
        let faults = faults.unwrap_or_else(|problem| {
            report(&format!("{VARIABLE}: {problem}; no fault will happen"));
            Vec::new()
        });
        Self { faults, counts: Mutex::default(), file: std::env::var_os(COUNTS).map(PathBuf::from), report }
    }

    /// Whether there is no device.
    pub fn is_absent(&self) -> bool {
        let was_lost =
            || self.file.as_ref().is_some_and(|path| read(path).is_ok_and(|counts| counts.contains_key(LOST)));
        self.faults.iter().any(|fault| fault.kind == Kind::Absent || fault.kind == Kind::Lost && was_lost())
    }

    /// Counts an allocation; what goes wrong with it, if anything.
    pub fn allocation(&self, bytes: u64) -> Option<Kind> {
        let of_bytes = self.faults.iter().filter(|fault| fault.subject == Some(Subject::Bytes));
        let of_bytes = of_bytes.into_iter().find(|fault| fault.numbers.contains(&bytes)).map(|fault| fault.kind);
        self.count(|subject| *subject == Subject::Allocation).or(of_bytes)
    }

    /// Counts a dispatch of a kernel; what goes wrong with it, if anything. `name` is unknown for code that is in no
    /// code object: the runtime's own.
    pub fn dispatch(&self, name: Option<&str>) -> Option<Kind> {
        // HIP's own kernels, for copies and fills.
        let is_users = name.is_some_and(|name| !name.starts_with("__amd_rocclr_"));
        self.count(|subject| match subject {
            Subject::Dispatch => is_users,
            Subject::Kernel(wanted) => name == Some(wanted),
            Subject::Allocation | Subject::Bytes | Subject::Submission => false,
        })
    }

    /// Counts a dispatch of a kernel of the user's whose name the driver cannot know; what goes wrong with it, if anything.
    pub fn unnamed_dispatch(&self) -> Option<Kind> {
        self.count(|subject| *subject == Subject::Dispatch)
    }

    /// Counts a submission; what goes wrong with it, if anything.
    pub fn submission(&self) -> Option<Kind> {
        self.count(|subject| *subject == Subject::Submission)
    }

    fn count(&self, is_subject: impl Fn(&Subject) -> bool) -> Option<Kind> {
        let mut subjects: Vec<_> = self.faults.iter().filter_map(|fault| fault.subject.as_ref()).collect();
        subjects.retain(|subject| is_subject(subject));
        if subjects.is_empty() {
            return None;
        }
        let mut keys: Vec<_> = subjects.into_iter().map(Subject::key).collect();
        keys.sort();
        keys.dedup();
        let counts = self.advance(&keys);
        let happens = |fault: &&Fault| {
            let key = fault.subject.as_ref().map(Subject::key);
            keys.iter()
                .position(|counted| Some(counted) == key.as_ref())
                .is_some_and(|i| fault.numbers.contains(&counts[i]))
        };
        let kind = self.faults.iter().find(happens).map(|fault| fault.kind);
        if kind == Some(Kind::Lost) {
            self.advance(&[LOST.into()]);
        }
        kind
    }

    /// Adds one to each count and gives them back.
    fn advance(&self, keys: &[String]) -> Vec<u64> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(path) = &self.file else { return step(&mut counts, keys) };
        let stepped =
            File::options().read(true).write(true).create(true).truncate(false).open(path).and_then(|mut file| {
                file.lock()?;
                let mut text = String::new();
                file.read_to_string(&mut text)?;
                let lines = text.lines().filter_map(|line| line.rsplit_once(' '));
                let mut counts = lines.filter_map(|(key, count)| Some((key.to_owned(), count.parse().ok()?))).collect();
                let stepped = step(&mut counts, keys);
                let text: String = counts.iter().map(|(key, count)| format!("{key} {count}\n")).collect();
                file.rewind()?;
                file.write_all(text.as_bytes())?;
                file.set_len(text.len() as u64)?;
                Ok(stepped)
            });
        stepped.unwrap_or_else(|problem| {
            (self.report)(&format!("{COUNTS}: {}: {problem}; counting in this process alone", path.display()));
            step(&mut counts, keys)
        })
    }
}

/// The counts in a file.
fn read(path: &Path) -> std::io::Result<BTreeMap<String, u64>> {
    Ok(counts_of(&std::fs::read_to_string(path)?))
}

fn counts_of(text: &str) -> BTreeMap<String, u64> {
    let lines = text.lines().filter_map(|line| line.rsplit_once(' '));
    lines.filter_map(|(key, count)| Some((key.to_owned(), count.parse().ok()?))).collect()
}

fn step(counts: &mut BTreeMap<String, u64>, keys: &[String]) -> Vec<u64> {
    let mut step = |key: &String| {
        let count = counts.entry(key.clone()).or_default();
        *count += 1;
        *count
    };
    keys.iter().map(&mut step).collect()
}

impl Subject {
    fn key(&self) -> String {
        match self {
            Self::Dispatch => "dispatch".into(),
            Self::Kernel(name) => format!("kernel={name}"),
            Self::Allocation => "allocation".into(),
            Self::Bytes => "bytes".into(),
            Self::Submission => "submission".into(),
        }
    }
}

/// `KIND@SUBJECT`, such as `memory@dispatch=3` or `hang@kernel=reduce#1..2`.
fn parse(text: &str) -> Result<Fault, String> {
    let (kind, place) = text.trim().split_once('@').unwrap_or((text.trim(), ""));
    let kind = match kind {
        "out-of-memory" => Kind::OutOfMemory,
        "refused" => Kind::Refused,
        "memory" => Kind::Memory,
        "illegal-instruction" => Kind::Queue(ILLEGAL_INSTRUCTION),
        "aperture" => Kind::Queue(APERTURE_VIOLATION),
        "invalid-code" => Kind::Queue(INVALID_CODE),
        "hang" => Kind::Hang,
        "gone" => Kind::Gone,
        "lost" => Kind::Lost,
        "absent" if place.is_empty() => return Ok(Fault { kind: Kind::Absent, subject: None, numbers: 0..=0 }),
        _ => return Err(format!("{text}: there is no such fault")),
    };
    let (subject, numbers) = match place.split_once('=') {
        Some(("dispatch", numbers)) => (Subject::Dispatch, numbers),
        Some(("allocation", numbers)) => (Subject::Allocation, numbers),
        Some(("submission", numbers)) => (Subject::Submission, numbers),
        Some(("bytes", numbers)) => (Subject::Bytes, numbers),
        Some(("kernel", kernel)) => {
            let (name, numbers) = kernel.split_once('#').unwrap_or((kernel, "1.."));
            (Subject::Kernel(name.to_owned()), numbers)
        }
        None if place == "dispatch" => (Subject::Dispatch, "1.."),
        None if place == "allocation" => (Subject::Allocation, "1.."),
        None if place == "submission" => (Subject::Submission, "1.."),
        _ => {
            return Err(format!(
                "{text}: after @ comes dispatch=N, kernel=NAME, kernel=NAME#N, submission=N, allocation=N or bytes=N"
            ));
        }
    };
    let is_sensible = match kind {
        Kind::OutOfMemory => matches!(subject, Subject::Allocation | Subject::Bytes),
        Kind::Refused => subject == Subject::Submission,
        _ => matches!(subject, Subject::Dispatch | Subject::Kernel(_)),
    };
    if !is_sensible {
        return Err(format!(
            "{text}: out-of-memory goes with allocation and bytes, refused with submission, and all others with dispatch or kernel"
        ));
    }
    let numbers = range(numbers).ok_or_else(|| format!("{text}: a number is N, N.. or N..M, from 1"))?;
    Ok(Fault { kind, subject: Some(subject), numbers })
}

fn range(text: &str) -> Option<RangeInclusive<u64>> {
    let number = |text: &str| text.parse::<u64>().ok().filter(|number| *number > 0);
    match text.split_once("..") {
        None => number(text).map(|number| number..=number),
        Some((first, "")) => Some(number(first)?..=u64::MAX),
        Some((first, last)) => Some(number(first)?..=number(last)?),
    }
}

/// An illegal instruction, as the queue's error in `queue_inactive_signal` says it (ROCr's exception handler).
pub const ILLEGAL_INSTRUCTION: u32 = 0x4000_0000;
/// An access outside of the apertures.
pub const APERTURE_VIOLATION: u32 = 0x2000_0000;
/// A malformed kernel.
pub const INVALID_CODE: u32 = 8;
/// A malformed packet.
pub const INVALID_PACKET: u32 = 32;
/// A dispatch of 0 dimensions or work-items.
pub const INVALID_DIMENSIONS: u32 = 2;
/// Too much LDS.
pub const INVALID_LDS: u32 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str, file: Option<PathBuf>) -> Faults {
        let faults = text.split(',').map(|part| parse(part).unwrap()).collect();
        Faults { faults, counts: Mutex::default(), file, report: |_| {} }
    }

    #[test]
    fn a_fault_happens_at_its_dispatch_alone() {
        let faults = faults("memory@dispatch=2,hang@kernel=b#2..", None);
        let happened =
            ["a", "__amd_rocclr_fillBuffer", "a", "b", "b", "b", "a"].map(|name| faults.dispatch(Some(name)));
        let hang = Some(Kind::Hang);
        assert_eq!(happened, [None, None, Some(Kind::Memory), None, hang, hang, None]);
        assert_eq!(faults.dispatch(None), None);
        assert_eq!(faults.allocation(1), None);
    }

    #[test]
    fn counts_go_on_in_the_next_process() {
        let folder = tempfile::tempdir().unwrap();
        let file = Some(folder.path().join("counts"));
        let happened: Vec<_> = (0..4)
            .map(|_| faults("illegal-instruction@dispatch=2,out-of-memory@allocation=3", file.clone()))
            .map(|faults| (faults.dispatch(Some("k")).is_some(), faults.allocation(1).is_some()))
            .collect();
        assert_eq!(happened, [(false, false), (true, false), (false, true), (false, false)]);
    }

    #[test]
    fn a_lost_device_is_lost_to_all_who_share_the_counts() {
        let folder = tempfile::tempdir().unwrap();
        let file = Some(folder.path().join("counts"));
        let found: Vec<_> = (0..3)
            .map(|_| faults("lost@dispatch=2", file.clone()))
            .map(|faults| (faults.is_absent(), faults.dispatch(Some("k")).is_some()))
            .collect();
        assert_eq!(found, [(false, false), (false, true), (true, false)]);
    }

    #[test]
    fn large_allocations_alone_are_refused() {
        let faults = faults("out-of-memory@bytes=4096..8192", None);
        let refused = [4095, 4096, 8192, 8193].map(|bytes| faults.allocation(bytes).is_some());
        assert_eq!(refused, [false, true, true, false]);
    }

    #[test]
    fn malformed_faults_are_refused_with_a_reason() {
        for text in [
            "melt@dispatch=1",
            "hang",
            "hang@kernel",
            "memory@dispatch=0",
            "memory@allocation=1",
            "refused@dispatch=1",
            "absent@dispatch=1",
        ] {
            assert!(parse(text).unwrap_err().starts_with(text), "{text}");
        }
        assert_eq!(parse("gone@dispatch").unwrap().numbers, 1..=u64::MAX);
        assert_eq!(parse("absent").unwrap().kind, Kind::Absent);
    }
}
