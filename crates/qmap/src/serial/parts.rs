//! Keys, brushes, faces and patches as data.

use std::cmp::Ordering;
use std::ops::Range;

use mapwright_io::serial::{exact, is_default};
use mapwright_io::splice::slice;
use serde::{Deserialize, Serialize};

use super::Text;
use crate::document::number::{format_number, parse_number};
use crate::edit::texture_token;
use crate::{ControlPoint, Document, Entity, Face, KeyValue, Mapping, Plane, Primitive, PrimitiveKind};

/// A part of an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
pub(super) enum EntityPart {
    Key(PairData),
    Brush(BrushData),
    BrushDef(BrushData),
    BrushDef3(BrushData),
    PatchDef2(PatchData),
    PatchDef3(PatchData),
    Other(OtherData),
}

/// A part of a brush.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
enum BrushPart {
    Key(PairData),
    Face(Box<FaceData>),
}

/// A key with its value, as the text has them between their quotes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PairData {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lead: Option<Text>,
    key: Text,
    value: Text,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct BrushData {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lead: Option<Text>,
    /// The text from the first brace to the first part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    head: Option<Text>,
    parts: Vec<BrushPart>,
    /// The text from the last part to the last brace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tail: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct FaceData {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lead: Option<Text>,
    #[serde(default, with = "exact", skip_serializing_if = "Option::is_none")]
    points: Option<[[f64; 3]; 3]>,
    #[serde(default, with = "exact", skip_serializing_if = "Option::is_none")]
    plane: Option<[f64; 4]>,
    #[serde(default, with = "exact", skip_serializing_if = "Option::is_none")]
    matrix: Option<[[f64; 3]; 2]>,
    texture: Text,
    #[serde(default, with = "exact", skip_serializing_if = "Option::is_none")]
    axes: Option<[[f64; 4]; 2]>,
    #[serde(default, with = "exact", skip_serializing_if = "Option::is_none")]
    shift: Option<[f64; 2]>,
    #[serde(default, with = "exact", skip_serializing_if = "Option::is_none")]
    rotation: Option<f64>,
    #[serde(default, with = "exact", skip_serializing_if = "Option::is_none")]
    scale: Option<[f64; 2]>,
    #[serde(default, skip_serializing_if = "is_default")]
    extra: Vec<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PatchData {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lead: Option<Text>,
    texture: Text,
    /// The numbers after the texture: rows, columns, with `patchDef3` both subdivisions, and zeros.
    #[serde(with = "exact")]
    info: Vec<f64>,
    /// Rows of control points, each with position and texture coordinates.
    points: Vec<RowData>,
    #[serde(default, skip_serializing_if = "is_default")]
    keys: Vec<[Text; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Text>,
}

/// A row of control points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct RowData(#[serde(with = "exact")] Vec<[f64; 5]>);

/// A primitive that is not read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct OtherData {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lead: Option<Text>,
    text: Text,
}

/// A key, or another part: a primitive of an entity, or a face of a brush.
#[derive(Clone, Copy)]
enum Part<'a, T> {
    Pair(KeyValue<'a>),
    Other(T),
}

/// Merges two lists of parts in the order of the text. Returns the range of each part, too.
fn merge<'a, T: Copy>(
    pairs: impl Iterator<Item = KeyValue<'a>>,
    others: impl Iterator<Item = T>,
    range_of: fn(T) -> Range<usize>,
) -> impl Iterator<Item = (Range<usize>, Part<'a, T>)> {
    let mut pairs = pairs.map(|pair| (pair.range(), Part::Pair(pair))).peekable();
    let mut others = others.map(move |other| (range_of(other), Part::Other(other))).peekable();
    std::iter::from_fn(move || {
        let order = match (pairs.peek(), others.peek()) {
            (Some((pair, _)), Some((other, _))) => pair.start.cmp(&other.start),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        if order == Ordering::Less { pairs.next() } else { others.next() }
    })
}

/// The usual layout of a map.
#[derive(Clone, Copy)]
pub(super) struct Layout<'l> {
    pub(super) line_end: &'l [u8],
}

