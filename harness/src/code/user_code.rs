//! Code that a user brings.

use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;
use gcn_predict::{Names, Region, RegionKind};

use super::assembly_text::{Assemble, AssemblyText};
use super::fat_binary::FatBinary;
use super::function::Function;
use super::label::Label;
use super::markers::{begin_label, end_label, mark};
use super::object_code::TEXT_END;
use super::private_labels::PrivateLabels;
use super::user_object::UserObject;
use super::{CodeError, object_code};
use object::read::ReadRef;

/// The start of the labels that LLVM writes for line tables.
const DEBUG_LABEL: &str = ".Ltmp";

/// Code that a user brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserCode {
    /// Its target, as far as the file names it and this program knows it.
    pub processor: Option<Processor>,
    /// Lanes of the waves that a text was assembled for.
    pub wave_size: Option<u32>,
    /// Its functions, by section and address; at least one.
    pub functions: Vec<Function>,
    /// The regions that its author marked, each with the number of the function that it is in.
    pub marked: Vec<(usize, Region)>,
    /// The labels in its functions, those of the markers left out.
    pub labels: Vec<Label>,
}

impl UserCode {
    /// The code of an assembly text.
    ///
    /// # Errors
    /// Every line that LLVM refuses; markers that are not in pairs.
    pub fn of_text(text: &AssemblyText, llvm: Assemble<'_>) -> Result<Self, CodeError> {
        let wrong = |(line, problem): (usize, String)| CodeError::Lines(vec![text.problem(line, 0, problem)]);
        let mut marked_text = mark(&text.text()).map_err(wrong)?;
        marked_text.text.push_str(&format!(".text\n{TEXT_END}:\n"));
        let private = PrivateLabels::of(&marked_text.text);
        let published = (!private.names.is_empty()).then(|| private.published(&marked_text.text));
        // One in a part that is not assembled has no address: then none of them is a label here.
        let assembled = match published.map(|published| text.assemble_as(llvm, &published)) {
            Some(Ok(assembled)) => assembled,
            Some(Err(error)) if error.is_of_all() => return Err(error),
            _ => text.assemble_as(llvm, &marked_text.text)?,
        };
        let mut object = object_code::read(&assembled)?;
        let address_of = |label: &str| object.labels.iter().find(|it| it.name == label).map(|it| it.address);
        let mut marked = Vec::new();
        for (region, name) in marked_text.names.iter().enumerate() {
            let begin = address_of(&begin_label(region));
            let within = |function: &Function, at: u64| (function.code.address..function.code.end()).contains(&at);
            let function = object.functions.iter().position(|function| begin.is_some_and(|at| within(function, at)));
            let (Some(start), Some(function)) = (begin, function) else {
                return Err(CodeError::Object(format!("the region {name} has no code")));
            };
            let end = address_of(&end_label(region)).unwrap_or(object.functions[function].code.end());
            marked.push((function, Region { name: name.clone(), kind: RegionKind::Marked, start, end }));
        }
        let of_marker = |label: &Label| {
            let is_of = |region| label.name == begin_label(region) || label.name == end_label(region);
            (0..marked_text.names.len()).any(is_of)
        };
        object.labels.retain(|label| !of_marker(label));
        for label in &mut object.labels {
            private.rename(&mut label.name);
        }
        Ok(Self {
            processor: Processor::of_mach(object.mach),
            wave_size: Some(text.wave_size),
            functions: object.functions,
            marked,
            labels: object.labels,
        })
    }

    /// The code of an ELF file for AMDGPU, linked or not.
    ///
    /// # Errors
    /// Not for AMDGPU, or for an unknown processor, or damaged, or without code.
    pub fn of_object(bytes: &[u8]) -> Result<Self, CodeError> {
        let UserObject { processor, functions, labels, .. } = UserObject::read(bytes)?;
        Ok(Self { processor, wave_size: None, functions, marked: Vec::new(), labels })
    }

    /// The code for a GPU in an offload bundle, or in a program or library of a host that holds bundles.
    ///
    /// # Errors
    /// A file without such code, or a damaged one.
    pub fn of_fat_binary<'data>(data: impl ReadRef<'data>, gpu: &Gpu) -> Result<Self, CodeError> {
        Ok(Self::of_objects(FatBinary::read(data)?.objects(data, gpu)?, gpu))
    }

    /// The code of objects that are for a GPU.
    pub fn of_objects(objects: Vec<UserObject<'_>>, gpu: &Gpu) -> Self {
        let (mut functions, mut labels) = (Vec::new(), Vec::new());
        for object in objects {
            let of_object = object.labels.into_iter();
            labels.extend(of_object.map(|label| Label { function: label.function + functions.len(), ..label }));
            functions.extend(object.functions);
        }
        Self { processor: Some(gpu.processor()), wave_size: None, functions, marked: Vec::new(), labels }
    }

    /// The names in one of its functions: its own, its labels, and the lines of its source.
    pub fn names(&self, function: &Function) -> Names {
        let number = self.functions.iter().position(|other| std::ptr::eq(other, function));
        let mut names = Names { places: function.own_places(), ..Names::default() };
        let own = (!function.name.is_empty()).then(|| (function.code.address, function.name.clone()));
        let is_authors = |label: &&Label| !label.name.starts_with(DEBUG_LABEL);
        let labels = self.labels.iter().filter(|label| Some(label.function) == number).filter(is_authors);
        let mut labels: Vec<&Label> = labels.collect();
        // Jumps lead to private labels, where there are others as well.
        labels.sort_by_key(|label| label.name.starts_with(".L"));
        for (address, name) in own.into_iter().chain(labels.iter().map(|label| (label.address, label.name.clone()))) {
            names.labels.entry(address).or_default().push(name);
        }
        names
    }
}
