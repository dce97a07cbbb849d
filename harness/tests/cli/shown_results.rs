//! `report`, `plot` and `compare` of a folder whose tables, records or links are damaged, and the places that they write to.

use std::fs;
use std::path::Path;

use gcn_analysis::run::{kept_record_text, load_run_record};

use super::{CommandOutput, failure, run, small_run, temporary, text};

/// What `compare` of the folder with itself, `plot` and `report` say, all with exit code 0.
fn shown(path: &Path) -> (String, String) {
    let (mut out, mut error) = (String::new(), String::new());
    for arguments in [&["compare", text(path), text(path), "--all"][..], &["plot", text(path)], &["report", text(path)]]
    {
        let said = run(arguments);
        assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.error);
        (out, error) = (out + &said.out, error + &said.error);
    }
    (out, error)
}

#[test]
fn tables_that_do_not_follow_from_the_records_are_named_and_not_shown() {
    let folder = temporary();
    let path = small_run(&folder);
    let before = shown(&path);
    assert_eq!(before.1, "");
    let report = fs::read(path.join("report.html")).unwrap();
    for name in ["timings.csv", "validation.csv", "estimates.csv"] {
        let file = path.join(name);
        let kept = fs::read_to_string(&file).unwrap();
        // A digit that is another one; and the table of an earlier state of the run, which has less in it.
        let head = kept.lines().next().unwrap();
        for changed in [kept.replacen('8', "9", 1), format!("{head}\n")] {
            assert_ne!(changed, kept);
            fs::write(&file, changed).unwrap();
            let (out, error) = shown(&path);
            assert_eq!(out, before.0, "{name}: other numbers");
            assert_eq!(fs::read(path.join("report.html")).unwrap(), report);
            let named = format!("{}: does not follow from the run's records", file.display());
            assert!(error.contains(&named) && error.contains("`gcn-timings analyze"), "{error}");
        }
        fs::write(&file, kept).unwrap();
    }
    // A reading, which the picture of the readings is drawn from as well.
    let readings = path.join("readings.csv");
    let kept = fs::read_to_string(&readings).unwrap();
    let at = kept.trim_end().rfind(|character: char| character.is_ascii_digit()).unwrap();
    let digit = if kept.as_bytes()[at] == b'7' { "6" } else { "7" };
    let mut changed = kept;
    changed.replace_range(at..=at, digit);
    fs::write(&readings, changed).unwrap();
    for arguments in [&["compare", text(&path), text(&path)][..], &["plot", text(&path)], &["report", text(&path)]] {
        let error = failure(arguments);
        assert!(error.contains("readings.csv:") && error.contains("not what the run wrote"), "{error}");
    }
}

