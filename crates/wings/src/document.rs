//! The document, which stores the bytes of a file, and the typed model of its content.

mod image;
mod light;
mod material;
mod mesh;
mod name;
mod object;
mod props;
mod selection;
mod settings;
mod view;

use mapwright_etf as etf;
use mapwright_io::{Confidence, FormatInfo, Position};

pub use image::{Image, ImageSource};
pub use light::{Light, LightType};
pub use material::{MapSource, Material};
pub use mesh::{Edge, Extra, ExtraList, Side, Wing, WingedMesh};
pub use name::Name;
#[cfg(feature = "scene")]
pub(crate) use object::with_wings_shape;
pub use object::{Object, ObjectState};
pub use props::PropList;
#[cfg(feature = "scene")]
pub(crate) use props::floats;
pub(crate) use props::{Lookup, build, has_key, item_tree, number, numbers, value_tree};
pub use selection::{SelectMode, Selection};
pub use view::View;

use crate::ReadError;

/// The name and the file extensions of this format.
pub const FORMAT: FormatInfo =
    FormatInfo::new("wings", "Wings 3D scene", &["wings", "wings~", "wings_bup", "wings_as"]);

/// The first 15 bytes of every file: `#!WINGS-1.0`, CR, LF, end of input on Windows, end of input on Unix.
pub(crate) const MAGIC: &[u8; 15] = b"#!WINGS-1.0\r\n\x1a\x04";

/// Bytes before the payload: the magic and the length.
pub(crate) const HEADER: u64 = 19;

/// Recognises `.wings` files. The first 15 bytes suffice.
pub fn sniff(bytes: &[u8]) -> Confidence {
    if bytes.starts_with(MAGIC) { Confidence::Certain } else { Confidence::No }
}

/// A `.wings` file: the bytes of its Erlang term, and their compression.
///
/// The 15 magic bytes are constant and the length field follows from the payload, so neither is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub(crate) payload: etf::Document,
}

impl Document {
    /// Creates a file with a payload of any content; see [`model`](Self::model).
    pub fn from_payload(payload: etf::Document) -> Self {
        Self { payload }
    }

    /// Returns the payload: `{wings,2,{Shapes,Materials,Props}}` and its compression.
    pub fn payload(&self) -> &etf::Document {
        &self.payload
    }

    /// Returns the mutable payload, for changes that the model cannot represent.
    pub fn payload_mut(&mut self) -> &mut etf::Document {
        &mut self.payload
    }

    /// Returns the position of a term of the payload in the file.
    pub fn position(&self, term: etf::Term<'_>) -> Position {
        self.location(term.range().start as u64)
    }

    pub(crate) fn location(&self, offset: u64) -> Position {
        match self.payload.packing() {
            // After the header and the byte 131.
            etf::Packing::Plain => Position::file(offset.saturating_add(HEADER + 1)),
            etf::Packing::Compressed { .. } => Position::inflated(offset),
        }
    }
}

/// The content of a document: shapes, materials and scene properties.
///
/// The model is complete: terms that this crate does not understand are opaque entries in the same lists.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// The version of the file that was read: 2 since 2002, 0 and 1 before. Models are written as version 2.
    pub version: u8,
    /// Objects. Selections refer to them by index.
    pub shapes: Vec<Shape>,
    /// Materials in the order of the file. One called `default` may be missing.
    pub materials: Vec<MaterialEntry>,
    /// Scene properties: preferences, folders, palette, views, images, lights, selections. Methods of this type give typed access
    /// to most of them.
    pub props: PropList,
}

/// One entry of the list of shapes.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A winged-edge object.
    Object(Object),
    /// A term of any other form, preserved unchanged.
    Other(Opaque),
}

impl Shape {
    /// Returns the object, if the entry is one.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            Self::Other(_) => None,
        }
    }

    /// Returns a mutable reference to the object, if the entry is one.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Self::Object(object) => Some(object),
            Self::Other(_) => None,
        }
    }
}

/// One entry of the list of materials.
#[derive(Debug, Clone, PartialEq)]
pub enum MaterialEntry {
    /// A material.
    Material(Material),
    /// A term that is not `{Name,Properties}`, preserved unchanged.
    Other(Opaque),
}

impl MaterialEntry {
    /// Returns the material, if the entry is one.
    pub fn as_material(&self) -> Option<&Material> {
        match self {
            Self::Material(material) => Some(material),
            Self::Other(_) => None,
        }
    }

    /// Returns a mutable reference to the material, if the entry is one.
    pub fn as_material_mut(&mut self) -> Option<&mut Material> {
        match self {
            Self::Material(material) => Some(material),
            Self::Other(_) => None,
        }
    }
}

/// A term with an unexpected form.
#[derive(Debug, Clone)]
pub struct Opaque {
    /// The term.
    pub term: etf::Tree,
    /// The reason why the term was not understood.
    pub reason: std::sync::Arc<ReadError>,
}

impl PartialEq for Opaque {
    fn eq(&self, other: &Self) -> bool {
        self.term == other.term
    }
}

impl Model {
    /// Iterates over the objects with their indices.
    pub fn objects(&self) -> impl Iterator<Item = (usize, &Object)> {
        self.shapes.iter().enumerate().filter_map(|(index, shape)| Some((index, shape.as_object()?)))
    }

    /// Iterates mutably over the objects with their indices.
    pub fn objects_mut(&mut self) -> impl Iterator<Item = (usize, &mut Object)> {
        self.shapes.iter_mut().enumerate().filter_map(|(index, shape)| Some((index, shape.as_object_mut()?)))
    }

    /// Iterates mutably over the materials in the order of the file. Opaque entries are skipped.
    pub fn materials_mut(&mut self) -> impl Iterator<Item = &mut Material> {
        self.materials.iter_mut().filter_map(MaterialEntry::as_material_mut)
    }

    /// Iterates over the materials in the order of the file. Opaque entries are skipped.
    pub fn materials(&self) -> impl Iterator<Item = &Material> {
        self.materials.iter().filter_map(MaterialEntry::as_material)
    }

    /// Returns the first material with a name.
    pub fn material(&self, name: &Name) -> Option<&Material> {
        self.materials().find(|material| material.name == *name)
    }
}
