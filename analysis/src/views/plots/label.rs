//! Labels that do not lie on each other.

/// Width of a text, pixels: the advances of DejaVu Sans, the widest of the fonts that are asked for.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let advance = |letter: char| match letter {
        ' ' | ',' | '.' | ':' | ';' | 'i' | 'l' | 'j' | '\'' | '|' | 'I' => 0.33,
        '_' | '-' | 't' | 'f' | 'r' | '(' | ')' | '[' | ']' | '/' => 0.5,
        'm' | 'w' | 'M' | 'W' => 0.98,
        '%' | '→' | '−' | '±' => 0.95,
        'A'..='Z' => 0.72,
        _ => 0.64,
    };
    text.chars().map(advance).sum::<f64>() * size
}

/// A rectangle in pixels, y downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rectangle {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Places so that neighbours are at least `gap` apart, each as near to where it is wanted as that allows, between two ends. Keeps
/// the order; the result belongs to the input entry by entry.
pub(crate) fn spread(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // Blocks of labels that touch: the sum of where their first labels want to be, how many, and where the first is.
    let mut blocks: Vec<(f64, usize, f64)> = Vec::new();
    for &index in &order {
        blocks.push((wanted[index], 1, wanted[index].clamp(low, high)));
        while let [.., before, last] = blocks.as_slice() {
            if before.2 + before.1 as f64 * gap <= last.2 {
                break;
            }
            let (sum, count) = (before.0 + last.0 - before.1 as f64 * gap * last.1 as f64, before.1 + last.1);
            let most = high - (count - 1) as f64 * gap;
            blocks.truncate(blocks.len() - 2);
            blocks.push((sum, count, (sum / count as f64).min(most).max(low)));
        }
    }
    let mut places = vec![0.0; wanted.len()];
    let mut next = order.into_iter();
    for (_, count, first) in blocks {
        for (place, index) in next.by_ref().take(count).enumerate() {
            places[index] = first + place as f64 * gap;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn spread_labels_never_lie_on_each_other(wanted in prop::collection::vec(0.0f64..300.0, 0..14)) {
            let places = spread(&wanted, 20.0, 0.0, 300.0);
            let mut sorted = places.clone();
            sorted.sort_by(f64::total_cmp);
            prop_assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 20.0 - 1e-6), "{sorted:?}");
            prop_assert!(sorted.iter().all(|place| (-1e-6..=300.0 + 1e-6).contains(place)), "{sorted:?}");
            for (a, b) in (0..wanted.len()).zip(1..wanted.len()) {
                prop_assert!(wanted[a] >= wanted[b] || places[a] < places[b], "the order is kept");
            }
        }
    }

    #[test]
    fn labels_with_space_keep_their_place() {
        assert_eq!(spread(&[200.0, 10.0, 100.0], 20.0, 0.0, 300.0), [200.0, 10.0, 100.0]);
        assert_eq!(spread(&[100.0, 100.0], 20.0, 0.0, 300.0), [90.0, 110.0]);
    }

    #[test]
    fn capitals_are_wider_than_small_letters() {
        assert!(width("V_ADD_F64", 12.0) > width("illi_till", 12.0));
        assert!((width("AA", 10.0) - 2.0 * width("A", 10.0)).abs() < 1e-9);
    }
}
