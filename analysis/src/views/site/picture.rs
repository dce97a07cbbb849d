//! The readings of an instruction as a picture: cycles between two readings of the counter against the length of the code between them.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::card::Card;
use crate::views::plots::{WHOLE, round_step};

/// Size of the picture, and of the margins that hold its numbers, in its own units.
const SIZE: (f64, f64) = (640.0, 280.0);
const MARGIN: (f64, f64) = (52.0, 34.0);
/// Lines that are drawn: more are not told apart.
const MOST_LINES: usize = 6;

/// The readings of a length, summed up.
#[derive(PartialEq, Eq)]
struct Length {
    blocks: u32,
    least: i64,
    middle: i64,
    most: i64,
}

/// Cards with the same readings, length by length: a line of the picture.
struct Line<'c> {
    cards: Vec<&'c str>,
    lengths: Vec<Length>,
}

/// The readings of a card, length by length.
fn lengths(card: &Card<'_>, experiment: &str) -> Vec<Length> {
    let Some((stored, position)) = card.experiment(experiment) else { return Vec::new() };
    let mut by_length: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
    for reading in stored.readings_of(position) {
        by_length.entry(reading.n).or_default().push(reading.elapsed());
    }
    let length = |(blocks, mut readings): (u32, Vec<i64>)| {
        readings.sort_unstable();
        Length { blocks, least: readings[0], middle: readings[readings.len() / 2], most: readings[readings.len() - 1] }
    };
    by_length.into_iter().map(length).collect()
}

/// The readings of an instruction on the cards that kept them; nothing where none did.
pub(super) fn picture(cards: &[&Card<'_>], instruction: &str) -> Option<Value> {
    let experiment = |card: &Card<'_>| format!("{}/cycles", card.own_name(instruction));
    let with: Vec<&Card<'_>> =
        cards.iter().copied().filter(|card| card.experiment(&experiment(card)).is_some()).collect();
    let mut lines: Vec<Line<'_>> = Vec::new();
    for card in &with {
        let lengths = lengths(card, &experiment(card));
        match lines.iter_mut().find(|line| line.lengths == lengths) {
            _ if lengths.is_empty() => {}
            Some(line) => line.cards.push(&card.slug),
            None => lines.push(Line { cards: vec![&card.slug], lengths }),
        }
    }
    if lines.is_empty() {
        return None;
    }
    let first = with.first()?;
    let (stored, position) = first.experiment(&experiment(first))?;
    let record = &stored.experiments[position];
    let fillers = match record.fillers_per_block {
        0 => String::new(),
        count => format!(" and {count} {}", record.filler.split('/').next().unwrap_or_default()),
    };
    let readings = with.iter().filter_map(|card| card.experiment(&experiment(card)));
    Some(json!({
        "svg": drawn(&lines[..lines.len().min(MOST_LINES)]),
        "block": format!("{} {instruction}{fillers}", record.targets_per_block),
        "readings": readings.map(|(stored, position)| stored.readings_of(position).len()).sum::<usize>(),
        "left_out": lines.iter().skip(MOST_LINES).map(|line| line.cards.len()).sum::<usize>(),
    }))
}

/// Steps of an axis that reaches so far: five at most, round.
fn step(most: f64) -> f64 {
    round_step((most / 5.0).max(1.0), &WHOLE)
}

fn drawn(lines: &[Line<'_>]) -> String {
    let all = || lines.iter().flat_map(|line| &line.lengths);
    let most_blocks = all().map(|length| f64::from(length.blocks)).fold(1.0, f64::max) * 1.04;
    let most_cycles = all().map(|length| length.most as f64).fold(1.0, f64::max) * 1.06;
    let (width, height) = (SIZE.0 - MARGIN.0 - 8.0, SIZE.1 - MARGIN.1 - 8.0);
    let x = |blocks: f64| MARGIN.0 + blocks / most_blocks * width;
    let y = |cycles: f64| 8.0 + height - cycles / most_cycles * height;
    let mut svg = format!("<svg viewBox=\"0 0 {} {}\" class=\"readings\">", SIZE.0, SIZE.1);
    // Writing to a string cannot fail.
    let mut add = |text: std::fmt::Arguments<'_>| svg.write_fmt(text).unwrap_or_default();
    let steps = |most: f64| (0..=5).map(move |index| f64::from(index) * step(most)).filter(move |at| *at <= most);
    let (from, to) = (MARGIN.0, SIZE.0 - 8.0);
    let grid: String = steps(most_cycles).map(|at| format!("M{from:.0} {:.1}H{to:.0}", y(at))).collect();
    add(format_args!("<path class=\"grid\" d=\"{grid}\"/><g class=\"end\">"));
    for at in steps(most_cycles) {
        add(format_args!("<text x=\"{:.0}\" y=\"{:.1}\">{at}</text>", from - 6.0, y(at) + 4.0));
    }
    add(format_args!("</g><g class=\"middle\">"));
    let bottom = 8.0 + height;
    for at in steps(most_blocks) {
        add(format_args!("<text x=\"{:.1}\" y=\"{:.0}\">{at}</text>", x(at), bottom + 16.0));
    }
    let (middle, under) = (MARGIN.0 + width / 2.0, bottom + 30.0);
    add(format_args!("<text x=\"{middle:.0}\" y=\"{under:.0}\">blocks between the readings</text></g>"));
    add(format_args!("<text x=\"{:.0}\" y=\"20\">cycles between the readings</text>", MARGIN.0 + 6.0));
    for (index, Line { cards, lengths }) in lines.iter().enumerate() {
        let points: Vec<String> = lengths
            .iter()
            .map(|length| format!("{:.1} {:.1}", x(f64::from(length.blocks)), y(length.middle as f64)))
            .collect();
        add(format_args!("<g class=\"s{index}\"><path class=\"line\" d=\"M{}\"/>", points.join("L")));
        for length in lengths {
            let (at, middle) = (x(f64::from(length.blocks)), y(length.middle as f64));
            if length.least != length.most {
                let (low, high) = (y(length.least as f64), y(length.most as f64));
                add(format_args!("<path class=\"line\" d=\"M{at:.1} {low:.1}V{high:.1}\"/>"));
            }
            add(format_args!("<circle cx=\"{at:.1}\" cy=\"{middle:.1}\"/>"));
        }
        let line = 40.0 + 17.0 * index as f64;
        add(format_args!("<circle cx=\"{:.0}\" cy=\"{:.0}\"/>", MARGIN.0 + 11.0, line - 4.0));
        // A slug has no letter that would have to be escaped.
        let names = cards.join(", ");
        add(format_args!("<text x=\"{:.0}\" y=\"{line:.0}\">{names}</text></g>", MARGIN.0 + 20.0));
    }
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::step;

    #[test]
    fn steps_are_round_and_few() {
        assert_eq!([3.0, 48.0, 520.0, 26_000.0].map(step), [1.0, 10.0, 200.0, 10_000.0]);
    }
}
