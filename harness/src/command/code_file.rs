//! The file of code that a command is given.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context, bail};
use gcn_model::gpu::Gpu;
use gcn_model::regular_file;
use object::read::ReadCache;

use crate::code::{CodeError, FatBinary, UserFile};

/// The most bytes that are read of assembly text or an ELF file for AMDGPU; of other files only the code for the GPU is read.
const MOST_BYTES: u64 = 1 << 30;
/// Bytes of the header of an ELF file, the longest start that tells what a file is.
const START: u64 = 64;

/// A file of code, or standard input.
#[derive(Debug)]
pub(super) enum CodeFile {
    /// Code for several GPUs, of which parts are read.
    Fat(ReadCache<File>),
    Whole(Vec<u8>),
}

/// Whether a file may be assembly text: its first bytes are those of no other kind of code.
pub(super) fn may_be_text(path: &Path) -> bool {
    if path == Path::new("-") {
        return true;
    }
    let mut start = Vec::new();
    let is_read = path.is_file() && File::open(path).is_ok_and(|file| file.take(START).read_to_end(&mut start).is_ok());
    let is_text = |start: &[u8]| start.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    is_read && start.get(..4).is_some_and(is_text) && !FatBinary::is_one(start.as_slice())
}

impl CodeFile {
    /// Opens a file; `-` is standard input.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            std::io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes).context("standard input")?;
            if bytes.len() as u64 > MOST_BYTES {
                bail!("standard input has more than {MOST_BYTES} bytes, the limit: name a file");
            }
            return Ok(Self::Whole(bytes));
        }
        let file = ReadCache::new(regular_file::open(path)?);
        if FatBinary::is_one(&file) {
            return Ok(Self::Fat(file));
        }
        Ok(Self::Whole(regular_file::read(path, MOST_BYTES)?))
    }

    /// Its code for a GPU.
    pub(super) fn holds(&self, gpu: &Gpu) -> Result<UserFile<'_>, CodeError> {
        match self {
            Self::Fat(file) => UserFile::of(file, gpu),
            Self::Whole(bytes) => UserFile::of(bytes.as_slice(), gpu),
        }
    }
}
