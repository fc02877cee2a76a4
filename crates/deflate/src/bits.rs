//! Bit stream writer.

/// Writes bits into bytes, least significant bit first.
pub(crate) struct Bits {
    out: Vec<u8>,
    pending: u64,
    count: u32,
}

impl Bits {
    /// Continues after the bytes of `out`.
    pub(crate) fn new(out: Vec<u8>) -> Self {
        Self { out, pending: 0, count: 0 }
    }

    /// Writes the low `count` bits of `value`. At most 16 bits; all higher bits must be 0.
    #[inline]
    pub(crate) fn write_bits(&mut self, value: u16, count: u8) {
        self.pending |= u64::from(value) << self.count;
        self.count += u32::from(count);
        if self.count >= 48 {
            self.out.extend_from_slice(&self.pending.to_le_bytes()[..6]);
            self.pending >>= 48;
            self.count -= 48;
        }
    }

    /// Pads the last byte with zero bits.
    pub(crate) fn align(&mut self) {
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.pending.to_le_bytes()[..bytes]);
        self.pending = 0;
        self.count = 0;
    }

    /// Writes whole bytes. The stream must be aligned.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Returns the complete bytes and drops the bits of an incomplete last byte.
    pub(crate) fn into_complete_bytes(mut self) -> Vec<u8> {
        let bytes = (self.count / 8) as usize;
        self.out.extend_from_slice(&self.pending.to_le_bytes()[..bytes]);
        self.out
    }

    /// Returns the bytes, the last one padded with zero bits.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        self.align();
        self.out
    }
}
