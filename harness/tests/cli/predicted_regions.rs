//! `predict --region`.

use serde_json::Value;

use super::predicted::of_text;
use super::wrong_use;

/// A loop with a label that is in the object file, one with a private label, and marked code between them.
const CODE: &str = "v_nop\nouter:\nv_rcp_f32 v1, v0\ns_branch outer\n; GCN-BEGIN hot part\nv_mul_f32 v1, v0, v0\n; GCN-END\n\
                    .Linner: v_nop\n.Lrest:\ns_branch .Linner\nend:\n";

fn regions(arguments: &[&str]) -> Vec<Value> {
    let said = of_text(CODE, &[arguments, &["--gpu", "fiji", "--json"]].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{arguments:?}");
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    let regions = answer["predictions"].as_array().unwrap();
    regions.iter().map(|prediction| prediction["region"].clone()).collect()
}

#[test]
fn a_region_is_chosen_by_name_label_or_address() {
    let of = |choice: &str| {
        let chosen = regions(&["--region", choice]);
        let [region] = chosen.as_slice() else { panic!("{choice} is one region") };
        assert_eq!(region["name"], choice);
        (
            region["start"].as_u64().unwrap(),
            region["end"].as_u64().unwrap(),
            region["kind"].as_str().unwrap().to_owned(),
        )
    };
    assert_eq!(of("hot part"), (0xc, 0x10, "marked".to_owned()));
    let outer = (0x4, 0xc, "loop".to_owned());
    for choice in ["loop at 0x4", "outer", "0x4..0xc"] {
        assert_eq!(of(choice), outer, "{choice}");
    }
    let inner = (0x10, 0x18, "loop".to_owned());
    for choice in [".Linner", ".Linner..end", ".Linner..0x18"] {
        assert_eq!(of(choice), inner, "{choice}");
    }
    assert_eq!(of(".Linner...Lrest"), (0x10, 0x14, "marked".to_owned()));
    assert_eq!(of("0x0..outer"), (0x0, 0x4, "marked".to_owned()));
    let both = regions(&["--region", ".Linner", "--region", "outer"]);
    assert_eq!(both.iter().map(|region| &region["name"]).collect::<Vec<_>>(), [".Linner", "outer"]);
}

#[test]
fn unknown_regions_are_refused_with_the_known_ones() {
    let of = |choice: &str| {
        let said = of_text(CODE, &["--gpu", "fiji", "--region", choice]);
        assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{choice}");
        said.error
    };
    let there = "there are regions: hot part, loop at 0x4, loop at 0x10; labels: ";
    let cold = of("cold part");
    assert!(
        cold.starts_with("gcn-timings: -: --region cold part: there is no such region; ") && cold.contains(there),
        "{cold}"
    );
    for label in ["outer", ".Linner", ".Lrest", "end"] {
        assert!(cold.contains(label), "{label}: {cold}");
    }
    assert!(!cold.contains("gcn_timings_"), "{cold}");
    assert!(of("outer..inner").contains("there is no label inner; "));
    assert!(of("0x0..0x40").contains("0x40 is not an address of the code; "));
    assert!(of("end..outer").contains("its end is not after its start in the same kernel"));
    let long = of_text("v_mul_f32 v1, 0x3fc00000, v0\n", &["--gpu", "fiji", "--region", "0x4..0x8"]);
    assert!(long.error.contains("0x4 is inside of the instruction at 0x0, v_mul_f32"), "{}", long.error);
    assert!(wrong_use(&["predict", "a.s", "--region", "a.."]).contains("a label or an address is missing"));
    // A label in a part that is not assembled has no address; the others are still there.
    let skipped = of_text(&format!(".if 0\n.Lnever:\n.endif\n{CODE}"), &["--gpu", "fiji", "--region", "outer"]);
    assert_eq!((skipped.code, skipped.error.as_str()), (Some(0), ""));
}

#[test]
fn errors_point_at_the_written_text() {
    let said = of_text(".Lone: v_nop\n.Ltwo: v_wrong v1\n", &["--gpu", "fiji"]);
    assert!(said.code == Some(1) && said.error.contains("2:8: "), "{}", said.error);
}
