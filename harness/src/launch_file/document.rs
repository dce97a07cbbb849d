//! A launch file as read.

use std::path::{Path, PathBuf};

use gcn_model::quantity::Bytes;
use gcn_model::regular_file;
use gcn_predict::{Argument, LaunchArguments, PredictError, Value};
use serde::Deserialize;
use toml::Spanned;

use super::LaunchFileError;
use super::fill::BufferTable;
use super::location::Lines;

/// The most bytes that a launch file has.
const MOST_BYTES: u64 = 1 << 20;
/// A launch that takes more shader cycles is given up, if its file says nothing: a second of a card, and many minutes here.
const CYCLE_LIMIT: u64 = 1_000_000_000;

/// A launch file, with the places of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchFile {
    pub arguments: LaunchArguments,
    file: PathBuf,
    /// Where each argument stands.
    places: Vec<String>,
    group: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    grid: Spanned<Vec<u32>>,
    group: Spanned<Vec<u32>>,
    cycle_limit: Option<u64>,
    #[serde(default)]
    arguments: Vec<Spanned<ArgumentTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ArgumentTable {
    buffer: Option<BufferTable>,
    local: Option<LocalTable>,
    u32: Option<u32>,
    i32: Option<i32>,
    f32: Option<f32>,
    u64: Option<u64>,
    i64: Option<i64>,
    f64: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LocalTable {
    bytes: u32,
}

impl LaunchFile {
    /// Reads a launch file, whose buffers have this many bytes at most together; files that it names are relative to it.
    ///
    /// # Errors
    /// What cannot be read, or is wrong, with its line.
    pub fn read(file: &Path, most_bytes: u64) -> Result<Self, LaunchFileError> {
        let text = regular_file::read_to_string(file, MOST_BYTES)
            .map_err(|source| LaunchFileError::Read { file: file.display().to_string(), source })?;
        Self::of_text(&text, file, most_bytes)
    }

    /// As above, from a text; `file` is for messages and for the files that the text names.
    ///
    /// # Errors
    /// The fault, with its line.
    pub fn of_text(text: &str, file: &Path, most_bytes: u64) -> Result<Self, LaunchFileError> {
        let lines = Lines::of(file, text);
        let at = |offset: usize| lines.place(offset);
        let wrong = |offset: usize, problem: String| LaunchFileError::Wrong { at: at(offset), problem };
        let document: Document = toml::from_str(text).map_err(|error| {
            wrong(error.span().map_or(0, |span| span.start), error.message().trim().replace('\n', "; "))
        })?;
        let sizes = |key: &str, sizes: &Spanned<Vec<u32>>| {
            let given = sizes.get_ref();
            if given.is_empty() || given.len() > 3 || given.contains(&0) {
                let problem = format!("`{key}` is {given:?}; expected one to three numbers from 1 on");
                return Err(wrong(sizes.span().start, problem));
            }
            Ok(std::array::from_fn(|i| given.get(i).copied().unwrap_or(1)))
        };
        let (grid, group) = (sizes("grid", &document.grid)?, sizes("group", &document.group)?);
        let folder = file.parent().unwrap_or(Path::new("."));
        let (mut arguments, mut places, mut left) = (Vec::new(), Vec::new(), most_bytes);
        for (number, table) in (1..).zip(&document.arguments) {
            let offset = table.span().start;
            let problem = |problem: String| wrong(offset, format!("argument {number}: {problem}"));
            let argument = table.get_ref().argument(folder, left).map_err(problem)?;
            if let Argument::Buffer(bytes) = &argument {
                left -= bytes.len() as u64;
            }
            arguments.push(argument);
            places.push(at(offset));
        }
        let cycle_limit = document.cycle_limit.unwrap_or(CYCLE_LIMIT);
        Ok(Self {
            arguments: LaunchArguments { grid, group, arguments, cycle_limit },
            file: file.to_owned(),
            places,
            group: at(document.group.span().start),
        })
    }

    /// The place in the file of a value that a launch refused; the file if the value is not in it.
    pub fn place_of(&self, error: &PredictError) -> String {
        match error {
            PredictError::Argument { number, .. } => {
                self.places.get(number.wrapping_sub(1)).cloned().unwrap_or_else(|| self.file.display().to_string())
            }
            PredictError::Group(_) => self.group.clone(),
            _ => self.file.display().to_string(),
        }
    }
}

impl ArgumentTable {
    /// The argument; a buffer may have this many bytes.
    fn argument(&self, folder: &Path, most_bytes: u64) -> Result<Argument, String> {
        let value = |value: Value| Ok(Argument::Value(value));
        let given = [
            self.buffer.as_ref().map(|buffer| buffer.bytes(folder, most_bytes).map(Argument::Buffer)),
            self.local.as_ref().map(|local| Ok(Argument::Local(Bytes(local.bytes)))),
            self.u32.map(|number| value(Value::U32(number))),
            self.i32.map(|number| value(Value::I32(number))),
            self.f32.map(|number| value(Value::F32(number))),
            self.u64.map(|number| value(Value::U64(number))),
            self.i64.map(|number| value(Value::I64(number))),
            self.f64.map(|number| value(Value::F64(number))),
        ];
        let mut given = given.into_iter().flatten();
        match (given.next(), given.next()) {
            (Some(argument), None) => argument,
            _ => Err("expected one of `buffer`, `local`, `u32`, `i32`, `f32`, `u64`, `i64`, `f64`".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<LaunchFile, String> {
        LaunchFile::of_text(text, Path::new("launch.toml"), 1 << 20).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_are_in_their_order() {
        let text = "grid = [128, 2]\ngroup = [64]\n\n[[arguments]]\nbuffer = { bytes = 8, fill = \"index\", type = \"u32\" }\n\
                    [[arguments]]\nlocal = { bytes = 256 }\n[[arguments]]\nf32 = 2\n[[arguments]]\ni64 = -5\n";
        let file = read(text).unwrap();
        assert_eq!((file.arguments.grid, file.arguments.group), ([128, 2, 1], [64, 1, 1]));
        let arguments = [
            Argument::Buffer(vec![0, 0, 0, 0, 1, 0, 0, 0]),
            Argument::Local(Bytes(256)),
            Argument::Value(Value::F32(2.0)),
            Argument::Value(Value::I64(-5)),
        ];
        assert_eq!(file.arguments.arguments, arguments);
        let error = PredictError::Argument { number: 3, problem: String::new() };
        assert_eq!(file.place_of(&error), "launch.toml:8:1");
        assert_eq!(file.place_of(&PredictError::Group(String::new())), "launch.toml:2:9");
    }

    #[test]
    fn buffers_have_a_limit_in_sum() {
        let buffers = |count: usize| {
            let text = "[[arguments]]\nbuffer = { bytes = 262144 }\n".repeat(count);
            read(&format!("grid = [64]\ngroup = [64]\n{text}"))
        };
        assert_eq!(buffers(4).unwrap().arguments.arguments.len(), 4);
        let error = buffers(5).unwrap_err();
        assert!(error.starts_with("launch.toml:11:1: argument 5: ") && error.contains("--launch-memory"), "{error}");
    }

    #[test]
    fn each_of_many_arguments_has_its_place() {
        let file = read(&format!("grid = [64]\ngroup = [64]\n{}", "[[arguments]]\nu32 = 1\n".repeat(20_000))).unwrap();
        let error = PredictError::Argument { number: 20_000, problem: String::new() };
        assert_eq!(file.place_of(&error), "launch.toml:40001:1");
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| read(text).unwrap_err();
        let head = "grid = [64]\ngroup = [64]\n[[arguments]]\n";
        assert!(error("grid = [64]\n").contains("missing field `group`"), "{}", error("grid = [64]\n"));
        assert!(error("grid = [64]\ngroup = [0]\n").starts_with("launch.toml:2:9: `group` is [0]"));
        assert!(
            error("gird = [64]\n").starts_with("launch.toml:1:1: unknown field `gird`"),
            "{}",
            error("gird = [64]\n")
        );
        assert!(error(&format!("{head}u33 = 1\n")).starts_with("launch.toml:4:1: unknown field `u33`"));
        assert!(
            error(&format!("{head}u32 = -1\n")).starts_with("launch.toml:4:7: "),
            "{}",
            error(&format!("{head}u32 = -1\n"))
        );
        for wrong in ["", "u32 = 1\nf32 = 1.0\n"] {
            assert!(error(&format!("{head}{wrong}")).starts_with("launch.toml:3:1: argument 1: expected one of"));
        }
        for (buffer, problem) in [
            ("bytes = 8, fill = \"file\"", "`file` is missing"),
            ("bytes = 8, seed = 3", "`seed` is for"),
            ("fill = \"zero\"", "`bytes` is missing"),
            ("bytes = 6, fill = \"index\", type = \"f32\"", "6 bytes are not a whole number of f32"),
            ("bytes = 99999999999", "--launch-memory raises it"),
            ("fill = \"file\", file = \"no such file\"", "no such file: "),
            ("bytes = 8, fill = \"ones\"", "unknown variant `ones`"),
        ] {
            let error = error(&format!("{head}buffer = {{ {buffer} }}\n"));
            assert!(error.contains(problem) && error.starts_with("launch.toml:"), "{buffer}: {error}");
        }
    }
}
