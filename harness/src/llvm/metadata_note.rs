//! LLVM's own metadata note, which its asm printer appends to every object for the (empty) module around the text.

use object::LittleEndian as LE;
use object::elf::{FileHeader64, NoteType, SHT_NOTE};
use object::read::elf::{FileHeader as _, SectionHeader as _};

/// `NT_AMDGPU_METADATA`.
const METADATA: NoteType = NoteType(32);
/// The MessagePack pair `"amdhsa.kernels": []` by which the note of an empty module is known.
const NO_KERNELS: &[u8] = b"\xaeamdhsa.kernels\x90";
/// Where an ELF64 section header holds `sh_size`.
const SH_SIZE: usize = 32;

/// Cuts LLVM's own note, always the last one of its section, off an object; the notes of the text stay.
pub(super) fn cut_own(mut object: Vec<u8>) -> Result<Vec<u8>, String> {
    let Some((size_at, size)) = own(&object).map_err(|error| error.to_string())? else { return Ok(object) };
    let field = object.get_mut(size_at..size_at + 8).ok_or("section header beyond the end")?;
    field.copy_from_slice(&size.to_le_bytes());
    Ok(object)
}

/// The place of the size of the note section, and the size that it has without LLVM's own note.
fn own(object: &[u8]) -> object::Result<Option<(usize, u64)>> {
    let header = FileHeader64::<LE>::parse(object)?;
    let sections = header.sections(LE, object)?;
    let headers_at = header.e_shoff.get(LE) as usize;
    let stride = usize::from(header.e_shentsize.get(LE));
    for (index, section) in sections.iter().enumerate().filter(|(_, section)| section.sh_type(LE) == SHT_NOTE) {
        let Some(mut notes) = section.notes(LE, object)? else { continue };
        let (mut end, mut before_last, mut last_is_own) = (0_u64, 0, false);
        while let Some(note) = notes.next()? {
            before_last = end;
            let (name, descriptor) = (note.name_bytes(), note.desc());
            let padded = |length: usize| length.next_multiple_of(4) as u64;
            end += 12 + padded(note_name_size(name)) + padded(descriptor.len());
            let is_empty = descriptor.windows(NO_KERNELS.len()).any(|window| window == NO_KERNELS);
            last_is_own = note.n_type(LE) == METADATA && is_empty;
        }
        if last_is_own {
            return Ok(Some((headers_at + index * stride + SH_SIZE, before_last)));
        }
    }
    Ok(None)
}

/// Size of a note's name with its terminating NUL, whether or not the reader has kept that.
fn note_name_size(name: &[u8]) -> usize {
    name.strip_suffix(b"\0").unwrap_or(name).len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::Llvm;

    const METADATA_TEXT: &str =
        ".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels: []\n...\n.end_amdgpu_metadata\n";

    fn notes(object: &[u8]) -> Vec<Vec<u8>> {
        let header = FileHeader64::<LE>::parse(object).unwrap();
        let mut found = Vec::new();
        for section in header.sections(LE, object).unwrap().iter() {
            let Some(mut notes) = section.notes(LE, object).unwrap() else { continue };
            while let Some(note) = notes.next().unwrap() {
                found.push(note.desc().to_vec());
            }
        }
        found
    }

    #[test]
    fn leaves_the_notes_of_the_text_alone() {
        let llvm = Llvm::find(None).unwrap();
        assert!(notes(&llvm.assemble("gfx803", "s_nop 0\n").unwrap()).is_empty());
        let [note] = notes(&llvm.assemble("gfx803", METADATA_TEXT).unwrap()).try_into().unwrap();
        assert!(note.windows(18).any(|window| window == b"\xaeamdhsa.version\x92\x01\x01"), "{note:?}");
        assert!(!note.windows(13).any(|window| window == b"amdhsa.target"), "LLVM's own note");
    }
}
