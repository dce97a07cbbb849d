//! Measured times next to the simulator's: `docs/accuracy.md`.

use std::fmt::Write as _;

use gcn_harness::mca::{Comparison, LlvmMca};
use gcn_model::gpu::Gpu;
use gcn_predict::{Code, Question, predict};
use gcn_tests::{chip, tau};
use serde::Deserialize;

use crate::silicon::table::Judged;

/// Lines of the cases by their names: no instruction waits for another.
const LINES: [(&str, &str); 11] = [
    ("MFMA", "v_mfma_f32_16x16x16_bf16 v[0:3], v[16:17], v[18:19], v[0:3]"),
    ("EXP", "v_exp_f32_e32 v40, v41"),
    ("PACKED", "v_pk_add_f32 v[44:45], v[46:47], v[48:49]"),
    ("ADD", "v_add_f32_e32 v50, v51, v52"),
    ("WAIT", "s_waitcnt lgkmcnt(0)"),
    ("READ32", "ds_read_b32 v60, v64"),
    ("READ64", "ds_read_b64 v[60:61], v64"),
    ("READ128", "ds_read_b128 v[60:63], v64"),
    ("WRITE32", "ds_write_b32 v64, v60"),
    ("WRITE64", "ds_write_b64 v64, v[60:61]"),
    ("WRITE128", "ds_write_b128 v64, v[60:63]"),
];

/// A case: code that is repeated, and its cycles on a card.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Case {
    #[serde(rename = "case")]
    pub name: String,
    pub family: String,
    /// Whether its source gave values to the GPU file (`fitted`), or not (`judged`).
    pub part: String,
    gpu: String,
    waves: u32,
    pub measured: f64,
    pub source: String,
    code: String,
    pub cause: String,
}

impl Case {
    /// One that no block of `cases.csv` is.
    pub(crate) fn of(name: &str, [family, part]: [&str; 2], measured: f64, source: &str, cause: &str) -> Self {
        let [name, family, part, source, cause] = [name, family, part, source, cause].map(str::to_owned);
        Self { name, family, part, gpu: String::new(), waves: 0, measured, source, code: String::new(), cause }
    }
}

/// A measured time, the simulator's, and llvm-mca's.
pub(crate) struct Measured {
    pub case: Case,
    pub predicted: f64,
    /// Absent where it says nothing: of the waves of a trace, or without the program.
    pub mca: Option<f64>,
}

/// Cycles of an iteration of the first region of a text: the simulator's, and llvm-mca's for one wave.
pub(crate) fn iteration(mca: Option<&LlvmMca>, gpu: &Gpu, text: &str, question: Question) -> [Option<f64>; 2] {
    let object = chip(&gpu.name, "").object(text);
    let code = Code { address: object.code_address, words: object.code.into() };
    let region = code.regions(gpu.processor()).unwrap().remove(0);
    let prediction = predict(gpu, &code, &region, question).unwrap();
    let compared =
        mca.map(|mca| Comparison::of(mca, gpu, &code, &prediction).unwrap_or_else(|error| panic!("{error}")));
    [Some(prediction.cycles_per_iteration.0), compared.map(|compared| compared.cycles_per_iteration.0)]
}

/// The cases that are small blocks, with the cycles of an iteration.
pub(crate) fn blocks(mca: Option<&LlvmMca>) -> Vec<Measured> {
    /// Often enough that no end of a line of the cache counts.
    const TIMES: usize = 8;
    let cases = csv::Reader::from_reader(include_str!("cases.csv").as_bytes()).into_deserialize();
    let cases: Vec<Case> = cases.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("cases.csv: {error}"));
    let line = |name: &str| LINES.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}")).1;
    let measured = |case: Case| {
        let gpu = Gpu::named(&case.gpu).unwrap_or_else(|error| panic!("{error}"));
        let lines = case.code.split(';').map(|name| format!("{}\n", line(name))).collect::<String>();
        let question = Question { waves_per_simd: case.waves, simds: 1, ..Question::default() };
        let text = format!("{}s_endpgm\n", lines.repeat(TIMES));
        let [predicted, mca] = iteration(mca, &gpu, &text, question).map(|cycles| cycles.map(|it| it / TIMES as f64));
        Measured { case, predicted: predicted.unwrap_or_default(), mca }
    };
    cases.into_iter().map(measured).collect()
}

/// A loop of a trace as a case; `None` if the trace has none.
pub(crate) fn of_loop(judged: &Judged, cycles: [Option<u64>; 2]) -> Option<Measured> {
    let [measured, predicted] = [cycles[0]?, cycles[1]?].map(|cycles| cycles as f64);
    let name = format!("loop of {}", judged.trace);
    let family = if judged.trace.starts_with("gfx9") { "CDNA" } else { "RDNA" };
    let case = Case::of(&name, [family, &judged.part], measured, "thread trace, tinygrad (MIT)", &judged.cause);
    Some(Measured { case, predicted, mca: None })
}

/// The head of each family, then all cases.
pub(crate) fn page(all: &[Measured]) -> String {
    let mut text =
        "| family | part | cases | mean absolute error | rank correlation (Kendall's tau) |\n| --- | --- | --- | --- | --- |\n"
            .to_owned();
    let mut groups: Vec<[&str; 2]> = all.iter().map(|it| [it.case.family.as_str(), it.case.part.as_str()]).collect();
    groups.sort_unstable();
    groups.dedup();
    for [family, part] in groups {
        let of: Vec<&Measured> = all.iter().filter(|it| it.case.family == family && it.case.part == part).collect();
        let orders: Vec<[f64; 2]> = of.iter().map(|it| [it.case.measured, it.predicted]).collect();
        let mean = of.iter().map(|it| error(it).abs()).sum::<f64>() / of.len() as f64;
        writeln!(text, "| {family} | {part} | {} | {mean:.1} % | {} |", of.len(), tau(&orders)).unwrap();
    }
    text += "\n| case | part | measured | simulated | error | llvm-mca | source | cause of the difference |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for it in all {
        let Case { name, part, measured, source, cause, .. } = &it.case;
        let mca = it.mca.map_or_else(|| "–".to_owned(), |cycles| format!("{cycles:.2}"));
        let (simulated, error) = (it.predicted, error(it));
        writeln!(
            text,
            "| {name} | {part} | {measured} | {simulated:.2} | {error:+.1} % | {mca} | {source} | {cause} |"
        )
        .unwrap();
    }
    text
}

/// The page without llvm-mca's column, for a machine without the program.
pub(crate) fn without_mca(page: &str) -> String {
    let mut lines = Vec::new();
    for line in page.lines() {
        let mut cells: Vec<&str> = line.split(" | ").collect();
        if cells.len() == 8 {
            cells.remove(5);
        }
        lines.push(cells.join(" | "));
    }
    lines.join("\n")
}

/// Per cent of the measured time.
pub(crate) fn error(it: &Measured) -> f64 {
    100.0 * (it.predicted / it.case.measured - 1.0)
}
