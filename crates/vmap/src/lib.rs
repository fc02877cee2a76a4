#![doc = include_str!("../README.md")]
//!
//! ## Errors
//!
//! A [`ReadError`] has a position in bytes or lines. A [`WriteError`] of an edit has a hint about the next step. A method of
//! [`Editor`] that fails changes nothing; earlier changes of the same edit stay. Reading accepts everything that it can
//! represent; [`validate`](Document::validate) reports what Hammer would reject.
//!
//! ## Layout of a map
//!
//! [`graph`](Document::graph) returns the whole content of the file, an [element graph](mapwright_dmx). Views ([`Node`], [`Entity`],
//! [`MapMesh`], …) borrow from it. Classes are an open set ([`NodeKind::Other`]).
//!
//! | attribute of the root | view | content |
//! |---|---|---|
//! | `world` | [`World`] | the tree of [nodes](Document::nodes): entities, meshes, groups, instances, prefabs… |
//! | `visbility` | [`Visibility`] | nodes that Hammer hides |
//! | `mapVariables` | [`Variables`] | variables that a prefab can set |
//! | `rootSelectionSet` | [`SelectionSet`] | named sets of nodes |
//! | `defaultcamera`, `3dcameras` | [`Camera`] | cameras of the editor |
//! | `nodeInstanceData` | [`InstanceData`] | baked preview lighting |
//! | prefix | [`thumbnail`](Document::thumbnail), [`asset_references`](Document::asset_references) | preview image and list of assets |
//!
//! Z is up, X is forward, lengths are inches. Transforms are absolute: that of a parent does not apply. Angles are pitch, yaw and roll
//! in degrees.
//!
//! ## Sources
//!
//! The tables of classes and attributes come from 331 maps of seven games and versions of Hammer, 2014 to 2025; the rest from
//! Valve's public documentation where the maps confirm it.

// Maps come from untrusted files, so an unexpected graph must be an error or a default. Modules that only use indices they made
// themselves allow indexing again.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic
    )
)]

pub mod diff;
mod document;
mod edit;
mod error;
pub mod merge;
pub mod mesh;
mod options;
mod read;
mod rescue;
#[cfg(feature = "scene")]
pub mod scene;
mod schema;
mod validate;
mod write;

pub use mapwright_dmx as dmx;
pub use mapwright_io as io;
pub use mapwright_io::Rescued;

pub use document::{
    Asset, AssetKind, AssetUse, Binding, Cable, Camera, Census, Choice, ChoiceGroup, Connection, Cordon, Document,
    Entity, FORMAT, FaceSelection, GameObject, Group, HiddenFlags, Instance, InstanceData, MapMesh, MeshTotals,
    NavData, Node, NodeId, NodeKind, Nodes, ObjectSelection, Path, PathNode, Plug, Prefab, Root, SelectionData,
    SelectionSet, StaticOverlay, Targets, Texts, Thumbnail, TileGrid, TileLayer, TileMesh, TileObject, Transform,
    Variable, Variables, Visibility, Visit, World, sniff,
};
pub use edit::{EditOptions, Editor, MapOptions, Output};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use mesh::Mesh;
pub use options::{ReadOptions, WriteOptions};
