//! The truth about a GPU file, from the model's own resolution of it.

mod matrix;
mod units;

pub(crate) use matrix::Reader;

use gcn_model::gpu::Gpu;
use gcn_model::isa::{Encoding, Instruction, Operand, OperandKind};
use gcn_model::timing::{InstructionTiming, Timings};

/// Instructions that no unit executes: they are consumed at the instruction buffer.
const INTERNAL: [&str; 4] = ["S_NOP", "S_SLEEP", "S_BARRIER", "S_WAITCNT"];
/// Instructions that write SCC among the producers of the scheduling suite, and those that write EXEC.
const WRITE_SCC: [&str; 3] = ["S_ADD_U32", "S_CMP_EQ_U32", "S_AND_SAVEEXEC_B64"];
const WRITE_EXEC: [&str; 1] = ["S_AND_SAVEEXEC_B64"];
/// The other half of the pairs (VOPD) in which the suite `instructions` measures single ones.
const OTHER_HALF: &str = "V_DUAL_MOV_B32";
/// Dwords that packed code is looked at in: the longest block.
const PACKED_DWORDS: u32 = 64;
/// VGPRs and SGPRs of a wave of the throughput kernels, at most.
const KERNEL_VGPRS: u32 = 48;
const KERNEL_SGPRS: u32 = 64;
/// SGPRs that LLVM gives each wave where a fault of the chip asks for it.
const SGPRS_OF_EACH_WAVE: u32 = 96;

/// The possible values of a number: a single one, or those that look the same from outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
}

impl Range {
    /// Exactly this.
    pub const fn exactly(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// By how much it is more than another one, of which just as much is hidden.
    pub fn more_than(self, other: Self) -> Self {
        let (low, high) = (self.low - other.low, self.high - other.high);
        Self { low: low.min(high), high: low.max(high) }
    }

    /// By how much a number lies outside.
    pub fn distance(self, value: f64) -> f64 {
        (self.low - value).max(value - self.high).max(0.0)
    }
}

/// A GPU file and all that follows from it.
#[derive(Debug, Clone)]
pub struct Truth {
    /// The file, resolved.
    pub gpu: Gpu,
    pub(crate) timings: Timings,
    /// Lanes of its waves.
    pub lanes: u32,
}

impl Truth {
    /// The truth about a GPU in waves of this many lanes; of the usual size if it has no such waves.
    pub fn of(gpu: Gpu, lanes: u32) -> Self {
        let gpu = gpu.in_waves_of(lanes).unwrap_or(gpu);
        Self { timings: Timings::of(&gpu).in_waves_of(lanes), lanes, gpu }
    }

    /// Whether waves go on while their results are under way.
    fn is_rdna(&self) -> bool {
        self.gpu.pipelines.is_some()
    }

    fn simds(&self) -> f64 {
        f64::from(self.gpu.registers.simds)
    }

    /// Whether its numbers are scored: those of memory and LDS instructions of RDNA are not.
    fn is_scored(&self, instruction: &Instruction) -> bool {
        let is_jump = instruction.name.contains("BRANCH");
        !self.is_rdna() || is_vector(instruction) || is_scalar_alu(instruction) || is_jump
    }

    /// How often RDNA's SIMDs issue a wave's instruction.
    fn passes(&self, instruction: &Instruction) -> f64 {
        let Some(pipelines) = self.gpu.pipelines.as_ref().filter(|_| self.lanes == 64) else { return 1.0 };
        if !is_vector(instruction) || pipelines.one_pass.contains(&instruction.name) { 1.0 } else { 2.0 }
    }

    /// An instruction of the GPU's generation.
    pub fn find(&self, name: &str) -> Option<(&'static Instruction, InstructionTiming)> {
        let instruction = self.gpu.processor().instruction(name)?;
        Some((instruction, self.timings.get(instruction)))
    }

