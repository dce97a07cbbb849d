//! Experiments on the places of instructions in the blocks that the front end fetches.
//!
//! Block size, free dwords and penalty are nowhere assumed: a snippet moves through all dwords of a 64-byte line, or of two, in code whose
//! lines are all alike, and the analysis finds the pattern.

use gcn_model::isa::Instruction;
use gcn_model::record::{ALIGNMENT, ExperimentKind, INSTRUCTION_CACHE, PlaceCase};

use super::MeasureOptions;
use super::case::Case;
use super::measurement::Measurement;
use super::plan::{PAIR_LENGTHS, Plan, WIDE_LENGTHS};
use super::subject::Subject;
use crate::kernel::{Action, Block, LINE_DWORDS, LONGEST_LINE_DWORDS, Order, Part, SCALAR_FILLER, VECTOR_FILLER};

/// 2-dword instructions of all kinds, short and long ones.
const TARGETS: [&str; 7] =
    ["V_BFE_U32", "V_ADD_F64", "V_MUL_LO_U32", "V_MADMK_F32", "S_LOAD_DWORD", "DS_READ_B32", "BUFFER_LOAD_DWORD"];
/// Operations that can be encoded in one dword and in two: they differ by the front end's charge only.
const TWINS: [&str; 3] = ["V_ADD_F32", "V_AND_B32", "V_XOR_B32"];
/// A long 2-dword instruction and the short one after it.
const COVERED: [&str; 2] = ["V_MUL_LO_U32", "V_BFE_U32"];
/// Jumps that are not taken.
const UNTAKEN: [&str; 2] = ["S_CBRANCH_SCC0", "S_CBRANCH_VCCNZ"];
/// Waves on a SIMD on which a penalty may be hidden.
const WAVES: [u32; 2] = [2, 4];
/// Dwords of a block: two lines, so that a snippet at the end of the first does not meet the next one.
const BLOCK_DWORDS: u32 = 2 * LINE_DWORDS;
/// Lines of the timed code of the cache experiment, 64 bytes each: 8 to 48 KiB.
const FOOTPRINTS: [u32; 6] = [128, 256, 384, 512, 640, 768];
/// Passes of each that are kept; they differ by nothing but noise.
const FOOTPRINT_SAMPLES: u32 = 5;

impl Plan {
    /// The rules of alignment.
    pub(super) fn alignment(&mut self, measured: Measurement<'_>) {
        self.front_end(measured);
        if let [Some(long), Some(short)] = COVERED.map(|name| measured.wanted(name)) {
            self.covered(measured, long, short);
        }
        if let Some(branch) = measured.wanted("S_BRANCH") {
            self.entries(measured, branch);
        }
        for branch in UNTAKEN.into_iter().filter_map(|name| measured.wanted(name)) {
            self.untaken(measured, branch);
        }
        if let Some(filler) = measured.wanted(VECTOR_FILLER.instruction) {
            self.footprint(measured, filler);
        }
    }

    /// Instructions at each dword, which show block, free dwords and penalty.
    pub(super) fn front_end(&mut self, measured: Measurement<'_>) {
        for instruction in TARGETS.into_iter().filter_map(|name| measured.wanted(name)) {
            self.offsets(measured, instruction);
        }
        for instruction in TWINS.into_iter().filter_map(|name| measured.wanted(name)) {
            self.twins(measured, instruction);
        }
    }

    /// The same where no suite before had it, whichever instructions were asked for: its charge is in the cycles of all 2-dword instructions.
    pub(super) fn charge_of_front_end(&mut self, measured: Measurement<'_>) {
        if self.experiments.iter().all(|experiment| experiment.record.rule != ALIGNMENT) {
            let options = MeasureOptions { only: Vec::new(), ..measured.options.clone() };
            self.front_end(Measurement { options: &options, ..measured });
        }
    }

    /// A 2-dword instruction at each dword of a line.
    fn offsets(&mut self, measured: Measurement<'_>, instruction: &'static Instruction) {
        let Some(snippet) = measured.plain(instruction).filter(|snippet| snippet.dwords == 2) else { return };
        let subject = Subject::new(measured, snippet);
        let at = |offset| Case {
            rule: ALIGNMENT,
            case: instruction.name.clone(),
            offset_dwords: Some(offset),
            block: (Block::at(offset, &subject.snippet, BLOCK_DWORDS), Order::Straight),
        };
        let cases: Vec<_> = (0..LINE_DWORDS).map(at).collect();
        self.cases(&subject, &cases, &WIDE_LENGTHS);
        if instruction.name == TARGETS[0] {
            self.cases_on_waves(&subject, &cases[..8], &WAVES);
        }
    }

