//! No circle of imports between the files of any crate of the workspace.
//!
//! An import is a name of another file of the same crate, wherever it stands: in a `use` (also inside of a function), in a path in the
//! code, in the arguments of a macro, or in a string of an attribute (`with = "crate::…"`). It leads to the file that *defines* the
//! name, also in the arguments of a macro: re-exports in `lib.rs` and `mod.rs` are followed, and a `pub use` by itself, which only hands
//! a name on, is no import.
//! `mod name;` is not an import either, nor is anything under `#[cfg(test)]`. Names of other crates lead nowhere; a method that is called
//! without its type being named is not seen.

mod circles;
mod names;
mod paths;
mod source;
mod uses;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use circles::circles;
use source::Tree;

/// The folders of the workspace's crates.
fn members(workspace: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(workspace.join("Cargo.toml")).unwrap();
    let file: toml::Table = text.parse().unwrap();
    let members = file["workspace"]["members"].as_array().unwrap();
    members.iter().map(|member| workspace.join(member.as_str().unwrap())).collect()
}

/// The files that a crate's libraries, programs, tests and benches start from.
fn roots(member: &Path) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = ["src/lib.rs", "src/main.rs", "build.rs"].map(|root| member.join(root)).into();
    for folder in ["tests", "benches", "examples"] {
        let entries = fs::read_dir(member.join(folder)).into_iter().flatten();
        roots.extend(entries.flat_map(|entry| {
            let path = entry.unwrap().path();
            [path.join("main.rs"), path].into_iter().find(|path| path.is_file())
        }));
    }
    roots.retain(|root| root.extension().is_some_and(|extension| extension == "rs") && root.is_file());
    roots
}

#[test]
fn no_crate_of_the_workspace_has_a_circle_of_imports() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = String::new();
    for member in members(workspace) {
        let roots = roots(&member);
        assert!(!roots.is_empty(), "{}: nothing to look at", member.display());
        for root in roots {
            let tree = Tree::read(&root);
            let circles = circles(&tree.imports());
            let name = root.strip_prefix(workspace).unwrap().display().to_string();
            println!("{name}: {} files, {} circles", tree.files().len(), circles.len());
            found.extend(circles.iter().map(|circle| format!("{name}: {circle}")));
        }
    }
    assert!(found.is_empty(), "circles of imports:\n{found}");
}

/// Folders beside each other that import from each other, of which some crates still have some.
const PAIRS_LEFT: [&str; 1] = ["simulator/src/lib.rs"];

/// The folders beside each other that two files are in, if these are two.
fn rooms<'p>(from: &'p Path, to: &'p Path) -> Option<(&'p Path, &'p Path)> {
    let folder = |file: &'p Path, depth| file.ancestors().skip(1).find(|folder| folder.components().count() == depth);
    let depths = 1..from.components().count().min(to.components().count());
    let apart = depths.map(|depth| (folder(from, depth), folder(to, depth))).find(|(from, to)| from != to)?;
    apart.0.zip(apart.1)
}

#[test]
fn no_two_folders_import_each_other() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = String::new();
    for root in members(workspace).iter().map(|member| member.join("src/lib.rs")).filter(|root| root.is_file()) {
        let name = root.strip_prefix(workspace).unwrap().display().to_string();
        let imports = Tree::read(&root).imports();
        let pairs: BTreeSet<_> = imports.keys().filter_map(|(from, to)| rooms(from, to)).collect();
        for (from, to) in pairs.iter().filter(|(from, to)| from < to && pairs.contains(&(to, from))) {
            println!("{name}: {} and {}", from.display(), to.display());
            if !PAIRS_LEFT.contains(&name.as_str()) {
                found += &format!("{name}: {} and {}\n", from.display(), to.display());
            }
        }
    }
    assert!(found.is_empty(), "folders that import each other:\n{found}");
    let of = |from, to| rooms(Path::new(from), Path::new(to));
    let (one, two) = (Path::new("up/one"), Path::new("up/two"));
    assert_eq!(of("up/one/a.rs", "up/two/b.rs"), Some((one, two)));
    assert_eq!((of("up/one/a.rs", "up/one/b.rs"), of("up/one/a.rs", "up/b.rs")), (None, None));
}

