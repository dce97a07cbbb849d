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

    /// Its instructions, each with its address.
    ///
    /// # Errors
    /// Words that are no instruction of the processor.
    pub fn instructions(&self, processor: Processor) -> Result<Vec<(u64, Decoded)>, PredictError> {
        let mut instructions = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
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
