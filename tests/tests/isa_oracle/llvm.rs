//! LLVM as an oracle: text to words, words to text.

use std::collections::BTreeSet;

use gcn_harness::llvm::{AssembleError, Disassembler, DisassemblerError, Llvm};
use gcn_model::isa::{Generation, Processor};
use gcn_tests::Tier;
use object::{Object, ObjectSection};

/// The processors of a generation that do not have the same instructions: the first of each kind, with waves of each size.
pub(crate) fn kinds(generation: Generation) -> Vec<Processor> {
    let mut kinds: Vec<Processor> = Vec::new();
    for processor in Processor::of(generation) {
        if kinds.iter().all(|known| !known.instructions().eq(processor.instructions())) {
            kinds.push(processor);
        }
    }
    kinds.into_iter().flat_map(sizes).collect()
}

/// What LLVM calls a processor whose waves have some size.
pub(crate) fn target(processor: Processor) -> String {
    match *processor.generation.waves.sizes {
        [_] => processor.name().to_owned(),
        _ => format!("{}:wavefrontsize{}+", processor.name(), processor.wave_size()),
    }
}

/// A processor with waves of each of its sizes.
pub(crate) fn sizes(processor: Processor) -> impl Iterator<Item = Processor> {
    processor.generation.waves.sizes.clone().into_iter().filter_map(move |lanes| processor.with_wave_size(lanes))
}

/// The processors of all generations that stand for all others.
pub(crate) fn all_kinds() -> Vec<Processor> {
    Generation::all().into_iter().flat_map(kinds).collect()
}

/// Those of some that a tier looks at: quick tests at the one of each generation that has the most instructions.
pub(crate) fn of_tier(processors: Vec<Processor>) -> Vec<Processor> {
    if Tier::Most.runs("the other kinds of each generation") {
        return processors;
    }
    let of_generation = |generation: Generation| {
        let among = processors.iter().copied().filter(move |it| it.generation == generation);
        among.max_by_key(|it| it.instructions().count())
    };
    Generation::all().into_iter().filter_map(of_generation).collect()
}

/// Processors, each with the number of tries for one of its rows. In the tiers before `all` those after the first of a generation have
/// `few`: they differ from it in few rows, which the first tries show.
pub(crate) fn with_tries<T>(
    processors: impl IntoIterator<Item = T>,
    of: impl Fn(&T) -> Processor,
    [few, many]: [usize; 2],
) -> Vec<(T, usize)> {
    let is_whole = Tier::All.runs("all tries for the other kinds of a generation");
    let mut seen = Vec::new();
    let with_tries = |one: T| {
        let generation = of(&one).generation;
        let is_first = !seen.contains(&generation);
        seen.push(generation);
        (one, if is_whole || is_first { many } else { few })
    };
    processors.into_iter().map(with_tries).collect()
}

/// Those whose texts are assembled again. Texts of RDNA 4 and gfx1250 differed when it was last tried: names of registers after S_BARRIER_INIT and its like.
pub(crate) fn all_settled_kinds() -> Vec<Processor> {
    let (open, settled): (Vec<_>, Vec<_>) =
        all_kinds().into_iter().partition(|it| it.generation.name().starts_with("gfx12"));
    for processor in open {
        println!("OPEN: texts of {} are not assembled again", processor.name());
    }
    settled
}

/// The processors among some that LLVM disassembles, each with its disassembler.
pub(crate) fn disassembled(among: impl IntoIterator<Item = Processor>) -> Vec<(Processor, Oracle)> {
    let all: Vec<_> = among.into_iter().filter_map(|it| Oracle::of(it).map(|oracle| (it, oracle))).collect();
    assert!(!all.is_empty(), "LLVM disassembles none of them");
    all
}

/// Stands between the instructions of a batch; no instruction of the tests contains it.
const MARK: [u32; 2] = [0xdead_beef, 0xcafe_f00d];

/// The words of each line; `None` for the lines that LLVM refuses.
pub(crate) fn assemble(target: &str, lines: &[String]) -> Vec<Option<Vec<u32>>> {
    let refused = match try_assemble(target, lines) {
        Ok(words) => return words.into_iter().map(Some).collect(),
        // Every line is followed by a line with the mark.
        Err(AssembleError::Text(messages)) => {
            messages.iter().map(|message| (message.line - 1) / 2).collect::<BTreeSet<_>>()
        }
        Err(error) => panic!("{target}: {error}"),
    };
    let taken: Vec<String> =
        lines.iter().enumerate().filter(|(n, _)| !refused.contains(n)).map(|(_, line)| line.clone()).collect();
    let mut words = try_assemble(target, &taken).unwrap_or_else(|error| panic!("{error}")).into_iter();
    (0..lines.len()).map(|n| if refused.contains(&n) { None } else { words.next() }).collect()
}

