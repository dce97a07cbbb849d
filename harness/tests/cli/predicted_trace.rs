//! `predict --format trace`, read as the trace event format says.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use super::predicted::{LOOP, of_text};
use super::run;

/// Loads of both counters, and waits that each wait for one of them.
const LOADS: &str = "a:\ns_load_dword s4, s[0:1], 0x0\nbuffer_load_dword v1, v0, s[8:11], 0 offen\n\
    buffer_load_dword v2, v0, s[8:11], 0 offen\ns_waitcnt lgkmcnt(0)\ns_waitcnt vmcnt(1)\nv_rcp_f32 v3, v1\n\
    s_waitcnt vmcnt(0)\ns_barrier\ns_cbranch_scc1 a\n";

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Trace {
    display_time_unit: String,
    other_data: OtherData,
    trace_events: Vec<Event>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherData {
    tool: String,
    version: String,
    simulated: bool,
    time: String,
    gpu: String,
    target: String,
    windows: Vec<Window>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Window {
    region: String,
    waves_per_simd: u32,
    simds: u32,
    start_cycle: u64,
    cycles: u64,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "ph", deny_unknown_fields)]
enum Event {
    M {
        name: String,
        pid: u32,
        tid: u32,
        args: BTreeMap<String, Value>,
    },
    X {
        name: String,
        cat: String,
        ts: u64,
        dur: u64,
        pid: u32,
        tid: u32,
        args: Arguments,
    },
    #[serde(rename = "s")]
    Start {
        name: String,
        cat: String,
        id: u64,
        ts: u64,
        pid: u32,
        tid: u32,
    },
    #[serde(rename = "f")]
    Finish {
        name: String,
        cat: String,
        id: u64,
        bp: String,
        ts: u64,
        pid: u32,
        tid: u32,
    },
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    address: String,
    instruction: String,
    reason: String,
}

#[derive(Debug)]
struct Slice {
    start: u64,
    end: u64,
    told: Arguments,
}

/// The slices of each thread of each process.
type Slices = BTreeMap<(u32, u32), Vec<Slice>>;

impl Trace {
    fn read(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}"))
    }

    fn slices(&self) -> Slices {
        let mut slices = Slices::new();
        for event in &self.trace_events {
            let Event::X { name, cat, ts, dur, pid, tid, args } = event else { continue };
            let is_issue = args.reason == "issue";
            assert_eq!(*name, if is_issue { args.instruction.as_str() } else { &args.reason });
            assert_eq!(cat, if is_issue { "issue" } else { "stall" });
            let slice = Slice { start: *ts, end: ts + dur, told: args.clone() };
            slices.entry((*pid, *tid)).or_default().push(slice);
        }
        slices
    }

    /// The names of the processes or threads, by their numbers.
    fn names(&self, what: &str) -> BTreeMap<(u32, u32), String> {
        let named = self.trace_events.iter().filter_map(|event| match event {
            Event::M { name, pid, tid, args } if name == what => {
                Some(((*pid, *tid), args["name"].as_str().unwrap().to_owned()))
            }
            _ => None,
        });
        named.collect()
    }
}

/// Cycles of all slices, by address and reason.
fn sums(slices: &Slices) -> BTreeMap<(String, String), f64> {
    let mut sums = BTreeMap::new();
    for slice in slices.values().flatten() {
        let key = (slice.told.address.clone(), slice.told.reason.clone());
        *sums.entry(key).or_default() += (slice.end - slice.start) as f64;
    }
    sums
}

