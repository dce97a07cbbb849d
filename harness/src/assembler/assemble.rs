//! The assembler: parse, encode what is new, lay out, let LLVM make the objects, link.

use super::encoding::{Encoding, Memo};
use super::layout::{Layout, Part, Place};
use super::parse::{Group, Passed, parse_directives};
use super::{AssemblyError, KernelSource, LineError, ModuleSource, Text, object_file};
use crate::llvm::{AssembleError, Diagnostic, Linker, Llvm};
use rayon::prelude::*;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Kernels of one object. Fixed, so that the code object does not depend on the number of threads.
const GROUP: usize = 256;

/// Assembles modules; keeps what it has learnt about instructions. May be shared between threads.
#[derive(Debug)]
pub struct Assembler {
    llvm: Llvm,
    linker: Linker,
    memos: Mutex<HashMap<String, Arc<Memo>>>,
}

impl Assembler {
    /// An assembler that knows no instruction yet.
    #[must_use]
    pub fn new(llvm: Llvm, linker: Linker) -> Self {
        Self { llvm, linker, memos: Mutex::default() }
    }

    /// The LLVM in use.
    #[must_use]
    pub fn llvm(&self) -> &Llvm {
        &self.llvm
    }

    /// The linker in use.
    #[must_use]
    pub fn linker(&self) -> &Linker {
        &self.linker
    }

