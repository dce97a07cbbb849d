//! The card as a device: loading code objects.

use gcn_model::code_object::{CloverKernel, CodeObject, clover_module};

use super::super::{Device, DeviceError, DeviceInformation, Module};
use super::identity::Flavour;
use super::module::OpenClModule;
use super::opened::OpenClDevice;

impl Device for OpenClDevice {
    fn information(&self) -> &DeviceInformation {
        &self.information
    }

    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError> {
        let bad = |text: String| DeviceError::CodeObject(text);
        let object = CodeObject::read(code_object).map_err(|error| bad(error.to_string()))?;
        let target = &self.information.target;
        if object.target() != Some(target) {
            let found = object.target().unwrap_or("an unknown target");
            return Err(bad(format!("it is for {found}, and the device is {target}")));
        }
        match self.flavour {
            Flavour::Amd => Ok(Box::new(OpenClModule::of_amd(self, object, code_object)?)),
            Flavour::Clover => {
                // Clover checks nothing: a kernel that it must not be given is found before any is.
                let kernels = object.kernels.iter().map(|kernel| CloverKernel { name: &kernel.name, lds_bytes: 0 });
                clover_module(&object, &kernels.collect::<Vec<_>>()).map_err(|error| bad(error.to_string()))?;
                Ok(Box::new(OpenClModule::of_clover(self, object)))
            }
        }
    }
}
