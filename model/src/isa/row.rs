//! One row of an ISA file as text, and what it says.

use serde::Deserialize;

use super::files::IsaFile;
use super::{Encoding, Generation, Instruction, IsaError, Operand, Segment};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row<'a> {
    name: &'a str,
    #[serde(default)]
    segment: &'a str,
    #[serde(rename = "gcn1.0")]
    gcn10: Option<u16>,
    #[serde(rename = "gcn1.1")]
    gcn11: Option<u16>,
    #[serde(rename = "gcn1.2")]
    gcn12: Option<u16>,
    #[serde(rename = "gcn1.4")]
    gcn14: Option<u16>,
    #[serde(default)]
    vop3: &'a str,
    #[serde(default)]
    sdwa: &'a str,
    #[serde(default)]
    dpp: &'a str,
    #[serde(default)]
    lds: &'a str,
    operands: &'a str,
    llvm: &'a str,
    source: &'a str,
}

const OPCODE_COLUMNS: [&str; 4] = ["gcn1.0", "gcn1.1", "gcn1.2", "gcn1.4"];

pub(super) fn read(file: &IsaFile) -> Result<Vec<Instruction>, IsaError> {
    let csv_error = |source| IsaError::Csv { file: file.name, source };
    let mut reader = csv::Reader::from_reader(file.text.as_bytes());
    let headers = reader.headers().map_err(csv_error)?.clone();
    let mut record = csv::StringRecord::new();
    let mut instructions = Vec::with_capacity(256);
    while reader.read_record(&mut record).map_err(csv_error)? {
        let line = record.position().map_or(0, csv::Position::line);
        let row: Row<'_> = record.deserialize(Some(&headers)).map_err(csv_error)?;
        instructions.push(row.instruction(file, line)?);
    }
    Ok(instructions)
}

impl Row<'_> {
    fn instruction(&self, file: &IsaFile, line: u64) -> Result<Instruction, IsaError> {
        let bad = |column, value: &str, expected| IsaError::Value {
            file: file.name,
            line,
            column,
            value: value.to_owned(),
            expected,
        };
        if !self.name.starts_with(|c: char| c.is_ascii_uppercase())
            || self.name.contains(|c: char| c.is_ascii_lowercase())
        {
            return Err(bad("name", self.name, "an upper-case instruction name"));
        }
        let opcode = [self.gcn10, self.gcn11, self.gcn12, self.gcn14];
        for (column, code) in OPCODE_COLUMNS.into_iter().zip(opcode) {
            if let Some(code) = code
                && code > file.encoding.highest_opcode()
            {
                return Err(bad(column, &code.to_string(), "an opcode that the encoding's field can hold"));
            }
        }
        if opcode == [None; 4] {
            return Err(bad("gcn1.0", "", "an opcode in at least one generation"));
        }
        if self.source.is_empty() {
            return Err(bad("source", "", "where the row's facts come from"));
        }
        let segment = match (file.encoding, self.segment) {
            (Encoding::Flat, "flat") => Some(Segment::Flat),
            (Encoding::Flat, "scratch") => Some(Segment::Scratch),
            (Encoding::Flat, "global") => Some(Segment::Global),
            (Encoding::Flat, other) => return Err(bad("segment", other, "flat, scratch or global")),
            (_, "") => None,
            (_, other) => return Err(bad("segment", other, "nothing, since only FLAT has segments")),
        };
        let operands = self
            .operands
            .split_ascii_whitespace()
            .map(str::parse)
            .collect::<Result<Vec<Operand>, _>>()
            .map_err(|source| IsaError::Operand { file: file.name, line, source })?;
        Ok(Instruction {
            name: self.name.to_owned(),
            encoding: file.encoding,
            segment,
            opcode,
            vop3_opcode: vop3_opcodes(file.encoding, opcode, self.vop3)
                .ok_or_else(|| bad("vop3", self.vop3, "yes, no, or generations as 1.2 or 1.2=624"))?,
            sdwa: generations(opcode, self.sdwa)
                .ok_or_else(|| bad("sdwa", self.sdwa, "generations as `1.2 1.4`, or no"))?,
            dpp: generations(opcode, self.dpp)
                .ok_or_else(|| bad("dpp", self.dpp, "generations as `1.2 1.4`, or no"))?,
            lds: match self.lds {
                "yes" => true,
                "" | "no" => false,
                other => return Err(bad("lds", other, "yes or no")),
            },
            operands,
            llvm_name: match self.llvm {
                "" => None,
                "-" => Some(String::new()),
                name => Some(name.to_owned()),
            },
            source: self.source.to_owned(),
        })
    }
}

/// The VOP3 opcodes that the column `vop3` says: `yes` (by the rule, in every generation), `no`, or a list of
/// generations, each with an opcode (`1.2=624`) where it departs from the rule.
fn vop3_opcodes(encoding: Encoding, opcode: [Option<u16>; 4], text: &str) -> Option<[Option<u16>; 4]> {
    let by_rule = |generation: Generation| encoding.vop3_opcode(generation, opcode[generation.index()]?);
    let mut codes = [None; 4];
    match text {
        "" | "no" => {}
        "yes" => codes = Generation::ALL.map(by_rule),
        list => {
            for item in list.split_ascii_whitespace() {
                let (name, code) = item.split_once('=').map_or((item, None), |(name, code)| (name, Some(code)));
                let generation = Generation::ALL.into_iter().find(|generation| generation.name() == name)?;
                let code = match code {
                    Some(code) => code.parse().ok().filter(|&code| code <= Encoding::Vop3.highest_opcode())?,
                    None => by_rule(generation)?,
                };
                opcode[generation.index()]?;
                codes[generation.index()] = Some(code);
            }
        }
    }
    Some(codes)
}

fn generations(opcode: [Option<u16>; 4], text: &str) -> Option<[bool; 4]> {
    let mut present = [false; 4];
    for name in text.split_ascii_whitespace().filter(|&name| name != "no") {
        let generation = Generation::ALL.into_iter().find(|generation| generation.name() == name)?;
        opcode[generation.index()]?;
        present[generation.index()] = true;
    }
    Some(present)
}
