//! What can be wrong with a GPU file.

use std::path::PathBuf;

use super::Location;
use crate::isa::{Generation, Processor};

/// Why a GPU could not be made from its file; each names the file and, where there is one, the line and the key.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// No GPU file of that name ships.
    #[error("no GPU named `{name}` ships; {}", suggestion(near, ""))]
    UnknownGpu {
        /// The name asked for.
        name: String,
        /// The names most like it, or all names if none is.
        near: Vec<String>,
    },
    /// The name of a target that no GPU file is of.
    #[error("no timings are known for {name}: no GPU of that target is described; `gcn-timings list --gpu {name}` shows its instructions", name = .0.name())]
    NoGpu(Processor),
    /// `base` names no GPU file that ships.
    #[error(
        "{at}: `base = \"{name}\"`: no GPU of that name ships (a file is given by its path, ending in .toml); {}",
        suggestion(near, "`gcn-timings list --help` tells where they are named")
    )]
    UnknownBase {
        /// Where `base` stands.
        at: Location,
        /// The name given.
        name: String,
        /// The names most like it, or all names if none is.
        near: Vec<String>,
    },
    /// The file could not be read.
    #[error("cannot read the GPU file {path}: {cause}", path = path.display())]
    Read { path: PathBuf, cause: std::io::Error },
    /// A chain of `base` keys comes back to a file that is already in it.
    #[error("{at}: `base` leads back to {again}, which is in the chain already: {}", chain.join(" -> "))]
    BaseCycle {
        /// Where the last `base` stands.
        at: Location,
        /// The file that comes again.
        again: String,
        /// The files of the chain, first the one asked for.
        chain: Vec<String>,
    },
    /// The file is not TOML.
    #[error("{at}: not valid TOML: {message}")]
    Syntax {
        /// Where reading stopped.
        at: Location,
        /// The TOML parser's message.
        message: String,
    },
    /// A key that no GPU file has.
    #[error(
        "{at}: unknown key `{key}`; {}",
        suggestion(near, "no similar key; all keys are in model/data/gpus/keys.csv")
    )]
    UnknownKey {
        /// Where the key stands.
        at: Location,
        /// The key with its table: `front_end.penalty`.
        key: String,
        /// The keys most like it.
        near: Vec<String>,
    },
    /// A value of the wrong type.
    #[error("{at}: `{key}` must be {expected}, not {found}")]
    WrongType {
        /// Where the value stands.
        at: Location,
        /// The key with its table.
        key: String,
        /// The type that it must have.
        expected: String,
        /// The type or text that it has.
        found: String,
    },
    /// A value that no GPU can have.
    #[error("{at}: `{key} = {value}` is impossible: {reason}")]
    Impossible {
        /// Where the value stands.
        at: Location,
        /// The key with its table.
        key: String,
        /// The value as read.
        value: String,
        /// The allowed values.
        reason: String,
    },
    /// `[cycles]`, `[throughput]` or a list names an instruction that the GPU's generation does not have.
    #[error("{at}: `{key}`: {} has no instruction {instruction}; {}", generation.title(), suggestion(near, "no similar name in that generation"))]
    UnknownInstruction {
        /// Where the name stands.
        at: Location,
        /// The key with its table.
        key: String,
        /// The name given.
        instruction: String,
        /// The GPU's generation.
        generation: Generation,
        /// The names most like it.
        near: Vec<String>,
    },
    /// Values that are right by the table of keys and make no GPU: the table and the model disagree, which a test rules out.
    #[error("the keys of GPU files and the model's facts disagree: {0}")]
    Facts(String),
    /// A fact that neither the file nor its base gives.
    #[error("{file}: the key `{key}` is missing; give it, or start from a GPU that has it with `base = \"…\"`")]
    Missing {
        /// The file asked for.
        file: String,
        /// The key with its table.
        key: String,
    },
}

/// Longer lists are not of names that are like the one given, but of all names.
const MOST_NEAR: usize = 5;

fn suggestion(near: &[String], otherwise: &str) -> String {
    match near {
        [] => otherwise.to_owned(),
        [one] => format!("did you mean `{one}`?"),
        many if many.len() > MOST_NEAR => format!("there are `{}`", many.join("`, `")),
        many => format!("did you mean one of `{}`?", many.join("`, `")),
    }
}
