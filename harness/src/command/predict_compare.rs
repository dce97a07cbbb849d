//! `gcn-timings predict --compare`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use gcn_predict::{Difference, Region, Subject, difference_text};
use serde::Serialize;

use super::json_output::print_json;
use super::predict_code::Placed;
use super::predict_input::Input;
use super::predict_library::{self, Row};
use super::predict_sides::{Sides, pairs};
use super::prediction_format::{Format, Heading, SIMULATED};
use crate::code::{Function, UserCode};

/// The version of the JSON; it changes with the meaning of a field.
const SCHEMA: &str = "gcn-timings-predict-compare-1";

/// Another file, compared with the first.
#[derive(Debug, Args)]
#[command(next_help_heading = "Comparisons")]
pub(super) struct CompareOptions {
    /// Predict this file, too, with the same options, and show the difference instruction by instruction
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["launch", "trip", "align", "max_estimated", "against_mca", "trace_window"]
    )]
    compare: Option<PathBuf>,
    /// The kernel of the other file, if it has another name than --kernel says
    #[arg(long, value_name = "KERNEL", requires = "compare")]
    compare_kernel: Option<String>,
    /// End with exit code 3 if the other file is slower by more than this
    #[arg(long, value_name = "PERCENT", requires = "compare", value_parser = increase)]
    fail_above: Option<f64>,
}

/// How much longer a file may take, in percent.
fn increase(text: &str) -> Result<f64, &'static str> {
    let percent = text.parse().ok().filter(|percent: &f64| percent.is_finite() && *percent >= 0.0);
    percent.ok_or("a number from 0 on")
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    heading: Heading<'a>,
    /// The other file.
    compared_file: String,
    comparisons: &'a [Difference],
}

impl CompareOptions {
    /// Whether there is another file.
    pub(super) fn is_wanted(&self) -> bool {
        self.compare.is_some()
    }
}

/// Prints the comparisons, and says which of them takes longer than it may.
pub(super) fn run(options: &CompareOptions, sides: &Sides<'_>) -> anyhow::Result<Vec<String>> {
    let Some(other) = &options.compare else { return Ok(Vec::new()) };
    let before = sides.before;
    sides.format.must_be_plain("a comparison")?;
    if before.file == Path::new("-") && other == Path::new("-") {
        bail!("standard input can be one of the two files, not both");
    }
    let after = Input { file: other, kernel: options.compare_kernel.as_deref().or(before.kernel), ..before };
    let (code, other_code) = (before.read()?, after.read()?);
    let is_chosen = before.kernel.is_some() || !before.regions.is_empty();
    if !is_chosen && predict_library::is_library([&code, &other_code]) {
        return library(options, sides, other, [&code, &other_code]);
    }
    let pairs = pairs(&before, before.regions_of(&code)?, &after, after.regions_of(&other_code)?)?;
    let mut differences = Vec::new();
    for [(function, region), (other_function, other_region)] in &pairs {
        let placed = |(input, code): (&Input<'_>, &UserCode), function: &'_ Function, region: &'_ Region| {
            (sides.placed)(code, function, region).with_context(|| input.file.display().to_string())
        };
        let Placed { card, question } = placed((&before, &code), function, region)?;
        let other = placed((&after, &other_code), other_function, other_region)?;
        let difference = Difference::of(
            Subject { card: &card, code: &function.code, region, question },
            Subject { card: &other.card, code: &other_function.code, region: other_region, question: other.question },
        );
        differences.push(difference.with_context(|| format!("{}, {}", before.file.display(), after.file.display()))?);
    }
    print(sides, other, &differences)?;
    let Some(most) = options.fail_above else { return Ok(Vec::new()) };
    let longer = differences.iter().filter(|difference| difference.change.percent > most);
    let objection = |difference: &Difference| {
        let (region, percent) = (&difference.after.region.name, difference.change.percent);
        format!(
            "{}: {region}: {percent:.1} % slower than in {}; the limit is {most} %",
            other.display(),
            before.file.display()
        )
    };
    Ok(longer.map(objection).collect())
}

/// What `--json` prints of two builds of a library.
#[derive(Serialize)]
struct LibraryAnswer<'a> {
    #[serde(flatten)]
    heading: Heading<'a>,
    compared_file: String,
    kernels: &'a [Row],
}

/// Prints the kernels of both builds, and says which of them takes longer than it may.
fn library(
    options: &CompareOptions,
    sides: &Sides<'_>,
    other: &Path,
    [code, other_code]: [&UserCode; 2],
) -> anyhow::Result<Vec<String>> {
    let (before, after) = (sides.before, Input { file: other, ..sides.before });
    let rows = predict_library::rows(sides, (&before, code), (&after, other_code));
    let (file, compared_file) = (before.file.display().to_string(), other.display().to_string());
    if sides.format == Format::Json {
        let heading = Heading::new(predict_library::SCHEMA, file, before.gpu);
        print_json(&LibraryAnswer { heading, compared_file, kernels: &rows })?;
    } else {
        let mut out = std::io::stdout().lock();
        write!(out, "{SIMULATED}\n{}{}", sides.header, predict_library::table(&rows, &file, other))?;
    }
    let Some(most) = options.fail_above else { return Ok(Vec::new()) };
    let longer = rows.iter().filter_map(|row| Some((row, row.change_percent.filter(|percent| *percent > most)?)));
    let objection = |(row, percent): (&Row, f64)| {
        let region = row.region.as_deref().unwrap_or_default();
        format!("{}: {}: {region}: {percent:.1} % slower; the limit is {most} %", other.display(), row.kernel)
    };
    Ok(longer.map(objection).collect())
}

fn print(sides: &Sides<'_>, other: &Path, differences: &[Difference]) -> anyhow::Result<()> {
    let input = sides.before;
    let (file, compared_file) = (input.file.display().to_string(), other.display().to_string());
    if sides.format == Format::Json {
        let heading = Heading::new(SCHEMA, file, input.gpu);
        return print_json(&Answer { heading, compared_file, comparisons: differences });
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "Simulated: these cycles were not measured on a card.\n{}", sides.header)?;
    writeln!(out, "before: {file}\nafter:  {compared_file}")?;
    for difference in differences {
        write!(out, "\n{}", difference_text(input.gpu, difference))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_increase_is_read_or_refused() {
        assert_eq!((increase("2.5"), increase("250")), (Ok(2.5), Ok(250.0)));
        assert!(["-1", "NaN", "inf", "x"].iter().all(|text| increase(text).is_err()));
    }
}
