//! Finding, loading and accepting an LLVM library.
#![expect(unsafe_code, reason = "loading a shared library runs its initializers")]

use super::api::{Api, OLDEST};
use super::error::{LlvmError, Refusal};
use super::place;
use libloading::Library;
use std::collections::HashMap;
use std::error::Error as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The text that an accepted library must assemble to an object with ABI version 2 (code object version 4; facts §5.1).
const PROBE: &str = "\
.amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"
.amdhsa_code_object_version 4
.text
probe:
s_endpgm
.rodata
.p2align 6
.amdhsa_kernel probe
.amdhsa_next_free_vgpr 1
.amdhsa_next_free_sgpr 1
.end_amdhsa_kernel
";
const PROBE_TARGET: &str = "gfx803";
const EI_ABIVERSION: usize = 8;
const ABI_VERSION_OF_V4: u8 = 2;

/// LLVM with the AMDGPU target, loaded into this process.
///
/// A library is loaded once per process and never unloaded; the handle is cheap to copy and may be shared between threads.
#[derive(Clone, Copy)]
pub struct Llvm {
    loaded: &'static Loaded,
}

struct Loaded {
    api: Api,
    path: PathBuf,
    version: (u32, u32, u32),
    /// Targets that were asked about, and whether LLVM knows them.
    targets: Mutex<HashMap<String, bool>>,
}

impl std::fmt::Debug for Llvm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Llvm").field("path", &self.path()).field("version", &self.version()).finish()
    }
}

impl Llvm {
    /// Finds an LLVM library: `explicit` (a library, or a folder that has one) and nothing else if given;
    /// otherwise ROCm's, the system's, the Rust toolchain's.
    ///
    /// # Errors
    /// Every place looked at with the reason why it does not do (none there, too old, no AMDGPU target).
    pub fn find(explicit: Option<&Path>) -> Result<Self, LlvmError> {
        static FOUND: OnceLock<Llvm> = OnceLock::new();
        let mut refused = Vec::new();
        if let Some(path) = explicit {
            let files = place::libraries_in(path);
            if files.is_empty() {
                refused.push(Refusal { place: path.display().to_string(), reason: "no libLLVM in it".to_owned() });
            }
            return first_accepted(files, &mut refused).ok_or(LlvmError::Explicit { refused });
        }
        if let Some(found) = FOUND.get() {
            return Ok(*found);
        }
        for place in place::libraries() {
            if place.files.is_empty() {
                refused.push(Refusal { place: place.name, reason: "no libLLVM".to_owned() });
            } else if let Some(accepted) = first_accepted(place.files, &mut refused) {
                return Ok(*FOUND.get_or_init(|| accepted));
            }
        }
        Err(LlvmError::NotFound { refused })
    }

    /// LLVM's version, such as `22.1.2`.
    #[must_use]
    pub fn version(&self) -> String {
        let (major, minor, patch) = self.loaded.version;
        format!("{major}.{minor}.{patch}")
    }

    /// The library's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.loaded.path
    }

    pub(super) fn api(&self) -> &'static Api {
        &self.loaded.api
    }

    /// Whether LLVM knows a target; `find_out` is called the first time only.
    pub(super) fn knows(&self, target: &str, find_out: impl FnOnce() -> bool) -> bool {
        let mut targets = self.loaded.targets.lock().unwrap_or_else(PoisonError::into_inner);
        targets.get(target).copied().unwrap_or_else(|| {
            let known = find_out();
            targets.insert(target.to_owned(), known);
            known
        })
    }

    pub(super) fn name(&self) -> String {
        format!("LLVM {} ({})", self.version(), self.path().display())
    }
}

fn first_accepted(files: Vec<PathBuf>, refused: &mut Vec<Refusal>) -> Option<Llvm> {
    files.into_iter().find_map(|file| match load(&file) {
        Ok(llvm) => Some(llvm),
        Err(reason) => {
            let place = file.display().to_string();
            // The same file is often reachable through several places.
            if refused.iter().all(|known| known.place != place) {
                refused.push(Refusal { place, reason });
            }
            None
        }
    })
}

/// Loads a library once per process, and remembers the answer for it.
fn load(file: &Path) -> Result<Llvm, String> {
    static LOADED: Mutex<Option<HashMap<PathBuf, Result<Llvm, String>>>> = Mutex::new(None);
    let key = file.canonicalize().map_err(|error| error.to_string())?;
    if !key.is_file() {
        // The loader would wait for the other end of a FIFO.
        return Err("it is not a regular file".to_owned());
    }
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.get_or_insert_default().entry(key).or_insert_with_key(|key| load_now(key)).clone()
}

fn load_now(file: &Path) -> Result<Llvm, String> {
    let too_old = |major: u32| format!("LLVM {major} is too old: .amdhsa_code_object_version came with LLVM {OLDEST}");
    // The name says enough about most old libraries; no need to run their initializers.
    if let Some(major) = place::major_version(file).filter(|major| *major < OLDEST) {
        return Err(too_old(major));
    }
    // SAFETY: LLVM's initializers only register its own options and passes. Each LLVM is loaded with local visibility and
    // has versioned symbols, so it does not meet another LLVM of the process.
    let library = unsafe { Library::new(file) }.map_err(|error| match error.source() {
        // The error itself only says that it failed.
        Some(system) => system.to_string(),
        None => error.to_string(),
    })?;
    let api = Api::load(&library)?;
    // LLVM registers clean-up that refers to its own code: it must stay loaded until the process ends.
    std::mem::forget(library);
    let version = api.version();
    if version.0 < OLDEST {
        return Err(too_old(version.0));
    }
    api.initialize();
    let loaded = Loaded { api, path: file.to_owned(), version, targets: Mutex::default() };
    let llvm = Llvm { loaded: Box::leak(Box::new(loaded)) };
    let object = llvm.assemble(PROBE_TARGET, PROBE).map_err(|error| format!("LLVM {}: {error}", llvm.version()))?;
    match object.get(EI_ABIVERSION) {
        Some(&ABI_VERSION_OF_V4) => Ok(llvm),
        other => Err(format!(
            "LLVM {} emits ABI version {} where code object version 4 was asked for",
            llvm.version(),
            other.copied().unwrap_or_default()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_one_and_loads_it_once() {
        let first = Llvm::find(None).unwrap();
        let again = Llvm::find(Some(first.path())).unwrap();
        assert!(std::ptr::eq(first.loaded, again.loaded));
        assert!(first.loaded.version.0 >= OLDEST);
    }

    #[test]
    fn says_why_an_explicit_library_does_not_do() {
        let folder = tempfile::tempdir().unwrap();
        let error = Llvm::find(Some(folder.path())).unwrap_err().to_string();
        assert!(error.ends_with("no libLLVM in it"), "{error}");

        let old = folder.path().join("libLLVM-14.so.1");
        std::fs::write(&old, "never loaded").unwrap();
        let error = Llvm::find(Some(folder.path())).unwrap_err().to_string();
        assert!(error.contains("LLVM 14 is too old"), "{error}");

        let no_library = folder.path().join("libLLVM.so.99");
        std::fs::write(&no_library, "INPUT(libLLVM.so)").unwrap();
        assert!(matches!(Llvm::find(Some(&no_library)), Err(LlvmError::Explicit { .. })));
    }
}
