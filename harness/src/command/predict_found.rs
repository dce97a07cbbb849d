//! The predictions of `gcn-timings predict`, and their output.

use std::io::Write;
use std::path::Path;

use gcn_model::gpu::Gpu;
use gcn_predict::{Hazard, Prediction, Recorded, Timeline, page, rows, text, trace, trip_text};
use serde::Serialize;

use super::predict_questions::{Answered, Answers};
use super::predict_table::table;
use super::prediction_format::{Format, Heading, SIMULATED};
use crate::mca::comparison_text;

/// The version of the JSON; it changes with the meaning of a field.
const SCHEMA: &str = "gcn-timings-predict-1";

/// What `--format json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    heading: Heading<'a>,
    predictions: Vec<Answered>,
}

/// Predictions, each with its answers, and with its timeline if one is shown.
#[derive(Default)]
pub(super) struct Found {
    pub(super) predictions: Vec<Prediction>,
    pub(super) timelines: Vec<Timeline>,
    pub(super) answers: Vec<Answers>,
}

impl Found {
    /// Takes those of another region in.
    pub(super) fn add(&mut self, other: Self) {
        self.predictions.extend(other.predictions);
        self.timelines.extend(other.timelines);
        self.answers.extend(other.answers);
    }

    /// The breaches of given limits.
    pub(super) fn objections(&self, file: &Path, denies_hazards: bool) -> Vec<String> {
        let file = file.display();
        let of_answers = self.answers.iter().filter_map(Answers::objection);
        let mut objections: Vec<String> = of_answers.map(|objection| format!("{file}: {objection}")).collect();
        if denies_hazards {
            let of_prediction = |prediction: &Prediction| {
                let words = prediction.hazards.iter().map(Hazard::words);
                words.map(|words| format!("{file}: {}: {words}", prediction.region.name)).collect::<Vec<_>>()
            };
            objections.extend(self.predictions.iter().flat_map(of_prediction));
        }
        // Of each number of waves it is the same.
        objections.sort();
        objections.dedup();
        objections
    }

    /// Prints them; as text a table, if they are for all numbers of waves.
    pub(super) fn print(
        self,
        format: Format,
        (file, gpu): (&Path, &Gpu),
        header: String,
        is_table: bool,
    ) -> anyhow::Result<()> {
        let file = file.display().to_string();
        let printed = match format {
            Format::Text if is_table => format!("{SIMULATED}\n{header}\n{}", table(&self.predictions)),
            Format::Text => format!("{SIMULATED}\n{header}\n{}", self.text(gpu)),
            Format::Json => self.json(file, gpu)?,
            Format::Csv => rows(gpu, &self.predictions),
            Format::Html => page(&file, gpu, &self.recorded())?,
            Format::Trace => trace(gpu, &self.recorded()),
        };
        Ok(std::io::stdout().lock().write_all(printed.as_bytes())?)
    }

    fn recorded(self) -> Vec<Recorded> {
        let recorded = self.predictions.into_iter().zip(self.timelines);
        recorded.map(|(prediction, timeline)| Recorded { prediction, timeline }).collect()
    }

    fn json(self, file: String, gpu: &Gpu) -> anyhow::Result<String> {
        let answered = self.predictions.into_iter().zip(self.answers);
        let predictions = answered.map(|(prediction, answers)| Answered { prediction, answers }).collect();
        let answer = Answer { heading: Heading::new(SCHEMA, file, gpu), predictions };
        Ok(serde_json::to_string_pretty(&answer)? + "\n")
    }

    fn text(&self, gpu: &Gpu) -> String {
        let of = |(prediction, answers): (&Prediction, &Answers)| {
            let trip = answers.trip.as_ref().map(|trip| format!("\n{}", trip_text(prediction, trip)));
            let mca = answers.mca.as_ref().map(|comparison| comparison_text(prediction, comparison));
            text(gpu, prediction) + &answers.text(gpu) + &trip.unwrap_or_default() + &mca.unwrap_or_default()
        };
        self.predictions.iter().zip(&self.answers).map(of).collect::<Vec<_>>().join("\n")
    }
}
