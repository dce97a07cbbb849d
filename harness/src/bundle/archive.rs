//! The archive: a tar of a few files of known names, compressed by Zstandard. The same files give the same bytes.
//!
//! Nothing is ever unpacked by name or mode: an entry is a plain file of an expected name and limited length, or the archive is
//! refused.

use std::io::{self, Read, Write};

use tar::{Archive, Builder, EntryType, Header};

use super::error::BundleError;

/// What every Zstandard frame begins with (RFC 8878, section 3.1.1).
pub(super) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// How hard is tried: a run of a whole GPU takes a few seconds.
const LEVEL: i32 = 12;
/// The longest window that is made room for, as a power of two: 32 MiB, more than that level uses.
const WINDOW_LOG: u32 = 25;
/// Zeros that may follow the last entry: tar fills its last record up, 20 blocks of 512 bytes.
const MOST_PADDING: u64 = 20 * 512;

#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) bytes: &'a [u8],
}

/// Writes an archive of these entries, with no user, machine or time in it.
pub(super) fn write(entries: &[Entry<'_>], out: impl Write) -> io::Result<()> {
    let mut encoder = zstd::Encoder::new(out, LEVEL)?;
    encoder.include_checksum(true)?;
    let mut archive = Builder::new(encoder);
    for Entry { name, bytes } in entries {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_path(name)?;
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_cksum();
        archive.append(&header, *bytes)?;
    }
    archive.into_inner()?.finish()?;
    Ok(())
}

/// Who gets the entries of an archive, one by one.
pub(super) trait Receiver {
    /// How long the next entry may be, bytes, if it may have this name.
    fn most_bytes(&self, name: &str) -> Result<u64, BundleError>;
    /// Takes the next entry.
    fn take(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), BundleError>;
    fn damaged(&self, what: String) -> BundleError;
}

/// The message of the system or of a format.
fn damaged(receiver: &impl Receiver, error: io::Error) -> BundleError {
    receiver.damaged(error.to_string())
}

/// Reads an archive, and hands over its entries.
///
/// # Errors
/// Not an archive, cut off, changed, or with more than entries in it; the receiver refuses an entry.
pub(super) fn read(archive: impl Read, receiver: &mut impl Receiver) -> Result<(), BundleError> {
    let decoder = zstd::Decoder::new(archive).and_then(|mut decoder| {
        decoder.window_log_max(WINDOW_LOG)?;
        Ok(decoder)
    });
    let mut archive = Archive::new(decoder.map_err(|error| damaged(receiver, error))?);
    // Raw: what extends the format (long names, links to other entries, holes) is an entry like any other, and refused.
    let entries = archive.entries().map_err(|error| damaged(receiver, error))?;
    for entry in entries.raw(true) {
        let mut entry = entry.map_err(|error| damaged(receiver, error))?;
        let name = String::from_utf8_lossy(&entry.header().path_bytes()).into_owned();
        let kind = entry.header().entry_type();
        if kind != EntryType::Regular {
            return Err(receiver.damaged(format!("{name:?} is not a plain file in it ({kind:?})")));
        }
        let size = entry.header().size().map_err(|error| damaged(receiver, error))?;
        let most = receiver.most_bytes(&name)?;
        if size > most {
            return Err(receiver.damaged(format!("{name:?} states {size} bytes, and at most {most} are expected")));
        }
        let mut bytes = Vec::new();
        // The stated size may exceed the real one: memory grows with the data.
        (&mut entry).take(size).read_to_end(&mut bytes).map_err(|error| damaged(receiver, error))?;
        if bytes.len() as u64 != size {
            return Err(receiver.damaged(format!("{name:?} ends after {} of {size} bytes", bytes.len())));
        }
        receiver.take(&name, bytes)?;
    }
    let mut rest = Vec::new();
    archive.into_inner().take(MOST_PADDING + 1).read_to_end(&mut rest).map_err(|error| damaged(receiver, error))?;
    if rest.len() as u64 > MOST_PADDING || rest.iter().any(|&byte| byte != 0) {
        return Err(receiver.damaged("data follows its last file".to_owned()));
    }
    Ok(())
}
