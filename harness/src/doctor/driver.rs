//! The drivers of the user's side.

use std::env;
use std::path::Path;

use super::Finding;
use crate::device::{CardDriver, cards};

/// With it ROCm takes every card for one of another target.
const OVERRIDE: &str = "HSA_OVERRIDE_GFX_VERSION";

/// Whether each driver is built in, and which cards it shows, each with the command that measures it.
pub fn card_drivers() -> Vec<Finding> {
    let overridden = env::var(OVERRIDE).ok().map(|version| {
        let says = format!("it is {version}: ROCm shows every card as one of that target");
        Finding::note(OVERRIDE, says, format!("`unset {OVERRIDE}`: results of another target are not the card's"))
    });
    overridden.into_iter().chain(CardDriver::ALL.into_iter().flat_map(findings)).collect()
}

/// The command that builds the program with a driver; HIP's headers are AMD's or the distribution's.
fn build(driver: CardDriver) -> String {
    let amd = Path::new("/opt/rocm");
    let home = if amd.join("include/hip").is_dir() { amd } else { Path::new("/usr") };
    match driver {
        CardDriver::Hip => format!("`HIP_PATH={} cargo build --release --features hip,opencl`", home.display()),
        CardDriver::OpenCl => "`cargo build --release --features opencl`".into(),
    }
}

fn findings(driver: CardDriver) -> Vec<Finding> {
    let name = driver.to_string();
    if !driver.is_built_in() {
        return vec![Finding::note(name, "not in this build", build(driver))];
    }
    let found = match cards(driver) {
        Ok(found) => found,
        Err(error) => {
            return vec![Finding::note(name, error.to_string(), "docs/cards.md says what to install for each family")];
        }
    };
    let each = found.into_iter().map(|card| {
        let says = format!("{}, {}", card.name, if card.target.is_empty() { "no target" } else { &card.target });
        match card.refused {
            Some(why) => Finding::note(card.device, says, format!("cannot be measured: {why}")),
            None => {
                let next = format!("`gcn-timings measure --device {} --quick --out my-card`", card.device);
                Finding { next, ..Finding::good(card.device, says) }
            }
        }
    });
    each.collect()
}
