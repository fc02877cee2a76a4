//! The tags of the external term format.

mapwright_io::open_code! {
    /// First byte of a term. It selects one of several encodings of a value.
    ///
    /// The names are those of the Erlang documentation without `_EXT`.
    pub struct Tag(u8) {
        /// 8-byte float. Written by OTP 17 and later.
        NEW_FLOAT = 70,
        /// Bit string whose last byte is partly used.
        BIT_BINARY = 77,
        /// Marks a compressed term. Legal only after the first byte of a stream.
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
        /// Float as text in 31 bytes. Written by OTP up to 16.
        FLOAT = 99,
        /// Latin-1 atom with a 2-byte length. Written by OTP up to 25.
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
        /// Empty list.
        NIL = 106,
        /// List of up to 65,535 integers 0..=255. Not necessarily text.
        STRING = 107,
        /// List with a 4-byte length, its elements, and a tail.
        LIST = 108,
        /// Bytes with a 4-byte length.
        BINARY = 109,
        /// Big integer of at most 255 bytes.
        SMALL_BIG = 110,
        /// Big integer with a 4-byte length.
        LARGE_BIG = 111,
        /// Fun with its free variables.
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
        /// UTF-8 atom with a 1-byte length. Written by OTP 26 and later.
        SMALL_ATOM_UTF8 = 119,
        /// Port with an 8-byte id.
        V4_PORT = 120,
        /// Opaque to the end of the input. Only the node that wrote it can read it.
        LOCAL = 121,
    }
}

impl Tag {
    /// Returns `true` for the four tags of atoms.
    pub const fn is_atom(self) -> bool {
        matches!(self, Self::ATOM | Self::SMALL_ATOM | Self::ATOM_UTF8 | Self::SMALL_ATOM_UTF8)
    }

    /// Returns `true` for the four tags of integers.
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::SMALL_INTEGER | Self::INTEGER | Self::SMALL_BIG | Self::LARGE_BIG)
    }
}
