//! Kept code objects of a target, found by the text that they were assembled from.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use gcn_analysis::run::sha256;

use super::KeptKernelsError;
use crate::assembler::ModuleSource;

/// What assembled the code objects: a file of the archive.
pub(super) const MADE_BY: &str = "made-by.txt";

/// Longest window of the compression: code of a GPU file is found again in that of the next.
pub(super) const WINDOW_LOG: u32 = 27;

/// Code objects of a target that were assembled and checked before.
#[derive(Debug, Clone)]
pub struct KeptKernels {
    made_by: String,
    objects: HashMap<String, Vec<u8>>,
}

impl KeptKernels {
    /// Reads the archive of a target in a folder.
    ///
    /// # Errors
    /// It is missing or damaged: a code object's checksum differs from its name.
    pub fn read(folder: &Path, target: &str) -> Result<Self, KeptKernelsError> {
        let path = archive_path(folder, target);
        if !path.is_file() {
            return Err(KeptKernelsError::NoArchive { target: target.to_owned(), path });
        }
        let failed = |cause| KeptKernelsError::File { path: path.clone(), cause };
        let damaged = |what: String| KeptKernelsError::Damaged { path: path.clone(), what };
        let mut stream = zstd::Decoder::new(File::open(&path).map_err(failed)?).map_err(failed)?;
        stream.window_log_max(WINDOW_LOG).map_err(failed)?;
        let mut kept = Self { made_by: String::new(), objects: HashMap::new() };
        let mut archive = tar::Archive::new(stream);
        for entry in archive.entries().map_err(failed)? {
            let mut entry = entry.map_err(failed)?;
            let name = entry.path().map_err(failed)?.to_string_lossy().into_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(failed)?;
            match name.split_once('.') {
                _ if name == MADE_BY => kept.made_by = String::from_utf8_lossy(&bytes).trim().to_owned(),
                Some((text, object)) if sha256(&[&bytes]) == object => {
                    kept.objects.insert(text.to_owned(), bytes);
                }
                _ => return Err(damaged(format!("{name} is not a kept code object"))),
            }
        }
        if kept.made_by.is_empty() {
            return Err(damaged(format!("it has no {MADE_BY}")));
        }
        Ok(kept)
    }

    /// What assembled them, for `run.json`.
    pub fn made_by(&self) -> &str {
        &self.made_by
    }

    /// The code object of a module, if it was kept.
    pub fn object(&self, module: &ModuleSource) -> Option<&[u8]> {
        self.objects.get(&text_hash(module)).map(Vec::as_slice)
    }
}

/// Where the code objects of a target are kept.
pub(super) fn archive_path(folder: &Path, target: &str) -> PathBuf {
    folder.join(format!("{target}.tar.zst"))
}

/// SHA-256 of a module's text, hex.
pub(super) fn text_hash(module: &ModuleSource) -> String {
    let kernels = module.kernels.iter().map(|kernel| &kernel.text);
    let texts = std::iter::once(&module.header).chain(kernels).chain([&module.footer]);
    sha256(&texts.map(|text| text.as_str().as_bytes()).collect::<Vec<_>>())
}
