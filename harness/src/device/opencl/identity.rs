//! The identity of a device, and whether it can be given machine code. Clover checks no input, and an unknown device may not either: so
//! nothing is loaded that is not known to be right.

use gcn_model::gpu::{CardFacts, Chip};
use ocl::ffi::{CL_DEVICE_TYPE_GPU, cl_device_type};

/// PCI vendor id of AMD.
const AMD: u32 = 0x1002;
/// `CL_PLATFORM_NAME` of Mesa's clover, and of AMD's driver.
const CLOVER_PLATFORM: &str = "Clover";
const AMD_PLATFORM: &str = "AMD Accelerated Parallel Processing";

/// Which container a platform takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavour {
    /// The AMDHSA code object, with a local argument for the LDS.
    Amd,
    /// Clover's module, one of each kernel with its LDS.
    Clover,
}

/// A device's statements about itself, as far as they matter here.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct DeviceStrings {
    pub(super) platform: String,
    pub(super) platform_version: String,
    pub(super) driver_version: String,
    pub(super) kind: cl_device_type,
    pub(super) vendor_id: u32,
    pub(super) name: String,
    pub(super) board: Option<String>,
}

/// A device that can be given machine code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) flavour: Flavour,
    /// Target with its features.
    pub(super) target_id: String,
}

impl Identity {
    /// The device's identity.
    ///
    /// # Errors
    /// Why it is refused.
    pub(super) fn of(said: &DeviceStrings) -> Result<Self, String> {
        let DeviceStrings { platform, kind, vendor_id, name, .. } = said;
        if kind & CL_DEVICE_TYPE_GPU == 0 {
            return Err("it is not a GPU".into());
        }
        if *vendor_id != AMD {
            return Err(format!("its vendor id is {vendor_id:#06x}, not AMD's {AMD:#06x}"));
        }
        let (flavour, target_id) = match platform.as_str() {
            CLOVER_PLATFORM => (Flavour::Clover, Chip::in_name(name).map(|chip| chip.target.to_owned())),
            AMD_PLATFORM => (Flavour::Amd, amd_target(name)?),
            _ => {
                return Err(format!(
                    "the platform {platform} takes no machine code; Clover does (Debian: mesa-opencl-icd), and AMD's own driver"
                ));
            }
        };
        let generation = match &target_id {
            Some(target) => CardFacts::of(processor(target), None, "").map_err(|error| error.to_string())?,
            None => None,
        };
        match (target_id, generation) {
            (Some(target_id), Some(_)) => Ok(Self { flavour, target_id }),
            _ => Err(format!("`{name}` names no chip that this program knows")),
        }
    }
}

/// The processor alone: `gfx906` of `gfx906:sramecc+:xnack-`.
pub(super) fn processor(target_id: &str) -> &str {
    target_id.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or(target_id)
}

/// The target in the name of a device of AMD's: `gfx906:sramecc+:xnack-` with ROCm, `Fiji` before.
fn amd_target(name: &str) -> Result<Option<String>, String> {
    if name.starts_with("gfx") {
        // Versions before ROCm 4.1 wrote features in another way (`gfx906+sram-ecc`); the plain target runs with any.
        let is_new =
            name.split(':').skip(1).all(|feature| feature.ends_with(['+', '-'])) && !processor(name).is_empty();
        let rest = name.trim_start_matches(processor(name));
        return Ok(Some(
            if is_new && (rest.is_empty() || rest.starts_with(':')) { name } else { processor(name) }.to_owned(),
        ));
    }
    let Some(chip) = Chip::in_name(name) else { return Ok(None) };
    let facts = CardFacts::of(chip.target, None, "").map_err(|error| error.to_string())?;
    if facts.is_some_and(|facts| !facts.generation.drivers.amd_opencl_takes_code_objects) {
        return Err(format!(
            "AMD's driver takes no AMDHSA code objects for {}; Mesa's clover runs it (Debian: mesa-opencl-icd)",
            chip.name
        ));
    }
    Ok(Some(chip.target.to_owned()))
}

#[cfg(test)]
mod tests {
    use ocl::ffi::CL_DEVICE_TYPE_CPU;

    use super::*;

    fn said(platform: &str, name: &str) -> DeviceStrings {
        let (platform, name) = (platform.to_owned(), name.to_owned());
        DeviceStrings { platform, name, kind: CL_DEVICE_TYPE_GPU, vendor_id: AMD, ..DeviceStrings::default() }
    }

    #[test]
    fn each_platform_has_its_container_and_its_way_to_name_a_chip() {
        let found = |platform, name| Identity::of(&said(platform, name)).map(|found| (found.flavour, found.target_id));
        let clover = |name| found("Clover", name).unwrap();
        assert_eq!(
            clover("AMD Radeon HD 7900 Series (tahiti, LLVM 15.0.6, DRM 3.49)"),
            (Flavour::Clover, "gfx600".into())
        );
        assert_eq!(clover("HAWAII (, LLVM 15.0.6, DRM 2.50)"), (Flavour::Clover, "gfx701".into()));
        let amd = |name| found("AMD Accelerated Parallel Processing", name);
        for (name, target) in [
            ("gfx906:sramecc+:xnack-", "gfx906:sramecc+:xnack-"),
            ("gfx906+sram-ecc", "gfx906"),
            ("gfx803", "gfx803"),
            ("Fiji", "gfx803"),
            ("Ellesmere", "gfx803"),
        ] {
            assert_eq!(amd(name).unwrap(), (Flavour::Amd, target.into()));
        }
        assert!(amd("Tahiti").unwrap_err().contains("clover"));
        assert_eq!(amd("gfx1030").unwrap(), (Flavour::Amd, "gfx1030".into()));
        assert_eq!(amd("gfx1201").unwrap(), (Flavour::Amd, "gfx1201".into()));
        assert!(amd("gfx1299").unwrap_err().contains("gfx1299"));
        assert!(amd("gfx").unwrap_err().contains("no chip that this program knows"));
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        let refused = |said: DeviceStrings| Identity::of(&said).unwrap_err();
        let clover = said("Clover", "llvmpipe (LLVM 15.0.6, 256 bits)");
        assert!(refused(DeviceStrings { kind: CL_DEVICE_TYPE_CPU, ..clover.clone() }).contains("not a GPU"));
        assert!(refused(DeviceStrings { vendor_id: 0, ..clover.clone() }).contains("vendor id is 0x0000"));
        assert!(refused(clover).contains("names no chip"));
        assert!(refused(said("Clover", "AMD RV770 (DRM 2.50, LLVM 15)")).contains("names no chip"));
        assert!(refused(said("Clover", "AMD Radeon RX 6800 (navi21, LLVM 15)")).contains("names no chip"));
        assert!(
            refused(said("rusticl", "AMD Radeon HD 7900 Series (tahiti)")).contains("rusticl takes no machine code")
        );
        let nvidia = DeviceStrings { vendor_id: 0x10de, ..said("NVIDIA CUDA", "NVIDIA GeForce GTX 1080") };
        assert!(refused(nvidia).contains("0x10de"));
    }
}
