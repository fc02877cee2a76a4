//! Writes lights as entities.

use mapwright_dmx::ElementId;
use mapwright_scene::{Content, Light, LightId, LightKind, Node, Properties, Value};

use super::super::light_keys::{apply_changed_keys, keys_from_light};
use super::super::names::CLASS_NAME;
use super::context::WriteContext;
use super::keys::write_keys;

/// Writes a light.
pub(super) fn write_light(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    id: LightId,
    old: Option<&Node>,
    path: &str,
) {
    let light = &context.scene.lights[id];
    let before = match context.base.zip(old).map(|(base, old)| (&base.scene, &old.content)) {
        Some((base, Content::Light(id))) => Some(&base.lights[*id]),
        _ => None,
    };
    if before == Some(light) {
        return;
    }
    let light = &before.map_or_else(|| light.clone(), |before| apply_changed_keys(light, before));
    let (new, is_exact) = keys_from_light(light).unwrap_or_else(|| {
        let point = Light { kind: LightKind::Point, ..light.clone() };
        (keys_from_light(&point).map_or_else(Properties::new, |(keys, _)| keys), false)
    });
    let class = |keys: &Properties| keys.get(CLASS_NAME).and_then(Value::as_text).map(str::to_owned);
    if !is_exact {
        context.losses.approximated(path, "light, as far as key values can represent it");
    } else if light.properties.is_empty() {
        context.losses.synthesized(path, "key values of the light");
    } else if let (Some(old), Some(new)) = (class(&light.properties), class(&new))
        && old != new
    {
        context.losses.approximated(path, format!("class {old:?} of the light, as {new}"));
    }
    write_keys(context, element, &new, before.map(|before| &before.properties), path);
}
