//! Gives the entries of a merged GPU file their types, and checks them.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    ops::RangeInclusive,
};

use super::{
    GpuError, Location, Origin,
    document::{Document, Entry, Value},
};
use crate::{
    isa::{self, Generation},
    names::nearest,
    quantity::Bytes,
};

/// Takes entries out of a document one by one. The first error is kept until [`Reader::finish`], where a key that
/// nothing asked for goes first: it is the likely cause of the others.
pub(super) struct Reader {
    file: String,
    entries: BTreeMap<String, Entry>,
    taken: BTreeSet<&'static str>,
    error: Option<GpuError>,
    /// Where each fact was given.
    pub(super) origins: BTreeMap<String, Origin>,
}

/// Sections whose keys are instructions.
const BY_INSTRUCTION: [&str; 2] = ["cycles", "throughput"];

/// The least throughput: four SIMDs, each of which takes the most cycles.
const LEAST_THROUGHPUT: f64 = 4.0 / super::gpu::MOST_CYCLES as f64;

impl Reader {
    pub(super) fn new(document: Document, file: &str) -> Self {
        Self {
            file: file.to_owned(),
            entries: document.entries,
            taken: BTreeSet::new(),
            error: None,
            origins: BTreeMap::new(),
        }
    }

    /// Whether the document has the key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    pub(super) fn fail(&mut self, error: GpuError) {
        self.error.get_or_insert(error);
    }

    fn take(&mut self, key: &'static str) -> Option<Entry> {
        self.taken.insert(key);
        let Some(entry) = self.entries.remove(key) else {
            self.fail(GpuError::Missing { file: self.file.clone(), key: key.to_owned() });
            return None;
        };
        self.note(key, &entry);
        Some(entry)
    }

    fn note(&mut self, key: &str, entry: &Entry) {
        let origin = Origin { at: entry.key_at.clone(), grounds: entry.grounds.clone() };
        self.origins.insert(key.to_owned(), origin);
    }

    fn wrong_type(&mut self, key: &str, entry: &Entry, expected: impl Into<String>) {
        self.fail(GpuError::WrongType {
            at: entry.value_at.clone(),
            key: key.to_owned(),
            expected: expected.into(),
            found: entry.value.describe(),
        });
    }

    fn impossible(&mut self, key: &str, entry: &Entry, value: impl ToString, reason: impl Into<String>) {
        self.fail(GpuError::Impossible {
            at: entry.value_at.clone(),
            key: key.to_owned(),
            value: value.to_string(),
            reason: reason.into(),
        });
    }

    /// Two facts, with their values, that cannot both be true of one GPU. The place is that of the first one which the file itself
    /// gives, whatever its bases say.
    pub(super) fn contradiction(&mut self, facts: [(&str, String); 2], rule: &str) {
        let at = |key: &str| self.origins.get(key).map(|origin| origin.at.clone());
        let [one, other] = facts.map(|(key, value)| (at(key), key, value));
        let is_own = |at: &Option<Location>| at.as_ref().is_some_and(|at| at.file == self.file);
        let (blamed, other) = if is_own(&other.0) && !is_own(&one.0) { (other, one) } else { (one, other) };
        let (Some(at), key, value) = blamed else { return };
        let reason = format!("{rule} (`{} = {}`)", other.1, other.2);
        self.fail(GpuError::Impossible { at, key: key.to_owned(), value, reason });
    }

    /// An integer in the range.
    pub(super) fn integer(&mut self, key: &'static str, range: RangeInclusive<u32>) -> u32 {
        self.take(key).map_or(0, |entry| self.checked_integer(key, &entry, range))
    }

    fn checked_integer(&mut self, key: &str, entry: &Entry, range: RangeInclusive<u32>) -> u32 {
        let Value::Integer(number) = entry.value else {
            self.wrong_type(key, entry, "an integer");
            return 0;
        };
        match u32::try_from(number) {
            Ok(number) if range.contains(&number) => number,
            _ => {
                self.impossible(key, entry, number, format!("it must be {} to {}", range.start(), range.end()));
                0
            }
        }
    }

    /// A size in the range, a power of two; `why` begins the message where it is not.
    pub(super) fn power_of_two(&mut self, key: &'static str, range: RangeInclusive<u32>, why: &str) -> Bytes {
        let Some(entry) = self.take(key) else { return Bytes(0) };
        let Value::Integer(number) = entry.value else {
            self.wrong_type(key, &entry, "an integer");
            return Bytes(0);
        };
        match u32::try_from(number) {
            Ok(number) if range.contains(&number) && number.is_power_of_two() => Bytes(number),
            _ => {
                let reason = format!("{why} it must be a power of two, {} to {}", range.start(), range.end());
                self.impossible(key, &entry, number, reason);
                Bytes(0)
            }
        }
    }

    /// A size.
    pub(super) fn bytes(&mut self, key: &'static str, range: RangeInclusive<u32>) -> Bytes {
        Bytes(self.integer(key, range))
    }

    /// A 64-bit seed.
    pub(super) fn seed(&mut self, key: &'static str) -> u64 {
        let Some(entry) = self.take(key) else { return 0 };
        let Value::Integer(number) = entry.value else {
            self.wrong_type(key, &entry, "an integer");
            return 0;
        };
        u64::try_from(number).unwrap_or_else(|_| {
            self.impossible(key, &entry, number, "a seed must be 0 to 2^64 - 1");
            0
        })
    }

    /// A number in the range.
    pub(super) fn number(&mut self, key: &'static str, range: RangeInclusive<f64>) -> f64 {
        let Some(entry) = self.take(key) else { return 0.0 };
        let number = match entry.value {
            Value::Integer(number) => number as f64,
            Value::Float(number) => number,
            _ => {
                self.wrong_type(key, &entry, "a number");
                return 0.0;
            }
        };
        if !range.contains(&number) {
            self.impossible(key, &entry, number, format!("it must be {} to {}", range.start(), range.end()));
        }
        number
    }

    /// Yes or no.
    pub(super) fn switch(&mut self, key: &'static str) -> bool {
        let Some(entry) = self.take(key) else { return false };
        let Value::Bool(value) = entry.value else {
            self.wrong_type(key, &entry, "true or false");
            return false;
        };
        value
    }

    /// A text that is not empty.
    pub(super) fn text(&mut self, key: &'static str) -> String {
        let Some(entry) = self.take(key) else { return String::new() };
        match &entry.value {
            Value::Text(text) if !text.trim().is_empty() && !text.contains(char::is_control) => text.clone(),
            Value::Text(text) => {
                self.impossible(key, &entry, format!("{text:?}"), "it must be a line, and not empty");
                String::new()
            }
            _ => {
                self.wrong_type(key, &entry, "a text");
                String::new()
            }
        }
    }

    /// A text that `parse` understands; `allowed` says what it does understand.
    pub(super) fn parsed<T>(
        &mut self,
        key: &'static str,
        allowed: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let entry = self.take(key)?;
        let Value::Text(text) = &entry.value else {
            self.wrong_type(key, &entry, format!("a text, {allowed}"));
            return None;
        };
        let value = parse(text);
        if value.is_none() {
            self.impossible(key, &entry, format!("{text:?}"), format!("it must be {allowed}"));
        }
        value
    }

    /// A list of instructions; it is shared by the generations, so a name need exist in one of them only.
    pub(super) fn producers(&mut self, key: &'static str, generation: Generation) -> BTreeSet<String> {
        let Some(entry) = self.take(key) else { return BTreeSet::new() };
        let texts: Option<BTreeSet<String>> = match &entry.value {
            Value::List(items) => {
                items.iter().map(|item| if let Value::Text(text) = item { Some(text.clone()) } else { None }).collect()
            }
            _ => None,
        };
        let Some(names) = texts else {
            self.wrong_type(key, &entry, "a list of texts");
            return BTreeSet::new();
        };
        for name in &names {
            if Generation::ALL.into_iter().all(|generation| isa::find(name, generation).is_none()) {
                self.unknown_instruction(key, &entry, name, generation);
            }
        }
        names
    }

    fn unknown_instruction(&mut self, key: &str, entry: &Entry, instruction: &str, generation: Generation) {
        self.fail(GpuError::UnknownInstruction {
            at: entry.key_at.clone(),
            key: key.to_owned(),
            instruction: instruction.to_owned(),
            generation,
            near: isa::similar(instruction, generation).into_iter().map(str::to_owned).collect(),
        });
    }

    /// The lines of a section whose keys are instructions: the instruction, the key and its entry.
    fn section(&mut self, section: &'static str, generation: Generation) -> Vec<(String, String, Entry)> {
        if let Some(entry) = self.entries.remove(section) {
            self.wrong_type(section, &entry, format!("a table: [{section}] with a line for each instruction"));
        }
        let prefix = format!("{section}.");
        let keys: Vec<String> = self.entries.keys().filter(|key| key.starts_with(&prefix)).cloned().collect();
        let mut lines = Vec::new();
        for key in keys {
            let Some(entry) = self.entries.remove(&key) else { continue };
            self.note(&key, &entry);
            let name = key[prefix.len()..].to_owned();
            if isa::find(&name, generation).is_none() {
                self.unknown_instruction(&key, &entry, &name, generation);
            }
            lines.push((name, key, entry));
        }
        lines
    }

    /// `[cycles]`: shader cycles for one wave, by instruction; a list gives those of the executions in turn.
    pub(super) fn cycles(&mut self, generation: Generation) -> BTreeMap<String, Vec<u32>> {
        let mut cycles = BTreeMap::new();
        for (name, key, entry) in self.section("cycles", generation) {
            let of_turns = match &entry.value {
                Value::List(items) if items.is_empty() => {
                    self.impossible(&key, &entry, "[]", "a list must have at least one number of cycles");
                    continue;
                }
                Value::List(items) => {
                    let entries = items.iter().map(|item| Entry { value: item.clone(), ..entry.clone() });
                    entries.collect()
                }
                _ => vec![entry],
            };
            // A SIMD issues an instruction of a wave every fourth cycle at most: 64 lanes on 16 (facts §3.1).
            let checked = of_turns.iter().map(|turn| self.checked_integer(&key, turn, 4..=super::gpu::MOST_CYCLES));
            cycles.insert(name, checked.collect());
        }
        cycles
    }

    /// `[throughput]`: instructions per cycle and compute unit, by instruction; a number, or a fraction as a text.
    pub(super) fn throughputs(&mut self, generation: Generation) -> BTreeMap<String, f64> {
        let mut throughputs = BTreeMap::new();
        for (name, key, entry) in self.section("throughput", generation) {
            let number = match &entry.value {
                Value::Integer(number) => Some(*number as f64),
                Value::Float(number) => Some(*number),
                Value::Text(text) => fraction(text),
                _ => None,
            };
            match number {
                Some(number) if (LEAST_THROUGHPUT..=4.0).contains(&number) => {
                    throughputs.insert(name, number);
                }
                Some(number) => {
                    let reason = format!("it must be {LEAST_THROUGHPUT} to 4 instructions per cycle and compute unit");
                    self.impossible(&key, &entry, number, reason);
                }
                None => self.wrong_type(&key, &entry, "a number or a fraction such as \"1/6\""),
            }
        }
        throughputs
    }

    /// The end: what is left over is unknown.
    pub(super) fn finish(&mut self) -> Result<BTreeMap<String, Origin>, GpuError> {
        if let Some((key, entry)) =
            mem::take(&mut self.entries).into_iter().min_by_key(|(_, entry)| (entry.key_at.line, entry.key_at.column))
        {
            let section = format!("{key}.");
            if self.taken.iter().any(|taken| taken.starts_with(&section)) {
                return Err(GpuError::WrongType {
                    at: entry.value_at,
                    key,
                    expected: "a table".to_owned(),
                    found: entry.value.describe(),
                });
            }
            let near = nearest(&key, self.taken.iter().copied().chain(BY_INSTRUCTION).chain(["base"]));
            return Err(GpuError::UnknownKey { at: entry.key_at, key, near });
        }
        self.error.take().map_or_else(|| Ok(mem::take(&mut self.origins)), Err)
    }
}

/// `1/6`, or a decimal number.
fn fraction(text: &str) -> Option<f64> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let ratio = numerator.trim().parse::<f64>().ok()? / denominator.trim().parse::<f64>().ok()?;
    ratio.is_finite().then_some(ratio)
}
