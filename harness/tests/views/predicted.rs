//! The page of `predict`, as text and in a real browser.

use std::fs;

use crate::browser::{WATCH, browser, said_in};
use crate::run_folder::run;

/// Two regions, the first with a name that runs if it is not escaped.
const CODE: &str = "; GCN-BEGIN <script>window.wrong.push(\"1\")</script> & more\nds_read_b32 v1, v0\ns_waitcnt lgkmcnt(0)\n\
    v_rcp_f32 v2, v1\n; GCN-END\n; GCN-BEGIN second\nv_mul_f32 v3, v4, v5\n; GCN-END\n";

/// Chooses lines and parts of the picture as a user would, and writes the marked ones.
const USE: &str = r##"<script>
  const section = document.querySelector("section.prediction");
  const rows = Array.from(section.querySelectorAll(".listing tbody tr"));
  const svg = section.querySelector(".inner svg");
  const all = Array.from(svg.querySelectorAll("rect"));
  const click = element => element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const key = name => svg.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  const marked = () => ({
    lines: rows.filter(row => row.classList.contains("on")).map(row => row.dataset.line),
    pressed: rows.filter(row => row.querySelector("button").getAttribute("aria-pressed") === "true").map(row => row.dataset.line),
    parts: all.filter(part => part.classList.contains("on")).map(part => part.dataset.line),
    of: all.filter(part => part.dataset.line === "1").length,
    here: all.filter(part => part.classList.contains("here")).length,
    text: section.querySelector(".said").textContent,
  });
  const said = { plain: marked() };
  rows[1].querySelector("button").click(); said.line = marked();
  rows[1].querySelector("button").click(); said.again = marked();
  const part = all.filter(part => part.dataset.line === "2")[0];
  click(part); said.part = marked();
  const place = all.indexOf(part);
  key("ArrowRight"); said.right = all.findIndex(part => part.classList.contains("here")) - place;
  const wave = () => svg.querySelector(".here").parentElement.dataset.wave;
  const first = wave();
  key("ArrowDown"); said.down = [first, wave()];
  key("ArrowUp"); said.up = wave();
  key("Escape"); said.escaped = marked();
  const inner = section.querySelector(".inner");
  const time = section.querySelector(".time");
  const zoom = name => { section.querySelector("[data-zoom='" + name + "']").click(); return inner.clientWidth > time.clientWidth; };
  said.all = zoom("0"); said.near = [zoom("2"), zoom("2"), zoom("2")][2];
  const cycles = Number(inner.dataset.cycles);
  said.filled = Array.from(svg.querySelectorAll("g"), wave =>
    Array.from(wave.children).reduce((sum, part) => sum + Number(part.getAttribute("width")), 0) === cycles);
  said.colours = new Set(all.map(part => getComputedStyle(part).fill)).size;
  said.kinds = new Set(all.map(part => part.classList[0])).size;
  said.width = document.documentElement.scrollWidth <= window.innerWidth;
  said.small = Array.from(document.querySelectorAll(".tools button")).filter(button => button.getBoundingClientRect().height < 24).length;
  said.wrong = window.wrong;
  const result = document.createElement("pre");
  result.id = "said"; result.textContent = JSON.stringify(said).replaceAll("<", "\\u003c");
  document.body.append(result);
</script>"##;

/// The page of such a code.
fn page() -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("code.s");
    fs::write(&file, CODE).unwrap();
    let said = run(&["predict", file.to_str().unwrap(), "--gpu", "fiji", "--waves", "2", "--format", "html"]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    said.out
}

#[test]
fn figures_are_in_the_page_without_javascript_and_nothing_is_fetched() {
    let html = page();
    assert!(html.contains("<body>\n<header>\n<p class=\"warning\"><strong>Simulated: "), "it stands at the top");
    for wanted in [
        "Simulated: these cycles were not measured on a card.",
        "<h2>&lt;script&gt;window.wrong.push(&quot;1&quot;)&lt;/script&gt; &amp; more, 2 waves on each of 4 SIMDs</h2>",
        "<button type=\"button\" aria-pressed=\"false\">ds_read_b32 v1, v0</button>",
        "LDS takes 64 cycles each time, which is an estimate (--memory sets another), without bank conflicts",
        "<dt>Bound by</dt><dd>",
        "the LDS bus model",
        "SIMD 3 wave 7",
        "prefers-color-scheme: dark",
        "name=\"viewport\"",
    ] {
        assert!(html.contains(wanted), "no {wanted}");
    }
    assert_eq!(html.matches("<script>").count(), 1, "the page's own");
    assert_eq!(html.matches("<svg ").count(), 2, "a picture for each prediction");
    for fetching in ["src=", "url(", "@import", "<link rel=\"stylesheet\"", "fetch(", "<iframe", "://"] {
        assert!(!html.contains(fetching), "{fetching}");
    }
}

#[test]
fn lines_and_their_time_mark_each_other_in_a_browser() {
    let Some(browser) = browser("the page of predict") else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let html = page();
    let watched =
        html.replacen("<head>", &format!("<head>{WATCH}"), 1).replacen("</body>", &format!("{USE}</body>"), 1);
    fs::write(&file, watched).unwrap();
    // A desk, and a phone; the browser's narrowest window is 500 pixels wide.
    for width in [1200, 500] {
        let said = said_in(&browser, &file, &folder.path().join("profile"), width);
        let list = |value: &serde_json::Value| -> Vec<String> { serde_json::from_value(value.clone()).unwrap() };
        assert_eq!(said["wrong"], serde_json::json!([]));
        for nothing in ["plain", "again", "escaped"] {
            let marked = &said[nothing];
            assert!(list(&marked["lines"]).is_empty() && list(&marked["parts"]).is_empty(), "{nothing}: {marked}");
            assert_eq!(marked["text"], "Nothing is chosen.");
        }
        let line = &said["line"];
        assert_eq!((list(&line["lines"]), list(&line["pressed"])), (vec!["1".to_owned()], vec!["1".to_owned()]));
        let parts = list(&line["parts"]);
        assert!(parts.len() >= 16 && parts.iter().all(|part| part == "1"), "{line}");
        assert_eq!(line["of"], parts.len(), "all parts of the line are marked");
        let part = &said["part"];
        assert_eq!((list(&part["lines"]), &part["here"]), (vec!["2".to_owned()], &1.into()));
        assert!(list(&part["parts"]).iter().all(|part| part == "2"));
        let text = part["text"].as_str().unwrap();
        assert!(text.starts_with("SIMD 0 wave 0, cycle ") && text.ends_with("v_rcp_f32 v2, v1"), "{text}");
        assert_eq!(
            (&said["right"], &said["down"], &said["up"]),
            (&1.into(), &serde_json::json!(["0", "4"]), &"0".into())
        );
        assert_eq!((&said["all"], &said["near"]), (&false.into(), &true.into()), "zooming");
        assert_eq!(said["filled"], serde_json::json!(vec![true; 8]));
        assert!(said["colours"].as_u64() > Some(1) && said["colours"] == said["kinds"], "{said}");
        assert_eq!((&said["width"], &said["small"]), (&true.into(), &0.into()), "no scrolling sideways, nothing tiny");
    }
}
