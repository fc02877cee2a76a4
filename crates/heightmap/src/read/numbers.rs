//! Numbers of rasters that are stored one after another.

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberType {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    F64,
}

impl NumberType {
    /// Returns the number of bytes.
    pub(super) const fn size(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Returns the number in bytes of its size.
    pub(super) fn number(self, bytes: &[u8], is_big_endian: bool) -> Option<f64> {
        let mut little = [0; 8];
        let place = little.get_mut(..bytes.len())?;
        place.copy_from_slice(bytes);
        if is_big_endian {
            place.reverse();
        }
        let [a, b, c, d, ..] = little;
        (bytes.len() == self.size()).then(|| match self {
            Self::U8 => a.into(),
            Self::I8 => i8::from_le_bytes([a]).into(),
            Self::U16 => u16::from_le_bytes([a, b]).into(),
            Self::I16 => i16::from_le_bytes([a, b]).into(),
            Self::U32 => u32::from_le_bytes([a, b, c, d]).into(),
            Self::I32 => i32::from_le_bytes([a, b, c, d]).into(),
            Self::F32 => f32::from_le_bytes([a, b, c, d]).into(),
            Self::F64 => f64::from_le_bytes(little),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_both_byte_orders() {
        assert_eq!(NumberType::I16.number(&[0xfe, 0xff], false), Some(-2.0));
        assert_eq!(NumberType::I16.number(&[0xff, 0xfe], true), Some(-2.0));
        assert_eq!(NumberType::U32.number(&[0, 0, 1, 0], true), Some(256.0));
        assert_eq!(NumberType::F32.number(&1.5_f32.to_be_bytes(), true), Some(1.5));
        assert_eq!(NumberType::F64.number(&(-2.5_f64).to_le_bytes(), false), Some(-2.5));
        assert_eq!(NumberType::I8.number(&[0xff], true), Some(-1.0));
        assert_eq!(NumberType::U16.number(&[1], false), None);
    }
}
