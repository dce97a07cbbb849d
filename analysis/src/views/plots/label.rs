//! The places of labels: rectangles, and the widths of texts.

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

#[cfg(test)]
mod tests {
    use super::width;

    #[test]
    fn capitals_are_wider_than_small_letters() {
        assert!(width("V_ADD_F64", 12.0) > width("illi_till", 12.0));
        assert!((width("AA", 10.0) - 2.0 * width("A", 10.0)).abs() < 1e-9);
    }
}
