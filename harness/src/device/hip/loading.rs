//! The card as a device: loading code objects.
#![expect(unsafe_code, reason = "HIP is only reachable through its C interface")]

use std::ptr::null_mut;

use gcn_model::code_object::CodeObject;

use super::super::{Device, DeviceError, DeviceInformation, Module};
use super::module::HipModule;
use super::opened::HipDevice;

impl Device for HipDevice {
    fn information(&self) -> &DeviceInformation {
        &self.information
    }

    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError> {
        // HIP is given no length: it trusts the file's header, so the file has to be whole.
        CodeObject::read(code_object).map_err(|error| DeviceError::CodeObject(error.to_string()))?;
        self.select()?;
        // HIP may keep the pointer for as long as the module is loaded.
        let image: Box<[u8]> = code_object.into();
        let mut handle = null_mut();
        // SAFETY: the image is a whole file, and lives as long as the module.
        let status = unsafe { (self.api.module_load)(&raw mut handle, image.as_ptr().cast()) };
        self.api.check("hipModuleLoadData", status).map_err(|error| match error.is_refusal() {
            // Kernels here are of version 4 (facts §5.3).
            true => DeviceError::CodeObject(format!(
                "{}; ROCm 4.2 to 7 load code objects of version 4 for their own target: this is {}, {}",
                error.text, self.information.record.driver, self.information.target_id
            )),
            false => DeviceError::Lost(error.text),
        })?;
        Ok(Box::new(HipModule::new(self, handle, image)))
    }
}
