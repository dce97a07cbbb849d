//! The common parts of the end-to-end tests of `gcn-timings`; the tests themselves are in `tests/tests`.

mod card_fault;
mod card_run;
mod cards;
mod chip;
mod criteria;
mod fat_binary;
mod folder;
mod forged_record;
mod generated_page;
mod linker;
mod measured;
mod noisy_run;
mod part;
mod published_results;
mod rank_correlation;
mod recognizer;
mod rocm_version;
mod rounds;
mod shipped_results;
mod tier;

pub use card_fault::CardFault;
pub use card_run::{CardRun, ended, every_third, text};
pub use cards::{OpenCl, Rocm};
pub use chip::{Chip, Ended, assembler, chip, object_of};
pub use criteria::{
    Intervals, ROUNDING, assert_others_unchanged, blind_gpu, cycles, found_again, latencies, throughputs,
};
pub use fat_binary::{host_file, offload_bundle};
pub use folder::{copy_templates, files, without_times};
pub use forged_record::forge_record;
pub use generated_page::{compare_part, part};
pub use linker::{ABI_VERSION, linker};
pub use measured::{MeasuredRun, measure, measure_on, only, quick, whole_summary};
pub use noisy_run::NoisyRun;
pub use part::part_of;
pub use published_results::{compare_with_published, is_published};
pub use rank_correlation::tau;
pub use recognizer::recognized;

pub use rocm_version::RocmVersion;
pub use rounds::in_rounds;
pub use shipped_results::gpus_with_results;
pub use tier::{Tier, UPDATE};
