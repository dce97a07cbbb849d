//! A scheduling model for LLVM's `SISchedule.td`.

use super::error::ExportError;
use super::llvm::{LlvmWrite, llvm_writes};
use super::target::schedulers;
use crate::results::Results;
use crate::views::origin::{SIMULATED, origin};

/// The scheduling model of a run as TableGen, with LLVM's numbers and the differences in comments.
///
/// # Errors
/// No model of the run's target is known.
pub fn llvm_text(run: &Results) -> Result<String, ExportError> {
    let (writes, old) = (llvm_writes(run)?, schedulers(run)?.llvm_model);
    let target = &run.record.device.target;
    let name = format!("GCN{}MeasuredModel", title(target));
    let mut lines = Vec::new();
    let mut say = |line: String| lines.push(line);
    if run.record.device.is_simulated() {
        say(format!("// {SIMULATED}"));
    }
    say(format!("// Scheduling resources of {}.", origin(&run.record)));
    say(format!(
        "// For llvm/lib/Target/AMDGPU/SISchedule.td of LLVM 22: paste it behind `}} // End SchedModel = {old}`,"
    ));
    say(format!("// and name {name} in place of {old} in the ProcessorModel of {target} in GCNProcessors.td."));
    say("// Latency and ReleaseAtCycles are slots of 4 cycles. Behind each stand LLVM's today, and the difference."
        .to_owned());
    say(format!("\ndef {name} : SISchedMachineModel;\n\nlet SchedModel = {name} in {{\n"));
    say("let RetireOOO = 1 in { // llvm-mca specific flag".to_owned());
    for write in &writes {
        lines.extend(definition(write));
    }
    // LLVM's other values, unchanged.
    lines.extend(
        [
            "let NumMicroOps = 0 in {",
            "def : HWWriteRes<WriteVALUDummy, [HWVALU], 1>;",
            "def : HWWriteRes<WriteSALUDummy, [HWSALU], 1>;",
            "}",
            "def : UnsupportedWriteRes<WriteSFPU>;",
            "def : UnsupportedWriteRes<WritePseudoScalarTrans>;",
            "} // End RetireOOO = 1",
            "",
            "def : ReadAdvance<MIVGPRRead, -2>;",
            "def : ReadAdvance<MIMFMARead, -4>;",
            "def : InstRW<[WriteCopy], (instrs COPY)>;",
            "",
        ]
        .map(str::to_owned),
    );
    lines.push(format!("}} // End SchedModel = {name}"));
    Ok(lines.join("\n") + "\n")
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
    let remark = |remark: String| format!("// {}: {remark}.", write.write);
    let mut lines: Vec<String> = write.remarks().into_iter().map(remark).collect();
    let kept = match (write.latency_slots, write.release_at_cycles) {
        (None, None) => Some("Latency and release are LLVM's."),
        (None, Some(_)) => Some("The latency is LLVM's."),
        (Some(_), None) => Some("The release is LLVM's."),
        (Some(_), Some(_)) => None,
    };
    lines.extend(kept.map(|kept| format!("// {kept}")));
    if release != 1 {
        lines.push(format!("let ReleaseAtCycles = [{release}] in"));
    }
    let change = |now: u32, then: u32| match i64::from(now) - i64::from(then) {
        0 => "same".to_owned(),
        difference => format!("{difference:+}"),
    };
    let today = format!(
        "// LLVM: {}, {} (latency {}, release {})",
        write.llvm_latency_slots,
        write.llvm_release_at_cycles,
        change(latency, write.llvm_latency_slots),
        change(release, write.llvm_release_at_cycles)
    );
    let definition = format!("def : HWWriteRes<{}, [{}], {latency}>;", write.write, write.resource);
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
