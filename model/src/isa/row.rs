//! The rows of the instruction files: an instruction's description, and its opcodes in a generation.

use std::collections::HashMap;
use std::hash::Hash;

use serde::Deserialize;

use super::data_file::DataFile;
use super::files::rows;
use super::format::{Format, Formats};
use super::target_rows::{self, ProcessorRow};
use super::{Encoding, FieldName, Instruction, InstructionClasses, IsaError, Operand, Segment};

/// A row of a generation's `instructions.csv`. One without a source has its description in the file that all generations share.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    encoding: Encoding,
    name: String,
    opcode: u16,
    #[serde(default)]
    vop3: Option<u16>,
    #[serde(default)]
    sdwa: String,
    #[serde(default)]
    dpp: String,
    #[serde(default)]
    feature: Option<String>,
    #[serde(default)]
    fixed: String,
    #[serde(default, rename = "same-as")]
    same_as: Option<String>,
    #[serde(default)]
    segment: String,
    #[serde(default)]
    lds: String,
    #[serde(default)]
    gather: String,
    #[serde(default)]
    operands: String,
    #[serde(default)]
    llvm: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    classes: String,
}

/// A row of a file that the generations share.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedRow {
    name: String,
    #[serde(default)]
    segment: String,
    #[serde(default)]
    lds: String,
    #[serde(default)]
    gather: String,
    operands: String,
    llvm: String,
    source: String,
    #[serde(default)]
    classes: String,
}

/// What does not depend on the generation.
#[derive(Clone)]
struct Description {
    segment: Option<Segment>,
    lds: bool,
    gathers: bool,
    operands: Vec<Operand>,
    llvm_name: Option<String>,
    source: String,
    classes: InstructionClasses,
}

/// The descriptions that the generations share, by encoding and name.
pub(super) struct Descriptions(HashMap<(Encoding, String), Description>);

impl Descriptions {
    /// Reads the files, each of which is named after its encoding.
    pub(super) fn read<'a>(files: impl IntoIterator<Item = (Encoding, DataFile<'a>)>) -> Result<Self, IsaError> {
        let mut all = HashMap::with_capacity(1500);
        for (encoding, file) in files {
            for (line, row) in rows::<SharedRow>(&file)? {
                let SharedRow { name, segment, lds, gather, operands, llvm, source, classes } = row;
                check_name(&name, &file, line)?;
                if source.is_empty() {
                    return Err(IsaError::value(&file, line, "source", "", "where the row's facts come from"));
                }
                let texts = Texts { segment, lds, gather, operands, llvm, source, classes };
                let description = texts.description(encoding, &file, line)?;
                if all.insert((encoding, name.clone()), description).is_some() {
                    let (first, second) = (name.clone(), name);
                    return Err(IsaError::Twice { file: file.0.to_owned(), line, what: "name", first, second });
                }
            }
        }
        Ok(Self(all))
    }
}

/// The columns of a description as in the file.
struct Texts {
    segment: String,
    lds: String,
    gather: String,
    operands: String,
    llvm: String,
    source: String,
    classes: String,
}

impl Texts {
    fn description(self, encoding: Encoding, file: &DataFile<'_>, line: u64) -> Result<Description, IsaError> {
        let bad = |column, value: &str, expected| Err(IsaError::value(file, line, column, value, expected));
        let segment = match (encoding, self.segment.as_str()) {
            (Encoding::Flat, "flat") => Some(Segment::Flat),
            (Encoding::Flat, "scratch") => Some(Segment::Scratch),
            (Encoding::Flat, "global") => Some(Segment::Global),
            (Encoding::Flat, other) => return bad("segment", other, "flat, scratch or global"),
            (_, "") => None,
            (_, other) => return bad("segment", other, "nothing, since only FLAT has segments"),
        };
        let operands = self
            .operands
            .split_ascii_whitespace()
            .map(str::parse)
            .collect::<Result<Vec<Operand>, _>>()
            .map_err(|source| IsaError::Operand { file: file.0.to_owned(), line, source })?;
        let is_yes = |column, text: &str| match text {
            "yes" => Ok(true),
            "" | "no" => Ok(false),
            other => Err(IsaError::value(file, line, column, other, "yes or no")),
        };
        let (lds, gathers) = (is_yes("lds", &self.lds)?, is_yes("gather", &self.gather)?);
        let llvm_name = match self.llvm.as_str() {
            "" => None,
            "-" => Some(String::new()),
            name => Some(name.to_owned()),
        };
        let Some(classes) = InstructionClasses::read(&self.classes) else {
            return bad("classes", &self.classes, "classes of model/data/isa/README.md, with spaces between them");
        };
        Ok(Description { segment, lds, gathers, operands, llvm_name, source: self.source, classes })
    }
}

/// Rows of which no target may have two, by the property that they share: the name and the feature of each.
struct Rivals<Shared>(HashMap<Shared, Vec<(String, Option<String>)>>);

impl<Shared: Eq + Hash> Rivals<Shared> {
    fn with_capacity(capacity: usize) -> Self {
        Self(HashMap::with_capacity(capacity))
    }

    /// Adds a row, unless a target would have an earlier one too: gives that one's name.
    fn add(&mut self, shared: Shared, row: &Instruction, kinds: &[Kind<'_>]) -> Result<(), String> {
        let rivals = self.0.entry(shared).or_default();
        let meets =
            |rival: &Option<String>| kinds.iter().any(|it| it.has(rival.as_deref()) && it.has(row.feature.as_deref()));
        if let Some((first, _)) = rivals.iter().find(|(_, feature)| meets(feature)) {
            return Err(first.clone());
        }
        rivals.push((row.name.clone(), row.feature.clone()));
        Ok(())
    }
}

/// A target, and the lanes of its waves.
struct Kind<'a>(&'a ProcessorRow, u32);

