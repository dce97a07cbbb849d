//! Columns of the listing: mnemonic, operands, comment.

/// Column of the operands, counted from 0.
const OPERANDS: usize = 20;
/// Column of a comment after an instruction.
const COMMENT: usize = 48;

/// A line with its parts in their columns. Only instructions have columns: labels, comments and what starts at the left edge
/// stay as they are, and so do spaces inside of operands.
pub(super) fn aligned(line: &str) -> String {
    let Some(code) = line.strip_prefix("    ") else { return line.to_owned() };
    if code.starts_with(".L") && code.ends_with(':') {
        return code.to_owned();
    }
    if code.starts_with([' ', '/', '.']) && !code.starts_with(".long") {
        return line.to_owned();
    }
    let (code, comment) = match code.split_once("//") {
        Some((code, comment)) => (code.trim_end(), Some(comment)),
        None => (code.trim_end(), None),
    };
    let mut text = match code.split_once(' ') {
        // Not by formatting, which takes a good part of the time of a kernel's rendering.
        Some((mnemonic, operands)) => padded(["    ", mnemonic], OPERANDS - 1) + " " + operands.trim_start(),
        None => format!("    {code}"),
    };
    if let Some(comment) = comment {
        text = padded([&text, ""], COMMENT);
        if !text.ends_with(' ') {
            text.push(' ');
        }
        text = text + "//" + comment;
    }
    text
}

/// Two texts and spaces up to a column.
fn padded(texts: [&str; 2], column: usize) -> String {
    let mut padded = String::with_capacity(2 * COMMENT);
    texts.into_iter().for_each(|text| padded.push_str(text));
    let width = padded.chars().count();
    padded.extend(std::iter::repeat_n(' ', column.saturating_sub(width)));
    padded
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn instructions_have_columns_and_nothing_else_has() {
        assert_eq!(aligned("    s_nop 0"), "    s_nop           0");
        assert_eq!(
            aligned("    v_mov_b32_e32   v6, v22   // 4 bytes for each lane"),
            "    v_mov_b32_e32   v6, v22                     // 4 bytes for each lane"
        );
        assert_eq!(aligned("    s_endpgm"), "    s_endpgm");
        assert_eq!(aligned("    .Lloop:"), ".Lloop:");
        for kept in [".Lloop:", "    // ---- prologue", "    .p2align        6", "    .args:", "s_nop 0", ""] {
            assert_eq!(aligned(kept), kept);
        }
        let long = "    buffer_store_dwordx4 v[1:4], v0, s[4:7], s3 offen offset:4095 // x";
        assert_eq!(aligned(long), long);
    }
}
