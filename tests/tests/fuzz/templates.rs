//! Templates with other lines, tags and instructions: an error that names the template or the kernel, or the numbers of the templates
//! that ship. A removed line is always found out. An inserted one outside of the timed code, where the check does not look at each
//! instruction (`harness/src/kernel/check.rs`), can mislead, and is tried for panics and hangs alone.

use std::collections::BTreeMap;
use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use gcn_analysis::analyze;
use gcn_harness::device::SimulatedDevice;
use gcn_harness::experiment::MeasureOptions;
use gcn_harness::kernel::Templates;
use gcn_harness::run::{RunError, RunFolder, Silent, measure};
use gcn_model::gpu::Gpu;
use gcn_tests::{assembler, copy_templates, files, only};
use proptest::prelude::*;

use crate::fuzz::cases;
use crate::fuzz::damage::Damage;

/// What comes in the place of other bytes: tags, directives, instructions.
const TEXTS: [&str; 41] = [
    "{{",
    "}}",
    "{{this}}",
    "{{n}}",
    "{{name}}",
    "{{nope}}",
    "{{#each begin}}",
    "{{timed_code}}",
    "{{#each nope}}",
    "{{/each}}",
    "{{#if n}}",
    "{{else}}",
    "{{/if}}",
    "{{> timed}}",
    "{{> inputs}}",
    "{{> nope}}",
    "{{lookup this}}",
    "{{#with n}}",
    "{{{{raw}}}}",
    "{{!--",
    "\u{1}",
    "\n    s_nop 0\n",
    "\n    v_nop\n",
    "\n    s_mov_b32 m0, 0\n",
    "\n    s_mov_b64 exec, 0\n",
    "\n    v_mov_b32 v6, 0\n",
    "\n    s_endpgm\n",
    "\n    s_barrier\n",
    "\n    s_setprio 3\n",
    "\n    s_sethalt 0\n",
    "\n    s_branch .L{{name}}_{{n}}\n",
    "\n    s_memtime s[12:13]\n",
    "\n    .rept 20000\n",
    "\n    .endr\n",
    "\n    .p2align 12\n",
    "\n    .byte 1\n",
    "\n    .macro x\n",
    "\n    .include \"x\"\n",
    "\n    .rodata\n",
    " glc",
    "0x7fffffff",
];

/// A number of instructions of each kind.
fn options() -> MeasureOptions {
    MeasureOptions {
        samples: 4,
        ..only(&["V_ADD_F32", "V_MUL_F64", "S_CBRANCH_SCC1", "DS_READ_B32", "BUFFER_LOAD_DWORD"], &[1])
    }
}

/// The numbers of a run, by instruction and quantity.
type Numbers = BTreeMap<String, [f64; 3]>;

fn numbers(templates: &Templates) -> Result<Numbers, RunError> {
    static DEVICE: OnceLock<SimulatedDevice> = OnceLock::new();
    let device = DEVICE.get_or_init(|| SimulatedDevice::new("sim:test", &Gpu::named("fiji").unwrap()));
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunFolder::create(folder.path()).unwrap();
    let never = AtomicBool::new(false);
    measure(device, assembler(), templates, &options(), &mut run, &never, &mut Silent)?;
    let analysis = analyze(folder.path()).unwrap();
    let mut numbers = Numbers::new();
    for row in &analysis.timings {
        let name = &row.instruction;
        let quantities = [
            ("cycles", row.cycles.map(|found| found.numbers())),
            ("taken", row.taken.map(|found| found.numbers())),
            ("latency", row.latency.map(|found| found.numbers())),
            ("throughput", row.throughput.map(|found| found.numbers())),
        ];
        assert!(!row.detail.is_empty() || quantities.iter().any(|(_, found)| found.is_some()), "{row:?}");
        numbers.extend(
            quantities.into_iter().filter_map(|(quantity, found)| Some((format!("{name} {quantity}"), found?))),
        );
    }
    Ok(numbers)
}

fn shipped() -> &'static Numbers {
    static NUMBERS: OnceLock<Numbers> = OnceLock::new();
    NUMBERS.get_or_init(|| numbers(&Templates::shipped().unwrap()).unwrap())
}

/// Whether an error says where to look.
fn names_a_template(error: &RunError, names: &[String]) -> bool {
    let text = error.to_string();
    let has_name = names.iter().any(|name| text.contains(name.trim_end_matches(".s.hbs")));
    match error {
        RunError::Check(_) => text.contains("kernel"),
        _ => has_name && text.contains(|character: char| character.is_ascii_digit()),
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    Damage::any(prop::sample::select(TEXTS.to_vec()).prop_map(Into::into))
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn changed_templates_are_refused_or_give_the_same_numbers(damages in prop::collection::vec((any::<u16>(), damage()), 1..3)) {
        let folder = copy_templates();
        let mut names: Vec<String> = files(folder.path()).into_keys().collect();
        names.retain(|name| name.ends_with(".hbs"));
        let is_less = damages.iter().all(|(_, damage)| damage.takes_away());
        for (which, damage) in damages {
            let path = folder.path().join(&names[usize::from(which) * names.len() / (1 << 16)]);
            let mut bytes = fs::read(&path).unwrap();
            damage.apply(&mut bytes);
            fs::write(&path, bytes).unwrap();
        }
        let templates = match Templates::from_folder(folder.path()) {
            Ok(templates) => templates,
            Err(error) => {
                let text = error.to_string();
                prop_assert!(names.iter().any(|name| text.contains(name)), "{text}");
                return Ok(());
            }
        };
        match numbers(&templates) {
            Ok(found) => {
                for (quantity, found) in &found {
                    let other = format!("{quantity}: {found:?}, and {:?} with the templates that ship", shipped().get(quantity));
                    prop_assert!(!is_less || shipped().get(quantity) == Some(found), "{other}");
                }
            }
            Err(error) => prop_assert!(names_a_template(&error, &names), "{error}"),
        }
    }
}
