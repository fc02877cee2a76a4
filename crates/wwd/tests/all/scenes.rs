//! Scenes for tests: those that a level can store completely, and others.

use mapwright_scene::{
    AlphaMode, Attribute, Camera, Cell, CellLayout, Collision, Connection, Content, Domain, Entity, Light, Material,
    Mesh, Node, NodeId, Path, Prefab, Properties, Scene, Sound, Tile, TileLayer, TileSet, Transform, Value,
};
use mapwright_testkit::with_long_names;
use mapwright_wwd::{FieldValue, Object, escape_bytes};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::strategies::{text, word};

fn number() -> BoxedStrategy<i32> {
    word().prop_map(u32::cast_signed).boxed()
}

fn name(longest: usize) -> BoxedStrategy<String> {
    // Slots and names of image sets end before a NUL.
    text(longest)
        .prop_map(|mut text| {
            text.retain(|byte| *byte != 0);
            escape_bytes(&text)
        })
        .boxed()
}

/// Sometimes a property with a value other than that of a new object.
fn property(
    name: impl Into<String>,
    value: BoxedStrategy<Value>,
    usual: i32,
) -> BoxedStrategy<Option<(String, Value)>> {
    let name = name.into();
    let usual = [Value::Int(usual.into()), Value::from("")];
    let value = value.prop_filter("the usual value", move |value| !usual.contains(value));
    prop::option::weighted(0.1, value).prop_map(move |value| Some((name.clone(), value?))).boxed()
}

/// Some properties of an object in the order of the fields.
fn object_properties() -> BoxedStrategy<Properties> {
    let own = ["x", "y", "z", "draw_flags", "name", "logic", "image_set"];
    let like = Object::default();
    let mut all = Vec::new();
    for field in Object::FIELDS.iter().filter(|field| !own.contains(field)) {
        match like.field(field) {
            // Objects without an id get a new one.
            Some(_) if *field == "id" => {
                all.push(number().prop_map(|id| Some(("id".to_owned(), Value::from(id)))).boxed());
            }
            // Objects without a frame get −1.
            Some(_) if *field == "i" => all.push(property(*field, number().prop_map(Value::from).boxed(), -1)),
            Some(FieldValue::Word(_)) => all.push(property(*field, word().prop_map(Value::from).boxed(), 0)),
            Some(FieldValue::Int(_)) => all.push(property(*field, number().prop_map(Value::from).boxed(), 0)),
            Some(FieldValue::Rect(_)) => {
                for side in ["left", "top", "right", "bottom"] {
                    all.push(property(format!("{field}_{side}"), number().prop_map(Value::from).boxed(), 0));
                }
            }
            _ => all.push(property(*field, name(80).prop_map(Value::from).boxed(), 0)),
        }
    }
    let flags = word().prop_map(|flags| flags & !1);
    all.push(property("draw_flags", flags.prop_map(Value::from).boxed(), 0));
    all.prop_map(|all| all.into_iter().flatten().collect()).boxed()
}

/// Adds an entity to a scene.
fn entity() -> BoxedStrategy<(Entity, Node)> {
    let place = [number(), number(), number()].prop_map(|place| Transform::translation(place.map(f64::from)));
    (
        with_long_names(name(40)),
        prop::option::of(with_long_names(name(40))),
        with_long_names(name(40)),
        object_properties(),
        place,
        any::<bool>(),
    )
        .prop_map(|(class, model, name, properties, transform, visible)| {
            let model = model.filter(|model| !model.is_empty());
            // −2³¹ has no opposite.
            let transform = Transform::translation(transform.origin().map(|number| number.max(-2_147_483_647.0)));
            let entity = Entity { class, model, properties, ..Entity::default() };
            (entity, Node { transform, visible, ..Node::new(name, Content::Group) })
        })
        .boxed()
}

