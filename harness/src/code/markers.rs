//! Markers around the regions of an assembly text.
//!
//! `GCN-BEGIN name` and `GCN-END`, or llvm-mca's `LLVM-MCA-BEGIN name` and `LLVM-MCA-END`, are comments of their own. Each is
//! replaced by a label, so that the assembler says where it lies and no line changes its number.

const BEGINS: [&str; 2] = ["GCN-BEGIN", "LLVM-MCA-BEGIN"];
const ENDS: [&str; 2] = ["GCN-END", "LLVM-MCA-END"];

/// A text whose markers are labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MarkedText {
    pub(super) text: String,
    /// The names of its regions.
    pub(super) names: Vec<String>,
}

/// The label at the start of a region.
pub(super) fn begin_label(region: usize) -> String {
    format!("gcn_timings_region_{region}_begin")
}

/// The label after the end of a region.
pub(super) fn end_label(region: usize) -> String {
    format!("gcn_timings_region_{region}_end")
}

/// Replaces the markers of a text.
///
/// # Errors
/// A marker after an instruction, or one without its counterpart: the line, from 1, and its problem.
pub(super) fn mark(text: &str) -> Result<MarkedText, (usize, String)> {
    let mut marked = MarkedText { text: String::with_capacity(text.len() + 256), names: Vec::new() };
    let mut open: Option<(usize, usize)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |problem: String| (number, problem);
        match marker(line)
            .map_err(|marker| wrong(format!("{marker} follows an instruction: give it a line of its own")))?
        {
            None => marked.text.push_str(line),
            Some(Marker::Begin(name)) => {
                if let Some((_, at)) = open {
                    return Err(wrong(format!("a region begins inside the one of line {at}: regions do not nest")));
                }
                let region = marked.names.len();
                open = Some((region, number));
                let name = if name.is_empty() { format!("region {}", region + 1) } else { name.to_owned() };
                marked.names.push(name);
                marked.text.push_str(&format!("{}:", begin_label(region)));
            }
            Some(Marker::End) => {
                let Some((region, _)) = open.take() else { return Err(wrong("no region ends here".to_owned())) };
                marked.text.push_str(&format!("{}:", end_label(region)));
            }
        }
        marked.text.push('\n');
    }
    match open {
        Some((_, line)) => Err((line, "the region that begins here has no end".to_owned())),
        None => Ok(marked),
    }
}

enum Marker<'a> {
    Begin(&'a str),
    End,
}

/// The marker in the comment of a line.
///
/// # Errors
/// Its name, if something else stands before the comment.
fn marker(line: &str) -> Result<Option<Marker<'_>>, &'static str> {
    let starts = [";", "//", "#", "/*"].into_iter().filter_map(|start| Some((line.find(start)?, start.len())));
    let Some((at, length)) = starts.min() else { return Ok(None) };
    let comment = line[at + length..].trim().trim_end_matches("*/").trim();
    let known = |names: [&'static str; 2]| {
        names.into_iter().find_map(|name| {
            let rest = comment.strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some((name, rest.trim()))
        })
    };
    let (name, found) = match (known(BEGINS), known(ENDS)) {
        (Some((name, region)), _) => (name, Marker::Begin(region)),
        (None, Some((name, _))) => (name, Marker::End),
        (None, None) => return Ok(None),
    };
    if line[..at].trim().is_empty() { Ok(Some(found)) } else { Err(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_become_labels_on_their_lines() {
        let marked = mark("s_nop 0\n; GCN-BEGIN inner loop\nv_nop\n// LLVM-MCA-END\n").expect("two markers");
        assert_eq!(marked.names, ["inner loop"]);
        assert_eq!(marked.text, "s_nop 0\ngcn_timings_region_0_begin:\nv_nop\ngcn_timings_region_0_end:\n");
        assert_eq!(mark("; GCN-BEGINNING\nv_nop // GCN\n").expect("no marker").names, [""; 0]);
    }

    #[test]
    fn errors_in_markers_name_the_line() {
        for (text, message) in [
            ("v_nop\n; GCN-END\n", (2, "no region ends here")),
            ("; GCN-BEGIN a\nv_nop\n", (1, "the region that begins here has no end")),
            ("; GCN-BEGIN a\n; GCN-BEGIN b\n", (2, "a region begins inside the one of line 1: regions do not nest")),
            ("v_nop ; GCN-BEGIN a\n", (1, "GCN-BEGIN follows an instruction: give it a line of its own")),
        ] {
            let (line, problem) = mark(text).expect_err("it is wrong");
            assert_eq!((line, problem.as_str()), message);
        }
    }
}
