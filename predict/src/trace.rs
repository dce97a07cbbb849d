//! Timelines in the trace event format, which Perfetto and the tracing page of Chromium open.
//!
//! The fields are those of "Trace Event Format" (Google, 2016): complete events `X`, metadata `M`, flows from `s` to `f`.

use gcn_model::gpu::Gpu;
use serde::Serialize;

use crate::prediction::Prediction;
use crate::recorded::Recorded;
use crate::timeline::WaveTimeline;

/// Default shader cycles of a trace.
pub const TRACE_CYCLES: u64 = 5_000;
/// Facts that no viewer shows otherwise.
const UNIT: &str = "simulated; 1 µs is 1 shader cycle";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Trace<'a> {
    display_time_unit: &'static str,
    other_data: OtherData<'a>,
    trace_events: Vec<Event<'a>>,
}

#[derive(Serialize)]
struct OtherData<'a> {
    tool: &'static str,
    version: &'static str,
    simulated: bool,
    time: &'static str,
    gpu: &'a str,
    target: &'a str,
    /// The processes: the window of each prediction.
    windows: Vec<Window<'a>>,
}

#[derive(Serialize)]
struct Window<'a> {
    region: &'a str,
    waves_per_simd: u32,
    simds: u32,
    /// Shader cycles from the start of the run to that of the window.
    start_cycle: u64,
    cycles: u64,
}

/// An event. A process is a SIMD, a thread is a wave; times are shader cycles from the start of the window.
#[derive(Serialize)]
#[serde(tag = "ph")]
enum Event<'a> {
    #[serde(rename = "M")]
    Metadata { name: &'static str, pid: u32, tid: u32, args: Told },
    #[serde(rename = "X")]
    Segment { name: &'a str, cat: &'static str, ts: u64, dur: u64, pid: u32, tid: u32, args: Arguments<'a> },
    #[serde(rename = "s")]
    Under { name: &'static str, cat: &'static str, id: usize, ts: u64, pid: u32, tid: u32 },
    #[serde(rename = "f")]
    Awaited { name: &'static str, cat: &'static str, id: usize, bp: &'static str, ts: u64, pid: u32, tid: u32 },
}

/// The content of a metadata event.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Told {
    Name(String),
    Labels(&'static str),
    SortIndex(u32),
}

#[derive(Serialize)]
struct Arguments<'a> {
    address: String,
    instruction: &'a str,
    /// Why the wave is stalled, or that it issues.
    reason: &'static str,
}

/// The actions of predictions' waves, as a trace: a line of JSON.
pub fn trace(gpu: &Gpu, recorded: &[Recorded]) -> String {
    let mut events = Vec::new();
    let (mut processes, mut flows) = (0, 0);
    for Recorded { prediction, timeline } in recorded {
        for simd in 0..prediction.question.simds {
            // Viewers keep process 0 and thread 0 for the idle one.
            processes += 1;
            events.extend(process(processes, simd, prediction));
            for wave in timeline.waves.iter().filter(|wave| wave.simd == simd) {
                events.extend(thread(processes, wave, prediction));
                events.extend(flights(processes, wave, &mut flows));
            }
        }
    }
    let trace = Trace {
        display_time_unit: "ns",
        other_data: OtherData {
            tool: "gcn-timings predict",
            version: env!("CARGO_PKG_VERSION"),
            simulated: true,
            time: "1 µs of the trace is 1 shader cycle",
            gpu: &gpu.name,
            target: gpu.processor().name(),
            windows: recorded.iter().map(Window::of).collect(),
        },
        trace_events: events,
    };
    serde_json::to_string(&trace).expect("memory takes every event") + "\n"
}

impl<'a> Window<'a> {
    fn of(recorded: &'a Recorded) -> Self {
        let Recorded { prediction, timeline } = recorded;
        Self {
            region: &prediction.region.name,
            waves_per_simd: prediction.question.waves_per_simd,
            simds: prediction.question.simds,
            start_cycle: timeline.start,
            cycles: timeline.cycles,
        }
    }
}

fn process(pid: u32, simd: u32, prediction: &Prediction) -> [Event<'static>; 3] {
    let waves = prediction.question.waves_per_simd;
    let plural = if waves == 1 { "" } else { "s" };
    let name = format!("{}, {waves} wave{plural} on each SIMD: SIMD {simd}", prediction.region.name);
    [
        Event::Metadata { name: "process_name", pid, tid: 0, args: Told::Name(name) },
        Event::Metadata { name: "process_labels", pid, tid: 0, args: Told::Labels(UNIT) },
        Event::Metadata { name: "process_sort_index", pid, tid: 0, args: Told::SortIndex(pid) },
    ]
}

fn thread<'a>(pid: u32, wave: &'a WaveTimeline, prediction: &'a Prediction) -> Vec<Event<'a>> {
    let tid = wave.wave + 1;
    let name = Told::Name(format!("wave {}", wave.wave));
    let mut events = vec![
        Event::Metadata { name: "thread_name", pid, tid, args: name },
        Event::Metadata { name: "thread_sort_index", pid, tid, args: Told::SortIndex(tid) },
    ];
    events.extend(wave.segments.iter().map(|segment| {
        let instruction = prediction.line(segment.address).map_or("", |line| line.text.as_str());
        let reason = segment.stall.map_or("issue", |stall| stall.name());
        Event::Segment {
            name: if segment.stall.is_some() { reason } else { instruction },
            cat: if segment.stall.is_some() { "stall" } else { "issue" },
            ts: segment.start,
            dur: segment.cycles,
            pid,
            tid,
            args: Arguments { address: format!("{:#08x}", segment.address), instruction, reason },
        }
    }));
    events
}

/// From each memory instruction to the wait for it.
fn flights(pid: u32, wave: &WaveTimeline, flows: &mut usize) -> Vec<Event<'static>> {
    let (name, cat, tid) = ("waits for", "memory", wave.wave + 1);
    let mut events = Vec::new();
    for flight in &wave.flights {
        *flows += 1;
        let [start, end] = [flight.memory, flight.wait].map(|segment| wave.segments[segment].start);
        events.push(Event::Under { name, cat, id: *flows, ts: start, pid, tid });
        events.push(Event::Awaited { name, cat, id: *flows, bp: "e", ts: end, pid, tid });
    }
    events
}
