//! A region that a user chooses.

use std::str::FromStr;

use gcn_model::isa::Processor;
use gcn_predict::{Region, RegionKind};

use super::function::Function;
use super::label::Label;
use super::names::listed;
use super::{CodeError, UserCode};

/// A region that a user chooses: by its name, by the label that its loop starts with, or by where it starts and ends.
///
/// As a text, start and end are labels or addresses that begin with 0x, with `..` between them; the end is after the last instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionChoice {
    text: String,
    ends: Option<Ends>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Ends {
    start: Place,
    end: Place,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Label { name: String },
    Address { address: u64 },
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("0x") {
            Some(digits) => match u64::from_str_radix(digits, 16) {
                Ok(address) => Ok(Self::Address { address }),
                Err(_) => Err(format!("{text:?} is not an address")),
            },
            None if text.is_empty() => Err("a label or an address is missing at `..`".to_owned()),
            None => Ok(Self::Label { name: text.to_owned() }),
        }
    }
}

impl FromStr for RegionChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("the name of a region, LABEL..LABEL or 0xSTART..0xEND".to_owned());
        }
        let ends = match text.split_once("..") {
            Some((start, end)) => Some(Ends { start: start.parse()?, end: end.parse()? }),
            None => None,
        };
        Ok(Self { text: text.to_owned(), ends })
    }
}

/// The code that a choice is made in.
struct Choices<'a> {
    code: &'a UserCode,
    processor: Processor,
    /// The function that alone counts.
    only: Option<usize>,
}

impl UserCode {
    /// The region that a user chose, with the number of its function; in one function, or in any of them.
    ///
    /// # Errors
    /// No such region: names those of the file. Several; ends that are not the start of an instruction.
    pub fn chosen(
        &self,
        choice: &RegionChoice,
        processor: Processor,
        only: Option<usize>,
    ) -> Result<(usize, Region), CodeError> {
        let choices = Choices { code: self, processor, only };
        let wrong = |problem: String| CodeError::Region(format!("--region {}: {problem}", choice.text));
        let mut found = choices.named(&choice.text);
        if let (Some(ends), true) = (&choice.ends, found.is_empty()) {
            found = choices.between(&choice.text, ends).map_err(wrong)?;
        }
        match found.as_slice() {
            [one] => Ok(one.clone()),
            [] => Err(wrong(format!("there is no such region; {}", choices.words()))),
            several => {
                let names = several.iter().map(|(function, _)| self.functions[*function].name.as_str());
                Err(wrong(format!("{} kernels have one, choose one with --kernel: {}", several.len(), listed(names))))
            }
        }
    }
}

