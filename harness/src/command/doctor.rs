//! `gcn-timings doctor`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use console::style;

use super::assembler::kept_folder;
use super::json_output::print_json;
use super::terminal::Terminal;
use crate::doctor::{Finding, Health, card_drivers, cards_in_sysfs, kernel_driver, result, tools};

/// Show what is missing for measuring a card, and what would disturb it.
#[derive(Debug, Args)]
#[command(
    after_help = "Looks at the kernel's driver, permissions, the drivers of this build, clocks, power state, displays and LLVM, and launches \
                  nothing. The exit code is 1 if something keeps a card from being measured; the simulator needs LLVM alone."
)]
pub struct Doctor {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Doctor) -> anyhow::Result<ExitCode> {
    let root = Path::new("/");
    let mut findings = kernel_driver(root);
    findings.extend(cards_in_sysfs(root));
    findings.extend(card_drivers());
    findings.extend(tools(kept_folder().as_deref()));
    findings.push(result());
    let is_bad = findings.iter().any(|finding| finding.health == Health::Bad);
    let code = if is_bad { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    if arguments.json {
        print_json(&findings)?;
    } else {
        write(&mut Terminal::standard(), &findings)?;
    }
    Ok(code)
}

fn write(out: &mut impl Write, findings: &[Finding]) -> std::io::Result<()> {
    let width = findings.iter().map(|finding| finding.subject.len()).max().unwrap_or(0);
    for Finding { health, subject, says, next } in findings {
        let word = style(format!("{:<4}", health.word()));
        let word = match health {
            Health::Good => word.green(),
            Health::Note => word.yellow(),
            Health::Bad => word.red(),
        };
        writeln!(out, "{word}  {subject:<width$}  {says}")?;
        if !next.is_empty() {
            writeln!(out, "      {:<width$}  -> {next}", "")?;
        }
    }
    Ok(())
}
