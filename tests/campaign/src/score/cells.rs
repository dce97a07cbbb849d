//! Numbers of instructions, and of what runs at once.

use std::fs;
use std::path::Path;

use super::table::{Row, Table};
use super::{ScoreError, Scorer};
use crate::tally::{Outcome, Statement};
use crate::truth::Range;

/// A number of cycles is false beyond this share, a throughput too.
const NEAR: f64 = 0.01;

impl Scorer<'_> {
    pub(super) fn timings(&mut self, table: &Table) {
        for row in table.rows().filter(|row| matches!(row.text("status"), "ok" | "unstable")) {
            let (name, bytes) = (row.text("instruction"), row.whole("bytes").unwrap_or(4));
            let is_jump = row.number("taken").is_some() && row.number("cycles").is_none();
            let columns = |name: &str| [name.to_owned(), format!("{name}_low"), format!("{name}_high")];
            let found = |name: &str| {
                let columns = columns(name);
                row.measured([&columns[0], &columns[1], &columns[2]])
            };
            if let Some(truth) = self.truth.cycles(name, bytes).filter(|_| !is_jump) {
                self.number(Statement::Cycles, name, found("cycles"), truth, (NEAR, 0.0));
                self.snapped(row, truth);
            }
            if let Some((latency, truth)) = found("latency").zip(self.truth.latency(name)) {
                self.number(Statement::Latency, name, Some(latency), truth, (NEAR, 0.0));
            }
            if let Some((taken, truth)) = found("taken").zip(self.truth.taken(name)) {
                self.number(Statement::Taken, name, Some(taken), truth, (NEAR, 0.0));
            }
            let has_throughput = !is_jump && !name.starts_with("S_CBRANCH");
            if let Some(truth) = self.truth.best_throughput(name, bytes, &self.waves).filter(|_| has_throughput) {
                self.throughput(row, found("throughput"), truth);
            }
        }
    }

    /// A throughput that its row calls a lower bound says that the truth is not below it.
    fn throughput(&mut self, row: Row<'_>, found: Option<[f64; 3]>, truth: Range) {
        let name = row.text("instruction");
        if row.text("detail").contains("at least")
            && let Some([value, low, _]) = found
        {
            let outcome = if low * (1.0 - NEAR) <= truth.high { Outcome::Candidates } else { Outcome::False };
            return self
                .add(Statement::Throughput, outcome, || format!("{name}: at least {value}, truth {}", truth.high));
        }
        self.number(Statement::Throughput, name, found, truth, (NEAR, 0.0));
    }

    fn snapped(&mut self, row: Row<'_>, truth: Range) {
        let outcome = match row.number("cycles_snapped") {
            None => Outcome::Silent,
            Some(snapped) if truth.distance(snapped) < 1e-9 => Outcome::Right,
            Some(_) => Outcome::False,
        };
        self.add(Statement::Snapped, outcome, || {
            format!(
                "{}: {}, truth {} to {}",
                row.text("instruction"),
                row.text("cycles_snapped"),
                truth.low,
                truth.high
            )
        });
    }

    pub(super) fn throughputs(&mut self, table: &Table) {
        for row in table.rows().filter(|row| row.text("case").is_empty() && row.text("status") == "ok") {
            let (name, waves) = (row.text("instruction"), row.whole("waves_per_simd").unwrap_or(1));
            let Some((instruction, _)) = self.truth.find(name) else { continue };
            let bytes = if instruction.dwords().0 > 1 { 8 } else { 4 };
            let Some(truth) = self.truth.throughput(name, waves, bytes) else { continue };
            let found = row.measured(["throughput", "low", "high"]);
            self.number(Statement::ThroughputOfWaves, &format!("{name} on {waves}"), found, truth, (NEAR, 0.0));
        }
    }

    pub(super) fn dp_factor(&mut self, folder: &Path) -> Result<(), ScoreError> {
        let path = folder.join("dpfactor.json");
        if !path.exists() {
            return Ok(());
        }
        let text = fs::read_to_string(&path).map_err(|cause| ScoreError::File { path: path.clone(), cause })?;
        let found: serde_json::Value = serde_json::from_str(&text).map_err(|cause| ScoreError::Json { path, cause })?;
        let truth = self.truth.gpu.dp_factor;
        let candidates: Vec<f64> =
            found["candidates"].as_array().into_iter().flatten().filter_map(|x| x.as_f64()).collect();
        let outcome = match found["class"].as_str() {
            Some("known" | "new") if found["dpfactor"].as_f64().is_some_and(|value| (value - truth).abs() < 0.01) => {
                Outcome::Right
            }
            Some("known" | "new") => Outcome::False,
            Some("undecided") if candidates.contains(&truth) => Outcome::Candidates,
            Some("undecided") if !candidates.is_empty() => Outcome::False,
            _ => Outcome::Silent,
        };
        self.add(Statement::DpFactor, outcome, || format!("{} {}, truth {truth}", found["dpfactor"], found["class"]));
        Ok(())
    }

    pub(super) fn variants(&mut self, table: &Table) {
        for row in table.rows().filter(|row| row.text("quantity") == "cycles") {
            let name = row.text("instruction");
            let truth = if row.text("case").contains("glc") { self.truth.glc(name) } else { Some(Range::exactly(0.0)) };
            let Some(truth) = truth else { continue };
            let found = row.measured(["difference", "difference_low", "difference_high"]);
            self.number(Statement::Variant, &format!("{name} {}", row.text("case")), found, truth, (0.0, 0.5));
        }
    }

    pub(super) fn residence(&mut self, table: &Table) {
        for row in table.rows() {
            let Some(amount) = row.whole("amount") else { continue };
            let truth = match row.text("resource") {
                "vgprs" => self.truth.residents(Some(amount), None),
                "sgprs" => self.truth.residents(None, Some(amount)),
                _ => continue,
            };
            let outcome = match row.number("waves_per_simd") {
                None => Outcome::Silent,
                Some(waves) if truth.distance(waves) == 0.0 => Outcome::Right,
                Some(_) => Outcome::False,
            };
            self.add(Statement::Residence, outcome, || {
                let (resource, waves) = (row.text("resource"), row.text("waves_per_simd"));
                format!("{amount} {resource}: {waves} waves, truth {} to {}", truth.low, truth.high)
            });
        }
    }

    /// The largest amounts for each number of waves, of those that `residence.csv` has.
    pub(super) fn occupancy(&mut self, table: &Table, residence: &Table) {
        let amounts = |resource: &str| -> Vec<u32> {
            let rows = residence.rows().filter(|row| row.text("resource") == resource);
            rows.filter_map(|row| row.whole("amount")).collect()
        };
        let asked = [("vgprs", amounts("vgprs"), true), ("sgprs", amounts("sgprs"), false)];
        for row in table.rows() {
            let Some(waves) = row.number("waves_per_simd") else { continue };
            for (column, asked, is_vector) in &asked {
                let of = |amount| match *is_vector {
                    true => self.truth.residents(Some(amount), None),
                    false => self.truth.residents(None, Some(amount)),
                };
                let largest =
                    |end: fn(Range) -> f64| asked.iter().copied().filter(|amount| end(of(*amount)) >= waves).max();
                let (low, high) = (largest(|range| range.low), largest(|range| range.high));
                let is_within =
                    |found: u32| low.is_none_or(|low| low <= found) && high.is_some_and(|high| found <= high);
                let outcome = match row.whole(column) {
                    None => Outcome::Silent,
                    Some(found) if is_within(found) => Outcome::Right,
                    Some(_) => Outcome::False,
                };
                self.add(Statement::Occupancy, outcome, || {
                    format!("{waves} waves: {} {column}, truth {low:?} to {high:?}", row.text(column))
                });
            }
        }
    }
}