/// A tile layer without tile sets.
fn layer() -> BoxedStrategy<TileLayer> {
    let grid = (0..5_u32, 0..4_u32).prop_flat_map(|(columns, rows)| {
        let cell = prop_oneof![0..12_u32, Just(Cell::EMPTY), Just(Cell::FILL)];
        (Just([columns, rows]), vec(cell, usize::try_from(columns * rows).unwrap()))
    });
    let properties = [("scroll_x", 3), ("reserved_94", -1), ("width_px", 77_777), ("tile_h", -1)];
    let flags = (any::<[bool; 2]>(), prop::option::of(select(vec![16, 0x20, 0xE0])), any::<bool>());
    let tile_size = [1..200_u32, 1..200_u32];
    let movement = prop_oneof![Just(100), 0..200_i32, number()];
    ((name(64), grid, tile_size), ([movement.clone(), movement], number(), word()), flags, any::<[bool; 4]>())
        .prop_map(move |((name, (size, cells), tile_size), (movement, z, fill), (wrap, flags, main), others)| {
            let mut layer = TileLayer {
                name,
                size,
                tile_size,
                layout: CellLayout::Orthogonal,
                cells,
                tile_sets: Vec::new(),
                wrap,
                parallax: movement.map(|percent| f64::from(percent) / 100.0),
                z,
                fill: Some(fill),
                attributes: Vec::new(),
                properties: Properties::new(),
            };
            if main {
                layer.properties.push("main", true);
            }
            if let Some(flags) = flags {
                layer.properties.push("flags", flags);
            }
            // In the order in which they are read.
            if others[0] {
                layer.properties.push("width_px", properties[2].1);
            }
            if others[1] {
                layer.tile_size[1] = 64;
                layer.properties.push("tile_h", properties[3].1);
                if layer.size[1] == 0 {
                    layer.properties.push("height_px", 5);
                }
            }
            if others[2] {
                layer.properties.push("scroll_x", properties[0].1);
            }
            if others[3] {
                layer.properties.push("reserved_94", u32::MAX);
            }
            layer
        })
        .boxed()
}

fn collision() -> BoxedStrategy<Collision> {
    let mask = (0..4_u32, 0..4_u32).prop_flat_map(|(width, height)| {
        let attributes = vec(0..256_u32, usize::try_from(width * height).unwrap());
        attributes.prop_map(move |attributes| Collision::Mask { width, height, attributes })
    });
    prop_oneof![
        word().prop_map(Collision::Uniform),
        (word(), word(), [number(), number(), number(), number()])
            .prop_map(|(outside, inside, bounds)| Collision::Rectangle { outside, inside, bounds }),
        mask,
    ]
    .boxed()
}

/// Scenes as converted from levels.
pub(crate) fn scene() -> BoxedStrategy<Scene> {
    let planes = vec((layer(), vec(entity(), 0..4), any::<bool>()), 0..4);
    let header = (name(64), [number(), number()], word(), select(vec!["editor", "wapmap"]), name(100), any::<bool>());
    (planes, header, vec(collision(), 0..20))
        .prop_map(|(planes, header, collisions)| {
            let (name, [x, y], reserved, profile, launch_app, compress) = header;
            let mut scene = Scene { name, ..Scene::default() };
            scene.properties = [("format", "wwd"), ("profile", profile)].into_iter().collect();
            if reserved != 0 {
                scene.properties.push("reserved_004", reserved);
            }
            // Only notes reveal the profile of an uncompressed level.
            if !compress && profile == "editor" {
                scene.properties.push("flags", 0xFFFF_FFFD_u32);
            }
            if !launch_app.is_empty() {
                scene.properties.push("launch_app", launch_app);
            }
            let main = planes.iter().position(|(layer, ..)| layer.properties.get("main").is_some()).unwrap_or_default();
            for (index, (mut layer, entities, visible)) in planes.into_iter().enumerate() {
                let shown = layer.cells.iter().filter(|word| **word < 12).max().map_or(0, |frame| frame + 1);
                let mut set = TileSet { name: format!("SET {index}"), ..TileSet::default() };
                set.tiles.resize_with(usize::try_from(shown).unwrap(), Tile::default);
                if index == main {
                    set.tiles.resize_with(set.tiles.len().max(collisions.len()), Tile::default);
                    for (tile, collision) in set.tiles.iter_mut().zip(&collisions) {
                        tile.collision = collision.clone();
                        if matches!(collision, Collision::Uniform(1)) {
                            tile.properties.push("width", layer.tile_size[0] + 1);
                            tile.properties.push("reserved_04", u32::MAX);
                        }
                    }
                }
                layer.tile_sets = vec![scene.tile_sets.push(set)];
                let node = Node { visible, ..Node::new(&layer.name, Content::Group) };
                let layer = scene.tile_layers.push(layer);
                let plane = scene.add_node(None, Node { content: Content::TileLayer(layer), ..node });
                for (entity, node) in entities {
                    let entity = scene.entities.push(entity);
                    scene.add_node(Some(plane), Node { content: Content::Entity(entity), ..node });
                }
            }
            let start = Transform::translation([f64::from(x), f64::from(y.max(-i32::MAX)), 0.0]);
            scene.add_node(None, Node { transform: start, ..Node::new("start", Content::Marker) });
            scene
        })
        .boxed()
}

