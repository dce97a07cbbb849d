//! Published statements about matrix instructions, compared with their shapes.

use std::collections::BTreeSet;

use gcn_model::gpu::Gpu;
use gcn_model::isa::{Instruction, MatrixOperation, Processor};
use gcn_model::published::{Published, source};
use gcn_model::timing::order;

/// The matrix instructions of all targets, each with its shape.
fn all() -> impl Iterator<Item = (Processor, &'static Instruction, &'static MatrixOperation)> {
    // LLVM schedules for cards: it has no model of a generic target.
    Processor::all().filter(|processor| !processor.is_generic()).flat_map(|processor| {
        let of = move |instruction| Some((processor, instruction, processor.generation.matrix_operation(instruction)?));
        processor.instructions().filter_map(of)
    })
}

fn named(name: &str) -> &'static Published {
    source(name).unwrap()
}

fn number(value: Option<&gcn_model::published::Expectation<'_>>) -> Option<f64> {
    value?.evaluate(1).lowest()
}

#[test]
fn the_calculator_and_llvm_speak_of_each_and_agree() {
    let (calculator, llvm) = (named("matrix-calculator"), named("llvm"));
    let mut of_calculator = 0;
    for (processor, instruction, operation) in all() {
        let name = format!("{} {}", processor.name(), instruction.name);
        let cycles = operation.passes.cycles().0;
        let of_llvm = llvm.expectations_on(instruction, processor.name());
        assert_eq!(number(of_llvm.cycles.as_ref()), Some(cycles), "{name}");
        assert!(number(of_llvm.latency.as_ref()).is_some_and(|latency| latency > cycles), "{name}");
        let said = calculator.expectations_on(instruction, processor.name());
        let Some(found) = number(said.cycles.as_ref()) else { continue };
        of_calculator += 1;
        assert_eq!(found, cycles, "{name}");
        assert_eq!(number(said.throughput.as_ref()), Some(4.0 / cycles), "{name}: four SIMDs");
    }
    let listed: usize = calculator.rows().iter().map(|row| row.targets.len()).sum();
    assert_eq!((of_calculator, listed), (93, 93), "CDNA 1 to 3: all of them");
    let targets: BTreeSet<_> = calculator.rows().iter().flat_map(|row| &row.targets).map(String::as_str).collect();
    assert_eq!(targets, BTreeSet::from(["gfx908", "gfx90a", "gfx942"]));
}

/// No source whose sentences are of a time without matrix instructions speaks of them.
#[test]
fn sources_of_gcn_say_nothing_of_them() {
    for (processor, instruction, _) in all() {
        for name in ["clrx", "mesa-aco", "app-guide", "multi2sim", "rga", "silicon"] {
            let said = named(name).expectations_on(instruction, processor.name());
            assert!(said.cycles.is_none() && said.throughput.is_none(), "{name}: {}", instruction.name);
        }
    }
}

/// Each row of the vendor's is one of its rates over the operations of the instruction, and each rate of matrices has a row.
#[test]
fn vendor_rows_are_peak_rates() {
    let vendor = named("vendor");
    let rates = |target: &str| {
        let of = vendor.statements().iter().find(|statement| statement.targets.iter().any(|of| of == target));
        of.unwrap_or_else(|| panic!("no peak rates of {target}")).numbers.clone()
    };
    let mut seen = BTreeSet::new();
    for row in vendor.rows() {
        for target in &row.targets {
            let processor = Processor::find(target).unwrap();
            let instruction = processor.instruction(&row.instruction).unwrap();
            let throughput = row.throughput.unwrap().evaluate(1).lowest().unwrap();
            let operations = match processor.generation.matrix_operation(instruction) {
                Some(operation) => operation.operations() as f64,
                // A multiplication and an addition of 64 lanes, of a value or of a pair.
                None => 128.0 * f64::from(u8::from(row.instruction.starts_with("V_PK_")) + 1),
            };
            let rate = throughput * operations;
            let found = rates(target).into_iter().filter(|(_, stated)| *stated == rate);
            let kinds: Vec<String> =
                found.map(|(name, _)| name).filter(|name| name.starts_with(&row.section)).collect();
            assert!(!kinds.is_empty(), "{target} {}: {rate}", row.instruction);
            seen.extend(kinds.into_iter().map(|kind| (target.clone(), kind)));
        }
    }
    for statement in vendor.statements() {
        for name in statement.numbers.keys() {
            let is_there = statement.targets.iter().all(|target| seen.contains(&(target.clone(), name.clone())));
            assert!(is_there, "{}: no row for {name}", statement.id);
        }
    }
}

#[test]
fn the_order_names_sources_and_reasons() {
    let mut seen = BTreeSet::new();
    for row in order() {
        assert!(source(&row.source).is_some(), "{row:?}");
        assert!(gcn_model::isa::Generation::find(&row.generation).is_some(), "{row:?}");
        assert!(!row.reason.is_empty() && seen.insert((&row.generation, &row.source)), "{row:?}");
    }
    assert!(seen.len() > 10);
}

/// What `order.csv` does not name has the CLRX table's timings, which speaks of GCN.
#[test]
fn every_generation_has_an_order() {
    for generation in gcn_model::isa::Generation::all().into_iter().filter(|it| Gpu::is_known_of(*it)) {
        assert!(order().iter().any(|row| row.generation == generation.name()), "{}", generation.name());
    }
}
