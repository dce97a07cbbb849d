//! `gcn-timings site`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::browser::{WATCH, browser, said_in};
use crate::run_folder::{RunFolder, run};

/// Bytes that the site may have for each card.
const MOST_BYTES: u64 = 900_000;

/// A reader's actions on the first page, and the visible result.
const USE: &str = r##"<script>
  const search_field = document.querySelector("#search");
  const seen = () => Array.from(table.tBodies[0].rows).map(row => row.cells[0].textContent);
  const type = words => { search_field.value = words; search_field.dispatchEvent(new Event("input")); };
  const click = column => table.querySelector(`button[data-column="${column}"]`).click();
  const said = { all: count.textContent, first: seen().slice(0, 2) };
  type("v_add_f64");
  said.found = seen();
  said.cells = Array.from(table.tBodies[0].rows[0].cells).slice(1, 6).map(cell => cell.textContent);
  said.count = count.textContent;
  said.hash = location.hash;
  type("");
  click("card 0 latency"); said.fast = seen()[0];
  click("card 0 latency"); said.slow = seen()[0];
  said.sort = table.querySelector('[aria-sort]').getAttribute("aria-sort");
  type("nothing has this name"); said.none = seen();
  type("");
  const heads = () => table.tHead.rows[1].cells.length;
  said.columns = heads();
  document.querySelector('#quantities input[value="cycles"]').click(); said.more = heads();
  document.querySelector('#cards input[value="0"]').click(); said.fewer = heads();
  said.width = document.documentElement.scrollWidth <= window.innerWidth;
  const sticky = element => getComputedStyle(element).position;
  said.sticky = [sticky(table.tHead.rows[0].cells[0]), sticky(table.tHead.rows[1].cells[0]), sticky(table.tBodies[0].rows[0].cells[0])];
  said.wrong = window.wrong;
  const result = document.createElement("pre");
  result.id = "said"; result.textContent = JSON.stringify(said).replaceAll("<", "\\u003c");
  document.body.append(result);
</script>"##;

/// Results of the GPUs that ship.
fn reference() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference")
}

