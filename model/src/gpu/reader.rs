//! Checks the entries of a GPU file and its bases against the table of keys, and makes a GPU of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
    ops::RangeInclusive,
    sync::Arc,
};

use serde::Deserialize;
use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue, Deserializer},
};

use super::{
    Gpu, GpuError, Key, KeyKind, LdsPasses, Location, Origin,
    document::{Entry, describe, entries, number, text, whole},
    keys,
    location::Source,
};
use crate::{
    isa::{self, DependencyTracking, Generation},
    names::nearest,
    printable::{LONGEST_NAME, is_name},
};

/// The GPU of a file and its bases; the first value found counts.
pub(super) fn read(sources: &[Arc<Source>]) -> Result<Gpu, GpuError> {
    let mut merged = BTreeMap::new();
    for source in sources {
        for (key, entry) in entries(source)? {
            merged.entry(key).or_insert(entry);
        }
    }
    merged.remove("base");
    all_known(&merged)?;
    let generation = merged.get("generation").and_then(|entry| generation(entry.value.get_ref()));
    let sections: BTreeSet<String> = merged.keys().filter_map(|key| Some(key.split_once('.')?.0.to_owned())).collect();
    let mut facts = DeTable::new();
    let mut origins = BTreeMap::new();
    for key in keys().iter().filter(|key| !key.kind.is_by_instruction()) {
        let Some(entry) = merged.remove(key.name) else {
            if key.is_required || key.goes_with_section && sections.contains(key.section()) {
                let file = sources.first().map_or_else(String::new, |source| source.file.clone());
                return Err(GpuError::Missing { file, key: key.name.to_owned() });
            }
            continue;
        };
        Check { key: key.name, entry: &entry }.value(&key.kind, generation)?;
        origins.insert(key.name.to_owned(), Origin { at: entry.key_at(), provenance: entry.provenance });
        insert(&mut facts, key.name, entry.value);
    }
    let mut gpu = Gpu::deserialize(Deserializer::from(Spanned::new(0..0, facts)))
        .map_err(|error| GpuError::Facts(error.message().to_owned()))?;
    for (key, entry) in merged {
        gpu.add_instruction(&key, &entry)?;
        origins.insert(key, Origin { at: entry.key_at(), provenance: entry.provenance });
    }
    gpu.origins = origins;
    Ok(gpu)
}

/// Puts a value where serde looks for it: in the table of its section, if it has one.
fn insert<'t>(facts: &mut DeTable<'t>, key: &'static str, value: Spanned<DeValue<'t>>) {
    let named = |name: &'static str| Spanned::new(0..0, DeString::Borrowed(name));
    let Some((section, name)) = key.split_once('.') else {
        facts.insert(named(key), value);
        return;
    };
    let section = facts.entry(named(section)).or_insert_with(|| Spanned::new(0..0, DeValue::Table(DeTable::new())));
    if let DeValue::Table(section) = section.get_mut() {
        section.insert(named(name), value);
    }
}

/// The first unknown key precedes every other error: it is the likely cause of the others.
fn all_known(merged: &BTreeMap<String, Entry<'_>>) -> Result<(), GpuError> {
    let is_known = |key: &str| {
        let section = key.split_once('.').map_or(key, |(section, _)| section);
        keys()
            .iter()
            .any(|known| if known.kind.is_by_instruction() { known.name == section } else { known.name == key })
    };
    let unknown = merged.iter().filter(|(key, _)| !is_known(key)).min_by_key(|(_, entry)| entry.offset);
    let Some((key, entry)) = unknown else { return Ok(()) };
    if keys().iter().any(|known| known.name.split_once('.').is_some_and(|(section, _)| section == key)) {
        return Err(Check { key, entry }.wrong_type(&entry.value, "a table"));
    }
    let near = nearest(key, keys().iter().map(|known| known.name).chain(["base"]));
    Err(GpuError::UnknownKey { at: entry.key_at(), key: key.clone(), near })
}

