//! The `gcn-timings` program.

fn main() {}