    /// Cycles of the instruction for its wave, without the hold of its unit: the mean of its list of cycles.
    pub(crate) fn own_cycles(&self, instruction: &Instruction, timing: &InstructionTiming) -> f64 {
        if self.is_rdna() && is_vector(instruction) {
            // The wave goes on in the next cycle: the unit alone keeps it.
            let other = if instruction.encoding == Encoding::Vopd { self.other_half() } else { 0.0 };
            return self.hold(instruction, timing).max(other);
        }
        let own = match self.gpu.cycles.get(&instruction.name).map(Vec::as_slice) {
            Some(several) if !several.is_empty() => {
                several.iter().copied().map(f64::from).sum::<f64>() / several.len() as f64
            }
            _ => f64::from(timing.cycles),
        };
        own.max(f64::from(self.gap(instruction).unwrap_or_default()))
    }

    /// Cycles of the other half of the pairs in which the suite `instructions` measures single ones.
    fn other_half(&self) -> f64 {
        self.find(OTHER_HALF).map_or(0.0, |(_, timing)| self.simds() / timing.throughput)
    }

    /// Cycles that one wave's instruction keeps its unit from the wave's next one.
    fn hold(&self, instruction: &Instruction, timing: &InstructionTiming) -> f64 {
        let is_of_simd = is_vector(instruction) || self.is_rdna() && is_scalar_alu(instruction);
        match timing.lds {
            _ if INTERNAL.contains(&instruction.name.as_str()) => 0.0,
            Some(lds) => lds.bus_cycles.max(lds.array_cycles),
            None if is_of_simd => self.passes(instruction) * self.simds() / timing.throughput,
            None => 1.0 / timing.throughput,
        }
    }

    /// Cycles as one wave sees them. An instruction whose unit is held longer than its wave takes the hold if the next one wants the same
    /// unit; jumps and instructions of `bytes` 8 have fillers after them, which are vector or scalar ones.
    pub fn cycles(&self, name: &str, bytes: u32) -> Option<Range> {
        let (instruction, timing) = self.find(name).filter(|(instruction, _)| self.is_scored(instruction))?;
        let (own, hold) = (self.own_cycles(instruction, &timing), self.hold(instruction, &timing));
        let has_fillers = (bytes > 4 || timing.taken_cycles.is_some()) && !is_vector(instruction);
        // What no unit executes is issued later after another instruction.
        let delay = self.gpu.pipelines.as_ref().filter(|_| timing.taken_cycles.is_some());
        let late = delay.map_or(0.0, |pipelines| f64::from(1 + pipelines.internal_delay_cycles));
        // What the best place of a line charges a jump is charged everywhere.
        let charge = if timing.taken_cycles.is_some() { self.untaken(0) } else { Range::exactly(0.0) };
        let low = if has_fillers { own } else { own.max(hold) };
        Some(Range { low: low + charge.low, high: own.max(hold).max(late) + charge.high })
    }

    /// Cycles of a chain of an instruction that is no memory instruction.
    pub fn latency(&self, name: &str) -> Option<Range> {
        let (instruction, timing) = self.find(name)?;
        // What brings a mask back is forwarded or not: no key says it.
        let is_mask = self.is_rdna() && writes_mask(instruction);
        let is_alu = (is_vector(instruction) || is_scalar_alu(instruction)) && !is_mask;
        let keeps = self.own_cycles(instruction, &timing).max(self.hold(instruction, &timing));
        (is_alu && !instruction.is_matrix_operation())
            .then(|| Range::exactly(self.result(instruction, &timing).max(keeps)))
    }

    /// Cycles to the reader of a result: of a wave of 64 lanes, that of the second pass.
    fn result(&self, instruction: &Instruction, timing: &InstructionTiming) -> f64 {
        let cycles = f64::from(timing.cycles);
        match &self.gpu.pipelines {
            // A pair is done when its longer half is.
            Some(pipelines) if instruction.encoding == Encoding::Vopd => {
                let other = self.find(OTHER_HALF).map_or(0.0, |(_, timing)| f64::from(timing.cycles));
                f64::from(pipelines.vector_latency_cycles) + cycles.max(other) - 1.0
            }
            Some(_) => f64::from(timing.latency) + (self.passes(instruction) - 1.0) * cycles,
            None => self.own_cycles(instruction, timing),
        }
    }

