//! A run that is killed, or whose disk fails, at each step of its writing: resumed, it ends as if nothing had happened.
#![cfg(target_os = "linux")]

mod plan;
mod point;
mod read_only;
#[path = "../../../src/tier.rs"]
pub mod tier;

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use plan::Plan;
use point::{FAULTS, Point};
use tier::Tier;

/// Set to try each fault at each step of each plan.
const ALL: &str = "GCN_TIMINGS_ALL_DISK_FAULTS";

#[test]
fn a_run_that_is_disturbed_at_any_step_ends_as_if_it_had_not_been() {
    let plans: Vec<Plan> = plan::ALL.iter().map(Plan::new).collect();
    let is_all = std::env::var_os(ALL).is_some();
    let share = if is_all || Tier::All.runs("three of four points") { 1 } else { 4 };
    let (mut points, mut all) = (Vec::new(), 0);
    for plan in &plans {
        let of_plan: Vec<Point<'_>> =
            (1..=plan.steps).flat_map(|step| FAULTS.iter().map(move |&fault| Point { plan, fault, step })).collect();
        all += of_plan.len();
        // Another fault for each step: a number that shares no factor with that of the faults.
        let stride = if is_all { 1 } else { share * of_plan.len() / plan.some / FAULTS.len() * FAULTS.len() + 1 };
        points.extend(of_plan.into_iter().step_by(stride));
    }
    let (tried, disturbed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failed: Vec<String> = points
        .par_iter()
        .filter_map(|point| {
            tried.fetch_add(1, Ordering::Relaxed);
            match point.check() {
                Ok(is_disturbed) => {
                    disturbed.fetch_add(usize::from(is_disturbed), Ordering::Relaxed);
                    None
                }
                Err(why) => Some(format!("{}, {}@{}: {why}", point.plan.name, point.fault, point.step)),
            }
        })
        .collect();
    let (tried, disturbed) = (tried.into_inner(), disturbed.into_inner());
    println!(
        "{tried} of {all} points, of which {disturbed} ended the run early; {} are not as if nothing had happened",
        failed.len()
    );
    assert!(failed.is_empty(), "{} of {tried}:\n{}", failed.len(), failed.join("\n"));
    assert!(disturbed > tried / 2, "{disturbed} of {tried} ended the run");
}
