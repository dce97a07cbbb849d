//! The report's tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use crate::many_waves::ThroughputRow;
use crate::one_wave::Distribution;
use crate::results::Results;
use crate::settle::Status;
use crate::tables::{Measured, Number, Single, Value, Verdict, decimal, disputed_word};
use crate::views::question::{measured_words, predicted_words};

/// A table that can be sorted and filtered.
#[derive(Debug, Serialize)]
pub(super) struct Table {
    id: &'static str,
    title: &'static str,
    note: &'static str,
    count: usize,
    columns: Vec<String>,
    rows: Vec<Row>,
}

impl Table {
    /// Whether it is the table of `timings.csv`.
    pub(super) fn is_of_timings(&self) -> bool {
        self.id == "timings"
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

#[derive(Debug, Serialize)]
struct Row {
    /// The end of a link to the row; empty where it has no name of its own.
    anchor: String,
    cells: Vec<Cell>,
}

#[derive(Debug, Serialize)]
struct Cell {
    text: String,
    /// The whole value with its interval, where `text` is rounded.
    exact: String,
    numeric: bool,
}

fn text(text: impl fmt::Display) -> Cell {
    Cell { text: text.to_string(), exact: String::new(), numeric: false }
}

fn figure(value: Option<f64>) -> Cell {
    Cell { text: value.map(decimal).unwrap_or_default(), exact: String::new(), numeric: true }
}

fn whole(value: Option<u32>) -> Cell {
    figure(value.map(f64::from))
}

/// Cycles with their interval.
fn interval<Q: Copy + Into<f64>>(span: Option<Measured<Q>>) -> Cell {
    span.map_or_else(|| figure(None), |span| number(Number::cycles(span)))
}

/// Instructions per cycle with their interval.
fn rate<Q: Copy + Into<f64>>(span: Option<Measured<Q>>) -> Cell {
    span.map_or_else(|| figure(None), |span| number(Number::rate(span)))
}

fn number(number: Number) -> Cell {
    Cell { text: number.to_string(), exact: number.exact.unwrap_or_default(), numeric: true }
}

fn table(
    id: &'static str,
    title: &'static str,
    note: &'static str,
    columns: &[&str],
    rows: impl Iterator<Item = Vec<Cell>>,
) -> Table {
    let columns = columns.iter().map(|&name| name.to_owned()).collect();
    let rows: Vec<Row> = rows.map(|cells| Row { anchor: String::new(), cells }).collect();
    Table { id, title, note, count: rows.len(), columns, rows }
}

/// All tables, in the report's order; those that the run has nothing for are empty.
pub(super) fn tables(run: &Results) -> Vec<Table> {
    vec![
        timings(run),
        disagreements(run),
        answers(run),
        disputes(run),
        semantics(run),
        dpfactor(run),
        variants(run),
        penalties(run),
        occupancy(run),
        allocations(run),
        issue(run),
        throughputs(run),
        distributions(run),
        table(
            "skipped",
            "What has no number, or no sure one, and why",
            "Instructions that were skipped on purpose, that the device or the assembler does not support, that failed, or \
             whose readings did not settle.",
            &["instruction", "status", "why"],
            run.timings
                .iter()
                .filter(|row| row.status != Status::Ok)
                .map(|row| vec![text(&row.instruction), text(&row.status), text(&row.detail)]),
        ),
    ]
}

fn timings(run: &Results) -> Table {
    let mut timings = table(
        "timings",
        "Timings",
        "Cycles are shader cycles of one wave for independent instructions (taken: of a jump that is taken), latency for \
         dependent ones; throughput is instructions per cycle per compute unit, with so many waves on each SIMD. A number is whole, \
         or a fraction of 1, where its 95 % interval holds no other one.",
        &["instruction", "encoding", "bytes", "cycles", "taken", "latency", "throughput", "waves", "status"],
        run.timings.iter().map(|row| {
            vec![
                text(&row.instruction),
                text(&row.encoding),
                whole(Some(row.bytes.0)),
                interval(row.cycles),
                interval(row.taken),
                interval(row.latency),
                rate(row.throughput),
                whole(row.waves_per_simd),
                text(&row.status),
            ]
        }),
    );
    for (row, timing) in timings.rows.iter_mut().zip(&run.timings) {
        row.anchor.clone_from(&timing.instruction);
    }
    timings
}

fn disagreements(run: &Results) -> Table {
    let (title, note) = if run.record.device.is_simulated() {
        (
            "Where a source says something else",
            "Published values other than what the simulator was given, which judges no source. The column “on this GPU” has what the \
             published value comes to with the DPFACTOR of this run.",
        )
    } else {
        (
            "What disagrees with a source",
            "Published values that the measurement contradicts. The column “on this GPU” has what the published value comes to with \
             the DPFACTOR of this run.",
        )
    };
    published(run, Verdict::Mismatch, "disagreements", title, note)
}

fn answers(run: &Results) -> Table {
    let (title, note) = if run.record.device.is_simulated() {
        (
            "Open questions",
            "Values that a source does not know or doubts, and what the simulator was given, which answers nothing.",
        )
    } else {
        ("Open questions answered", "Values that a source does not know or doubts, and what was measured.")
    };
    published(run, Verdict::Answers, "answers", title, note)
}

fn published(run: &Results, verdict: Verdict, id: &'static str, title: &'static str, note: &'static str) -> Table {
    let columns = ["source", "instruction", "quantity", "published", "on this GPU", "measured"];
    let rows = run.validation.iter().filter(|row| row.verdict == verdict).map(|row| {
        vec![
            text(&row.source),
            text(&row.instruction),
            text(&row.quantity),
            text(&row.published),
            text(&row.expected),
            row.measured.map_or_else(|| figure(None), |measured| number(Number::of_quantity(row.quantity, measured))),
        ]
    });
    table(id, title, note, &columns, rows)
}

fn disputes(run: &Results) -> Table {
    table(
        "disputes",
        "Where the sources contradict each other",
        "Each question with what each source predicts for this GPU, and how it compares.",
        &["no.", "question", "instruction", "quantity", "source", "predicted", "measured", "verdict", "why"],
        run.disputes.iter().map(|row| {
            vec![
                text(&row.number),
                text(&row.question),
                text(&row.instruction),
                text(disputed_word(row.quantity)),
                text(&row.source),
                text(predicted_words(row)),
                text(measured_words(row)),
                text(row.verdict.word_on(&run.record.device)),
                text(&row.detail),
            ]
        }),
    )
}

fn semantics(run: &Results) -> Table {
    table(
        "semantics",
        "What no source settles",
        "Each case with its result and the reading that holds. A simulated device shows what the simulator implements.",
        &["question", "instruction", "result", "verdict", "reading", "source", "device", "why"],
        run.semantics.iter().map(|row| {
            vec![
                text(&row.question),
                text(&row.instruction),
                text(row.result.texts().concat()),
                text(row.verdict),
                text(&row.reading),
                text(&row.source),
                text(&row.device),
                text(&row.detail),
            ]
        }),
    )
}

fn dpfactor(run: &Results) -> Table {
    table(
        "dpfactor-evidence",
        "Evidence for DPFACTOR",
        "Each instruction's measured cycles divided by the published multiple of DPFACTOR.",
        &["instruction", "multiple", "cycles", "factor", "agrees"],
        run.dpfactor.iter().flat_map(|found| &found.rows).map(|row| {
            vec![
                text(&row.instruction),
                figure(Some(row.multiple)),
                figure(Some(row.cycles)),
                interval(Some(Measured { value: row.factor, low: row.low, high: row.high })),
                text(if row.agrees { "yes" } else { "no" }),
            ]
        }),
    )
}

fn variants(run: &Results) -> Table {
    table(
        "variants",
        "Other forms of instructions",
        "Shader cycles in a form other than the plain one, and how many more than in the plain one.",
        &["instruction", "form", "quantity", "cycles", "difference", "status", "why"],
        run.variants.iter().map(|row| {
            vec![
                text(&row.instruction),
                text(&row.case),
                text(&row.quantity),
                interval(row.cycles),
                interval(row.difference),
                text(&row.status),
                text(&row.detail),
            ]
        }),
    )
}

fn penalties(run: &Results) -> Table {
    table(
        "penalties",
        "Penalties",
        "What a case costs more, in shader cycles, and what the page says of it.",
        &["experiment", "case", "offset", "waves", "penalty", "expected", "verdict"],
        run.penalties.iter().map(|row| {
            vec![
                text(&row.experiment),
                text(&row.case),
                whole(row.offset_dwords),
                whole(Some(row.waves_per_simd)),
                interval(row.penalty),
                text(&row.expected),
                text(row.verdict.word_on(&run.record.device)),
            ]
        }),
    )
}

fn occupancy(run: &Results) -> Table {
    table(
        "occupancy",
        "Occupancy",
        "Waves that ran at once on each SIMD, with what each of them had.",
        &["waves", "SGPRs", "VGPRs", "LDS dwords of a lane", "issue"],
        run.occupancy.table.iter().map(|row| {
            vec![
                whole(Some(row.waves_per_simd)),
                whole(row.sgprs),
                whole(row.vgprs),
                figure(row.lds_dwords_per_lane),
                rate(row.issue),
            ]
        }),
    )
}

fn allocations(run: &Results) -> Table {
    table(
        "allocation",
        "How registers and LDS are given out",
        "Granules and totals that explain at which amounts one wave fewer runs: of a SIMD, and of a compute unit for LDS (bytes).",
        &["resource", "granule", "asked in steps of", "in all, at least", "at most", "odds against any other granule"],
        run.occupancy.allocations.iter().map(|row| {
            vec![
                text(&row.resource),
                text(row.granules.text()),
                whole(Some(row.step)),
                whole(Some(row.total.0)),
                whole(row.total.1),
                whole(row.odds.map(|odds| odds.0)),
            ]
        }),
    )
}

fn issue(run: &Results) -> Table {
    table(
        "issue",
        "Unlike instructions at once",
        "Instructions per cycle per compute unit in blocks of instructions of unlike kinds.",
        &["block", "waves", "per cycle", "status", "why"],
        run.occupancy.issue.iter().map(|row| {
            vec![text(&row.mix), whole(Some(row.waves_per_simd)), rate(row.issue), text(&row.status), text(&row.detail)]
        }),
    )
}

fn throughputs(run: &Results) -> Table {
    let waves: BTreeSet<u32> = run.throughputs.iter().map(|row| row.waves_per_simd).collect();
    let mut lines: Vec<(&str, &str, BTreeMap<u32, &ThroughputRow>)> = Vec::new();
    for row in &run.throughputs {
        match lines.last_mut() {
            Some((name, case, line)) if (*name, *case) == (row.instruction.as_str(), row.case.as_str()) => {
                line.insert(row.waves_per_simd, row);
            }
            _ => lines.push((&row.instruction, &row.case, BTreeMap::from([(row.waves_per_simd, row)]))),
        }
    }
    let of_waves = waves.iter().map(|waves| format!("{waves} on a SIMD"));
    let columns: Vec<String> = ["instruction", "form"].map(str::to_owned).into_iter().chain(of_waves).collect();
    table(
        "throughput",
        "Throughput by waves",
        "Instructions per cycle per compute unit on each number of waves on a SIMD; the best one stands in the timings.",
        &columns.iter().map(String::as_str).collect::<Vec<_>>(),
        lines.into_iter().map(|(name, case, line)| {
            let cells = waves.iter().map(|waves| match line.get(waves) {
                Some(row) if row.throughput.is_none() => text(&row.status),
                row => rate(row.and_then(|row| row.throughput)),
            });
            [text(name), text(case)].into_iter().chain(cells).collect()
        }),
    )
}

fn distributions(run: &Results) -> Table {
    table(
        "distributions",
        "What does not always take the same",
        "Cycles of single executions, and how often each was seen.",
        &["instruction", "form", "cycles", "count", "share"],
        run.distributions.iter().flat_map(Distribution::rows).map(|row| {
            vec![
                text(&row.instruction),
                text(&row.case),
                figure(Some(row.value_cycles)),
                figure(Some(row.count as f64)),
                figure(Some(row.share)),
            ]
        }),
    )
}
