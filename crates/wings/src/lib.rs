//! Reads, edits, validates and writes Wings 3D scenes (`.wings`) without losing a byte.
//!
//! [Wings 3D](http://www.wings3d.com) is a modeller written in Erlang. A file is one Erlang term that contains winged-edge
//! meshes, materials, images, lights, cameras and selections. This crate reads format versions 0, 1 (2001) and 2 (2002 until
//! today), and writes version 2.
//!
//! ```
//! use mapwright_wings::{Document, Model, Shape};
//!
//! # let file = Document::from_model(&Model::default())?.to_bytes()?;
//! let mut document = Document::from_bytes(&file)?;
//! let mut model = document.model()?;
//! for shape in &mut model.shapes {
//!     if let Shape::Object(object) = shape {
//!         object.name = format!("old {}", object.name).into();
//!     }
//! }
//! document.set_model(&model)?;
//! let changed = document.to_bytes()?;
//! # assert_eq!(changed, file);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Fidelity
//!
//! | | rung | what comes back |
//! |---|---|---|
//! | untouched | byte-exact | the file, in any encoding of its terms |
//! | [`set_model`](Document::set_model) | byte-exact except for the change | only changed terms differ; compressed again, bit for bit as Erlang does |
//! | [`from_model`](Document::from_model) | semantic | a new term as Wings 3D writes it, with the given [`EncodeOptions`] |
//! | versions 0 and 1 | byte-exact untouched | edited only as a new document of version 2 |
//!
//! Unknown properties, elements and plug-in data keep their place. A value with an unexpected form becomes an [`Opaque`] term
//! that records the reason. Unusual encodings of names are preserved.
//!
//! # Safety and limits
//!
//! Any input gives a document or an error. There is no panic and no recursion over data. Time is linear or n·log n. Memory is
//! proportional to the bytes read and inflated, which [`ReadOptions`] limits. Counts in the file allocate nothing.
//!
//! # Errors
//!
//! [`ReadError`] and [`WriteError`] give the reason, the offset (in the file or in the inflated data) and the path, such as
//! `shapes[2].mesh.edges[17]`. Reading accepts everything that the model can represent.
//! [`validate`](Document::validate) reports what Wings 3D will not accept.
//!
//! # Features
//!
//! * `scene`: conversion to and from `mapwright-scene`.
//! * `serde`: serializes [differences](diff).
//!
//! # Layout of a file
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 15 | `#!WINGS-1.0`, CR, LF, ^Z, ^D |
//! | 15 | 4 | number of bytes that follow, big-endian |
//! | 19 | 1 | 131: an Erlang term follows |
//! | 20 | 5 | usually 80 and the inflated size, big-endian; then a zlib stream |
//!
//! The term is `{wings,2,{Shapes,Materials,Props}}`:
//!
//! | part | term | type |
//! |---|---|---|
//! | shape | `{object,Name,{winged,Edges,Faces,Vertices,HardEdges},Props}` | [`Object`], [`WingedMesh`] |
//! | edge | `[{color_rt,_},{color_lt,_},{uv_rt,_},{uv_lt,_},{edge,Va,Vb,Lf,Rf,LtPr,LtSu,RtPr,RtSu}]` | [`Edge`] |
//! | face | `[]` or `[{material,Name}]` | |
//! | vertex | `[<<X:64/float,Y:64/float,Z:64/float>>]` | |
//! | material | `{Name,[{opengl,[…]},{maps,[…]}]}` | [`Material`] |
//! | properties | views, images, lights, selections, palette, … | [`PropList`], [`View`], [`Image`], [`Light`], [`Selection`] |
//!
//! # Sources
//!
//! The program's own loader and writer, the page "Wings File Format" of its manual, and files of 2010 to 2026. The facts in
//! this documentation were checked against Wings 3D 2.2.9.

pub mod diff;
mod document;
mod error;
mod options;
mod read;
#[cfg(feature = "scene")]
pub mod scene;
mod validate;
mod winged;
mod write;

pub use mapwright_etf as etf;
pub use mapwright_io as io;

pub use document::{
    Document, Edge, Extra, ExtraList, FORMAT, Image, ImageSource, Light, LightType, MapSource, Material, MaterialEntry,
    Model, Name, Object, ObjectState, Opaque, PropList, SelectMode, Selection, Shape, Side, View, Wing, WingedMesh,
    sniff,
};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use options::{EncodeOptions, ReadOptions, WriteOptions};
pub use winged::{BuiltMesh, Corner, PolygonCorner, Polygons, Repair, RepairKind, RingError, Rings};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
