//! Circles of imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use super::names::Imports;

/// Files each of which leads to each other, and what ties them.
pub(super) struct Circle {
    files: Vec<PathBuf>,
    ties: Imports,
}

/// All circles, each file in one of them at most.
pub(super) fn circles(imports: &Imports) -> Vec<Circle> {
    let mut next: BTreeMap<&Path, Vec<&Path>> = BTreeMap::new();
    for (from, to) in imports.keys() {
        next.entry(from).or_default().push(to);
    }
    let reached = |start: &Path| {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&Path> = next.get(start).cloned().unwrap_or_default();
        while let Some(file) = open.pop() {
            if reached.insert(file) {
                open.extend(next.get(file).into_iter().flatten());
            }
        }
        reached
    };
    let from: BTreeMap<&Path, BTreeSet<&Path>> = next.keys().map(|&file| (file, reached(file))).collect();
    let mut seen: BTreeSet<&Path> = BTreeSet::new();
    let mut circles = Vec::new();
    for (&file, others) in &from {
        if !others.contains(file) || seen.contains(file) {
            continue;
        }
        let back = |other: &&&Path| from.get(**other).is_some_and(|reached| reached.contains(file));
        let files: Vec<&Path> = others.iter().filter(back).copied().collect();
        seen.extend(&files);
        let within = |file: &PathBuf| files.contains(&file.as_path());
        let ties = imports.iter().filter(|((from, to), _)| within(from) && within(to));
        let ties = ties.map(|(between, names)| (between.clone(), names.clone())).collect();
        circles.push(Circle { files: files.into_iter().map(Path::to_owned).collect(), ties });
    }
    circles
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: Vec<String> = self.files.iter().map(|file| file.display().to_string()).collect();
        writeln!(f, "{} files: {}", files.len(), files.join(", "))?;
        for ((from, to), names) in &self.ties {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            writeln!(f, "  {} -> {}: {}", from.display(), to.display(), names.join(", "))?;
        }
        Ok(())
    }
}
