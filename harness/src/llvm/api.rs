//! The table of LLVM's C functions that are used, and the types that they pass.
#![expect(unsafe_code, reason = "LLVM is only reachable through its C interface, loaded at run time")]

use libloading::Library;
use std::ffi::{c_char, c_int, c_uint, c_void};

/// The oldest LLVM with `.amdhsa_code_object_version`.
pub(super) const OLDEST: u32 = 18;

/// Any of LLVM's opaque references.
pub(super) type Ref = *mut c_void;
type DiagnosticHandler = extern "C" fn(diagnostic: Ref, collected: *mut c_void);

macro_rules! api {
    ($($field:ident = $symbol:literal: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// LLVM's C functions; the fields carry the functions' names without `LLVM`.
        pub(super) struct Api {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Api {
            /// Looks up every function; the error names the first that is missing.
            pub(super) fn load(library: &Library) -> Result<Self, String> {
                // SAFETY: the signatures are those of llvm-c (Core.h, Target.h, TargetMachine.h, Disassembler.h),
                // stable since LLVM 16; the library is never unloaded, so the pointers stay valid.
                unsafe {
                    Ok(Self {
                        $($field: *library
                            .get(concat!($symbol, "\0").as_bytes())
                            .map_err(|_| format!("has no {}", $symbol))?,)*
                    })
                }
            }
        }
    };
}

api! {
    get_version = "LLVMGetVersion": fn(*mut c_uint, *mut c_uint, *mut c_uint);
    initialize_target_info = "LLVMInitializeAMDGPUTargetInfo": fn();
    initialize_target = "LLVMInitializeAMDGPUTarget": fn();
    initialize_target_mc = "LLVMInitializeAMDGPUTargetMC": fn();
    initialize_asm_parser = "LLVMInitializeAMDGPUAsmParser": fn();
    initialize_asm_printer = "LLVMInitializeAMDGPUAsmPrinter": fn();
    initialize_disassembler = "LLVMInitializeAMDGPUDisassembler": fn();
    context_create = "LLVMContextCreate": fn() -> Ref;
    context_dispose = "LLVMContextDispose": fn(Ref);
    context_set_diagnostic_handler = "LLVMContextSetDiagnosticHandler": fn(Ref, DiagnosticHandler, *mut c_void);
    diagnostic_description = "LLVMGetDiagInfoDescription": fn(Ref) -> *mut c_char;
    diagnostic_severity = "LLVMGetDiagInfoSeverity": fn(Ref) -> c_int;
    dispose_message = "LLVMDisposeMessage": fn(*mut c_char);
    module_create = "LLVMModuleCreateWithNameInContext": fn(*const c_char, Ref) -> Ref;
    dispose_module = "LLVMDisposeModule": fn(Ref);
    set_target = "LLVMSetTarget": fn(Ref, *const c_char);
    set_module_inline_asm = "LLVMSetModuleInlineAsm2": fn(Ref, *const c_char, usize);
    add_module_flag = "LLVMAddModuleFlag": fn(Ref, c_int, *const c_char, usize, Ref);
    int32_type = "LLVMInt32TypeInContext": fn(Ref) -> Ref;
    const_int = "LLVMConstInt": fn(Ref, u64, c_int) -> Ref;
    value_as_metadata = "LLVMValueAsMetadata": fn(Ref) -> Ref;
    get_target = "LLVMGetTargetFromTriple": fn(*const c_char, *mut Ref, *mut *mut c_char) -> c_int;
    create_target_machine = "LLVMCreateTargetMachine":
        fn(Ref, *const c_char, *const c_char, *const c_char, c_int, c_int, c_int) -> Ref;
    dispose_target_machine = "LLVMDisposeTargetMachine": fn(Ref);
    emit_to_memory_buffer = "LLVMTargetMachineEmitToMemoryBuffer":
        fn(Ref, Ref, c_int, *mut *mut c_char, *mut Ref) -> c_int;
    buffer_start = "LLVMGetBufferStart": fn(Ref) -> *const c_char;
    buffer_size = "LLVMGetBufferSize": fn(Ref) -> usize;
    dispose_buffer = "LLVMDisposeMemoryBuffer": fn(Ref);
    create_disassembler = "LLVMCreateDisasmCPUFeatures": fn(
        *const c_char, *const c_char, *const c_char, *mut c_void, c_int, *mut c_void, *mut c_void
    ) -> Ref;
    disassemble = "LLVMDisasmInstruction": fn(Ref, *mut u8, u64, u64, *mut c_char, usize) -> usize;
    dispose_disassembler = "LLVMDisasmDispose": fn(Ref);
}

impl Api {
    /// LLVM's version: major, minor, patch.
    pub(super) fn version(&self) -> (u32, u32, u32) {
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: three valid, distinct places to write to.
        unsafe { (self.get_version)(&mut major, &mut minor, &mut patch) };
        (major, minor, patch)
    }

    /// Registers the AMDGPU target with LLVM. To be called once, before anything else is done.
    pub(super) fn initialize(&self) {
        // SAFETY: these functions take nothing and only fill LLVM's registry; the caller (`search::load`) holds a lock,
        // and no other function of this library has been called yet.
        unsafe {
            (self.initialize_target_info)();
            (self.initialize_target)();
            (self.initialize_target_mc)();
            (self.initialize_asm_parser)();
            (self.initialize_asm_printer)();
            (self.initialize_disassembler)();
        }
    }
}
