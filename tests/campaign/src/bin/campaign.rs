//! `campaign`: measures random GPU files with a program, and scores its statements.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Parser;
use gcn_campaign::{Family, Level, Tally, Truth, analyze, gpu_file, run, score};
use gcn_model::gpu::Gpu;

/// Measures random GPU files with a program and scores every statement against the files.
#[derive(Debug, Parser)]
struct Arguments {
    /// The program that measures; without it, runs that are there are scored
    #[arg(long)]
    program: Option<PathBuf>,
    /// Derive the tables of runs that are there again, with the program, from their readings
    #[arg(long, requires = "program")]
    analyze: bool,
    /// First seed
    #[arg(long, default_value_t = 1)]
    first: u64,
    /// Number of files; the noise level of a file is its seed modulo 5
    #[arg(long, default_value_t = 12)]
    files: u64,
    /// Family of the cards
    #[arg(long, value_enum, default_value = "gcn")]
    family: Family,
    /// Folder of the files and runs
    #[arg(long)]
    out: PathBuf,
    /// List the statements that are false
    #[arg(long)]
    wrong: bool,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for seed in arguments.first..arguments.first + arguments.files {
        let folder = arguments.out.join(seed.to_string());
        let (tally_of_file, wrong_of_file) = file(&arguments, seed, &folder)?;
        tally += &tally_of_file;
        wrong.extend(wrong_of_file);
    }
    let mut out = std::io::stdout().lock();
    write!(out, "{tally}")?;
    if arguments.wrong {
        wrong.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

/// One GPU file: measured unless its runs are there, and scored.
fn file(arguments: &Arguments, seed: u64, folder: &Path) -> anyhow::Result<(Tally, Vec<String>)> {
    let level = Level::of_seed(seed);
    let path = folder.join("gpu.toml");
    if !path.exists() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        fs::write(&path, gpu_file(seed, level, arguments.family))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let truth = Truth::of(Gpu::from_file(&path)?, arguments.family.lanes(seed));
    match &arguments.program {
        Some(program) if arguments.analyze => analyze(program, folder)?,
        Some(program) if !folder.join("instructions.txt").exists() => {
            run(program, &path, &truth, arguments.family, folder)?;
        }
        _ => {}
    }
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    for name in ["rules", "instructions"] {
        let printed = folder.join(name).with_extension("txt");
        let printed = fs::read_to_string(&printed).with_context(|| format!("no run: {}", printed.display()))?;
        let score = score(&truth, level, &folder.join(name), &printed)?;
        tally += &score.tally;
        wrong.extend(score.wrong);
    }
    Ok((tally, wrong))
}
