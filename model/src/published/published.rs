//! One published source: its rows, rules and sentences.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::{
    DpFactor, Expectation, Expectations, Expression, Footnote, Occupancy, Place, PublishedError, Row, Rule, Statement,
    row::holds_on, target_group::shared_groups,
};
use crate::isa::{Generation, Instruction};

/// A kind of value that a source has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// Shader cycles for one wave.
    Cycles,
    /// Instructions per cycle and compute unit.
    Throughput,
    /// Shader cycles until a dependent instruction can start.
    Latency,
}

/// The source's TOML file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    name: String,
    title: String,
    from: String,
    /// Its place in the web; empty where none is known.
    #[serde(default)]
    url: String,
    values: Vec<Quantity>,
    #[serde(default)]
    target_groups: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    except_targets: Vec<String>,
    /// Of these, those whose simulated cards take its values over, as estimates.
    #[serde(default)]
    carried_over_to: Vec<String>,
    #[serde(default)]
    rules: Vec<Rule>,
    #[serde(default)]
    footnotes: Vec<Footnote>,
    #[serde(default)]
    dp_factors: Vec<DpFactor>,
    #[serde(default)]
    occupancy: Vec<Occupancy>,
    #[serde(default)]
    statements: Vec<Statement>,
}

/// One published source.
#[derive(Debug, Clone)]
pub struct Published {
    header: Header,
    rows: Vec<Row>,
    /// The places of an instruction's rows.
    rows_of: HashMap<String, Vec<usize>>,
    /// The places of the rules that name an instruction.
    rules_of: HashMap<String, Vec<usize>>,
    /// The places of the rules about an encoding or a table.
    wide_rules: Vec<usize>,
}

impl Published {
    /// Reads a source from its TOML file (name, rules, sentences) and its CSV file (rows; empty if it has none); `name` is used in
    /// messages.
    ///
    /// # Errors
    /// A file that cannot be read, a footnote that is not explained, a rule that speaks of nothing.
    pub fn parse(name: &str, toml: &str, csv: &str) -> Result<Self, PublishedError> {
        let file = format!("timings/{name}.toml");
        let mut header: Header =
            toml::from_str(toml).map_err(|cause| PublishedError::Rules { file: file.clone(), cause })?;
        let mut groups = shared_groups().clone();
        groups.append(&mut header.target_groups);
        let mut rows = csv::Reader::from_reader(csv.as_bytes())
            .deserialize()
            .collect::<Result<Vec<Row>, _>>()
            .map_err(|cause| PublishedError::Rows { file: format!("timings/{name}.csv"), cause })?;
        let of_rules = header.rules.iter_mut().map(|rule| &mut rule.targets);
        let of_statements = header.statements.iter_mut().map(|statement| &mut statement.targets);
        let of_factors = header.dp_factors.iter_mut().map(|row| &mut row.targets);
        let of_rows = rows.iter_mut().map(|row| &mut row.targets);
        for list in of_rules
            .chain(of_statements)
            .chain(of_factors)
            .chain(of_rows)
            .chain([&mut header.except_targets, &mut header.carried_over_to])
        {
            let named = std::mem::take(list);
            list.extend(named.into_iter().flat_map(|name| groups.get(&name).cloned().unwrap_or_else(|| vec![name])));
        }
        let mut rows_of = HashMap::<String, Vec<usize>>::new();
        for (index, row) in rows.iter().enumerate() {
            rows_of.entry(row.instruction.clone()).or_default().push(index);
        }
        let mut rules_of = HashMap::<String, Vec<usize>>::new();
        let mut wide_rules = Vec::new();
        for (index, rule) in header.rules.iter().enumerate() {
            for name in &rule.instructions {
                rules_of.entry(name.clone()).or_default().push(index);
            }
            if rule.instructions.is_empty() {
                wide_rules.push(index);
            }
        }
        let published = Self { header, rows, rows_of, rules_of, wide_rules };
        published.check(&file)?;
        Ok(published)
    }

