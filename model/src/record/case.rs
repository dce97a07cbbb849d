//! The cases of experiments as values: each type has one text form, that of the column `case`, which it writes and reads.

use std::fmt;

/// Between the producer and the consumer of a pair.
const TO: &str = " > ";
/// Ends the case of a pair whose consumer reads its producer's result.
const DEPENDENT: &str = ", dependent";
/// Between a short instruction and the long one before it.
const BEHIND: &str = " behind ";
/// Ends the case of an operation that could be encoded in one dword.
const IN_TWO: &str = " in two dwords";
const TAKEN: &str = "taken ";
const NOT_TAKEN: &str = "not taken ";
const STRIDE: &str = "stride ";
const LANES: &str = "lanes ";
/// Ends the case of lanes whose dwords are all in the same banks.
const ONE_BANK: &str = ", one bank";
const TWO_BANKS: &str = ", two banks";
/// Between the second instruction of a pair and the sources that it shares.
const AND: &str = ", ";
const SOURCE: &str = "src";
const BANK: &str = " bank";
const REGISTER: &str = " register";

/// A producer and a consumer next to each other: `V_ADD_F32 > S_MOV_B32, dependent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeighbourCase<'t> {
    pub producer: &'t str,
    pub consumer: &'t str,
    /// Whether the consumer reads the producer's result.
    pub is_dependent: bool,
}

impl<'t> NeighbourCase<'t> {
    /// Reads a case as [`Display`](fmt::Display) writes it; `None` for other texts.
    pub fn read(text: &'t str) -> Option<Self> {
        let (pair, is_dependent) = text.strip_suffix(DEPENDENT).map_or((text, false), |pair| (pair, true));
        let (producer, consumer) = pair.split_once(TO)?;
        Some(Self { producer, consumer, is_dependent })
    }
}

impl NeighbourCase<'_> {
    /// The consumer, and whether it is dependent: `S_MOV_B32, dependent`.
    pub fn reader(&self) -> String {
        format!("{}{}", self.consumer, if self.is_dependent { DEPENDENT } else { "" })
    }
}

impl fmt::Display for NeighbourCase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{TO}{}", self.producer, self.reader())
    }
}

/// An instruction at a dword of a line: `V_ADD_F32 in two dwords`, `V_ADD_F32 behind V_ADD_F64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceCase<'t> {
    /// By itself; its baseline is the same instruction elsewhere.
    Alone(&'t str),
    /// It has a form of one dword, which is its baseline.
    InTwoDwords(&'t str),
    /// Right after a longer one.
    After { short: &'t str, long: &'t str },
}

impl<'t> PlaceCase<'t> {
    /// Reads a case as [`Display`](fmt::Display) writes it.
    pub fn read(text: &'t str) -> Self {
        match (text.split_once(BEHIND), text.strip_suffix(IN_TWO)) {
            (Some((short, long)), _) => Self::After { short, long },
            (None, Some(name)) => Self::InTwoDwords(name),
            (None, None) => Self::Alone(text),
        }
    }
}

impl fmt::Display for PlaceCase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alone(name) => f.write_str(name),
            Self::InTwoDwords(name) => write!(f, "{name}{IN_TWO}"),
            Self::After { short, long } => write!(f, "{short}{BEHIND}{long}"),
        }
    }
}

/// A probe for the start of a line: `taken S_BRANCH`, `not taken S_CBRANCH_SCC0`, or an operation's [`PlaceCase`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineStartCase<'t> {
    /// A jump to the place.
    Taken(&'t str),
    /// A jump at the place that is not taken.
    NotTaken(&'t str),
    /// An operation.
    Operation(PlaceCase<'t>),
}

impl<'t> LineStartCase<'t> {
    /// Reads a case as [`Display`](fmt::Display) writes it.
    pub fn read(text: &'t str) -> Self {
        match (text.strip_prefix(TAKEN), text.strip_prefix(NOT_TAKEN)) {
            (Some(jump), _) => Self::Taken(jump),
            (None, Some(jump)) => Self::NotTaken(jump),
            (None, None) => Self::Operation(PlaceCase::read(text)),
        }
    }
}

impl fmt::Display for LineStartCase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken(jump) => write!(f, "{TAKEN}{jump}"),
            Self::NotTaken(jump) => write!(f, "{NOT_TAKEN}{jump}"),
            Self::Operation(operation) => operation.fmt(f),
        }
    }
}

/// Dwords from one lane's LDS address to the next's: `stride 8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StrideCase(pub u32);

