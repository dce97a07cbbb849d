//! Two files that `gcn-timings predict --compare` compares, and their regions.

use anyhow::bail;
use gcn_predict::Region;

use super::predict_code::Placed;
use super::predict_input::Input;
use super::prediction_format::Format;
use crate::code::{Function, UserCode, listed};

/// The common options of both files.
pub(super) struct Sides<'a> {
    /// The first file.
    pub(super) before: Input<'a>,
    /// The machine for a function, and how a region of it is repeated.
    pub(super) placed: &'a dyn Fn(&UserCode, &Function, &Region) -> anyhow::Result<Placed>,
    pub(super) format: Format,
    /// The lines before all predictions.
    pub(super) header: String,
}

pub(super) type Found<'a> = (&'a Function, Region);

/// The matching regions of both files: those of the same names, or else those at the same place in the order.
pub(super) fn pairs<'a>(
    before: &Input<'_>,
    regions: Vec<Found<'a>>,
    after: &Input<'_>,
    mut others: Vec<Found<'a>>,
) -> anyhow::Result<Vec<[Found<'a>; 2]>> {
    let names = |found: &[Found<'_>]| found.iter().map(|(_, region)| region.name.clone()).collect::<Vec<_>>();
    let (of_before, of_after) = (names(&regions), names(&others));
    if of_before.len() != of_after.len() {
        let told = |input: &Input<'_>, names: &[String]| {
            format!("{} has {} ({})", input.file.display(), names.len(), listed(names.iter().map(String::as_str)))
        };
        bail!("{}, and {}: choose one region of each with --region", told(before, &of_before), told(after, &of_after));
    }
    if of_before.iter().all(|name| of_after.contains(name)) {
        others.sort_by_key(|(_, region)| of_before.iter().position(|name| *name == region.name));
    }
    Ok(regions.into_iter().zip(others).map(|(one, other)| [one, other]).collect())
}
