//! Assembling text to an object file.
#![expect(unsafe_code, reason = "LLVM is only reachable through its C interface, loaded at run time")]

use super::api::{Api, Ref};
use super::target::Target;
use super::{AssembleError, Diagnostic, Llvm, metadata_note};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

pub(super) const TRIPLE: &CStr = c"amdgcn-amd-amdhsa";
/// The module's name ends up as the object's file symbol; it is the same for every object.
const MODULE: &CStr = c"gcn-timings";
/// `LLVMDSError`; errors do not show in the result of the emit call, only here.
const SEVERITY_ERROR: c_int = 0;
/// `LLVMObjectFile`.
const OBJECT_FILE: c_int = 1;
/// `LLVMCodeGenLevelNone`, `LLVMRelocDefault`, `LLVMCodeModelDefault`.
const LEVEL_NONE: c_int = 0;
const RELOC_DEFAULT: c_int = 0;
const MODEL_DEFAULT: c_int = 0;
/// `LLVMModuleFlagBehaviorError`.
const FLAG_ERROR: c_int = 0;
/// The asm printer takes the version from this flag and not from the text's directive (the name changed within LLVM 18).
const VERSION_FLAGS: [&CStr; 2] = [c"amdhsa_code_object_version", c"amdgpu_code_object_version"];
/// Version 4 as the flag spells it.
const VERSION_4: u64 = 400;
/// `e_flags` of an ELF64 header, and the part of it that names the processor; 0 where LLVM did not know it.
const E_FLAGS: usize = 48;
const MACH_MASK: u32 = 0xff;

/// What is done at an error, with those that there are.
pub(super) type AtError<'a> = &'a dyn Fn(&[Diagnostic]);

impl Llvm {
    /// Assembles text for a target such as `gfx803`; gives an ELF relocatable object of code object version 4.
    ///
    /// The object's metadata notes are those of the text's `.amdgpu_metadata`: LLVM's own empty one is cut off.
    /// Warnings are not reported.
    ///
    /// # Errors
    /// Every line that is wrong, an unknown target.
    pub fn assemble(&self, target: &str, text: &str) -> Result<Vec<u8>, AssembleError> {
        self.assemble_until(target, text, &|_| ())
    }

    /// Assembles text, and shows the errors so far at each of them: the only place to give up at.
    pub(super) fn assemble_until(
        &self,
        target: &str,
        text: &str,
        at_error: AtError<'_>,
    ) -> Result<Vec<u8>, AssembleError> {
        let unknown = || AssembleError::UnknownTarget { target: target.to_owned(), llvm: self.name() };
        let parts = Target::parse(target).ok_or_else(unknown)?;
        // LLVM may crash on text for a processor that it does not know.
        if !self.knows(target, || emit(self.api(), &parts, "", &|_| ()).0.is_ok_and(|object| names_processor(&object)))
        {
            return Err(unknown());
        }
        let (object, errors) = emit(self.api(), &parts, text, at_error);
        if !errors.is_empty() {
            return Err(AssembleError::Text(errors));
        }
        let object = object.map_err(|message| AssembleError::Emit { target: target.to_owned(), message })?;
        metadata_note::cut_own(object).map_err(|message| AssembleError::Object { target: target.to_owned(), message })
    }
}

