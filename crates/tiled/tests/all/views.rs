//! Typed views of a map with every kind of item, in XML and in JSON.

use crate::support;

use mapwright_tiled::io::{Budget, Limits};
use mapwright_tiled::view::{Layer, Map, Object, Property, PropertyValue, Shape, Tile, WangColor, WangColorKind};
use mapwright_tiled::{
    BlendMode, Color, Document, DrawOrder, FillMode, Gid, HorizontalAlignment, LayerKind, ObjectAlignment, Orientation,
    PropertyType, RenderOrder, StaggerAxis, StaggerIndex, TileRenderSize, VerticalAlignment, WangSetKind,
};
use support::document;

const XML: &str = include_str!("map.tmx");
const JSON: &str = include_str!("map.tmj");

fn both(check: impl Fn(Map<'_>)) {
    for text in [XML, JSON] {
        check(document(text).as_map().expect("a map"));
    }
}

fn rgb(red: u8, green: u8, blue: u8) -> Color {
    Color { alpha: 255, red, green, blue }
}

#[test]
fn maps_have_their_attributes() {
    both(|map| {
        assert_eq!(
            (&*map.version().unwrap(), &*map.tiled_version().unwrap(), &*map.class()),
            ("1.12", "1.12.0", "Level")
        );
        assert_eq!((map.orientation(), map.render_order()), (Some(Orientation::Hexagonal), RenderOrder::LeftUp));
        assert_eq!([map.width(), map.height(), map.tile_width(), map.tile_height()], [4, 2, 14, 12]);
        assert_eq!((map.infinite(), map.compression_level(), map.hex_side_length()), (true, 9, 6));
        assert_eq!((map.stagger_axis(), map.stagger_index()), (StaggerAxis::X, StaggerIndex::Even));
        assert_eq!(
            ([map.skew_x(), map.skew_y()], [map.parallax_origin_x(), map.parallax_origin_y()]),
            ([3, -4], [1.5, -2.0])
        );
        assert_eq!(map.background_color(), Some(Color { alpha: 128, red: 1, green: 2, blue: 3 }));
        assert_eq!([map.next_layer_id(), map.next_object_id()], [9, 30]);
        let settings = map.editor_settings();
        assert_eq!((settings.chunk_size(), settings.export_format().as_deref()), ([8, 4], Some("json")));
        assert_eq!(settings.export_target().as_deref(), Some("out.tmj"));
    });
}

#[test]
fn layers_have_their_attributes() {
    both(|map| {
        let layers: Vec<_> = map.all_layers().collect();
        let kinds: Vec<_> = layers.iter().map(|layer| (layer.id(), layer.kind())).collect();
        use LayerKind as K;
        assert_eq!(kinds, [(1, K::Tiles), (2, K::Group), (3, K::Image), (4, K::Group), (5, K::Objects)]);
        assert_eq!(map.layers().count(), 2);
        let ids: Vec<_> = layers[1].layers().map(Layer::id).collect();
        assert_eq!((ids, layers[0].layers().count()), (vec![3, 4], 0));

        let ground = layers[0];
        assert_eq!((&*ground.name(), &*ground.class(), ground.mode()), ("Ground <1>", "Floor", BlendMode::ColorDodge));
        assert_eq!((ground.visible(), ground.locked(), ground.opacity()), (false, true, 0.25));
        assert_eq!((ground.tint_color(), ground.color()), (Some(rgb(255, 0, 16)), None));
        assert_eq!(
            [ground.offset_x(), ground.offset_y(), ground.parallax_x(), ground.parallax_y()],
            [1.25, -2.0, 0.5, 2.0]
        );
        assert_eq!([ground.width(), ground.height()], [4, 2]);

        let sky = layers[2];
        assert_eq!((sky.repeat_x(), sky.repeat_y(), sky.image_offset()), (true, false, [7.0, 8.0]));
        let image = sky.image().unwrap();
        assert_eq!(
            (image.source().as_deref(), image.size(), image.transparent_color()),
            (Some("sky.png"), [64, 32], Some(rgb(255, 0, 255)))
        );

        let objects = layers[4];
        assert_eq!((objects.color(), objects.draw_order()), (Some(rgb(16, 32, 48)), DrawOrder::Index));
        assert_eq!((objects.mode(), objects.opacity(), objects.visible()), (BlendMode::Normal, 1.0, true), "defaults");
    });
}

#[test]
fn cells_are_decoded_with_their_flags() {
    both(|map| {
        let cells = map.layers().next().unwrap().cells().unwrap();
        assert!(cells.has_chunks());
        let chunks: Vec<_> = cells.chunks().collect();
        assert_eq!(
            chunks.iter().map(|chunk| (chunk.origin(), chunk.size().unwrap())).collect::<Vec<_>>(),
            [([-16, -3], [2, 1]), ([0, 0], [1, 2])]
        );
        let mut budget = Budget::new(&Limits::default().with_max_decompressed(16));
        assert_eq!(chunks[0].decode(&mut budget).unwrap(), [Gid(0x8000_0001), Gid(0)]);
        assert_eq!(chunks[1].decode(&mut budget).unwrap(), [Gid(2), Gid(0x7000_0003)]);
        assert!(chunks[1].decode(&mut budget).is_err(), "the budget is used up");
    });
}

#[test]
fn objects_have_their_attributes() {
    both(|map| {
        let layer = map.all_layers().find(|layer| layer.kind() == LayerKind::Objects).unwrap();
        let objects: Vec<_> = layer.objects().collect();
        let [first, ..] = objects[..] else { panic!("no objects") };
        assert_eq!((first.id(), &*first.name(), &*first.class()), (10, "A \"B\"", "Door"));
        assert_eq!([first.x(), first.y(), first.width(), first.height()], [1.5, -2.25, 10.0, 20.0]);
        assert_eq!((first.rotation(), first.opacity(), first.visible()), (90.0, 0.5, false));
        assert_eq!(first.gid(), None);
        let shapes: Vec<_> = objects.iter().map(|object| object.shape()).collect();
        let square = vec![[0.0, 0.0], [8.0, 0.5], [8.0, -8.0]];
        assert_eq!(
            shapes[..7],
            [
                Shape::Rectangle,
                Shape::Ellipse,
                Shape::Point,
                Shape::Capsule,
                Shape::Polygon(square.clone()),
                Shape::Polyline(square),
                Shape::Tile(Gid(0x4000_0002)),
            ]
        );
        let Shape::Text(text) = &shapes[7] else { panic!("no text") };
        assert_eq!((&*text.content(), &*text.font_family(), text.pixel_size()), ("Hello\n& you", "Serif", 20));
        assert!(text.wrap() && text.bold() && text.italic() && text.underline() && text.strikeout() && !text.kerning());
        assert_eq!(text.color(), Color { alpha: 64, red: 0, green: 255, blue: 0 });
        let alignment = (text.horizontal_alignment(), text.vertical_alignment());
        assert_eq!(alignment, (HorizontalAlignment::Justify, VerticalAlignment::Bottom));
        let last = objects[8];
        assert_eq!((last.template().as_deref(), &*last.class(), last.opacity()), (Some("door.tx"), "", 1.0));
    });
}

#[test]
fn tilesets_have_their_attributes() {
    both(|map| {
        let sets: Vec<_> = map.tilesets().collect();
        assert_eq!((sets[0].first_gid(), sets[0].source().as_deref()), (1, Some("../ground.tsx")));
        let set = sets[1];
        assert_eq!((set.first_gid(), set.source(), &*set.name(), &*set.class()), (5, None, "Walls", "Stone"));
        assert_eq!([set.tile_width(), set.tile_height(), set.spacing(), set.margin()], [14, 12, 1, 2]);
        assert_eq!(([set.tile_count(), set.columns()], set.tile_offset()), ([8, 4], [3, -5]));
        assert_eq!((set.object_alignment(), set.fill_mode()), (ObjectAlignment::TopLeft, FillMode::PreserveAspectFit));
        assert_eq!((set.tile_render_size(), set.background_color()), (TileRenderSize::Grid, Some(rgb(0, 0, 1))));
        let grid = set.grid().unwrap();
        assert_eq!((grid.orientation(), grid.width(), grid.height()), (Orientation::Isometric, 7, 6));
        let transformations = set.transformations().unwrap();
        assert!(transformations.horizontal_flip() && !transformations.vertical_flip());
        assert!(transformations.rotate() && transformations.prefer_untransformed());
        assert_eq!(set.image().unwrap().source().as_deref(), Some("walls.png"));

        let tiles: Vec<_> = set.tiles().collect();
        assert_eq!((tiles[0].id(), &*tiles[0].class(), tiles[0].probability()), (1, "Wall", 0.5));
        assert_eq!(tiles[0].terrain(), Some([Some(0), None, Some(1), None]));
        assert_eq!([tiles[0].x(), tiles[0].y(), tiles[0].width(), tiles[0].height()], [1, 2, 3, 4]);
        assert_eq!(tiles[0].image().unwrap().source().as_deref(), Some("one.png"));
        assert_eq!(
            tiles[0].animation().map(|frame| [frame.tile_id(), frame.duration()]).collect::<Vec<_>>(),
            [[1, 100], [2, 250]]
        );
        let shapes: Vec<_> = tiles[0].object_group().unwrap().objects().map(Object::shape).collect();
        assert_eq!(shapes, [Shape::Ellipse]);
        assert_eq!(&*tiles[0].properties().get("solid").unwrap().text(), "true");

        let wang = set.wang_sets().next().unwrap();
        assert_eq!((&*wang.name(), &*wang.class(), wang.kind(), wang.tile()), ("W", "C", Some(WangSetKind::Corner), 2));
        assert_eq!(&*wang.properties().get("a").unwrap().text(), "b");
        let color = wang.colors().next().unwrap();
        assert_eq!((color.kind(), &*color.name(), color.color()), (WangColorKind::Any, "Grass", Some(rgb(0, 255, 0))));
        assert_eq!((&*color.class(), color.tile(), color.probability()), ("Green", 3, 0.75));
        let tile = wang.tiles().next().unwrap();
        assert_eq!((tile.tile_id(), tile.colors()), (1, Some([0, 1, 0, 1, 0, 1, 0, 0])));
        let terrains: Vec<_> = set.terrains().map(|terrain| (terrain.name().into_owned(), terrain.tile())).collect();
        assert_eq!(terrains, [("Sand".to_owned(), 4), ("Mud".to_owned(), -1)]);
    });
}

#[test]
fn properties_have_types() {
    both(|map| {
        let properties = map.properties();
        let get = |name: &str| properties.get(name).unwrap_or_else(|| panic!("no {name}"));
        let text = |property: Property<'_>| match property.value() {
            PropertyValue::Text(text) | PropertyValue::File(text) => text.into_owned(),
            PropertyValue::Int(number) | PropertyValue::Object(number) => number.to_string(),
            PropertyValue::Float(number) => format!("{number:?}"),
            PropertyValue::Bool(flag) => flag.to_string(),
            PropertyValue::Color(color) => color.unwrap().to_string(),
            other => format!("{other:?}"),
        };
        use PropertyType as T;
        for (name, kind, value) in [
            ("text", T::String, "two\nlines"),
            ("int", T::Int, "-7"),
            ("float", T::Float, "0.1"),
            ("bool", T::Bool, "true"),
            ("color", T::Color, "#80ff0000"),
            ("file", T::File, "a/b.png"),
            ("object", T::Object, "10"),
            ("enum", T::Int, "3"),
        ] {
            assert_eq!((get(name).kind(), text(get(name))), (Some(kind), value.to_owned()), "{name}");
        }
        assert_eq!((get("enum").property_type().as_deref(), get("int").property_type()), (Some("Flags"), None));
        let PropertyValue::Class(members) = get("class").value() else { panic!("no class") };
        assert_eq!(get("class").property_type().as_deref(), Some("Npc"));
        assert_eq!(text(members.get("hp").unwrap()), "5");
        let PropertyValue::Class(inner) = members.get("weapon").unwrap().value() else {
            panic!("no class in the class")
        };
        assert_eq!(text(inner.get("name").unwrap()), "axe");
        let PropertyValue::List(items) = get("list").value() else { panic!("no list") };
        assert_eq!(items.iter().copied().map(text).collect::<Vec<_>>()[..2], ["1", "x"]);
        let PropertyValue::List(inner) = items[2].value() else { panic!("no list in the list") };
        assert_eq!(inner.iter().copied().map(text).collect::<Vec<_>>(), ["2.5"]);
        assert!(properties.get("missing").is_none());
    });
}

