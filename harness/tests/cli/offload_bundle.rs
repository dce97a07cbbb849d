//! Offload bundles.

/// A bundle of code for targets.
pub(super) fn offload_bundle(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let identifier = |target: &str| format!("hipv4-amdgcn-amd-amdhsa--{target}");
    let table: usize = entries.iter().map(|(target, _)| 24 + identifier(target).len()).sum();
    let first = (32 + table).next_multiple_of(256);
    let mut bytes = b"__CLANG_OFFLOAD_BUNDLE__".to_vec();
    bytes.extend((entries.len() as u64).to_le_bytes());
    let mut codes = Vec::new();
    for (target, code) in entries {
        let identifier = identifier(target);
        for number in [first + codes.len(), code.len(), identifier.len()] {
            bytes.extend((number as u64).to_le_bytes());
        }
        bytes.extend(identifier.as_bytes());
        codes.extend(*code);
        codes.resize(codes.len().next_multiple_of(256), 0);
    }
    bytes.resize(first, 0);
    bytes.extend(codes);
    bytes
}
