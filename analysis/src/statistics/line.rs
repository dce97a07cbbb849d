//! A straight line through samples: ordinary least squares.

use super::Estimate;

/// A line through points, with the uncertainty of its slope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Line {
    /// Slope with its standard error.
    pub slope: Estimate,
    /// Where the line meets x = 0, with its standard error.
    pub intercept: Estimate,
}

/// Why no line can be fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// All samples have the same x.
    #[error("all samples are of one length, a slope needs two")]
    OneLength,
    /// Two points or less: any line fits, and nothing tells how well.
    #[error("{0} samples leave no degree of freedom for an interval")]
    TooFew(usize),
}

/// Points of several x around their means, and the slope through them.
struct Centred {
    mean_x: f64,
    mean_y: f64,
    sxx: f64,
    slope: f64,
}

impl Centred {
    fn of(points: &[(f64, f64)]) -> Self {
        let count = points.len() as f64;
        let mean_x = points.iter().map(|p| p.0).sum::<f64>() / count;
        let mean_y = points.iter().map(|p| p.1).sum::<f64>() / count;
        let sxx: f64 = points.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
        let sxy: f64 = points.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
        Self { mean_x, mean_y, sxx, slope: sxy / sxx }
    }
}

/// Where the line of least squares through points meets x = 0; `None` of points of less than two x. Two of them are enough, since
/// nothing is said of how well it fits.
pub(crate) fn intercept(points: &[(f64, f64)]) -> Option<f64> {
    let (first, others) = points.split_first()?;
    others.iter().any(|point| point.0 != first.0).then(|| {
        let Centred { mean_x, mean_y, slope, .. } = Centred::of(points);
        mean_y - slope * mean_x
    })
}

impl Line {
    /// Least squares through `(x, y)`; the standard error is that of homoscedastic noise, with n − 2 degrees of freedom.
    ///
    /// The noise of a difference of two readings does not depend on how long the code between them is, so all samples
    /// weigh the same. Source: any textbook of regression; e.g. N. R. Draper and H. Smith, "Applied Regression Analysis", ch. 1.
    ///
    /// # Errors
    /// Less than three samples, or all with the same x.
    pub(crate) fn fit(points: &[(f64, f64)]) -> Result<Self, LineError> {
        let Some(&(first_x, _)) = points.first() else { return Err(LineError::TooFew(0)) };
        if points.iter().all(|&(x, _)| x == first_x) {
            return Err(LineError::OneLength);
        }
        if points.len() < 3 {
            return Err(LineError::TooFew(points.len()));
        }
        let count = points.len() as f64;
        let Centred { mean_x, mean_y, sxx, slope } = Centred::of(points);
        let residuals: f64 = points.iter().map(|p| (p.1 - mean_y - slope * (p.0 - mean_x)).powi(2)).sum();
        let degrees = count - 2.0;
        let variance = residuals / degrees;
        Ok(Self {
            slope: Estimate { value: slope, standard_error: (variance / sxx).sqrt(), degrees },
            intercept: Estimate {
                value: mean_y - slope * mean_x,
                standard_error: (variance * (1.0 / count + mean_x * mean_x / sxx)).sqrt(),
                degrees,
            },
        })
    }

    /// The line's y at an x.
    pub(crate) fn at(&self, x: f64) -> f64 {
        self.intercept.value + self.slope.value * x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_textbook_line() {
        // x̄ = 2.5, ȳ = 6.15, Sxx = 5, Sxy = 9.7: slope 1.94, residual sum of squares 0.032 over 2 degrees.
        let line = Line::fit(&[(1.0, 3.2), (2.0, 5.2), (3.0, 7.2), (4.0, 9.0)]).expect("a line");
        assert!((line.slope.value - 1.94).abs() < 1e-12);
        assert!((line.intercept.value - 1.3).abs() < 1e-12);
        let rss: f64 = [(1.0f64, 3.2f64), (2.0, 5.2), (3.0, 7.2), (4.0, 9.0)]
            .iter()
            .map(|(x, y)| (y - 1.3 - 1.94 * x).powi(2))
            .sum();
        assert!((line.slope.standard_error - (rss / 2.0 / 5.0).sqrt()).abs() < 1e-12);
        assert!((line.intercept.standard_error - (rss / 2.0 * (0.25 + 2.5 * 2.5 / 5.0)).sqrt()).abs() < 1e-12);
        assert_eq!((line.slope.degrees, line.intercept.degrees), (2.0, 2.0));
    }

    #[test]
    fn samples_without_a_line_are_refused() {
        assert_eq!(Line::fit(&[]), Err(LineError::TooFew(0)));
        assert_eq!(Line::fit(&[(1.0, 2.0), (1.0, 3.0), (1.0, 4.0)]), Err(LineError::OneLength));
        assert_eq!(Line::fit(&[(1.0, 2.0), (2.0, 3.0)]), Err(LineError::TooFew(2)));
    }
}
