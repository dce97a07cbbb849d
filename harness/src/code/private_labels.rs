//! The private labels of an assembly text.
//!
//! LLVM leaves labels that begin with `.L` out of object files. A symbol with another name that is set to each of them, after the last
//! line, says where they lie, and no line changes its number or its columns.

use super::label::is_of_name;

/// The start of a private label.
const PRIVATE: &str = ".L";

/// The private labels of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PrivateLabels {
    pub(super) names: Vec<String>,
}

fn symbol(label: usize) -> String {
    format!("gcn_timings_private_label_{label}")
}

impl PrivateLabels {
    /// Those at the start of a line, but for those in macros, which are others each time.
    pub(super) fn of(text: &str) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut macros = 0_usize;
        for line in text.lines().map(str::trim_start) {
            match line.split_whitespace().next() {
                Some(".macro") => macros += 1,
                Some(".endm" | ".endmacro") => macros = macros.saturating_sub(1),
                _ if macros > 0 || !line.starts_with(PRIVATE) => {}
                _ => {
                    let end = line.find(|it| !is_of_name(it)).unwrap_or(line.len());
                    let (name, rest) = line.split_at(end);
                    if rest.trim_start().starts_with(':') && !names.iter().any(|known| known == name) {
                        names.push(name.to_owned());
                    }
                }
            }
        }
        Self { names }
    }

    /// The text with a symbol for each of them.
    pub(super) fn published(&self, text: &str) -> String {
        let set = |(label, name): (usize, &String)| format!(".set {}, {name}\n", symbol(label));
        let symbols: String = self.names.iter().enumerate().map(set).collect();
        format!("{text}\n{symbols}")
    }

    /// Gives the symbol of a private label the name of the label.
    pub(super) fn rename(&self, name: &mut String) {
        if let Some(label) = (0..self.names.len()).find(|label| *name == symbol(*label)) {
            name.clone_from(&self.names[label]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_labels_get_a_symbol_each_but_not_those_of_macros() {
        let text = ".Lone: v_nop\n  .Ltwo :\nthree:\n.macro m\n.Lfour:\n.endm\n.Lfive = 3\n.Lone:\ns_branch .Lone\n";
        let labels = PrivateLabels::of(text);
        assert_eq!(labels.names, [".Lone", ".Ltwo"]);
        let published = labels.published(text);
        assert!(
            published.starts_with(text) && published.ends_with("_0, .Lone\n.set gcn_timings_private_label_1, .Ltwo\n")
        );
        let mut names = [symbol(1), "three".to_owned()];
        names.iter_mut().for_each(|name| labels.rename(name));
        assert_eq!(names, [".Ltwo", "three"]);
    }
}
