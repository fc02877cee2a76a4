//! Options of reading and writing.

use mapwright_etf as etf;
use mapwright_io::Limits;

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits on memory and size.
        pub limits: Limits = Limits::default(), with_limits;
        /// Tolerance for invalid terms.
        pub mode: etf::Mode = etf::Mode::default(), with_mode;
    }
}

mapwright_io::options! {
    /// Options for writing.
    #[derive(Debug, Clone)]
    pub struct WriteOptions {
        /// Treatment of the compressed stream.
        pub stream: etf::Stream = etf::Stream::default(), with_stream;
    }
}

mapwright_io::options! {
    /// Encoding of a new document. The default term is that of Wings 1.5 to 2.2, which every later one reads: `otp17`. It is compressed
    /// faster than Wings does; [`etf::Compressor::Erlang`] gives the bytes of Wings.
    #[derive(Debug, Clone)]
    pub struct EncodeOptions {
        /// The Erlang release whose encoding of terms is reproduced.
        pub profile: etf::WriterProfile = etf::WriterProfile::Otp17, with_profile;
        /// Compression of the term.
        pub packing: etf::Packing = etf::Packing::compressed(etf::Compressor::Fast), with_packing;
    }
}
