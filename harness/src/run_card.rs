//! A run's folder as the card that a prediction is for.

use std::collections::BTreeMap;
use std::path::Path;

use gcn_analysis::{AnalysisError, DpClass, Measured, Results, Status, TimingRow, WayBack, analyze};
use gcn_model::gpu::{Gpu, GpuError, Lds, Provenance};
use gcn_model::isa::{Encoding, Processor};
use gcn_model::quantity::Cycles;
use gcn_predict::{Card, Conditions, MeasuredTiming, Span};

/// Why a run says nothing of a card.
#[derive(Debug, thiserror::Error)]
pub enum RunCardError {
    /// The folder is no run's, or damaged.
    #[error(transparent)]
    Run(#[from] AnalysisError),
    /// The GPU file that was measured cannot be read any more.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// No GPU of that target ships.
    #[error("{path}: the run is of a {target}, and no GPU with that target ships; there are {there}")]
    NoReference {
        path: String,
        target: String,
        /// Targets that there are.
        there: String,
    },
}

/// The instruction whose operand decides its length: its row is that of a single operand.
const BY_OPERAND: &str = "S_SLEEP";

/// A run's measured values, over the reference GPU that is nearest to its device.
///
/// Cycles and throughputs are those of the rows with status `ok`, a jump's those of S_BRANCH and S_CBRANCH_SCC0, latencies of memory those of
/// a load; lanes that the LDS serves together, queues, bytes that loads return, the order of waves, block, free dwords and penalty of the front end are taken where the run could tell them. Everything else is the reference's.
///
/// # Errors
/// A folder that is no run's, a target of which no GPU ships.
pub fn run_card(folder: &Path) -> Result<Card, RunCardError> {
    let analysis = analyze(folder)?;
    let (mut gpu, why) = reference(&analysis, folder)?;
    let reference = gpu.name.clone();
    let mut card = Card::from(&gpu);
    let rows = analysis.timings.iter().filter(|row| row.status == Status::Ok && row.instruction != BY_OPERAND);
    card.measured.extend(rows.filter_map(|row| Some((row.instruction.clone(), measured(row)?))));
    let processor = gpu.processor();
    // Generations have names of their own for what does the same.
    let is_named = |name: &str, what: &str| {
        processor.instruction(name).is_some_and(|instruction| instruction.canonical_name() == what)
    };
    let row =
        |what: &str| analysis.timings.iter().find(|row| row.status == Status::Ok && is_named(&row.instruction, what));
    let latency = |name: &str| row(name).and_then(|row| row.latency).map(whole);
    let taken = |row: &TimingRow| row.taken.map(whole);
    let (mut lacking, mut known) = (Vec::new(), Vec::new());
    let mut set = |what: &'static str, key: &'static str, to: &mut u32, found: Option<u32>| match found {
        Some(cycles) => {
            *to = cycles;
            known.push(key);
        }
        None => lacking.push(what),
    };
    let jump = row("S_BRANCH").or_else(|| row("S_CBRANCH_SCC0")).and_then(taken);
    set("jumps", "branch.taken_cycles", &mut gpu.branch.taken_cycles, jump);
    let [vector, scalar] = ["BUFFER_LOAD_DWORD", "S_LOAD_DWORD"].map(latency);
    set("vector memory", "vector_memory.latency_cycles", &mut gpu.vector_memory.latency_cycles, vector);
    set("scalar memory", "scalar_memory.latency_cycles", &mut gpu.scalar_memory.latency_cycles, scalar);
    set("LDS", "lds.latency_cycles", &mut gpu.lds.latency_cycles, latency("DS_READ_B32"));
    let lds = &mut gpu.lds;
    wide_loads_take_longer(lds, latency);
    lanes_served_together(&analysis, lds, is_named);
    if arrays_served_together(&analysis, lds, &mut card.measured, processor) {
        known.push("lds.wgp_arrays");
    }
    shared_by_waves(&analysis, &mut gpu, is_named);
    if !front_end(&analysis, &mut gpu) {
        lacking.push("alignment");
    }
    let record = &analysis.record;
    let conditions = Conditions { wave_size: record.device.lanes(), group_mode: record.device.group_mode() };
    // No estimate of the file any more.
    for key in known {
        gpu.origins.entry(key.to_owned()).and_modify(|origin| origin.provenance = Provenance::Stated);
    }
    card.gpu = gpu;
    card.conditions = Some(conditions);
    card.remarks.push(format!(
        "{} instructions as measured in {}{} on {}; all others, occupancy and delays are those of {reference}, {why}",
        card.measured.len(),
        folder.display(),
        if record.end.is_some() { "" } else { " (incomplete)" },
        record.device.name,
    ));
    if !lacking.is_empty() {
        card.remarks.push(format!("not measured in the run: {}; as on {reference}", lacking.join(", ")));
    }
    Ok(card)
}

/// Takes over by how much wide loads of the LDS take longer.
fn wide_loads_take_longer(lds: &mut Lds, latency: impl Fn(&str) -> Option<u32>) {
    for (name, added) in
        [("DS_READ_B64", &mut lds.load_b64_added_cycles), ("DS_READ_B128", &mut lds.load_b128_added_cycles)]
    {
        if let Some(cycles) = latency(name) {
            *added = cycles.saturating_sub(lds.latency_cycles);
        }
    }
}

/// Takes over how many arrays of the LDS serve a work-group processor at once, of a run in WGP mode.
///
/// Its throughputs are those of a compute unit. An array that serves two has twice that. Whether the run tells.
fn arrays_served_together(
    analysis: &Results,
    lds: &mut Lds,
    measured: &mut BTreeMap<String, MeasuredTiming>,
    processor: Processor,
) -> bool {
    let device = &analysis.record.device;
    let units = processor.generation.compute_units_of_group(device.group_mode());
    if units == 1 {
        return false;
    }
    let found = analysis.lds_banks.as_ref().and_then(|found| found.arrays);
    lds.wgp_arrays = found.unwrap_or(lds.wgp_arrays);
    let times = f64::from(units) / f64::from(lds.wgp_arrays);
    let of_lds = |name: &str| processor.instruction(name).is_some_and(|it| it.encoding == Encoding::Ds);
    for (_, timing) in measured.iter_mut().filter(|(name, _)| of_lds(name)) {
        let Some(Span { low, value, high }) = &mut timing.throughput else { continue };
        [low, value, high].into_iter().for_each(|throughput| *throughput *= times);
    }
    found.is_some()
}

/// Takes over the lanes that the LDS serves together, as far as a run tells them.
fn lanes_served_together(analysis: &Results, lds: &mut Lds, is_named: impl Fn(&str, &str) -> bool) {
    for row in &analysis.suites.lds_lanes {
        let of = [
            ("DS_READ_B64", &mut lds.load_b64_passes),
            ("DS_READ_B128", &mut lds.load_b128_passes),
            ("DS_WRITE_B64", &mut lds.store_b64_passes),
            ("DS_WRITE_B128", &mut lds.store_b128_passes),
        ];
        let of = of.into_iter().find(|(name, _)| is_named(&row.instruction, name));
        of.into_iter().for_each(|(_, passes)| *passes = row.passes.or(*passes));
    }
}

/// Takes over what a run tells of queues, of loads that return and of the order of waves.
fn shared_by_waves(analysis: &Results, gpu: &mut Gpu, is_named: impl Fn(&str, &str) -> bool) {
    let found = &analysis.suites.contention;
    for row in &found.queues {
        let is_of_lds = ["DS_READ_B64", "DS_READ_B128"].iter().any(|load| is_named(&row.instruction, load));
        let queue = if is_of_lds { &mut gpu.lds.queue } else { &mut gpu.vector_memory.queue };
        *queue = row.places.unwrap_or(*queue);
    }
    // Where the files have no limit, the cycles of the loads themselves have it.
    let memory = &mut gpu.vector_memory;
    if let Some(bytes) = found.returned(WayBack::Wave).filter(|_| memory.return_bytes > 0) {
        memory.return_bytes = bytes.value.round() as u32;
    }
    if let Some(bytes) = found.returned(WayBack::ComputeUnit).filter(|_| memory.unit_return_bytes > 0.0) {
        memory.unit_return_bytes = bytes.value;
    }
    let scheduling = &mut gpu.scheduling;
    scheduling.oldest_first = found.oldest_first().unwrap_or(scheduling.oldest_first);
    scheduling.heeds_priority = found.heeds_priority().unwrap_or(scheduling.heeds_priority);
}

/// Takes over what a run says of the front end; false if it says nothing.
fn front_end(analysis: &Results, gpu: &mut Gpu) -> bool {
    match analysis.front_end.as_ref().filter(|found| !found.instructions.is_empty()) {
        Some(found) if found.penalty.0 == 0.0 => gpu.front_end.penalty_cycles = 0,
        Some(found) => {
            gpu.front_end.penalty_cycles = found.penalty.0.round() as u32;
            gpu.front_end.free_dwords = found.free_dwords;
            gpu.front_end.block = found.block.unwrap_or(gpu.front_end.block);
        }
        None => return false,
    }
    true
}

/// The measured cycles of an instruction, and its throughput where that is no bound.
fn measured(row: &TimingRow) -> Option<MeasuredTiming> {
    let cycles = span(row.cycles?);
    let cycles = row.cycles_snapped.map_or(cycles, |snapped| Span { value: snapped.0, ..cycles });
    let throughput = row.throughput.filter(|_| !row.throughput_is_least).map(span);
    Some(MeasuredTiming { cycles, throughput: throughput.filter(|throughput| throughput.low > 0.0) })
}

fn span<Q: Into<f64> + Copy>(measured: Measured<Q>) -> Span {
    let [value, low, high] = measured.numbers();
    Span { low, value, high }
}

fn whole(measured: Measured<Cycles>) -> u32 {
    measured.value.0.round().max(0.0) as u32
}

/// The GPU that is the nearest to a run's device of those that ship, and why it is this one.
fn reference(analysis: &Results, folder: &Path) -> Result<(Gpu, String), RunCardError> {
    let device = &analysis.record.device;
    let of_target: Vec<Gpu> =
        Gpu::shipped().filter_map(|name| Gpu::named(name).ok()).filter(|gpu| gpu.gfx_target == device.target).collect();
    let named = device.device.trim_start_matches("sim:");
    if let Some(same) = of_target.iter().find(|gpu| gpu.name == named) {
        return Ok((same.clone(), "the same product".to_owned()));
    }
    let factor =
        analysis.dpfactor.as_ref().ok().filter(|found| found.class == DpClass::Known).map(|found| found.dpfactor);
    let fits = |gpu: &&Gpu| factor.is_some_and(|factor| gpu.dp_factor == factor);
    if let Some(alike) = of_target.iter().find(fits) {
        return Ok((alike.clone(), "a product of the same target and DPFACTOR".to_owned()));
    }
    let first = of_target.into_iter().next().ok_or_else(|| RunCardError::NoReference {
        path: folder.display().to_string(),
        target: device.target.clone(),
        there: Processor::all().map(Processor::name).collect::<Vec<_>>().join(", "),
    })?;
    Ok((first, "a product of the same target".to_owned()))
}
