//! Naming and opening devices.

use std::ffi::OsString;
use std::fmt;
use std::str::FromStr;

use gcn_model::gpu::Gpu;

use super::{
    Card, CardDriver, ChildDevice, ChildLimits, ChildProgram, Device, DeviceError, SimulatedDevice, list_cards,
};

/// How a user names a device: `sim:NAME` as [`Gpu::meant`] understands it, `sim:PATH.toml`, `hip:N`, `opencl:N`.
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
            Some(("sim", name)) if Gpu::is_path(name) => Ok(Self::Simulated(name.into())),
            Some(("sim", name)) => Ok(Self::Simulated(Gpu::meant(name).unwrap_or(name).into())),
            Some(("hip", index)) => Ok(Self::Hip(number(index)?)),
            Some(("opencl", index)) => Ok(Self::OpenCl(number(index)?)),
            _ => {
                let is_simulated = Gpu::is_path(text) || Gpu::meant(text).is_some();
                let hint = if is_simulated { format!("; did you mean sim:{text}?") } else { String::new() };
                Err(format!("a device is sim:NAME, sim:FILE.toml, hip:N or opencl:N{hint}"))
            }
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

impl DeviceName {
    /// The driver of a card; `None` for the simulator.
    fn driver(&self) -> Option<CardDriver> {
        match self {
            Self::Simulated(_) => None,
            Self::Hip(_) => Some(CardDriver::Hip),
            Self::OpenCl(_) => Some(CardDriver::OpenCl),
        }
    }
}

/// How a device is opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OpenOptions {
    /// Whether the simulator, too, gets a process of its own, as every card does.
    pub isolate: bool,
    /// Limits of that process.
    pub limits: ChildLimits,
}

/// Opens a device: a card from a process of its own, the simulator in this one.
///
/// # Errors
/// [`DeviceError::NoDevice`]: an unknown name, a bad GPU file, a driver that this build has not.
pub fn open(name: &DeviceName, options: OpenOptions) -> Result<Box<dyn Device>, DeviceError> {
    if matches!(name, DeviceName::Simulated(_)) && !options.isolate {
        return open_here(name);
    }
    if name.driver().is_some_and(|driver| !driver.is_built_in()) {
        return open_here(name);
    }
    let arguments = vec!["device-child".into(), "--device".into(), name.to_string().into()];
    let program = this_program(arguments)?;
    Ok(Box::new(ChildDevice::start(program, options.limits)?))
}

/// Opens a device in this process, whatever its driver may do to it.
///
/// # Errors
/// As [`open`].
pub fn open_here(name: &DeviceName) -> Result<Box<dyn Device>, DeviceError> {
    match name {
        DeviceName::Simulated(gpu) => {
            let gpu = Gpu::typed(gpu).map_err(|error| DeviceError::NoDevice(error.to_string()))?;
            Ok(Box::new(SimulatedDevice::new(&name.to_string(), &gpu)))
        }
        #[cfg(feature = "hip")]
        DeviceName::Hip(index) => Ok(Box::new(super::hip::HipDevice::open(*index)?)),
        #[cfg(not(feature = "hip"))]
        DeviceName::Hip(_) => Err(CardDriver::Hip.is_missing(&name.to_string())),
        #[cfg(feature = "opencl")]
        DeviceName::OpenCl(index) => Ok(Box::new(super::opencl::OpenClDevice::open(*index)?)),
        #[cfg(not(feature = "opencl"))]
        DeviceName::OpenCl(_) => Err(CardDriver::OpenCl.is_missing(&name.to_string())),
    }
}

/// The cards that a driver sees, from a process of its own.
///
/// # Errors
/// [`DeviceError::NoDevice`]: the driver is not there, is not built in, or sees nothing.
pub fn cards(driver: CardDriver) -> Result<Vec<Card>, DeviceError> {
    let arguments = vec!["device-child".into(), "--list".into(), driver.prefix().into()];
    let program = this_program(arguments)?;
    list_cards(&program, ChildLimits::default().start)
}

/// The cards that a driver in this process sees.
///
/// # Errors
/// As [`cards`].
pub fn cards_here(driver: CardDriver) -> Result<Vec<Card>, DeviceError> {
    driver.cards()
}

fn this_program(arguments: Vec<OsString>) -> Result<ChildProgram, DeviceError> {
    ChildProgram::this(arguments)
        .map_err(|error| DeviceError::NoDevice(format!("the program does not know its own place: {error}")))
}
