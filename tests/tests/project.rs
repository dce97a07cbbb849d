//! The project itself: its documentation, imports and archive.

mod archive;
mod citations;
mod documentation;
mod imports;
