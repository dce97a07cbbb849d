//! Experiments on the wait of an instruction for the one before.
//!
//! Two instructions side by side, and the same two with fillers between them: the difference is the wait.

use gcn_model::isa::{Encoding, Instruction};
use gcn_model::record::{DISTANCE, NeighbourCase};

use crate::experiment::case::Case;
use crate::experiment::measurement::Measurement;
use crate::experiment::plan::{PAIR_LENGTHS, Plan};
use crate::experiment::subject::Subject;
use crate::kernel::{
    Action, Block, Filler, INTERNAL_FILLER, LINE_DWORDS, Order, Part, SCALAR_FILLER, Snippet, VECTOR_FILLER, is_jump,
};

/// What comes first: vector instructions of all classes, those of the CLRX table's 16-cycle rule, scalar ones, and writers of flags.
const PRODUCERS: [&str; 20] = [
    "V_ADD_I32",
    "V_SUB_I32",
    "V_SUBREV_I32",
    "V_ADD_U32",
    "V_SUB_U32",
    "V_ADD_CO_U32",
    "V_SUB_CO_U32",
    "V_READLANE_B32",
    "V_READFIRSTLANE_B32",
    "V_MOV_B32",
    "V_AND_B32",
    "V_ADD_F32",
    "V_MUL_LO_U32",
    "V_RCP_F32",
    "V_ADD_F64",
    "S_MOV_B32",
    "S_ADD_U32",
    "S_CMP_EQ_U32",
    "S_AND_SAVEEXEC_B64",
    "S_NOP",
];
/// The code after it.
const CONSUMERS: [&str; 9] = [
    "S_MOV_B32",
    "S_ADD_U32",
    "S_CMP_EQ_U32",
    "V_MOV_B32",
    "V_ADD_F32",
    "S_NOP",
    "S_CBRANCH_SCC1",
    "S_CBRANCH_VCCNZ",
    "S_CBRANCH_EXECZ",
];
/// Pairs that are also tried on more waves, where the CLRX table says that the delay is masked.
const MASKED: [(&str, &str); 3] =
    [("V_READLANE_B32", "S_ADD_U32"), ("S_CMP_EQ_U32", "S_CBRANCH_SCC1"), ("S_AND_SAVEEXEC_B64", "S_CBRANCH_EXECZ")];
/// Waves on a SIMD for these.
const WAVES: [u32; 2] = [2, 4];
/// Fillers between a pair that is far apart: four lines of 64 bytes, two of 128. Half of them are whole lines too.
const FAR: u32 = 4 * LINE_DWORDS;
/// Dwords of a block: as far as that from the consumer to the next producer, or nearly so.
const BLOCK_DWORDS: u32 = 2 * FAR;

impl Plan {
    /// All pairs of producers and consumers that the GPU has.
    pub(super) fn scheduling(&mut self, measured: Measurement<'_>) {
        for producer in PRODUCERS.into_iter().filter_map(|name| measured.wanted(name)) {
            for consumer in CONSUMERS.iter().filter_map(|name| measured.device.instruction(name)) {
                self.pair(measured, producer, consumer);
            }
        }
    }

    fn pair(&mut self, measured: Measurement<'_>, producer: &'static Instruction, consumer: &'static Instruction) {
        let (Some(first), Some(second)) = (measured.copies(producer), measured.copies(consumer)) else { return };
        let second = if is_jump(consumer) { second.jumping(Action::NotTaken) } else { Some(second) };
        let Some(second) = second else { return };
        let subject = Subject { filler: spacing(producer, consumer), ..Subject::new(measured, first) };
        let subject = subject.joined_by(second);
        let pair = NeighbourCase { producer: &producer.name, consumer: &consumer.name, is_dependent: false };
        let cases = pair_cases(&pair, &subject);
        self.cases(&subject, &cases, &PAIR_LENGTHS);
        if MASKED.contains(&(producer.name.as_str(), consumer.name.as_str())) {
            let subject = Subject { filler: VECTOR_FILLER, ..subject.clone() };
            self.cases_on_waves(&subject, &masked_cases(&pair, &subject), &WAVES);
        }
        if let Some(second) = subject.snippet.read_by(&subject.others[0]) {
            // One copy of each: the consumer reads the result of the producer before it.
            let first = Snippet { copies: subject.snippet.copies[..1].to_vec(), ..subject.snippet.clone() };
            let subject = Subject { snippet: first, others: vec![second], ..subject };
            let cases = pair_cases(&NeighbourCase { is_dependent: true, ..pair }, &subject);
            self.cases(&subject, &cases, &PAIR_LENGTHS);
        }
    }
}

/// The code between a producer and its consumer, and after them.
///
/// No unit executes S_NOP, so that it neither waits for the producer nor makes the consumer wait, and whatever a unit is held for beyond
/// its wave is over when the consumer comes. Where both want the same unit, they would wait for that hold side by side, and not apart: there a
/// filler of the same unit pays for it in both cases.
fn spacing(producer: &Instruction, consumer: &Instruction) -> Filler {
    match (unit(producer), unit(consumer)) {
        (Unit::Vector, Unit::Vector) => VECTOR_FILLER,
        (Unit::Scalar, Unit::Scalar) => SCALAR_FILLER,
        _ => INTERNAL_FILLER,
    }
}

/// Units of which a pair's instructions may want the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Vector,
    Scalar,
    Other,
}

fn unit(instruction: &Instruction) -> Unit {
    use Encoding::{Sop1, Sop2, Sopc, Sopk, Vop1, Vop2, Vop3, Vop3p, Vopc};
    match instruction.encoding {
        Vop1 | Vop2 | Vop3 | Vop3p | Vopc => Unit::Vector,
        Sop1 | Sop2 | Sopc | Sopk => Unit::Scalar,
        _ => Unit::Other,
    }
}

/// The pair a line apart, and side by side, for several waves. Other waves can hide a delay, and no unit executes S_NOP: the
/// fillers want the vector unit. They are few, so that the waves do not fall into one step.
fn masked_cases(case: &NeighbourCase<'_>, subject: &Subject<'_>) -> [Case<'static>; 2] {
    let rest = LINE_DWORDS - u32::from(subject.snippet.dwords);
    let of = |rule, parts| pair_case(case, rule, parts);
    let apart = vec![Part::Snippet, Part::Fillers(rest), Part::Other(0), Part::Fillers(LINE_DWORDS - 1)];
    let together = vec![Part::Snippet, Part::Other(0), Part::Fillers(rest + LINE_DWORDS - 1)];
    [of("scheduling-apart", apart), of("scheduling", together)]
}

fn pair_case(case: &NeighbourCase<'_>, rule: &'static str, parts: Vec<Part>) -> Case<'static> {
    Case { rule, case: case.to_string(), offset_dwords: None, block: (Block { parts }, Order::Straight) }
}

/// The pair far apart, less far apart, and side by side. Each instruction is at the same dword of a line in all of them, so that the front
/// end's charge cancels; where the first two differ, the consumer still waits when it is less far away, and the length of the wait is unknown.
fn pair_cases(case: &NeighbourCase<'_>, subject: &Subject<'_>) -> [Case<'static>; 3] {
    let pair = u32::from(subject.snippet.dwords) + u32::from(subject.others[0].dwords);
    let of = |rule, between: u32| {
        let behind = BLOCK_DWORDS - pair - between;
        pair_case(case, rule, vec![Part::Snippet, Part::Fillers(between), Part::Other(0), Part::Fillers(behind)])
    };
    [of("scheduling-apart", FAR), of(DISTANCE, FAR / 2), of("scheduling", 0)]
}
