//! Which pairs of instructions wait for each other: producer by consumer.

use gcn_model::record::DEPENDENT;

use super::drawing::Drawing;
use super::stacked_maps::{Map, Stack, distinct, on_waves};
use crate::tables::Tables;

/// The suite's experiments.
const SUITE: &str = "scheduling";

/// What stands between producer and consumer in a case.
const BETWEEN: &str = " > ";

/// What tells the panels apart: experiment, whether the consumer reads what the producer wrote, waves.
type Key<'a> = (&'a str, bool, u32);

/// One cell: panel, producer, consumer, cycles.
type Pair<'a> = (Key<'a>, &'a str, &'a str, f64);

pub(super) fn draw(run: &Tables) -> Drawing {
    let of_suite = || run.penalties.iter().filter(|row| row.experiment.starts_with(SUITE));
    if of_suite().next().is_none() {
        return Drawing::Missing(format!("penalties.csv has no experiment {SUITE}…: measure the scheduling suite"));
    }
    let pairs: Vec<Pair<'_>> = of_suite()
        .filter_map(|row| {
            let (producer, consumer) = row.case.split_once(BETWEEN)?;
            let independent = consumer.strip_suffix(DEPENDENT);
            let key = (row.experiment.as_str(), independent.is_some(), row.waves_per_simd);
            Some((key, producer, independent.unwrap_or(consumer), row.penalty()?.value))
        })
        .collect();
    if pairs.is_empty() {
        return Drawing::Missing(format!("no case of an experiment {SUITE}… is `producer > consumer` with a number"));
    }
    let mut panels: Vec<Key<'_>> = Vec::new();
    for (key, ..) in &pairs {
        if !panels.contains(key) {
            panels.push(*key);
        }
    }
    panels.sort_by_key(|(_, is_dependent, waves)| (*waves, *is_dependent));
    let maps = panels.iter().map(|panel| {
        let of_panel = || pairs.iter().filter(move |pair| pair.0 == *panel);
        let producers = distinct(of_panel().map(|pair| pair.1.to_owned()));
        let consumers = distinct(of_panel().map(|pair| pair.2.to_owned()));
        let (experiment, is_dependent, waves) = panel;
        let kind = if *is_dependent { ", the consumer reads what the producer wrote" } else { "" };
        Map::of(format!("{experiment}{kind}, {}", on_waves(*waves)), producers, consumers, |producer, consumer| {
            of_panel().find(|pair| pair.1 == producer && pair.2 == consumer).map(|pair| pair.3)
        })
    });
    Stack {
        title: "Scheduling: producer by consumer",
        legend: "Numbers: cycles that the consumer waits; darker is more. A dot: not measured.",
        row_name: "producer",
        column_name: "consumer",
        most: pairs.iter().map(|pair| pair.3).fold(0.0, f64::max),
    }
    .draw(run, &maps.collect::<Vec<_>>())
}
