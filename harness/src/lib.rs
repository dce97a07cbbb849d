//! Experiments, kernels, assembling, devices, runs and the command line of `gcn-timings`.
//!
//! A plan lists the experiments for a device; templates make kernels of it:
//!
//! ```
//! use gcn_harness::device::{Device, SimulatedDevice};
//! use gcn_harness::experiment::{MeasureOptions, Plan};
//! use gcn_harness::kernel::Templates;
//! use gcn_model::gpu::Gpu;
//!
//! let tahiti = Gpu::named("tahiti")?;
//! let device = SimulatedDevice::new("sim:tahiti", &tahiti);
//! let plan = Plan::new(device.information(), &MeasureOptions::default());
//! let kernel = plan.kernels.iter().find(|kernel| kernel.snippet.instruction.name == "V_ADD_F64").expect("it is measured");
//! let module = Templates::shipped()?.module(&tahiti.gfx_target, tahiti.generation, std::slice::from_ref(kernel))?;
//! assert!(module.kernels[0].text.as_str().contains("v_add_f64 "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod assembler;
pub mod bundle;
pub mod code;
pub mod command;
pub mod device;
pub mod doctor;
pub mod experiment;
pub mod kept_kernels;
pub mod kernel;
pub mod launch_file;
pub mod llvm;
pub mod mca;
pub mod run;
mod run_card;
pub mod scratch;
mod shipped_results;

pub use run_card::{RunCardError, run_card};
pub use shipped_results::{ShippedResultsError, shipped_results};
