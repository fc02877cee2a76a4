//! Values in the spelling of nearly all programs: numbers of a few digits with one blank between them and a quote behind them.
//! They are most of a map, and are told eight bytes at a time. What is spelled otherwise is no value here: the lexer and
//! [`value`](super::value) read it.

use mapwright_io::FaultKind;

use super::lexer::blanks;
use crate::Guid;
use crate::read::memory::Memory;

/// A value behind an opening quote, and what stands behind its closing quote.
pub(super) type Plain<'a, T> = Option<(T, &'a [u8])>;

/// The items at the start of an array, up to the first that is not plain, and how many bytes they take with the blanks before
/// them.
pub(super) fn items<T>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Plain<'_, T>,
    items: &mut Vec<T>,
    memory: &mut Memory,
) -> Result<usize, FaultKind> {
    let mut rest = bytes;
    let mut gap = Gap::default();
    loop {
        let behind = match gap.strip(rest) {
            Some(behind) => behind,
            None => {
                let (blank, behind) = rest.split_at_checked(blanks(rest)).unwrap_or_default();
                let Some((b'"', behind)) = behind.split_first() else { break };
                gap = Gap::new(blank);
                behind
            }
        };
        let Some((item, behind)) = read(behind) else { break };
        memory.make_room(items)?;
        items.push(item);
        rest = behind;
    }
    Ok(bytes.len().saturating_sub(rest.len()))
}

/// Blanks and a quote. They are the same before all items of an array.
#[derive(Default)]
struct Gap {
    bytes: u128,
    /// The bytes that count.
    mask: u128,
    length: usize,
}

impl Gap {
    /// Those that stood before an item. If they are long, the next ones will have to be read again.
    fn new(blank: &[u8]) -> Self {
        let length = blank.len().saturating_add(1);
        let mut bytes = [0; 16];
        let Some((place, _)) = bytes.split_at_mut_checked(length) else { return Self::default() };
        if let [place @ .., quote] = place {
            place.copy_from_slice(blank);
            *quote = b'"';
        }
        let bits = u32::try_from(length).unwrap_or_default().wrapping_mul(8);
        Self { bytes: u128::from_le_bytes(bytes), mask: !u128::MAX.unbounded_shl(bits), length }
    }

    /// What stands behind the same bytes.
    fn strip<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let start = u128::from_le_bytes(*bytes.first_chunk()?);
        if (start ^ self.bytes) & self.mask != 0 || self.length == 0 {
            return None;
        }
        bytes.get(self.length..)
    }
}

/// Eight times the same byte.
const fn eight(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The number that the digits at the start make, at most eight of them, and what stands behind them.
fn digits(bytes: &[u8]) -> Option<(u64, usize, &[u8])> {
    // Digits become their values. The first other byte gets its high bit; sums only reach bytes behind it.
    let word = u64::from_le_bytes(*bytes.first_chunk()?) ^ eight(b'0');
    let other = (word.wrapping_add(eight(0x7F - 9)) | word) & eight(0x80);
    let bits = other.trailing_zeros() & !7;
    // Zeros come before the digits, and other bytes drop out. Then pairs, fours and all eight are put together.
    let word = word.unbounded_shl(64_u32.wrapping_sub(bits));
    let pairs = word.wrapping_mul(10).wrapping_add(word >> 8);
    let even = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(100 + (1_000_000 << 32));
    let odd = (pairs >> 16 & 0x0000_00FF_0000_00FF).wrapping_mul(1 + (10_000 << 32));
    let count = (bits / 8) as usize;
    Some((even.wrapping_add(odd) >> 32, count, bytes.get(count..)?))
}

/// Takes a minus sign off.
fn sign(bytes: &[u8]) -> (bool, &[u8]) {
    match bytes {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    }
}

/// What stands behind a byte that has to come first.
fn behind(byte: u8, bytes: &[u8]) -> Option<&[u8]> {
    bytes.split_first().filter(|(first, _)| **first == byte).map(|(_, rest)| rest)
}

/// A whole number of up to eight digits.
pub(super) fn int(bytes: &[u8]) -> Plain<'_, i32> {
    let (negative, rest) = sign(bytes);
    let (number, count, rest) = digits(rest)?;
    let number = i32::try_from(number).ok().filter(|_| count > 0)?;
    Some((if negative { number.wrapping_neg() } else { number }, behind(b'"', rest)?))
}

