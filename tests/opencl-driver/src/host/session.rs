//! One use of the device, from the platform to the release of the last object.
#![expect(unsafe_code, reason = "the functions of the library are C functions")]

use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

use opencl_sys::*;

use crate::api::{Api, Refused, call, make};
use crate::mistake::Mistake;

/// Work-items.
const ITEMS: usize = 256;
/// Work-items of a work-group.
const GROUP: usize = 64;
/// Bytes of a buffer.
const BYTES: usize = 4 * ITEMS;
/// The kernel's second operand.
const VALUE: u32 = 0x1234_5678;

/// A session, with its mistake.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    api: &'a Api,
    mistake: Option<Mistake>,
}

/// The objects of a session, null if missing.
#[derive(Debug)]
struct Objects {
    device: cl_device_id,
    context: cl_context,
    queue: cl_command_queue,
    input: cl_mem,
    output: cl_mem,
    program: cl_program,
    kernel: cl_kernel,
}

impl<'a> Session<'a> {
    /// A session with this mistake.
    pub(crate) fn new(api: &'a Api, mistake: Option<Mistake>) -> Self {
        Self { api, mistake }
    }

    fn is(&self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }

    /// Runs a kernel; whether its results are right.
    ///
    /// # Errors
    /// The first call that gave an error code.
    pub(crate) fn run(&self, code_object: &[u8], kernel: &str) -> Result<bool, Refused> {
        let data: Vec<u32> = (0..ITEMS as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
        let mut objects = self.open()?;
        self.buffers(&mut objects, &data)?;
        self.kernel(&mut objects, code_object, kernel)?;
        self.arguments(&objects)?;
        self.launch(&objects)?;
        let results = self.results(&objects)?;
        let copied = self.copies(&objects, &data)?;
        self.close(&objects)?;
        Ok(copied && results.iter().zip(&data).all(|(result, data)| *result == data ^ VALUE))
    }

    fn open(&self) -> Result<Objects, Refused> {
        let (mut platform, mut device) = (null_mut(), null_mut());
        call!(self.api, platforms(1, &raw mut platform, null_mut()))?;
        call!(self.api, devices(platform, CL_DEVICE_TYPE_GPU, 1, &raw mut device, null_mut()))?;
        let properties = [CL_CONTEXT_PLATFORM, platform.expose_provenance().cast_signed(), 0];
        let context = make!(self.api, context(properties.as_ptr(), 1, &raw const device, None, null_mut()))?;
        let kept = if self.is(Mistake::TimesNotKept) { 0 } else { CL_QUEUE_PROFILING_ENABLE };
        let queue = make!(self.api, queue(context, device, kept))?;
        let nothing = null_mut();
        Ok(Objects { device, context, queue, input: nothing, output: nothing, program: nothing, kernel: nothing })
    }

    fn buffers(&self, objects: &mut Objects, data: &[u32]) -> Result<(), Refused> {
        let flags =
            if self.is(Mistake::FlagsExclusive) { CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY } else { CL_MEM_READ_ONLY };
        let host = if self.is(Mistake::HostPointerMissing) { null() } else { data.as_ptr() };
        let bytes = if self.is(Mistake::BufferEmpty) { 0 } else { BYTES };
        let mut context = objects.context;
        if self.is(Mistake::OtherContext) {
            context = make!(self.api, context(null(), 1, &raw const objects.device, None, null_mut()))?;
        }
        objects.input =
            make!(self.api, buffer(context, flags | CL_MEM_COPY_HOST_PTR, bytes, host.cast::<c_void>().cast_mut()))?;
        objects.output = make!(self.api, buffer(objects.context, CL_MEM_READ_WRITE, BYTES, null_mut()))?;
        Ok(())
    }

    fn kernel(&self, objects: &mut Objects, code_object: &[u8], kernel: &str) -> Result<(), Refused> {
        let (length, mut binary, mut status) = (code_object.len(), code_object.as_ptr(), 0);
        let device = &raw const objects.device;
        let (length, binary, status) = (&raw const length, &raw mut binary, &raw mut status);
        objects.program = make!(self.api, program(objects.context, 1, device, length, binary, status))?;
        if !self.is(Mistake::NotBuilt) {
            let options = if self.is(Mistake::BuildOptions) { c"-cl-fast-relaxed-math".as_ptr() } else { null() };
            call!(self.api, build(objects.program, 1, device, options, None, null_mut()))?;
        }
        let name = if self.is(Mistake::KernelName) { "other" } else { kernel };
        let name = CString::new(name).map_err(|_| Refused { call: "a name with NUL", code: 0 })?;
        objects.kernel = make!(self.api, kernel(objects.program, name.as_ptr()))?;
        Ok(())
    }

    fn arguments(&self, objects: &Objects) -> Result<(), Refused> {
        let kernel = objects.kernel;
        let handle = |handle: &cl_mem| std::ptr::from_ref(handle).cast::<c_void>();
        let input = if self.is(Mistake::ArgumentKind) { &objects.queue } else { &objects.input };
        call!(self.api, argument(kernel, 0, 8, handle(&objects.output)))?;
        let value = [VALUE, 0];
        let bytes = if self.is(Mistake::ArgumentSize) { 8 } else { 4 };
        call!(self.api, argument(kernel, 1, bytes, value.as_ptr().cast()))?;
        if !self.is(Mistake::ArgumentMissing) {
            call!(self.api, argument(kernel, 2, 8, handle(input)))?;
        }
        let local = if self.is(Mistake::LocalValue) { value.as_ptr().cast() } else { null() };
        let bytes = match self.mistake {
            Some(Mistake::LocalEmpty) => 0,
            Some(Mistake::LocalTooLarge) => 64 << 10,
            _ => 4 * GROUP,
        };
        call!(self.api, argument(kernel, 3, bytes, local))?;
        if self.is(Mistake::ArgumentIndex) {
            call!(self.api, argument(kernel, 4, 4, value.as_ptr().cast()))?;
        }
        Ok(())
    }

    fn launch(&self, objects: &Objects) -> Result<(), Refused> {
        if self.is(Mistake::BufferReleasedEarly) {
            call!(self.api, release_buffer(objects.input))?;
        }
        if self.is(Mistake::Mapped) {
            let (queue, output) = (objects.queue, objects.output);
            make!(self.api, map(queue, output, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, null(), null_mut()))?;
        }
        let group = if self.is(Mistake::GroupTooLarge) { 512 } else { GROUP };
        let items = if self.is(Mistake::Ragged) { ITEMS - 1 } else { ITEMS.max(group) };
        let dimensions = if self.is(Mistake::Dimensions) { 4 } else { 1 };
        let waits = u32::from(self.is(Mistake::WaitList));
        let (items, group) = ([items, 1, 1, 1], [group, 1, 1, 1]);
        let (items, group) = (items.as_ptr(), group.as_ptr());
        let mut event = null_mut();
        let (queue, kernel) = (objects.queue, objects.kernel);
        call!(self.api, launch(queue, kernel, dimensions, null(), items, group, waits, null(), &raw mut event))?;
        call!(self.api, finish(objects.queue))?;
        call!(self.api, wait(1, &raw const event))?;
        let mut time = 0_u64;
        call!(self.api, times(event, CL_PROFILING_COMMAND_END, 8, (&raw mut time).cast(), null_mut()))?;
        call!(self.api, release_event(event))
    }

    fn results(&self, objects: &Objects) -> Result<Vec<u32>, Refused> {
        let mut results = vec![0_u32; ITEMS + 1];
        let is_early = self.is(Mistake::ReadTooEarly);
        if self.is(Mistake::QueueReleased) {
            call!(self.api, release_queue(objects.queue))?;
        }
        let is_blocking = if is_early { CL_FALSE } else { CL_TRUE };
        let bytes = if self.is(Mistake::ReadBeyond) { BYTES + 1 } else { BYTES };
        let into = results.as_mut_ptr().cast();
        call!(self.api, read(objects.queue, objects.output, is_blocking, 0, bytes, into, 0, null(), null_mut()))?;
        results.truncate(ITEMS);
        let seen = results.clone();
        call!(self.api, finish(objects.queue))?;
        Ok(if is_early { seen } else { results })
    }

    /// Writes, fills, copies and maps; whether each byte is where it belongs.
    fn copies(&self, objects: &Objects, data: &[u32]) -> Result<bool, Refused> {
        let (queue, input, output) = (objects.queue, objects.input, objects.output);
        let region = cl_buffer_region { origin: BYTES / 2, size: BYTES / 2 };
        let region = (&raw const region).cast();
        let part = make!(self.api, part(output, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, region))?;
        let pattern = 0xcafe_u16;
        let pattern = (&raw const pattern).cast();
        call!(self.api, write(queue, output, CL_FALSE, 0, BYTES, data.as_ptr().cast(), 0, null(), null_mut()))?;
        call!(self.api, fill(queue, part, pattern, 2, 0, BYTES / 4, 0, null(), null_mut()))?;
        call!(self.api, copy(queue, input, output, 0, 3 * BYTES / 4, BYTES / 4, 0, null(), null_mut()))?;
        let map_flags = CL_MAP_READ | CL_MAP_WRITE;
        let mapped = make!(self.api, map(queue, output, CL_TRUE, map_flags, 0, BYTES, 0, null(), null_mut()))?;
        // SAFETY: the mapping has this many bytes, and lives until it is unmapped.
        let content = unsafe { std::slice::from_raw_parts_mut(mapped.cast::<u32>(), ITEMS) };
        let (half, quarter) = (ITEMS / 2, ITEMS / 4);
        let are_right = content[..half] == data[..half]
            && content[half..half + quarter].iter().all(|word| *word == 0xcafe_cafe)
            && content[half + quarter..] == data[..quarter];
        content[0] = 77;
        call!(self.api, unmap(queue, output, mapped, 0, null(), null_mut()))?;
        let mut first = 0_u32;
        call!(self.api, read(queue, output, CL_TRUE, 0, 4, (&raw mut first).cast(), 0, null(), null_mut()))?;
        call!(self.api, release_buffer(part))?;
        Ok(are_right && first == 77)
    }

    fn close(&self, objects: &Objects) -> Result<(), Refused> {
        if !self.is(Mistake::Leak) {
            call!(self.api, release_kernel(objects.kernel))?;
            call!(self.api, release_buffer(objects.output))?;
        }
        call!(self.api, release_buffer(objects.input))?;
        if self.is(Mistake::BufferReleasedTwice) {
            call!(self.api, release_buffer(objects.input))?;
        }
        call!(self.api, release_program(objects.program))?;
        call!(self.api, release_queue(objects.queue))?;
        call!(self.api, release_context(objects.context))
    }
}
