//! Two instructions of which the second reads the first one's result.

use gcn_model::isa::OperandKind;

use super::snippet::Snippet;

impl Snippet {
    /// Another instruction with its first source replaced by what this one writes, in the first copy of each; `None` where it
    /// cannot read that: other register files or widths, a result in flags alone, code without operands.
    pub fn read_by(&self, consumer: &Self) -> Option<Self> {
        let written = self.instruction.operands.iter().find(|operand| operand.is_written())?;
        let (first, read) = consumer.instruction.operands.iter().enumerate().find(|(_, operand)| operand.is_read())?;
        let has_number = matches!(written.kind, OperandKind::Vgpr | OperandKind::Sgpr);
        if !has_number || !read.kind.can_read(written.kind) || written.registers() != 1 || read.registers() != 1 {
            return None;
        }
        let result = operands(self.copies.first()?)?.1.first()?.to_string();
        let (mnemonic, texts) = operands(consumer.copies.first()?)?;
        let mut texts: Vec<String> = texts.into_iter().map(str::to_owned).collect();
        *texts.get_mut(first)? = result;
        Some(Self { copies: vec![format!("{mnemonic} {}", texts.join(", "))], ..consumer.clone() })
    }
}

/// Mnemonic and operands of a line.
fn operands(line: &str) -> Option<(&str, Vec<&str>)> {
    let (mnemonic, operands) = line.split_once(' ')?;
    Some((mnemonic, operands.split(',').map(str::trim).collect()))
}

#[cfg(test)]
mod tests {
    use gcn_model::isa::find;

    use super::*;
    use crate::kernel::Copies;
    use gcn_model::isa::generation;

    fn dependent(producer: &str, consumer: &str) -> Option<String> {
        let snippet =
            |name| Snippet::new(find(name, generation("gfx7"))?, (generation("gfx7"), 64), Copies::Independent);
        Some(snippet(producer)?.read_by(&snippet(consumer)?)?.copies[0].clone())
    }

    #[test]
    fn the_consumer_reads_the_result() {
        assert_eq!(dependent("V_READLANE_B32", "S_ADD_U32").as_deref(), Some("s_add_u32 s32, s32, s25"));
        assert_eq!(dependent("V_ADD_I32", "V_MOV_B32").as_deref(), Some("v_mov_b32_e32 v14, v14"));
        assert_eq!(dependent("S_MOV_B32", "S_CMP_EQ_U32").as_deref(), Some("s_cmp_eq_u32 s32, s25"));
        assert_eq!(dependent("V_MOV_B32", "S_ADD_U32"), None);
        assert_eq!(dependent("V_ADD_F64", "V_MOV_B32"), None);
        assert_eq!(dependent("S_CMP_EQ_U32", "S_CBRANCH_SCC1"), None);
        assert_eq!(dependent("V_READLANE_B32", "S_NOP"), None);
    }
}
