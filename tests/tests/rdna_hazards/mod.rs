//! Each hazard of RDNA in an example: LLVM's hazard recognizer repairs it on the targets that have it and lets it be on others, and the check
//! refuses it as it was and takes it as it was repaired.

mod case;

use std::sync::atomic::AtomicBool;

use case::{ALLOWED, CASES, Case};
use gcn_analysis::analyze;
use gcn_harness::device::{Chosen, SimulatedDevice};
use gcn_harness::kernel::{CheckError, Templates};
use gcn_harness::llvm::Llvm;
use gcn_harness::run::{RunError, RunFolder, Silent, measure};
use gcn_model::decode::{Decoded, decode};
use gcn_model::gpu::Gpu;
use gcn_model::hazard::{check, hazards};
use gcn_model::isa::Processor;
use gcn_tests::{assembler, copy_templates, only, recognized};
use object::{Object, ObjectSection};

/// Rows about one instruction, which the recognizer does not look at.
const OF_ONE: [&str; 3] = ["branch-over-63", "instruction-prefetch", "wide-mad-overlap"];

/// A function's body: `|` begins another block, which the one before goes on to.
fn body(lines: &[&str]) -> String {
    let blocks = lines.iter().filter(|line| **line == "|").count() + 1;
    let mut text = String::new();
    for (number, block) in lines.split(|line| *line == "|").enumerate() {
        text += &format!("  bb.{number}:\n");
        if number + 1 < blocks {
            text += &format!("    successors: %bb.{}\n", number + 1);
        }
        block.iter().for_each(|line| text += &format!("    {line}\n"));
    }
    text + "    S_ENDPGM 0\n"
}

fn processor(target: &str) -> Processor {
    Processor::find(target).unwrap_or_else(|| panic!("{target}"))
}

/// The rows that code breaks.
fn broken(target: &str, words: &[u32]) -> Vec<&'static str> {
    let violations = check(processor(target), words, 0).unwrap();
    violations.into_iter().map(|violation| violation.hazard).filter(|id| *id != "not-waited-for").collect()
}

/// Whether LLVM put it there: the examples themselves have none of these.
fn is_repair(decoded: &Decoded) -> bool {
    let text = decoded.to_string();
    let name = decoded.instruction.name.as_str();
    let is_wait = matches!(name, "S_WAITCNT_DEPCTR" | "S_WAIT_ALU" | "S_WAITCNT_VSCNT" | "S_NOP" | "V_NOP");
    let (destination, source) = text.rsplit_once(", ").unwrap_or_default();
    let moves_to_itself = name == "V_MOV_B32" && destination.ends_with(&format!(" {source}"));
    is_wait || moves_to_itself || text.starts_with("s_mov_b32 null")
}

/// Code as it was before LLVM put anything into it, and how many instructions it put there.
fn without_repairs(target: &str, words: &[u32]) -> (Vec<u32>, usize) {
    let (mut kept, mut repairs, mut at) = (Vec::new(), 0, 0);
    while at < words.len() {
        let decoded = decode(processor(target), &words[at..], 4 * at as u64).unwrap();
        let behind = at + usize::from(decoded.dwords.0);
        if is_repair(&decoded) {
            repairs += 1;
        } else {
            kept.extend(&words[at..behind]);
        }
        at = behind;
    }
    (kept, repairs)
}

/// The fault of the code that LLVM made of an example.
fn problem(Case { row, target, .. }: &Case, on: &str, words: &[u32]) -> Option<String> {
    let (original, repairs) = without_repairs(on, words);
    let (before, after) = (broken(on, &original), broken(on, words));
    if on != *target {
        return (repairs > 0 || before.contains(row))
            .then(|| format!("it has not the row: {repairs} repairs, {before:?}"));
    }
    match (repairs, before.contains(row), after.is_empty()) {
        (0, ..) => Some("LLVM lets it be".to_owned()),
        (_, false, _) => Some(format!("it is not refused, but {before:?}")),
        (.., false) => Some(format!("repaired, it is still {after:?}")),
        (_, true, true) => None,
    }
}

