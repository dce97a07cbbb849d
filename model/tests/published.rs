//! The published page, copied by hand in samples and counted.

use std::collections::{BTreeMap, BTreeSet};

use gcn_model::{
    isa::{self, Encoding, Generation, Instruction},
    published::{Expected, Place, Published, source, sources},
};

fn clrx() -> &'static Published {
    source("clrx").unwrap()
}

fn instruction(name: &str) -> &'static Instruction {
    isa::instructions().iter().find(|instruction| instruction.name == name).unwrap()
}

#[test]
fn the_page_has_390_instructions_in_391_rows() {
    let mut sections = BTreeMap::new();
    for row in clrx().rows() {
        *sections.entry(row.section.as_str()).or_insert(0) += 1;
    }
    let counted = [("DS", 140), ("MUBUF", 58), ("SMRD", 13), ("VOP1", 92), ("VOP3", 88)];
    assert_eq!(sections, BTreeMap::from(counted));
    assert_eq!(clrx().rows().len(), 391);
    let names: BTreeSet<&str> = clrx().rows().iter().map(|row| row.instruction.as_str()).collect();
    assert_eq!(names.len(), 390, "V_MAD_F16 stands twice");
    let old = clrx().rows().iter().filter(|row| row.seeds.iter().any(|seed| seed == "000")).count();
    assert_eq!(old, 362, "rows of the version for GCN 1.0 to 1.2");
}

#[test]
fn sources_are_described() {
    assert_eq!(sources().iter().map(Published::name).collect::<Vec<_>>(), ["clrx"]);
    for source in sources() {
        assert!(!source.title().is_empty() && !source.from().is_empty() && !source.values().is_empty());
    }
    assert!(source("nobody").is_none());
}

/// Copied from the page by eye, all forms and all tables.
const SAMPLE: [(&str, &str, &str); 50] = [
    ("S_BUFFER_LOAD_DWORD", "4", ""),
    ("S_LOAD_DWORDX8", "8", ""),
    ("S_LOAD_DWORDX16", "16-24", ""),
    ("S_BUFFER_LOAD_DWORDX16", "16-24", ""),
    ("S_MEMTIME", "4", ""),
    ("S_DCACHE_INV_VOL", "4", ""),
    ("V_BFREV_B32", "4", ""),
    ("V_CEIL_F64", "DPFACTOR*4", ""),
    ("V_RCP_CLAMP_F64", "DPFACTOR*8", ""),
    ("V_CVT_F32_F64", "DPFACTOR*4", ""),
    ("V_CVT_F32_I32", "4", ""),
    ("V_SQRT_F64", "DPFACTOR*8", ""),
    ("V_SIN_F16", "16", ""),
    ("V_MBCNT_LO_U32_B32", "4", ""),
    ("V_MOV_PRSV_B32", "4", ""),
    ("V_READFIRSTLANE_B32", "4", ""),
    ("V_SWAP_B32", "8", ""),
    ("V_FREXP_EXP_I32_F64", "DPFACTOR*4", ""),
    ("V_ADD_F64", "DPFACTOR*4", ""),
    ("V_MUL_F64", "DPFACTOR*8", ""),
    ("V_FMA_F64", "DPFACTOR*8", ""),
    ("V_FMA_F32", "4 or 16 (1)", ""),
    ("V_DIV_SCALE_F32", "16", ""),
    ("V_DIV_SCALE_F64", "DPFACTOR*4", ""),
    ("V_DIV_FMAS_F64", "DPFACTOR*8", ""),
    ("V_LSHLREV_B64", "DPFACTOR*4", ""),
    ("V_MAD_U64_U32", "16", ""),
    ("V_MUL_HI_U32", "16", ""),
    ("V_MQSAD_U8", "16", ""),
    ("V_MAD_F16", "4", ""),
    ("V_TRIG_PREOP_F64", "DPFACTOR*8", ""),
    ("V_XAD_U32", "4", ""),
    ("DS_ADD_RTN_U64", "12", "1/6"),
    ("DS_ADD_SRC2_U64", "8", "1/8"),
    ("DS_APPEND", "4", "?"),
    ("DS_CMPST_RTN_F64", "20", "1/10"),
    ("DS_CONDXCHG32_RTN_B128", "?", "?"),
    ("DS_ORDERED_COUNT", "?", "?"),
    ("DS_READ_B32", "4", "1/2"),
    ("DS_READ_B96", "16", "1/8"),
    ("DS_READ2ST64_B64", "16", "1/8"),
    ("DS_WRITE_B64", "12", "1/8"),
    ("DS_WRITE_B96", "16", "1/10"),
    ("DS_WRXCHG2_RTN_B64", "20", "1/12"),
    ("DS_XOR_SRC2_B32", "4", "1/4"),
    ("BUFFER_ATOMIC_ADD", "16+GLC1", ""),
    ("BUFFER_ATOMIC_XOR_X2", "16+GLC2", ""),
    ("BUFFER_ATOMIC_AND_X2", "16", ""),
    ("BUFFER_LOAD_FORMAT_XY", "18?", ""),
    ("BUFFER_WBINVL1_SC", "?", ""),
];

