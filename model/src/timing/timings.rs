//! The timings of all instructions on one GPU.

use std::collections::BTreeMap;

use super::{
    InstructionTiming, Jump, TimingSource,
    estimate::Estimates,
    lds::{self, Overrides},
    order::sources_of,
};
use crate::{
    gpu::{Branch, Gpu, Lds, Pipelines, VectorMemory},
    isa::{Encoding, Generation, Instruction, InstructionClass, MatrixOperation},
    published::{Expectation, Expression, Place, Published},
    quantity::Passes,
};

/// The timings of a GPU.
///
/// For each value in this order: the GPU's file, the published sources of its generation in the order of `order.csv` (of each
/// its row, then its rules), the estimate for the instruction, the estimate for its encoding; LDS instructions that the GPU's file does not speak of are worked out by
/// the bus model of [`LdsTiming`](super::LdsTiming). Where a source leaves a choice, the lowest number is taken (`16-24` is
/// 16), as from a list of numbers in the GPU's file, a doubted number is used (`18?` is 18), and a footnote is worked out for the GPU's DPFACTOR.
#[derive(Debug, Clone)]
pub struct Timings {
    generation: Generation,
    /// Lanes of the waves that LDS instructions are of.
    lanes: u32,
    target: String,
    dp_factor: f64,
    branch: Branch,
    lds: Lds,
    vector_memory: VectorMemory,
    cycles: BTreeMap<String, u32>,
    throughput: BTreeMap<String, f64>,
    latency: BTreeMap<String, u32>,
    /// The wait of the next of a chain of matrix instructions beyond the cycles of the one before.
    accumulator_cycles: u32,
    pipelines: Option<Pipelines>,
    sources: Vec<&'static Published>,
}

impl Timings {
    /// The timings of a GPU.
    ///
    /// # Panics
    /// If a data file that is built in is wrong, which the tests rule out.
    pub fn of(gpu: &Gpu) -> Self {
        Self {
            generation: gpu.generation,
            lanes: gpu.processor().wave_size(),
            target: gpu.processor().name().to_owned(),
            dp_factor: gpu.dp_factor,
            branch: gpu.branch.clone(),
            lds: gpu.lds.clone(),
            vector_memory: gpu.vector_memory.clone(),
            cycles: gpu.cycles.iter().filter_map(|(name, of)| Some((name.clone(), *of.iter().min()?))).collect(),
            throughput: gpu.throughput.clone(),
            latency: gpu.latency.clone(),
            accumulator_cycles: gpu.matrix.as_ref().map_or(0, |unit| unit.accumulator_cycles),
            pipelines: gpu.pipelines.clone(),
            sources: sources_of(gpu.generation),
        }
    }

    /// The same, with LDS instructions as waves of this many lanes send them; all else is as published, for waves of the usual size.
    pub fn in_waves_of(&self, lanes: u32) -> Self {
        Self { lanes, ..self.clone() }
    }

