//! Text within a line: Markdown's emphasis and code, and how text of others appears as it is.

use gcn_model::printable::Printable;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Span {
    Plain(String),
    /// In backticks.
    Code(String),
    /// Between single asterisks.
    Emphasis(String),
    /// Between double asterisks.
    Strong(String),
}

impl Span {
    fn of(text: String, marks: &str) -> Self {
        match marks {
            "`" => Self::Code(text),
            "*" => Self::Emphasis(text),
            "**" => Self::Strong(text),
            _ => Self::Plain(text),
        }
    }

    /// The text without its marks.
    pub fn text(&self) -> &str {
        let (Self::Plain(text) | Self::Code(text) | Self::Emphasis(text) | Self::Strong(text)) = self;
        text
    }
}

/// The pieces of a text. A mark that nothing closes is a character.
pub fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let marks = ["`", "**", "*"].into_iter().find(|marks| rest.starts_with(marks));
        let closed = marks.and_then(|marks| {
            let (inner, after) = rest[marks.len()..].split_once(marks)?;
            (!inner.is_empty() && !inner.starts_with(' ')).then_some((marks, inner, after))
        });
        if let Some((marks, inner, after)) = closed {
            spans.extend((!plain.is_empty()).then(|| Span::Plain(std::mem::take(&mut plain))));
            spans.push(Span::of(if marks == "`" { inner.to_owned() } else { unescaped(inner) }, marks));
            rest = after;
            continue;
        }
        let escape = (first == '\\').then(|| rest[1..].chars().next()).flatten().filter(char::is_ascii_punctuation);
        let character = escape.unwrap_or(first);
        plain.push(character);
        rest = &rest[usize::from(escape.is_some()) + character.len_utf8()..];
    }
    spans.extend((!plain.is_empty()).then_some(Span::Plain(plain)));
    spans
}

fn unescaped(text: &str) -> String {
    spans(text).iter().map(Span::text).collect()
}

/// The text with Markdown's own characters, and what cannot be seen, escaped.
pub(crate) fn escaped(text: &str) -> String {
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

/// The same with backticks, so that no part of the text is code.
pub(crate) fn literal(text: &str) -> String {
    escaped(text).replace('`', "\\`")
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

    #[test]
    fn marks_are_taken_off_where_they_are_closed() {
        let plain = |text: &str| Span::Plain(text.to_owned());
        let found = spans("a `*b*` **c** *d* 2 * 3 \\*e\\*");
        let expected = [
            plain("a "),
            Span::Code("*b*".into()),
            plain(" "),
            Span::Strong("c".into()),
            plain(" "),
            Span::Emphasis("d".into()),
            plain(" 2 * 3 *e*"),
        ];
        assert_eq!(found, expected);
        assert_eq!(spans(r"X \ Y"), [plain(r"X \ Y")]);
    }

    proptest::proptest! {
        #[test]
        fn what_was_escaped_is_read_as_it_was(text in "[ -~]{0,40}") {
            let read = |escaped: String| -> String { spans(&escaped).iter().map(Span::text).collect() };
            let without = text.replace('`', "");
            proptest::prop_assert_eq!(read(escaped(&without)), without);
            proptest::prop_assert_eq!(read(literal(&text)), text);
        }
    }
}
