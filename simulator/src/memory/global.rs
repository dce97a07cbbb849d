//! Global memory: the host's allocations, dword by dword, and the backing.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::{Origin, Problem};
use crate::memory::backing::{Backing, LostWord, Pages};
use crate::memory::reach::Words;
use crate::memory::word::Word;
use gcn_model::decode::decode;
use gcn_model::isa::Processor;

/// First address that is handed out; everything below faults, null included.
const FIRST_ADDRESS: u64 = 0x7f00_0000_0000;
/// Distance between allocations: the gap after each makes an overrun a fault, not a silent neighbour.
const PAGE: u64 = 0x1_0000;

#[derive(Debug, Clone, Default)]
struct Region {
    base: u64,
    words: Vec<Word>,
}

/// The allocations of a device. Fresh memory holds zeros; a kernel's stores may be unknown.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    regions: Vec<Region>,
    /// The region that was used last: the next access mostly goes there, too.
    last: usize,
    /// The code that has run on it, to name the instruction that stored something unknown.
    code: Vec<Code>,
    /// Where unknown values come from that were stored, by the low half of the address of the store.
    origins: BTreeMap<u32, Option<Origin>>,
    /// The backing for addresses outside of the allocations.
    pages: Option<Pages>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Code {
    processor: Processor,
    address: u64,
    words: Vec<u32>,
}

impl Memory {
    /// Memory without allocations, which asks `backing` for all other addresses.
    ///
    /// A page is read when a dispatch touches it first and kept until the dispatch ends; then the bytes that it changed are
    /// written. What others write meanwhile is not seen, and not overwritten where the dispatch leaves the bytes as they were.
    pub fn backed_by(backing: Arc<dyn Backing>) -> Self {
        Self { pages: Some(Pages::new(backing)), ..Self::default() }
    }

    /// Writes the changed parts of the backing, and drops its pages.
    ///
    /// # Errors
    /// A changed dword that is not known, which is not written; memory that cannot be written.
    pub(crate) fn write_back(&mut self) -> Result<(), Problem> {
        let unknown = self.pages.as_mut().map_or(Ok(None), Pages::write_back)?;
        unknown.map_or(Ok(()), |lost| Err(self.lost(lost)))
    }

    /// Drops the pages of the backing, changed or not.
    pub(crate) fn forget_pages(&mut self) {
        if let Some(pages) = &mut self.pages {
            pages.clobber();
        }
    }

    /// Allocates `bytes` (rounded up to dwords) of zeros and returns the address.
    pub fn allocate(&mut self, bytes: u64) -> u64 {
        self.allocate_words(bytes, Word::known(0))
    }

    /// The same, of unknown content.
    pub(crate) fn allocate_unknown(&mut self, bytes: u64) -> u64 {
        self.allocate_words(bytes, Word::unknown(0))
    }

    /// Frees an allocation.
    pub(crate) fn free(&mut self, address: u64) {
        self.regions.retain(|region| region.base != address);
        self.last = 0;
    }

    fn allocate_words(&mut self, bytes: u64, word: Word) -> u64 {
        let base = self
            .regions
            .last()
            .map_or(FIRST_ADDRESS, |last| (last.base + last.words.len() as u64 * 4).next_multiple_of(PAGE) + PAGE);
        self.regions.push(Region { base, words: vec![word; bytes.div_ceil(4) as usize] });
        base
    }

    /// Copies dwords in, as the host does.
    ///
    /// # Errors
    /// The range is not inside one allocation.
    pub fn upload(&mut self, address: u64, values: &[u32]) -> Result<(), Problem> {
        values.iter().zip(0..).try_for_each(|(value, i)| {
            let (region, word) = self.locate(address + 4 * i)?;
            self.regions[region].words[word] = Word::known(*value);
            Ok(())
        })
    }

    /// Copies `count` dwords out, as the host does.
    ///
    /// # Errors
    /// The range is not inside an allocation, or holds a value that the simulator does not know.
    pub fn download(&self, address: u64, count: usize) -> Result<Vec<u32>, Problem> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let (region, first) = self.locate(address)?;
        let words = self.regions[region].words.get(first..first + count);
        let words = words.ok_or(Problem::MemoryFault { address, bytes: 4 * count as u32 })?;
        let lost = |word: &Word, i| LostWord { address: address + 4 * i, writer: word.writer(), found: None };
        let known = |(word, i): (&Word, u64)| word.value().ok_or_else(|| self.lost(lost(word, i)));
        words.iter().zip(0..).map(known).collect()
    }

    fn lost(&self, lost: LostWord) -> Problem {
        let mut writer = lost.writer.map_or_else(String::new, |writer| {
            // Of several launches with code at this address the origin may be that of another one.
            let origin =
                self.origins.get(&writer).and_then(Option::as_ref).filter(|_| self.instruction(writer).is_some());
            let origin = origin.map_or_else(String::new, |origin| format!("; {origin}"));
            format!(": {}: it stored what the model does not know{origin}", self.named_instruction(writer))
        });
        if let Some(found) = lost.found.filter(|found| Some(*found) != lost.writer) {
            let instruction = self.named_instruction(found);
            writer +=
                &format!("; memory that its kernel touched was unknown before, since an earlier kernel: {instruction}");
        }
        Problem::UnknownResult { address: lost.address, writer }
    }

    /// Keeps where the first unknown value comes from that an instruction stores.
    pub(crate) fn note_origin(&mut self, store: u64, origin: impl FnOnce() -> Option<Origin>) {
        self.origins.entry(store as u32).or_insert_with(origin);
    }

    /// Keeps the code that ran.
    pub(crate) fn remember(&mut self, processor: Processor, address: u64, words: &[u32]) {
        if !self.code.iter().any(|code| (code.processor, code.address) == (processor, address) && code.words == *words)
        {
            self.code.push(Code { processor, address, words: words.to_vec() });
        }
    }

    /// An instruction, of whose address only the low half is kept: its text where one launch alone had code there.
    fn instruction(&self, low: u32) -> Option<String> {
        let instruction = |code: &Code| {
            let offset = low.wrapping_sub(code.address as u32);
            let address = code.address + u64::from(offset);
            let decoded = decode(code.processor, code.words.get((offset / 4) as usize..)?, address).ok()?;
            Some(format!("{address:#x}: {decoded}"))
        };
        let mut found = self.code.iter().filter_map(instruction);
        found.next().filter(|_| found.next().is_none())
    }

    fn named_instruction(&self, low: u32) -> String {
        self.instruction(low).unwrap_or_else(|| format!("the instruction at {low:#x}"))
    }

    fn locate(&self, address: u64) -> Result<(usize, usize), Problem> {
        if !address.is_multiple_of(4) {
            return Err(Problem::Misaligned { address, bytes: 4 });
        }
        let region = self.regions.partition_point(|region| region.base <= address);
        let found = region.checked_sub(1).and_then(|region| {
            let word = ((address - self.regions[region].base) / 4) as usize;
            (word < self.regions[region].words.len()).then_some((region, word))
        });
        found.ok_or(Problem::MemoryFault { address, bytes: 4 })
    }
}

