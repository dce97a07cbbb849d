//! What readings say of DPFACTOR.

use super::*;

fn table() -> Vec<published::DpFactor> {
    published::dp_table(published::sources(), "gfx600")
}

fn factor(rows: &[(&str, f64, f64)]) -> DpFactor {
    let rows: Vec<_> = rows
        .iter()
        .map(|&(name, multiple, cycles)| (name, multiple, Measured::around(cycles, 0.05).map(Cycles)))
        .collect();
    DpFactor::of(&rows, 0, &table(), Cycles(4.0)).expect("rows")
}

/// One instruction of DPFACTOR*4 whose interval is that of a factor.
fn interval(low: f64, value: f64, high: f64) -> DpFactor {
    let cycles = Measured { value, low, high }.map(|factor| Cycles(4.0 * factor));
    DpFactor::of(&[("V_ADD_F64", 4.0, cycles)], 7, &table(), Cycles(4.0)).expect("a row")
}

#[test]
fn every_factor_of_the_table_is_known() {
    for (known, rate) in [1.0, 2.0, 4.0, 8.0].into_iter().zip(["1/2", "1/4", "1/8", "1/16"]) {
        let found = factor(&[("V_ADD_F64", 4.0, 4.0 * known), ("V_FMA_F64", 8.0, 8.0 * known)]);
        assert_eq!((found.dpfactor, found.dp_rate.as_str(), found.class), (known, rate, DpClass::Known));
        assert_eq!((found.agreeing, found.of), (2, 2));
    }
}

#[test]
fn an_interval_without_end_is_written_and_read_again() {
    let found = interval(f64::NEG_INFINITY, 2.0, f64::INFINITY);
    let text = serde_json::to_string(&found).expect("JSON");
    assert!(text.contains("\"high\":null"), "{text}");
    assert_eq!(serde_json::from_str::<DpFactor>(&text).expect("what was written"), found);
}

#[test]
fn a_factor_outside_the_table_is_new_and_has_its_rate() {
    let found = factor(&[("V_ADD_F64", 4.0, 12.0), ("V_FMA_F64", 8.0, 24.0)]);
    assert_eq!((found.dpfactor, found.dp_rate.as_str(), found.class), (3.0, "1/6", DpClass::New));
    let found = factor(&[("V_ADD_F64", 4.0, 4.0), ("V_FMA_F64", 8.0, 4.0), ("V_DIV_SCALE_F64", 16.0, 8.0)]);
    assert_eq!((found.dpfactor, found.dp_rate.as_str(), found.class), (0.5, "1", DpClass::New));
    assert_eq!((found.agreeing, found.of), (3, 3));
    assert_eq!(factor(&[("V_ADD_F64", 4.0, 10.4)]).dp_rate, "1/5.20");
}

#[test]
fn a_factor_is_definite_only_if_no_other_is_left() {
    // Three noisy cards of a campaign: of the first the truth is 2, of the second 3, of the third 8.
    for (low, value, high, truth, words) in [
        (0.94, 1.875, 2.81, 2.0, "1 or 2"),
        (2.008, 2.94, 3.865, 3.0, "2 or 3"),
        (-6.0, 8.45, 22.9, 8.0, "one of 23 from 0.5 to 22"),
    ] {
        let found = interval(low, value, high);
        assert_eq!((found.class, found.words().as_str()), (DpClass::Undecided, words));
        assert!(found.candidates.contains(&truth), "{found:?}");
    }
    assert_eq!(interval(2.008, 2.94, 3.865).dp_rate, "1/4 or 1/6");
    // One factor is inside, but another one is nearer: neither is definite.
    assert_eq!(interval(2.2, 2.4, 3.0).candidates, [2.0, 3.0]);
    // None is inside.
    let found = interval(2.4, 2.5, 2.6);
    assert_eq!((found.class, found.words().as_str(), found.candidates.len()), (DpClass::Undecided, "2.5", 0));
}

#[test]
fn a_definite_factor_is_printed_as_the_number_that_it_is() {
    let found = interval(15.9, 16.0006, 16.1);
    assert_eq!((found.class, found.dpfactor, found.words().as_str()), (DpClass::New, 16.0, "16"));
    assert_eq!((found.measured, found.unsettled), (16.0006, 7));
}

#[test]
fn one_row_of_five_may_differ_and_is_named() {
    let rows = [("A", 4.0, 8.0), ("B", 4.0, 8.0), ("C", 8.0, 16.0), ("D", 8.0, 16.0), ("E", 8.0, 8.0)];
    let found = factor(&rows);
    assert_eq!((found.dpfactor, found.class, found.agreeing), (2.0, DpClass::Known, 4));
    assert_eq!(found.contradicting, ["E"]);
}

#[test]
fn rows_that_contradict_are_no_class_of_the_table() {
    // Additions and FMAs both take 8 cycles, so no factor fits both.
    let rows = [("V_ADD_F64", 4.0, 8.0), ("V_MAX_F64", 4.0, 8.0), ("V_FMA_F64", 8.0, 8.0), ("V_MUL_F64", 8.0, 8.0)];
    let found = factor(&rows);
    assert_eq!((found.class, found.contradicting.len()), (DpClass::Inconsistent, 2));
}

#[test]
fn an_instruction_as_short_as_an_issue_gives_a_bound() {
    let found = factor(&[("V_ADD_F64", 4.0, 4.0)]);
    assert_eq!(
        (found.class, found.words().as_str(), found.dp_rate.as_str()),
        (DpClass::Undecided, "0.5 or 1", "1 or 1/2")
    );
    let found = factor(&[("V_ADD_F64", 4.0, 4.0), ("V_FMA_F64", 8.0, 8.0)]);
    assert_eq!((found.class, found.dpfactor, found.agreeing), (DpClass::Known, 1.0, 2));
    let found = factor(&[("V_ADD_F64", 4.0, 4.0), ("V_FMA_F64", 8.0, 16.0), ("V_MUL_F64", 8.0, 16.0)]);
    assert_eq!(found.contradicting, ["V_ADD_F64"], "it is faster than the others allow");
}

#[test]
fn few_that_are_slower_do_not_outvote_the_bounds() {
    // CDNA 2 and 3: all take an issue but reciprocals and roots, which have an engine of their own.
    let mut rows = vec![("V_FMA_F64", 8.0, 4.0); 6];
    rows.extend([("V_ADD_F64", 4.0, 4.0); 6]);
    rows.extend([("V_RCP_F64", 8.0, 16.0); 3]);
    let found = factor(&rows);
    assert_eq!((found.class, found.words().as_str(), found.dp_rate.as_str()), (DpClass::New, "0.5", "1"));
    assert_eq!((found.agreeing, found.of, found.contradicting.len()), (12, 15, 3));
    // Nothing says that it is not less: an issue is the least that an instruction takes.
    assert_eq!((found.low, found.high), (0.0, 0.506_25));
    assert_eq!(found.interval(), None);
    assert_eq!(found.bracketed(), "(at most 0.5063: the agreeing instructions take no longer than an issue)");
}

#[test]
fn missing_measurements_are_stated() {
    assert_eq!(DpFactor::of(&[], 0, &table(), Cycles(4.0)), Err(NoDoublePrecision));
}
