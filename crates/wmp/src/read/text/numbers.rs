//! Words to numbers.

/// Powers of ten that are exact.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// A finite number; `-0` keeps its sign.
#[inline]
pub(crate) fn float(word: &[u8]) -> Option<f64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        _ => (false, word),
    };
    let magnitude = simple(digits).or_else(|| any(digits))?;
    Some(if negative { -magnitude } else { magnitude })
}

/// A decimal number whose digits make less than 2⁵³, with at most 22 behind the point: the quotient of two exact numbers, which
/// is the nearest one.
#[inline]
fn simple(digits: &[u8]) -> Option<f64> {
    // 15 digits, and a point.
    if digits.len() > 16 {
        return None;
    }
    let mut mantissa = 0_u64;
    let mut count = 0_usize;
    let mut point = None;
    for (at, byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(digit.into());
            count = count.wrapping_add(1);
        } else if *byte == b'.' && point.is_none() {
            point = Some(at);
        } else {
            return None;
        }
    }
    let decimals = point.map_or(0, |at| count.wrapping_sub(at));
    if count == 0 || count > 15 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "15 digits are exact")]
    let mantissa = mantissa as f64;
    Some(if decimals == 0 { mantissa } else { mantissa / POWERS.get(decimals)? })
}

/// Any other spelling that begins as a number does: not words for infinities.
#[cold]
fn any(digits: &[u8]) -> Option<f64> {
    let first = digits.iter().find(|byte| !matches!(byte, b'.' | b'+'))?;
    let text = std::str::from_utf8(digits).ok().filter(|_| first.is_ascii_digit())?;
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A whole number that is not negative.
#[inline]
pub(crate) fn whole(word: &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for byte in word {
        let digit = byte.wrapping_sub(b'0');
        if digit >= 10 {
            return None;
        }
        number = number.checked_mul(10)?.checked_add(digit.into())?;
    }
    (!word.is_empty()).then_some(number)
}

/// A whole number with a sign or without.
pub(super) fn integer(word: &[u8]) -> Option<i32> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// A word of flags: the last digit is bit 0. Only zeros may stand before the last 32.
#[inline]
pub(crate) fn flags(word: &[u8]) -> Option<u32> {
    let mut flags = 0_u32;
    for byte in word {
        let bit = byte.wrapping_sub(b'0');
        if bit > 1 || flags >> 31 != 0 {
            return None;
        }
        flags = flags << 1 | u32::from(bit);
    }
    (!word.is_empty()).then_some(flags)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_nearest() {
        for text in [
            "0",
            "-0",
            "12.5",
            "18.820",
            "5279.414063",
            "123456789012345",
            "1234567890123456789",
            "0.1",
            "-0.000000",
            "9007199254740993",
            "0.000000000000000000000000000001",
            "1e-7",
            ".5",
            "5.",
        ] {
            let number: f64 = text.parse().expect("a number");
            assert_eq!(float(text.as_bytes()).map(f64::to_bits), Some(number.to_bits()), "{text}");
        }
        for text in ["", "-", ".", "inf", "nan", "-inf", "1e999", "1.2.3", "--1", "1.#IND", "0x10", "+", "infinity"] {
            assert_eq!(float(text.as_bytes()), None, "{text}");
        }
        assert_eq!(float(&[b'9'; 400]), None);
    }

    #[test]
    fn flags_are_words_of_bits() {
        assert_eq!([flags(b"0101"), flags(&[b'1'; 32]), flags(&[b'0'; 60])], [Some(5), Some(u32::MAX), Some(0)]);
        assert_eq!([flags(b""), flags(b"012"), flags(&[b'1'; 33])], [None; 3]);
        assert_eq!([whole(b"007"), whole(b"4294967296"), whole(b"-1")], [Some(7), None, None]);
    }
}
