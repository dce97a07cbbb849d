//! The cost of a region at each place in the lines of the instruction cache.

use std::fmt::Write as _;

use gcn_model::gpu::Gpu;
use gcn_model::quantity::{Bytes, Cycles};
use serde::Serialize;

use crate::code::Code;
use crate::error::PredictError;
use crate::prediction::predict;
use crate::question::Question;
use crate::region::Region;
use crate::steady::STEADY;
use crate::text::number;

const DWORD: u32 = 4;

/// A place of a region, and its cost there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Placement {
    /// Of its first instruction, from the start of a line of the instruction cache.
    pub offset: Bytes,
    /// Cycles from the start of an iteration to that of the next, as in a prediction.
    pub cycles: Cycles,
}

/// The cost of a region at each tried place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Placements {
    /// A line of the instruction cache: a region that is moved by it costs the same.
    pub line_bytes: Bytes,
    /// Where the region is in its code.
    pub today: Placement,
    /// Today's, if no other one is better.
    pub best: Placement,
    /// Today's, if no other one is worse.
    pub worst: Placement,
    /// Whether the GPU charges anything for the place of an instruction.
    pub are_charged: bool,
    /// In the order of their offsets; today's is among them.
    pub places: Vec<Placement>,
}

impl Placements {
    /// Predicts a region at these offsets of a line, and where it is today; without any, at each dword of a line.
    ///
    /// Offsets count from the start of a line; one that is beyond it is the same as in the next one.
    ///
    /// # Errors
    /// Those of [`predict`].
    pub fn of(
        gpu: &Gpu,
        code: &Code,
        region: &Region,
        question: Question,
        offsets: &[Bytes],
    ) -> Result<Self, PredictError> {
        let line = gpu.instruction_cache.line.0;
        let of_line = |address: u64| (address % u64::from(line)) as u32;
        let today = of_line(region.start);
        let mut wanted: Vec<u32> = match offsets {
            [] => (0..line).step_by(DWORD as usize).collect(),
            some => some.iter().map(|offset| offset.0 % line).chain([today]).collect(),
        };
        wanted.sort_unstable();
        wanted.dedup();
        let part = code.part(region)?;
        let at = |offset: u32| -> Result<Placement, PredictError> {
            let start = region.start - u64::from(today) + u64::from(offset);
            let moved = Code { address: start, words: part.words.clone() };
            let region = Region { start, end: moved.end(), ..region.clone() };
            let cycles = predict(gpu, &moved, &region, question)?.cycles_per_iteration;
            Ok(Placement { offset: Bytes(offset), cycles })
        };
        let today = at(today)?;
        let places: Vec<Placement> = wanted.into_iter().map(at).collect::<Result<_, _>>()?;
        let (mut best, mut worst) = (today, today);
        for place in &places {
            if differs(*place, best) && place.cycles < best.cycles {
                best = *place;
            }
            if differs(*place, worst) && place.cycles > worst.cycles {
                worst = *place;
            }
        }
        let rules = &gpu.front_end;
        let has_rules = rules.alignment_penalties || rules.jump_penalties || rules.untaken_penalties;
        let are_charged = has_rules && rules.penalty_cycles > 0;
        Ok(Self { line_bytes: Bytes(line), today, best, worst, are_charged, places })
    }
}

/// Whether two places cost more or less by as much as halves of a steady run may not.
fn differs(one: Placement, other: Placement) -> bool {
    (one.cycles.0 - other.cycles.0).abs() > STEADY * one.cycles.0.min(other.cycles.0)
}

