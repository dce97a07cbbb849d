//! Preparing a launch: the checks of `clEnqueueNDRangeKernel`.

use std::sync::Arc;

use opencl_sys::*;

use crate::device::{Device, MAX_GROUP};
use crate::failure::{Done, require};
use crate::kernel::Kernel;
use crate::launch::{Arguments, Launch};
use crate::metadata::ValueKind;
use crate::object_table::ObjectTable;
use crate::packing::pack;

/// The program's request; a list has as many elements as there are dimensions.
#[derive(Debug)]
pub(crate) struct Shape {
    /// `work_dim`.
    pub(crate) dimensions: u32,
    /// `global_work_offset`.
    pub(crate) offset: Option<Vec<usize>>,
    /// `global_work_size`.
    pub(crate) global: Option<Vec<usize>>,
    /// `local_work_size`.
    pub(crate) local: Option<Vec<usize>>,
}

/// Checks a launch and packs its arguments.
pub(crate) fn prepare(kernel: Arc<Kernel>, objects: &mut ObjectTable, shape: &Shape) -> Done<Launch> {
    let device = Arc::clone(&kernel.program.context.device);
    let dimensions = shape.dimensions;
    require((1..=3).contains(&dimensions), CL_INVALID_WORK_DIMENSION, || format!("{dimensions} dimensions"))?;
    let global = shape.global.clone().unwrap_or_default();
    let is_right = |items: &usize| (1..=u32::MAX as usize).contains(items);
    require(!global.is_empty() && global.iter().all(is_right), CL_INVALID_GLOBAL_WORK_SIZE, || {
        format!("{global:?} work-items, of which each dimension has 1 to {}", u32::MAX)
    })?;
    let offset = shape.offset.clone().unwrap_or_default();
    let is_told =
        kernel.loaded.metadata.arguments.iter().any(|argument| argument.kind == ValueKind::HiddenGlobalOffsetX);
    require(is_told || offset.iter().all(|offset| *offset == 0), CL_INVALID_GLOBAL_OFFSET, || {
        format!("an offset of {offset:?}, which kernel {} has no argument for", kernel.name())
    })?;
    let group = match &shape.local {
        Some(local) => local.clone(),
        None => chosen(&kernel, &global)?,
    };
    check_group(&kernel, &global, &group)?;
    let arguments = pack(&kernel, objects, filled(&offset, 0))?;
    check_lds(&device, &arguments, kernel.name())?;
    let (grid, group) = (filled(&global, 1).map(|items| items as u32), filled(&group, 1).map(|items| items as u32));
    Ok(Launch { kernel, arguments, dimensions, grid, group, fault: None })
}
/// A list in three dimensions.
fn filled(list: &[usize], rest: usize) -> [usize; 3] {
    std::array::from_fn(|i| list.get(i).copied().unwrap_or(rest))
}

/// The work-group that the driver chooses: a divisor of the first dimension, one wave at most.
fn chosen(kernel: &Kernel, global: &[usize]) -> Done<Vec<usize>> {
    require(kernel.loaded.metadata.required_group.is_none(), CL_INVALID_WORK_GROUP_SIZE, || {
        format!("no work-group size, and kernel {} requires one", kernel.name())
    })?;
    let most = 64.min(kernel.loaded.metadata.most_items as usize);
    let first = (1..=most).rev().find(|items| global[0].is_multiple_of(*items)).unwrap_or(1);
    Ok((0..global.len()).map(|i| if i == 0 { first } else { 1 }).collect())
}

fn check_group(kernel: &Kernel, global: &[usize], group: &[usize]) -> Done<()> {
    let metadata = &kernel.loaded.metadata;
    require(group.iter().all(|items| *items <= MAX_GROUP), CL_INVALID_WORK_ITEM_SIZE, || {
        format!("a work-group of {group:?}, and CL_DEVICE_MAX_WORK_ITEM_SIZES is {MAX_GROUP}")
    })?;
    let items: usize = group.iter().product();
    let most = MAX_GROUP.min(metadata.most_items as usize);
    let code = CL_INVALID_WORK_GROUP_SIZE;
    require((1..=most).contains(&items), code, || {
        format!("a work-group of {items} work-items, and kernel {} has 1 to {most}", kernel.name())
    })?;
    require(global.iter().zip(group).all(|(global, group)| global.is_multiple_of(*group)), code, || {
        format!("{global:?} work-items are no multiple of a work-group of {group:?}")
    })?;
    let is_required = metadata.required_group.is_none_or(|required| required == filled(group, 1));
    require(is_required, code, || format!("a work-group of {group:?}, and kernel {} requires another", kernel.name()))
}

fn check_lds(device: &Device, arguments: &Arguments, kernel: &str) -> Done<()> {
    let (bytes, most) = (arguments.lds_bytes, device.lds_bytes());
    require(bytes <= most, CL_OUT_OF_RESOURCES, || {
        format!("kernel {kernel}: {bytes} bytes of local memory, and a work-group has at most {most}")
    })
}
