//! The libraries whose kernels are predicted.

use std::fs::File;
use std::path::{Path, PathBuf};

use gcn_harness::code::{BundleEntry, FatBinary, Function, UserCode};
use gcn_model::gpu::Gpu;
use gcn_model::regular_file;
use object::read::elf::ElfFile64;
use object::read::{ReadCache, ReadRef};
use object::{LittleEndian, Object, ObjectSymbol};

/// A library of ROCm, as a package of Debian has it.
pub(crate) struct Library {
    pub(crate) package: &'static str,
    pub(crate) version: &'static str,
    file: &'static str,
    /// Whether a target of it takes a minute.
    pub(crate) is_large: bool,
}

impl Library {
    pub(crate) const ALL: [Self; 2] = [
        Self {
            package: "librocrand1",
            version: "5.3.3-4",
            file: "usr/lib/x86_64-linux-gnu/librocrand.so.1.1",
            is_large: false,
        },
        Self {
            package: "librocsparse0",
            version: "5.3.0+dfsg-2",
            file: "usr/lib/x86_64-linux-gnu/librocsparse.so.0.1",
            is_large: true,
        },
    ];

    /// Where it is if the packages were unpacked into a folder.
    pub(crate) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(self.file)
    }

    /// Its bundles.
    pub(crate) fn open(&self, folder: &Path) -> (ReadCache<File>, FatBinary) {
        let path = self.path(folder);
        let file =
            ReadCache::new(regular_file::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        let bundles = FatBinary::read(&file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (file, bundles)
    }

    /// Its functions for a GPU, by name.
    pub(crate) fn functions(&self, folder: &Path, gpu: &Gpu) -> Vec<Function> {
        let (file, _) = self.open(folder);
        let mut functions = UserCode::of_fat_binary(&file, gpu).unwrap_or_else(|error| panic!("{error}")).functions;
        functions.sort_by(|one, other| (&one.name, &*one.code.words).cmp(&(&other.name, &*other.code.words)));
        functions
    }
}

/// How many kernels have a descriptor in the code objects of a target, read without this project's code.
pub(crate) fn descriptors(file: &ReadCache<File>, bundles: &FatBinary, target: &str) -> usize {
    let of_entry = |entry: &BundleEntry| {
        let bytes = file.read_bytes_at(entry.range.start, entry.range.end - entry.range.start).unwrap();
        let object = ElfFile64::<LittleEndian>::parse(bytes).unwrap();
        object.dynamic_symbols().filter(|symbol| symbol.name().unwrap().ends_with(".kd")).count()
    };
    bundles.entries().filter(|entry| entry.target() == Some(target)).map(of_entry).sum()
}
