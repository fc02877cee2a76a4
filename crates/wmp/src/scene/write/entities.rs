//! Contents of nodes → entities. Only what changed is written, so that other numbers keep their digits.

use std::sync::Arc;

use mapwright_io::FormattedNumber;
use mapwright_scene as scene;
use mapwright_scene::Properties;

use super::content::EntityContent;
use super::report::PartReport;
use crate::scene::AXES;
use crate::scene::entity_class::{MODEL, is_no_property, is_sound_field};
use crate::scene::fields::apply_field;
use crate::scene::values::{array_from, number_from, numbers_from, parse_name, round_noise};
use crate::{Dialect, Edge, EntityKind, Light, Model, Path, PathNode, Region, Sound};

/// The range of a light in quants where a scene states none: it covers a whole map.
const UNLIMITED: f64 = 10_000.0;

/// Applies what differs between two contents to an entity. A new entity has no content before.
pub(super) fn apply_content(
    kind: &mut EntityKind,
    before: Option<EntityContent<'_>>,
    now: EntityContent<'_>,
    mut report: PartReport<'_>,
) {
    use EntityContent as C;
    let report = &mut report;
    match (kind, now) {
        (EntityKind::Start(_), C::Marker) => {}
        (EntityKind::Light(light), C::Light(now)) => {
            let new = scene::Light { color: [0.0, 0.0, 0.0, 1.0], range: Some(0.0), ..scene::Light::default() };
            let before = if let Some(C::Light(before)) = before { before } else { &new };
            apply_light(light, before, now, report);
        }
        (EntityKind::Sound(sound), C::Sound(now)) => {
            let new = scene::Sound { volume: Some(0.0), range: Some(0.0), ..scene::Sound::default() };
            let before = if let Some(C::Sound(before)) = before { before } else { &new };
            apply_sound(sound, before, now, report);
        }
        (EntityKind::Path(path), C::Path(now)) => {
            let new = scene::Path::default();
            let before = if let Some(C::Path(before)) = before { before } else { &new };
            apply_path(path, before, now, report);
        }
        (EntityKind::Model(model), C::Entity(now)) => {
            let new = scene::Entity::default();
            let before = if let Some(C::Entity(before)) = before { before } else { &new };
            apply_model(model, before, now, report);
        }
        (EntityKind::Region(region), C::Entity(now)) => {
            let new = scene::Entity::default();
            let before = if let Some(C::Entity(before)) = before { before } else { &new };
            apply_region(region, before, now, report);
        }
        _ => unreachable!("content is checked against the kind of the entity"),
    }
}

/// Returns the colour of a light, multiplied with its intensity. Colours are in sRGB, and the intensity is linear.
pub(super) fn brightness(light: &scene::Light) -> [f64; 3] {
    use mapwright_scene::conventions::{linear_to_srgb, srgb_to_linear};
    let [red, green, blue, _] = light.color;
    match light.intensity {
        1.0 => [red, green, blue],
        intensity => [red, green, blue].map(|part| linear_to_srgb(srgb_to_linear(part) * intensity)),
    }
}

fn apply_light(light: &mut Light, before: &scene::Light, now: &scene::Light, report: &mut PartReport<'_>) {
    if now.attenuation != scene::Attenuation::default() {
        report.dropped("falloff of the light");
    }
    let colour = brightness;
    if colour(before) != colour(now) {
        light.colour = stored_colour(colour(now), report);
    }
    if before.range != now.range {
        light.range = now.range.unwrap_or(UNLIMITED);
        if now.range.is_none() {
            report.losses.synthesized(report.path, format!("range of the light: {UNLIMITED}"));
        }
    }
    report.apply_properties(&before.properties, &now.properties, |key, value| {
        apply_field(light, key, value, |field| field != "flags")
    });
}

/// Returns a colour of a light in the unit of the dialect.
fn stored_colour(colour: [f64; 3], report: &mut PartReport<'_>) -> [f64; 3] {
    let percent = colour.map(|part| round_noise(part * 100.0));
    if report.dialect != Dialect::Binary {
        return percent;
    }
    let bytes = percent.map(|part| (part * 2.55).round().clamp(0.0, 255.0));
    if bytes.iter().zip(percent).any(|(byte, part)| (byte - part * 2.55).abs() > 1e-4) {
        report.approximated("a colour, rounded to 8 bits per channel");
    }
    bytes
}

