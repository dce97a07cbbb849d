//! `gcn-timings report`.

use std::fs;

use crate::run_folder::{RunFolder, run};

/// The report of a run.
pub(crate) fn report_of(folder: &RunFolder) -> String {
    let said = run(&["report", folder.text()]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    fs::read_to_string(folder.path().join("report.html")).unwrap()
}

#[test]
fn everything_is_in_the_page_without_javascript() {
    let html = report_of(&RunFolder::full());
    for wanted in [
        "<h1>Instruction timings: card &lt;A&gt; &amp; B, run 2026-01-02T03:04:05Z</h1>",
        "3 measured, 0 open, 1 skipped",
        "DPFACTOR is 4 (double precision at 1/8 of single precision), a factor of the published table; 1 of 2",
        "<td class=\"n\">16<small>16 [15.9, 16.1]</small></td>",
        "<td>llvm</td><td>V_FMA_F64</td><td>cycles</td><td>16</td><td>16</td><td class=\"n\">8</td>",
        "F64: 8 or 16",
        "<td>V_ADD_I32 &gt; S_MOV_B32</td>",
        "prefers-color-scheme: dark",
        "name=\"viewport\"",
    ] {
        assert!(html.contains(wanted), "no {wanted}");
    }
    assert_eq!(html.matches("<svg ").count(), 9, "all pictures");
}

#[test]
fn timings_precede_the_plots_and_have_links() {
    let html = report_of(&RunFolder::full());
    let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at("<section id=\"timings\">") < at("<figure"));
    assert!(at("id=\"about-dpfactor\"") < at("<section id=\"penalties\">"));
    assert!(html.contains("<tr id=\"V_ADD_F64\"><td><a href=\"#V_ADD_F64\">V_ADD_F64</a></td>"));
}

#[test]
fn texts_of_a_run_are_escaped() {
    let html = report_of(&RunFolder::full());
    assert!(html.contains("&lt;script&gt;ends the wave&lt;/script&gt;"));
    assert_eq!(html.matches("<script>").count(), 1, "the page's own");
}

#[test]
fn nothing_is_fetched_from_elsewhere() {
    let html = report_of(&RunFolder::full());
    for fetching in ["src=", "url(", "@import", "<link rel=\"stylesheet\"", "fetch(", "<iframe"] {
        assert!(!html.contains(fetching), "{fetching}");
    }
    let elsewhere = html.matches("://").count();
    assert_eq!(elsewhere, html.matches("xmlns=\"http://www.w3.org/2000/svg\"").count());
    for target in html.split("href=\"").skip(1) {
        assert!(target.starts_with('#') || target.starts_with("data:,"), "{}", &target[..20]);
    }
}

#[test]
fn a_run_with_little_has_a_report_that_says_so() {
    let folder = RunFolder::new("card").timing("V_ADD_F32", ["4,4,4", "", ""], "ok", "", "");
    let before = folder.files();
    let html = report_of(&folder);
    assert!(html.contains("Not drawn:") && html.contains("there is no occupancy.csv"));
    assert!(html.contains("Not measured: no "));
    assert!(!html.contains("id=\"penalties\""));
    let after: Vec<_> = folder.files().into_iter().filter(|(path, _)| !path.ends_with("report.html")).collect();
    assert_eq!(before, after);
}

#[test]
fn readings_and_clock_are_summarised() {
    let estimates = "experiment,kind,quantity,value,low,high,readings,used,below_bound,doubled,late,moved,misplaced,not_concurrent,uneven,\
                     late_waves,shorter,alone,no_estimate,status,detail\n\
                     A/cycles,cycles,cycles per block,32,31.9,32.1,60,57,1,0,2,0,0,0,0,0,0,0,0,ok,\n\
                     B/cycles,cycles,cycles per block,32,32,32,60,60,0,0,0,0,0,0,0,0,0,0,0,ok,\n\
                     C/cycles,cycles,cycles per block,,,,60,0,0,0,0,0,0,0,0,0,0,0,60,unstable,doubled: all\n";
    let folder = RunFolder::new("card").timing("V_ADD_F32", ["4,4,4", "", ""], "ok", "", "");
    let folder = folder.file("estimates.csv", estimates);
    let html = report_of(&folder);
    for wanted in [
        "<dd>180 stored, 117 used, 60 of experiments without an estimate, 3 dropped: 1 below the bound of an issue interval per instruction, 2 \
         late (Hampel)</dd>",
        "<dd>unknown: GCN 1.1 has no S_MEMREALTIME</dd>",
    ] {
        assert!(html.contains(wanted), "no {wanted}");
    }
    assert!(!html.contains("A/cycles"), "thousands of experiments are no reading");

    let folder = folder.file("clock.csv", "launch,mhz,drift_share,windows\n0,1500,-0.004,90\n700,1200,0,30\n");
    let wanted = "; 1 step, at launch 700 from 1500 to 1200 MHz; drift -0.4 %</dd>";
    assert!(report_of(&folder).contains(wanted));
}
