//! A region in other orders that compute the same.

use super::body::Body;
use super::piece::{Piece, Register};
use crate::written::written;

/// A segment with more instructions than this stays as it is: the search takes the cube of their number.
const MOST_SCHEDULED: usize = 96;

/// A region in another order, and the change in words.
pub(super) struct Reordered {
    pub(super) body: Body,
    /// Iterations of the region that it does.
    pub(super) iterations: u32,
    pub(super) words: String,
}

fn shown(piece: &Piece) -> String {
    format!("`{}` at {:#x}", written(&piece.decoded), piece.address)
}

/// Instructions that are independent of a wait move before it; `None` if there are none.
pub(super) fn wait_later(body: &Body, wait: usize) -> Option<Reordered> {
    let pieces = &body.pieces;
    let awaited = body.awaited_by(&pieces[wait]);
    let memory: Vec<&Piece> = pieces.iter().filter(|it| awaited.iter().any(|(at, _)| *at == it.address)).collect();
    // A wait for a store keeps an order of memory that registers do not show.
    if memory.is_empty() || memory.iter().any(|piece| piece.writes.is_empty()) {
        return None;
    }
    let results: Vec<Register> = memory.iter().flat_map(|piece| piece.writes.iter().copied()).collect();
    let end = (wait + 1..pieces.len()).find(|at| pieces[*at].is_fence() && !pieces[*at].is_hint());
    let segment = &pieces[wait + 1..end.unwrap_or(pieces.len())];
    let (mut before, mut after): (Vec<Piece>, Vec<Piece>) = (Vec::new(), Vec::new());
    for piece in segment.iter().filter(|piece| !piece.is_hint()) {
        let waits = piece.touches(&results) || after.iter().any(|earlier| earlier.is_before(piece));
        if waits { after.push(piece.clone()) } else { before.push(piece.clone()) }
    }
    let words = match (before.as_slice(), after.first()) {
        ([], _) => return None,
        (_, Some(next))
            if segment.iter().find(|it| !it.is_hint()).is_some_and(|first| first.address != next.address) =>
        {
            format!("move {} down to {}", shown(&pieces[wait]), shown(next))
        }
        ([one], _) => format!("move {} up before {}", shown(one), shown(&pieces[wait])),
        ([first, rest @ ..], _) => {
            format!(
                "move {} and {} more independent instructions up before {}",
                shown(first),
                rest.len(),
                shown(&pieces[wait])
            )
        }
    };
    let order = [&pieces[..wait], &before, &pieces[wait..=wait], &after, &pieces[wait + 1 + segment.len()..]].concat();
    Some(Reordered { body: body.recounted(order)?, iterations: 1, words })
}

/// Loads that may be issued an iteration ahead.
struct Loads<'a> {
    loads: Vec<&'a Piece>,
    results: Vec<Register>,
}

impl<'a> Loads<'a> {
    /// Those of one kind that the waits of an iteration wait for, of the kind that one of them waits for; `None` where the next iteration would
    /// have other addresses than steps of today's.
    fn of(body: &'a Body, wait: usize) -> Option<Self> {
        let pieces = &body.pieces;
        let of_wait = body.awaited_by(&pieces[wait]);
        let first = pieces.iter().find(|it| of_wait.contains(&(it.address, 0)))?;
        let waits = pieces.iter().filter(|piece| piece.is_wait());
        let awaited: Vec<_> = waits.flat_map(|wait| body.awaited_by(wait)).filter(|(_, ago)| *ago == 0).collect();
        let is_load =
            |it: &&Piece| it.counters == first.counters && !it.writes.is_empty() && awaited.contains(&(it.address, 0));
        let loads: Vec<&Piece> = pieces.iter().filter(is_load).collect();
        let results: Vec<Register> = loads.iter().flat_map(|load| load.writes.iter().copied()).collect();
        let found = Self { loads, results };
        let is_address = |piece: &Piece| found.loads.iter().any(|load| load.uses(piece));
        let is_new = pieces.iter().any(|piece| !found.has(piece) && is_address(piece) && !is_step(piece));
        // The loads of an earlier iteration are in use before the wait.
        let needs_old = pieces[..wait].iter().any(|piece| !found.has(piece) && piece.touches(&found.results));
        (!found.loads.is_empty() && !is_new && !needs_old).then_some(found)
    }

    fn has(&self, piece: &Piece) -> bool {
        self.loads.iter().any(|load| load.address == piece.address)
    }

    fn addresses(&self) -> Vec<u64> {
        self.loads.iter().map(|load| load.address).collect()
    }

    fn words(&self) -> String {
        let more = if self.loads.len() > 1 { format!(" and {} more", self.loads.len() - 1) } else { String::new() };
        format!("issue {}{more} an iteration ahead", shown(self.loads[0]))
    }

    /// Whether something between changes the loaded data: stores of their memory, and for the LDS barriers.
    fn cross(&self, passed: &[Piece]) -> bool {
        let is_local = !self.loads[0].counters.vector_memory;
        passed.iter().any(|piece| {
            let is_store = piece.is_memory() && piece.writes.is_empty() && piece.counters == self.loads[0].counters;
            is_store || is_local && piece.name().starts_with("S_BARRIER")
        })
    }
}

