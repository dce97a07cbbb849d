//! Data that must be refused: code that differs from the plan, damaged files, misbehaving kernels.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use gcn_harness::device::{Device, DeviceError, DeviceInformation, Launch, Module, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Plan};
use gcn_harness::kernel::{CheckError, KernelPlan, Templates, check};
use gcn_harness::run::{Measured, RunError, RunFolder, Silent, measure};
use gcn_model::code_object::CodeObject;
use gcn_model::gpu::Gpu;
use gcn_model::isa;
use gcn_model::record::ExperimentStatus;
use gcn_tests::{assembler, copy_templates, only};
use object::read::elf::ElfFile64;
use object::{LittleEndian, Object, ObjectSection};

fn tahiti() -> SimulatedDevice {
    SimulatedDevice::new("sim:tahiti", &Gpu::named("tahiti").unwrap())
}

/// A device that counts its requests.
struct Counting {
    device: SimulatedDevice,
    launched: AtomicBool,
}

impl Device for Counting {
    fn information(&self) -> &DeviceInformation {
        self.device.information()
    }

    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError> {
        self.launched.store(true, Ordering::SeqCst);
        self.device.load(code_object)
    }
}

/// Measures with edited templates; gives the error and whether the device was given anything.
fn with_template(name: &str, from: &str, to: &str, instruction: &str) -> (RunError, bool) {
    let templates = copy_templates();
    let path = templates.path().join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{name} holds no {from:?}");
    std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
    let templates = Templates::from_folder(templates.path()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunFolder::create(folder.path()).unwrap();
    let device = Counting { device: tahiti(), launched: AtomicBool::new(false) };
    let options = only(&[instruction], &[1]);
    let never = AtomicBool::new(false);
    let error = measure(&device, assembler(), &templates, &options, &mut run, &never, &mut Silent).unwrap_err();
    (error, device.launched.into_inner())
}

#[test]
fn timed_code_that_is_not_as_planned_is_never_given_to_a_device() {
    let time = "{{#each begin}}\n    {{this}}\n{{/each}}\n";
    let lines = "    {{timed_code}}\n";
    let cases = [
        // Moved by one dword.
        ("timed.s.hbs", time, format!("    s_nop 0\n{time}"), "1 dwords after the start"),
        ("looped.s.hbs", time, format!("    s_nop 0\n{time}"), "1 dwords after the start"),
        ("timed.s.hbs", time, format!("{time}    s_nop 0\n"), "should be V_MOV_B32 (4 bytes), and is s_nop"),
        ("timed.s.hbs", "    .p2align        7\n", String::new(), "after the start"),
        // One instruction more, at the end and inside.
        ("timed.s.hbs", lines, format!("{lines}    s_nop 0\n"), "`s_memtime s[12:13]` expected, s_nop"),
        ("timed.s.hbs", lines, format!("    v_nop\n{lines}"), "should be"),
        // Another destination of the loop.
        (
            "looped.s.hbs",
            "s_cbranch_scc1  .L{{name}}_{{n}}_loop",
            "s_cbranch_scc1  .L{{name}}_{{n}}".into(),
            "goes back to",
        ),
        // A reading that does not wait.
        ("timed.s.hbs", time, "    {{begin.[0]}}\n".into(), "`s_waitcnt lgkmcnt(0)` expected"),
        ("timed.s.hbs", time, "    {{begin.[0]}}\n    s_waitcnt vmcnt(0)\n".into(), "`s_waitcnt lgkmcnt(0)` expected"),
        // Around the timed code: its initial state, the passes that count, the place of the readings.
        ("inputs.s.hbs", "    s_mov_b32       m0, {{m0}}\n", String::new(), "`s_mov_b32 m0, 0` is missing"),
        (
            "prologue.s.hbs",
            "{{#each vector_values}}\n",
            "{{#each scalar_values}}\n".into(),
            "is missing before this S_MEMTIME",
        ),
        ("looped.s.hbs", "s_mov_b32       s9, {{repeats}}", "s_mov_b32 s9, 7".into(), "` expected, s_mov_b32 s9, "),
        ("timed.s.hbs", "    s_cbranch_scc1  .L{{name}}_{{n}}\n", String::new(), "S_CBRANCH_SCC1 expected"),
        (
            "timed.s.hbs",
            "v_writelane_b32 v{{readings.[2]}}, s12, m0",
            "v_writelane_b32 v{{readings.[2]}}, s10, m0".into(),
            "`v_writelane_b32 v3, s12, m0` expected",
        ),
        (
            "epilogue.s.hbs",
            "    s_mov_b64       exec, {{readings_exec}}",
            "    s_mov_b64 exec, 3".into(),
            "is missing before this S_ENDPGM",
        ),
        // Longer code that begins elsewhere, is measured otherwise, or has no end.
        (
            "longer.s.hbs",
            "s_branch        .L{{name}}_sections",
            "s_branch {{name}}".into(),
            "the jump back for longer code goes to",
        ),
        ("longer.s.hbs", "s_cbranch_scc1  .L{{name}}_epilogue", "s_cbranch_scc1 .L{{name}}_end".into(), "goes to"),
        ("longer.s.hbs", "s_mov_b32       s23, 1", "s_mov_b32 s23, 0".into(), "`s_mov_b32 s23, 1` expected"),
        (
            "longer.s.hbs",
            "s_cmp_le_u32    s15, s22",
            "s_cmp_le_u32 s15, 1".into(),
            "is missing before this S_CBRANCH_SCC1",
        ),
        // A loop that counts otherwise.
        ("looped.s.hbs", "s_sub_u32       s9, s9, 1", "s_sub_u32 s9, s9, 2".into(), "`s_sub_u32 s9, s9, 1` expected"),
    ];
    for (name, from, to, what) in cases {
        let (error, launched) = with_template(name, from, &to, "V_ADD_F64");
        let text = error.to_string();
        assert!(matches!(error, RunError::Check(CheckError::Code { .. })), "{name}: {text}");
        assert!(text.contains("kernel V_") && text.contains("0x") && text.contains(what), "{name}: {text}");
        assert!(!launched, "{name}: {text}");
    }
}

/// Plans, and the code object that they came to.
fn object() -> &'static (Vec<KernelPlan>, Vec<u8>) {
    static OBJECT: OnceLock<(Vec<KernelPlan>, Vec<u8>)> = OnceLock::new();
    OBJECT.get_or_init(|| {
        let device = tahiti();
        let information = device.information();
        let instruction = isa::find("V_ADD_F64", information.generation).unwrap();
        let plan = Plan::of_instruction(information, &MeasureOptions::default(), instruction);
        let templates = Templates::shipped().unwrap();
        let module = templates.module(&information.target, information.generation, &plan.kernels).unwrap();
        (plan.kernels, assembler().assemble(&module).unwrap())
    })
}