    /// The timing of an instruction.
    pub fn get(&self, instruction: &Instruction) -> InstructionTiming {
        // Long: the order in which the sources are asked, each once.
        if instruction.encoding == Encoding::Ds {
            return self.local_data_share(instruction);
        }
        let said: Vec<_> =
            self.sources.iter().map(|&source| (source, source.basis_on(instruction, &self.target))).collect();
        let by_name = Estimates::of_instruction(instruction);
        let of_encoding = Estimates::of_encoding(instruction.encoding);
        let estimate = by_name.unwrap_or(of_encoding);
        let estimated = TimingSource::Estimate { reason: estimate.reason.clone(), source: estimate.source.clone() };

        let has_cycles = said.iter().any(|(_, said)| said.cycles.is_some());
        let jump = match (has_cycles, said.iter().any(|(_, said)| said.taken_cycles.is_some())) {
            (false, true) => Some(Jump::Always),
            (true, true) => Some(Jump::Conditional),
            (_, false) => by_name.and_then(|estimate| estimate.jump),
        };
        let set = self.cycles.get(&instruction.name).copied();
        let says = |of_factor: bool| {
            said.iter().enumerate().find_map(|(rank, (source, said))| {
                let said = said.cycles.as_ref()?;
                let is_wanted = !of_factor || matches!(said.expression, Expression::DpFactor { .. });
                is_wanted.then_some(())?;
                Some((rank, *source, said, self.lowest(said)?))
            })
        };
        // Plain numbers of double precision are those of cards of the full rate. A card with a factor of the CLRX table has the CLRX table's values.
        let published = (self.dp_factor >= 1.0).then(|| says(true)).flatten().or_else(|| says(false));

        // Published cycles are whole numbers. Where DPFACTOR makes them fewer, a SIMD issues no faster all the same.
        let least = self.generation.waves.issue_interval_cycles;
        let (cycles, source) = self
            .of_file(instruction, jump)
            .or_else(|| {
                published.map(|(_, source, said, cycles)| ((cycles as u32).max(least), self.source_of(source, said)))
            })
            .or_else(|| {
                let operation = self.generation.matrix_operation(instruction)?;
                Some((operation.written_passes().cycles().0 as u32, by_passes(operation)))
            })
            .unwrap_or_else(|| (self.estimated(estimate.cycles), estimated.clone()));
        let taken_cycles = jump.map(|jump| match jump {
            Jump::Always => cycles,
            Jump::Conditional => self.branch.taken_cycles,
        });
        // A source after the one that has the cycles means other cycles.
        let ranks = published.map_or(said.len(), |(rank, ..)| rank + 1);
        let said_throughput = said[..ranks].iter().find_map(|(source, said)| {
            let said = said.throughput.as_ref()?;
            Some((*source, said, self.throughput_of(said, cycles)?))
        });
        let (throughput, throughput_source) = if let Some(&throughput) = self.throughput.get(&instruction.name) {
            (throughput, TimingSource::GpuFile { key: format!("throughput.{}", instruction.name) })
        } else if (set.is_some() && jump.is_none()) || matches!(&source, TimingSource::Passes { .. }) {
            // Changed cycles change the hold of the instruction's unit: the encoding's formula.
            (self.of_all_simds(of_encoding.throughput, cycles), source.clone())
        } else if self.pipelines.is_some() && is_of_simd(instruction) {
            (self.of_all_simds(of_encoding.throughput, cycles), source.clone())
        } else if let Some((source, said, throughput)) = said_throughput {
            (throughput, self.source_of(source, said))
        } else {
            (self.of_all_simds(estimate.throughput, cycles), estimated)
        };
        let late = if instruction.is_matrix_operation() { self.accumulator_cycles } else { 0 };
        let latency =
            self.latency.get(&instruction.name).copied().unwrap_or_else(|| self.latency_of(instruction, cycles) + late);
        InstructionTiming {
            cycles,
            latency,
            taken_cycles,
            glc_cycles: self
                .glc_cycles(said.iter().find_map(|(_, said)| said.cycles.as_ref()).map(|said| said.expression)),
            throughput,
            lds: None,
            source,
            throughput_source,
        }
    }

    /// Cycles that the GPU file has for an instruction or its class.
    fn of_file(&self, instruction: &Instruction, jump: Option<Jump>) -> Option<(u32, TimingSource)> {
        let of = |cycles: u32, key: String| Some((cycles, TimingSource::GpuFile { key }));
        match (self.cycles.get(&instruction.name), jump) {
            (Some(&cycles), _) => of(cycles, format!("cycles.{}", instruction.name)),
            (None, Some(Jump::Always)) => of(self.branch.taken_cycles, "branch.taken_cycles".to_owned()),
            (None, Some(Jump::Conditional)) => of(self.branch.not_taken_cycles, "branch.not_taken_cycles".to_owned()),
            (None, None) => self.of_class(instruction),
        }
    }

    /// Cycles more with GLC, by what a source says of it.
    fn glc_cycles(&self, said: Option<Expression>) -> u32 {
        match said {
            Some(Expression::Glc { extra: 1, .. }) => self.vector_memory.glc1_cycles,
            Some(Expression::Glc { extra: 2, .. }) => self.vector_memory.glc2_cycles,
            Some(Expression::Glc { extra, .. }) => extra,
            _ => 0,
        }
    }

    /// The timing of a matrix instruction whose words take these passes, where those without modifiers take others (V_MFMA_*_F8F6F4 of formats
    /// below eight bits): [`Self::get`] times the ratio of passes, whatever the cycles rest on.
    ///
    /// Source: LLVM 22.1 `SIInstrInfo.td`, `GCNHazardRecognizer.cpp`: the passes are a matter of the formats alone.
    pub fn of_passes(&self, instruction: &Instruction, passes: Passes) -> InstructionTiming {
        let timing = self.get(instruction);
        let Some(operation) = self.generation.matrix_operation(instruction) else { return timing };
        let ratio = f64::from(passes.0) / f64::from(operation.written_passes().0);
        let times = |cycles: u32| (f64::from(cycles) * ratio).round() as u32;
        let late = timing.latency.saturating_sub(timing.cycles);
        let cycles = times(timing.cycles);
        InstructionTiming { cycles, latency: cycles + late, throughput: timing.throughput / ratio, ..timing }
    }

    /// Cycles of a vector instruction by its class, where the SIMDs have pipelines.
    fn of_class(&self, instruction: &Instruction) -> Option<(u32, TimingSource)> {
        let pipelines = self.pipelines.as_ref().filter(|_| is_vector(instruction))?;
        let class = pipelines.class_of(instruction.canonical_name());
        let key = class.key().unwrap_or("pipelines.half_rate").to_owned();
        Some((pipelines.cycles_of(class, self.dp_factor), TimingSource::GpuFile { key }))
    }

