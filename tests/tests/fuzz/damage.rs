//! Changes to a file that may be anything: bytes and lines that are others, gone, there twice, or somewhere else.

use std::ops::Range;

use proptest::prelude::*;

/// A change; places are shares of the file's length or of its lines, in 65536ths.
#[derive(Debug, Clone)]
pub(crate) enum Damage {
    /// Another digit replaces one.
    Digit(u16),
    /// Another bit.
    Bit(u16, u8),
    /// Bytes that replace others.
    Bytes(u16, u8, String),
    /// The rest is gone.
    CutOff(u16),
    /// So many bytes are zeros.
    Zeros(u16, u16),
    /// The rest after a line is gone.
    CutOffAtLine(u16),
    /// A line is gone.
    WithoutLine(u16),
    /// A line is repeated this many more times.
    LineAgain(u16, u8),
    /// Two lines swap their places.
    LinesSwapped(u16, u16),
}

impl Damage {
    /// Any change; `bytes` are those that come in the place of others.
    pub(crate) fn any(bytes: impl Strategy<Value = String> + 'static) -> impl Strategy<Value = Self> {
        let at = any::<u16>;
        prop_oneof![
            at().prop_map(Self::Digit),
            (at(), 0..7u8).prop_map(|(at, bit)| Self::Bit(at, bit)),
            (at(), 0..40u8, bytes).prop_map(|(at, gone, bytes)| Self::Bytes(at, gone, bytes)),
            at().prop_map(Self::CutOff),
            (at(), any::<u16>()).prop_map(|(at, bytes)| Self::Zeros(at, bytes)),
            at().prop_map(Self::CutOffAtLine),
            at().prop_map(Self::WithoutLine),
            (at(), 1..3u8).prop_map(|(at, times)| Self::LineAgain(at, times)),
            (at(), at()).prop_map(|(one, other)| Self::LinesSwapped(one, other)),
        ]
    }

    /// Whether lines are gone, and nothing else.
    pub(crate) fn takes_away(&self) -> bool {
        matches!(self, Self::CutOffAtLine(_) | Self::WithoutLine(_))
    }

    /// Changes the content of a file.
    pub(crate) fn apply(&self, content: &mut Vec<u8>) {
        let place = |share: u16, length: usize| usize::from(share) * length / (1 << 16);
        let lines = lines(content);
        let line = |share: u16| lines.get(place(share, lines.len())).cloned().unwrap_or(0..0);
        match self {
            Self::Digit(at) => {
                let digits: Vec<usize> = (0..content.len()).filter(|&at| content[at].is_ascii_digit()).collect();
                if let Some(&at) = digits.get(place(*at, digits.len())) {
                    content[at] = b'0' + (content[at] - b'0' + 1) % 10;
                }
            }
            Self::Bit(at, bit) => {
                let at = place(*at, content.len());
                if let Some(byte) = content.get_mut(at) {
                    *byte ^= 1 << bit;
                }
            }
            Self::Bytes(at, gone, bytes) => {
                let start = place(*at, content.len());
                let end = (start + usize::from(*gone)).min(content.len());
                content.splice(start..end, bytes.bytes());
            }
            Self::CutOff(at) => content.truncate(place(*at, content.len())),
            Self::Zeros(at, bytes) => {
                let start = place(*at, content.len());
                let end = (start + usize::from(*bytes)).min(content.len());
                content[start..end].fill(0);
            }
            Self::CutOffAtLine(at) => content.truncate(line(*at).end),
            Self::WithoutLine(at) => drop(content.drain(line(*at))),
            Self::LineAgain(at, times) => {
                let range = line(*at);
                let copies = content[range.clone()].repeat(usize::from(*times));
                content.splice(range.end..range.end, copies);
            }
            Self::LinesSwapped(one, other) => {
                let (one, other) = (line(*one), line(*other));
                let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
                let (a, b) = (content[first.clone()].to_vec(), content[second.clone()].to_vec());
                content.splice(second, a);
                content.splice(first, b);
            }
        }
    }
}

/// Where the lines are, each with its line break.
fn lines(content: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    content
        .split_inclusive(|&byte| byte == b'\n')
        .map(|line| {
            let range = start..start + line.len();
            start = range.end;
            range
        })
        .collect()
}
