//! The bit stream.

/// Writes bits from the low end of each byte up.
pub(crate) struct Bits {
    out: Vec<u8>,
    pending: u64,
    count: u32,
}

impl Bits {
    /// Goes on behind whole bytes.
    pub(crate) fn new(out: Vec<u8>) -> Self {
        Self { out, pending: 0, count: 0 }
    }

    /// Adds the low `count` bits of a value that has no others; at most 16.
    #[inline]
    pub(crate) fn put(&mut self, value: u16, count: u8) {
        self.pending |= u64::from(value) << self.count;
        self.count += u32::from(count);
        if self.count >= 48 {
            self.out.extend_from_slice(&self.pending.to_le_bytes()[..6]);
            self.pending >>= 48;
            self.count -= 48;
        }
    }

    /// Fills the last byte with zeros.
    pub(crate) fn align(&mut self) {
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.pending.to_le_bytes()[..bytes]);
        self.pending = 0;
        self.count = 0;
    }

    /// Adds whole bytes to an aligned stream.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// The bytes that are full.
    pub(crate) fn whole(mut self) -> Vec<u8> {
        let bytes = (self.count / 8) as usize;
        self.out.extend_from_slice(&self.pending.to_le_bytes()[..bytes]);
        self.out
    }

    /// The bytes, the last one filled with zeros.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.align();
        self.out
    }
}
