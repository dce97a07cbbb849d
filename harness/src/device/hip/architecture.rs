//! The name of a card's target, from a structure that has two layouts.

use super::library::Layout;

/// Bytes for either layout, with room to spare: 792 of ROCm 5.2, 1472 of ROCm 6.
pub(super) const PROPERTIES: usize = 8192;

/// Where `gcnArchName` starts. Source: LLVM's `AMDGPUArchByHIP.cpp`, which reads it in the same way; R0000 is also what `hip-sys`
/// declares, which the next line checks.
const fn offset(layout: Layout) -> usize {
    match layout {
        Layout::R0600 => 1160,
        Layout::R0000 => 396,
    }
}
const _: () = assert!(std::mem::offset_of!(hip_sys::hiprt::hipDeviceProp_t, gcnArchName) == offset(Layout::R0000));

/// Length of the name's field.
const LENGTH: usize = 256;

/// The target with its features: `gfx906:sramecc+:xnack-`.
///
/// # Errors
/// The actual value.
pub(super) fn target_id(layout: Layout, properties: &[u8]) -> Result<String, String> {
    let start = offset(layout);
    let field = properties.get(start..start + LENGTH).unwrap_or_default();
    let name: Vec<u8> = field.iter().copied().take_while(|byte| *byte != 0).collect();
    let is_target = |name: &str| {
        let mut parts = name.split(':');
        let number = parts.next().and_then(|processor| processor.strip_prefix("gfx"));
        number.is_some_and(|number| number.len() >= 3 && number.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
            && parts.all(|feature| feature.len() > 1 && feature.ends_with(['+', '-']))
    };
    match std::str::from_utf8(&name) {
        Ok(name) if is_target(name) => Ok(name.into()),
        _ => Err(format!(
            "HIP's device properties ({layout:?}) hold no target's name at byte {start} but `{}`: this version of HIP has another \
             layout than those of ROCm 5 and 6",
            name.escape_ascii().to_string().chars().take(40).collect::<String>()
        )),
    }
}

/// The processor alone: `gfx906`.
pub(super) fn processor(target_id: &str) -> &str {
    target_id.split(':').next().unwrap_or(target_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(at: usize, name: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; PROPERTIES];
        bytes[at..at + name.len()].copy_from_slice(name);
        bytes
    }

    #[test]
    fn finds_the_name_in_both_layouts_and_says_where_it_is_missing() {
        let new = properties(1160, b"gfx906:sramecc+:xnack-");
        assert_eq!(target_id(Layout::R0600, &new).unwrap(), "gfx906:sramecc+:xnack-");
        let old = properties(396, b"gfx803");
        assert_eq!(target_id(Layout::R0000, &old).unwrap(), "gfx803");
        assert!(target_id(Layout::R0600, &old).unwrap_err().contains("at byte 1160 but ``"));
        for wrong in [&b"gfx"[..], b"Fiji", b"gfx900:xnack", b"\xff\xfe", b"gfx90 0"] {
            let error = target_id(Layout::R0000, &properties(396, wrong)).unwrap_err();
            assert!(error.contains("R0000") && error.contains("at byte 396"), "{error}");
        }
        assert_eq!(processor("gfx906:sramecc+:xnack-"), "gfx906");
        assert_eq!(processor("gfx803"), "gfx803");
    }
}
