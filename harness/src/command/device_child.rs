//! `gcn-timings device-child`: the process that drives a run's device; not for people.

use anyhow::bail;
use clap::Args;

use crate::device::{CardDriver, DeviceName, cards_here, open_here, send_cards, serve, take_standard_output};

/// Drive a device for another process.
#[derive(Debug, Args)]
pub struct DeviceChild {
    /// The device
    #[arg(long, value_name = "D")]
    device: Option<DeviceName>,
    /// List the cards of a driver instead
    #[arg(long, value_enum, conflicts_with = "device")]
    list: Option<CardDriver>,
}

pub(super) fn run(arguments: &DeviceChild) -> anyhow::Result<()> {
    let mut output = take_standard_output()?;
    match (&arguments.device, arguments.list) {
        (Some(device), _) => serve(|| open_here(device), &mut output)?,
        (None, Some(driver)) => send_cards(cards_here(driver), &mut output)?,
        (None, None) => bail!("device-child is for gcn-timings itself"),
    }
    Ok(())
}