    /// Cycles of a jump that is taken, to the best place of a line: what is charged there is charged everywhere.
    pub fn taken(&self, name: &str) -> Option<Range> {
        let (instruction, timing) = self.find(name)?;
        let (taken, charge) = (f64::from(timing.taken_cycles?), self.jump(0, false));
        Some(Range { low: taken + charge.low, high: taken.max(self.hold(instruction, &timing)) + charge.high })
    }

    /// Instructions per cycle and compute unit on this many waves of each SIMD. Between the ends is the front end's charge to 2-dword
    /// instructions, which few waves cannot hide.
    pub fn throughput(&self, name: &str, waves: u32, bytes: u32) -> Option<Range> {
        let (instruction, timing) = self.find(name).filter(|(instruction, _)| self.is_scored(instruction))?;
        let is_of_lds = self.gpu.matrix.is_some() && timing.lds.is_some();
        if self.is_rdna() && writes_mask(instruction) || is_of_lds {
            // A wave waits for its masks; the LDS of CDNA 4 does more than the bus model.
            return None;
        }
        let is_internal = INTERNAL.contains(&instruction.name.as_str());
        // A SIMD's port to a unit is busy for an issue.
        let port = self.simds() / f64::from(self.gpu.generation.waves.issue_interval_cycles);
        let apart = if instruction.encoding == Encoding::Vopd {
            Some(self.other_half())
        } else {
            self.gap(instruction).map(f64::from)
        };
        let most = apart.map_or(f64::INFINITY, |cycles| self.simds() / cycles);
        let throughput = (timing.throughput / self.passes(instruction)).min(most);
        let unit = if is_internal { f64::INFINITY } else { throughput.min(port) };
        let own = self.own_cycles(instruction, &timing);
        // Copies back to back are at each even dword.
        let of_wave = self.gap(instruction).unwrap_or(timing.cycles);
        let is_charged = bytes > 4 && (0..PACKED_DWORDS).step_by(2).any(|offset| self.charge(of_wave, offset) > 0);
        let charge = if is_charged { f64::from(self.gpu.front_end.penalty_cycles) } else { 0.0 };
        let of = |cycles: f64| unit.min(self.simds() * f64::from(waves) / cycles);
        Some(Range { low: of(own + charge), high: of(own) })
    }

    /// The best throughput over the numbers of waves that a run asks for (`asked`), as far as they fit.
    pub fn best_throughput(&self, name: &str, bytes: u32, asked: &[u32]) -> Option<Range> {
        let registers = &self.gpu.registers;
        let least_sgprs = if self.gpu.processor().has_feature("sgpr-init-bug") { SGPRS_OF_EACH_WAVE } else { 0 };
        let fit = |vgprs: u32, sgprs: u32| {
            let sgprs = sgprs.max(least_sgprs);
            let vector = registers.vgprs / vgprs.next_multiple_of(registers.vgpr_granule);
            let scalar = registers.sgprs / sgprs.next_multiple_of(registers.sgpr_granule);
            registers.waves_per_simd.min(vector).min(scalar).max(1)
        };
        let most = |fit: u32| asked.iter().copied().filter(|waves| *waves <= fit).max().unwrap_or(1);
        let least = self.throughput(name, most(fit(KERNEL_VGPRS, KERNEL_SGPRS)), bytes)?;
        let best = self.throughput(name, most(fit(24, 32)), bytes)?;
        Some(Range { low: least.low, high: best.high })
    }

    /// What GLC adds.
    pub fn glc(&self, name: &str) -> Option<Range> {
        self.find(name).map(|(_, timing)| Range::exactly(f64::from(timing.glc_cycles)))
    }

    fn dword(&self, offset: u32) -> u32 {
        offset % (self.gpu.front_end.block.0 / 4)
    }