/// Placements as text, for people; lines begin with two spaces.
pub fn placements_text(gpu: &Gpu, placements: &Placements) -> String {
    let Placements { line_bytes: line, today, best, worst, .. } = *placements;
    let mut text = format!(
        "  placements: its first instruction at each offset of a line of {line} bytes of the instruction cache\n"
    );
    if !placements.are_charged {
        let _ = writeln!(text, "  {} charges nothing for the place of an instruction", gpu.name);
    }
    if !differs(best, worst) {
        let (count, cycles) = (placements.places.len(), number(today.cycles));
        let _ =
            writeln!(text, "  all {count} offsets take the same {cycles} cycles; today's offset is {}", today.offset);
        return text;
    }
    let _ = writeln!(
        text,
        "  best at offset {} with {} cycles, worst at {} with {}",
        best.offset,
        number(best.cycles),
        worst.offset,
        number(worst.cycles)
    );
    let nops = (best.offset.0 + line.0 - today.offset.0) % line.0 / DWORD;
    let advice = match nops {
        0 => "as good as any".to_owned(),
        1 => "1 S_NOP before it brings it to the best".to_owned(),
        more => format!("{more} S_NOPs before it bring it to the best"),
    };
    let _ = writeln!(text, "  today's offset is {}: {advice}\n", today.offset);
    let _ = writeln!(text, "  offset    cycles  to the best");
    for place in &placements.places {
        let more = Cycles(place.cycles.0 - best.cycles.0);
        let names = [(today, "today's"), (best, "best"), (worst, "worst")];
        let names: Vec<&str> =
            names.iter().filter(|(named, _)| named.offset == place.offset).map(|(_, name)| *name).collect();
        let (offset, cycles, more, names) = (place.offset.0, number(place.cycles), number(more), names.join(", "));
        let _ = writeln!(text, "{}", format!("  {offset:>6}  {cycles:>8}  {more:>11}  {names}").trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some s_nop 0, and a loop of v_mul_f32 v1, 0x3fc00000, v0 and s_branch to it.
    fn code(before: usize) -> (Code, Region) {
        let mut words = vec![0xbf80_0000; before];
        words.extend([0x1002_00ff, 0x3fc0_0000, 0xbf82_fffd]);
        let code = Code { address: 0, words: words.into() };
        let region = code.regions(Gpu::named("tahiti").unwrap().processor()).unwrap().remove(0);
        (code, region)
    }

    fn of(gpu: &str, before: usize, offsets: &[Bytes]) -> Placements {
        let (code, region) = code(before);
        Placements::of(&Gpu::named(gpu).unwrap(), &code, &region, Question::default(), offsets).unwrap()
    }

    #[test]
    fn a_placement_costs_as_code_at_that_place() {
        let tahiti = Gpu::named("tahiti").unwrap();
        let placements = of("tahiti", 0, &[]);
        assert_eq!(placements.places.len(), 16);
        for place in &placements.places {
            let (code, region) = code((place.offset.0 / 4) as usize);
            let prediction = predict(&tahiti, &code, &region, Question::default()).unwrap();
            assert_eq!(place.cycles, prediction.cycles_per_iteration, "{place:?}");
        }
        assert!(placements.best.cycles < placements.worst.cycles, "{placements:?}");
    }

    #[test]
    fn todays_placement_is_always_listed_and_wins_ties() {
        let [first, beyond] = [0, 19].map(|before| of("tahiti", before, &[Bytes(8)]));
        assert_eq!(first.places.iter().map(|place| place.offset.0).collect::<Vec<_>>(), [0, 8]);
        assert_eq!((beyond.today.offset, beyond.line_bytes), (Bytes(12), Bytes(64)));
        let all = of("tahiti", 0, &[]);
        let again = of("tahiti", (all.best.offset.0 / 4) as usize, &[]);
        assert_eq!(again.best.offset, again.today.offset);
    }

    #[test]
    fn a_gpu_without_rules_charges_no_place() {
        // Of the encodings of Tahiti and Fiji only S_NOP and S_BRANCH are the same: v_mul_f32 is 5, not 8.
        let words = vec![0x0a02_00ff, 0x3fc0_0000, 0xbf82_fffd];
        let fiji = Gpu::named("fiji").unwrap();
        let code = Code { address: 4, words: words.into() };
        let region = code.regions(fiji.processor()).unwrap().remove(0);
        let placements = Placements::of(&fiji, &code, &region, Question::default(), &[]).unwrap();
        assert!(!placements.are_charged);
        assert_eq!((placements.best.offset, placements.worst.offset), (Bytes(4), Bytes(4)));
        let text = placements_text(&fiji, &placements);
        assert!(text.contains("all 16 offsets take the same"), "{text}");
    }
}
