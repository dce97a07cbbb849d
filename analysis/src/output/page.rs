//! `TIMINGS.md`: the published page's tables, regenerated from this run.

use std::collections::HashMap;
use std::fmt::Write;

use gcn_model::isa::{self, Generation};
use gcn_model::published::{Published, sources};

use crate::analysis::Analysis;
use crate::dpfactor::DpClass;
use crate::measured::{Measured, decimal};
use crate::timing::TimingRow;
use crate::validation::{ValidationRow, Verdict};

/// Sections in the page's order; encodings that the page does not treat follow.
const SECTIONS: [&str; 19] = [
    "SOP2", "SOPK", "SOP1", "SOPC", "SOPP", "SMRD", "SMEM", "VOP2", "VOP1", "VOPC", "VOP3", "VOP3P", "DS", "MUBUF",
    "MTBUF", "MIMG", "FLAT", "EXP", "VINTRP",
];

/// `TIMINGS.md`: what was measured and, where that differs, what is published.
pub fn page(analysis: &Analysis) -> String {
    let mut page = Page { text: String::new() };
    let device = &analysis.record().device;
    page.line("# GCN ISA instruction timings");
    page.line(&format!(
        "\nMeasured on {} ({}, GCN {}) through {} by {}{}.",
        device.name,
        device.target,
        device.generation,
        device.driver,
        analysis.record().tool,
        // When, is in run.json: the same readings give the same page.
        if analysis.record().end.is_some() { "" } else { "; the run did not come to its end" },
    ));
    page.line(
        "\nCycles are shader cycles of one wave for independent instructions, latency for dependent ones; throughput is \
         instructions per cycle per compute unit, with the waves on each SIMD that reached it. ± is half of the 95 % \
         interval where it is not zero. *Published* shows what a source prints where the measurement differs from it or \
         answers its question.",
    );
    page.dpfactor(analysis);
    let mut differing: HashMap<&str, Vec<&ValidationRow>> = HashMap::new();
    for row in analysis.validation() {
        if matches!(row.verdict, Verdict::Mismatch | Verdict::Answers) {
            differing.entry(&row.instruction).or_default().push(row);
        }
    }
    let generation = Generation::ALL.into_iter().find(|generation| generation.name() == device.generation);
    let mut by_section: HashMap<String, Vec<&TimingRow>> = HashMap::new();
    for row in analysis.timings() {
        by_section.entry(section_of(row, generation)).or_default().push(row);
    }
    for section in SECTIONS {
        if let Some(rows) = by_section.remove(section) {
            page.section(section, &rows, &differing);
        }
    }
    let mut others: Vec<_> = by_section.into_iter().collect();
    others.sort_by(|a, b| a.0.cmp(&b.0));
    for (section, rows) in others {
        page.section(&section, &rows, &differing);
    }
    page.text
}

/// The page's table that lists an instruction, or its native encoding, or the one that was measured.
fn section_of(row: &TimingRow, generation: Option<Generation>) -> String {
    let listed = sources().iter().find_map(|source| source.row(&row.instruction));
    let native = || generation.and_then(|generation| isa::find(&row.instruction, generation));
    match listed {
        Some(listed) => listed.section.clone(),
        None => native().map_or_else(|| row.encoding.clone(), |native| native.encoding.name().to_owned()),
    }
}

