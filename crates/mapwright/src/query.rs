//! Finding things in any document by what they are, and changing them where they stand.
//!
//! ```
//! use mapwright::{AnyDocument, Query};
//!
//! # fn main() -> Result<(), mapwright::Error> {
//! # #[cfg(feature = "obj")] {
//! # let obj = b"o floor\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
//! let document = AnyDocument::from_bytes(obj)?;
//! let query: Query = "kind=mesh & (faces>100 | name=fl*)".parse()?;
//! let import = document.to_scene()?;
//! let found: Vec<String> = query.items(&import.scene, document.format().axis_change()).map(|item| item.text("name")).collect();
//! assert_eq!(found, ["floor"]);
//! # }
//! # Ok(())
//! # }
//! ```
//!
//! # Fields
//!
//! | of | fields |
//! |---|---|
//! | everything | `kind` (`group`, `mesh`, `brush`, `terrain`, `tiles`, `instance`, `light`, `sound`, `camera`, `path`, `marker`, `entity`, `prefab`), `class` (of an entity its class, also where it is a light, of an instance of a model its model, otherwise the kind), `name`, `key` (the way back to the part of the document), `x`, `y`, `z` (its place in the world, along the axes of the file), `visible`, `locked` |
//! | meshes | `vertices`, `faces`, `materials` |
//! | brushes | `sides`, `materials` |
//! | terrains, tiles | `columns`, `rows` |
//! | instances of models | `id`, `model` |
//! | lights | `shape`, `color`, `intensity`, `range` |
//! | sounds | `file`, `volume`, `range` |
//! | paths | `points` |
//! | entities | `model` |
//! | prefabs | `file` |
//! | all of them | what else the format says of them, by the names that it has in the scene |
//!
//! What an item does not have, it is not like: no comparison with it holds. How queries are written is said at [`Query`].

mod expression;
mod items;
mod set;

pub use expression::{Query, QueryError};
pub use items::{Item, Items};
pub use set::Changed;