impl Gpu {
    /// A line of a section whose keys are instructions.
    fn add_instruction(&mut self, key: &str, entry: &Entry<'_>) -> Result<(), GpuError> {
        let check = Check { key, entry };
        let (section, instruction) = key.split_once('.').unwrap_or((key, ""));
        let Some(Key { name, kind, .. }) = keys().iter().find(|known| known.name == section) else { return Ok(()) };
        if instruction.is_empty() {
            let expected = format!("a table: [{name}] with a line for each instruction");
            return Err(check.wrong_type(&entry.value, expected));
        }
        if isa::find(instruction, self.generation).is_none() {
            return Err(check.unknown_instruction(entry.key_at(), instruction, self.generation));
        }
        match kind {
            KeyKind::Cycles(range) => {
                let least = (*range.start()).max(self.generation.waves.issue_interval_cycles.into());
                let turns = check.cycles(&(least..=*range.end()))?;
                self.cycles.insert(instruction.to_owned(), turns);
            }
            KeyKind::Latencies(range) => {
                if self.generation.waves.dependency_tracking == DependencyTracking::Blocking {
                    let rule = format!("waves of {} wait for each result anyway", self.generation.title());
                    return Err(check.impossible(&entry.value, describe(entry.value.get_ref()), rule));
                }
                let cycles = check.integer(&entry.value, range)?;
                self.latency.insert(instruction.to_owned(), u32::try_from(cycles).unwrap_or(u32::MAX));
            }
            KeyKind::Fractions(range) => {
                let throughput = check.fraction(range)?;
                self.throughput.insert(instruction.to_owned(), throughput);
            }
            _ => {}
        }
        Ok(())
    }
}

/// An entry that is checked.
struct Check<'e> {
    key: &'e str,
    entry: &'e Entry<'e>,
}

impl Check<'_> {
    fn wrong_type(&self, value: &Spanned<DeValue<'_>>, expected: impl Into<String>) -> GpuError {
        GpuError::WrongType {
            at: self.entry.value_at(value),
            key: self.key.to_owned(),
            expected: expected.into(),
            found: describe(value.get_ref()),
        }
    }

    fn impossible(&self, at: &Spanned<DeValue<'_>>, value: impl Display, reason: impl Into<String>) -> GpuError {
        GpuError::Impossible {
            at: self.entry.value_at(at),
            key: self.key.to_owned(),
            value: value.to_string(),
            reason: reason.into(),
        }
    }

    /// The search for names like it looks at each instruction, so it is for the one error that ends the reading.
    fn unknown_instruction(&self, at: Location, instruction: &str, generation: Generation) -> GpuError {
        #[cfg(test)]
        tests::SEARCHES.set(tests::SEARCHES.get() + 1);
        GpuError::UnknownInstruction {
            at,
            key: self.key.to_owned(),
            instruction: instruction.to_owned(),
            generation,
            near: isa::similar(instruction, isa::of(generation)).into_iter().map(str::to_owned).collect(),
        }
    }

    /// A value against its key's type and range.
    fn value(&self, kind: &KeyKind, of: Option<Generation>) -> Result<(), GpuError> {
        let value = &self.entry.value;
        match kind {
            KeyKind::Text => {
                let rule = format!("it must be a printable line of 1 to {LONGEST_NAME} characters");
                self.text(&rule, |value| text(value).is_some_and(is_name))
            }
            KeyKind::Target => {
                self.text("it must be a target such as \"gfx600\"", |value| text(value).is_some_and(is_target))
            }
            KeyKind::Generation => {
                let names = Generation::all().into_iter().map(|generation| format!("\"{}\"", generation.record_name()));
                let names: Vec<_> = names.collect();
                self.text(&format!("it must be one of {}", names.join(", ")), |value| generation(value).is_some())
            }
            KeyKind::Integer(range) | KeyKind::Cycles(range) | KeyKind::Latencies(range) => {
                self.integer(value, range).map(drop)
            }
            KeyKind::PowerOfTwo(range) => match self.integer(value, range)? {
                number if number.cast_unsigned().is_power_of_two() => Ok(()),
                number => Err(self.impossible(value, number, format!("it must be a power of two, {}", limits(range)))),
            },
            KeyKind::Number(range) | KeyKind::Fractions(range) => match number(value.get_ref()) {
                Some(number) if range.contains(&number) => Ok(()),
                Some(number) => Err(self.impossible(value, number, format!("it must be {}", limits(range)))),
                None => Err(self.wrong_type(value, "a number")),
            },
            KeyKind::DpFactor(range) => match number(value.get_ref()) {
                Some(number) if range.contains(&number) && (number == *range.start() || number.fract() == 0.0) => {
                    Ok(())
                }
                Some(number) => {
                    let rule = format!("it must be {}, or a whole number to {}", range.start(), range.end());
                    Err(self.impossible(value, number, rule))
                }
                None => Err(self.wrong_type(value, "a number")),
            },
            KeyKind::Switch if matches!(value.get_ref(), DeValue::Boolean(_)) => Ok(()),
            KeyKind::Switch => Err(self.wrong_type(value, "true or false")),
            KeyKind::Instructions => of.map_or(Ok(()), |of| self.instructions(of)),
            KeyKind::LdsPasses => {
                let rule = "it must be eight digits, the pass of each four lanes, none left out: \"00112233\"";
                self.text(rule, |value| text(value).is_some_and(|text| text.parse::<LdsPasses>().is_ok()))
            }
        }
    }

    fn text(&self, rule: &str, is_right: impl Fn(&DeValue<'_>) -> bool) -> Result<(), GpuError> {
        let value = &self.entry.value;
        match text(value.get_ref()) {
            Some(_) if is_right(value.get_ref()) => Ok(()),
            Some(text) => Err(self.impossible(value, format!("{text:?}"), rule)),
            None => Err(self.wrong_type(value, "a text")),
        }
    }

    fn integer(&self, value: &Spanned<DeValue<'_>>, range: &RangeInclusive<i128>) -> Result<i128, GpuError> {
        match whole(value.get_ref()) {
            Some(number) if range.contains(&number) => Ok(number),
            Some(number) => Err(self.impossible(value, number, format!("it must be {}", limits(range)))),
            None => Err(self.wrong_type(value, "an integer")),
        }
    }

    /// A list of instructions; it is shared by the generations, so a name need exist in one of them only.
    fn instructions(&self, of: Generation) -> Result<(), GpuError> {
        let value = &self.entry.value;
        let DeValue::Array(items) = value.get_ref() else { return Err(self.wrong_type(value, "a list of texts")) };
        for item in items.iter() {
            let Some(name) = text(item.get_ref()) else { return Err(self.wrong_type(item, "a list of texts")) };
            if !isa::exists(name) {
                return Err(self.unknown_instruction(self.entry.value_at(item), name, of));
            }
        }
        Ok(())
    }

    /// Shader cycles for one wave; a list gives those of the executions in turn.
    fn cycles(&self, range: &RangeInclusive<i128>) -> Result<Vec<u32>, GpuError> {
        let value = &self.entry.value;
        let cycles = |value| self.integer(value, range).map(|cycles| u32::try_from(cycles).unwrap_or(u32::MAX));
        match value.get_ref() {
            DeValue::Array(items) if items.is_empty() => {
                Err(self.impossible(value, "[]", "a list must have at least one number of cycles"))
            }
            DeValue::Array(items) => items.iter().map(cycles).collect(),
            _ => Ok(vec![cycles(value)?]),
        }
    }

    /// Instructions per cycle and compute unit; a number, or a fraction as a text.
    fn fraction(&self, range: &RangeInclusive<f64>) -> Result<f64, GpuError> {
        let value = &self.entry.value;
        let found = if let DeValue::String(text) = value.get_ref() { ratio(text) } else { number(value.get_ref()) };
        match found {
            Some(found) if range.contains(&found) => Ok(found),
            Some(found) => {
                let reason = format!("it must be {} instructions per cycle and compute unit", limits(range));
                Err(self.impossible(value, found, reason))
            }
            None => Err(self.wrong_type(value, "a number or a fraction such as \"1/6\"")),
        }
    }
}

