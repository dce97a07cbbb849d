//! What else stands in the CLRX table: footnotes, the DPFACTOR and occupancy tables, sentences with numbers.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::isa::Generation;

/// A footnote that chooses between two values.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footnote {
    pub mark: u8,
    /// The DPFACTORs for which the first value holds; for all others the second does.
    pub first_for_dp_factors: Vec<u32>,
    /// The sentence as printed.
    pub sentence: String,
    /// How it is read, where it can be read in more than one way.
    #[serde(default)]
    pub reading: String,
}

/// A row of the DPFACTOR table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpFactor {
    /// The targets that it speaks of; without any, all of its source.
    #[serde(default)]
    pub targets: Vec<String>,
    /// DPFACTOR.
    pub dp_factor: f64,
    /// Rate of double precision as a share of single precision: `1/4`.
    pub dp_rate: String,
    /// The GPUs as printed.
    pub gpus: String,
}

/// A row of the occupancy table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Occupancy {
    pub waves_per_simd: u32,
    /// The most SGPRs that a wave can have then.
    pub sgprs: u32,
    /// The most VGPRs that a wave can have then.
    pub vgprs: u32,
    /// The most LDS in dwords per lane of a wave then.
    pub lds_dwords_per_lane: u32,
    /// The most instructions per clock of the compute unit then.
    pub issue: u32,
}

/// A sentence about where and when, with the numbers in it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// Short name, unique in its source.
    pub id: String,
    /// `alignment`, `scheduling`, `occupancy`, …
    pub topic: String,
    /// The generations that it speaks of; empty where it names none.
    #[serde(default)]
    pub generations: Vec<Generation>,
    /// The LLVM targets that it speaks of, or the source's groups of them by name; empty where it names none.
    #[serde(default)]
    pub targets: Vec<String>,
    /// Of two neighbours, the instructions that may stand first.
    #[serde(default)]
    pub producers: Vec<String>,
    /// Of two neighbours, the instructions that may follow.
    #[serde(default)]
    pub consumers: Vec<String>,
    /// The sentence as printed.
    pub sentence: String,
    /// How it is read, where it can be read in more than one way.
    #[serde(default)]
    pub reading: String,
    /// The versions of the source that have it.
    pub seeds: Vec<String>,
    /// Its numbers, by meaning.
    #[serde(default)]
    pub numbers: BTreeMap<String, f64>,
}
