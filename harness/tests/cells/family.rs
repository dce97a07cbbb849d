//! Families of targets, and the words of each that must not appear in outputs for another.

use gcn_model::gpu::Gpu;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Gcn,
    Cdna,
    Rdna,
}

/// Words of families. What other families share is not among them.
const WORDS: [(&[Family], &[&str]); 3] = [
    (&[Family::Gcn], &["GCN"]),
    (&[Family::Cdna], &["CDNA", "V_MFMA", "V_SMFMAC", "AccVGPR"]),
    (&[Family::Rdna], &["RDNA", "VOPD", "V_DUAL", "V_WMMA", "work-group processor"]),
];

/// What follows a word in the title of a source.
const TITLE: &str = " ISA Instruction Timings";

impl Family {
    pub(crate) fn of(gpu: &Gpu) -> Self {
        match gpu.generation {
            generation if generation.has_group_modes() => Self::Rdna,
            generation if generation.clrx_name().is_some() => Self::Gcn,
            _ => Self::Cdna,
        }
    }

    /// Words of other families in a text, each once with what stands around it.
    pub(crate) fn foreign(self, text: &str) -> impl Iterator<Item = String> {
        let words = WORDS.iter().filter(move |(families, _)| !families.contains(&self)).flat_map(|(_, words)| *words);
        words.filter_map(move |word| {
            // With a number it is one generation, which a question or a source is about.
            let is_cited = |end: usize| {
                let behind = text[end..].strip_prefix(' ').unwrap_or_default();
                behind.starts_with(|c: char| c.is_ascii_digit()) || text[end..].starts_with(TITLE)
            };
            let is_whole = |at: usize| {
                let is_of_word = |c: char| c.is_ascii_alphanumeric();
                !text[..at].ends_with(|c| is_of_word(c) || c == '_') && !text[at + word.len()..].starts_with(is_of_word)
            };
            let (at, _) = text.match_indices(word).find(|(at, _)| is_whole(*at) && !is_cited(at + word.len()))?;
            let around = text[..at].chars().rev().take(40).collect::<Vec<_>>().into_iter().rev();
            let around: String = around.chain(text[at..].chars().take(40)).collect();
            Some(format!("{word:?} in {around:?}"))
        })
    }
}
