//! A GPU by its name or from a file, resolved with its bases.

use std::{path::Path, sync::Arc};

use super::{
    Gpu, GpuError,
    chain::{FileOrigin, open_file, with_bases},
    location::Source,
    reader,
    shipped::products,
};
use crate::isa::{Generation, Processor};
use crate::names::nearest_or_all;

impl Gpu {
    /// The names of the GPUs that ship.
    pub fn shipped() -> impl Iterator<Item = &'static str> {
        products().iter().map(|product| product.name)
    }

    /// Whether any GPU of a generation ships; of the others instructions are known, and no timings.
    pub fn is_known_of(generation: Generation) -> bool {
        Self::shipped().any(|name| Self::named(name).is_ok_and(|gpu| gpu.generation == generation))
    }

    /// A GPU that ships.
    ///
    /// # Errors
    /// [`GpuError::UnknownGpu`], with the names that come near; [`GpuError::NoGpu`].
    pub fn named(name: &str) -> Result<Self, GpuError> {
        let Some(product) = products().iter().find(|product| product.name == name) else {
            if let Some(processor) = Processor::find(&name.to_ascii_lowercase()) {
                return Err(GpuError::NoGpu(processor));
            }
            return Err(GpuError::UnknownGpu { name: name.to_owned(), near: nearest_or_all(name, Self::shipped()) });
        };
        Self::read(product.source(), FileOrigin::Shipped(product.name))
    }

    /// A GPU from a file; a `base` that ends in `.toml` is a path relative to the file.
    ///
    /// # Errors
    /// [`GpuError::Read`], or the fault of the file.
    pub fn from_file(path: &Path) -> Result<Self, GpuError> {
        let (source, place) = open_file(path)?;
        Self::read(source, place)
    }

    /// A GPU from a file's text; `file_name` is used in messages and to find a `base` that is a path.
    ///
    /// # Errors
    /// The fault of the file.
    pub fn from_toml(text: &str, file_name: &str) -> Result<Self, GpuError> {
        Self::read(Source::new(file_name, text), FileOrigin::file(Path::new(file_name)))
    }

    fn read(source: Arc<Source>, place: FileOrigin) -> Result<Self, GpuError> {
        let file = source.file.clone();
        let mut gpu = reader::read(&with_bases(source, place)?)?;
        // A file that makes the LDS smaller need not say that a group has no more than all of it.
        gpu.lds.max_group = gpu.lds.max_group.min(gpu.lds.bytes);
        gpu.check(&file)?;
        Ok(gpu)
    }
}
