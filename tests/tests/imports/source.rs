//! The modules of a crate, read from its files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::Visit;
use syn::{Attribute, Item, ItemMod, Macro};

use super::paths::Paths;
use super::uses::{Used, is_test};

/// A module: a file, or a part of it.
pub(super) struct Module {
    /// Its file, as the root's folder sees it.
    pub(super) file: PathBuf,
    pub(super) parent: Option<usize>,
    pub(super) children: BTreeMap<String, usize>,
    /// Types and traits that are defined here: more of a path may follow.
    pub(super) types: BTreeSet<String>,
    /// Functions, constants and macros.
    pub(super) values: BTreeSet<String>,
    pub(super) uses: Vec<Used>,
    /// Paths in its code.
    pub(super) paths: BTreeSet<Vec<String>>,
}

/// All modules below a root; the first one is the root itself.
pub(super) struct Tree {
    pub(super) modules: Vec<Module>,
    folder: PathBuf,
}

impl Tree {
    /// Reads a root file and all that its `mod` items name.
    pub(super) fn read(root: &Path) -> Self {
        let folder = root.parent().unwrap().to_owned();
        let mut tree = Self { modules: Vec::new(), folder: folder.clone() };
        tree.file(root, None, &folder);
        tree
    }

    pub(super) fn files(&self) -> BTreeSet<&Path> {
        self.modules.iter().map(|module| module.file.as_path()).collect()
    }

    /// Adds the module of a file whose own modules lie in `folder`.
    fn file(&mut self, file: &Path, parent: Option<usize>, folder: &Path) -> usize {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.module(file, parent, folder, &parsed.items)
    }

    fn module(&mut self, file: &Path, parent: Option<usize>, folder: &Path, items: &[Item]) -> usize {
        let here = self.modules.len();
        self.modules.push(Module {
            file: file.strip_prefix(&self.folder).unwrap_or(file).to_owned(),
            parent,
            children: BTreeMap::new(),
            types: BTreeSet::new(),
            values: BTreeSet::new(),
            uses: Vec::new(),
            paths: BTreeSet::new(),
        });
        let mut paths = Paths::default();
        for item in items {
            match item {
                Item::Mod(module) => self.child(here, file, folder, module),
                other => {
                    self.modules[here].types.extend(types_of(other));
                    self.modules[here].values.extend(value_of(other));
                    paths.visit_item(other);
                }
            }
        }
        self.modules[here].uses = paths.uses;
        self.modules[here].paths = paths.paths;
        here
    }

    fn child(&mut self, here: usize, file: &Path, folder: &Path, module: &ItemMod) {
        if is_test(&module.attrs) {
            return;
        }
        let name = module.ident.to_string();
        let within = folder.join(&name);
        let child = match &module.content {
            Some((_, items)) => self.module(file, Some(here), &within, items),
            None => {
                let stated = path_attribute(&module.attrs).map(|path| file.parent().unwrap().join(path));
                let folder = stated.as_ref().map_or(within.as_path(), |stated| stated.parent().unwrap()).to_owned();
                let mut places = stated.into_iter().chain([within.with_extension("rs"), within.join("mod.rs")]);
                let found = places.find(|place| place.is_file());
                let found = found.unwrap_or_else(|| panic!("{}: mod {name} has no file", file.display()));
                self.file(&found, Some(here), &folder)
            }
        };
        self.modules[here].children.insert(name, child);
    }
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    let attribute = attributes.iter().find(|attribute| attribute.path().is_ident("path"))?;
    match &attribute.meta.require_name_value().ok()?.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Some(path.value()),
        _ => None,
    }
}

/// The types and traits that an item defines; those in a macro's arguments are taken for defined by it.
fn types_of(item: &Item) -> Vec<String> {
    let name = match item {
        Item::Enum(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Macro(item) if item.ident.is_none() => return types_in(&item.mac),
        _ => return Vec::new(),
    };
    vec![name.to_string()]
}

fn types_in(of: &Macro) -> Vec<String> {
    let tokens: Vec<String> = of.tokens.clone().into_iter().map(|token| token.to_string()).collect();
    let is_type = |words: &&[String]| words[0] == "struct" || words[0] == "enum";
    tokens.windows(2).filter(is_type).map(|words| words[1].clone()).collect()
}

/// Anything else that an item defines.
fn value_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
