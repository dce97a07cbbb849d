//! The registers of a wave in the caches of the banks.

use crate::state::vector_number::VectorNumber;
use gcn_model::gpu::Pipelines;

/// The most banks, and registers in the cache of one, that a GPU file may have.
pub(crate) const MOST_BANKS: usize = 8;
const MOST_CACHED: usize = 4;

/// By bank the registers that a wave read last, the latest one first. Each wave has them to itself: no trace shows what others replace.
#[derive(Debug, Clone)]
pub(crate) struct BankCaches {
    banks: VectorNumber,
    size: usize,
    cached: [[Option<VectorNumber>; MOST_CACHED]; MOST_BANKS],
}

impl BankCaches {
    /// Empty ones.
    pub(crate) fn new(pipelines: &Pipelines) -> Self {
        let banks = pipelines.register_banks.max(1) as VectorNumber;
        Self { banks, size: pipelines.bank_cache as usize, cached: Default::default() }
    }

    fn of(&mut self, register: VectorNumber) -> &mut [Option<VectorNumber>] {
        &mut self.cached[usize::from(register % self.banks)][..self.size]
    }

    /// Whether a register is in one; it is the latest one then.
    pub(crate) fn has(&mut self, register: VectorNumber) -> bool {
        let cached = self.of(register);
        let found = cached.iter().position(|cached| *cached == Some(register));
        let moved = found.map_or(cached.len(), |place| place + 1);
        if let moved @ [_, ..] = &mut cached[..moved] {
            moved.rotate_right(1);
            moved[0] = Some(register);
        }
        found.is_some()
    }

    /// A register changes.
    pub(crate) fn forget(&mut self, register: VectorNumber) {
        self.of(register).iter_mut().filter(|cached| **cached == Some(register)).for_each(|cached| *cached = None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;

    #[test]
    fn a_cache_has_the_registers_that_were_read_last_and_did_not_change() {
        let mut caches = BankCaches::new(Gpu::named("rx7900xtx").unwrap().pipelines.as_ref().unwrap());
        let had: Vec<bool> = [1, 5, 2, 1, 9, 5, 1].into_iter().map(|register| caches.has(register)).collect();
        assert_eq!(had, [false, false, false, true, false, false, false], "v1, v5 and v9 are in one bank");
        caches.forget(1);
        assert!(!caches.has(1));
        assert!(caches.has(2));
    }

    #[test]
    fn banks_without_a_cache_have_no_register() {
        let mut pipelines = Gpu::named("rx7900xtx").unwrap().pipelines.unwrap();
        pipelines.bank_cache = 0;
        let mut caches = BankCaches::new(&pipelines);
        assert_eq!([1, 1].map(|register| caches.has(register)), [false; 2]);
    }
}
