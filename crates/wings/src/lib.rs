//! Wings 3D scenes (`.wings`): read, edited, checked and written without losing a byte.
//!
//! [Wings 3D](http://www.wings3d.com) is a modeller written in Erlang. Its files are one Erlang term, which says winged-edge
//! meshes, materials, images, lights, cameras and selections. Format versions 0, 1 (2001) and 2 (2002 until today) are read,
//! version 2 is written.
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
//! | untouched | byte-exact | the file, whatever its spelling |
//! | [`set_model`](Document::set_model) | byte-exact but for the change | only the terms that say something else; compressed anew, bit for bit as Erlang does |
//! | [`from_model`](Document::from_model) | semantic | a new term as Wings 3D writes it, in the spelling of [`EncodeOptions`] |
//! | versions 0 and 1 | byte-exact untouched | edited only as a new document of version 2 |
//!
//! Unknown properties, elements and terms of plug-ins stay in their places, and what has not the form it should have is an
//! [`Opaque`] term with the reason. Names spelled oddly keep their spelling.
//!
//! # Safety and limits
//!
//! Any bytes are answered with a document or an error: no panic, no recursion over data, linear or n·log n time, and memory in
//! proportion to the bytes read and inflated, which [`ReadOptions`] limits. Nothing is allocated by a number that was merely read.
//!
//! # Errors
//!
//! [`ReadError`] and [`WriteError`] say what, at which offset (of the file, or of the inflated data) and on which path:
//! `shapes[2].mesh.edges[17]`. Reading accepts whatever it can represent; whether Wings 3D will is what
//! [`validate`](Document::validate) says.
//!
//! # Features
//!
//! * `scene`: conversion to and from `mapwright-scene`.
//! * `serde`: [differences](diff) as data of any format that serde knows.
//!
//! # Layout of a file
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 15 | `#!WINGS-1.0`, CR, LF, ^Z, ^D |
//! | 15 | 4 | bytes that follow, big-endian |
//! | 19 | 1 | 131: an Erlang term follows |
//! | 20 | 5 | mostly: 80 and the inflated size, big-endian; then a zlib stream |
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
//! The format is described by the program's own loader and writer, the page "Wings File Format" of its manual, and files of
//! 2010 to 2026. Facts of this documentation were checked against Wings 3D 2.2.9.

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
    Document, Edge, Extra, ExtraOf, FORMAT, Image, ImageSource, Light, LightType, MapSource, Material, MaterialEntry,
    Model, Name, Object, ObjectState, Opaque, PropList, SelectMode, Selection, Shape, Side, View, Wing, WingedMesh,
    sniff,
};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use options::{EncodeOptions, ReadOptions, WriteOptions};
pub use winged::{Built, Corner, PolygonCorner, Polygons, Repair, RepairKind, RingError, Rings};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
