//! The forms of published values.

use gcn_model::published::{Doubt, Expected, Expression};
use proptest::prelude::*;

/// Text, kind, and value for DPFACTOR 2.
const FORMS: [(&str, Expression, Expected); 10] = [
    ("16", Expression::Number(16), Expected::Exactly(16.0)),
    ("1/4", Expression::Fraction { numerator: 1, denominator: 4 }, Expected::Exactly(0.25)),
    ("DPFACTOR*8", Expression::DpFactor { multiple: 8 }, Expected::Exactly(16.0)),
    ("16-24", Expression::Range { low: 16, high: 24 }, Expected::Between(16.0, 24.0)),
    ("18?", Expression::Uncertain { value: 18, doubt: Doubt::Question }, Expected::Doubtful(18.0)),
    ("20 (???)", Expression::Uncertain { value: 20, doubt: Doubt::Questions }, Expected::Doubtful(20.0)),
    ("?", Expression::Unknown, Expected::Unknown),
    ("16+GLC1", Expression::Glc { cycles: 16, extra: 1 }, Expected::WithGlc { without: 16.0, with: 17.0 }),
    ("4 or 16 (1)", Expression::Alternatives { first: 4, second: 16, footnote: 1 }, Expected::OneOf(4.0, 16.0)),
    ("1/(CYCLES/4)", Expression::OfCycles { numerator: 4 }, Expected::Unknown),
];

#[test]
fn each_form_is_read_and_evaluated() {
    for (text, expression, expected) in FORMS {
        assert_eq!(text.parse(), Ok(expression));
        assert_eq!(expression.to_string(), text);
        assert_eq!(expression.evaluate(2), expected, "{text}");
    }
}

#[test]
fn open_questions_differ_from_numbers() {
    let open: Vec<&str> =
        FORMS.into_iter().filter(|(_, _, expected)| expected.is_open()).map(|(text, ..)| text).collect();
    assert_eq!(open, ["16-24", "18?", "20 (???)", "?", "4 or 16 (1)", "1/(CYCLES/4)"]);
    assert_eq!(Expected::Between(16.0, 24.0).lowest(), Some(16.0));
    assert_eq!(Expected::Between(16.0, 24.0).map(|cycles| 4.0 / cycles), Expected::Between(4.0 / 24.0, 0.25));
}

#[test]
fn other_texts_are_errors_that_say_why() {
    let texts = ["", "four", "04", "1/0", "24-16", "4 or 16", "16+GLC", "DPFACTOR*", "1/(CYCLES/0)", "4 ", "-4", "1.5"];
    let errors: Vec<String> =
        texts.into_iter().map(|text| text.parse::<Expression>().unwrap_err().to_string()).collect();
    insta::assert_snapshot!(errors.join("\n"));
}

fn expressions() -> impl Strategy<Value = Expression> {
    let doubt = prop_oneof![Just(Doubt::Question), Just(Doubt::Questions)];
    prop_oneof![
        any::<u32>().prop_map(Expression::Number),
        (any::<u32>(), 1..=u32::MAX)
            .prop_map(|(numerator, denominator)| Expression::Fraction { numerator, denominator }),
        any::<u32>().prop_map(|multiple| Expression::DpFactor { multiple }),
        (any::<u32>(), any::<u32>()).prop_map(|(a, b)| Expression::Range { low: a.min(b), high: a.max(b) }),
        (any::<u32>(), doubt).prop_map(|(value, doubt)| Expression::Uncertain { value, doubt }),
        Just(Expression::Unknown),
        any::<(u32, u32)>().prop_map(|(cycles, extra)| Expression::Glc { cycles, extra }),
        any::<(u32, u32, u8)>().prop_map(|(first, second, footnote)| Expression::Alternatives {
            first,
            second,
            footnote
        }),
        (1..=u32::MAX).prop_map(|numerator| Expression::OfCycles { numerator }),
    ]
}

proptest! {
    #[test]
    fn printed_forms_come_back(expression in expressions()) {
        prop_assert_eq!(expression.to_string().parse(), Ok(expression));
    }

    #[test]
    fn values_are_printed_as_read(text in "[0-9?/()GLC+DPFACTOR* or-]{0,14}") {
        if let Ok(expression) = text.parse::<Expression>() {
            prop_assert_eq!(expression.to_string(), text);
        }
    }
}
