//! The assembler: parse, encode new lines, lay out, let LLVM make the objects, link.

use super::encoder::Encoder;
use super::encoding::{Encoding, Memo};
use super::error::fail_on;
use super::job::Job;
use super::kernel::{GROUP, Group};
use super::parse::parse_directives;
use super::statement::mentions;
use super::{AssemblyError, KernelSource, LineError, ModuleSource};
use crate::llvm::{Linker, Llvm};
use rayon::prelude::*;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Assembles modules and remembers encoded instructions. May be shared between threads.
#[derive(Debug)]
pub struct Assembler {
    llvm: Llvm,
    linker: Linker,
    encoder: Option<Box<dyn Encoder>>,
    memos: Mutex<HashMap<String, Arc<Memo>>>,
}

impl Assembler {
    /// An assembler that knows no instruction yet.
    #[must_use]
    pub fn new(llvm: Llvm, linker: Linker) -> Self {
        Self { llvm, linker, encoder: None, memos: Mutex::default() }
    }

    /// With another encoder that replaces LLVM, for targets that LLVM does not know; LLVM's linker stays.
    #[must_use]
    pub fn with_encoder(llvm: Llvm, linker: Linker, encoder: Box<dyn Encoder>) -> Self {
        Self { encoder: Some(encoder), ..Self::new(llvm, linker) }
    }

    fn encoder(&self) -> &dyn Encoder {
        self.encoder.as_deref().unwrap_or(&self.llvm)
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
        let job = Job { module, header, footer, symbols, encoder: self.encoder() };
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
        let bad = memo.encode(self.encoder(), &module.target, &lines, is_symbolic)?;
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

    /// The machine code of instruction lines, each on its own, as bytes; lines whose code depends on labels, or that LLVM refuses, are
    /// left out.
    ///
    /// # Errors
    /// LLVM gives nothing that can be read.
    pub fn machine_code<'l>(
        &self,
        target: &str,
        lines: impl IntoIterator<Item = &'l str>,
    ) -> Result<HashMap<&'l str, Vec<u8>>, AssemblyError> {
        let memo = self.memo(target);
        let distinct: HashSet<&str> = lines.into_iter().collect();
        let distinct: Vec<&str> = distinct.into_iter().collect();
        let look_up = || distinct.iter().copied().zip(memo.look_up(distinct.iter().copied()));
        let new: Vec<&str> = look_up().filter(|(_, known)| known.is_none()).map(|(line, _)| line).collect();
        memo.encode(self.encoder(), target, &new, |_| false)?;
        Ok(look_up().filter_map(|(line, encoding)| Some((line, encoding?.bytes()?))).collect())
    }

    fn memo(&self, target: &str) -> Arc<Memo> {
        let mut memos = self.memos.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(memos.entry(target.to_owned()).or_default())
    }
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
