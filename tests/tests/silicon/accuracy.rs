//! Measured times next to the simulator's: `docs/accuracy.md`.

use std::fmt::Write as _;

use gcn_model::gpu::Gpu;
use gcn_simulator::{Block, BlockShape, Configuration, LoweredBlock};
use serde::Deserialize;

use crate::silicon::table::Judged;

/// Lines of the cases by their names: no instruction waits for another.
const LINES: [(&str, &str); 4] = [
    ("MFMA", "v_mfma_f32_16x16x16_bf16 v[0:3], v[16:17], v[18:19], v[0:3]"),
    ("EXP", "v_exp_f32_e32 v40, v41"),
    ("PACKED", "v_pk_add_f32 v[44:45], v[46:47], v[48:49]"),
    ("ADD", "v_add_f32_e32 v50, v51, v52"),
];

/// A case: code that is repeated, and its cycles on a card.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Case {
    #[serde(rename = "case")]
    pub name: String,
    pub family: String,
    gpu: String,
    waves: u32,
    pub measured: f64,
    pub source: String,
    code: String,
    pub cause: String,
}

/// A measured time and the simulator's.
pub(crate) struct Measured {
    pub case: Case,
    pub predicted: f64,
}

/// The cases that are small blocks, with the cycles of an iteration, by the words of lines on a target.
pub(crate) fn blocks(assemble: impl Fn(&str, &[String]) -> Vec<Vec<u32>>) -> Vec<Measured> {
    let cases = csv::Reader::from_reader(include_str!("cases.csv").as_bytes()).into_deserialize();
    let cases: Vec<Case> = cases.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("cases.csv: {error}"));
    let line =
        |name: &str| LINES.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}")).1.to_owned();
    let predict = |case: Case| {
        let gpu = Gpu::named(&case.gpu).unwrap_or_else(|error| panic!("{error}"));
        let lines: Vec<String> = case.code.split(';').map(line).collect();
        // Often enough that no end of a line of the cache counts.
        let words = assemble(&gpu.gfx_target, &lines).concat().repeat(8);
        let predicted = iteration(&gpu, &words, case.waves) / 8.0;
        Measured { case, predicted }
    };
    cases.into_iter().map(predict).collect()
}

/// Cycles of an iteration of a block in the long run.
fn iteration(gpu: &Gpu, words: &[u32], waves: u32) -> f64 {
    const ITERATIONS: [usize; 2] = [20, 60];
    let configuration = Configuration::of(gpu);
    let block = LoweredBlock::of(&configuration, Block { name: "case", address: 0, words }).unwrap();
    let shape = BlockShape { simds: 1, waves_per_simd: waves, waves_per_group: 1, iterations: 1 };
    let mut repetition = block.repeat(shape).unwrap();
    repetition.reach(ITERATIONS[1] as u32 + 1).unwrap();
    let starts: Vec<u64> = repetition.iterations().next().unwrap_or_default().to_vec();
    (starts[ITERATIONS[1]] - starts[ITERATIONS[0]]) as f64 / (ITERATIONS[1] - ITERATIONS[0]) as f64
}

/// A loop of a trace as a case; `None` if the trace has none.
pub(crate) fn of_loop(judged: &Judged, cycles: [Option<u64>; 2]) -> Option<Measured> {
    let [measured, predicted] = [cycles[0]?, cycles[1]?].map(|cycles| cycles as f64);
    let case = Case {
        name: format!("loop of {}", judged.trace),
        family: "RDNA".to_owned(),
        gpu: judged.gpu.clone(),
        waves: 0,
        measured,
        source: "thread trace, tinygrad (MIT)".to_owned(),
        code: String::new(),
        cause: judged.cause.clone(),
    };
    Some(Measured { case, predicted })
}

/// The head of each family, then all cases.
pub(crate) fn page(all: &[Measured]) -> String {
    let mut text =
        "| family | cases | mean absolute error | rank correlation (Kendall's tau) |\n| --- | --- | --- | --- |\n"
            .to_owned();
    let mut families: Vec<&str> = all.iter().map(|it| it.case.family.as_str()).collect();
    families.sort_unstable();
    families.dedup();
    for family in families {
        let of: Vec<&Measured> = all.iter().filter(|it| it.case.family == family).collect();
        let mean = of.iter().map(|it| error(it).abs()).sum::<f64>() / of.len() as f64;
        writeln!(text, "| {family} | {} | {mean:.1} % | {:.2} |", of.len(), tau(&of)).unwrap();
    }
    text += "\n| case | measured | simulated | error | source | cause of the difference |\n| --- | --- | --- | --- | --- | --- |\n";
    for it in all {
        let Case { name, measured, source, cause, .. } = &it.case;
        writeln!(text, "| {name} | {measured} | {:.2} | {:+.1} % | {source} | {cause} |", it.predicted, error(it))
            .unwrap();
    }
    text
}

/// Per cent of the measured time.
pub(crate) fn error(it: &Measured) -> f64 {
    100.0 * (it.predicted / it.case.measured - 1.0)
}

/// Of all pairs that differ in their measured time: those in the same order less those in the other, as a share.
fn tau(of: &[&Measured]) -> f64 {
    let (mut pairs, mut balance) = (0.0, 0.0);
    for (at, one) in of.iter().enumerate() {
        for other in &of[at + 1..] {
            let measured = one.case.measured - other.case.measured;
            if measured.abs() > 0.01 {
                pairs += 1.0;
                let predicted = one.predicted - other.predicted;
                balance += if predicted == 0.0 { 0.0 } else { measured.signum() * predicted.signum() };
            }
        }
    }
    if pairs == 0.0 { 1.0 } else { balance / pairs }
}
