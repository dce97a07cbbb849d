//! The CLRX table, copied by hand in samples and counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use gcn_model::{
    gpu::Gpu,
    isa::{self, Encoding, Generation, Instruction},
    published::{
        DisputedQuantity, Expected, Place, Published, disputes, disputes_of, double_rate, dp_table, source, sources,
    },
};

fn clrx() -> &'static Published {
    source("clrx").unwrap()
}

fn instruction(name: &str) -> &'static Instruction {
    Generation::all().into_iter().find_map(|generation| isa::find(name, generation)).unwrap()
}

#[test]
fn the_clrx_table_has_390_instructions_in_391_rows() {
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
    let mut names: Vec<_> = sources().iter().chain([double_rate()]).map(Published::name).collect();
    names.sort_unstable();
    assert!(source("double-rate").is_none(), "nothing is compared with what DPFACTOR stands for");
    let folder = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/timings")).unwrap();
    let files = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut stored: Vec<String> = files.filter_map(|file| file.strip_suffix(".toml").map(Into::into)).collect();
    stored.retain(|name| name != "disputes");
    stored.sort_unstable();
    assert_eq!(names, stored, "each file is named in `sources.rs`");
    for source in sources() {
        assert!(!source.title().is_empty() && !source.from().is_empty() && !source.values().is_empty());
    }
    assert!(source("nobody").is_none());
}

