//! End-to-end tests of `gcn-timings`; see `tests/tests`.
