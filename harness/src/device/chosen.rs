//! A device that is measured as its user chose, where it leaves a choice.

use std::time::Duration;

use gcn_model::isa::GroupMode;

use super::{Device, DeviceError, DeviceInformation, Module};

/// A device with a choice of how wide its waves are, or on what its work-groups run. The kernel descriptor has the choice: the device itself
/// need not know.
pub struct Chosen {
    device: Box<dyn Device>,
    information: DeviceInformation,
}

impl Chosen {
    /// The device in waves of this many lanes.
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`] if it has no such waves.
    pub fn in_waves_of(device: Box<dyn Device>, lanes: u32) -> Result<Self, DeviceError> {
        let of_device = device.information();
        let information = of_device.in_waves_of(lanes).ok_or_else(|| {
            let sizes: Vec<String> = of_device.generation.waves.sizes.iter().map(u32::to_string).collect();
            let sizes = sizes.join(" or ");
            DeviceError::NoDevice(format!(
                "{}: waves of {lanes} lanes: those of {} have {sizes}",
                of_device.record.device, of_device.target
            ))
        })?;
        Ok(Self { device, information })
    }

    /// The device with its work-groups on a compute unit, or on a work-group processor.
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`] if it has no modes.
    pub fn in_mode(device: Box<dyn Device>, mode: GroupMode) -> Result<Self, DeviceError> {
        let of_device = device.information();
        let information = of_device.in_mode(mode).ok_or_else(|| {
            DeviceError::NoDevice(format!(
                "{}: mode {mode}: {} has no work-group processors, and its work-groups run on one compute unit; leave --mode out",
                of_device.record.device, of_device.target
            ))
        })?;
        Ok(Self { device, information })
    }
}

impl Device for Chosen {
    fn information(&self) -> &DeviceInformation {
        &self.information
    }

    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError> {
        self.device.load(code_object)
    }

    fn renew(&self) {
        self.device.renew();
    }

    fn concurrency(&self) -> usize {
        self.device.concurrency()
    }

    fn gpu_time(&self) -> Option<Duration> {
        self.device.gpu_time()
    }
}