impl Choices<'_> {
    fn functions(&self) -> impl Iterator<Item = (usize, &Function)> {
        self.code.functions.iter().enumerate().filter(|(index, _)| self.counts(*index))
    }

    /// Whether a function's regions and labels can be chosen.
    fn counts(&self, function: usize) -> bool {
        self.only.is_none_or(|only| only == function)
    }

    /// The labels that can be chosen.
    fn labels(&self) -> impl Iterator<Item = &Label> {
        self.code.labels.iter().filter(|label| self.counts(label.function))
    }

    /// The processor with the waves that a function is for.
    fn processor_of(&self, function: &Function) -> Processor {
        function.processor(self.processor, self.code.wave_size)
    }

    /// The marked regions, and those that are found without being asked for, of a function that is the only one.
    fn regions(&self) -> impl Iterator<Item = (usize, Region)> {
        let marked = self.code.marked.iter().filter(|(index, _)| self.counts(*index)).cloned();
        let mut functions = self.functions();
        let only = functions.next().filter(|_| functions.next().is_none());
        let found = only.map(|(index, function)| {
            let found = function.code.regions(self.processor_of(function)).unwrap_or_default();
            found.into_iter().map(move |region| (index, region))
        });
        marked.chain(found.into_iter().flatten())
    }

    /// The marked regions and the loops with a name, or else the loops that start at a label of that name.
    fn named(&self, name: &str) -> Vec<(usize, Region)> {
        let of_name: Vec<_> = self.regions().filter(|(_, region)| region.name == name).collect();
        if !of_name.is_empty() {
            return of_name;
        }
        let mut loops = Vec::new();
        for (index, address) in self.places(&Place::Label { name: name.to_owned() }) {
            let function = &self.code.functions[index];
            let found = function.code.regions(self.processor_of(function)).unwrap_or_default();
            let starts = found.into_iter().filter(|it| it.kind == RegionKind::Loop && it.start == address);
            loops.extend(starts.map(|region| (index, Region { name: name.to_owned(), ..region })));
        }
        loops
    }

    /// The functions that have a place, and its address.
    fn places(&self, place: &Place) -> Vec<(usize, u64)> {
        match place {
            Place::Address { address } => {
                let has = |function: &Function| (function.code.address..=function.code.end()).contains(address);
                self.functions().filter(|(_, function)| has(function)).map(|(index, _)| (index, *address)).collect()
            }
            Place::Label { name } => {
                let labels = self.labels().filter(|label| label.name == *name);
                let starts = self.functions().filter(|(_, function)| function.name == *name);
                let starts = starts.map(|(index, function)| (index, function.code.address));
                let mut places: Vec<_> = labels.map(|label| (label.function, label.address)).chain(starts).collect();
                places.sort_unstable();
                places.dedup();
                places
            }
        }
    }

    /// The regions from one place to another of the same function.
    fn between(&self, name: &str, ends: &Ends) -> Result<Vec<(usize, Region)>, String> {
        let of = |place: &Place| -> Result<Vec<(usize, u64)>, String> {
            let places = self.places(place);
            match (places.is_empty(), place) {
                (false, _) => Ok(places),
                (true, Place::Label { name }) => Err(format!("there is no label {name}; {}", self.words())),
                (true, Place::Address { address }) => {
                    Err(format!("{address:#x} is not an address of the code; {}", self.words()))
                }
            }
        };
        let (starts, stops) = (of(&ends.start)?, of(&ends.end)?);
        let pairs = starts.iter().flat_map(|start| stops.iter().map(move |stop| (start, stop)));
        let of_one = pairs.filter(|((function, start), (other, end))| function == other && start < end);
        let regions: Vec<_> = of_one.map(|(start, end)| self.region(name, start.0, start.1, end.1)).collect();
        match regions.is_empty() {
            true => Err(format!("its end is not after its start in the same kernel; {}", self.words())),
            false => regions.into_iter().collect(),
        }
    }

    fn region(&self, name: &str, index: usize, start: u64, end: u64) -> Result<(usize, Region), String> {
        let function = &self.code.functions[index];
        let (code, processor) = (&function.code, self.processor_of(function));
        let instructions = code.instructions(processor).map_err(|error| error.to_string())?;
        for place in [start, end].into_iter().filter(|place| *place != code.end()) {
            let behind = instructions.partition_point(|(address, _)| *address <= place);
            if let Some((address, decoded)) = behind.checked_sub(1).and_then(|before| instructions.get(before))
                && *address != place
            {
                return Err(format!("{place:#x} is inside of the instruction at {address:#x}, {decoded}"));
            }
        }
        let found = code.regions(processor).unwrap_or_default();
        let same = found.iter().find(|region| (region.start, region.end) == (start, end));
        let kind = same.map_or(RegionKind::Marked, |region| region.kind);
        Ok((index, Region { name: name.to_owned(), kind, start, end }))
    }

    /// What can be chosen.
    fn words(&self) -> String {
        let mut told = Vec::new();
        let names: Vec<String> = self.regions().map(|(_, region)| region.name).collect();
        if !names.is_empty() {
            told.push(format!("regions: {}", listed(names.iter().map(String::as_str))));
        }
        let labels: Vec<&str> = self.labels().map(|label| label.name.as_str()).collect();
        if !labels.is_empty() {
            told.push(format!("labels: {}", listed(labels)));
        }
        let kernels: Vec<&str> = self.functions().map(|(_, function)| function.name.as_str()).collect();
        match (kernels.as_slice(), self.functions().next()) {
            ([_], Some((_, Function { code, .. }))) => {
                told.push(format!("addresses: {:#x} to {:#x}", code.address, code.end()));
            }
            _ => told.push(format!("kernels: {}", listed(kernels))),
        }
        format!("there are {}", told.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gcn_model::gpu::Gpu;
    use gcn_predict::Code;

    use super::*;

    /// v_rcp_f32 v1, v0; `again`: v_mul_f32 v1, 0x3fc00000, v0; s_branch to it; `end`.
    fn code() -> UserCode {
        let code = Code { address: 0x100, words: vec![0x7e02_4500, 0x0a02_00ff, 0x3fc0_0000, 0xbf82_fffd].into() };
        let label = |name: &str, address| Label { name: name.to_owned(), function: 0, address };
        UserCode {
            processor: None,
            wave_size: None,
            functions: vec![Function { name: "k".to_owned(), code, needs: None, places: Arc::default() }],
            marked: Vec::new(),
            labels: vec![label("again", 0x104), label("end", 0x110)],
        }
    }

    fn chosen(text: &str) -> Result<Region, String> {
        let choice = text.parse::<RegionChoice>()?;
        let processor = Gpu::named("fiji").unwrap().processor();
        code().chosen(&choice, processor, None).map(|(_, region)| region).map_err(|error| error.to_string())
    }

    #[test]
    fn regions_are_chosen_by_name_label_and_address() {
        let of = |text: &str| chosen(text).map(|region| (region.start, region.end, region.kind));
        let of_loop = Ok((0x104, 0x110, RegionKind::Loop));
        for text in ["loop at 0x104", "again", "again..end", "0x104..0x110", "again..0x110"] {
            assert_eq!(of(text), of_loop, "{text}");
        }
        assert_eq!(of("k..again"), Ok((0x100, 0x104, RegionKind::Marked)));
        assert_eq!(of("0x100..end"), Ok((0x100, 0x110, RegionKind::Marked)));
        assert_eq!(chosen("again..end").unwrap().name, "again..end");
    }

    #[test]
    fn an_unknown_region_is_named_with_the_known_ones() {
        let there = "there are regions: loop at 0x104; labels: again, end; addresses: 0x100 to 0x110";
        for (text, problem) in [
            ("hot", format!("--region hot: there is no such region; {there}")),
            ("end", format!("--region end: there is no such region; {there}")),
            ("hot..end", format!("--region hot..end: there is no label hot; {there}")),
            ("0x100..0x114", format!("--region 0x100..0x114: 0x114 is not an address of the code; {there}")),
            ("end..again", format!("--region end..again: its end is not after its start in the same kernel; {there}")),
        ] {
            assert_eq!(chosen(text), Err(problem));
        }
        let inside = chosen("0x100..0x108").unwrap_err();
        assert!(
            inside.ends_with("0x108 is inside of the instruction at 0x104, v_mul_f32 v1, 0x3fc00000, v0"),
            "{inside}"
        );
        assert!(["", "a..", "..a", "0xg..0x1"].iter().all(|text| text.parse::<RegionChoice>().is_err()));
    }
}