#[test]
fn old_files_have_the_same_views() {
    let old = document(
        r#"{"layers":[], "properties":{"a":"1","b":"x"}, "propertytypes":{"a":"int"},
            "tilesets":[{"tiles":{"3":{"image":"a.png"}}, "terrains":[{"name":"T","tile":1}]}]}"#,
    );
    let map = old.as_map().unwrap();
    let value = |name: &str| map.properties().get(name).unwrap().kind();
    assert_eq!([value("a"), value("b")], [Some(PropertyType::Int), Some(PropertyType::String)]);
    let set = map.tilesets().next().unwrap();
    assert_eq!(set.tiles().map(Tile::id).collect::<Vec<_>>(), [3]);
    assert_eq!(set.terrains().count(), 1);

    let old = document(
        "<tileset><wangsets><wangset><wangedgecolor name='e'/><wangcornercolor/><wangtile tileid='1' wangid='0x20010'/></wangset></wangsets></tileset>",
    );
    let wang = old.as_tileset().unwrap().wang_sets().next().unwrap();
    assert_eq!(wang.colors().map(WangColor::kind).collect::<Vec<_>>(), [WangColorKind::Edge, WangColorKind::Corner]);
    assert_eq!(wang.tiles().next().unwrap().colors(), Some([0, 1, 0, 0, 2, 0, 0, 0]));

    // `class` in version 1.9.
    let old = document(
        "<template><tileset firstgid='1' source='a.tsx'/><object class='C' type='' gid='4294967295'/></template>",
    );
    let template = old.as_template().unwrap();
    assert_eq!(template.tileset().unwrap().source().as_deref(), Some("a.tsx"));
    let object = template.object().unwrap();
    assert_eq!((&*object.class(), object.gid()), ("C", Some(Gid(u32::MAX))));
}