/// Any value, including values that no field can have.
fn value() -> BoxedStrategy<Value> {
    prop_oneof![
        word().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        with_long_names::<String>("\\PC{0,100}").prop_map(Value::from),
        vec(any::<u8>(), 0..200).prop_map(Value::from),
        Just(Value::List(vec![Value::Int(1)])),
    ]
    .boxed()
}

fn properties() -> BoxedStrategy<Properties> {
    let own = [
        "main",
        "flags",
        "tile_w",
        "width_px",
        "start_x",
        "checksum",
        "author",
        "header_size",
        "rect_hit_top",
        "i",
        "animation",
        "draw_flags",
        "size",
        "width",
        "reserved_04",
        "profile",
        "trailer",
        "other",
    ];
    vec((select(own.to_vec()), value()), 0..6)
        .prop_map(|mut pairs: Vec<(&str, Value)>| {
            // A header that is too short for its contents cannot be written.
            pairs.retain(|(name, _)| *name != "header_size" && *name != "trailer" && *name != "profile");
            pairs.into_iter().collect()
        })
        .boxed()
}

fn transform() -> BoxedStrategy<Transform> {
    let far = prop_oneof![-1000.0..1000.0_f64, (-500..500_i32).prop_map(f64::from), -1e12..1e12_f64];
    let place = [far.clone(), far.clone(), far];
    prop_oneof![
        place.clone().prop_map(Transform::translation),
        place.prop_map(|translation| Transform::Trs {
            translation,
            rotation: Transform::looking_along([0.3, -0.2, 0.7]),
            scale: [2.0, -1.0, 0.0],
        }),
    ]
    .boxed()
}

/// Trees with every kind of content of scenes.
pub(crate) fn any_scene() -> BoxedStrategy<Scene> {
    let nodes = vec((0..12_u8, any::<prop::sample::Index>(), transform(), properties(), any::<bool>()), 0..14);
    let tiles = vec((collision(), properties(), 0..3_u8), 0..5);
    (nodes, "\\PC{0,70}", properties(), tiles, vec(layer(), 1..4))
        .prop_map(|(nodes, name, properties, tiles, layers)| {
            let mut scene = Scene { name: name.clone(), properties, metres_per_unit: Some(0.5), ..Scene::default() };
            for (index, mut layer) in layers.into_iter().enumerate() {
                let mut set = TileSet { name: name.clone(), ..TileSet::default() };
                set.tiles.extend(tiles.iter().map(|(collision, properties, known)| Tile {
                    image: None,
                    collision: match known {
                        0 => Collision::Unknown,
                        1 => Collision::Mask { width: 3, height: 1, attributes: vec![900; index + 2] },
                        _ => collision.clone(),
                    },
                    properties: properties.clone(),
                }));
                let set = scene.tile_sets.push(set);
                layer.tile_sets = vec![set; index];
                layer.attributes = vec![Attribute {
                    name: name.clone(),
                    domain: Domain::Face,
                    width: 1,
                    values: vec![1.0; layer.cells.len()],
                }];
                scene.tile_layers.push(layer);
            }
            let mut ids: Vec<NodeId> = Vec::new();
            for (kind, parent, transform, properties, visible) in nodes {
                let mut node =
                    Node { transform, properties: properties.clone(), visible, ..Node::new(&name, Content::Group) };
                node.content = match kind {
                    0 => Content::Mesh(scene.meshes.push(Mesh::default())),
                    1 => Content::Light(scene.lights.push(Light::default())),
                    2 => Content::Camera(scene.cameras.push(Camera::default())),
                    3 => Content::Marker,
                    4 => Content::Sound(scene.sounds.push(Sound::default())),
                    5 => Content::Path(scene.paths.push(Path::default())),
                    6 => Content::Prefab(Prefab::default()),
                    7 | 8 => {
                        let connections = vec![Connection::default(); usize::from(kind % 2)];
                        let entity = Entity { class: name.clone(), model: Some(name.clone()), properties, connections };
                        Content::Entity(scene.entities.push(entity))
                    }
                    9 => {
                        node.name = "start".to_owned();
                        Content::Marker
                    }
                    10 => Content::TileLayer(scene.tile_layers.ids().nth(ids.len() % scene.tile_layers.len()).unwrap()),
                    _ => Content::Group,
                };
                let parent = if ids.is_empty() || kind % 3 == 0 { None } else { Some(*parent.get(&ids)) };
                ids.push(scene.add_node(parent, node));
            }
            scene.materials.push(Material { alpha: AlphaMode::Blend, ..Material::default() });
            scene
        })
        .boxed()
}
