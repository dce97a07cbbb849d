//! The project's address, to which results are sent.

/// `repository` of `Cargo.toml`: no other place has it.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
/// The start of addresses that are kept for examples (RFC 2606): nothing can be sent there.
const EXAMPLE: &str = "https://example.";

/// The address of the project, in words; a placeholder is called one.
pub fn destination() -> String {
    if REPOSITORY.starts_with(EXAMPLE) {
        format!("{REPOSITORY}, a placeholder: the project has no address yet")
    } else {
        REPOSITORY.into()
    }
}
