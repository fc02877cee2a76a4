//! Values of scenes as numbers and bytes of levels.

use mapwright_scene::Value;

use crate::unescape_bytes;

/// Converts a value to 32 bits: a signed or unsigned number, or its text.
pub(super) fn number(value: &Value) -> Option<u32> {
    let whole = |number: i64| u32::try_from(number).ok().or_else(|| i32::try_from(number).ok().map(i32::cast_unsigned));
    match value {
        Value::Bool(flag) => Some(u32::from(*flag)),
        Value::Int(number) => whole(*number),
        Value::Float(number) => {
            let number = number.round();
            let in_range = number >= f64::from(i32::MIN) && number <= f64::from(u32::MAX);
            #[allow(clippy::cast_possible_truncation, reason = "it is whole and in range")]
            let bits = in_range.then_some(number as i64).and_then(whole);
            bits
        }
        Value::Text(text) => {
            let text = text.trim();
            match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => text.parse().ok().and_then(whole).or_else(|| number(&Value::Float(text.parse().ok()?))),
            }
        }
        _ => None,
    }
}

/// Returns `true` for "true" and numbers other than 0.
pub(super) fn is_true(value: &Value) -> bool {
    value.as_text().is_some_and(|text| text.eq_ignore_ascii_case("true")) || number(value).is_some_and(|bits| bits != 0)
}

/// Converts a value to the bytes of its text.
pub(super) fn bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::Text(text) => Some(unescape_bytes(text)),
        Value::Bytes(bytes) => Some(bytes.clone()),
        Value::Bool(flag) => Some(flag.to_string().into_bytes()),
        Value::Int(number) => Some(number.to_string().into_bytes()),
        Value::Float(number) => Some(number.to_string().into_bytes()),
        Value::List(_) | Value::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_many_types() {
        let text = |text: &str| number(&Value::Text(text.to_owned()));
        assert_eq!(["-1", "4294967295", " 0xffffffff ", "-1.0"].map(text), [Some(u32::MAX); 4]);
        assert_eq!([number(&Value::Int(-1)), number(&Value::Float(-1.0))], [Some(u32::MAX); 2]);
        assert_eq!([number(&Value::Float(1.4)), number(&Value::Bool(true))], [Some(1); 2]);
        assert_eq!(["", "x", "4294967296", "-2147483649", "nan", "inf", "1e99"].map(text), [None; 7]);
        assert_eq!([number(&Value::Float(f64::NAN)), number(&Value::Bytes(vec![1]))], [None; 2]);
    }
}
