//! Global memory: what the host allocated, dword by dword.

use super::error::Problem;

/// First address that is handed out; everything below faults, null included.
const FIRST_ADDRESS: u64 = 0x7f00_0000_0000;
/// Distance between allocations: the gap behind each makes an overrun a fault, not a silent neighbour.
const PAGE: u64 = 0x1_0000;

#[derive(Debug, Clone)]
struct Region {
    base: u64,
    words: Vec<u32>,
}

/// The allocations of a device. Fresh memory holds zeros.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    regions: Vec<Region>,
}

impl Memory {
    /// Allocates `bytes` (rounded up to dwords) of zeros and returns the address.
    pub fn allocate(&mut self, bytes: u64) -> u64 {
        let base = self
            .regions
            .last()
            .map_or(FIRST_ADDRESS, |last| (last.base + last.words.len() as u64 * 4).next_multiple_of(PAGE) + PAGE);
        self.regions.push(Region { base, words: vec![0; bytes.div_ceil(4) as usize] });
        base
    }

    /// The dword at `address`.
    pub(super) fn read(&self, address: u64) -> Result<u32, Problem> {
        let (region, word) = self.locate(address)?;
        Ok(self.regions[region].words[word])
    }

    /// Replaces the dword at `address`.
    pub(super) fn write(&mut self, address: u64, value: u32) -> Result<(), Problem> {
        let (region, word) = self.locate(address)?;
        self.regions[region].words[word] = value;
        Ok(())
    }

    /// Copies dwords in, as the host does.
    ///
    /// # Errors
    /// The range is not inside one allocation.
    pub fn upload(&mut self, address: u64, values: &[u32]) -> Result<(), Problem> {
        values.iter().zip(0..).try_for_each(|(value, i)| self.write(address + 4 * i, *value))
    }

    /// Copies `count` dwords out, as the host does.
    ///
    /// # Errors
    /// The range is not inside one allocation.
    pub fn download(&self, address: u64, count: usize) -> Result<Vec<u32>, Problem> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let (region, first) = self.locate(address)?;
        let words = self.regions[region].words.get(first..first + count);
        words.map(<[u32]>::to_vec).ok_or(Problem::MemoryFault { address, bytes: 4 * count as u32 })
    }

    fn locate(&self, address: u64) -> Result<(usize, usize), Problem> {
        if !address.is_multiple_of(4) {
            return Err(Problem::Misaligned(address));
        }
        let region = self.regions.partition_point(|region| region.base <= address);
        let found = region.checked_sub(1).and_then(|region| {
            let word = ((address - self.regions[region].base) / 4) as usize;
            (word < self.regions[region].words.len()).then_some((region, word))
        });
        found.ok_or(Problem::MemoryFault { address, bytes: 4 })
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
        assert_eq!(memory.read(first + 8), Err(Problem::MemoryFault { address: first + 8, bytes: 4 }));
        assert_eq!(memory.read(0), Err(Problem::MemoryFault { address: 0, bytes: 4 }));
        assert_eq!(memory.read(first + 2), Err(Problem::Misaligned(first + 2)));
    }
}
