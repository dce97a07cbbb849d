//! Machine code and its instructions.

use gcn_model::decode::{Decoded, decode};
use gcn_model::isa::Processor;

use crate::error::PredictError;
use crate::region::{Region, RegionKind, loops};
use crate::words::Words;

/// Machine code that lies together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// Address of its first dword; its place in blocks and cache lines is counted from it.
    pub address: u64,
    /// Its dwords.
    pub words: Words,
}

impl Code {
    /// Address after its last byte.
    pub fn end(&self) -> u64 {
        self.address + self.words.len() as u64 * 4
    }

    /// The dwords from `start` to `end`, if they are a part of the code.
    pub fn words_of(&self, start: u64, end: u64) -> Option<Words> {
        let dword = |address: u64| Some((address.checked_sub(self.address)? / 4) as usize);
        self.words.part(dword(start)?..dword(end)?)
    }

    /// The code of a region.
    ///
    /// # Errors
    /// A region that is no part of it.
    pub(crate) fn part(&self, region: &Region) -> Result<Self, PredictError> {
        let outside = || PredictError::Outside { name: region.name.clone(), start: region.start, end: region.end };
        let words = self.words_of(region.start, region.end).filter(|words| !words.is_empty()).ok_or_else(outside)?;
        Ok(Self { address: region.start, words })
    }

    /// Its instructions, each with its address. Zeros after the last one fill the space to the next function and are none.
    ///
    /// # Errors
    /// Words that are no instruction of the processor.
    pub fn instructions(&self, processor: Processor) -> Result<Vec<(u64, Decoded)>, PredictError> {
        let filled = self.words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        let mut instructions: Vec<(u64, Decoded)> = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            // Where a wave can arrive, zeros are an instruction of GCN and of CDNA.
            let mut before = instructions.iter().rev().map(|(_, decoded)| decoded).filter(|decoded| !fills(decoded));
            if at >= filled && before.next().is_some_and(|last| !last.may_be_passed()) {
                break;
            }
            let address = self.address + at as u64 * 4;
            let decoded = decode(processor, &self.words[at..], address)?;
            at += usize::from(decoded.dwords.0);
            instructions.push((address, decoded));
        }
        Ok(instructions)
    }

    /// What can be repeated: its innermost loops, or else all of it up to the first S_ENDPGM.
    ///
    /// # Errors
    /// Words that are no instruction, or no instruction at all.
    pub fn regions(&self, processor: Processor) -> Result<Vec<Region>, PredictError> {
        let instructions = self.instructions(processor)?;
        let loops = loops(&instructions);
        if !loops.is_empty() {
            return Ok(loops);
        }
        let is_end = |decoded: &Decoded| matches!(decoded.instruction.name.as_str(), "S_ENDPGM" | "S_ENDPGM_SAVED");
        let end = instructions.iter().find(|(_, decoded)| is_end(decoded)).map_or(self.end(), |(address, _)| *address);
        if end == self.address {
            return Err(PredictError::Empty(" to repeat".to_owned()));
        }
        Ok(vec![Region { name: "all of it".to_owned(), kind: RegionKind::Straight, start: self.address, end }])
    }
}

/// Whether LLVM writes it into space between functions.
fn fills(decoded: &Decoded) -> bool {
    matches!(decoded.instruction.name.as_str(), "S_NOP" | "S_CODE_END")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;

    #[test]
    fn zeros_after_the_last_instruction_fill_space_on_every_gpu() {
        for gpu in Gpu::shipped().map(|name| Gpu::named(name).unwrap()) {
            let processor = gpu.processor();
            let end = processor.instructions().find(|it| it.name == "S_ENDPGM").unwrap();
            let end = 0xbf80_0000 | u32::from(end.opcode) << 16;
            let code = Code { address: 0, words: vec![end, 0, 0, 0].into() };
            let found = code.instructions(processor).unwrap();
            assert_eq!(found.len(), 1, "{}", gpu.name);
        }
    }
}
