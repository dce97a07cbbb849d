//! The report's tables.

use serde::Serialize;

use crate::tables::{Span, Tables, Verdict, decimal};

/// A table that can be sorted and filtered.
#[derive(Debug, Serialize)]
pub(super) struct Table {
    id: &'static str,
    title: &'static str,
    note: &'static str,
    count: usize,
    columns: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

#[derive(Debug, Serialize)]
struct Cell {
    text: String,
    numeric: bool,
}

fn text(text: &str) -> Cell {
    Cell { text: text.into(), numeric: false }
}

fn figure(value: Option<f64>) -> Cell {
    Cell { text: value.map(decimal).unwrap_or_default(), numeric: true }
}

fn whole(value: Option<u32>) -> Cell {
    figure(value.map(f64::from))
}

/// A value, and its interval if that has a width.
fn interval(span: Option<Span>) -> Cell {
    let text = span.map_or_else(String::new, |span| {
        let [value, low, high] = [span.value, span.low, span.high].map(decimal);
        if low == high { value } else { format!("{value} [{low}, {high}]") }
    });
    Cell { text, numeric: true }
}

fn table(
    id: &'static str,
    title: &'static str,
    note: &'static str,
    columns: &[&'static str],
    rows: impl Iterator<Item = Vec<Cell>>,
) -> Table {
    let rows: Vec<Vec<Cell>> = rows.collect();
    Table { id, title, note, count: rows.len(), columns: columns.to_vec(), rows }
}

/// All tables, in the report's order; those that the run has nothing for are empty.
pub(super) fn tables(run: &Tables) -> Vec<Table> {
    vec![
        timings(run),
        published(
            run,
            "mismatch",
            "disagreements",
            "What disagrees with a source",
            "Published values that the measurement contradicts. The column “on this GPU” has what the published value comes to \
             with the DPFACTOR of this run.",
        ),
        published(
            run,
            "answers",
            "answers",
            "Open questions answered",
            "Values that a source does not know or doubts, and what was measured.",
        ),
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
        dropped(run),
        table(
            "skipped",
            "What has no number, or no sure one, and why",
            "Instructions that were skipped on purpose, that the device or the assembler does not support, that failed, or \
             whose readings did not settle.",
            &["instruction", "status", "why"],
            run.timings
                .iter()
                .filter(|row| row.status != "ok")
                .map(|row| vec![text(&row.instruction), text(&row.status), text(&row.detail)]),
        ),
    ]
}

fn timings(run: &Tables) -> Table {
    table(
        "timings",
        "Timings",
        "Cycles are shader cycles of one wave for independent instructions (taken: of a jump that is taken), latency for \
         dependent ones; throughput is instructions per cycle per compute unit, with so many waves on each SIMD. In brackets: \
         95 % intervals that have a width.",
        &["instruction", "encoding", "bytes", "cycles", "taken", "latency", "throughput", "waves", "status"],
        run.timings.iter().map(|row| {
            vec![
                text(&row.instruction),
                text(&row.encoding),
                whole(Some(row.bytes)),
                interval(row.cycles()),
                interval(row.taken()),
                interval(row.latency()),
                interval(row.throughput()),
                whole(row.waves_per_simd),
                text(&row.status),
            ]
        }),
    )
}

fn published(run: &Tables, verdict: &str, id: &'static str, title: &'static str, note: &'static str) -> Table {
    let columns = ["source", "instruction", "quantity", "published", "on this GPU", "measured"];
    let rows = run.validation.iter().filter(|row| row.verdict == verdict).map(|row| {
        vec![
            text(&row.source),
            text(&row.instruction),
            text(&row.quantity),
            text(&row.published),
            text(&row.expected),
            figure(row.measured),
        ]
    });
    table(id, title, note, &columns, rows)
}

fn disputes(run: &Tables) -> Table {
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
                text(&row.quantity),
                text(&row.source),
                text(&row.predicted),
                figure(row.measured),
                text(Verdict::word_of(&row.verdict)),
                text(&row.detail),
            ]
        }),
    )
}

