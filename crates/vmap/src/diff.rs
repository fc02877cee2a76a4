//! Differences between two maps.
//!
//! Nodes are matched by their reference ids, then by number and class, then by the identities of their elements. Parts of a
//! node (keys, connections, plugs, its mesh) are compared with it, whatever the names of their elements. References are
//! compared by their targets. The order of attributes and elements in the file is ignored, and so is
//! anything that the world does not reach. The result is deterministic, and the time grows little faster than the size of the maps.
//!
//! ```
//! use mapwright_vmap::{Document, diff::Diff};
//!
//! let mut old = Document::new();
//! let lamp = old.edit(|map| map.world().and_then(|world| map.add_entity(world, "light_omni")))?;
//! let mut new = Document::from_bytes(&old.to_bytes()?)?;
//! let lamp = new.nodes().find(|visit| visit.node.entity().is_some_and(|lamp| lamp.classname() == b"light_omni"));
//! let lamp = lamp.ok_or("no lamp")?.node.id();
//! new.edit(|map| map.set_key(lamp, "brightness", "2"))?;
//! let diff = Diff::between(&old, &new);
//! assert_eq!(diff.to_string(), "~ CMapEntity light_omni #2 at 0, 0, 0: entity_properties.brightness: none → string 2\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod display;
pub(crate) mod mesh;
pub(crate) mod nodes;

use std::collections::HashMap;

use mapwright_dmx::diff::{Matching, Rules, text};
use mapwright_dmx::{ElementId, ElementRef, Value};

pub use mapwright_dmx::diff::FieldChange;

use crate::document::Node;
use crate::{Document, HiddenFlags};
use nodes::Tree;

/// The differences between two maps. `Display` prints one line for each; the text is empty if there are none.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// Differences in the file and in parts of the whole map: settings, variables, selection sets, baked light.
    pub facts: Vec<FieldChange>,
    /// Nodes of both maps that differ, in the order of the old map.
    pub changed: Vec<NodeChange>,
    /// Nodes that only the old map has.
    pub removed: Vec<NodeLabel>,
    /// Nodes that only the new map has.
    pub added: Vec<NodeLabel>,
    /// Differences that every save causes: the build of the editor, its cameras, the thumbnail, identities of elements.
    pub aside: Vec<FieldChange>,
}

/// A node that differs.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NodeChange {
    /// Label in the old map.
    pub old: NodeLabel,
    /// Label in the new map.
    pub new: NodeLabel,
    /// Changed attributes by their paths, and `parent`, `order of children` and `hidden`. Changes of a [`Mesh`](crate::Mesh) are
    /// summarized.
    pub fields: Vec<FieldChange>,
}

/// Identification of a node for people.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NodeLabel {
    /// The class, such as `CMapEntity`.
    pub class: String,
    /// The class of an entity, such as `light_omni`; empty for other nodes.
    pub entity: String,
    /// The target name of an entity, else the name of the node; mostly empty.
    pub name: String,
    /// The number that Hammer shows.
    pub number: Option<i32>,
    /// Position in the world, in inches.
    pub position: [f32; 3],
}

impl NodeLabel {
    pub(crate) fn new(node: Node<'_>) -> Self {
        let entity = node.entity();
        let target = entity.map_or(&[][..], |entity| entity.targetname());
        Self {
            class: text(node.class()),
            entity: entity.map_or_else(String::new, |entity| text(entity.classname())),
            name: text(if target.is_empty() { node.name() } else { target }),
            number: node.node_id().map(|id| id.0),
            position: node.transform().origin,
        }
    }
}

/// Attributes of the root and of the prefix that change with every save.
pub(crate) const ASIDE: [&[u8]; 5] =
    [b"asset_preview_thumbnail", b"asset_preview_thumbnail_format", b"editorbuild", b"defaultcamera", b"3dcameras"];

