//! The Handlebars templates of the kernels, and their rendering.
//!
//! Every line of a template carries a mark with its number through the rendering, so that a line that does not
//! assemble can be shown with the template and the line that it came from.
// Long: the values of the templates, which are named here alone.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use handlebars::Handlebars;
use serde::Serialize;

use super::align::aligned;
use super::layout::{
    BEGIN, COMPLETION_MARK, END, READINGS_BYTES, REALTIME_BEGIN, REALTIME_END, RECORD_BYTES, SCRATCH_BYTES,
};
use super::registers::InitialValue;
use super::repairs::Repairs;
use super::{KernelError, KernelPlan, partials};
use crate::assembler::{KernelSource, ModuleSource, Origin, Text};
use crate::device::LdsRequest;
use gcn_model::isa::{DependencyTracking, Generation, GroupMode, Processor};
use gcn_model::regular_file;

/// Starts the mark of a line; it cannot occur in a template.
const MARK: char = '\u{1}';
/// The most bytes that a template may have: a hundred times those of the largest that ships.
const MOST_BYTES: u64 = 1 << 20;
/// The templates that ship.
const SHIPPED: [(&str, &str); 10] = [
    ("module", include_str!("../../../templates/module.s.hbs")),
    ("kernel", include_str!("../../../templates/kernel.s.hbs")),
    ("prologue", include_str!("../../../templates/prologue.s.hbs")),
    ("inputs", include_str!("../../../templates/inputs.s.hbs")),
    ("timed", include_str!("../../../templates/timed.s.hbs")),
    ("looped", include_str!("../../../templates/looped.s.hbs")),
    ("longer", include_str!("../../../templates/longer.s.hbs")),
    ("epilogue", include_str!("../../../templates/epilogue.s.hbs")),
    ("descriptor", include_str!("../../../templates/descriptor.s.hbs")),
    ("metadata", include_str!("../../../templates/metadata.s.hbs")),
];

/// A set of templates, ready to render.
#[derive(Debug)]
pub struct Templates {
    handlebars: Handlebars<'static>,
    files: Vec<Arc<str>>,
}

#[derive(Serialize)]
struct ModuleContext<'a> {
    target: &'a str,
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

#[derive(Serialize)]
struct KernelContext<'a> {
    name: &'a str,
    experiment: &'a str,
    purpose: &'a str,
    block_text: &'a str,
    initial_values: &'a str,
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
    block_text: &'a str,
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
    /// Vector instructions of the pass before are waited for: where waves continue before results, the next window would begin among them.
    drains: bool,
    begin: &'a [String],
    end: &'a [String],
    #[serde(flatten)]
    repairs: Repairs,
}

impl Templates {
    /// The templates that ship.
    ///
    /// # Errors
    /// None, as tests show; the type is that of [`Templates::from_folder`].
    pub fn shipped() -> Result<Self, KernelError> {
        Self::new(SHIPPED.map(|(name, text)| (name, format!("templates/{name}.s.hbs"), text.to_owned())))
    }

    /// The templates of a folder of the user's.
    ///
    /// # Errors
    /// A file that is missing or not a template.
    pub fn from_folder(folder: &Path) -> Result<Self, KernelError> {
        let mut files = Vec::new();
        for (name, _) in SHIPPED {
            let path = folder.join(format!("{name}.s.hbs"));
            let text = regular_file::read_to_string(&path, MOST_BYTES)
                .map_err(|cause| KernelError::Read { path: path.clone(), cause })?;
            files.push((name, path.display().to_string(), text));
        }
        Self::new(files)
    }

