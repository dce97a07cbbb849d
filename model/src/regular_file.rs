//! Reading files that a user names: regular files only, and no more of them than is expected.

use std::{
    fs::{self, File},
    io::{Error, ErrorKind, Read, Result},
    path::Path,
};

/// The most bytes that are read from a file of a run.
pub const MOST_OF_A_RUN: u64 = 4 << 30;

/// Opens a regular file. A FIFO would be waited for without end, and a device read without end.
///
/// # Errors
/// The system's message; that the path is not a regular file.
pub fn open(path: &Path) -> Result<File> {
    let invalid = |message: &str| Error::new(ErrorKind::InvalidInput, message.to_owned());
    let metadata = fs::metadata(path)?;
    match metadata.is_file() {
        true => File::open(path),
        false if metadata.is_dir() => Err(invalid("it is a folder, not a file")),
        false => Err(invalid("it is not a regular file (a FIFO, a socket or a device)")),
    }
}

/// The bytes of a regular file, up to a limit.
///
/// # Errors
/// Those of [`open`]; that the file is too large.
pub fn read(path: &Path, most_bytes: u64) -> Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(length.min(most_bytes)).unwrap_or(0));
    // The length that the system states may be wrong, as it is in /proc.
    file.take(most_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        let problem = format!("it has {} bytes, and at most {most_bytes} are read", length.max(most_bytes + 1));
        return Err(Error::new(ErrorKind::InvalidInput, problem));
    }
    Ok(bytes)
}

/// The same as text.
///
/// # Errors
/// Those of [`read`], and that the file is not UTF-8.
pub fn read_to_string(path: &Path, most_bytes: u64) -> Result<String> {
    String::from_utf8(read(path, most_bytes)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::new(ErrorKind::InvalidData, format!("it is not UTF-8 text (byte {at})"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_up_to_the_limit_are_read() {
        let path = std::env::temp_dir().join(format!("gcn-model-regular-file-{}", std::process::id()));
        fs::write(&path, b"four").unwrap();
        assert_eq!(read_to_string(&path, 4).unwrap(), "four");
        assert_eq!(read(&path, 3).unwrap_err().to_string(), "it has 4 bytes, and at most 3 are read");
        fs::write(&path, b"ab\xff").unwrap();
        assert_eq!(read_to_string(&path, 4).unwrap_err().to_string(), "it is not UTF-8 text (byte 2)");
        fs::remove_file(&path).unwrap();
        assert_eq!(read(&path, 4).unwrap_err().kind(), ErrorKind::NotFound);
        assert!(read(&std::env::temp_dir(), 4).unwrap_err().to_string().contains("it is a folder"));
        #[cfg(unix)]
        assert!(read(Path::new("/dev/zero"), 4).unwrap_err().to_string().contains("not a regular file"));
    }
}