fn apply_sound(sound: &mut Sound, before: &scene::Sound, now: &scene::Sound, report: &mut PartReport<'_>) {
    if before.reference != now.reference {
        sound.file = parse_name(&now.reference);
    }
    let [volume, .., range] = &mut sound.numbers;
    if before.volume != now.volume {
        *volume = round_noise(now.volume.unwrap_or(1.0) * 100.0);
    }
    if before.range != now.range {
        *range = now.range.unwrap_or(0.0);
    }
    report.apply_properties(&before.properties, &now.properties, |key, value| {
        apply_field(sound, key, value, is_sound_field)
    });
    if report.dialect == Dialect::Binary {
        let whole = sound.numbers.map(|number| number.round().clamp(0.0, f64::from(u32::MAX)));
        if whole != sound.numbers {
            report.approximated("volume, pitch, time and range, rounded to whole numbers");
            sound.numbers = whole;
        }
    }
}

fn apply_model(model: &mut Model, before: &scene::Entity, now: &scene::Entity, report: &mut PartReport<'_>) {
    if now.class != MODEL {
        report.dropped(format!("the class {}", now.class));
    }
    if !now.connections.is_empty() {
        report.dropped("connections");
    }
    if before.model != now.model {
        model.file = parse_name(now.model.as_deref().unwrap_or_default());
        model.media = None;
    }
    report.apply_properties(&before.properties, &now.properties, |key, value| {
        match key {
            "skills" => {
                let skills = value.map_or(Some(vec![0.0; model.skills.len()]), numbers_from)?;
                let own = Arc::make_mut(&mut model.skills);
                own.resize(skills.len(), FormattedNumber::new(0.0));
                for (old, new) in own.iter_mut().zip(skills) {
                    if old.get().to_bits() != new.to_bits() {
                        old.set(new);
                    }
                }
            }
            _ => apply_field(model, key, value, is_no_property)?,
        }
        Some(())
    });
}

fn apply_region(region: &mut Region, before: &scene::Entity, now: &scene::Entity, report: &mut PartReport<'_>) {
    report.apply_properties(&before.properties, &now.properties, |key, value| {
        let [x, y, z] = value.map_or(Some([0.0; 3]), array_from::<3>)?;
        let (same, negated) = match key {
            "min" => (&mut region.minimum, &mut region.maximum),
            "max" => (&mut region.maximum, &mut region.minimum),
            _ => return None,
        };
        // The change of axes negates y, which swaps its minimum and maximum.
        (same[0], same[2], negated[1]) = (x, y, -z);
        Some(())
    });
}

fn apply_path(path: &mut Path, before: &scene::Path, now: &scene::Path, report: &mut PartReport<'_>) {
    if now.closed {
        report.dropped("the edge that closes the path");
    }
    path.nodes.resize(now.points.len(), PathNode::default());
    for (at, (node, point)) in path.nodes.iter_mut().zip(&now.points).enumerate() {
        let old = before.points.get(at);
        if old.is_none_or(|old| old.position != point.position) {
            node.point = AXES.inverse().apply(point.position);
        }
        if point.tangents.is_some() {
            report.dropped("tangents of points");
        }
        let empty = Properties::new();
        report.apply_properties(old.map_or(&empty, |old| &old.properties), &point.properties, |key, value| {
            node.skills = value.map_or(Some([0.0; 6]), array_from).filter(|_| key == "skills")?;
            Some(())
        });
    }
    let first = report.dialect.first_node();
    path.edges.resize(now.edges.len(), Edge::default());
    for (at, (edge, new)) in path.edges.iter_mut().zip(&now.edges).enumerate() {
        if before.edges.get(at) != Some(new) {
            edge.from = new.from.saturating_add(first);
            edge.to = new.to.saturating_add(first);
            edge.weight = new.weight;
        }
    }
    // After the edges, because the property has three numbers for each of them.
    report.apply_properties(&before.properties, &now.properties, |key, value| {
        match key {
            "number" => path.number = value.map_or(Some(0.0), number_from)?,
            "edges" => {
                let numbers = value.map_or(Some(Vec::new()), numbers_from)?;
                let mut rows = numbers.as_chunks::<3>().0.iter();
                path.edges.iter_mut().for_each(|edge| edge.numbers = rows.next().copied().unwrap_or_default());
            }
            _ => return None,
        }
        Some(())
    });
}