    fn new(files: impl IntoIterator<Item = (&'static str, String, String)>) -> Result<Self, KernelError> {
        let mut handlebars = Handlebars::new();
        handlebars.set_strict_mode(true);
        handlebars.register_escape_fn(handlebars::no_escape);
        let mut names = Vec::new();
        let files: Vec<_> = files.into_iter().collect();
        let texts: Vec<_> = files.iter().map(|(name, _, text)| (*name, text.as_str())).collect();
        partials::check(&texts)
            .map_err(|(place, problem)| KernelError::Template { name: files[place].1.clone(), problem })?;
        for (index, (name, file, text)) in files.into_iter().enumerate() {
            handlebars
                .register_template_string(name, marked(&text, index))
                .map_err(|error| KernelError::Template { name: file.clone(), problem: unmarked(&error.to_string()) })?;
            names.push(Arc::from(file));
        }
        Ok(Self { handlebars, files: names })
    }

    /// The module that holds kernels whose LDS is the launch's business, as text for the assembler.
    ///
    /// # Errors
    /// A template that cannot be rendered.
    pub fn module(
        &self,
        target: &str,
        generation: Generation,
        plans: &[KernelPlan],
    ) -> Result<ModuleSource, KernelError> {
        self.module_for(LdsRequest::Launch, target, generation, plans)
    }

    /// Likewise for a device that requests LDS in its own way. Machine code, registers and other arguments are the same in each.
    ///
    /// # Errors
    /// A template that cannot be rendered.
    pub fn module_for(
        &self,
        lds: LdsRequest,
        target: &str,
        generation: Generation,
        plans: &[KernelPlan],
    ) -> Result<ModuleSource, KernelError> {
        let kernarg_bytes = kernarg_bytes(lds);
        let processor = Processor::find(target);
        let lanes = processor.map_or(generation.lanes(), Processor::wave_size);
        let repairs = processor.map_or_else(Repairs::default, Repairs::of);
        use rayon::prelude::*;
        let kernels = plans
            .par_iter()
            .map(|plan| {
                Ok(KernelSource {
                    name: plan.name.clone(),
                    text: self.kernel(kernarg_bytes, (generation, lanes), repairs, plan)?,
                })
            })
            .collect::<Result<Vec<_>, KernelError>>()?;
        let metadata = plans
            .iter()
            .map(|plan| {
                let sgpr_count = plan.allocation.with_extra(plan.snippet.has_flat_scratch);
                let vgprs = plan.allocation.all_vgprs(&generation.descriptor);
                MetadataContext { name: &plan.name, private_bytes: plan.snippet.private_bytes, vgprs, sgpr_count }
            })
            .collect();
        let context = ModuleContext {
            target: &Processor::without_wave_size(target),
            kernarg_bytes,
            lds_is_argument: lds == LdsRequest::Argument,
            lanes,
            kernels: metadata,
        };
        let header = self.render("module", &context)?;
        let footer = self.render("metadata", &context)?;
        Ok(ModuleSource { target: target.into(), header, kernels, footer })
    }

    fn kernel(
        &self,
        kernarg_bytes: u32,
        (generation, lanes): (Generation, u32),
        repairs: Repairs,
        plan: &KernelPlan,
    ) -> Result<Text, KernelError> {
        // Long: the values of the templates, each once.
        let block_text = plan.block_text();
        let initial_values = initial_values(plan);
        let assembly = &generation.assembly;
        let [begin, end] = [BEGIN, END].map(|first| assembly.read_cycles(first));
        // The reading stands before the timed code, which starts two lines of 64 bytes.
        let lead = START_DWORDS - begin.iter().map(|line| dwords(line, generation)).sum::<u32>();
        let offset = |bytes: u32| format!("{:#x}", bytes / generation.scalar_memory.offset_unit_bytes);
        let sections = plan.sections.iter().map(|section| SectionContext {
            name: &plan.name,
            readings: plan.places.readings(),
            block_text: &block_text,
            n: section.n,
            timed_code: plan.lines(*section).join("\n    "),
            lead,
            m0: plan.snippet.m0,
            before: plan.before(*section),
            after: &plan.snippet.after,
            samples: plan.samples,
            warm_passes: plan.warm_passes,
            passes: plan.samples + plan.warm_passes,
            repeats: section.loops.map(|loops| loops.timed),
            warm_repeats: section.loops.map_or(0, |loops| loops.warm),
            is_skewed: plan.block.fillers() > 0,
            drains: generation.waves.dependency_tracking == DependencyTracking::Scoreboard,
            begin: &begin,
            end: &end,
            repairs,
        });
        let context = KernelContext {
            name: &plan.name,
            experiment: &plan.experiment,
            purpose: &plan.purpose,
            block_text: &block_text,
            initial_values: &initial_values,
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
        };
        self.render("kernel", &context)
    }

    fn render(&self, template: &str, context: &impl Serialize) -> Result<Text, KernelError> {
        let rendered = self.handlebars.render(template, context).map_err(|error| KernelError::Template {
            name: error.template_name.clone().unwrap_or_else(|| template.into()),
            problem: unmarked(&error.to_string()),
        })?;
        let mut text = Text::new();
        let mut origin = Origin { template: self.files[0].clone(), line: 1 };
        // Text of the context that holds line breaks leaves its first lines without a mark: they are of the line that ends with one.
        let mut waiting = Vec::new();
        for line in rendered.lines() {
            let (line, mark) = line.split_once(MARK).unwrap_or((line, ""));
            waiting.push(line);
            if let Some((file, number)) = mark.split_once(':')
                && let (Ok(file), Ok(number)) = (file.parse::<usize>(), number.parse())
                && let Some(file) = self.files.get(file)
            {
                origin = Origin { template: file.clone(), line: number };
                waiting.drain(..).for_each(|line| text.push(&aligned(line), &origin));
            }
        }
        waiting.into_iter().for_each(|line| text.push(&aligned(line), &origin));
        Ok(text)
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
fn kernarg_bytes(lds: LdsRequest) -> u32 {
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

/// Appends to each line that will be a line of the result a mark with the template and the line's number.
fn marked(text: &str, template: usize) -> String {
    let mut marked = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        marked.push_str(line);
        if !is_standalone(line) {
            let _ = write!(marked, "{MARK}{template}:{number}");
        }
        marked.push('\n');
    }
    marked
}

/// Whether a line holds nothing but one block tag or partial, which Handlebars takes out whole.
fn is_standalone(line: &str) -> bool {
    let line = line.trim();
    let inner = line.strip_prefix("{{").and_then(|line| line.strip_suffix("}}"));
    inner.is_some_and(|inner| {
        let is_tag = inner.starts_with(['#', '/', '>', '!']) || inner.trim() == "else";
        is_tag && !inner.contains("}}")
    })
}

fn unmarked(message: &str) -> String {
    message.lines().map(|line| line.split(MARK).next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}
