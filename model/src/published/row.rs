//! A row of a published table.

use serde::{Deserialize, Deserializer};

use super::Expression;

/// One instruction of one table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The table: `VOP1`, `DS`, … It need not be the instruction's encoding (V_MBCNT_LO_U32_B32 stands in `VOP1`).
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
    /// What is odd about the row; empty if nothing is.
    pub remark: String,
}

fn semicolons<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(text.split(';').map(str::to_owned).collect())
}
