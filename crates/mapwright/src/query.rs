//! Finds objects in any document by their fields.
//!
//! ```
//! use mapwright::query::{Fields as _, Objects as _};
//! use mapwright::{AnyDocument, Query};
//!
//! # fn main() -> Result<(), mapwright::Error> {
//! # #[cfg(feature = "obj")] {
//! # let obj = b"o floor\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
//! let objects = AnyDocument::from_bytes(obj)?.into_objects()?;
//! let query: Query = "kind=mesh and (faces>100 or name=fl*)".parse()?;
//! let selection = query.bind(&objects.vocabulary())?;
//! let mut found = Vec::new();
//! objects.visit(&mut |object| {
//!     if selection.matches(object) {
//!         found.extend(object.get_by_name("name").map(|name| name.to_string()));
//!     }
//! });
//! assert_eq!(found, ["floor"]);
//! # }
//! # Ok(())
//! # }
//! ```
//!
//! # Fields
//!
//! Formats with records of named fields have the fields of their crates. Documents of other formats have those of their scene,
//! which [`items`] selects in scenes of all formats:
//!
//! | objects | fields |
//! |---|---|
//! | all | `kind` (`group`, `mesh`, `brush`, `terrain`, `tiles`, `instance`, `light`, `sound`, `camera`, `path`, `marker`, `entity`, `prefab`), `class` (the class of an entity, also of one that is a light; the model of an instance; otherwise the kind), `name`, `key` (the path in the document), `x`, `y`, `z` (the position in the world, along the axes of the file), `visible`, `locked` |
//! | all in Source 2 and Quake maps | `angles` (pitch, yaw and roll in degrees), `scales`, and parts of them: `pitch`, `yaw`, `roll`; `origin` (`x`, `y` and `z`) |
//! | meshes | `vertices`, `faces`, `materials` |
//! | brushes | `sides`, `materials` |
//! | terrains, tiles | `columns`, `rows` |
//! | instances of models | `id`, `model` |
//! | lights | `shape`, `color`, `intensity`, `range` |
//! | sounds | `file`, `volume`, `range` |
//! | paths | `points` |
//! | entities | `model` |
//! | prefabs | `file` |
//! | all | other properties, by their names in the scene |
//!
//! A comparison on a field that an object lacks is false. [`Query`] lists the grammar. [`ObjectList`] is the list of `mapwright query`, as
//! rows of text and as JSON.

mod columns;
mod items;
mod list;
mod objects;
mod pose;

pub use columns::{Column, ColumnValues};
pub(crate) use items::{CLASS, ITEM, facts, item_schema};
pub use items::{Item, Items, all_items, items};
pub use list::{DEFAULT_FIELDS, ListOptions, ObjectList, UnknownPart, default_fields};
pub use mapwright_query::{
    AssignOp, Assignment, CompareOp, Edit, EditObjects, EditOptions, Edited, Field, FieldType, Fields, Glob, Objects,
    Query, QueryError, Schema, Selection, SyntaxError, Text, Value, ValueError, Vocabulary, Words, suggestion,
};
pub use objects::DocumentObjects;
pub(crate) use objects::scene_vocabulary;
pub(crate) use pose::{Pose, has_pose, pose_field};