    /// Shader cycles from the issue of an instruction with these cycles to that of a reader of its result.
    fn latency_of(&self, instruction: &Instruction, cycles: u32) -> u32 {
        let Some(pipelines) = &self.pipelines else { return cycles };
        if is_vector(instruction) {
            return pipelines.latency_of(pipelines.class_of(instruction.canonical_name()), cycles);
        }
        if is_scalar(instruction) {
            pipelines.scalar_latency_of(instruction.canonical_name()) + cycles - 1
        } else {
            cycles
        }
    }

    /// Cycles that no source has. They are those of GCN, whose SIMDs issue every fourth cycle.
    fn estimated(&self, cycles: Option<u32>) -> u32 {
        let interval = self.generation.waves.issue_interval_cycles;
        let Some(cycles) = cycles else { return self.branch.not_taken_cycles };
        if self.pipelines.is_some() { (cycles * interval / GCN_INTERVAL).max(interval) } else { cycles }
    }

    /// The estimates' throughput for these cycles. Their formula is that of the four SIMDs of GCN.
    fn of_all_simds(&self, throughput: Expression, cycles: u32) -> f64 {
        let is_formula = matches!(throughput, Expression::OfCycles { .. });
        let simds = if self.pipelines.is_some() && is_formula { self.generation.waves.simds } else { GCN_SIMDS };
        evaluated(throughput, cycles) * f64::from(simds) / f64::from(GCN_SIMDS)
    }

    fn local_data_share(&self, instruction: &Instruction) -> InstructionTiming {
        let name = &instruction.name;
        let overrides =
            Overrides { cycles: self.cycles.get(name).copied(), throughput: self.throughput.get(name).copied() };
        let modelled = lds::modelled(instruction, (self.generation, self.lanes), &self.lds, overrides);
        let by_model = TimingSource::LdsBusModel { exception: modelled.exception };
        let set = |section: &str| TimingSource::GpuFile { key: format!("{section}.{name}") };
        let source = overrides.cycles.map_or_else(|| by_model.clone(), |_| set("cycles"));
        let throughput_source = match overrides {
            Overrides { throughput: Some(_), .. } => set("throughput"),
            Overrides { cycles: Some(_), .. } => set("cycles"),
            _ => by_model,
        };
        InstructionTiming {
            cycles: modelled.cycles,
            latency: modelled.cycles,
            taken_cycles: None,
            glc_cycles: 0,
            throughput: modelled.throughput,
            lds: Some(modelled.holds),
            source,
            throughput_source,
        }
    }

    /// Where in a source a value is; an estimate, if the source does not speak of this target.
    fn source_of(&self, source: &Published, said: &Expectation<'_>) -> TimingSource {
        let is_carried_over = source.is_carried_over_to(&self.target);
        let source = source.name().to_owned();
        let printed = said.printed();
        match &said.from {
            _ if is_carried_over => TimingSource::Estimate { reason: format!("{printed} on GCN"), source },
            Place::Row { section } => TimingSource::Row { source, section: section.clone(), printed },
            Place::Rule { id, .. } => TimingSource::Rule { source, id: id.clone(), printed },
        }
    }

    fn lowest(&self, said: &Expectation<'_>) -> Option<f64> {
        said.evaluate(self.dp_factor).lowest()
    }

    fn throughput_of(&self, said: &Expectation<'_>, cycles: u32) -> Option<f64> {
        match said.expression {
            Expression::OfCycles { .. } => Some(evaluated(said.expression, cycles)),
            _ => self.lowest(said),
        }
    }
}

/// The basis of the estimates: the cycles between two issues of a SIMD of GCN, and the SIMDs of its compute units.
const GCN_INTERVAL: u32 = 4;
const GCN_SIMDS: u32 = 4;

fn is_vector(instruction: &Instruction) -> bool {
    use Encoding::{Vintrp, Vop1, Vop2, Vop3, Vop3p, Vopc, Vopd};
    matches!(instruction.encoding, Vop1 | Vop2 | Vop3 | Vop3p | Vopc | Vopd | Vintrp)
}

/// A scalar instruction that is no jump.
fn is_scalar(instruction: &Instruction) -> bool {
    use Encoding::{Sop1, Sop2, Sopc, Sopk};
    matches!(instruction.encoding, Sop1 | Sop2 | Sopk | Sopc) && !instruction.is(InstructionClass::BranchUnit)
}

/// Whether each SIMD has the unit of an instruction for itself, where it has pipelines.
fn is_of_simd(instruction: &Instruction) -> bool {
    is_vector(instruction) || is_scalar(instruction)
}

/// Where the cycles of a matrix instruction come from that no published row times.
fn by_passes(operation: &MatrixOperation) -> TimingSource {
    TimingSource::Passes { passes: operation.written_passes(), source: operation.source.clone() }
}

/// A throughput of the file of estimates for these cycles.
fn evaluated(throughput: Expression, cycles: u32) -> f64 {
    match throughput {
        Expression::OfCycles { numerator } => f64::from(numerator) / f64::from(cycles),
        other => other.evaluate(1).lowest().unwrap_or(1.0),
    }
}
