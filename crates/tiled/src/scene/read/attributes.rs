//! Attributes that become properties of scenes. Those with default values are left out.

use mapwright_scene::Value;

use super::super::encode::text_in;
use crate::codes::StaggerAxis;
use crate::codes::{BlendMode, DrawOrder, FillMode, LayerKind, Orientation, RenderOrder, StaggerIndex, TileRenderSize};
use crate::view::{Layer, Map, Object, Shape, Text, Tile, Tileset};

/// Names and values of properties.
type Attributes = Vec<(&'static str, Value)>;

fn push(attributes: &mut Attributes, name: &'static str, value: Option<impl Into<Value>>) {
    attributes.extend(value.map(|value| (name, value.into())));
}

fn class(class: &str) -> Option<String> {
    (!class.is_empty()).then(|| text_in(class))
}

/// Returns the attributes of a map.
pub(super) fn map_attributes(map: Map<'_>) -> Attributes {
    let mut all = Vec::new();
    let other = |found: i32| (found != 0).then_some(found);
    let other_point = |found: f64| (found != 0.0).then_some(found);
    push(&mut all, "class", class(&map.class()));
    let orientation = map.orientation().filter(|found| *found != Orientation::Orthogonal);
    push(&mut all, "orientation", orientation.map(Orientation::name));
    let order = Some(map.render_order()).filter(|found| *found != RenderOrder::RightDown);
    push(&mut all, "renderorder", order.map(RenderOrder::name));
    push(&mut all, "hexsidelength", other(map.hex_side_length()));
    push(&mut all, "staggeraxis", Some(map.stagger_axis()).filter(|it| *it != StaggerAxis::Y).map(StaggerAxis::name));
    let index = Some(map.stagger_index()).filter(|found| *found != StaggerIndex::Odd);
    push(&mut all, "staggerindex", index.map(StaggerIndex::name));
    push(&mut all, "skewx", other(map.skew_x()));
    push(&mut all, "skewy", other(map.skew_y()));
    push(&mut all, "parallaxoriginx", other_point(map.parallax_origin_x()));
    push(&mut all, "parallaxoriginy", other_point(map.parallax_origin_y()));
    push(&mut all, "backgroundcolor", map.background_color().map(|color| color.to_string()));
    all
}

/// Returns the attributes of a layer. `has_parallax` is `true` if the scene has no other place for the parallax.
pub(super) fn layer_attributes(layer: Layer<'_>, has_parallax: bool) -> Attributes {
    let mut all = Vec::new();
    let other = |found: f64| (found != 1.0).then_some(found);
    push(&mut all, "class", class(&layer.class()));
    push(&mut all, "opacity", other(layer.opacity()));
    push(&mut all, "tintcolor", layer.tint_color().map(|color| color.to_string()));
    push(&mut all, "mode", Some(layer.mode()).filter(|mode| *mode != BlendMode::Normal).map(BlendMode::name));
    if layer.kind() == LayerKind::Objects {
        let order = Some(layer.draw_order()).filter(|order| *order != DrawOrder::TopDown);
        push(&mut all, "draworder", order.map(DrawOrder::name));
        push(&mut all, "color", layer.color().map(|color| color.to_string()));
    }
    if has_parallax {
        push(&mut all, "parallaxx", other(layer.parallax_x()));
        push(&mut all, "parallaxy", other(layer.parallax_y()));
    }
    all
}

/// Returns the attributes of a tileset.
pub(super) fn tileset_attributes(tileset: Tileset<'_>) -> Attributes {
    let mut all = Vec::new();
    push(&mut all, "class", class(&tileset.class()));
    push(&mut all, "backgroundcolor", tileset.background_color().map(|color| color.to_string()));
    let size = Some(tileset.tile_render_size()).filter(|size| *size != TileRenderSize::Tile);
    push(&mut all, "tilerendersize", size.map(TileRenderSize::name));
    push(&mut all, "fillmode", Some(tileset.fill_mode()).filter(|mode| *mode != FillMode::Stretch).map(FillMode::name));
    let offset = Some(tileset.tile_offset()).filter(|offset| *offset != [0; 2]);
    push(&mut all, "tileoffset", offset.map(|offset| offset.map(Value::from).to_vec()));
    all
}

/// Returns the attributes of a tile.
pub(super) fn tile_attributes(tile: Tile<'_>) -> Attributes {
    let mut all = Vec::new();
    push(&mut all, "class", class(&tile.class()));
    push(&mut all, "probability", Some(tile.probability()).filter(|probability| *probability != 1.0));
    let frames =
        tile.animation().map(|frame| Value::List([frame.tile_id(), frame.duration()].map(Value::from).to_vec()));
    let frames: Vec<Value> = frames.collect();
    push(&mut all, "animation", Some(frames).filter(|frames| !frames.is_empty()));
    all
}

/// Returns the shape of an object, its points and its text. Points and rectangles have none.
pub(super) fn shape_attributes(shape: &Shape<'_>) -> Attributes {
    let mut all = Vec::new();
    let name = match shape {
        Shape::Ellipse => "ellipse",
        Shape::Capsule => "capsule",
        Shape::Polygon(_) => "polygon",
        Shape::Polyline(_) => "polyline",
        Shape::Text(_) => "text",
        _ => return all,
    };
    push(&mut all, "shape", Some(name));
    match shape {
        Shape::Polygon(points) | Shape::Polyline(points) => {
            let points = points.iter().map(|point| Value::List(point.map(Value::Float).to_vec())).collect::<Vec<_>>();
            push(&mut all, "points", Some(points));
        }
        Shape::Text(text) => push(&mut all, "text", Some(text_value(*text))),
        _ => {}
    }
    all
}

/// Returns the text and its attributes.
fn text_value(text: Text<'_>) -> Value {
    use mapwright_query::Value as Field;
    let mut members = mapwright_scene::Properties::new();
    members.push("text", text_in(&text.content()));
    for (index, field) in Text::ATTRIBUTES.iter().enumerate() {
        if text.item().get(field.name).is_none() {
            continue;
        }
        match text.attribute(index) {
            Some(Field::Bool(flag)) => members.push(field.name, flag),
            Some(Field::Int(number)) => members.push(field.name, number),
            Some(value) => members.push(field.name, value.to_string()),
            None => {}
        }
    }
    Value::Map(members)
}

/// Returns the attributes of an object that follow its shape and tile.
pub(super) fn object_attributes(opacity: f64, size: [f64; 2], rotation: f64) -> Attributes {
    let [width, height] = size;
    let mut all = Vec::new();
    push(&mut all, "opacity", Some(opacity).filter(|opacity| *opacity != 1.0));
    for (name, number) in [("width", width), ("height", height), ("rotation", rotation)] {
        push(&mut all, name, Some(number).filter(|number| *number != 0.0));
    }
    all
}

/// Returns the id of an object.
pub(super) fn id_of(object: Object<'_>) -> u32 {
    u32::try_from(object.id()).unwrap_or(0)
}
