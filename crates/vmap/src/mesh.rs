//! Half-edge meshes: `CDmePolygonMesh`.
//!
//! A [`Mesh`] contains all data of such an element. [`Mesh::from_element`] reads it from a graph, [`Mesh::write_to_element`] writes
//! differences back. [`Mesh::check`] finds its problems, [`Mesh::polygons`] iterates over its faces, [`Mesh::build`] builds one
//! from polygons.
//!
//! An edge is a pair of *half-edges* `2k` and `2k + 1` in opposite directions. `edge_vertex_indices[h]` is the destination of a
//! half-edge; its start is the destination of its twin `h ^ 1`. A face is a loop of half-edges, counter-clockwise about its
//! normals. The open sides of border edges (face −1) form loops as well. The *corner* of a face at a vertex is an index into the
//! per-corner streams, stored with the half-edge that leads **to** that vertex.
//!
//! ```
//! use mapwright_vmap::dmx::{Document, Encoding, Guid};
//! use mapwright_vmap::mesh::{BuildOptions, Mesh, Soup, StreamData};
//!
//! // Build a square and write it into a graph.
//! let mut soup = Soup { positions: vec![[0., 0., 0.], [64., 0., 0.], [64., 64., 0.], [0., 64., 0.]], ..Soup::default() };
//! soup.push_face(&[0, 1, 2, 3]);
//! let built = Mesh::build(&soup, &BuildOptions::default());
//! assert!(built.problems.is_empty() && built.mesh.check().is_empty());
//! let mut graph = Document::new(Encoding::BINARY_9, "vmap", 29, "CMapRootElement", Guid::from_hash(b"root"));
//! let id = graph.push("CDmePolygonMesh", "meshData", Guid::from_hash(b"mesh"));
//! let mut count = 0_u32;
//! let mut guids = || {
//!     count += 1;
//!     Guid::from_hash(&count.to_le_bytes())
//! };
//! built.mesh.write_to_element(&mut graph, id, &mut guids);
//!
//! // Read, change one value, write: nothing else changes.
//! let mut mesh = Mesh::from_element(graph.element(id).unwrap())?;
//! if let Some(StreamData::Vector3(positions)) = mesh.vertex_data.stream_mut("position:0").map(|stream| &mut stream.data) {
//!     positions[2][2] += 16.0;
//! }
//! mesh.write_to_element(&mut graph, id, &mut guids);
//! let polygons = mesh.polygons()?;
//! assert_eq!(polygons.face(0)[2].vertex, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod check;
mod from_element;
mod polygons;
mod projection;
mod soup;
mod subdivision;
mod to_element;
mod vector;

use mapwright_dmx::Value;

pub(crate) use from_element::UnsharedMeshes;

pub use build::{BuildOptions, Built, Problem, Repair};
pub use polygons::{Corner, Edge, Hardness, LoopError, Polygons};
pub use projection::{Fit, Projection, Valve220};
pub use soup::Soup;
pub use subdivision::Grid;

/// The data of a `CDmePolygonMesh`, in file order. NV, NE and NF are the numbers of vertices, half-edges and faces.
///
/// The numbers can be invalid; see [`check`](Self::check). Streams of types other than those of [`StreamData`] and
/// attributes that are not named here stay in the graph, unchanged by [`write_to_element`](Self::write_to_element).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mesh {
    /// NV: a half-edge that starts at the vertex; −1 for a vertex without edges, which Hammer never writes.
    pub vertex_edge_indices: Vec<i32>,
    /// NV: index of the vertex in [`vertex_data`](Self::vertex_data); the identity in every known file.
    pub vertex_data_indices: Vec<i32>,
    /// NE: destination vertex of the half-edge.
    pub edge_vertex_indices: Vec<i32>,
    /// NE: twin; `h ^ 1` in every known file.
    pub edge_opposite_indices: Vec<i32>,
    /// NE: next half-edge of the loop.
    pub edge_next_indices: Vec<i32>,
    /// NE: face, −1 for an open side.
    pub edge_face_indices: Vec<i32>,
    /// NE: index of the edge in [`edge_data`](Self::edge_data); `h / 2` in every known file.
    pub edge_data_indices: Vec<i32>,
    /// NE: corner at the destination, an index in [`face_vertex_data`](Self::face_vertex_data). A permutation.
    pub edge_vertex_data_indices: Vec<i32>,
    /// NF: a half-edge of the face.
    pub face_edge_indices: Vec<i32>,
    /// NF: index of the face in [`face_data`](Self::face_data); the identity in every known file.
    pub face_data_indices: Vec<i32>,
    /// Names of materials. The face stream `materialindex:0` has indices of this list. Mostly UTF-8.
    pub materials: Vec<Vec<u8>>,
    /// Per vertex: `position:0`.
    pub vertex_data: DataArray,
    /// Per corner: `texcoord:0`, `normal:0`, `tangent:0`, paint, lighting, blend weights.
    pub face_vertex_data: DataArray,
    /// Per edge: `flags:0`.
    pub edge_data: DataArray,
    /// Per face: texture projection, `materialindex:0`, `flags:0`, `lightmapScaleBias:0`.
    pub face_data: DataArray,
    /// Displacement grids.
    pub subdivision_data: SubdivisionData,
}