#[test]
fn another_instruction_in_the_timed_code_is_found() {
    let (plans, bytes) = object();
    check(assembler(), bytes, "gfx600", plans).unwrap();
    // Each dword of the code changed: the timed code is checked whole, so that no change in it goes unseen.
    let object = CodeObject::read(bytes).unwrap();
    let code: Vec<u8> = object.code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let start = bytes.windows(64).position(|window| window == &code[..64]).unwrap();
    let kernel = object.kernel("V_ADD_F64_chain").unwrap().entry;
    let first = (start + (kernel - object.code_address) as usize) / 4;
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let target = object.code_from(kernel).iter().position(|word| *word >> 17 == 0xd2c8_0000 >> 17).unwrap() + first;
    let changed = |at: usize, word: u32| {
        let mut words = words.clone();
        words[at] = word;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        check(assembler(), &bytes, "gfx600", plans).map(|_| ()).map_err(|error| error.to_string())
    };
    // V_MUL_F64 in the place of V_ADD_F64.
    let error = changed(target, words[target] + (1 << 17)).unwrap_err();
    assert!(error.contains("V_ADD_F64_chain") && error.contains("should be V_ADD_F64 (8 bytes)"), "{error}");
    // Another operand: the same instruction, and another experiment.
    let error = changed(target + 1, words[target + 1] + 2).unwrap_err();
    assert!(error.contains("should be `v_add_f64 v[14:15], v[14:15], v[8:9]`, and is v_add_f64 "), "{error}");
    let error = changed(target, 0xffff_ffff).unwrap_err();
    assert!(error.contains("FFFFFFFF") && error.contains("not launched"), "{error}");
    assert!(check(assembler(), bytes, "gfx803", plans).is_err_and(|error| error.to_string().contains("gfx600")));
}

