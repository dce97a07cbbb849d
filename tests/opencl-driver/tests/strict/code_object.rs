//! The code object of the tests: a kernel that the host checks, and kernels that do forbidden things.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use gcn_harness::assembler::{Assembler, KernelSource, ModuleSource, Text};
use gcn_harness::llvm::{Linker, Llvm};
use tempfile::TempDir;

/// `xor`: each work-item stores its dword of the input XOR the value, through LDS of static and dynamic size.
const XOR: &str = "s_load_dwordx2 s[4:5], s[0:1], 0x0
s_load_dword s8, s[0:1], 0x8
s_load_dwordx2 s[12:13], s[0:1], 0x10
s_load_dword s9, s[0:1], 0x18
s_mov_b32 s6, -1
s_mov_b32 s7, 0x27fac
s_mov_b32 s14, -1
s_mov_b32 s15, 0x27fac
s_lshl_b32 s10, s2, 6
v_or_b32_e32 v1, s10, v0
v_lshlrev_b32_e32 v1, 2, v1
s_waitcnt lgkmcnt(0)
s_and_b32 s5, s5, 0xffff
s_and_b32 s13, s13, 0xffff
s_mov_b32 m0, -1
buffer_load_dword v2, v1, s[12:15], 0 offen
v_mad_u32_u24 v4, v0, 4, s9
s_waitcnt vmcnt(0)
v_xor_b32_e32 v2, s8, v2
ds_write_b32 v4, v2
s_waitcnt lgkmcnt(0)
ds_read_b32 v5, v4
s_waitcnt lgkmcnt(0)
buffer_store_dword v5, v1, s[4:7], 0 offen
s_endpgm
";

/// `wild`: stores far after its buffer.
const WILD: &str = "s_load_dwordx2 s[4:5], s[0:1], 0x0
s_mov_b32 s6, -1
s_mov_b32 s7, 0x27fac
v_mov_b32_e32 v1, 0x100000
v_mov_b32_e32 v5, 1
s_waitcnt lgkmcnt(0)
s_and_b32 s5, s5, 0xffff
buffer_store_dword v5, v1, s[4:7], 0 offen
s_endpgm
";

/// `overrun`: stores the dword right after its buffer of 1024 bytes, in the same page.
const OVERRUN: &str = "s_load_dwordx2 s[4:5], s[0:1], 0x0
s_mov_b32 s6, -1
s_mov_b32 s7, 0x27fac
v_mov_b32_e32 v1, 0x400
v_mov_b32_e32 v5, 1
s_waitcnt lgkmcnt(0)
s_and_b32 s5, s5, 0xffff
buffer_store_dword v5, v1, s[4:7], 0 offen
s_endpgm
";

/// `unknown`: stores a register that nothing wrote.
const UNKNOWN: &str = "s_load_dwordx2 s[4:5], s[0:1], 0x0
s_mov_b32 s6, -1
s_mov_b32 s7, 0x27fac
v_lshlrev_b32_e32 v1, 2, v0
s_waitcnt lgkmcnt(0)
s_and_b32 s5, s5, 0xffff
buffer_store_dword v6, v1, s[4:7], 0 offen
s_endpgm
";

/// The kernels by name.
const KERNELS: [(&str, &str); 4] = [("xor", XOR), ("wild", WILD), ("overrun", OVERRUN), ("unknown", UNKNOWN)];

/// The arguments of all kernels, as the metadata lists them.
pub(crate) const ARGUMENTS: &str = "    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.offset: 8, .size: 4, .value_kind: by_value}
      - {.offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.offset: 24, .size: 4, .value_kind: dynamic_shared_pointer, .address_space: local, .pointee_align: 4}
";

fn assembler() -> &'static Assembler {
    static ASSEMBLER: OnceLock<Assembler> = OnceLock::new();
    ASSEMBLER.get_or_init(|| {
        let llvm = Llvm::find(None).expect("the Rust toolchain's LLVM");
        let linker = Linker::find(None, &llvm).expect("the Rust toolchain's linker");
        Assembler::new(llvm, linker)
    })
}

/// The metadata of the kernels; a test may change its text.
fn metadata() -> String {
    let kernel = |name: &str| {
        format!(
            "  - .name: {name}\n    .symbol: {name}.kd\n    .kernarg_segment_size: 32\n    .kernarg_segment_align: 8\n    \
             .group_segment_fixed_size: 256\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    .sgpr_count: 24\n    \
             .vgpr_count: 8\n    .max_flat_workgroup_size: 256\n{ARGUMENTS}"
        )
    };
    let kernels: String = KERNELS.iter().map(|(name, _)| kernel(name)).collect();
    format!(".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n{kernels}...\n.end_amdgpu_metadata\n")
}

/// A code object in a file, which goes with this value.
#[derive(Debug)]
pub(crate) struct CodeObject {
    folder: TempDir,
}

impl CodeObject {
    /// The code object for a target.
    pub(crate) fn of(target: &str) -> Self {
        Self::with_metadata(target, |metadata| metadata)
    }

    /// With another text of metadata.
    pub(crate) fn with_metadata(target: &str, change: impl FnOnce(String) -> String) -> Self {
        let header = format!(".amdgcn_target \"amdgcn-amd-amdhsa--{target}\"\n.amdhsa_code_object_version 4\n");
        let kernel = |(name, code): &(&str, &str)| {
            let text = format!(
                ".text\n.globl {name}\n.p2align 8\n.type {name},@function\n{name}:\n{code}.size {name}, .-{name}\n.rodata\n.p2align 6\n\
                 .amdhsa_kernel {name}\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n\
                 .amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_kernarg_size 32\n.amdhsa_group_segment_fixed_size 256\n\
                 .end_amdhsa_kernel\n"
            );
            KernelSource { name: (*name).into(), text: Text::of_template(name, &text) }
        };
        let module = ModuleSource {
            target: target.into(),
            header: Text::of_template("header", &header),
            kernels: KERNELS.iter().map(kernel).collect(),
            footer: Text::of_template("footer", &change(metadata())),
        };
        let bytes = assembler().assemble(&module).unwrap_or_else(|error| panic!("{error}"));
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("kernels.hsaco"), bytes).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("kernels.hsaco")
    }

    /// Puts other bytes into the file.
    pub(crate) fn overwrite(&self, change: impl FnOnce(&mut Vec<u8>)) {
        let path: &Path = &self.path();
        let mut bytes = std::fs::read(path).unwrap();
        change(&mut bytes);
        std::fs::write(path, bytes).unwrap();
    }
}
