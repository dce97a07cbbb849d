//! The Handlebars templates of the kernels, and their rendering.
//!
//! Every line of a template carries a mark with its number through the rendering, so that a line that does not
//! assemble can be shown with the template and the line that it came from.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use handlebars::Handlebars;
use serde::Serialize;

use super::align::aligned;
use super::context::{KernelContext, ModuleContext, kernarg_bytes};
use super::repairs::Repairs;
use super::{KernelError, KernelPlan, partials};
use crate::assembler::{KernelSource, ModuleSource, Origin, Text};
use crate::device::LdsRequest;
use gcn_model::isa::{Generation, Processor};
use gcn_model::regular_file;

/// Starts the mark of a line; it cannot occur in a template.
const MARK: char = '\u{1}';
/// The most bytes that a template may have: a hundred times those of the largest that ships.
const MOST_BYTES: u64 = 1 << 20;
/// The templates that ship.
const SHIPPED: [(&str, &str); 10] = [
    ("module", include_str!("../../../templates/module.s.hbs")),
    ("kernel", include_str!("../../../templates/kernel.s.hbs")),
    ("prologue", include_str!("../../../templates/prologue.s.hbs")),
    ("inputs", include_str!("../../../templates/inputs.s.hbs")),
    ("timed", include_str!("../../../templates/timed.s.hbs")),
    ("looped", include_str!("../../../templates/looped.s.hbs")),
    ("longer", include_str!("../../../templates/longer.s.hbs")),
    ("epilogue", include_str!("../../../templates/epilogue.s.hbs")),
    ("descriptor", include_str!("../../../templates/descriptor.s.hbs")),
    ("metadata", include_str!("../../../templates/metadata.s.hbs")),
];

/// A set of templates, ready to render.
#[derive(Debug)]
pub struct Templates {
    handlebars: Handlebars<'static>,
    files: Vec<Arc<str>>,
}

impl Templates {
    /// The templates that ship.
    ///
    /// # Errors
    /// None, as tests show; the type is that of [`Templates::from_folder`].
    pub fn shipped() -> Result<Self, KernelError> {
        Self::new(SHIPPED.map(|(name, text)| (name, format!("templates/{name}.s.hbs"), text.to_owned())))
    }

    /// The templates of a folder of the user's.
    ///
    /// # Errors
    /// A file that is missing or not a template.
    pub fn from_folder(folder: &Path) -> Result<Self, KernelError> {
        let mut files = Vec::new();
        for (name, _) in SHIPPED {
            let path = folder.join(format!("{name}.s.hbs"));
            let text = regular_file::read_to_string(&path, MOST_BYTES)
                .map_err(|cause| KernelError::Read { path: path.clone(), cause })?;
            files.push((name, path.display().to_string(), text));
        }
        Self::new(files)
    }

    fn new(files: impl IntoIterator<Item = (&'static str, String, String)>) -> Result<Self, KernelError> {
        let mut handlebars = Handlebars::new();
        handlebars.set_strict_mode(true);
        handlebars.register_escape_fn(handlebars::no_escape);
        let mut names = Vec::new();
        let files: Vec<_> = files.into_iter().collect();
        let texts: Vec<_> = files.iter().map(|(name, _, text)| (*name, text.as_str())).collect();
        partials::check(&texts)
            .map_err(|(place, problem)| KernelError::Template { name: files[place].1.clone(), problem })?;
        for (index, (name, file, text)) in files.into_iter().enumerate() {
            handlebars
                .register_template_string(name, marked(&text, index))
                .map_err(|error| KernelError::Template { name: file.clone(), problem: unmarked(&error.to_string()) })?;
            names.push(Arc::from(file));
        }
        Ok(Self { handlebars, files: names })
    }

    /// The module that holds kernels whose LDS is the launch's business, as text for the assembler.
    ///
    /// # Errors
    /// A template that cannot be rendered.
    pub fn module(
        &self,
        target: &str,
        generation: Generation,
        plans: &[KernelPlan],
    ) -> Result<ModuleSource, KernelError> {
        self.module_for(LdsRequest::Launch, target, generation, plans)
    }

    /// Likewise for a device that requests LDS in its own way. Machine code, registers and other arguments are the same in each.
    ///
    /// # Errors
    /// A template that cannot be rendered.
    pub fn module_for(
        &self,
        lds: LdsRequest,
        target: &str,
        generation: Generation,
        plans: &[KernelPlan],
    ) -> Result<ModuleSource, KernelError> {
        let kernarg_bytes = kernarg_bytes(lds);
        let processor = Processor::find(target);
        let lanes = processor.map_or(generation.lanes(), Processor::wave_size);
        let repairs = processor.map_or_else(Repairs::default, Repairs::of);
        use rayon::prelude::*;
        let kernels = plans
            .par_iter()
            .map(|plan| {
                let context = KernelContext::of(kernarg_bytes, (&generation, lanes), repairs, plan);
                Ok(KernelSource { name: plan.name.clone(), text: self.render("kernel", &context)? })
            })
            .collect::<Result<Vec<_>, KernelError>>()?;
        let context = ModuleContext::of(lds, target, (generation, lanes), plans);
        let header = self.render("module", &context)?;
        let footer = self.render("metadata", &context)?;
        Ok(ModuleSource { target: target.into(), header, kernels, footer })
    }

    fn render(&self, template: &str, context: &impl Serialize) -> Result<Text, KernelError> {
        let rendered = self.handlebars.render(template, context).map_err(|error| KernelError::Template {
            name: error.template_name.clone().unwrap_or_else(|| template.into()),
            problem: unmarked(&error.to_string()),
        })?;
        let mut text = Text::new();
        let mut origin = Origin { template: self.files[0].clone(), line: 1 };
        // Text of the context that holds line breaks leaves its first lines without a mark: they are of the line that ends with one.
        let mut waiting = Vec::new();
        for line in rendered.lines() {
            let (line, mark) = line.split_once(MARK).unwrap_or((line, ""));
            waiting.push(line);
            if let Some((file, number)) = mark.split_once(':')
                && let (Ok(file), Ok(number)) = (file.parse::<usize>(), number.parse())
                && let Some(file) = self.files.get(file)
            {
                origin = Origin { template: file.clone(), line: number };
                waiting.drain(..).for_each(|line| text.push(&aligned(line), &origin));
            }
        }
        waiting.into_iter().for_each(|line| text.push(&aligned(line), &origin));
        Ok(text)
    }
}

/// Appends to each line that will be a line of the result a mark with the template and the line's number.
fn marked(text: &str, template: usize) -> String {
    let mut marked = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        marked.push_str(line);
        if !is_standalone(line) {
            let _ = write!(marked, "{MARK}{template}:{number}");
        }
        marked.push('\n');
    }
    marked
}

/// Whether a line holds nothing but one block tag or partial, which Handlebars takes out whole.
fn is_standalone(line: &str) -> bool {
    let line = line.trim();
    let inner = line.strip_prefix("{{").and_then(|line| line.strip_suffix("}}"));
    inner.is_some_and(|inner| {
        let is_tag = inner.starts_with(['#', '/', '>', '!']) || inner.trim() == "else";
        is_tag && !inner.contains("}}")
    })
}

fn unmarked(message: &str) -> String {
    message.lines().map(|line| line.split(MARK).next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}
