//! Classes of instructions: the column agrees with the manuals' way of naming, so that a new row does not lack one.

use gcn_model::isa::{Encoding, Generation, Instruction, InstructionClass};

/// Whether a class's name rule holds for an instruction.
type Rule = fn(&Instruction) -> bool;

fn is_memory(instruction: &Instruction) -> bool {
    use Encoding::{Flat, Mimg, Mtbuf, Mubuf, Smem, Smrd, Tensor, Vsample};
    matches!(instruction.encoding, Flat | Mimg | Mtbuf | Mubuf | Smem | Smrd | Tensor | Vsample)
}

fn has_part(instruction: &Instruction, part: &str) -> bool {
    instruction.name.split('_').any(|found| found == part)
}

/// Whether a name, or that of half of a pair, begins so.
fn begins(instruction: &Instruction, with: &str) -> bool {
    instruction.name.replacen("V_DUAL_", "V_", 1).starts_with(with)
}

/// The classes that names tell.
const RULES: [(InstructionClass, Rule); 34] = [
    (InstructionClass::Load, |it| is_memory(it) && has_part(it, "LOAD")),
    (InstructionClass::Store, |it| is_memory(it) && has_part(it, "STORE")),
    (InstructionClass::Atomic, |it| is_memory(it) && has_part(it, "ATOMIC")),
    (InstructionClass::ScalarBufferLoad, |it| it.name.starts_with("S_BUFFER_LOAD_")),
    (InstructionClass::BranchUnit, |it| {
        it.encoding == Encoding::Sopp
            && ["BRANCH", "CBRANCH", "SENDMSG", "SENDMSGHALT", "TRAP"].iter().any(|part| has_part(it, part))
    }),
    (InstructionClass::Message, |it| {
        it.name.starts_with("S_SENDMSG") && !has_part(it, "RTN") || it.name == "S_TTRACEDATA"
    }),
    (InstructionClass::ReadsVccz, |it| it.name.starts_with("S_CBRANCH_VCC")),
    (InstructionClass::ReadsExecz, |it| it.name.starts_with("S_CBRANCH_EXEC")),
    (InstructionClass::DivFmas, |it| it.name.starts_with("V_DIV_FMAS_")),
    (InstructionClass::WritesExec, |it| ["CMPX", "CMPSX", "SAVEEXEC", "WREXEC"].iter().any(|part| has_part(it, part))),
    (InstructionClass::Compare, |it| it.encoding == Encoding::Vopc),
    (InstructionClass::ScalarCompare, |it| {
        ["S_CMP_", "S_CMPK_", "S_BITCMP"].iter().any(|beginning| it.name.starts_with(beginning))
    }),
    (InstructionClass::Select, |it| begins(it, "V_CNDMASK_")),
    // Nothing says what those of GCN 1.4 with REGRD and REGWR in their names do with lanes.
    (InstructionClass::LaneAccess, |it| ["V_READLANE_B32", "V_WRITELANE_B32"].contains(&it.name.as_str())),
    (InstructionClass::LaneRead, |it| ["V_READLANE_B32", "V_READFIRSTLANE_B32"].contains(&it.name.as_str())),
    (InstructionClass::SetRegister, |it| it.name.starts_with("S_SETREG_")),
    (InstructionClass::GetRegister, |it| it.name.starts_with("S_GETREG_")),
    (InstructionClass::SetVskip, |it| it.name == "S_SETVSKIP"),
    (InstructionClass::ReturnFromException, |it| has_part(it, "RFE")),
    (InstructionClass::GlobalWaveSync, |it| has_part(it, "GWS")),
    (InstructionClass::ReadsM0, |it| {
        let is_of_parameters = it.encoding == Encoding::Ldsdir || it.name.ends_with("_BLOCK");
        is_of_parameters
            || has_part(it, "ADDTID")
            || ["S_MOVRELS", "S_MOVRELD"].iter().any(|name| it.name.starts_with(name))
    }),
    (InstructionClass::FarOffsets, |it| it.name.contains("2ST64_") || it.name.contains("STRIDE64_")),
    (InstructionClass::Packed, |it| it.name.starts_with("V_PK_") && it.name.ends_with("16")),
    (InstructionClass::MatrixNegation, |it| it.name.starts_with("V_MFMA_F64_") && it.name.ends_with("_F64")),
    (InstructionClass::Matrix, |it| {
        it.encoding == Encoding::Vop3p
            && ["MFMA", "SMFMAC", "ACCVGPR"].iter().any(|part| has_part(it, part))
            && !has_part(it, "SCALE")
    }),
    (InstructionClass::MixedFormats, |it| it.name.ends_with("_F8F6F4")),
    (InstructionClass::MatrixScale, |it| it.name.contains("_LD_SCALE")),
    (InstructionClass::Dot, |it| begins(it, "V_DOT")),
    (InstructionClass::WaveMatrix, |it| {
        (has_part(it, "WMMA") || has_part(it, "SWMMAC")) && !it.name.contains("_LD_SCALE")
    }),
    (InstructionClass::Transcendental, |it| {
        let functions = ["EXP", "LOG", "RCP", "RSQ", "SQRT", "SIN", "COS", "TANH"];
        it.name.starts_with("V_S_")
            || it.encoding == Encoding::Vop1 && it.name.split('_').nth(1).is_some_and(|part| functions.contains(&part))
    }),
    (InstructionClass::LaneSwap, |it| it.name.starts_with("V_PERMLANE") && has_part(it, "SWAP")),
    (InstructionClass::DoubleFma, |it| {
        ["V_FMA_F64", "V_FMAC_F64", "V_FMAMK_F64", "V_FMAAK_F64", "V_DUAL_FMA_F64_E96"].contains(&it.name.as_str())
    }),
    (InstructionClass::TruthTable, |it| has_part(it, "BITOP3") || has_part(it, "BITOP2")),
    (InstructionClass::VgprsAlone, |it| {
        it.name.starts_with("V_PERMLANE")
            || it.encoding == Encoding::Vinterp
            || it.is(InstructionClass::WaveMatrix)
            || it.name.starts_with("V_CVT_SCALE_PK")
            || has_part(it, "SCALEF32")
                && it.operands.iter().any(|operand| operand.name.starts_with("src") && operand.bits > 32)
    }),
];

