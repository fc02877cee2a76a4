//! Fast parser of values in the format of nearly all programs: numbers of a few digits, separated by one space and followed by a quote.
//! Most of a map consists of them. It reads eight bytes at a time. Values in other formats are left to the lexer and
//! [`value`](super::value).

mod number;

use mapwright_io::FaultKind;

use number::{eight, number, quoted_digits, word};

use super::lexer::count_spaces;
use crate::Guid;
use crate::read::memory::Memory;

/// The rest after the closing quote of a value. The value itself is written to its final place: processors stall when they copy as a
/// whole what was just written in pieces.
pub(super) type Plain<'a> = Option<&'a [u8]>;

/// Reads the items at the start of an array, up to the first that is not plain. Returns the number of bytes with preceding spaces.
#[inline(never)]
pub(super) fn items<T: Clone + Default>(
    bytes: &[u8],
    read: impl for<'a> Fn(&'a [u8], &mut T) -> Plain<'a>,
    items: &mut Vec<T>,
    memory: &mut Memory,
) -> Result<usize, FaultKind> {
    let mut rest = bytes;
    let mut gap = Gap::EMPTY;
    loop {
        memory.make_room(items)?;
        let known = items.len();
        let batch = items.capacity().saturating_sub(known).clamp(1, BATCH);
        items.resize(known.saturating_add(batch), T::default());
        let mut count = 0_usize;
        for slot in items.iter_mut().skip(known) {
            let after = match gap.strip(rest) {
                Some(after) => after,
                None => {
                    let (spaces, after) = rest.split_at_checked(count_spaces(rest)).unwrap_or_default();
                    let Some((b'"', after)) = after.split_first() else { break };
                    gap = Gap::new(spaces);
                    after
                }
            };
            let Some(after) = read(after, slot) else { break };
            rest = after;
            count = count.wrapping_add(1);
        }
        if count < batch {
            items.truncate(known.saturating_add(count));
            return Ok(bytes.len().saturating_sub(rest.len()));
        }
    }
}

/// Number of items that are allocated at a time.
const BATCH: usize = 64;

/// Spaces and a quote. They are mostly the same before all items of an array.
struct Gap {
    bytes: u128,
    /// Mask of the bytes in use.
    mask: u128,
    length: usize,
}

impl Gap {
    /// A quote without spaces.
    const EMPTY: Self = Self { bytes: b'"' as u128, mask: 0xFF, length: 1 };

    /// The spaces before an item. If they are too long, those of the next item are counted again.
    fn new(spaces: &[u8]) -> Self {
        let length = spaces.len().saturating_add(1);
        let mut bytes = [0; 16];
        let Some((place, _)) = bytes.split_at_mut_checked(length) else { return Self::EMPTY };
        if let [place @ .., quote] = place {
            place.copy_from_slice(spaces);
            *quote = b'"';
        }
        let bits = u32::try_from(length).unwrap_or_default().wrapping_mul(8);
        Self { bytes: u128::from_le_bytes(bytes), mask: !u128::MAX.unbounded_shl(bits), length }
    }

    /// Returns the rest after the same bytes.
    fn strip<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let start = u128::from_le_bytes(*bytes.first_chunk()?);
        if (start ^ self.bytes) & self.mask != 0 {
            return None;
        }
        bytes.get(self.length..)
    }
}

/// Returns the rest after a required first byte.
fn strip_byte(byte: u8, bytes: &[u8]) -> Option<&[u8]> {
    bytes.split_first().filter(|(first, _)| **first == byte).map(|(_, rest)| rest)
}

/// Reads an integer of up to seven digits.
pub(super) fn int<'a>(bytes: &'a [u8], place: &mut i32) -> Plain<'a> {
    let Some((number, rest)) = quoted_digits(bytes) else { return negative_int(bytes, place) };
    *place = number.cast_signed();
    Some(rest)
}

/// Reads an integer with a sign.
#[cold]
fn negative_int<'a>(bytes: &'a [u8], place: &mut i32) -> Plain<'a> {
    let (number, rest) = quoted_digits(strip_byte(b'-', bytes)?)?;
    *place = number.cast_signed().wrapping_neg();
    Some(rest)
}

/// Reads an integer of eight bits.
pub(super) fn byte<'a>(bytes: &'a [u8], place: &mut u8) -> Plain<'a> {
    let (number, rest) = quoted_digits(bytes)?;
    *place = u8::try_from(number).ok()?;
    Some(rest)
}

/// Reads a number.
pub(super) fn float<'a>(bytes: &'a [u8], place: &mut f32) -> Plain<'a> {
    number(bytes, b'"', place)
}

/// Reads up to four numbers.
#[inline(always)]
pub(super) fn floats<'a, const N: usize>(bytes: &'a [u8], places: &mut [f32; N]) -> Plain<'a> {
    // Half of all rows contain only zeros and ones.
    let mut word = word(bytes)?;
    let (zeros, others) = const { zeros(N) };
    if word & !others == zeros {
        for place in places {
            *place = if word & 1 == 0 { 0.0 } else { 1.0 };
            word >>= 16;
        }
        return bytes.get(N.saturating_mul(2)..);
    }
    let mut rest = bytes;
    for (index, place) in places.iter_mut().enumerate() {
        rest = number(rest, if index.saturating_add(1) == N { b'"' } else { b' ' }, place)?;
    }
    Some(rest)
}

/// Reads an identity.
pub(super) fn guid<'a>(bytes: &'a [u8], place: &mut Guid) -> Plain<'a> {
    let (text, rest) = bytes.split_at_checked(36)?;
    *place = Guid::from_text(text).ok()?;
    strip_byte(b'"', rest)
}

