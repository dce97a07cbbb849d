//! Clang's offload bundles: code for several targets in one file.
//!
//! The layout is that of Clang's "ClangOffloadBundler" page: the magic, the number of entries, for each of them where its code is, how many
//! bytes that has, and an identifier with its length; all numbers have eight bytes, and places are counted from the magic.

use std::ops::Range;

use object::read::ReadRef;

use super::CodeError;

/// The start of a bundle.
pub(super) const MAGIC: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";
/// The start of a compressed bundle.
pub(super) const COMPRESSED: &[u8] = b"CCOB";
/// No bundle has code for more targets.
const MOST_ENTRIES: u64 = 1024;
/// No identifier has more bytes.
const MOST_OF_AN_IDENTIFIER: u64 = 1024;

/// Code for one target, as a bundle has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleEntry {
    /// Kind, triple and target: `hipv4-amdgcn-amd-amdhsa--gfx906:xnack-`.
    pub identifier: String,
    /// Its bytes in the file; none if the bundle names the target only.
    pub range: Range<u64>,
}

impl BundleEntry {
    /// Its target, features included, if it is one of AMD's: `gfx906:xnack-`.
    pub fn target(&self) -> Option<&str> {
        self.identifier.rfind("-gfx").map(|at| &self.identifier[at + 1..])
    }

    /// Its target without features: `gfx906`.
    pub fn processor_name(&self) -> Option<&str> {
        self.target()?.split(':').next()
    }
}

/// A bundle in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bundle {
    pub(super) entries: Vec<BundleEntry>,
    /// Behind its last byte.
    pub(super) end: u64,
}

impl Bundle {
    /// Reads the table of a bundle that begins at the start of a part of a file.
    ///
    /// # Errors
    /// No bundle, a compressed one, or a table that cannot be true.
    pub(super) fn read<'data>(data: impl ReadRef<'data>, part: Range<u64>) -> Result<Self, CodeError> {
        let start = part.start;
        let wrong = |problem: String| CodeError::Object(format!("the offload bundle at byte {start}: {problem}"));
        let mut reader = Reader { data, at: start, end: part.end };
        let magic = reader.bytes(MAGIC.len() as u64).map_err(&wrong)?;
        if magic != MAGIC {
            return Err(wrong("its first bytes are not those of a bundle".to_owned()));
        }
        let count = reader.number().map_err(&wrong)?;
        if count > MOST_ENTRIES {
            return Err(wrong(format!("it is said to have {count} entries, but at most {MOST_ENTRIES} are read")));
        }
        let mut entries = Vec::new();
        for entry in 0..count {
            let of_entry = |problem: String| wrong(format!("entry {entry}: {problem}"));
            let [offset, size, length] = [(); 3].map(|()| reader.number());
            let (offset, size, length) =
                (offset.map_err(of_entry)?, size.map_err(of_entry)?, length.map_err(of_entry)?);
            if length > MOST_OF_AN_IDENTIFIER {
                return Err(of_entry(format!("its identifier is said to have {length} bytes")));
            }
            let identifier = String::from_utf8_lossy(reader.bytes(length).map_err(of_entry)?).into_owned();
            let first = start.checked_add(offset);
            let range = first.and_then(|first| Some(first..first.checked_add(size)?)).filter(|it| it.end <= part.end);
            let range = range.ok_or_else(|| {
                of_entry(format!("{size} bytes at {offset:#x} lie beyond the {} that there are", part.end - start))
            })?;
            entries.push(BundleEntry { identifier, range });
        }
        let table_end = reader.at;
        let mut taken: Vec<&Range<u64>> =
            entries.iter().map(|entry| &entry.range).filter(|range| !range.is_empty()).collect();
        taken.sort_by_key(|range| range.start);
        if taken.first().is_some_and(|first| first.start < table_end) {
            return Err(wrong("code of an entry lies in its table".to_owned()));
        }
        if let Some(pair) = taken.windows(2).find(|pair| pair[1].start < pair[0].end) {
            return Err(wrong(format!("two entries have code at {:#x}", pair[1].start - start)));
        }
        let end = taken.last().map_or(table_end, |last| last.end);
        Ok(Self { entries, end })
    }
}

/// Reads a part of a file from front to back.
struct Reader<R> {
    data: R,
    at: u64,
    end: u64,
}

impl<'data, R: ReadRef<'data>> Reader<R> {
    fn bytes(&mut self, size: u64) -> Result<&'data [u8], String> {
        let missing = || "it is cut off".to_owned();
        let end = self.at.checked_add(size).filter(|end| *end <= self.end).ok_or_else(missing)?;
        let bytes = self.data.read_bytes_at(self.at, size).map_err(|()| missing())?;
        self.at = end;
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u64, String> {
        let bytes = self.bytes(8)?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bundle of entries, each with its place, its size and its identifier.
    fn bundle(entries: &[(u64, u64, &str)]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((entries.len() as u64).to_le_bytes());
        for (offset, size, identifier) in entries {
            for number in [*offset, *size, identifier.len() as u64] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend(identifier.as_bytes());
        }
        bytes.resize(512, 0);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Bundle, String> {
        Bundle::read(bytes, 0..bytes.len() as u64).map_err(|error| error.to_string())
    }

    #[test]
    fn a_table_locates_each_entry() {
        let read = read(&bundle(&[
            (0x100, 0, "host-x86_64-unknown-linux"),
            (0x100, 16, "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"),
            (0x180, 16, "hip-amdgcn-amd-amdhsa-gfx803"),
        ]))
        .unwrap();
        let targets: Vec<_> = read.entries.iter().map(BundleEntry::target).collect();
        assert_eq!(targets, [None, Some("gfx90a:sramecc+:xnack-"), Some("gfx803")]);
        assert_eq!(read.entries[1].processor_name(), Some("gfx90a"));
        assert_eq!((read.entries[2].range.clone(), read.end), (0x180..0x190, 0x190));
    }

    #[test]
    fn impossible_tables_are_refused() {
        let sound = bundle(&[(0x100, 16, "hip-amdgcn-amd-amdhsa-gfx803")]);
        let refusal = |bytes: &[u8]| read(bytes).unwrap_err();
        assert!(refusal(&sound[..40]).ends_with("entry 0: it is cut off"));
        assert!(refusal(&sound[..20]).ends_with("it is cut off"));
        assert!(refusal(&sound[1..]).ends_with("its first bytes are not those of a bundle"));
        let number = |at: usize, number: u64| {
            let mut bytes = sound.clone();
            bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
            refusal(&bytes)
        };
        assert!(number(24, 5_000_000_000).contains("5000000000 entries, but at most 1024"));
        assert!(number(24, 40).contains("entry 1"));
        assert!(number(32, 500).contains("16 bytes at 0x1f4 lie beyond the 512 that there are"));
        assert!(number(32, u64::MAX).contains("lie beyond"));
        assert!(number(40, u64::MAX).contains("lie beyond"));
        assert!(number(48, u64::MAX).contains("its identifier is said to have 18446744073709551615 bytes"));
        assert!(number(32, 32).contains("code of an entry lies in its table"));
        let overlapping = bundle(&[(0x100, 16, "a"), (0x108, 16, "b")]);
        assert!(refusal(&overlapping).ends_with("two entries have code at 0x108"));
    }
}
