//! GPU files with other keys, values, bases and lines: an error that names file and line, or a GPU that can be measured, on which what
//! the file states of an instruction is found.

use std::cell::Cell;
use std::fmt::Write as _;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use gcn_analysis::{THROUGHPUT_RESOLUTION, TimingRow};
use gcn_harness::experiment::MeasureOptions;
use gcn_model::gpu::{Gpu, GpuError, Key, KeyKind, keys};
use gcn_tests::{ROUNDING, measure, only};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::fuzz::cases;
use crate::fuzz::damage::Damage;

/// The name that the texts here go by.
const FILE: &str = "fuzz.toml";
/// Instructions that are measured: of each unit, the fillers among them.
const INSTRUCTIONS: [&str; 9] = [
    "V_ADD_F32",
    "V_MUL_F64",
    "V_MOV_B32",
    "S_ADD_U32",
    "S_MOV_B32",
    "DS_READ_B32",
    "S_LOAD_DWORD",
    "S_CBRANCH_SCC1",
    "BUFFER_LOAD_DWORD",
];
/// Values that few expect.
const VALUES: [&str; 40] = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "16",
    "48",
    "64",
    "65",
    "100",
    "512",
    "1024",
    "65536",
    "999999",
    "1000000",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-1",
    "-9223372036854775808",
    "0x10",
    "1_000",
    "0.0",
    "0.25",
    "1e-300",
    "1e300",
    "nan",
    "inf",
    "-inf",
    "true",
    "false",
    "\"\"",
    "\"1/6\"",
    "\"nan\"",
    "[]",
    "[16, 20, 24]",
    "{}",
    "1979-05-27",
];
/// Texts that keys want, some of them of another GPU.
const TEXTS: [&str; 12] = [
    "\"gfx600\"",
    "\"gfx803\"",
    "\"gfx906\"",
    "\"gfx1030\"",
    "\"gfxfff\"",
    "\"1.0\"",
    "\"1.4\"",
    "\"fiji\"",
    "\"gcn-1.2\"",
    "\"a \\u00e9\\n|<b>\"",
    "\"\"\"x\ny\"\"\"",
    "[\"V_ADD_F32\"]",
];

/// Every key of a GPU file but the sections by instruction.
fn names() -> Vec<String> {
    let facts = keys().iter().filter(|key| !key.kind.is_by_instruction());
    facts.map(|key| key.name.to_owned()).chain(["base".to_owned()]).collect()
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(VALUES.to_vec()).prop_map(Into::into),
        2 => prop::sample::select(TEXTS.to_vec()).prop_map(Into::into),
        2 => (1..2000i64).prop_map(|number| number.to_string()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => any::<f64>().prop_map(|number| format!("{number:?}")),
    ]
}

/// A line of a GPU file that overrides a key, in one of TOML's ways to write it.
fn line() -> impl Strategy<Value = String> {
    let by_instruction =
        (prop::sample::select(vec!["cycles", "throughput"]), prop::sample::select(INSTRUCTIONS.to_vec()))
            .prop_map(|(section, instruction)| format!("{section}.{instruction}"));
    let key = prop_oneof![3 => prop::sample::select(names()), 2 => by_instruction];
    (key, value(), 0..8u8).prop_map(|(key, value, style)| {
        let (section, name) = key.split_once('.').unwrap_or(("", &key));
        match style {
            0 => format!("\"{key}\" = {value}"),
            1 => format!("{key} = {{ value = {value}, source = \"S1\" }}"),
            2 if !section.is_empty() => format!("[{section}]\n{name} = {value}\r"),
            3 => format!("{key}.value = {value}"),
            _ => format!("{key} = {value}"),
        }
    })
}

/// A file that overrides some keys of a GPU that ships.
fn overriding() -> impl Strategy<Value = String> {
    let bases: Vec<&str> = Gpu::shipped().collect();
    (prop::sample::select(bases), prop::collection::vec(line(), 1..5)).prop_map(|(base, mut lines)| {
        // Sections go last: the lines after their headers are theirs.
        lines.sort_by_key(|line| line.starts_with('['));
        format!("base = \"{base}\"\n{}\n", lines.join("\n"))
    })
}

