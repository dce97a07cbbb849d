//! The part of something that quick tests look at.

use crate::Tier;

/// The first few of some things without a variable, and all of them in tier `most`. What is left out is named in the test's output.
pub fn part_of<'a, T>(all: &'a [T], few: usize, left_out: &str) -> &'a [T] {
    if Tier::Most.runs(left_out) { all } else { &all[..few] }
}