    /// The charge of a 2-dword instruction at a dword of the line.
    pub fn alignment(&self, name: &str, offset: u32) -> Option<Range> {
        let (instruction, timing) = self.find(name)?;
        let is_plain = is_vector(instruction) && self.own_cycles(instruction, &timing) <= 1.0;
        if self.is_rdna() && !is_plain {
            // Its charge hides where its unit or a result keeps the wave.
            return None;
        }
        let penalty = f64::from(self.charge(timing.cycles, offset));
        Some(Range { low: (penalty - self.slack(instruction, &timing)).max(0.0), high: penalty })
    }

    /// Likewise where the others are compared with the sweep's first dword.
    pub fn alignment_from_first(&self, name: &str, offset: u32) -> Option<Range> {
        Some(self.alignment(name, offset)?.more_than(self.alignment(name, 0)?))
    }

    /// The charge of an instruction that keeps its wave for these cycles, at a dword of the line.
    fn charge(&self, cycles: u32, offset: u32) -> u32 {
        let rules = &self.gpu.front_end;
        let (block, dword) = (rules.block.0 / 4, self.dword(offset));
        let per_dword = rules.long_instruction_cycles_per_free_dword;
        // A wave of RDNA goes on in the next cycle: its instructions are not long.
        let last = if cycles > 4 && !self.is_rdna() { cycles.checked_div(per_dword).unwrap_or(0) } else { 0 };
        let is_free = dword < rules.free_dwords || dword + last >= block;
        if is_free || !rules.alignment_penalties { 0 } else { rules.penalty_cycles }
    }

    /// Cycles of a hidden charge, because the unit of the instruction or of the fillers is held longer than the wave.
    fn slack(&self, instruction: &Instruction, timing: &InstructionTiming) -> f64 {
        let beyond = |instruction: &Instruction, timing: &InstructionTiming| {
            (self.hold(instruction, timing) - f64::from(timing.cycles)).max(0.0)
        };
        let fillers = ["V_MOV_B32", "S_MOV_B32"].into_iter().filter_map(|name| self.find(name));
        let fillers = fillers.map(|(instruction, timing)| beyond(instruction, &timing)).fold(0.0, f64::max);
        // An instruction of another unit than its fillers' hides nothing.
        fillers + if timing.lds.is_some() { 0.0 } else { beyond(instruction, timing) }
    }

    /// A short 2-dword instruction after a long one two dwords before it.
    pub fn behind(&self, short: &str, long: &str, offset: u32) -> Option<Range> {
        if self.is_rdna() {
            // The unit of either hides a charge.
            return None;
        }
        let rules = &self.gpu.front_end;
        let ((of_short, short), (of_long, long)) = (self.find(short)?, self.find(long)?);
        let covers = rules.covering_cycles > 0 && long.cycles >= rules.covering_cycles;
        let covered = covers && self.dword(offset) == rules.covered_dword;
        let own = if covered { 0 } else { self.charge(short.cycles, offset) };
        let penalty = f64::from(own + self.charge(long.cycles, offset.checked_sub(2)?));
        let slack = self.slack(of_short, &short) + self.slack(of_long, &long);
        let seen = |penalty: f64| Range { low: (penalty - slack).max(0.0), high: penalty };
        // It is compared with both at the start of a line of their own.
        let first = f64::from(self.charge(short.cycles, 0) + self.charge(long.cycles, 0));
        Some(seen(penalty).more_than(seen(first)))
    }

    /// The charge of a jump to a dword of the line.
    pub fn jump(&self, offset: u32, is_backward: bool) -> Range {
        let rules = &self.gpu.front_end;
        let applies = rules.jump_penalties && (!is_backward || rules.backward_jump_penalties);
        let penalties = (self.dword(offset) + 1).saturating_sub(rules.jump_free_dwords);
        self.hidden(if applies { penalties * rules.penalty_cycles } else { 0 })
    }

