//! Code objects with other headers, tables, symbols, metadata, descriptors and code: loaded or refused, run or stopped; and code
//! that passes the check has the planned code in its timed part, dword by dword.

use std::sync::OnceLock;

use gcn_harness::device::{Device, DeviceError, Launch, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Plan};
use gcn_harness::kernel::{KernelPlan, Templates, check};
use gcn_model::code_object::{CloverKernel, CodeObject, clover_module};
use gcn_model::decode::decode;
use gcn_model::gpu::Gpu;
use gcn_tests::{assembler, only};
use object::read::elf::ElfFile64;
use object::{LittleEndian, Object, ObjectSection};
use proptest::prelude::*;

use crate::fuzz::cases;
use crate::fuzz::elf_fields::Fields;

/// Instructions whose kernels are in the code object: timed straight, in chains, as jumps, in loops.
const INSTRUCTIONS: [&str; 4] = ["V_ADD_F64", "S_CBRANCH_SCC1", "DS_READ_B32", "BUFFER_LOAD_DWORD"];

/// A GPU, and a code object for it that is sound.
struct Sound {
    device: SimulatedDevice,
    plan: Plan,
    bytes: Vec<u8>,
    fields: Fields,
}

impl Sound {
    fn of(name: &str) -> Self {
        let gpu = Gpu::named(name).unwrap();
        let device = SimulatedDevice::new("sim:test", &gpu);
        let information = device.information();
        let options = MeasureOptions { samples: 2, ..only(&INSTRUCTIONS, &[1]) };
        let plan = Plan::new(information, &options);
        let (target, generation) = (information.target.as_str(), information.generation);
        let module = Templates::shipped().unwrap().module(target, generation, &plan.kernels).unwrap();
        let bytes = assembler().assemble(&module).unwrap();
        let fields = Fields::of(&bytes);
        Self { plan, bytes, fields, device }
    }

    /// One of each format of the code: GCN 1.0 and 1.4.
    fn get(index: usize) -> &'static Self {
        static SOUND: OnceLock<[Sound; 2]> = OnceLock::new();
        &SOUND.get_or_init(|| ["tahiti", "vega10"].map(Self::of))[index]
    }

    fn target(&self) -> &str {
        &self.device.information().target
    }
}

/// The dwords between the readings of a kernel, section by section, as control goes through it without its jumps.
fn timed(object: &CodeObject, plan: &KernelPlan) -> Vec<Vec<u32>> {
    let processor = object.processor().unwrap();
    let mut address = object.kernel(&plan.name).unwrap().entry;
    let mut step = || {
        let words = object.code_from(address);
        let decoded = decode(processor, words, address).unwrap();
        address += u64::from(decoded.dwords.0) * 4;
        (decoded.instruction.name.as_str(), words[..usize::from(decoded.dwords.0)].to_vec())
    };
    let sections = plan.sections.iter().map(|_| {
        while step().0 != "S_MEMTIME" {}
        let mut words = Vec::new();
        loop {
            let (name, dwords) = step();
            if name == "S_MEMTIME" {
                words.extend(step().1);
                return words;
            }
            words.extend(dwords);
        }
    });
    sections.collect()
}

/// A change to a field.
#[derive(Debug, Clone)]
enum Change {
    Value(u64),
    /// So much more.
    More(i8),
    /// Another bit.
    Bit(u8),
    /// What another field of the same kind holds.
    Copy(u16),
}

/// Dwords that are instructions: S_ENDPGM, S_BRANCH to itself, S_BARRIER, S_SETPC_B64 s[0:1], S_SLEEP, S_SETHALT, V_NOP, S_MEMTIME of GCN 1.0,
/// S_WAITCNT vmcnt(0), S_GETREG_B32 and S_SETREG_IMM32_B32 of MODE.
const CODE: [u64; 11] = [
    0xbf81_0000,
    0xbf82_ffff,
    0xbf8a_0000,
    0xbe80_2000,
    0xbf8e_007f,
    0xbf8d_0001,
    0x7e00_0000,
    0xc785_0000,
    0xbf8c_0f70,
    0xb900_f801,
    0xba80_f801,
];

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        prop_oneof![
            prop::sample::select(vec![
                0,
                1,
                0x7f,
                0xff,
                0xffff,
                0x7fff_ffff,
                0xffff_fffc,
                0xffff_ffff,
                u64::MAX,
                u64::MAX - 3,
                1 << 63
            ]),
            prop::sample::select(CODE.to_vec()),
            any::<u64>(),
        ]
        .prop_map(Change::Value),
        any::<i8>().prop_map(Change::More),
        (0..64u8).prop_map(Change::Bit),
        any::<u16>().prop_map(Change::Copy),
    ]
}

/// The field's kind, which one, and what becomes of it.
fn changes() -> impl Strategy<Value = Vec<(usize, u16, Change)>> {
    prop::collection::vec((0..6usize, any::<u16>(), change()), 1..4)
}

