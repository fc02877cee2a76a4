//! Source 2 Hammer maps (`.vmap`): read, edited, checked and written without losing a byte.
//!
//! Hammer is the level editor of Counter-Strike 2, Dota 2, Half-Life: Alyx, Deadlock, SteamVR and s&box. Its maps are
//! [element graphs](mapwright_dmx). Formats 16 (2014) to 40 (today) are read and written, binary and as text; new maps have one of 18
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
//! | | rung | what comes back |
//! |---|---|---|
//! | untouched | byte-exact | the file, whatever it holds |
//! | [`edit`](Document::edit) | byte-exact but for the change | the file that Hammer would have written: elements and strings in its order |
//! | binary → text → binary | byte-exact | the same file, for all maps that Hammer wrote |
//!
//! [`graph`](Document::graph) has everything that the file says. Views ([`Node`], [`Entity`], [`MapMesh`], …) look into it, copy
//! nothing and hide nothing: classes are an open set ([`NodeKind::Other`]), and each view has its element with all attributes.
//!
//! # Merging
//!
//! [`merge`](merge::merge) puts what two sides made of the same map into one and lists what they disagree on.
//!
//! # Safety and limits
//!
//! Any bytes are answered with a document or an error: no panic, no recursion over data, linear or n·log n time, and memory in
//! proportion to the file, which [`ReadOptions`] limits. Nodes that are children of themselves or of many others are visited once.
//!
//! A small file can refer to one long string or one large array any number of times. Views copy nothing; where copies are made they are
//! bounded: [`Mesh::from_element`] refuses more than 1 MiB of names, [`validate`](Document::validate) and `scene::to_scene` read data that
//! meshes share for the first of them and report the others, and a scene has long texts only as far as all of them take no more than
//! eight times the strings of the map and 64 MiB.
//!
//! # Errors
//!
//! [`ReadError`] says what and at which byte or line. A [`WriteError`] of an edit says what cannot be and what to do instead; the
//! method of [`Editor`] that gives it has changed nothing, but what others did before in the same edit stays. Reading accepts what
//! it can represent; what Hammer makes of it is what [`validate`](Document::validate) says.
//!
//! # Features
//!
//! * `scene`: conversion to and from `mapwright-scene`.
//! * `serde`: [differences](diff) and [conflicts](merge::Conflict) as data of any format that serde knows.
//!
//! # Layout of a map
//!
//! | attribute of the root | view | what |
//! |---|---|---|
//! | `world` | [`World`] | the tree of [nodes](Document::nodes): entities, meshes, groups, instances, prefabs… |
//! | `visbility` | [`Visibility`] | which nodes Hammer hides |
//! | `mapVariables` | [`Variables`] | values that a prefab is given |
//! | `rootSelectionSet` | [`SelectionSet`] | named sets of nodes |
//! | `defaultcamera`, `3dcameras` | [`Camera`] | |
//! | `nodeInstanceData` | [`InstanceData`] | baked preview lighting |
//! | prefix | [`thumbnail`](Document::thumbnail), [`asset_references`](Document::asset_references) | for asset browsers |
//!
//! Z is up, X is forward, lengths are inches. Transforms are absolute: that of a parent does not apply. Angles are pitch, yaw and roll
//! in degrees.
//!
//! # Sources
//!
//! The tables of classes and attributes come from 331 maps of seven games and versions of Hammer, 2014 to 2025; the rest from
//! Valve's public documentation where the maps bear it out.

// Bytes of unknown origin come through here: what can fail is said in the type.
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
