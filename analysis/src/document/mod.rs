//! A document for a reader: its sections in their order, without the form of a file. `TIMINGS.md`, the report, the pages of cards, the
//! summary, and what `dpfactor`, `validate` and `compare` print, are a document or sections of one.

mod block;
#[expect(clippy::module_inception, reason = "the noun is the document")]
mod document;
mod html;
mod inline;

pub use block::{Block, Fact, Line, Tone};
pub use document::{Document, Section, Topic};
pub use inline::{Span, spans};
pub(crate) use inline::{escaped, literal};
