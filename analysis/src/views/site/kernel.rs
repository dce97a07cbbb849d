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

/// What a section of a kernel begins with, and the sections that are the same in all kernels of a generation.
const SECTION: &str = "    // ---- ";
const FRAME: [&str; 2] = ["prologue", "epilogue"];

/// A listing with lines that repeat written once, and of the sections around the timed code no more than the headings.
pub(super) fn folded(text: &str) -> String {
    let mut folded: Vec<(&str, u32)> = Vec::new();
    let mut is_frame = false;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix(SECTION) {
            is_frame = FRAME.iter().any(|frame| heading.starts_with(frame));
        } else if is_frame && !line.is_empty() {
            continue;
        }
        match folded.last_mut() {
            Some((last, count)) if *last == line && !line.is_empty() => *count += 1,
            _ => folded.push((line, 1)),
        }
    }
    let line = |&(line, count): &(&str, u32)| match count {
        1 => format!("{line}\n"),
        _ => format!("{line:<47} // {count} times\n"),
    };
    folded.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn only_headings_of_the_frame_are_there() {
        let text = "a:\n    // ---- prologue: s2\n    s_nop 0\n\n    // ---- 16 x\n    v_nop\n\n    // ---- epilogue: x\n    s_endpgm\n";
        assert_eq!(
            folded(text),
            "a:\n    // ---- prologue: s2\n\n    // ---- 16 x\n    v_nop\n\n    // ---- epilogue: x\n"
        );
    }

    #[test]
    fn equal_lines_are_written_once() {
        let found = folded("    v_nop\n    v_nop\n\n\n    s_nop 0\n    v_nop\n");
        assert_eq!(found, "    v_nop                                       // 2 times\n\n\n    s_nop 0\n    v_nop\n");
    }
}
