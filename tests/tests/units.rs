//! How soon one unit can use what another brings: cards that ship, and GPU files made up here, measured, and every changed latency found again by an
//! analysis that never sees them.

use gcn_analysis::{Measured, Status, UnitRow, Units, page};
use gcn_harness::device::Device;
use gcn_harness::device::{Chosen, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Plan, Suite};
use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;
use gcn_tests::{ROUNDING, Tier, blind_gpu, measure, measure_on, part_of};

/// A card of each generation that the suite is for.
const CARDS: [&str; 4] = ["rx5700xt", "rx6800", "rx7900xtx", "rx9070xt"];
/// Units that read vector registers but not as addresses, and those that load from where these say.
const VECTOR_READERS: [&str; 7] =
    ["vector", "vector-64", "quarter", "transcendental", "double", "compare", "first-lane"];
const LOADS: [&str; 2] = ["lds", "global"];
/// Vector units that write scalar registers.
const WRITERS_OF_MASKS: [&str; 2] = ["compare", "first-lane"];

fn options() -> MeasureOptions {
    MeasureOptions { suites: vec![Suite::Units], ..MeasureOptions::default() }
}

#[test]
fn each_cell_has_a_number_or_a_reason() {
    let sizes = part_of(&[32, 64], 1, "waves of 64 lanes");
    for card in CARDS {
        let gpu = Gpu::named(card).expect("a card that ships");
        for &lanes in sizes {
            let device = SimulatedDevice::new(&format!("sim:{card}"), &gpu);
            let device = Chosen::in_waves_of(Box::new(device), lanes).expect("it has such waves");
            let run = measure_on(&device, &options());
            assert!(run.analysis.failed.is_empty(), "{card}: {:?}", &run.analysis.failed);
            let found = &run.analysis.units;
            assert!(found.cells.len() >= 95, "{card}: {}", found.cells.len());
            for row in &found.cells {
                match row.status {
                    Status::Ok => assert!(row.cycles.is_some(), "{card}: {row:?}"),
                    Status::Unsupported => assert!(row.cycles.is_none() && !row.detail.is_empty(), "{card}: {row:?}"),
                    _ => panic!("{card}: {row:?}"),
                }
            }
            let (known, bounds) = (
                found.cells.iter().filter(|row| row.cycles.is_some()).count(),
                found.cells.iter().filter(|row| row.at_most.is_some()).count(),
            );
            // The rest is an unknown address. What waits for a unit whichever registers it names has a bound alone.
            assert!(known >= 60 && known + bounds + 1 >= found.cells.len(), "{card} {lanes}: {known} {bounds}");
            assert!(page(&run.analysis).contains("## Latencies between units"), "{card}");
            assert!(run.analysis.summary().suite("units").is_some(), "{card}");
        }
    }
}

/// Where waves wait for their results there is nothing to plan.
#[test]
fn other_generations_have_no_such_suite() {
    for card in ["tahiti", "vega20", "mi300x"] {
        let device = SimulatedDevice::new("sim:test", &Gpu::named(card).expect("a card that ships"));
        assert!(Plan::new(device.information(), &options()).parts.is_empty(), "{card}");
    }
}

/// The start of an experiment's timed code between the fillers.
fn code(card: &str, experiment: &str) -> Vec<String> {
    let device = SimulatedDevice::new("sim:test", &Gpu::named(card).expect("a card that ships"));
    let plan = Plan::new(device.information(), &options());
    let kernel = plan.kernels.iter().find(|kernel| kernel.experiment == experiment);
    let kernel = kernel.unwrap_or_else(|| panic!("{card}: {experiment}"));
    let lines = kernel.lines(kernel.sections[0]).into_iter().map(std::borrow::Cow::into_owned);
    lines.skip_while(|line| line == "s_nop 0").take_while(|line| line != "s_nop 0").collect()
}