#[test]
fn each_wave_fills_the_window_without_overlap() {
    let said = run(&["predict", LOOP, "--gpu", "fiji", "--waves", "3", "--format", "trace", "--trace-window", "700"]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    let trace = Trace::read(&said.out);
    let slices = trace.slices();
    assert_eq!(slices.len(), 12);
    for (thread, slices) in &slices {
        let mut until = 0;
        for slice in slices {
            assert!(slice.start == until && slice.end > until, "{thread:?}: {slice:?} behind {until}");
            until = slice.end;
        }
        assert_eq!(until, 700, "{thread:?}");
    }
    let processes: BTreeSet<u32> = slices.keys().map(|(pid, _)| *pid).collect();
    assert_eq!(processes, BTreeSet::from([1, 2, 3, 4]), "a process for each SIMD");
    assert_eq!(trace.names("process_name")[&(2, 0)], "loop at 0x0, 3 waves on each SIMD: SIMD 1");
    let names = trace.names("thread_name");
    assert_eq!(names.keys().collect::<Vec<_>>(), slices.keys().collect::<Vec<_>>());
    let waves: BTreeSet<String> = names.into_values().collect();
    assert_eq!(waves, (0..12).map(|wave| format!("wave {wave}")).collect());

    let told = &trace.other_data;
    assert!(told.simulated && told.tool == "gcn-timings predict" && !told.version.is_empty());
    assert_eq!((told.gpu.as_str(), told.target.as_str()), ("fiji", "gfx803"));
    assert_eq!((told.time.as_str(), trace.display_time_unit.as_str()), ("1 µs of the trace is 1 shader cycle", "ns"));
    let window = &told.windows[0];
    assert_eq!((window.region.as_str(), window.waves_per_simd, window.simds), ("loop at 0x0", 3, 4));
    assert_eq!(window.cycles, 700);
    assert!(window.start_cycle > 1000, "the waves have started long before");
}

#[test]
fn whole_iterations_of_a_trace_are_the_lines_of_the_prediction() {
    const ITERATIONS: f64 = 3.0;
    let of_lds = std::fs::read_to_string(LOOP).unwrap();
    for (code, simds) in [(LOADS, "1"), (&of_lds, "4")] {
        let arguments = |format| ["--gpu", "fiji", "--simds", simds, "--format", format];
        let json: Value = serde_json::from_str(&of_text(code, &arguments("json")).out).unwrap();
        let prediction = &json["predictions"][0];
        let cycles = prediction["cycles_per_iteration"].as_f64().unwrap();
        assert_eq!(cycles.fract(), 0.0, "each iteration is like the others");
        let window = format!("{}", cycles * ITERATIONS);
        let said = of_text(code, &[&arguments("trace")[..], &["--trace-window", &window]].concat());
        let slices = Trace::read(&said.out).slices();
        let waves = slices.len() as f64;
        let mut expected = BTreeMap::new();
        for line in prediction["instructions"].as_array().unwrap() {
            let address = format!("{:#08x}", line["address"].as_u64().unwrap());
            let stalls = line["stalls"].as_object().unwrap().iter();
            let parts = stalls.map(|(stall, cycles)| (stall.as_str(), cycles)).chain([("issue", &line["issue"])]);
            for (reason, cycles) in parts {
                let cycles = cycles.as_f64().unwrap() * ITERATIONS * waves;
                expected.insert((address.clone(), reason.to_owned()), cycles);
            }
        }
        let sums = sums(&slices);
        assert_eq!(sums.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (key, cycles) in &expected {
            assert!((sums[key] - cycles).abs() < 1e-6, "{key:?}: {} of {cycles}", sums[key]);
        }
    }
}

#[test]
fn flows_lead_from_memory_to_the_wait_for_it() {
    let arguments = ["--gpu", "fiji", "--waves", "2", "--format", "trace", "--trace-window", "5000"];
    let trace = Trace::read(&of_text(LOADS, &arguments).out);
    let slices = trace.slices();
    let at = |thread: (u32, u32), cycle: u64| {
        let found = slices[&thread].iter().find(|slice| (slice.start..slice.end).contains(&cycle));
        found.unwrap_or_else(|| panic!("nothing at {cycle} of {thread:?}")).told.clone()
    };
    let mut starts = BTreeMap::new();
    let mut flows: BTreeMap<(String, String), u32> = BTreeMap::new();
    for event in &trace.trace_events {
        match event {
            Event::Start { name, cat, id, ts, pid, tid } => {
                assert_eq!((name.as_str(), cat.as_str()), ("waits for", "memory"));
                assert!(starts.insert(*id, (*pid, *tid, *ts)).is_none());
            }
            Event::Finish { name, cat, id, bp, ts, pid, tid } => {
                assert_eq!((name.as_str(), cat.as_str(), bp.as_str()), ("waits for", "memory", "e"));
                let (start_pid, start_tid, start) = starts.remove(id).expect("it has a start");
                assert_eq!((start_pid, start_tid), (*pid, *tid));
                assert!(start < *ts);
                let [from, to] = [start, *ts].map(|cycle| at((*pid, *tid), cycle));
                assert_eq!(from.reason, "issue");
                *flows.entry((from.address, to.address)).or_default() += 1;
            }
            Event::M { pid, .. } | Event::X { pid, .. } => assert!(*pid > 0),
        }
    }
    assert!(starts.is_empty(), "each of them ends");
    // The scalar load, the first and the second load of vector memory; each has its own wait.
    let pairs: Vec<_> = flows.keys().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    assert_eq!(pairs, [("0x000000", "0x000018"), ("0x000008", "0x00001c"), ("0x000010", "0x000024")]);
    assert!(flows.values().all(|count| *count > 8 * 5), "{flows:?}");
    assert_eq!(slices.len(), 8);
}