/// The site of all GPUs that ship, in a new folder.
fn shipped_site(folder: &Path) -> PathBuf {
    let out = folder.join("site");
    let said = run(&["site", reference().to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    out
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Cards of a site.
fn cards(out: &Path) -> usize {
    pages(&files(&out.join("cards"))).count()
}

/// The pages among some files.
fn pages(files: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "html"))
}

/// Where the links of a page lead: the parts of attributes in front of a fragment.
fn links(html: &str) -> BTreeSet<&str> {
    let targets = ["href=\"", "src=\""].into_iter().flat_map(|attribute| html.split(attribute).skip(1));
    let target = targets.filter_map(|rest| rest.split('"').next());
    target.filter(|target| *target != "data:,").collect()
}

#[test]
fn the_site_of_all_gpus_that_ship_is_small_whole_and_says_that_it_is_simulated() {
    let folder = tempfile::tempdir().unwrap();
    let out = shipped_site(folder.path());
    let files = files(&out);
    let bytes: u64 = files.iter().map(|file| file.metadata().unwrap().len()).sum();
    assert!(bytes < MOST_BYTES * cards(&out) as u64, "{bytes} bytes");
    let pages: Vec<&PathBuf> = pages(&files).collect();
    assert!(pages.len() > 1000, "{} pages", pages.len());
    for page in pages {
        let html = fs::read_to_string(page).unwrap();
        let body = html.split("<body>").nth(1).unwrap().trim_start();
        assert!(body.starts_with("<p class=\"banner\">Simulated: "), "{}: {}", page.display(), &body[..80]);
        for word in ["<td class=\"t\">differs</td>", "<td>match</td>", "<td>answers</td>"] {
            assert!(!html.contains(word), "{}: a verdict on a source: {word}", page.display());
        }
        // A reader may follow a link to a source; nothing else leads away.
        let is_source = |link: &&str| gcn_model::published::sources().iter().any(|source| source.url() == *link);
        for link in links(&html).into_iter().filter(|link| !is_source(link)) {
            assert!(!link.contains("://"), "{}: {link} is fetched from elsewhere", page.display());
            assert!(page.parent().unwrap().join(link).is_file(), "{}: {link} leads nowhere", page.display());
        }
    }
    let page = fs::read_to_string(out.join("instructions/V_ADD_F64.html")).unwrap();
    for wanted in [
        "v_add_f64",
        "readings behind these numbers are not shipped",
        "vega20",
        "DPFACTOR*4",
        "gcn-timings kernel V_ADD_F64 --gpu",
    ] {
        assert!(page.contains(wanted), "no {wanted}");
    }
    let card = fs::read_to_string(out.join("cards/vega20.html")).unwrap();
    for wanted in
        ["id=\"occupancy\"", "id=\"penalties\"", "DPFACTOR is 1 (double precision at 1/2 of single precision)", "<svg"]
    {
        assert!(card.contains(wanted), "no {wanted}");
    }
}

#[test]
fn the_first_page_is_searched_and_sorted_in_a_browser() {
    let Some(browser) = browser("the site") else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = shipped_site(folder.path());
    let (page, cards) = (out.join("index.html"), cards(&out));
    let html = fs::read_to_string(&page).unwrap();
    let watched =
        html.replacen("<head>", &format!("<head>{WATCH}"), 1).replacen("</body>", &format!("{USE}</body>"), 1);
    fs::write(&page, watched).unwrap();
    let said = said_in(&browser, &page, &folder.path().join("profile"), 1300);
    assert_eq!(said["wrong"], json!([]));
    assert_eq!(said["found"], json!(["V_ADD_F64"]));
    // Tahiti's, the first card: double precision at a quarter.
    let disputed = said["cells"][2].as_str().unwrap().to_owned();
    assert_eq!(said["cells"], json!(["VOP3, VOP2", "8, 4", disputed, "8", "1/2"]), "{said}");
    // Each card with its own dispute.
    assert!(disputed.starts_with("tahiti: 8 clrx, llvm, app-guide; 32 mesa-aco; 4 rga / "), "{disputed}");
    assert!(disputed.ends_with(" / rx7900xtx, rx9060xt, rx9070xt: 16 mesa-aco; 32 silicon-traces"), "{disputed}");
    assert!(said["count"].as_str().unwrap().starts_with("1 of "), "{said}");
    assert_eq!(said["hash"], "#v_add_f64");
    assert_ne!(said["fast"], said["slow"]);
    assert_eq!((&said["sort"], &said["none"]), (&json!("descending"), &json!([])));
    assert_eq!(
        (&said["columns"], &said["more"], &said["fewer"]),
        (&json!(2 * cards), &json!(3 * cards), &json!(3 * (cards - 1)))
    );
    assert_eq!(said["sticky"], json!(["sticky", "sticky", "sticky"]));
    assert_eq!(said["width"], true, "no scrolling sideways");
    // A phone; the browser's narrowest window is 500 pixels wide.
    let said = said_in(&browser, &page, &folder.path().join("profile"), 500);
    assert_eq!((&said["width"], &said["wrong"], &said["columns"]), (&json!(true), &json!([]), &json!(cards)));
}

#[test]
fn measured_cards_have_verdicts_and_texts_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("site");
    let measured = RunFolder::full();
    let said = run(&["site", measured.text(), measured.text(), "--out", out.to_str().unwrap()]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    let page = fs::read_to_string(out.join("instructions/V_FMA_F64.html")).unwrap();
    assert!(page.contains("<td class=\"t\">differs</td>") && !page.contains("banner"), "{page}");
    let page = fs::read_to_string(out.join("instructions/S_ENDPGM.html")).unwrap();
    assert!(page.contains("&lt;script&gt;ends the wave&lt;/script&gt;") && !page.contains("<script>"), "{page}");
    // Two runs of the same card have a page each.
    assert!(out.join("cards/card-a-b.html").is_file() && out.join("cards/card-a-b-2.html").is_file());
}

#[test]
fn nothing_is_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let (measured, out) = (RunFolder::full(), folder.path().join("site"));
    let place = out.to_str().unwrap();
    let site = |more: &[&str]| run(&[&["site", measured.text(), "--out", place], more].concat());
    fs::create_dir(&out).unwrap();
    fs::write(out.join("mine.txt"), "mine").unwrap();
    for more in [&[][..], &["--overwrite"]] {
        let said = site(more);
        assert!(said.code == Some(1) && said.error.contains("not empty, and not a site"), "{}", said.error);
    }
    fs::remove_file(out.join("mine.txt")).unwrap();
    assert_eq!(site(&[]).code, Some(0));
    let said = site(&[]);
    assert!(said.code == Some(1) && said.error.contains("--overwrite replaces it"), "{}", said.error);
    fs::write(out.join("instructions/OLD.html"), "old").unwrap();
    assert_eq!(site(&["--overwrite"]).code, Some(0));
    assert!(!out.join("instructions/OLD.html").exists(), "a page of the site before");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no leftovers");
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("site");
    let hostile = RunFolder::new("card").timing("../../V_NOP", ["4,4,4", "", ""], "ok", "", "");
    let said = run(&["site", hostile.text(), "--out", out.to_str().unwrap()]);
    assert!(said.code == Some(1) && said.error.contains("is no name of an instruction"), "{}", said.error);
    assert!(!out.exists());
}

#[test]
fn readings_are_drawn_where_they_were_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (measured, out) = (folder.path().join("run"), folder.path().join("site"));
    let [measured_in, place] = [&measured, &out].map(|path| path.to_str().unwrap());
    let arguments = ["measure", "--device", "sim:tahiti", "--only", "V_ADD_F64", "--samples", "8", "--sweeps", "1"];
    assert_eq!(run(&[&arguments[..], &["--out", measured_in]].concat()).code, Some(0));
    assert_eq!(run(&["site", measured_in, "--out", place]).code, Some(0));
    let page = fs::read_to_string(out.join("instructions/V_ADD_F64.html")).unwrap();
    let svg = page.split("class=\"readings\"").nth(1).and_then(|rest| rest.split("</svg>").next()).unwrap();
    assert!(svg.contains(">tahiti</text>") && svg.matches("<circle").count() >= 4, "{svg}");
    assert!(page.contains("A block is 1 V_ADD_F64"), "{page}");
    assert!(page.contains("v_add_f64       v[14:15], v[6:7], v[8:9]"), "the kernel");
}
