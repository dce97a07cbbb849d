//! The kernels that the site shows.

use std::collections::HashMap;

use gcn_analysis::{KernelListing, Kernels};
use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;

use crate::device::{Device, SimulatedDevice};
use crate::experiment::{MeasureOptions, Plan};
use crate::kernel::Templates;

/// The kernels of this version of the tool, for the GPUs that ship.
pub(super) struct SiteKernels {
    templates: Templates,
    /// A GPU of each target.
    gpus: HashMap<String, Gpu>,
}

impl SiteKernels {
    pub(super) fn new() -> anyhow::Result<Self> {
        let mut gpus = HashMap::new();
        for name in Gpu::shipped() {
            let gpu = Gpu::named(name)?;
            gpus.entry(gpu.gfx_target.clone()).or_insert(gpu);
        }
        Ok(Self { templates: Templates::shipped()?, gpus })
    }
}

impl Kernels for SiteKernels {
    fn of(&self, target: &str, instruction: &str) -> Option<KernelListing> {
        let gpu = self.gpus.get(Processor::find(target)?.name())?;
        let found = gpu.processor().instruction(instruction)?;
        let device = SimulatedDevice::new(&gpu.name, gpu);
        let options = MeasureOptions { dangerous: true, ..MeasureOptions::default() };
        let mut plan = Plan::of_instruction(device.information(), &options, found);
        plan.kernels.truncate(1);
        let kernel = plan.kernels.first_mut()?;
        let kind = kernel.experiment.rsplit('/').next()?.to_owned();
        kernel.sections.truncate(1);
        let module = self.templates.module(&gpu.gfx_target, gpu.generation, &plan.kernels).ok()?;
        let text = module.kernels.first()?.text.as_str().trim_end();
        // The loader's data follows the code.
        let code = text.split_once("\n    s_endpgm").map_or(text, |(code, _)| code);
        Some(KernelListing {
            command: format!("gcn-timings kernel {instruction} --gpu {} --kind {kind}", gpu.name),
            text: format!("{}\n    s_endpgm\n", code.trim_end()),
        })
    }
}
