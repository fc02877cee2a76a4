//! Findings: data that other programs fail on, that text cannot represent, or that cannot be written.

mod file;
mod graph;
mod report;
mod values;

use mapwright_io::Finding;

use crate::Document;
use report::Report;

impl Document {
    /// Reports problems and unusual values with their paths: `elements[12].origin`.
    ///
    /// | code | severity | finding |
    /// |---|---|---|
    /// | `no-elements`, `element-range`, `type-missing`, `guid-missing`, `string-nul`, `prefix-place`, `header-words` | error | the document cannot be written in its encoding |
    /// | `guid-ambiguous`, `not-in-text` | error | the document cannot be written as text, or part of it |
    /// | `guid-missing` | note | elements of a text without identity, which is usual |
    /// | `version-unverified` | warning | binary 6 or 8: no real file is known |
    /// | `trailing-bytes` | warning | bytes after the end |
    /// | `strings-unused` | note | unused strings in the table that Valve's programs are not known to leave |
    /// | `unreachable` | warning | elements that the root does not reach, except the copy of the prefix attributes |
    /// | `prefix-copy-missing` | note | prefix attributes without a copy, unlike files of Valve's programs |
    /// | `prefix-copy-differs`, `prefix-blocks` | warning | prefix attributes with a different copy, or in several blocks, unlike files of Valve's programs |
    /// | `external` | note | a reference to an element of another file |
    /// | `attribute-twice`, `attribute-case` | warning | names that are equal, or differ only in case |
    /// | `attribute-name` | warning | a string attribute `name`, which other programs read from text as the element's name |
    /// | `guid-twice`, `guid-nil` | warning | identities that repeat or are zero |
    /// | `minus-one` | warning | an empty string with index −1 in a version other than binary 6 and 7 |
    /// | `not-utf8` | note | text that is not UTF-8 |
    /// | `bool-byte` | warning | a boolean other than 0 and 1 |
    /// | `not-finite` | warning | infinities and NaN |
    /// | `line-ends` | warning | text with mixed line ends |
    /// | `text-floats` | note | the number of floats that need more than ten decimals, which Valve's programs write in text |
    /// | `layout` | note | the program whose order elements and strings have |
    ///
    /// At most 100 findings of one code are listed one by one.
    pub fn validate(&self) -> Vec<Finding> {
        let mut report = Report::new(self);
        file::check(&mut report);
        graph::check(&mut report);
        values::check(&mut report);
        report.finish()
    }
}
