//! The drivers of the user's side.

use super::Finding;
use crate::device::{CardDriver, cards};

/// Whether each driver is built in, and which cards it shows.
pub fn card_drivers() -> Vec<Finding> {
    CardDriver::ALL.into_iter().flat_map(findings).collect()
}

fn findings(driver: CardDriver) -> Vec<Finding> {
    let name = driver.to_string();
    if !driver.is_built_in() {
        let next = format!("`cargo build --release --features {}`", driver.prefix());
        return vec![Finding::note(name, "not in this build", next)];
    }
    let found = match cards(driver) {
        Ok(found) => found,
        Err(error) => return vec![Finding::note(name, error.to_string(), "docs/cards.md says what to install")],
    };
    let each = found.into_iter().map(|card| {
        let says = format!("{}, {}", card.name, if card.target.is_empty() { "no target" } else { &card.target });
        match card.refused {
            Some(why) => Finding::note(card.device, says, format!("cannot be measured: {why}")),
            None => Finding::good(card.device, says),
        }
    });
    each.collect()
}
