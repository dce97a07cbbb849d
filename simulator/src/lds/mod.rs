//! The LDS and the instructions that reach it.

pub(crate) mod access;
pub(crate) mod action;
pub(crate) mod between;
pub(crate) mod counted;
pub(crate) mod execution;
pub(crate) mod inside_access;
pub(crate) mod memory;
pub(crate) mod permutation;
pub(crate) mod row_access;
pub(crate) mod service;
