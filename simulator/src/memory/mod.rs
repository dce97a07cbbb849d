//! Global memory and the instructions that reach it.

pub(crate) mod aperture;
pub(crate) mod atomic;
pub(crate) mod backing;
pub(crate) mod buffer;
mod descriptor;
pub(crate) mod element;
pub(crate) mod flat;
pub(crate) mod global;
pub(crate) mod half_format;
pub(crate) mod memories;
pub(crate) mod reach;
pub(crate) mod row_transfer;
pub(crate) mod row_words;
pub(crate) mod scalar_memory;
mod sum;
mod to_lds;
pub(crate) mod transfer;
pub(crate) mod word;