#[test]
fn values_are_as_printed() {
    for (name, cycles, throughput) in SAMPLE {
        let row = clrx().row(name).unwrap_or_else(|| panic!("{name}"));
        let printed = [row.cycles, row.throughput].map(|value| value.map_or(String::new(), |value| value.to_string()));
        assert_eq!(printed, [cycles, throughput], "{name}");
    }
}

#[test]
fn footnotes_and_formulas_follow_the_dp_factor() {
    let fma = clrx().expectations(instruction("V_FMA_F32"));
    let add = clrx().expectations(instruction("V_ADD_F64"));
    let table = [(1, 4.0, 4.0), (2, 4.0, 8.0), (4, 4.0, 16.0), (8, 16.0, 32.0), (3, 16.0, 12.0)];
    for (dp_factor, fma_cycles, add_cycles) in table {
        let at = |value: &gcn_model::published::Expectation<'_>| value.evaluate(dp_factor);
        assert_eq!(at(fma.cycles.as_ref().unwrap()), Expected::Exactly(fma_cycles), "{dp_factor}");
        assert_eq!(at(fma.throughput.as_ref().unwrap()), Expected::Exactly(4.0 / fma_cycles), "{dp_factor}");
        assert_eq!(at(add.cycles.as_ref().unwrap()), Expected::Exactly(add_cycles), "{dp_factor}");
        assert_eq!(at(add.throughput.as_ref().unwrap()), Expected::Exactly(4.0 / add_cycles), "{dp_factor}");
    }
    assert_eq!(fma.cycles.unwrap().printed(), "4 or 16 (1)");
    assert_eq!(fma.throughput.unwrap().printed(), "1/(CYCLES/4)");
}

/// Instruction, cycles, cycles if taken, throughput, rule or table of the cycles.
const BY_RULE: [(&str, &str, &str, &str, &str); 22] = [
    ("S_ADD_U32", "4", "", "1", "sop2"),
    ("S_CBRANCH_G_FORK", "", "", "", ""),
    ("S_MOVK_I32", "4", "", "1", "sopk"),
    ("S_SETREG_B32", "8", "", "", "setreg"),
    ("S_GETREG_B32", "4", "", "", "sopk"),
    ("S_CBRANCH_I_FORK", "", "", "", ""),
    ("S_AND_SAVEEXEC_B64", "8", "", "", "saveexec"),
    ("S_MOV_B32", "4", "", "", "sop1"),
    ("S_MOV_REGRD_B32", "", "", "", ""),
    ("S_SETPC_B64", "", "", "", ""),
    ("S_CMP_EQ_I32", "4", "", "", "sopc"),
    ("S_BITCMP1_B64", "4", "", "", "sopc"),
    ("S_SETVSKIP", "", "", "", ""),
    ("S_CBRANCH_SCC0", "4", "20 (???)", "", "jump"),
    ("S_BRANCH", "", "20 (???)", "", ""),
    ("S_NOP", "", "", "", ""),
    ("V_ADD_F32", "4", "", "1", "vop2"),
    ("V_CMP_LT_F16", "4", "", "1/(CYCLES/4)", "vopc"),
    ("V_CMPX_EQ_U32", "4", "", "1/(CYCLES/4)", "vopc"),
    ("V_CMP_CLASS_F64", "DPFACTOR*4", "", "1/(CYCLES/4)", "vopc-64"),
    ("V_CMP_GT_I64", "DPFACTOR*4", "", "1/(CYCLES/4)", "vopc-64"),
    ("V_PK_MAD_I16", "4", "", "1", "vop3p"),
];