#[test]
fn code_at_an_address_that_cannot_be_is_refused() {
    let (_, bytes) = object();
    let file = ElfFile64::<LittleEndian>::parse(bytes.as_slice()).unwrap();
    let index = file.section_by_name(".text").unwrap().index().0;
    // sh_addr of its section header; the table's place is in the file's header.
    let table = u64::from_le_bytes(bytes[40..48].try_into().unwrap()) as usize;
    let at = table + 64 * index + 16;
    let own = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    for address in [own + 1, own + 2, u64::MAX - 3] {
        let mut changed = bytes.clone();
        changed[at..at + 8].copy_from_slice(&address.to_le_bytes());
        let Err(error) = CodeObject::read(&changed) else { panic!(".text at {address:#x} is read") };
        assert!(error.to_string().contains(".text is at"), "{error}");
    }
}

#[test]
fn cut_off_code_objects_are_refused() {
    let (_, bytes) = object();
    let device = tahiti();
    device.load(bytes).unwrap();
    for length in [0, 1, 15, 16, 63, 64, 65, 200, bytes.len() / 4, bytes.len() / 2, bytes.len() - 64] {
        let Err(error) = device.load(&bytes[..length]) else { panic!("{length} of {} bytes are loaded", bytes.len()) };
        assert!(matches!(error, DeviceError::CodeObject(_)), "{error}");
    }
    let other = SimulatedDevice::new("sim:fiji", &Gpu::named("fiji").unwrap());
    let Err(error) = other.load(bytes) else { panic!("code for Tahiti on Fiji") };
    assert!(error.to_string().contains("gfx600") && error.to_string().contains("gfx803"), "{error}");
}

/// What becomes of a launch, from its kernel and how often that was launched before.
type Fault = fn(&str, usize) -> Option<DeviceError>;

/// A device on which launches of some kernels end badly.
struct Failing {
    device: SimulatedDevice,
    fails: Fault,
    launched: Mutex<Vec<String>>,
}

struct FailingModule<'a> {
    device: &'a Failing,
    module: Box<dyn Module + 'a>,
}

impl Device for Failing {
    fn information(&self) -> &DeviceInformation {
        self.device.information()
    }

    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError> {
        Ok(Box::new(FailingModule { device: self, module: self.device.load(code_object)? }))
    }
}

impl Module for FailingModule<'_> {
    fn launch(&self, launch: &Launch) -> Result<Vec<u32>, DeviceError> {
        let before = {
            let mut launched = self.device.launched.lock().unwrap();
            launched.push(launch.kernel.clone());
            launched.iter().filter(|kernel| **kernel == launch.kernel).count() - 1
        };
        match (self.device.fails)(&launch.kernel, before) {
            Some(error) => Err(error),
            None => self.module.launch(launch),
        }
    }
}

fn run_failing(fails: Fault) -> (Result<Measured, RunError>, tempfile::TempDir, Vec<String>) {
    let device = Failing { device: tahiti(), fails, launched: Mutex::default() };
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunFolder::create(folder.path()).unwrap();
    let never = AtomicBool::new(false);
    let options = MeasureOptions { sweeps: 2, ..only(&["V_ADD_F64", "V_MUL_F64"], &[1]) };
    let templates = Templates::shipped().unwrap();
    let result = measure(&device, assembler(), &templates, &options, &mut run, &never, &mut Silent);
    (result, folder, device.launched.into_inner().unwrap())
}

#[test]
fn a_kernel_that_fails_is_a_row_with_its_reason() {
    let fault =
        |kernel: &str, _| (kernel == "V_MUL_F64_cycles").then(|| DeviceError::Kernel("memory fault at 0x1000".into()));
    let (result, folder, launched) = run_failing(fault);
    result.unwrap();
    assert_eq!(launched.iter().filter(|kernel| *kernel == "V_MUL_F64_cycles").count(), 1, "not in the second sweep");
    assert!(launched.iter().any(|kernel| kernel == "V_MUL_F64_chain"), "the others are launched all the same");
    let run = gcn_analysis::run::StoredRun::load(folder.path()).unwrap();
    let position = run.experiments.iter().position(|record| record.experiment == "V_MUL_F64/cycles").unwrap();
    let record = &run.experiments[position];
    assert_eq!((record.status, record.detail.as_str()), (ExperimentStatus::Failed, "memory fault at 0x1000"));
    assert_eq!(run.readings_of(position).len(), 0);
    let analysis = gcn_analysis::analyze(folder.path()).unwrap();
    let row = |name: &str| analysis.timings.iter().find(|row| row.instruction == name).unwrap();
    assert_eq!(row("V_MUL_F64").status.name(), "failed");
    assert!(row("V_MUL_F64").cycles.is_none() && row("V_MUL_F64").detail.contains("memory fault"));
    assert_eq!(row("V_ADD_F64").status.name(), "ok");
}

