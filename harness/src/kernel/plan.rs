//! The content of a kernel, before it is text.

use std::borrow::Cow;
use std::collections::HashSet;
use std::iter::repeat_n;

use super::Snippet;
use super::allocation::Allocation;
use super::block::{Block, Order, Part};
use super::filler::Filler;
use super::layout::{Places, READINGS_BYTES};
use super::registers::InitialValue;
use gcn_model::isa::GroupMode;

/// A length of the timed code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// Blocks between the two readings, or in the loop between them.
    pub n: u32,
    /// Times that a loop runs the blocks, if there is a loop.
    pub loops: Option<Loops>,
}

/// A loop around the timed code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loops {
    /// Times before the readings that count.
    pub warm: u32,
    /// Times between the readings, unless a launch asks for longer code.
    pub timed: u32,
}

impl Loops {
    /// The line that sets how often the first pass of each section runs, and that number of it: 0.
    pub(super) fn first_line(self) -> String {
        format!("s_mov_b64 s[22:23], {}", self.warm)
    }
}

/// A kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelPlan {
    /// Name of its symbol.
    pub name: String,
    /// Experiment that it belongs to, for the comment.
    pub experiment: String,
    /// The purpose of the experiment, for the comment.
    pub purpose: String,
    pub snippet: Snippet,
    /// Other instructions in the same block.
    pub others: Vec<Snippet>,
    /// Where it keeps readings.
    pub places: Places,
    /// Registers that each of its waves allocates.
    pub allocation: Allocation,
    pub filler: Filler,
    /// The repeated code.
    pub block: Block,
    /// In which order the blocks run.
    pub order: Order,
    /// The lengths.
    pub sections: Vec<Section>,
    /// Passes of each length that are kept.
    pub samples: u32,
    /// Passes of each length before that.
    pub warm_passes: u32,
    /// log2 of the waves in a group.
    pub log2_waves_per_group: u32,
    /// Where the waves of a group may run.
    pub mode: GroupMode,
}

