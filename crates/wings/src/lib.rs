#![doc = include_str!("../README.md")]
//!
//! ## Errors
//!
//! [`ReadError`] and [`WriteError`] give the reason, the offset (in the file or in the inflated data) and the path, such as
//! `shapes[2].mesh.edges[17]`. Reading accepts everything that the model can represent.
//! [`validate`](Document::validate) reports what Wings 3D will not accept.
//!
//! ## Layout of a file
//!
//! [Wings 3D](http://www.wings3d.com) is a modeller written in Erlang. A file is one Erlang term that contains winged-edge meshes,
//! materials, images, lights, cameras and selections.
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
//! ## Sources
//!
//! The program's own loader and writer, the page "Wings File Format" of its manual, and files of 2010 to 2026. The facts in
//! this documentation were checked against Wings 3D 2.2.9.

pub mod diff;
mod document;
mod error;
mod options;
mod read;
mod rescue;
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
pub use mapwright_io::Rescued;
pub use options::{EncodeOptions, ReadOptions, WriteOptions};
pub use winged::{BuiltMesh, Corner, PolygonCorner, Polygons, Repair, RepairKind, RingError, Rings};
