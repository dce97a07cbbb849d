//! A function of the code that a user brings.

use std::collections::BTreeMap;

use gcn_model::code_object::KernelNeeds;
use gcn_model::isa::Processor;
use gcn_predict::Code;

/// A kernel or another function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Empty where the code has no functions.
    pub name: String,
    pub code: Code,
    /// Its needs, if it is a kernel.
    pub needs: Option<KernelNeeds>,
    /// From an address on, the line of its source, as far as the file names it.
    pub places: BTreeMap<u64, Option<String>>,
}

impl Function {
    /// The processor executing waves of its size: its own, or else those of the text that it is from.
    pub fn processor(&self, processor: Processor, of_text: Option<u32>) -> Processor {
        let own = self.needs.as_ref().and_then(|needs| needs.wave_size(processor.generation));
        own.or(of_text).and_then(|lanes| processor.with_wave_size(lanes)).unwrap_or(processor)
    }
}
