//! The wait states that the hardware needs between instructions of a block.

use gcn_model::decode::{Location, scalar_words, words};
use gcn_model::hazard::{repair, repair_of, wait_states};
use gcn_model::isa::{Encoding, Instruction, Processor};

use super::filler::{Filler, REPAIRS};
use super::snippet::Snippet;

/// The code of VCC among the scalar registers.
const VCC: u8 = 106;

impl Snippet {
    /// The wait states between a copy of this instruction and a copy of that one after it; 0 where the words of one of
    /// them are known to LLVM alone, whose code is checked once it is there.
    ///
    /// Code after a copy has the number of the next one (`is_next_copy`), or its own, where it follows the code of its own copy.
    /// Where a copy has two dwords they are a multiple of two, so that each copy is at the same place in eight bytes.
    pub fn waits_before(&self, next: &Self, is_next_copy: bool, processor: Processor) -> u32 {
        // The registers of copies go round: those between are like the first.
        let last = self.copies.len().saturating_sub(1);
        let pair = |copy: usize| {
            let behind = if is_next_copy { copy + 1 } else { copy };
            let first = self.words(copy, processor)?;
            let second = next.words(behind, processor)?;
            wait_states(processor, &first, &second).ok()
        };
        let most = [0, last].into_iter().filter_map(pair).max().unwrap_or(0);
        if self.dwords.is_multiple_of(2) { most.next_multiple_of(2) } else { most }
    }

    /// The filler that has to stand between the same two where wait states do not help, and how many of it keep copies in their place.
    pub fn repair_before(&self, next: &Self, is_next_copy: bool, processor: Processor) -> Option<(Filler, u32)> {
        let text = self.ended_before(next, is_next_copy, processor)?;
        let filler = REPAIRS.into_iter().find(|filler| filler.text == text)?;
        Some((filler, if self.dwords.is_multiple_of(2) { 2 } else { 1 }))
    }

    /// The required instruction, in assembly. The copy after the next one is looked at as well: some hazards need a third instruction.
    pub fn ended_before(&self, next: &Self, is_next_copy: bool, processor: Processor) -> Option<&'static str> {
        let last = self.copies.len().saturating_sub(1);
        let between = |copy: usize| {
            let behind = if is_next_copy { copy + 1 } else { copy };
            let second = [next.words(behind, processor)?, next.words(behind + 1, processor)?].concat();
            repair(processor, &self.words(copy, processor)?, &second).ok()?
        };
        [0, last].into_iter().find_map(between)
    }

    /// Likewise with the wait states after the second reading that V_WRITELANE_B32 needs, which keeps the readings.
    pub(crate) fn before_readings_are_kept(mut self, processor: Processor) -> Self {
        let Some(keeping) = processor.instruction("V_WRITELANE_B32") else { return self };
        let keeping = Self { copies: vec!["v_writelane_b32 v2, s10, s8".into()], ..Self::bare(keeping) };
        let waits = self.waits_before(&keeping, false, processor);
        self.after.extend((waits > 0).then(|| format!("s_nop {}", waits - 1)));
        // The readings of the pass before stood in the same SGPRs, and vector instructions have read them.
        self.after.extend(repair_of(processor, "read-pair-salu-alu").map(str::to_owned));
        self
    }

    /// The words of a copy, if its operands are registers.
    fn words(&self, copy: usize, processor: Processor) -> Option<Vec<u32>> {
        let text = self.copies.get(copy % self.copies.len().max(1))?;
        let (mnemonic, operands) = text.split_once(' ')?;
        let form = if mnemonic.ends_with("_e64") { Encoding::Vop3 } else { self.instruction.encoding };
        let operands = operands.split(", ").map(|operand| location(operand.trim())).collect::<Option<Vec<_>>>()?;
        let found = words(processor.generation, self.instruction, form, &operands)?;
        let is_it = |instruction: &Instruction| instruction.name == self.instruction.name;
        let decoded = gcn_model::decode::decode(processor, &found, 0).ok()?;
        is_it(decoded.instruction).then_some(found)
    }
}

impl Snippet {
    /// The words of the first copy of a vector instruction or of a scalar one, if its operands are registers.
    pub(super) fn words_of_first(&self, processor: Processor) -> Option<Vec<u32>> {
        let scalar = || {
            let (_, operands) = self.copies.first()?.split_once(' ')?;
            let operands = operands.split(", ").map(|operand| location(operand.trim())).collect::<Option<Vec<_>>>()?;
            scalar_words(processor.generation, self.instruction, &operands)
        };
        self.words(0, processor).or_else(scalar)
    }
}

