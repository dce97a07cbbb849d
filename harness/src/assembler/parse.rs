//! Kernels as text, taken apart for the layout.

use super::comment::Comments;
use super::directive::{Directive, hides_lines};
use super::kernel::{Group, Item, Kernel, Label, Passed};
use super::line::Line;
use super::metadata::Metadata;
use super::statement::{Statement, split_label};
use super::{KernelSource, LineError, Text};
use std::borrow::Cow;
use std::collections::HashMap;

/// Repetition may make this many items of a kernel (16 bytes each).
const MOST_ITEMS: usize = 1 << 22;

impl<'a> Group<'a> {
    /// Takes the kernels apart; gives every line that cannot be used.
    pub(super) fn parse(sources: &'a [KernelSource]) -> (Self, Vec<LineError>) {
        let mut group = Self::default();
        let mut errors = Vec::new();
        for source in sources {
            let mut parser = Parser::new(&mut group, &source.text, Some(&source.name), &mut errors);
            parser.parse();
            let kernel = parser.finish_kernel(&source.name);
            group.kernels.push(kernel);
        }
        (group, errors)
    }
}

/// The directives of a header or footer; every other line is an error.
pub(super) fn parse_directives(text: &Text) -> (Vec<Passed<'_>>, Vec<LineError>) {
    let mut group = Group::default();
    let mut errors = Vec::new();
    let mut parser = Parser::new(&mut group, text, None, &mut errors);
    parser.parse();
    (parser.kernel.passed, errors)
}

/// Why LLVM would not take a line for one line, if it would not.
fn runs_on(line: &str) -> Option<&'static str> {
    if line.contains(|character: char| character.is_control() && character != '\t') {
        return Some("a control character");
    }
    let quotes = line.replace("\\\\", "").replace("\\\"", "").matches('"').count();
    (quotes % 2 == 1).then_some("a text in quotes that does not end")
}

struct Parser<'a, 'g> {
    group: &'g mut Group<'a>,
    source: &'a Text,
    /// The kernel's name; `None` in a header or footer.
    name: Option<&'a str>,
    errors: &'g mut Vec<LineError>,
    kernel: Kernel<'a>,
    numbers: HashMap<Cow<'a, str>, u32>,
    line: u32,
    in_text: bool,
    in_metadata: bool,
    metadata: Metadata,
    has_descriptor: bool,
    repeats: Vec<Repeat>,
    sizes: Vec<Size>,
}

/// A `.size`: LLVM ends the program if it is not a number in the end.
struct Size {
    expression: String,
    in_text: bool,
    line: u32,
}

/// An open `.rept`.
struct Repeat {
    count: usize,
    /// The first of the repeated items.
    start: usize,
    line: u32,
}

impl<'a, 'g> Parser<'a, 'g> {
    fn new(group: &'g mut Group<'a>, source: &'a Text, name: Option<&'a str>, errors: &'g mut Vec<LineError>) -> Self {
        Self {
            group,
            source,
            name,
            errors,
            kernel: Kernel::default(),
            numbers: HashMap::new(),
            line: 0,
            in_text: true,
            in_metadata: false,
            metadata: Metadata::default(),
            has_descriptor: false,
            repeats: Vec::new(),
            sizes: Vec::new(),
        }
    }

    fn parse(&mut self) {
        let mut comments = Comments::default();
        for (line, text) in self.source.as_str().lines().enumerate() {
            self.line = line as u32;
            if self.in_metadata {
                // YAML, in which a comment starts otherwise.
                self.in_metadata = text.trim() != ".end_amdgpu_metadata";
                let taken = if self.in_metadata { self.metadata.take(text) } else { Ok(()) };
                if let Err(problem) = taken {
                    self.fail(problem.to_owned());
                }
                self.pass(Cow::Borrowed(text), 0);
                continue;
            }
            let in_code = self.in_text && !comments.is_open();
            if in_code && let Some(&instruction) = self.group.known.get(text) {
                self.add(Item::Instruction(instruction));
                continue;
            }
            let blanked = Line::new(comments.blank(text));
            if let Some(problem) = runs_on(blanked.as_str()) {
                self.fail(problem.to_owned());
                continue;
            }
            if !self.in_text {
                self.parse_other(&blanked);
            } else if let Some(instruction) = self.parse_text(&blanked)
                && in_code
                && !comments.is_open()
            {
                self.group.known.insert(text, instruction);
            }
        }
        if self.in_metadata {
            self.fail(".amdgpu_metadata without .end_amdgpu_metadata".to_owned());
        }
        for Repeat { line, .. } in std::mem::take(&mut self.repeats) {
            self.line = line;
            self.fail(".rept without .endr".to_owned());
        }
    }

