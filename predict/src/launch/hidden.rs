//! The arguments of a kernel that a runtime fills in.
//!
//! Source: LLVM `AMDGPUUsage.rst`, "Code Object V3 Metadata" and "Code Object V5 Metadata", kernel argument metadata.

use gcn_model::quantity::Bytes;
use gcn_simulator::Apertures;

/// What hidden arguments are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hidden {
    pub(crate) grid: [u32; 3],
    pub(crate) group: [u32; 3],
    /// LDS of a work-group that the launch gives.
    pub(crate) dynamic_lds: Bytes,
    /// Address of the queue.
    pub(crate) queue: u64,
    pub(crate) apertures: Apertures,
}

pub(crate) fn dimensions(grid: [u32; 3]) -> u32 {
    match grid {
        [_, 0 | 1, 0 | 1] => 1,
        [_, _, 0 | 1] => 2,
        _ => 3,
    }
}

impl Hidden {
    /// The value of the argument of that name, without `hidden_`; `None` where only a runtime can say it.
    pub(crate) fn value(&self, name: &str) -> Option<u64> {
        let (what, dimension) = match name.as_bytes() {
            [what @ .., b'_', b'x'] => (what, 0),
            [what @ .., b'_', b'y'] => (what, 1),
            [what @ .., b'_', b'z'] => (what, 2),
            what => (what, 3),
        };
        if let (Some(grid), Some(group)) = (self.grid.get(dimension), self.group.get(dimension)) {
            return match what {
                b"global_offset" => Some(0),
                // "This count only includes the non-partial work-group count."
                b"block_count" => Some(u64::from(grid / (*group).max(1))),
                b"group_size" => Some(u64::from(*group)),
                b"remainder" => Some(u64::from(grid % (*group).max(1))),
                _ => None,
            };
        }
        match name {
            "grid_dims" => Some(u64::from(dimensions(self.grid))),
            "dynamic_lds_size" => Some(u64::from(self.dynamic_lds.0)),
            "private_base" => Some(self.apertures.private >> 32),
            "shared_base" => Some(self.apertures.shared >> 32),
            "queue_ptr" => Some(self.queue),
            // "does not need to be set up".
            "none" => Some(0),
            // Null pointers: compilers name them in kernels that use none, without optimization in all. One that is used is a memory fault.
            "multigrid_sync_arg" | "printf_buffer" | "hostcall_buffer" | "heap_v1" => Some(0),
            "default_queue" | "completion_action" => Some(0),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_and_group_fill_hidden_arguments() {
        let apertures = Apertures { shared: 0x1_0000_0000, private: 0x2_0000_0000 };
        let hidden = Hidden { grid: [100, 6, 1], group: [64, 2, 1], dynamic_lds: Bytes(48), queue: 0x7000, apertures };
        for (name, value) in [
            ("block_count_x", Some(1)),
            ("block_count_y", Some(3)),
            ("block_count_z", Some(1)),
            ("group_size_x", Some(64)),
            ("remainder_x", Some(36)),
            ("remainder_y", Some(0)),
            ("global_offset_z", Some(0)),
            ("grid_dims", Some(2)),
            ("dynamic_lds_size", Some(48)),
            ("shared_base", Some(1)),
            ("private_base", Some(2)),
            ("queue_ptr", Some(0x7000)),
            ("none", Some(0)),
            ("printf_buffer", Some(0)),
            ("hostcall_buffer", Some(0)),
            ("heap_v1", Some(0)),
            ("something_x", None),
        ] {
            assert_eq!(hidden.value(name), value, "hidden_{name}");
        }
        assert_eq!([[5, 1, 1], [5, 2, 1], [5, 1, 2]].map(dimensions), [1, 2, 3]);
    }
}