/// A value that a key may have, on a GPU that starts from a base; small ones are likely, the ends of the range are possible.
fn right_value(kind: &KeyKind, base: &Gpu) -> BoxedStrategy<String> {
    let whole = |range: &RangeInclusive<i128>| {
        let (least, most) = (*range.start(), *range.end());
        prop_oneof![6 => least..=most.min(least + 40), 2 => least..=most, 1 => Just(least), 1 => Just(most)]
    };
    let number = |range: &RangeInclusive<f64>| range.clone().prop_map(|number| format!("{number:?}"));
    match kind {
        KeyKind::Text => "[A-Za-z][A-Za-z0-9 |<>*_=+@-]{0,30}".prop_map(|text| format!("{text:?}")).boxed(),
        KeyKind::Target => Just(format!("{:?}", base.gfx_target)).boxed(),
        KeyKind::Generation => Just(format!("{:?}", base.generation.name())).boxed(),
        KeyKind::Switch => any::<bool>().prop_map(|value| value.to_string()).boxed(),
        KeyKind::Integer(range) => whole(range).prop_map(|number| number.to_string()).boxed(),
        KeyKind::PowerOfTwo(range) => {
            let powers: Vec<i128> = (0..64).map(|bit| 1 << bit).filter(|power| range.contains(power)).collect();
            prop::sample::select(powers).prop_map(|number| number.to_string()).boxed()
        }
        KeyKind::DpFactor(range) => {
            let range = range.clone();
            prop_oneof![Just(0.5), (1_u32..64).prop_map(f64::from)]
                .prop_filter("in range", move |factor| range.contains(factor))
                .prop_map(|factor| factor.to_string())
                .boxed()
        }
        KeyKind::Number(range) => number(range).boxed(),
        KeyKind::Instructions => prop::sample::subsequence(INSTRUCTIONS.to_vec(), 0..4)
            .prop_map(|instructions| format!("{instructions:?}"))
            .boxed(),
        KeyKind::LdsPasses => {
            const PASSES: [&str; 5] = ["00000000", "00112233", "01231032", "01101001", "01234567"];
            prop::sample::select(&PASSES).prop_map(|passes| format!("{passes:?}")).boxed()
        }
        KeyKind::Cycles(range) => prop_oneof![
            3 => whole(range).prop_map(|number| number.to_string()),
            1 => prop::collection::vec(whole(range), 1..4).prop_map(|turns| format!("{turns:?}")),
        ]
        .boxed(),
        KeyKind::Latencies(range) => whole(range).prop_map(|number| number.to_string()).boxed(),
        KeyKind::Fractions(range) => {
            prop_oneof![number(range), (1..64u32).prop_map(|cycles| format!("\"1/{cycles}\""))].boxed()
        }
    }
}

/// A file as the table of keys wants it: some keys, each once, with values that each is possible.
fn by_grammar() -> impl Strategy<Value = String> {
    let bases: Vec<&str> = Gpu::shipped().collect();
    (prop::sample::select(bases), prop::sample::subsequence(keys().iter().collect::<Vec<_>>(), 1..8), any::<bool>())
        .prop_flat_map(|(base, keys, has_sections)| {
            let gpu = Gpu::named(base).unwrap();
            // A section of which all keys or none are there is the base's to have.
            let is_possible = |key: &&Key| match key.section() {
                "matrix" => gpu.matrix.is_some(),
                "pipelines" => gpu.pipelines.is_some(),
                _ => true,
            };
            let lines: Vec<_> = keys
                .into_iter()
                .filter(is_possible)
                .map(|key| {
                    let instructions = gpu.processor().instructions().map(|instruction| instruction.name.as_str());
                    let of_all = prop::sample::select(instructions.collect::<Vec<_>>());
                    let of_measured: Vec<&str> =
                        INSTRUCTIONS.into_iter().filter(|name| gpu.processor().instruction(name).is_some()).collect();
                    let instruction = prop_oneof![3 => prop::sample::select(of_measured), 1 => of_all];
                    let value = (right_value(&key.kind, &gpu), any::<bool>()).prop_map(|(value, has_provenance)| {
                        if has_provenance { format!("{{ value = {value}, source = \"S1\" }}") } else { value }
                    });
                    let name = key.name;
                    let is_by_instruction = key.kind.is_by_instruction();
                    (instruction, value).prop_map(move |(instruction, value)| {
                        (if is_by_instruction { format!("{name}.{instruction}") } else { name.to_owned() }, value)
                    })
                })
                .collect();
            lines.prop_map(move |lines| written_as_toml(base, &lines, has_sections))
        })
}

/// Keys and values as a file, with headers of sections or with dotted keys.
fn written_as_toml(base: &str, lines: &[(String, String)], has_sections: bool) -> String {
    let mut text = format!("base = \"{base}\"\n");
    let mut lines: Vec<(&str, &str, &str)> = lines
        .iter()
        .map(|(key, value)| {
            let (section, name) = key.split_once('.').filter(|_| has_sections).unwrap_or(("", key));
            (section, name, value.as_str())
        })
        .collect();
    lines.sort_by_key(|(section, ..)| *section);
    let mut last = "";
    for (section, name, value) in lines {
        if section != last {
            let _ = writeln!(text, "[{section}]");
            last = section;
        }
        let _ = writeln!(text, "{name} = {value}");
    }
    text
}

