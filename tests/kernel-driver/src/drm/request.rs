//! The requests of DRM and of its amdgpu driver: numbers and structures.
//!
//! Source: Linux 6.1, `include/uapi/drm/drm.h` and `include/uapi/drm/amdgpu_drm.h`.

use crate::ioctl::structures;

/// The letter in a request's number: `DRM_IOCTL_BASE`.
pub(crate) const LETTER: u8 = b'd';

/// `DRM_IOCTL_VERSION`.
pub(crate) const VERSION: u8 = 0x00;
/// `DRM_IOCTL_GEM_CLOSE`.
pub(crate) const GEM_CLOSE: u8 = 0x09;
/// `DRM_IOCTL_GET_CAP`.
pub(crate) const GET_CAP: u8 = 0x0c;
/// `DRM_IOCTL_SYNCOBJ_CREATE`.
pub(crate) const SYNCOBJ_CREATE: u8 = 0xbf;
/// `DRM_IOCTL_SYNCOBJ_DESTROY`.
pub(crate) const SYNCOBJ_DESTROY: u8 = 0xc0;
/// `DRM_IOCTL_SYNCOBJ_WAIT`.
pub(crate) const SYNCOBJ_WAIT: u8 = 0xc3;
/// `DRM_COMMAND_BASE`: the requests of the driver begin here.
const DRIVER: u8 = 0x40;
/// `DRM_AMDGPU_GEM_CREATE`.
pub(crate) const GEM_CREATE: u8 = DRIVER;
/// `DRM_AMDGPU_GEM_MMAP`.
pub(crate) const GEM_MMAP: u8 = DRIVER + 0x01;
/// `DRM_AMDGPU_CTX`.
pub(crate) const CTX: u8 = DRIVER + 0x02;
/// `DRM_AMDGPU_BO_LIST`.
pub(crate) const BO_LIST: u8 = DRIVER + 0x03;
/// `DRM_AMDGPU_CS`.
pub(crate) const CS: u8 = DRIVER + 0x04;
/// `DRM_AMDGPU_INFO`.
pub(crate) const INFO: u8 = DRIVER + 0x05;
/// `DRM_AMDGPU_GEM_METADATA`.
pub(crate) const GEM_METADATA: u8 = DRIVER + 0x06;
/// `DRM_AMDGPU_GEM_WAIT_IDLE`.
pub(crate) const GEM_WAIT_IDLE: u8 = DRIVER + 0x07;
/// `DRM_AMDGPU_GEM_VA`.
pub(crate) const GEM_VA: u8 = DRIVER + 0x08;
/// `DRM_AMDGPU_WAIT_CS`.
pub(crate) const WAIT_CS: u8 = DRIVER + 0x09;
/// `DRM_AMDGPU_GEM_OP`.
pub(crate) const GEM_OP: u8 = DRIVER + 0x10;
/// `DRM_AMDGPU_GEM_USERPTR`.
pub(crate) const GEM_USERPTR: u8 = DRIVER + 0x11;

