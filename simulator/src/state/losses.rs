//! Where the unknown content of a wave's registers comes from.

use std::fmt;

use crate::state::scalar_registers::{EXEC, M0, VCC};
use crate::state::vector_number::{VectorNumber, vector_name};

/// A register of a wave; scalar ones by their codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Register {
    Scalar(u8),
    Scc,
    Vector(VectorNumber),
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const VCC_HI: u8 = VCC + 1;
        const EXEC_HI: u8 = EXEC + 1;
        match *self {
            Self::Scalar(VCC) => write!(f, "vcc_lo"),
            Self::Scalar(VCC_HI) => write!(f, "vcc_hi"),
            Self::Scalar(M0) => write!(f, "m0"),
            Self::Scalar(EXEC) => write!(f, "exec_lo"),
            Self::Scalar(EXEC_HI) => write!(f, "exec_hi"),
            Self::Scalar(code) => write!(f, "s{code}"),
            Self::Scc => write!(f, "scc"),
            Self::Vector(register) => write!(f, "{}", vector_name(register)),
        }
    }
}

/// Where the unknown content of a register comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loss {
    /// The first instruction of the program that had it.
    pub step: u32,
    /// What that read and nothing had written.
    pub unwritten: Option<Unwritten>,
}

/// A register that holds something unknown, and the first lane of it that does, where it is known in others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unwritten {
    pub register: Register,
    pub lane: Option<u32>,
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.register)?;
        self.lane.map_or(Ok(()), |lane| write!(f, " in lane {lane}"))
    }
}

/// By register, the lanes that became unknown last and where their content comes from.
#[derive(Debug, Default)]
pub(crate) struct Losses(Vec<Option<(u64, Loss)>>);

impl Losses {
    fn place(register: Register) -> usize {
        match register {
            Register::Scalar(code) => code.into(),
            Register::Scc => 255,
            Register::Vector(number) => 256 + usize::from(number),
        }
    }

    /// The lanes hold something unknown from now on.
    pub(crate) fn note(&mut self, register: Register, lanes: u64, loss: Loss) {
        let place = Self::place(register);
        if self.0.len() <= place {
            self.0.resize(place + 1, None);
        }
        self.0[place] = Some((lanes, loss));
    }

    /// Where the unknown content of one of the lanes comes from; `None` where nothing was written.
    pub(crate) fn of(&self, register: Register, lanes: u64) -> Option<Loss> {
        let (lost, loss) = self.0.get(Self::place(register)).copied().flatten()?;
        (lost & lanes != 0).then_some(loss)
    }
}