fn semantics(run: &Tables) -> Table {
    table(
        "semantics",
        "What no source settles",
        "Each case with its result and the reading that holds. A simulated device shows what the simulator implements.",
        &["question", "instruction", "result", "verdict", "reading", "source", "device", "why"],
        run.semantics.iter().map(|row| {
            vec![
                text(&row.question),
                text(&row.instruction),
                text(&row.result),
                text(Verdict::word_of(&row.verdict)),
                text(&row.reading),
                text(&row.source),
                text(&row.device),
                text(&row.detail),
            ]
        }),
    )
}

fn dpfactor(run: &Tables) -> Table {
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
                interval(Some(Span { value: row.factor, low: row.low, high: row.high })),
                text(if row.agrees { "yes" } else { "no" }),
            ]
        }),
    )
}

fn variants(run: &Tables) -> Table {
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
                interval(row.cycles()),
                interval(row.difference()),
                text(&row.status),
                text(&row.detail),
            ]
        }),
    )
}

fn penalties(run: &Tables) -> Table {
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
                interval(row.penalty()),
                text(&row.expected),
                text(Verdict::word_of(&row.verdict)),
            ]
        }),
    )
}

fn occupancy(run: &Tables) -> Table {
    table(
        "occupancy",
        "Occupancy",
        "Waves that ran at once on each SIMD, with what each of them had.",
        &["waves", "SGPRs", "VGPRs", "LDS dwords of a lane", "issue"],
        run.occupancy.iter().map(|row| {
            vec![
                whole(Some(row.waves_per_simd)),
                whole(row.sgprs),
                whole(row.vgprs),
                figure(row.lds_dwords_per_lane),
                figure(row.issue),
            ]
        }),
    )
}

fn allocations(run: &Tables) -> Table {
    table(
        "allocation",
        "How registers and LDS are given out",
        "Granules and totals that explain at which amounts one wave fewer runs: of a SIMD, and of a compute unit for LDS (bytes).",
        &["resource", "granule", "asked in steps of", "in all, at least", "at most", "odds against any other granule"],
        run.allocations.iter().map(|row| {
            vec![
                text(&row.resource),
                text(&row.granule),
                whole(Some(row.asked_in_steps_of)),
                whole(Some(row.total_low)),
                whole(row.total_high),
                whole(row.odds.map(|odds| odds as u32)),
            ]
        }),
    )
}

fn issue(run: &Tables) -> Table {
    table(
        "issue",
        "Unlike instructions at once",
        "Instructions per cycle per compute unit in blocks of instructions of unlike kinds.",
        &["block", "waves", "per cycle", "status", "why"],
        run.issue.iter().map(|row| {
            vec![
                text(&row.mix),
                whole(Some(row.waves_per_simd)),
                interval(row.issue()),
                text(&row.status),
                text(&row.detail),
            ]
        }),
    )
}

fn throughputs(run: &Tables) -> Table {
    table(
        "throughput",
        "Throughput by waves",
        "Instructions per cycle per compute unit on each number of waves on a SIMD; the best one stands in the timings.",
        &["instruction", "form", "waves", "per cycle", "status", "why"],
        run.throughputs.iter().map(|row| {
            vec![
                text(&row.instruction),
                text(&row.case),
                whole(Some(row.waves_per_simd)),
                interval(row.throughput()),
                text(&row.status),
                text(&row.detail),
            ]
        }),
    )
}

fn dropped(run: &Tables) -> Table {
    table(
        "dropped",
        "Readings that were dropped",
        "Experiments of which a rule dropped readings, or that have no estimate; estimates.csv has all experiments.",
        &["experiment", "quantity", "estimate", "readings", "dropped", "status", "why"],
        run.estimates.iter().filter(|row| row.tally().dropped.total() + row.tally().no_estimate > 0).map(|row| {
            let tally = row.tally();
            vec![
                text(&row.experiment),
                text(&row.quantity),
                interval(row.estimate()),
                figure(Some(tally.readings as f64)),
                text(&tally.dropped.to_string()),
                text(&row.status),
                text(&row.detail),
            ]
        }),
    )
}

fn distributions(run: &Tables) -> Table {
    table(
        "distributions",
        "What does not always take the same",
        "Cycles of single executions, and how often each was seen.",
        &["instruction", "form", "cycles", "count", "share"],
        run.distributions.iter().map(|row| {
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
