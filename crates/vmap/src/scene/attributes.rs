//! Properties → attributes.

use std::collections::HashSet;

use mapwright_dmx::{ElementId, Value};
use mapwright_scene::Properties;

use super::from::Writer;
use super::names;
use super::values::{self, CLASS};
use crate::schema::Class;

/// The attribute of overlays that lists numbers of nodes.
const TARGETS: &str = "projectionTargets";

/// The class that a node is to be of and the one that it is of.
#[derive(Clone, Copy)]
struct OtherClass {
    /// `None`: one that is not known.
    stated: Option<Class>,
    own: Class,
    format: u32,
}

impl OtherClass {
    /// Whether an attribute is one of the stated class and not of the other.
    fn has_alone(&self, name: &str) -> bool {
        let has = |class: Class| class.field(name.as_bytes(), self.format).is_some();
        self.stated.is_none_or(has) && !has(self.own)
    }
}

impl Writer<'_, '_, '_> {
    /// Sets a value, but not the usual one where nothing is stated.
    pub(super) fn set_usual(&mut self, element: ElementId, name: &str, value: Value, usual: &Value, is_new: bool) {
        let stated = self.editor.map().graph().element(element).is_some_and(|element| element.get(name).is_some());
        if stated || !is_new || value != *usual {
            self.set(element, name, value);
        }
    }

    /// Gives an attribute another value, unless it has that already. Elements that only the old one led to go.
    pub(super) fn set(&mut self, element: ElementId, name: &str, value: Value) {
        if self.editor.map().graph().element(element).and_then(|element| element.get(name)) != Some(&value) {
            self.discard(element, name);
            self.editor.graph_mut().set(element, name, value);
        }
    }

    /// Removes an attribute, and elements that only it led to.
    pub(super) fn unset(&mut self, element: ElementId, name: &str) {
        self.discard(element, name);
        self.editor.graph_mut().unset(element, name);
    }

    fn discard(&mut self, element: ElementId, name: &str) {
        let old = self.editor.map().graph().element(element).and_then(|element| element.get(name));
        let elements: Vec<ElementId> = old.map_or_else(Vec::new, |old| old.elements().collect());
        elements.into_iter().for_each(|old| self.editor.discard(old));
    }

    /// Gives an attribute another text, unless it has that already.
    pub(super) fn set_text(&mut self, element: ElementId, name: &str, text: &str) {
        let text = self.plain(text);
        let same = self.editor.map().graph().element(element).and_then(|element| element.text(name));
        if same != Some(text.as_bytes()) {
            let value = self.editor.graph_mut().string_value(text);
            self.editor.graph_mut().set(element, name, value);
        }
    }

    /// Gives an attribute another list of texts, unless it has that already.
    pub(super) fn set_texts(&mut self, element: ElementId, name: &str, texts: &[String]) {
        let graph = self.editor.graph_mut();
        let same = graph.element(element).is_some_and(|element| {
            matches!(element.get(name), Some(Value::StringArray(_)))
                && element.texts(name).eq(texts.iter().map(String::as_bytes))
        });
        if !same {
            let value = graph.string_array(texts);
            graph.set(element, name, value);
        }
    }

    /// The class that properties are of, if the element could not be of that.
    fn other_class(&mut self, element: ElementId, properties: &Properties) -> Option<OtherClass> {
        let map = self.editor.map();
        let own = map.graph().element(element)?.class();
        let stated = properties.get(CLASS)?.as_text()?.as_bytes();
        let format = map.format_version();
        (own != stated).then(|| Some(OtherClass { stated: Class::of(stated), own: Class::of(own)?, format }))?
    }

    /// Properties as attributes.
    pub(super) fn properties(
        &mut self,
        element: ElementId,
        new: &Properties,
        old: Option<&Properties>,
        skip: &[&str],
        path: &str,
    ) {
        if old == Some(new) {
            return;
        }
        let mut seen = HashSet::new();
        let other = if old.is_none() { self.other_class(element, new) } else { None };
        let mut foreign = 0_usize;
        for (name, value) in new.iter() {
            let own = names::PLACE.iter().chain(skip).any(|skip| *skip == name);
            if [CLASS, "hiddenFlags"].contains(&name) {
                let known = self.editor.map().graph().element(element).map(|element| values::text(element.class()));
                if name == CLASS && old.is_some() && known.as_deref() != value.as_text() {
                    self.losses.dropped(path, "another class of the node");
                }
            } else if own || !seen.insert(name) || name.contains('\0') {
                self.losses.dropped(path, format!("property {name:?}, whose name is taken"));
            } else if other.is_some_and(|other| other.has_alone(name)) {
                foreign += 1;
            } else if old.and_then(|old| old.get(name)) != Some(value) {
                let numbers = matches!(value, mapwright_scene::Value::List(list) if !list.is_empty());
                if name == TARGETS && old.is_none() && numbers {
                    self.losses.approximated(path, "targets of an overlay, which are numbers that nodes had elsewhere");
                }
                self.set_value(element, name, value, old.and_then(|old| old.get(name)), path);
            }
        }
        if let Some(class) = new.get(CLASS).and_then(mapwright_scene::Value::as_text).filter(|_| foreign > 0) {
            self.losses.dropped(path, format!("{foreign} attributes of the class {class}, which the node is not of"));
        }
        for (name, _) in old.into_iter().flat_map(Properties::iter) {
            if !seen.contains(name) && new.get(name).is_none() && name != CLASS && name != "hiddenFlags" {
                let like = self.editor.map().graph().element(element).and_then(|element| element.get(name)).cloned();
                let usual = like.and_then(|like| names::usual_value(self.editor.graph_mut(), name, &like));
                match usual {
                    Some(value) => self.set(element, name, value),
                    None => self.unset(element, name),
                }
            }
        }
    }

    /// A free value as an attribute; of maps only the entries that changed.
    pub(super) fn set_value(
        &mut self,
        element: ElementId,
        name: &str,
        value: &mapwright_scene::Value,
        old: Option<&mapwright_scene::Value>,
        path: &str,
    ) {
        use mapwright_scene::Value as V;
        let mut work = vec![(element, name.to_owned(), value, old)];
        while let Some((element, name, value, old)) = work.pop() {
            if old == Some(value) {
                continue;
            }
            let graph = self.editor.map().graph();
            let like = graph.element(element).and_then(|element| element.get(&name));
            let inner: Vec<ElementId> = like.map_or_else(Vec::new, |like| like.elements().collect());
            let pairs: Vec<(&Properties, &Properties)> = match (old, value) {
                (Some(V::Map(old)), V::Map(new)) => vec![(old, new)],
                (Some(V::List(old)), V::List(new)) if old.len() == new.len() => {
                    let maps = old.iter().zip(new).map_while(|(old, new)| match (old, new) {
                        (V::Map(old), V::Map(new)) => Some((old, new)),
                        _ => None,
                    });
                    maps.collect()
                }
                _ => Vec::new(),
            };
            let same_names = |(old, new): &(&Properties, &Properties)| {
                old.iter().map(|(name, _)| name).eq(new.iter().map(|(name, _)| name))
                    && old.get(CLASS) == new.get(CLASS)
            };
            if !pairs.is_empty() && pairs.len() == inner.len() && pairs.iter().all(same_names) {
                for (element, (old, new)) in inner.into_iter().zip(pairs) {
                    let entries = old.iter().zip(new.iter());
                    work.extend(entries.map(|((_, old), (name, new))| (element, name.to_owned(), new, Some(old))));
                }
                continue;
            }
            let like = like.cloned().or_else(|| values::expected(self.editor, element, &name));
            match values::write(self.editor, value, like.as_ref(), 0) {
                Some(value) => self.set(element, &name, value),
                None => self.losses.dropped(path, format!("property {name:?}, which attributes cannot say")),
            }
        }
    }
}
