//! The sentences of the summary.

use super::Scorer;
use crate::tally::{Outcome, Statement};

/// Bytes that a sweep goes through: of an operation that has a 1-dword encoding too, and of any other.
const SWEEP_BYTES: u32 = 128;
const LINE_BYTES: u32 = 64;

impl Scorer<'_> {
    pub(super) fn sentences(&mut self, printed: &str) {
        let line = |name: &str| {
            let mut lines = printed.lines().map(|line| line.trim_start_matches(['*', ' ']));
            lines.find_map(|line| line.strip_prefix(name)).map(|rest| rest.trim_start_matches(':').trim().to_owned())
        };
        let has_rules = line("front end").is_some();
        if has_rules {
            let said = line("front end").unwrap_or_default();
            self.add(Statement::FrontEnd, self.front_end(&said), || said.clone());
            let said = line("LDS").unwrap_or_default();
            self.add(Statement::LdsBanks, self.banks(&said), || said.clone());
            let said = line("occupancy").unwrap_or_default();
            self.occupancy_line(&said);
        }
        if let Some(said) = line("GLC").filter(|said| said.contains("GLC")) {
            self.glc_line(&format!("GLC{}", said.strip_prefix("GLC").unwrap_or(&said)));
        }
    }

    /// "blocks of 32 bytes, nothing charged in their first 3 dwords, at least 4 cycles …"; several such are candidates, joined by "; or ".
    fn front_end(&self, said: &str) -> Outcome {
        let rules = &self.truth.gpu.front_end;
        let is_charged = rules.alignment_penalties && rules.penalty_cycles > 0 && rules.free_dwords < rules.block.0 / 4;
        if said.is_empty() || said.starts_with("undecided") {
            return Outcome::Silent;
        }
        let holds = |part: &str| {
            if part.contains("no dword differs") {
                // Nothing at all, or the same everywhere; of a block longer than a line, in all of its second line.
                return !is_charged || rules.free_dwords == 0 || rules.block.0 > LINE_BYTES;
            }
            if part.starts_with("no alignment penalty") {
                return !is_charged;
            }
            let after = |text: &str, end: &str| -> Option<f64> {
                let start = part.find(text)? + text.len();
                part[start..].split(end).next()?.trim().parse().ok()
            };
            let block = after("blocks of ", " bytes");
            let one = part.contains("in their first dword,").then_some(1.0);
            let free = one.or_else(|| after("in their first ", " dwords"));
            let penalty =
                part.split(", at least ").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
            let is_block = block == Some(f64::from(rules.block.0.min(SWEEP_BYTES)))
                || part.contains("bytes or more") && block.is_some_and(|block| block <= f64::from(rules.block.0));
            // "At least": a SIMD of RDNA hides what its passes take.
            let most = f64::from(rules.penalty_cycles) + 0.25;
            let least = if self.truth.gpu.pipelines.is_some() { 0.0 } else { most - 0.5 };
            is_charged
                && is_block
                && free == Some(f64::from(rules.free_dwords))
                && penalty.is_some_and(|penalty| least < penalty && penalty < most)
        };
        let parts: Vec<&str> = said.split("; or ").collect();
        match parts[..] {
            [only] if holds(only) => {
                if only.contains("no dword differs") {
                    Outcome::Candidates
                } else {
                    Outcome::Right
                }
            }
            [_] => Outcome::False,
            _ if parts.iter().any(|part| holds(part)) => Outcome::Candidates,
            _ => Outcome::False,
        }
    }

    /// "32 banks (…)", "16 or 32 banks (…)".
    fn banks(&self, said: &str) -> Outcome {
        let truth = self.truth.gpu.lds.banks;
        let head = said.split(['(', ';']).next().unwrap_or_default();
        if !head.contains("banks") || head.contains("no bank conflicts") || head.contains("undecided") {
            return Outcome::Silent;
        }
        let named: Vec<u32> =
            head.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
        match named[..] {
            [] => Outcome::Silent,
            [only] if head.contains("or more") => {
                if only <= truth {
                    Outcome::Candidates
                } else {
                    Outcome::False
                }
            }
            [only] => {
                if only == truth {
                    Outcome::Right
                } else {
                    Outcome::False
                }
            }
            [low, high] if head.contains(" to ") => {
                if (low..=high).contains(&truth) {
                    Outcome::Candidates
                } else {
                    Outcome::False
                }
            }
            _ if named.contains(&truth) => Outcome::Candidates,
            _ => Outcome::False,
        }
    }

    /// "10 waves on a SIMD; VGPRs in granules of 4, 256 in all; …".
    fn occupancy_line(&mut self, said: &str) {
        let registers = self.truth.gpu.registers.clone();
        let lds = self.truth.gpu.lds.clone();
        let part = |name: &str| said.split(';').map(str::trim).find(|part| part.contains(name)).unwrap_or_default();
        let waves = part("waves on a SIMD");
        self.add(Statement::Waves, amount(waves, registers.waves_per_simd), || waves.to_owned());
        for (name, granule, total) in [
            ("VGPRs in", registers.vgpr_granule, registers.vgprs),
            ("SGPRs in", registers.sgpr_granule, registers.sgprs),
            ("LDS in", lds.granule.0, lds.bytes.0),
        ] {
            let part = part(name);
            // The last comma: those in brackets are the granules' own.
            let (granules, all) = part.rsplit_once(", ").unwrap_or((part, ""));
            self.add(Statement::Granule, amount(granules, granule), || format!("{part}, truth {granule}"));
            self.add(Statement::Total, amount(all, total), || format!("{part}, truth {total}"));
        }
    }

    fn glc_line(&mut self, said: &str) {
        let memory = self.truth.gpu.vector_memory.clone();
        for (name, truth) in [("GLC1", memory.glc1_cycles), ("GLC2", memory.glc2_cycles)] {
            let part = said.split(", GLC").find(|part| part.trim_start_matches("GLC").starts_with(&name[3..]));
            let Some((_, value)) = part.and_then(|part| part.split_once('=')) else { continue };
            let value = value.trim();
            let outcome = if value.contains("do not agree") {
                Outcome::Silent
            } else {
                let number = value.split_whitespace().next().and_then(|number| number.parse::<f64>().ok());
                let is_right = number.is_some_and(|number| (number - f64::from(truth)).abs() <= 0.5);
                if is_right { Outcome::Right } else { Outcome::False }
            };
            self.add(Statement::Glc, outcome, || format!("{name} = {value}, truth {truth}"));
        }
    }
}

