//! What differs between two scenes.
//!
//! Objects are matched by their names, those of one name in their order; then by their geometry. Materials, images, lights and views are
//! compared among the properties of the scene, as [terms](etf::diff) are. The same two scenes always give the same answer.
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

/// What differs between two scenes. It prints as a text of a line for each difference, without any as an empty text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// Objects.
    pub objects: ItemsDiff,
    /// Materials.
    pub materials: ItemsDiff,
    /// Properties of the scene: views, images, lights, selections, palette, …
    pub properties: Vec<FieldChange>,
    /// The terms, where one of them is not that of a scene, or where they differ in nothing of the above.
    pub term: etf::diff::Diff,
}

/// What differs between the items of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ItemsDiff {
    /// Items that both scenes have and that are not the same, by the order of the old ones.
    pub changed: Vec<ItemChange>,
    /// Items that only the old scene has.
    pub removed: Vec<ItemRef>,
    /// Items that only the new scene has.
    pub added: Vec<ItemRef>,
    /// Whether the items of both stand in another order.
    pub reordered: bool,
}

/// An item that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ItemChange {
    /// The old one.
    pub old: ItemRef,
    /// The new one.
    pub new: ItemRef,
    /// How.
    pub fields: Vec<FieldChange>,
}

/// An item of one of the scenes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ItemRef {
    /// Its number: its place among those of its kind.
    pub number: usize,
    /// Its name.
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
            (Ok(old), Ok(new)) => Self::of_models(&old, &new),
            _ => Self::default(),
        };
        if diff.is_empty() {
            diff.term = etf::diff::Diff::between(one, other);
        }
        diff
    }

    /// Compares two models.
    pub fn of_models(old: &Model, new: &Model) -> Self {
        let object = |shape: &Shape| shape.as_object().map_or_else(String::new, |object| object.name.to_string());
        let material =
            |entry: &MaterialEntry| entry.as_material().map_or_else(String::new, |material| material.name.to_string());
        let mut settings = Vec::new();
        if old.version != new.version {
            settings.push(FieldChange::new("version", old.version.to_string(), new.version.to_string()));
        }
        settings.extend(properties(&old.props, &new.props));
        Self {
            objects: items::between(&old.shapes, &new.shapes, object, mesh::digest, shape),
            materials: items::between(&old.materials, &new.materials, material, |_| None, self::material),
            properties: settings,
            term: etf::diff::Diff::default(),
        }
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// How two shapes differ.
fn shape(old: &Shape, new: &Shape) -> Vec<FieldChange> {
    match (old, new) {
        (Shape::Object(old), Shape::Object(new)) => {
            let mut fields = Vec::new();
            if old.name != new.name {
                fields.push(FieldChange::new("name", old.name.to_string(), new.name.to_string()));
            }
            mesh::changes(&old.mesh, &new.mesh, &mut fields);
            fields.extend(properties(&old.props, &new.props));
            fields
        }
        (Shape::Other(old), Shape::Other(new)) => terms(&old.term, &new.term),
        (old, new) => sorts(old.as_object().is_some(), new.as_object().is_some(), "an object"),
    }
}

/// How two materials differ.
fn material(old: &MaterialEntry, new: &MaterialEntry) -> Vec<FieldChange> {
    match (old, new) {
        (MaterialEntry::Material(old), MaterialEntry::Material(new)) => properties(&old.props, &new.props),
        (MaterialEntry::Other(old), MaterialEntry::Other(new)) => terms(&old.term, &new.term),
        (old, new) => sorts(old.as_material().is_some(), new.as_material().is_some(), "a material"),
    }
}

/// What is understood in one scene alone.
fn sorts(old: bool, new: bool, what: &str) -> Vec<FieldChange> {
    let sort = |is: bool| if is { what } else { "not understood" };
    vec![FieldChange::new("entry", sort(old), sort(new))]
}

fn terms(old: &etf::Tree, new: &etf::Tree) -> Vec<FieldChange> {
    etf::diff::Diff::between(old.root(), new.root()).changes
}

/// How two lists of properties differ.
fn properties(old: &PropList, new: &PropList) -> Vec<FieldChange> {
    if old == new {
        return Vec::new();
    }
    match (old.to_tree(), new.to_tree()) {
        (Ok(old), Ok(new)) => terms(&old, &new),
        // Items that a lenient reader took make no list.
        _ => {
            let count = |list: &PropList| format!("{} items", list.items.len());
            vec![FieldChange::new("properties", count(old), count(new))]
        }
    }
}
