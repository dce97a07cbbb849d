//! A case of a rule: blocks that differ from a baseline in the rule's subject only.

use gcn_model::record::ExperimentKind;

use super::plan::Plan;
use super::subject::Subject;
use super::throughput::Throughput;
use crate::kernel::{Block, Order};

/// Times that a kernel runs a case between the readings: a difference between long blocks needs more of them
/// than an instruction's own throughput.
const CASE_LOOPS: u32 = 16;

/// Which rule a case is one of.
#[derive(Debug, Clone)]
pub(super) struct Case<'a> {
    /// The rule, as `penalties.csv` names it.
    pub(super) rule: &'a str,
    /// The case: the text of the block.
    pub(super) case: String,
    /// Dword that the rule is about.
    pub(super) offset_dwords: Option<u32>,
    /// The repeated blocks, and their order.
    pub(super) block: (Block, Order),
}

impl Case<'_> {
    /// Name of its experiment, below the instruction.
    fn name(&self) -> String {
        let mut name = self.rule.to_owned();
        if !self.case.is_empty() {
            name += "/";
            name += &self.case.replace(' ', "-");
        }
        if let Some(offset) = self.offset_dwords {
            name += &format!("+{offset}");
        }
        name
    }
}

impl Plan {
    /// Cases of a rule on one wave: the first one is the baseline of the others.
    pub(super) fn cases(&mut self, subject: &Subject<'_>, cases: &[Case<'_>], lengths: &[u32]) {
        let mut baselines = vec![String::new()];
        for case in cases {
            let purpose = "cost of a block, one wave, compared with the same instructions elsewhere";
            self.one_wave_of(subject, ExperimentKind::Block, &case.name(), purpose, case.block.clone(), lengths);
            self.tell_case(case, &mut baselines);
        }
    }

    /// Cases of a rule on one wave, each of a subject of its own: the first one is the baseline of the others.
    pub(super) fn cases_of(&mut self, cases: &[(&Subject<'_>, &Case<'_>)], lengths: &[u32]) {
        let mut baselines = vec![String::new()];
        for (subject, case) in cases {
            let purpose = "cost of a block, one wave, compared with the same operation in one dword";
            self.one_wave_of(subject, ExperimentKind::Block, &case.name(), purpose, case.block.clone(), lengths);
            self.tell_case(case, &mut baselines);
        }
    }

    /// The same on each of these numbers of waves on a SIMD.
    pub(super) fn cases_on_waves(&mut self, subject: &Subject<'_>, cases: &[Case<'_>], waves: &[u32]) {
        let mut baselines = vec![String::new(); waves.len()];
        for case in cases {
            let name = format!("{}/waves", case.name());
            let kind = ExperimentKind::Throughput;
            let block = case.block.clone();
            self.throughput_of(subject, &Throughput { name: &name, id: &name, kind, block, timed: CASE_LOOPS, waves });
            self.tell_case(case, &mut baselines);
        }
    }

    /// Writes into the rows of the experiments from a position on which rule and case they are of.
    pub(super) fn tell_rule(&mut self, from: usize, rule: &str, case: &str, amount: Option<u32>) {
        for experiment in &mut self.experiments[from..] {
            let record = &mut experiment.record;
            (record.rule, record.case, record.amount) = (rule.into(), case.into(), amount);
        }
    }

    /// Writes into the rows of the last experiments, as many as there are baselines, which case they are.
    fn tell_case(&mut self, case: &Case<'_>, baselines: &mut [String]) {
        let first = self.experiments.len() - baselines.len();
        for (experiment, baseline) in self.experiments[first..].iter_mut().zip(baselines) {
            let record = &mut experiment.record;
            record.rule = case.rule.into();
            record.case.clone_from(&case.case);
            record.offset_dwords = case.offset_dwords;
            record.baseline.clone_from(baseline);
            if baseline.is_empty() {
                baseline.clone_from(&record.experiment);
            }
        }
    }
}
