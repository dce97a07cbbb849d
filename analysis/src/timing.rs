//! The timing of one instruction: its experiments put together.

use std::collections::HashMap;

use gcn_model::quantity::{Bytes, Cycles, InstructionsPerCycle};
use gcn_model::record::{ExperimentKind, ExperimentRecord, ExperimentStatus};

use crate::measured::Measured;
use crate::run::StoredRun;
use crate::sample::Sample;
use crate::slope::{Slope, SlopeRules};
use crate::statistics::Estimate;
use crate::status::Status;
use crate::throughput::ThroughputRow;

/// A row of `timings.csv`.
#[derive(Debug, Clone, PartialEq)]
pub struct TimingRow {
    /// Upper-case name.
    pub instruction: String,
    /// Encoding as it stood in the code.
    pub encoding: String,
    /// Size in the code.
    pub bytes: Bytes,
    /// Shader cycles of an independent instruction, one wave; of a jump that is not taken.
    pub cycles: Option<Measured<Cycles>>,
    /// Shader cycles of a jump that is taken, one wave.
    pub taken: Option<Measured<Cycles>>,
    /// Shader cycles until a dependent instruction can follow, one wave.
    pub latency: Option<Measured<Cycles>>,
    /// Instructions per cycle per compute unit, on the number of waves where it is largest.
    pub throughput: Option<Measured<InstructionsPerCycle>>,
    /// Waves on each SIMD at that throughput.
    pub waves_per_simd: Option<u32>,
    /// Samples behind `cycles`, or else behind `taken`.
    pub samples: usize,
    /// Samples of `cycles` dropped as outliers.
    pub dropped: usize,
    /// Status of `cycles`; `unstable` also if latency or throughput did not settle.
    pub status: Status,
    /// Reasons for what is absent.
    pub detail: String,
}

impl TimingRow {
    /// `cycles` snapped to a multiple of 4, where it stands for one.
    pub fn cycles_snapped(&self) -> Option<Cycles> {
        self.cycles.as_ref().and_then(Measured::snapped)
    }
}

/// The experiments of one instruction: positions in [`StoredRun::experiments`].
#[derive(Debug, Clone)]
pub(crate) struct InstructionExperiments<'a> {
    /// Upper-case name.
    pub(crate) instruction: &'a str,
    /// All of its experiments, in the file's order.
    pub(crate) positions: Vec<usize>,
}

/// The instructions of a run in the order of `experiments.csv`; fillers that are nothing but fillers are none.
pub(crate) fn instructions(run: &StoredRun) -> Vec<InstructionExperiments<'_>> {
    let mut instructions: Vec<InstructionExperiments<'_>> = Vec::new();
    let mut index = HashMap::new();
    for (position, record) in run.experiments.iter().enumerate() {
        if record.kind == ExperimentKind::Filler {
            continue;
        }
        let slot = *index.entry(record.instruction.as_str()).or_insert_with(|| {
            instructions.push(InstructionExperiments { instruction: &record.instruction, positions: Vec::new() });
            instructions.len() - 1
        });
        instructions[slot].positions.push(position);
    }
    instructions
}

/// What an experiment on one wave gives: cycles of one target, or why there are none.
type Outcome = Result<(Estimate, Slope), (Status, String)>;

/// Puts the experiments of instructions together.
pub(crate) struct TimingBuilder<'a> {
    run: &'a StoredRun,
    /// Slope of each experiment on one wave, cycles per block, by its position; of throughput experiments nothing.
    slopes: Vec<Option<Result<Slope, (Status, String)>>>,
    /// Cycles of a filler, by the filler experiment's id.
    fillers: HashMap<&'a str, Outcome>,
}

