//! `gcn-timings measure --dry-run`: the plan of a run.

use std::io::Write;

use crate::run::{Expected, Forecast};

/// Writes the plan by suite, and the basis of the time.
pub(super) fn write(out: &mut impl Write, forecast: &Forecast) -> std::io::Result<()> {
    writeln!(out, "{}, {}", forecast.device, forecast.target)?;
    writeln!(out, "  {:<13} {:>11} {:>8} {:>9} {:>9}", "suite", "experiments", "kernels", "launches", "GPU time")?;
    for suite in &forecast.suites {
        row(out, &suite.suite, [suite.experiments, suite.kernels], suite.expected)?;
    }
    row(out, "all", [forecast.experiments, forecast.kernels], forecast.expected)?;
    writeln!(
        out,
        "in {} sweeps; repeating unsettled experiments takes at most {}",
        forecast.sweeps, forecast.again_at_most
    )?;
    if forecast.warm_up_launches_at_most > 0 {
        writeln!(out, "before that, at most {} launches warm the card up", forecast.warm_up_launches_at_most)?;
    }
    let left_out = forecast.plan.iter().filter(|row| !row.left_out.is_empty()).count();
    if left_out > 0 {
        writeln!(out, "{left_out} experiments or instructions are left out; `--json` has the reasons")?;
    }
    match (&forecast.timings_of, forecast.clock_mhz) {
        (Some(gpu), Some(clock)) => writeln!(
            out,
            "GPU time is an estimate: the timings of {gpu}, published or estimated, at {clock} MHz; the driver's time for each launch comes on top"
        )?,
        _ => writeln!(out, "GPU time is not known: no GPU of this generation ships")?,
    }
    writeln!(out, "Nothing was launched or written. `gcn-timings kernel NAME` shows the kernels of an instruction.")
}

fn row(out: &mut impl Write, suite: &str, counts: [usize; 2], expected: Expected) -> std::io::Result<()> {
    let [experiments, kernels] = counts;
    let seconds = expected.gpu_seconds.map_or_else(|| "?".to_owned(), |seconds| format!("{seconds:.3} s"));
    writeln!(out, "  {suite:<13} {experiments:>11} {kernels:>8} {:>9} {seconds:>9}", expected.launches)
}
