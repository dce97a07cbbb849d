//! What scalar instructions compute.

pub(crate) mod binary;
pub(crate) mod comparison;
pub(crate) mod execute;
pub(crate) mod float;
pub(crate) mod function;
