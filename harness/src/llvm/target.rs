//! A target identifier such as `gfx906` or `gfx906:sramecc+:xnack-`, in the parts that LLVM's C interface takes.

use std::ffi::CString;

use gcn_model::isa::Processor;

/// Processor and feature string of a target identifier.
pub(super) struct Target {
    pub(super) cpu: CString,
    pub(super) features: CString,
}

impl Target {
    /// Takes a target identifier apart; `None` if it is malformed.
    pub(super) fn parse(identifier: &str) -> Option<Self> {
        let mut parts = identifier.split(':');
        let cpu = parts.next().filter(|cpu| cpu.starts_with("gfx") && cpu.len() > 3)?;
        let features = parts
            .map(|part| match part.split_at_checked(part.len().checked_sub(1)?)? {
                (name, sign @ ("+" | "-")) if !name.is_empty() => Some(format!("{sign}{name}")),
                _ => None,
            })
            .collect::<Option<Vec<_>>>()?;
        let of_generation = Processor::find(cpu)
            .map(|it| it.generation)
            .and_then(|generation| generation.assembly.llvm_feature.clone());
        let features: Vec<_> = features.into_iter().chain(of_generation.map(|name| format!("+{name}"))).collect();
        Some(Self { cpu: CString::new(cpu).ok()?, features: CString::new(features.join(",")).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn takes_identifiers_apart() {
        let target = Target::parse("gfx906:sramecc+:xnack-").unwrap();
        assert_eq!(target.cpu.to_str().unwrap(), "gfx906");
        assert_eq!(target.features.to_str().unwrap(), "+sramecc,-xnack");
        assert!(Target::parse("fiji").is_none());
        assert!(Target::parse("gfx906:xnack").is_none());
    }
}
