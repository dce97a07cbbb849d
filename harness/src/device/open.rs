//! Naming and opening devices.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use gcn_model::gpu::Gpu;

use super::{Device, DeviceError, SimulatedDevice};

/// How a user names a device: `sim:NAME`, `sim:PATH.toml`, `hip:N`, `opencl:N`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceName {
    /// A simulated GPU: a shipped name or a path that ends in `.toml`.
    Simulated(String),
    /// A card through HIP.
    Hip(u32),
    /// A card through OpenCL.
    OpenCl(u32),
}

impl FromStr for DeviceName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is not the number of a device"));
        match text.split_once(':') {
            Some(("sim", "")) => Err("sim: needs a name or a file, as in sim:fiji or sim:my-card.toml".into()),
            Some(("sim", name)) => Ok(Self::Simulated(name.into())),
            Some(("hip", index)) => Ok(Self::Hip(number(index)?)),
            Some(("opencl", index)) => Ok(Self::OpenCl(number(index)?)),
            _ => Err("a device is sim:NAME, sim:FILE.toml, hip:N or opencl:N".into()),
        }
    }
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulated(name) => write!(f, "sim:{name}"),
            Self::Hip(index) => write!(f, "hip:{index}"),
            Self::OpenCl(index) => write!(f, "opencl:{index}"),
        }
    }
}

/// Opens a device.
///
/// # Errors
/// [`DeviceError::NoDevice`]: an unknown name, a bad GPU file, a driver that this build has not.
pub fn open(name: &DeviceName) -> Result<Box<dyn Device>, DeviceError> {
    let without = |what: &str| {
        DeviceError::NoDevice(format!(
            "{name}: this version has no {what} device yet; what there is runs on the reference model: try sim:tahiti"
        ))
    };
    match name {
        DeviceName::Simulated(gpu) => {
            let read = if gpu.ends_with(".toml") { Gpu::from_file(Path::new(gpu)) } else { Gpu::named(gpu) };
            let gpu = read.map_err(|error| DeviceError::NoDevice(error.to_string()))?;
            Ok(Box::new(SimulatedDevice::new(&name.to_string(), &gpu)))
        }
        DeviceName::Hip(_) => Err(without("HIP")),
        DeviceName::OpenCl(_) => Err(without("OpenCL")),
    }
}
