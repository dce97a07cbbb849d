//! The card as a device: loading code objects.

use gcn_model::code_object::{CloverKernel, clover_module};

use super::super::{Device, DeviceError, DeviceInformation, Module};
use super::identity::Flavour;
use super::module::OpenClModule;
use super::opened::OpenClDevice;

impl Device for OpenClDevice {
    fn information(&self) -> &DeviceInformation {
        &self.information
    }

    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError> {
        let object = self.information.code_object(code_object)?;
        match self.flavour {
            Flavour::Amd => Ok(Box::new(OpenClModule::of_amd(self, object, code_object)?)),
            Flavour::Clover => {
                // Clover checks nothing: a kernel that it must not be given is found before any is.
                let kernels = object.kernels.iter().map(|kernel| CloverKernel { name: &kernel.name, lds_bytes: 0 });
                clover_module(&object, &kernels.collect::<Vec<_>>())
                    .map_err(|error| DeviceError::CodeObject(error.to_string()))?;
                Ok(Box::new(OpenClModule::of_clover(self, object)))
            }
        }
    }
}