    /// A line of the text section; gives the instruction if there is nothing else in the line.
    fn parse_text(&mut self, line: &Line<'a>) -> Option<u32> {
        let mut rest = line.as_str();
        let mut labelled = false;
        while let Some((label, after)) = split_label(rest) {
            self.define(line.part(label));
            rest = after;
            labelled = true;
        }
        match Statement::read(rest) {
            Statement::Empty => {}
            Statement::Assignment => self.fail("assignments are not supported in the text section".to_owned()),
            Statement::Directive { name, operands } => self.directive(line, rest, name, operands),
            Statement::Branch { before, label } => {
                let instruction = self.instruction(Cow::Owned(format!("{before}0")), line.columns_before(before));
                let label = self.label(line.part(label));
                self.add(Item::Branch { instruction, label, line: self.line });
            }
            Statement::Instruction(text) => {
                let instruction = self.instruction(line.part(text), line.columns_before(text));
                self.add(Item::Instruction(instruction));
                return (!labelled).then_some(instruction);
            }
        }
        None
    }

    fn directive(&mut self, line: &Line<'a>, rest: &str, name: &str, operands: &str) {
        if name == ".amdgpu_metadata" {
            return self.start_metadata(line);
        }
        if name == ".size" {
            self.size(operands);
        }
        match Directive::read(name, operands) {
            Directive::Passed | Directive::Text => self.pass(line.part(rest), line.columns_before(rest)),
            Directive::OtherSection => {
                self.in_text = false;
                self.kernel.whole |= !self.repeats.is_empty();
                self.pass(line.part(rest), line.columns_before(rest));
            }
            Directive::Align { bytes } => {
                let passed = self.kernel.passed.len() as u32;
                self.kernel.passed.push(Passed {
                    text: line.part(rest),
                    line: self.line,
                    indent: line.columns_before(rest),
                });
                self.add(Item::Align { bytes: bytes as u32, passed });
            }
            Directive::Data(bytes) => {
                let start = self.kernel.data.len() as u32;
                self.kernel.data.extend(bytes);
                self.add(Item::Data(start..self.kernel.data.len() as u32));
            }
            Directive::Repeat(count) => {
                self.kernel.whole |= count.is_none();
                let (count, start) = (count.unwrap_or(1), self.kernel.items.len());
                self.repeats.push(Repeat { count, start, line: self.line });
            }
            Directive::EndRepeat => self.end_repeat(),
            Directive::Whole if self.name.is_none() => self.fail_code(),
            Directive::Whole => self.kernel.whole = true,
            Directive::TooLarge => self.fail(format!("{name} {operands} is more than any kernel needs")),
            Directive::Unknown => self.fail(format!("{name} is not supported in the text section")),
        }
    }

    fn size(&mut self, operands: &str) {
        let expression = operands.split_once(',').map_or("", |(_, expression)| expression.trim()).to_owned();
        self.sizes.push(Size { expression, in_text: self.in_text, line: self.line });
    }

    /// Whether a size is a number: one that is written, or the distance of two labels of the kernel's code.
    fn is_number(&self, size: &Size) -> bool {
        let is_place = |term: &str| {
            let labels = &self.kernel.labels;
            term == "." && size.in_text || labels.iter().any(|label| label.name == term && label.defined.is_some())
        };
        match size.expression.split_once('-') {
            Some((end, start)) => is_place(end.trim()) && is_place(start.trim()),
            None => size.expression.parse::<u32>().is_ok(),
        }
    }

    fn start_metadata(&mut self, line: &Line<'a>) {
        if self.name.is_some() {
            self.fail("metadata belongs in the footer: a code object has one note for all kernels".to_owned());
        }
        self.in_metadata = true;
        self.metadata = Metadata::default();
        self.pass(line.whole(), 0);
    }

    fn end_repeat(&mut self) {
        let Some(Repeat { count, start, .. }) = self.repeats.pop() else {
            return self.fail(".endr without .rept".to_owned());
        };
        let body = self.kernel.items.split_off(start);
        if count != 1 && body.iter().any(|item| matches!(item, Item::Label(_))) {
            return self.fail("a label cannot be repeated".to_owned());
        }
        if body.len().saturating_mul(count) > MOST_ITEMS {
            return self.fail(format!("more than {MOST_ITEMS} repeated lines"));
        }
        for _ in 0..count {
            self.kernel.items.extend_from_slice(&body);
        }
    }

