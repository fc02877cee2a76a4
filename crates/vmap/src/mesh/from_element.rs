//! Reads meshes from element graphs.

use std::cell::Cell;
use std::collections::HashSet;

use mapwright_dmx::{Document, ElementId, ElementRef, Reference, Value};
use mapwright_io::{Context, Position};

use super::{DataArray, Mesh, Stream, StreamData, SubdivisionBinding, SubdivisionData};
use crate::{ReadError, ReadErrorKind};

impl Mesh {
    /// Reads a `CDmePolygonMesh`. The numbers are not checked; see [`check`](Self::check).
    ///
    /// # Errors
    /// If an index array, the materials, the vertex data, the size of a data array or its list of streams is missing, or if an
    /// attribute has the wrong type. The path starts at the mesh. Other missing data arrays are read without streams, missing
    /// subdivision data as none, missing attributes of a stream as empty or 0.
    /// Also if the names of streams and materials take more than 1 MiB together: they are copied, and a small file can refer to
    /// one long string many times.
    pub fn from_element(mesh: ElementRef<'_>) -> Result<Self, ReadError> {
        let names = Names { left: Cell::new(MAX_NAMES) };
        let ints = |name| required(mesh, name, ints).in_field(name);
        let data_array = |name| {
            let read = |element| data_array(element, &names);
            required(mesh, name, |value| child(mesh, value))
                .and_then(|element| element.map_or_else(missing_error, read))
                .in_field(name)
        };
        // The mesh of the public description has only positions. Hammer computes the other streams.
        let optional_array = |name, count: usize| {
            let size = || i32::try_from(count).unwrap_or(i32::MAX);
            let is_null = matches!(mesh.get(name), None | Some(Value::Element(Reference::Null)));
            if is_null { Ok(DataArray { size: size(), streams: Vec::new() }) } else { data_array(name) }
        };
        let edge_vertex_indices = ints("edgeVertexIndices")?;
        let face_edge_indices = ints("faceEdgeIndices")?;
        let (half_edges, faces) = (edge_vertex_indices.len(), face_edge_indices.len());
        Ok(Self {
            vertex_edge_indices: ints("vertexEdgeIndices")?,
            vertex_data_indices: ints("vertexDataIndices")?,
            edge_vertex_indices,
            edge_opposite_indices: ints("edgeOppositeIndices")?,
            edge_next_indices: ints("edgeNextIndices")?,
            edge_face_indices: ints("edgeFaceIndices")?,
            edge_data_indices: ints("edgeDataIndices")?,
            edge_vertex_data_indices: ints("edgeVertexDataIndices")?,
            face_edge_indices,
            face_data_indices: ints("faceDataIndices")?,
            materials: materials(mesh, &names).in_field("materials")?,
            vertex_data: data_array("vertexData")?,
            face_vertex_data: optional_array("faceVertexData", half_edges)?,
            edge_data: optional_array("edgeData", half_edges / 2)?,
            face_data: optional_array("faceData", faces)?,
            subdivision_data: subdivision_data(mesh, &names).in_field("subdivisionData")?,
        })
    }
}

/// Maximum length of all names of a mesh in bytes.
const MAX_NAMES: usize = 1 << 20;

/// Copies the names of one mesh within a budget.
struct Names {
    left: Cell<usize>,
}

impl Names {
    fn copy(&self, name: &[u8]) -> Result<Vec<u8>, ReadError> {
        let too_long = || ReadError::new(ReadErrorKind::LongNames { limit: MAX_NAMES }, NO_POSITION);
        self.left.set(self.left.get().checked_sub(name.len()).ok_or_else(too_long)?);
        Ok(name.to_vec())
    }
}

/// Reads the meshes of one document that share no data. Remembers the data arrays and streams of meshes that were read.
#[derive(Default)]
pub(crate) struct UnsharedMeshes(HashSet<ElementId>);

impl UnsharedMeshes {
    /// Reads a mesh, unless its data is that of an earlier one. A small file could have any number of meshes with the same large data.
    ///
    /// # Errors
    /// As [`Mesh::from_element`], and if a data array or a stream belongs to a mesh that was read before.
    pub(crate) fn read(&mut self, mesh: ElementRef<'_>) -> Result<Mesh, ReadError> {
        // Data can be shared within one mesh.
        let mut own = HashSet::new();
        let mut take = |id| {
            let is_free = own.contains(&id) || self.0.insert(id);
            own.insert(id);
            if is_free { Ok(()) } else { Err(ReadError::new(ReadErrorKind::SharedData, NO_POSITION)) }
        };
        for name in ["vertexData", "faceVertexData", "edgeData", "faceData", "subdivisionData"] {
            let Some(array) = mesh.child(name) else { continue };
            take(array.id()).in_field(name)?;
            let Some(Value::ElementArray(streams)) = array.get("streams") else { continue };
            for (index, stream) in modelled(array.document(), streams) {
                take(stream.id()).in_item("streams", index).in_field(name)?;
            }
        }
        Mesh::from_element(mesh)
    }
}

/// A part of a value, or the expected type.
type Part<T> = Result<T, &'static str>;

fn required<'a, T>(
    element: ElementRef<'a>,
    name: &str,
    read: impl FnOnce(&'a Value) -> Part<T>,
) -> Result<T, ReadError> {
    element.get(name).map_or_else(missing_error, |value| read(value).map_err(|expected| type_error(value, expected)))
}

