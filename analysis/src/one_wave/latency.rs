//! Latency of an instruction: of a chain of copies, of one with moves between them, or of memory instructions that are waited for.

use gcn_model::isa::{DependencyTracking, Instruction, InstructionClass, Operand, OperandKind};
use gcn_model::record::{ExperimentKind, ExperimentRecord};

use super::charge::{Charge, UNKNOWN_CHARGE};
use super::slopes::{Form, OneWave, Outcome, possible};
use crate::settle::{CYCLES_RESOLUTION, Status};
use crate::statistics::Estimate;
use crate::tables::decimal;

impl OneWave<'_> {
    /// Latency, if it was measured: of a chain, of a chain with moves between its copies, or else of memory instructions that are waited for.
    pub(crate) fn latency(&self, form: &Form<'_>) -> Option<Outcome> {
        if let Some(relay) = self.find(form, ExperimentKind::Relay) {
            return Some(self.latency_of_relay(form, relay));
        }
        match self.find(form, ExperimentKind::Chain) {
            Some(chain) => Some(self.latency_of_chain(form, chain)),
            None => self.find(form, ExperimentKind::Chase).map(|position| self.per_target(position)),
        }
    }

    /// Latency of a chain: the chain alone where the front end charges nothing, else cycles + chain − packed.
    ///
    /// The packed copies are at the same offsets as the chain, so the front end's charge for both cancels.
    ///
    /// S_NOPs between the copies, where the hardware needs wait states, are a part of the latency: until they are over nothing dependent may
    /// follow. They were taken off to compare the chain with independent copies between the same S_NOPs; where it takes no longer than
    /// these, the result may be ready earlier, without a reader to show it.
    fn latency_of_chain(&self, form: &Form<'_>, chain: usize) -> Outcome {
        let record = &self.run.experiments[chain];
        let (latency, slope) = self.latency_with_waits(form, chain)?;
        if record.fillers_per_block == 0 {
            return Ok((latency, slope));
        }
        let waits = self.fillers_of(record)?;
        let least = Estimate::sum(&[latency, waits]);
        let (cycles, _) = self.cycles(form).unwrap_or_else(|| self.per_target(chain))?;
        if latency.value - cycles.value <= CYCLES_RESOLUTION {
            return Err((Status::Unsupported, at_most(least.value, record)));
        }
        Ok((least, slope))
    }

    /// Latency of a chain whose copies are joined by moves: its cycles beyond these, and beyond the front end's charge for the
    /// copy's size, which is told where it is measured apart.
    fn latency_of_relay(&self, form: &Form<'_>, relay: usize) -> Outcome {
        let (latency, slope) = self.per_target(relay)?;
        let position = self.find(form, ExperimentKind::Cycles);
        let Some(position) = position.filter(|_| self.run.experiments[relay].bytes > 4) else {
            return Ok((latency, slope));
        };
        let unsettled = |(status, _)| (status, "its cycles did not settle".to_owned());
        let (cycles, _) = self.uncharged(position).map_err(unsettled)?;
        match self.line_start.charge_at_lines(&cycles) {
            Charge::None => Ok((latency, slope)),
            Charge::Known(charge) => possible((latency.minus(&charge), slope), self.run.generation),
            Charge::Between(..) => Err((Status::Unstable, "its cycles did not settle".to_owned())),
        }
    }

    /// The same without the S_NOPs.
    fn latency_with_waits(&self, form: &Form<'_>, chain: usize) -> Outcome {
        let (chained, slope) = self.per_target(chain)?;
        // A wave that goes on while a result is under way shows the charge in the chain: that of the copies is hidden by their unit's hold, or
        // not. A chain that takes no longer than the copies waits for the unit too.
        let record = &self.run.experiments[chain];
        let continues = self.run.generation.waves.dependency_tracking == DependencyTracking::Scoreboard;
        let is_of_copies = continues && record.bytes == 8 && record.fillers_per_block == 0;
        let packed = self.find(form, ExperimentKind::ChainBaseline).map(|packed| self.per_target(packed));
        let waits_for_its_unit =
            matches!(&packed, Some(Ok((packed, _))) if chained.value - packed.value <= CYCLES_RESOLUTION);
        if is_of_copies && !waits_for_its_unit {
            let Some(charge) = self.charge_of_copies() else {
                return Err((Status::Unstable, UNKNOWN_CHARGE.to_owned()));
            };
            if charge.value > 0.0 {
                let latency = chained.minus(&charge);
                return match self.cycles(form) {
                    // Where the charge of the instruction alone is unknown, its unit may hide that in the chain.
                    Some(Err(_)) => Err((Status::Unstable, "its cycles did not settle".to_owned())),
                    // The result is there before the unit is free, which decides.
                    Some(Ok((cycles, _))) if latency.value < cycles.value => Ok((cycles, slope)),
                    _ => possible((latency, slope), self.run.generation),
                };
            }
        }
        let Some(packed) = packed else {
            let cycles_at = self.find(form, ExperimentKind::Cycles);
            let alone = cycles_at.is_none_or(|position| {
                let cycles = &self.run.experiments[position];
                cycles.fillers_per_block == 0 || cycles.filler == record.filler
            });
            return if alone && record.bytes == 4 {
                Ok((chained, slope))
            } else {
                let reason = "a chain of 2-dword instructions also needs its baseline";
                Err((Status::Unsupported, reason.to_owned()))
            };
        };
        let (packed, _) = packed.map_err(|(status, why)| (status, format!("packed: {why}")))?;
        match self.cycles(form) {
            Some(Ok((cycles, _))) => {
                possible((Estimate::sum(&[cycles, chained, packed.scaled(-1.0)]), slope), self.run.generation)
            }
            Some(Err((status, _))) => Err((status, "its cycles did not settle".to_owned())),
            None => Err((Status::Unsupported, "its cycles were not measured".to_owned())),
        }
    }
}

