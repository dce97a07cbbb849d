//! An instruction of the timed code, with the code that it needs around it.

use gcn_model::decode::PairBreach;
use gcn_model::isa::{self, Encoding, Generation, Instruction};
use gcn_model::semantics::SemanticCase;

use super::constraints::{Action, rows_of};
use super::registers::InitialValue;

/// The assembler's names for a vector instruction's native encoding, and VOP3.
const SHORT_SUFFIX: &str = "_e32 ";
const LONG_SUFFIX: &str = "_e64 ";
/// First registers of the sources of a case that no source settles.
const VECTOR_SOURCES: u8 = 6;
const SCALAR_SOURCES: u8 = 24;
/// The counter's second reading becomes the first one and the dword in s20.
const STORE_DWORD: [&str; 2] = ["s_add_u32 s12, s10, s20", "s_addc_u32 s13, s11, 0"];
/// More wait states than any vector or scalar instruction needs after another one; a case has no time that they could spoil.
const WAIT_FOR_ANYTHING: &str = "s_nop 7";
/// s14 has the place of the wave, with the slot in its low bits; a wave in an even slot skips an instruction.
const RAISE_ODD_SLOTS: [&str; 3] = ["s_bitcmp1_b32 s14, 0", "s_cbranch_scc0 1", "s_setprio 3"];

/// How the copies of an instruction depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Copies {
    /// Destinations go round; no copy reads what another wrote, unless the instruction reads its own destination.
    Independent,
    /// Each copy reads the result of the one before.
    Chain,
    /// Each copy reads the result of the one before through moves.
    Relay,
    /// Each copy is followed by a wait for its memory result and, where the text allows it, takes its address or its
    /// data from there.
    Chase,
}

/// An instruction that waits for what another one brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// As it is assembled.
    pub text: String,
    pub name: String,
}

impl Wait {
    pub(super) fn of(text: &str) -> Self {
        let name = text.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        Self { text: text.to_owned(), name }
    }
}

/// An instruction of the timed code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    pub instruction: &'static Instruction,
    /// Size of a copy in dwords.
    pub dwords: u8,
    /// The different copies, used in turn.
    pub copies: Vec<String>,
    /// Lines before each pass.
    pub before: Vec<String>,
    /// Lines after each pass.
    pub after: Vec<String>,
    /// The values of the vector sources.
    pub vector_values: Vec<InitialValue>,
    /// The values of the scalar sources.
    pub scalar_values: Vec<InitialValue>,
    /// Lines before the first pass, after the values.
    pub setup: Vec<String>,
    /// M0 during the passes.
    pub m0: &'static str,
    /// The code after each copy: a wait (1 dword), or nothing.
    pub wait: Option<Wait>,
    /// VGPRs that its operands need.
    pub vgprs: u32,
    /// Accumulation registers that its operands need.
    pub agprs: u32,
    /// LDS that a group needs, bytes.
    pub lds_bytes: u32,
    /// Whether it reads or writes the scratch memory of the launch.
    pub has_scratch: bool,
    /// Whether the kernel needs FLAT_SCRATCH.
    pub has_flat_scratch: bool,
    /// Private memory of a lane that the descriptor asks for, where a wave starts with FLAT_SCRATCH only then, bytes.
    pub private_bytes: u32,
    /// The rules for two instructions in one (VOPD) that its copies break, on purpose.
    pub breaches: Vec<PairBreach>,
}

impl Snippet {
    /// A snippet without copies, with what its rows of `constraints.csv` say.
    pub(super) fn bare(instruction: &'static Instruction) -> Self {
        let lines = |action: Action| rows_of(instruction, action).map(|row| row.value.clone()).collect();
        Self {
            instruction,
            dwords: instruction.dwords().0,
            copies: Vec::new(),
            before: lines(Action::Before),
            after: lines(Action::After),
            vector_values: Vec::new(),
            scalar_values: Vec::new(),
            setup: Vec::new(),
            m0: "0",
            wait: None,
            vgprs: 0,
            agprs: 0,
            lds_bytes: 0,
            has_scratch: false,
            has_flat_scratch: false,
            private_bytes: 0,
            breaches: Vec::new(),
        }
    }