/// A whole number of eight bits.
pub(super) fn byte(bytes: &[u8]) -> Plain<'_, u8> {
    let (number, count, rest) = digits(bytes)?;
    let number = u8::try_from(number).ok().filter(|_| count > 0)?;
    Some((number, behind(b'"', rest)?))
}

/// A number.
pub(super) fn float(bytes: &[u8]) -> Plain<'_, f32> {
    number(bytes, b'"')
}

/// Numbers.
#[inline(always)]
pub(super) fn floats<const N: usize>(bytes: &[u8]) -> Plain<'_, [f32; N]> {
    let mut rest = bytes;
    let mut found = [0.0; N];
    for (index, slot) in found.iter_mut().enumerate() {
        (*slot, rest) = number(rest, if index.saturating_add(1) == N { b'"' } else { b' ' })?;
    }
    Some((found, rest))
}

/// An identity.
pub(super) fn guid(bytes: &[u8]) -> Plain<'_, Guid> {
    let (text, rest) = bytes.split_at_checked(36)?;
    Some((Guid::from_text(text).ok()?, behind(b'"', rest)?))
}

/// No value is plain.
pub(super) fn none<T>(_: &[u8]) -> Plain<'_, T> {
    None
}

/// The float that is nearest to the decimal number before a byte.
#[inline(always)]
fn number(bytes: &[u8], end: u8) -> Plain<'_, f32> {
    let (negative, rest) = sign(bytes);
    let (float, rest) = match rest {
        // Half of all numbers of maps are 0 or 1.
        [digit @ b'0'..=b'9', next, rest @ ..] if *next == end => (f32::from(digit & 0x0F), rest),
        rest => decimal(rest, end)?,
    };
    Some((f32::from_bits(float.to_bits() ^ u32::from(negative) << 31), rest))
}

/// The same of a number without a sign.
fn decimal(bytes: &[u8], end: u8) -> Plain<'_, f32> {
    // Few digits stand before the point, and many behind it.
    let mut rest = bytes;
    let mut mantissa = 0_u64;
    while let [digit @ b'0'..=b'9', behind @ ..] = rest {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit & 0x0F));
        rest = behind;
    }
    let mut count = bytes.len().saturating_sub(rest.len());
    let mut scale = 0;
    if let Some((b'.', fraction)) = rest.split_first() {
        let (more, decimals, behind) = digits(fraction)?;
        mantissa = mantissa.wrapping_mul(*POWERS.get(decimals)?).wrapping_add(more);
        (scale, rest) = (decimals, behind);
        if decimals == 8 {
            while let [digit @ b'0'..=b'9', behind @ ..] = rest {
                mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit & 0x0F));
                (scale, rest) = (scale.saturating_add(1), behind);
            }
        }
        count = count.saturating_add(scale);
    }
    if let Some((b'e', behind)) = rest.split_first() {
        let exponent;
        (exponent, rest) = negative_exponent(behind)?;
        scale = scale.saturating_add(exponent);
    }
    let rest = behind(end, rest)?;
    let float = if (1..=15).contains(&count) { quotient(mantissa, scale)? } else { return None };
    Some((float, rest))
}

/// A negative exponent of one or two digits.
fn negative_exponent(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let [b'-', ones @ b'0'..=b'9', rest @ ..] = bytes else { return None };
    let (tens, ones, rest) = match rest {
        [next @ b'0'..=b'9', rest @ ..] => (ones & 0x0F, next & 0x0F, rest),
        rest => (0, ones & 0x0F, rest),
    };
    Some((usize::from(tens.wrapping_mul(10).wrapping_add(ones)), rest))
}

