//! The rows of a generation's `targets.csv` and `chips.csv`.

use serde::Deserialize;

use super::IsaError;
use super::data_file::DataFile;
use super::files::rows;

/// A row of `targets.csv`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProcessorRow {
    pub(super) name: String,
    pub(super) mach: u8,
    pub(super) features: Vec<String>,
    /// Of a generic target those that run its code, by name.
    pub(super) members: Vec<String>,
    /// Number among those of its generation.
    pub(super) number: usize,
}

/// The lanes that a feature stands for: LLVM calls waves of 32 lanes `wavefrontsize32`.
pub(super) fn wave_size(feature: &str) -> Option<u32> {
    feature.strip_prefix("wavefrontsize")?.parse().ok()
}

/// The most targets of a generation.
pub(super) const MOST_TARGETS: usize = 32;

impl ProcessorRow {
    pub(super) fn has_feature(&self, feature: &str) -> bool {
        self.features.iter().any(|known| known == feature)
    }

    /// Whether it fits a row of an instruction, with waves of this many lanes: with features, without those that have `-` before
    /// their names, or any (`None`).
    pub(super) fn has(&self, wanted: Option<&str>, lanes: u32) -> bool {
        let is_so = |feature: &str| match wave_size(feature) {
            Some(wanted) => wanted == lanes,
            None => self.has_feature(feature),
        };
        wanted.is_none_or(|wanted| {
            wanted.split_ascii_whitespace().all(|word| match word.strip_prefix('-') {
                Some(lacking) => !is_so(lacking),
                None => is_so(word),
            })
        })
    }
}

/// A chip of a processor, by the name that drivers give it: a row of `chips.csv`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ChipRow {
    pub(super) chip: String,
    /// Which row of `targets.csv` it is of.
    pub(super) processor: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetRow {
    target: String,
    mach: String,
    features: String,
    #[serde(default)]
    members: String,
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChipTextRow {
    chip: String,
    target: String,
    source: String,
}

/// Reads a generation's `targets.csv`.
pub(super) fn processors(file: &DataFile<'_>) -> Result<Vec<ProcessorRow>, IsaError> {
    let mut all: Vec<ProcessorRow> = Vec::new();
    for (line, TargetRow { target, mach, features, members, source }) in rows(file)? {
        let bad = |column, value: &str, expected| IsaError::value(file, line, column, value, expected);
        let number = mach.strip_prefix("0x").and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let number = number.ok_or_else(|| bad("mach", &mach, "EF_AMDGPU_MACH, a byte such as 0x2c"))?;
        if source.is_empty() {
            return Err(bad("source", "", "where the row's facts come from"));
        }
        if all.iter().any(|known| known.name == target || known.mach == number) {
            return Err(bad("target", &target, "a target and a number that no other row has"));
        }
        if all.len() == MOST_TARGETS {
            return Err(bad("target", &target, "at most 32 targets of a generation"));
        }
        let words = |cell: String| cell.split_ascii_whitespace().map(str::to_owned).collect();
        let (features, members) = (words(features), words(members));
        all.push(ProcessorRow { name: target, mach: number, features, members, number: all.len() });
    }
    Ok(all)
}

/// Reads a generation's `chips.csv`.
pub(super) fn chips(file: &DataFile<'_>, processors: &[ProcessorRow]) -> Result<Vec<ChipRow>, IsaError> {
    let mut all = Vec::new();
    for (line, ChipTextRow { chip, target, source }) in rows(file)? {
        let bad = |column, value: &str, expected| IsaError::value(file, line, column, value, expected);
        if source.is_empty() {
            return Err(bad("source", "", "where the row's facts come from"));
        }
        let processor = processors.iter().position(|known| known.name == target);
        let processor = processor.ok_or_else(|| bad("target", &target, "a target of targets.csv"))?;
        all.push(ChipRow { chip, processor });
    }
    Ok(all)
}
