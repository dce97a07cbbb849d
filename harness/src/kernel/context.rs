//! The values of the templates, each of which is named here alone.

use serde::Serialize;

use super::KernelPlan;
use super::layout::{
    BEGIN, COMPLETION_MARK, END, READINGS_BYTES, REALTIME_BEGIN, REALTIME_END, RECORD_BYTES, SCRATCH_BYTES,
};
use super::plan::Section;
use super::registers::InitialValue;
use super::repairs::Repairs;
use crate::device::LdsRequest;
use gcn_model::isa::{DependencyTracking, Generation, GroupMode, Processor};

/// The values of what a module has around its kernels.
#[derive(Serialize)]
pub(super) struct ModuleContext<'a> {
    target: String,
    kernarg_bytes: u32,
    lds_is_argument: bool,
    lanes: u32,
    kernels: Vec<MetadataContext<'a>>,
}

#[derive(Serialize)]
struct MetadataContext<'a> {
    name: &'a str,
    private_bytes: u32,
    vgprs: u32,
    sgpr_count: u32,
}

/// The values of a kernel.
#[derive(Serialize)]
pub(super) struct KernelContext<'a> {
    name: &'a str,
    experiment: &'a str,
    purpose: &'a str,
    block_text: String,
    initial_values: String,
    vector_values: &'a [InitialValue],
    scalar_values: &'a [InitialValue],
    setup: &'a [String],
    has_scratch: bool,
    log2_scratch_bytes: u32,
    sections: Vec<SectionContext<'a>>,
    has_loops: bool,
    warm_repeats: u32,
    size_offset: String,
    passes_offset: String,
    scratch_offset: String,
    place: &'a str,
    xcc: Option<&'a str>,
    xcc_shift: u8,
    realtime_begin: Option<String>,
    realtime_end: Option<String>,
    wait: &'a str,
    dp_rate: Option<&'a str>,
    log2_lanes: u32,
    last_lane: u32,
    can_reserve_flat_scratch: bool,
    has_ieee_mode: bool,
    private_bytes: u32,
    has_architected_ids: bool,
    flat_scratch: u32,
    log2_waves_per_group: u32,
    readings_exec: &'static str,
    record_bytes: u32,
    readings_bytes: u32,
    completion_mark: String,
    record_offset: u8,
    record: u8,
    readings: [u8; 4],
    has_fillers: bool,
    before_readings: Vec<String>,
    vgprs: u32,
    accumulation_offset: Option<u32>,
    sgprs: u32,
    kernarg_bytes: u32,
    descriptor_word: String,
    has_wave_sizes: bool,
    is_wave32: u32,
    is_of_processor: u32,
    #[serde(flatten)]
    repairs: Repairs,
}

#[derive(Serialize)]
struct SectionContext<'a> {
    name: &'a str,
    readings: [u8; 4],
    block_text: String,
    n: u32,
    /// The lines of all blocks, as one text: to render them one by one takes half of the time of a kernel.
    timed_code: String,
    lead: u32,
    m0: &'static str,
    before: Vec<String>,
    after: &'a [String],
    samples: u32,
    warm_passes: u32,
    passes: u32,
    repeats: Option<u32>,
    warm_repeats: u32,
    is_skewed: bool,
    /// S_SLEEP ends at the ticks of a clock, as on gfx1100: waves would begin at the same one, or at two.
    pauses_with_nops: bool,
    /// Vector instructions of the pass before are waited for: where waves continue before results, the next window would begin among them.
    drains: bool,
    begin: Vec<String>,
    end: Vec<String>,
    #[serde(flatten)]
    repairs: Repairs,
}

impl<'a> ModuleContext<'a> {
    pub(super) fn of(
        lds: LdsRequest,
        target: &str,
        (generation, lanes): (Generation, u32),
        plans: &'a [KernelPlan],
    ) -> Self {
        let kernels = plans.iter().map(|plan| MetadataContext {
            name: &plan.name,
            private_bytes: plan.snippet.private_bytes,
            vgprs: plan.allocation.all_vgprs(&generation.descriptor),
            sgpr_count: plan.allocation.with_extra(plan.snippet.has_flat_scratch),
        });
        Self {
            target: Processor::without_wave_size(target),
            kernarg_bytes: kernarg_bytes(lds),
            lds_is_argument: lds == LdsRequest::Argument,
            lanes,
            kernels: kernels.collect(),
        }
    }
}

