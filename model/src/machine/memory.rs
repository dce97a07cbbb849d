//! Global memory: what the host allocated, dword by dword.

use super::error::Problem;
use super::transfer::Words;
use super::word::Word;
use crate::code_object::CodeObject;
use crate::decode::decode;
use crate::isa::Generation;

/// First address that is handed out; everything below faults, null included.
const FIRST_ADDRESS: u64 = 0x7f00_0000_0000;
/// Distance between allocations: the gap behind each makes an overrun a fault, not a silent neighbour.
const PAGE: u64 = 0x1_0000;

#[derive(Debug, Clone, Default)]
struct Region {
    base: u64,
    words: Vec<Word>,
}

/// The allocations of a device. Fresh memory holds zeros; what a kernel stores may be unknown.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    regions: Vec<Region>,
    /// The region that was used last: the next access mostly goes there, too.
    last: usize,
    /// The code that has run on it, to name the instruction that stored something unknown.
    code: Vec<Code>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Code {
    generation: Generation,
    address: u64,
    words: Vec<u32>,
}

impl Memory {
    /// Allocates `bytes` (rounded up to dwords) of zeros and returns the address.
    pub fn allocate(&mut self, bytes: u64) -> u64 {
        let base = self
            .regions
            .last()
            .map_or(FIRST_ADDRESS, |last| (last.base + last.words.len() as u64 * 4).next_multiple_of(PAGE) + PAGE);
        self.regions.push(Region { base, words: vec![Word::known(0); bytes.div_ceil(4) as usize] });
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
    /// The range is not inside one allocation, or holds what the machine does not know.
    pub fn download(&self, address: u64, count: usize) -> Result<Vec<u32>, Problem> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let (region, first) = self.locate(address)?;
        let words = self.regions[region].words.get(first..first + count);
        let words = words.ok_or(Problem::MemoryFault { address, bytes: 4 * count as u32 })?;
        let known = |(word, i): (&Word, u64)| {
            word.value().ok_or_else(|| Problem::UnknownResult {
                address: address + 4 * i,
                writer: word.writer().map_or_else(String::new, |writer| self.writer(writer)),
            })
        };
        words.iter().zip(0..).map(known).collect()
    }

    /// Keeps the code that ran.
    pub(super) fn remember(&mut self, generation: Generation, object: &CodeObject) {
        let (address, words) = (object.code_address, &object.code);
        if !self
            .code
            .iter()
            .any(|code| (code.generation, code.address) == (generation, address) && code.words == *words)
        {
            self.code.push(Code { generation, address, words: words.clone() });
        }
    }

    /// What is to be said of the instruction that stored an unknown value; with the code of several launches only where it is.
    fn writer(&self, address: u32) -> String {
        let text = match self.code.as_slice() {
            [code] => u64::from(address)
                .checked_sub(code.address)
                .and_then(|offset| code.words.get((offset / 4) as usize..))
                .and_then(|words| decode(code.generation, words, u64::from(address)).ok()),
            _ => None,
        };
        match text {
            Some(decoded) => format!(": {address:#x}: {decoded}: it stored what the model does not know"),
            None => format!(": the instruction at {address:#x} stored what the model does not know"),
        }
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
            self.last = self.locate(address & !3)?.0;
        }
        let region = &mut self.regions[self.last];
        Ok(&mut region.words[((address - region.base) / 4) as usize])
    }

    fn neighbours(&mut self, address: u64) -> Option<(u64, &mut [Word])> {
        self.word(address).ok()?;
        let region = &mut self.regions[self.last];
        Some((region.base, &mut region.words))
    }
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
    fn what_is_unknown_stays_inside() {
        let mut memory = Memory::default();
        let first = memory.allocate(8);
        *memory.word(first + 4).unwrap() = Word::unknown(0x120);
        assert_eq!(memory.download(first, 1), Ok(vec![0]));
        let problem = memory.download(first, 2).unwrap_err().to_string();
        assert!(problem.contains("unknown to the reference model") && problem.contains("0x120"), "{problem}");
    }
}
