//! Text of a device or a driver in Markdown: it appears as it is, whatever it is.

use gcn_model::printable::Printable;

/// The text with Markdown's own characters, and what cannot be seen, escaped.
pub(super) fn escaped(text: &str) -> String {
    let text: Vec<char> = Printable(text).to_string().chars().collect();
    let mut escaped = String::with_capacity(text.len());
    for (at, &character) in text.iter().enumerate() {
        let is_word = |neighbour: Option<&char>| neighbour.is_some_and(|next| next.is_alphanumeric() || *next == '_');
        let is_markup = match character {
            // Within a word it is a letter to Markdown as well.
            '_' => !(is_word(at.checked_sub(1).and_then(|before| text.get(before))) && is_word(text.get(at + 1))),
            // Brackets alone are no link, and reasons have them: `[63:32]`. Code in backticks is theirs, too.
            ']' => matches!(text.get(at + 1), Some('(' | '[')),
            other => r"\*<>|&~".contains(other),
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_itself() {
        assert_eq!(escaped("<b>|[x](y) *z* _w_ a_b"), r"\<b\>\|[x\](y) \*z\* \_w\_ a_b");
        assert_eq!(escaped("a\x1b[1m\nb"), r"a\\u{1b}[1m\\nb");
        let plain = "tahiti (simulated Radeon HD 7970); `V_ADD_F64` [63:32]: 16.5 ± 1, it's \"so\"";
        assert_eq!(escaped(plain), plain);
    }
}
