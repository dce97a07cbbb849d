//! The first things that a user wants to know of a run, as data and as a document: answers for a card's owner, failures, and sources that
//! disagree with the measurement.

use std::collections::{BTreeMap, HashSet};
use std::ops::Deref;

use crate::clock::{ShaderClock, clock_words};
use crate::document::{Document, Fact, Tone, Topic, literal};
use crate::one_wave::TimingRow;
use crate::results::Results;
use crate::settle::Status;
use crate::tables::Verdict;
use crate::verdict::{DpClass, SemanticRow, SemanticVerdict};
use crate::views::origin::heading;
use crate::views::question::{Answer, Question, questions};
use crate::views::validation::counts_by_source;

/// The result of a run in a few lines.
#[derive(Debug, Clone)]
pub struct Summary<'r> {
    /// The results: their fields are the summary's.
    results: &'r Results,
    /// Instructions by status, in the order of [`Status::ALL`]; those with none are left out.
    pub statuses: Vec<(Status, usize)>,
    /// Published values of instructions that the run was asked for, by source in the order of the page.
    pub published: Vec<(String, BTreeMap<Verdict, usize>)>,
    /// Published values of instructions that the run was not asked for, by source; those of no source that has none.
    pub not_asked: BTreeMap<String, usize>,
    /// Instructions with a number that the CLRX table does not list.
    pub beyond: usize,
    /// Cases of rules by verdict, if the run has any.
    pub rules: BTreeMap<Verdict, usize>,
    /// The disputed questions, if the run has the suite.
    pub questions: Vec<Question>,
    /// What each other suite found, by its name, where the run has it.
    pub suites: Vec<(&'static str, String)>,
    /// Instructions that did not settle or failed, with their reasons.
    pub troubled: Vec<&'r TimingRow>,
}

impl Deref for Summary<'_> {
    type Target = Results;

    fn deref(&self) -> &Results {
        self.results
    }
}

impl Results {
    /// The first things that a user wants to know.
    pub fn summary(&self) -> Summary<'_> {
        let occupancy = (!self.occupancy.table.is_empty()).then(|| self.occupancy.to_string());
        let suites = [("occupancy", occupancy)].into_iter().chain(self.suites.words());
        let suites = suites.chain([("semantics", semantics_words(&self.semantics))]);
        let counts = counts_by_source(&self.validation);
        let asked = counts.iter().filter(|(_, of)| !of.verdicts.is_empty());
        Summary {
            results: self,
            statuses: self.instructions_by_status(),
            not_asked: counts
                .iter()
                .filter(|(_, of)| of.not_asked > 0)
                .map(|(source, of)| ((*source).to_owned(), of.not_asked))
                .collect(),
            published: asked.map(|(source, of)| ((*source).to_owned(), of.verdicts.clone())).collect(),
            beyond: self.beyond_clrx().count(),
            rules: self.penalties.iter().fold(BTreeMap::new(), |mut counts, row| {
                *counts.entry(row.verdict).or_default() += 1;
                counts
            }),
            questions: questions(&self.disputes),
            suites: suites.filter_map(|(suite, said)| Some((suite, said?))).collect(),
            troubled: self.timings.iter().filter(|row| row.status.is_open()).collect(),
        }
    }

    fn instructions_by_status(&self) -> Vec<(Status, usize)> {
        let count = |status| self.timings.iter().filter(|row| row.status == status).count();
        Status::ALL.map(|status| (status, count(status))).into_iter().filter(|(_, count)| *count > 0).collect()
    }
}

impl Summary<'_> {
    /// What a suite found, if the run has it.
    pub fn suite(&self, name: &str) -> Option<&str> {
        self.suites.iter().find(|(suite, _)| *suite == name).map(|(_, said)| said.as_str())
    }
}

/// The cases that hold a known reading; of the simulator that is its own implementation.
fn semantics_words(rows: &[SemanticRow]) -> Option<String> {
    let first = rows.first()?;
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let counts = [
        format!("of {} open cases {} hold a known reading", rows.len(), count(SemanticVerdict::Holds)),
        format!("{} neither", count(SemanticVerdict::Neither)),
        format!("{} not measured", count(SemanticVerdict::Unmeasured)),
    ];
    let whose = if first.device == "simulated" { " (a simulated result: what the simulator implements)" } else { "" };
    Some(format!("{}{whose}; see semantics.csv", counts.join(", ")))
}

/// Troubled instructions that are shown by name.
const SHOWN: usize = 12;

