//! What vector instructions compute.

pub(crate) mod across_lanes;
pub(crate) mod aligned;
pub(crate) mod approximate;
pub(crate) mod compare;
pub(crate) mod cube;
pub(crate) mod data_parallel;
pub(crate) mod differences;
pub(crate) mod dot;
pub(crate) mod execute;
pub(crate) mod extremum;
pub(crate) mod float;
pub(crate) mod function;
pub(crate) mod indexed;
pub(crate) mod integer;
pub(crate) mod lanes;
pub(crate) mod legacy;
pub(crate) mod mixed;
pub(crate) mod normalized;
pub(crate) mod number;
pub(crate) mod packed;
pub(crate) mod pairs;
pub(crate) mod part_sources;
pub(crate) mod partly_known;
pub(crate) mod saturating;
pub(crate) mod small_float;
pub(crate) mod sub_dword;