impl Words for Memory {
    fn word(&mut self, address: u64) -> Result<&mut Word, Problem> {
        let is_in_last = self
            .regions
            .get(self.last)
            .is_some_and(|region| address >= region.base && (address - region.base) / 4 < region.words.len() as u64);
        if !is_in_last {
            match self.locate(address & !3) {
                Ok((region, _)) => self.last = region,
                Err(problem) => return behind(&mut self.pages, address, problem),
            }
        }
        let region = &mut self.regions[self.last];
        Ok(&mut region.words[((address - region.base) / 4) as usize])
    }

    fn neighbours(&mut self, address: u64) -> Option<(u64, &mut [Word])> {
        let is_own = self.locate(address & !3).map(|(region, _)| self.last = region).is_ok();
        if !is_own {
            return self.pages.as_mut()?.page(address);
        }
        let region = &mut self.regions[self.last];
        Some((region.base, &mut region.words))
    }
}

/// A dword of the backing.
#[cold]
fn behind(pages: &mut Option<Pages>, address: u64, problem: Problem) -> Result<&mut Word, Problem> {
    let page = pages.as_mut().and_then(|pages| pages.page(address));
    page.and_then(|(base, words)| words.get_mut(((address - base) / 4) as usize)).ok_or(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_out_of_reach() {
        let mut memory = Memory::default();
        let first = memory.allocate(8);
        let second = memory.allocate(6);
        memory.upload(first, &[1, 2]).unwrap();
        memory.upload(second, &[3, 4]).unwrap();
        assert_eq!(memory.download(first, 2).unwrap(), [1, 2]);
        assert_eq!(memory.download(second, 2).unwrap(), [3, 4]);
        assert_eq!(memory.download(first + 8, 1), Err(Problem::MemoryFault { address: first + 8, bytes: 4 }));
        assert_eq!(memory.download(0, 1), Err(Problem::MemoryFault { address: 0, bytes: 4 }));
        assert_eq!(memory.download(first + 2, 1), Err(Problem::Misaligned { address: first + 2, bytes: 4 }));
    }

    #[test]
    fn unknown_values_stay_inside() {
        let mut memory = Memory::default();
        let first = memory.allocate(8);
        *memory.word(first + 4).unwrap() = Word::unknown(0x120);
        assert_eq!(memory.download(first, 1), Ok(vec![0]));
        let problem = memory.download(first, 2).unwrap_err().to_string();
        assert!(problem.contains("unknown to the simulator") && problem.contains("0x120"), "{problem}");
    }

    /// Two pages, of which the host sees the second one.
    #[derive(Debug, Default)]
    struct HiddenPage(std::sync::Mutex<Vec<(u64, u32)>>);

    impl Backing for HiddenPage {
        fn read(&self, _: u64, bytes: &mut [u8]) -> Result<(), crate::memory::backing::Unmapped> {
            bytes.fill(0);
            Ok(())
        }

        fn write(&self, _: u64, _: &[u8]) -> Result<(), crate::memory::backing::Unmapped> {
            Ok(())
        }

        fn keep_unknown(&self, address: u64, writer: u32) -> bool {
            let is_hidden = address < 4096;
            if is_hidden {
                self.0.lock().unwrap().push((address, writer));
            }
            is_hidden
        }

        fn unknown(&self, address: u64, bytes: u64) -> Vec<(u64, u32)> {
            let kept = self.0.lock().unwrap();
            kept.iter().filter(|(at, _)| (address..address + bytes).contains(at)).copied().collect()
        }
    }

    #[test]
    fn copies_of_unknown_values_name_the_kernel_that_stored_them() {
        let mut memory = Memory::backed_by(Arc::new(HiddenPage::default()));
        *memory.word(64).unwrap() = Word::unknown(0x120);
        assert_eq!(memory.write_back(), Ok(()));
        // The copy.
        assert_eq!(memory.word(64).unwrap().value(), None);
        *memory.word(4096).unwrap() = Word::unknown(0x340);
        let problem = memory.write_back().unwrap_err().to_string();
        assert!(
            problem.contains("0x340: it stored")
                && problem.ends_with("since an earlier kernel: the instruction at 0x120")
        );
    }
}