#[test]
fn a_block_is_producer_required_instructions_and_consumer() {
    let pair = |card, name: &str| code(card, name).join(" | ");
    let rcp = "V_RCP_IFLAG_F32/units/transcendental->-vector";
    assert_eq!(
        pair("rx7900xtx", &format!("{rcp},-dependent,-behind-S_WAITCNT_DEPCTR")),
        "v_rcp_iflag_f32_e32 v14, v10 | s_waitcnt_depctr 0xfff | v_add_nc_u32_e32 v18, v14, v8 | v_mov_b32_e32 v20, v18"
    );
    assert_eq!(
        pair("rx7900xtx", rcp),
        "v_rcp_iflag_f32_e32 v16, v10 | s_waitcnt_depctr 0xfff | v_add_nc_u32_e32 v18, v14, v8 | v_mov_b32_e32 v20, v18"
    );
    assert_eq!(
        pair("rx9070xt", "S_LOAD_B32/units/scalar-memory->-scalar,-dependent,-behind-S_WAIT_KMCNT"),
        "s_load_b32 s34, s[4:5], s26 | s_wait_kmcnt 0x0 | s_mov_b32 s38, s34 | s_wait_alu 0xfffe | v_mov_b32_e32 v20, s38"
    );
    assert_eq!(
        pair("rx6800", "V_ADD_NC_U32/units/vector->-lds,-dependent"),
        "v_add_nc_u32_e32 v14, v10, v8 | ds_read_b32 v18, v14 | s_waitcnt lgkmcnt(0)"
    );
    assert_eq!(
        pair("rx6800", "DS_READ_B32/units/none->-lds-of-VGPR-at-dword-1"),
        "ds_read_b32 v18, v14 | s_waitcnt lgkmcnt(0)"
    );
    assert_eq!(
        pair("rx7900xtx", "S_MOV_B32/delays/scalar->-vector,-dependent,-right-delay-instid0(SALU_CYCLE_1)"),
        "s_mov_b32 s34, s26 | s_delay_alu instid0(SALU_CYCLE_1) | v_add_nc_u32_e32 v18, s34, v8 | v_mov_b32_e32 v20, v18"
    );
}

/// The effect of a card's keys on the cells.
struct Truth {
    lines: &'static str,
    vector: u32,
    transcendental: u32,
    /// Cycles of a double-precision instruction, and how long its result is under way beyond these.
    double: (u32, u32),
    address: u32,
    scalar: u32,
    /// How long a scalar instruction reads before it is executed, and how much later others than these see a result.
    scalar_read: u32,
    scalar_result: u32,
    mask: u32,
    lds: u32,
    global: u32,
    scalar_memory: u32,
}

const BLIND: [Truth; 2] = [
    Truth {
        lines: "dp_factor = 8\n[pipelines]\nvector_latency_cycles = 4\ntranscendental_latency_cycles = 13\naddress_latency_cycles = 20\ndouble_latency_cycles = 11\nscalar_latency_cycles = 3\nscalar_read_cycles = 3\nscalar_result_cycles = 2\nmask_result_cycles = 6\nmemory_after_vector_cycles = 0\nscalar_after_vector_cycles = 0\nscalar_after_mask_cycles = 0\n[lds]\nlatency_cycles = 41\n[vector_memory]\nlatency_cycles = 290\n[scalar_memory]\nlatency_cycles = 77\n",
        vector: 4,
        transcendental: 13,
        double: (16, 11),
        address: 20,
        scalar: 3,
        scalar_read: 3,
        scalar_result: 2,
        mask: 6,
        lds: 41,
        global: 290,
        scalar_memory: 77,
    },
    Truth {
        lines: "dp_factor = 4\n[pipelines]\nvector_latency_cycles = 7\ntranscendental_latency_cycles = 9\naddress_latency_cycles = 12\ndouble_latency_cycles = 3\nscalar_latency_cycles = 4\nscalar_read_cycles = 5\nscalar_result_cycles = 1\nmask_result_cycles = 12\nmemory_after_vector_cycles = 0\nscalar_after_vector_cycles = 0\nscalar_after_mask_cycles = 0\n[lds]\nlatency_cycles = 27\n[vector_memory]\nlatency_cycles = 410\n[scalar_memory]\nlatency_cycles = 130\n",
        vector: 7,
        transcendental: 9,
        double: (8, 3),
        address: 12,
        scalar: 4,
        scalar_read: 5,
        scalar_result: 1,
        mask: 12,
        lds: 27,
        global: 410,
        scalar_memory: 130,
    },
];

impl Truth {
    /// Cycles from one unit to another, by the meaning of the keys; none where a consumer that does not depend could stand no closer.
    fn of(&self, producer: &str, consumer: &str) -> Option<u32> {
        let late = if LOADS.contains(&consumer) { self.address - self.vector } else { 0 };
        match producer {
            "vector" => Some(self.vector + late),
            "vector-64" => Some(self.vector + 1 + late),
            "quarter" => Some(self.vector + 3 + late),
            "transcendental" => Some(self.transcendental + late),
            "double" => Some(self.double.0 + self.double.1 + late),
            "lds" => Some(self.lds),
            "global" => Some(self.global),
            "scalar" if consumer == "scalar" => Some(self.scalar),
            // A vector instruction that writes scalar registers waits for those before it, whatever it reads.
            "scalar" if WRITERS_OF_MASKS.contains(&consumer) => None,
            // Those are after its execution, which is after its reading.
            "scalar" => Some(self.scalar_read + self.scalar + self.scalar_result),
            "scalar-memory" => Some(self.scalar_memory),
            // Vector instructions wait for a mask in an SGPR as for a vector result; other units longer, scalar ones while they read what
            // else there is.
            "compare" | "first-lane" if consumer == "scalar" => Some(1 + self.mask - self.scalar_read),
            "compare" | "first-lane" if consumer == "scalar-memory" => Some(1 + self.mask),
            "compare" | "first-lane" => Some(self.vector),
            _ => None,
        }
    }
}