    /// Assembles and links a module; gives the code object (ELF, `ET_DYN`, code object version 4), whose bytes depend on
    /// nothing but the module, LLVM and the linker.
    ///
    /// # Errors
    /// Every bad line found, with its template and line; what LLVM and the linker report otherwise.
    pub fn assemble(&self, module: &ModuleSource) -> Result<Vec<u8>, AssemblyError> {
        let mut errors = Vec::new();
        let (header, in_header) = parse_directives(&module.header);
        let (footer, in_footer) = parse_directives(&module.footer);
        let (groups, in_kernels): (Vec<Group<'_>>, Vec<Vec<LineError>>) =
            module.kernels.par_chunks(GROUP).map(Group::parse).unzip();
        errors.extend(in_header.into_iter().chain(in_kernels.into_iter().flatten()));
        errors.extend(check_symbols(module, &groups));
        errors.extend(in_footer);
        fail_on(errors)?;

        let encodings = self.encode(module, &groups)?;
        let labels = groups.iter().flat_map(|group| &group.kernels).flat_map(|kernel| &kernel.labels);
        let symbols = labels.filter(|label| label.defined.is_some()).map(|label| &*label.name).collect();
        let job = Job { module, header, footer, symbols, llvm: &self.llvm };
        let mut objects: Vec<Result<Vec<Vec<u8>>, AssemblyError>> = Vec::new();
        let numbered = groups.par_iter().zip(&encodings).enumerate();
        numbered
            .map(|(group, (parsed, encodings))| job.objects(group, parsed, encodings, group + 1 == groups.len()))
            .collect_into_vec(&mut objects);
        if groups.is_empty() {
            objects.push(job.objects(0, &Group::default(), &[], true));
        }
        let mut bad_lines = Vec::new();
        let mut linked = Vec::new();
        for result in objects {
            match result {
                Ok(objects) => linked.extend(objects),
                Err(AssemblyError::Lines(errors)) => bad_lines.extend(errors),
                Err(error) => return Err(error),
            }
        }
        fail_on(bad_lines)?;
        Ok(self.linker.link(&linked)?)
    }

    /// Encodings of every group's distinct lines, in their order.
    fn encode(&self, module: &ModuleSource, groups: &[Group<'_>]) -> Result<Vec<Vec<Encoding>>, AssemblyError> {
        let memo = self.memo(&module.target);
        let look_up = || -> Vec<Vec<Option<Encoding>>> {
            let lines = |group: &Group<'_>| memo.look_up(group.distinct.iter().map(|line| &*line.text));
            groups.par_iter().map(lines).collect()
        };
        let known = look_up();
        // New lines, each with the group and the place of its first occurrence.
        let mut new: HashMap<&str, ()> = HashMap::new();
        let (mut lines, mut occurrences) = (Vec::new(), Vec::new());
        for (number, (group, known)) in groups.iter().zip(&known).enumerate() {
            for (line, known) in group.distinct.iter().zip(known) {
                if known.is_none() && new.insert(&line.text, ()).is_none() {
                    lines.push(&*line.text);
                    occurrences.push((number, line));
                }
            }
        }
        let is_symbolic = |index: usize| {
            let (group, line) = occurrences[index];
            let kernel = &groups[group].kernels[line.kernel as usize];
            kernel.whole || kernel.labels.iter().any(|label| mentions(&line.text, &label.name))
        };
        let bad = memo.encode(&self.llvm, &module.target, &lines, is_symbolic)?;
        let mut errors: Vec<_> = bad
            .into_iter()
            .map(|bad| {
                let (group, line) = occurrences[bad.index];
                let kernel = group * GROUP + line.kernel as usize;
                let source = &module.kernels[kernel];
                let column = match bad.diagnostic.column {
                    0 => 0,
                    column => column + line.indent as usize,
                };
                let error = LineError::at(&source.text, line.line as usize, bad.diagnostic.message);
                ((kernel, line.line), error.in_kernel(Some(&source.name)).at_column(column))
            })
            .collect();
        errors.sort_by_key(|(place, _)| *place);
        fail_on(errors.into_iter().map(|(_, error)| error).collect())?;
        let known = if lines.is_empty() { known } else { look_up() };
        Ok(known
            .into_iter()
            .map(|group| group.into_iter().map(|line| line.unwrap_or(Encoding::Symbolic)).collect())
            .collect())
    }

    fn memo(&self, target: &str) -> Arc<Memo> {
        let mut memos = self.memos.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(memos.entry(target.to_owned()).or_default())
    }
}

fn fail_on(errors: Vec<LineError>) -> Result<(), AssemblyError> {
    if errors.is_empty() { Ok(()) } else { Err(AssemblyError::Lines(errors)) }
}

/// Whether a line names a symbol.
fn mentions(line: &str, symbol: &str) -> bool {
    line.split(|c: char| !super::statement::is_symbol(c)).any(|word| word == symbol)
}

/// The error of the first line that names a symbol which nothing defines.
fn undefined_symbol(source: &KernelSource, symbol: &str) -> LineError {
    let mut lines = source.text.as_str().lines();
    let line = lines.position(|line| mentions(line, symbol)).unwrap_or_default();
    LineError::at(&source.text, line, format!("undefined symbol {symbol}")).in_kernel(Some(&source.name))
}

/// Labels that are symbols of the code object must be there once, whichever objects their kernels get into.
fn check_symbols(module: &ModuleSource, groups: &[Group<'_>]) -> Vec<LineError> {
    let mut defined: HashMap<&str, (&KernelSource, u32)> = HashMap::new();
    let mut errors = Vec::new();
    for (source, kernel) in module.kernels.iter().zip(groups.iter().flat_map(|group| &group.kernels)) {
        for label in kernel.labels.iter().filter(|label| !label.is_local()) {
            let Some(line) = label.defined else { continue };
            match defined.entry(&label.name) {
                Entry::Vacant(entry) => drop(entry.insert((source, line))),
                Entry::Occupied(first) => {
                    let (first, first_line) = first.get();
                    let at = first.text.origin(*first_line as usize).map_or_else(String::new, |at| format!(" at {at}"));
                    let message = format!("{} is defined twice, first{at} in kernel {}", label.name, first.name);
                    let error = LineError::at(&source.text, line as usize, message);
                    errors.push(error.in_kernel(Some(&source.name)));
                }
            }
        }
    }
    errors
}

/// What the objects of a module have in common.
struct Job<'a> {
    module: &'a ModuleSource,
    header: Vec<Passed<'a>>,
    footer: Vec<Passed<'a>>,
    /// What the kernels define.
    symbols: HashSet<&'a str>,
    llvm: &'a Llvm,
}

impl Job<'_> {
    /// The objects of a group: one for what is laid out here, one for each kernel that LLVM must lay out.
    fn objects(
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
        let text = object.get_mut(range).filter(|text| text.len() == layout.code.len());
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
            layout.places.push(Some(Place { part: Part::Kernel(number), line: line as u32, indent: Some(0) }));
        }
        let object = self.assemble(&layout.text, &layout.places)?;
        let source = &self.module.kernels[number];
        let strange = |message| AssemblyError::Layout { kernels: source.name.clone(), message };
        let mut undefined = object_file::undefined(&object).map_err(strange)?;
        undefined.retain(|symbol| !self.symbols.contains(symbol.strip_suffix(".kd").unwrap_or(symbol)));
        fail_on(undefined.iter().map(|symbol| undefined_symbol(source, symbol)).collect())?;
        Ok(object)
    }

    fn assemble(&self, text: &str, places: &[Option<Place>]) -> Result<Vec<u8>, AssemblyError> {
        self.llvm.assemble(&self.module.target, text).map_err(|error| match error {
            AssembleError::Text(diagnostics) => {
                let mut errors = diagnostics.into_iter().map(|diagnostic| self.locate(diagnostic, text, places));
                AssemblyError::Lines(errors.by_ref().collect())
            }
            error => error.into(),
        })
    }

    /// LLVM's message at the line of the source.
    fn locate(&self, diagnostic: Diagnostic, text: &str, places: &[Option<Place>]) -> LineError {
        let Diagnostic { line, column, message } = diagnostic;
        let index = line.checked_sub(1);
        let Some(place) = index.and_then(|index| *places.get(index)?) else {
            let line = index.and_then(|index| text.lines().nth(index)).unwrap_or_default().to_owned();
            return LineError { origin: None, message, line, column: None, kernel: None };
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
