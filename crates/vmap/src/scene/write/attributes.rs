//! Writes properties as attributes.

use std::collections::HashSet;

use mapwright_dmx::ElementId;
use mapwright_scene::{Properties, Value};

use super::super::defaults;
use super::super::names::{self, CLASS, HIDDEN_FLAGS, with_count};
use super::context::WriteContext;
use super::values;
use crate::schema::Class;

/// The attribute of overlays that lists numbers of nodes.
const OVERLAY_TARGETS: &str = "projectionTargets";

/// The class that properties state, if an element has another one.
#[derive(Clone, Copy)]
struct OtherClass {
    /// `None` for an unknown class.
    stated: Option<Class>,
    own: Class,
    format: u32,
}

impl OtherClass {
    /// Returns `true` if only the stated class has an attribute.
    fn is_specific_to_class(&self, name: &str) -> bool {
        let has = |class: Class| class.field(name.as_bytes(), self.format).is_some();
        self.stated.is_none_or(has) && !has(self.own)
    }
}

/// Returns the class that properties state, if the element has another one.
fn other_class(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    properties: &Properties,
) -> Option<OtherClass> {
    let map = context.editor.map();
    let own = map.graph().element(element)?.class();
    let stated = properties.get(CLASS)?.as_text()?.as_bytes();
    let format = map.format_version();
    (own != stated)
        .then(|| Some(OtherClass { stated: Class::from_name(stated), own: Class::from_name(own)?, format }))?
}

/// Writes properties that changed as attributes. Names in `skip` belong to the content of the node.
pub(super) fn set_properties(
    context: &mut WriteContext<'_, '_, '_>,
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
    let other = if old.is_none() { other_class(context, element, new) } else { None };
    let mut foreign = 0_usize;
    for (name, value) in new.iter() {
        let is_reserved = names::NODE.iter().chain(skip).any(|skip| *skip == name);
        if [CLASS, HIDDEN_FLAGS].contains(&name) {
            let class = context.element_ref(element).map(|element| names::text(element.class()));
            if name == CLASS && old.is_some() && class.as_deref() != value.as_text() {
                context.losses.dropped(path, "change of the node's class");
            }
        } else if is_reserved || !seen.insert(name) || name.contains('\0') {
            context.losses.dropped(path, format!("property {name:?}: the name is reserved, repeated or invalid"));
        } else if other.is_some_and(|other| other.is_specific_to_class(name)) {
            foreign += 1;
        } else if old.and_then(|old| old.get(name)) != Some(value) {
            let has_numbers = matches!(value, Value::List(list) if !list.is_empty());
            if name == OVERLAY_TARGETS && old.is_none() && has_numbers {
                context.losses.approximated(path, "overlay targets refer to nodes of another map");
            }
            set_value(context, element, name, value, old.and_then(|old| old.get(name)), path);
        }
    }
    if let Some(class) = new.get(CLASS).and_then(Value::as_text).filter(|_| foreign > 0) {
        let count = with_count(foreign, "attribute");
        context.losses.dropped(path, format!("{count} of class {class}: the node has another class"));
    }
    for (name, _) in old.into_iter().flat_map(Properties::iter) {
        // A scene leaves out default values, so a removed property gets its default.
        if !seen.contains(name) && new.get(name).is_none() && name != CLASS && name != HIDDEN_FLAGS {
            let like = context.element_ref(element).and_then(|element| element.get(name)).cloned();
            let default = like.and_then(|like| defaults::default_value(context.editor.graph_mut(), name, &like));
            match default {
                Some(value) => context.set(element, name, value),
                None => context.unset(element, name),
            }
        }
    }
}

/// Writes the value of a property as an attribute. Of maps only the changed entries are written.
pub(super) fn set_value(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    name: &str,
    value: &Value,
    old: Option<&Value>,
    path: &str,
) {
    let mut work = vec![(element, name.to_owned(), value, old)];
    while let Some((element, name, value, old)) = work.pop() {
        if old == Some(value) {
            continue;
        }
        let like = context.element_ref(element).and_then(|element| element.get(&name));
        let inner: Vec<ElementId> = like.map_or_else(Vec::new, |like| like.elements().collect());
        let like = like.cloned();
        let pairs: Vec<(&Properties, &Properties)> = match (old, value) {
            (Some(Value::Map(old)), Value::Map(new)) => vec![(old, new)],
            (Some(Value::List(old)), Value::List(new)) if old.len() == new.len() => {
                let maps = old.iter().zip(new).map_while(|(old, new)| match (old, new) {
                    (Value::Map(old), Value::Map(new)) => Some((old, new)),
                    _ => None,
                });
                maps.collect()
            }
            _ => Vec::new(),
        };
        let has_same_names = |(old, new): &(&Properties, &Properties)| {
            old.iter().map(|(name, _)| name).eq(new.iter().map(|(name, _)| name)) && old.get(CLASS) == new.get(CLASS)
        };
        if !pairs.is_empty() && pairs.len() == inner.len() && pairs.iter().all(has_same_names) {
            for (element, (old, new)) in inner.into_iter().zip(pairs) {
                let entries = old.iter().zip(new.iter());
                work.extend(entries.map(|((_, old), (name, new))| (element, name.to_owned(), new, Some(old))));
            }
            continue;
        }
        let like = like.or_else(|| values::typed_empty(context.editor, element, &name));
        match values::to_attribute_value(context.editor, value, like.as_ref(), 0) {
            Some(value) => context.set(element, &name, value),
            None => {
                let text = format!("property {name:?}: attributes cannot store this value");
                context.losses.dropped(path, text);
            }
        }
    }
}