fn try_assemble(target: &str, lines: &[String]) -> Result<Vec<Vec<u32>>, AssembleError> {
    let llvm = Llvm::find(None).expect("the Rust toolchain has LLVM");
    let text: String = lines.iter().map(|line| format!("{line}\n.long {:#x}, {:#x}\n", MARK[0], MARK[1])).collect();
    let object = llvm.assemble(target, &text)?;
    let file = object::File::parse(&*object).expect("LLVM writes ELF");
    let bytes = file.section_by_name(".text").and_then(|section| section.data().ok()).expect("an object has .text");
    let words: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let mut found = Vec::new();
    let mut rest = &words[..];
    while let Some(end) = rest.windows(2).position(|pair| pair == MARK) {
        found.push(rest[..end].to_vec());
        rest = &rest[end + 2..];
    }
    assert_eq!(found.len(), lines.len(), "one run of words for each line");
    Ok(found)
}

/// What LLVM makes of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    /// Without the suffix that says the form.
    pub(crate) mnemonic: String,
    pub(crate) dwords: usize,
    pub(crate) line: String,
}

/// LLVM's disassembler.
pub(crate) struct Oracle(Disassembler);

impl Oracle {
    /// The one of a processor; `None` where LLVM has none (GCN 1.0 and 1.1).
    pub(crate) fn of(processor: Processor) -> Option<Self> {
        Self::named(&target(processor))
    }

    /// The one of what LLVM calls a processor.
    pub(crate) fn named(target: &str) -> Option<Self> {
        let llvm = Llvm::find(None).expect("the Rust toolchain has LLVM");
        match llvm.disassembler(target) {
            Ok(disassembler) => Some(Self(disassembler)),
            Err(DisassemblerError::TooOld(_)) => None,
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) fn text(&mut self, words: [u32; 3]) -> Option<Text> {
        assert!(!ends_the_process(words), "{words:08x?}");
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let (line, bytes) = self.0.disassemble(&code, 0)?;
        // LLVM has a name for the word 0, which is no instruction.
        if line == "v_illegal" {
            return None;
        }
        let name = line.split_ascii_whitespace().next().unwrap_or_default();
        let name = ["_e64_dpp", "_e32", "_e64", "_sdwa", "_dpp"]
            .iter()
            .find_map(|suffix| name.strip_suffix(suffix))
            .unwrap_or(name);
        Some(Text { mnemonic: name.to_owned(), dwords: bytes / 4, line })
    }
}

/// Whether an opcode of VOP3P can be one of VOP3P-MAI.
fn is_matrix_opcode(opcode: u32) -> bool {
    opcode >= 44 && !(48..52).contains(&opcode)
}

/// Words on which LLVM 22.1's disassembler ends the process (SIGILL, SIGSEGV) where it should say that they are not an
/// instruction: a literal in VOP3 (even as the destination) or as
/// the scalar offset of a buffer instruction, reserved selections of SDWA, a source of V_MFMA_*_F8F6F4 that is no vector register, and a constant of floating point where an instruction takes
/// vector registers alone (VOP3P-MAI and V_ACCVGPR_MOV_B32).
pub(crate) fn ends_the_process(words: [u32; 3]) -> bool {
    let [first, second, _] = words;
    let literal = |low: u32| second >> low & 0x1ff == 255;
    let float = |code: u32| (240..=248).contains(&(code & 0x1ff));
    let is_vector = |code: u32| code & 0x1ff >= 256;
    match first >> 26 {
        0x34 if first >> 23 == 0x1a7
            && matches!(first >> 16 & 0x7f, 45 | 46)
            && !(is_vector(second) && is_vector(second >> 9)) =>
        {
            true
        }
        0x34 if first >> 23 == 0x1a7
            && is_matrix_opcode(first >> 16 & 0x7f)
            && (float(second) || float(second >> 9)) =>
        {
            true
        }
        0x1f if first >> 9 & 0xff == 82 && first >> 25 == 0x3f && (float(first) || first & 0x1ff == 255) => true,
        // A compare and V_READLANE_B32 have a scalar destination where the others have a VGPR.
        0x34 if first & 0xff == 255 && (first >> 16 & 0x3ff < 256 || first >> 16 & 0x3ff == 649) => true,
        0x34 => literal(0) || literal(9) || literal(18),
        // Loads of 96 bits into trap temporaries.
        0x3d => matches!(first >> 13 & 0x3f, 5 | 21) && (108..124).contains(&(first >> 6 & 0x7f)),
        0x33 => first >> 16 == 0xcc33 && !(is_vector(second) && is_vector(second >> 9)),
        0x38 | 0x3a => second >> 24 == 255,
        // The descriptor and the sampler of an image of RDNA 4.
        0x39 => literal(9) || literal(23),
        0x00..0x20 if first & 0x1ff == 249 => {
            second >> 8 & 7 == 7 || second >> 11 & 3 == 3 || second >> 16 & 7 == 7 || second >> 24 & 7 == 7
        }
        _ => false,
    }
}
