//! Code objects of all versions, as `predict` reads them.

use gcn_harness::code::UserCode;
use gcn_model::quantity::Bytes;
use gcn_tests::object_of;
use object::read::elf::ElfFile64;
use object::{LittleEndian, Object, ObjectSection};

/// Where an ELF file has its ABI and the version of that (ELF, "ELF Identification").
const OS_ABI: usize = 7;
const ABI_VERSION: usize = 8;

const KERNEL: &str = ".globl add\n.type add,@function\nadd:\nv_mov_b32_e32 v1, v0\ns_endpgm\n.size add, .-add\n";
/// Code object V2: a header of 256 bytes, of which those from 16 on say where the code is, from 48 on what registers it has, and from 64 on
/// how much LDS.
const KERNEL_OF_V2: &str = ".globl add\n.type add,@function\nadd:\n.long 1, 2, 3, 4, 256, 0\n.zero 24\n.long 0x45, 6, 0, 0, 4096\n.zero 188\nv_mov_b32_e32 v1, v0\ns_endpgm\n.size add, .-add\n";

#[test]
fn every_version_that_llvm_knows_is_read_and_others_are_named() {
    let mut object = object_of("gfx803", KERNEL);
    assert_eq!(object[OS_ABI], 64, "AMDGPU_HSA");
    for version in 0..=4 {
        object[ABI_VERSION] = version;
        let code = UserCode::of_object(&object).unwrap();
        assert_eq!((code.functions.len(), code.functions[0].code.words.len()), (1, 2), "ABI version {version}");
    }
    object[ABI_VERSION] = 5;
    let refusal = UserCode::of_object(&object).unwrap_err().to_string();
    assert!(refusal.starts_with("a code object of ELF ABI version 5"), "{refusal}");
    // Another system's versions are its own.
    object[OS_ABI] = 65;
    assert!(UserCode::of_object(&object).is_ok());
    // EF_AMDGPU_MACH of an R600, which is of no generation.
    object[48] = 0x01;
    let refusal = UserCode::of_object(&object).unwrap_err().to_string();
    assert!(refusal.contains("EF_AMDGPU_MACH 0x1"), "{refusal}");
}

#[test]
fn version_2_code_follows_its_kernel_header() {
    /// STT_AMDGPU_HSA_KERNEL, for which the symbol's binding is kept.
    const KERNEL_TYPE: u8 = 10;
    let mut object = object_of("gfx803", KERNEL_OF_V2);
    object[ABI_VERSION] = 0;
    let (at, size) = {
        let file = ElfFile64::<LittleEndian>::parse(object.as_slice()).unwrap();
        file.section_by_name(".symtab").unwrap().file_range().unwrap()
    };
    let types = (at as usize..(at + size) as usize).step_by(24).map(|symbol| symbol + 4);
    let kernel = types.into_iter().find(|at| object[*at] & 0xf == 2).expect("a function");
    object[kernel] = object[kernel] & 0xf0 | KERNEL_TYPE;
    let function = UserCode::of_object(&object).unwrap().functions.remove(0);
    assert_eq!((function.name.as_str(), function.code.address), ("add", 256));
    assert_eq!(*function.code.words, [0x7e02_0300, 0xbf81_0000]);
    let needs = function.needs.unwrap();
    let registers = needs.descriptor.unwrap().registers;
    assert_eq!((registers.rsrc1, registers.rsrc2, needs.group_lds()), (0x45, 6, Bytes(4096)));
    let third = [4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    let header = object.windows(third.len()).position(|bytes| bytes == third).unwrap() + 4;
    for wrong in [u64::MAX, 1 << 40, 264, 257] {
        object[header..header + 8].copy_from_slice(&wrong.to_le_bytes());
        let refusal = UserCode::of_object(&object).unwrap_err().to_string();
        assert!(refusal.contains("the header of kernel add"), "{wrong}: {refusal}");
    }
}