/// A crate of these files; its circles in words.
fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let circles = circles(&Tree::read(&folder.path().join("lib.rs")).imports());
    circles.iter().map(ToString::to_string).collect()
}

#[test]
fn a_circle_through_re_exports_is_found() {
    let found = circles_of(&[
        ("lib.rs", "mod room; mod upper; pub use upper::Upper;"),
        ("room/mod.rs", "mod one; mod two; pub use one::One; pub(crate) use two::*;"),
        ("room/one.rs", "use super::two::Two; pub struct One(pub Two);"),
        ("room/two.rs", "pub struct Two(u32); pub struct Other; impl Two { fn of() { drop(crate::Upper) } }"),
        ("upper.rs", "use crate::room::{One, Other}; pub struct Upper(pub Option<Box<One>>, Other);"),
    ]);
    let expected = "3 files: room/one.rs, room/two.rs, upper.rs\n  \
                    room/one.rs -> room/two.rs: Two\n  \
                    room/two.rs -> upper.rs: Upper\n  \
                    upper.rs -> room/one.rs: One\n  \
                    upper.rs -> room/two.rs: Other\n";
    assert_eq!(found, [expected]);
}

#[test]
fn a_name_in_a_macro_a_function_or_an_attribute_is_an_import() {
    for of_two in [
        r#"pub fn two() { println!("{}", crate::one::ONE); }"#,
        "pub fn two() { use crate::one::ONE; drop(ONE) }",
        r#"pub fn two() {} pub struct Two { #[serde(with = "crate::one::form")] two: u32 }"#,
        "use super::one; pub fn two() { drop(one::ONE) }",
        "use crate::one::*; pub fn two() { drop(ONE) }",
    ] {
        let one = "use crate::two; pub const ONE: u32 = 1; pub fn form() {} fn one() { two::two() }";
        let found = circles_of(&[("lib.rs", "mod one; mod two;"), ("one.rs", one), ("two.rs", of_two)]);
        assert_eq!(found.len(), 1, "{of_two}");
        assert!(found[0].starts_with("2 files: one.rs, two.rs\n"), "{}", found[0]);
    }
}

#[test]
fn a_macro_defines_the_types_in_its_arguments() {
    let one = "use crate::two::two; table! { \"one.csv\": pub struct One { pub number: u32 } } fn one() { two() }";
    let two = "use crate::one::One; pub fn two() {} pub struct Two(One);";
    let found = circles_of(&[("lib.rs", "mod one; mod two;"), ("one.rs", one), ("two.rs", two)]);
    assert_eq!(found.len(), 1);
    assert!(found[0].ends_with("two.rs -> one.rs: One\n"), "{}", found[0]);
}

#[test]
fn handing_names_on_and_testing_make_no_circle() {
    let found = circles_of(&[
        ("lib.rs", "mod room; pub struct Root;"),
        ("room/mod.rs", "mod one; mod two; pub use one::One; pub struct Room;"),
        ("room/one.rs", "use super::Room; pub struct One(Room); pub fn two(one: One) {}"),
        (
            "room/two.rs",
            "use super::one::{self, One}; fn t() { one::two(One) } #[cfg(test)] mod tests { use super::*; }",
        ),
    ]);
    assert_eq!(found, [""; 0]);
    let inside = "pub struct One; #[cfg(test)] mod tests { use crate::two::Two; }";
    let files =
        [("lib.rs", "mod one; mod two;"), ("one.rs", inside), ("two.rs", "use crate::one::One; pub struct Two(One);")];
    assert_eq!(circles_of(&files), [""; 0]);
}
