//! A scheduling model for LLVM's `SISchedule.td`.

use super::classes::{ExportError, schedulers};
use super::llvm::{LlvmWrite, LlvmWrites, WriteRow, llvm_writes};
use crate::results::Results;
use crate::views::origin::{SIMULATED, origin};

/// End of the SchedWrites of CDNA's matrix instructions.
const MATRIX: &str = "PassMAI";

/// The scheduling model of a run as TableGen, with LLVM's numbers and the differences in comments.
///
/// # Errors
/// No model of the run's target is known.
pub fn llvm_text(run: &Results) -> Result<String, ExportError> {
    let (LlvmWrites { writes, unsupported, others }, of) = (llvm_writes(run)?, schedulers(run)?);
    let (old, target) = (&of.llvm_model, &run.record.device.target);
    let name = format!("GCN{}MeasuredModel", title(target));
    let mut lines = Vec::new();
    let mut say = |line: String| lines.push(line);
    if run.record.device.is_simulated() {
        say(format!("// {SIMULATED}"));
    }
    say(format!("// Scheduling resources of {}.", origin(&run.record)));
    say(format!(
        "// For llvm/lib/Target/AMDGPU/SISchedule.td of LLVM 22: paste it after `}} // End SchedModel = {old}`,"
    ));
    say(format!("// and name {name} in place of {old} in the ProcessorModel of {target} in GCNProcessors.td."));
    let slot = match of.slot_cycles {
        1.0 => "cycles".to_owned(),
        cycles => format!("slots of {cycles} cycles"),
    };
    say(format!("// Latency and ReleaseAtCycles are {slot}. Each is followed by LLVM's value and the difference."));
    if writes.iter().any(|write| write.of.write.ends_with(MATRIX) && write.found.instructions > 0) {
        say(format!(
            "// Add the InstRW of V_MFMA, V_SMFMAC and V_ACCVGPR_WRITE of {old}: they need LLVM's instructions."
        ));
    }
    lines.extend(others.map(|others| format!("// Of no SchedWrite: {others}.")));
    lines.push(format!("\ndef {name} : SISchedMachineModel;\n\nlet SchedModel = {name} in {{\n"));
    lines.push("let RetireOOO = 1 in { // llvm-mca specific flag".to_owned());
    for write in &writes {
        lines.extend(definition(write));
    }
    lines.extend(unchanged(&writes, &unsupported));
    lines.push(format!("}} // End SchedModel = {name}"));
    Ok(lines.join("\n") + "\n")
}

/// LLVM's other values, unchanged.
fn unchanged(writes: &[LlvmWrite], unsupported: &[String]) -> Vec<String> {
    let mut lines = vec!["let NumMicroOps = 0 in {".to_owned()];
    for (dummy, unit, alike) in [("WriteVALUDummy", "HWVALU", "Write32Bit"), ("WriteSALUDummy", "HWSALU", "WriteSALU")]
    {
        let latency =
            writes.iter().find(|write| write.of.write == alike).map_or(1, |write| write.of.llvm_latency_slots);
        lines.push(format!("def : HWWriteRes<{dummy}, [{unit}], {latency}>;"));
    }
    lines.push("}".to_owned());
    lines.extend(unsupported.iter().map(|write| format!("def : UnsupportedWriteRes<{write}>;")));
    lines.push("} // End RetireOOO = 1\n".to_owned());
    if writes.iter().any(|write| write.of.write.ends_with(MATRIX)) {
        lines.extend(["MIVGPRRead, -2", "MIMFMARead, -4"].map(|read| format!("def : ReadAdvance<{read}>;")));
    }
    lines.push("def : InstRW<[WriteCopy], (instrs COPY)>;\n".to_owned());
    lines
}

/// `gfx906` as part of a name: `Gfx906`.
fn title(target: &str) -> String {
    let letters: String =
        target.split(':').next().unwrap_or_default().chars().filter(char::is_ascii_alphanumeric).collect();
    let (first, rest) = letters.split_at(letters.len().min(1));
    first.to_uppercase() + rest
}

/// The lines of a SchedWrite.
fn definition(write: &LlvmWrite) -> Vec<String> {
    let (latency, release) = (write.latency(), write.release());
    let WriteRow { write: name, resource, llvm_latency_slots, llvm_release_at_cycles, .. } = &write.of;
    let remark = |remark: String| format!("// {name}: {remark}.");
    let mut lines: Vec<String> = write.remarks().into_iter().map(remark).collect();
    let kept = match (write.latency_slots, write.release_at_cycles) {
        (None, None) => Some("Latency and release are LLVM's."),
        (None, Some(_)) => Some("The latency is LLVM's."),
        (Some(_), None) => Some("The release is LLVM's."),
        (Some(_), Some(_)) => None,
    };
    lines.extend(kept.map(|kept| format!("// {kept}")));
    if release != 1 {
        let releases = write.releases().iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        lines.push(format!("let ReleaseAtCycles = [{releases}] in"));
    }
    let change = |now: u32, then: u32| match i64::from(now) - i64::from(then) {
        0 => "same".to_owned(),
        difference => format!("{difference:+}"),
    };
    let today = format!(
        "// LLVM: {llvm_latency_slots}, {llvm_release_at_cycles} (latency {}, release {})",
        change(latency, *llvm_latency_slots),
        change(release, *llvm_release_at_cycles)
    );
    let definition = format!("def : HWWriteRes<{name}, [{resource}], {latency}>;");
    lines.push(format!("{definition:<56} {today}"));
    lines
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn a_target_is_part_of_a_name() {
        assert_eq!(["gfx906", "gfx906:sramecc+:xnack-", ""].map(title), ["Gfx906", "Gfx906", ""]);
    }
}
