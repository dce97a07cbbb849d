//! What loads will bring to vector registers.

/// The bits of each half of a register.
pub(crate) const HALVES: [u32; 2] = [0xffff, 0xffff_0000];

/// Expected values; a register's place counts among those of its wave.
#[derive(Debug, Clone)]
pub(crate) struct UnderWay {
    /// By register, those of its low half and of its high half.
    pub(crate) halves: Vec<[Expected; 2]>,
    /// The lanes of which some bits will be known.
    pub(crate) parts: Vec<ExpectedPart>,
    /// A lane of a register became unknown since the wave's last look.
    has_lost: bool,
    ticket: u32,
}

/// The expected values of a memory instruction in flight; they are in the register already, but not yet known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) ticket: u32,
    pub(crate) lanes: u64,
    pub(crate) known: u64,
}

/// A lane of an expected value of which some bits will be known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExpectedPart {
    pub(crate) ticket: u32,
    pub(crate) place: usize,
    pub(crate) lane: u8,
    pub(crate) known: u32,
}

impl UnderWay {
    /// Nothing is under way to so many registers.
    pub(crate) fn new(count: usize) -> Self {
        Self { halves: vec![[Expected::default(); 2]; count], parts: Vec::new(), has_lost: false, ticket: 0 }
    }

    /// Whether a lane of a register became unknown since the last look.
    pub(crate) fn take_lost(&mut self) -> bool {
        std::mem::take(&mut self.has_lost)
    }

    /// The ticket of another memory instruction.
    pub(crate) fn next_ticket(&mut self) -> u32 {
        self.has_lost = true;
        self.ticket = self.ticket.wrapping_add(1);
        self.ticket
    }

    /// Takes the parts that a memory instruction brings.
    pub(crate) fn parts_of(&mut self, ticket: u32) -> Vec<ExpectedPart> {
        self.parts.extract_if(.., |part| part.ticket == ticket).collect()
    }

    /// Lanes became unknown while a memory instruction may be under way to them: what it brings counts no longer.
    #[inline(always)]
    pub(crate) fn spoil(&mut self, place: usize, lanes: u64) {
        if lanes != 0 {
            self.has_lost = true;
            self.halves[place].iter_mut().for_each(|expected| expected.known &= !lanes);
            self.spoil_parts(place, lanes, u32::MAX);
        }
    }

    /// Likewise one half of lanes.
    pub(crate) fn spoil_half(&mut self, place: usize, is_high: bool, lanes: u64) {
        let half = usize::from(is_high);
        self.has_lost |= lanes != 0;
        self.halves[place][half].known &= !lanes;
        self.spoil_parts(place, lanes, HALVES[half]);
    }

    fn spoil_parts(&mut self, place: usize, lanes: u64, bits: u32) {
        let parts = self.parts.iter_mut().filter(|part| part.place == place && lanes >> part.lane & 1 == 1);
        parts.for_each(|part| part.known &= !bits);
    }

    /// Likewise all lanes of all registers.
    pub(crate) fn spoil_all(&mut self) {
        self.parts.clear();
        self.halves.as_flattened_mut().iter_mut().for_each(|expected| expected.known = 0);
    }
}