impl<'a> KernelContext<'a> {
    pub(super) fn of(
        kernarg_bytes: u32,
        (generation, lanes): (&'a Generation, u32),
        repairs: Repairs,
        plan: &'a KernelPlan,
    ) -> Self {
        // Long: the values of the templates, each once.
        let assembly = &generation.assembly;
        let offset = |bytes: u32| format!("{:#x}", bytes / generation.scalar_memory.offset_unit_bytes);
        let sections = plan.sections.iter().map(|section| SectionContext::of(plan, *section, *generation, repairs));
        Self {
            name: &plan.name,
            experiment: &plan.experiment,
            purpose: &plan.purpose,
            block_text: plan.block_text(),
            initial_values: initial_values(plan),
            vector_values: &plan.snippet.vector_values,
            scalar_values: &plan.snippet.scalar_values,
            setup: &plan.snippet.setup,
            has_scratch: plan.snippet.has_scratch,
            log2_scratch_bytes: SCRATCH_BYTES.ilog2(),
            sections: sections.collect(),
            has_loops: plan.loops().is_some(),
            warm_repeats: plan.loops().map_or(0, |loops| loops.warm),
            size_offset: offset(8),
            passes_offset: offset(12),
            scratch_offset: offset(16),
            place: &assembly.place,
            xcc: assembly.xcc.as_deref(),
            xcc_shift: generation.place.xcc.as_ref().map_or(0, |xcc| xcc.kept.low),
            realtime_begin: assembly.read_realtime(REALTIME_BEGIN),
            realtime_end: assembly.read_realtime(REALTIME_END),
            wait: &assembly.wait_scalar,
            dp_rate: assembly.dp_rate.as_deref(),
            log2_lanes: lanes.ilog2(),
            last_lane: lanes - 1,
            can_reserve_flat_scratch: generation.descriptor.reserves_flat_scratch,
            private_bytes: plan.snippet.private_bytes,
            has_ieee_mode: generation.descriptor.has_ieee_mode,
            has_architected_ids: generation.descriptor.architected_workgroup_ids,
            flat_scratch: u32::from(plan.snippet.has_flat_scratch),
            log2_waves_per_group: plan.log2_waves_per_group,
            readings_exec: plan.readings_exec(),
            record_bytes: RECORD_BYTES,
            readings_bytes: READINGS_BYTES,
            completion_mark: format!("{COMPLETION_MARK:#x}"),
            record_offset: plan.allocation.record_offset(),
            record: plan.places.record,
            readings: plan.places.readings(),
            has_fillers: plan.allocation.has_fillers(),
            before_readings: [BEGIN, END].into_iter().flat_map(|first| assembly.before_readings(first)).collect(),
            vgprs: plan.allocation.all_vgprs(&generation.descriptor),
            accumulation_offset: plan.allocation.accumulation_offset(&generation.descriptor),
            sgprs: plan.allocation.sgprs,
            kernarg_bytes,
            descriptor_word: format!("{:#x}", generation.buffers.descriptor_word),
            has_wave_sizes: generation.has_wave_sizes(),
            is_wave32: u32::from(lanes == 32),
            is_of_processor: u32::from(plan.mode == GroupMode::Processor),
            repairs,
        }
    }
}

impl<'a> SectionContext<'a> {
    fn of(plan: &'a KernelPlan, section: Section, generation: Generation, repairs: Repairs) -> Self {
        let [begin, end] = [BEGIN, END].map(|first| generation.assembly.read_cycles(first));
        // The reading stands before the timed code, which starts two lines of 64 bytes.
        let lead = START_DWORDS - begin.iter().map(|line| dwords(line, generation)).sum::<u32>();
        let has_scoreboard = generation.waves.dependency_tracking == DependencyTracking::Scoreboard;
        Self {
            name: &plan.name,
            readings: plan.places.readings(),
            block_text: plan.block_text(),
            n: section.n,
            timed_code: plan.lines(section).join("\n    "),
            lead,
            m0: plan.snippet.m0,
            before: plan.before(section),
            after: &plan.snippet.after,
            samples: plan.samples,
            warm_passes: plan.warm_passes,
            passes: plan.samples + plan.warm_passes,
            repeats: section.loops.map(|loops| loops.timed),
            warm_repeats: section.loops.map_or(0, |loops| loops.warm),
            is_skewed: plan.block.fillers() > 0,
            pauses_with_nops: has_scoreboard,
            drains: has_scoreboard,
            begin,
            end,
            repairs,
        }
    }
}

/// The timed code starts at a multiple of this many dwords: those of two lines of the instruction cache, since a block may be longer than one.
const START_DWORDS: u32 = 32;

/// Size of the instruction in a line of text, by its mnemonic.
fn dwords(line: &str, generation: Generation) -> u32 {
    let mnemonic = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
    generation.instruction(&mnemonic).map_or(1, |instruction| instruction.dwords().0.into())
}

/// Kernel arguments, bytes: u64 results, u32 their size, u32 passes of longer code, u64 scratch memory, and u32 LDS where it is an argument.
pub(super) fn kernarg_bytes(lds: LdsRequest) -> u32 {
    match lds {
        LdsRequest::Launch => 24,
        LdsRequest::Argument => 28,
    }
}

/// The values of the sources, in words.
pub fn initial_values(plan: &KernelPlan) -> String {
    let named = |file: char, values: &[InitialValue]| -> Vec<String> {
        values.iter().map(|value| format!("{file}{} = {}", value.register, value.value)).collect()
    };
    let mut values = named('v', &plan.snippet.vector_values);
    values.extend(named('s', &plan.snippet.scalar_values));
    values.push("exec = -1".into());
    values.push("vcc = 0".into());
    values.push(format!("m0 = {}", plan.snippet.m0));
    // Comments of the listing do not belong in the record.
    let setup = plan.snippet.setup.iter().map(|line| line.split("//").next().unwrap_or(line));
    values.extend(setup.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")));
    values.join(", ")
}
