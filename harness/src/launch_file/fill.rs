//! The content of a buffer before a launch.

use std::path::{Path, PathBuf};

use gcn_model::regular_file;
use serde::Deserialize;

/// The table of a buffer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BufferTable {
    bytes: Option<u64>,
    #[serde(default)]
    fill: Fill,
    seed: Option<u64>,
    file: Option<PathBuf>,
    #[serde(rename = "type")]
    element: Option<Element>,
}

/// Where the content comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Fill {
    #[default]
    Zero,
    /// Each element is its own number, from 0 on.
    Index,
    Random,
    File,
}

/// The elements of a buffer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Element {
    U8,
    U16,
    #[default]
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
}

impl Element {
    fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// The bits of the element of that number.
    fn index(self, number: u64) -> u64 {
        match self {
            Self::F32 => u64::from((number as f32).to_bits()),
            Self::F64 => (number as f64).to_bits(),
            _ => number,
        }
    }

    /// The bits of a random element: any integer, or a number from 0 up to 1, but not 1.
    fn random(self, bits: u64) -> u64 {
        match self {
            Self::F32 => u64::from(((bits >> 40) as f32 / (1 << 24) as f32).to_bits()),
            Self::F64 => ((bits >> 11) as f64 / (1_u64 << 53) as f64).to_bits(),
            _ => bits,
        }
    }
}

impl BufferTable {
    /// The bytes of the buffer, which are not more than there may be; files are relative to `folder`.
    ///
    /// # Errors
    /// Keys that do not go together, a file that cannot be read, too many bytes.
    pub(super) fn bytes(&self, folder: &Path, most_bytes: u64) -> Result<Vec<u8>, String> {
        let element = self.element.unwrap_or_default();
        if self.seed.is_some() && self.fill != Fill::Random {
            return Err("`seed` is for `fill = \"random\"`".to_owned());
        }
        if self.file.is_some() && self.fill != Fill::File {
            return Err("`file` is for `fill = \"file\"`".to_owned());
        }
        if self.bytes.is_some_and(|bytes| bytes > most_bytes) {
            return Err(format!("{most_bytes} bytes are left of the limit of all buffers; --launch-memory raises it"));
        }
        if self.fill == Fill::File {
            return self.of_file(folder, most_bytes);
        }
        let bytes = self.bytes.ok_or("`bytes` is missing")? as usize;
        if !bytes.is_multiple_of(element.size()) && self.fill != Fill::Zero {
            return Err(format!("{bytes} bytes are not a whole number of {}", element.name()));
        }
        let mut random = Random(self.seed.unwrap_or(0));
        let mut content = vec![0; bytes];
        if self.fill == Fill::Zero {
            return Ok(content);
        }
        for (number, place) in (0..).zip(content.chunks_exact_mut(element.size())) {
            let bits = match self.fill {
                Fill::Random => element.random(random.next()),
                _ => element.index(number),
            };
            place.copy_from_slice(&bits.to_le_bytes()[..element.size()]);
        }
        Ok(content)
    }

    /// The bytes of the file, then zeros if the buffer is longer.
    fn of_file(&self, folder: &Path, most_bytes: u64) -> Result<Vec<u8>, String> {
        let file = self.file.as_ref().ok_or("`file` is missing")?;
        let path = folder.join(file);
        let mut bytes = regular_file::read(&path, most_bytes)
            .map_err(|error| format!("{}: {error}; --launch-memory raises the limit of all buffers", path.display()))?;
        if let Some(wanted) = self.bytes {
            if bytes.len() as u64 > wanted {
                return Err(format!("{}: it has {} bytes, and `bytes` is {wanted}", path.display(), bytes.len()));
            }
            bytes.resize(wanted as usize, 0);
        }
        Ok(bytes)
    }
}

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): the same numbers on every host.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(text: &str) -> Vec<u8> {
        let table: BufferTable = toml::from_str(text).unwrap();
        table.bytes(Path::new("."), 1 << 20).unwrap()
    }

    #[test]
    fn buffers_contain_their_fill() {
        assert_eq!(buffer("bytes = 3"), [0; 3]);
        assert_eq!(buffer("bytes = 6\nfill = \"index\"\ntype = \"u16\""), [0, 0, 1, 0, 2, 0]);
        let of = |text: &str| -> Vec<f32> {
            buffer(text).chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
        };
        assert_eq!(of("bytes = 12\nfill = \"index\"\ntype = \"f32\""), [0.0, 1.0, 2.0]);
        let random = of("bytes = 40000\nfill = \"random\"\ntype = \"f32\"\nseed = 7");
        assert!(random.iter().all(|number| (0.0..1.0).contains(number)));
        let mean = random.iter().sum::<f32>() / random.len() as f32;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        assert_ne!(random, of("bytes = 40000\nfill = \"random\"\ntype = \"f32\"\nseed = 8"));
        // The first number of the published generator for the seed 0.
        assert_eq!(buffer("bytes = 8\nfill = \"random\"\ntype = \"u64\""), 0xe220_a839_7b1d_cdaf_u64.to_le_bytes());
    }
}
