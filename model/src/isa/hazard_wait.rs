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
    /// Of producers with this many passes alone; `None`: of all.
    passes: Vec<Passes>,
    /// Of targets and wave sizes with these features alone, as in a row of an instruction.
    pub(super) feature: Option<String>,
    /// What can stand between the two to keep them apart, in assembly; nothing where S_NOPs do.
    pub(crate) repair: Option<String>,
}

/// A number of wait states, which can depend on the producer.
#[derive(Debug, Clone, PartialEq, Eq)]
enum WaitStates {
    Fixed(u8),
    /// The producer's passes and this many more.
    Passes(i8),
    /// So many instructions of each class that the hazard counts: the first that is reached is enough.
    Counted(Vec<u8>),
    /// Any number: only what ends the hazard does.
    Unlimited,
}

/// The word for any number of wait states.
const UNTIL_ENDED: &str = "until-ended";

impl HazardWait {
    /// The sufficient distance from a producer, by its passes in the matrix unit, or without any: wait states, or one number for each
    /// class that the hazard counts, or no number where none is; `None` if the row does not speak of it.
    pub(crate) fn limits(&self, producer: Option<Passes>) -> Option<Vec<u32>> {
        if !self.passes.is_empty() && !producer.is_some_and(|passes| self.passes.contains(&passes)) {
            return None;
        }
        match &self.states {
            WaitStates::Fixed(states) => Some(vec![u32::from(*states)]),
            WaitStates::Passes(more) => Some(vec![u32::from(producer?.0).saturating_add_signed((*more).into())]),
            WaitStates::Counted(all) => Some(all.iter().copied().map(u32::from).collect()),
            WaitStates::Unlimited => Some(Vec::new()),
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
    #[serde(default)]
    feature: String,
    #[serde(default)]
    repair: String,
}

/// Reads the file.
pub(super) fn waits(file: &DataFile<'_>) -> Result<Vec<HazardWait>, IsaError> {
    let read = |(line, Row { hazard, wait_states, passes, feature, repair }): (u64, Row)| {
        let states = states(&wait_states).ok_or_else(|| {
            let wanted =
                "a number, several with spaces between them, N (the producer's passes), N+3, N-1, or until-ended";
            IsaError::value(file, line, "wait_states", &wait_states, wanted)
        })?;
        let number = |text: &str| text.parse().ok().filter(|&number| number > 0).map(Passes);
        let list = passes.split_ascii_whitespace().map(number).collect::<Option<_>>();
        let passes = list.ok_or_else(|| {
            IsaError::value(file, line, "passes", &passes, "numbers of passes with spaces between them, or nothing")
        })?;
        let some = |text: String| (!text.is_empty()).then_some(text);
        Ok(HazardWait { hazard, states, passes, feature: some(feature), repair: some(repair) })
    };
    rows(file)?.into_iter().map(read).collect()
}

fn states(text: &str) -> Option<WaitStates> {
    match text.strip_prefix('N') {
        None if text == UNTIL_ENDED => Some(WaitStates::Unlimited),
        None if text.contains(' ') => {
            let all = text.split(' ').map(|number| number.parse().ok()).collect::<Option<_>>();
            all.map(WaitStates::Counted)
        }
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
        let only = |wait: &HazardWait, passes: Option<u8>| wait.limits(passes.map(Passes)).map(|limits| limits[0]);
        let states = |passes| waits.iter().map(|wait| only(wait, passes)).collect::<Vec<_>>();
        assert_eq!(states(None), [Some(5), None, None, None, None]);
        assert_eq!(states(Some(2)), [Some(5), Some(5), Some(0), Some(2), None]);
        assert_eq!(states(Some(8)), [Some(5), Some(11), Some(5), None, Some(9)]);
    }

    #[test]
    fn waits_can_count_classes_or_have_no_end() {
        let text = "hazard,wait_states,feature,repair\na,6 2,-salu-float,v_nop\nb,until-ended\n";
        let waits = waits(&("made/hazards.csv", text)).unwrap();
        assert_eq!(waits.iter().map(|wait| wait.limits(None)).collect::<Vec<_>>(), [Some(vec![6, 2]), Some(vec![])]);
        assert_eq!(waits[0].feature.as_deref(), Some("-salu-float"));
        assert_eq!(waits[0].repair.as_deref(), Some("v_nop"));
        assert_eq!(waits[1].feature, None);
    }

    #[test]
    fn a_malformed_number_is_refused_at_its_place() {
        for row in ["a,M+1", "a,N3", "a,", "a,-1", "a,6 x", "a,5,two", "a,5,0"] {
            let error = read(row).unwrap_err();
            assert!(error.starts_with("made/hazards.csv, line 2, column "), "{row}: {error}");
        }
    }
}
