//! What directives mean for the layout of the text section.

/// A directive in the text section.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// Nothing in the section: symbols and their attributes, passed on to LLVM.
    Passed,
    /// Alignment to a power of two, filled up by LLVM.
    Align {
        /// Alignment in bytes.
        bytes: u64,
    },
    /// Literal bytes.
    Data(Vec<u8>),
    /// Start of lines that are repeated, with the number; `None` if only LLVM can tell it.
    Repeat(Option<usize>),
    /// End of the repeated lines.
    EndRepeat,
    /// Back to, or still in, the text section.
    Text,
    /// To another section.
    OtherSection,
    /// Known, with operands that only LLVM can evaluate: the kernel is assembled by LLVM as a whole.
    Whole,
    /// More than any kernel needs; LLVM would go and fill gigabytes.
    TooLarge,
    /// Not known, or not usable here.
    Unknown,
}

/// Bytes of data, or repetitions, that one line may stand for.
const MOST_BYTES: i128 = 1 << 24;
/// The largest alignment, in bytes.
const MOST_ALIGNMENT: i128 = 1 << 16;

impl Directive {
    /// Reads a directive in the text section.
    pub(super) fn read(name: &str, operands: &str) -> Self {
        match name {
            ".globl"
            | ".global"
            | ".type"
            | ".size"
            | ".weak"
            | ".hidden"
            | ".protected"
            | ".internal"
            | ".local"
            | ".amdgcn_target"
            | ".amdhsa_code_object_version" => Self::Passed,
            // More operands (fill value, most bytes) are left to LLVM, whose versions treat them differently.
            ".p2align" => match integer(operands) {
                Some(power @ 0..=127) => align(1 << power.min(126)),
                Some(128..) => Self::TooLarge,
                _ => Self::Whole,
            },
            ".balign" | ".align" => integer(operands).map_or(Self::Whole, align),
            ".byte" => data(operands, 1),
            ".short" | ".hword" | ".2byte" => data(operands, 2),
            ".long" | ".int" | ".4byte" => data(operands, 4),
            ".quad" | ".8byte" => data(operands, 8),
            ".fill" => fill(operands),
            ".zero" => match integer(operands) {
                Some(bytes @ 0..=MOST_BYTES) => Self::Data(vec![0; bytes as usize]),
                Some(0..) => Self::TooLarge,
                _ => Self::Whole,
            },
            ".rept" | ".rep" => match integer(operands) {
                Some(count @ 0..=MOST_BYTES) => Self::Repeat(Some(count as usize)),
                Some(0..) => Self::TooLarge,
                _ => Self::Repeat(None),
            },
            ".endr" => Self::EndRepeat,
            ".text" if operands.is_empty() => Self::Text,
            ".rodata" | ".data" | ".bss" if operands.is_empty() => Self::OtherSection,
            ".section" => match operands.split(',').next().map(str::trim) {
                Some(".text") => Self::Text,
                _ => Self::OtherSection,
            },
            _ => Self::Unknown,
        }
    }
}

/// Directives with which it is no longer plain which lines count, or where they go; refused in every section.
pub(super) fn hides_lines(name: &str) -> bool {
    matches!(
        name,
        ".macro"
            | ".endm"
            | ".include"
            | ".incbin"
            | ".irp"
            | ".irpc"
            | ".altmacro"
            | ".pushsection"
            | ".popsection"
            | ".previous"
            | ".subsection"
            | ".else"
            | ".elseif"
            | ".endif"
            | ".end"
    ) || name.starts_with(".if")
}

fn align(bytes: i128) -> Directive {
    match bytes {
        1..=MOST_ALIGNMENT if bytes.count_ones() == 1 => Directive::Align { bytes: bytes as u64 },
        1..=MOST_ALIGNMENT | ..=0 => Directive::Whole,
        _ => Directive::TooLarge,
    }
}

fn data(operands: &str, width: usize) -> Directive {
    let mut bytes = Vec::new();
    for operand in operands.split(',') {
        let Some(value) = integer(operand).filter(|value| fits(*value, width)) else { return Directive::Whole };
        bytes.extend_from_slice(&value.to_le_bytes()[..width]);
    }
    Directive::Data(bytes)
}

/// `.fill repeat, size, value`; LLVM takes at most 4 bytes of the value.
fn fill(operands: &str) -> Directive {
    let read: Option<Vec<i128>> = operands.split(',').map(integer).collect();
    let (repeat, size, value) = match read.as_deref() {
        Some(&[repeat]) => (repeat, 1, 0),
        Some(&[repeat, size]) => (repeat, size, 0),
        Some(&[repeat, size, value]) => (repeat, size, value),
        _ => return Directive::Whole,
    };
    if repeat.saturating_mul(size) > MOST_BYTES {
        return Directive::TooLarge;
    }
    let sensible = (0..=MOST_BYTES).contains(&repeat) && (1..=4).contains(&size) && fits(value, size as usize);
    if !sensible {
        return Directive::Whole;
    }
    Directive::Data(value.to_le_bytes()[..size as usize].repeat(repeat as usize))
}

fn fits(value: i128, width: usize) -> bool {
    let bits = width * 8;
    (-(1_i128 << (bits - 1))..1_i128 << bits).contains(&value)
}

/// A plain decimal, hexadecimal or binary number, with or without a minus sign.
fn integer(text: &str) -> Option<i128> {
    let text = text.trim();
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let number = if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        u64::from_str_radix(hex, 16)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        u64::from_str_radix(binary, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(digits, 8)
    } else {
        digits.parse()
    };
    let number = i128::from(number.ok().filter(|_| !digits.contains('+'))?);
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_layout_needs() {
        for (name, operands, expected) in [
            (".p2align", "8", Directive::Align { bytes: 256 }),
            (".p2align", "8, 0", Directive::Whole),
            (".balign", "6", Directive::Whole),
            (".p2align", "40", Directive::TooLarge),
            (".p2align", "-1", Directive::Whole),
            (".balign", "0x20000", Directive::TooLarge),
            (".fill", "0x10000000, 4", Directive::TooLarge),
            (".long", "0x7e001301, -1", Directive::Data(vec![0x01, 0x13, 0, 0x7e, 255, 255, 255, 255])),
            (".long", ".La-.Lb", Directive::Whole),
            (".long", "0x100000000", Directive::Whole),
            (".byte", "010, 0b11", Directive::Data(vec![8, 3])),
            (".fill", "2, 2, 0x1234", Directive::Data(vec![0x34, 0x12, 0x34, 0x12])),
            (".fill", "3", Directive::Data(vec![0; 3])),
            (".rept", "16", Directive::Repeat(Some(16))),
            (".section", ".text,\"ax\"", Directive::Text),
            (".section", ".rodata,\"a\"", Directive::OtherSection),
            (".org", "64", Directive::Unknown),
        ] {
            assert_eq!(Directive::read(name, operands), expected, "{name} {operands}");
        }
    }
}
