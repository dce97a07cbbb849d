//! Escapes foreign texts for printing: characters that a terminal would obey, or a reader not see.

use std::fmt::{self, Write};

/// The most characters of a name that is given: of a GPU, of a product.
pub const LONGEST_NAME: usize = 80;

/// Whether a character is seen as itself: no control character, no mark of direction, no line separator, nothing unassigned.
pub fn is_printable(character: char) -> bool {
    match character {
        // These three are escaped because of quotes, not because of their look.
        '\\' | '"' | '\'' => true,
        ascii if ascii.is_ascii() => !ascii.is_ascii_control(),
        // Behind a letter, an accent can be seen.
        other => String::from_iter(['a', other]).escape_debug().count() == 2,
    }
}

/// Whether a text can name something: one line that can be seen, of at most [`LONGEST_NAME`] characters.
pub fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= LONGEST_NAME && text.chars().all(is_printable)
}

/// A text for a terminal or a message: characters that are not [printable](is_printable) become `\u{1b}`.
#[derive(Debug, Clone, Copy)]
pub struct Printable<'t>(pub &'t str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = String::with_capacity(self.0.len());
        for character in self.0.chars() {
            if is_printable(character) {
                shown.push(character);
            } else {
                write!(shown, "{}", character.escape_debug())?;
            }
        }
        f.pad(&shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(Printable("a\x1b[31mb\u{9b}c\nd\u{202e}e").to_string(), "a\\u{1b}[31mb\\u{9b}c\\nd\\u{202e}e");
        let plain = "Radeon™ R9 \"290\" 'x' \\ é e\u{301} 漢字 🙂";
        assert_eq!(Printable(plain).to_string(), plain);
        assert_eq!(format!("{:>4}|{:<4}|", Printable("ab"), Printable("ab")), "  ab|ab  |");
    }

    #[test]
    fn a_name_is_one_short_line() {
        assert!(is_name("Radeon HD 7970") && is_name(&"x".repeat(80)));
        for text in ["", " ", "two\nlines", "\x1b[2J", "a\u{200b}b", "\u{2028}", &"x".repeat(81)] {
            assert!(!is_name(text), "{text:?}");
        }
    }
}
