//! A static site of the cards' results: a table over all of them, a page for each instruction, and a page for each card.

mod card;
mod card_page;
mod evidence;
mod instruction;
mod kernel;
mod numbers;
mod picture;
#[expect(clippy::module_inception, reason = "the noun is the site")]
mod site;

pub use kernel::{KernelListing, Kernels};
pub use site::{Site, SiteError, SiteFile};
