//! What vector instructions compute.

pub(crate) mod across_lanes;
pub(crate) mod compare;
pub(crate) mod data_parallel;
pub(crate) mod execute;
pub(crate) mod float;
pub(crate) mod function;
pub(crate) mod indexed;
pub(crate) mod integer;
pub(crate) mod lanes;
pub(crate) mod sub_dword;
