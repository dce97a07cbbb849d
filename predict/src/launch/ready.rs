//! A kernel with its arguments, in memory.

use std::collections::BTreeMap;

use gcn_model::code_object::LoadableObject;
use gcn_model::quantity::Bytes;
use gcn_simulator::{Apertures, Configuration, Dispatch, Memory, Problem, Profile, SimulationError, profile};

use super::arguments::LaunchArguments;
use super::hidden::Hidden;
use super::kernarg::{Placed, dword, lay_out, local_offsets};
use super::queue::{put, put_packet, put_queue};
use crate::error::PredictError;

/// Dwords that kernel arguments come in: their start is aligned, and compilers merge loads into a larger one that goes
/// beyond the last argument.
const KERNARG_DWORDS: usize = 16;

/// A kernel and the launch of it.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) object: &'a LoadableObject,
    pub(super) kernel: &'a str,
    pub(super) arguments: &'a LaunchArguments,
}

/// All that a launch needs.
pub(super) struct Ready {
    pub(super) memory: Memory,
    /// The arguments that are buffers.
    pub(super) buffers: Vec<Option<Placed>>,
    dispatch: Dispatch,
    /// Address of the code object.
    base: u64,
}

impl Wanted<'_> {
    pub(super) fn no_such(&self) -> PredictError {
        let known: Vec<&str> = self.object.object.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        PredictError::NoSuchKernel { name: self.kernel.to_owned(), known: known.join(", ") }
    }

    /// Puts it into memory.
    pub(super) fn ready(&self, apertures: Apertures) -> Result<Ready, PredictError> {
        let Self { object, kernel, arguments } = *self;
        let no_such = || self.no_such();
        let descriptor = object.object.kernel(kernel).ok_or_else(no_such)?.descriptor;
        let needs = object.needs(kernel).ok_or_else(no_such)?;
        let metadata = object.metadata.kernel(kernel).ok_or_else(no_such)?;
        let descriptor_at = object.image.descriptor(kernel).ok_or_else(no_such)?;
        check_group(metadata.required_group, metadata.most_items, arguments.group)?;

        let wrong =
            |problem: Problem| SimulationError::Launch { kernel: kernel.to_owned(), problem: problem.to_string() };
        let mut memory = Memory::default();
        let base = memory.allocate(object.image.bytes());
        memory.upload(base, &object.image.words(base)).map_err(wrong)?;
        let queue = put_queue(&mut memory, apertures).map_err(wrong)?;
        let fixed = needs.group_lds().0;
        let (locals, lds) = local_offsets(metadata, &arguments.arguments, Bytes(fixed))?;
        let (grid, group) = (arguments.grid, arguments.group);
        let hidden = Hidden { grid, group, dynamic_lds: Bytes(lds - fixed), queue, apertures };
        let (kernarg, buffers) =
            lay_out(&mut memory, metadata, &arguments.arguments, hidden, (&locals, needs.kernarg()))?;
        let mut kernarg: Vec<u32> = kernarg.chunks(4).map(dword).collect();
        kernarg.resize(kernarg.len().next_multiple_of(KERNARG_DWORDS), 0);
        let kernarg_address = put(&mut memory, &kernarg).map_err(wrong)?;
        let descriptor_address = base + descriptor_at;
        let sizes = (descriptor.private_segment_bytes, lds);
        let packet = put_packet(&mut memory, (grid, group), sizes, (descriptor_address, kernarg_address));
        let dispatch = Dispatch {
            descriptor_address,
            kernarg_address,
            dispatch_packet_address: packet.map_err(wrong)?,
            queue_address: queue,
            dispatch_id: 0,
            grid,
            group,
            private_segment_bytes: 0,
            group_segment_bytes: lds,
            scratch: None,
            apertures,
            ordinal: 0,
            cycle_limit: arguments.cycle_limit,
        };
        Ok(Ready { memory, buffers, dispatch, base })
    }

    /// Executes it; the addresses are those of the code object.
    pub(super) fn run(&self, ready: &mut Ready, configuration: &Configuration) -> Result<Profile, PredictError> {
        let base = ready.base;
        let run = profile(configuration, &ready.dispatch, &mut ready.memory);
        let run = run.map_err(|error| in_object(error, self.kernel, base, self.object))?;
        let by_address = run.instructions.into_iter().map(|(address, of)| (address.wrapping_sub(base), of));
        Ok(Profile { instructions: by_address.collect::<BTreeMap<_, _>>(), ..run })
    }
}

fn check_group(required: Option<[u32; 3]>, most: Option<u32>, group: [u32; 3]) -> Result<(), PredictError> {
    let items = group.iter().map(|items| u64::from(*items)).product::<u64>();
    match (required, most) {
        (Some(required), _) if required != group => {
            Err(PredictError::Group(format!("it is {group:?}, but the kernel requires {required:?}")))
        }
        (_, Some(most)) if items > u64::from(most) => {
            Err(PredictError::Group(format!("{items} work-items, but the kernel was compiled for at most {most}")))
        }
        _ => Ok(()),
    }
}

/// An error of the simulator with the kernel's name, and with addresses of the code object.
fn in_object(error: SimulationError, name: &str, base: u64, object: &LoadableObject) -> SimulationError {
    let name = name.to_owned();
    match error {
        SimulationError::Launch { problem, .. } => SimulationError::Launch { kernel: name, problem },
        SimulationError::Execution { wave, address, instruction, problem, .. } => {
            let in_object = |address: u64| {
                address.checked_sub(base).filter(|offset| *offset < object.image.bytes()).unwrap_or(address)
            };
            let (address, problem) = (in_object(address), problem.with_addresses(in_object));
            SimulationError::Execution { kernel: name, wave, address, instruction, problem }
        }
        SimulationError::CycleLimit { limit, .. } => SimulationError::CycleLimit { kernel: name, limit },
        SimulationError::Deadlock { .. } => SimulationError::Deadlock { kernel: name },
        other => other,
    }
}
