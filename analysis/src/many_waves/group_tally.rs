//! The outcome of a throughput experiment's groups of waves.

/// How many groups of waves were used, and why the others were not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupTally {
    /// Groups used.
    pub used: usize,
    /// Of these, groups whose waves a unit served one after the other.
    pub serial: usize,
    /// A wave's HW_ID changed while it ran.
    pub moved: usize,
    /// Not the asked number of waves on each SIMD.
    pub misplaced: usize,
    /// No moment at which all waves ran.
    pub not_concurrent: usize,
    /// All waves ran together for less than half of the makespan.
    pub uneven: usize,
    /// More waves than may be late took less than they need to issue their code.
    pub below_bound: usize,
    /// Of the misplaced groups, those that began with fewer waves than asked on each SIMD, all at about the same time, and with the others only
    /// when some of these had ended: there is no room for more.
    pub full: usize,
    /// Waves with a late reading, in the groups used.
    pub late_waves: usize,
    /// Waves that took less than they need to issue their code, in the groups used.
    pub impossible_waves: usize,
}

impl GroupTally {
    /// Whether the device cannot hold this many waves, as far as its groups tell.
    pub const fn does_not_fit(&self) -> bool {
        self.misplaced == self.total() && 2 * self.full > self.misplaced
    }

    /// Groups whose waves were where they were asked to be.
    pub const fn placed(&self) -> usize {
        self.total() - self.misplaced - self.moved
    }

    /// Groups seen.
    pub const fn total(&self) -> usize {
        self.used + self.moved + self.misplaced + self.below_bound + self.not_concurrent + self.uneven
    }
}

impl std::fmt::Display for GroupTally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} compute-unit groups used", self.used, self.total())?;
        for (count, reason) in [
            (self.misplaced, "without the requested waves on each SIMD"),
            (self.moved, "with a wave that moved"),
            (self.below_bound, "with waves below the bound of an issue interval per instruction"),
            (self.not_concurrent, "whose waves never all ran at once"),
            (self.uneven, "whose waves ran together for less than half of the time"),
            (self.serial, "whose waves were served one after the other, the oldest first"),
            (self.late_waves, "waves with a late reading left out"),
            (self.impossible_waves, "waves below the bound of an issue interval per instruction left out"),
        ] {
            if count > 0 {
                write!(f, ", {count} {reason}")?;
            }
        }
        Ok(())
    }
}
