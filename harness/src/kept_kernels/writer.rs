//! Writing the archive of a target.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use gcn_analysis::run::sha256;

use super::KeptKernelsError;
use super::archive::{MADE_BY, WINDOW_LOG, archive_path, text_hash};
use crate::assembler::ModuleSource;

/// How hard the archive is compressed: it is made once, and read by everyone.
const LEVEL: i32 = 19;

/// Writes the code objects of a target with the modules that they were assembled from; the same objects give the same bytes.
///
/// # Errors
/// The file cannot be written.
pub fn write_kept_kernels(
    folder: &Path,
    target: &str,
    made_by: &str,
    objects: &[(ModuleSource, Vec<u8>)],
) -> Result<(), KeptKernelsError> {
    let path = archive_path(folder, target);
    let failed = |cause| KeptKernelsError::File { path: path.clone(), cause };
    let files: BTreeMap<String, &[u8]> = objects
        .iter()
        .map(|(module, bytes)| (format!("{}.{}", text_hash(module), sha256(&[bytes])), bytes.as_slice()))
        .chain([(MADE_BY.to_owned(), made_by.as_bytes())])
        .collect();
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut stream = zstd::Encoder::new(File::create_new(&path)?, LEVEL)?;
        stream.window_log(WINDOW_LOG)?;
        stream.long_distance_matching(true)?;
        let mut archive = tar::Builder::new(stream);
        for (name, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, name, bytes)?;
        }
        let mut stream = archive.into_inner()?;
        stream.flush()?;
        stream.finish()?.sync_all()
    };
    write().map_err(failed)
}
