//! Drivers that show cards.

use std::fmt;

use clap::ValueEnum;

use super::{Card, DeviceError};

/// A driver that shows cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CardDriver {
    /// AMD's HIP.
    Hip,
    /// OpenCL, of AMD or Mesa.
    #[value(name = "opencl")]
    OpenCl,
}

impl fmt::Display for CardDriver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hip => "HIP",
            Self::OpenCl => "OpenCL",
        })
    }
}

impl CardDriver {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 2] = [Self::Hip, Self::OpenCl];

    /// What stands before the number of one of its devices: `hip`. It is the cargo feature as well.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Hip => "hip",
            Self::OpenCl => "opencl",
        }
    }

    /// Whether this program was built with it.
    pub fn is_built_in(self) -> bool {
        match self {
            Self::Hip => cfg!(feature = "hip"),
            Self::OpenCl => cfg!(feature = "opencl"),
        }
    }

    /// The cards that it sees, in this process.
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`]: the driver is not there, is not built in, or sees nothing.
    pub(super) fn cards(self) -> Result<Vec<Card>, DeviceError> {
        match self {
            #[cfg(feature = "hip")]
            Self::Hip => super::hip::cards(),
            #[cfg(feature = "opencl")]
            Self::OpenCl => super::opencl::cards(),
            #[cfg(not(all(feature = "hip", feature = "opencl")))]
            missing => Err(missing.is_missing(missing.prefix())),
        }
    }

    /// That a device cannot be opened, since this program was built without its driver.
    #[cfg(not(all(feature = "hip", feature = "opencl")))]
    pub(super) fn is_missing(self, device: &str) -> DeviceError {
        let needs = match self {
            Self::Hip => ", which needs HIP's header files (Debian: libamdhip64-dev, and HIP_PATH=/usr)",
            Self::OpenCl => "",
        };
        let feature = self.prefix();
        DeviceError::NoDevice(format!(
            "{device}: this gcn-timings was built without {self}; build it with `cargo build --release --features {feature}`{needs}"
        ))
    }
}