/// Copied from the CLRX table by eye, all forms and all tables.
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
        let row = clrx().row(name, None).unwrap_or_else(|| panic!("{name}"));
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
fn rules_cover_the_named_instructions() {
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

/// Copied from facts §4.1: instruction, target, cycles of llvm, mesa-aco and app-guide.
const SIDE_BY_SIDE: [(&str, &str, &str, &str, &str); 31] = [
    ("V_CVT_F32_I32", "gfx900", "16", "4", ""),
    ("V_CVT_F32_UBYTE0", "gfx900", "4", "4", ""),
    ("V_FMA_F32", "gfx600", "4", "4", "4"),
    ("V_FMA_F32", "gfx803", "4", "16", ""),
    ("V_FMA_F32", "gfx906:sramecc+:xnack-", "4", "4", ""),
    ("V_ADD_F64", "gfx600", "8", "32", "8"),
    ("V_ADD_F64", "gfx803", "32", "32", ""),
    ("V_MUL_F64", "gfx600", "8", "64", "16"),
    ("V_MUL_F64", "gfx701", "8", "64", ""),
    ("V_MUL_F64", "gfx702", "32", "64", ""),
    ("V_MIN_F64", "gfx600", "8", "64", "8?"),
    ("V_CMP_LT_F64", "gfx803", "32", "64", ""),
    ("V_CMP_LT_I64", "gfx803", "8", "8", ""),
    ("V_LSHLREV_B64", "gfx803", "8", "8", ""),
    ("V_CVT_F64_F32", "gfx803", "16", "16", ""),
    ("V_RCP_F64", "gfx701", "16", "64", ""),
    ("V_DIV_SCALE_F32", "gfx600", "4", "4", ""),
    ("V_DIV_SCALE_F32", "gfx803", "64", "4", ""),
    ("V_DIV_FIXUP_F64", "gfx803", "32", "4", ""),
    ("V_MAD_U64_U32", "gfx701", "16", "8", ""),
    ("V_QSAD_PK_U16_U8", "gfx701", "16", "4", ""),
    ("V_MUL_LO_U32", "gfx600", "16", "16", "16"),
    ("V_SWAP_B32", "gfx900", "8", "4", ""),
    ("V_ADD_F32", "gfx90a", "4", "4", ""),
    ("V_ADD_F64", "gfx942", "4", "32", ""),
    ("V_MUL_LO_U32", "gfx90a", "4", "16", ""),
    ("V_RCP_F64", "gfx950", "16", "64", ""),
    ("V_SWAP_B32", "gfx950", "8", "4", ""),
    ("V_CMP_LT_F64", "gfx942", "4", "64", ""),
    ("V_MFMA_F64_16X16X4_F64", "gfx950", "64", "", ""),
    ("V_MFMA_F64_16X16X4_F64", "gfx942", "32", "", ""),
];

#[test]
fn other_sources_agree_with_the_facts() {
    for (name, target, llvm, aco, guide) in SIDE_BY_SIDE {
        for (source_name, printed) in [("llvm", llvm), ("mesa-aco", aco), ("app-guide", guide)] {
            let said = source(source_name).unwrap().expectations_on(instruction(name), target);
            let found = said.cycles.map_or(String::new(), |cycles| cycles.printed());
            assert_eq!(found, printed, "{source_name}: {name} on {target}");
        }
    }
    let taken = |name: &str, target: &str| {
        let said = source(name).unwrap().expectations_on(instruction("S_CBRANCH_SCC0"), target);
        said.taken_cycles.map(|taken| taken.printed())
    };
    let on = |target| ["clrx", "llvm", "mesa-aco", "multi2sim"].map(|name| taken(name, target).unwrap_or_default());
    assert_eq!(on("gfx600"), ["20 (???)", "32", "4", "16"]);
    assert_eq!(on("gfx803"), ["20 (???)", "32", "4", ""]);
}

#[test]
fn the_bus_model_explains_all_but_five_clrx_rows() {
    let bus = source("lds-bus").unwrap();
    let mut differing = Vec::new();
    let mut same = 0;
    for row in bus.rows() {
        let Some(page) = clrx().row(&row.instruction, None) else { continue };
        if page.cycles == row.cycles && page.throughput == row.throughput {
            same += 1;
        } else if page.cycles.is_some_and(|cycles| cycles.to_string() != "?") {
            differing.push(row.instruction.as_str());
        }
    }
    let five = ["DS_WRITE_B64", "DS_WRXCHG2_RTN_B64", "DS_WRXCHG2ST64_RTN_B64", "DS_WRITE_B96", "DS_READ_B96"];
    assert_eq!((same, differing), (92, five.to_vec()));
}

#[test]
fn a_rule_holds_on_its_targets_only() {
    let llvm = source("llvm").unwrap();
    assert!(llvm.expectations(instruction("V_ADD_F64")).cycles.is_none(), "not on every GPU");
    assert!(clrx().expectations(instruction("V_ADD_F64")).cycles.is_some());
    assert_eq!(llvm.expectations_on(instruction("DS_READ_B32"), "gfx803").latency.unwrap().printed(), "20");
    let targets = |rule: &gcn_model::published::Rule| rule.targets.clone();
    assert!(llvm.rules().iter().map(targets).all(|listed| listed.iter().all(|target| target.starts_with("gfx"))));
}

#[test]
fn every_comparison_has_cycles() {
    for instruction in
        Generation::all().into_iter().flat_map(isa::of).filter(|instruction| instruction.encoding == Encoding::Vopc)
    {
        assert!(clrx().expectations(instruction).cycles.is_some(), "{}", instruction.name);
    }
}

/// Whether the generations of the targets exist. A source's statements about RDNA are kept until they do.
fn is_of_a_generation(targets: &[String]) -> bool {
    let is_rdna = |target: &&String| target.starts_with("gfx1");
    targets.iter().filter(is_rdna).all(|target| Generation::find(&target[.."gfx10".len()]).is_some())
}

#[test]
fn rows_and_rules_name_instructions_that_exist() {
    let exists = |name: &str| isa::exists(name);
    for source in sources() {
        for row in source.rows().iter().filter(|row| is_of_a_generation(&row.targets)) {
            // A printed value stays, under a name that no card has as well; the row says so.
            assert_eq!(exists(&row.instruction), !row.remark.contains("no generation"), "{}", row.instruction);
        }
        for rule in source.rules().iter().filter(|rule| is_of_a_generation(&rule.targets)) {
            for name in rule.instructions.iter().chain(rule.except.keys()) {
                assert!(exists(name), "{}: {name}", rule.id);
            }
        }
    }
}

/// The page's table names GCN cards; a card of CDNA or RDNA has a row of its own family.
#[test]
fn the_factor_of_each_shipped_gpu_is_in_the_table_of_its_family() {
    for name in Gpu::shipped() {
        let gpu = Gpu::named(name).expect("a GPU that ships");
        let table = dp_table(sources(), &gpu.gfx_target);
        let row = table.iter().find(|row| row.dp_factor == gpu.dp_factor);
        let row = row.unwrap_or_else(|| panic!("{name}: {} is not in {table:?}", gpu.dp_factor));
        let is_page = clrx().dp_factors_on(&gpu.gfx_target).any(|known| known == row);
        assert_eq!(is_page, gpu.generation.clrx_name().is_some(), "{name}: {row:?}");
    }
}

#[test]
fn tables_and_sentences_are_there() {
    let factors = clrx().dp_factors_on("gfx600").map(|row| (row.dp_factor, row.dp_rate.as_str()));
    assert!(factors.eq([(1.0, "1/2"), (2.0, "1/4"), (4.0, "1/8"), (8.0, "1/16")]));
    let occupancy: Vec<_> = clrx()
        .occupancy_on("gfx600")
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
    let rule = "[[rules]]\nid = \"r\"\nsentence = \"s\"\nseeds = []\nencoding = \"SOP1\"\ncycles = \"4\"\ntargets = [\"ful\"]\n";
    let target = fails(&format!("{header}[target_groups]\nfull = [\"gfx600\"]\n{rule}"), rows);
    assert!(target.contains("target_groups"), "{target}");
    assert!(fails(&format!("{header}colour = 1\n"), rows).contains("colour"));
}

#[test]
fn disputes_are_those_of_the_facts() {
    let numbers: Vec<&str> = disputes().iter().map(|dispute| dispute.number.as_str()).collect();
    let facts = [
        "1", "1b", "2", "3", "4", "5", "6", "7", "8", "8b", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18",
        "R1", "R2", "R3", "R4", "R5",
    ];
    assert_eq!(numbers, facts);
    for dispute in disputes() {
        let is_of_no_instruction = matches!(dispute.quantity, DisputedQuantity::Other | DisputedQuantity::Waves);
        assert_eq!(is_of_no_instruction, !dispute.needs.is_empty(), "{}", dispute.number);
        assert!(!dispute.instructions.is_empty() || !dispute.needs.is_empty(), "{}", dispute.number);
        for name in &dispute.instructions {
            assert!(isa::exists(name), "{name}");
        }
    }
    let is_of = |number: &str, target| {
        let dispute = disputes().iter().find(|dispute| dispute.number == number).unwrap();
        dispute.is_of(isa::generation("gfx8"), target)
    };
    assert!(is_of("1", "gfx803") && is_of("14", "gfx803:xnack-"));
    assert!(["5", "8", "R1"].iter().all(|number| !is_of(number, "gfx803")));
    assert!(is_of("R1", "gfx1151") && is_of("R2", "gfx1030"));
    let of = |target| disputes_of(isa::generation("gfx8"), target).map(|dispute| dispute.number.as_str());
    assert!(of("gfx803").eq(["1", "1b", "2", "3", "4", "6", "7", "9", "10", "11", "12", "14", "15", "17"]));
    let of_rdna = disputes_of(isa::generation("gfx10"), "gfx1030").map(|dispute| dispute.number.as_str());
    assert!(of_rdna.eq(["1", "2", "3", "4", "6", "7", "9", "11", "12", "15", "R2", "R3", "R4"]));
}

/// On a part of rate 1/16, the sources do contradict each other where the facts say so.
#[test]
fn every_dispute_about_an_instruction_has_two_opinions() {
    let (target, dp_factor) = ("gfx900", 8);
    for dispute in disputes().iter().filter(|dispute| dispute.quantity == DisputedQuantity::Cycles) {
        if !dispute.is_of(isa::generation("gfx9"), target) {
            continue;
        }
        let mut opinions = BTreeSet::new();
        for name in &dispute.instructions {
            let Some(instruction) = isa::find(name, isa::generation("gfx9")) else { continue };
            for source in sources() {
                let said = source.expectations_on(instruction, target).cycles;
                opinions.extend(said.map(|said| (name, format!("{:?}", said.evaluate(dp_factor)))));
            }
        }
        let names: BTreeSet<_> = opinions.iter().map(|(name, _)| name).collect();
        assert!(opinions.len() > names.len(), "{}: {opinions:?}", dispute.number);
    }
}
