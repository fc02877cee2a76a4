//! Writes prefabs.

use mapwright_dmx::ElementId;
use mapwright_scene::{Content, Node, Prefab};

use super::context::WriteContext;
use super::keys::value_to_text;

/// Writes the path and the overrides of a prefab.
pub(super) fn write_prefab(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    prefab: &Prefab,
    old: Option<&Node>,
    path: &str,
) {
    let before = old.and_then(|old| if let Content::Prefab(prefab) = &old.content { Some(prefab) } else { None });
    if before.is_none_or(|before| before.reference != prefab.reference) {
        context.set_text(element, "targetMapPath", &prefab.reference);
    }
    if before.map_or(prefab.overrides.is_empty(), |before| before.overrides == prefab.overrides) {
        return;
    }
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for (name, value) in prefab.overrides.iter() {
        let Some(text) = value_to_text(value) else {
            context.losses.dropped(path, format!("override {name:?}: only strings and numbers can be stored"));
            continue;
        };
        if value.as_text().is_none() {
            context.losses.approximated(path, format!("override {name:?}, written as text"));
        }
        names.push(context.without_zero_bytes(name));
        values.push(context.without_zero_bytes(&text));
    }
    context.set_texts(element, "variableOverrideNames", &names);
    context.set_texts(element, "variableOverrideValues", &values);
}
