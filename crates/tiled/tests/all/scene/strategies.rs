//! Scenes of tiles, made by chance.

use mapwright_scene::*;
use mapwright_testkit::with_long_names;
use proptest::{collection::vec, option, prelude::*};

/// Text with all that is hard to encode, rarely of 70,000 letters.
pub(crate) fn text() -> BoxedStrategy<String> {
    with_long_names(prop_oneof![
        4 => "[a-zA-Z_]{0,6}",
        2 => "[ =$<>&\"'\\\\\n\r\t\u{0}\u{1b}\u{85}\u{fffe}\u{ffff}ä\u{1f600}a0:]{0,5}",
        1 => prop::sample::select(vec!["=1", "=\"a\"", "node:x", "z", "fill", "model", "attribute", "opacity", "class", "shape", "\n", " \n\t", "{", "="]).prop_map(str::to_owned),
    ])
}

fn float() -> BoxedStrategy<f64> {
    prop_oneof![
        (-1000_i32..1000).prop_map(f64::from),
        (-1_000_000_i32..1_000_000).prop_map(|n| f64::from(n) / 100.0),
        any::<f64>().prop_filter("finite", |n| n.is_finite()),
        Just(f64::INFINITY),
        Just(-0.0),
        Just(0.1 + 0.2),
    ]
    .boxed()
}

fn finite() -> BoxedStrategy<f64> {
    float().prop_filter("finite", |n| n.is_finite()).boxed()
}

pub(crate) fn value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        prop_oneof![(-100_i64..100), any::<i64>(), any::<i32>().prop_map(i64::from), any::<u32>().prop_map(i64::from)]
            .prop_map(Value::Int),
        float().prop_map(Value::Float),
        text().prop_map(Value::Text),
        vec(any::<u8>(), 0..5).prop_map(Value::Bytes),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::List),
            vec((text(), inner), 0..3).prop_map(|pairs| Value::Map(Properties { entries: pairs })),
        ]
    })
    .boxed()
}

pub(crate) fn properties() -> BoxedStrategy<Properties> {
    prop_oneof![
        2 => Just(Properties::new()),
        1 => vec((text(), value()), 0..5).prop_map(|entries| Properties { entries }),
        1 => vec((Just("twice".to_owned()), value()), 0..3).prop_map(|entries| Properties { entries }),
    ]
    .boxed()
}

fn transform() -> BoxedStrategy<Transform> {
    let numbers = || prop::array::uniform3(finite());
    prop_oneof![
        3 => numbers().prop_map(Transform::translation),
        1 => (numbers(), numbers()).prop_map(|(translation, scale)| Transform::Trs { translation, rotation: [0.0, 0.6, 0.0, 0.8], scale }),
        1 => prop::array::uniform4(numbers()).prop_map(|m| Transform::Matrix([
            [m[0][0], m[0][1], m[0][2], 0.0],
            [m[1][0], m[1][1], m[1][2], 0.0],
            [m[2][0], m[2][1], m[2][2], 0.0],
            [m[3][0], m[3][1], m[3][2], 1.0],
        ])),
    ]
    .boxed()
}

fn collision() -> BoxedStrategy<Collision> {
    let attribute = || prop_oneof![0_u32..5, any::<u32>()];
    prop_oneof![
        Just(Collision::Unknown),
        attribute().prop_map(Collision::Uniform),
        (attribute(), attribute(), any::<[i32; 4]>()).prop_map(|(outside, inside, bounds)| Collision::Rectangle {
            outside,
            inside,
            bounds
        }),
        (0_u32..4, 0_u32..4, vec(attribute(), 0..9)).prop_map(|(width, height, attributes)| Collision::Mask {
            width,
            height,
            attributes
        }),
        (Just(2_u32), Just(2_u32), vec(0_u32..256, 4)).prop_map(|(width, height, attributes)| Collision::Mask {
            width,
            height,
            attributes
        }),
    ]
    .boxed()
}

fn tile_set() -> BoxedStrategy<TileSet> {
    let tile = (option::weighted(0.3, 0_u32..2), collision(), properties())
        .prop_map(|(image, collision, properties)| Tile { image: image.map(Id::new), collision, properties });
    (text(), vec(tile, 0..12), properties())
        .prop_map(|(name, tiles, properties)| TileSet { name, tiles, properties })
        .boxed()
}

