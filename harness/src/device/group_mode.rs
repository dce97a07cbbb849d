//! A device that is measured with work-groups in a mode of the user's choice.

use std::time::Duration;

use gcn_model::isa::GroupMode;

use super::{Device, DeviceError, DeviceInformation, Module};

/// A device whose work-groups can run on a compute unit or on a work-group processor, with a choice. The kernel descriptor has the choice in its
/// descriptor: the device itself need not know.
pub struct InMode {
    device: Box<dyn Device>,
    information: DeviceInformation,
}

impl InMode {
    /// The device in a mode.
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`] if it has no modes.
    pub fn new(device: Box<dyn Device>, mode: GroupMode) -> Result<Self, DeviceError> {
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

impl Device for InMode {
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