/// A `CDmePolygonMeshDataArray`: streams of equal length.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DataArray {
    /// Length of every stream.
    pub size: i32,
    /// Streams in file order. The order of corner streams varies, so find them by name.
    pub streams: Vec<Stream>,
}

/// A `CDmePolygonMeshSubdivisionData`: grids of samples over the faces. See [`Grid`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubdivisionData {
    /// NE: level of each **corner**, equal at all corners of a face; 0 for none. A corner of level L has (2^(L−1) + 1)² samples
    /// in every stream.
    pub levels: Vec<i32>,
    /// Samples of all corners, in the order of corners.
    pub streams: Vec<Stream>,
}

/// A `CDmePolygonMeshDataStream`: one column of data.
///
/// A missing attribute reads as empty or 0, and stays missing until it gets another value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// Name of the element: [`semantic_name`](Self::semantic_name) and [`semantic_index`](Self::semantic_index) with a colon
    /// between them. Mostly ASCII; streams are found by it.
    pub name: Vec<u8>,
    /// Mostly equal to the semantic name; empty for paint and lighting.
    pub standard_attribute_name: Vec<u8>,
    /// Meaning of the data: `position`, `texcoord`.
    pub semantic_name: Vec<u8>,
    /// 0 for the first stream of a semantic.
    pub semantic_index: i32,
    /// 1 for paint and lighting, else 0.
    pub vertex_buffer_location: i32,
    /// Unknown. Observed bits: 1, 2, 8.
    pub data_state_flags: i32,
    /// Relation to subdivision samples, in meshes that have or had some.
    pub subdivision_binding: Option<SubdivisionBinding>,
    /// The data.
    pub data: StreamData,
}

/// A `CDmePolygonMeshSubdivisiondataBinding`. Positions have (−1, −1, 1), normals (−1, −1, 2), tangents (−1, −1, 3), texture
/// coordinates (1, 0, 0), paint and lighting streams (3, k, 0) with the index k among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SubdivisionBinding {
    /// Observed values: −1, 1, 3.
    pub target_data_type: i32,
    /// −1, or a consecutive number.
    pub target_stream_index: i32,
    /// 0 for a stream of the subdivision data, otherwise the method of computation: 1 positions, 2 normals, 3 tangents.
    pub stream_source_type: i32,
}

