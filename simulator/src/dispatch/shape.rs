//! The shape of a dispatch.

/// A grid of work-items, and the work-groups that it is cut into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Work-items in X, Y and Z.
    pub grid: [u32; 3],
    /// Work-items of a group; those at the far edges of the grid may have fewer.
    pub group: [u32; 3],
}

impl Shape {
    fn groups_by_dimension(self) -> [u64; 3] {
        [0, 1, 2].map(|i| u64::from(self.grid[i].div_ceil(self.group[i])))
    }

    /// Work-groups.
    pub(crate) fn groups(self) -> u64 {
        self.groups_by_dimension().iter().product()
    }

    /// The id of a group by its number: X runs fastest.
    pub(crate) fn id_of(self, number: u64) -> [u32; 3] {
        let [x, y, _] = self.groups_by_dimension();
        [number % x, number / x % y, number / (x * y)].map(|id| id as u32)
    }

    /// Work-items of a group in each dimension.
    pub(crate) fn size_of(self, number: u64) -> [u32; 3] {
        let id = self.id_of(number);
        [0, 1, 2].map(|i| (self.grid[i] - id[i] * self.group[i]).min(self.group[i]))
    }

    /// Waves of a whole group.
    pub(crate) fn waves(self, wave_size: u32) -> u32 {
        self.group.iter().product::<u32>().div_ceil(wave_size)
    }
}