#[test]
fn a_kernel_that_fails_in_a_later_sweep_keeps_its_readings_and_says_so() {
    let fault = |kernel: &str, before| {
        (kernel == "V_MUL_F64_cycles" && before == 1).then(|| DeviceError::Kernel("memory fault\nat 0x1000".into()))
    };
    let (result, folder, _) = run_failing(fault);
    assert!(result.unwrap().record.end.is_some());
    let run = gcn_analysis::run::StoredRun::load(folder.path()).unwrap();
    let samples = |name: &str| {
        let position = run.experiments.iter().position(|record| record.experiment == name).unwrap();
        run.readings_of(position).len()
    };
    assert_eq!(2 * samples("V_MUL_F64/cycles"), samples("V_ADD_F64/cycles"), "those of the first sweep are there");
    let analysis = gcn_analysis::analyze(folder.path()).unwrap();
    let row = analysis.timings.iter().find(|row| row.instruction == "V_MUL_F64").unwrap();
    assert_eq!((row.status.name(), row.cycles_snapped.map(|cycles| cycles.0)), ("ok", Some(16.0)));
    let reason = "V_MUL_F64/cycles failed when it was retried: memory fault; at 0x1000";
    assert!(row.detail.contains(reason), "{}", row.detail);
}

#[test]
fn a_lost_device_ends_the_run_and_keeps_stored_readings() {
    let lost = |kernel: &str, before| {
        (kernel == "V_MUL_F64_chain" && before == 1).then(|| DeviceError::Lost("it fell off the bus".into()))
    };
    let (result, folder, launched) = run_failing(lost);
    let measured = result.unwrap();
    assert_eq!(measured.lost.as_deref(), Some("it fell off the bus"));
    assert!(measured.record.end.is_none());
    assert!(launched.iter().any(|kernel| kernel == "V_ADD_F64_cycles"));
    let analysis = gcn_analysis::analyze(folder.path()).unwrap();
    assert!(analysis.record.end.is_none());
    assert!(analysis.timings.iter().any(|row| row.instruction == "V_ADD_F64" && row.cycles.is_some()));
}

#[test]
fn a_wave_that_stores_nothing_is_a_failure() {
    // The epilogue's last store is done by no lane: no completion mark.
    let templates = copy_templates();
    let path = templates.path().join("epilogue.s.hbs");
    let text = std::fs::read_to_string(&path).unwrap();
    let store = text.lines().find(|line| line.contains("buffer_store_dword v{{record}}")).unwrap();
    std::fs::write(&path, text.replace(store, &format!("    s_mov_b64 exec, 0\n{store}"))).unwrap();
    let templates = Templates::from_folder(templates.path()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunFolder::create(folder.path()).unwrap();
    let never = AtomicBool::new(false);
    measure(&tahiti(), assembler(), &templates, &only(&["S_ADD_U32"], &[]), &mut run, &never, &mut Silent).unwrap();
    let analysis = gcn_analysis::analyze(folder.path()).unwrap();
    let row = &analysis.timings.iter().find(|row| row.instruction == "S_ADD_U32").unwrap();
    assert!(row.status.name() == "failed" && row.detail.contains("did not store"), "{row:?}");
}

#[test]
fn a_kernel_that_stores_an_unknown_value_is_a_row_that_names_the_instruction() {
    let templates = copy_templates();
    let path = templates.path().join("epilogue.s.hbs");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(
        &path,
        text.replacen("    s_mov_b64       exec, -1\n", "    s_mov_b64 exec, -1\n    v_sin_f32_e32 v1, v1\n", 1),
    )
    .unwrap();
    let templates = Templates::from_folder(templates.path()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunFolder::create(folder.path()).unwrap();
    let never = AtomicBool::new(false);
    measure(&tahiti(), assembler(), &templates, &only(&["S_ADD_U32"], &[]), &mut run, &never, &mut Silent).unwrap();
    let analysis = gcn_analysis::analyze(folder.path()).unwrap();
    let row = &analysis.timings.iter().find(|row| row.instruction == "S_ADD_U32").unwrap();
    let names_it = row.detail.contains("buffer_store_dwordx4") && row.detail.contains("unknown to the simulator");
    assert!(row.status.name() == "failed" && names_it, "{row:?}");
}
