//! Why a prediction and llvm-mca differ.

use serde::Serialize;

/// Why a prediction and llvm-mca differ. Each cause is worth some cycles of an iteration: below zero where llvm-mca has more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum McaCause {
    /// Vector instructions hold their wave for longer than one turn; to llvm-mca all of them take one.
    VectorRate,
    /// Likewise for those whose cycles are the rate of the GPU's double precision.
    DoublePrecision,
    /// Scalar instructions that take longer than one turn.
    ScalarIssue,
    /// Memory, LDS and export instructions that hold their wave for longer than one turn.
    MemoryIssue,
    /// The wait states of S_NOP, which takes one turn for llvm-mca.
    NopStates,
    /// S_SLEEP, the same.
    Sleep,
    /// S_BARRIER: llvm-mca gives it a latency of 500 turns, for which nothing waits.
    Barrier,
    /// Jumps, which are left out for llvm-mca: it follows none.
    Jumps,
    /// Instructions that are not there yet; llvm-mca knows no addresses.
    Fetch,
    /// Waits for memory and LDS, whose latencies differ.
    MemoryWait,
    /// Waits for results of other instructions: GCN has none where llvm-mca has a latency of more than one turn.
    Dependency,
    /// Instructions that are two micro-operations for llvm-mca, such as V_DIV_SCALE_F32, and take two turns there.
    MicroOperations,
    /// An instruction before it keeps the unit busy, for another time than llvm-mca says.
    BusyUnit,
}

impl McaCause {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 13] = [
        Self::VectorRate,
        Self::DoublePrecision,
        Self::ScalarIssue,
        Self::MemoryIssue,
        Self::NopStates,
        Self::Sleep,
        Self::Barrier,
        Self::Jumps,
        Self::Fetch,
        Self::MemoryWait,
        Self::Dependency,
        Self::MicroOperations,
        Self::BusyUnit,
    ];

    /// Its name in JSON and in tables.
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// Its name, for people.
    pub const fn words(self) -> &'static str {
        self.names().1
    }

    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::VectorRate => ("vector_rate", "vector instructions that take more than one turn"),
            Self::DoublePrecision => ("double_precision", "the rate of double precision"),
            Self::ScalarIssue => ("scalar_issue", "scalar instructions that take more than one turn"),
            Self::MemoryIssue => ("memory_issue", "memory, LDS and exports that take more than one turn"),
            Self::NopStates => ("nop_states", "wait states of S_NOP"),
            Self::Sleep => ("sleep", "S_SLEEP"),
            Self::Barrier => ("barrier", "S_BARRIER"),
            Self::Jumps => ("jumps", "jumps, which llvm-mca does not follow"),
            Self::Fetch => ("fetch", "fetching instructions"),
            Self::MemoryWait => ("memory_wait", "waiting for memory and LDS"),
            Self::Dependency => ("dependency", "waiting for other results"),
            Self::MicroOperations => ("micro_operations", "instructions of two micro-operations"),
            Self::BusyUnit => ("busy_unit", "a unit that is busy"),
        }
    }
}
