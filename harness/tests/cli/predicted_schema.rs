//! `predict --format json` and its description.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};

use super::predicted::{LOOP, of_text};
use super::predicted_occupancy::KERNEL;
use super::run;

const SCHEMA: &str = include_str!("../../../docs/predict.schema.json");
const COMPARE_SCHEMA: &str = include_str!("../../../docs/predict-compare.schema.json");
const LIBRARY_SCHEMA: &str = include_str!("../../../docs/predict-library.schema.json");

/// Fields that are not always there.
const OPTIONAL: [&str; 16] = [
    "code",
    "level",
    "unit_bytes",
    "labels",
    "place",
    "note",
    "waits_for",
    "memory",
    "placements",
    "measure_first",
    "source",
    "skip_reason",
    "trip",
    "cold_line",
    "before_address",
    "after_address",
];

/// A loop that waits for memory and at a barrier, and one that sleeps.
const LOOPS: &str = "a:\ns_load_dword s4, s[0:1], 0x0\nbuffer_load_dword v1, v0, s[8:11], 0 offen\n\
    s_waitcnt vmcnt(0) lgkmcnt(0)\ns_barrier\ns_cbranch_scc1 a\nb:\nds_read_b32 v2, v0\ns_sleep 1\ns_branch b\n";

pub(super) struct Schema {
    schemas: Schemas,
    root: SchemaIndex,
}

impl Schema {
    pub(super) fn read() -> Self {
        Self::of("predict.schema.json")
    }

    /// That of `--compare`.
    pub(super) fn of_comparisons() -> Self {
        Self::of("predict-compare.schema.json")
    }

    /// That of `--compare` of two libraries.
    pub(super) fn of_libraries() -> Self {
        Self::of("predict-library.schema.json")
    }

    fn of(name: &str) -> Self {
        let mut compiler = Compiler::new();
        for (name, text) in [
            ("predict.schema.json", SCHEMA),
            ("predict-compare.schema.json", COMPARE_SCHEMA),
            ("predict-library.schema.json", LIBRARY_SCHEMA),
        ] {
            compiler.add_resource(name, serde_json::from_str(text).unwrap()).unwrap();
        }
        let mut schemas = Schemas::new();
        let root = compiler.compile(name, &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
        Self { schemas, root }
    }

    /// The faults of a document.
    pub(super) fn refuses(&self, document: &Value) -> Option<String> {
        self.schemas.validate(document, self.root).err().map(|error| format!("{error:#}"))
    }
}

/// Outputs of all kinds.
fn outputs() -> Vec<Value> {
    let of_loop = |arguments: &[&str]| run(&[&["predict", LOOP, "--gpu", "fiji"], arguments].concat()).out;
    let outputs = [
        of_loop(&["--format", "json", "--waves", "all"]),
        of_loop(&["--json", "--waves", "2", "--simds", "1", "--group-waves", "2"]),
        of_text(LOOPS, &["--json", "--waves", "2", "--gpu", "vega10"]).out,
        of_text("v_nop\n", &["--json"]).out,
        of_text(
            "v_mul_lo_u32 v0, v1, v2\nbuffer_load_dword v1, v0, s[8:11], 0 offen\n",
            &["--json", "--gpu", "hawaii"],
        )
        .out,
        of_text(KERNEL, &["--json", "--gpu", "fiji", "--group-waves", "4"]).out,
        of_text(
            LOOPS,
            &["--gpu", "fiji", "--json", "--align", "4", "--memory", "l1,smem=1..9", "--max-estimated", "100"],
        )
        .out,
        of_text(LOOPS, &["--json", "--trip", "100", "--start", "cold=dram"]).out,
    ];
    outputs.iter().map(|output| serde_json::from_str(output).unwrap()).collect()
}

/// The document with one place of it changed, for each place and each of the changes that are tried there.
pub(super) fn changed(document: &Value) -> Vec<(String, Value)> {
    let mut places = Vec::new();
    walk(document, String::new(), &mut places);
    let mut changed = Vec::new();
    for place in places {
        let mut change = |what: &str, change: &dyn Fn(&mut Value)| {
            let mut copy = document.clone();
            change(copy.pointer_mut(&place).unwrap());
            changed.push((format!("{place}: {what}"), copy));
        };
        match document.pointer(&place).unwrap() {
            Value::Object(fields) => {
                change("a field more", &|object| object["unknown"] = json!(1));
                // Names of stalls and bases are left out where they have no cycles.
                let is_open = place.ends_with("/stalls") || place.ends_with("/basis");
                for name in fields.keys().filter(|name| !is_open && !is_optional(&place, name)) {
                    change(&format!("no {name}"), &|object| {
                        object.as_object_mut().unwrap().remove(name);
                    });
                }
            }
            Value::Array(_) => change("no list", &|list| *list = json!({})),
            Value::String(_) => change("no text", &|text| *text = json!(1)),
            Value::Number(_) => {
                change("no number", &|number| *number = json!("1"));
                change("below zero", &|number| *number = json!(-1));
            }
            Value::Bool(_) => change("neither true nor false", &|truth| *truth = json!(0)),
            Value::Null => change("a text", &|null| *null = json!("all")),
        }
    }
    changed
}

/// Whether a field may be left out; every instruction has a source, a latency may have none.
fn is_optional(place: &str, name: &str) -> bool {
    OPTIONAL.contains(&name) && !(place.contains("/instructions/") && name == "source")
}

/// The places of a document; of a list, its first element.
fn walk(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| walk(value, format!("{place}/{name}"), places)),
        Value::Array(list) => list.iter().take(1).for_each(|value| walk(value, format!("{place}/0"), places)),
        _ => {}
    }
    places.push(place);
}

#[test]
fn json_follows_its_schema() {
    let schema = Schema::read();
    let outputs = outputs();
    for output in &outputs {
        assert_eq!(schema.refuses(output), None);
    }
    assert_eq!(
        outputs.iter().map(|output| output["predictions"].as_array().unwrap().len()).sum::<usize>(),
        9 + 1 + 2 + 1 + 1 + 1 + 2 + 2
    );
    // No group is named: all waves are one.
    assert_eq!(outputs[0]["predictions"][0]["question"]["waves_per_group"], Value::Null);
    assert_eq!(outputs[1]["predictions"][0]["question"]["waves_per_group"], 2);
}

#[test]
fn a_document_that_differs_anywhere_is_refused() {
    let schema = Schema::read();
    let mut tried = 0;
    for output in outputs() {
        for (what, document) in changed(&output) {
            assert!(schema.refuses(&document).is_some(), "{what} is not refused");
            tried += 1;
        }
    }
    assert!(tried > 400, "{tried}");
}

/// Every field has a description, its own or that of its type.
#[test]
fn every_field_is_described() {
    let mut count = 0;
    for text in [SCHEMA, COMPARE_SCHEMA, LIBRARY_SCHEMA] {
        let schema: Value = serde_json::from_str(text).unwrap();
        let mut places = Vec::new();
        walk(&schema, String::new(), &mut places);
        let fields = places.iter().filter(|place| place.rsplit('/').nth(1) == Some("properties"));
        for place in fields {
            let field = schema.pointer(place).unwrap();
            // What refers to the other file has a description of its own.
            let refers = field["$ref"].as_str().and_then(|to| schema.pointer(to.strip_prefix('#')?));
            let described = [Some(field), refers].into_iter().flatten().any(|field| field["description"].is_string());
            assert!(described, "{place}");
            count += 1;
        }
    }
    assert!(count > 80, "{count}");
}