impl<'l> Layout<'l> {
    /// Creates the data of the keys and primitives of an entity.
    pub(super) fn entity_parts<'a>(self, entity: Entity<'a>) -> impl Iterator<Item = EntityPart> + use<'a, 'l> {
        let start = entity.range().start.saturating_add(usize::from(!entity.is_fragment()));
        let parts = merge(entity.pairs(), entity.primitives(), Primitive::range);
        self.leads(entity.document, start, parts).map(move |(lead, part)| match part {
            Part::Pair(pair) => EntityPart::Key(PairData { lead, ..PairData::new(pair) }),
            Part::Other(primitive) => self.primitive(primitive, lead),
        })
    }

    /// Returns the end of the last key or primitive of an entity, or the offset after its brace.
    pub(super) fn last_end(self, entity: Entity<'_>) -> usize {
        let pair = entity.pairs().next_back().map_or(0, |pair| pair.range().end);
        let primitive = entity.primitives().next_back().map_or(0, |primitive| primitive.range().end);
        pair.max(primitive).max(entity.range().start.saturating_add(1))
    }

    /// Returns the text before each part, if it is not the usual one.
    fn leads<'a, T>(
        self,
        map: &'a Document,
        start: usize,
        parts: impl Iterator<Item = (Range<usize>, Part<'a, T>)>,
    ) -> impl Iterator<Item = (Option<Text>, Part<'a, T>)> {
        let mut end = start;
        parts.map(move |(range, part)| {
            let lead = Text::unless(slice(map.as_bytes(), end..range.start), self.line_end);
            end = range.end;
            (lead, part)
        })
    }

    fn primitive(self, primitive: Primitive<'_>, lead: Option<Text>) -> EntityPart {
        let kind = primitive.kind();
        if let Some(patch) = PatchData::new(primitive) {
            let usual = self.patch_text(&patch, kind);
            let patch = PatchData { lead, text: Text::unless(primitive.text(), &usual), ..patch };
            return if kind == PrimitiveKind::PatchDef2 {
                EntityPart::PatchDef2(patch)
            } else {
                EntityPart::PatchDef3(patch)
            };
        }
        let of = match kind {
            PrimitiveKind::Brush => EntityPart::Brush,
            PrimitiveKind::BrushDef => EntityPart::BrushDef,
            PrimitiveKind::BrushDef3 => EntityPart::BrushDef3,
            _ => return EntityPart::Other(OtherData { lead, text: Text(primitive.text().to_vec()) }),
        };
        let (map, range) = (primitive.document, primitive.range());
        let text = |range| slice(map.as_bytes(), range);
        let [head, tail] = self.frame(kind);
        // A comment may follow the braces, so the head is only what is usual, or else everything up to the first part.
        let parts = || merge(primitive.pairs(), primitive.faces(), Face::range);
        let first = parts().next().map(|(range, _)| range.start);
        let last_pair = primitive.pairs().next_back().map_or(0, |pair| pair.range().end);
        let last = primitive.faces().next_back().map_or(0, |face| face.range().end).max(last_pair);
        let is_usual = text(range.clone()).starts_with(&head);
        let start = match first {
            Some(_) if is_usual => range.start.saturating_add(head.len()),
            Some(first) => first,
            // Without parts, the text is the head up to the last brace, and the tail is that brace.
            None => range.end.saturating_sub(1),
        };
        let parts = self.leads(map, start, parts()).map(|(lead, part)| match part {
            Part::Pair(pair) => BrushPart::Key(PairData { lead, ..PairData::new(pair) }),
            Part::Other(face) => BrushPart::Face(Box::new(FaceData { lead, ..FaceData::new(face) })),
        });
        of(BrushData {
            lead,
            head: Text::unless(text(range.start..start), &head),
            parts: parts.collect(),
            tail: Text::unless(text(start.max(last)..range.end), &tail),
        })
    }

    /// Returns the usual start and end of a brush.
    fn frame(self, kind: PrimitiveKind) -> [Vec<u8>; 2] {
        let name = kind.name().as_bytes();
        match kind {
            PrimitiveKind::Brush => [b"{".to_vec(), [self.line_end, b"}"].concat()],
            _ => [[b"{", name, b"{"].join(self.line_end), [b"", &b"}"[..], b"}"].join(self.line_end)],
        }
    }

    /// Adds the text of a part with its lead.
    pub(super) fn write_part(self, part: &EntityPart, out: &mut Vec<u8>) {
        let lead = match part {
            EntityPart::Key(PairData { lead, .. })
            | EntityPart::Brush(BrushData { lead, .. })
            | EntityPart::BrushDef(BrushData { lead, .. })
            | EntityPart::BrushDef3(BrushData { lead, .. })
            | EntityPart::PatchDef2(PatchData { lead, .. })
            | EntityPart::PatchDef3(PatchData { lead, .. })
            | EntityPart::Other(OtherData { lead, .. }) => lead,
        };
        out.extend_from_slice(lead.as_ref().map_or(self.line_end, |lead| &lead.0));
        match part {
            EntityPart::Key(pair) => out.extend(pair.to_text()),
            EntityPart::Brush(brush) => self.write_brush(brush, PrimitiveKind::Brush, out),
            EntityPart::BrushDef(brush) => self.write_brush(brush, PrimitiveKind::BrushDef, out),
            EntityPart::BrushDef3(brush) => self.write_brush(brush, PrimitiveKind::BrushDef3, out),
            EntityPart::PatchDef2(patch) => out.extend(self.patch_or_text(patch, PrimitiveKind::PatchDef2)),
            EntityPart::PatchDef3(patch) => out.extend(self.patch_or_text(patch, PrimitiveKind::PatchDef3)),
            EntityPart::Other(other) => out.extend_from_slice(&other.text.0),
        }
    }

    fn write_brush(self, brush: &BrushData, kind: PrimitiveKind, out: &mut Vec<u8>) {
        let [head, tail] = self.frame(kind);
        out.extend_from_slice(brush.head.as_ref().map_or(&head, |head| &head.0));
        for part in &brush.parts {
            let (lead, text) = match part {
                BrushPart::Key(pair) => (&pair.lead, pair.to_text()),
                BrushPart::Face(face) => (&face.lead, face.to_text(kind)),
            };
            out.extend_from_slice(lead.as_ref().map_or(self.line_end, |lead| &lead.0));
            out.extend(text);
        }
        out.extend_from_slice(brush.tail.as_ref().map_or(&tail, |tail| &tail.0));
    }

    /// Returns the text of a patch in the usual layout.
    fn patch_text(self, patch: &PatchData, kind: PrimitiveKind) -> Vec<u8> {
        let mut lines = vec![b"{".to_vec(), kind.name().as_bytes().to_vec(), b"{".to_vec()];
        lines.push(usual_texture(&patch.texture.0, kind));
        lines.push(format!("( {} )", join(&patch.info)).into_bytes());
        lines.push(b"(".to_vec());
        for RowData(row) in &patch.points {
            let points: Vec<String> = row.iter().map(|point| format!("( {} )", join(point))).collect();
            lines.push(format!("( {} )", points.join(" ")).into_bytes());
        }
        lines.push(b")".to_vec());
        lines.extend(patch.keys.iter().map(|[key, value]| pair_text(&key.0, &value.0)));
        lines.extend([b"}".to_vec(), b"}".to_vec()]);
        lines.join(self.line_end)
    }

    /// Returns the text of the data if it has the same values, or else formats the values.
    fn patch_or_text(self, patch: &PatchData, kind: PrimitiveKind) -> Vec<u8> {
        let stored = patch.text.as_ref().filter(|text| {
            let map = Document::from_vec([b"{", &*text.0, b"\n}"].concat()).ok();
            let read =
                map.as_ref().and_then(|map| map.primitives().next()).filter(|primitive| primitive.kind() == kind);
            let is_same = |read: PatchData| read == PatchData { lead: None, text: None, ..patch.clone() };
            read.and_then(PatchData::new).is_some_and(is_same)
        });
        stored.map_or_else(|| self.patch_text(patch, kind), |text| text.0.clone())
    }
}

