//! Entities to be written, and their text.

use super::faces::Face;
use super::patches::Patch;
use super::style::Style;
use crate::PrimitiveKind;

/// An entity.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Item {
    /// The key of its node: the part of the document that it came from.
    pub(super) key: Option<String>,
    pub(super) class: String,
    /// Position and rotation. Entities with brushes do not store them.
    pub(super) place: Vec<(&'static str, String)>,
    pub(super) keys: Vec<(String, String)>,
    pub(super) solids: Vec<Solid>,
}

/// A brush or patch.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Solid {
    /// The key of its node.
    pub(super) key: Option<String>,
    pub(super) body: Body,
}

/// The form of a brush or patch.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Body {
    Brush(Vec<Face>),
    Patch(Patch),
}

impl Item {
    /// Iterates over the keys in the order in which they are written, except the version of Valve maps.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        let class = Some(("classname", &*self.class)).filter(|(_, class)| !class.is_empty());
        let place = self.place.iter().filter(|_| self.solids.is_empty()).map(|(key, value)| (*key, &**value));
        let keys = self.keys.iter().map(|(key, value)| (&**key, &**value));
        class.into_iter().chain(place).chain(keys)
    }

    /// Returns the faces of all brushes.
    pub(super) fn faces(&self) -> impl Iterator<Item = &Face> {
        self.solids.iter().flat_map(|solid| match &solid.body {
            Body::Brush(faces) => &faces[..],
            Body::Patch(_) => &[],
        })
    }

    /// Writes the entity with its brushes.
    pub(super) fn write(&self, is_world: bool, style: &Style, line_end: &[u8], text: &mut Vec<u8>) {
        let mut line = |parts: &[&[u8]]| {
            parts.iter().for_each(|part| text.extend_from_slice(part));
            text.extend_from_slice(line_end);
        };
        line(&[b"{"]);
        let version = Some(("mapversion", "220")).filter(|_| is_world && style.is_valve);
        // The version follows the class, as editors write it.
        let place = usize::from(!self.class.is_empty());
        let pairs = self.pairs().take(place).chain(version).chain(self.pairs().skip(place));
        for (key, value) in pairs {
            line(&[b"\"", key.as_bytes(), b"\" \"", value.as_bytes(), b"\""]);
        }
        for solid in &self.solids {
            solid.write(style, line_end, text);
        }
        text.extend_from_slice(b"}");
        text.extend_from_slice(line_end);
    }
}

impl Solid {
    /// Writes the brush or patch, with a line end after it.
    pub(super) fn write(&self, style: &Style, line_end: &[u8], text: &mut Vec<u8>) {
        let mut line = |part: &str| {
            text.extend_from_slice(part.as_bytes());
            text.extend_from_slice(line_end);
        };
        line("{");
        match &self.body {
            Body::Brush(faces) => {
                let kind = brush_kind(style, faces);
                let is_plain = kind == PrimitiveKind::Brush;
                if !is_plain {
                    line(kind.name());
                    line("{");
                }
                faces.iter().for_each(|face| line(&face.format(kind, style)));
                if !is_plain {
                    line("}");
                }
            }
            Body::Patch(patch) => patch.lines().iter().for_each(|text| line(text)),
        }
        line("}");
    }
}

/// Returns the kind of a new brush.
fn brush_kind(style: &Style, faces: &[Face]) -> PrimitiveKind {
    if style.version.is_some() {
        PrimitiveKind::BrushDef3
    } else if !faces.is_empty() && faces.iter().all(|face| face.matrix.is_some()) {
        PrimitiveKind::BrushDef
    } else {
        PrimitiveKind::Brush
    }
}
