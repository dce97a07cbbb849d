//! `gcn-timings site`.

use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use gcn_analysis::{Results, Site};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use super::site_kernels::SiteKernels;
use super::tables::load;

/// Write a static site of the results of one or more cards.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings site results/reference --out site\n  gcn-timings site results/tahiti/2026-11-21T12-00-00Z results/hawaii/2026-11-21T13-00-00Z --out site\n  gcn-timings site results/reference --out site --overwrite\n\nOpen DIR/index.html: it needs no server and no network. It has a table of all instructions on all cards, which is searched and sorted, a page for each instruction and one for each card."
)]
pub struct SiteArguments {
    /// Folders of runs, or folders that hold such folders
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Folder that the site is written to: a new or an empty one
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace a site that is in the folder
    #[arg(long)]
    overwrite: bool,
}

pub(super) fn run(arguments: &SiteArguments) -> anyhow::Result<()> {
    // Before the work, not after it.
    check_place(&arguments.out, arguments.overwrite)?;
    let mut folders = Vec::new();
    for folder in &arguments.runs {
        folders.extend(run_folders(folder)?);
    }
    // Each run, the pages, the files.
    let bar = progress(folders.len() as u64 + 2);
    let mut runs: Vec<Results> = Vec::new();
    for folder in &folders {
        bar.set_message(folder.display().to_string());
        runs.push(load(folder)?);
        bar.inc(1);
    }
    bar.set_message("pages");
    let kernels = SiteKernels::new()?;
    let site = Site::of(&runs, &kernels)?;
    bar.inc(1);
    bar.set_message("files");
    write_site(&site, &arguments.out, arguments.overwrite)?;
    bar.finish_and_clear();
    writeln!(
        std::io::stdout().lock(),
        "{}: {} instructions, {} cards, {} files, {:.1} MB",
        arguments.out.join("index.html").display(),
        site.instructions,
        site.cards,
        site.files.len(),
        site.bytes() as f64 / 1e6
    )?;
    Ok(())
}

/// A bar of this many steps, where standard error is a terminal.
fn progress(steps: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:20} {pos}/{len} {wide_msg}").expect("a correct template");
    let bar = ProgressBar::new(steps).with_style(style).with_finish(ProgressFinish::AndClear);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The folders of runs that a folder stands for: itself, or those in it.
fn run_folders(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let is_run =
        |folder: &Path| ["run.json", "TIMINGS.md", "timings.csv"].iter().any(|name| folder.join(name).exists());
    if is_run(folder) || !folder.is_dir() {
        return Ok(vec![folder.to_owned()]);
    }
    let entries = fs::read_dir(folder).with_context(|| format!("{}: cannot be read", folder.display()))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    let mut found: Vec<PathBuf> = paths.into_iter().filter(|path| is_run(path)).collect();
    found.sort();
    if found.is_empty() {
        bail!(
            "{}: neither a run's folder nor a folder of runs; `gcn-timings measure --out DIR` makes one",
            folder.display()
        );
    }
    Ok(found)
}

/// Whether a site can be written here: to a place where nothing is, or that a site has alone and may be replaced.
fn check_place(out: &Path, overwrite: bool) -> anyhow::Result<()> {
    match out.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("{}: cannot be read", out.display())),
        Ok(found) if found.is_symlink() => bail!("{}: a symbolic link; name the folder itself", out.display()),
        Ok(found) if !found.is_dir() => bail!("{}: not a folder; name another place", out.display()),
        Ok(_) => {}
    }
    let mut entries = fs::read_dir(out).with_context(|| format!("{}: cannot be read", out.display()))?;
    if entries.next().is_none() {
        return Ok(());
    }
    if !out.join(Site::MARK).is_file() {
        bail!("{}: not empty, and not a site; name a new folder", out.display());
    }
    if !overwrite {
        bail!("{}: it has a site already; --overwrite replaces it, or name a new folder", out.display());
    }
    Ok(())
}

/// Writes the site under a temporary name and then renames it, so that a place has a whole site or the old one.
fn write_site(site: &Site, out: &Path, overwrite: bool) -> anyhow::Result<()> {
    let Some(name) = out.file_name() else { bail!("{}: has no name; name a new folder", out.display()) };
    let beside = |what: &str| {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.{what}", std::process::id()));
        out.with_file_name(hidden)
    };
    let (new, old) = (beside("new"), beside("old"));
    let failed = |path: &Path| format!("{}: cannot be written", path.display());
    if let Some(parent) = out.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).with_context(|| failed(parent))?;
    }
    let written = write_files(site, &new).with_context(|| failed(out)).and_then(|()| {
        check_place(out, overwrite)?;
        if out.exists() {
            fs::rename(out, &old).with_context(|| failed(out))?;
        }
        fs::rename(&new, out).with_context(|| failed(out))
    });
    match &written {
        Ok(()) if old.exists() => {
            fs::remove_dir_all(&old).with_context(|| format!("{}: cannot be removed", old.display()))?;
        }
        Ok(()) => {}
        Err(_) => {
            // The failure is the message for the user; the old site is restored, and a leftover removed, if possible.
            if old.exists() && !out.exists() {
                let _ = fs::rename(&old, out);
            }
            let _ = fs::remove_dir_all(&new);
        }
    }
    written
}

fn write_files(site: &Site, folder: &Path) -> std::io::Result<()> {
    for file in &site.files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(&path, &file.text)?;
    }
    Ok(())
}
