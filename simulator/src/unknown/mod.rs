//! Every instruction of every target with known sources: its unknown results are those of `data/unknown.csv`, with the reason.

mod computed;
pub(crate) mod execution;
pub(crate) mod list;
pub(crate) mod plain;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use self::execution::{Left, left};
use self::list::List;
use self::plain::words;
use crate::cost::configuration::Configuration;
use gcn_model::gpu::Gpu;
use gcn_model::isa::{Encoding, Instruction, Processor};

/// A machine of each target and wave size.
pub(crate) fn machines() -> Vec<Configuration> {
    let gpus: Vec<Gpu> = Gpu::shipped().map(|name| Gpu::named(name).expect("it ships")).collect();
    let mut machines = Vec::new();
    for processor in Processor::all() {
        let gpu = gpus.iter().find(|gpu| gpu.generation == processor.generation);
        // What no card is described of cannot be simulated.
        let Some(gpu) = gpu else { continue };
        let machine = Configuration::of(&Gpu { gfx_target: processor.name().to_owned(), ..gpu.clone() });
        for lanes in &processor.generation.waves.sizes {
            machines.push(machine.for_waves_of(*lanes).expect("the generation has such waves").into_owned());
        }
    }
    machines
}

/// The result of a row in its worst form.
fn worst(row: &Instruction, machine: &Configuration) -> Left {
    let forms = [Some(row.encoding), row.vop3_opcode.map(|_| Encoding::Vop3)];
    let words = forms.into_iter().flatten().filter_map(|form| words(machine.processor, row, form));
    words.map(|words| left(&words, machine)).max().expect("each row has a form")
}

#[test]
fn unknown_results_are_listed() {
    let mut list = List::read();
    let mut wrong = BTreeMap::<_, BTreeSet<String>>::new();
    let mut counts = String::new();
    let mut found = BTreeMap::new();
    for machine in machines() {
        let (generation, lanes) = (machine.generation.name(), machine.issue.wave_size);
        let mut of_target = BTreeMap::<_, usize>::new();
        for row in machine.processor.instructions() {
            // Targets of a generation share rows.
            let left = *found.entry((std::ptr::from_ref(row).addr(), lanes)).or_insert_with(|| worst(row, &machine));
            let said = list.left(generation, lanes, row);
            *of_target.entry(left).or_default() += 1;
            if left != said {
                let line = format!("{} is {left:?}, and the list says {said:?}", row.name);
                wrong.entry(line).or_default().insert(format!("{generation}/wave{lanes}"));
            }
        }
        let of = |left| of_target.get(&left).copied().unwrap_or(0);
        let [known, part, unknown, refused] = [Left::Known, Left::KnownInPart, Left::Unknown, Left::Refused].map(of);
        let target = machine.processor.name();
        writeln!(
            counts,
            "{target}, waves of {lanes}: {unknown} unknown, {part} known in part, {refused} refused, {known} known"
        )
        .expect("memory has room");
    }
    let unused = list.unused();
    assert!(wrong.is_empty() && unused.is_empty(), "{wrong:#?}\nno instruction: {unused:#?}");
    // The numbers of unknown ones may only fall.
    insta::assert_snapshot!(counts);
}
