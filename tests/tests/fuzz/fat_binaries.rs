//! Offload bundles, and files of a host that hold them, with other numbers and other bytes: their code is read or refused.

use std::sync::OnceLock;

use gcn_harness::code::{FatBinary, UserCode};
use gcn_model::gpu::Gpu;
use gcn_tests::{host_file, object_of, offload_bundle};
use proptest::prelude::*;

use crate::fuzz::cases;
use crate::fuzz::damage::Damage;

/// A bundle, and a host's file with two of them.
fn sound() -> &'static [Vec<u8>; 2] {
    static SOUND: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    SOUND.get_or_init(|| {
        let [fiji, vega] = ["gfx803", "gfx900"].map(|target| {
            object_of(
                target,
                "add:\nv_mov_b32 v1, v0\ns_cbranch_scc1 add\ns_endpgm\n.type add,@function\n.size add, .-add\n",
            )
        });
        let bundle = offload_bundle(&[
            ("host-x86_64-unknown-linux", b""),
            ("hipv4-amdgcn-amd-amdhsa--gfx803", &fiji),
            ("hipv4-amdgcn-amd-amdhsa--gfx900:xnack-", &vega),
        ]);
        let mut two = bundle.clone();
        two.resize(two.len().next_multiple_of(4096), 0);
        two.extend(&bundle);
        [host_file(&two), bundle]
    })
}

/// Reads whatever can be.
fn read(bytes: &[u8]) -> Result<(), TestCaseError> {
    let gpu = Gpu::named("fiji").unwrap();
    if let Ok(file) = FatBinary::read(bytes) {
        for entry in file.entries() {
            prop_assert!(entry.range.start <= entry.range.end && entry.range.end <= bytes.len() as u64, "{entry:?}");
        }
    }
    match UserCode::of_fat_binary(bytes, &gpu) {
        Ok(code) => {
            prop_assert!(!code.functions.is_empty());
            for function in &code.functions {
                let _ = function.code.regions(gpu.processor());
            }
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    let _ = UserCode::of_object(bytes);
    Ok(())
}

fn number() -> impl Strategy<Value = u64> {
    let odd = vec![0, 1, 7, 24, 255, 256, 4096, 0xffff_ffff, 5_000_000_000, 1 << 63, u64::MAX - 255, u64::MAX];
    prop_oneof![prop::sample::select(odd), any::<u64>(), 0..20_000_u64]
}

proptest! {
    #![proptest_config(cases(400))]

    /// The numbers of a bundle's table, of an ELF file's header and of its sections are eight bytes each, or parts of such.
    #[test]
    fn numbers_that_are_others_do_no_harm(
        file in 0..2usize,
        changes in prop::collection::vec((any::<u16>(), prop::bool::ANY, number()), 1..4),
    ) {
        let mut bytes = sound()[file].clone();
        for (share, at_end, number) in changes {
            // Tables are at the start of a file, and those of sections at its end.
            let at = usize::from(share) % 480;
            let at = if at_end { bytes.len() - 8 - at } else { at };
            bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
        }
        read(&bytes)?;
    }

    #[test]
    fn bytes_that_are_others_or_gone_do_no_harm(
        file in 0..2usize,
        damages in prop::collection::vec(Damage::any("[ -~]{0,40}"), 1..4),
    ) {
        let mut bytes = sound()[file].clone();
        damages.iter().for_each(|damage| damage.apply(&mut bytes));
        read(&bytes)?;
    }
}
