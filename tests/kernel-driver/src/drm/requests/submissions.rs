//! Requests for submissions: command buffers are executed when they are submitted, and waited for.

use std::time::Duration;

use crate::driver::Driver;
use crate::drm::contexts::End;
use crate::drm::request::{
    Chunk, IdleState, IndirectBuffer, Submission, Submitted, UserFence, WaitIdle, WaitState, WaitSubmission,
};
use crate::ioctl::{CANCELED, Errno, INVALID, NO_DEVICE, pointed};
use crate::report::report;
use crate::stop::Stop;

/// `AMDGPU_CHUNK_ID_*`.
const COMMANDS: u32 = 0x01;
const USER_FENCE: u32 = 0x02;
const DEPENDENCIES: u32 = 0x03;
const SYNC_IN: u32 = 0x04;
const SYNC_OUT: u32 = 0x05;
const BUFFER_HANDLES: u32 = 0x06;
const SCHEDULED_DEPENDENCIES: u32 = 0x07;

/// Types of hardware that have rings.
const RINGS: std::ops::RangeInclusive<u32> = 0..=1;
/// How often a thread that waits for what never ends looks whether its time is over.
const PAUSE: Duration = Duration::from_millis(1);

/// The parts of a submission.
#[derive(Debug, Default)]
struct Chunks {
    commands: Vec<IndirectBuffer>,
    user_fence: Option<UserFence>,
    /// Synchronisation objects that its end signals.
    signals: Vec<u32>,
}

/// Executes command buffers. When this comes back they are done, so that a submission never has to wait for another.
pub(super) fn submit(driver: &Driver, submission: Submission) -> Result<Submitted, Errno> {
    if driver.device.faults.submission().is_some() {
        report("submission refused: GCN_TIMINGS_FAULT asks for it");
        return Err(INVALID);
    }
    let chunks = chunks(&submission)?;
    let first = chunks.commands.first().ok_or(INVALID)?;
    let ring = (first.ip_type, first.ring);
    if !RINGS.contains(&ring.0) || chunks.commands.iter().any(|buffer| (buffer.ip_type, buffer.ring) != ring) {
        return Err(INVALID);
    }
    // A context that made the GPU stop submits no more (Linux, amdgpu_cs.c).
    if driver.drm.contexts().get(submission.context)?.is_guilty {
        return Err(CANCELED);
    }
    let stopped = execute(driver, ring, &chunks.commands);
    let mut contexts = driver.drm.contexts();
    let end = match stopped {
        Ok(()) => End::Done,
        Err(Stop::Endless { .. }) => End::Never,
        Err(Stop::Gone { .. }) => {
            driver.device.lose();
            return Err(NO_DEVICE);
        }
        Err(Stop::Memory { .. } | Stop::Queue { .. }) => {
            contexts.reset(submission.context);
            End::Reset
        }
    };
    let sequence = contexts.get(submission.context)?.add(ring, end);
    drop(contexts);
    for handle in chunks.signals {
        driver.drm.sync_objects().submitted(handle, end)?;
    }
    if let Some(UserFence { handle, offset }) = chunks.user_fence.filter(|_| end == End::Done) {
        let place = driver.drm.buffers().get(handle)?.place.at(u64::from(offset)).ok_or(INVALID)?;
        place.store64(sequence).ok_or(INVALID)?;
    }
    Ok(Submitted { sequence })
}

fn execute(driver: &Driver, ring: (u32, u32), commands: &[IndirectBuffer]) -> Result<(), Stop> {
    let mut rings = driver.drm.rings();
    let ring_state = rings.entry(ring).or_default();
    if ring_state.is_stuck {
        return Err(Stop::Endless { reason: "it is behind something that does not end".into() });
    }
    let executed = commands
        .iter()
        .try_for_each(|buffer| ring_state.execute(&driver.device, buffer.address, u64::from(buffer.bytes)));
    executed.inspect_err(|stop| {
        report(format_args!("ring {} of type {}: {stop}", ring.1, ring.0));
        ring_state.is_stuck = matches!(stop, Stop::Endless { .. });
    })
}

/// Reads the chunks of a submission.
fn chunks(submission: &Submission) -> Result<Chunks, Errno> {
    let pointers = pointed(submission.chunk_pointers, 8 * u64::from(submission.chunks))?;
    let mut chunks = Chunks::default();
    for i in 0..u64::from(submission.chunks) {
        let pointer = pointers.at(8 * i).and_then(|place| place.load64()).ok_or(INVALID)?;
        let chunk: Chunk = read(pointer)?;
        match chunk.id {
            COMMANDS => chunks.commands.push(read(chunk.data)?),
            USER_FENCE => chunks.user_fence = Some(read(chunk.data)?),
            SYNC_OUT => {
                // Each dword is a handle (`struct drm_amdgpu_cs_chunk_sem`).
                for dword in 0..u64::from(chunk.dwords) {
                    chunks.signals.push(read(chunk.data + 4 * dword)?);
                }
            }
            // Earlier submissions are done, and all buffers exist.
            DEPENDENCIES | SCHEDULED_DEPENDENCIES | SYNC_IN | BUFFER_HANDLES => (),
            id => {
                report(format_args!("the DRM driver does not know chunk {id:#x} of a submission"));
                return Err(INVALID);
            }
        }
    }
    Ok(chunks)
}

fn read<T: bytemuck::Pod>(address: u64) -> Result<T, Errno> {
    let mut value = T::zeroed();
    let bytes = bytemuck::bytes_of_mut(&mut value);
    pointed(address, bytes.len() as u64)?.read(bytes);
    Ok(value)
}

/// Waits for a submission, until an absolute time of the monotonic clock in nanoseconds. One that the GPU was reset in fails.
pub(super) fn wait(driver: &Driver, wait: WaitSubmission) -> Result<WaitState, Errno> {
    match driver.drm.contexts().get(wait.context)?.end((wait.ip_type, wait.ring), wait.sequence)? {
        End::Done => return Ok(WaitState { status: 0 }),
        End::Reset => return Err(CANCELED),
        End::Never => (),
    }
    wait_until::<()>(wait.timeout, || Ok(None)).map(|_| WaitState { status: 1 })
}

/// Waits until something is there, or an absolute time of the monotonic clock in nanoseconds has come: then there is nothing.
pub(super) fn wait_until<T>(
    timeout: u64,
    mut look: impl FnMut() -> Result<Option<T>, Errno>,
) -> Result<Option<T>, Errno> {
    loop {
        let found = look()?;
        if found.is_some() || monotonic() >= timeout {
            return Ok(found);
        }
        std::thread::sleep(PAUSE);
    }
}

/// Waits until a buffer is not used any more: it never is, unless something does not end.
pub(super) fn wait_idle(driver: &Driver, wait: WaitIdle) -> Result<IdleState, Errno> {
    let domain = driver.drm.buffers().get(wait.handle)?.created.domains as u32;
    let is_stuck = || driver.drm.rings().values().any(|ring| ring.is_stuck);
    let idle = wait_until(wait.timeout, || Ok((!is_stuck()).then_some(())))?;
    Ok(IdleState { status: u32::from(idle.is_none()), domain })
}

/// Nanoseconds of the monotonic clock.
#[expect(unsafe_code, reason = "only the C library has this clock as it is")]
fn monotonic() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is there; the call fills it.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
