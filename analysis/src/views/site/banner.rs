//! The first line of every page: whether its numbers are of cards.

use super::card::Card;
use crate::views::SIMULATED;

/// What stands above numbers of these cards; nothing where all were measured.
pub(super) fn banner<'c>(cards: impl Iterator<Item = &'c Card<'c>>) -> Option<&'static str> {
    let (mut simulated, mut measured) = (false, false);
    for card in cards {
        simulated |= card.is_simulated;
        measured |= !card.is_simulated;
    }
    match (simulated, measured) {
        (true, false) => Some(SIMULATED),
        (true, true) => Some(
            "Partly simulated: numbers of cards marked “simulated” were not measured on a card, and cannot confirm or refute a source.",
        ),
        (false, _) => None,
    }
}
