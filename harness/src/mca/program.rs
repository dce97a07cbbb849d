//! The program llvm-mca.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::error::McaError;
use super::report::{CodeRegion, Report};
use crate::llvm::limited;

/// Names which program to run.
const VARIABLE: &str = "GCN_TIMINGS_LLVM_MCA";
/// The versions of which names are tried, the one that is known first and then the newest.
const KNOWN: u32 = 22;
const VERSIONS: std::ops::RangeInclusive<u32> = 14..=29;
/// Longer than it takes for any block.
const LIMIT: Duration = Duration::from_secs(120);
/// The file that it reads.
const FILE: &str = "block.s";

/// A program llvm-mca that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlvmMca {
    program: PathBuf,
    /// Its version, as it says it: `22.1.8`.
    pub version: String,
}

impl LlvmMca {
    /// The program that `GCN_TIMINGS_LLVM_MCA` names, or else `llvm-mca-22`, another version, the newest first, or `llvm-mca`.
    ///
    /// # Errors
    /// It is missing, or the named file is not llvm-mca.
    pub fn find() -> Result<Self, McaError> {
        if let Some(program) = env::var_os(VARIABLE).map(PathBuf::from) {
            return Self::at(program.clone()).map_err(|problem| McaError::Unusable { program, problem });
        }
        let others = VERSIONS.rev().filter(|version| *version != KNOWN);
        let numbered = [KNOWN].into_iter().chain(others).map(|version| format!("llvm-mca-{version}"));
        let found = numbered.chain(["llvm-mca".to_owned()]).find_map(|name| Self::at(name.into()).ok());
        let (first, last) = (VERSIONS.start(), VERSIONS.end());
        found.ok_or_else(|| McaError::NotFound {
            looked_for: format!("llvm-mca-{KNOWN}, llvm-mca-{first} to llvm-mca-{last}, llvm-mca"),
        })
    }

    fn at(program: PathBuf) -> Result<Self, String> {
        let mut command = Command::new(&program);
        command.arg("--version");
        let output = limited::output(command, LIMIT).map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = said.split_once("LLVM version ").and_then(|(_, rest)| rest.split_whitespace().next());
        let version = version.ok_or("it does not say which version of LLVM it is")?.to_owned();
        if !said.lines().any(|line| line.trim_start().starts_with("amdgcn ")) {
            return Err(format!("version {version} was built without the target amdgcn"));
        }
        Ok(Self { program, version })
    }

    /// The program itself.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Its name and version, for messages.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.program.display(), self.version)
    }

    /// Its report of this many iterations of some instructions, for a target such as `gfx803`.
    pub(super) fn run(&self, target: &str, instructions: &[&str], iterations: usize) -> Result<CodeRegion, McaError> {
        let program = || self.name();
        let io = |error| McaError::Io { program: program(), error };
        let folder = tempfile::tempdir().map_err(io)?;
        fs::write(folder.path().join(FILE), instructions.join("\n") + "\n").map_err(io)?;
        let mut command = Command::new(&self.program);
        command.current_dir(folder.path()).args(["-mtriple=amdgcn", &format!("-mcpu={target}"), "--json"]);
        // A limit of 0 cycles means no limit.
        command.args(["-timeline", "-timeline-max-cycles=0", "-resource-pressure=false"]);
        command.args([format!("-timeline-max-iterations={iterations}"), format!("-iterations={iterations}")]).arg(FILE);
        let output = limited::output(command, LIMIT).map_err(io)?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            let refused = refused(&message, instructions);
            let target = target.to_owned();
            return Err(match refused.is_empty() {
                true => McaError::Failed { program: program(), target, message },
                false => McaError::Refused { program: program(), target, instructions: refused.join("; ") },
            });
        }
        let problem = |problem: String| McaError::Report { program: program(), problem };
        let report: Report = serde_json::from_slice(&output.stdout).map_err(|error| problem(error.to_string()))?;
        let region = report.code_regions.into_iter().next().ok_or_else(|| problem("no region".to_owned()))?;
        let (told, timed) = (region.instructions.len(), region.timeline_view.timeline_info.len());
        let described = region.instruction_info_view.instruction_list.len();
        if told != instructions.len() || described != told || timed != told * iterations {
            let asked = instructions.len();
            return Err(problem(format!("{told} instructions of {asked}, {timed} in {iterations} iterations")));
        }
        Ok(region)
    }
}

/// The instructions that its messages name by their lines.
fn refused(message: &str, instructions: &[&str]) -> Vec<String> {
    let of_line = |line: &str| {
        let (place, said) = line.strip_prefix(FILE)?.strip_prefix(':')?.split_once(": error: ")?;
        let number: usize = place.split(':').next()?.parse().ok()?;
        Some(format!("{} ({said})", instructions.get(number.checked_sub(1)?)?))
    };
    message.lines().filter_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_instructions_are_named() {
        let message =
            "block.s:2:1: error: invalid instruction\nv_bar v1\n^\nerror: Assembly input parsing had errors\n";
        assert_eq!(refused(message, &["v_nop", "v_bar v1"]), ["v_bar v1 (invalid instruction)"]);
        assert_eq!(refused("error: found nothing", &["v_nop"]), [""; 0]);
        assert_eq!(refused("block.s:7:1: error: beyond the end", &["v_nop"]), [""; 0]);
    }
}