fn numbers(row: &UnitRow) -> Option<[f64; 3]> {
    row.cycles.as_ref().map(Measured::<Cycles>::numbers)
}

/// Compares all cells, whose intervals may be so wide.
fn compare(truth: &Truth, found: &Units, width: f64) {
    let mut compared = 0;
    for row in &found.cells {
        let Some(wanted) = truth.of(&row.producer, &row.consumer) else {
            // An independent one could follow directly, in the next cycle; or it waits for all scalar results.
            let at_most = row.at_most.unwrap_or_else(|| panic!("{}{row:?}", truth.lines));
            let waits = row.producer == "scalar" && WRITERS_OF_MASKS.contains(&row.consumer.as_str());
            let most = if waits { f64::from(truth.scalar_read + truth.scalar + truth.scalar_result) } else { 1.0 };
            assert!((1.0 - ROUNDING..=most + width + ROUNDING).contains(&at_most), "{}{row:?}", truth.lines);
            continue;
        };
        let [value, low, high] = numbers(row).unwrap_or_else(|| panic!("{}{wanted}: {row:?}", truth.lines));
        assert!(high - low <= width, "{}{row:?}", truth.lines);
        let wanted = f64::from(wanted);
        // Two half-widths of 99.9 % are more than six standard errors: no bad luck among a hundred cells.
        let half = (high - low) / 2.0;
        assert!((value - wanted).abs() <= 2.0 * half + ROUNDING, "{}{wanted}: {row:?}", truth.lines);
        compared += 1;
    }
    assert!(compared >= 81, "{}: {compared}", truth.lines);
    for producer in ["vector", "vector-64", "quarter", "transcendental", "double", "lds", "global"] {
        let is_there = |consumer: &&str| found.cell(producer, consumer).is_some();
        assert!(VECTOR_READERS.iter().chain(&LOADS).all(is_there), "{producer}");
    }
}

#[test]
fn invented_latencies_are_found() {
    let is_whole = Tier::Most.runs("the latencies of one card on the other");
    for (file, truth) in BLIND.iter().enumerate() {
        let bases = ["rx6800", "rx7900xtx"].into_iter().enumerate();
        for (_, base) in bases.filter(|(card, _)| is_whole || *card == file) {
            let run = measure(&blind_gpu(base, truth.lines), &options());
            compare(truth, &run.analysis.units, 0.5);
        }
    }
}

#[test]
fn they_are_found_in_noise() {
    let truth = &BLIND[0];
    let noise = "[noise]\nseed = 7\njitter_cycles = 3\noutlier_rate = 0.02\noutlier_cycles = 4000\n";
    let run = measure(&blind_gpu("rx6800", &format!("{}{noise}", truth.lines)), &options());
    compare(truth, &run.analysis.units, 3.0);
}

#[test]
fn free_neighbours_of_transcendental_instructions_are_found() {
    let numbers = [(3, 2), (12, 8), (2, 1), (6, 5), (8, 7)];
    for &(cycles, free) in part_of(&numbers, 2, "three more numbers of cycles") {
        let gpu = blind_gpu("rx6800", &format!("[pipelines]\ntranscendental_cycles = {cycles}\n"));
        let run = measure(&gpu, &options());
        let found = &run.analysis.units;
        for (instruction, neighbour) in found.neighbours() {
            // More than eight are not tried.
            assert_eq!(found.free(instruction, neighbour), Some((free, cycles <= 8)), "{cycles}: {instruction}");
        }
        assert_eq!(found.neighbours().len(), 4);
    }
}

/// The simulated S_DELAY_ALU goes with the next instruction and takes nothing.
#[test]
fn the_cost_of_s_delay_alu_is_found() {
    let run = measure(&blind_gpu("rx7900xtx", BLIND[0].lines), &options());
    let found = &run.analysis.units;
    assert_eq!(found.delays.len(), 12);
    for row in &found.delays {
        let [value, low, high] = row.more.as_ref().map(Measured::numbers).unwrap_or_else(|| panic!("{row:?}"));
        assert!(value.abs() <= ROUNDING && high - low <= 0.5, "{row:?}");
    }
    // There is no such instruction before gfx11.
    assert!(measure(&blind_gpu("rx6800", BLIND[0].lines), &options()).analysis.units.delays.is_empty());
}