    /// The charge of a conditional jump at a dword of the line when it is not taken.
    pub fn untaken(&self, offset: u32) -> Range {
        let rules = &self.gpu.front_end;
        let penalties = (self.dword(offset) + 1).saturating_sub(rules.untaken_free_dwords);
        self.hidden(if rules.untaken_penalties { penalties * rules.penalty_cycles } else { 0 })
    }

    fn hidden(&self, penalty: u32) -> Range {
        let slack = self.find("V_MOV_B32").map_or(0.0, |(instruction, timing)| self.slack(instruction, &timing));
        Range { low: (f64::from(penalty) - slack).max(0.0), high: f64::from(penalty) }
    }

    /// The wait of an instruction directly after another.
    pub fn scheduling(&self, producer: &str, consumer: &str, is_dependent: bool) -> Option<Range> {
        let rules = &self.gpu.scheduling;
        let ((first, _), (second, _)) = (self.find(producer)?, self.find(consumer)?);
        if is_scalar_alu(second) {
            let delays = rules.vector_to_scalar_producers.contains(producer);
            return Some(Range::exactly(f64::from(if delays { rules.vector_to_scalar_delay_cycles } else { 0 })));
        }
        if !consumer.starts_with("S_CBRANCH") {
            return Some(Range::exactly(0.0));
        }
        let penalty = f64::from(rules.flag_branch_penalty_cycles);
        let writes_vcc = first.operands.iter().any(|operand| operand.kind == OperandKind::Vcc && operand.is_written());
        let writes_exec = WRITE_EXEC.contains(&producer);
        let is_scc = consumer.contains("SCC");
        if writes_vcc || writes_exec || is_scc && WRITE_SCC.contains(&producer) {
            return Some(Range::exactly(penalty));
        }
        // A dependent pair may write the flag itself.
        Some(Range { low: 0.0, high: if is_dependent { penalty } else { 0.0 } })
    }

    /// Whether a kernel of the chip can ask for 96 SGPRs only (LLVM's FeatureSGPRInitBug).
    pub fn has_sgpr_bug(&self) -> bool {
        ["gfx802", "gfx805"].contains(&self.gpu.gfx_target.as_str())
    }

    /// Waves of a SIMD that have this many registers each; the kernel's need of the other kind is not known exactly.
    pub fn residents(&self, vgprs: Option<u32>, sgprs: Option<u32>) -> Range {
        let registers = &self.gpu.registers;
        let of = |vgprs: u32, sgprs: u32| {
            let vector = registers.vgprs / vgprs.next_multiple_of(registers.vgpr_granule);
            let scalar = registers.sgprs / sgprs.next_multiple_of(registers.sgpr_granule);
            f64::from(registers.waves_per_simd.min(vector).min(scalar))
        };
        // The initialisation bug of these chips makes every kernel ask for 96.
        let sgprs = if self.has_sgpr_bug() { Some(96) } else { sgprs };
        Range { low: of(vgprs.unwrap_or(28), sgprs.unwrap_or(56)), high: of(vgprs.unwrap_or(1), sgprs.unwrap_or(1)) }
    }
}

/// Whether the vector ALU executes it, of which each SIMD has one.
pub(crate) fn is_vector(instruction: &Instruction) -> bool {
    use Encoding::{Vop1, Vop2, Vop3, Vop3p, Vopc, Vopd};
    matches!(instruction.encoding, Vop1 | Vop2 | Vop3 | Vop3p | Vopc | Vopd)
}

fn is_scalar_alu(instruction: &Instruction) -> bool {
    use Encoding::{Sop1, Sop2, Sopc, Sopk};
    matches!(instruction.encoding, Sop1 | Sop2 | Sopc | Sopk)
}

/// Whether a vector instruction writes scalar registers.
fn writes_mask(instruction: &Instruction) -> bool {
    use OperandKind::{Agpr, VectorRegister, Vgpr};
    let is_scalar = |operand: &Operand| operand.is_written() && !matches!(operand.kind, Vgpr | VectorRegister | Agpr);
    is_vector(instruction) && instruction.operands.iter().any(is_scalar)
}