    fn check(&self, file: &str) -> Result<(), PublishedError> {
        let of_rows = self.rows.iter().map(|row| (&row.instruction, [row.cycles, row.throughput, None, None]));
        let of_rules =
            self.rules().iter().map(|rule| (&rule.id, [rule.cycles, rule.throughput, rule.taken_cycles, rule.latency]));
        for (name, values) in of_rows.chain(of_rules) {
            for value in values.into_iter().flatten() {
                if let Expression::Alternatives { footnote: mark, .. } = value
                    && self.footnote(value).is_none()
                {
                    return Err(PublishedError::Footnote { file: file.to_owned(), instruction: name.clone(), mark });
                }
            }
        }
        if let Some(row) = self.rows.iter().find(|row| row.targets.iter().any(|target| !target.starts_with("gfx"))) {
            let file = file.replace(".toml", ".csv");
            return Err(PublishedError::Targets { file, instruction: row.instruction.clone() });
        }
        for rule in self.rules() {
            let subjects =
                [rule.encoding.is_some(), rule.section.is_some(), !rule.instructions.is_empty()].map(usize::from);
            let reason = if subjects.iter().sum::<usize>() != 1 {
                "it must name exactly one of `encoding`, `section` and `instructions`"
            } else if rule.cycles.or(rule.taken_cycles).or(rule.throughput).or(rule.latency).is_none() {
                "it must give `cycles`, `taken_cycles`, `throughput` or `latency`"
            } else if rule.targets.iter().any(|target| !target.starts_with("gfx")) {
                "its `targets` are LLVM targets (`gfx600`) or names of `[target_groups]`"
            } else {
                continue;
            };
            return Err(PublishedError::Rule { file: file.to_owned(), rule: rule.id.clone(), reason });
        }
        Ok(())
    }

    /// Short name: `clrx`.
    pub fn name(&self) -> &str {
        &self.header.name
    }

    /// Title for people.
    pub fn title(&self) -> &str {
        &self.header.title
    }

    /// Where the values were taken from.
    pub fn from(&self) -> &str {
        &self.header.from
    }

    /// Its place in the web; empty where none is known.
    pub fn url(&self) -> &str {
        &self.header.url
    }

    /// The kinds of value that the source has.
    pub fn values(&self) -> &[Quantity] {
        &self.header.values
    }

    /// The rows of all its tables, in the order of the CLRX table.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows that hold on an LLVM target.
    pub fn rows_on<'p>(&'p self, target: &'p str) -> impl Iterator<Item = &'p Row> {
        let target = Some(target);
        self.rows.iter().filter(move |row| row.holds_on(target) && self.speaks_of(&row.targets, target))
    }

    /// Its sentences about many instructions; the first that has a value counts.
    pub fn rules(&self) -> &[Rule] {
        &self.header.rules
    }

    pub fn footnotes(&self) -> &[Footnote] {
        &self.header.footnotes
    }

    /// The rows of its DPFACTOR table that hold on an LLVM target.
    pub fn dp_factors_on(&self, target: &str) -> impl Iterator<Item = &DpFactor> {
        let holds =
            move |row: &&DpFactor| holds_on(&row.targets, Some(target)) && self.speaks_of(&row.targets, Some(target));
        self.header.dp_factors.iter().filter(holds)
    }

    /// Its occupancy table, where that holds on an LLVM target; empty if it has none.
    pub fn occupancy_on(&self, target: &str) -> &[Occupancy] {
        if self.speaks_of(&[], Some(target)) { &self.header.occupancy } else { &[] }
    }

    /// Its sentences about where and when, with their numbers.
    pub fn statements(&self) -> &[Statement] {
        &self.header.statements
    }

    /// Its sentences that hold on an LLVM target of a generation.
    pub fn statements_on<'p>(&'p self, generation: Generation, target: &'p str) -> impl Iterator<Item = &'p Statement> {
        let target = Some(target);
        self.statements().iter().filter(move |said| match said.generations.as_slice() {
            [] => holds_on(&said.targets, target) && self.speaks_of(&said.targets, target),
            named => named.contains(&generation) && holds_on(&said.targets, target),
        })
    }

    /// The row of an instruction that holds on an LLVM target, or on every target where none is given; the first, where there are two: V_MAD_F16
    /// stands twice on CLRX's page, with the same values.
    pub fn row(&self, instruction: &str, target: Option<&str>) -> Option<&Row> {
        self.row_of(instruction, target, false)
    }

