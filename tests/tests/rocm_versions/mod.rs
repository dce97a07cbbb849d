//! The program on the user spaces of ROCm 5.2, 6.4 and 7.2 as Debian has them, HIP and AMD's OpenCL driver, with the simulator under the
//! kernel driver's interface. `docs/cards.md` has the table of what ran.
//!
//! 5.2 is the installed version (`hip.rs` has more of it); the others are what `.ci/rocm-roots` unpacks.

mod code_objects;
mod copies;
mod faults;
mod listed;
mod table;
mod timings;
mod tried;
