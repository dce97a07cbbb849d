//! Assembly text as its author writes it: for a target with features, with symbols from the command line and files that it includes.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;

use super::CodeError;
use super::error::TextProblem;
use super::foreign_syntax;
use super::included::{Line, Lines};
use super::label::is_of_name;
use super::listing_text;
use crate::llvm::AssembleError;

/// The feature of LLVM's that a wave of 64 lanes needs.
const WAVEFRONT: &str = ".amdhsa_wavefront_size32";
const TARGET: &str = ".amdgcn_target";
const PRINTS: &str = ".print is refused: a text prints nothing by itself";

/// What assembles a text for a target.
pub type Assemble<'a> = &'a dyn Fn(&str, &str) -> Result<Vec<u8>, AssembleError>;

/// The assembler's options next to the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// Folders in which files that are included are looked for.
    pub folders: Vec<PathBuf>,
    /// Symbols that have a value before the first line.
    pub definitions: Vec<Definition>,
}

/// A symbol and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    name: String,
    value: i64,
}

impl FromStr for Definition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        let is_name = name.chars().all(is_of_name);
        let is_name = is_name && name.starts_with(|it: char| !it.is_ascii_digit());
        let (digits, sign) = value.strip_prefix('-').map_or((value, 1), |digits| (digits, -1));
        let number = match digits.strip_prefix("0x") {
            Some(hex) => i64::from_str_radix(hex, 16).ok(),
            None => digits.parse().ok(),
        };
        let number = number.filter(|_| is_name).ok_or("a symbol, =, and a whole number")?;
        Ok(Self { name: name.to_owned(), value: sign * number })
    }
}

/// Assembly text, ready to be assembled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssemblyText {
    lines: Lines,
    definitions: Vec<Definition>,
    /// The target identifier that it is assembled for.
    target: String,
    /// Lanes of its waves.
    pub wave_size: u32,
}

impl AssemblyText {
    /// The text of a file, for a GPU: its own `.amdgcn_target` says with which features, and its kernels with waves of how many lanes, where
    /// the GPU has those that LLVM takes by itself.
    ///
    /// # Errors
    /// Its target is another one than that of the GPU; it prints.
    pub fn of(text: &str, file: &Path, options: &TextOptions, gpu: &Gpu) -> Result<Self, CodeError> {
        let mut lines = Lines::default();
        lines.add(file, text, &options.folders, 0);
        if listing_text::is_listing(text) {
            lines.lines.iter_mut().for_each(|line| line.text = listing_text::assembled(&line.text));
        }
        let own = gpu.processor();
        let wanted = lines.lines.iter().find_map(|line| target_id(&line.text));
        let named = wanted.and_then(Processor::find);
        if let Some(other) = named.filter(|named| !own.runs(*named)) {
            let (of_file, of_gpu) = (other.name().to_owned(), own.name().to_owned());
            return Err(CodeError::OtherProcessor { of_file, gpu: gpu.name.clone(), of_gpu });
        }
        let wave_size = if own.wave_size() == own.generation.lanes() {
            wide(&lines.lines).then(|| own.with_wave_size(64)).flatten().map_or(own.wave_size(), Processor::wave_size)
        } else {
            own.wave_size()
        };
        let target = named.and(wanted).unwrap_or(own.name());
        let processor = own.with_wave_size(wave_size).unwrap_or(own);
        let target = processor.with_wave_size_in(target);
        let text = Self { lines, definitions: options.definitions.clone(), target, wave_size };
        match (1..).zip(&text.lines.lines).find(|(_, line)| foreign_syntax::prints(&line.text)) {
            Some((number, _)) => Err(CodeError::Lines(vec![text.problem(number, 0, PRINTS.to_owned())])),
            None => Ok(text),
        }
    }

    /// The text, without the symbols that are defined before it.
    pub(super) fn text(&self) -> String {
        self.lines.lines.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect()
    }