    /// An operation in two dwords at each dword of two lines, against the same in one dword.
    fn twins(&mut self, measured: Measurement<'_>, instruction: &'static Instruction) {
        let Some(short) = measured.copies(instruction) else { return };
        let Some(long) = short.in_two_dwords() else { return };
        let (short, long) = (Subject::new(measured, short), Subject::new(measured, long));
        let case = |subject: &Subject<'_>, case: String, offset_dwords: Option<u32>| Case {
            rule: ALIGNMENT,
            case,
            offset_dwords,
            block: (Block::at(offset_dwords.unwrap_or(0), &subject.snippet, 2 * LONGEST_LINE_DWORDS), Order::Straight),
        };
        let baseline = case(&short, instruction.name.clone(), None);
        let name = PlaceCase::InTwoDwords(&instruction.name).to_string();
        let cases: Vec<_> = (0..LONGEST_LINE_DWORDS).map(|offset| case(&long, name.clone(), Some(offset))).collect();
        let all: Vec<_> = std::iter::once((&short, &baseline)).chain(cases.iter().map(|case| (&long, case))).collect();
        self.cases_of(&all, &PAIR_LENGTHS);
    }

    /// A short 2-dword instruction after a long one, at each dword that leaves space for the long one.
    fn covered(&mut self, measured: Measurement<'_>, long: &'static Instruction, short: &'static Instruction) {
        let (Some(long), Some(short)) = (measured.copies(long), measured.copies(short)) else { return };
        let subject = Subject::new(measured, long).joined_by(short);
        let case = |offset: u32, parts| Case {
            rule: ALIGNMENT,
            case: PlaceCase::After { short: COVERED[1], long: COVERED[0] }.to_string(),
            offset_dwords: Some(offset),
            block: (Block { parts }, Order::Straight),
        };
        // Both at the start of two lines, which are no less than a block of the front end.
        let rest = LONGEST_LINE_DWORDS - 2;
        let baseline = case(0, vec![Part::Snippet, Part::Fillers(rest), Part::Other(0), Part::Fillers(rest)]);
        let behind = |offset: u32| {
            let rest = 2 * LONGEST_LINE_DWORDS - offset - 2;
            case(offset, vec![Part::Fillers(offset - 2), Part::Snippet, Part::Other(0), Part::Fillers(rest)])
        };
        let cases: Vec<_> = std::iter::once(baseline).chain((2..LINE_DWORDS).map(behind)).collect();
        self.cases(&subject, &cases, &PAIR_LENGTHS);
    }

    /// A jump to each dword of a line, from after and from before it.
    fn entries(&mut self, measured: Measurement<'_>, branch: &'static Instruction) {
        let Some(snippet) = measured.copies(branch) else { return };
        let subject = Subject::new(measured, snippet);
        for rule in ["jump-forward", "jump-backward"] {
            let case = |entry| Case {
                rule,
                case: branch.name.clone(),
                offset_dwords: Some(entry),
                block: match rule {
                    "jump-forward" => (Block::jumping(), Order::Forward { entry }),
                    _ => (Block::jumping(), Order::Backward { entry }),
                },
            };
            let cases: Vec<_> = (0..LINE_DWORDS).map(case).collect();
            self.cases(&subject, &cases, &WIDE_LENGTHS);
            if rule == "jump-forward" {
                // The scalar unit, which all SIMDs share, would be the one that is busy.
                let subject = Subject { filler: VECTOR_FILLER, ..subject.clone() };
                self.cases_on_waves(&subject, &cases[..8], &WAVES);
            }
        }
    }

    /// A jump that is not taken at each dword of a line.
    fn untaken(&mut self, measured: Measurement<'_>, branch: &'static Instruction) {
        let snippet = measured.copies(branch).and_then(|snippet| snippet.jumping(Action::NotTaken));
        let Some(snippet) = snippet else { return };
        let subject = Subject { filler: SCALAR_FILLER, ..Subject::new(measured, snippet) };
        let case = |offset| Case {
            rule: "jump-not-taken",
            case: branch.name.clone(),
            offset_dwords: Some(offset),
            block: (Block::at(offset, &subject.snippet, BLOCK_DWORDS), Order::Straight),
        };
        let cases: Vec<_> = (0..LINE_DWORDS).map(case).collect();
        self.cases(&subject, &cases, &WIDE_LENGTHS);
    }

    /// Ever more code: where it no longer fits the instruction cache.
    fn footprint(&mut self, measured: Measurement<'_>, filler: &'static Instruction) {
        let Some(snippet) = measured.copies(filler) else { return };
        let options = MeasureOptions { samples: FOOTPRINT_SAMPLES, ..measured.options.clone() };
        let subject = Subject::new(Measurement { options: &options, ..measured }, snippet);
        let purpose = "cost of a growing number of filler lines, one wave";
        let block = (Block::of_fillers(LINE_DWORDS), Order::Straight);
        let before = self.experiments.len();
        self.one_wave_of(&subject, ExperimentKind::Footprint, INSTRUCTION_CACHE, purpose, block, &FOOTPRINTS);
        self.tell_rule(before, INSTRUCTION_CACHE, "lines of 64 bytes", None);
    }
}
