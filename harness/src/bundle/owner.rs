//! Whose machine this is: names that a bundle must not have.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;

use gcn_model::gpu::Gpu;
use gcn_model::isa;

use super::manifest::Private;

/// Names that say nothing of anybody.
const NOBODYS: [&str; 5] = ["root", "user", "nobody", "localhost", "localdomain"];

/// What names the user of this machine, and the machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Owner(BTreeSet<(Private, String)>);

impl Owner {
    /// The names that the environment and the system give for this process.
    pub fn of_this_machine() -> Self {
        let mut owner = Self::default();
        let said = |names: &[&str]| -> Vec<String> { names.iter().filter_map(|name| env::var(name).ok()).collect() };
        said(&["USER", "LOGNAME", "SUDO_USER", "USERNAME"])
            .into_iter()
            .for_each(|name| owner.add(Private::UserName, name));
        said(&["HOSTNAME", "HOST", "COMPUTERNAME"]).into_iter().for_each(|name| owner.add_host(&name));
        said(&["HOME", "USERPROFILE", "PWD"]).into_iter().for_each(|path| owner.add_home(&path));
        #[cfg(unix)]
        owner.add_system();
        owner
    }

    /// The names, each with its kind, longer ones first: one may be a part of another.
    pub(super) fn names(&self) -> Vec<(Private, &str)> {
        let mut names: Vec<_> = self.0.iter().map(|(kind, name)| (*kind, name.as_str())).collect();
        names.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
        names
    }

    fn add(&mut self, kind: Private, name: impl AsRef<str>) {
        let name = name.as_ref().trim();
        // A machine may be called after its card, whose name is to be told.
        let is_gpu = Gpu::shipped().any(|gpu| gpu.eq_ignore_ascii_case(name)) || isa::Processor::find(name).is_some();
        if name.chars().count() > 1 && !NOBODYS.contains(&name) && !is_gpu {
            self.0.insert((kind, name.to_owned()));
        }
    }

    /// A host by its whole name and by the first part of it.
    fn add_host(&mut self, name: &str) {
        self.add(Private::HostName, name);
        self.add(Private::HostName, name.split('.').next().unwrap_or_default());
    }

    /// A folder of the user; one directly below the root is no secret.
    fn add_home(&mut self, path: &str) {
        let path = path.trim_end_matches('/');
        if Path::new(path).components().count() > 2 {
            self.add(Private::Path, path);
        }
    }

    /// The system's answer, whatever the environment contains.
    #[cfg(unix)]
    fn add_system(&mut self) {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        self.add_host(&rustix::system::uname().nodename().to_string_lossy());
        self.add_host(read("/etc/hostname").trim());
        self.add(Private::SerialNumber, read("/etc/machine-id").trim());
        let id = rustix::process::getuid().as_raw().to_string();
        let users = read("/etc/passwd");
        let mut rows = users.lines().map(|row| row.split(':').collect::<Vec<_>>());
        if let Some([name, _, _, _, person, home, ..]) = rows.find(|row| row.get(2) == Some(&id.as_str())).as_deref() {
            self.add(Private::UserName, name);
            // The person's own name is the first field.
            self.add(Private::UserName, person.split(',').next().unwrap_or_default());
            self.add_home(home);
        }
    }
}

impl FromIterator<(Private, String)> for Owner {
    fn from_iter<I: IntoIterator<Item = (Private, String)>>(names: I) -> Self {
        let mut owner = Self::default();
        names.into_iter().for_each(|(kind, name)| owner.add(kind, name));
        owner
    }
}
