//! A function of the code that a user brings.

use std::collections::BTreeMap;
use std::sync::Arc;

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
    /// From an address on, the line of the source of the whole file, as far as it names it.
    pub places: Arc<BTreeMap<u64, Option<String>>>,
}

impl Function {
    /// The lines of its own source; what begins before it counts until the next.
    pub(super) fn own_places(&self) -> BTreeMap<u64, Option<String>> {
        let start = self.code.address;
        let first = self.places.range(..=start).next_back().map_or(start, |(address, _)| *address);
        let own = self.places.range(first..self.code.end().max(first));
        own.map(|(address, place)| (*address, place.clone())).collect()
    }

    /// The processor executing waves of its size: its own, or else those of the text that it is from.
    pub fn processor(&self, processor: Processor, of_text: Option<u32>) -> Processor {
        let own = self.needs.as_ref().and_then(|needs| needs.wave_size(processor.generation));
        own.or(of_text).and_then(|lanes| processor.with_wave_size(lanes)).unwrap_or(processor)
    }
}