#[test]
fn names_and_classes_agree() {
    for generation in Generation::all() {
        for instruction in generation.instructions() {
            for (class, rule) in RULES {
                let (is, named) = (instruction.is(class), rule(instruction));
                assert_eq!(is, named, "{} {}: {class:?}", generation.name(), instruction.name);
            }
        }
    }
}

/// The name of a class in the files.
fn written(class: InstructionClass) -> String {
    let mut name = String::new();
    for letter in format!("{class:?}").chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

#[test]
fn each_class_of_a_shared_row_follows_from_the_row_alone() {
    // What differs between generations cannot be a class of a row that they share.
    let told = RULES.map(|(class, _)| written(class));
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/data/isa")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "csv") {
            continue;
        }
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(&path).unwrap();
        let column = reader.headers().unwrap().iter().position(|name| name == "classes");
        for row in reader.records().map(Result::unwrap) {
            let classes = column.and_then(|column| row.get(column)).unwrap_or_default();
            for class in classes.split_ascii_whitespace() {
                assert!(told.iter().any(|rule| rule == class), "{}: no rule tells {class}", &row[0]);
            }
        }
    }
}

#[test]
fn the_high_half_is_kept_by_results_of_16_bits() {
    for generation in Generation::all() {
        for name in generation.vector.keeps_high_half.iter().filter(|name| *name != "*") {
            let mut rows = generation.instructions().iter().filter(|row| row.name == *name);
            let has_half = |row: &Instruction| row.operands.iter().any(|it| it.is_written() && it.bits == 16);
            assert!(rows.any(has_half), "{}: {name} has no result of 16 bits", generation.name());
        }
    }
}

#[test]
fn an_unknown_class_is_refused_at_its_place() {
    let files = [
        ("made/generation.toml", include_str!("../data/generations/gfx9/generation.toml")),
        ("made/encodings.csv", include_str!("../data/generations/gfx9/encodings.csv")),
        ("made/fields.csv", include_str!("../data/generations/gfx9/fields.csv")),
        ("made/hazards.csv", include_str!("../data/generations/gfx9/hazards.csv")),
        ("made/targets.csv", include_str!("../data/generations/gfx9/targets.csv")),
    ];
    let columns = "encoding,name,opcode,operands,source,classes\n";
    let row = "SOP1,S_MADE_B32,0,sdst:s32:w ssrc0:ssrc32,made up,load lode\n";
    let instructions = format!("{columns}{row}");
    let files: Vec<_> = files.into_iter().chain([("made/instructions.csv", instructions.as_str())]).collect();
    let error = Generation::register(&files).unwrap_err().to_string();
    assert!(
        error.starts_with("made/instructions.csv, line 2, column classes: ") && error.contains("load lode"),
        "{error}"
    );
}