impl<'a> TimingBuilder<'a> {
    /// Takes all slopes of the run and prices its fillers.
    pub(crate) fn new(run: &'a StoredRun) -> Self {
        let slopes = run
            .experiments
            .iter()
            .enumerate()
            .map(|(position, record)| (record.kind != ExperimentKind::Throughput).then(|| slope_of(run, position)))
            .collect();
        let mut builder = Self { run, slopes, fillers: HashMap::new() };
        for (position, record) in run.experiments.iter().enumerate() {
            if record.kind == ExperimentKind::Filler {
                let per_filler = f64::from(record.fillers_per_block) * f64::from(record.repeats.max(1));
                let outcome = builder.slope(position).map(|slope| (slope.estimate.scaled(1.0 / per_filler), slope));
                builder.fillers.insert(&record.experiment, outcome);
            }
        }
        builder
    }

    /// Experiments on one wave whose slopes did not settle.
    pub(crate) fn unsettled(&self) -> impl Iterator<Item = &'a str> {
        self.run.experiments.iter().zip(&self.slopes).filter_map(|(record, slope)| match slope {
            Some(Err((Status::Unstable, _))) => Some(record.experiment.as_str()),
            _ => None,
        })
    }

    /// The row of one instruction; `throughputs` are its throughput rows.
    pub(crate) fn row(&self, experiments: &InstructionExperiments<'_>, throughputs: &[&ThroughputRow]) -> TimingRow {
        let find = |kind| {
            let mut positions = experiments.positions.iter().copied();
            positions.find(|&position| self.run.experiments[position].kind == kind)
        };
        let cycles_at = find(ExperimentKind::Cycles);
        let shown = &self.run.experiments[cycles_at.unwrap_or(experiments.positions[0])];
        let cycles = cycles_at.map(|position| self.per_target(position));
        let taken = find(ExperimentKind::Taken).map(|position| self.per_target(position));
        let latency = find(ExperimentKind::Chain).map(|chain| {
            let packed = find(ExperimentKind::Packed);
            self.latency(chain, packed, cycles_at, cycles.as_ref())
        });
        // The largest throughput that is sure: the one whose interval starts highest, on the fewest waves.
        let best = throughputs
            .iter()
            .filter_map(|row| row.throughput.map(|throughput| (row.waves_per_simd, throughput)))
            .max_by(|a, b| a.1.low.0.total_cmp(&b.1.low.0).then(b.0.cmp(&a.0)));
        let throughput = throughput_outcome(throughputs, best.is_some());

        let mut details: Vec<String> = Vec::new();
        let mut secondary = Vec::new();
        for (what, problem) in [
            ("taken", taken.as_ref().and_then(|outcome| outcome.as_ref().err())),
            ("latency", latency.as_ref().and_then(|outcome| outcome.as_ref().err())),
            ("throughput", throughput.as_ref()),
        ] {
            if let Some((status, reason)) = problem {
                details.push(format!("{what}: {status}: {reason}"));
                secondary.push(*status);
            }
        }
        let mut status = match &cycles {
            Some(Ok(_)) => Status::Ok,
            Some(Err((status, reason))) => {
                details.insert(0, reason.clone());
                *status
            }
            // There is no such experiment (a jump that is always taken) or it was not asked for: the best says how it went.
            None if matches!(taken, Some(Ok(_))) || matches!(latency, Some(Ok(_))) || best.is_some() => Status::Ok,
            None => secondary.iter().copied().min().unwrap_or(Status::Failed),
        };
        if status == Status::Ok && secondary.contains(&Status::Unstable) {
            status = Status::Unstable;
        }
        let slope =
            cycles.as_ref().or(taken.as_ref()).and_then(|outcome| outcome.as_ref().ok()).map(|(_, slope)| *slope);
        TimingRow {
            instruction: experiments.instruction.to_owned(),
            encoding: shown.encoding.clone(),
            bytes: Bytes(shown.bytes),
            cycles: measured(cycles.as_ref()),
            taken: measured(taken.as_ref()),
            latency: measured(latency.as_ref()),
            throughput: best.map(|(_, throughput)| throughput),
            waves_per_simd: best.map(|(waves, _)| waves),
            samples: slope.map_or(0, |slope| slope.kept),
            dropped: slope.map_or(0, |slope| slope.dropped),
            status,
            detail: details.join("; "),
        }
    }

    /// The slope of an experiment on one wave, cycles per block.
    fn slope(&self, position: usize) -> Result<Slope, (Status, String)> {
        self.slopes[position].clone().unwrap_or_else(|| Err((Status::Failed, "it is on many waves".to_owned())))
    }

    /// Cycles of one target: the slope less the fillers' cycles.
    fn per_target(&self, position: usize) -> Outcome {
        let record = &self.run.experiments[position];
        let slope = self.slope(position)?;
        let per_block = slope.estimate.scaled(1.0 / f64::from(record.repeats));
        let fillers = self.fillers_of(record)?;
        Ok((per_block.minus(&fillers).scaled(1.0 / f64::from(record.targets_per_block)), slope))
    }

    /// Cycles of the fillers in a block of an experiment.
    fn fillers_of(&self, record: &ExperimentRecord) -> Result<Estimate, (Status, String)> {
        if record.fillers_per_block == 0 {
            return Ok(Estimate { value: 0.0, standard_error: 0.0, degrees: f64::INFINITY });
        }
        match self.fillers.get(record.filler.as_str()) {
            Some(Ok((filler, _))) => Ok(filler.scaled(f64::from(record.fillers_per_block))),
            Some(Err((status, reason))) => Err((*status, format!("its filler {}: {reason}", record.filler))),
            None => Err((Status::Failed, format!("its filler {} was not measured", record.filler))),
        }
    }

    /// Latency: the chain alone where the front end charges nothing, else cycles + chain − packed.
    ///
    /// The packed copies stand at the same offsets as the chain, so what the front end charges for both goes out.
    fn latency(
        &self,
        chain: usize,
        packed: Option<usize>,
        cycles_at: Option<usize>,
        cycles: Option<&Outcome>,
    ) -> Outcome {
        let (chained, slope) = self.per_target(chain)?;
        let Some(packed) = packed else {
            let record = &self.run.experiments[chain];
            let alone = cycles_at.is_none_or(|position| self.run.experiments[position].fillers_per_block == 0);
            return if alone && record.bytes == 4 {
                Ok((chained, slope))
            } else {
                let reason = "a chain of 2-dword instructions needs the packed experiment beside it";
                Err((Status::Unsupported, reason.to_owned()))
            };
        };
        let (packed, _) = self.per_target(packed).map_err(|(status, why)| (status, format!("packed: {why}")))?;
        match cycles {
            Some(Ok((cycles, _))) => Ok((Estimate::sum(&[*cycles, chained, packed.scaled(-1.0)]), slope)),
            Some(Err((status, _))) => Err((*status, "its cycles did not settle".to_owned())),
            None => Err((Status::Unsupported, "its cycles were not measured".to_owned())),
        }
    }
}

