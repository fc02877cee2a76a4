//! Parts of a map that nodes come from, with their indices in the keys of these nodes.

use crate::{Document, Entity, Group, VisGroup};

/// A part of a map that a node came from, with its index among the parts of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Part {
    World,
    Entity(usize),
    Solid(usize),
    Group(usize),
    Camera(usize),
    /// The quad of an overlay, with the index of its entity.
    Overlay(usize),
}

impl Part {
    /// Returns the key of the node.
    pub(super) fn node_key(self) -> String {
        match self {
            Self::World => "world".to_owned(),
            Self::Entity(index) => format!("entities[{index}]"),
            Self::Solid(index) => format!("solids[{index}]"),
            Self::Group(index) => format!("groups[{index}]"),
            Self::Camera(index) => format!("cameras[{index}]"),
            Self::Overlay(index) => format!("overlays[{index}]"),
        }
    }

    /// Returns the index among the parts of its kind. A map has one world.
    pub(super) fn index(self) -> Option<usize> {
        match self {
            Self::World => None,
            Self::Entity(index)
            | Self::Solid(index)
            | Self::Group(index)
            | Self::Camera(index)
            | Self::Overlay(index) => Some(index),
        }
    }

    /// Reads the key of a node.
    pub(super) fn from_key(key: &str) -> Option<Self> {
        if key == "world" {
            return Some(Self::World);
        }
        let (list, index) = key.strip_suffix(']')?.split_once('[')?;
        let index = index.parse().ok()?;
        Some(match list {
            "entities" => Self::Entity(index),
            "solids" => Self::Solid(index),
            "groups" => Self::Group(index),
            "cameras" => Self::Camera(index),
            "overlays" => Self::Overlay(index),
            _ => return None,
        })
    }
}

/// Returns the groups of all worlds, in the order of the text.
pub(super) fn groups(document: &Document) -> Vec<Group<'_>> {
    document.all_entities().filter(|entity| entity.is_world()).flat_map(Entity::groups).collect()
}

/// Returns the visgroups in the order of the sets of the scene, parents before children. The second value is the index of the parent.
pub(super) fn visgroups(document: &Document) -> Vec<(VisGroup<'_>, Option<usize>)> {
    let mut open: Vec<(VisGroup<'_>, Option<usize>)> = document.visgroups().map(|group| (group, None)).collect();
    open.reverse();
    let mut list = Vec::new();
    while let Some((group, parent)) = open.pop() {
        let index = list.len();
        list.push((group, parent));
        let children: Vec<VisGroup<'_>> = group.visgroups().collect();
        open.extend(children.into_iter().rev().map(|child| (child, Some(index))));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_nodes_read_back() {
        for part in [Part::World, Part::Entity(0), Part::Solid(7), Part::Group(2), Part::Camera(1), Part::Overlay(3)] {
            assert_eq!(Part::from_key(&part.node_key()), Some(part));
        }
        assert_eq!(Part::from_key("elements[3]"), None);
    }
}
