//! Wings 3D scenes.

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