/// The slope of an experiment on one wave, cycles per block, or why there is none.
fn slope_of(run: &StoredRun, position: usize) -> Result<Slope, (Status, String)> {
    let record = &run.experiments[position];
    if record.status != ExperimentStatus::Ok {
        return Err((record.status.into(), record.detail.clone()));
    }
    let readings = run.readings_of(position);
    if readings.is_empty() {
        let reason = "no readings are stored: the run was cut off; `gcn-timings measure --resume` goes on";
        return Err((Status::Failed, reason.to_owned()));
    }
    let samples: Vec<Sample> = readings.iter().map(Sample::from).collect();
    SlopeRules::default().slope(&samples).map_err(|why| (Status::Unstable, why.to_string()))
}

/// The interval of an outcome.
fn measured(outcome: Option<&Outcome>) -> Option<Measured<Cycles>> {
    outcome.and_then(|outcome| outcome.as_ref().ok()).map(|(estimate, _)| Measured::from(estimate))
}

/// Why there is no throughput although it was tried.
fn throughput_outcome(rows: &[&ThroughputRow], settled: bool) -> Option<(Status, String)> {
    if settled {
        return None;
    }
    let row = rows.iter().min_by_key(|row| row.status)?;
    Some((row.status, format!("{} waves: {}", row.waves_per_simd, row.detail)))
}
