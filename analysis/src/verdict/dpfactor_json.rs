//! `dpfactor.json`.

use serde::Serialize;

use super::dpfactor::DpFactor;

/// `dpfactor.json`: the factor, its class, each instruction's value, and the reading of TRAPSTS.DP_RATE.
pub fn dpfactor_json(dpfactor: &DpFactor, dp_rate_field: &[u32]) -> String {
    #[derive(Serialize)]
    struct WithEvidence<'a> {
        #[serde(flatten)]
        dpfactor: &'a DpFactor,
        dp_rate_field: &'a [u32],
    }
    let with_evidence = WithEvidence { dpfactor, dp_rate_field };
    let mut text = serde_json::to_string_pretty(&with_evidence).expect("numbers and names are JSON");
    text.push('\n');
    text
}
