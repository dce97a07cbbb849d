//! The kernel's side: modules and device nodes.

use std::fs;
use std::path::Path;

use super::Finding;
use super::node::opened;

/// The kernel's drivers and their devices, below `root`, which is `/` on a real machine.
pub fn kernel_driver(root: &Path) -> Vec<Finding> {
    let has_module = |name: &str| root.join("sys/module").join(name).is_dir();
    let [amdgpu, radeon] = ["amdgpu", "radeon"].map(has_module);
    let mut findings = vec![match (amdgpu, radeon) {
        (true, _) => Finding::good("kernel's driver", "amdgpu is loaded"),
        (false, true) => Finding::note(
            "kernel's driver",
            "radeon is loaded, amdgpu is not: Mesa's clover can use the card, HIP cannot",
            "GCN 1.0 and 1.1 need no other; for amdgpu before Linux 6.19, boot with amdgpu.si_support=1 radeon.si_support=0 (GCN 1.1: cik)",
        ),
        (false, false) => Finding::bad(
            "kernel's driver",
            "neither amdgpu nor radeon is loaded",
            "is the card there (`lspci -d 1002:`)? Then `modprobe amdgpu`",
        ),
    }];
    findings.push(opened(&root.join("dev/kfd"), "/dev/kfd", || {
        let next =
            "amdgpu makes it for GCN 1.2 and later; GCN 1.0 and 1.1 are measured through OpenCL, which does without";
        Finding::note("/dev/kfd", "it is not there, so HIP sees no card", next)
    }));
    let nodes = render_nodes(&root.join("dev/dri"));
    if nodes.is_empty() {
        findings.push(Finding::bad(
            "/dev/dri/renderD*",
            "no render node exists",
            "a container has to be given the card: `docker run --device /dev/dri --device /dev/kfd …`",
        ));
    }
    findings.extend(nodes.iter().map(|name| {
        let known = format!("/dev/dri/{name}");
        opened(&root.join("dev/dri").join(name), &known, || Finding::bad(&known, "it went away", "look again"))
    }));
    findings
}

fn render_nodes(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut nodes: Vec<String> = names.filter(|name| name.starts_with("renderD")).collect();
    nodes.sort();
    nodes
}

#[cfg(test)]
mod tests {
    use super::super::Health;
    use super::*;

    #[test]
    fn an_empty_host_has_no_card_and_a_remedy() {
        let root = tempfile::tempdir().unwrap();
        let found = kernel_driver(root.path());
        let bad: Vec<&str> =
            found.iter().filter(|found| found.health == Health::Bad).map(|found| found.subject.as_str()).collect();
        assert_eq!(bad, ["kernel's driver", "/dev/dri/renderD*"]);
        assert!(found.iter().all(|found| found.health == Health::Good || !found.next.is_empty()));
    }

    #[test]
    fn nodes_that_open_are_good() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["sys/module/amdgpu", "dev/dri"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        for node in ["dev/kfd", "dev/dri/renderD128", "dev/dri/card0"] {
            fs::write(root.path().join(node), "").unwrap();
        }
        let found = kernel_driver(root.path());
        assert!(found.iter().all(|found| found.health == Health::Good), "{found:?}");
        assert_eq!(found.len(), 3, "{found:?}");
    }
}
