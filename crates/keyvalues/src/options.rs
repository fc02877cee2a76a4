//! Options of writing.

mapwright_io::options! {
    /// Options for writing. There are none yet: a document is its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WriteOptions {}
}