macro_rules! stream_data {
    ($( $(#[$meta:meta])* $name:ident($item:ty) $array:ident $as:ident; )*) => {
        /// The data of a stream. Equal if all bits are.
        #[derive(Debug, Clone)]
        pub enum StreamData {
            $( $(#[$meta])* $name(Vec<$item>), )*
        }

        impl StreamData {
            /// Returns the number of items.
            pub fn len(&self) -> usize {
                match self { $( Self::$name(items) => items.len(), )* }
            }

            $(
                #[doc = concat!("Returns the items if their type is `", stringify!($item), "`.")]
                pub fn $as(&self) -> Option<&[$item]> {
                    match self {
                        Self::$name(items) => Some(items),
                        _ => None,
                    }
                }
            )*

            /// Returns the data as a value of a graph.
            pub(crate) fn to_value(&self) -> Value {
                match self { $( Self::$name(items) => Value::$array(items.clone().into_boxed_slice()), )* }
            }

            /// Returns `true` if a value can be the data of a stream.
            pub(crate) fn is_stream_value(value: &Value) -> bool {
                matches!(value, $( Value::$array(_) )|*)
            }

            /// Returns the data of a value; `None` if no stream has its type.
            pub(crate) fn from_value(value: &Value) -> Option<Self> {
                match value {
                    $( Value::$array(items) => Some(Self::$name(items.to_vec())), )*
                    _ => None,
                }
            }
        }
    };
}

stream_data! {
    /// Integers.
    Int(i32) IntArray as_ints;
    /// Numbers.
    Float(f32) FloatArray as_floats;
    /// Pairs.
    Vector2([f32; 2]) Vector2Array as_vector2s;
    /// Points and directions.
    Vector3([f32; 3]) Vector3Array as_vector3s;
    /// Tangents, planes of projection, colours.
    Vector4([f32; 4]) Vector4Array as_vector4s;
}

impl StreamData {
    /// Returns `true` if there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl PartialEq for StreamData {
    fn eq(&self, other: &Self) -> bool {
        fn same<const N: usize>(a: &[[f32; N]], b: &[[f32; N]]) -> bool {
            a.len() == b.len() && a.as_flattened().iter().zip(b.as_flattened()).all(|(a, b)| a.to_bits() == b.to_bits())
        }
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a.iter().map(|a| a.to_bits()).eq(b.iter().map(|b| b.to_bits())),
            (Self::Vector2(a), Self::Vector2(b)) => same(a, b),
            (Self::Vector3(a), Self::Vector3(b)) => same(a, b),
            (Self::Vector4(a), Self::Vector4(b)) => same(a, b),
            _ => false,
        }
    }
}

impl Eq for StreamData {}

impl Stream {
    /// Creates a stream `semantic:index` with the standard name, buffer location and
    /// state flags that Hammer gives this semantic. An unknown semantic gets those of texture coordinates.
    pub fn new(semantic: &str, index: i32, data: StreamData) -> Self {
        let painted = semantic.starts_with("VertexPaint") || semantic == "PerVertexLighting";
        let standard = match semantic {
            _ if painted => "",
            "blendweights" => "blendweight0",
            "blendindices" => "blendindex0",
            _ => semantic,
        };
        let flags = match semantic {
            "position" | "flags" => 3,
            "materialindex" => 8,
            "textureScale" | "textureAxisU" | "textureAxisV" => 0,
            _ => 1,
        };
        Self {
            name: format!("{semantic}:{index}").into_bytes(),
            standard_attribute_name: standard.as_bytes().to_vec(),
            semantic_name: semantic.as_bytes().to_vec(),
            semantic_index: index,
            vertex_buffer_location: i32::from(painted),
            data_state_flags: flags,
            subdivision_binding: None,
            data,
        }
    }
}

impl DataArray {
    /// Returns the first stream with a name, such as `texcoord:0`.
    pub fn stream(&self, name: &str) -> Option<&Stream> {
        find(&self.streams, name)
    }

    /// Returns a mutable reference to the first stream with a name.
    pub fn stream_mut(&mut self, name: &str) -> Option<&mut Stream> {
        self.streams.iter_mut().find(|stream| stream.name == name.as_bytes())
    }
}

impl SubdivisionData {
    /// Returns the first stream with a name, such as `displacement:0`.
    pub fn stream(&self, name: &str) -> Option<&Stream> {
        find(&self.streams, name)
    }
}

fn find<'a>(streams: &'a [Stream], name: &str) -> Option<&'a Stream> {
    streams.iter().find(|stream| stream.name == name.as_bytes())
}

impl Mesh {
    /// Returns the ten index arrays with their names in the file, in file order.
    pub(crate) fn index_arrays(&self) -> [(&'static str, &[i32]); 10] {
        [
            ("vertexEdgeIndices", &self.vertex_edge_indices),
            ("vertexDataIndices", &self.vertex_data_indices),
            ("edgeVertexIndices", &self.edge_vertex_indices),
            ("edgeOppositeIndices", &self.edge_opposite_indices),
            ("edgeNextIndices", &self.edge_next_indices),
            ("edgeFaceIndices", &self.edge_face_indices),
            ("edgeDataIndices", &self.edge_data_indices),
            ("edgeVertexDataIndices", &self.edge_vertex_data_indices),
            ("faceEdgeIndices", &self.face_edge_indices),
            ("faceDataIndices", &self.face_data_indices),
        ]
    }

    /// Returns the four data arrays with their names in the file, in file order.
    pub(crate) fn data_arrays(&self) -> [(&'static str, &DataArray); 4] {
        [
            ("vertexData", &self.vertex_data),
            ("faceVertexData", &self.face_vertex_data),
            ("edgeData", &self.edge_data),
            ("faceData", &self.face_data),
        ]
    }
}
