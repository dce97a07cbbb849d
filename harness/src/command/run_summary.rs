//! What a simulated card did for a program.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use gcn_model::gpu::Gpu;
use gcn_predict::Stall;
use gcn_simulator::{Activity, LaunchRecord, Unit};
use serde::Serialize;

use super::run_values::Values;

/// Kernels that are shown.
const MOST_KERNELS: usize = 20;

/// Everything that the card did.
#[derive(Debug, Serialize)]
pub(super) struct RunSummary {
    simulated: bool,
    gpu: String,
    product: String,
    target: String,
    compute_units: u32,
    simulated_compute_units: u32,
    shader_mhz: f64,
    values: Values,
    exit_code: u8,
    /// Of the whole program.
    host_seconds: f64,
    #[serde(flatten)]
    total: Work,
    /// By name, those with the most cycles first.
    kernels: Vec<Kernel>,
}

/// Some dispatches.
#[derive(Debug, Default, Clone, Serialize)]
struct Work {
    dispatches: u64,
    waves: u64,
    /// Shader cycles from the start to the end of each.
    cycles: u64,
    simulated_seconds: f64,
    /// The host's time for them.
    dispatch_seconds: f64,
    wave_instructions: BTreeMap<&'static str, u64>,
    /// Shader cycles of all waves; nothing without a profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    wave_cycles: Option<u64>,
    /// Those in which they did not go on.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    stall_cycles: BTreeMap<&'static str, u64>,
}

/// The dispatches of a kernel.
#[derive(Debug, Serialize)]
struct Kernel {
    name: String,
    #[serde(flatten)]
    work: Work,
}

impl Work {
    fn add(&mut self, launch: &LaunchRecord, shader_hz: f64) {
        self.dispatches += 1;
        self.waves += u64::from(launch.statistics.waves);
        self.cycles += launch.statistics.cycles;
        self.simulated_seconds = self.cycles as f64 / shader_hz;
        self.dispatch_seconds += launch.host.as_secs_f64();
        for unit in Unit::ALL {
            let count = launch.statistics.instructions_of(unit);
            if count > 0 {
                *self.wave_instructions.entry(name(unit)).or_default() += count;
            }
        }
        for activity in Activity::ALL {
            let Some(cycles) = launch.cycles(activity) else { return };
            *self.wave_cycles.get_or_insert_default() += cycles;
            if let Some(stall) = Stall::of(activity).filter(|_| cycles > 0) {
                *self.stall_cycles.entry(stall.name()).or_default() += cycles;
            }
        }
    }

    fn instructions(&self) -> u64 {
        self.wave_instructions.values().sum()
    }
}

/// A unit as the summary names it.
fn name(unit: Unit) -> &'static str {
    match unit {
        Unit::Vector => "vector",
        Unit::Scalar => "scalar",
        Unit::VectorMemory => "vector_memory",
        Unit::LocalDataShare => "lds",
        Unit::Branch => "branch",
        Unit::Export => "export",
        Unit::Internal => "internal",
        Unit::Matrix | Unit::MatrixQueue => "matrix",
        Unit::Transcendental => "transcendental",
    }
}

