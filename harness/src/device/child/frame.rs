//! Frames between a run and the process of its device: a mark, two lengths, a JSON header, raw bytes.

use std::io::{self, ErrorKind, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Starts each frame, so that text which a driver prints is not taken for one.
const MARK: [u8; 4] = *b"gcn1";
/// Longest header, bytes: longer than any message.
const MOST_HEADER: u32 = 1 << 20;
/// Longest payload, bytes: a code object or the results of a launch.
const MOST_PAYLOAD: u32 = 1 << 30;

/// A frame as bytes.
///
/// # Errors
/// A header or payload that is too long.
pub(super) fn bytes(header: &impl Serialize, payload: &[u8]) -> io::Result<Vec<u8>> {
    let header = serde_json::to_vec(header)?;
    let length = |bytes: &[u8], most: u32| match u32::try_from(bytes.len()) {
        Ok(length) if length <= most => Ok(length.to_le_bytes()),
        _ => Err(io::Error::new(ErrorKind::InvalidInput, format!("{} bytes are too many for a frame", bytes.len()))),
    };
    let lengths = [length(&header, MOST_HEADER)?, length(payload, MOST_PAYLOAD)?];
    Ok([&MARK, &lengths[0], &lengths[1], header.as_slice(), payload].concat())
}

/// Writes a frame and hands it to the reader.
///
/// # Errors
/// The reader is gone.
pub(super) fn write(out: &mut dyn Write, header: &impl Serialize, payload: &[u8]) -> io::Result<()> {
    out.write_all(&bytes(header, payload)?)?;
    out.flush()
}

/// Reads a frame; `None` at the end of the stream.
///
/// # Errors
/// A stream that ends within a frame ([`ErrorKind::UnexpectedEof`]), or bytes that are no frame ([`ErrorKind::InvalidData`]).
pub(super) fn read<T: DeserializeOwned>(input: &mut dyn Read) -> io::Result<Option<(T, Vec<u8>)>> {
    let invalid = |what: String| io::Error::new(ErrorKind::InvalidData, what);
    let mut start = [0; 12];
    let first = loop {
        match input.read(&mut start[..1]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => break result?,
        }
    };
    if first == 0 {
        return Ok(None);
    }
    input.read_exact(&mut start[1..4])?;
    if start[..4] != MARK {
        return Err(invalid(format!("`{}` is not the start of a frame", start[..4].escape_ascii())));
    }
    input.read_exact(&mut start[4..])?;
    let length = |at: usize| u32::from_le_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]]);
    let (header, payload) = (length(4), length(8));
    if header > MOST_HEADER || payload > MOST_PAYLOAD {
        return Err(invalid(format!("a frame of {header} and {payload} bytes is too long")));
    }
    let mut part = |length: u32| {
        let mut bytes = vec![0; length as usize];
        input.read_exact(&mut bytes).map(|()| bytes)
    };
    let (header, payload) = (part(header)?, part(payload)?);
    let header = serde_json::from_slice(&header).map_err(|error| invalid(error.to_string()))?;
    Ok(Some((header, payload)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_and_text_does_not_pass() {
        let mut stream = bytes(&"header", b"payload").unwrap();
        stream.extend(bytes(&7, b"").unwrap());
        let mut input = stream.as_slice();
        assert_eq!(read::<String>(&mut input).unwrap().unwrap(), ("header".into(), b"payload".to_vec()));
        assert_eq!(read::<u32>(&mut input).unwrap().unwrap(), (7, Vec::new()));
        assert!(read::<u32>(&mut input).unwrap().is_none());

        let kind = |bytes: &[u8]| read::<u32>(&mut &*bytes).unwrap_err().kind();
        assert_eq!(kind(b"Memory access fault"), ErrorKind::InvalidData);
        assert_eq!(kind(&stream[..20]), ErrorKind::UnexpectedEof);
        assert_eq!(kind(&[MARK, [255; 4], [255; 4]].concat()), ErrorKind::InvalidData);
        assert_eq!(kind(&bytes(&"no number", b"").unwrap()), ErrorKind::InvalidData);
    }
}
