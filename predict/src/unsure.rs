//! The instructions whose timings may be others, and the GPUs on which they are.

use gcn_model::gpu::Gpu;
use gcn_model::isa::Instruction;
use gcn_model::timing::Timings;

use crate::card::{Card, End};

/// The instructions of a code whose timings may be others than the likeliest.
pub(crate) struct Unsure<'a> {
    card: &'a Card,
    /// Each once, in the order in which they come.
    pub(crate) instructions: Vec<&'static Instruction>,
}

impl<'a> Unsure<'a> {
    /// Those among the instructions of a code.
    pub(crate) fn of(card: &'a Card, all: impl IntoIterator<Item = &'static Instruction>) -> Self {
        let timings = Timings::of(&card.gpu);
        let mut instructions: Vec<&'static Instruction> = Vec::new();
        for instruction in all {
            let is_known = || instructions.iter().any(|other| other.name == instruction.name);
            if card.is_unsure(&timings, instruction) && !is_known() {
                instructions.push(instruction);
            }
        }
        Self { card, instructions }
    }

    /// The likeliest GPU first; then each instruction by itself at both ends of its range, and all of them.
    pub(crate) fn gpus(&self) -> Vec<Gpu> {
        let ends = [End::Low, End::High];
        let alone = self.instructions.iter().flat_map(|instruction| ends.map(|end| vec![(*instruction, end)]));
        let all = ends.map(|end| self.instructions.iter().map(|instruction| (*instruction, end)).collect());
        // Of a single one that is its own effect.
        let all = all.into_iter().filter(|_| self.instructions.len() > 1);
        std::iter::once(Vec::new()).chain(alone).chain(all).map(|ends: Vec<_>| self.card.at(&ends)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_at_its_ends_by_itself_and_with_the_others() {
        let fiji = Gpu::named("fiji").unwrap();
        let named = |name: &str| fiji.processor().instructions().find(|it| it.name == name).unwrap();
        let card = Card::from(&fiji);
        let published = [named("V_RCP_F32"), named("V_MUL_F32")];
        assert_eq!(Unsure::of(&card, published).gpus(), [card.likeliest()]);
        // Nobody has published what these take.
        let unsure =
            Unsure::of(&card, [named("S_WAITCNT"), named("V_RCP_F32"), named("S_BARRIER"), named("S_WAITCNT")]);
        assert_eq!(unsure.instructions, [named("S_WAITCNT"), named("S_BARRIER")]);
        let gpus = unsure.gpus();
        assert_eq!(gpus.len(), 1 + 2 * 2 + 2);
        let cycles = |gpu: &Gpu| ["S_WAITCNT", "S_BARRIER"].map(|name| gpu.cycles.get(name).cloned());
        assert!(gpus[1..].iter().all(|gpu| cycles(gpu) != cycles(&gpus[0])));
    }
}
