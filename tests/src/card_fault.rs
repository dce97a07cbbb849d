//! Faults of a simulated card, and their allowed cost.

use std::ops::RangeInclusive;
use std::process::Command;

use crate::card_run::{CardRun, ended, text};

/// A fault that the driver plays, and what comes of it.
#[derive(Debug, Clone)]
pub struct CardFault<'a> {
    /// `GCN_TIMINGS_FAULT`.
    pub fault: String,
    /// Further options of the run.
    pub options: &'a [&'a str],
    /// Whether the run completes in spite of it; the exit code is 1 in either case, since something is lost.
    pub completes: bool,
    /// The program's message.
    pub says: &'a str,
    /// The first failed row's reason.
    pub reasons: &'a [&'a str],
    /// How many rows fail.
    pub failed_rows: RangeInclusive<usize>,
}

impl CardFault<'_> {
    /// A fault that costs one experiment.
    pub const ONE: Self = CardFault {
        fault: String::new(),
        options: &[],
        completes: true,
        says: "experiments failed",
        reasons: &[],
        failed_rows: 1..=1,
    };

    /// Options of the run that is disturbed: a sweep through the experiments of an instruction.
    const MEASURE: [&'static str; 9] =
        ["measure", "--suite", "instructions", "--only", "V_ADD_F32", "--waves", "1", "--sweeps", "1"];

    /// Tries each fault on a device of the program that `on_card` gives for it, and holds against a run without one: the message, the exit
    /// code, content of the disk, and that the run continues after it.
    ///
    /// # Panics
    /// If anything is other than the fault says.
    pub fn check_all(faults: &[Self], device: &str, on_card: impl Fn(&str) -> Command) {
        let measure = |fault: &str, options: &[&str], run: &CardRun, more: &[&str]| {
            let mut command = on_card(fault);
            command.env("GCN_TIMINGS_FAULT_COUNTS", run.around().join("counts"));
            command
                .args(Self::MEASURE)
                .args(["--device", device])
                .args(options)
                .arg("--out")
                .arg(run.path())
                .args(more);
            if !options.contains(&"--launch-timeout") {
                // Nothing hangs, and a busy machine is no fault of the card.
                command.args(["--launch-timeout", "1h"]);
            }
            command
        };
        let sound = CardRun::new();
        ended(measure("", &[], &sound, &[]), 0);
        let timings = sound.file("timings.csv");
        let sound = sound.file("experiments.csv");
        let experiments: Vec<&str> = sound.lines().collect();
        for Self { fault, options, completes, says, reasons, failed_rows } in faults {
            let run = CardRun::new();
            let error = text(&ended(measure(fault, options, &run, &[]), 1).stderr);
            assert!(error.contains(says), "{fault}: {error}");
            let found = run.file("experiments.csv");
            let (failed, others): (Vec<&str>, Vec<&str>) = found.lines().partition(|row| row.contains(",failed,"));
            assert!(failed_rows.contains(&failed.len()), "{fault}: {failed:?}");
            for reason in *reasons {
                assert!(failed[0].contains(reason), "{fault}: {failed:?}");
            }
            // The others are as without the fault, and the run completed if it was to.
            assert!(others.iter().all(|row| experiments.contains(row)), "{fault}");
            assert_eq!(found.lines().count() == experiments.len(), *completes, "{fault}");
            assert_eq!(run.record()["end"].is_null(), !*completes, "{fault}");
            let is_there = |name: &str| run.path().join(name).exists();
            assert!(is_there("timings.csv") && !is_there("trying.json"), "{fault}");
            // On a sound card it is repaired: losses with the card by themselves, the rest if requested. Device and options are the run's.
            let mut command = on_card("");
            command.args(["measure", "--resume", "--out"]).arg(run.path());
            if *completes {
                command.arg("--retry-failed");
            }
            ended(command, 0);
            assert_eq!(run.file("timings.csv"), timings, "{fault}");
        }
    }
}