impl StrideCase {
    /// Reads a case as [`Display`](fmt::Display) writes it; `None` for other texts.
    pub fn read(text: &str) -> Option<Self> {
        text.strip_prefix(STRIDE)?.parse().ok().map(Self)
    }
}

impl fmt::Display for StrideCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{STRIDE}{}", self.0)
    }
}

/// Two groups of four lanes that access the LDS: `lanes 0 and 20, one bank`. The lanes of a group always meet in one bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LaneGroupsCase {
    /// The first lane of each group, the lower one first.
    pub lanes: [u32; 2],
    /// Whether the two groups meet in one bank, too.
    pub is_one_bank: bool,
}

impl LaneGroupsCase {
    /// Reads a case as [`Display`](fmt::Display) writes it; `None` for other texts.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.strip_prefix(LANES)?;
        let one = text.strip_suffix(ONE_BANK);
        let (first, second) = one.or_else(|| text.strip_suffix(TWO_BANKS))?.split_once(" and ")?;
        Some(Self { lanes: [first.parse().ok()?, second.parse().ok()?], is_one_bank: one.is_some() })
    }
}

impl fmt::Display for LaneGroupsCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.lanes;
        write!(f, "{LANES}{first} and {second}{}", if self.is_one_bank { ONE_BANK } else { TWO_BANKS })
    }
}

/// The second instruction of a dual issue, and what its sources share with the first one's: `V_DUAL_MOV_B32, src0 bank`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PairCase<'t> {
    pub second: &'t str,
    pub shared: Option<SharedSource>,
}

impl<'t> PairCase<'t> {
    /// Reads a case as [`Display`](fmt::Display) writes it.
    pub fn read(text: &'t str) -> Self {
        let shared = text.split_once(AND).and_then(|(second, shared)| Some((second, SharedSource::read(shared)?)));
        shared.map_or(Self { second: text, shared: None }, |(second, shared)| Self { second, shared: Some(shared) })
    }
}

impl fmt::Display for PairCase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.second)?;
        self.shared.iter().try_for_each(|shared| write!(f, "{AND}{shared}"))
    }
}

/// The sources of one place of a dual issue are in one bank of registers: `src0 bank`, `src1 register`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SharedSource {
    /// The place of the sources, counted from 0.
    pub place: usize,
    /// Whether they are one register.
    pub is_same_register: bool,
}

impl SharedSource {
    /// Reads what [`Display`](fmt::Display) writes; `None` for other texts.
    pub fn read(text: &str) -> Option<Self> {
        let of = |kind: &str| text.strip_prefix(SOURCE)?.strip_suffix(kind)?.parse().ok();
        let same = of(REGISTER).map(|place| Self { place, is_same_register: true });
        same.or_else(|| of(BANK).map(|place| Self { place, is_same_register: false }))
    }
}

impl fmt::Display for SharedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SOURCE}{}{}", self.place, if self.is_same_register { REGISTER } else { BANK })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_read_as_they_are_written() {
        for text in ["V_ADD_F32 > S_MOV_B32", "V_ADD_F32 > S_MOV_B32, dependent"] {
            assert_eq!(NeighbourCase::read(text).unwrap().to_string(), text);
        }
        assert_eq!(NeighbourCase::read("V_ADD_F32"), None);
        for text in [
            "V_ADD_F32",
            "V_ADD_F32 in two dwords",
            "V_ADD_F32 behind V_ADD_F64",
            "taken S_BRANCH",
            "not taken S_BRANCH",
        ] {
            assert_eq!(LineStartCase::read(text).to_string(), text);
        }
        assert_eq!(LineStartCase::read("taken S_BRANCH"), LineStartCase::Taken("S_BRANCH"));
        for text in ["V_DUAL_MOV_B32", "V_DUAL_MOV_B32, src0 bank", "V_DUAL_MOV_B32, src2 register"] {
            assert_eq!(PairCase::read(text).to_string(), text);
        }
        assert_eq!(PairCase::read("A, src1 bank").shared, Some(SharedSource { place: 1, is_same_register: false }));
        for text in ["lanes 0 and 20, one bank", "lanes 4 and 8, two banks"] {
            assert_eq!(LaneGroupsCase::read(text).unwrap().to_string(), text);
        }
        assert_eq!((LaneGroupsCase::read("stride 8"), LaneGroupsCase::read("lanes 4 and 8")), (None, None));
        assert_eq!((StrideCase::read("stride 8"), StrideCase::read("glc")), (Some(StrideCase(8)), None));
    }
}
