//! How `gcn-timings predict` reads code, and for which waves.

use std::num::NonZeroU32;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use gcn_model::isa::GroupMode;
use gcn_predict::{Card, Question};

use crate::code::{Definition, Function, TextOptions, UserCode};
use crate::llvm::TextLimits;

/// How code is read, and for which waves.
#[derive(Debug, Args)]
#[command(next_help_heading = "Code")]
pub(super) struct CodeOptions {
    /// A symbol of assembly text, as `clang -Wa,-defsym,NAME=VALUE` gives it; may be repeated [default value: 1]
    #[arg(short = 'D', long = "defsym", value_name = "NAME=VALUE")]
    definitions: Vec<Definition>,
    /// Folder with files that assembly text includes, searched after the text's own; may be repeated
    #[arg(short = 'I', long = "include", value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Processor time that LLVM may take for a text, and a second more for each 500 kB of it
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = clap::value_parser!(u64).range(1..=86400))]
    llvm_seconds: u64,
    /// Address space that LLVM may take for a text, and 128 MiB more for each 500 kB of it
    #[arg(long, value_name = "MIB", default_value = "512", value_parser = clap::value_parser!(u64).range(1..))]
    llvm_memory: u64,
    /// Lanes of a wave, where there are 32 and 64 [default: what the kernel's descriptor says, or else 32]
    #[arg(long, value_name = "LANES", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "launch", help_heading = "Waves")]
    wave_size: Option<u32>,
    /// Where the waves of a work-group may run on RDNA: on one compute unit (cu) or on a work-group processor (wgp) [default: what the
    /// kernel's descriptor says, or else cu]
    #[arg(long, value_name = "MODE", conflicts_with = "launch", help_heading = "Waves")]
    mode: Option<GroupMode>,
    /// End with exit code 3 if instructions are too close to each other for a correct result
    #[arg(long, conflicts_with_all = ["launch", "compare"], help_heading = "Questions")]
    pub(super) deny_hazards: bool,
}

/// The machine for a function's waves, and how they are grouped.
pub(super) struct Placed {
    pub(super) card: Card,
    pub(super) question: Question,
}

impl CodeOptions {
    /// Further inputs of the assembler.
    pub(super) fn text(&self) -> TextOptions {
        TextOptions { folders: self.folders.clone(), definitions: self.definitions.clone() }
    }

    /// How much assembling a text may take.
    pub(super) fn limits(&self) -> TextLimits {
        TextLimits { seconds: self.llvm_seconds, mebibytes: self.llvm_memory }
    }

    /// The card with waves of the size that was asked for, or that a run was measured with.
    pub(super) fn card(&self, card: &Card) -> anyhow::Result<Card> {
        let measured = card.conditions;
        let size = self.wave_size.or(measured.map(|it| it.wave_size)).unwrap_or(card.gpu.generation.lanes());
        let mode = self.mode.or(measured.map(|it| it.group_mode)).unwrap_or(GroupMode::ComputeUnit);
        Ok(card.for_waves_of(size, mode)?)
    }

    /// The machine for a function: its descriptor says which waves it has, and its metadata how many are in a work-group.
    pub(super) fn placed(&self, card: &Card, code: &UserCode, function: &Function) -> anyhow::Result<Placed> {
        let generation = card.gpu.generation;
        let needs = function.needs.as_ref();
        let own = needs.and_then(|needs| needs.wave_size(generation));
        if let (Some(own), Some(asked)) = (own, self.wave_size)
            && own != asked
        {
            bail!("the kernel {} is for waves of {own} lanes, and --wave-size says {asked}", function.name);
        }
        let (of_card, measured) = (card.gpu.processor().wave_size(), card.conditions);
        let wave_size = own.or(code.wave_size).unwrap_or(of_card);
        let of_kernel = needs.filter(|needs| needs.descriptor.is_some()).map(|needs| needs.group_mode(generation));
        let mode = self.mode.or(of_kernel).or(measured.map(|it| it.group_mode)).unwrap_or(GroupMode::ComputeUnit);
        let card = card.for_waves_of(wave_size, mode)?;
        let simds = card.gpu.registers.simds * generation.compute_units_of_group(mode);
        let items = needs.and_then(gcn_model::code_object::KernelNeeds::most_items);
        let waves_per_group = items.and_then(|items| NonZeroU32::new(items.div_ceil(wave_size)));
        Ok(Placed { card, question: Question { simds, waves_per_group, group_mode: mode, ..Question::default() } })
    }
}