/// Why an instruction cannot have a latency: its operands leave nothing to wait for, or no way from its result to its sources. `None` where
/// they allow a chain.
pub(crate) fn no_latency(instruction: &Instruction) -> Option<&'static str> {
    use InstructionClass::{Compare, LaneRead, ScalarCompare};
    if [Compare, ScalarCompare, LaneRead].into_iter().any(|class| instruction.is(class)) {
        return None;
    }
    let operands = &instruction.operands;
    if operands.iter().any(|operand| operand.kind == OperandKind::Label) {
        return Some("jump");
    }
    let Some(result) = operands.iter().find(|operand| operand.is_written()) else {
        return Some("no result in a register");
    };
    let sources = || operands.iter().filter(|operand| operand.is_read()).filter_map(register_file);
    let is_of_result = |file: char| register_file(result) == Some(file);
    match (sources().next(), sources().any(is_of_result)) {
        (None, _) => Some("no source in a register"),
        (_, false) => Some("result and sources in registers of different kinds"),
        _ => None,
    }
}

/// The letter of the registers that an operand may be in; vector sources are VGPRs here, and what an AGPR may replace is one.
fn register_file(operand: &Operand) -> Option<char> {
    use OperandKind::{
        Agpr, BufferAddress, Mask, ScalarAddress, ScalarOffset, ScalarSource, Sgpr, Vcc, VectorRegister,
        VectorRegisterSource, VectorSource, Vgpr, VgprOrConstant,
    };
    match operand.kind {
        Vgpr | VectorSource | VgprOrConstant | BufferAddress | VectorRegister | VectorRegisterSource => Some('v'),
        Sgpr | ScalarSource | Mask | Vcc | ScalarOffset | ScalarAddress => Some('s'),
        Agpr => Some('a'),
        _ => None,
    }
}

/// Why there is no latency where the wait states that the hardware needs hide it.
pub(crate) fn at_most(cycles: f64, record: &ExperimentRecord) -> String {
    let instruction = record.filler.split('/').next().unwrap_or_default();
    let what = if instruction == "S_NOP" { "wait states" } else { instruction };
    format!(
        "at most {} cycles: {} {what} must precede its reader, and it takes no longer than they do",
        decimal(cycles),
        record.fillers_per_block
    )
}
