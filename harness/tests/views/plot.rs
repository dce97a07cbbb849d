//! `gcn-timings plot`.

use std::collections::HashMap;
use std::fs;

use crate::run_folder::{RunFolder, run};

/// The pictures, each with texts that it has to show.
const PICTURES: [(&str, &[&str]); 9] = [
    ("throughput", &["V_ADD_F32 (clrx: 1)", "waves per SIMD", "instructions / cycle / CU", NO_RISE]),
    (
        "published",
        &["measured / published", "llvm", "2 of 2 differ", "× 0.5 (1): V_FMA_F64", "× 2 (1): V_ADD_F64", FAR],
    ),
    ("alignment", &["V_ADD_F64", "4 waves per SIMD", "dword of the 64-byte line", "8", "8 cycles", AT_DWORDS]),
    ("jumps", &["forward: S_BRANCH", "dword of the 64-byte line", "8 cycles"]),
    ("masking", &["alignment: V_ADD_F64", "2 waves per SIMD", "8", HIDDEN]),
    ("scheduling", &["producer", "consumer", "V_ADD_I32", "S_MOV_B32", "16", WAITS]),
    ("occupancy", &["VGPRs of a wave", "128", "instructions / cycle", "A SIMD holds 10 waves of 24 VGPRs, 2 of 128"]),
    (
        "lds-strides",
        &["stride from lane to lane, dwords", "penalty, cycles", "32", "Strides cost up to 32 cycles at 32"],
    ),
    ("readings", &["Readings of V_ADD_F64 (16 cycles): none of 3 dropped", "8 blocks: 2 readings from 100 cycles"]),
];

/// What follows from the run's tables, as the titles say it.
const NO_RISE: &str = "More waves do not raise the throughput of V_ADD_F32";
const FAR: &str = "1 of 2 sources agree with all measured cycles; llvm differs most, in 2 of 2 values";
const AT_DWORDS: &str = "A 2-dword instruction at dwords 3 to 7 of 16 costs 8 cycles more, at dwords 0 to 2 none";
const HIDDEN: &str = "Of the penalties that 1 wave per SIMD has, 2 waves hide 2 of 3 and 4 waves hide 2 of 3";
const WAITS: &str = "On 1 wave per SIMD 1 of 2 pairs waits, 16 cycles at most (V_ADD_I32 > S_MOV_B32)";

/// The texts of a picture, in their order.
fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    assert_eq!(document.root_element().tag_name().name(), "svg");
    let elements = document.descendants().filter(|node| node.has_tag_name("text"));
    elements.filter_map(|node| Some(node.text()?.trim().to_owned())).collect()
}

