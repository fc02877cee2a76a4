//! Valve DMX.

mod codes;
mod document;
mod edit;
mod error;
mod layout;
mod options;
mod read;
mod validate;
mod view;
mod write;

pub use mapwright_io as io;

pub use document::{
    Attribute, Document, Element, ElementId, Encoding, EncodingName, FORMAT, Guid, GuidError, Header, HeaderStyle,
    Reference, StringId, Strings, Value, ValueType, sniff,
};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use layout::{Layout, Profile};
pub use options::{LineEnd, ReadOptions, TextStyle, WriteOptions};
pub use view::ElementRef;
