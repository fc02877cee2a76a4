//! The document: the contents of a file, in file order.

mod guid;
pub(crate) mod header;
mod strings;
mod value;

use std::fmt;

use mapwright_io::{Confidence, FormatInfo};

pub(crate) use guid::hex_digit;
pub use guid::{Guid, GuidError};
pub use header::{Encoding, EncodingName, Header, HeaderStyle};
pub(crate) use strings::MAX_BYTES;
pub use strings::{StringId, Strings};
pub use value::{Item, Reference, Value, ValueType};

/// Name, title and file extensions of the format.
pub const FORMAT: FormatInfo =
    FormatInfo::new("dmx", "Valve DMX element graph", &["dmx", "pcf", "vtex", "vanim", "session"]);

/// Detects DMX files. The first line suffices.
pub fn sniff(bytes: &[u8]) -> Confidence {
    if header::tag(bytes).is_some() { Confidence::Certain } else { Confidence::No }
}

/// A DMX file: a header and a graph of elements.
///
/// The public fields contain everything of a binary file, in file order. The formatting of a text file (spaces, comments, number
/// formatting, positions of elements) is stored separately. Unchanged parts are written back with their formatting.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    /// The first line.
    pub header: Header,
    /// Blocks of attributes of the whole file (`$prefix_element$` in text). Maps have exactly one. Valve's programs repeat it as an
    /// element that nothing refers to.
    pub prefix: Vec<Vec<Attribute>>,
    /// All strings of the file.
    pub strings: Strings,
    /// The elements in file order. The first is the root.
    pub elements: Vec<Element>,
    /// Bytes after the end of a binary file. No known program writes or reads any.
    pub trailing: Vec<u8>,
    // The text that the document was read from.
    pub(crate) source: Option<Box<[u8]>>,
}

/// Index of an element in [`Document::elements`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementId(pub u32);

/// Maximum number of elements: references are signed.
pub(crate) const MAX_ELEMENTS: usize = i32::MAX as usize;

impl ElementId {
    /// The root of every document.
    pub const ROOT: Self = Self(0);

    /// Returns the index in [`Document::elements`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn at(index: usize) -> Self {
        // Readers limit the number of elements to 2³¹, and writers reject more.
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// An element: a class, a name, an identity and attributes in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The class, such as `CMapWorld`.
    pub class: StringId,
    /// The name, mostly empty. It can be any bytes.
    pub name: StringId,
    /// The identity. Text can leave it out; binary files always have one.
    pub id: Option<Guid>,
    /// The link field of binary 6 and 7. Unknown. Observed value: −1.
    pub link: i32,
    /// The attributes in file order; names may repeat.
    pub attributes: Vec<Attribute>,
    // Index of the element in the text that was read.
    pub(crate) origin: Option<u32>,
}

impl Element {
    /// Creates an element without attributes.
    pub fn new(class: StringId, name: StringId, id: Option<Guid>) -> Self {
        Self { class, name, id, link: -1, attributes: Vec::new(), origin: None }
    }
}

/// A named value of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The name. It can be any bytes, including `name`, `id` and none.
    pub name: StringId,
    /// The value.
    pub value: Value,
}

impl fmt::Debug for Document {
    /// Writes the header and counts only: graphs have millions of values, and cycles.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("header", &self.header)
            .field("prefix blocks", &self.prefix.len())
            .field("strings", &self.strings.len())
            .field("elements", &self.elements.len())
            .field("trailing bytes", &self.trailing.len())
            .finish()
    }
}

impl Document {
    /// Creates a document with one element, the root, which has a class and no name.
    pub fn new(encoding: Encoding, format: &str, format_version: u32, root_class: &str, root_id: Guid) -> Self {
        let mut strings = Strings::default();
        let class = strings.intern(root_class.as_bytes());
        Self {
            header: Header::new(encoding, format, format_version),
            prefix: Vec::new(),
            strings,
            elements: vec![Element::new(class, StringId::EMPTY, Some(root_id))],
            trailing: Vec::new(),
            source: None,
        }
    }

    /// Drops the text that was read, with its spaces, comments and number formatting. Text is then formatted as Hammer does.
    pub fn forget_source(&mut self) {
        self.source = None;
        self.elements.iter_mut().for_each(|element| element.origin = None);
    }
}