/// The files that ship, and the example that the documentation prints.
fn written() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let gpus = root.join("model/data/gpus");
    let of = |folder: &Path| -> Vec<String> {
        let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    };
    let mut texts = of(&gpus);
    // A generation's file lacks the product's additions.
    let product = "name = \"x\"\nproduct = \"x\"\ngfx_target = \"gfx803\"\ncompute_units = 4\nshader_engines = 1\ndp_factor = 8\n";
    texts.extend(of(&gpus.join("generations")).into_iter().map(|text| format!("{product}{text}")));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let example = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    texts.push(example.expect("README.md has an example").to_owned());
    texts
}

/// A file that ships, damaged.
fn damaged() -> impl Strategy<Value = String> {
    let damages = prop::collection::vec(Damage::any(value()), 1..4);
    (prop::sample::select(written()), damages).prop_map(|(text, damages)| {
        let mut bytes = text.into_bytes();
        damages.iter().for_each(|damage| damage.apply(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Whether an error names the file, and a line of it where there is one.
fn names_its_place(error: &GpuError, text: &str) -> bool {
    let message = error.to_string();
    let Some(behind) = message.split(&format!("{FILE}:")).nth(1) else { return false };
    let line = behind.split(':').next().and_then(|line| line.parse::<usize>().ok());
    let lines = text.lines().count();
    match error {
        GpuError::Missing { .. } => true,
        _ => line.is_some_and(|line| (1..=lines + 1).contains(&line)),
    }
}

/// The row's statement against the file's.
fn agrees(gpu: &Gpu, row: &TimingRow) -> Result<(), String> {
    if !gpu.noise.is_none() {
        return Ok(());
    }
    let name = &row.instruction;
    if let (Some([cycles]), Some(found)) = (gpu.cycles.get(name).map(Vec::as_slice), row.cycles) {
        let [value, low, high] = found.numbers();
        let truth = f64::from(*cycles);
        if (value - truth).abs() > ROUNDING || low > truth + ROUNDING || high < truth - ROUNDING {
            return Err(format!("{name} takes {truth} cycles, and {value} [{low}, {high}] was found"));
        }
    }
    if let (Some(&throughput), Some(found)) = (gpu.throughput.get(name), row.throughput) {
        let [value, low, high] = found.numbers();
        if low > throughput * (1.0 + THROUGHPUT_RESOLUTION) {
            return Err(format!("{name} has a throughput of {throughput}, and {value} [{low}, {high}] was found"));
        }
    }
    Ok(())
}

/// Measures instructions; whatever comes of each is a number or a reason.
fn usable(gpu: &Gpu, instructions: &[&str]) -> Result<(), TestCaseError> {
    let mut instructions = instructions.to_vec();
    instructions.retain(|instruction| gpu.processor().instruction(instruction).is_some());
    if instructions.is_empty() {
        return Ok(());
    }
    let options = MeasureOptions { samples: 4, ..only(&instructions, &[1]) };
    let run = measure(gpu, &options);
    for instruction in instructions {
        let row = run.row(instruction);
        let has_number = row.cycles.is_some() || row.taken.is_some();
        prop_assert!(has_number || !row.detail.is_empty(), "{row:?}");
        agrees(gpu, row).map_err(TestCaseError::fail)?;
    }
    Ok(())
}

fn right_or_refused(text: &str, instruction: &str) -> Result<(), TestCaseError> {
    match Gpu::from_toml(text, FILE) {
        Err(error) => {
            prop_assert!(names_its_place(&error, text), "{error}");
            Ok(())
        }
        Ok(gpu) => usable(&gpu, &[instruction]),
    }
}

#[test]
fn files_by_the_table_of_keys_are_measured() {
    let (tried, accepted) = (Cell::new(0), Cell::new(0));
    let instructions = prop::sample::subsequence(INSTRUCTIONS.to_vec(), 3);
    TestRunner::new(cases(60))
        .run(&(by_grammar(), instructions), |(text, instructions)| {
            tried.set(tried.get() + 1);
            match Gpu::from_toml(&text, FILE) {
                Ok(gpu) => {
                    accepted.set(accepted.get() + 1);
                    usable(&gpu, &instructions)
                }
                Err(error) => {
                    // Values that are possible each, and not together.
                    prop_assert!(
                        matches!(error, GpuError::Impossible { .. }) && names_its_place(&error, &text),
                        "{error}"
                    );
                    Ok(())
                }
            }
        })
        .unwrap_or_else(|error| panic!("{error}"));
    let (tried, accepted) = (tried.get(), accepted.get());
    println!("{accepted} of {tried} files were accepted and measured");
    assert!(4 * accepted >= 3 * tried, "{accepted} of {tried} files were accepted");
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn overridden_keys_are_refused_or_found(text in overriding(), instruction in prop::sample::select(INSTRUCTIONS.to_vec())) {
        right_or_refused(&text, instruction)?;
    }

    #[test]
    fn a_damaged_file_is_refused_or_can_be_measured(text in damaged(), instruction in prop::sample::select(INSTRUCTIONS.to_vec())) {
        right_or_refused(&text, instruction)?;
    }
}
