//! `gcn-timings plot`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use gcn_analysis::{Drawing, PngFonts, pictures};

use super::output_file::write_output;
use super::tables::load;

use super::terminal::Terminal;

/// Draw the pictures of a run.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings plot results/tahiti/2026-11-21T12-00-00Z\n  gcn-timings plot DIR --png --instruction V_FMA_F64\n\nThe pictures are written to DIR/plots. A picture whose data the run does not have is named with the reason."
)]
pub struct Plot {
    /// Folder of the run
    dir: PathBuf,
    /// Write PNG files beside the SVG files
    #[arg(long)]
    png: bool,
    /// TrueType file for the texts of PNG files, instead of a font of the system
    #[arg(long, value_name = "FILE", requires = "png")]
    font: Option<PathBuf>,
    /// Instruction whose readings are shown
    #[arg(long, value_name = "NAME")]
    instruction: Option<String>,
}

pub(super) fn run(arguments: &Plot) -> anyhow::Result<()> {
    let run = load(&arguments.dir)?;
    let instruction = arguments.instruction.as_ref().map(|name| name.to_uppercase());
    if let Some(name) = &instruction
        && !run.timings.iter().any(|row| row.instruction == *name)
    {
        bail!("{name}: the run has no such instruction; see timings.csv");
    }
    let fonts = if arguments.png { Some(PngFonts::find(arguments.font.as_deref())?) } else { None };
    let folder = arguments.dir.join("plots");
    if folder.is_symlink() {
        bail!("{}: a symbolic link, which nothing is written through; remove it", folder.display());
    }
    fs::create_dir_all(&folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    let mut out = Terminal::standard();
    for picture in pictures(&run, instruction.as_deref()) {
        let path = folder.join(picture.name).with_extension("svg");
        let png = path.with_extension("png");
        match &picture.drawing {
            Drawing::Drawn(svg) => {
                write_output(&path, svg.as_bytes())?;
                writeln!(out, "{}", path.display())?;
                if let Some(fonts) = &fonts {
                    write_output(&png, &fonts.png(svg)?)?;
                    writeln!(out, "{}", png.display())?;
                }
            }
            Drawing::Missing(why) => writeln!(out, "{}: not drawn: {why}", picture.name)?,
        }
    }
    Ok(())
}
