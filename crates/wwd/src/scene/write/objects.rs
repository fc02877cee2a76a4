//! Converts entities to objects.

use mapwright_io::format_count;
use mapwright_io::math;
use mapwright_scene::{EntityId, Node, Properties, Scene, Transform, Value};

use super::super::AXES;
use super::super::fields::new_object;
use super::super::object_tiles::{ObjectTile, field_properties};
use super::context::{CHECKED, Inherited, Writer};
use crate::validate::objects::MAX_TEXT;
use crate::{DrawFlags, Object, PlaneFlags, unescape_bytes};

/// Converts an entity to an object.
pub(super) fn write_object(writer: &mut Writer<'_>, node: &Node, id: EntityId, own: &Inherited, path: &str) -> Object {
    let mut object = new_object();
    let entity = writer.scene.entities.get(id).expect(CHECKED);
    *writer.entities.get_mut(id.index()).expect(CHECKED) = true;
    let tile = ObjectTile::find(writer.scene, entity);
    let properties = field_properties(&entity.properties, tile.is_some());
    writer.object.apply_properties(&mut object, &properties, &[], path, &mut writer.foreign, &mut writer.losses);
    if entity.properties.get("id").is_none() {
        object.id = writer.free_id;
        writer.free_id = writer.free_id.saturating_add(1);
    }
    if !entity.connections.is_empty() {
        writer.losses.dropped(path, "connections of the entity");
    }
    let model = entity.model.as_deref().unwrap_or_default();
    let model = tile.as_ref().map_or(model, |tile| tile.image_set(model));
    for text in [&node.name, &entity.class, model] {
        writer.foreign.check_text(text, path);
    }
    object.name = unescape_bytes(&node.name);
    object.logic = unescape_bytes(&entity.class);
    object.image_set = unescape_bytes(model);
    let rotation = rotation(&entity.properties);
    let offset = match &tile {
        Some(tile) => {
            object.draw_flags = tile.draw_flags(object.draw_flags);
            object.i = tile.frame(object.i);
            if tile.is_turned() || rotation != 0.0 {
                writer.losses.dropped(path, "rotation of an object");
            }
            tile.offset()
        }
        None if writer.is_foreign => middle(&entity.properties),
        None => [0.0; 2],
    };
    let offset = rotated(offset, rotation);
    let [x, y, z] = AXES.apply(own.transform.point(AXES.apply(offset))).map(|number| writer.places.round(number, path));
    (object.x, object.y, object.z) = (x, y, z);
    if own.transform.linear() != Transform::IDENTITY.linear() {
        writer.turned.add(path);
    }
    if !own.visible {
        object.draw_flags = object.draw_flags.with(DrawFlags::NO_DRAW, true);
    }
    object
}

/// Returns a decimal number. Whole numbers are fields of objects, which have the same names.
fn decimal(properties: &Properties, name: &str) -> f64 {
    match properties.get(name) {
        Some(Value::Float(number)) if number.is_finite() => *number,
        _ => 0.0,
    }
}

/// Returns the offset of the middle of a rectangle from its top left corner; y points down. The position of an object is the middle of
/// its image, and entities with a `width` and `height` are at their corner.
fn middle(properties: &Properties) -> [f64; 2] {
    // The games halve sizes as whole numbers.
    ["width", "height"].map(|name| {
        let size = decimal(properties, name).max(0.0);
        if size.fract() == 0.0 { (size / 2.0).floor() } else { size / 2.0 }
    })
}

/// Returns the rotation of an entity in degrees, clockwise.
fn rotation(properties: &Properties) -> f64 {
    decimal(properties, "rotation")
}

/// Rotates an offset, whose y points down, clockwise.
fn rotated([x, y]: [f64; 2], degrees: f64) -> [f64; 3] {
    let (sin, cos) = math::sin_cos(degrees.to_radians());
    // Quarter turns are exact.
    let [sin, cos] = if degrees % 90.0 == 0.0 { [sin.round(), cos.round()] } else { [sin, cos] };
    [x * cos - y * sin, x * sin + y * cos, 0.0]
}

/// Reports objects and texts of a foreign scene that the games do not read, although levels can store them.
pub(super) fn report_unplayable(writer: &mut Writer<'_>) {
    let planes = &writer.document.planes;
    let objects = || planes.iter().flat_map(|plane| plane.objects.iter().map(move |object| (plane, object)));
    let outside = objects().filter(|(plane, object)| !plane.contains(object.x, object.y)).count();
    if outside > 0 {
        let text = format!("{} outside the plane: the games drop them", format_count(outside, "object"));
        writer.losses.approximated("planes", text);
    }
    let texts = objects().flat_map(|(_, it)| [&it.name, &it.logic, &it.image_set, &it.animation]);
    let long = texts.filter(|text| text.len() > MAX_TEXT).count();
    if long > 0 {
        let text = format!("{} of more than {MAX_TEXT} bytes: the games read no more", format_count(long, "text"));
        writer.losses.approximated("planes", text);
    }
}

/// Returns the id after the largest one of the scene.
pub(super) fn find_free_id(scene: &Scene) -> i32 {
    let ids = scene.entities.items().iter().filter_map(|entity| entity.properties.get("id")?.as_int());
    let largest = ids.filter_map(|id| i32::try_from(id).ok()).max();
    largest.map_or(1, |id| id.saturating_add(1).max(1))
}

/// Places objects without a plane on the main plane.
pub(super) fn adopt_unparented_objects(writer: &mut Writer<'_>) {
    if writer.unparented.is_empty() {
        return;
    }
    let index = writer.document.main_plane_index().unwrap_or_default();
    let count = writer.unparented.len();
    match writer.document.planes.get_mut(index) {
        Some(plane) => {
            let shown = writer.unparented.iter().filter(|(_, it)| !it.draw_flags.has(DrawFlags::NO_DRAW)).count();
            plane.objects.extend(writer.unparented.drain(..).map(|(_, object)| object));
            if shown > 0 && plane.flags.has(PlaneFlags::NO_DRAW) {
                let text = format!("{} hidden by a hidden plane", format_count(shown, "entity"));
                writer.losses.approximated("nodes.visible", text);
            }
            writer.losses.approximated(
                "",
                format!("{} without a tile layer: placed on plane {index}", format_count(count, "entity")),
            );
        }
        None => writer
            .losses
            .dropped("", format!("{} without a tile layer: the level has no plane", format_count(count, "entity"))),
    }
}
