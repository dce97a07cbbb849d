//! The kernel's files of CPU and GPU, as a temporary folder: sysfs, and the folder of DRM's device files.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use gcn_simulated_card::Card;

use crate::drm::sysfs as drm;
use crate::kfd::topology;

/// Start of the folder's name.
const PREFIX: &str = "gcn-kernel-driver-";
/// The file in it that the living process holds locked.
const LOCK: &str = "lock";

/// Folders of the kernel's, and where they are in ours. The lock is next to them.
const FOLDERS: [(&str, &str); 7] = [
    ("/sys/devices/virtual/kfd/kfd", ""),
    ("/sys/class/kfd/kfd", ""),
    ("/dev/dri", "dri"),
    ("/sys/dev/char/226:128", "char"),
    ("/sys/class/drm", "drm"),
    ("/sys/bus/pci/devices/0000:01:00.0", "pci/0000:01:00.0"),
    ("/sys/module/amdgpu", "module"),
];
/// Single files of the kernel's, and their names in ours.
const FILES: [(&str, &str); 1] = [("/proc/modules", "modules")];

/// The folder of a process. It is locked as long as the process lives, so that the leftovers of an aborted
/// process are known to be dead.
#[derive(Debug)]
pub(crate) struct Sysfs {
    path: PathBuf,
    _lock: File,
}

impl Sysfs {
    /// Writes the folder, and removes those of processes that ended without doing so.
    ///
    /// # Errors
    /// The temporary folder cannot be written.
    pub(crate) fn create(card: Option<&Card>) -> io::Result<Self> {
        sweep(&std::env::temp_dir());
        let path = tempfile::Builder::new().prefix(PREFIX).tempdir()?.keep();
        // Locked before it has the name that others look for.
        let lock = File::create(path.join("new"))?;
        lock.lock()?;
        fs::rename(path.join("new"), path.join(LOCK))?;
        // The mark of a simulated driver, for who asks: `/sys/class/kfd/kfd/simulated`.
        fs::write(path.join("simulated"), concat!("gcn-kernel-driver ", env!("CARGO_PKG_VERSION"), "\n"))?;
        for folder in ["topology/nodes", "dri", "drm"] {
            fs::create_dir_all(path.join(folder))?;
        }
        for (name, content) in topology::files(card).into_iter().chain(drm::files(card)) {
            let file = path.join(name);
            fs::create_dir_all(file.parent().unwrap_or(&path))?;
            fs::write(file, content)?;
        }
        for entry in fs::read_dir(path.join("topology/nodes"))?.flatten() {
            for folder in topology::LINK_FOLDERS {
                fs::create_dir_all(entry.path().join(folder))?;
            }
        }
        for (name, target) in card.iter().flat_map(|_| drm::LINKS) {
            symlink(target, path.join(name))?;
        }
        Ok(Self { path, _lock: lock })
    }

    /// Where a file or folder of the kernel's is found instead, if it is one of ours.
    pub(crate) fn rewrite(&self, path: &str) -> Option<PathBuf> {
        if let Some((_, name)) = FILES.iter().find(|(file, _)| *file == path) {
            return Some(self.path.join(name));
        }
        let inside = |(folder, name): &(&str, &str)| Some(self.path.join(name).join(rest(path, folder)?));
        FOLDERS.iter().find_map(inside)
    }

    /// Removes the folder.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Whether a path may be one that [`Sysfs::rewrite`] knows; cheap, since every `open` of the process asks.
pub(crate) fn is_candidate(path: &str) -> bool {
    (path.starts_with("/sys/") || path.starts_with("/dev/dri") || path.starts_with("/proc/"))
        && (FILES.iter().any(|(file, _)| *file == path)
            || FOLDERS.iter().any(|(folder, _)| rest(path, folder).is_some()))
}

/// The rest of a path after a folder, if it is in it or is the folder itself.
fn rest<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Removes the folders whose process is gone.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let ours = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(PREFIX);
    for path in entries.flatten().filter(ours).map(|entry| entry.path()) {
        let is_dead = File::open(path.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if is_dead {
            let _ = fs::remove_dir_all(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;

    #[test]
    fn paths_of_the_kernel_lead_into_the_folder() {
        let card = Card::new(Gpu::named("tahiti").unwrap()).unwrap();
        let sysfs = Sysfs::create(Some(&card)).unwrap();
        let read = |path: &str| fs::read_to_string(sysfs.rewrite(path).unwrap()).unwrap();
        assert_eq!(read("/sys/dev/char/226:128/device/device"), "0x6798\n");
        assert!(read("/sys/class/drm/renderD128/device/uevent").contains("PCI_ID=1002:6798\n"));
        // ROCm's management library finds the card by these.
        assert_eq!(read("/sys/class/drm/card0/device/vendor"), "0x1002\n");
        let link = fs::read_link(sysfs.rewrite("/sys/class/drm/card0").unwrap()).unwrap();
        assert!(link.components().any(|part| part.as_os_str() == "0000:01:00.0"), "{}", link.display());
        for name in ["drm/card0/dev", "vbios_version", "hwmon/hwmon0/in0_label", "pp_dpm_sclk"] {
            assert!(!read(&format!("/sys/class/drm/card0/device/{name}")).is_empty(), "{name}");
        }
        // ROCm does not run on it.
        assert_eq!(read("/sys/class/kfd/kfd/topology/nodes/0/gpu_id"), "0\n");
        assert!(!sysfs.rewrite("/sys/class/kfd/kfd/topology/nodes/1").unwrap().exists());
        let nodes: Vec<_> = fs::read_dir(sysfs.rewrite("/dev/dri").unwrap()).unwrap().flatten().collect();
        assert_eq!(nodes.iter().map(|node| node.file_name()).collect::<Vec<_>>(), ["renderD128"]);
        for other in ["/sys/dev/char/226:1280/device", "/dev/drip", "/proc/modules2", "/sys/class/drm2"] {
            assert!(!is_candidate(other) && sysfs.rewrite(other).is_none(), "{other}");
        }
        sysfs.remove();
        assert!(!sysfs.path.exists());
    }

    #[test]
    fn folders_of_dead_processes_go_and_those_of_living_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let [dead, living] = ["dead", "living"].map(|name| folder.path().join(format!("{PREFIX}{name}")));
        for path in [&dead, &living] {
            fs::create_dir(path).unwrap();
        }
        let lock = File::create(living.join(LOCK)).unwrap();
        lock.lock().unwrap();
        File::create(dead.join(LOCK)).unwrap();
        sweep(folder.path());
        assert!(!dead.exists() && living.exists());
    }
}
