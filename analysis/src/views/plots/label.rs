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

impl Rectangle {
    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.left + other.width
            && other.left < self.left + self.width
            && self.top < other.top + other.height
            && other.top < self.top + self.height
    }

    /// The point of it that is nearest to another.
    pub(crate) fn nearest(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (x.clamp(self.left, self.left + self.width), y.clamp(self.top, self.top + self.height))
    }

    /// Whether a line between two points goes through it.
    fn crossed(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        // The share of the line that is between left and right, and between top and bottom.
        let mut within = (0.0f64, 1.0f64);
        for (start, end, low, size) in [(from.0, to.0, self.left, self.width), (from.1, to.1, self.top, self.height)] {
            let (along, low, high) = (end - start, low, low + size);
            if along == 0.0 {
                if start <= low || start >= high {
                    return false;
                }
                continue;
            }
            let (a, b) = ((low - start) / along, (high - start) / along);
            within = (within.0.max(a.min(b)), within.1.min(a.max(b)));
        }
        within.0 < within.1
    }

    fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && other.left + other.width <= self.left + self.width
            && self.top <= other.top
            && other.top + other.height <= self.top + self.height
    }
}

/// Whether two lines cross between their ends.
fn cross(a: (f64, f64), b: (f64, f64), c: (f64, f64), d: (f64, f64)) -> bool {
    let side = |from: (f64, f64), to: (f64, f64), point: (f64, f64)| {
        (to.0 - from.0) * (point.1 - from.1) - (to.1 - from.1) * (point.0 - from.0)
    };
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
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

/// Puts labels beside marks, one after the other, each on the first free of a ring of places that grows.
#[derive(Debug)]
pub(crate) struct Placer {
    frame: Rectangle,
    taken: Vec<Rectangle>,
    /// Labels, which no line to a mark may cross.
    labels: Vec<Rectangle>,
    /// Lines from marks to labels, which no label may lie on.
    lines: Vec<((f64, f64), (f64, f64))>,
}

impl Placer {
    /// Labels stay in the frame and off the marks, which are given with their radius.
    pub(crate) fn new(frame: Rectangle, marks: impl IntoIterator<Item = (f64, f64, f64)>) -> Self {
        let taken = marks.into_iter().map(|(x, y, radius)| Rectangle {
            left: x - radius,
            top: y - radius,
            width: 2.0 * radius,
            height: 2.0 * radius,
        });
        Self { frame, taken: taken.collect(), labels: Vec::new(), lines: Vec::new() }
    }

    /// A place for a text of some width and height near a mark; none if all near places are taken, or if the line to them would
    /// cross another line or label.
    pub(crate) fn place(&mut self, (x, y): (f64, f64), width: f64, height: f64) -> Option<Rectangle> {
        let sides =
            [(1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let places = (0..10).flat_map(|ring| {
            let away = 9.0 + 10.0 * f64::from(ring);
            sides.map(|(right, down)| Rectangle {
                left: x + right * (away + width / 2.0) - width / 2.0,
                top: y + down * (away + height / 2.0) - height / 2.0,
                width,
                height,
            })
        });
        let (frame, taken) = (self.frame, &self.taken);
        let is_free = |place: &Rectangle| frame.holds(place) && !taken.iter().any(|taken| taken.overlaps(place));
        let is_clear = |place: &Rectangle| {
            let end = place.nearest((x, y));
            !self.labels.iter().any(|label| label.crossed((x, y), end))
                && !self.lines.iter().any(|&(from, to)| place.crossed(from, to) || cross(from, to, (x, y), end))
        };
        let found = places.into_iter().find(|place| is_free(place) && is_clear(place))?;
        self.taken.push(found);
        self.labels.push(found);
        self.lines.push(((x, y), found.nearest((x, y))));
        Some(found)
    }
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

        #[test]
        fn placed_labels_never_lie_on_each_other(marks in prop::collection::vec((0.0f64..400.0, 0.0f64..300.0), 0..12)) {
            let frame = Rectangle { left: 0.0, top: 0.0, width: 400.0, height: 300.0 };
            let mut placer = Placer::new(frame, marks.iter().map(|&(x, y)| (x, y, 3.0)));
            let mut placed = Vec::new();
            for &mark in &marks {
                placed.extend(placer.place(mark, 90.0, 14.0));
            }
            for (i, label) in placed.iter().enumerate() {
                prop_assert!(frame.holds(label));
                prop_assert!(!placed[..i].iter().any(|other| other.overlaps(label)));
            }
        }
    }

    #[test]
    fn a_line_crosses_what_lies_between_its_ends() {
        let label = Rectangle { left: 10.0, top: 10.0, width: 20.0, height: 10.0 };
        assert!(label.crossed((0.0, 15.0), (40.0, 15.0)) && label.crossed((20.0, 0.0), (20.0, 40.0)));
        assert!(label.crossed((0.0, 0.0), (40.0, 30.0)));
        assert!(!label.crossed((0.0, 15.0), (9.0, 15.0)) && !label.crossed((0.0, 0.0), (40.0, 5.0)));
        assert!(!label.crossed((0.0, 5.0), (0.0, 40.0)));
    }

    #[test]
    fn lines_cross_between_their_ends_alone() {
        assert!(cross((0.0, 0.0), (10.0, 10.0), (0.0, 10.0), (10.0, 0.0)));
        assert!(!cross((0.0, 0.0), (10.0, 10.0), (20.0, 0.0), (11.0, 9.0)));
        assert!(!cross((0.0, 0.0), (10.0, 0.0), (0.0, 5.0), (10.0, 5.0)));
    }

    #[test]
    fn labels_with_room_stay_where_they_are_wanted() {
        assert_eq!(spread(&[200.0, 10.0, 100.0], 20.0, 0.0, 300.0), [200.0, 10.0, 100.0]);
        assert_eq!(spread(&[100.0, 100.0], 20.0, 0.0, 300.0), [90.0, 110.0]);
    }

    #[test]
    fn capitals_are_wider_than_small_letters() {
        assert!(width("V_ADD_F64", 12.0) > width("illi_till", 12.0));
        assert!((width("AA", 10.0) - 2.0 * width("A", 10.0)).abs() < 1e-9);
    }
}
