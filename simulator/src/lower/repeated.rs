//! Instructions that recur in the code.
//!
//! Timed code repeats instructions: one at the same dword of a block with the same words is the same step at another
//! address.

/// The dwords that the longest instruction has.
pub(crate) const MOST_DWORDS: usize = 3;

/// The last instruction at each dword of a block that does not go elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Repeated {
    by_dword: Vec<Option<Known>>,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    step: usize,
    words: [u32; MOST_DWORDS],
    length: usize,
}

impl Repeated {
    /// The step that `words` begin with at this dword of a block, and its bytes.
    pub(crate) fn find(&self, dword: usize, words: &[u32]) -> Option<(usize, u64)> {
        let known = self.by_dword.get(dword)?.as_ref()?;
        // Compared one by one: a call that compares memory takes longer than nearly all of this.
        let is_same = words.len() >= known.length && (0..known.length).all(|i| words[i] == known.words[i]);
        is_same.then_some((known.step, known.length as u64 * 4))
    }

    /// Remembers the step of an instruction of these dwords.
    pub(crate) fn keep(&mut self, dword: usize, step: usize, of_step: &[u32]) {
        if self.by_dword.len() <= dword {
            self.by_dword.resize(dword + 1, None);
        }
        let mut words = [0; MOST_DWORDS];
        words[..of_step.len()].copy_from_slice(of_step);
        self.by_dword[dword] = Some(Known { step, words, length: of_step.len() });
    }
}
