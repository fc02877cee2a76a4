//! Options of writing.

mapwright_io::options! {
    /// Options for writing. There are none yet, because a document is written as its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WriteOptions {}
}
