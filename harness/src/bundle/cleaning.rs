//! Removes private data from text that drivers, systems and users wrote.

use std::collections::BTreeMap;

use regex_lite::{Captures, Regex, escape};

use super::manifest::{Private, TakenOut};
use super::owner::Owner;

/// A shorter name may be a part of any word: it is one only where it stands by itself, in the same letters.
const SHORT: usize = 4;

/// Private data of any owner. The group `kept` of a pattern stays.
const PATTERNS: [(Private, &str); 6] = [
    (Private::SerialNumber, r"(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"),
    (Private::SerialNumber, r"(?i)\bGPU-[0-9a-f]{8,}\b"),
    (
        Private::SerialNumber,
        r#"(?i)(?<kept>\b(?:serial(?:[ _-]?(?:number|no\.?|id))?|unique[ _-]?id|uuid)\s*[:=]?\s*)[^\s,;"']*\d[^\s,;"']*"#,
    ),
    (Private::NetworkAddress, r"(?i)\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b"),
    (Private::NetworkAddress, r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*"),
    // From the root, but for what every system has.
    (Private::Path, r#"(?<kept>^|[\s'"`(\[<=:,;])~?(?<path>/[^\s'"`()\[\]<>,;:]+)"#),
];

/// The characters that continue a path.
const IN_A_PATH: &str = r#"[^\s'"`()\[\]<>,;:]"#;

/// Folders of the system, which say nothing of its user.
const OF_SYSTEM: [&str; 10] =
    ["/bin/", "/boot/", "/dev/", "/etc/", "/lib", "/opt/rocm", "/proc/", "/sbin/", "/sys/", "/usr/"];

/// Removes private data, and counts it.
#[derive(Debug)]
pub(super) struct Cleaning {
    names: Vec<(Private, Regex)>,
    patterns: Vec<(Private, Regex)>,
    taken: BTreeMap<Private, u64>,
}

impl Cleaning {
    /// For this owner's names, and for data that is never sent.
    pub(super) fn of(owner: &Owner) -> Self {
        // An escaped text is a valid pattern, and a test tries those above: every pattern is used.
        let compiled = |(kind, pattern): (Private, String)| Some((kind, Regex::new(&pattern).ok()?));
        let names = owner.names().into_iter().map(|(kind, name)| {
            let escaped = escape(name);
            let pattern = match kind {
                // What lies in it says something, too.
                Private::Path => format!("{escaped}{IN_A_PATH}*"),
                _ if name.len() < SHORT => format!(r"\b{escaped}\b"),
                _ => format!("(?i){escaped}"),
            };
            (kind, pattern)
        });
        Self {
            names: names.filter_map(compiled).collect(),
            patterns: PATTERNS.iter().filter_map(|(kind, pattern)| compiled((*kind, (*pattern).to_owned()))).collect(),
            taken: BTreeMap::new(),
        }
    }

    /// A text without private data; a word in angle brackets names the removed kind.
    pub(super) fn clean(&mut self, text: &str) -> String {
        let Self { names, patterns, taken } = self;
        // Whole paths first: the rest of a path that lost a name in the middle would still show its place.
        let (folders, names): (Vec<_>, Vec<_>) = names.iter().partition(|(kind, _)| *kind == Private::Path);
        folders.into_iter().chain(&*patterns).chain(names).fold(text.to_owned(), |text, (kind, pattern)| {
            let replaced = pattern.replace_all(&text, |found: &Captures<'_>| {
                let path = found.name("path").map(|path| path.as_str());
                if path.is_some_and(|path| OF_SYSTEM.iter().any(|folder| path.starts_with(folder))) {
                    return found[0].to_owned();
                }
                *taken.entry(*kind).or_default() += 1;
                format!("{}{}", found.name("kept").map_or("", |kept| kept.as_str()), placeholder(*kind))
            });
            replaced.into_owned()
        })
    }

    /// Counts a value that was removed as a whole.
    pub(super) fn note(&mut self, what: Private) {
        *self.taken.entry(what).or_default() += 1;
    }

    /// The removals so far.
    pub(super) fn taken(&self) -> Vec<TakenOut> {
        self.taken.iter().map(|(&what, &times)| TakenOut { what, times }).collect()
    }

    /// How often the owner's names occur in the bytes to be sent, since the tool itself uses these words.
    pub(super) fn left(&self, bytes: &[u8]) -> usize {
        let text = String::from_utf8_lossy(bytes);
        self.names.iter().map(|(_, pattern)| pattern.find_iter(&text).count()).sum()
    }
}

/// The replacement of private data.
fn placeholder(what: Private) -> &'static str {
    match what {
        Private::UserName => "<user>",
        Private::HostName => "<host>",
        Private::Path => "<path>",
        Private::SerialNumber => "<serial>",
        Private::NetworkAddress | Private::PciAddress => "<address>",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        let names = [
            (Private::UserName, "adalovelace".to_owned()),
            (Private::UserName, "ada".to_owned()),
            (Private::HostName, "engine.example".to_owned()),
            (Private::Path, "/people/Ada L".to_owned()),
        ];
        Cleaning::of(&names.into_iter().collect()).clean(text)
    }

    #[test]
    fn every_pattern_is_one() {
        assert_eq!(Cleaning::of(&Owner::default()).patterns.len(), PATTERNS.len());
    }

    #[test]
    fn private_data_is_removed() {
        for (text, expected) in [
            ("cannot open /data/someone/x.co: no such file", "cannot open <path>: no such file"),
            ("sim:/data/secret/card.toml", "sim:<path>"),
            ("~/cards/x.toml", "<path>"),
            ("open /people/Ada L/x: no", "open <path>: no"),
            ("AdaLovelace at Engine.Example", "<user> at <host>"),
            ("ada and adamant", "<user> and adamant"),
            ("mail ada@engine.example", "mail <address>"),
            ("link 52:54:00:12:34:56 down", "link <address> down"),
            ("GPU-5a3e9c0dabcdef12 fell off", "<serial> fell off"),
            ("uuid 123e4567-e89b-12d3-a456-426614174000.", "uuid <serial>."),
            ("Serial Number: PCB0123-77, slot 3", "Serial Number: <serial>, slot 3"),
        ] {
            assert_eq!(cleaned(text), expected, "{text}");
        }
    }

    #[test]
    fn public_data_stays() {
        for text in [
            "Memory access fault by GPU node-1 on address 0x7f0000001000. Reason: Unknown",
            "/usr/lib/x86_64-linux-gnu/libamdhip64.so.5: undefined symbol",
            "/opt/rocm-6.4.3/lib/libhsa-runtime64.so.1, /dev/kfd",
            "AMD Radeon RX 580 Series (polaris10, LLVM 15.0.6, DRM 3.49, 6.1.0-13-amd64)",
            "reads 3/4 of the lanes; the serial loop ended",
        ] {
            assert_eq!(cleaned(text), text);
        }
    }
}