/// Powers of ten.
const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Powers of ten that are exact.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// A number of up to 15 digits over a power of ten. Both are exact as `f64`, so the quotient is the nearest `f64`. That rounds
/// to the nearest `f32` as the number itself would, unless it lies in the middle between two.
fn quotient(mantissa: u64, scale: usize) -> Option<f32> {
    #[expect(clippy::cast_precision_loss, reason = "15 digits are exact")]
    let wide = mantissa.cast_signed() as f64 / EXACT_POWERS.get(scale)?;
    let middle = wide.to_bits() & 0x1FFF_FFFF == 0x1000_0000;
    if middle || wide < f64::from(f32::MIN_POSITIVE) && mantissa != 0 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
    Some(wide as f32)
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use proptest::prelude::*;

    use super::super::value;
    use super::*;
    use crate::ValueType;

    /// What is plain must be what the slow way says of the text before the first quote. Says whether it is plain.
    fn same<T: Debug>(text: &str, plain: Plain<'_, T>, slow: impl FnOnce(&[u8]) -> Option<T>) -> bool {
        let Some((value, rest)) = plain else { return false };
        let (inside, behind) = text.split_once('"').expect("a plain value ends with a quote");
        assert_eq!(rest, behind.as_bytes(), "{text}");
        assert_eq!(format!("{value:?}"), format!("{:?}", slow(inside.as_bytes()).expect(text)), "{text}");
        true
    }

    /// The same for all kinds of values.
    fn all(text: &str) -> bool {
        let bytes = text.as_bytes();
        [
            same(text, int(bytes), value::whole),
            same(text, byte(bytes), value::whole),
            same(text, float(bytes), value::whole::<f32>),
            same(text, floats::<2>(bytes), |text| value::parts(text, value::whole)),
            same(text, floats::<4>(bytes), |text| value::parts(text, value::whole)),
            same(text, guid(bytes), value::guid),
        ]
        .contains(&true)
    }

    /// Numbers as programs write them, and odd ones; single digits and what may stand in numbers among them.
    fn number() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<f32>().prop_map(|number| number.to_string()),
            any::<f32>().prop_map(|number| format!("{number:.10}")),
            any::<f32>().prop_map(|number| format!("{number:e}")),
            (-1000.0_f32..1000.0).prop_map(|number| format!("{number:.10}").trim_end_matches('0').to_owned()),
            (any::<u64>(), 0_u32..12).prop_map(|(digits, cut)| format!("{}.{digits}", digits % 10_u64.pow(cut))),
            any::<i32>().prop_map(|number| number.to_string()),
            (0_u16..300).prop_map(|number| number.to_string()),
            "-?[0-9]{0,20}\\.?[0-9]{0,20}(e-[0-9]{0,3})?",
            "[-+.e0-9]{0,12}",
            "[0-9]",
        ]
    }

    proptest! {
        #[test]
        fn what_is_plain_is_what_the_slow_way_says(
            numbers in prop::collection::vec(number(), 1..5),
            between in prop_oneof![9 => Just(" "), 1 => Just("  "), 1 => Just("\t"), 1 => Just("\"")],
            behind in "[0-9\",\n\t ]{0,20}",
        ) {
            all(&format!("{}\"{behind}", numbers.join(between)));
        }

        #[test]
        fn identities_are_what_the_slow_way_says(text in "[0-9a-fA-Fg]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}[-_][0-9a-fA-F]{12}\"{0,2}") {
            all(&text);
        }

        #[test]
        fn blanks_may_change_anywhere(gaps in prop::collection::vec("[\t\n ,]{0,20}", 0..8)) {
            let text: String = gaps.iter().map(|gap| format!("{gap}\"1\"")).chain(["]      ".to_owned()]).collect();
            let mut found = Vec::new();
            let taken = items(text.as_bytes(), int, &mut found, &mut Memory::new(0)).expect("it is small");
            prop_assert_eq!((found, &text[taken..]), (vec![1; gaps.len()], "]      "));
        }
    }

    #[test]
    fn what_programs_write_is_plain() {
        for text in [
            "0",
            "-0",
            "12345678",
            "-7",
            "0.5",
            "-0.7071067691",
            "270.1130371094",
            "1e-7",
            "1.2345678e-10",
            ".5",
            "5.",
            "1 2",
            "0 -0.5 128 1.5e-8",
            "30702237-3759-4deb-826c-0021d9ea13d6",
        ] {
            assert!(all(&format!("{text}\",\n\t\t\t\t\t")), "{text}");
        }
        for text in ["", "-", ".", "e-5", "1e5", "+1", " 1", "1 ", "1e-", "1e-400", "16777217.5000000001234", "nan"] {
            assert!(!all(&format!("{text}\",\n\t\t\t\t\t")), "{text}");
        }
        assert!(ValueType::ALL.iter().all(|&value_type| value::plain(value_type, b"").is_none()));
    }
}
