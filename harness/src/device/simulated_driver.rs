//! Drivers that simulate their card: what runs through them was measured on no card, whatever the card calls itself.

use std::fs;

use gcn_model::record::DeviceRecord;

/// The file by which this project's kernel driver says what it is. Another kernel has none of that name.
const MARK: &str = "/sys/class/kfd/kfd/simulated";
/// The word in the version of this project's OpenCL driver.
const OWN: &str = "gcn-timings";

/// The driver as it is recorded: one that simulates begins with that word, and so [`DeviceRecord::is_simulated`].
pub(super) fn recorded(driver: String) -> String {
    let is_simulated = driver.contains(OWN) || fs::read(MARK).is_ok();
    if is_simulated { format!("{} driver: {driver}", DeviceRecord::SIMULATED) } else { driver }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_of_this_project_is_marked() {
        let marked = recorded("OpenCL 1.2 AMD-APP (gcn-timings strict driver)".to_owned());
        assert_eq!(marked, "simulated driver: OpenCL 1.2 AMD-APP (gcn-timings strict driver)");
        assert_eq!(recorded("HIP 6.4.1".to_owned()), "HIP 6.4.1");
    }
}