/// The loads that a wait waits for are issued after the last use of their registers; `None` where that is not possible.
pub(super) fn loads_after_use(body: &Body, wait: usize) -> Option<Reordered> {
    let (pieces, loads) = (&body.pieces, Loads::of(body, wait)?);
    let last = pieces.iter().rposition(|piece| !loads.has(piece) && piece.touches(&loads.results))?;
    let first = pieces.iter().position(|piece| loads.has(piece))?;
    if last < first || loads.cross(&pieces[first..=last]) {
        return None;
    }
    let rest = |part: &[Piece]| part.iter().filter(|piece| !loads.has(piece)).cloned().collect::<Vec<_>>();
    let moved: Vec<Piece> = loads.loads.iter().map(|load| (*load).clone()).collect();
    let order = [rest(&pieces[..=last]), moved, rest(&pieces[last + 1..])].concat();
    let words = format!("{}, after {}", loads.words(), shown(&pieces[last]));
    Some(Reordered { body: body.ahead(&loads.addresses()).recounted(order)?, iterations: 1, words })
}

/// The loads that a wait waits for go to other registers in every second iteration; `None` where that is not possible.
pub(super) fn loads_to_others(body: &Body, wait: usize) -> Option<Reordered> {
    let loads = Loads::of(body, wait)?;
    if loads.cross(&body.pieces) {
        return None;
    }
    let one = body.ahead(&loads.addresses()).recounted(body.pieces.clone())?;
    let is_jump = |piece: &Piece| piece.decoded.branch_target(piece.address).is_some();
    let inner = one.pieces.iter().filter(|piece| !is_jump(piece)).cloned().collect::<Vec<_>>();
    let words = format!("{}, into {} more VGPRs in every second one: unroll twice", loads.words(), loads.results.len());
    let both = [inner, one.pieces.clone()].concat();
    Some(Reordered { body: one.ordered(both), iterations: 2, words })
}

/// Whether it only moves an address on: its registers are those that it reads, but for a carry.
fn is_step(piece: &Piece) -> bool {
    let own = |it: &&Register| {
        matches!(it, Register::Vector(_)) || !piece.writes.iter().any(|it| matches!(it, Register::Vector(_)))
    };
    piece.writes.iter().filter(own).all(|it| piece.reads.contains(it))
}

/// The instructions between each two fences, those first on which most depends and that need not wait; `None` if that is their order already.
pub(super) fn interleaved(body: &Body) -> Option<Body> {
    let mut order: Vec<Piece> = Vec::new();
    let mut rest = body.pieces.iter().filter(|piece| !piece.is_hint()).cloned().collect::<Vec<_>>();
    while !rest.is_empty() {
        let end = rest.iter().position(Piece::is_fence).unwrap_or(rest.len());
        let after = rest.split_off(end);
        order.extend(if rest.len() > MOST_SCHEDULED { rest } else { scheduled(rest) });
        let mut after = after.into_iter();
        order.extend(after.next());
        rest = after.collect();
    }
    let places = |pieces: &[Piece]| pieces.iter().map(|piece| piece.address).collect::<Vec<_>>();
    let before = body.ordered(body.pieces.clone());
    (places(&order) != places(&before.pieces)).then(|| body.ordered(order))
}

/// A segment without fences as a list scheduler has it: of those that need not wait the one with the longest way to the end.
fn scheduled(segment: Vec<Piece>) -> Vec<Piece> {
    let count = segment.len();
    let delay = |from: usize, to: usize| match segment[to].uses(&segment[from]) {
        true => segment[from].latency.max(segment[from].issue),
        false => segment[from].issue,
    };
    let follows = |from: usize, to: usize| from < to && segment[from].is_before(&segment[to]);
    let mut way = vec![0.0_f64; count];
    for at in (0..count).rev() {
        let after = (at + 1..count).filter(|to| follows(at, *to)).map(|to| delay(at, to) + way[to]);
        way[at] = after.fold(segment[at].issue.max(segment[at].matrix_cycles()), f64::max);
    }
    let (mut starts, mut order) = (vec![None::<f64>; count], Vec::new());
    let (mut now, mut matrix_free) = (0.0, 0.0);
    while order.len() < count {
        let earliest = |at: usize| {
            let unit: f64 = if segment[at].matrix_cycles() > 0.0 { matrix_free } else { 0.0 };
            let mut before = (0..at).filter(|from| follows(*from, at));
            before.try_fold(unit.max(now), |most, from| Some(most.max(starts[from]? + delay(from, at))))
        };
        let ready = (0..count).filter(|at| starts[*at].is_none()).filter_map(|at| Some((at, earliest(at)?)));
        let better = |one: &(usize, f64), other: &(usize, f64)| {
            one.1.total_cmp(&other.1).then(way[other.0].total_cmp(&way[one.0])).then(one.0.cmp(&other.0))
        };
        let Some((next, start)) = ready.min_by(better) else { break };
        matrix_free =
            if segment[next].matrix_cycles() > 0.0 { start + segment[next].matrix_cycles() } else { matrix_free };
        (starts[next], now) = (Some(start), start + segment[next].issue.max(1.0));
        order.push(next);
    }
    order.into_iter().map(|at| segment[at].clone()).collect()
}
