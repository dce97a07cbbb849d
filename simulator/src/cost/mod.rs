//! What instructions cost, and the facts of a GPU that decide how a launch goes.

pub(crate) mod clock;
pub(crate) mod configuration;
pub(crate) mod costs;
pub(crate) mod front_end;
pub(crate) mod issue_model;
mod matrix;
pub(crate) mod noise;
mod pair;
pub(crate) mod pipelines;
pub(crate) mod reading;
pub(crate) mod unit;