/// Reads an optional attribute.
fn optional<'a, T: Default>(
    element: ElementRef<'a>,
    name: &'static str,
    read: impl FnOnce(&'a Value) -> Part<T>,
) -> Result<T, ReadError> {
    if element.get(name).is_none() { Ok(T::default()) } else { required(element, name, read).in_field(name) }
}

// Elements of a graph have no position in the file.
const NO_POSITION: Position = Position::file(0);

fn missing_error<T>() -> Result<T, ReadError> {
    Err(ReadError::new(ReadErrorKind::MissingAttribute, NO_POSITION))
}

fn type_error(value: &Value, expected: &'static str) -> ReadError {
    let array = if value.array_len().is_some() { "_array" } else { "" };
    let found = format!("{}{array}", value.value_type().name());
    ReadError::new(ReadErrorKind::AttributeType { expected, found }, NO_POSITION)
}

fn ints(value: &Value) -> Part<Vec<i32>> {
    match value {
        Value::IntArray(items) => Ok(items.to_vec()),
        _ => Err("int_array"),
    }
}

fn int(value: &Value) -> Part<i32> {
    match value {
        Value::Int(number) => Ok(*number),
        _ => Err("int"),
    }
}

fn child<'a>(element: ElementRef<'a>, value: &Value) -> Part<Option<ElementRef<'a>>> {
    match value {
        Value::Element(Reference::Element(id)) => Ok(element.document().element(*id)),
        Value::Element(_) => Ok(None),
        _ => Err("element"),
    }
}

fn materials(mesh: ElementRef<'_>, names: &Names) -> Result<Vec<Vec<u8>>, ReadError> {
    let ids = required(mesh, "materials", |value| match value {
        Value::StringArray(ids) => Ok(ids),
        _ => Err("string_array"),
    })?;
    ids.iter().map(|&id| names.copy(mesh.document().string(id))).collect()
}

fn data_array(element: ElementRef<'_>, names: &Names) -> Result<DataArray, ReadError> {
    Ok(DataArray { size: required(element, "size", int).in_field("size")?, streams: streams(element, names)? })
}

fn subdivision_data(mesh: ElementRef<'_>, names: &Names) -> Result<SubdivisionData, ReadError> {
    if mesh.get("subdivisionData").is_none() {
        return Ok(SubdivisionData::default());
    }
    match required(mesh, "subdivisionData", |value| child(mesh, value))? {
        None => Ok(SubdivisionData::default()),
        Some(element) => Ok(SubdivisionData {
            levels: required(element, "subdivisionLevels", ints).in_field("subdivisionLevels")?,
            streams: streams(element, names)?,
        }),
    }
}

/// Returns the references of a list of streams.
pub(super) fn references(value: &Value) -> Part<&[Reference]> {
    match value {
        Value::ElementArray(references) => Ok(references),
        _ => Err("element_array"),
    }
}

/// Returns the referenced elements that are streams of the model, with their indices. A repeated stream
/// counts once: otherwise a small file could require any number of copies.
pub(super) fn modelled<'a>(
    document: &'a Document,
    references: &'a [Reference],
) -> impl Iterator<Item = (usize, ElementRef<'a>)> {
    let mut seen = HashSet::new();
    references.iter().enumerate().filter_map(move |(place, reference)| {
        let Reference::Element(id) = reference else { return None };
        let element =
            document.element(*id).filter(|element| element.get("data").is_some_and(StreamData::is_stream_value))?;
        seen.insert(*id).then_some((place, element))
    })
}

fn streams(element: ElementRef<'_>, names: &Names) -> Result<Vec<Stream>, ReadError> {
    let references = required(element, "streams", references).in_field("streams")?;
    let mut streams = Vec::new();
    for (index, stream) in modelled(element.document(), references) {
        streams.extend(self::stream(stream, names).in_item("streams", index)?);
    }
    Ok(streams)
}

/// Returns the data of a stream of the model; `None` for other elements.
pub(super) fn stream_data(element: ElementRef<'_>) -> Option<StreamData> {
    element.get("data").and_then(StreamData::from_value)
}

/// Reads a stream; `None` if the model does not have its type.
fn stream(element: ElementRef<'_>, names: &Names) -> Result<Option<Stream>, ReadError> {
    let text = |name| {
        let id = optional(element, name, |value| match value {
            Value::String(id) => Ok(Some(*id)),
            _ => Err("string"),
        })?;
        id.map_or(Ok(Vec::new()), |id| names.copy(element.document().string(id))).in_field(name)
    };
    let int = |name| optional(element, name, int);
    let Some(data) = stream_data(element) else { return Ok(None) };
    Ok(Some(Stream {
        name: names.copy(element.name())?,
        standard_attribute_name: text("standardAttributeName")?,
        semantic_name: text("semanticName")?,
        semantic_index: int("semanticIndex")?,
        vertex_buffer_location: int("vertexBufferLocation")?,
        data_state_flags: int("dataStateFlags")?,
        subdivision_binding: optional(element, "subdivisionBinding", |value| child(element, value))?
            .map(binding)
            .transpose()
            .in_field("subdivisionBinding")?,
        data,
    }))
}

fn binding(element: ElementRef<'_>) -> Result<SubdivisionBinding, ReadError> {
    Ok(SubdivisionBinding {
        target_data_type: optional(element, "targetDataType", int)?,
        target_stream_index: optional(element, "targetStreamIndex", int)?,
        stream_source_type: optional(element, "streamSourceType", int)?,
    })
}
