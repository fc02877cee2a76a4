//! Reads, edits, checks and writes Source 2 Hammer maps (`.vmap`) without losing a byte.
//!
//! Hammer is the level editor of Counter-Strike 2, Dota 2, Half-Life: Alyx, Deadlock, SteamVR and s&box. Its maps are
//! [element graphs](mapwright_dmx). The crate reads and writes formats 16 (2014) to 40 (today), binary and text. New maps have formats 18
//! to 40.
//!
//! ```
//! use mapwright_vmap::{Document, Transform};
//!
//! # let mut new = Document::new();
//! # new.edit(|map| map.world().and_then(|world| map.add_entity(world, "light_omni")))?;
//! # let file = new.to_bytes()?;
//! let mut map = Document::from_bytes(&file)?;
//! let lights = map.nodes().filter_map(|visit| visit.node.entity()).filter(|entity| entity.classname() == b"light_omni");
//! let lights: Vec<_> = lights.map(|light| (light.node().id(), light.node().transform())).collect();
//! map.edit(|map| {
//!     lights.iter().try_for_each(|(light, transform)| {
//!         let [x, y, z] = transform.origin;
//!         map.set_transform(*light, Transform { origin: [x, y, z + 16.0], ..*transform })
//!     })
//! })?;
//! let changed = map.to_bytes()?;
//! # assert_eq!(changed.len(), file.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Fidelity
//!
//! | | rung | result |
//! |---|---|---|
//! | untouched | byte-exact | the same file |
//! | [`edit`](Document::edit) | byte-exact except for the change | the file that Hammer would write: elements and strings in its order |
//! | binary → text → binary | byte-exact | the same file, for all maps that Hammer wrote |
//!
//! [`graph`](Document::graph) returns the whole content of the file. Views ([`Node`], [`Entity`], [`MapMesh`], …) borrow from it.
//! Classes are an open set ([`NodeKind::Other`]), and each view gives access to its element with all attributes.
//!
//! # Merging
//!
//! [`merge`](merge::merge) combines the changes of two sides to the same map and lists their conflicts.
//!
//! # Safety and limits
//!
//! Any bytes give a document or an error: no panic, no recursion over data, linear or n·log n time, and memory in
//! proportion to the file. [`ReadOptions`] limits the memory. Nodes that are children of themselves or of several others are visited once.
//!
//! A small file can refer to one long string or one large array any number of times. Views copy nothing, and all copies are
//! bounded. [`Mesh::from_element`] rejects more than 1 MiB of names. [`validate`](Document::validate) and `scene::to_scene` read data that
//! meshes share once and report the other meshes. Long texts of a scene take at most eight times the strings of the map plus
//! 64 MiB.
//!
//! # Errors
//!
//! A [`ReadError`] has a position in bytes or lines. A [`WriteError`] of an edit has a hint what to do instead. The
//! failed method of [`Editor`] changes nothing, but earlier changes of the same edit stay. Reading accepts everything
//! that it can represent; [`validate`](Document::validate) reports what Hammer would reject.
//!
//! # Features
//!
//! * `scene`: conversion to and from `mapwright-scene`.
//! * `serde`: serialization of [differences](diff) and [conflicts](merge::Conflict).
//!
//! # Layout of a map
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
//! # Sources
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
#[cfg(feature = "scene")]
pub mod scene;
mod schema;
mod validate;
mod write;

pub use mapwright_dmx as dmx;
pub use mapwright_io as io;

pub use document::{
    Asset, AssetKind, AssetUse, Binding, Cable, Camera, Census, Choice, ChoiceGroup, Connection, Cordon, Document,
    Entity, FORMAT, FaceSelection, GameObject, Group, HiddenFlags, Instance, InstanceData, MapMesh, MeshTotals,
    NavData, Node, NodeId, NodeKind, Nodes, ObjectSelection, Path, PathNode, Plug, Prefab, Root, SelectionData,
    SelectionSet, StaticOverlay, Texts, Thumbnail, TileGrid, TileLayer, TileMesh, TileObject, Transform, Variable,
    Variables, Visibility, Visit, World, sniff,
};
pub use edit::{EditOptions, Editor, MapOptions, Output};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use mesh::Mesh;
pub use options::{ReadOptions, WriteOptions};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
