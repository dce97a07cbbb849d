//! Statistics, estimates, tables and validation, derived from stored readings only.
