//! The report in a real browser, if there is one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::report::report_of;
use crate::run_folder::RunFolder;

/// Names under which Chromium and Chrome are installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Collects what goes wrong while the page loads.
pub(crate) const WATCH: &str = "<script>window.wrong = []; \
    window.addEventListener('error', event => window.wrong.push(String(event.message)), true); \
    window.addEventListener('unhandledrejection', event => window.wrong.push(String(event.reason)));</script>";

/// Sorts and filters the table of timings as a user would, and writes the visible rows.
const USE: &str = r##"<script>
  const table = document.querySelector("#timings table");
  const seen = () => Array.from(table.tBodies[0].rows).filter(row => !row.hidden).map(row => row.cells[0].textContent);
  const head = name => Array.from(table.querySelectorAll("th button")).find(button => button.textContent === name);
  const said = { plain: seen() };
  head("cycles").click(); said.ascending = seen();
  head("cycles").click(); said.descending = seen();
  said.sort = head("cycles").parentElement.getAttribute("aria-sort");
  head("instruction").click(); said.names = seen();
  const input = document.querySelector("#timings input");
  input.value = "f64 v_add"; input.dispatchEvent(new Event("input")); said.filtered = seen();
  said.count = document.querySelector("#timings .filter span").textContent;
  input.value = ""; input.dispatchEvent(new Event("input")); said.all = seen().length;
  said.pictures = Array.from(document.querySelectorAll("figure svg")).filter(svg => svg.getBoundingClientRect().height > 100).length;
  said.width = document.documentElement.scrollWidth <= window.innerWidth;
  said.wrong = window.wrong;
  const result = document.createElement("pre");
  result.id = "said"; result.textContent = JSON.stringify(said).replaceAll("<", "\\u003c");
  document.body.append(result);
</script>"##;

/// The browser that is installed; a test that goes on without one says so.
#[expect(clippy::print_stderr, reason = "a skipped test has to say so")]
pub(crate) fn browser(what: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let mut places = BROWSERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = places.find(|path| path.is_file());
    if found.is_none() {
        assert!(env::var_os("GCN_TIMINGS_NEED_BROWSER").is_none(), "none of {} is installed", BROWSERS.join(", "));
        eprintln!("SKIPPED: {what} was not tried in a browser, none of {} is installed", BROWSERS.join(", "));
    }
    found
}

/// The page's own statement in a window of a width.
pub(crate) fn said_in(browser: &Path, page: &Path, profile: &Path, width: u32) -> serde_json::Value {
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--enable-logging=stderr",
            "--dump-dom",
        ])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!error.contains("CONSOLE"), "the page complains: {error}");
    let dom = String::from_utf8_lossy(&output.stdout);
    let said = dom.split("<pre id=\"said\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let said = said.unwrap_or_else(|| panic!("the page did not run: {error}\n{dom}"));
    serde_json::from_str(&said.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).unwrap()
}

#[test]
fn tables_sort_and_filter_in_a_browser() {
    let Some(browser) = browser("the report") else { return };
    let html = report_of(&RunFolder::full());
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let watched =
        html.replacen("<head>", &format!("<head>{WATCH}"), 1).replacen("</body>", &format!("{USE}</body>"), 1);
    fs::write(&page, watched).unwrap();
    let said = said_in(&browser, &page, &folder.path().join("profile"), 1200);
    let names = ["V_ADD_F32", "V_ADD_F64", "V_FMA_F64", "S_ENDPGM"];
    assert_eq!(said["wrong"], serde_json::json!([]));
    assert_eq!(said["plain"], serde_json::json!(names), "the run's own order");
    assert_eq!(said["ascending"], serde_json::json!(["V_ADD_F32", "V_FMA_F64", "V_ADD_F64", "S_ENDPGM"]));
    assert_eq!(said["descending"], serde_json::json!(["V_ADD_F64", "V_FMA_F64", "V_ADD_F32", "S_ENDPGM"]));
    assert_eq!(said["sort"], "descending");
    assert_eq!(said["names"], serde_json::json!(["S_ENDPGM", "V_ADD_F32", "V_ADD_F64", "V_FMA_F64"]));
    assert_eq!(said["filtered"], serde_json::json!(["V_ADD_F64"]));
    assert_eq!((&said["count"], &said["all"]), (&"1 of 4 rows".into(), &4.into()));
    assert_eq!(said["pictures"], 9);
    // A phone; the browser's narrowest window is 500 pixels wide.
    let said = said_in(&browser, &page, &folder.path().join("profile"), 500);
    assert_eq!((&said["width"], &said["wrong"]), (&true.into(), &serde_json::json!([])), "no scrolling sideways");
}
