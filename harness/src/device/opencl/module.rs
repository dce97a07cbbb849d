//! A code object on a device, and launching its kernels.
#![expect(unsafe_code, reason = "`ocl` leaves it to its caller that a kernel does no harm")]

use std::borrow::Cow;
use std::ffi::CString;

use gcn_model::code_object::{CloverKernel, CodeObject, clover_module};
use ocl::core::{
    ArgVal, Event, Program, build_program, create_kernel, create_program_with_binary, enqueue_kernel, set_kernel_arg,
    wait_for_event,
};

use super::super::{Device, DeviceError, Launch, Module};
use super::buffer::{read, zeros};
use super::opened::OpenClDevice;
use super::status::{OpenClError, ask};

/// Largest work-group: clover's limit, and larger ones hang some GCN 1.0/1.1 chips (facts §5.5).
const MOST_WORK_ITEMS: u32 = 256;
/// A launch without LDS asks for this where it is an argument: no argument may have 0 bytes, and a dword costs one granule.
const LEAST_LDS_BYTES: u32 = 4;
/// Number of the argument with the LDS.
const LDS_ARGUMENT: u32 = 3;

/// A loaded code object.
pub(super) struct OpenClModule<'a> {
    device: &'a OpenClDevice,
    object: CodeObject,
    /// The program, where one holds all kernels. Clover copies a program at each launch and fixes the LDS in it: there, each launch has its own.
    program: Option<Program>,
}

impl<'a> OpenClModule<'a> {
    pub(super) fn of_amd(device: &'a OpenClDevice, object: CodeObject, bytes: &[u8]) -> Result<Self, DeviceError> {
        let program = program(device, bytes)?;
        Ok(Self { device, object, program: Some(program) })
    }

    pub(super) fn of_clover(device: &'a OpenClDevice, object: CodeObject) -> Self {
        Self { device, object, program: None }
    }

    /// The program with the kernel of a launch.
    fn program(&self, launch: &Launch) -> Result<Cow<'_, Program>, DeviceError> {
        if let Some(program) = &self.program {
            return Ok(Cow::Borrowed(program));
        }
        let kernel = CloverKernel { name: &launch.kernel, lds_bytes: launch.lds_bytes };
        let module = clover_module(&self.object, &[kernel]).map_err(|error| DeviceError::Launch(error.to_string()))?;
        program(self.device, &module).map(Cow::Owned)
    }
}

/// Whether the launch is one that clover survives; other drivers have the same limits.
fn check(object: &CodeObject, most_lds_bytes: u32, launch: &Launch) -> Result<(), DeviceError> {
    let Launch { kernel, groups, group_size, lds_bytes, result_bytes, .. } = launch;
    let problem = if object.kernel(kernel).is_none() {
        format!("there is no kernel {kernel}")
    } else if *groups == 0 || !(1..=MOST_WORK_ITEMS).contains(group_size) {
        format!("{groups} groups of {group_size} work-items: a group has 1 to {MOST_WORK_ITEMS}")
    } else if groups.checked_mul(*group_size).is_none() {
        format!("{groups} groups of {group_size} work-items are more than 2^32 work-items")
    } else if *lds_bytes > most_lds_bytes {
        format!("{lds_bytes} bytes of LDS: a group can have {most_lds_bytes}")
    } else if result_bytes % 4 != 0 {
        format!("{result_bytes} bytes of results are not a whole number of dwords")
    } else {
        return Ok(());
    };
    Err(DeviceError::Launch(problem))
}

/// A program of a container, ready for kernels.
fn program(device: &OpenClDevice, container: &[u8]) -> Result<Program, DeviceError> {
    let devices = [device.device];
    let program = ask(|| create_program_with_binary(&device.context, &devices, &[container]))
        .map_err(|error| error.refused(DeviceError::CodeObject))?;
    ask(|| build_program(&program, Some(&devices), &CString::default(), None, None))
        .map_err(|error| error.refused(DeviceError::CodeObject))?;
    Ok(program)
}

impl Module for OpenClModule<'_> {
    fn launch(&self, launch: &Launch) -> Result<Vec<u32>, DeviceError> {
        check(&self.object, self.device.information().lds_bytes_per_group, launch)?;
        let OpenClDevice { queue, context, .. } = self.device;
        let program = self.program(launch)?;
        let refused = |error: OpenClError| error.refused(DeviceError::Launch);
        let kernel = ask(|| create_kernel(&program, &launch.kernel)).map_err(refused)?;
        let results = zeros(context, launch.result_bytes as usize).map_err(refused)?;
        let scratch = match launch.scratch_bytes {
            0 => None,
            bytes => Some(zeros(context, bytes as usize).map_err(refused)?),
        };
        let set = |index: u32, value: ArgVal<'_>| ask(|| set_kernel_arg(&kernel, index, value)).map_err(refused);
        set(0, ArgVal::mem(&results))?;
        set(1, ArgVal::scalar(&(u64::from(launch.loop_passes) << 32 | u64::from(launch.result_bytes))))?;
        set(2, scratch.as_ref().map_or_else(ArgVal::mem_null, ArgVal::mem))?;
        if self.program.is_some() {
            set(LDS_ARGUMENT, ArgVal::local::<u8>(&(launch.lds_bytes.max(LEAST_LDS_BYTES) as usize)))?;
        }
        let items = launch.groups as usize * launch.group_size as usize;
        let group = Some([launch.group_size as usize, 1, 1]);
        let mut event = Event::null();
        // SAFETY: the kernel's own addresses are those of live buffers; what its code does has been checked by the caller of the device.
        ask(|| unsafe {
            enqueue_kernel(queue, &kernel, 1, None, &[items, 1, 1], group, None::<Event>, Some(&mut event))
        })
        .map_err(refused)?;
        // A kernel was running: an error now is more than a refusal. The event knows of a failed command; the queue may not.
        let lost = |error: OpenClError| DeviceError::Lost(format!("kernel {}: {}", launch.kernel, error.text));
        ask(|| wait_for_event(&event)).map_err(lost)?;
        read(queue, &results, launch.result_bytes as usize / 4).map_err(lost)
    }
}

#[cfg(test)]
mod tests {
    use gcn_model::code_object::{Kernel, KernelDescriptor};

    use super::*;

    #[test]
    fn launches_that_crash_clover_are_refused() {
        let descriptor = KernelDescriptor::read(&[0; KernelDescriptor::BYTES]);
        let kernels = vec![Kernel { name: "k".into(), descriptor, entry: 0 }];
        let object = CodeObject { mach: 0x20, kernels, code_address: 0, code: vec![0xbf81_0000] };
        let launch = Launch {
            kernel: "k".into(),
            groups: 2,
            group_size: 256,
            lds_bytes: 32768,
            ordinal: 0,
            result_bytes: 64,
            loop_passes: 0,
            scratch_bytes: 0,
        };
        let checked = |launch: Launch| check(&object, 32768, &launch);
        assert_eq!(checked(launch.clone()), Ok(()));
        for wrong in [
            Launch { kernel: "other".into(), ..launch.clone() },
            Launch { groups: 0, ..launch.clone() },
            Launch { group_size: 0, ..launch.clone() },
            Launch { group_size: 257, ..launch.clone() },
            Launch { group_size: 512, ..launch.clone() },
            Launch { groups: 1 << 24, ..launch.clone() },
            Launch { lds_bytes: 32769, ..launch.clone() },
            Launch { result_bytes: 63, ..launch },
        ] {
            assert!(matches!(checked(wrong.clone()), Err(DeviceError::Launch(_))), "{wrong:?}");
        }
    }
}
