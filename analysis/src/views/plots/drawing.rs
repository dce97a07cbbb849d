//! What comes of drawing a picture.

use super::sheet::DrawError;

/// A picture, or why it is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Drawing {
    Drawn(String),
    /// The requirement.
    Missing(String),
}

impl Drawing {
    pub(super) fn of(drawn: Result<String, DrawError>) -> Self {
        match drawn {
            Ok(svg) => Self::Drawn(svg),
            Err(error) => Self::Missing(format!("it could not be drawn: {error}")),
        }
    }
}
