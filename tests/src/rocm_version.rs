//! Versions of ROCm that the program is tried on: the machine's own, and those that `.ci/rocm-roots` unpacked.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cards::Rocm;

/// Where `.ci/rocm-roots` has put them.
const ROOTS: &str = "GCN_TIMINGS_ROCM_ROOTS";
/// Set to make missing roots a failure instead of skipped tests.
const NEED_ROOTS: &str = "GCN_TIMINGS_NEED_ROCM_ROOTS";
/// The version that is installed where the tests run: Debian bookworm's.
const INSTALLED: &str = "5.2";
/// Versions that are unpacked.
const UNPACKED: [&str; 2] = ["6.4", "7.2"];
/// The version that is unpacked with the tests of rocPRIM and rocRAND.
const WITH_PEERS: &str = "5.7";

/// A version of ROCm, and where it is.
#[derive(Debug, Clone)]
pub struct RocmVersion {
    /// As `.ci/rocm-roots` names it, and HIP's own version begins.
    pub name: &'static str,
    /// The folder that it is unpacked in; `None` for the one that is installed.
    root: Option<PathBuf>,
}

impl RocmVersion {
    /// The installed version and those that are unpacked. Where the latter are not there, a line says so.
    ///
    /// # Panics
    /// If they are not there and `GCN_TIMINGS_NEED_ROCM_ROOTS` is set.
    pub fn all() -> Vec<Self> {
        let installed = Self { name: INSTALLED, root: None };
        std::iter::once(installed).chain(Self::unpacked()).collect()
    }

    /// The versions that are unpacked, as [`RocmVersion::all`].
    ///
    /// # Panics
    /// As [`RocmVersion::all`].
    pub fn unpacked() -> Vec<Self> {
        Self::named(&UNPACKED)
    }

    /// The version with the test suites of AMD's libraries, which are peers of the project's own tests.
    ///
    /// # Panics
    /// As [`RocmVersion::all`].
    pub fn with_peers() -> Option<Self> {
        Self::named(&[WITH_PEERS]).pop()
    }

    /// A folder beside the versions, with packages of one purpose: `opencl` or `smi`.
    ///
    /// # Panics
    /// As [`RocmVersion::all`].
    pub fn folder(name: &str) -> Option<PathBuf> {
        let folder = env::var_os(ROOTS).map(|roots| PathBuf::from(roots).join(name));
        let found = folder.filter(|folder| folder.join("packages.csv").exists());
        if found.is_none() {
            let what = format!("{ROOTS} names no folder with {name} (.ci/rocm-roots DIR)");
            assert!(env::var_os(NEED_ROOTS).is_none(), "{NEED_ROOTS} is set, and {what}");
            println!("SKIPPED: {what} ({NEED_ROOTS}=1 makes this a failure)");
        }
        found
    }

    fn named(names: &[&'static str]) -> Vec<Self> {
        let roots = env::var_os(ROOTS).map(PathBuf::from);
        let versions = roots
            .into_iter()
            .flat_map(|roots| names.iter().map(move |name| Self { name, root: Some(roots.join(name)) }))
            .collect::<Vec<_>>();
        let are_there = versions.iter().all(|version| version.loader().is_some_and(|loader| loader.exists()));
        if versions.is_empty() || !are_there {
            let what = format!("{ROOTS} names no folder with ROCm {} (.ci/rocm-roots DIR)", names.join(" and "));
            assert!(env::var_os(NEED_ROOTS).is_none(), "{NEED_ROOTS} is set, and {what}");
            println!("SKIPPED: {what} ({NEED_ROOTS}=1 makes this a failure)");
            return Vec::new();
        }
        versions
    }

    /// The program on this version, with its HIP. The unpacked libraries may want a newer C library than the machine's: the program runs
    /// under the loader that comes with it.
    pub fn program(&self, rocm: &Rocm) -> Command {
        let program = rocm.program();
        if self.root.is_none() { program } else { self.foreign(rocm, Path::new(program.get_program())) }
    }

    /// Another program on this version, as [`RocmVersion::program`].
    ///
    /// # Panics
    /// On the installed version: such a program is started by its name.
    pub fn foreign(&self, rocm: &Rocm, program: &Path) -> Command {
        let (root, loader) = self.root.as_ref().zip(self.loader()).expect("a version that is unpacked");
        let words = ["--inhibit-cache".into(), "--library-path".into(), self.libraries().into(), program.into()];
        let mut command = rocm.program_under(&loader, &words);
        // Else comgr keeps its compilations in the user's home.
        command.env("AMD_COMGR_CACHE_DIR", root.join("compiled"));
        command
    }

    /// HIP's library.
    ///
    /// # Panics
    /// On the installed version, whose library the loader finds.
    pub fn hip_library(&self) -> PathBuf {
        let names = ["libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7"];
        let paths = names.map(|name| self.libraries().join(name));
        paths.into_iter().find(|path| self.root.is_some() && path.exists()).expect("HIP's library is unpacked")
    }

    /// The folder that it is unpacked in, if it is not the one that is installed.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The folder of AMD's OpenCL driver for the loader of OpenCL, if it comes with this version.
    pub fn opencl_vendors(&self) -> Option<PathBuf> {
        self.root.as_ref().map(|root| root.join("etc/OpenCL/vendors"))
    }

    /// The folder of its libraries.
    pub fn libraries(&self) -> PathBuf {
        self.root.as_deref().unwrap_or(Path::new("/")).join("usr/lib/x86_64-linux-gnu")
    }

    fn loader(&self) -> Option<PathBuf> {
        self.root.as_ref().map(|_| self.libraries().join("ld-linux-x86-64.so.2"))
    }
}