fn limits<T: Display + PartialEq>(range: &RangeInclusive<T>) -> String {
    let (least, most) = (range.start(), range.end());
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

fn generation(value: &DeValue<'_>) -> Option<Generation> {
    let name = text(value)?;
    Generation::find(name)
}

/// `gfx` and a number in LLVM's notation.
fn is_target(text: &str) -> bool {
    let number = text.strip_prefix("gfx").unwrap_or_default();
    number.len() >= 3 && number.chars().all(|digit| digit.is_ascii_hexdigit())
}

/// `1/6`, or a decimal number.
fn ratio(text: &str) -> Option<f64> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let ratio = numerator.trim().parse::<f64>().ok()? / denominator.trim().parse::<f64>().ok()?;
    ratio.is_finite().then_some(ratio)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// Searches for names like an unknown one.
        pub(super) static SEARCHES: Cell<usize> = const { Cell::new(0) };
    }

    #[test]
    fn a_file_of_many_errors_is_searched_for_one() {
        let mut text = "base = \"tahiti\"\n[cycles]\n".to_owned();
        (0..1000).for_each(|number| text += &format!("V_NO_{number} = 16\n"));
        let error = Gpu::from_toml(&text, "many.toml").unwrap_err();
        assert!(error.to_string().starts_with("many.toml:3:1: `cycles.V_NO_0`"), "{error}");
        assert_eq!(SEARCHES.get(), 1);
    }

    #[test]
    fn a_million_turns_on_one_line_are_checked_one_by_one() {
        let turns = "16, ".repeat(1_000_000);
        let text = format!("base = \"tahiti\"\ncycles.V_MOV_B32 = [{turns}3]\n");
        let error = Gpu::from_toml(&text, "many.toml").unwrap_err();
        assert_eq!(
            error.to_string(),
            "many.toml:2:4000021: `cycles.V_MOV_B32 = 3` is impossible: it must be 4 to 1000000"
        );
    }
}
