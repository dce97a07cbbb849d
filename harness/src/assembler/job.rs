//! The objects of a module: those laid out here, and those that LLVM lays out.

use super::encoder::Encoder;
use super::encoding::Encoding;
use super::error::fail_on;
use super::kernel::{GROUP, Group, Passed};
use super::layout::{Layout, LineOrigin, Part};
use super::statement::mentions;
use super::{AssemblyError, KernelSource, LineError, ModuleSource, Text, object_file};
use crate::llvm::{AssembleError, Diagnostic};
use std::collections::HashSet;

/// What LLVM up to 19 fills the end of a text section with that has no function of its own, from gfx90a on: S_CODE_END, S_NOP on gfx90a and
/// gfx942 (`AMDGPUTargetELFStreamer::EmitCodeEnd`). Nothing executes it.
const PADDING: [u32; 2] = [0xbf9f_0000, 0xbf80_0000];

/// Whether a text section is code of a length, and padding after it or nothing.
fn is_padded(text: &[u8], length: usize) -> bool {
    let words = text.get(length..).map(|rest| rest.as_chunks::<4>());
    words.is_some_and(|(words, rest)| {
        rest.is_empty() && words.iter().all(|word| PADDING.contains(&u32::from_le_bytes(*word)))
    })
}

/// The common parts of a module's objects.
pub(super) struct Job<'a> {
    pub(super) module: &'a ModuleSource,
    pub(super) header: Vec<Passed<'a>>,
    pub(super) footer: Vec<Passed<'a>>,
    /// The kernels' definitions.
    pub(super) symbols: HashSet<&'a str>,
    pub(super) encoder: &'a dyn Encoder,
}

impl Job<'_> {
    /// The objects of a group: one for the kernels laid out here, one for each kernel that LLVM must lay out.
    pub(super) fn objects(
        &self,
        group: usize,
        parsed: &Group<'_>,
        encodings: &[Encoding],
        is_last: bool,
    ) -> Result<Vec<Vec<u8>>, AssemblyError> {
        let mut errors = Vec::new();
        let mut layout = Layout::default();
        let mut whole = Vec::new();
        layout.directives(Part::Header, &self.header);
        for (index, kernel) in parsed.kernels.iter().enumerate() {
            let number = group * GROUP + index;
            if kernel.whole || kernel.needs_symbols(encodings) {
                whole.push(number);
            } else {
                layout.kernel(number, &self.module.kernels[number], kernel, encodings, &mut errors);
            }
        }
        if is_last {
            layout.directives(Part::Footer, &self.footer);
        }
        fail_on(errors)?;
        let mut objects = vec![self.laid_out(layout, group)?];
        for number in whole {
            objects.push(self.assemble_whole(number)?);
        }
        Ok(objects)
    }

    fn laid_out(&self, layout: Layout, group: usize) -> Result<Vec<u8>, AssemblyError> {
        let mut object = self.assemble(&layout.text, &layout.places)?;
        let name = |number: usize| self.module.kernels.get(number).map_or("none", |kernel| &kernel.name);
        let last = ((group + 1) * GROUP).min(self.module.kernels.len()).saturating_sub(1);
        let disagree = |message: String| AssemblyError::Layout {
            kernels: format!("{} to {}", name(group * GROUP), name(last)),
            message,
        };
        let range = object_file::section_range(&object, ".text").map_err(disagree)?;
        let text = object.get_mut(range).filter(|text| is_padded(text, layout.code.len()));
        let text = text.ok_or_else(|| disagree(format!(".text has not {} bytes", layout.code.len())))?;
        for gap in layout.gaps {
            text[gap.clone()].copy_from_slice(&layout.code[gap]);
        }
        Ok(object)
    }

    fn assemble_whole(&self, number: usize) -> Result<Vec<u8>, AssemblyError> {
        let mut layout = Layout::default();
        layout.directives(Part::Header, &self.header);
        layout.text.push_str(".text\n");
        layout.places.push(None);
        for (line, text) in self.module.kernels[number].text.as_str().lines().enumerate() {
            layout.text.push_str(text);
            layout.text.push('\n');
            layout.places.push(Some(LineOrigin { part: Part::Kernel(number), line: line as u32, indent: Some(0) }));
        }
        let object = self.assemble(&layout.text, &layout.places)?;
        let source = &self.module.kernels[number];
        let strange = |message| AssemblyError::Layout { kernels: source.name.clone(), message };
        let mut undefined = object_file::undefined(&object).map_err(strange)?;
        undefined.retain(|symbol| !self.symbols.contains(symbol.strip_suffix(".kd").unwrap_or(symbol)));
        fail_on(undefined.iter().map(|symbol| undefined_symbol(source, symbol)).collect())?;
        Ok(object)
    }

    fn assemble(&self, text: &str, places: &[Option<LineOrigin>]) -> Result<Vec<u8>, AssemblyError> {
        self.encoder.assemble(&self.module.target, text).map_err(|error| match error {
            AssembleError::Text(diagnostics) => {
                let mut errors = diagnostics.into_iter().map(|diagnostic| self.locate(diagnostic, text, places));
                AssemblyError::Lines(errors.by_ref().collect())
            }
            error => error.into(),
        })
    }

    /// LLVM's message at the line of the source.
    fn locate(&self, diagnostic: Diagnostic, text: &str, places: &[Option<LineOrigin>]) -> LineError {
        let Diagnostic { line, column, message } = diagnostic;
        let index = line.checked_sub(1);
        // A line that was added here is wrong only because something before it is missing.
        let before = index.and_then(|index| places.get(..=index)?.iter().rev().find_map(|place| *place));
        let added = index.filter(|index| places.get(*index).is_none_or(Option::is_none));
        let added = added.map(|index| text.lines().nth(index).unwrap_or_default());
        let Some(place) = before else {
            let line = added.unwrap_or_default().to_owned();
            return LineError { origin: None, message, line, column: None, kernel: None };
        };
        let (message, column) = match added {
            Some(line) => (format!("`{}` cannot follow this line: {message}", line.trim()), 0),
            None => (message, column),
        };
        let (source, kernel): (&Text, _) = match place.part {
            Part::Header => (&self.module.header, None),
            Part::Footer => (&self.module.footer, None),
            Part::Kernel(number) => {
                let kernel = &self.module.kernels[number];
                (&kernel.text, Some(kernel.name.as_str()))
            }
        };
        let error = LineError::at(source, place.line as usize, message).in_kernel(kernel);
        match place.indent {
            Some(indent) if column > 0 => error.at_column(column + indent as usize),
            _ => error,
        }
    }
}

/// The error of the first line that names a symbol which nothing defines.
fn undefined_symbol(source: &KernelSource, symbol: &str) -> LineError {
    let mut lines = source.text.as_str().lines();
    let line = lines.position(|line| mentions(line, symbol)).unwrap_or_default();
    LineError::at(&source.text, line, format!("undefined symbol {symbol}")).in_kernel(Some(&source.name))
}

#[cfg(test)]
mod tests {
    use super::is_padded;

    #[test]
    fn code_may_end_in_what_older_llvm_pads_it_with_and_in_nothing_else() {
        let code = [0xbf81_0000_u32, 0xbf9f_0000, 0xbf9f_0000].map(u32::to_le_bytes).concat();
        assert!(is_padded(&code, 4) && is_padded(&code, 12));
        assert!(!is_padded(&code, 0), "S_ENDPGM is no padding");
        assert!(!is_padded(&code[..10], 4) && !is_padded(&code, 16));
    }
}
