//! The lanes whose accesses to the LDS are served together.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

use serde::Deserialize;

/// Lanes served together, in groups of four: which pass serves each of the eight groups in 32 neighbouring lanes. Every 32 lanes have passes of their own.
///
/// As text, eight digits: `01231032` serves lanes 0 to 3 and 20 to 23 in pass 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct LdsPasses {
    passes: [u8; 8],
}

impl LdsPasses {
    /// Lanes for which the passes are listed.
    pub const LANES: u32 = 32;

    /// Passes that serve these lanes.
    pub fn count(self) -> u32 {
        self.passes.into_iter().max().map_or(1, |last| u32::from(last) + 1)
    }

    /// The lanes of each pass for a reader: `0–3 20–23, 4–7 16–19, …`.
    pub fn words(self) -> String {
        let of_pass = |lanes: u32| {
            let is_in = |lane: u32| lane < Self::LANES && lanes >> lane & 1 == 1;
            let starts = (0..Self::LANES).filter(|lane| is_in(*lane) && !lane.checked_sub(1).is_some_and(is_in));
            let range =
                |first: u32| format!("{first}–{}", (first..).take_while(|lane| is_in(*lane)).last().unwrap_or(first));
            starts.map(range).collect::<Vec<_>>().join(" ")
        };
        self.lanes().map(of_pass).collect::<Vec<_>>().join(", ")
    }

    /// The lanes of each pass, one bit for each of 32 lanes.
    pub fn lanes(self) -> impl Iterator<Item = u32> {
        let of_pass = move |pass| {
            let groups = self.passes.iter().enumerate().filter(move |(_, of)| **of == pass);
            groups.fold(0, |lanes, (group, _)| lanes | 0xf << (4 * group))
        };
        (0..self.count() as u8).map(of_pass)
    }
}

impl FromStr for LdsPasses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits: Vec<u8> = text.bytes().map(|digit| digit.wrapping_sub(b'0')).collect();
        let passes: [u8; 8] = digits.try_into().map_err(|_| "there must be eight digits".to_owned())?;
        let last = passes.into_iter().max().unwrap_or(0);
        match last <= 7 && (0..last).all(|pass| passes.contains(&pass)) {
            true => Ok(Self { passes }),
            false => Err("the digits must be passes from 0 on, none of them left out".to_owned()),
        }
    }
}

impl TryFrom<String> for LdsPasses {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl Display for LdsPasses {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.passes.iter().try_for_each(|pass| write!(f, "{pass}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_passes_of_four_lanes_each() {
        let passes: LdsPasses = "01231032".parse().unwrap();
        assert_eq!(passes.lanes().collect::<Vec<_>>(), [0x00f0_000f, 0x000f_00f0, 0xf000_0f00, 0x0f00_f000]);
        assert_eq!((passes.to_string().as_str(), passes.count()), ("01231032", 4));
        assert_eq!(passes.words(), "0–3 20–23, 4–7 16–19, 8–11 28–31, 12–15 24–27");
        assert_eq!("00001111".parse::<LdsPasses>().unwrap().words(), "0–15, 16–31");
        assert_eq!("00000000".parse::<LdsPasses>().unwrap().lanes().collect::<Vec<_>>(), [u32::MAX]);
        for wrong in ["", "0", "012310321", "02222222", "0123103x", "11111111", "01234568"] {
            assert!(wrong.parse::<LdsPasses>().is_err(), "{wrong}");
        }
    }
}