impl PairData {
    fn new(pair: KeyValue<'_>) -> Self {
        let text = slice(pair.document.as_bytes(), pair.range());
        let usual = pair_text(pair.key(), pair.value());
        Self {
            lead: None,
            key: Text(pair.key().to_vec()),
            value: Text(pair.value().to_vec()),
            text: Text::unless(text, &usual),
        }
    }

    /// Returns the text of the data if it has the same values, or else formats the values.
    fn to_text(&self) -> Vec<u8> {
        let stored = self.text.as_ref().filter(|text| {
            let map = Document::from_vec([b"{", &*text.0, b"\n}"].concat()).ok();
            let pair = map.as_ref().and_then(|map| map.entities().next()?.pairs().next());
            pair.is_some_and(|pair| pair.key() == self.key.0 && pair.value() == self.value.0)
        });
        stored.map_or_else(|| pair_text(&self.key.0, &self.value.0), |text| text.0.clone())
    }
}

/// Puts a key and a value in quotes. Both have the escapes of the text.
fn pair_text(key: &[u8], value: &[u8]) -> Vec<u8> {
    [b"\"", key, b"\" \"", value, b"\""].concat()
}

/// Returns a texture as programs write it: always with quotes in Doom 3 and Quake 4.
fn usual_texture(name: &[u8], kind: PrimitiveKind) -> Vec<u8> {
    let is_quoted = matches!(kind, PrimitiveKind::BrushDef3 | PrimitiveKind::PatchDef3);
    texture_token(name, is_quoted).unwrap_or_else(|_| [b"\"", name, b"\""].concat())
}

