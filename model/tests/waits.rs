//! What waits is known to wait: an instruction whose name says so has an entry under `[waits]` of its generation.

use gcn_model::isa::Generation;

/// Those that wait for no counter that an immediate names, and why.
const WITHOUT_COUNTS: [(&str, &str); 7] = [
    ("S_WAIT_IDLE", "it has no immediate: it waits for all counters"),
    ("S_WAIT_EVENT", "it waits for the buffer of an export"),
    ("S_WAITCNT_DEPCTR", "it waits for results of the ALUs, which an instruction that reads them waits for, too"),
    ("S_WAIT_XCNT", "it waits for translations of addresses, which no source times"),
    ("S_WAIT_ASYNCCNT", "it waits for copies between memory and LDS, which have no model"),
    ("S_WAIT_TENSORCNT", "it waits for copies of tensors, which have no model"),
    ("S_WAIT_ALU", "S_WAITCNT_DEPCTR of RDNA 4"),
];

#[test]
fn each_instruction_that_waits_has_counters() {
    for generation in Generation::all() {
        let mut entries: Vec<&str> = generation.waits.keys().map(String::as_str).collect();
        for row in generation.instructions().iter().filter(|row| row.name.starts_with("S_WAIT")) {
            let has_entry = entries.contains(&row.name.as_str());
            let is_exempt = WITHOUT_COUNTS.iter().any(|(name, _)| *name == row.name);
            assert!(has_entry != is_exempt, "{} of {}: what does it wait for?", row.name, generation.name());
            entries.retain(|entry| *entry != row.name);
        }
        assert!(entries.is_empty(), "{}: no instruction is named {entries:?}", generation.name());
    }
}
