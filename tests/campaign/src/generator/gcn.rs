//! Keys of GCN and CDNA.

use gcn_model::gpu::Gpu;

use super::front_end::{Line, shared};
use crate::family::Family;
use crate::random::Random;

/// All keys of the machine but those of single instructions.
pub(super) fn machine(random: &mut Random, gpu: &Gpu, family: Family, line: &mut Line<'_>) {
    let sgprs = random.whole(26, 128) * 8;
    line(format_args!("[registers]\nwaves_per_simd = {}", random.whole(1, 16)));
    let vgprs = random.whole(64, 256) * if gpu.registers.vgprs > 256 { 2 } else { 1 };
    line(format_args!("vgprs = {vgprs}\nvgpr_granule = {}", random.one_of(&[1, 2, 4, 4, 6, 8, 16])));
    line(format_args!("sgprs = {sgprs}\nsgpr_granule = {}", random.one_of(&[4, 8, 8, 16, 32])));
    line(format_args!("addressable_sgprs = {}", random.one_of(&[102, 104])));

    let bytes = random.whole(64, 256) * 256;
    line(format_args!("[lds]\nbytes = {bytes}\ngranule_bytes = {}", random.one_of(&[64, 128, 256, 512, 1024])));
    line(format_args!("max_group_bytes = {}\nbanks = {}", bytes.min(32768), random.whole(1, 64)));
    line(format_args!("pairs = {}\nbus_bytes = {}", random.one_of(&[1, 2, 4]), random.one_of(&[32, 64, 128])));
    line(format_args!("latency_cycles = {}", random.whole(20, 200)));

    shared(random, gpu, family, line);
    line(format_args!("[branch]\nnot_taken_cycles = {}", random.one_of(&[4, 4, 8, 12])));
    line(format_args!("taken_cycles = {}", random.whole(4, 16) * 4));
    let producers =
        ["V_ADD_I32", "V_SUB_CO_U32", "V_READLANE_B32", "V_MUL_LO_U32", "V_RCP_F32", "V_ADD_F32", "V_MOV_B32"];
    let named = |name: &&&str| gpu.processor().instruction(name).is_some();
    let producers: Vec<&str> = producers.iter().filter(named).filter(|_| random.happens(0.35)).copied().collect();
    line(format_args!("[scheduling]\nvector_to_scalar_delay_cycles = {}", random.one_of(&[0, 4, 8, 16, 24, 48, 100])));
    line(format_args!("vector_to_scalar_producers = {producers:?}"));
    line(format_args!("flag_branch_penalty_cycles = {}", random.one_of(&[0, 4, 4, 8, 20])));
    line(format_args!("[memtime]\nround_trip_cycles = {}", random.whole(8, 200)));
    line(format_args!("[scalar_memory]\nlatency_cycles = {}", random.whole(20, 300)));
    line(format_args!("[vector_memory]\nlatency_cycles = {}", random.whole(100, 900)));
    line(format_args!("glc1_cycles = {}\nglc2_cycles = {}", random.whole(0, 12), random.whole(0, 20)));
    line(format_args!("[simulation]\ncompute_units = {}", random.whole(1, 3)));
    line(format_args!("wave_launch_interval_cycles = {}", random.one_of(&[1, 4, 4, 16, 64, 256])));
    if family == Family::Cdna {
        matrix(random, line);
    }
}

/// Keys of the matrix unit; those of single instructions are among `[cycles]`.
fn matrix(random: &mut Random, line: &mut Line<'_>) {
    const NEIGHBOURS: [&str; 3] = ["V_MOV_B32", "V_PK_FMA_F32", "V_EXP_F32"];
    line(format_args!("[matrix]\ngap_cycles = {}", random.one_of(&[4, 4, 8, 12])));
    line(format_args!("accumulator_cycles = {}", random.one_of(&[0, 0, 3, 8])));
    line(format_args!("operand_cycles = {}\nreader_cycles = {}", random.whole(0, 16), random.whole(0, 20)));
    let waiting: Vec<&str> = NEIGHBOURS.into_iter().filter(|_| random.happens(0.3)).collect();
    line(format_args!("no_overlap = {waiting:?}\nno_overlap_delay_cycles = {}", random.one_of(&[0, 4, 8])));
}
