//! `dpfactor.json`.

use crate::dpfactor::DpFactor;

/// `dpfactor.json`: the factor, its class and what each instruction says.
pub fn dpfactor_json(dpfactor: &DpFactor) -> String {
    let mut text = serde_json::to_string_pretty(dpfactor).expect("numbers and names are JSON");
    text.push('\n');
    text
}