#[test]
fn each_row_is_refused_until_llvm_has_repaired_it_and_on_its_targets_alone() {
    let mut wrong = Vec::new();
    for case in CASES {
        for on in [case.target].iter().chain(case.others) {
            let Some(code) = recognized(on, &[body(case.lines)]) else { return };
            let problem = problem(case, on, &code[&0]);
            wrong.extend(problem.map(|problem| format!("{}, {on}: {problem}\n{}", case.row, body(case.lines))));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn code_accepted_by_llvm_is_not_refused() {
    for (target, lines) in ALLOWED {
        let Some(code) = recognized(target, &[body(lines)]) else { return };
        assert_eq!(without_repairs(target, &code[&0]).1, 0, "{target}: {lines:?}");
        assert!(broken(target, &code[&0]).is_empty(), "{target}: {lines:?}: {:?}", broken(target, &code[&0]));
    }
}

/// The words of lines as LLVM assembles them.
fn words(target: &str, lines: &str) -> Vec<u32> {
    let object = Llvm::find(None).unwrap().assemble(target, &format!("{lines}\ns_endpgm\n")).unwrap();
    let file = object::File::parse(&*object).unwrap();
    let code = file.section_by_name(".text").unwrap().data().unwrap().to_vec();
    code.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

#[test]
fn one_instruction_can_be_refused_by_itself() {
    let over = format!("s_branch .Lend\n{}.Lend:", "s_nop 0\n".repeat(63));
    // LLVM puts another S_NOP after a branch that would go as far, so the words are written here.
    let branch = "s_branch 63";
    let overlapping = "v_mad_u64_u32 v[0:1], s4, v2, v3, v[0:1]";
    let apart = "v_mad_u64_u32 v[0:1], s4, v2, v3, v[4:5]";
    let cases = [
        ("branch-over-63", "gfx1010", branch, true),
        ("branch-over-63", "gfx1010", &over, false),
        ("branch-over-63", "gfx1030", branch, false),
        ("branch-over-63", "gfx1010", "s_branch 62", false),
        ("instruction-prefetch", "gfx1010", "s_inst_prefetch 0x3", true),
        ("instruction-prefetch", "gfx1030", "s_inst_prefetch 0x3", false),
        ("wide-mad-overlap", "gfx1100", overlapping, true),
        ("wide-mad-overlap", "gfx1102", "v_mad_i64_i32 v[0:1], s4, v1, v3, v[4:5]", true),
        ("wide-mad-overlap", "gfx1100", apart, false),
        ("wide-mad-overlap", "gfx1150", overlapping, false),
        ("wide-mad-overlap", "gfx1030", overlapping, false),
    ];
    for (row, target, lines, is_refused) in cases {
        let found = broken(target, &words(target, lines));
        assert_eq!(found.contains(&row), is_refused, "{target}: {lines}: {found:?}");
        assert!(OF_ONE.contains(&row), "{row}");
    }
}

/// The place of a repair in the templates, for an instruction in waves of this many lanes, and the hazard that is there without it.
struct Place {
    gpu: &'static str,
    lanes: u32,
    instruction: &'static str,
    template: &'static str,
    repair: &'static str,
    hazard: Option<&'static str>,
}

impl Place {
    /// Runs the instruction with the templates that ship, without the lines that put the repair there: the hazard for which kernels are refused.
    fn run_without(&self) -> Option<String> {
        let Self { repair, template, .. } = self;
        let folder = copy_templates();
        let path = folder.path().join(template);
        let text = std::fs::read_to_string(&path).unwrap();
        let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{{{{{repair}}}}}")));
        std::fs::write(&path, text.replace(line.unwrap_or_else(|| panic!("{template}: {repair}")), "")).unwrap();
        let device = SimulatedDevice::new("sim:test", &Gpu::named(self.gpu).unwrap());
        let device = Chosen::in_waves_of(Box::new(device), self.lanes).unwrap();
        let out = tempfile::tempdir().unwrap();
        let mut run = RunFolder::create(out.path()).unwrap();
        let templates = Templates::from_folder(folder.path()).unwrap();
        let options = only(&[self.instruction], &[1]);
        let never = AtomicBool::new(false);
        match measure(&device, assembler(), &templates, &options, &mut run, &never, &mut Silent) {
            Err(RunError::Check(CheckError::Hazard { id, .. })) => Some(id.to_owned()),
            Err(error) => panic!("{}: {error}", self.gpu),
            Ok(_) => {
                let analysis = analyze(out.path()).unwrap();
                let (_, why) = analysis.failed.first()?.why.split_once("hazard ")?;
                why.split_once(':').map(|(id, _)| id.to_owned())
            }
        }
    }
}

#[test]
fn a_kernel_without_the_repairs_of_its_templates_is_not_launched() {
    let (memory, lds, forwarded) = ("memory-sgpr-salu", "lds-branch-vmem", "forwarded-beside-newer");
    for (gpu, lanes, instruction, template, repair, hazard) in [
        ("rx5700xt", 32, "V_ADD_F32", "epilogue.s.hbs", "before_exec", Some(memory)),
        ("rx5700xt", 32, "BUFFER_LOAD_DWORD", "inputs.s.hbs", "before_exec", Some(memory)),
        ("rx5700xt", 32, "DS_READ_B32", "epilogue.s.hbs", "before_stores", Some(lds)),
        ("rx6800", 32, "DS_READ_B32", "epilogue.s.hbs", "before_stores", None),
        ("rx6800", 32, "V_ADD_F32", "epilogue.s.hbs", "before_exec", None),
        ("rx7900xtx", 32, "V_FMA_F32", "inputs.s.hbs", "before_exec", None),
        ("rx7900xtx", 64, "V_FMA_F32", "inputs.s.hbs", "before_exec", Some(forwarded)),
    ] {
        let place = Place { gpu, lanes, instruction, template, repair, hazard };
        let found = place.run_without();
        assert_eq!(found.as_deref(), place.hazard, "{gpu}: {instruction} without {repair} in {template}");
    }
}

#[test]
fn every_row_of_rdna_has_an_example() {
    for row in hazards().iter().filter(|row| row.source.starts_with("facts-cdna-rdna §5.1")) {
        let has_case = CASES.iter().any(|case| case.row == row.id) || OF_ONE.contains(&row.id.as_str());
        assert!(has_case, "{} has no case", row.id);
    }
}
