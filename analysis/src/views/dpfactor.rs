//! DPFACTOR of a run with its evidence, for a reader.

use super::origin::heading;
use super::page::{dpfactor_sentence, dpfactor_table};
use crate::document::{Document, Fact, Tone, Topic};
use crate::results::Results;
use crate::tables::{Measured, Number};
use crate::verdict::NoDoublePrecision;

impl Results {
    /// The factor among the published ones, its interval, and the instructions that say otherwise.
    ///
    /// # Errors
    /// No instruction says anything of it.
    pub fn dpfactor_document(&self) -> Result<Document, NoDoublePrecision> {
        let found = self.dpfactor.as_ref().map_err(|absent| *absent)?;
        let mut page = Document::default();
        heading(&mut page, Topic::Dpfactor, &self.record);
        page.paragraph(dpfactor_sentence(found));
        if let Some(interval) = found.interval() {
            page.fact(Fact::plain("95 % interval", &interval));
        }
        let field: Vec<String> = self.record.dp_rate_field.iter().map(ToString::to_string).collect();
        if !field.is_empty() {
            let generation = self.record.device.known_generation();
            let name = generation.map_or_else(|| "DP_RATE".to_owned(), |of| of.assembly.dp_rate_name());
            page.fact(Fact::plain(&name, &format!("{}; its coding is not published", field.join(", "))));
        }
        for row in found.rows.iter().filter(|row| !row.agrees) {
            let factor = Number::cycles(Measured { value: row.factor, low: row.low, high: row.high });
            page.fact(Fact { tone: Tone::Bad, ..Fact::plain(&row.instruction, &format!("says {factor}")) });
        }
        page.part("Published factors");
        dpfactor_table(&mut page, self, found);
        Ok(page)
    }
}
