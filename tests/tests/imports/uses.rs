//! The names that a `use` brings in.

use syn::{Attribute, UseTree, Visibility};

/// A name that a `use` brings into a module.
pub(super) struct Used {
    /// What stands before `as`, or before the star.
    pub(super) path: Vec<String>,
    /// The name here; `None` for a star.
    pub(super) name: Option<String>,
    /// Whether it is handed on.
    pub(super) is_public: bool,
}

/// The names of a `use`, one by one.
pub(super) fn used(item: &syn::ItemUse) -> Vec<Used> {
    fn add(tree: &UseTree, mut path: Vec<String>, is_public: bool, found: &mut Vec<Used>) {
        match tree {
            UseTree::Path(tree) => {
                path.push(tree.ident.to_string());
                add(&tree.tree, path, is_public, found);
            }
            UseTree::Name(tree) if tree.ident == "self" => {
                found.push(Used { name: path.last().cloned(), path, is_public });
            }
            UseTree::Name(tree) => {
                path.push(tree.ident.to_string());
                found.push(Used { name: path.last().cloned(), path, is_public });
            }
            UseTree::Rename(tree) => {
                if tree.ident != "self" {
                    path.push(tree.ident.to_string());
                }
                found.push(Used { path, name: Some(tree.rename.to_string()), is_public });
            }
            UseTree::Glob(_) => found.push(Used { path, name: None, is_public }),
            UseTree::Group(tree) => tree.items.iter().for_each(|tree| add(tree, path.clone(), is_public, found)),
        }
    }
    let mut found = Vec::new();
    if item.leading_colon.is_none() {
        add(&item.tree, Vec::new(), !matches!(item.vis, Visibility::Inherited), &mut found);
    }
    found
}

/// Whether something is there for tests only.
pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}