/// The text so far.
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        // Writing to a String does not fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// The DPFACTOR table, with this run's row.
    fn dpfactor(&mut self, analysis: &Analysis) {
        self.line("\n## DPFACTOR\n");
        let found = match analysis.dpfactor() {
            Ok(found) => found,
            Err(absent) => return self.line(&format!("Not measured: {absent}.")),
        };
        let says = match found.class {
            DpClass::Known => "a factor of the published table",
            DpClass::New => "a factor that the published table does not have",
            DpClass::Inconsistent => {
                "but the instructions contradict each other: one factor does not describe this GPU"
            }
        };
        self.line(&format!(
            "DPFACTOR is {} (double precision at {} of single precision), {says}; {} of {} instructions agree on {} \
             [{}, {}].",
            decimal(found.dpfactor),
            found.dp_rate,
            found.agreeing,
            found.of,
            decimal(found.measured),
            decimal(found.low),
            decimal(found.high),
        ));
        if !found.contradicting.is_empty() {
            self.line(&format!("Contradicting: {}.", found.contradicting.join(", ")));
        }
        self.line("\nDPFACTOR | DP speed | GPU subfamily | this run\n---|---|---|---");
        let table = sources().iter().map(Published::dp_factors).find(|table| !table.is_empty()).unwrap_or_default();
        for row in table {
            let here = found.class == DpClass::Known && f64::from(row.dp_factor) == found.dpfactor;
            self.line(&format!(
                "{} | {} | {} |{}",
                row.dp_factor,
                row.dp_rate,
                row.gpus,
                if here { " yes" } else { "" }
            ));
        }
        if found.class == DpClass::New {
            self.line(&format!("{} | {} | not published | yes", decimal(found.dpfactor), found.dp_rate));
        }
    }

    /// One section: a sentence if all agree, the table, and what is not in it.
    fn section(&mut self, section: &str, rows: &[&TimingRow], differing: &HashMap<&str, Vec<&ValidationRow>>) {
        self.line(&format!("\n## {section} instruction timings"));
        let measured: Vec<&TimingRow> = rows
            .iter()
            .copied()
            .filter(|row| {
                row.cycles.is_some() || row.taken.is_some() || row.latency.is_some() || row.throughput.is_some()
            })
            .collect();
        if let Some(cycles) = uniform(&measured) {
            self.line(&format!("\nAll {} measured {section} instructions take {cycles} cycles.", measured.len()));
        }
        if !measured.is_empty() {
            self.line("\nInstruction | Cycles | Latency | Throughput | Published\n---|---|---|---|---");
        }
        for row in &measured {
            let published = differing.get(row.instruction.as_str()).map(|rows| published(rows)).unwrap_or_default();
            let cells = [
                row.instruction.clone(),
                cycles_cell(row),
                cell(row.latency.as_ref().map(Measured::numbers)),
                throughput_cell(row),
                published,
            ];
            self.line(cells.join(" | ").trim_end());
        }
        let rest: Vec<&&TimingRow> =
            rows.iter().filter(|row| !measured.iter().any(|other| std::ptr::eq(*other, **row))).collect();
        if !rest.is_empty() {
            self.line("\nNot measured:\n");
        }
        for row in rest {
            self.line(&format!("* {}: {}: {}", row.instruction, row.status, row.detail));
        }
    }
}

/// The cycles that all rows share, if there are several and they do.
fn uniform(rows: &[&TimingRow]) -> Option<String> {
    let first = cell(Some(rows.first()?.cycles?.numbers()));
    let same = |row: &&TimingRow| row.cycles.is_some_and(|cycles| cell(Some(cycles.numbers())) == first);
    (rows.len() > 1 && rows.iter().all(same)).then_some(first)
}

/// A value with half of its interval, two decimals.
fn cell(numbers: Option<[f64; 3]>) -> String {
    let Some([value, low, high]) = numbers else { return String::new() };
    let half_width = (high - low) / 2.0;
    let two = |number: f64| decimal((number * 100.0).round() / 100.0);
    if half_width < 0.005 { two(value) } else { format!("{} ± {}", two(value), two(half_width)) }
}

/// Cycles; of a jump, those of not taking it, then those of taking it.
fn cycles_cell(row: &TimingRow) -> String {
    let cycles = cell(row.cycles.as_ref().map(Measured::numbers));
    let Some(taken) = row.taken else { return cycles };
    let taken = format!("{} if taken", cell(Some(taken.numbers())));
    if cycles.is_empty() { taken } else { format!("{cycles}, {taken}") }
}

/// A throughput, as the page's fraction if it is one, with its waves.
fn throughput_cell(row: &TimingRow) -> String {
    let (Some(throughput), Some(waves)) = (row.throughput, row.waves_per_simd) else { return String::new() };
    let value = throughput.value.0;
    let below = (1.0 / value).round();
    let waves = if waves == 1 { "1 wave".to_owned() } else { format!("{waves} waves") };
    let off = (value * below - 1.0).abs();
    let fraction = if below <= 1.0 { "1".to_owned() } else { format!("1/{below}") };
    // The page's own resolution: what lies within 2 % of 1/6 would have been printed 1/6.
    match off {
        // Nothing that the four decimals of timings.csv would show.
        0.0..5e-5 if below >= 1.0 => format!("{fraction} ({waves})"),
        0.0..=crate::validation::THROUGHPUT_RESOLUTION if below >= 1.0 => {
            format!("{} ({waves}, about {fraction})", decimal(value))
        }
        _ => format!("{} ({waves})", decimal(value)),
    }
}

/// What sources print that differs.
fn published(rows: &[&ValidationRow]) -> String {
    let texts: Vec<String> = rows
        .iter()
        .map(|row| {
            let printed = row.published.replace('*', "\\*");
            let open = if row.verdict == Verdict::Answers { " (open)" } else { "" };
            format!("{}: {} {printed}{open}", row.source, row.quantity)
        })
        .collect();
    texts.join("; ")
}