#[test]
fn results_that_were_kept_without_records_are_shown_as_such() {
    let folder = temporary();
    let path = small_run(&folder);
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference/tahiti");
    let CommandOutput { code, out, error } = run(&["compare", text(&path), text(&published)]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(out.contains("B  tahiti (simulated Radeon HD 7970), results without records"), "{out}");
    // Its own run without the records, and a part of them, which is nothing to derive from.
    for name in ["readings.csv", "journal.csv"] {
        fs::remove_file(path.join(name)).unwrap();
    }
    let error = failure(&["report", text(&path)]);
    assert!(error.contains("journal.csv"), "{error}");
    fs::remove_file(path.join("experiments.csv")).unwrap();
    assert!(run(&["compare", text(&path), text(&path)]).out.contains("results without records"));
}

/// Of every family, with nothing but `run.json` and the tables.
#[test]
fn kept_results_of_every_family_are_shown() {
    let folder = temporary();
    for (gpu, target) in [("tahiti", "gfx600"), ("mi300x", "gfx942"), ("rx7900xtx", "gfx1100")] {
        let path = folder.path().join(gpu);
        let device = format!("sim:{gpu}");
        let measured = run(&[
            "measure",
            "--device",
            &device,
            "--only",
            "V_ADD_F32",
            "--suite",
            "instructions",
            "--out",
            text(&path),
        ]);
        assert_eq!(measured.code, Some(0), "{}", measured.error);
        for name in ["readings.csv", "journal.csv", "experiments.csv"] {
            fs::remove_file(path.join(name)).unwrap();
        }
        let record = load_run_record(&path.join("run.json")).unwrap();
        fs::write(path.join("run.json"), kept_record_text(&record).unwrap()).unwrap();
        for arguments in [&["report", text(&path)][..], &["show", "V_ADD_F32", text(&path)], &["plot", text(&path)]] {
            let said = run(arguments);
            assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{gpu}: {arguments:?}");
        }
        let compared = run(&["compare", text(&path), "shipped:tahiti"]);
        assert!(compared.code == Some(0) && compared.out.contains("results without records"), "{}", compared.out);
        assert!(run(&["export", "--format", "json", text(&path)]).out.contains(target));
    }
}

#[test]
fn a_report_is_printed_in_each_format() {
    for gpu in ["tahiti", "mi300x", "rx7900xtx"] {
        let name = format!("shipped:{gpu}");
        let printed = |format: &str| {
            let said = run(&["report", &name, "--format", format]);
            assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{gpu}: {format}");
            said.out
        };
        let (markdown, plain) = (printed("markdown"), printed("text"));
        assert!(
            markdown.starts_with("# ") && markdown.contains("\n## DPFACTOR\n\nDPFACTOR is "),
            "{gpu}: {markdown:.200}"
        );
        assert!(
            plain.contains("\nDPFACTOR\nDPFACTOR is ") && plain.contains("\nInstruction alignment\n"),
            "{gpu}: {plain:.200}"
        );
        assert!(plain.contains("\nSources\n"), "{gpu}: what its run was asked for is known");
        assert!(plain.contains("Simulated: ") && !plain.contains("**"), "{gpu}: marks are taken off");
        let json: serde_json::Value = serde_json::from_str(&printed("json")).unwrap();
        let sections = json["sections"].as_array().unwrap();
        assert_eq!(json["simulated"], true);
        assert_eq!(sections.len(), markdown.lines().filter(|line| line.starts_with('#')).count(), "{gpu}");
    }
    assert!(failure(&["report", "shipped:tahiti"]).contains("`--format text`"));
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links_or_over_a_runs_files() {
    use std::os::unix::fs::symlink;

    let folder = temporary();
    let path = small_run(&folder);
    let (other, elsewhere) = (folder.path().join("thesis.csv"), folder.path().join("elsewhere"));
    fs::write(&other, "kept").unwrap();
    fs::create_dir(&elsewhere).unwrap();
    let link = folder.path().join("link.csv");
    symlink(&other, &link).unwrap();
    let to = |file: &Path| failure(&["compare", text(&path), text(&path), "--csv", text(file)]);
    assert!(to(&link).contains("a symbolic link"));
    assert!(to(Path::new("/dev/null")).contains("not a plain file"));
    let before = fs::read(path.join("run.json")).unwrap();
    for name in ["run.json", "journal.csv", "readings.csv", "timings.csv", "READINGS.csv"] {
        assert!(to(&path.join(name)).contains("a file of the run that is in"), "{name}");
    }
    assert!(fs::read(path.join("run.json")).unwrap() == before && fs::read_to_string(&other).unwrap() == "kept");
    // A folder of pictures that is somewhere else, and a picture that is.
    symlink(&elsewhere, path.join("plots")).unwrap();
    assert!(failure(&["plot", text(&path)]).contains("plots: a symbolic link"));
    fs::remove_file(path.join("plots")).unwrap();
    fs::create_dir(path.join("plots")).unwrap();
    symlink(&other, path.join("plots/readings.svg")).unwrap();
    let said = run(&["plot", text(&path)]);
    assert!(said.code == Some(1) && said.error.contains("readings.svg: a symbolic link"), "{}", said.error);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    // The report takes the place of a link.
    symlink(&other, path.join("report.html")).unwrap();
    assert_eq!(run(&["report", text(&path)]).code, Some(0));
    assert!(!path.join("report.html").is_symlink() && fs::read_to_string(&other).unwrap() == "kept");
}

#[test]
fn only_a_runs_folder_is_tidied_and_only_of_its_own_files() {
    let folder = temporary();
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    for name in [".thesis.new", ".run.json.4194999.new", "notes.txt"] {
        fs::write(foreign.join(name), "kept").unwrap();
    }
    let resume = ["measure", "--only", "V_ADD_F64", "--waves", "1", "--resume", "--out"];
    let error = failure(&[&resume[..], &[text(&foreign)]].concat());
    assert!(error.contains("not empty"), "{error}");
    assert_eq!(super::names(&foreign), [".run.json.4194999.new", ".thesis.new", "notes.txt"]);
    let path = small_run(&folder);
    for name in [".thesis.new", ".timings.csv.4194999.new"] {
        fs::write(path.join(name), "x").unwrap();
    }
    assert_eq!(run(&[&resume[..], &[text(&path)]].concat()).code, Some(0));
    assert!(path.join(".thesis.new").exists() && !path.join(".timings.csv.4194999.new").exists());
}

#[test]
fn numbers_that_rest_on_estimates_are_marked() {
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/reference/mi300x");
    let numbers = |instruction: &str| {
        let said = run(&["show", instruction, results]);
        assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{instruction}");
        let of = |name: &str| {
            let line = said.out.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
            line.split_whitespace().skip(1).take(2).collect::<Vec<_>>().join(" ")
        };
        (of("cycles"), of("latency"), said.out.contains("e after a number"))
    };
    // A description follows numbers without a mark.
    assert_eq!(numbers("GLOBAL_LOAD_DWORD"), ("8 e".to_owned(), "100 Cycles".to_owned(), true));
    assert_eq!(numbers("V_ADD_F32"), ("4 One".to_owned(), "4 Cycles".to_owned(), false));
}
