//! What other sources make of a prediction.

use std::collections::BTreeMap;

use gcn_model::gpu::Gpu;
use gcn_predict::{Card, Code, Dispute, MeasuredTiming, Prediction, Question, Span, predict_between};
use gcn_tests::chip;

/// On Vega 20 it takes 8 cycles by measurements on cards, and 16 by CLRX's page.
const DISPUTED: &str = "V_MUL_LO_U32";

/// The prediction of an assembly text on a card, with one wave.
fn predicted(card: &Card, text: &str) -> Prediction {
    let object = chip(&card.gpu.name, "").object(text);
    let code = Code { address: object.code_address, words: object.code.into() };
    let region = code.regions(card.gpu.processor()).unwrap().remove(0);
    predict_between(card, &code, &region, Question::default()).unwrap()
}

fn by<'p>(prediction: &'p Prediction, source: &str) -> Option<&'p Dispute> {
    prediction.disputes.as_ref().unwrap().iter().find(|dispute| dispute.source == source)
}

#[test]
fn a_disagreeing_source_has_its_own_result() {
    let vega20 = Card::from(&Gpu::named("vega20").unwrap());
    let prediction = predicted(&vega20, &"v_mul_lo_u32 v0, v1, v2\n".repeat(100));
    assert_eq!(prediction.cycles_per_iteration.0, 800.0);
    let clrx = by(&prediction, "clrx").unwrap_or_else(|| panic!("{:?}", prediction.disputes));
    assert_eq!(clrx.cycles_per_iteration.0, 1600.0);
    let [told] = clrx.instructions.as_slice() else { panic!("{clrx:?}") };
    assert_eq!((told.instruction.as_str(), told.cycles, told.predicted_cycles), (DISPUTED, 16, 8));
    assert!(!told.is_measured);
    assert!(by(&prediction, "silicon").is_none(), "it says the same: {:?}", prediction.disputes);
    // Nobody disputes a move.
    assert_eq!(predicted(&vega20, "v_mov_b32 v0, v1\n").disputes, Some(Vec::new()));
}

#[test]
fn measured_values_settle_disputes() {
    let mut vega20 = Card::from(&Gpu::named("vega20").unwrap());
    let cycles = Span { low: 12.0, value: 12.0, high: 12.0 };
    vega20.measured = BTreeMap::from([(DISPUTED.to_owned(), MeasuredTiming { cycles, throughput: None })]);
    let prediction = predicted(&vega20, &"v_mul_lo_u32 v0, v1, v2\n".repeat(10));
    assert_eq!(prediction.cycles_per_iteration.0, 120.0);
    let clrx = by(&prediction, "clrx").unwrap();
    assert!(clrx.instructions[0].is_measured);
    assert_eq!(clrx.cycles_per_iteration, prediction.cycles_per_iteration);
}

#[test]
fn a_jump_is_disputed_as_it_goes() {
    let tahiti = Card::from(&Gpu::named("tahiti").unwrap());
    let prediction = predicted(&tahiti, "again:\nv_mov_b32 v0, v1\ns_branch again\n");
    let llvm = by(&prediction, "llvm").unwrap_or_else(|| panic!("{:?}", prediction.disputes));
    let told = llvm.instructions.iter().find(|told| told.instruction == "S_BRANCH").unwrap();
    let predicted = prediction.instructions[1].issue.0;
    assert_eq!((told.cycles, f64::from(told.predicted_cycles)), (32, predicted));
    assert_eq!(llvm.cycles_per_iteration.0 - prediction.cycles_per_iteration.0, 32.0 - predicted);
}

#[test]
fn a_load_that_waits_in_a_queue_is_judged_by_its_issue() {
    let told = |gpu: &str| {
        let load = "global_load_dwordx4 v[4:7], v[0:1], off\n".repeat(8);
        let prediction = predicted(&Card::from(&Gpu::named(gpu).unwrap()), &load);
        let aco = by(&prediction, "mesa-aco")?;
        aco.instructions.first().map(|told| (told.cycles, told.predicted_cycles))
    };
    assert_eq!(told("mi300x"), Some((4, 16)), "a wave waits there for the data of each");
    assert_eq!(told("mi350x"), None);
}