impl Diff {
    /// Compares two maps.
    pub fn between(old: &Document, new: &Document) -> Self {
        let (old_tree, new_tree) = (Tree::new(old), Tree::new(new));
        let mut pairs = Matching::new(old.graph(), new.graph());
        nodes::pair_nodes(&mut pairs, &old_tree.order, &new_tree.order);
        let tree = |element: ElementRef<'_>| {
            if std::ptr::eq(element.document(), old.graph()) { &old_tree } else { &new_tree }
        };
        let is_node = |element: ElementRef<'_>| tree(element).has(element.id());
        pairs.by_path(|one, other| !old_tree.has(one.id()) && !new_tree.has(other.id()));
        let managers = [old, new].map(|map| map.visibility().map(|manager| manager.node().id()));
        let manages = |element: ElementRef<'_>| {
            let [old_manager, new_manager] = managers;
            let is_old = std::ptr::eq(element.document(), old.graph());
            Some(element.id()) == if is_old { old_manager } else { new_manager }
        };
        let skip = |element: ElementRef<'_>, name: &[u8]| {
            let root = element.id() == ElementId::ROOT && (ASIDE.contains(&name) || name == b"world");
            // The tree and the meshes are compared separately.
            let node = matches!(name, b"children" | b"meshData") && is_node(element);
            let manager = matches!(name, b"nodes" | b"hiddenFlags") && manages(element);
            root || node || manager
        };
        let label = |element: ElementRef<'_>| match tree(element).node(element.id()) {
            Some(node) => NodeLabel::new(node).to_string(),
            None if element.name().is_empty() => text(element.class()),
            None => format!("{} {}", text(element.class()), text(element.name())),
        };
        let is_part = |id: ElementId| !old_tree.has(id);
        let rules = Rules { skip: &skip, label: &label, parts: Some(&is_part) };
        let mut seen = pairs.no_compared_elements();
        let mut facts = pairs.header();
        facts.extend(pairs.prefix(&rules));
        facts.extend(pairs.compare(ElementId::ROOT, ElementId::ROOT, &rules, &mut seen));
        let mut diff = Self { facts, ..Self::default() };
        let flags = (nodes::hidden_flags(old), nodes::hidden_flags(new));
        for &id in &old_tree.order {
            let Some(node) = old_tree.node(id) else { continue };
            let Some(other) = pairs.new_of(id).and_then(|id| new_tree.node(id)) else {
                diff.removed.push(NodeLabel::new(node));
                continue;
            };
            let mut fields = old_tree.compare_places(&new_tree, &pairs, (id, other.id()), &label);
            let flag = |flags: &HashMap<ElementId, HiddenFlags>, id| flags.get(&id).copied().unwrap_or_default();
            let hidden = (flag(&flags.0, id), flag(&flags.1, other.id()));
            if hidden.0 != hidden.1 {
                fields.push(FieldChange::new("hidden", nodes::hidden_text(hidden.0), nodes::hidden_text(hidden.1)));
            }
            fields.extend(pairs.compare(id, other.id(), &rules, &mut seen));
            mesh::compare_meshes(&pairs, node, other, &rules, &mut seen, &mut fields);
            if !fields.is_empty() {
                diff.changed.push(NodeChange { old: NodeLabel::new(node), new: NodeLabel::new(other), fields });
            }
        }
        let added = new_tree.order.iter().filter(|id| pairs.old_of(**id).is_none());
        diff.added.extend(added.filter_map(|id| new_tree.node(*id)).map(NodeLabel::new));
        diff.aside = compare_saves(&pairs, &old_tree, &new_tree, &label);
        diff
    }

    /// Returns `true` if nothing but [`aside`](Self::aside) differs.
    pub fn is_empty(&self) -> bool {
        let Self { facts, changed, removed, added, aside: _ } = self;
        facts.is_empty() && changed.is_empty() && removed.is_empty() && added.is_empty()
    }
}

/// Compares what every save changes.
fn compare_saves(
    pairs: &Matching<'_>,
    old: &Tree<'_>,
    new: &Tree<'_>,
    label: &dyn Fn(ElementRef<'_>) -> String,
) -> Vec<FieldChange> {
    let skip = |element: ElementRef<'_>, name: &[u8]| element.id() == ElementId::ROOT && !ASIDE.contains(&name);
    let is_part = |id: ElementId| !old.has(id);
    let rules = Rules { skip: &skip, label, parts: Some(&is_part) };
    let mut aside = pairs.prefix(&rules);
    aside.extend(pairs.compare(ElementId::ROOT, ElementId::ROOT, &rules, &mut pairs.no_compared_elements()));
    let guid = |tree: &Tree<'_>, id: ElementId| tree.node(id).and_then(|node| node.element().guid());
    let others = old.order.iter().filter_map(|&id| Some((id, pairs.new_of(id)?)));
    let others: Vec<_> = others.map(|(id, partner)| (guid(old, id), guid(new, partner))).collect();
    let mut others = others.into_iter().filter(|(old, new)| old != new);
    if let Some((old, new)) = others.next() {
        let text = |guid: Option<mapwright_dmx::Guid>| guid.map_or("none".to_owned(), |guid| guid.to_string());
        let count = others.count().saturating_add(1);
        aside.push(FieldChange::new(format!("identities of nodes ({count})"), text(old), text(new)));
    }
    aside
}

/// Formats a value that may be missing.
fn value_text(document: &mapwright_dmx::Document, value: Option<&Value>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| mapwright_dmx::diff::whole(document, value))
}
