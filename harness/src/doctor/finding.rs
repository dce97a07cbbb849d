//! One thing that was looked at.

use serde::Serialize;

/// The meaning of a finding for measuring a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// As it should be.
    Good,
    /// It may disturb, or is missing and may not be needed.
    Note,
    /// It keeps a card from being measured.
    Bad,
}

impl Health {
    /// The word in front of a line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Note => "note",
            Self::Bad => "bad",
        }
    }
}

/// A finding, and the next step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub health: Health,
    pub subject: String,
    /// How it is.
    pub says: String,
    /// The next step; empty without one.
    pub next: String,
}

impl Finding {
    /// As it should be.
    pub fn good(subject: impl Into<String>, says: impl Into<String>) -> Self {
        Self { health: Health::Good, subject: subject.into(), says: says.into(), next: String::new() }
    }

    /// Something to know.
    pub fn note(subject: impl Into<String>, says: impl Into<String>, next: impl Into<String>) -> Self {
        Self { health: Health::Note, subject: subject.into(), says: says.into(), next: next.into() }
    }

    /// Something to mend.
    pub fn bad(subject: impl Into<String>, says: impl Into<String>, next: impl Into<String>) -> Self {
        Self { health: Health::Bad, subject: subject.into(), says: says.into(), next: next.into() }
    }
}
