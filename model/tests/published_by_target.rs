//! What sources say of some targets only.

use gcn_model::{
    isa::{self, Generation, Instruction},
    published::{Expected, source},
};

fn instruction(name: &str) -> &'static Instruction {
    Generation::all().into_iter().find_map(|generation| isa::find(name, generation)).unwrap()
}

/// AMD's own table has a row for each class of chips; values measured on cards hold on those cards.
#[test]
fn tables_by_chip_and_measured_facts() {
    let cycles = |name: &str, source_name: &str, target: &str, dp_factor: u32| {
        let said = source(source_name).unwrap().expectations_on(instruction(name), target).cycles;
        said.map(|said| (said.printed(), said.evaluate(dp_factor)))
    };
    let exactly = |printed: &str, value: f64| Some((printed.to_owned(), Expected::Exactly(value)));
    for (target, multiply, fma) in [("gfx701", "8", "8"), ("gfx600", "16", "16"), ("gfx803", "16", "64")] {
        assert_eq!(cycles("V_MUL_LO_U32", "rga", target, 8).unwrap().0, multiply, "{target}");
        assert_eq!(cycles("V_FMA_F64", "rga", target, 8).unwrap().0, fma, "{target}");
        assert_eq!(cycles("V_ADD_F64", "rga", target, 8), exactly("4", 4.0), "as printed, on all chips");
        assert_eq!(cycles("S_ADD_U32", "rga", target, 8), exactly("4", 4.0), "scalar ones have one table");
    }
    assert_eq!(source("rga").unwrap().expectations(instruction("V_MUL_LO_U32")).cycles, None, "not on every GPU");
    for (target, multiply) in [("gfx701", 8.0), ("gfx906:sramecc+", 8.0), ("gfx600", 16.0), ("gfx803", 16.0)] {
        let printed = multiply.to_string();
        assert_eq!(cycles("V_MUL_LO_U32", "silicon", target, 8), exactly(&printed, multiply), "{target}");
    }
    let fma = |target, dp_factor| cycles("V_FMA_F64", "silicon", target, dp_factor).unwrap().1;
    assert_eq!(
        (fma("gfx701", 1), fma("gfx701", 4)),
        (Expected::Exactly(8.0), Expected::Exactly(32.0)),
        "W8100, R9 290X"
    );
    assert_eq!(
        (fma("gfx906", 1), fma("gfx906", 2)),
        (Expected::Exactly(8.0), Expected::Exactly(16.0)),
        "MI50, Radeon VII"
    );
    assert_eq!(cycles("V_SWAP_B32", "silicon", "gfx900", 8), None, "measured on MI50 alone");
}

/// RDNA is another machine: statements about GCN do not apply to it.
#[test]
fn sources_of_gcn_say_nothing_of_rdna() {
    let said = |name: &str, instruction_name: &str, target: &str| {
        let said = source(name).unwrap().expectations_on(instruction(instruction_name), target);
        [said.cycles, said.latency].map(|value| value.map_or(String::new(), |value| value.printed()))
    };
    for name in ["clrx", "app-guide", "multi2sim", "rga", "lds-bus"] {
        for silent in ["V_ADD_F32", "V_FMA_F64", "S_ADD_U32", "DS_ADD_U32", "S_BRANCH"] {
            assert_eq!(said(name, silent, "gfx1100"), ["", ""], "{name}: {silent}");
        }
    }
    assert_eq!(source("clrx").unwrap().rows_on("gfx1100").count(), 0);
    assert_eq!(source("clrx").unwrap().rows_on("gfx900").count(), 391);
    // facts-cdna-rdna §3.2, §4.1 and §4.2: cycles and latency of llvm, mesa-aco and the traces.
    let table = [
        ("V_ADD_F32", "gfx1100", ["", "5"], ["1", "5"], ["1", "5"]),
        ("V_ADD_F32", "gfx1010", ["", "5"], ["1", "5"], ["", ""]),
        ("V_EXP_F32", "gfx1200", ["", "10"], ["4", "10"], ["4", ""]),
        ("V_MUL_LO_U32", "gfx1100", ["", "8"], ["4", "8"], ["4", ""]),
        ("V_MAD_U64_U32", "gfx1100", ["", "8"], ["2", "6"], ["4", ""]),
        ("V_QSAD_PK_U16_U8", "gfx1100", ["", "8"], ["1", "5"], ["4", ""]),
        ("V_LSHLREV_B64", "gfx1100", ["", "6"], ["2", "6"], ["2", ""]),
        ("V_FMA_F64", "gfx1030", ["", "22"], ["16", "22"], ["", ""]),
        ("V_FMA_F64", "gfx1100", ["", "38"], ["16", "22"], ["32", ""]),
        ("V_RCP_F64", "gfx1201", ["", "40"], ["16", "24"], ["32", ""]),
        ("V_CMP_LT_F64", "gfx1100", ["", "38"], ["16", "22"], ["2", ""]),
        ("V_CMPX_LT_F64", "gfx1100", ["", "6"], ["16", "22"], ["", ""]),
        ("V_CMP_LT_I64", "gfx1200", ["", "6"], ["2", "6"], ["2", ""]),
        ("S_ADD_U32", "gfx1100", ["", "2"], ["1", "2"], ["", ""]),
        ("DS_ADD_U32", "gfx1100", ["", "20"], ["", "20"], ["", ""]),
    ];
    for (name, target, llvm, aco, traces) in table {
        let found = ["llvm", "mesa-aco", "silicon-traces"].map(|source_name| said(source_name, name, target));
        assert_eq!(found, [llvm, aco, traces], "{name} on {target}");
    }
    let rate = |target| said("silicon-rdna", "V_FMA_F64", target)[0].clone();
    assert_eq!([rate("gfx1030"), rate("gfx1100"), rate("gfx1200")], ["16", "16", ""]);
}