/// `granules of 4`, `4 or 8`, `4 or less`, `10 or more`, `248 to 251 in all`, `4 or less (or 6, against steps of 4)`.
fn amount(said: &str, truth: u32) -> Outcome {
    if let Some((said, others)) = said.split_once(" (or ") {
        let is_any = others.starts_with("others");
        let is_other = amount(others.split(',').next().unwrap_or_default(), truth) != Outcome::False;
        let is_among = is_any || is_other || amount(said, truth) != Outcome::False;
        return if is_among { Outcome::Candidates } else { Outcome::False };
    }
    let digits = said.split(|c: char| !c.is_ascii_digit());
    let named: Vec<u32> = digits.filter_map(|digits| digits.parse().ok()).collect();
    let candidates = |is_among: bool| if is_among { Outcome::Candidates } else { Outcome::False };
    match named[..] {
        _ if said.contains("unknown") || said.contains("undecided") => Outcome::Silent,
        [] => Outcome::Silent,
        [only, ..] if said.contains("or more") => candidates(only <= truth),
        [only, ..] if said.contains("or less") => candidates(truth <= only),
        [low, high] if said.contains(" to ") => candidates((low..=high).contains(&truth)),
        [only] if only == truth => Outcome::Right,
        [_] => Outcome::False,
        _ => candidates(named.contains(&truth)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_as_a_reader_reads_it() {
        use Outcome::{Candidates, False, Right, Silent};
        for (said, truth, outcome) in [
            ("10 waves on a SIMD", 10, Right),
            ("10 waves on a SIMD", 12, False),
            ("10 or more waves on a SIMD (registers allow no more)", 12, Candidates),
            ("11 or more waves on a SIMD (registers allow no more)", 10, False),
            ("VGPRs in granules of 4 or less", 1, Candidates),
            ("VGPRs in granules of 4", 1, False),
            ("VGPRs in granules of 4 or 8", 8, Candidates),
            ("VGPRs in granules of 4 or less (or 6, against steps of 4)", 6, Candidates),
            ("VGPRs in granules of 4 or less (or 6, against steps of 4)", 12, False),
            ("VGPRs in unknown granules", 8, Silent),
            ("248 to 251 in all", 250, Candidates),
            ("248 in all", 250, False),
            ("", 250, Silent),
        ] {
            assert_eq!(amount(said, truth), outcome, "{said}, truth {truth}");
        }
    }
}
