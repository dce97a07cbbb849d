//! The project itself: its documentation, imports and archive.

mod archive;
mod bench_baseline;
mod card_results;
mod citations;
mod documentation;
mod imports;
mod lengths;
mod questions;
