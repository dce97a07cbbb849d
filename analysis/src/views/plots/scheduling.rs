//! Which pairs of instructions wait for each other: producer by consumer.

use gcn_model::record::NeighbourCase;

use super::axis::number;
use super::heat_map::{HeatMap, on_waves, stacked};
use super::judgement::{Judgement, rounded};
use super::plan::Plan;
use crate::results::Results;
use crate::tables::{Measured, unique};

/// The suite's experiments.
const SUITE: &str = "scheduling";

/// The properties that separate the panels: experiment, whether the consumer reads the producer's result, waves.
type Key<'a> = (&'a str, bool, u32);

/// One cell: panel, producer, consumer, cycles.
type Pair<'a> = (Key<'a>, &'a str, &'a str, Measured);

pub(super) fn plan(run: &Results) -> Result<Plan<'static>, String> {
    let of_suite = || run.penalties.iter().filter(|row| row.experiment.starts_with(SUITE));
    if of_suite().next().is_none() {
        return Err(format!("penalties.csv has no experiment {SUITE}…: measure the scheduling suite"));
    }
    let pairs: Vec<Pair<'_>> = of_suite()
        .filter_map(|row| {
            let NeighbourCase { producer, consumer, is_dependent } = NeighbourCase::read(&row.case)?;
            let key = (row.experiment.as_str(), is_dependent, row.waves_per_simd);
            Some((key, producer, consumer, row.penalty?.plain()))
        })
        .collect();
    if pairs.is_empty() {
        return Err(format!("no case of an experiment {SUITE}… is `producer > consumer` with a number"));
    }
    let mut panels: Vec<Key<'_>> = unique(pairs.iter().map(|(key, ..)| *key));
    panels.sort_by_key(|(_, is_dependent, waves)| (*waves, *is_dependent));
    let maps = panels.iter().map(|panel| {
        let of_panel = || pairs.iter().filter(move |pair| pair.0 == *panel);
        let rows = unique(of_panel().map(|pair| pair.1.to_owned()));
        let columns = unique(of_panel().map(|pair| pair.2.to_owned()));
        let (experiment, is_dependent, waves) = panel;
        let kind = if *is_dependent { ", the consumer reads what the producer wrote" } else { "" };
        let of = |producer: &str, consumer: &str| {
            of_panel().find(|pair| pair.1 == producer && pair.2 == consumer).map(|pair| pair.3)
        };
        let title = format!("{experiment}{kind}, {}", on_waves(*waves));
        HeatMap::of(title, ["producer", "consumer"], rows, columns, of)
    });
    let legend = "Cycles that the consumer waits for the producer before it.".to_owned();
    Ok(stacked(conclusion(&pairs), legend, "cycles", maps.collect()))
}

/// The certain conclusions of the pairs on the fewest waves.
fn conclusion(pairs: &[Pair<'_>]) -> Option<String> {
    let waves = pairs.iter().map(|((_, _, waves), ..)| *waves).min()?;
    let here: Vec<&Pair<'_>> = pairs.iter().filter(|((.., of), ..)| *of == waves).collect();
    let waiting: Vec<&Pair<'_>> =
        here.iter().copied().filter(|pair| Judgement::of(pair.3) == Judgement::Costs).collect();
    let on = on_waves(waves);
    let Some(longest) = waiting.iter().max_by(|a, b| rounded(a.3).total_cmp(&rounded(b.3))) else {
        let are_free = here.iter().all(|pair| Judgement::of(pair.3) == Judgement::Free);
        return are_free.then(|| format!("On {on} none of {} pairs waits", here.len()));
    };
    let most = rounded(longest.3);
    // Of pairs that wait equally long the first stands for all.
    let first = waiting.iter().find(|pair| rounded(pair.3) == most)?;
    let (count, of) = (waiting.len(), here.len());
    let wait = if count == 1 { "waits" } else { "wait" };
    Some(format!(
        "On {on} {count} of {of} pairs {wait}, {} cycles at most ({})",
        number(most),
        NeighbourCase { producer: first.1, consumer: first.2, is_dependent: false }
    ))
}
