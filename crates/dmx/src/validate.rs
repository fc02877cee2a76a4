//! What is odd about a document: what other programs stumble over, what is lost on the way to text, what cannot be written.

mod file;
mod graph;
mod report;
mod values;

use mapwright_io::Finding;

use crate::Document;
use report::Report;

impl Document {
    /// Reports what is odd or cannot be written, with its place: `elements[12].origin`.
    ///
    /// | code | severity | what |
    /// |---|---|---|
    /// | `no-elements`, `element-range`, `type-missing`, `guid-missing`, `string-nul`, `prefix-place`, `header-words` | error | the document cannot be written in its encoding |
    /// | `guid-ambiguous`, `text-unsayable` | error | the document cannot be written as text, or part of it |
    /// | `guid-missing` | note | in text, elements without identity are usual |
    /// | `version-unverified` | warning | binary 6 or 8: no real file is known |
    /// | `trailing-bytes` | warning | bytes behind the end |
    /// | `strings-unused` | warning | the table holds strings that nothing uses and that Valve's programs are not known to leave |
    /// | `unreachable` | warning | elements that the root does not reach and that are no copy of the prefix attributes |
    /// | `prefix-copy-missing`, `prefix-copy-differs`, `prefix-blocks` | warning | prefix attributes without the copy that Valve's programs keep, with another one, in several blocks |
    /// | `external` | warning | a reference to an element of another file |
    /// | `attribute-twice`, `attribute-case` | warning | names that are equal, or equal but for their case |
    /// | `attribute-name` | warning | a string attribute called `name`, which in text other programs take for the element's name |
    /// | `guid-twice`, `guid-nil` | warning | identities that are none |
    /// | `minus-one` | warning | an empty string spelled as index −1 elsewhere than in binary 6 and 7 |
    /// | `not-utf8` | warning | text that is not UTF-8 |
    /// | `bool-byte` | warning | a truth that is neither 0 nor 1 |
    /// | `not-finite` | warning | infinities and what is no number |
    /// | `line-ends` | warning | text whose lines end in two ways |
    /// | `text-floats` | note | how many floats ten decimals, which is how Valve's programs write text, do not hold |
    /// | `layout` | note | which program's order elements and strings have |
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
