#![doc = include_str!("../README.md")]
// Queries come from users: no text may lead to a panic.
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

mod assign;
mod edit;
mod error;
mod field;
mod fields;
mod glob;
mod lexer;
mod objects;
mod query;
mod select;
mod suggest;
mod text;
mod value;

pub use assign::{AssignOp, Assignment, BoundAssignments};
pub use edit::{Edit, Words};
pub use error::{QueryError, SyntaxError, ValueError};
pub use field::{Field, FieldType, Schema};
pub use fields::{FieldValue, Fields, SetFields, type_error};
pub use glob::Glob;
pub use objects::{Assigner, EditObjects, EditOptions, Edited, Objects};
pub use query::{CompareOp, Query};
pub use select::{Selection, Vocabulary};
pub use suggest::suggestion;
pub use text::Text;
pub use value::{Names, Value};
