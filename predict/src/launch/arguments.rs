//! The arguments of a kernel.

use gcn_model::code_object::{ArgumentKind, ArgumentMetadata};
use gcn_model::quantity::Bytes;

/// The arguments of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchArguments {
    /// Work-items in X, Y and Z.
    pub grid: [u32; 3],
    /// Work-items of a work-group; the groups at the far edges of the grid have fewer where it is no multiple.
    pub group: [u32; 3],
    /// In the order of the kernel's signature.
    pub arguments: Vec<Argument>,
    /// Shader cycles after which the launch is given up as endless.
    pub cycle_limit: u64,
}

/// One argument of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A buffer with these bytes.
    Buffer(Vec<u8>),
    /// So much LDS of each work-group.
    Local(Bytes),
    Value(Value),
}

/// A number, of the type that its author named.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    U32(u32),
    I32(i32),
    F32(f32),
    U64(u64),
    I64(i64),
    F64(f64),
}

impl Value {
    /// Its bytes as an argument of that size: integers of 32 bits fit in fewer if their value does.
    pub(crate) fn bytes(self, size: Bytes) -> Option<Vec<u8>> {
        match (self, size.0) {
            (Self::U32(value), 1) => u8::try_from(value).ok().map(|value| value.to_le_bytes().to_vec()),
            (Self::U32(value), 2) => u16::try_from(value).ok().map(|value| value.to_le_bytes().to_vec()),
            (Self::I32(value), 1) => i8::try_from(value).ok().map(|value| value.to_le_bytes().to_vec()),
            (Self::I32(value), 2) => i16::try_from(value).ok().map(|value| value.to_le_bytes().to_vec()),
            (Self::U32(value), 4) => Some(value.to_le_bytes().to_vec()),
            (Self::I32(value), 4) => Some(value.to_le_bytes().to_vec()),
            (Self::F32(value), 4) => Some(value.to_le_bytes().to_vec()),
            (Self::U64(value), 8) => Some(value.to_le_bytes().to_vec()),
            (Self::I64(value), 8) => Some(value.to_le_bytes().to_vec()),
            (Self::F64(value), 8) => Some(value.to_le_bytes().to_vec()),
            _ => None,
        }
    }

    fn described(self) -> String {
        match self {
            Self::U32(value) => format!("u32 = {value}"),
            Self::I32(value) => format!("i32 = {value}"),
            Self::F32(value) => format!("f32 = {value}"),
            Self::U64(value) => format!("u64 = {value}"),
            Self::I64(value) => format!("i64 = {value}"),
            Self::F64(value) => format!("f64 = {value}"),
        }
    }
}

impl Argument {
    /// The given value, in words.
    pub(crate) fn described(&self) -> String {
        match self {
            Self::Buffer(bytes) => format!("a buffer of {} bytes", bytes.len()),
            Self::Local(bytes) => format!("{} bytes of LDS", bytes.0),
            Self::Value(value) => value.described(),
        }
    }
}

/// A kernel's parameter, in words.
pub(crate) fn expected(argument: &ArgumentMetadata) -> String {
    let named = [argument.name.as_deref(), argument.type_name.as_deref()];
    let named = named.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let named = if named.is_empty() { named } else { format!(" ({named})") };
    match &argument.kind {
        ArgumentKind::GlobalBuffer => format!("a buffer{named}: `buffer = {{ … }}`"),
        ArgumentKind::DynamicSharedPointer => format!("LDS{named}: `local = {{ bytes = … }}`"),
        ArgumentKind::ByValue => {
            let types = match argument.size.0 {
                1 | 2 => "`u32` or `i32` that fits",
                4 => "`u32`, `i32` or `f32`",
                8 => "`u64`, `i64` or `f64`",
                _ => "which no key here gives",
            };
            format!("a value of {} bytes{named}: {types}", argument.size.0)
        }
        ArgumentKind::Hidden(name) => format!("hidden_{name}"),
        ArgumentKind::Other(kind) => format!("a {kind}{named}, which the simulator does not have"),
    }
}
