//! How many waves there is room for, against LLVM's own count: `llc`'s resource remarks on kernels that it compiles.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroU32;
use std::process::Command;

use gcn_harness::code::UserCode;
use gcn_model::gpu::Gpu;
use gcn_predict::{Occupancy, Question};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

const LLC: &str = "llc-22";
/// A GPU of each target whose registers or LDS are given out in another way.
const GPUS: [&str; 10] =
    ["tahiti", "fiji", "vega10", "mi100", "mi210", "mi300x", "rx5700xt", "rx6800", "rx7900xtx", "rx9070xt"];
/// Kernels of each.
const KERNELS: usize = 26;

/// Registers that a kernel names and allocates.
#[derive(Debug, Clone, Copy)]
struct Kernel {
    vgprs: u32,
    agprs: u32,
    sgprs: u32,
    lds: u32,
    group: u32,
}

fn kernels() -> impl Strategy<Value = Kernel> {
    let choice = |of: &[u32]| prop::sample::select(of.to_vec());
    let registers = (choice(&[1, 24, 33, 40, 64, 84, 97, 128, 168, 200, 255]), choice(&[0, 0, 4, 64, 101, 255]));
    // LLVM's count by SGPRs ignores the granule of 16 from GCN 1.2 on: from 81 on it is one wave more.
    let others = (choice(&[8, 40, 60]), choice(&[0, 0, 1000, 4096, 8192, 12000, 16384, 32768, 65536]));
    (registers, others, choice(&[64, 128, 256])).prop_map(|((vgprs, agprs), (sgprs, lds), group)| Kernel {
        vgprs,
        agprs,
        sgprs,
        lds,
        group,
    })
}

/// Kernels as LLVM's intermediate language, which name the highest registers in an empty line of assembly.
fn module(kernels: &[Kernel], has_agprs: bool) -> String {
    let mut text = "target triple = \"amdgcn-amd-amdhsa\"\n".to_owned();
    for (number, Kernel { vgprs, agprs, sgprs, lds, group }) in kernels.iter().enumerate() {
        let agprs = if has_agprs && *agprs > 0 { format!(",~{{a{agprs}}}") } else { String::new() };
        let (global, store) = match lds {
            0 => (String::new(), String::new()),
            bytes => (
                format!("@l{number} = internal addrspace(3) global [{bytes} x i8] poison, align 4\n"),
                format!("  store volatile i8 0, ptr addrspace(3) @l{number}\n"),
            ),
        };
        text += &format!(
            "{global}define amdgpu_kernel void @k{number}() #{number} {{\n  call void asm sideeffect \"\", \
             \"~{{v{vgprs}}},~{{s{sgprs}}}{agprs}\"()\n{store}  ret void\n}}\n\
             attributes #{number} = {{ \"amdgpu-flat-work-group-size\"=\"{group},{group}\" }}\n"
        );
    }
    text
}

/// The object file of a module, and LLVM's count of waves by kernel; `None` where there is no llc.
fn compiled(target: &str, module: &str) -> Option<(Vec<u8>, BTreeMap<String, u32>)> {
    let folder = tempfile::tempdir().unwrap();
    let [source, object] = ["kernels.ll", "kernels.o"].map(|name| folder.path().join(name));
    fs::write(&source, module).unwrap();
    let mut command = Command::new(LLC);
    command.args([&format!("-mcpu={target}"), "-filetype=obj", "-pass-remarks-analysis=kernel-resource-usage", "-o"]);
    let output = command.arg(&object).arg(&source).output().ok()?;
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    let (mut waves, mut name) = (BTreeMap::new(), String::new());
    for line in said.lines() {
        if let Some((_, function)) = line.split_once("Function Name: ") {
            name = function.to_owned();
        }
        if let Some((_, count)) = line.split_once("Occupancy [waves/SIMD]: ") {
            waves.insert(name.clone(), count.parse().unwrap());
        }
    }
    Some((fs::read(object).unwrap(), waves))
}

#[test]
fn occupancy_equals_llvms() {
    let mut runner = TestRunner::deterministic();
    let mut compared = 0;
    for name in GPUS {
        let gpu = Gpu::named(name).unwrap();
        let generation = gpu.generation;
        let has_agprs = generation.descriptor.accumulation_registers.is_some();
        let of_gpu: Vec<Kernel> = (0..KERNELS)
            .map(|_| kernels().new_tree(&mut runner).unwrap().current())
            .filter(|kernel| kernel.lds <= gpu.lds.max_group.0)
            .collect();
        let Some((object, counted)) = compiled(gpu.processor().name(), &module(&of_gpu, has_agprs)) else {
            println!("SKIPPED: {LLC} is not installed");
            return;
        };
        let code = UserCode::of_object(&object).unwrap();
        for function in &code.functions {
            let needs = function.needs.as_ref().unwrap();
            let gpu = gpu.in_waves_of(needs.wave_size(generation).unwrap()).unwrap();
            let group_mode = needs.group_mode(generation);
            let kernel = of_gpu[function.name[1..].parse::<usize>().unwrap()];
            let waves_per_group = needs.most_items().map(|items| items.div_ceil(gpu.processor().wave_size()));
            let question = Question {
                simds: gpu.registers.simds * generation.compute_units_of_group(group_mode),
                waves_per_group: waves_per_group.and_then(NonZeroU32::new),
                group_mode,
                ..Question::default()
            };
            let room = Occupancy::of_kernel(&gpu, needs, &question).unwrap();
            let alone = Occupancy::of_kernel(&gpu, needs, &Question { waves_per_group: None, ..question }).unwrap();
            // LLVM counts the SIMD with the most waves, and no more than 16 groups of several waves on a compute unit.
            let of_group = waves_per_group.unwrap();
            let barriers = 16 * generation.compute_units_of_group(group_mode);
            let groups =
                room.lds.map_or(u32::MAX, |lds| lds.groups).min(if of_group > 1 { barriers } else { u32::MAX });
            let by_groups = groups.saturating_mul(of_group).div_ceil(question.simds).max(1);
            let waves = alone.waves_per_simd.min(by_groups);
            assert!(room.waves_per_simd <= alone.waves_per_simd);
            assert_eq!(waves, counted[&function.name], "{name}: {kernel:?}, {room:?}, {question:?}");
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}
