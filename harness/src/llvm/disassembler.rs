//! LLVM's disassembler, for GCN 1.2 and later.
#![expect(unsafe_code, reason = "LLVM is only reachable through its C interface, loaded at run time")]

use super::api::Ref;
use super::assemble::TRIPLE;
use super::target::Target;
use super::{AssembleError, DisassemblerError, Llvm};
use std::ffi::CStr;
use std::ptr::null_mut;

/// Longer than any instruction's text.
const TEXT_BYTES: usize = 512;

/// Disassembles single instructions of a target. Not to be shared between threads: each creates its own.
pub struct Disassembler {
    llvm: Llvm,
    reference: Ref,
}

// SAFETY: LLVM's disassembler has no ties to the thread that created it; `&mut self` excludes use from two at once.
unsafe impl Send for Disassembler {}

impl Llvm {
    /// A disassembler for a target such as `gfx803`.
    ///
    /// # Errors
    /// GCN 1.0 and 1.1 (gfx6, gfx7), for which LLVM has none; an unknown target.
    pub fn disassembler(&self, target: &str) -> Result<Disassembler, DisassemblerError> {
        // LLVM ends the process when it is asked for one of these.
        if ["gfx6", "gfx7"].iter().any(|old| target.starts_with(old)) {
            return Err(DisassemblerError::TooOld(target.to_owned()));
        }
        let unknown = || DisassemblerError::UnknownTarget { target: target.to_owned(), llvm: self.name() };
        let parts = Target::parse(target).ok_or_else(unknown)?;
        // LLVM takes an unknown processor for one without instructions; the assembler's header tells.
        if let Err(AssembleError::UnknownTarget { .. }) = self.assemble(target, "") {
            return Err(unknown());
        }
        let (cpu, features) = (parts.cpu.as_ptr(), parts.features.as_ptr());
        // SAFETY: NUL-terminated strings; no callbacks and no data for them.
        let reference = unsafe {
            (self.api().create_disassembler)(TRIPLE.as_ptr(), cpu, features, null_mut(), 0, null_mut(), null_mut())
        };
        if reference.is_null() { Err(unknown()) } else { Ok(Disassembler { llvm: *self, reference }) }
    }
}

impl Disassembler {
    /// The instruction at the start of `code`, which lies at `address`: its text and its size in bytes.
    ///
    /// `None` where there is no valid instruction.
    pub fn disassemble(&mut self, code: &[u8], address: u64) -> Option<(String, usize)> {
        // LLVM's parameter is not const, though it only reads.
        let mut code = code.to_vec();
        let mut text = [0_u8; TEXT_BYTES];
        // SAFETY: both buffers are passed with their sizes; the reference is live; `&mut self` makes the use exclusive.
        let size = unsafe {
            let length = code.len() as u64;
            (self.llvm.api().disassemble)(
                self.reference,
                code.as_mut_ptr(),
                length,
                address,
                text.as_mut_ptr().cast(),
                text.len(),
            )
        };
        let text = CStr::from_bytes_until_nul(&text).ok()?.to_string_lossy();
        (size > 0).then(|| (text.trim().replace('\t', " "), size))
    }
}

impl Drop for Disassembler {
    fn drop(&mut self) {
        // SAFETY: created by `Llvm::disassembler` and disposed of only here.
        unsafe { (self.llvm.api().dispose_disassembler)(self.reference) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disassembles_valid_code() {
        let mut gfx803 = Llvm::find(None).unwrap().disassembler("gfx803").unwrap();
        let code = [0x00, 0x00, 0x80, 0xbf, 0xff, 0xff, 0xff, 0xff];
        assert_eq!(gfx803.disassemble(&code, 0), Some(("s_nop 0".to_owned(), 4)));
        assert_eq!(gfx803.disassemble(&code[4..], 4), None);
        assert_eq!(gfx803.disassemble(&[], 0), None);
        let literal = [0xff, 0x02, 0x00, 0x02, 0x78, 0x56, 0x34, 0x12];
        assert_eq!(gfx803.disassemble(&literal, 0), Some(("v_add_f32_e32 v0, 0x12345678, v1".to_owned(), 8)));
    }

    #[test]
    fn has_none_before_gcn_1_2() {
        let llvm = Llvm::find(None).unwrap();
        assert!(matches!(llvm.disassembler("gfx600"), Err(DisassemblerError::TooOld(_))));
        assert!(matches!(llvm.disassembler("gfx701"), Err(DisassemblerError::TooOld(_))));
        assert!(matches!(llvm.disassembler("gfx999"), Err(DisassemblerError::UnknownTarget { .. })));
    }
}
