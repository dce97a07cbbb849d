//! `manifest.json`: the content of a bundle, and the removals.

use std::fmt;

use gcn_analysis::run::sha256;
use serde::{Deserialize, Serialize};

/// A bundle's own identification.
pub(super) const FORMAT: &str = "gcn-timings bundle";
/// The version of the format that is written and read here.
pub(super) const VERSION: u64 = 1;

/// A kind of removed data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Private {
    /// The name of the user, or the one that the system has for the person.
    UserName,
    /// The name of the machine.
    HostName,
    /// A place in its file system.
    Path,
    /// What names one machine, card or part: serial numbers, UUIDs, the machine's id.
    SerialNumber,
    /// An address in a network: of mail, or of a network card.
    NetworkAddress,
    /// The slot that the card sits in.
    PciAddress,
}

/// How often something was taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TakenOut {
    pub what: Private,
    pub times: u64,
}

/// A file, with its size and checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packed {
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256, hex.
    pub sha256: String,
}

/// The whole of `manifest.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Says that the archive is a bundle.
    pub format: String,
    /// Version of the format.
    pub version: u64,
    /// Name and version of the tool that made the bundle.
    pub tool: String,
    /// Name of the device that was measured.
    pub device: String,
    /// LLVM target: `gfx600`.
    pub target: String,
    /// Start of the run, RFC 3339 in UTC.
    pub start: String,
    /// The files of the run that are in the archive, in its order.
    pub files: Vec<Packed>,
    /// The tables that follow from them, which are not in the archive: whoever derives them with the same tool gets the same bytes.
    pub tables: Vec<Packed>,
    /// The removals from the run.
    pub taken_out: Vec<TakenOut>,
}

impl Packed {
    /// A file of these bytes.
    pub(super) fn of(name: &str, bytes: &[u8]) -> Self {
        Self { name: name.to_owned(), bytes: bytes.len() as u64, sha256: sha256(&[bytes]) }
    }
}

impl fmt::Display for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UserName => "user name",
            Self::HostName => "host name",
            Self::Path => "path",
            Self::SerialNumber => "serial number or UUID",
            Self::NetworkAddress => "network address",
            Self::PciAddress => "PCI address",
        })
    }
}
