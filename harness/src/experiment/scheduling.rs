//! Experiments on what one instruction makes the next one wait.
//!
//! Two instructions side by side, and the same two with fillers between them: the difference is what the neighbourhood costs.

use gcn_model::isa::Instruction;
use gcn_model::record::DEPENDENT;

use super::MeasureOptions;
use super::case::Case;
use super::plan::{PAIR_LENGTHS, Plan};
use super::subject::Subject;
use crate::device::DeviceInformation;
use crate::kernel::{Action, Block, Copies, LINE_DWORDS, Order, Part, Target, VECTOR_FILLER, is_jump};

/// What comes first: vector instructions of all classes, those of the page's 16-cycle rule, scalar ones, and writers of flags.
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
/// What comes behind it.
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
/// Pairs that are also tried on more waves, where the page says that the delay is masked.
const MASKED: [(&str, &str); 3] =
    [("V_READLANE_B32", "S_ADD_U32"), ("S_CMP_EQ_U32", "S_CBRANCH_SCC1"), ("S_AND_SAVEEXEC_B64", "S_CBRANCH_EXECZ")];
/// Waves on a SIMD for these.
const WAVES: [u32; 2] = [2, 4];

impl Plan {
    /// All pairs of producers and consumers that the GPU has.
    pub(super) fn scheduling(&mut self, device: &DeviceInformation, options: &MeasureOptions) {
        let find = |name: &&str| device.instruction(name).filter(|found| options.wants(&found.name));
        for producer in PRODUCERS.iter().filter_map(find) {
            for consumer in CONSUMERS.iter().filter_map(|name| device.instruction(name)) {
                self.pair(device, options, producer, consumer);
            }
        }
    }

    fn pair(
        &mut self,
        device: &DeviceInformation,
        options: &MeasureOptions,
        producer: &'static Instruction,
        consumer: &'static Instruction,
    ) {
        let new = |instruction| Target::new(instruction, device.generation, Copies::Independent);
        let (Some(first), Some(second)) = (new(producer), new(consumer)) else { return };
        let second = if is_jump(consumer) { second.jumping(Action::NotTaken) } else { Some(second) };
        let Some(second) = second else { return };
        // Its fillers are of the vector kind, whatever comes first: a scalar one would itself have to wait.
        let rest = LINE_DWORDS - u32::from(first.dwords);
        let subject = Subject { filler: VECTOR_FILLER, ..Subject::new(device, options, first) }.joined_by(second);
        let cases = pair_cases(format!("{} > {}", producer.name, consumer.name), rest);
        self.cases(&subject, &cases, &PAIR_LENGTHS);
        if MASKED.contains(&(producer.name.as_str(), consumer.name.as_str())) {
            self.cases_on_waves(&subject, &cases, &WAVES);
        }
        if let Some(second) = subject.target.read_by(&subject.others[0]) {
            // One copy of each: the consumer reads what the producer in front of it wrote.
            let first = Target { copies: subject.target.copies[..1].to_vec(), ..subject.target.clone() };
            let subject = Subject { target: first, others: vec![second], ..subject };
            let case = format!("{} > {}{DEPENDENT}", producer.name, consumer.name);
            self.cases(&subject, &pair_cases(case, rest), &PAIR_LENGTHS);
        }
    }
}

/// The pair with a line of fillers between them, and the same side by side.
fn pair_cases(case: String, rest: u32) -> [Case<'static>; 2] {
    let of =
        |rule, parts| Case { rule, case: case.clone(), offset_dwords: None, block: (Block { parts }, Order::Straight) };
    let apart = vec![Part::Target, Part::Fillers(rest), Part::Other(0), Part::Fillers(LINE_DWORDS - 1)];
    let together = vec![Part::Target, Part::Other(0), Part::Fillers(rest + LINE_DWORDS - 1)];
    [of("scheduling-apart", apart), of("scheduling", together)]
}
