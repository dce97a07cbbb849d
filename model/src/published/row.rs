//! A row of a published table.

use serde::{Deserialize, Deserializer};

use super::Expression;

/// An instruction's row in a table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The table: `VOP1`, `DS`, … It need not be the instruction's encoding (V_MBCNT_LO_U32_B32 is in `VOP1`).
    pub section: String,
    /// The instruction, upper case.
    pub instruction: String,
    /// Shader cycles for one wave; `None` if the source has no such column.
    pub cycles: Option<Expression>,
    /// Instructions per cycle and compute unit; `None` if the table has no such column.
    pub throughput: Option<Expression>,
    /// The versions of the source that have the row with these values.
    #[serde(deserialize_with = "semicolons")]
    pub seeds: Vec<String>,
    /// An oddity of the row; empty without one.
    pub remark: String,
    /// Only on these LLVM targets, or the source's groups of them by name; empty, or no such column: on all.
    #[serde(default, deserialize_with = "semicolons")]
    pub targets: Vec<String>,
}

impl Row {
    /// Whether the row holds on a target (`gfx906:sramecc+` counts as `gfx906`); without one, whether it holds on every target.
    pub fn holds_on(&self, target: Option<&str>) -> bool {
        holds_on(&self.targets, target)
    }
}

/// Whether a list of targets, of which an empty one means all, has this one.
pub(super) fn holds_on(targets: &[String], target: Option<&str>) -> bool {
    let chip = target.and_then(|target| target.split(':').next());
    targets.is_empty() || chip.is_some_and(|chip| targets.iter().any(|listed| listed == chip))
}

fn semicolons<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(text.split(';').filter(|part| !part.is_empty()).map(str::to_owned).collect())
}