impl RunSummary {
    /// Reads the record of the driver; without the file no process launched anything.
    pub(super) fn read(
        record: &Path,
        gpu: &Gpu,
        values: Values,
        (elapsed, exit_code): (Duration, u8),
    ) -> anyhow::Result<Self> {
        let text = match std::fs::read_to_string(record) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.context("the record of the card")?,
        };
        let mut total = Work::default();
        let mut kernels: BTreeMap<String, Work> = BTreeMap::new();
        for line in text.lines() {
            let launch: LaunchRecord = line.parse().map_err(anyhow::Error::msg).context("the record of the card")?;
            for work in [&mut total, kernels.entry(launch.kernel.clone()).or_default()] {
                work.add(&launch, gpu.clock.shader_mhz * 1e6);
            }
        }
        let mut kernels: Vec<Kernel> = kernels.into_iter().map(|(name, work)| Kernel { name, work }).collect();
        kernels.sort_by_key(|kernel| std::cmp::Reverse(kernel.work.cycles));
        Ok(Self {
            simulated: true,
            gpu: gpu.name.clone(),
            product: gpu.product.clone(),
            target: gpu.gfx_target.clone(),
            compute_units: gpu.compute_units,
            simulated_compute_units: gpu.simulation.compute_units,
            shader_mhz: gpu.clock.shader_mhz,
            values,
            exit_code,
            host_seconds: elapsed.as_secs_f64(),
            total,
            kernels,
        })
    }

    /// JSON.
    pub(super) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// A few lines; with a profile a row for each kernel.
    pub(super) fn write(&self, out: &mut impl Write, is_profile: bool) -> io::Result<()> {
        let Self { gpu, product, target, compute_units, simulated_compute_units, shader_mhz, total, .. } = self;
        writeln!(out, "gcn-timings run: a simulation of {gpu} ({product}, {target}); no card took part")?;
        writeln!(out, "  compute units      {simulated_compute_units} of the product's {compute_units}")?;
        writeln!(
            out,
            "  dispatches         {}, of {} kernels, with {} waves",
            total.dispatches,
            self.kernels.len(),
            total.waves
        )?;
        let units = total.wave_instructions.iter().map(|(unit, count)| format!("{} {count}", unit.replace('_', " ")));
        let units = units.collect::<Vec<_>>().join(", ");
        let colon = if units.is_empty() { "" } else { ": " };
        writeln!(out, "  wave instructions  {}{colon}{units}", total.instructions())?;
        writeln!(
            out,
            "  simulated time     {} ({} shader cycles at {shader_mhz} MHz)",
            seconds(total.simulated_seconds),
            total.cycles
        )?;
        let times = total.dispatch_seconds / total.simulated_seconds;
        let slower = if times.is_finite() { format!(", {times:.0} times as long") } else { String::new() };
        writeln!(
            out,
            "  host's time        {} for the dispatches{slower}; {} for the program",
            seconds(total.dispatch_seconds),
            seconds(self.host_seconds)
        )?;
        if self.values == Values::Approximate {
            writeln!(
                out,
                "  values             reciprocals, roots, exponentials, logarithms and sines are the host's"
            )?;
        }
        if is_profile { self.write_kernels(out) } else { Ok(()) }
    }

    fn write_kernels(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "\n{:>12}  {:>6}  {:>10}  kernel, and the share of its waves' time in which they wait",
            "cycles", "share", "dispatches"
        )?;
        for Kernel { name, work } in self.kernels.iter().take(MOST_KERNELS) {
            let share = 100.0 * work.cycles as f64 / self.total.cycles.max(1) as f64;
            writeln!(out, "{:>12}  {share:>5.1}%  {:>10}  {name}", work.cycles, work.dispatches)?;
            let mut stalls: Vec<_> = work.stall_cycles.iter().collect();
            stalls.sort_by_key(|(_, cycles)| std::cmp::Reverse(**cycles));
            let all = work.wave_cycles.unwrap_or(0).max(1) as f64;
            let stalls = stalls.iter().map(|(stall, cycles)| format!("{stall} {:.0}%", 100.0 * **cycles as f64 / all));
            let stalls = stalls.collect::<Vec<_>>().join(", ");
            if !stalls.is_empty() {
                writeln!(out, "{:34}  {stalls}", "")?;
            }
        }
        if let Some(rest) = self.kernels.len().checked_sub(MOST_KERNELS).filter(|rest| *rest > 0) {
            writeln!(out, "{:34}  and {rest} more, which --json lists", "")?;
        }
        Ok(())
    }
}

/// A time in the unit that suits it.
fn seconds(seconds: f64) -> String {
    match seconds {
        0.0 => "0 s".into(),
        short if short < 1e-3 => format!("{:.3} us", short * 1e6),
        short if short < 1.0 => format!("{:.3} ms", short * 1e3),
        long => format!("{long:.3} s"),
    }
}
