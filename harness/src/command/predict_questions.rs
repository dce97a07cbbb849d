//! What more `gcn-timings predict` is asked of a block.

use std::fmt::Write as _;
use std::str::FromStr;

use anyhow::{anyhow, bail};
use clap::Args;
use gcn_model::gpu::Gpu;
use gcn_model::quantity::{Bytes, Cycles};
use gcn_predict::{
    Code, EstimatedInstruction, Estimates, MemoryLatencies, MemoryQuestion, MemorySweep, Placements, Prediction, Trip,
    number, percent, placements_text,
};
use serde::Serialize;

use super::prediction_format::Format;
use crate::experiment::{MeasureOptions, skip_reason};
use crate::mca::Comparison;

/// As many instructions are proposed for a measurement.
const MEASURE_FIRST: usize = 3;
const DWORD: u32 = 4;

/// Questions about a block.
#[derive(Debug, Args)]
#[command(next_help_heading = "Questions")]
pub(super) struct Questions {
    /// End with exit code 3 if more of the issue cycles than this are estimates, and name what to measure first
    #[arg(long, value_name = "PERCENT", conflicts_with = "launch", value_parser = share)]
    max_estimated: Option<f64>,
    /// Predict the region where its first instruction is at each dword of a line of the instruction cache, or this many bytes after its start
    #[arg(long, value_name = "all|BYTES", conflicts_with = "launch")]
    align: Option<Align>,
    /// Latency of memory from issue to result, instead of the GPU's: the level that holds the data (`l1`, `l2`,
    /// `dram`, on some cards `l0`, `mall`), where the GPU file has it, with its bytes a cycle, or cycles, as in
    /// vmem=300..500,smem=200,lds=64; of a range both ends are predicted, too
    #[arg(long, value_name = "LATENCIES", conflicts_with = "launch")]
    memory: Option<MemoryQuestion>,
}

/// A share in percent.
fn share(text: &str) -> Result<f64, &'static str> {
    let percent = text.parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or("a number from 0 to 100")
}

/// Which places are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Align {
    All,
    To(Bytes),
}

impl FromStr for Align {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "all" {
            return Ok(Self::All);
        }
        let bytes = text.parse().ok().filter(|bytes| bytes % DWORD == 0);
        bytes.map(|bytes| Self::To(Bytes(bytes))).ok_or("`all`, or bytes in multiples of 4")
    }
}

/// The instructions to measure first.
#[derive(Debug, Serialize)]
struct MeasureFirst {
    instruction: &'static str,
    /// Cycles of an iteration in which it holds its wave.
    issue: Cycles,
    /// Its share of all cycles of issue, from 0 to 1.
    share: f64,
    /// Why `gcn-timings measure` leaves it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    skip_reason: Option<String>,
}

/// The answers of a prediction, as far as they were asked for.
#[derive(Debug, Default, Serialize)]
pub(super) struct Answers {
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<MemorySweep>,
    #[serde(skip_serializing_if = "Option::is_none")]
    placements: Option<Placements>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measure_first: Option<Vec<MeasureFirst>>,
    /// What llvm-mca predicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mca: Option<Comparison>,
    /// The time of a number of iterations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trip: Option<Trip>,
    /// The excess over `--max-estimated`, in words.
    #[serde(skip)]
    objection: Option<String>,
}

/// A prediction as JSON, with the answers to what else was asked.
#[derive(Serialize)]
pub(super) struct Answered {
    #[serde(flatten)]
    pub(super) prediction: Prediction,
    #[serde(flatten)]
    pub(super) answers: Answers,
}

impl Questions {
    /// The GPU, with the latencies that were named.
    pub(super) fn gpu(&self, gpu: Gpu) -> anyhow::Result<Gpu> {
        Ok(self.memory(&gpu)?.map_or(gpu.clone(), |memory| memory.middle(&gpu)))
    }

    /// The latencies that were named, on this GPU.
    fn memory(&self, gpu: &Gpu) -> anyhow::Result<Option<MemoryLatencies>> {
        self.memory.as_ref().map(|memory| memory.on(gpu)).transpose().map_err(|error| anyhow!("--memory: {error}"))
    }

    /// Refuses what does not go together.
    pub(super) fn check(&self, gpu: &Gpu, format: Format, has_table: bool) -> anyhow::Result<()> {
        for (is_there, name) in [(self.align.is_some(), "--align"), (self.memory.is_some(), "--memory")] {
            if is_there {
                format.must_be_plain(name)?;
            }
        }
        let has_range = self.memory(gpu)?.is_some_and(|memory| memory.has_ranges());
        if has_table && format == Format::Text && (self.align.is_some() || has_range) {
            let name = if has_range { "a range of --memory" } else { "--align" };
            bail!("{name} does not fit the table of --waves all: give a number of waves, or --json");
        }
        let line = gpu.instruction_cache.line;
        if let Some(Align::To(bytes)) = self.align.filter(|align| matches!(align, Align::To(bytes) if *bytes >= line)) {
            let most = line.0 - DWORD;
            bail!("--align {bytes}: a line of {} has {line} bytes, so {most} is the last place in it", gpu.name);
        }
        Ok(())
    }

