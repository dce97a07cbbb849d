//! Targets of LLVM whose instructions are not all described, so that they are not listed at all: `model/data/unlisted.csv`.

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::data_files;

const FILE: &str = "unlisted.csv";

/// A target that LLVM knows and that is not listed. Its text says what is known of it.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnlistedTarget {
    /// LLVM's name.
    pub target: String,
    mach: String,
    /// Instructions that LLVM is known to have for it.
    pub instructions: usize,
    /// Those of them of which a listed target has a row that LLVM takes for it.
    pub described: usize,
    lacks: String,
    source: String,
}

static ALL: LazyLock<Vec<UnlistedTarget>> = LazyLock::new(|| {
    let rows = csv::Reader::from_reader(data_files::text(FILE).as_bytes()).into_deserialize();
    rows.map(|row| row.unwrap_or_else(|error| panic!("{FILE}: {error}"))).collect()
});

impl UnlistedTarget {
    /// All of them.
    pub fn all() -> &'static [Self] {
        &ALL
    }

    /// The one of a name, whatever its case.
    pub fn find(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|unlisted| unlisted.target.eq_ignore_ascii_case(name))
    }

    /// The one whose code objects have a number (EF_AMDGPU_MACH).
    pub fn of_mach(mach: u8) -> Option<&'static Self> {
        ALL.iter().find(|unlisted| unlisted.mach() == Some(mach))
    }

    fn mach(&self) -> Option<u8> {
        u8::from_str_radix(self.mach.strip_prefix("0x")?, 16).ok()
    }
}

impl fmt::Display for UnlistedTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, instructions, described, lacks, .. } = self;
        write!(
            f,
            "{target} is not supported: of at least {instructions} instructions in LLVM 22, {described} are described; it lacks {lacks}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Processor;

    #[test]
    fn what_is_not_listed_has_a_row_with_its_source() {
        assert_eq!(data_files::text(FILE).lines().count(), ALL.len() + 1);
        for unlisted in UnlistedTarget::all() {
            let mach = unlisted.mach().expect("a byte such as 0x49");
            assert!(Processor::find(&unlisted.target).is_none() && Processor::of_mach(mach).is_none(), "{unlisted}");
            assert_eq!(UnlistedTarget::of_mach(mach), Some(unlisted));
            assert!(unlisted.described < unlisted.instructions, "{unlisted}");
            assert!(!unlisted.lacks.is_empty() && !unlisted.source.is_empty(), "{unlisted}");
        }
    }
}
