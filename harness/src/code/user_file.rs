//! A file of code that a user brings.

use gcn_model::gpu::Gpu;
use object::read::ReadRef;

use super::CodeError;
use super::fat_binary::FatBinary;
use super::user_object::UserObject;

/// The code in a file for a GPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserFile<'data> {
    /// Assembly text.
    Text(&'data str),
    /// Machine code: an ELF file for AMDGPU, or that of each offload bundle; at least one.
    Objects(Vec<UserObject<'data>>),
}

impl<'data> UserFile<'data> {
    /// Finds the format of a file: an ELF file for AMDGPU, an offload bundle, a program or library of a host that holds bundles, or text.
    ///
    /// # Errors
    /// A file of another format, a damaged one, one without code for the GPU.
    pub fn of(data: impl ReadRef<'data>, gpu: &Gpu) -> Result<Self, CodeError> {
        if FatBinary::is_one(data) {
            return Ok(Self::Objects(FatBinary::read(data)?.objects(data, gpu)?));
        }
        let unreadable = || CodeError::Object("it cannot be read".to_owned());
        let length = data.len().map_err(|()| unreadable())?;
        let bytes = data.read_bytes_at(0, length).map_err(|()| unreadable())?;
        if bytes.starts_with(b"\x7fELF") {
            let object = UserObject::read(bytes)?;
            object.check(gpu)?;
            return Ok(Self::Objects(vec![object]));
        }
        let is_neither = "it is neither an ELF file, nor an offload bundle, nor UTF-8 text";
        let text = std::str::from_utf8(bytes);
        Ok(Self::Text(text.map_err(|error| CodeError::Object(format!("{is_neither}: {error}")))?))
    }
}