/// Reads nothing: values of the type are never plain.
pub(super) fn none<'a, T>(_: &'a [u8], _: &mut T) -> Plain<'a> {
    None
}

/// Returns a word of `count` zeros, and the mask of bits that can differ: those of ones, and those after the numbers.
const fn zeros(count: usize) -> (u64, u64) {
    let (text, after) = match count {
        1 => (*b"0\"      ", !0xFFFF),
        2 => (*b"0 0\"    ", !0xFFFF_FFFF),
        3 => (*b"0 0 0\"  ", !0xFFFF_FFFF_FFFF),
        _ => (*b"0 0 0 0\"", 0),
    };
    assert!(matches!(count, 1..=4), "a word has no room for more");
    let others = after | 0x0001_0001_0001_0001;
    ((u64::from_le_bytes(text) ^ eight(b'0')) & !others, others)
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use proptest::prelude::*;

    use super::super::value;
    use super::*;
    use crate::ValueType;

    /// Compares the fast parser with the slow one. Returns `true` if the text is plain.
    fn same<T: Debug + Default>(
        text: &str,
        plain: impl for<'a> Fn(&'a [u8], &mut T) -> Plain<'a>,
        slow: impl Fn(&[u8]) -> Option<T>,
    ) -> bool {
        let mut value = T::default();
        let Some(rest) = plain(text.as_bytes(), &mut value) else { return false };
        let (inside, after) = text.split_once('"').expect("a plain value ends with a quote");
        assert_eq!(rest, after.as_bytes(), "{text}");
        assert_eq!(format!("{value:?}"), format!("{:?}", slow(inside.as_bytes()).expect(text)), "{text}");
        true
    }

    /// Compares all kinds of values.
    fn compare_all(text: &str) -> bool {
        [
            same(text, int, value::whole),
            same(text, byte, value::whole),
            same(text, float, value::whole::<f32>),
            same(text, floats::<1>, |text| value::parts(text, value::whole)),
            same(text, floats::<2>, |text| value::parts(text, value::whole)),
            same(text, floats::<3>, |text| value::parts(text, value::whole)),
            same(text, floats::<4>, |text| value::parts(text, value::whole)),
            same(text, guid, value::guid),
        ]
        .contains(&true)
    }

    /// Numbers as programs write them, and unusual ones: single digits and arbitrary characters of numbers.
    fn numeral() -> impl Strategy<Value = String> {
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
        fn plain_numbers_are_read_as_by_the_slow_parser(
            numbers in prop::collection::vec(numeral(), 1..5),
            between in prop_oneof![9 => Just(" "), 1 => Just("  "), 1 => Just("\t"), 1 => Just("\"")],
            rest in "[0-9\",\n\t ]{0,80}",
        ) {
            compare_all(&format!("{}\"{rest}", numbers.join(between)));
        }

        #[test]
        fn any_byte_can_be_anywhere(digits in "-?[0-9]{0,9}", byte in any::<char>(), rest in "[0-9. \"]{0,30}") {
            compare_all(&format!("{digits}{byte}{rest}\"{:32}", ""));
        }

        #[test]
        fn identities_are_read_as_by_the_slow_parser(text in "[0-9a-fA-Fg]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}[-_][0-9a-fA-F]{12}\"{0,2}") {
            compare_all(&text);
        }

        #[test]
        fn spaces_can_change_anywhere(gaps in prop::collection::vec("[\t\n ,]{0,20}", 0..8)) {
            let text: String = gaps.iter().map(|gap| format!("{gap}\"1\"")).chain(["]      ".to_owned()]).collect();
            let mut found = Vec::new();
            let taken = items(text.as_bytes(), int, &mut found, &mut Memory::new(0)).expect("it is small");
            prop_assert_eq!((found, &text[taken..]), (vec![1; gaps.len()], "]      "));
        }

        #[test]
        fn arrays_can_have_any_length(numbers in prop::collection::vec(-99_999..99_999, 1..200)) {
            let text: String = numbers.iter().map(|number| format!("\"{number}\",\n")).chain(["]      ".to_owned()]).collect();
            let mut found = Vec::new();
            let taken = items(text.as_bytes(), int, &mut found, &mut Memory::new(0)).expect("it is small");
            prop_assert_eq!((found, &text[taken..]), (numbers, ",\n]      "));
        }
    }

    #[test]
    fn zeros_and_ones_are_distinguished_from_others() {
        let numbers = ["0", "1", "2", "9", "-0", "-1", "00", "01", "0.5", ""];
        for (count, between) in (1..=4).flat_map(|count| [" ", "\t", "\"", "0"].map(|between| (count, between))) {
            for pick in 0..numbers.len().pow(count) {
                let picked = (0..count).map(|at| numbers[pick / numbers.len().pow(at) % numbers.len()]);
                compare_all(&format!("{}\"{:32}", picked.collect::<Vec<_>>().join(between), ""));
            }
        }
    }

    #[test]
    fn output_of_programs_is_plain() {
        for text in [
            "0",
            "-0",
            "1234567",
            "1234567.25",
            "-1234567",
            "0.12345678",
            "1.234567890123",
            "255",
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
            assert!(compare_all(&format!("{text}\",{:32}", "")), "{text}");
        }
        for text in [
            "",
            "-",
            ".",
            "12345678",
            "12345678.5",
            "1.234567890123456",
            "e-5",
            "1e5",
            "+1",
            " 1",
            "1 ",
            "1e-",
            "1e-400",
            "16777217.5000000001234",
            "nan",
        ] {
            assert!(!compare_all(&format!("{text}\",{:32}", "")), "{text}");
        }
        assert!(ValueType::ALL.iter().all(|&value_type| value::plain(value_type, b"").is_none()));
    }
}
