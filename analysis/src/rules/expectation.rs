//! The CLRX table's rules for a case: worked out from the sentences' numbers, which are in the source's data.

use std::collections::HashMap;

use gcn_model::isa::{self, Generation, OperandKind};
use gcn_model::published::{Published, Statement};
use gcn_model::record::{ExperimentRecord, NeighbourCase, PlaceCase};

use crate::one_wave::TimingRow;

const DWORD: f64 = 4.0;

/// The CLRX table's rules for a generation.
pub(super) struct Rules<'a> {
    statements: HashMap<&'a str, &'a Statement>,
    generation: Generation,
    /// Measured cycles, by instruction.
    cycles: HashMap<&'a str, f64>,
}

impl<'a> Rules<'a> {
    /// The rules of the first source that has any.
    pub(super) fn of(sources: &'a [Published], generation: Generation, timings: &'a [TimingRow]) -> Self {
        let statements = sources.iter().map(Published::statements).find(|statements| !statements.is_empty());
        let statements =
            statements.unwrap_or_default().iter().map(|statement| (statement.id.as_str(), statement)).collect();
        let cycles =
            timings.iter().filter_map(|row| Some((row.instruction.as_str(), row.cycles?.value.0.round()))).collect();
        Self { statements, generation, cycles }
    }

    /// Cycles of an instruction that has no row of its own in the run.
    pub(super) fn learn(&mut self, instruction: &'a str, cycles: f64) {
        // The CLRX table speaks of whole cycles; a slope is off by its rounding.
        self.cycles.entry(instruction).or_insert(cycles.round());
    }

    /// The penalty that a case should have, shader cycles; `None` where the CLRX table says nothing.
    pub(super) fn expected(&self, record: &ExperimentRecord) -> Option<f64> {
        if self.statements.is_empty() {
            return None;
        }
        // "masked while executing more waves than 4*CUs": more than one on a SIMD.
        if record.waves_per_simd > 1 { Some(0.0) } else { self.alone(record) }
    }

    /// The expected cost of the case for a wave that is alone on its SIMD.
    pub(super) fn alone(&self, record: &ExperimentRecord) -> Option<f64> {
        match record.rule.as_str() {
            "alignment" => self.aligned(record),
            "jump-forward" => self.late("jump-target", record),
            "jump-backward" => Some(0.0),
            "jump-not-taken" => self.late("untaken-jump", record),
            "scheduling" => self.pair(record),
            _ => None,
        }
    }

    /// A number of a sentence; `None` if the sentence does not speak of the generation.
    fn number(&self, statement: &str, name: &str) -> Option<f64> {
        let statement = self.statements.get(statement)?;
        let speaks = statement.generations.is_empty() || statement.generations.contains(&self.generation);
        speaks.then(|| statement.numbers.get(name).copied()).flatten()
    }

    /// Dword in its block; `None` where there are no blocks.
    fn dword(&self, offset: u32) -> Option<f64> {
        let dwords = self.number("block", "block_bytes")? / DWORD;
        Some(f64::from(offset) % dwords)
    }

    fn aligned(&self, record: &ExperimentRecord) -> Option<f64> {
        let offset = record.offset_dwords?;
        let Some(dword) = self.dword(offset) else { return Some(0.0) };
        let (short, long) = match PlaceCase::read(&record.case) {
            PlaceCase::After { short, long } => (short, Some(long)),
            _ => (record.instruction.as_str(), None),
        };
        let Some(long) = long.filter(|_| !record.baseline.is_empty()) else { return self.at(short, offset) };
        // The long one stands two dwords before the short one and has its own penalty.
        let covered =
            self.number("covered", "dword")? == dword && self.cycles.get(long)? >= &self.number("covered", "cycles")?;
        let own = if covered { 0.0 } else { self.at(short, offset)? };
        Some(self.at(long, offset - 2)? + own)
    }

    /// The penalty of a 2-dword instruction that starts at a dword.
    fn at(&self, instruction: &str, offset: u32) -> Option<f64> {
        let dword = self.dword(offset)?;
        let cycles = *self.cycles.get(instruction)?;
        let last = if cycles > 4.0 { cycles / self.number("long-instruction", "cycles_per_free_dword")? } else { 0.0 };
        let block = self.number("block", "block_bytes")? / DWORD;
        let is_free = dword < self.number("free-dwords", "free_dwords")? || dword >= block - last;
        Some(if is_free { 0.0 } else { self.number("penalty", "penalty_cycles")? })
    }

    /// Penalties that grow by one with each dword after the free ones: `N - subtract`.
    fn late(&self, statement: &str, record: &ExperimentRecord) -> Option<f64> {
        let Some(dword) = record.offset_dwords.and_then(|offset| self.dword(offset)) else { return Some(0.0) };
        let penalties = (dword - self.number(statement, "subtract")?).max(0.0);
        Some(penalties * self.number("penalty", "penalty_cycles")?)
    }

    fn writes_vcc(&self, instruction: &str) -> bool {
        isa::find(instruction, self.generation).is_some_and(|found| {
            found.operands.iter().any(|operand| operand.kind == OperandKind::Vcc && operand.is_written())
        })
    }

    /// A pair of neighbours: the first sentence that names both.
    fn pair(&self, record: &ExperimentRecord) -> Option<f64> {
        // The CLRX table's sentences are about neighbours, whether the second reads the result of the first or not.
        let NeighbourCase { producer, consumer, .. } = NeighbourCase::read(&record.case)?;
        let rules = [("vector-to-scalar", "delay_cycles"), ("vccz-execz", "penalty_cycles"), ("scc", "penalty_cycles")];
        let named = rules.into_iter().find_map(|(id, number)| {
            let statement = self.statements.get(id)?;
            let holds = |names: &[String], name: &str| names.iter().any(|known| known == name);
            // Which additions write VCC depends on the generation: the ISA says.
            let produces =
                holds(&statement.producers, producer) || id != "vector-to-scalar" && self.writes_vcc(producer);
            let is_meant = produces && holds(&statement.consumers, consumer);
            is_meant.then(|| self.number(id, number)).flatten()
        });
        Some(named.unwrap_or(0.0))
    }
}
