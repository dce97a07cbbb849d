//! One instruction of a prediction.

use std::collections::BTreeMap;

use gcn_model::decode::Decoded;
use gcn_model::quantity::{Bytes, Cycles};
use serde::Serialize;

use crate::awaited::awaited_counters;
use crate::basis::Basis;
use crate::names::Names;
use crate::stall::{Stall, main_stall, stalled};

/// The cost of an instruction for each wave in each iteration, on average.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    pub address: u64,
    pub bytes: Bytes,
    #[serde(skip)]
    pub decoded: Decoded,
    /// Its text, as its author writes it.
    pub text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// The line of its source, as `FILE:LINE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Its jump target, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The counters that it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits_for: Vec<&'static str>,
    /// Which unit executes it.
    pub unit: &'static str,
    /// Cycles in which it holds its wave.
    pub issue: Cycles,
    /// Cycles in which its wave stalls for it, by the reason.
    pub stalls: BTreeMap<Stall, Cycles>,
    /// Those of them in which another wave of the same SIMD issues.
    pub hidden: Cycles,
    pub basis: Basis,
    /// Where its cycles come from.
    pub source: String,
}

/// Where an instruction at an address jumps to.
pub(crate) fn note(address: u64, decoded: &Decoded) -> Option<String> {
    decoded.branch_target(address).map(|target| format!("to {target:#08x}"))
}

/// The counters that an instruction waits for.
pub(crate) fn waits_for(decoded: &Decoded) -> Vec<&'static str> {
    awaited_counters(decoded).into_iter().map(|(name, _)| name).collect()
}

impl Line {
    /// Gives it its labels and its place in the source; a jump leads to a label where its target has one.
    pub(crate) fn name_by(&mut self, names: &Names) {
        let of = |address: u64| names.labels.get(&address).map(Vec::as_slice).unwrap_or_default();
        self.labels = of(self.address).to_vec();
        self.place = names.places.range(..=self.address).next_back().and_then(|(_, place)| place.clone());
        let target = self.decoded.branch_target(self.address).and_then(|target| of(target).last());
        if let (Some(label), Some((before, _))) = (target, self.text.rsplit_once(' ')) {
            self.text = format!("{before} {label}");
        }
    }

    /// Cycles in which its wave stalls for it.
    pub fn stalled(&self) -> Cycles {
        stalled(&self.stalls)
    }

    /// Why its wave stalls for it most of the time.
    pub fn main_stall(&self) -> Option<Stall> {
        main_stall(&self.stalls)
    }
}