structures! {
    /// `struct drm_version`; each length is the room in the text at first, and then the text's.
    Version {
        major: i32, minor: i32, patch_level: i32, pad: u32,
        name_bytes: u64, name: u64, date_bytes: u64, date: u64, description_bytes: u64, description: u64,
    }
    /// `struct drm_gem_close`.
    GemClose { handle: u32, pad: u32, }
    /// `struct drm_get_cap`.
    Capability { number: u64, value: u64, }
    /// `struct drm_amdgpu_gem_create_in`.
    GemCreate { bytes: u64, alignment: u64, domains: u64, flags: u64, }
    /// `struct drm_syncobj_create`.
    SyncCreate { handle: u32, flags: u32, }
    /// `struct drm_syncobj_wait` of Linux 6.1; later ones have a deadline as well.
    SyncWait { handles: u64, timeout: i64, count: u32, flags: u32, first_signalled: u32, pad: u32, }
    /// `struct drm_amdgpu_gem_create_out`, `drm_amdgpu_gem_mmap_in`, `drm_amdgpu_bo_list_out`, `drm_syncobj_destroy`, and `alloc` of
    /// `union drm_amdgpu_ctx_out`.
    Handle { handle: u32, pad: u32, }
    /// `struct drm_amdgpu_gem_mmap_out`.
    MmapOffset { offset: u64, }
    /// `struct drm_amdgpu_ctx_in`.
    Context { operation: u32, flags: u32, context: u32, priority: i32, }
    /// `state` of `union drm_amdgpu_ctx_out`.
    ContextState { flags: u64, hangs: u32, reset_status: u32, }
    /// `struct drm_amdgpu_bo_list_in`.
    BufferList { operation: u32, handle: u32, buffers: u32, entry_bytes: u32, entries: u64, }
    /// `struct drm_amdgpu_cs_in`.
    Submission { context: u32, list: u32, chunks: u32, flags: u32, chunk_pointers: u64, }
    /// `struct drm_amdgpu_cs_out`.
    Submitted { sequence: u64, }
    /// `struct drm_amdgpu_cs_chunk`.
    Chunk { id: u32, dwords: u32, data: u64, }
    /// `struct drm_amdgpu_cs_chunk_ib`.
    IndirectBuffer { pad: u32, flags: u32, address: u64, bytes: u32, ip_type: u32, ip_instance: u32, ring: u32, }
    /// `struct drm_amdgpu_cs_chunk_fence`.
    UserFence { handle: u32, offset: u32, }
    /// `struct drm_amdgpu_info`; the query's parameters are in `operands`.
    Information { pointer: u64, bytes: u32, query: u32, operands: [u32; 4], }
    /// `struct drm_amdgpu_gem_metadata`.
    Metadata { handle: u32, operation: u32, flags: u64, tiling: u64, data_bytes: u32, data: [u32; 64], pad: u32, }
    /// `struct drm_amdgpu_gem_wait_idle_in`.
    WaitIdle { handle: u32, flags: u32, timeout: u64, }
    /// `struct drm_amdgpu_gem_wait_idle_out`.
    IdleState { status: u32, domain: u32, }
    /// `struct drm_amdgpu_gem_va`.
    GemVa { handle: u32, pad: u32, operation: u32, flags: u32, address: u64, offset: u64, bytes: u64, }
    /// `struct drm_amdgpu_wait_cs_in`.
    WaitSubmission { sequence: u64, timeout: u64, ip_type: u32, ip_instance: u32, ring: u32, context: u32, }
    /// `struct drm_amdgpu_wait_cs_out`.
    WaitState { status: u64, }
    /// `struct drm_amdgpu_gem_op`.
    GemOperation { handle: u32, operation: u32, value: u64, }
    /// `struct drm_amdgpu_gem_userptr`.
    UserPointer { address: u64, bytes: u64, flags: u32, handle: u32, }

    /// `struct drm_amdgpu_info_device` up to `tcc_disabled_mask`.
    DeviceInformation {
        device_id: u32, chip_revision: u32, external_revision: u32, pci_revision: u32, family: u32,
        shader_engines: u32, arrays_per_engine: u32, counter_khz: u32, most_engine_khz: u64, most_memory_khz: u64,
        compute_units: u32, always_on_mask: u32, compute_unit_masks: [[u32; 4]; 4],
        backend_mask: u32, backends: u32, contexts: u32, pad: u32, flags: u64,
        first_address: u64, end_address: u64, address_alignment: u32, fragment_bytes: u32, page_bytes: u32,
        constant_engine_bytes: u32, memory_type: u32, memory_bits: u32, vce_harvest: u32, double_offchip: u32,
        next_generation_buffers: [u64; 4], next_generation_bytes: [u32; 4],
        wavefront: u32, vgprs: u32, units_per_array: u32, l2_blocks: u32, geometry: [u32; 3], pad1: u32,
        always_on_masks: [[u32; 4]; 4], first_high_address: u64, end_high_address: u64,
        tile_steering: u32, pad2: u32, disabled_l2_blocks: u64,
    }
    /// `struct drm_amdgpu_info_hw_ip`.
    HardwareIp {
        major: u32, minor: u32, capabilities: u64, start_alignment: u32, size_alignment: u32, rings: u32, discovery: u32,
    }
    /// `struct drm_amdgpu_info_vram_gtt`.
    MemorySizes { vram: u64, visible_vram: u64, gtt: u64, }
    /// `struct drm_amdgpu_heap_info`.
    Heap { bytes: u64, usable_bytes: u64, used_bytes: u64, most_bytes: u64, }
    /// `struct drm_amdgpu_memory_info`.
    MemoryInformation { vram: Heap, visible_vram: Heap, gtt: Heap, }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ioctl;

    #[test]
    fn structures_have_the_sizes_of_the_headers() {
        // As `_IOC_SIZE` of the numbers and a C compiler give them.
        let sizes = [size_of::<Version>(), size_of::<GemCreate>(), size_of::<Context>(), size_of::<Submission>()];
        assert_eq!(sizes, [64, 32, 16, 24]);
        let sizes = [size_of::<Information>(), size_of::<Metadata>(), size_of::<GemVa>(), size_of::<WaitSubmission>()];
        assert_eq!(sizes, [32, 288, 40, 32]);
        let sizes = [size_of::<IndirectBuffer>(), size_of::<DeviceInformation>(), size_of::<HardwareIp>()];
        assert_eq!(sizes, [32, 368, 32]);
        assert_eq!(ioctl::parts(0xc008_64bf), (LETTER, SYNCOBJ_CREATE, size_of::<SyncCreate>()));
        assert_eq!(ioctl::parts(0xc020_64c3), (LETTER, SYNCOBJ_WAIT, size_of::<SyncWait>()));
        // DRM_IOCTL_AMDGPU_CS as the compiler writes it.
        assert_eq!(ioctl::parts(0xc018_6444), (LETTER, CS, size_of::<Submission>()));
    }
}
