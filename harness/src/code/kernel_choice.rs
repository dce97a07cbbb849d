//! Which kernel of a file is meant.

use super::CodeError;
use super::names::listed;

/// The number of the kernel that has a name, or of the only one whose name contains it, or of the only one.
///
/// # Errors
/// No kernel of that name: those whose names contain it, or else all. Several kernels, where none is named.
pub fn chosen(kernels: &[&str], name: Option<&str>) -> Result<usize, CodeError> {
    match (name, kernels) {
        (Some(name), kernels) => {
            let found = kernels.iter().position(|kernel| *kernel == name).or_else(|| only(kernels, name));
            found.ok_or_else(|| CodeError::NoSuchKernel { name: name.to_owned(), instead: near(kernels, name) })
        }
        (None, [_]) => Ok(0),
        (None, kernels) => {
            Err(CodeError::SeveralKernels { count: kernels.len(), names: listed(kernels.iter().copied()) })
        }
    }
}

/// The only kernel whose name contains a text: mangled names and those of generated kernels are long.
fn only(kernels: &[&str], part: &str) -> Option<usize> {
    let mut found = (0..).zip(kernels).filter(|(_, kernel)| kernel.contains(part));
    found.next().filter(|_| found.next().is_none()).map(|(number, _)| number)
}

/// The kernels whose names contain a text, or else all of them.
fn near(kernels: &[&str], name: &str) -> String {
    let contains = |other: &&str| other.contains(name);
    match kernels.iter().any(contains) {
        true => format!("{name} is a part of {}", listed(kernels.iter().copied().filter(contains))),
        false => format!("it has {}", listed(kernels.iter().copied())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_chosen_by_its_name_and_others_are_named() {
        let of = |kernels: &[&str], name| chosen(kernels, name).map_err(|error| error.to_string());
        assert_eq!(of(&["a", "b"], Some("b")), Ok(1));
        assert_eq!(of(&["a"], None), Ok(0));
        let refusal = |kernels: &[&str], name| of(kernels, name).unwrap_err();
        assert_eq!(refusal(&["add", "mul"], None), "it has 2 kernels, choose one with --kernel: add, mul");
        assert_eq!(of(&["_Z3mulPf", "_Z3addPf"], Some("add")), Ok(1), "a part that no other name has");
        assert_eq!(of(&["add_all", "add"], Some("add")), Ok(1), "the whole name goes first");
        let several = "it has no kernel add; add is a part of _Z3addPf, _Z3addPd";
        assert_eq!(refusal(&["_Z3addPf", "mul", "_Z3addPd"], Some("add")), several);
        assert_eq!(refusal(&["add", "mul"], Some("sub")), "it has no kernel sub; it has add, mul");
    }
}
