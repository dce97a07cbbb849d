//! The requests of the kernel driver: numbers and structures (Linux, `include/uapi/linux/kfd_ioctl.h`, version 1.14).

use crate::ioctl::structures;

/// The letter in a request's number: `AMDKFD_IOCTL_BASE`.
pub(crate) const LETTER: u8 = b'K';

/// `AMDKFD_IOC_GET_VERSION`.
pub(crate) const GET_VERSION: u8 = 0x01;
/// `AMDKFD_IOC_CREATE_QUEUE`.
pub(crate) const CREATE_QUEUE: u8 = 0x02;
/// `AMDKFD_IOC_DESTROY_QUEUE`.
pub(crate) const DESTROY_QUEUE: u8 = 0x03;
/// `AMDKFD_IOC_SET_MEMORY_POLICY`.
pub(crate) const SET_MEMORY_POLICY: u8 = 0x04;
/// `AMDKFD_IOC_GET_CLOCK_COUNTERS`.
pub(crate) const GET_CLOCK_COUNTERS: u8 = 0x05;
/// `AMDKFD_IOC_UPDATE_QUEUE`.
pub(crate) const UPDATE_QUEUE: u8 = 0x07;
/// `AMDKFD_IOC_CREATE_EVENT`.
pub(crate) const CREATE_EVENT: u8 = 0x08;
/// `AMDKFD_IOC_DESTROY_EVENT`.
pub(crate) const DESTROY_EVENT: u8 = 0x09;
/// `AMDKFD_IOC_SET_EVENT`.
pub(crate) const SET_EVENT: u8 = 0x0a;
/// `AMDKFD_IOC_RESET_EVENT`.
pub(crate) const RESET_EVENT: u8 = 0x0b;
/// `AMDKFD_IOC_WAIT_EVENTS`.
pub(crate) const WAIT_EVENTS: u8 = 0x0c;
/// `AMDKFD_IOC_SET_SCRATCH_BACKING_VA`.
pub(crate) const SET_SCRATCH_BACKING_VA: u8 = 0x11;
/// `AMDKFD_IOC_GET_TILE_CONFIG`.
pub(crate) const GET_TILE_CONFIG: u8 = 0x12;
/// `AMDKFD_IOC_SET_TRAP_HANDLER`.
pub(crate) const SET_TRAP_HANDLER: u8 = 0x13;
/// `AMDKFD_IOC_GET_PROCESS_APERTURES_NEW`.
pub(crate) const GET_PROCESS_APERTURES_NEW: u8 = 0x14;
/// `AMDKFD_IOC_ACQUIRE_VM`.
pub(crate) const ACQUIRE_VM: u8 = 0x15;
/// `AMDKFD_IOC_ALLOC_MEMORY_OF_GPU`.
pub(crate) const ALLOC_MEMORY_OF_GPU: u8 = 0x16;
/// `AMDKFD_IOC_FREE_MEMORY_OF_GPU`.
pub(crate) const FREE_MEMORY_OF_GPU: u8 = 0x17;
/// `AMDKFD_IOC_MAP_MEMORY_TO_GPU`.
pub(crate) const MAP_MEMORY_TO_GPU: u8 = 0x18;
/// `AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU`.
pub(crate) const UNMAP_MEMORY_FROM_GPU: u8 = 0x19;
/// `AMDKFD_IOC_SET_CU_MASK`.
pub(crate) const SET_CU_MASK: u8 = 0x1a;
/// `AMDKFD_IOC_SET_XNACK_MODE`.
pub(crate) const SET_XNACK_MODE: u8 = 0x21;
/// `AMDKFD_IOC_AVAILABLE_MEMORY`.
pub(crate) const AVAILABLE_MEMORY: u8 = 0x23;

/// `AMDKFD_IOC_RUNTIME_ENABLE`.
pub(crate) const RUNTIME_ENABLE: u8 = 0x25;

