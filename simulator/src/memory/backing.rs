//! Foreign memory as the backing of the simulator's own: pages of it are read at first touch and written back.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::error::Problem;
use crate::memory::word::Word;

/// Bytes that are read together: the smallest page of a host.
const PAGE: u64 = 4096;

/// An address that nothing is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("nothing is mapped at {0:#x}")]
pub struct Unmapped(pub u64);

/// Memory that the simulator does not own, such as that of the process that uses it.
///
/// The simulator reads whole pages of 4 KiB, aligned, and writes runs of the bytes that a dispatch changed.
pub trait Backing: fmt::Debug + Send + Sync {
    /// Fills `bytes` with the content at `address`.
    ///
    /// # Errors
    /// Part of it is not mapped.
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped>;

    /// Puts `bytes` to `address`.
    ///
    /// # Errors
    /// Part of it is not mapped, or not writable.
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped>;

    /// Keeps in mind that the dword at `address` is not known since the instruction whose address has the low half `writer`; `false`
    /// where that cannot be, since someone else sees the memory: then the dispatch fails.
    fn keep_unknown(&self, address: u64, writer: u32) -> bool {
        let _ = (address, writer);
        false
    }

    /// The dwords among `bytes` bytes from `address` on that are not known: their addresses and writers.
    fn unknown(&self, address: u64, bytes: u64) -> Vec<(u64, u32)> {
        let _ = (address, bytes);
        Vec::new()
    }
}

#[derive(Debug, Clone)]
struct Page {
    /// As it was read.
    before: Vec<Word>,
    words: Vec<Word>,
}

/// A dword that a dispatch left unknown, where someone else sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LostWord {
    pub address: u64,
    /// The instruction that wrote it.
    pub writer: Option<u32>,
    /// The instruction of an earlier dispatch that wrote the first unknown dword of the pages which this one read: a kernel
    /// that copies is not the cause.
    pub found: Option<u32>,
}

/// The pages that have been touched.
#[derive(Debug, Clone)]
pub(crate) struct Pages {
    backing: Arc<dyn Backing>,
    touched: BTreeMap<u64, Page>,
    /// The page that was used last, out of the map: the next access mostly goes there, too.
    last: Option<(u64, Page)>,
}

impl Pages {
    /// No page yet.
    pub(crate) fn new(backing: Arc<dyn Backing>) -> Self {
        Self { backing, touched: BTreeMap::new(), last: None }
    }

    /// The words of the page that holds `address`, and the page's address; `None` where nothing is mapped.
    pub(crate) fn page(&mut self, address: u64) -> Option<(u64, &mut [Word])> {
        let base = address / PAGE * PAGE;
        if self.last.as_ref().is_none_or(|(last, _)| *last != base) {
            let page = match self.touched.remove(&base) {
                Some(page) => page,
                None => self.read(base).ok()?,
            };
            if let Some((base, page)) = self.last.replace((base, page)) {
                self.touched.insert(base, page);
            }
        }
        self.last.as_mut().map(|(base, page)| (*base, &mut page.words[..]))
    }

    fn read(&self, base: u64) -> Result<Page, Unmapped> {
        let mut bytes = vec![0; PAGE as usize];
        self.backing.read(base, &mut bytes)?;
        let word = |bytes: &[u8]| Word::known(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        let mut words: Vec<Word> = bytes.chunks_exact(4).map(word).collect();
        for (address, writer) in self.backing.unknown(base, PAGE) {
            if let Some(word) = words.get_mut((address.wrapping_sub(base) / 4) as usize) {
                *word = Word::unknown(writer);
            }
        }
        Ok(Page { before: words.clone(), words })
    }

    /// Writes the bytes that are not as they were read, and forgets all pages. Nothing is written where a word is unknown;
    /// the first such word that is not kept in mind either is given.
    ///
    /// # Errors
    /// Where nothing is mapped any more, or not for writing.
    pub(crate) fn write_back(&mut self) -> Result<Option<LostWord>, Problem> {
        let mut unknown = None;
        let mut failed = None;
        let mut pages = std::mem::take(&mut self.touched);
        pages.extend(self.last.take());
        for (base, page) in &pages {
            let mut run: (u64, Vec<u8>) = (*base, Vec::new());
            let mut write = |(address, bytes): &(u64, Vec<u8>)| {
                if !bytes.is_empty()
                    && let Err(Unmapped(address)) = self.backing.write(*address, bytes)
                {
                    failed.get_or_insert(Problem::MemoryFault { address, bytes: bytes.len() as u32 });
                }
            };
            for ((address, before), word) in (*base..).step_by(4).zip(&page.before).zip(&page.words) {
                if word == before {
                    continue;
                }
                let Some(value) = word.value() else {
                    if !self.backing.keep_unknown(address, word.writer().unwrap_or_default()) {
                        unknown.get_or_insert((address, word.writer()));
                    }
                    continue;
                };
                // All bytes of a dword that was not known.
                let before = before.value().unwrap_or(!value);
                for (at, (byte, before)) in (address..).zip(value.to_le_bytes().iter().zip(before.to_le_bytes())) {
                    if *byte != before {
                        if run.0 + run.1.len() as u64 != at {
                            write(&run);
                            run = (at, Vec::new());
                        }
                        run.1.push(*byte);
                    }
                }
            }
            write(&run);
        }
        let lost = unknown.map(|(address, writer)| LostWord { address, writer, found: found_writer(&pages) });
        failed.map_or(Ok(lost), Err)
    }

    /// Forgets all pages without writing any.
    pub(crate) fn clobber(&mut self) {
        self.touched.clear();
        self.last = None;
    }
}

/// Who wrote the first unknown dword that the pages held when they were read.
fn found_writer(pages: &BTreeMap<u64, Page>) -> Option<u32> {
    pages.values().flat_map(|page| &page.before).find_map(|word| word.writer())
}
