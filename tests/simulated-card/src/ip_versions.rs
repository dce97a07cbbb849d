//! The versions of a chip's blocks, which Linux reads from a table in the chip's memory: `data/ip_versions.csv`.

use serde::Deserialize;

/// Versions of some blocks: major, minor and revision, with dots.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct IpVersions {
    target: String,
    gc: String,
    sdma: String,
    nbif: String,
}

impl IpVersions {
    /// Those of a target; `None` where they are not in the table.
    pub fn of(target: &str) -> Option<Self> {
        let rows = csv::Reader::from_reader(include_str!("../data/ip_versions.csv").as_bytes()).into_deserialize();
        rows.flatten().find(|row: &Self| row.target == target)
    }

    /// Number of each block in hardware, and its version (Linux, `include/soc15_hw_ip.h`: GC_HWID, SDMA0_HWID, NBIF_HWID).
    pub fn blocks(&self) -> [(u32, Vec<&str>); 3] {
        [(11, &self.gc), (42, &self.sdma), (108, &self.nbif)].map(|(id, version)| (id, version.split('.').collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_the_compute_block_is_that_of_the_target() {
        assert_eq!(IpVersions::of("gfx803"), None);
        for (target, version) in [("gfx1100", ["11", "0", "0"]), ("gfx1201", ["12", "0", "1"])] {
            assert_eq!(IpVersions::of(target).unwrap().blocks()[0], (11, version.to_vec()));
        }
    }
}
