//! A GPU on a version of ROCm.

use std::process::Command;

use gcn_tests::{Rocm, RocmVersion};

/// GPUs of the targets that are tried.
pub(crate) const GPUS: [(&str, &str); 14] = [
    ("fiji", "gfx803"),
    ("vega10", "gfx900"),
    ("vega20", "gfx906"),
    ("mi100", "gfx908"),
    ("mi210", "gfx90a"),
    ("mi300x", "gfx942"),
    ("mi355x", "gfx950"),
    ("rx6800", "gfx1030"),
    ("rx6600xt", "gfx1032"),
    ("rx7900xtx", "gfx1100"),
    ("rx7800xt", "gfx1101"),
    ("phoenix", "gfx1103"),
    ("strix-halo", "gfx1151"),
    ("rx9070xt", "gfx1201"),
];

/// A library of AMD's that the program measures through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Hip,
    OpenCl,
}

impl Way {
    /// The first device, as the program names it.
    pub(crate) fn device(self) -> &'static str {
        match self {
            Self::Hip => "hip:0",
            Self::OpenCl => "opencl:0",
        }
    }

    /// The program on a GPU, with a fault if there is to be one; `None` if the version has no such library.
    pub(crate) fn command(self, rocm: &Rocm, version: &RocmVersion, gpu: &str, fault: &str) -> Option<Command> {
        let mut command = version.program(rocm);
        command.env("LD_PRELOAD", rocm.driver()).env("GCN_TIMINGS_GPU", gpu).env_remove("GCN_TIMINGS_FAULT_COUNTS");
        if self == Self::OpenCl {
            command.env("OCL_ICD_VENDORS", version.opencl_vendors()?);
        }
        match fault {
            "" => command.env_remove("GCN_TIMINGS_FAULT"),
            fault => command.env("GCN_TIMINGS_FAULT", fault),
        };
        Some(command)
    }
}
