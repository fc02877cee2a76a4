//! Differences between two scenes.
//!
//! Objects are matched by name, those with one name in their order, then by geometry. Materials are matched by name. Images,
//! lights and views are compared as [terms](etf::diff) among the properties of the scene. The result is deterministic.
//!
//! ```
//! use mapwright_wings::{Document, Model, Object, Shape, WingedMesh, diff::Diff};
//!
//! let mesh = |x| WingedMesh { vertices: vec![[x, 0.0, 0.0]], ..WingedMesh::default() };
//! let scene = |x| Model { version: 2, shapes: vec![Shape::Object(Object::new("point", mesh(x)))], ..Model::default() };
//! let (old, new) = (Document::from_model(&scene(1.0))?, Document::from_model(&scene(3.0))?);
//! let expected = "~ object #0 point: vertices moved (1 of 1, at most 2): 1 0 0 → 3 0 0\n";
//! assert_eq!(Diff::between(&old, &new).to_string(), expected);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod display;
mod items;
mod mesh;

use mapwright_etf as etf;

pub use etf::diff::FieldChange;

use crate::{Document, MaterialEntry, Model, PropList, Shape};

/// Differences between two scenes. The text form has one line for each difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// Objects.
    pub objects: ItemsDiff,
    /// Materials.
    pub materials: ItemsDiff,
    /// Properties of the scene: views, images, lights, selections, palette, …
    pub properties: Vec<FieldChange>,
    /// Differences between the terms, if one of them is not a scene, or if all fields above are equal.
    pub term: etf::diff::Diff,
}

/// Differences between items of one kind.
pub type ItemsDiff = mapwright_io::diff::ItemsDiff<ItemRef, ItemChange>;

/// An item with differences.
pub type ItemChange = mapwright_io::diff::ItemChange<ItemRef, FieldChange>;

/// Identifies an item of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ItemRef {
    /// The index among the items of its kind.
    pub number: usize,
    /// The name.
    pub name: String,
}

impl Diff {
    /// Compares two scenes.
    pub fn between(old: &Document, new: &Document) -> Self {
        let (one, other) = (old.payload().tree().root(), new.payload().tree().root());
        if one.as_bytes() == other.as_bytes() {
            return Self::default();
        }
        let mut diff = match (old.model(), new.model()) {
            (Ok(old), Ok(new)) => Self::between_models(&old, &new),
            _ => Self::default(),
        };
        if diff.is_empty() {
            diff.term = etf::diff::Diff::between(one, other);
        }
        diff
    }

    /// Compares two models.
    pub fn between_models(old: &Model, new: &Model) -> Self {
        let object = |shape: &Shape| shape.as_object().map_or_else(String::new, |object| object.name.to_string());
        let material =
            |entry: &MaterialEntry| entry.as_material().map_or_else(String::new, |material| material.name.to_string());
        let mut settings = Vec::new();
        if old.version != new.version {
            settings.push(FieldChange::new("version", old.version.to_string(), new.version.to_string()));
        }
        settings.extend(compare_properties(&old.props, &new.props));
        Self {
            objects: items::compare_items(&old.shapes, &new.shapes, object, mesh::digest, compare_shapes),
            materials: items::compare_items(&old.materials, &new.materials, material, |_| None, compare_materials),
            properties: settings,
            term: etf::diff::Diff::default(),
        }
    }

    /// Returns `true` if there are no differences.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares two shapes.
fn compare_shapes(old: &Shape, new: &Shape) -> Vec<FieldChange> {
    match (old, new) {
        (Shape::Object(old), Shape::Object(new)) => {
            let mut fields = Vec::new();
            if old.name != new.name {
                fields.push(FieldChange::new("name", old.name.to_string(), new.name.to_string()));
            }
            mesh::compare_meshes(&old.mesh, &new.mesh, &mut fields);
            fields.extend(compare_properties(&old.props, &new.props));
            fields
        }
        (Shape::Other(old), Shape::Other(new)) => compare_terms(&old.term, &new.term),
        (old, new) => compare_kinds(old.as_object().is_some(), new.as_object().is_some(), "an object"),
    }
}

/// Compares two materials.
fn compare_materials(old: &MaterialEntry, new: &MaterialEntry) -> Vec<FieldChange> {
    match (old, new) {
        (MaterialEntry::Material(old), MaterialEntry::Material(new)) => compare_properties(&old.props, &new.props),
        (MaterialEntry::Other(old), MaterialEntry::Other(new)) => compare_terms(&old.term, &new.term),
        (old, new) => compare_kinds(old.as_material().is_some(), new.as_material().is_some(), "a material"),
    }
}

/// Reports an entry that is understood in only one scene.
fn compare_kinds(old: bool, new: bool, what: &str) -> Vec<FieldChange> {
    let sort = |is: bool| if is { what } else { "not understood" };
    vec![FieldChange::new("entry", sort(old), sort(new))]
}

fn compare_terms(old: &etf::Tree, new: &etf::Tree) -> Vec<FieldChange> {
    etf::diff::Diff::between(old.root(), new.root()).changes
}

/// Compares two property lists.
fn compare_properties(old: &PropList, new: &PropList) -> Vec<FieldChange> {
    if old == new {
        return Vec::new();
    }
    match (old.to_tree(), new.to_tree()) {
        (Ok(old), Ok(new)) => compare_terms(&old, &new),
        // Items that were read leniently may not be valid terms.
        _ => {
            let count = |list: &PropList| format!("{} items", list.items.len());
            vec![FieldChange::new("properties", count(old), count(new))]
        }
    }
}