#[test]
fn every_picture_is_well_formed_and_titled() {
    let folder = RunFolder::full();
    let said = run(&["plot", folder.text()]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    for (name, labels) in PICTURES {
        let path = folder.path().join("plots").join(name).with_extension("svg");
        let texts = texts(&fs::read_to_string(&path).unwrap());
        for label in labels.iter().chain(&["card <A> & B, run 2026-01-02T03:04:05Z"]) {
            assert!(texts.iter().any(|text| text == label), "{name}: no {label:?} in {texts:?}");
        }
    }
}

#[test]
fn texts_of_one_place_are_not_drawn_on_each_other() {
    let folder = RunFolder::full();
    run(&["plot", folder.text()]);
    for (name, _) in PICTURES {
        let svg = fs::read_to_string(folder.path().join("plots").join(name).with_extension("svg")).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let mut at: HashMap<(String, String), String> = HashMap::new();
        for node in document.descendants().filter(|node| node.has_tag_name("text")) {
            let place = |name| node.attribute(name).unwrap().to_owned();
            let text = node.text().unwrap().trim().to_owned();
            let other = at.insert((place("x"), place("y")), text.clone());
            assert_eq!(other, None, "{name}: {text:?} lies on another text");
        }
    }
}

#[test]
fn missing_data_are_named_and_nothing_else_is_touched() {
    let folder = RunFolder::new("card").timing("V_ADD_F32", ["4,4,4", "", ""], "ok", "", "");
    let before = folder.files();
    let said = run(&["plot", folder.text()]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    for (name, _) in PICTURES {
        let line = said.out.lines().find(|line| line.starts_with(&format!("{name}: not drawn: ")));
        assert!(line.is_some_and(|line| line.len() > name.len() + 20), "{name}: {}", said.out);
    }
    assert_eq!(before, folder.files());
}

#[test]
fn the_instruction_of_the_readings_can_be_chosen() {
    let folder = RunFolder::full();
    let said = run(&["plot", folder.text(), "--instruction", "v_add_f32"]);
    assert!(said.out.contains("readings: not drawn: readings.csv has no experiment V_ADD_F32/cycles"), "{}", said.out);
    let said = run(&["plot", folder.text(), "--instruction", "V_NONE"]);
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
    assert!(said.error.contains("V_NONE"), "{}", said.error);
}

#[test]
fn png_needs_a_font_and_says_so() {
    let folder = RunFolder::full();
    let no_font = folder.path().join("run.json");
    let said = run(&["plot", folder.text(), "--png", "--font", no_font.to_str().unwrap()]);
    assert_eq!(said.code, Some(1));
    assert!(said.error.contains("run.json") && said.error.contains("font"), "{}", said.error);
    assert!(!folder.path().join("plots").exists(), "nothing is drawn before the font is found");
    let said = run(&["plot", folder.text(), "--png"]);
    if said.code == Some(0) {
        let png = fs::read(folder.path().join("plots/throughput.png")).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n"));
    } else {
        assert!(said.error.contains("no font for PNG was found") && said.error.contains("--font"), "{}", said.error);
    }
}

#[test]
fn dropped_readings_are_marked_with_their_rule() {
    let mut readings =
        "experiment,launch,n,pass,wave,begin,end,hw_id,hw_id_end,realtime_begin,realtime_end\n".to_owned();
    for (n, pass) in [8, 16, 32].into_iter().flat_map(|n| (0..12).map(move |pass| (n, pass))) {
        // The last but one takes less than 4 cycles for each of 8 n instructions, and the last is late.
        let cycles = 41 + 32 * n + pass % 3;
        let cycles = [cycles, 32 * n - 9, cycles + 600][(pass as usize).saturating_sub(9)];
        readings += &format!("V_ADD_F32/cycles,0,{n},{pass},0,1000,{},0,0,,\n", 1000 + cycles);
    }
    let experiments = "experiment,place,kind,instruction,encoding,bytes,waves_per_simd,targets_per_block,fillers_per_block,filler,repeats,\
                       assembly,initial_values,status,detail\nV_ADD_F32/cycles,0,cycles,V_ADD_F32,VOP2,4,1,8,0,,1,i,,ok,\n";
    let folder = RunFolder::new("card").timing("V_ADD_F32", ["4,4,4", "", ""], "ok", "", "");
    let folder = folder.file("readings.csv", &readings).file("experiments.csv", experiments);
    assert_eq!(run(&["plot", folder.text()]).code, Some(0));
    let texts = texts(&fs::read_to_string(folder.path().join("plots/readings.svg")).unwrap());
    let title = "8 blocks: 12 readings from 297 cycles; dropped: 1 below the bound of an issue interval per instruction, 1 late (Hampel)";
    assert!(texts.iter().any(|text| text == title), "{texts:?}");
}

#[test]
fn pictures_formats_and_paper_can_be_chosen() {
    let folder = RunFolder::full();
    let said = run(&["plot", folder.text(), "--only", "alignment", "--only", "masking", "--theme", "dark"]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    let mut names: Vec<String> = fs::read_dir(folder.path().join("plots"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["alignment-dark.svg", "masking-dark.svg"]);
    let dark = fs::read_to_string(folder.path().join("plots/alignment-dark.svg")).unwrap();
    assert!(!dark.contains("\"#FFFFFF\"") && !dark.contains("\"#000000\""), "no white paper and no black ink");
    assert_eq!(run(&["plot", folder.text(), "--only", "alignment"]).code, Some(0));
    let light = fs::read_to_string(folder.path().join("plots/alignment.svg")).unwrap();
    assert_eq!(texts(&light), texts(&dark));
}

#[test]
fn a_wrong_picture_lists_the_right_ones_and_makes_no_folder() {
    let folder = RunFolder::full();
    let said = run(&["plot", folder.text(), "--only", "alignments"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    for (name, _) in PICTURES {
        assert!(said.error.contains(name), "{name}: {}", said.error);
    }
    let said = run(&["plot", folder.text(), "--font", "some.ttf"]);
    assert_eq!(said.code, Some(1));
    assert!(said.error.contains("--format svg,png"), "{}", said.error);
    assert!(!folder.path().join("plots").exists());
}

#[test]
fn throughput_is_drawn_of_the_chosen_instructions_and_not_over_gaps() {
    let throughput = "instruction,waves_per_simd,throughput,low,high,status,detail,case\n\
        V_MAX_F32,1,0.5,0.5,0.5,ok,,\nV_MAX_F32,2,,,,unstable,,\nV_MAX_F32,4,0.75,0.75,0.75,ok,,\nV_MAX_F32,8,1,1,1,ok,,\n";
    let folder = RunFolder::new("card").timing("V_MAX_F32", ["4,4,4", "", ""], "ok", "", "");
    let folder = folder.timing("V_MIN_F32", ["4,4,4", "", ""], "ok", "", "").file("throughput.csv", throughput);
    let chosen = ["--only", "throughput", "--instruction", "v_max_f32", "--instruction", "V_MIN_F32"];
    let said = run(&[&["plot", folder.text()], &chosen[..]].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    let svg = fs::read_to_string(folder.path().join("plots/throughput.svg")).unwrap();
    let texts = texts(&svg);
    for text in ["V_MAX_F32 (unpublished)", "V_MIN_F32 (unpublished)", "not measured"] {
        assert!(texts.iter().any(|said| said == text), "no {text:?} in {texts:?}");
    }
    let title = "More waves raise the throughput of V_MAX_F32";
    assert!(texts.iter().any(|said| said == title), "{texts:?}");
    // Four numbers of waves, of which the second has no number: one line leads from the third to the fourth, and none from the first.
    let document = roxmltree::Document::parse(&svg).unwrap();
    let is_line =
        |node: &roxmltree::Node<'_, '_>| node.has_tag_name("polyline") && node.attribute("stroke") == Some("#0072B2");
    assert_eq!(document.descendants().filter(is_line).count(), 1);
}
