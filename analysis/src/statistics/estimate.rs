//! A statistic with its uncertainty.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Confidence of every interval in the tables.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// A statistic, its standard error and the degrees of freedom of that error.
///
/// The interval is Student's: value ± t(0.975, degrees) × standard error. Without noise it has no width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub standard_error: f64,
    /// Degrees of freedom of the standard error; at least 1.
    pub degrees: f64,
}

impl Estimate {
    /// A number without doubt.
    pub const fn exactly(value: f64) -> Self {
        Self { value, standard_error: 0.0, degrees: 1.0 }
    }

    /// Half of the interval's width.
    pub fn half_width(&self) -> f64 {
        if self.standard_error == 0.0 { 0.0 } else { self.standard_error * student_t(self.degrees) }
    }

    pub fn low(&self) -> f64 {
        self.value - self.half_width()
    }

    pub fn high(&self) -> f64 {
        self.value + self.half_width()
    }

    /// The estimate times a constant.
    pub fn scaled(&self, factor: f64) -> Self {
        Self { value: self.value * factor, standard_error: self.standard_error * factor.abs(), degrees: self.degrees }
    }

    /// Sum of independent estimates: errors add in quadrature, with the degrees of freedom of Welch and Satterthwaite.
    ///
    /// Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances
    /// are involved", Biometrika 34 (1947); F. E. Satterthwaite, Biometrics Bulletin 2 (1946).
    pub fn sum(terms: &[Self]) -> Self {
        let variance: f64 = terms.iter().map(|term| term.standard_error.powi(2)).sum();
        let spread: f64 = terms.iter().map(|term| term.standard_error.powi(4) / term.degrees).sum();
        let degrees = if spread > 0.0 {
            variance * variance / spread
        } else {
            terms.iter().map(|term| term.degrees).fold(f64::INFINITY, f64::min)
        };
        Self { value: terms.iter().map(|term| term.value).sum(), standard_error: variance.sqrt(), degrees }
    }

    /// Difference of two independent estimates.
    pub fn minus(&self, other: &Self) -> Self {
        Self::sum(&[*self, other.scaled(-1.0)])
    }
}

/// The 97.5 % quantile of Student's distribution.
fn student_t(degrees: f64) -> f64 {
    // Above this the quantile is the normal one to five digits, and statrs loses precision.
    let degrees = degrees.clamp(1.0, 1e5);
    StudentsT::new(0.0, 1.0, degrees).map_or(f64::INFINITY, |t| t.inverse_cdf(f64::midpoint(1.0, CONFIDENCE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_printed_tables() {
        for (degrees, quantile) in
            [(1.0, 12.7062), (2.0, 4.3027), (10.0, 2.2281), (100.0, 1.9840), (1e5, 1.9600), (1e9, 1.9600)]
        {
            assert!((student_t(degrees) - quantile).abs() < 1e-4, "{degrees}: {}", student_t(degrees));
        }
    }

    #[test]
    fn errors_add_in_quadrature_and_degrees_by_welch() {
        let a = Estimate { value: 10.0, standard_error: 3.0, degrees: 10.0 };
        let b = Estimate { value: 4.0, standard_error: 4.0, degrees: 20.0 };
        let difference = a.minus(&b);
        assert_eq!((difference.value, difference.standard_error), (6.0, 5.0));
        assert!((difference.degrees - 625.0 / (81.0 / 10.0 + 256.0 / 20.0)).abs() < 1e-9);
    }

    #[test]
    fn no_noise_no_width() {
        let exact = Estimate { value: 4.0, standard_error: 0.0, degrees: 1.0 };
        assert_eq!((exact.low(), exact.high()), (4.0, 4.0));
        assert_eq!(exact.minus(&exact).half_width(), 0.0);
    }
}
