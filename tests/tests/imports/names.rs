//! The file that defines a path's name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::source::Tree;

/// Paths that were looked up already, each with the module where it begins.
type Seen = BTreeSet<(usize, Vec<String>)>;

/// Imports: of which file, from which file, which names.
pub(super) type Imports = BTreeMap<(PathBuf, PathBuf), BTreeSet<String>>;

impl Tree {
    /// Every import between two files.
    pub(super) fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (here, module) in self.modules.iter().enumerate() {
            let mut add = |path: &[String], places: BTreeSet<usize>| {
                for place in places {
                    let file = &self.modules[place].file;
                    if *file != module.file {
                        let name = path.last().cloned().unwrap_or_default();
                        imports.entry((module.file.clone(), file.clone())).or_default().insert(name);
                    }
                }
            };
            for used in module.uses.iter().filter(|used| !used.is_public) {
                // A name taken through a star is found at its definition.
                if used.name.is_some() {
                    add(&used.path, self.definitions(here, &used.path, true));
                }
            }
            for path in &module.paths {
                add(path, self.definitions(here, path, false));
            }
        }
        imports
    }

    /// The place of a path's definition; a module by itself is not imported: its items are defined elsewhere.
    fn definitions(&self, here: usize, path: &[String], is_of_use: bool) -> BTreeSet<usize> {
        self.resolve(here, path, is_of_use, &mut Seen::new())
    }

    /// Each module and path is looked up once: stars may lead back to where they came from.
    /// The path of a `use` does not begin with a name that comes through a star: an unknown name is a foreign crate.
    fn resolve(&self, here: usize, path: &[String], is_of_use: bool, seen: &mut Seen) -> BTreeSet<usize> {
        match path.split_first().map(|(first, rest)| (first.as_str(), rest)) {
            Some(("crate", rest)) => self.resolve_in(0, rest, false, seen),
            Some(("self", rest)) => self.resolve_in(here, rest, false, seen),
            Some(("super", rest)) => match self.modules[here].parent {
                // The rest may begin with `super` again.
                Some(parent) if rest.first().is_some_and(|next| next == "super") => {
                    self.resolve(parent, rest, false, seen)
                }
                Some(parent) => self.resolve_in(parent, rest, false, seen),
                None => BTreeSet::new(),
            },
            _ => self.resolve_in(here, path, is_of_use, seen),
        }
    }

    /// A path that begins with a name of a module.
    fn resolve_in(&self, here: usize, path: &[String], is_of_use: bool, seen: &mut Seen) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let Some((first, rest)) = path.split_first() else { return found };
        if !seen.insert((here, path.to_owned())) {
            return found;
        }
        let module = &self.modules[here];
        // A module may have the name of a function that it is made for: what either has is found.
        if let Some(&child) = module.children.get(first) {
            found.extend(self.resolve_in(child, rest, false, seen));
        }
        if module.types.contains(first) || rest.is_empty() && module.values.contains(first) {
            found.insert(here);
        }
        for used in module.uses.iter().filter(|used| used.name.as_ref() == Some(first)) {
            let path = [&used.path, rest].concat();
            // `use name::name`: the first one is a module here, or a crate of others.
            match (path[0] == *first, module.children.get(first)) {
                (false, _) => found.extend(self.resolve(here, &path, true, seen)),
                (true, Some(&child)) => found.extend(self.resolve_in(child, &path[1..], false, seen)),
                (true, None) => {}
            }
        }
        if found.is_empty() {
            for used in module.uses.iter().filter(|used| used.name.is_none() && !is_of_use) {
                found.extend(self.resolve(here, &[&used.path, path].concat(), true, seen));
            }
        }
        found
    }
}