fn join(numbers: &[f64]) -> String {
    numbers.iter().map(|number| format_number(*number)).collect::<Vec<_>>().join(" ")
}

impl FaceData {
    fn new(face: Face<'_>) -> Self {
        let mut data = Self {
            texture: Text(face.texture().into_owned()),
            extra: face.extra().map(|word| Text(word.to_vec())).collect(),
            ..Self::default()
        };
        match face.plane() {
            Plane::Points(points) => data.points = Some(points),
            Plane::Equation(plane) => data.plane = Some(plane),
        }
        match face.mapping() {
            Mapping::Standard { shift, rotation, scale } => {
                (data.shift, data.rotation, data.scale) = (Some(shift), Some(rotation), Some(scale));
            }
            Mapping::Valve { u, v, rotation, scale } => {
                (data.axes, data.rotation, data.scale) = (Some([u, v]), Some(rotation), Some(scale));
            }
            Mapping::Matrix(matrix) => data.matrix = Some(matrix),
        }
        let text = slice(face.document.as_bytes(), face.range());
        data.text = Text::unless(text, &data.usual_text(face.kind()));
        data
    }

    /// Formats the values in the usual layout.
    fn usual_text(&self, kind: PrimitiveKind) -> Vec<u8> {
        let mut words: Vec<Vec<u8>> = Vec::new();
        let mut push = |numbers: &[f64], open: &str, close: &str| {
            words.push(format!("{open}{}{close}", join(numbers)).into_bytes());
        };
        self.points.iter().flatten().for_each(|point| push(point, "( ", " )"));
        self.plane.iter().for_each(|plane| push(plane, "( ", " )"));
        if let Some([first, second]) = &self.matrix {
            push(first, "( ( ", " )");
            push(second, "( ", " ) )");
        }
        words.push(usual_texture(&self.texture.0, kind));
        let mut push = |numbers: &[f64], open: &str, close: &str| {
            words.push(format!("{open}{}{close}", join(numbers)).into_bytes());
        };
        self.axes.iter().flatten().for_each(|axis| push(axis, "[ ", " ]"));
        self.shift.iter().for_each(|shift| push(shift, "", ""));
        self.rotation.iter().for_each(|rotation| push(&[*rotation], "", ""));
        self.scale.iter().for_each(|scale| push(scale, "", ""));
        words.extend(self.extra.iter().map(|word| word.0.clone()));
        words.join(&b' ')
    }

    /// Returns the text of the data if it has the same values, or else formats the values.
    fn to_text(&self, kind: PrimitiveKind) -> Vec<u8> {
        let stored = self.text.as_ref().filter(|text| {
            let head: &[u8] = match kind {
                PrimitiveKind::BrushDef => b"{{brushDef{",
                PrimitiveKind::BrushDef3 => b"{{brushDef3{",
                _ => b"{{",
            };
            let tail: &[u8] = if kind == PrimitiveKind::Brush { b"\n}}" } else { b"\n}}}" };
            let map = Document::from_vec([head, &*text.0, tail].concat()).ok();
            let face = map.as_ref().and_then(|map| map.primitives().next()?.faces().next());
            face.is_some_and(|face| {
                Self { text: None, ..Self::new(face) } == Self { lead: None, text: None, ..self.clone() }
            })
        });
        stored.map_or_else(|| self.usual_text(kind), |text| text.0.clone())
    }
}

impl PatchData {
    /// Creates the data of a patch, without its lead and text.
    fn new(primitive: Primitive<'_>) -> Option<Self> {
        let patch = primitive.patch()?;
        let points: Vec<[f64; 5]> =
            patch.points().map(|ControlPoint { position: [x, y, z], uv: [u, v] }| [x, y, z, u, v]).collect();
        let rows: Vec<RowData> = match patch.column_count() {
            // Rows without points.
            0 => (0..patch.row_count()).map(|_| RowData(Vec::new())).collect(),
            columns => points.chunks(columns).map(|row| RowData(row.to_vec())).collect(),
        };
        let text = |text: &[u8]| Text(text.to_vec());
        Some(Self {
            lead: None,
            texture: Text(patch.texture().into_owned()),
            info: patch.info_words().map(parse_number).collect(),
            points: rows,
            keys: primitive.pairs().map(|pair| [text(pair.key()), text(pair.value())]).collect(),
            text: None,
        })
    }
}
