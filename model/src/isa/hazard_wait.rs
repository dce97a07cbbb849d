//! The rows of a generation's `hazards.csv`: how long a hazard wants to be waited for.

use serde::Deserialize;

use super::IsaError;
use super::data_file::DataFile;
use super::files::rows;
use crate::quantity::Passes;

/// A hazard that the generation has, and its wait states.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HazardWait {
    /// Its row in `hazards/hazards.csv`.
    pub(crate) hazard: String,
    states: WaitStates,
    /// Of producers with this many passes alone; of all, if there is none.
    passes: Vec<Passes>,
}

/// A number of wait states, which can depend on the producer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WaitStates {
    Fixed(u8),
    /// The producer's passes and this many more.
    Passes(i8),
}

impl HazardWait {
    /// The wait states behind a producer that holds the matrix unit for some passes, or not at all; `None` if the row does not speak
    /// of it.
    pub(crate) fn states(&self, producer: Option<Passes>) -> Option<u32> {
        if !self.passes.is_empty() && !producer.is_some_and(|passes| self.passes.contains(&passes)) {
            return None;
        }
        match self.states {
            WaitStates::Fixed(states) => Some(states.into()),
            WaitStates::Passes(more) => Some(u32::from(producer?.0).saturating_add_signed(more.into())),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    hazard: String,
    wait_states: String,
    #[serde(default)]
    passes: String,
}

/// Reads the file.
pub(super) fn waits(file: &DataFile<'_>) -> Result<Vec<HazardWait>, IsaError> {
    let read = |(line, Row { hazard, wait_states, passes }): (u64, Row)| {
        let states = states(&wait_states).ok_or_else(|| {
            IsaError::value(file, line, "wait_states", &wait_states, "a number, or N (the producer's passes), N+3, N-1")
        })?;
        let number = |text: &str| text.parse().ok().filter(|&number| number > 0).map(Passes);
        let list = passes.split_ascii_whitespace().map(number).collect::<Option<_>>();
        let passes = list.ok_or_else(|| {
            IsaError::value(file, line, "passes", &passes, "numbers of passes with spaces between them, or nothing")
        })?;
        Ok(HazardWait { hazard, states, passes })
    };
    rows(file)?.into_iter().map(read).collect()
}

fn states(text: &str) -> Option<WaitStates> {
    match text.strip_prefix('N') {
        None => text.parse().ok().map(WaitStates::Fixed),
        Some("") => Some(WaitStates::Passes(0)),
        Some(more) if more.starts_with(['+', '-']) => more.parse().ok().map(WaitStates::Passes),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rows: &str) -> Result<Vec<HazardWait>, String> {
        let text = format!("hazard,wait_states,passes\n{rows}");
        waits(&("made/hazards.csv", &text)).map_err(|error| error.to_string())
    }

    #[test]
    fn waits_depend_on_passes() {
        let waits = read("a,5\nb,N+3\nc,N-3\nd,N,2\nd,N+1,4 8\n").unwrap();
        let states = |passes: Option<u8>| waits.iter().map(|wait| wait.states(passes.map(Passes))).collect::<Vec<_>>();
        assert_eq!(states(None), [Some(5), None, None, None, None]);
        assert_eq!(states(Some(2)), [Some(5), Some(5), Some(0), Some(2), None]);
        assert_eq!(states(Some(8)), [Some(5), Some(11), Some(5), None, Some(9)]);
    }

    #[test]
    fn what_is_no_number_is_refused_where_it_stands() {
        for row in ["a,M+1", "a,N3", "a,", "a,-1", "a,5,two", "a,5,0"] {
            let error = read(row).unwrap_err();
            assert!(error.starts_with("made/hazards.csv, line 2, column "), "{row}: {error}");
        }
    }
}