impl Summary<'_> {
    /// The document, with further facts of the caller; with `all` the other suites, the counts, and each open question.
    pub fn document(&self, further: Vec<Fact>, all: bool) -> Document {
        let mut page = Document::default();
        heading(&mut page, Topic::Summary, &self.record);
        self.write(&mut page, further, all);
        page
    }

    /// Adds all of it that stands below the heading.
    pub(super) fn write(&self, page: &mut Document, further: Vec<Fact>, all: bool) {
        self.answers(page);
        self.doubts(page);
        // Of a suite without instructions there is nothing else to say.
        if all || self.timings.is_empty() {
            for (suite, said) in self.suites.iter().filter(|(suite, _)| *suite != "occupancy") {
                page.fact(Fact::plain(suite, said));
            }
        }
        if all {
            self.counts(page);
        }
        further.into_iter().for_each(|fact| page.fact(fact));
        self.disputes(page, all);
    }

    /// The findings of the run.
    fn answers(&self, page: &mut Document) {
        page.fact(self.dpfactor_fact());
        page.fact(Fact::plain("shader clock", &clock_words(&self.clock)));
        if let Some(said) = self.suite("occupancy") {
            page.fact(Fact::plain("occupancy", said));
        }
        if let Some(front_end) = &self.front_end {
            page.fact(Fact::plain("front end", &front_end.rule.to_string()));
        }
        if let Some(banks) = &self.lds_banks {
            page.fact(Fact::plain("LDS", &banks.to_string()));
        }
        if !self.glc.is_empty() {
            let names: Vec<_> = self.glc.iter().map(ToString::to_string).collect();
            page.fact(Fact::plain("GLC", &names.join(", ")));
        }
        if !self.timings.is_empty() {
            page.fact(Fact::plain("instructions", &self.instructions()));
        }
    }

    fn dpfactor_fact(&self) -> Fact {
        let name = "DPFACTOR";
        let found = match &self.dpfactor {
            Ok(found) => found,
            Err(why) => return Fact::plain(name, &format!("not measured: {why}")),
        };
        let tone = match found.class {
            DpClass::Known => Tone::Good,
            DpClass::New => Tone::Doubtful,
            DpClass::Inconsistent | DpClass::Undecided => Tone::Bad,
        };
        let (factor, class) = (found.words(), found.class.name());
        let said = format!("{factor} ({class}), double precision {}; {}", found.rate(), found.agreement());
        Fact { tone, ..Fact::plain(name, &said) }
    }

    /// How many instructions have their numbers, and how many are open.
    fn instructions(&self) -> String {
        let count = |of: fn(Status) -> bool| -> usize {
            self.statuses.iter().filter(|(status, _)| of(*status)).map(|(_, count)| count).sum()
        };
        let others = self.statuses.iter().filter(|(status, _)| *status != Status::Ok && !status.is_open());
        let mut words = vec![
            format!("{} measured", count(|status| status == Status::Ok)),
            format!("{} open", count(Status::is_open)),
        ];
        words.extend(others.map(|(status, count)| format!("{count} {status}")));
        words.join(", ")
    }

    /// Warnings and missing parts.
    fn doubts(&self, page: &mut Document) {
        let mut fact = |tone, name: &str, said: &str| page.fact(Fact { tone, ..Fact::plain(name, said) });
        if self.clock.as_ref().is_ok_and(ShaderClock::moved) {
            let said = "The clock moved during the run: latencies of memory instructions are those of several clocks.";
            fact(Tone::Doubtful, "clock", said);
        }
        if let Some(why) = &self.record.warm_up_failure {
            fact(Tone::Doubtful, "warm-up", &format!("a launch failed: {why}"));
        }
        for (tone, name, tries, what) in [
            (Tone::Doubtful, "retried", &self.retried, "experiments failed, then passed"),
            (Tone::Bad, "lost", &self.failed, "experiments failed"),
        ] {
            if let [first, ..] = tries.as_slice() {
                let count = format!("{} of {} {what}", tries.len(), self.experiments);
                fact(tone, name, &format!("{count}: {}: {}", first.experiment, first.why));
            }
        }
        for row in self.troubled.iter().take(SHOWN) {
            fact(Tone::Bad, row.status.name(), &format!("{}: {}", row.instruction, row.detail));
        }
        if self.troubled.len() > SHOWN {
            fact(Tone::Plain, "…", &format!("and {} more, see timings.csv", self.troubled.len() - SHOWN));
        }
    }

    /// How much there is of everything.
    fn counts(&self, page: &mut Document) {
        let device = &self.record.device;
        for (source, counts) in counts_by_source(&self.validation) {
            if !counts.verdicts.is_empty() {
                page.fact(counts.fact("published", &format!("{source}: "), device));
            }
        }
        if self.is_in_clrx() && !self.rules.is_empty() {
            let counts = self.rules.iter().map(|(verdict, count)| format!("{count} {}", verdict.word_on(device)));
            let counts: Vec<String> = counts.collect();
            let what = "cases of CLRX's rules for alignment and scheduling";
            page.fact(Fact::plain("rules", &format!("{what}: {}; see penalties.csv", counts.join(", "))));
        }
        if self.is_in_clrx() {
            page.fact(Fact::plain("beyond", &format!("{} instructions are not in the CLRX table", self.beyond)));
        }
        // Results that are kept without their estimates do not say what became of the readings.
        if !self.estimates.is_empty() {
            page.fact(Fact::plain("readings", &self.tally().to_string()));
        }
    }

    /// Measured values where sources disagree, and who agrees; with `all`, open questions by name.
    fn disputes(&self, page: &mut Document, all: bool) {
        // An instruction of two questions is shown once.
        let mut seen = HashSet::new();
        let mut is_new =
            |answer: &Answer| answer.instructions.iter().filter(|name| seen.insert((*name).clone())).count() > 0;
        let answers = self.questions.iter().flat_map(|question| &question.answers);
        let answers: Vec<&Answer> = answers.filter(|answer| answer.is_contradicted() && is_new(answer)).collect();
        let open = self.questions.iter().filter(|question| !question.open.is_empty());
        let open: Vec<String> =
            open.map(|question| format!("open: {}: {}", question.question, question.open)).collect();
        let open = match open.len() {
            _ if all => open,
            // A run that was asked for something else has settled none, and has no reader who misses them.
            count if count == 0 || count == self.questions.len() => Vec::new(),
            1 => vec!["1 more question is open: disputes.csv says what it needs".to_owned()],
            count => vec![format!("{count} more questions are open: disputes.csv says what each needs")],
        };
        if answers.is_empty() && open.is_empty() {
            return;
        }
        page.section(Topic::Questions, 2, "Where sources disagree: the measured value, and who agrees");
        let row =
            |answer: &Answer| [answer.names(), answer.measured.clone(), answer.sources()].map(|text| literal(&text));
        if !answers.is_empty() {
            page.table(["", "", ""], answers.into_iter().map(row));
        }
        open.iter().for_each(|question| page.item(literal(question)));
    }
}
