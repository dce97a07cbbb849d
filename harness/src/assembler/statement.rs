//! One line of assembly text without its comments.

/// The statement of a line, without its labels.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Statement<'a> {
    Empty,
    /// `.name operands`.
    Directive {
        name: &'a str,
        operands: &'a str,
    },
    /// `symbol = …`.
    Assignment,
    /// A branch to a label: the mnemonic and the operands before the label, and the label.
    Branch {
        before: &'a str,
        label: &'a str,
    },
    /// Any other instruction.
    Instruction(&'a str),
}

/// Takes a leading `name:` off a line.
pub(super) fn split_label(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let end = line.find(|c: char| !is_symbol(c))?;
    let rest = line[end..].trim_start().strip_prefix(':')?;
    (end > 0).then_some((&line[..end], rest))
}

impl<'a> Statement<'a> {
    /// Reads a line without comments and labels.
    pub(super) fn read(line: &'a str) -> Self {
        let line = line.trim();
        let word_end = line.find(|c: char| !is_symbol(c)).unwrap_or(line.len());
        let (word, operands) = (&line[..word_end], line[word_end..].trim());
        if operands.starts_with('=') {
            Self::Assignment
        } else if word.starts_with('.') {
            Self::Directive { name: word, operands }
        } else if line.is_empty() {
            Self::Empty
        } else if let Some(label) = branch_label(word, operands) {
            Self::Branch { before: &line[..line.len() - label.len()], label }
        } else {
            Self::Instruction(line)
        }
    }
}

/// The label that an instruction branches to: the last operand of the instructions whose SIMM16 is a distance.
fn branch_label<'a>(mnemonic: &str, operands: &'a str) -> Option<&'a str> {
    let starts = |name: &str| mnemonic.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    // The last two take registers.
    let takes_label = ["s_branch", "s_call_b64"].iter().any(|name| mnemonic.eq_ignore_ascii_case(name))
        || starts("s_cbranch_") && !starts("s_cbranch_g_fork") && !starts("s_cbranch_join");
    if !takes_label {
        return None;
    }
    let last = operands.rsplit(',').next()?.trim();
    let named = last.starts_with(|c: char| is_symbol(c) && !c.is_ascii_digit());
    (named && last.chars().all(is_symbol)).then_some(last)
}

/// Characters of a symbol's name.
pub(super) fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '@')
}

/// Whether a line names a symbol.
pub(super) fn mentions(line: &str, symbol: &str) -> bool {
    line.split(|c: char| !is_symbol(c)).any(|word| word == symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_labels_off() {
        assert_eq!(split_label("  loop.1 : s_nop 0"), Some(("loop.1", " s_nop 0")));
        assert_eq!(split_label(".Lend:"), Some((".Lend", "")));
        assert_eq!(split_label("s_mov_b64 s[0:1], 0"), None);
        assert_eq!(split_label("s_endpgm"), None);
        assert_eq!(split_label(":"), None);
    }

    #[test]
    fn tells_statements_apart() {
        use Statement::{Assignment, Branch, Directive, Empty, Instruction};
        for (line, expected) in [
            (" ", Empty),
            (".p2align\t8", Directive { name: ".p2align", operands: "8" }),
            ("x = 5", Assignment),
            ("s_branch .Lend", Branch { before: "s_branch ", label: ".Lend" }),
            ("s_call_b64 s[0:1], f", Branch { before: "s_call_b64 s[0:1], ", label: "f" }),
            ("s_cbranch_i_fork s[0:1], f", Branch { before: "s_cbranch_i_fork s[0:1], ", label: "f" }),
            ("s_cbranch_join s4", Instruction("s_cbranch_join s4")),
            ("s_branch -4", Instruction("s_branch -4")),
            ("s_branch 0x4", Instruction("s_branch 0x4")),
            ("s_branch f+4", Instruction("s_branch f+4")),
            ("v_cmp_eq_u32 vcc, v0, v1", Instruction("v_cmp_eq_u32 vcc, v0, v1")),
        ] {
            assert_eq!(Statement::read(line), expected, "{line}");
        }
    }
}