#[test]
fn rules_speak_of_what_they_say() {
    for (name, cycles, taken, throughput, rule) in BY_RULE {
        let said = clrx().expectations(instruction(name));
        let id = match said.cycles.as_ref().map(|cycles| cycles.from.clone()) {
            Some(Place::Rule { id, .. }) => id,
            Some(Place::Row { section }) => section,
            None => String::new(),
        };
        let printed = [said.cycles, said.taken_cycles, said.throughput]
            .map(|value| value.map_or(String::new(), |value| value.printed()));
        assert_eq!((printed, id.as_str()), ([cycles, taken, throughput].map(str::to_owned), rule), "{name}");
    }
}

#[test]
fn every_comparison_has_cycles() {
    for instruction in isa::instructions().iter().filter(|instruction| instruction.encoding == Encoding::Vopc) {
        assert!(clrx().expectations(instruction).cycles.is_some(), "{}", instruction.name);
    }
}

#[test]
fn rows_and_rules_name_instructions_that_exist() {
    let exists = |name: &str| Generation::ALL.into_iter().any(|generation| isa::find(name, generation).is_some());
    for source in sources() {
        for row in source.rows() {
            assert!(exists(&row.instruction), "{}", row.instruction);
        }
        for rule in source.rules() {
            for name in rule.instructions.iter().chain(rule.except.keys()) {
                assert!(exists(name), "{}: {name}", rule.id);
            }
        }
    }
}

#[test]
fn tables_and_sentences_are_there() {
    let factors: Vec<_> = clrx().dp_factors().iter().map(|row| (row.dp_factor, row.dp_rate.as_str())).collect();
    assert_eq!(factors, [(1, "1/2"), (2, "1/4"), (4, "1/8"), (8, "1/16")]);
    let occupancy: Vec<_> = clrx()
        .occupancy()
        .iter()
        .map(|row| (row.waves_per_simd, row.sgprs, row.vgprs, row.lds_dwords_per_lane, row.issue))
        .collect();
    assert_eq!(occupancy.len(), 10);
    assert_eq!(occupancy[2], (3, 128, 84, 21, 3));
    assert_eq!(occupancy[6], (7, 72, 36, 9, 5));
    assert_eq!(occupancy[9], (10, 48, 24, 6, 5));
    let banks = clrx().statements().iter().find(|statement| statement.id == "bank-conflicts").unwrap();
    assert_eq!(banks.numbers["worst_throughput"], 1.0 / 32.0);
    let alignment = clrx().statements().iter().filter(|statement| statement.topic == "alignment");
    assert_eq!(alignment.count(), 9);
}

#[test]
fn a_bad_file_is_an_error() {
    let header = "name = \"x\"\ntitle = \"x\"\nfrom = \"x\"\nvalues = [\"cycles\"]\n";
    let rows = "section,instruction,cycles,throughput,seeds,remark\n";
    let fails = |toml: &str, csv: &str| Published::parse("x", toml, csv).unwrap_err().to_string();
    assert!(Published::parse("x", header, rows).is_ok());
    let wrong = fails(header, &format!("{rows}VOP1,V_NOP,four,,000,\n"));
    assert!(wrong.contains("x.csv") && wrong.contains("line: 2") && wrong.contains("`four`"), "{wrong}");
    let note = fails(header, &format!("{rows}VOP1,V_NOP,4 or 16 (2),,000,\n"));
    assert!(note.contains("footnote (2)"), "{note}");
    let rule = format!("{header}[[rules]]\nid = \"r\"\nsentence = \"s\"\nseeds = []\ncycles = \"4\"\n");
    assert!(fails(&rule, rows).contains("rule `r`"), "{}", fails(&rule, rows));
    assert!(fails(&format!("{header}colour = 1\n"), rows).contains("colour"));
}
