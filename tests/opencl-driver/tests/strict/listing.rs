//! What `clinfo` shows of the driver.

use crate::host::{ended, has_tool, program};

#[test]
fn the_card_is_listed() {
    if !has_tool("clinfo") {
        return;
    }
    let cases =
        [("fiji", "gfx803", "Radeon R9 Fury X", "0x7300"), ("vega10", "gfx900:xnack-", "Radeon RX Vega 64", "0x6860")];
    for (gpu, name, board, id) in cases {
        let mut command = program("clinfo");
        command.arg("--raw").env("GCN_TIMINGS_GPU", gpu);
        let ended = ended(command);
        assert_eq!((ended.code, ended.error.as_str()), (Some(0), ""), "{gpu}: {ended:?}");
        let line = |what: &str| {
            let line = ended.out.lines().find(|line| line.split_whitespace().any(|word| word == what));
            line.unwrap_or_else(|| panic!("{gpu}: {what}\n{}", ended.out)).to_owned()
        };
        assert!(line("CL_PLATFORM_NAME").ends_with("AMD Accelerated Parallel Processing"), "{gpu}");
        assert!(line("CL_DEVICE_NAME").ends_with(name), "{gpu}");
        assert!(line("CL_DEVICE_BOARD_NAME_AMD").ends_with(board), "{gpu}: {}", line("CL_DEVICE_BOARD_NAME_AMD"));
        assert!(line("CL_DEVICE_PCIE_ID_AMD").ends_with(id), "{gpu}: {}", line("CL_DEVICE_PCIE_ID_AMD"));
        assert!(line("CL_DEVICE_VENDOR_ID").ends_with("0x1002"), "{gpu}");
        assert!(line("CL_DEVICE_MAX_COMPUTE_UNITS").ends_with(" 2"), "{gpu}");
        assert!(line("CL_DEVICE_MAX_WORK_GROUP_SIZE").ends_with(" 256"), "{gpu}");
    }
    // AMD's driver of today does not run Hawaii.
    let mut command = program("clinfo");
    command.arg("--raw").env("GCN_TIMINGS_GPU", "hawaii");
    let ended = ended(command);
    assert!(ended.error.contains("there is no device: hawaii is gfx701"), "{}", ended.error);
}
