//! The time of a number of iterations, as text.

use std::fmt::Write as _;

use gcn_model::quantity::Cycles;

use crate::prediction::Prediction;
use crate::text::number;
use crate::trip::Trip;

/// The time of a number of iterations, for people; lines begin with two spaces.
pub fn trip_text(prediction: &Prediction, trip: &Trip) -> String {
    let Trip { iterations, cycles, low, high, .. } = *trip;
    let mut text = String::new();
    let times = if iterations == 1 { "1 iteration takes".to_owned() } else { format!("{iterations} iterations take") };
    let _ = writeln!(
        text,
        "  trip: {times} {} cycles, from the start of the first wave to the end of the last",
        number(cycles)
    );
    if low < high {
        let _ = writeln!(text, "    between {} and {}", number(low), number(high));
    }
    let each = if trip.is_simulated() { prediction.cycles_per_iteration } else { trip.further_cycles };
    let start = Cycles(cycles.0 - f64::from(iterations) * each.0);
    let _ = writeln!(text, "    start and end {}, and {iterations} × {}", number(start), number(each));
    match trip.is_simulated() {
        true => {
            let _ = writeln!(text, "    simulated from the first iteration to the last");
        }
        false => {
            let _ = writeln!(
                text,
                "    extrapolated: {} iterations were simulated, {} cycles; each further one takes the mean of their second half",
                trip.simulated_iterations,
                number(trip.simulated_cycles)
            );
        }
    }
    let lines = match trip.lines {
        1 => format!("1 line of {} bytes", trip.line_bytes),
        lines => format!("{lines} lines of {} bytes", trip.line_bytes),
    };
    let _ = match trip.starts_warm {
        true => writeln!(text, "    the instruction cache is warm: {lines}"),
        false => writeln!(
            text,
            "    the instruction cache is cold: the first iteration takes {} cycles more for its {lines}; {}",
            number(trip.cold_cycles),
            trip.line_words
        ),
    };
    text
}
