//! Each crate's head and each public type and trait has a description that adds to its name.

use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Ident, ItemEnum, ItemStruct, ItemTrait, Lit, Macro, Meta, Visibility};

/// The crates that strangers read.
const CRATES: [&str; 5] = ["model", "simulator", "predict", "analysis", "harness"];

/// Types whose documentation says nothing.
#[derive(Default)]
struct Silent(Vec<String>);

/// The text of `///` and `//!` lines.
fn text(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            Expr::Lit(line) => match &line.lit {
                Lit::Str(line) => Some(line.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.collect()
}

impl Silent {
    fn look(&mut self, name: &Ident, visibility: &Visibility, attributes: &[Attribute]) {
        if matches!(visibility, Visibility::Public(_)) && text(attributes).trim().is_empty() {
            self.0.push(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Silent {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.look(&item.ident, &item.vis, &item.attrs);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.look(&item.ident, &item.vis, &item.attrs);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.look(&item.ident, &item.vis, &item.attrs);
        visit::visit_item_trait(self, item);
    }

    /// A type that a macro of its own declares has its description at the beginning of the arguments.
    fn visit_macro(&mut self, of: &'ast Macro) {
        let tokens: Vec<String> = of.tokens.clone().into_iter().map(|token| token.to_string()).collect();
        let is_type = |words: &[String]| words[0] == "pub" && ["struct", "enum"].contains(&words[1].as_str());
        if let Some(at) = tokens.windows(3).position(is_type)
            && !tokens[..at].iter().any(|token| token.starts_with("[doc"))
        {
            self.0.push(tokens[at + 2].clone());
        }
    }
}

fn silent_in(source: &str) -> Vec<String> {
    let mut silent = Silent::default();
    silent.visit_file(&syn::parse_file(source).unwrap());
    silent.0
}

/// All Rust files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    found.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn crate_heads_and_public_types_are_described() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut missing = Vec::new();
    for member in CRATES {
        let folder = workspace.join(member).join("src");
        let head = syn::parse_file(&fs::read_to_string(folder.join("lib.rs")).unwrap()).unwrap();
        let words = text(&head.attrs);
        assert!(words.contains("```"), "{member}/src/lib.rs: the head has no example");
        for file in files(&folder) {
            let silent = silent_in(&fs::read_to_string(&file).unwrap());
            missing.extend(silent.into_iter().map(|name| format!("{}: {name}", file.display())));
        }
    }
    assert!(missing.is_empty(), "without a sentence:\n{}", missing.join("\n"));
}

#[test]
fn a_public_type_without_a_sentence_is_named() {
    let source =
        "pub struct One(u8);\n/// Says it.\npub enum Two {}\nstruct Three;\n#[derive(Debug)]\npub trait Four {}";
    assert_eq!(silent_in(source), ["One", "Four"]);
    let source = "words! {\n#[derive(Default)]\npub enum One { Two = \"2\" } }\ntable! { \"a.csv\":\n/// Says it.\npub struct Two { pub a: u32 } }";
    assert_eq!(silent_in(source), ["One"]);
}
