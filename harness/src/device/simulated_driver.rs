//! Drivers that simulate their card, and what watches a driver: what runs through the former was measured on no card, whatever it calls itself.

use std::fs;

use gcn_model::record::DeviceRecord;

/// The file by which this project's kernel driver says what it is. Another kernel has none of that name.
const MARK: &str = "/sys/class/kfd/kfd/simulated";
/// The word in the version of this project's OpenCL driver.
const OWN: &str = "gcn-timings";

/// The driver as it is recorded: one that simulates begins with that word, and so [`DeviceRecord::is_simulated`]; otherwise it begins
/// with what is seen of a debugger, an emulator or a virtual machine.
pub(super) fn recorded(driver: String) -> String {
    let is_simulated = driver.contains(OWN) || fs::read(MARK).is_ok();
    if is_simulated {
        return format!("{} driver: {driver}", DeviceRecord::SIMULATED);
    }
    let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let of_tracer = tracer(&text("/proc/self/status")).map(|process| text(&format!("/proc/{process}/comm")));
    seen(driver, of_tracer.as_deref().map(str::trim), &text("/proc/cpuinfo"))
}

/// The process that follows this one: a debugger, or an emulator of system calls.
fn tracer(status: &str) -> Option<u32> {
    let number = status.lines().find_map(|line| line.strip_prefix("TracerPid:"))?;
    number.trim().parse().ok().filter(|process| *process > 0)
}

/// The driver with what is seen around it. A card can be given to a virtual machine: its times count, and may have more noise.
fn seen(driver: String, tracer: Option<&str>, processors: &str) -> String {
    let is_virtual = |line: &str| line.starts_with("flags") && line.split_whitespace().any(|flag| flag == "hypervisor");
    match tracer {
        Some(name) => format!("{} by {name}: {driver}", DeviceRecord::TRACED),
        None if processors.lines().any(is_virtual) => format!("{} machine: {driver}", DeviceRecord::VIRTUAL),
        None => driver,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_of_this_project_is_marked() {
        let marked = recorded("OpenCL 1.2 AMD-APP (gcn-timings strict driver)".to_owned());
        assert_eq!(marked, "simulated driver: OpenCL 1.2 AMD-APP (gcn-timings strict driver)");
        assert!(recorded("HIP 6.4.1".to_owned()).ends_with("HIP 6.4.1"));
    }

    #[test]
    fn a_debugger_and_a_virtual_machine_are_marked() {
        let flags = "processor : 0\nflags\t\t: fpu hypervisor lm\n";
        assert_eq!(tracer("Name:\tx\nTracerPid:\t0\n"), None);
        assert_eq!(tracer("Name:\tx\nTracerPid:\t71\n"), Some(71));
        let of = |tracer, processors| seen("HIP 6.4.1".to_owned(), tracer, processors);
        assert_eq!(of(Some("gdb"), flags), "traced by gdb: HIP 6.4.1");
        assert_eq!(of(None, flags), "virtual machine: HIP 6.4.1");
        assert_eq!(of(None, "flags\t\t: fpu lm\n"), "HIP 6.4.1");
    }
}
