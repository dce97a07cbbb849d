//! The parts of a code that are repeated.

use gcn_model::decode::Decoded;
use serde::Serialize;

/// How a region was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegionKind {
    /// Its author marked it, or a user chose its ends.
    Marked,
    /// A jump leads back to its start, and no other loop is inside of it.
    Loop,
    /// Code without a loop.
    Straight,
}

/// A part of a code that is repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Region {
    pub name: String,
    pub kind: RegionKind,
    /// Address of its first instruction.
    pub start: u64,
    /// Address after its last instruction.
    pub end: u64,
}

/// The innermost loops: those that are inside of most others first.
pub(crate) fn loops(instructions: &[(u64, Decoded)]) -> Vec<Region> {
    let mut found: Vec<(u64, u64)> = Vec::new();
    for (last, (address, decoded)) in instructions.iter().enumerate() {
        let Some(target) = decoded.branch_target(*address).filter(|target| target <= address) else { continue };
        let Ok(first) = instructions.binary_search_by_key(&target, |(address, _)| *address) else { continue };
        // A jump back to shared code, or out of an arm after the end, closes no loop.
        if !leads_to_its_end(&instructions[first..=last]) {
            continue;
        }
        let end = address + u64::from(decoded.dwords.0) * 4;
        // Several jumps to one start are one loop, which the last of them closes.
        match found.iter_mut().find(|(start, _)| *start == target) {
            Some(known) => known.1 = known.1.max(end),
            None => found.push((target, end)),
        }
    }
    let contains = |outer: &(u64, u64), inner: &(u64, u64)| outer != inner && outer.0 <= inner.0 && inner.1 <= outer.1;
    let depth = |one: &(u64, u64)| found.iter().filter(|other| contains(other, one)).count();
    let mut innermost: Vec<_> = found.iter().filter(|one| !found.iter().any(|other| contains(one, other))).collect();
    innermost.sort_by_key(|one| (std::cmp::Reverse(depth(one)), one.0));
    innermost
        .into_iter()
        .map(|&(start, end)| Region { name: format!("loop at {start:#x}"), kind: RegionKind::Loop, start, end })
        .collect()
}

/// Whether a wave that starts at the first of some instructions can reach the last without leaving them.
fn leads_to_its_end(instructions: &[(u64, Decoded)]) -> bool {
    let (mut seen, mut left) = (vec![false; instructions.len()], vec![0]);
    while let Some(at) = left.pop() {
        if at + 1 == instructions.len() {
            return true;
        }
        if at >= instructions.len() || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let (address, decoded) = &instructions[at];
        let target = decoded.branch_target(*address);
        left.extend(target.and_then(|target| instructions.binary_search_by_key(&target, |(address, _)| *address).ok()));
        if decoded.may_be_passed() {
            left.push(at + 1);
        }
    }
    false
}