#[test]
fn invalid_values_are_the_defaults() {
    let document = document(
        "<map width='x' infinite='' parallaxoriginx='nan' backgroundcolor='red' orientation='round'><layer opacity='a' visible='?' width='1e1'/></map>",
    );
    let map = document.as_map().unwrap();
    assert_eq!((map.width(), map.infinite(), map.parallax_origin_x()), (0, false, 0.0));
    assert_eq!((map.background_color(), map.orientation()), (None, None));
    let layer = map.layers().next().unwrap();
    assert_eq!((layer.opacity(), layer.visible(), layer.width()), (1.0, true, 10));
}

#[test]
fn worlds_have_maps_and_patterns() {
    let document = document(
        r#"{"type":"world","onlyShowAdjacentMaps":true,"maps":[{"fileName":"a.tmx","x":-5,"y":6,"width":7,"height":8}],
            "patterns":[{"regexp":"m(\\d+)_(\\d+)","multiplierX":640,"multiplierY":480,"offsetX":-640,"mapWidth":10}]}"#,
    );
    let world = document.as_world().unwrap();
    let map = world.maps().next().unwrap();
    assert_eq!((&*map.file_name(), [map.x(), map.y(), map.width(), map.height()]), ("a.tmx", [-5, 6, 7, 8]));
    let pattern = world.patterns().next().unwrap();
    assert_eq!((&*pattern.regexp(), pattern.multiplier_x(), pattern.multiplier_y()), (r"m(\d+)_(\d+)", 640, 480));
    assert_eq!(
        (pattern.offset_x(), pattern.offset_y(), pattern.map_width(), pattern.map_height()),
        (-640, 0, Some(10), None)
    );
    assert!(world.only_show_adjacent_maps() && Document::as_map(&document).is_none());
}