    fn row_of(&self, instruction: &str, target: Option<&str>, is_carried_over: bool) -> Option<&Row> {
        let mut rows = self.rows_of.get(instruction)?.iter().map(|&index| &self.rows[index]);
        rows.find(|row| row.holds_on(target) && (is_carried_over || self.speaks_of(&row.targets, target)))
    }

    /// The source's statement about an instruction on every GPU: its row first, then the rules in their order, less those for some
    /// targets only.
    pub fn expectations(&self, instruction: &Instruction) -> Expectations<'_> {
        self.say(instruction, None, false)
    }

    /// The source's statement about an instruction on an LLVM target: its row first, then the rules in their order.
    pub fn expectations_on(&self, instruction: &Instruction, target: &str) -> Expectations<'_> {
        self.say(instruction, Some(target), false)
    }

    /// The values on which simulated cards of an LLVM target rest: what the source says of it, or would say if it spoke of a target to which
    /// its values are carried over.
    pub fn basis_on(&self, instruction: &Instruction, target: &str) -> Expectations<'_> {
        self.say(instruction, Some(target), self.is_carried_over_to(target))
    }

    /// Whether the source does not speak of an LLVM target, and its values are carried over to it.
    pub fn is_carried_over_to(&self, target: &str) -> bool {
        names(&self.header.carried_over_to, Some(target))
    }

    fn holds(&self, rule: &Rule, target: Option<&str>, is_carried_over: bool) -> bool {
        rule.holds_on(target) && (is_carried_over || self.speaks_of(&rule.targets, target))
    }

    fn say(&self, instruction: &Instruction, target: Option<&str>, is_carried_over: bool) -> Expectations<'_> {
        let row = self.row_of(&instruction.name, target, is_carried_over);
        let mut places = self.rules_of.get(&instruction.name).cloned().unwrap_or_default();
        places.extend(&self.wide_rules);
        places.sort_unstable();
        places.dedup();
        let holds = |rule: &&Rule| rule.covers(instruction, row) && self.holds(rule, target, is_carried_over);
        let rules: Vec<&Rule> = places.into_iter().map(|place| &self.rules()[place]).filter(holds).collect();
        let find = |of_row: Option<Expression>, of_rule: fn(&Rule) -> Option<Expression>| {
            if let (Some(row), Some(expression)) = (row, of_row) {
                return Some((expression, Place::Row { section: row.section.clone() }));
            }
            rules.iter().find_map(|rule| {
                let from = Place::Rule { id: rule.id.clone(), sentence: rule.sentence.clone() };
                of_rule(rule).map(|expression| (expression, from))
            })
        };
        let cycles = find(row.and_then(|row| row.cycles), |rule| rule.cycles);
        let of_cycles = cycles.as_ref().map(|(expression, _)| *expression);
        let expectation = |(expression, from): (Expression, Place)| Expectation {
            expression,
            from,
            footnote: self.footnote(expression),
            cycles: of_cycles,
            cycles_footnote: of_cycles.and_then(|cycles| self.footnote(cycles)),
        };
        Expectations {
            throughput: find(row.and_then(|row| row.throughput), |rule| rule.throughput).map(expectation),
            taken_cycles: find(None, |rule| rule.taken_cycles).map(expectation),
            latency: find(None, |rule| rule.latency).map(expectation),
            cycles: cycles.map(expectation),
        }
    }

    /// Whether what holds on these targets can be meant for a target: what names none is not said of the source's `except_targets`.
    fn speaks_of(&self, targets: &[String], target: Option<&str>) -> bool {
        !targets.is_empty() || !names(&self.header.except_targets, target)
    }

    fn footnote(&self, expression: Expression) -> Option<&Footnote> {
        let Expression::Alternatives { footnote, .. } = expression else { return None };
        self.footnotes().iter().find(|note| note.mark == footnote)
    }
}

/// Whether a list of targets, of which an empty one means none, has this one.
fn names(targets: &[String], target: Option<&str>) -> bool {
    !targets.is_empty() && holds_on(targets, target)
}
