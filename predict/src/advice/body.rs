//! A region whose instructions may be put in another order.

use std::collections::BTreeSet;

use gcn_model::isa::WaitCounts;
use gcn_simulator::BlockInstruction;

use super::piece::Piece;
use crate::awaited::Waits;
use crate::code::Code;
use crate::line::Line;
use crate::stall::Stall;

/// A memory instruction by its address, and how many iterations before a wait it was issued.
type Issued = (u64, u32);

/// Iterations that are gone through to see what waits for what; the waits of the last one count.
const TURNS: usize = 3;

/// A longer region is not put in another order.
const MOST_INSTRUCTIONS: usize = 1024;

/// A region without jumps inside.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) pieces: Vec<Piece>,
    /// Of each wait, by its address, the memory instructions that it waits for.
    awaited: Vec<(u64, BTreeSet<Issued>)>,
}

impl Body {
    /// Of a predicted region; `None` where a jump is inside, or it is too long.
    pub(super) fn of(part: &Code, lines: &[Line], instructions: &[BlockInstruction]) -> Option<Self> {
        if lines.len() > MOST_INSTRUCTIONS {
            return None;
        }
        let is_jump = |line: &Line| line.decoded.branch_target(line.address).is_some();
        let (last, inside) = lines.split_last()?;
        let leads_back = last.decoded.branch_target(last.address) == Some(part.address);
        if inside.iter().any(is_jump) || is_jump(last) && !leads_back {
            return None;
        }
        let piece = |(line, instruction): (&Line, &BlockInstruction)| {
            let words = part.words_of(line.address, line.address + u64::from(line.bytes.0))?.to_vec();
            Some(Piece::of(line, words, instruction.counters))
        };
        let mut pieces: Vec<Piece> = lines.iter().zip(instructions).map(piece).collect::<Option<_>>()?;
        // A listed stall is the remaining latency of the last result that is read.
        for (at, line) in lines.iter().enumerate() {
            let stall = line.stalls.get(&Stall::AluDependency).map_or(0.0, |cycles| cycles.0);
            let Some(source) = (0..at).rev().find(|before| pieces[at].uses(&pieces[*before])) else { continue };
            let between: f64 = lines[source..at].iter().map(|line| line.issue.0 + line.stalled().0).sum();
            pieces[source].latency = pieces[source].latency.max(stall + between);
        }
        Some(Self { pieces, awaited: awaited(lines, instructions) })
    }

    /// Whether the waits that are known here are all that there are.
    pub(super) fn knows_waits(&self) -> bool {
        self.pieces.iter().all(|piece| {
            let counters = piece.counters;
            let is_flat = counters.vector_memory && counters.scalar_and_local_memory;
            let has_own = piece.decoded.generation.counts_stores_apart();
            let is_store = counters.vector_memory && piece.writes.is_empty();
            let is_apart = piece.decoded.generation.counts_local_memory_apart();
            !(is_flat || counters.overtakes || is_apart || is_store && has_own)
        })
    }

    /// The memory instructions that a wait waits for.
    pub(super) fn awaited_by(&self, wait: &Piece) -> Vec<Issued> {
        let of_wait = self.awaited.iter().filter(|(at, _)| *at == wait.address);
        of_wait.flat_map(|(_, memory)| memory.iter().copied()).collect()
    }

    /// Likewise where some memory instructions are issued an iteration ahead.
    pub(super) fn ahead(&self, memory: &[u64]) -> Self {
        let earlier = |(at, turns): Issued| (at, turns + u32::from(memory.contains(&at)));
        let awaited = self.awaited.iter().map(|(wait, all)| (*wait, all.iter().copied().map(earlier).collect()));
        Self { pieces: self.pieces.clone(), awaited: awaited.collect() }
    }

    /// Its pieces in another order, in which no memory instruction passes a wait or another one.
    pub(super) fn ordered(&self, pieces: Vec<Piece>) -> Self {
        let pieces = pieces.into_iter().filter(|piece| !piece.is_hint()).collect();
        Self { pieces, awaited: self.awaited.clone() }
    }

