//! The summary as a document: first answers for a card's owner, failures, and sources that disagree with the measurement.

use std::collections::HashSet;

use super::summary::Summary;
use crate::clock::{ShaderClock, clock_words};
use crate::settle::Status;
use crate::tables::Verdict;
use crate::verdict::DpClass;
use crate::views::SIMULATED;
use crate::views::document::{Document, Fact, Tone, Topic, literal};
use crate::views::question::Answer;

/// Troubled instructions that are shown by name.
const SHOWN: usize = 12;

impl Summary<'_> {
    /// The document, with further facts of the caller; with `all` the other suites, the counts, and agreements too.
    pub fn document(&self, further: Vec<Fact>, all: bool) -> Document {
        let (record, device) = (&self.record, &self.record.device);
        let mut page = Document::default();
        let title = format!("{}, {}, {}", device.name, device.target, device.generation_title());
        page.section(Topic::Summary, 1, literal(&title));
        if device.is_simulated() {
            page.warning(SIMULATED);
        }
        if record.end.is_none() {
            page.warning("Incomplete run: what did not run is missing below.");
        }
        self.answers(&mut page);
        self.doubts(&mut page);
        if all {
            for (suite, said) in self.suites.iter().filter(|(suite, _)| *suite != "occupancy") {
                page.fact(Fact::plain(suite, said));
            }
            self.counts(&mut page);
        }
        further.into_iter().for_each(|fact| page.fact(fact));
        self.disputes(&mut page, all);
        page
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
        page.fact(Fact::plain("instructions", &self.instructions()));
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
        let mut words =
            vec![format!("{} measured", count(|status| status == Status::Ok)), format!("{} open", count(Status::is_open))];
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
        let simulated = self.record.device.is_simulated();
        for (source, verdicts) in &self.published {
            let count = |verdict| verdicts.get(&verdict).copied().unwrap_or(0);
            let not_asked =
                self.not_asked.get(source).map_or_else(String::new, |count| format!(", {count} not asked for"));
            let [same, other, open, missing] = Verdict::ALL.map(count);
            let (same_word, other_word, open_word) = match simulated {
                true => (Verdict::Match.simulated_word(), Verdict::Mismatch.simulated_word(), "open questions"),
                false => ("match", "differ", "open questions answered"),
            };
            let said = format!("{source}: {same} {same_word}, {other} {other_word}, {open} {open_word}");
            let tone = match other {
                _ if simulated => Tone::Plain,
                0 => Tone::Good,
                _ => Tone::Bad,
            };
            page.fact(Fact { tone, ..Fact::plain("published", &format!("{said}, {missing} not measured{not_asked}")) });
        }
        if !self.rules.is_empty() {
            let word = |verdict: Verdict| verdict.word_on(&self.record.device);
            let counts: Vec<_> =
                self.rules.iter().map(|(verdict, count)| format!("{count} {}", word(*verdict))).collect();
            let what = "cases of CLRX's rules for alignment and scheduling";
            page.fact(Fact::plain("rules", &format!("{what}: {}; see penalties.csv", counts.join(", "))));
        }
        page.fact(Fact::plain("beyond", &format!("{} instructions are not in the CLRX table", self.beyond)));
        // Results that are kept without their estimates do not say what became of the readings.
        if !self.estimates.is_empty() {
            page.fact(Fact::plain("readings", &self.tally().to_string()));
        }
    }

    /// Measured values where sources disagree, and who agrees; with `all`, agreements and open questions, too.
    fn disputes(&self, page: &mut Document, all: bool) {
        // An instruction of two questions is shown once.
        let mut seen = HashSet::new();
        let mut is_new =
            |answer: &Answer| answer.instructions.iter().filter(|name| seen.insert((*name).clone())).count() > 0;
        let answers = self.questions.iter().flat_map(|question| &question.answers);
        let answers: Vec<&Answer> =
            answers.filter(|answer| all || answer.is_contradicted() && is_new(answer)).collect();
        let open = self.questions.iter().filter(|question| !question.open.is_empty());
        let open: Vec<String> =
            open.map(|question| format!("open: {}: {}", question.question, question.open)).collect();
        let open = match open.len() {
            _ if all => open,
            // A run that was asked for something else has settled none, and has no reader who misses them.
            count if count == 0 || count == self.questions.len() => Vec::new(),
            count => vec![format!("{count} more questions are open: disputes.csv says what each needs")],
        };
        if answers.is_empty() && open.is_empty() {
            return;
        }
        page.section(Topic::Questions, 2, "Where sources disagree: the measured value, and who agrees");
        if !answers.is_empty() {
            page.table(["", "", ""]);
        }
        for answer in answers {
            page.row([answer.names(), answer.measured.clone(), answer.sources()].map(|text| literal(&text)));
        }
        open.iter().for_each(|question| page.item(literal(question)));
    }
}
