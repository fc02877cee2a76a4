//! The faithful document, and the typed model of what it says.

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
pub use mesh::{Edge, Extra, ExtraOf, Side, Wing, WingedMesh};
pub use name::Name;
#[cfg(feature = "scene")]
pub(crate) use object::with_wings_shape;
pub use object::{Object, ObjectState};
pub use props::PropList;
pub(crate) use props::{Found, build, has_key, item_tree, number, numbers, value_tree};
pub use selection::{SelectMode, Selection};
pub use view::View;

use crate::ReadError;

/// How this format introduces itself.
pub const FORMAT: FormatInfo =
    FormatInfo::new("wings", "Wings 3D scene", &["wings", "wings~", "wings_bup", "wings_as"]);

/// The first 15 bytes of every file: `#!WINGS-1.0`, CR, LF, end of input on Windows, end of input on Unix.
pub(crate) const MAGIC: &[u8; 15] = b"#!WINGS-1.0\r\n\x1a\x04";

/// Bytes before the payload: the magic and the length.
pub(crate) const HEADER: u64 = 19;

/// Says whether bytes are a `.wings` file. The first 15 suffice.
pub fn sniff(bytes: &[u8]) -> Confidence {
    if bytes.starts_with(MAGIC) { Confidence::Certain } else { Confidence::No }
}

/// A `.wings` file: its Erlang term in the very bytes that spell it, and how that is compressed.
///
/// The 15 magic bytes never changed and the length field follows from the rest, so neither is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub(crate) payload: etf::Document,
}

impl Document {
    /// A file with a payload, whatever that means: see [`model`](Self::model).
    pub fn from_payload(payload: etf::Document) -> Self {
        Self { payload }
    }

    /// The payload: `{wings,2,{Shapes,Materials,Props}}` and its packing.
    pub fn payload(&self) -> &etf::Document {
        &self.payload
    }

    /// The payload for changes below the level of the model.
    pub fn payload_mut(&mut self) -> &mut etf::Document {
        &mut self.payload
    }

    /// The file position of a term of the payload.
    pub fn position(&self, term: etf::Term<'_>) -> Position {
        self.place(term.range().start as u64)
    }

    pub(crate) fn place(&self, offset: u64) -> Position {
        match self.payload.packing() {
            // Behind the header and the 131.
            etf::Packing::Plain => Position::file(offset.saturating_add(HEADER + 1)),
            etf::Packing::Compressed { .. } => Position::inflated(offset),
        }
    }
}

/// What a document says: shapes, materials and scene properties.
///
/// Nothing of the file is missing here. What is not understood stands as an opaque term in its place among the rest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// The version of the file it was read from: 2 since 2002, 0 and 1 before. Models are written as version 2.
    pub version: u8,
    /// Objects by position, which is their number in selections.
    pub shapes: Vec<Shape>,
    /// Materials in the order of the file, possibly without one called `default`.
    pub materials: Vec<MaterialEntry>,
    /// Scene properties: preferences, folders, palette, views, images, lights, selections. See the accessors of this type
    /// for those that are understood.
    pub props: PropList,
}

/// One entry of the list of shapes.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A winged-edge object.
    Object(Object),
    /// A term that is no object as the format has it; kept as it is.
    Other(Opaque),
}

impl Shape {
    /// The object, if it is one.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            Self::Other(_) => None,
        }
    }

    /// The object, if it is one, to be changed.
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
    /// A term that is no `{Name,Properties}`; kept as it is.
    Other(Opaque),
}

impl MaterialEntry {
    /// The material, if it is one.
    pub fn as_material(&self) -> Option<&Material> {
        match self {
            Self::Material(material) => Some(material),
            Self::Other(_) => None,
        }
    }

    /// The material, if it is one, to be changed.
    pub fn as_material_mut(&mut self) -> Option<&mut Material> {
        match self {
            Self::Material(material) => Some(material),
            Self::Other(_) => None,
        }
    }
}

/// A term that was not understood where it stands.
#[derive(Debug, Clone)]
pub struct Opaque {
    /// The term.
    pub term: etf::Tree,
    /// Why it was not understood.
    pub reason: std::sync::Arc<ReadError>,
}

impl PartialEq for Opaque {
    fn eq(&self, other: &Self) -> bool {
        self.term == other.term
    }
}

impl Model {
    /// The objects with their numbers.
    pub fn objects(&self) -> impl Iterator<Item = (usize, &Object)> {
        self.shapes.iter().enumerate().filter_map(|(index, shape)| Some((index, shape.as_object()?)))
    }

    /// The objects, to be changed, with their numbers.
    pub fn objects_mut(&mut self) -> impl Iterator<Item = (usize, &mut Object)> {
        self.shapes.iter_mut().enumerate().filter_map(|(index, shape)| Some((index, shape.as_object_mut()?)))
    }

    /// The materials that are understood, to be changed, in the order of the file.
    pub fn materials_mut(&mut self) -> impl Iterator<Item = &mut Material> {
        self.materials.iter_mut().filter_map(MaterialEntry::as_material_mut)
    }

    /// The materials that are understood, in the order of the file.
    pub fn materials(&self) -> impl Iterator<Item = &Material> {
        self.materials.iter().filter_map(MaterialEntry::as_material)
    }

    /// The first material of a name.
    pub fn material(&self, name: &Name) -> Option<&Material> {
        self.materials().find(|material| material.name == *name)
    }
}
