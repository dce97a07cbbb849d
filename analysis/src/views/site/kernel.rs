//! The kernels that measure instructions, as text.

/// The kernel that measures an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelListing {
    /// The command that prints it whole.
    pub command: String,
    /// Its assembly text.
    pub text: String,
}

/// Where kernels are from: the harness makes them.
pub trait Kernels: Sync {
    /// The kernel that measures an instruction on a target, if there is one.
    fn of(&self, target: &str, instruction: &str) -> Option<KernelListing>;
}

/// The start of a kernel's section, and the sections that are the same in all kernels of a generation.
const SECTION: &str = "    // ---- ";
const FRAME: [&str; 2] = ["prologue", "epilogue"];
/// The padding in front of the timed code ends with this line, the label of the timed code with this word.
const PADDING_END: &str = "    .endr";
const TIMED: &str = "_timed:";
/// What stores a reading begins with a lane of it.
const STORES: &str = "    v_writelane";
/// Lines that are looked at together for repetitions: each destination register of the copies has its line.
const LONGEST_GROUP: usize = 16;

/// A listing of the timed code: its opening comments, and of each section the heading and the timed code between two readings of
/// the counter, with lines that repeat written once.
pub(super) fn folded(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let opening = lines.iter().take_while(|line| line.starts_with("//"));
    let mut kept: Vec<&str> = opening.copied().collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with(SECTION)).collect();
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(lines.len());
        let heading = lines[start];
        if FRAME.iter().any(|frame| heading[SECTION.len()..].starts_with(frame)) {
            continue;
        }
        kept.push(heading);
        kept.extend(timed(&lines[start + 1..end]));
    }
    if starts.is_empty() {
        kept.extend(&lines[kept.len()..]);
    }
    repeated(&kept)
}

/// The lines of a section from after the padding, or from the timed code's label on, to the place where its readings are stored.
fn timed<'t>(section: &[&'t str]) -> Vec<&'t str> {
    let label = section.iter().position(|line| line.ends_with(TIMED)).unwrap_or(0);
    let from = section[..label].iter().rposition(|line| *line == PADDING_END).map_or(label, |padding| padding + 1);
    // The lane that is written has its number in the line before.
    let to = section.iter().position(|line| line.starts_with(STORES)).map_or(section.len(), |store| store - 1);
    section[from..to.max(from)].iter().copied().filter(|line| !line.is_empty()).collect()
}

/// The lines with groups that follow themselves written once.
fn repeated(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < lines.len() {
        let times = |length: usize| {
            let group = &lines[at..at + length];
            1 + lines[at + length..].chunks_exact(length).take_while(|next| *next == group).count()
        };
        let lengths = 1..=LONGEST_GROUP.min(lines.len() - at);
        let (length, count) = lengths
            .map(|length| (length, times(length)))
            .max_by_key(|(length, count)| length * (count - 1))
            .unwrap_or((1, 1));
        let (length, count) = if count > 1 { (length, count) } else { (1, 1) };
        for (index, line) in lines[at..at + length].iter().enumerate() {
            text += &match (index + 1 == length, count, length) {
                (true, 2.., 1) => format!("{line:<47} // {count} times\n"),
                (true, 2.., _) => format!("{line:<47} // these {length} lines {count} times\n"),
                _ => format!("{line}\n"),
            };
        }
        at += length * count;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn the_timed_code_is_shown_without_its_frame() {
        let text = "// A/cycles\n.text\na:\n    // ---- prologue: s2\n    s_nop 0\n\n    // ---- 16 x\n    s_mov_b32 m0, 0\n    .endr\n    s_memtime s[0:1]\n\
                    .La_timed:\n    v_nop\n    s_memtime s[2:3]\n    s_mov_b32 m0, s8\n    v_writelane_b32 v1, s0, m0\n\n    // ---- epilogue: x\n    s_endpgm\n";
        assert_eq!(
            folded(text),
            "// A/cycles\n    // ---- 16 x\n    s_memtime s[0:1]\n.La_timed:\n    v_nop\n    s_memtime s[2:3]\n"
        );
    }

    #[test]
    fn lines_that_repeat_are_written_once() {
        let found =
            folded("    v_nop\n    v_nop\n    s_nop 0\n    v_nop\n    s_nop 1\n    v_nop\n    s_nop 1\n    v_nop\n");
        let two = "    v_nop                                       // 2 times\n    s_nop 0\n    v_nop\n";
        let group = "    s_nop 1                                     // these 2 lines 2 times\n    v_nop\n";
        assert_eq!(found, format!("{two}{group}"));
    }
}
