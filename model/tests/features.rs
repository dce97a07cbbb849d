//! Rows of instructions that go by target features.

use gcn_model::isa::{Generation, IsaError, OperandKind, processor};

/// A generation of two targets, one of which has a feature; its instructions are these rows.
fn registered(name: &str, rows: &str) -> Result<Generation, IsaError> {
    let facts = include_str!("../data/generations/gfx9/generation.toml");
    let facts = facts.replace("name = \"gfx9\"", &format!("name = \"{name}\"")).replace("clrx_name = \"1.4\"\n", "");
    let targets = format!("target,mach,features,source\n{name}01,0xf1,odd,made up\n{name}02,0xf2,,made up\n");
    let instructions = format!("encoding,name,opcode,feature,operands,source\n{rows}");
    Generation::register(&[
        ("made/generation.toml", facts.as_str()),
        ("made/encodings.csv", include_str!("../data/generations/gfx9/encodings.csv")),
        ("made/fields.csv", include_str!("../data/generations/gfx9/fields.csv")),
        ("made/hazards.csv", include_str!("../data/generations/gfx9/hazards.csv")),
        ("made/targets.csv", targets.as_str()),
        ("made/instructions.csv", instructions.as_str()),
    ])
}

#[test]
fn a_name_can_be_another_instruction_on_another_target() {
    let rows = "SOP1,S_MADE_B32,0,odd,sdst:s32:w ssrc0:ssrc32,made up\n\
                SOP1,S_MADE_B32,0,-odd,sdst:s64:w ssrc0:ssrc32,made up\n";
    registered("gfxodd", rows).expect("no target has both");
    let registers = |target| {
        let instructions: Vec<_> = processor(target).instructions().collect();
        assert_eq!(processor(target).instruction("S_MADE_B32"), instructions.first().copied());
        assert_eq!((instructions.len(), instructions[0].operands[0].kind), (1, OperandKind::Sgpr));
        instructions[0].operands[0].registers()
    };
    assert_eq!((registers("gfxodd01"), registers("gfxodd02")), (1, 2));
}

#[test]
fn duplicates_of_a_target_are_refused() {
    let row = |name: &str, opcode: u8, feature: &str| {
        format!("SOP1,{name},{opcode},{feature},sdst:s32:w ssrc0:ssrc32,made up\n")
    };
    let error = |rows: [String; 2]| registered("gfxtwice", &rows.concat()).unwrap_err().to_string();
    for feature in ["", "odd", "-odd"] {
        let name = error([row("S_MADE_B32", 0, feature), row("S_MADE_B32", 1, "")]);
        assert!(name.contains("line 3") && name.contains("name"), "{name}");
        let opcode = error([row("S_MADE_B32", 0, feature), row("S_OTHER_B32", 0, "")]);
        assert!(opcode.contains("line 3") && opcode.contains("opcode"), "{opcode}");
    }
}

#[test]
fn a_feature_that_no_row_could_go_by_is_refused() {
    for feature in ["od", "-od"] {
        let row = format!("SOP1,S_MADE_B32,0,{feature},sdst:s32:w ssrc0:ssrc32,made up\n");
        let error = registered("gfxtypo", &row).unwrap_err().to_string();
        assert!(error.starts_with("made/instructions.csv, line 2, column feature: "), "{error}");
    }
}

#[test]
fn rows_go_by_the_size_of_waves_and_by_several_features() {
    let rows = "SOP1,S_MADE_B32,0,wavefrontsize64,sdst:s32:w ssrc0:ssrc32,made up\n\
                SOP1,S_OTHER_B32,1,wavefrontsize64 odd,sdst:s32:w ssrc0:ssrc32,made up\n\
                SOP1,S_OTHER_B32,1,-odd,sdst:s64:w ssrc0:ssrc32,made up\n";
    registered("gfxwide", rows).expect("no target has both");
    let bits = |target| processor(target).instruction("S_OTHER_B32").map(|row| row.operands[0].bits);
    assert_eq!((bits("gfxwide01"), bits("gfxwide02")), (Some(32), Some(64)));
    assert!(processor("gfxwide01").instruction("S_MADE_B32").is_some());
    let row = "SOP1,S_MADE_B32,0,wavefrontsize32,sdst:s32:w ssrc0:ssrc32,made up\n";
    assert!(registered("gfxnarrow", row).is_err(), "its waves have 64 lanes");
}
