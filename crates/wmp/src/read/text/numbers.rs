//! Numbers in text.

use mapwright_io::parse_decimal;

/// Parses a finite number. `-0` keeps its sign.
#[inline]
pub(crate) fn float(word: &[u8]) -> Option<f64> {
    if let Some((number, _)) = parse_decimal(word).filter(|(_, length)| *length == word.len()) {
        return Some(number);
    }
    match word {
        [b'-', digits @ ..] => any(digits).map(|magnitude| -magnitude),
        _ => any(word),
    }
}

/// Parses other formats that begin with a digit or sign, so that words for infinities are rejected.
#[cold]
fn any(digits: &[u8]) -> Option<f64> {
    let first = digits.iter().find(|byte| !matches!(byte, b'.' | b'+'))?;
    let text = std::str::from_utf8(digits).ok().filter(|_| first.is_ascii_digit())?;
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Parses a whole number that is not negative.
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

/// Parses a whole number with an optional sign.
pub(super) fn integer(word: &[u8]) -> Option<i32> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Parses flags: the last digit is bit 0. Digits before the last 32 must be zeros.
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
    fn numbers_are_correctly_rounded() {
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
