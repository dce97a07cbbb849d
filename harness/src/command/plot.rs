//! `gcn-timings plot`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use gcn_analysis::{Picture, PictureChoice, PngFonts, Results, Theme, picture_names, pictures};

use super::output_file::write_output;
use super::tables::load;
use super::terminal::Terminal;

/// Draw the pictures of a run.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings plot results/tahiti/2026-11-21T12-00-00Z\n  gcn-timings plot DIR --only alignment --format svg,png --theme dark\n  gcn-timings plot DIR --only throughput --instruction V_FMA_F64 --instruction V_ADD_F64\n\nThe pictures are written to DIR/plots, those on dark paper as NAME-dark. A picture whose data the run does not have is named with the reason."
)]
pub struct Plot {
    /// Folder of the run
    dir: PathBuf,
    /// Only this picture; may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = PossibleValuesParser::new(picture_names()))]
    only: Vec<String>,
    /// File formats [default: svg]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    format: Vec<Format>,
    /// Write SVG and PNG files: the same as --format svg,png
    #[arg(long, conflicts_with = "format")]
    png: bool,
    /// Background
    #[arg(long, default_value = "light")]
    theme: Paper,
    /// TrueType font for PNG files, instead of a font of the system
    #[arg(long, value_name = "FILE")]
    font: Option<PathBuf>,
    /// Instruction in the plots of throughput and readings; may be repeated [default: some of each class]
    #[arg(long, value_name = "NAME")]
    instruction: Vec<String>,
}

/// Kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Svg,
    Png,
}

/// The background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Paper {
    Light,
    Dark,
}

impl Paper {
    const fn theme(self) -> Theme {
        match self {
            Self::Light => Theme::Light,
            Self::Dark => Theme::Dark,
        }
    }

    /// The suffix of its file names, so that both can share a folder.
    const fn suffix(self) -> &'static str {
        match self {
            Self::Light => "",
            Self::Dark => "-dark",
        }
    }
}

impl Plot {
    fn writes(&self, format: Format) -> bool {
        match format {
            Format::Svg if self.format.is_empty() => true,
            Format::Png if self.png => true,
            _ => self.format.contains(&format),
        }
    }
}

pub(super) fn run(arguments: &Plot) -> anyhow::Result<()> {
    let is_png = arguments.writes(Format::Png);
    if arguments.font.is_some() && !is_png {
        bail!("--font is for PNG files; add --format svg,png");
    }
    let run = load(&arguments.dir)?;
    let instructions = instructions(&run, &arguments.instruction)?;
    let fonts = if is_png { Some(PngFonts::find(arguments.font.as_deref())?) } else { None };
    let folder = arguments.dir.join("plots");
    if folder.is_symlink() {
        bail!("{}: a symbolic link, which is not followed; remove it", folder.display());
    }
    let choice = PictureChoice { only: arguments.only.clone(), instructions, theme: arguments.theme.theme() };
    let mut out = Terminal::standard();
    for Picture { name, drawing, .. } in pictures(&run, Some(&choice)) {
        let svg = match drawing {
            Ok(svg) => svg,
            Err(why) => {
                writeln!(out, "{name}: not drawn: {why}")?;
                continue;
            }
        };
        fs::create_dir_all(&folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
        let stem = format!("{name}{}", arguments.theme.suffix());
        let mut write = |ending: &str, bytes: &[u8]| -> anyhow::Result<()> {
            let path = folder.join(format!("{stem}.{ending}"));
            write_output(&path, bytes)?;
            writeln!(out, "{}", path.display())?;
            Ok(())
        };
        if arguments.writes(Format::Svg) {
            write("svg", svg.as_bytes())?;
        }
        if let Some(fonts) = &fonts {
            write("png", &fonts.png(&svg)?)?;
        }
    }
    Ok(())
}

/// The instructions as the run writes them.
fn instructions(run: &Results, names: &[String]) -> anyhow::Result<Vec<String>> {
    let names: Vec<String> = names.iter().map(|name| name.to_uppercase()).collect();
    match names.iter().find(|name| !run.timings.iter().any(|row| row.instruction == **name)) {
        Some(name) => bail!("{name}: the run has no such instruction; see timings.csv"),
        None => Ok(names),
    }
}
