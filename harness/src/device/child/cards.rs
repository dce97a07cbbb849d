//! Listing cards from another process: a driver may abort or hang as soon as it is loaded.

use std::io::{self, Write};
use std::time::Duration;

use super::super::{Card, DeviceError};
use super::frame;
use super::message::Reply;
use super::process::{ChildProgram, DeviceProcess, Silence};

/// The cards that a process lists.
///
/// # Errors
/// [`DeviceError::NoDevice`]: none, or no answer.
pub fn list_cards(program: &ChildProgram, limit: Duration) -> Result<Vec<Card>, DeviceError> {
    let no_device = |why: String| DeviceError::NoDevice(format!("the cards cannot be listed: {why}"));
    let process = DeviceProcess::start(program).map_err(|error| no_device(error.to_string()))?;
    match process.answer(limit) {
        Ok((Reply::Cards { cards }, _)) => {
            process.leave();
            Ok(cards)
        }
        Ok((Reply::Failed { error }, _)) => {
            process.leave();
            Err(error)
        }
        Ok((reply, _)) => Err(no_device(process.end(&Silence::Garbled(format!("{reply:?}"))))),
        Err(silence) => Err(no_device(process.end(&silence))),
    }
}

/// The other side of [`list_cards`].
///
/// # Errors
/// An output that is closed.
pub fn send_cards(cards: Result<Vec<Card>, DeviceError>, output: &mut dyn Write) -> io::Result<()> {
    let reply = match cards {
        Ok(cards) => Reply::Cards { cards },
        Err(error) => Reply::Failed { error },
    };
    frame::write(output, &reply, &[])
}
