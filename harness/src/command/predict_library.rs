//! `gcn-timings predict --compare` of two builds of a library: a row for each region of each kernel.

use std::fmt::Write as _;
use std::path::Path;

use gcn_model::quantity::Cycles;
use gcn_predict::{number, predict_card};
use serde::Serialize;

use super::predict_code::Placed;
use super::predict_input::Input;
use super::predict_sides::{Found, Sides, pairs};
use crate::code::UserCode;

/// The version of the JSON; it changes with the meaning of a field.
pub(super) const SCHEMA: &str = "gcn-timings-predict-library-1";

/// A region of a kernel in both builds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Row {
    pub(super) kernel: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<String>,
    /// Cycles in which a SIMD does an iteration of one of its waves.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Cycles>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Cycles>,
    /// How much longer the second build takes, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) change_percent: Option<f64>,
    /// Why there is no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl Row {
    fn without(kernel: &str, problem: String) -> Self {
        let kernel = kernel.to_owned();
        Self { kernel, region: None, before: None, after: None, change_percent: None, problem: Some(problem) }
    }
}

/// Whether both files are libraries: at least one has several kernels.
pub(super) fn is_library(codes: [&UserCode; 2]) -> bool {
    codes.iter().any(|code| kernels(code).len() > 1)
}

/// The numbers of the kernels; of all functions where none is a kernel.
fn kernels(code: &UserCode) -> Vec<usize> {
    let all = 0..code.functions.len();
    let kernels: Vec<usize> = all.clone().filter(|at| code.functions[*at].needs.is_some()).collect();
    if kernels.is_empty() { all.collect() } else { kernels }
}

/// All kernels of both builds, the one first that got longest; those without a number last.
pub(super) fn rows(
    sides: &Sides<'_>,
    (before, code): (&Input<'_>, &UserCode),
    (after, other): (&Input<'_>, &UserCode),
) -> Vec<Row> {
    let name = |code: &UserCode, at: usize| code.functions[at].name.clone();
    let (old, mut new) = (kernels(code), kernels(other));
    let mut rows = Vec::new();
    for at in old {
        let kernel = name(code, at);
        let Some(found) = new.iter().position(|other_at| name(other, *other_at) == kernel) else {
            rows.push(Row::without(&kernel, format!("not in {}", after.file.display())));
            continue;
        };
        let regions = |input: &Input<'_>, code, at| input.regions_of_function(code, at);
        let both = regions(before, code, at).and_then(|one| Ok((one, regions(after, other, new.remove(found))?)));
        match both.and_then(|(one, two)| pairs(before, one, after, two)) {
            Ok(pairs) => rows.extend(pairs.iter().map(|pair| row(sides, &kernel, (code, other), pair))),
            Err(problem) => rows.push(Row::without(&kernel, format!("{problem:#}"))),
        }
    }
    rows.extend(new.into_iter().map(|at| Row::without(&name(other, at), format!("not in {}", before.file.display()))));
    rows.sort_by(|one, two| match (one.change_percent, two.change_percent) {
        (Some(one), Some(two)) => two.total_cmp(&one),
        (one, two) => one.is_none().cmp(&two.is_none()),
    });
    rows
}

fn row(sides: &Sides<'_>, kernel: &str, (code, other): (&UserCode, &UserCode), [one, two]: &[Found<'_>; 2]) -> Row {
    let of_simd = |code: &UserCode, (function, region): &Found<'_>| -> anyhow::Result<Cycles> {
        let Placed { card, question } = (sides.placed)(code, function, region)?;
        let prediction = predict_card(&card, &function.code, region, question)?;
        Ok(Cycles(prediction.cycles_per_iteration.0 / f64::from(question.waves_per_simd)))
    };
    match of_simd(code, one).and_then(|before| Ok((before, of_simd(other, two)?))) {
        Ok((before, after)) => Row {
            kernel: kernel.to_owned(),
            region: Some(two.1.name.clone()),
            before: Some(before),
            after: Some(after),
            change_percent: Some((after.0 / before.0 - 1.0) * 100.0),
            problem: None,
        },
        Err(problem) => Row::without(kernel, format!("{problem:#}")),
    }
}

/// The table, for people.
pub(super) fn table(rows: &[Row], file: &str, other: &Path) -> String {
    let mut table = format!(
        "before: {file}\nafter:  {}\n\nCycles in which a SIMD does an iteration of one of its waves.\n",
        other.display()
    );
    let _ = writeln!(table, "\n   before     after    change  kernel, region");
    for Row { kernel, region, before, after, change_percent, problem } in rows {
        let cycles = |cycles: &Option<Cycles>| cycles.map_or_else(|| "-".to_owned(), number);
        let change = change_percent.map_or_else(|| "-".to_owned(), |percent| format!("{percent:+.1} %"));
        let what = region.as_ref().or(problem.as_ref()).map(String::as_str).unwrap_or_default();
        let _ = writeln!(table, "{:>9} {:>9} {change:>9}  {kernel}, {what}", cycles(before), cycles(after));
    }
    table
}
