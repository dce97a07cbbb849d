//! A wave's action in a part of its time.

/// A wave's action in a part of its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// It issues, and the instruction holds it.
    Issue,
    /// It pays for where an instruction or the target of a jump lies in its block.
    Alignment,
    /// It waits for a line of the instruction cache.
    Fetch,
    /// It waits until a result that its instruction reads is there, or pays for reading a flag too early.
    Dependency,
    /// Its instruction is ready, and another wave has the unit or the port to it, or too many vector instructions are under way.
    Arbitration,
    /// S_WAITCNT waits for memory or LDS.
    Wait,
    /// It waits at a barrier for other waves.
    Barrier,
    /// S_SLEEP.
    Sleep,
}

impl Activity {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 8] = [
        Self::Issue,
        Self::Alignment,
        Self::Fetch,
        Self::Dependency,
        Self::Arbitration,
        Self::Wait,
        Self::Barrier,
        Self::Sleep,
    ];
}
