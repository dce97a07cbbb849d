//! Synchronisation objects: each stands for the end of a submission.

use std::collections::BTreeMap;

use crate::drm::contexts::End;
use crate::ioctl::{Errno, INVALID};

/// The synchronisation objects of a process; one without an end has had no submission yet.
#[derive(Debug, Default)]
pub(crate) struct SyncObjects {
    ends: BTreeMap<u32, Option<End>>,
    last: u32,
}

impl SyncObjects {
    /// Makes one, which is signalled from the start if asked for.
    pub(crate) fn create(&mut self, is_signalled: bool) -> u32 {
        self.last += 1;
        self.ends.insert(self.last, is_signalled.then_some(End::Done));
        self.last
    }

    /// Removes one.
    pub(crate) fn destroy(&mut self, handle: u32) -> Result<(), Errno> {
        self.ends.remove(&handle).map(|_| ()).ok_or(INVALID)
    }

    /// How its submission ended.
    pub(crate) fn end(&self, handle: u32) -> Result<Option<End>, Errno> {
        self.ends.get(&handle).copied().ok_or(NO_OBJECT)
    }

    /// A submission signals it, if that ends.
    pub(crate) fn submitted(&mut self, handle: u32, end: End) -> Result<(), Errno> {
        *self.ends.get_mut(&handle).ok_or(NO_OBJECT)? = Some(end);
        Ok(())
    }
}

/// No object of that handle (Linux, `drm_syncobj.c`: `ENOENT` where one is looked for to wait or to signal).
const NO_OBJECT: Errno = Errno(libc::ENOENT);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_the_end_of_its_last_submission() {
        let mut objects = SyncObjects::default();
        let [new, signalled] = [false, true].map(|is_signalled| objects.create(is_signalled));
        assert_eq!([new, signalled].map(|handle| objects.end(handle)), [Ok(None), Ok(Some(End::Done))]);
        for end in [End::Never, End::Reset, End::Done] {
            objects.submitted(new, end).unwrap();
            assert_eq!(objects.end(new), Ok(Some(end)));
        }
        assert_eq!((objects.destroy(new), objects.destroy(new)), (Ok(()), Err(INVALID)));
        assert_eq!((objects.end(new), objects.submitted(new, End::Done)), (Err(NO_OBJECT), Err(NO_OBJECT)));
    }
}