/// Where an operand is, by its text; `Some(None)` for a constant.
fn location(text: &str) -> Option<Option<Location>> {
    if matches!(text, "vcc" | "vcc_lo") {
        return Some(Some(Location::Sgpr(VCC)));
    }
    // The low half of a register has the register's number.
    let text = text.strip_suffix(".l").unwrap_or(text);
    let number = |rest: &str| rest.trim_start_matches('[').split([':', ']']).next()?.parse::<u8>().ok();
    match text.split_at_checked(1)? {
        ("v", rest) => Some(Some(Location::Vgpr(number(rest)?))),
        ("a", rest) => Some(Some(Location::Agpr(number(rest)?))),
        ("s", rest) => Some(Some(Location::Sgpr(number(rest)?))),
        ("0", "") => Some(None),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Copies, MatrixCopies};

    /// The waits of an instruction's copies for each other on CDNA 3.
    fn waits(name: &str, copies: Copies) -> u32 {
        let processor = Processor::find("gfx942").unwrap();
        let instruction = processor.instruction(name).unwrap();
        let snippet = Snippet::new(instruction, (processor.generation, processor.wave_size()), copies).unwrap();
        snippet.waits_before(&snippet, true, processor)
    }

    #[test]
    fn copies_wait_where_the_hazard_table_says() {
        // Carries through VCC wait, whatever becomes of the sums; a chain of approximations does not, and sums have no need.
        assert_eq!(waits("V_ADDC_CO_U32", Copies::Independent), 2);
        assert_eq!(waits("V_ADDC_CO_U32", Copies::Chain), 2);
        assert_eq!(waits("V_RCP_F32", Copies::Chain), 0);
        assert_eq!(waits("V_ADD_F32", Copies::Chain), 0);
        // The same product as a factor: three states, and a fourth that keeps copies of two dwords in their place.
        assert_eq!(waits("V_DOT2_F32_F16", Copies::Chain), 4);
        assert_eq!(waits("V_DOT2_F32_F16", Copies::Independent), 0);
    }

    #[test]
    fn vcc_read_and_written_has_its_hazard_ended() {
        let ended = |target, copies| {
            let processor = Processor::find(target).unwrap();
            let instruction = processor.instruction("V_ADD_CO_CI_U32").unwrap();
            let snippet = Snippet::new(instruction, (processor.generation, processor.wave_size()), copies).unwrap();
            snippet.ended_before(&snippet, true, processor)
        };
        for copies in [Copies::Independent, Copies::Relay] {
            assert_eq!(ended("gfx1201", copies), Some("s_wait_alu 0xfffd"));
            assert_eq!(ended("gfx1100:wavefrontsize64+", copies), Some("s_waitcnt_depctr 0xfffd"));
            assert_eq!(ended("gfx1100", copies), None);
        }
    }

    #[test]
    fn a_relay_overwrites_nothing_that_its_copies_read() {
        let processor = Processor::find("gfx1100").unwrap();
        let copy = |name| {
            let instruction = processor.instruction(name).unwrap();
            let of = (processor.generation, processor.wave_size());
            Snippet::new(instruction, of, Copies::Relay).map(|snippet| snippet.copies[0].clone())
        };
        assert_eq!(copy("V_MAD_U64_U32").as_deref(), Some("v_mad_u64_u32 v[14:15], s32, v6, v7, v[12:13]"));
        assert_eq!(copy("V_ADD_CO_U32").as_deref(), Some("v_add_co_u32 v14, s32, v12, v7"));
        assert_eq!(copy("V_WRITELANE_B32"), None, "a scalar source");
    }

    #[test]
    fn readings_are_kept_after_a_change_of_exec() {
        let after = |target: &str| {
            let processor = Processor::find(target).unwrap();
            let instruction = processor.instruction("V_CMPX_CLASS_F32").unwrap();
            let snippet =
                Snippet::new(instruction, (processor.generation, processor.wave_size()), Copies::Independent).unwrap();
            let before = snippet.after.len();
            snippet.before_readings_are_kept(processor).after.split_off(before)
        };
        assert_eq!(after("gfx942"), ["s_nop 3"]);
        assert!(after("gfx906").is_empty());
    }

    #[test]
    fn matrix_instructions_wait_by_their_passes() {
        let processor = Processor::find("gfx942").unwrap();
        let waits = |name, copies| {
            let instruction = processor.instruction(name).unwrap();
            let snippet = Snippet::matrix(instruction, processor.generation, copies).unwrap();
            let reader = snippet.reader_of_matrix(processor.generation).unwrap();
            let own = snippet.waits_before(&snippet, true, processor);
            (own, snippet.waits_before(&reader, true, processor))
        };
        // Four passes, and sixteen: three more before a vector instruction reads, or the next one multiplies.
        assert_eq!(waits("V_MFMA_F32_16X16X16_F16", MatrixCopies::Independent), (0, 8));
        assert_eq!(waits("V_MFMA_F32_16X16X16_F16", MatrixCopies::Accumulators).0, 0);
        assert_eq!(waits("V_MFMA_F32_16X16X16_F16", MatrixCopies::Operands).0, 8);
        assert_eq!(waits("V_MFMA_F32_32X32X4_2B_F16", MatrixCopies::Independent), (0, 20));
    }
}