impl Kind<'_> {
    fn has(&self, wanted: Option<&str>) -> bool {
        self.0.has(wanted, self.1)
    }
}

/// Reads a generation's instructions, in their order; refuses a name or an opcode that a target would have twice, and a feature
/// that no target has.
pub(super) fn instructions(
    file: &DataFile<'_>,
    shared: &Descriptions,
    formats: &Formats,
    processors: &[ProcessorRow],
    wave_sizes: &[u32],
) -> Result<Vec<Instruction>, IsaError> {
    let kinds: Vec<_> = processors.iter().flat_map(|it| wave_sizes.iter().map(|size| Kind(it, *size))).collect();
    let mut all = Vec::with_capacity(1500);
    let mut names = Rivals::with_capacity(1500);
    let mut codes = Rivals::with_capacity(2500);
    for (line, row) in rows::<Row>(file)? {
        let instruction = row.instruction(file, line, shared, formats)?;
        let twice = |what, first: String| {
            let second = instruction.name.clone();
            IsaError::Twice { file: file.0.to_owned(), line, what, first, second }
        };
        if let Some(feature) = instruction.feature.as_deref() {
            let mut words = feature.split_ascii_whitespace().map(|word| word.trim_start_matches('-'));
            let is_known = words.all(|word| match target_rows::wave_size(word) {
                Some(size) => wave_sizes.contains(&size),
                None => processors.iter().any(|it| it.has_feature(word)),
            });
            if !is_known || !kinds.iter().any(|kind| kind.has(Some(feature))) {
                let expected = "a feature of a target in targets.csv, or `-` and one that some of them lack";
                return Err(IsaError::value(file, line, "feature", feature, expected));
            }
        }
        names.add(instruction.name.clone(), &instruction, &kinds).map_err(|first| twice("name", first))?;
        let native = (instruction.encoding, instruction.segment, instruction.opcode);
        let promoted = instruction.vop3_opcode.map(|code| (Encoding::Vop3, None, code));
        for code in [Some(native), promoted].into_iter().flatten() {
            codes.add(code, &instruction, &kinds).map_err(|first| twice("opcode", first))?;
        }
        all.push(instruction);
    }
    Ok(all)
}

impl Row {
    fn instruction(
        self,
        file: &DataFile<'_>,
        line: u64,
        shared: &Descriptions,
        formats: &Formats,
    ) -> Result<Instruction, IsaError> {
        let bad = |column, value: &str, expected| IsaError::value(file, line, column, value, expected);
        check_name(&self.name, file, line)?;
        let is_yes = |column, text: &str| match text {
            "yes" => Ok(true),
            "" | "no" => Ok(false),
            other => Err(bad(column, other, "yes or no")),
        };
        let (sdwa, dpp) = (is_yes("sdwa", &self.sdwa)?, is_yes("dpp", &self.dpp)?);
        for (column, encoding, code) in
            [("opcode", self.encoding, Some(self.opcode)), ("vop3", Encoding::Vop3, self.vop3)]
        {
            let Some(code) = code else { continue };
            let format = formats
                .format(encoding)
                .ok_or_else(|| bad("encoding", encoding.name(), "an encoding that encodings.csv has"))?;
            if code > format.highest_opcode().max(format.highest_second_opcode()) {
                return Err(bad(column, &code.to_string(), "an opcode that the encoding's field can hold"));
            }
        }
        let fixed = fixed_fields(&self.fixed)
            .ok_or_else(|| bad("fixed", &self.fixed, "field=value, of fields.csv, with spaces between them"))?;
        let encoding = self.encoding;
        let description = if self.source.is_empty() {
            let known = shared.0.get(&(encoding, self.same_as.clone().unwrap_or_else(|| self.name.clone())));
            known.cloned().ok_or_else(|| {
                let expected = "a row of the encoding's file in model/data/isa, or operands and a source here";
                bad("name", &self.name, expected)
            })?
        } else {
            let Self { segment, lds, gather, operands, llvm, source, classes, .. } = self;
            Texts { segment, lds, gather, operands, llvm, source, classes }.description(encoding, file, line)?
        };
        let Description { segment, lds, gathers, operands, llvm_name, source, classes } = description;
        Ok(Instruction {
            name: self.name,
            encoding,
            own_dwords: formats.format(encoding).map_or(encoding.dwords(), Format::dwords),
            segment,
            opcode: self.opcode,
            vop3_opcode: self.vop3,
            sdwa,
            dpp,
            feature: self.feature,
            same_as: self.same_as,
            fixed,
            lds,
            gathers,
            operands,
            llvm_name,
            source,
            classes,
        })
    }
}

/// Reads a cell of fields with constant values; `None` if it is malformed.
fn fixed_fields(cell: &str) -> Option<Vec<(FieldName, u32)>> {
    let fields = cell.split_ascii_whitespace().map(|text| {
        let (name, value) = text.split_once('=')?;
        Some((FieldName::find(name)?, value.parse().ok()?))
    });
    fields.collect()
}

fn check_name(name: &str, file: &DataFile<'_>, line: u64) -> Result<(), IsaError> {
    let is_upper =
        name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains(|c: char| c.is_ascii_lowercase());
    if is_upper { Ok(()) } else { Err(IsaError::value(file, line, "name", name, "an upper-case instruction name")) }
}
