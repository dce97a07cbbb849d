//! What can happen to a program while it writes: it is killed, the disk fails or is full, the power goes.
//!
//! The library is for `LD_PRELOAD`. It counts a process's accesses to the files of a folder (opening for writing, writing, syncing, cutting,
//! renaming, removing), and at one of these steps causes the chosen fault:
//!
//! | variable | meaning |
//! | --- | --- |
//! | `GCN_DISK_FOLDER` | the folder, an absolute path without links in it |
//! | `GCN_DISK_FAULT` | `FAULT@STEP`; steps are counted from 1 |
//! | `GCN_DISK_STEPS` | a file that gets a line for each step |
//!
//! | fault | what happens |
//! | --- | --- |
//! | `kill` | the process is killed before the step |
//! | `torn` | the same, with half of a step's data written |
//! | `dropped` | the power goes: only synced files and names remain |
//! | `zeroed` | the power goes: files have their lengths, and zeros where they were not synced |
//! | `error` | the step fails with EIO |
//! | `refused` | the step fails with ENOSPC |
//! | `full` | the disk is full from here on: half of the step's data is written |
//! | `read-only` | nothing can be opened for writing from here on (EROFS) |

mod disk;
mod fault;
pub mod interposition;
mod original;
