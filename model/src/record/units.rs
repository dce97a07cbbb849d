//! The cases of experiments on a result that one unit produces and another reads, as in `experiments.csv`.

use std::fmt;

/// Replaces the producer where it is absent.
const NOBODY: &str = "none";
/// Between producer and consumer.
const TO: &str = " > ";
/// Between the parts of a case.
const AND: &str = ", ";
/// The consumer reads the producer's result.
const DEPENDENT: &str = "dependent";
/// In front of the name of an instruction that has to stand between the two.
const BEHIND: &str = "behind ";
/// Precedes the operands of S_DELAY_ALU: as the compiler would write it, and another value.
const RIGHT: &str = "right delay ";
const WRONG: &str = "wrong delay ";

/// A producer and a consumer: `vector > lds, dependent`, `transcendental > vector, dependent, behind S_WAITCNT_DEPCTR`,
/// `none > vector of VGPR`, `scalar > vector, dependent, right delay instid0(SALU_CYCLE_1)`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnitCase {
    /// The unit that brings a result; none where the consumer is alone.
    pub producer: Option<String>,
    /// The unit that reads it.
    pub consumer: String,
    /// Whether it really reads it; otherwise it reads something that is there.
    pub is_dependent: bool,
    /// The instructions that have to stand between the two.
    pub behind: Vec<String>,
    /// The S_DELAY_ALU in front of the consumer.
    pub delay: Option<UnitDelay>,
}

/// An S_DELAY_ALU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitDelay {
    /// Whether it names the consumer's true dependency, where the consumer waits for the producer.
    pub is_right: bool,
    pub operands: String,
}

impl UnitCase {
    /// Reads a case as [`Display`](fmt::Display) writes it; `None` for other texts.
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(AND);
        let (producer, consumer) = parts.next()?.split_once(TO)?;
        let producer = (producer != NOBODY).then(|| producer.to_owned());
        let mut case = Self { producer, consumer: consumer.to_owned(), ..Self::default() };
        for part in parts {
            if part == DEPENDENT {
                case.is_dependent = true;
            } else if let Some(name) = part.strip_prefix(BEHIND) {
                case.behind.push(name.to_owned());
            } else {
                let of =
                    |is_right, prefix| Some(UnitDelay { is_right, operands: part.strip_prefix(prefix)?.to_owned() });
                case.delay = Some(of(true, RIGHT).or_else(|| of(false, WRONG))?);
            }
        }
        Some(case)
    }
}

impl fmt::Display for UnitCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{TO}{}", self.producer.as_deref().unwrap_or(NOBODY), self.consumer)?;
        let dependent = self.is_dependent.then_some(DEPENDENT);
        dependent.iter().try_for_each(|word| write!(f, "{AND}{word}"))?;
        self.behind.iter().try_for_each(|name| write!(f, "{AND}{BEHIND}{name}"))?;
        let words = |delay: &UnitDelay| if delay.is_right { RIGHT } else { WRONG };
        self.delay.iter().try_for_each(|delay| write!(f, "{AND}{}{}", words(delay), delay.operands))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_read_as_it_is_written() {
        for text in [
            "none > vector of VGPR",
            "vector > lds",
            "vector > lds, dependent",
            "transcendental > vector, dependent, behind S_WAITCNT, behind S_NOP",
            "scalar > vector, dependent, right delay instid0(SALU_CYCLE_1)",
            "vector > vector, wrong delay instid0(VALU_DEP_4)",
        ] {
            assert_eq!(UnitCase::read(text).unwrap().to_string(), text);
        }
        assert_eq!(UnitCase::read("vector"), None);
        assert_eq!(UnitCase::read("vector > lds, otherwise"), None);
    }
}
