//! Clover's modules of whole code objects: every kernel's code as it was, in an ELF file that LLVM reads as well.

use std::process::Command;

use gcn_harness::device::{Device, SimulatedDevice};
use gcn_harness::experiment::Plan;
use gcn_harness::kernel::{Templates, check};
use gcn_model::code_object::{CloverKernel, CodeObject, clover_module};
use gcn_model::decode::decode;
use gcn_model::gpu::Gpu;
use gcn_tests::{assembler, only};
use object::{Object, ObjectSection};

/// Set to make missing tools of LLVM a failure instead of a skipped test.
const NEED_LLVM_TOOLS: &str = "GCN_TIMINGS_NEED_LLVM_TOOLS";
/// Names of LLVM's reader of ELF files: Debian's default one, then those of its versions.
const READERS: [&str; 6] =
    ["llvm-readelf", "llvm-readelf-14", "llvm-readelf-15", "llvm-readelf-16", "llvm-readelf-19", "llvm-readelf-20"];

/// The kernels of some instructions of a GPU, linked.
fn linked(gpu: &str) -> (CodeObject, Gpu) {
    let gpu = Gpu::named(gpu).unwrap();
    let device = SimulatedDevice::new("sim:test", &gpu);
    let information = device.information();
    let plan = Plan::new(information, &only(&["V_ADD_F64", "DS_READ_B32", "S_CBRANCH_SCC1", "BUFFER_LOAD_DWORD"], &[]));
    let (target, generation) = (information.target.as_str(), information.generation);
    let module = Templates::shipped().unwrap().module(target, generation, &plan.kernels).unwrap();
    let object = check(assembler(), &assembler().assemble(&module).unwrap(), target, &plan.kernels).unwrap();
    assert!(object.kernels.len() > 10, "{} kernels", object.kernels.len());
    (object, gpu)
}

fn module_of_all(object: &CodeObject) -> Vec<u8> {
    let kernels = object.kernels.iter().map(|kernel| CloverKernel { name: &kernel.name, lds_bytes: 0 });
    clover_module(object, &kernels.collect::<Vec<_>>()).unwrap()
}

/// The ELF file in a module: from its magic number on, as long as the number before says.
fn elf(module: &[u8]) -> &[u8] {
    let start = module.windows(4).position(|bytes| bytes == b"\x7fELF").unwrap();
    let length = u32::from_le_bytes(module[start - 4..start].try_into().unwrap()) as usize;
    &module[start..start + length]
}

#[test]
fn each_kernel_decodes_to_the_same_code_at_the_same_place_of_its_line() {
    for gpu in ["tahiti", "hawaii", "tonga", "vega10"] {
        let (object, gpu) = linked(gpu);
        let module = module_of_all(&object);
        let file = object::File::parse(elf(&module)).unwrap();
        let text = file.section_by_name(".text").unwrap();
        let words: Vec<u32> =
            text.data().unwrap().chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        let mut header = 0;
        for (index, kernel) in object.kernels.iter().enumerate() {
            let end = object.kernels.get(index + 1).map(|next| next.entry);
            let entry = header + 64;
            let (mut at, mut address) = (entry, kernel.entry);
            let mut instructions = 0;
            while end.is_none_or(|end| address < end) && !object.code_from(address).is_empty() {
                let here = decode(gpu.processor(), &words[at..], (at * 4) as u64);
                let there = decode(gpu.processor(), object.code_from(address), address);
                let (Ok(here), Ok(there)) = (here, there) else { break };
                assert_eq!((&here.instruction.name, here.dwords), (&there.instruction.name, there.dwords));
                assert_eq!(at * 4 % 64, address as usize % 64, "{}", kernel.name);
                at += usize::from(here.dwords.0);
                address += u64::from(here.dwords.0) * 4;
                instructions += 1;
                if here.instruction.name == "S_ENDPGM" {
                    break;
                }
            }
            assert!(instructions > 40, "{}: {instructions}", kernel.name);
            let dwords = end.map_or(object.code_from(kernel.entry).len(), |end| ((end - kernel.entry) / 4) as usize);
            assert_eq!(words[entry..entry + dwords], object.code_from(kernel.entry)[..dwords], "{}", kernel.name);
            header = (entry + dwords).next_multiple_of(64);
        }
    }
}

#[test]
fn llvm_reads_the_elf_file() {
    let runs = |name: &&&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    let Some(reader) = READERS.iter().find(runs) else {
        assert!(std::env::var_os(NEED_LLVM_TOOLS).is_none(), "{NEED_LLVM_TOOLS} is set, and llvm-readelf is not there");
        println!("SKIPPED: llvm-readelf is not there ({NEED_LLVM_TOOLS}=1 makes this a failure)");
        return;
    };
    for (gpu, target) in
        [("tahiti", "gfx600"), ("pitcairn", "gfx601"), ("bonaire", "gfx704"), ("hawaii", "gfx701"), ("tonga", "gfx802")]
    {
        let (object, _) = linked(gpu);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("module.elf");
        std::fs::write(&file, elf(&module_of_all(&object))).unwrap();
        let read = |arguments: &[&str]| {
            let output = Command::new(reader).args(arguments).arg(&file).output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && error.is_empty(), "{error}");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        // GNU's style has numbers where LLVM's own has the names of the target.
        let header = read(&["--elf-output-style=LLVM", "--file-header"]);
        for name in
            ["Class: 64-bit", "DataEncoding: LittleEndian", "OS/ABI: AMDGPU_MESA3D", "Type: Relocatable", "EM_AMDGPU"]
        {
            assert!(header.contains(name), "{name}: {header}");
        }
        assert!(header.contains(&format!("EF_AMDGPU_MACH_AMDGCN_{}", target.to_uppercase())), "{header}");
        let said = read(&["--section-headers"]);
        let text = said.lines().find(|line| line.contains(" .text ")).expect("a section .text");
        assert!(text.contains(" AX ") && text.trim_end().ends_with(" 256"), "{text}");
    }
}
