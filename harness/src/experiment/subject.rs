//! The common parts of an instruction's kernels.

use gcn_model::isa::{Encoding, Generation, Instruction};

use super::measurement::Measurement;
use super::options::MeasureOptions;
use crate::device::DeviceInformation;
use crate::kernel::{
    Allocation, Block, Filler, INTERNAL_FILLER, LONGEST_LINE_DWORDS, NULL_FILLER, Part, SCALAR_FILLER, Snippet,
    VECTOR_FILLER, is_jump,
};

/// An instruction as it is measured.
#[derive(Clone)]
pub(super) struct Subject<'a> {
    pub(super) device: &'a DeviceInformation,
    pub(super) options: &'a MeasureOptions,
    /// The repeated code.
    pub(super) snippet: Snippet,
    /// Other instructions in its block.
    pub(super) others: Vec<Snippet>,
    /// What its waves allocate.
    pub(super) allocation: Allocation,
    /// The fillers after it.
    pub(super) filler: Filler,
    /// In which other form than its plain one the instruction stands; empty for that.
    pub(super) case: String,
}

impl<'a> Subject<'a> {
    /// A snippet in its plain form.
    pub(super) fn new(measured: Measurement<'a>, snippet: Snippet) -> Self {
        let Measurement { device, options } = measured;
        let filler = filler_of(snippet.instruction, device.generation);
        Self {
            device,
            options,
            snippet,
            others: Vec::new(),
            allocation: Allocation::default(),
            filler,
            case: String::new(),
        }
    }

    /// With another snippet.
    pub(super) fn with(&self, snippet: Snippet) -> Self {
        Self { snippet, ..self.clone() }
    }

    /// With another instruction in the block, and the code that it needs around it.
    pub(super) fn joined_by(mut self, other: Snippet) -> Self {
        self.snippet.absorb(&other);
        self.others.push(other);
        self
    }

    /// With another snippet in another form.
    pub(super) fn in_case(&self, snippet: Snippet, case: String) -> Self {
        Self { snippet, case, ..self.clone() }
    }

    /// The same and its block, with S_NOPs wherever the hardware needs wait states between its instructions, the last and the first of it
    /// among them, or with the instruction that ends the hazard where these do not. Their cost is measured by themselves, and taken off.
    pub(super) fn spaced(&self, block: Block) -> (Self, Block) {
        let Some(processor) = self.device.processor() else { return (self.clone(), block) };
        let snippet = |part: Part| match part {
            Part::Snippet => Some(&self.snippet),
            Part::Other(other) => self.others.get(other),
            Part::Fillers(_) => None,
        };
        let Some(snippets) = block.parts.iter().map(|part| snippet(*part)).collect::<Option<Vec<_>>>() else {
            return (self.clone(), block);
        };
        let mut parts = Vec::new();
        let mut fillers = Vec::new();
        for (position, part) in block.parts.iter().enumerate() {
            parts.push(*part);
            let (own, next) = (snippets[position], snippets[(position + 1) % snippets.len()]);
            // A snippet ends a copy: what follows belongs to the next one.
            let is_next_copy = *part == Part::Snippet;
            let waits = own.waits_before(next, is_next_copy, processor);
            let needed = match waits {
                0 => own.repair_before(next, is_next_copy, processor),
                _ => Some((INTERNAL_FILLER, waits)),
            };
            parts.extend(needed.map(|(_, count)| Part::Fillers(count)));
            fillers.extend(needed.map(|(filler, _)| filler).filter(|filler| !fillers.contains(filler)));
        }
        match fillers[..] {
            [] => (self.clone(), block),
            [filler] => (Self { filler, ..self.clone() }, Block { parts }),
            // A block has fillers of a single kind: this one is left out, with the hazard as the reason.
            _ => (self.clone(), block),
        }
    }

    /// The same at the start of a block of this many dwords; the last filler is replaced by the end of a hazard between the copies, where
    /// there is one.
    pub(super) fn padded(&self, dwords: u32) -> (Self, Block) {
        let block = Block::at(0, &self.snippet, dwords);
        let ended = |processor| self.filler.ended_by(self.snippet.ended_before(&self.snippet, true, processor)?);
        let filler = self.device.processor().and_then(ended).filter(|filler| filler.run == block.fillers());
        (Self { filler: filler.unwrap_or(self.filler), ..self.clone() }, block)
    }

    /// A snippet at the start of the longest line, and the fillers that complete it.
    pub(super) fn line(&self) -> Block {
        Block::at(0, &self.snippet, LONGEST_LINE_DWORDS)
    }
}

/// `V_ADD_F64/cycles`, `BUFFER_ATOMIC_ADD/cycles:glc`.
pub(super) fn experiment_id(subject: &Subject<'_>, name: &str) -> String {
    let instruction = &subject.snippet.instruction.name;
    match subject.case.as_str() {
        "" => format!("{instruction}/{name}"),
        case => format!("{instruction}/{name}:{}", case.replace(' ', "-")),
    }
}

/// The symbol of its kernel.
pub(super) fn kernel_name(subject: &Subject<'_>, name: &str) -> String {
    let id = experiment_id(subject, name);
    id.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }).collect()
}

/// The fillers after an instruction: a filler of its own unit, which pays for the hold of the unit beyond its wave, or else one that
/// no unit executes. A filler of another unit whose own hold is longer than its wave would cost less after the snippet than in a row. RDNA
/// issues S_NOP three cycles after an instruction of any unit (thread traces of RDNA 3 and 4): the filler is a scalar one there that writes
/// nothing, and so waits for nothing.
fn filler_of(instruction: &Instruction, generation: Generation) -> Filler {
    use Encoding::{Ds, Exp, Flat, Mimg, Mtbuf, Mubuf, Smem, Smrd, Sop1, Sop2, Sopc, Sopk, Sopp, Vsample};
    match instruction.encoding {
        _ if is_jump(instruction) => INTERNAL_FILLER,
        Ds | Mubuf | Mtbuf | Mimg | Vsample | Flat | Exp if generation.operand_codes.null.is_none() => INTERNAL_FILLER,
        Ds | Mubuf | Mtbuf | Mimg | Vsample | Flat | Exp => NULL_FILLER,
        Sop1 | Sop2 | Sopk | Sopc | Sopp | Smrd | Smem if generation.operand_codes.null.is_some() => NULL_FILLER,
        Sop1 | Sop2 | Sopk | Sopc | Sopp | Smrd | Smem => SCALAR_FILLER,
        _ => VECTOR_FILLER,
    }
}