/// Whether an object's header names a processor.
fn names_processor(object: &[u8]) -> bool {
    let flags = object.get(E_FLAGS..E_FLAGS + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    flags.is_some_and(|flags| flags & MACH_MASK != 0)
}

/// Emits an object and collects the messages to the context's diagnostic handler.
fn emit(api: &Api, target: &Target, text: &str, at_error: AtError<'_>) -> (Result<Vec<u8>, String>, Vec<Diagnostic>) {
    let mut sink = Sink { api, errors: Vec::new(), at_error };
    let handle: *mut c_void = (&raw mut sink).cast();
    // SAFETY: creates a context that only this call uses, and that is disposed of below, before `sink` ends.
    // The handler is called only from within `emit_in`, on this thread, while nothing else refers to `sink`.
    let object = unsafe {
        let context = (api.context_create)();
        (api.context_set_diagnostic_handler)(context, collect, handle);
        let object = emit_in(api, context, target, text);
        (api.context_dispose)(context);
        object
    };
    (object, sink.errors)
}

/// # Safety
/// `context` must be a live context that no other thread uses.
unsafe fn emit_in(api: &Api, context: Ref, target: &Target, text: &str) -> Result<Vec<u8>, String> {
    // SAFETY: every reference comes from the library and is live: the module is disposed of before its context, the
    // machine after the module; strings are NUL-terminated or passed with their length.
    unsafe {
        let mut of_triple = null_mut();
        let mut message: *mut c_char = null_mut();
        if (api.get_target)(TRIPLE.as_ptr(), &mut of_triple, &mut message) != 0 {
            return Err(take_message(api, message));
        }
        let (cpu, features) = (target.cpu.as_ptr(), target.features.as_ptr());
        let machine = (api.create_target_machine)(
            of_triple,
            TRIPLE.as_ptr(),
            cpu,
            features,
            LEVEL_NONE,
            RELOC_DEFAULT,
            MODEL_DEFAULT,
        );
        if machine.is_null() {
            return Err("no target machine".to_owned());
        }
        let module = (api.module_create)(MODULE.as_ptr(), context);
        (api.set_target)(module, TRIPLE.as_ptr());
        (api.set_module_inline_asm)(module, text.as_ptr().cast(), text.len());
        let version = (api.value_as_metadata)((api.const_int)((api.int32_type)(context), VERSION_4, 0));
        for flag in VERSION_FLAGS {
            (api.add_module_flag)(module, FLAG_ERROR, flag.as_ptr(), flag.count_bytes(), version);
        }
        let mut buffer = null_mut();
        let failed = (api.emit_to_memory_buffer)(machine, module, OBJECT_FILE, &mut message, &mut buffer) != 0;
        let object = if failed || buffer.is_null() {
            Err(take_message(api, message))
        } else {
            let bytes = std::slice::from_raw_parts((api.buffer_start)(buffer).cast(), (api.buffer_size)(buffer));
            let object = bytes.to_vec();
            (api.dispose_buffer)(buffer);
            Ok(object)
        };
        (api.dispose_module)(module);
        (api.dispose_target_machine)(machine);
        object
    }
}

/// The target of the diagnostic handler.
struct Sink<'a> {
    api: &'a Api,
    errors: Vec<Diagnostic>,
    at_error: AtError<'a>,
}

extern "C" fn collect(diagnostic: Ref, sink: *mut c_void) {
    // SAFETY: `sink` is the `Sink` that `emit` registered, alive and not referred to elsewhere during the call;
    // `diagnostic` is live during the call. Nothing here panics across the C frames.
    unsafe {
        let sink = &mut *sink.cast::<Sink<'_>>();
        if (sink.api.diagnostic_severity)(diagnostic) == SEVERITY_ERROR {
            let description = take_message(sink.api, (sink.api.diagnostic_description)(diagnostic));
            sink.errors.push(Diagnostic::parse(&description));
            (sink.at_error)(&sink.errors);
        }
    }
}

/// Copies a message of LLVM's and disposes of it.
///
/// # Safety
/// `message` must be null or a string that LLVM handed over.
unsafe fn take_message(api: &Api, message: *mut c_char) -> String {
    if message.is_null() {
        return "no message".to_owned();
    }
    // SAFETY: NUL-terminated by LLVM, and ours to dispose of.
    unsafe {
        let copy = CStr::from_ptr(message).to_string_lossy().into_owned();
        (api.dispose_message)(message);
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llvm() -> Llvm {
        Llvm::find(None).unwrap()
    }

    #[test]
    fn reports_every_bad_line_with_its_column() {
        let error = llvm().assemble("gfx803", "v_add_f63 v0\ns_nop 0\nv_add_f64 v0, v1, v2\n").unwrap_err();
        let AssembleError::Text(diagnostics) = error else { panic!("{error}") };
        let places: Vec<_> = diagnostics.iter().map(|d| (d.line, d.column)).collect();
        assert_eq!(places, [(1, 1), (3, 11)]);
    }

    #[test]
    fn refuses_unknown_targets() {
        for target in ["fiji", "gfx999", "gfx803:xnack"] {
            let error = llvm().assemble(target, "s_nop 0\n").unwrap_err();
            assert!(matches!(error, AssembleError::UnknownTarget { .. }), "{error}");
        }
    }

    #[test]
    fn names_the_processor_in_the_header() {
        for (target, flags) in [("gfx600", 0x20), ("gfx700", 0x22), ("gfx803", 0x2a), ("gfx900", 0x12c)] {
            let object = llvm().assemble(target, "s_nop 0\n").unwrap();
            assert_eq!(object[E_FLAGS..E_FLAGS + 4], u32::to_le_bytes(flags), "{target}");
            assert_eq!(object[7..9], [64, 2], "OSABI and ABI version for {target}");
        }
    }

    #[test]
    fn assembles_on_many_threads() {
        let text = "v_add_f64 v[0:1], v[2:3], v[4:5]\n".repeat(100);
        let first = llvm().assemble("gfx803", &text).unwrap();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| llvm().assemble("gfx803", &text).unwrap())).collect();
            threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), first));
        });
    }
}