    /// Takes over what another instruction of the same block needs around it.
    pub(crate) fn absorb(&mut self, other: &Self) {
        let missing = |values: &[InitialValue], others: &[InitialValue]| -> Vec<InitialValue> {
            let is_new = |value: &&InitialValue| values.iter().all(|known| known.register != value.register);
            others.iter().filter(is_new).cloned().collect()
        };
        self.vector_values.extend(missing(&self.vector_values, &other.vector_values));
        self.scalar_values.extend(missing(&self.scalar_values, &other.scalar_values));
        self.before.extend(other.before.iter().cloned());
        self.after.extend(other.after.iter().cloned());
        self.setup.extend(other.setup.iter().cloned());
        if self.m0 == "0" {
            self.m0 = other.m0;
        }
        self.vgprs = self.vgprs.max(other.vgprs);
        self.agprs = self.agprs.max(other.agprs);
        self.lds_bytes = self.lds_bytes.max(other.lds_bytes);
        self.has_scratch |= other.has_scratch;
        self.has_flat_scratch |= other.has_flat_scratch;
    }

    /// A case that no source settles: one copy, after which the resulting dword is stored in place of a time.
    pub fn computing(instruction: &'static Instruction, case: &SemanticCase) -> Self {
        let values = |first: u8, dwords: &[String]| {
            (first..).zip(dwords).map(|(register, value)| InitialValue { register, value: value.clone() }).collect()
        };
        let mut snippet = Self::bare(instruction);
        snippet.copies = vec![case.line.clone()];
        snippet.vector_values = values(VECTOR_SOURCES, &case.vector);
        snippet.scalar_values = values(SCALAR_SOURCES, &case.scalar);
        let waited = |line: &String| [line.clone(), WAIT_FOR_ANYTHING.to_owned()];
        snippet.before.extend(case.before.iter().flat_map(waited));
        snippet.after.push(WAIT_FOR_ANYTHING.to_owned());
        snippet.after.extend(case.result.iter().flat_map(waited));
        snippet.after.extend(STORE_DWORD.map(str::to_owned));
        snippet
    }

    /// S_SLEEP for as long as it can be told to.
    pub fn long_sleep(generation: Generation) -> Option<Self> {
        let instruction = isa::find("S_SLEEP", generation)?;
        // The immediate has seven bits, and counts 64 cycles (facts §7).
        Some(Self { copies: vec!["s_sleep 127".into()], ..Self::bare(instruction) })
    }

    /// The instruction that waits for vector loads.
    pub fn wait_for_loads(generation: Generation) -> Option<Self> {
        let wait = Wait::of(&generation.assembly.wait_vector);
        Some(Self { copies: vec![wait.text], ..Self::bare(isa::find(&wait.name, generation)?) })
    }

    /// Eight issues in which the wave wants no unit.
    pub fn pause(generation: Generation) -> Option<Self> {
        Some(Self { copies: vec![WAIT_FOR_ANYTHING.to_owned()], ..Self::bare(isa::find("S_NOP", generation)?) })
    }

    /// With the highest priority for waves in odd slots of their SIMD, from before each pass to its end.
    pub fn raised_in_odd_slots(mut self) -> Self {
        self.before.extend(RAISE_ODD_SLOTS.map(str::to_owned));
        self.after.push("s_setprio 0".to_owned());
        self
    }

    /// The same operation in the 2-dword encoding; `None` if it is not one that has both.
    pub fn in_two_dwords(&self) -> Option<Self> {
        let long = |copy: &String| copy.contains(SHORT_SUFFIX).then(|| copy.replacen(SHORT_SUFFIX, LONG_SUFFIX, 1));
        let copies = self.copies.iter().map(long).collect::<Option<_>>()?;
        Some(Self { copies, dwords: 2, ..self.clone() })
    }

    /// With a line before each pass that decides whether a jump is taken; `None` if it never or always is.
    pub fn jumping(&self, action: Action) -> Option<Self> {
        let row = rows_of(self.instruction, action).next()?;
        let mut snippet = self.clone();
        snippet.before.push(row.value.clone());
        Some(snippet)
    }
}

/// The mnemonic, with the suffix that keeps the assembler to the native encoding.
pub(super) fn mnemonic(instruction: &Instruction) -> Option<String> {
    let mut mnemonic = instruction.llvm_mnemonic()?.into_owned();
    let has_forms = matches!(instruction.encoding, Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc);
    if has_forms && instruction.vop3_opcode.is_some() {
        mnemonic.push_str("_e32");
    }
    Some(mnemonic)
}
