//! The measuring side of `gcn-timings`: from a plan to stored readings, and the command line.
//!
//! 1. [`experiment`] plans: which instructions, in which form, or why not.
//! 2. [`kernel`] renders each experiment from templates.
//! 3. [`assembler`] and [`llvm`] assemble and link; the linked code is decoded and compared with the plan.
//! 4. [`device`] launches it: on the simulator, or on a card through HIP or OpenCL, in a child process.
//! 5. [`run`] stores every reading before the next launch, and resumes interrupted runs.
//!
//! `gcn-analysis` derives all numbers from the stored files. [`command`] has the program's commands.
//!
//! A plan lists the experiments for a device, and templates make kernels of it:
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
mod kernel_driver;
pub mod launch_file;
pub mod llvm;
pub mod mca;
pub mod run;
mod run_card;
pub mod scratch;
mod shipped_results;

pub use run_card::{RunCardError, run_card};
pub use shipped_results::{ShippedResultsError, shipped_results};