    /// Assembles the text, or another one with the same lines.
    ///
    /// # Errors
    /// Every line that LLVM refuses.
    pub(super) fn assemble_as(&self, llvm: Assemble<'_>, text: &str) -> Result<Vec<u8>, CodeError> {
        let set = |Definition { name, value }: &Definition| format!(".set {name}, {value}\n");
        let mut all: String = self.definitions.iter().map(set).collect();
        all.push_str(text);
        llvm(&self.target, &all).map_err(|error| match error {
            AssembleError::Text(problems) => {
                let before = self.definitions.len();
                let problem = |it: &crate::llvm::Diagnostic| {
                    let line = it.line.saturating_sub(before);
                    self.problem(line, it.column, it.message.clone())
                };
                CodeError::Lines(problems.iter().map(problem).collect())
            }
            other => CodeError::Assemble(other),
        })
    }

    /// Assembles the text.
    ///
    /// # Errors
    /// Every line that LLVM refuses.
    pub fn assemble(&self, llvm: Assemble<'_>) -> Result<Vec<u8>, CodeError> {
        self.assemble_as(llvm, &self.text())
    }

    /// A problem at a place of the text: line and column from 1, 0 where it has none.
    pub(super) fn problem(&self, line: usize, column: usize, message: String) -> TextProblem {
        let at = line.checked_sub(1).and_then(|index| self.lines.lines.get(index));
        let file = at.map_or(0, |line| line.file);
        let text = at.map(|line| line.text.clone()).unwrap_or_default();
        let hint = foreign_syntax::hint(&text);
        let file = self.lines.files.get(file).map(|file| file.display().to_string()).unwrap_or_default();
        TextProblem { file, line: at.map_or(0, |line| line.number), column, message, text, hint }
    }
}

/// The target identifier in a line with the directive.
fn target_id(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix(TARGET)?.trim_start().strip_prefix('"')?;
    rest.split('"').next()?.rsplit("--").next()
}

/// Whether all kernels have waves of 64 lanes that say how many they have.
fn wide(lines: &[Line]) -> bool {
    let sizes = lines.iter().filter_map(|line| line.text.trim_start().strip_prefix(WAVEFRONT));
    let mut sizes = sizes.map(|rest| rest.split([';', '/']).next().unwrap_or_default().trim() == "0").peekable();
    sizes.peek().is_some() && sizes.all(|is_wide| is_wide)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_read_or_refused() {
        let of = |text: &str| text.parse::<Definition>().map(|it| (it.name, it.value));
        assert_eq!(of("UNROLL=4"), Ok(("UNROLL".to_owned(), 4)));
        assert_eq!([of("a.b=-0x10"), of("FLAG")], [Ok(("a.b".to_owned(), -16)), Ok(("FLAG".to_owned(), 1))]);
        assert!(["", "1=2", "A=", "A=x", "A B=1"].iter().all(|text| of(text).is_err()));
    }

    #[test]
    fn the_target_has_the_features_of_the_text_and_the_waves_of_its_kernels() {
        let of = |text: &str, gpu: &str| {
            let text = AssemblyText::of(text, Path::new("k.s"), &TextOptions::default(), &Gpu::named(gpu).unwrap());
            text.map(|text| text.target).map_err(|error| error.to_string())
        };
        let target = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-\"\n";
        assert_eq!(of(target, "mi300x").unwrap(), "gfx942:sramecc+:xnack-");
        assert_eq!(of("v_nop\n", "mi300x").unwrap(), "gfx942");
        assert!(of(target, "mi210").unwrap_err().contains("gfx942"));
        let wide = " .amdhsa_wavefront_size32 0\n";
        assert_eq!(of(wide, "rx7900xtx").unwrap(), "gfx1100:wavefrontsize64+");
        assert_eq!(of(&format!("{wide}.amdhsa_wavefront_size32 1\n"), "rx7900xtx").unwrap(), "gfx1100");
    }
}
