//! New documents: a tree of elements, which is written as XML or JSON.

mod json;
mod read;
mod xml;

use std::borrow::Cow;
use std::fmt::Display;

use mapwright_io::{Export, Losses};

use crate::document::{Document, Syntax};
use crate::error::invalid;
use crate::{ReadOptions, WriteError, WriteErrorKind};

/// Maximum depth of a tree. Functions that follow the tree call themselves at most that often.
pub(crate) const MAX_DEPTH: usize = 256;

/// An element with its attributes, in the names of XML.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Element<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) attributes: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    pub(crate) children: Vec<Element<'a>>,
    /// The text of an element without elements in it.
    pub(crate) text: Cow<'a, str>,
}

impl<'a> Element<'a> {
    pub(crate) fn new(name: impl Into<Cow<'a, str>>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds an attribute.
    #[cfg(feature = "scene")]
    #[must_use]
    pub(crate) fn with(mut self, name: &'static str, value: impl Display) -> Self {
        self.set(name, value);
        self
    }

    /// Adds an attribute, unless it has its default value.
    #[cfg(feature = "scene")]
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "most values are numbers")]
    pub(crate) fn with_unless<T: Display + PartialEq>(self, default: T, name: &'static str, value: T) -> Self {
        if value == default { self } else { self.with(name, value) }
    }

    /// Adds an attribute.
    pub(crate) fn set(&mut self, name: impl Into<Cow<'a, str>>, value: impl Display) {
        self.attributes.push((name.into(), Cow::Owned(value.to_string())));
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| &**value)
    }

    /// Returns the document with this element as its root.
    ///
    /// # Errors
    /// If XML cannot store a text; if the document exceeds the limits.
    pub(crate) fn to_document(
        &self,
        syntax: Syntax,
        options: &ReadOptions,
        losses: &mut Losses,
    ) -> Result<Document, WriteError> {
        let text = match syntax {
            Syntax::Xml => xml::write(self)?,
            Syntax::Json => json::write(self, losses),
        };
        Document::from_vec_with(text.into_bytes(), options).map_err(invalid)
    }
}

impl Document {
    /// Writes the document in another language: XML as JSON, or JSON as XML. Cells keep their encoding and compression.
    ///
    /// ```
    /// use mapwright_tiled::{Document, Syntax};
    ///
    /// let file = b"<map orientation='orthogonal' width='2' height='1' tilewidth='8' tileheight='8'>\
    ///     <layer id='1' name='A' width='2' height='1'><data encoding='csv'>1,2</data></layer></map>";
    /// let map = Document::from_bytes(file)?;
    /// let export = map.to_syntax(Syntax::Json)?;
    /// assert!(export.document.as_str().contains("\"data\":[1,2]") && export.losses.is_empty());
    /// assert!(export.document.to_syntax(Syntax::Xml)?.document.as_str().contains("1,2"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// For worlds as XML, which Tiled does not have; if XML cannot store a text; if the document is deeper than 256 levels.
    pub fn to_syntax(&self, syntax: Syntax) -> Result<Export<Self>, WriteError> {
        let mut losses = Losses::new();
        if self.syntax() == syntax {
            return Ok(Export { document: self.clone(), losses });
        }
        if self.kind() == crate::DocumentKind::World {
            let (found, expected) = ("a world", "a map, tileset or template, because worlds are only JSON");
            return Err(WriteError::without_position(WriteErrorKind::Kind { found, expected }));
        }
        let root = read::read(self, &mut losses)?;
        let options = ReadOptions::default().with_limits(self.limits.clone());
        let document = root.to_document(syntax, &options, &mut losses)?;
        Ok(Export { document, losses })
    }
}

/// Returns the error for a tree that is too deep.
fn too_deep() -> WriteError {
    let limit = MAX_DEPTH as u64;
    let kind = mapwright_io::FaultKind::Limit { what: "depth of items", asked: limit.saturating_add(1), limit };
    WriteError::without_position(WriteErrorKind::Invalid(Box::new(kind.into())))
}