fn apply(sound: &Sound, changes: &[(usize, u16, Change)]) -> Vec<u8> {
    let mut bytes = sound.bytes.clone();
    for (kind, which, change) in changes {
        let (_, fields) = sound.fields.by_name()[*kind];
        let field = |share: u16| fields[usize::from(share) * fields.len() / (1 << 16)];
        let (at, size) = field(*which);
        let read = |bytes: &[u8], (at, size): (usize, usize)| {
            bytes[at..at + size].iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
        };
        let old = read(&bytes, (at, size));
        let new = match change {
            Change::Value(value) => *value,
            Change::More(by) => old.wrapping_add_signed(i64::from(*by)),
            Change::Bit(bit) => old ^ 1 << (usize::from(*bit) % (8 * size)),
            Change::Copy(other) => read(&bytes, field(*other)),
        };
        bytes[at..at + size].copy_from_slice(&new.to_le_bytes()[..size]);
    }
    bytes
}

/// Clover's container of every kernel, if it has one: its ELF file can be read, and has code after each header.
fn contain(object: &CodeObject) {
    for kernel in &object.kernels {
        let wanted = CloverKernel { name: &kernel.name, lds_bytes: 64 };
        let Ok(module) = clover_module(object, &[wanted]) else { continue };
        let start = module.windows(4).position(|bytes| bytes == b"\x7fELF").unwrap();
        let size = u32::from_le_bytes(module[start - 4..start].try_into().unwrap()) as usize;
        let file = ElfFile64::<LittleEndian>::parse(&module[start..start + size]).unwrap();
        let text = file.section_by_name(".text").unwrap().data().unwrap();
        assert!(text.len() > 256, "{}: no code", kernel.name);
        let first = u32::from_le_bytes(text[256..260].try_into().unwrap());
        let own = object.kernels.iter().filter(|other| other.name == kernel.name);
        assert!(own.into_iter().any(|own| object.code_from(own.entry)[0] == first), "{}", kernel.name);
    }
}

/// Loads and launches whatever can be.
fn launch(sound: &Sound, bytes: &[u8], which: u16) -> Result<(), TestCaseError> {
    let Ok(module) = sound.device.load(bytes) else { return Ok(()) };
    let launches: Vec<_> = sound.plan.experiments.iter().flat_map(|experiment| &experiment.launches).collect();
    let launch = launches[usize::from(which) % launches.len()];
    let waves = launch.groups * launch.group_size.div_ceil(64);
    let request = Launch {
        kernel: sound.plan.kernels[launch.kernel].name.clone(),
        groups: launch.groups,
        group_size: launch.group_size,
        lds_bytes: launch.lds_bytes,
        ordinal: 3,
        result_bytes: waves * 2048,
        loop_passes: 4,
        scratch_bytes: waves * 2048,
    };
    let result = module.launch(&request);
    prop_assert!(!matches!(result, Err(DeviceError::Lost(_) | DeviceError::Fault(_))), "{result:?}");
    Ok(())
}

proptest! {
    #![proptest_config(cases(200))]

    /// Whatever a file holds, it is loaded or refused, runs or stops, and never brings the tool down; and what passes the check
    /// is timed as planned.
    #[test]
    fn a_changed_code_object_is_refused_or_timed_as_planned(gpu in 0..2usize, changes in changes(), which in any::<u16>()) {
        let sound = Sound::get(gpu);
        let bytes = apply(sound, &changes);
        if let Ok(object) = CodeObject::read(&bytes) {
            contain(&object);
        }
        if let Ok(object) = check(assembler(), &bytes, sound.target(), &sound.plan.kernels) {
            let original = CodeObject::read(&sound.bytes).unwrap();
            for plan in &sound.plan.kernels {
                let (found, planned) = (timed(&object, plan), timed(&original, plan));
                prop_assert!(found == planned, "{}: other timed code passes the check", plan.name);
            }
        }
        launch(sound, &bytes, which)?;
    }

    #[test]
    fn a_changed_dword_of_the_code_is_refused_or_timed_as_planned(gpu in 0..2usize, which in any::<u16>(), change in change()) {
        let sound = Sound::get(gpu);
        let bytes = apply(sound, &[(5, which, change)]);
        if let Ok(object) = check(assembler(), &bytes, sound.target(), &sound.plan.kernels) {
            let original = CodeObject::read(&sound.bytes).unwrap();
            for plan in &sound.plan.kernels {
                let (found, planned) = (timed(&object, plan), timed(&original, plan));
                prop_assert!(found == planned, "{}: other timed code passes the check", plan.name);
            }
        }
    }

    #[test]
    fn damaged_code_objects_do_no_harm(
        gpu in 0..2usize,
        cut in prop::option::of(any::<u16>()),
        changes in prop::collection::vec((any::<u16>(), any::<u8>()), 0..8),
        which in any::<u16>(),
    ) {
        let sound = Sound::get(gpu);
        let mut bytes = sound.bytes.clone();
        let place = |share: u16, length: usize| usize::from(share) * length / (1 << 16);
        bytes.truncate(cut.map_or(bytes.len(), |cut| place(cut, bytes.len())));
        let length = bytes.len();
        for (at, value) in changes {
            if let Some(byte) = bytes.get_mut(place(at, length)) {
                *byte = value;
            }
        }
        let _ = check(assembler(), &bytes, sound.target(), &sound.plan.kernels);
        launch(sound, &bytes, which)?;
    }

    #[test]
    fn noise_instead_of_a_code_object_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..4096)) {
        prop_assert!(Sound::get(0).device.load(&bytes).is_err());
    }
}