structures! {
    /// `struct kfd_ioctl_get_version_args`.
    Version { major: u32, minor: u32, }
    /// `struct kfd_ioctl_create_queue_args`.
    CreateQueue {
        ring_base: u64, write_pointer: u64, read_pointer: u64, doorbell_offset: u64,
        ring_bytes: u32, gpu_id: u32, kind: u32, percentage: u32, priority: u32, queue_id: u32,
        eop_buffer: u64, eop_buffer_bytes: u64, save_area: u64, save_area_bytes: u32, control_stack_bytes: u32,
    }
    /// `struct kfd_ioctl_destroy_queue_args`.
    DestroyQueue { queue_id: u32, pad: u32, }
    /// `struct kfd_ioctl_update_queue_args`.
    UpdateQueue { ring_base: u64, queue_id: u32, ring_bytes: u32, percentage: u32, priority: u32, }
    /// `struct kfd_ioctl_get_clock_counters_args`.
    ClockCounters { gpu: u64, cpu: u64, system: u64, system_hz: u64, gpu_id: u32, pad: u32, }
    /// `struct kfd_ioctl_get_process_apertures_new_args`.
    Apertures { apertures: u64, nodes: u32, pad: u32, }
    /// `struct kfd_process_device_apertures`.
    DeviceApertures {
        lds_base: u64, lds_limit: u64, scratch_base: u64, scratch_limit: u64, gpuvm_base: u64, gpuvm_limit: u64,
        gpu_id: u32, pad: u32,
    }
    /// `struct kfd_ioctl_create_event_args`.
    CreateEvent {
        page_offset: u64, trigger_data: u32, kind: u32, auto_reset: u32, node_id: u32, event_id: u32, slot: u32,
    }
    /// `struct kfd_ioctl_destroy_event_args`, and those that set and reset an event.
    EventId { event_id: u32, pad: u32, }
    /// `struct kfd_ioctl_wait_events_args`.
    WaitEvents { events: u64, count: u32, for_all: u32, timeout_ms: u32, result: u32, }
    /// `struct kfd_event_data`; the data of a signal's event begin with its age.
    EventData { data: [u32; 8], extension: u64, event_id: u32, pad: u32, }
    /// `struct kfd_ioctl_get_tile_config_args`.
    TileConfig {
        tiles: u64, macro_tiles: u64, tile_count: u32, macro_tile_count: u32,
        gpu_id: u32, address_config: u32, banks: u32, ranks: u32,
    }
    /// `struct kfd_ioctl_alloc_memory_of_gpu_args`.
    AllocateMemory { address: u64, bytes: u64, handle: u64, mmap_offset: u64, gpu_id: u32, flags: u32, }
    /// `struct kfd_ioctl_free_memory_of_gpu_args`.
    FreeMemory { handle: u64, }
    /// `struct kfd_ioctl_map_memory_to_gpu_args`, also for unmapping.
    MapMemory { handle: u64, device_ids: u64, devices: u32, successes: u32, }
    /// `struct kfd_ioctl_set_xnack_mode_args`.
    XnackMode { enabled: i32, }
    /// `struct kfd_ioctl_runtime_enable_args`.
    RuntimeEnable { debugger: u64, mode_mask: u32, capabilities_mask: u32, }
    /// `struct kfd_ioctl_get_available_memory_args`.
    AvailableMemory { bytes: u64, gpu_id: u32, pad: u32, }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ioctl;

    #[test]
    fn structures_have_the_sizes_of_the_header() {
        // As `_IOC_SIZE` of the numbers in kfd_ioctl.h gives them.
        let sizes = [size_of::<CreateQueue>(), size_of::<DeviceApertures>(), size_of::<CreateEvent>()];
        assert_eq!(sizes, [88, 56, 32]);
        let sizes =
            [size_of::<WaitEvents>(), size_of::<EventData>(), size_of::<TileConfig>(), size_of::<AllocateMemory>()];
        assert_eq!(sizes, [24, 48, 40, 40]);
        // AMDKFD_IOC_WAIT_EVENTS as the compiler writes it.
        assert_eq!(ioctl::parts(0xc018_4b0c), (LETTER, WAIT_EVENTS, size_of::<WaitEvents>()));
        // AMDKFD_IOC_AVAILABLE_MEMORY, likewise.
        assert_eq!(ioctl::parts(0xc010_4b23), (LETTER, AVAILABLE_MEMORY, size_of::<AvailableMemory>()));
    }
}
