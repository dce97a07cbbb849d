//! `export`, and the description of its JSON.

use boon::{Compiler, Schemas};
use serde_json::{Value, json};

use super::{failure, run, temporary};

const SCHEMA: &str = include_str!("../../../docs/export.schema.json");
/// Results of a GPU that ships.
const VEGA20: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/reference/vega20");

fn exported(format: &str, folder: &str) -> String {
    let said = run(&["export", "--format", format, folder]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{format}");
    said.out
}

/// The faults of a document.
fn refused(document: &Value) -> Option<String> {
    let mut compiler = Compiler::new();
    compiler.add_resource("export.schema.json", serde_json::from_str(SCHEMA).unwrap()).unwrap();
    let mut schemas = Schemas::new();
    let root = compiler.compile("export.schema.json", &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
    schemas.validate(document, root).err().map(|error| format!("{error:#}"))
}

fn document(folder: &str) -> Value {
    serde_json::from_str(&exported("json", folder)).unwrap()
}

#[test]
fn the_json_of_every_shipped_gpu_is_as_described() {
    let folders = gcn_model::gpu::Gpu::shipped().map(|name| (name, VEGA20.replace("vega20", name)));
    // Results of the simulated CDNA cards are not published.
    for (name, folder) in folders.filter(|(_, folder)| std::path::Path::new(folder).exists()) {
        let found = document(&folder);
        assert_eq!(refused(&found), None, "{name}");
        assert_eq!((&found["simulated"], found["llvm"].is_object()), (&json!(true), true), "{name}");
        for part in
            ["timings", "throughput", "penalties", "occupancy", "allocation", "issue", "published", "disputes", "aco"]
        {
            assert!(!found[part].as_array().unwrap().is_empty(), "{name}: {part}");
        }
    }
}

#[test]
fn the_schema_refuses_other_documents() {
    let good = document(VEGA20);
    let changed = |place: &str, value: Value| {
        let mut copy = good.clone();
        *copy.pointer_mut(place).unwrap() = value;
        refused(&copy)
    };
    assert_eq!(changed("/simulated", json!(true)), None);
    for (place, value) in [
        ("/schema", json!("gcn-timings-export-2")),
        ("/simulated", json!("yes")),
        ("/timings/0/cycles", json!(4)),
        ("/timings/0/instruction", json!("v_add_f64")),
        ("/timings/0", json!({})),
        ("/llvm/writes/0/latency_slots", json!("1")),
        ("/published/0/verdict", json!(1)),
        ("/device", json!(null)),
    ] {
        assert!(changed(place, value.clone()).is_some(), "{place}: {value}");
    }
}

#[test]
fn simulated_numbers_are_marked_and_have_no_verdicts() {
    let found = document(VEGA20);
    for part in ["published", "disputes", "penalties"] {
        assert!(found[part].as_array().unwrap().iter().all(|row| row["verdict"].is_null()), "{part}");
    }
    for format in ["llvm", "aco", "markdown"] {
        let text = exported(format, VEGA20);
        assert!(
            text.lines().next().unwrap().contains("Simulated: no number here was measured on a card"),
            "{format}: {text}"
        );
    }
    assert!(exported("csv", VEGA20).lines().skip(1).all(|row| row.contains(",gfx906,true,")));
}

#[test]
fn a_class_of_several_numbers_keeps_llvms_and_names_them() {
    let found = document(VEGA20);
    let writes = found["llvm"]["writes"].as_array().unwrap();
    let write = |name: &str| writes.iter().find(|write| write["write"] == name).unwrap();
    let trans = write("WriteTrans32");
    assert_eq!((&trans["latency_slots"], &trans["release_at_cycles"]), (&json!(4), &json!(4)));
    let plain = write("Write32Bit");
    assert_eq!((&plain["latency_slots"], plain["latency_cycles"].as_array().unwrap().len()), (&Value::Null, 2));
    assert_eq!(
        plain["latency_cycles"][1],
        json!({ "cycles": "16", "instructions": ["V_DIV_FIXUP_F32", "V_MQSAD_PK_U16_U8"] })
    );
    let text = exported("llvm", VEGA20);
    assert!(text.contains("// Write32Bit: latency is not one number, in cycles: 4 of "), "{text}");
    assert!(text.contains("16 of V_DIV_FIXUP_F32, V_MQSAD_PK_U16_U8"), "{text}");
    assert!(
        text.contains(
            "def : HWWriteRes<WriteFloatCvt, [HWVALU], 1>;            // LLVM: 4, 1 (latency -3, release same)"
        ),
        "{text}"
    );
    let aco = exported("aco", VEGA20);
    assert!(aco.contains("/* valu64: not one number; latency "), "{aco}");
    assert!(aco.contains("case instr_class::valu_transcendental32: return {16, WAIT_USE(valu, 16)};"), "{aco}");
}

#[test]
fn unsupported_exports_are_refused_with_a_reason() {
    let folder = temporary();
    let there = folder.path().to_str().unwrap();
    assert!(failure(&["export", "--format", "json", there]).contains("not a run's folder"));
    for name in ["run.json", "timings.csv"] {
        std::fs::copy(format!("{VEGA20}/{name}"), folder.path().join(name)).unwrap();
    }
    let record = std::fs::read_to_string(folder.path().join("run.json")).unwrap();
    std::fs::write(folder.path().join("run.json"), record.replacen("gfx906", "gfx1299", 1)).unwrap();
    assert!(failure(&["export", "--format", "llvm", there]).contains("gfx1299: LLVM's and ACO's schedulers"));
    assert!(failure(&["export", "--format", "aco", there]).contains("gfx1299: LLVM's and ACO's schedulers"));
    let found = document(there);
    assert_eq!((&found["llvm"], &found["aco"], refused(&found)), (&Value::Null, &Value::Null, None));
}