fn layer() -> BoxedStrategy<TileLayer> {
    let cell = prop_oneof![
        4 => 0_u32..13,
        2 => Just(Cell::EMPTY),
        1 => Just(Cell::FILL),
        1 => (0_u32..4, 0_u32..13).prop_map(|(set, tile)| set << 16 | tile),
        1 => any::<u32>(),
    ];
    let size = prop::array::uniform2(0_u32..5);
    let cells = size.prop_flat_map(move |size| (Just(size), vec(cell.clone(), (size[0] * size[1]) as usize)));
    let edge = || prop_oneof![4 => Just(16_u32), 1 => 0_u32..70, 1 => any::<u32>()];
    (
        (text(), cells, edge(), edge(), vec((0_u32..3).prop_map(Id::new), 0..4)),
        (
            any::<[bool; 2]>(),
            prop::array::uniform2(finite()),
            prop_oneof![Just(0), any::<i32>()],
            option::of(any::<u32>()),
            (properties(), option::weighted(0.3, vec(0_u32..16, 16))),
        ),
    )
        .prop_map(|((name, (size, cells), width, height, tile_sets), (wrap, parallax, z, fill, rest))| {
            let (properties, flips) = rest;
            // Readers leave out a column without flags.
            let values: Vec<f64> = flips.into_iter().flatten().take(cells.len()).map(f64::from).collect();
            let has_flips = values.iter().any(|flags| *flags != 0.0);
            let column = Attribute { name: "flips".into(), domain: Domain::Face, width: 1, values };
            TileLayer {
                name,
                size,
                tile_size: [width, height],
                layout: CellLayout::Orthogonal,
                cells,
                tile_sets,
                wrap,
                parallax,
                z,
                fill,
                attributes: if has_flips { vec![column] } else { Vec::new() },
                properties,
            }
        })
        .boxed()
}

/// A positioned node: a layer, an entity, a marker or a group.
#[derive(Debug, Clone)]
struct Place {
    node: Node,
    layer: Option<TileLayer>,
    entity: Option<Entity>,
    children: Vec<Place>,
}

fn place() -> BoxedStrategy<Place> {
    let node = || {
        (text(), transform(), any::<[bool; 2]>(), properties())
            .prop_map(|(name, transform, [visible, locked], properties)| Node {
                name,
                transform,
                visible,
                locked,
                properties,
                ..Node::default()
            })
            .boxed()
    };
    let entity = (text(), option::of(text()), properties())
        .prop_map(|(class, model, properties)| Entity { class, model, properties, connections: Vec::new() })
        .boxed();
    let object = (node(), option::weighted(0.8, entity))
        .prop_map(|(mut node, entity)| {
            node.content = Content::Marker;
            Place { node, layer: None, entity, children: Vec::new() }
        })
        .boxed();
    object
        .prop_recursive(3, 16, 4, move |inner| {
            (node(), option::of(layer()), vec(inner, 0..4)).prop_map(|(node, layer, children)| Place {
                node,
                layer,
                entity: None,
                children,
            })
        })
        .boxed()
}

fn add(scene: &mut Scene, parent: Option<NodeId>, place: Place) {
    let mut node = place.node;
    if let Some(layer) = place.layer {
        node.content = Content::TileLayer(scene.tile_layers.push(layer));
    } else if let Some(entity) = place.entity {
        node.content = Content::Entity(scene.entities.push(entity));
    }
    let id = scene.add_node(parent, node);
    place.children.into_iter().for_each(|child| add(scene, Some(id), child));
}

/// A scene that a map can hold.
pub(crate) fn scene() -> BoxedStrategy<Scene> {
    (text(), option::of(0.001..1e3), any::<bool>(), properties(), vec(tile_set(), 3), vec(place(), 0..4))
        .prop_map(|(name, metres_per_unit, linear, properties, sets, places)| {
            let mut scene = Scene { name, metres_per_unit, properties, ..Scene::default() };
            if linear {
                scene.color_space = ColorSpace::Linear;
            }
            scene.tile_sets = sets.into_iter().collect();
            // Images in the order in which tiles show them, as a reader finds them.
            let mut found = Vec::new();
            for (_, set) in scene.tile_sets.iter_mut() {
                // A set has its own images.
                found.clear();
                for tile in &mut set.tiles {
                    if let Some(image) = &mut tile.image {
                        let number = image.index();
                        let known = found.iter().find(|(known, _)| *known == number).map(|(_, id)| *id);
                        *image = known.unwrap_or_else(|| {
                            let source = ImageSource::External { path: format!("{number}.png") };
                            let id = scene.images.push(Image { name: "a".repeat(number), source });
                            found.push((number, id));
                            id
                        });
                    }
                }
            }
            places.into_iter().for_each(|place| add(&mut scene, None, place));
            scene
        })
        .boxed()
}
