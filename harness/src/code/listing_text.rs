//! The output of `llvm-objdump -d` as assembly text: instructions are what an assembler takes, headings are not.

use super::label::is_of_name;

/// A line of a text, as the assembler takes it.
///
/// `0000000000001900 <name>:` is the label `name:`; the heading of a file or a section and `...` for zeros that are left out are empty. No
/// line changes its number.
pub(super) fn assembled(line: &str) -> String {
    let trimmed = line.trim();
    if let Some(name) = label(trimmed) {
        let is_plain = name.chars().all(is_of_name);
        return if is_plain { format!("{name}:") } else { format!("\"{name}\":") };
    }
    let is_heading = trimmed == "..."
        || trimmed.starts_with("Disassembly of section ")
        || trimmed.contains(":\tfile format ")
        || trimmed.contains(": file format ");
    if is_heading { String::new() } else { line.to_owned() }
}

/// Whether a text is such output: it has a line with an address and a name.
pub(super) fn is_listing(text: &str) -> bool {
    text.lines().any(|line| label(line.trim()).is_some())
}

/// The name in `0000000000001900 <name>:`, or in `<name>:`.
fn label(line: &str) -> Option<&str> {
    let (address, name) = line.strip_suffix(">:")?.split_once('<')?;
    let address = address.trim_end();
    let is_address = address.len() >= 8 && address.bytes().all(|it| it.is_ascii_hexdigit());
    (address.is_empty() || is_address).then_some(name).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_go_and_names_stay() {
        for (line, text) in [
            ("0000000000001900 <axpy>:", "axpy:"),
            ("<L0>:", "L0:"),
            ("0000000000001900 <operator new(int)>:", "\"operator new(int)\":"),
            ("Disassembly of section .text:", ""),
            ("k.co:\tfile format elf64-amdgpu", ""),
            ("\t\t...", ""),
            ("\ts_endpgm  // 000000001904: BF810000", "\ts_endpgm  // 000000001904: BF810000"),
        ] {
            assert_eq!(assembled(line), text);
        }
        assert!(
            is_listing("\n0000000000001900 <axpy>:\n") && !is_listing("axpy:\ns_endpgm // 000000001904: BF81 <axpy>\n")
        );
    }
}
