//! A section of a document.

use serde::Serialize;

use super::block::Block;

/// The subject of a section, by which a view takes it or leaves it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    Introduction,
    Summary,
    Dpfactor,
    Occupancy,
    Alignment,
    Scheduling,
    Instructions,
    LdsBanks,
    Matrix,
    /// What a suite found that no picture shows.
    Suite,
    /// What sources leave open or dispute.
    Questions,
    Semantics,
    Sources,
    /// Instructions without a number.
    Missing,
    Device,
    /// What differs between runs.
    Comparison,
}

/// A heading with what is below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    pub topic: Topic,
    /// 1 for the document's own title, 2 for a section, 3 for a part of the section before it.
    pub level: usize,
    pub title: String,
    pub blocks: Vec<Block>,
}