#[test]
fn instances_have_the_values_of_their_template() {
    let template = document(
        "<template><tileset firstgid='1' source='a.tsx'/><object name='T' type='Door' gid='5' width='16' height='8' rotation='90' opacity='0.5'>\
         <properties><property name='a' value='t'/><property name='b' value='t'/></properties></object></template>",
    );
    let map = document(
        "<map><objectgroup><object id='1' template='t.tx' x='3' y='4'/><object id='2' template='t.tx' name='N' type='Gate' width='2' height='0' \
         rotation='0' visible='0' gid='9'><properties><property name='b' value='o'/></properties></object>\
         <object id='3' template='t.tx' width='2' height='4'><point/></object></objectgroup></map>",
    );
    let layer = map.as_map().unwrap().layers().next().unwrap();
    let template = template.as_template().unwrap().object().unwrap();
    let instances: Vec<_> = layer.objects().map(|object| object.with_template(template)).collect();
    let first = instances[0];
    assert_eq!((&*first.name(), &*first.class(), first.size()), ("T", "Door", [16.0, 8.0]));
    assert_eq!((first.rotation(), first.opacity(), first.visible()), (90.0, 0.5, true));
    assert_eq!((first.gid(), first.has_own_tile(), first.shape()), (Some(Gid(5)), false, Shape::Tile(Gid(5))));
    let second = instances[1];
    assert_eq!((&*second.name(), &*second.class(), second.size()), ("N", "Gate", [16.0, 8.0]));
    assert_eq!((second.rotation(), second.visible(), second.has_own_tile()), (0.0, false, true));
    let properties: Vec<_> =
        second.properties().iter().map(|property| format!("{}={}", property.name(), property.text())).collect();
    assert_eq!((properties, second.shape()), (vec!["a=t".to_owned(), "b=o".to_owned()], Shape::Tile(Gid(9))));
    assert_eq!((instances[2].size(), instances[2].shape()), ([2.0, 4.0], Shape::Point));
}