    /// A line of another section: LLVM's business, but for changes of the section.
    fn parse_other(&mut self, line: &Line<'a>) {
        let text = line.as_str().trim();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (name, operands) = (&text[..end], text[end..].trim());
        match name {
            "" => return,
            ".size" => self.size(operands),
            ".amdgpu_metadata" => return self.start_metadata(line),
            ".amdhsa_kernel" => {
                if self.name == Some(operands) {
                    if self.has_descriptor {
                        self.fail(format!("a second descriptor of {operands}"));
                    }
                    self.has_descriptor = true;
                } else {
                    let expected = self.name.unwrap_or("none");
                    self.fail(format!("descriptor of {operands}, but this is the text of {expected}"));
                }
            }
            _ if hides_lines(name) => self.fail(format!("{name} is not supported")),
            _ => {}
        }
        self.in_text = name.starts_with('.') && Directive::read(name, operands) == Directive::Text;
        self.pass(line.whole(), 0);
    }

    fn define(&mut self, name: Cow<'a, str>) {
        let label = self.label(name);
        let known = &mut self.kernel.labels[label as usize];
        if let Some(first) = known.defined {
            let first = self.source.origin(first as usize).map_or_else(String::new, |at| format!(", first at {at}"));
            let message = format!("{} is defined twice{first}", known.name);
            return self.fail(message);
        }
        known.defined = Some(self.line);
        self.add(Item::Label(label));
    }

    fn label(&mut self, name: Cow<'a, str>) -> u32 {
        let labels = &mut self.kernel.labels;
        *self.numbers.entry(name).or_insert_with_key(|name| {
            labels.push(Label { name: name.clone(), defined: None });
            labels.len() as u32 - 1
        })
    }

    fn instruction(&mut self, text: Cow<'a, str>, indent: u32) -> u32 {
        self.group.number(text, self.line, indent)
    }

    fn pass(&mut self, text: Cow<'a, str>, indent: u32) {
        self.kernel.passes_local_labels |= text.contains(".L");
        self.kernel.items.push(Item::Passed(self.kernel.passed.len() as u32));
        self.kernel.passed.push(Passed { text, line: self.line, indent });
    }

    /// Adds what has a place in the text section.
    fn add(&mut self, item: Item) {
        if self.name.is_none() {
            return self.fail_code();
        }
        self.kernel.items.push(item);
    }

    fn fail_code(&mut self) {
        self.fail("header and footer cannot hold code".to_owned());
    }

    fn fail(&mut self, message: String) {
        self.errors.push(LineError::at(self.source, self.line as usize, message).in_kernel(self.name));
    }

    /// The kernel, after a check that it is the one that it is said to be.
    fn finish_kernel(mut self, name: &str) -> Kernel<'a> {
        self.line = 0;
        if !self.kernel.labels.iter().any(|label| label.name == name && label.defined.is_some()) {
            self.fail(format!("the text defines no label {name}"));
        }
        if !self.has_descriptor {
            self.fail(format!("the text has no .amdhsa_kernel {name}"));
        }
        for size in std::mem::take(&mut self.sizes) {
            if !self.is_number(&size) {
                self.line = size.line;
                self.fail(format!("the size {:?} is not the distance of two labels of this kernel", size.expression));
            }
        }
        self.kernel
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn items(code: &str) -> String {
        let text = Text::of_template("t", code);
        let sources = [KernelSource { name: "k".to_owned(), text }];
        let (group, _) = Group::parse(&sources);
        let name = |number: u32| group.distinct[number as usize].text.to_string();
        let show = |item: &Item| match item {
            Item::Instruction(number) => name(*number),
            Item::Branch { instruction, .. } => format!("branch {}", name(*instruction)),
            Item::Label(label) => format!("{}:", group.kernels[0].labels[*label as usize].name),
            Item::Align { bytes, .. } => format!("align {bytes}"),
            Item::Data(range) => format!("{range:?}"),
            Item::Passed(passed) => format!("pass {}", group.kernels[0].passed[*passed as usize].text),
        };
        group.kernels[0].items.iter().map(show).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn knows_repeated_lines_only_where_they_are_code() {
        let line = "s_nop 0 /* a */";
        assert_eq!(items(&format!("{line}\n{line}\n/*\n{line}\n{line}\n")), "s_nop 0|s_nop 0|s_nop 0");
        assert_eq!(items("s_nop 0 /*\ns_nop 0 /*\n*/ s_nop 0\n"), "s_nop 0|s_nop 0");
        assert_eq!(items("s_nop 0 /*\n*/\ns_nop 0 /*\ns_nop 1\n*/\n"), "s_nop 0|s_nop 0");
        assert_eq!(items("s_nop 0\n.rodata\ns_nop 0\n"), "s_nop 0|pass .rodata|pass s_nop 0");
        assert_eq!(items("a: s_nop 0\ns_branch a\n.p2align 3\n"), "a:|s_nop 0|branch s_branch 0|align 8");
    }

    proptest! {
        #[test]
        fn takes_any_text(code in "([ -~]|[a-z.:/*;\"#,=]|\n|\t|é|\\.(rept|endr|text|rodata|long) [0-9]?){0,80}") {
            items(&code);
        }
    }
}
