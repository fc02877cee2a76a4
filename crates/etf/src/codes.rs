//! The tags of the external term format.

mapwright_io::open_code! {
    /// The byte in front of every term, and so the choice between several encodings of one value.
    ///
    /// Names are those of the Erlang documentation without `_EXT`.
    pub struct Tag(u8) {
        /// 8-byte float. What OTP 17 and later write.
        NEW_FLOAT = 70,
        /// A bit string whose last byte is partly used.
        BIT_BINARY = 77,
        /// Not a term: the mark of a compressed one, legal only behind the first byte of a stream.
        COMPRESSED = 80,
        /// Pid with a 4-byte creation.
        NEW_PID = 88,
        /// Port with a 4-byte creation.
        NEW_PORT = 89,
        /// Reference with a 4-byte creation.
        NEWER_REFERENCE = 90,
        /// Integer 0..=255.
        SMALL_INTEGER = 97,
        /// 4-byte signed integer.
        INTEGER = 98,
        /// Float as text in 31 bytes. What OTP up to 16 wrote.
        FLOAT = 99,
        /// Latin-1 atom with a 2-byte length. What OTP up to 25 writes.
        ATOM = 100,
        /// Legacy reference of one word.
        REFERENCE = 101,
        /// Legacy port.
        PORT = 102,
        /// Legacy pid.
        PID = 103,
        /// Tuple of at most 255 elements.
        SMALL_TUPLE = 104,
        /// Tuple with a 4-byte arity.
        LARGE_TUPLE = 105,
        /// The empty list.
        NIL = 106,
        /// The list of up to 65,535 integers 0..=255. Says nothing about text.
        STRING = 107,
        /// List with a 4-byte length, its elements, and a tail.
        LIST = 108,
        /// Bytes with a 4-byte length.
        BINARY = 109,
        /// Big integer of at most 255 bytes.
        SMALL_BIG = 110,
        /// Big integer with a 4-byte length.
        LARGE_BIG = 111,
        /// A fun with its free variables.
        NEW_FUN = 112,
        /// `fun module:function/arity`.
        EXPORT = 113,
        /// Legacy reference of several words.
        NEW_REFERENCE = 114,
        /// Latin-1 atom with a 1-byte length.
        SMALL_ATOM = 115,
        /// Map.
        MAP = 116,
        /// UTF-8 atom with a 2-byte length.
        ATOM_UTF8 = 118,
        /// UTF-8 atom with a 1-byte length. What OTP 26 and later write.
        SMALL_ATOM_UTF8 = 119,
        /// Port with an 8-byte id.
        V4_PORT = 120,
        /// Opaque to the end of the input; only the node that made it can read it.
        LOCAL = 121,
    }
}

impl Tag {
    /// Whether the tag is one of the four that spell atoms.
    pub const fn is_atom(self) -> bool {
        matches!(self, Self::ATOM | Self::SMALL_ATOM | Self::ATOM_UTF8 | Self::SMALL_ATOM_UTF8)
    }

    /// Whether the tag is one of the four that spell integers.
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::SMALL_INTEGER | Self::INTEGER | Self::SMALL_BIG | Self::LARGE_BIG)
    }
}