impl KernelPlan {
    /// Lines before all timed code: initial values, and anything that is set up once.
    pub fn initial_lines(&self) -> Vec<String> {
        let values = |mnemonic: &'static str, file: char, values: &[InitialValue]| -> Vec<String> {
            values.iter().map(|value| format!("{mnemonic} {file}{}, {}", value.register, value.value)).collect()
        };
        let mut lines = values("v_mov_b32_e32", 'v', &self.snippet.vector_values);
        lines.extend(values("s_mov_b32", 's', &self.snippet.scalar_values));
        lines.extend(self.snippet.setup.iter().cloned());
        lines.push(self.loops().map_or_else(|| "s_mov_b32 s8, 0".into(), Loops::first_line));
        lines
    }

    /// Lines before a section's readings: the number of its passes, and the state for the timed code.
    pub fn lines_before(&self, section: Section) -> Vec<String> {
        let passes = self.samples + self.warm_passes;
        let mut lines = match section.loops {
            Some(_) => FIRST_PASS.map(Into::into).to_vec(),
            None => vec![format!("s_mov_b32 s9, {passes}")],
        };
        lines.extend([
            "s_mov_b64 exec, -1".into(),
            "s_mov_b64 vcc, 0".into(),
            format!("s_mov_b32 m0, {}", self.snippet.m0),
        ]);
        lines.extend(self.before(section));
        lines
    }

    /// Lines after a section's readings, up to the jump back for another pass: the work after the timed code, the number of passes
    /// are left; of timed code without a loop, where the readings go and which passes count.
    pub fn lines_of_pass(&self, section: Section) -> Vec<String> {
        let mut lines = self.snippet.after.clone();
        if let Some(loops) = section.loops {
            lines.push(format!("s_mov_b32 s9, {}", loops.timed));
            lines.extend(["s_add_u32 s8, s8, 1", "s_cmp_lt_u32 s8, 2"].map(Into::into));
            return lines;
        }
        lines.push("s_mov_b32 m0, s8".into());
        lines.extend(self.keep("m0"));
        lines.push(format!("s_cmp_le_u32 s9, {}", self.samples));
        lines.extend(["s_addc_u32 s8, s8, 0", "s_sub_u32 s9, s9, 1", "s_cmp_lg_u32 s9, 0"].map(Into::into));
        lines
    }

    /// The lines that keep a pair of readings in a lane.
    fn keep(&self, lane: &str) -> Vec<String> {
        let readings = self.places.readings().into_iter().zip(10..);
        readings.map(|(v, s)| format!("v_writelane_b32 v{v}, s{s}, {lane}")).collect()
    }

    /// Lines after a section's passes: the place of a loop's reading.
    pub fn lines_behind(&self, section: Section) -> Vec<String> {
        section.loops.map_or_else(Vec::new, |_| self.keep("0"))
    }

    /// Lines after all sections: they store the readings and the wave's record.
    pub fn last_lines(&self) -> Vec<String> {
        let Places { first, record } = self.places;
        vec![
            format!("s_mov_b64 exec, {}", self.readings_exec()),
            format!("buffer_store_dwordx4 v[{first}:{}], v0, s[4:7], s3 offen", first + 3),
            "s_mov_b64 exec, 0xff".into(),
            format!(
                "buffer_store_dword v{record}, v{}, s[4:7], s3 offen offset:{READINGS_BYTES}",
                self.allocation.record_offset()
            ),
        ]
    }

    /// The loops around its timed code, if it has any: they are alike in all sections.
    pub(crate) fn loops(&self) -> Option<Loops> {
        self.sections.iter().find_map(|section| section.loops)
    }

    /// EXEC of the lanes that hold readings.
    pub(super) fn readings_exec(&self) -> &'static str {
        if self.sections.iter().all(|section| section.loops.is_some()) { "1 " } else { "-1" }
    }

    /// All these lines and those of the timed code, each once.
    pub fn distinct_lines(&self) -> HashSet<Cow<'_, str>> {
        let longer = self.loops().into_iter().flat_map(|_| lines_of_longer_code());
        let around = self.initial_lines().into_iter().chain(longer).chain(self.last_lines());
        let mut lines: HashSet<_> = around.map(Cow::Owned).collect();
        for section in &self.sections {
            lines.extend(self.lines_before(*section).into_iter().map(Cow::Owned));
            lines.extend(self.lines_of_pass(*section).into_iter().map(Cow::Owned));
            lines.extend(self.lines_behind(*section).into_iter().map(Cow::Owned));
            lines.extend(self.lines(*section));
        }
        lines
    }

    /// The content of a block, in words.
    pub fn block_text(&self) -> String {
        let name = |snippet: &Snippet| {
            let wait = if snippet.wait.is_some() { " + its wait" } else { "" };
            format!("1 {}{wait}", snippet.instruction.name)
        };
        let parts = self.block.parts.iter().filter_map(|part| match part {
            Part::Snippet => Some(name(&self.snippet)),
            Part::Other(other) => self.others.get(*other).map(name),
            Part::Fillers(0) => None,
            Part::Fillers(count) => Some(match self.filler.last {
                Some((last, _)) => format!("{} {} + 1 {last}", count - 1, self.filler.instruction),
                None => format!("{count} {}", self.filler.instruction),
            }),
        });
        let text = parts.collect::<Vec<_>>().join(" + ");
        match self.order {
            Order::Straight => text,
            Order::Forward { entry } => format!("{text}, entered at dword {entry}"),
            Order::Backward { entry } => format!("{text}, entered at dword {entry} from the next line"),
        }
    }
}

/// How often a section's first pass runs, and its number: 1, where longer code needs no pass that warms up, or 0.
pub(super) const FIRST_PASS: [&str; 2] = ["s_mov_b32 s8, s23", "s_mov_b32 s9, s22"];

/// Lines after the sections that run them once more where the launch asks for longer code: its question, and after a jump what else is
/// set. All waves wait for those that were launched late.
pub(super) fn lines_of_longer_code() -> impl Iterator<Item = String> {
    let lines = ["s_cmp_le_u32 s15, s22", "s_mov_b32 s22, s15", "s_mov_b32 s23, 1"];
    lines.into_iter().chain(repeat_n("s_sleep 127", 4)).map(Into::into)
}