    /// The lines before all predictions.
    pub(super) fn header(&self, gpu: &Gpu) -> anyhow::Result<String> {
        let mut header = String::new();
        for latency in self.memory(gpu)?.iter().flat_map(|memory| &memory.latencies) {
            let _ = writeln!(header, "Memory: {}", latency.words());
        }
        Ok(header)
    }

    /// The answers for a prediction on this GPU.
    pub(super) fn answers(&self, gpu: &Gpu, code: &Code, prediction: &Prediction) -> anyhow::Result<Answers> {
        let mut answers = Answers::default();
        if let Some(memory) = self.memory(gpu)? {
            answers.memory = Some(memory.sweep(gpu, code, prediction)?);
        }
        if let Some(align) = self.align {
            let one = if let Align::To(bytes) = align { vec![bytes] } else { Vec::new() };
            answers.placements = Some(Placements::of(gpu, code, &prediction.region, prediction.question, &one)?);
        }
        if let Some(most) = self.max_estimated {
            let estimates = Estimates::of(gpu, code, prediction)?;
            let issue = prediction.issue().0;
            let first = |estimated: &EstimatedInstruction| MeasureFirst {
                instruction: &estimated.instruction.name,
                issue: estimated.issue,
                share: estimated.issue.0 / issue,
                skip_reason: skip_reason(estimated.instruction, &MeasureOptions::default()).map(|(_, why)| why),
            };
            answers.measure_first = Some(estimates.instructions.iter().take(MEASURE_FIRST).map(first).collect());
            answers.objection = (estimates.share * 100.0 > most).then(|| {
                let names: Vec<&str> =
                    estimates.instructions.iter().map(|estimated| estimated.instruction.name.as_str()).collect();
                let (share, region) = (percent(estimates.share), &prediction.region.name);
                let names = names.join(", ");
                format!("{region}: {share} of issue cycles are estimates; the limit is {most} %: {names}")
            });
        }
        Ok(answers)
    }
}

impl Answers {
    /// The excess over a limit, in words.
    pub(super) fn objection(&self) -> Option<&str> {
        self.objection.as_deref()
    }

    /// The answers, for people; each begins with an empty line.
    pub(super) fn text(&self, gpu: &Gpu) -> String {
        let mut text = String::new();
        if let Some(memory) = self.memory.as_ref().filter(|memory| memory.has_ranges()) {
            let [low, middle, high] = [memory.low, memory.middle, memory.high].map(number);
            let moved = (memory.high.0 - memory.low.0) / memory.middle.0;
            let _ = writeln!(
                text,
                "\n  memory: {low} cycles at the lowest latencies, {middle} in the middle, {high} at the highest: moved by {}",
                percent(moved)
            );
        }
        if let Some(placements) = &self.placements {
            let _ = write!(text, "\n{}", placements_text(gpu, placements));
        }
        if let Some(first) = &self.measure_first {
            let _ = write!(text, "\n{}", measure_first(first));
        }
        text
    }
}

/// What to measure before others, and how.
fn measure_first(first: &[MeasureFirst]) -> String {
    let mut text = String::new();
    if first.is_empty() {
        return "  estimates: no instruction uses one\n".to_owned();
    }
    let _ = writeln!(text, "  measure these first; their timings are estimates:");
    for MeasureFirst { instruction, issue, share, skip_reason } in first {
        let why_not = skip_reason.as_ref().map(|why| format!("; not measured: {why}")).unwrap_or_default();
        let _ =
            writeln!(text, "    {instruction}  {} cycles, {} of the issue{why_not}", number(*issue), percent(*share));
    }
    let only: Vec<String> = (first.iter().filter(|first| first.skip_reason.is_none()))
        .map(|first| format!(" --only '{}'", first.instruction))
        .collect();
    if !only.is_empty() {
        // A simulated device would only give the estimate back.
        let _ = writeln!(text, "    gcn-timings measure --device CARD{}", only.concat());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_places_are_read_or_refused() {
        assert_eq!(share("12.5"), Ok(12.5));
        assert!(["-1", "100.1", "NaN", "x"].iter().all(|text| share(text).is_err()));
        assert_eq!("all".parse::<Align>(), Ok(Align::All));
        assert_eq!("8".parse::<Align>(), Ok(Align::To(Bytes(8))));
        assert!(["6", "-4", ""].iter().all(|text| text.parse::<Align>().is_err()));
    }
}
