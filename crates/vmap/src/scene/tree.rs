//! Children of nodes: those of the scene, in its order.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{ElementId, Reference, Value};
use mapwright_scene::Content;

use super::from::Writer;
use crate::WriteError;

impl Writer<'_, '_, '_> {
    /// Lets every node have the children that it has in the scene, in their order. What else is among them stays in its place.
    pub(super) fn children(&mut self) {
        let mut wanted: HashMap<ElementId, Vec<ElementId>> = HashMap::new();
        let mut ours: HashSet<ElementId> = HashSet::new();
        let mut aside: HashMap<ElementId, ElementId> = HashMap::new();
        let (mut roots, mut definitions) = (Vec::new(), Vec::new());
        for live in &self.live {
            let Some(element) = self.element(live.id).filter(|&element| element != self.world) else { continue };
            if let Some(Content::Camera(_)) = self.scene.nodes.get(live.id).map(|node| &node.content) {
                continue;
            }
            ours.insert(element);
            let old = self.old.get(live.id.index()).copied().flatten();
            let home = old.and_then(|old| self.base?.parents.get(old.index()).copied().flatten());
            if let Some(&group) = self.definitions.parents.get(&element) {
                wanted.entry(group).or_default().push(element);
            } else if live.parent.is_none() && !live.shown {
                // What only instances lead to stays where it is, also where that is no list of children.
                match home {
                    Some(home) => _ = aside.insert(element, home),
                    None if old.is_some() => {}
                    None => definitions.push((live.id, element)),
                }
            } else if live.parent.is_none() {
                roots.push((live.id, element));
            } else {
                wanted.entry(self.parent(live)).or_default().push(element);
            }
        }
        // New groups that only instances lead to stand among the roots where their numbers put them.
        definitions.sort_unstable();
        let mut definitions = definitions.into_iter().peekable();
        let top = wanted.entry(self.world).or_default();
        for (id, element) in roots {
            top.extend(
                std::iter::from_fn(|| definitions.next_if(|(definition, _)| *definition < id)).map(|(_, it)| it),
            );
            top.push(element);
        }
        top.extend(definitions.map(|(_, element)| element));
        let gone: HashSet<ElementId> = self.base.map_or_else(HashSet::new, |base| {
            base.elements.iter().copied().filter(|element| !ours.contains(element)).collect()
        });
        let groups = self.definitions.parents.values().copied();
        let parents = self.live.iter().filter_map(|live| self.element(live.id)).chain([self.world]).chain(groups);
        let parents: HashSet<ElementId> = parents.collect();
        let mut parents: Vec<ElementId> = parents.into_iter().collect();
        parents.sort_unstable();
        for parent in parents {
            let Some(node) = self.editor.map().graph().element(parent) else { continue };
            let Some(Value::ElementArray(old)) = node.get("children") else { continue };
            let mut next = wanted.remove(&parent).unwrap_or_default().into_iter().map(Reference::Element);
            let mut new: Vec<Reference> = Vec::with_capacity(old.len());
            for &reference in old {
                match reference {
                    Reference::Element(id) if aside.get(&id) == Some(&parent) => new.push(reference),
                    Reference::Element(id) if gone.contains(&id) || aside.contains_key(&id) => {}
                    Reference::Element(id) if ours.contains(&id) => new.extend(next.next()),
                    _ => new.push(reference),
                }
            }
            new.extend(next);
            if **old != *new {
                self.editor.graph_mut().set(parent, "children", Value::ElementArray(new.into()));
            }
        }
    }

    fn is_camera(&mut self, element: ElementId) -> bool {
        self.editor.map().graph().element(element).is_some_and(|element| element.is("CStoredCamera"))
    }

    /// Removes what the base has and the scene has no more.
    pub(super) fn remove_rest(&mut self) -> Result<(), WriteError> {
        let Some(base) = self.base else { return Ok(()) };
        let kept: HashSet<ElementId> = self.elements.iter().flatten().copied().collect();
        let is_gone = |element: &ElementId| !kept.contains(element);
        let gone: HashSet<ElementId> = base.elements.iter().copied().filter(is_gone).collect();
        let mut tops = HashSet::new();
        for (&element, parent) in base.elements.iter().zip(&base.parents).filter(|(element, _)| gone.contains(element))
        {
            if element == self.world {
                self.losses.dropped("", "removal of the world's own key values, which stay");
            } else if parent.is_none_or(|parent| !gone.contains(&parent)) && !self.is_camera(element) {
                tops.insert(element);
            }
        }
        if !tops.is_empty() {
            self.editor.remove_all(&tops)?;
        }
        Ok(())
    }
}
