//! The ISA files, one per encoding, and how a whole set of them is read and checked.

use std::collections::HashMap;

use super::{Encoding, Generation, Instruction, IsaError, row};

/// One ISA file as it ships.
pub(super) struct IsaFile {
    pub(super) name: &'static str,
    pub(super) encoding: Encoding,
    pub(super) text: &'static str,
}

macro_rules! isa_files {
    ($($encoding:ident = $name:literal),+ $(,)?) => {
        &[$(IsaFile {
            name: $name,
            encoding: Encoding::$encoding,
            text: include_str!(concat!("../../data/isa/", $name)),
        }),+]
    };
}

pub(super) const FILES: &[IsaFile] = isa_files![
    Sop2 = "sop2.csv",
    Sopk = "sopk.csv",
    Sop1 = "sop1.csv",
    Sopc = "sopc.csv",
    Sopp = "sopp.csv",
    Smrd = "smrd.csv",
    Smem = "smem.csv",
    Vop2 = "vop2.csv",
    Vop1 = "vop1.csv",
    Vopc = "vopc.csv",
    Vop3 = "vop3.csv",
    Vop3p = "vop3p.csv",
    Ds = "ds.csv",
    Mubuf = "mubuf.csv",
    Mtbuf = "mtbuf.csv",
    Flat = "flat.csv",
    Mimg = "mimg.csv",
    Exp = "exp.csv",
    Vintrp = "vintrp.csv",
];

/// Reads all files, in their order; refuses a name or an opcode that stands twice in one generation.
pub(super) fn read(files: &[IsaFile]) -> Result<Vec<Instruction>, IsaError> {
    let mut all = Vec::with_capacity(1500);
    for file in files {
        all.extend(row::read(file)?);
    }
    check(files, &all)?;
    Ok(all)
}

fn check(files: &[IsaFile], all: &[Instruction]) -> Result<(), IsaError> {
    for generation in Generation::ALL {
        let mut names: HashMap<&str, &Instruction> = HashMap::with_capacity(all.len());
        let mut codes = HashMap::with_capacity(all.len());
        for instruction in all {
            let Some(opcode) = instruction.opcode_in(generation) else { continue };
            let twice = |what, first: &Instruction| IsaError::Twice {
                file: files.iter().find(|file| file.encoding == instruction.encoding).map_or("", |file| file.name),
                what,
                first: first.name.clone(),
                second: instruction.name.clone(),
                generation,
            };
            if let Some(first) = names.insert(&instruction.name, instruction) {
                return Err(twice("name", first));
            }
            let native = (instruction.encoding, instruction.segment, opcode);
            let promoted = instruction.vop3_opcode[generation.index()].map(|code| (Encoding::Vop3, None, code));
            for code in [Some(native), promoted].into_iter().flatten() {
                if let Some(first) = codes.insert(code, instruction) {
                    return Err(twice("opcode", first));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "name,gcn1.0,gcn1.1,gcn1.2,gcn1.4,operands,llvm,source\n";

    fn error(rows: &str) -> String {
        let text: &'static str = Box::leak(format!("{HEADER}{rows}").into_boxed_str());
        let files = [IsaFile { name: "sop2.csv", encoding: Encoding::Sop2, text }];
        read(&files).expect_err("the file is bad").to_string()
    }

    #[test]
    fn the_files_that_ship_are_good() {
        let all = read(FILES).unwrap_or_else(|error| panic!("{error}"));
        assert!(all.len() > 1000);
        assert!(all.iter().all(|i| !i.source.is_empty() && i.opcode.iter().any(Option::is_some)));
    }

    #[test]
    fn errors_name_file_and_line() {
        insta::assert_snapshot!(error("S_A,0,0,0,0,sdst:s32:w,,x\nS_B,1,1,1,1,sdst:q32,,x\n"), @"sop2.csv, line 3, column operands: operand `sdst:q32` has the unknown kind `q`");
        insta::assert_snapshot!(error("s_a,0,0,0,0,,,x\n"), @"sop2.csv, line 2, column name: `s_a`: an upper-case instruction name");
        insta::assert_snapshot!(error("S_A,200,0,0,0,,,x\n"), @"sop2.csv, line 2, column gcn1.0: `200`: an opcode that the encoding's field can hold");
        insta::assert_snapshot!(error("S_A,,,,,,,x\n"), @"sop2.csv, line 2, column gcn1.0: ``: an opcode in at least one generation");
        insta::assert_snapshot!(error("S_A,0,0,0,0,,,\n"), @"sop2.csv, line 2, column source: ``: where the row's facts come from");
        insta::assert_snapshot!(error("S_A,0,0,0,0,,,x\nS_B,0,,,,,,x\n"), @"sop2.csv: S_A and S_B have the same opcode in GCN 1.0; give one of them another, or none there");
        insta::assert_snapshot!(error("S_A,0,0,0,0,,,x\nS_A,1,,,,,,x\n"), @"sop2.csv: S_A and S_A have the same name in GCN 1.0; give one of them another, or none there");
        insta::assert_snapshot!(error("S_A,0,0,x,0,,,x\n"), @"sop2.csv: CSV deserialize error: record 1 (line: 2, byte: 54): field 3: invalid digit found in string");
    }
}
