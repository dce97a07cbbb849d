//! What templates put around the timed code where the hardware does not wait, on the targets that need it (`hazards.csv` of a generation).

use gcn_model::hazard::repair_of;
use gcn_model::isa::Processor;
use serde::Serialize;

/// Lines of the templates, each where the processor has the hazard.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Repairs {
    /// In front of what changes EXEC: memory that was issued before may not have read it yet, or vector instructions not written their
    /// registers, which others read together with newer ones.
    before_exec: Option<&'static str>,
    /// In front of each pass and of the first store of the results: LDS may have been used in front of the last jump.
    before_stores: Option<&'static str>,
    /// Behind what sets VCC for the timed code, which reads it as a mask and has done so in the pass before.
    behind_masks: Option<&'static str>,
    /// Behind what sets SGPRs that vector instructions have read before and read again.
    behind_scalars: Option<&'static str>,
}

impl Repairs {
    pub(super) fn of(processor: Processor) -> Self {
        let of = |hazard| repair_of(processor, hazard);
        Self {
            before_exec: of("memory-sgpr-salu").or_else(|| of("forwarded-beside-newer")),
            before_stores: of("lds-branch-vmem"),
            behind_masks: of("mask-salu-alu").or_else(|| of("read-pair-salu-alu")),
            behind_scalars: of("read-pair-salu-alu"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_targets_that_need_them_have_them() {
        let repairs = |target| {
            let repairs = Repairs::of(Processor::find(target).unwrap());
            [repairs.before_exec, repairs.before_stores, repairs.behind_masks, repairs.behind_scalars]
        };
        assert_eq!(
            repairs("gfx1010"),
            [Some("s_waitcnt_depctr 0xffe3"), Some("s_waitcnt_vscnt null, 0x0"), None, None]
        );
        assert_eq!(repairs("gfx1030"), [None; 4]);
        assert_eq!(repairs("gfx1100"), [None; 4]);
        assert_eq!(
            repairs("gfx1100:wavefrontsize64+"),
            [Some("s_waitcnt_depctr 0xfff"), None, Some("s_waitcnt_depctr 0xfffe"), None]
        );
        assert_eq!(repairs("gfx1201"), [None, None, Some("s_wait_alu 0xfffe"), Some("s_wait_alu 0xfffe")]);
        assert_eq!(repairs("gfx906"), [None; 4]);
    }
}
