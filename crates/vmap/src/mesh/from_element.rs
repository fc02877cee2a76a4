//! Graph to mesh.

use std::cell::Cell;
use std::collections::HashSet;

use mapwright_dmx::{Document, ElementId, ElementRef, Reference, Value};
use mapwright_io::{Context, Position};

use super::{DataArray, Mesh, Stream, StreamData, SubdivisionBinding, SubdivisionData};
use crate::{ReadError, ReadErrorKind};

impl Mesh {
    /// Reads a `CDmePolygonMesh`. The numbers are not judged: see [`check`](Self::check).
    ///
    /// # Errors
    /// If an index array, the materials, a data array, its size or its list of streams is missing, or if anything has another type
    /// than it must have, with the path from the mesh on. Missing subdivision data read as none, missing facts of a stream as empty or 0.
    /// Also if the names of streams and materials take more than 1 MiB together: they are copied, and any number of them may be
    /// one and the same string of the file.
    pub fn from_element(mesh: ElementRef<'_>) -> Result<Self, ReadError> {
        let names = Names { left: Cell::new(LONGEST_NAMES) };
        let ints = |name| required(mesh, name, ints).in_field(name);
        let data_array = |name| {
            let read = |element| data_array(element, &names);
            required(mesh, name, |value| child(mesh, value))
                .and_then(|element| element.map_or_else(missing, read))
                .in_field(name)
        };
        Ok(Self {
            vertex_edge_indices: ints("vertexEdgeIndices")?,
            vertex_data_indices: ints("vertexDataIndices")?,
            edge_vertex_indices: ints("edgeVertexIndices")?,
            edge_opposite_indices: ints("edgeOppositeIndices")?,
            edge_next_indices: ints("edgeNextIndices")?,
            edge_face_indices: ints("edgeFaceIndices")?,
            edge_data_indices: ints("edgeDataIndices")?,
            edge_vertex_data_indices: ints("edgeVertexDataIndices")?,
            face_edge_indices: ints("faceEdgeIndices")?,
            face_data_indices: ints("faceDataIndices")?,
            materials: materials(mesh, &names).in_field("materials")?,
            vertex_data: data_array("vertexData")?,
            face_vertex_data: data_array("faceVertexData")?,
            edge_data: data_array("edgeData")?,
            face_data: data_array("faceData")?,
            subdivision_data: subdivision_data(mesh, &names).in_field("subdivisionData")?,
        })
    }
}

/// Bytes that the names of one mesh may have together.
const LONGEST_NAMES: usize = 1 << 20;

/// Copies the names of one mesh.
struct Names {
    left: Cell<usize>,
}

impl Names {
    fn copy(&self, name: &[u8]) -> Result<Vec<u8>, ReadError> {
        let too_long = || ReadError::new(ReadErrorKind::LongNames { limit: LONGEST_NAMES }, NOWHERE);
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
        // In one mesh they may be the same.
        let mut own = HashSet::new();
        let mut take = |id| {
            let is_free = own.contains(&id) || self.0.insert(id);
            own.insert(id);
            if is_free { Ok(()) } else { Err(ReadError::new(ReadErrorKind::SharedData, NOWHERE)) }
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

/// A part of what a value says; `Err` tells what must stand there instead.
type Part<T> = Result<T, &'static str>;

fn required<'a, T>(
    element: ElementRef<'a>,
    name: &str,
    read: impl FnOnce(&'a Value) -> Part<T>,
) -> Result<T, ReadError> {
    element.get(name).map_or_else(missing, |value| read(value).map_err(|expected| wrong(value, expected)))
}

/// A fact that need not be stated.
fn fact<'a, T: Default>(
    element: ElementRef<'a>,
    name: &'static str,
    read: impl FnOnce(&'a Value) -> Part<T>,
) -> Result<T, ReadError> {
    if element.get(name).is_none() { Ok(T::default()) } else { required(element, name, read).in_field(name) }
}

// Elements of a graph have no place in the file.
const NOWHERE: Position = Position::file(0);

fn missing<T>() -> Result<T, ReadError> {
    Err(ReadError::new(ReadErrorKind::MissingAttribute, NOWHERE))
}

fn wrong(value: &Value, expected: &'static str) -> ReadError {
    let array = if value.array_len().is_some() { "_array" } else { "" };
    let found = format!("{}{array}", value.value_type().name());
    ReadError::new(ReadErrorKind::AttributeType { expected, found }, NOWHERE)
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

/// The references of a list of streams.
pub(super) fn references(value: &Value) -> Part<&[Reference]> {
    match value {
        Value::ElementArray(references) => Ok(references),
        _ => Err("element_array"),
    }
}

/// The elements among some references that are streams of the model, with their places. A stream that is listed again
/// counts once: else a small file could ask for any number of copies.
pub(super) fn modelled<'a>(
    document: &'a Document,
    references: &'a [Reference],
) -> impl Iterator<Item = (usize, ElementRef<'a>)> {
    let mut met = HashSet::new();
    references.iter().enumerate().filter_map(move |(place, reference)| {
        let Reference::Element(id) = reference else { return None };
        let element = document.element(*id).filter(|element| element.get("data").is_some_and(StreamData::holds))?;
        met.insert(*id).then_some((place, element))
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

/// The data of an element that is a stream of the model; `None` for all others.
pub(super) fn stream_data(element: ElementRef<'_>) -> Option<StreamData> {
    element.get("data").and_then(StreamData::of)
}

/// A stream; `None` if its data are of no type that the model has.
fn stream(element: ElementRef<'_>, names: &Names) -> Result<Option<Stream>, ReadError> {
    let text = |name| {
        let id = fact(element, name, |value| match value {
            Value::String(id) => Ok(Some(*id)),
            _ => Err("string"),
        })?;
        id.map_or(Ok(Vec::new()), |id| names.copy(element.document().string(id))).in_field(name)
    };
    let int = |name| fact(element, name, int);
    let Some(data) = stream_data(element) else { return Ok(None) };
    Ok(Some(Stream {
        name: names.copy(element.name())?,
        standard_attribute_name: text("standardAttributeName")?,
        semantic_name: text("semanticName")?,
        semantic_index: int("semanticIndex")?,
        vertex_buffer_location: int("vertexBufferLocation")?,
        data_state_flags: int("dataStateFlags")?,
        subdivision_binding: fact(element, "subdivisionBinding", |value| child(element, value))?
            .map(binding)
            .transpose()
            .in_field("subdivisionBinding")?,
        data,
    }))
}

fn binding(element: ElementRef<'_>) -> Result<SubdivisionBinding, ReadError> {
    Ok(SubdivisionBinding {
        target_data_type: fact(element, "targetDataType", int)?,
        target_stream_index: fact(element, "targetStreamIndex", int)?,
        stream_source_type: fact(element, "streamSourceType", int)?,
    })
}
