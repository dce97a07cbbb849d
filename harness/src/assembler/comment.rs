//! Comments: from `;` or `//` to the end of the line, and `/* … */`.

use std::borrow::Cow;

/// Blanks out comments and keeps columns. Remembers a `/*` that is open at a line's end.
#[derive(Debug, Default)]
pub(super) struct Comments {
    open: bool,
}

impl Comments {
    /// Whether the next line starts within a comment.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// The line with its comments replaced by blanks, or cut off where they end the line.
    pub(super) fn blank<'a>(&mut self, line: &'a str) -> Cow<'a, str> {
        if !self.open {
            match line.find([';', '/', '"', '#']) {
                None => return Cow::Borrowed(line),
                // The usual comment: nothing but a note at the end.
                Some(at) if line[at..].starts_with("//") || line[at..].starts_with(';') => {
                    return Cow::Borrowed(&line[..at]);
                }
                // A line marker of the C preprocessor, or a comment of a person used to it.
                Some(at) if line[at..].starts_with('#') && line[..at].trim().is_empty() => return Cow::Borrowed(""),
                Some(_) => {}
            }
        }
        Cow::Owned(self.blank_slowly(line))
    }

    fn blank_slowly(&mut self, line: &str) -> String {
        let mut blanked = String::with_capacity(line.len());
        let mut quoted = false;
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if self.open {
                let (skipped, closed) = match rest.find("*/") {
                    Some(at) => (at + 2, true),
                    None => (rest.len(), false),
                };
                blanked.extend(rest[..skipped].chars().map(|_| ' '));
                self.open = !closed;
                rest = &rest[skipped..];
                continue;
            }
            if !quoted && rest.starts_with("/*") {
                blanked.push_str("  ");
                self.open = true;
                rest = &rest[2..];
                continue;
            }
            if !quoted && (c == ';' || rest.starts_with("//")) {
                break;
            }
            quoted ^= c == '"' && !blanked.ends_with('\\');
            blanked.push(c);
            rest = &rest[c.len_utf8()..];
        }
        blanked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blanked(lines: &[&str]) -> Vec<String> {
        let mut comments = Comments::default();
        lines.iter().map(|line| comments.blank(line).into_owned()).collect()
    }

    #[test]
    fn keeps_columns() {
        assert_eq!(blanked(&["s_nop 0 ; s_nop 1", "s_nop 1 // x", "# 1 \"x\""]), ["s_nop 0 ", "s_nop 1 ", ""]);
        assert_eq!(blanked(&["a /* b */ c /* d", "e */ f ; g"]), ["a         c     ", "     f "]);
        assert_eq!(blanked(&[".ascii \"a;b//c\" ; d"]), [".ascii \"a;b//c\" "]);
        assert_eq!(blanked(&["s_mov_b32 s0, 4/2"]), ["s_mov_b32 s0, 4/2"]);
    }
}