    /// Its pieces in another order, with waits that wait for the same as before; `None` where a wait has no room for its count.
    pub(super) fn recounted(&self, pieces: Vec<Piece>) -> Option<Self> {
        let mut body = self.ordered(pieces);
        for at in 0..body.pieces.len() {
            let piece = &body.pieces[at];
            let Some(old) = piece.decoded.wait_counts().filter(|_| piece.is_wait()) else { continue };
            let memory = self.awaited_by(piece);
            let left = |counts: fn(&Piece) -> bool| under_way(&body.pieces, at, &memory, counts);
            let counts = WaitCounts {
                vector_memory: old.vector_memory.and(left(|piece| piece.counters.vector_memory)),
                scalar_and_local_memory: (old.scalar_and_local_memory)
                    .and(left(|piece| piece.counters.scalar_and_local_memory)),
                ..old
            };
            write(&mut body.pieces[at], counts)?;
        }
        Some(body)
    }

    /// Its words, with a jump that leads back to its start.
    pub(super) fn words(&self) -> Vec<u32> {
        let mut words: Vec<u32> = self.pieces.iter().flat_map(|piece| piece.words.iter().copied()).collect();
        let closes = self.pieces.last().is_some_and(|last| last.decoded.branch_target(last.address).is_some());
        let back = (words.len() as u32).wrapping_neg() & 0xffff;
        if let Some(last) = words.last_mut().filter(|_| closes) {
            *last = *last & 0xffff_0000 | back;
        }
        words
    }
}

/// Writes counts into a wait; `None` where they have no room in it.
fn write(piece: &mut Piece, counts: WaitCounts) -> Option<()> {
    let fields = piece.decoded.generation.waits.get(piece.name())?;
    let immediate = fields.immediate(counts);
    let (written, none) = (fields.counts(immediate), fields.counts(u32::MAX));
    let fits = |wanted: Option<u32>, written: Option<u32>, most: Option<u32>| {
        wanted.is_none_or(|wanted| written == Some(wanted) && Some(wanted) <= most)
    };
    let all_fit = fits(counts.vector_memory, written.vector_memory, none.vector_memory)
        && fits(counts.scalar_and_local_memory, written.scalar_and_local_memory, none.scalar_and_local_memory);
    all_fit.then(|| {
        piece.words[0] = piece.words[0] & 0xffff_0000 | immediate & 0xffff;
        piece.decoded.words[0] = piece.words[0];
    })
}

/// How many memory instructions of a counter may be under way when a wait is passed for which these have come; `None` if it waits for none.
fn under_way(pieces: &[Piece], wait: usize, memory: &[Issued], counts: fn(&Piece) -> bool) -> Option<u32> {
    let most = memory.iter().map(|(_, ago)| *ago).max()?;
    let mut left = 0;
    for turn in 0..=most {
        let until = if turn == 0 { wait } else { pieces.len() };
        for piece in pieces[..until].iter().rev().filter(|piece| counts(piece)) {
            if memory.contains(&(piece.address, turn)) {
                return Some(left);
            }
            left += 1;
        }
    }
    None
}

/// Of each wait the memory instructions that it waits for.
fn awaited(lines: &[Line], instructions: &[BlockInstruction]) -> Vec<(u64, BTreeSet<Issued>)> {
    let decoded: Vec<_> = lines.iter().map(|line| (line.address, line.decoded)).collect();
    let turn: Vec<u64> = lines.iter().map(|line| line.address).collect();
    let issued: Vec<u64> = std::iter::repeat_n(turn, TURNS).flatten().collect();
    let count = lines.len();
    let mut found: Vec<(u64, BTreeSet<Issued>)> = Vec::new();
    let all = Waits::of(&decoded, instructions).of_wave(&issued);
    for awaited in all.into_iter().filter(|it| it.wait / count == TURNS - 1) {
        let ago = (TURNS - 1 - awaited.memory / count) as u32;
        let (wait, memory) = (issued[awaited.wait], (issued[awaited.memory], ago));
        match found.iter_mut().find(|(at, _)| *at == wait) {
            Some((_, all)) => {
                all.insert(memory);
            }
            None => found.push((wait, BTreeSet::from([memory]))),
        }
    }
    found
}
