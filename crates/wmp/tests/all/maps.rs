//! Handmade maps.

use std::sync::Arc;

use mapwright_wmp::io::FormattedNumber;
use mapwright_wmp::{
    Block, BlockFlags, Dialect, Document, Edge, Entity, EntityKind, Face, Light, LightFlags, Member, MemberKind, Mesh,
    Model, ModelFlags, Name, Object, Part, Path, PathNode, PlaneFace, Region, Shape, Sound, Start, TextureSource,
};

/// Returns a box about the origin of its own space, with faces clockwise seen from outside.
pub(crate) fn cube(dialect: Dialect, half: [f64; 3], texture: &str) -> Block {
    let [x, y, z] = half;
    let vertices: Vec<[f64; 3]> = (0..8)
        .map(|corner| {
            let side = |axis: u32, half: f64| if corner >> axis & 1 == 0 { -half } else { half };
            [side(0, x), side(1, y), side(2, z)]
        })
        .collect();
    let quads: [[u32; 4]; 6] = [[2, 6, 4, 0], [5, 7, 3, 1], [4, 5, 1, 0], [3, 7, 6, 2], [1, 3, 2, 0], [6, 7, 5, 4]];
    let has_vectors = !matches!(dialect, Dialect::A4 | Dialect::A5);
    let face = |corners: [u32; 4]| {
        let [a, b, c] = [0, 1, 2].map(|at| vertices[corners[at] as usize]);
        let axis = (0..3).find(|&axis| a[axis] == b[axis] && b[axis] == c[axis]).unwrap();
        let vectors = match axis {
            0 => [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0]],
            1 => [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0]],
            _ => [[1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0]],
        };
        Face {
            corners: corners.into(),
            texture: texture.into(),
            vectors: has_vectors.then(|| Arc::new(vectors)),
            mapping: (dialect != Dialect::Resolved).then(|| Arc::new([0.0, 0.0, 0.0, 1.0, 1.0])),
            albedo: 50.0,
            ..Face::default()
        }
    };
    let mut block = Block::new(0, Mesh { faces: quads.map(face).to_vec(), vertices: vertices.clone() });
    if dialect == Dialect::A4 {
        let plane = |corners: [u32; 4]| PlaneFace {
            points: [0, 1, 2].map(|at| vertices[corners[at] as usize]),
            texture: texture.into(),
            mapping: [0.0, 0.0, 0.0, 1.0, 1.0],
            flags: Default::default(),
            ambient: 0.0,
            albedo: 50.0,
            material: Name::NONE,
            name: Name::NONE,
            number: 0.0,
            flags2: Default::default(),
        };
        block.shape = Shape::Planes(quads.map(plane).to_vec());
        block.index = None;
    }
    block
}

pub(crate) fn model(dialect: Dialect, name: &str, file: &str, skills: usize) -> Model {
    Model {
        scale: [1.0; 3],
        file: file.into(),
        name: name.into(),
        action: Name::NONE,
        skills: Arc::new(vec![FormattedNumber::new(0.0); skills]),
        flags: ModelFlags::default(),
        ambient: 0.0,
        albedo: (dialect != Dialect::A4 && (dialect != Dialect::A5 || skills == 20)).then_some(50.0),
        tail: match dialect {
            Dialect::A4 | Dialect::A5 => Vec::new(),
            Dialect::Resolved => vec!["0".into(), "0".into()],
            _ => vec![Name::NONE; 2],
        },
        media: None,
        flag_digits: None,
    }
}

/// Adds a part with an object of its own below another object. Returns the number of its object.
pub(crate) fn add_item(map: &mut Document, under: u32, item: Item, position: [f64; 3]) -> u32 {
    let number = u32::try_from(map.objects.len()).unwrap();
    let mut object = Object::new(number);
    object.position = position;
    match item {
        Item::Group(name) => object.name = name.into(),
        Item::Block(mut block) => {
            block.number = u32::try_from(map.blocks.len()).unwrap();
            // Blocks and paths of resolved maps are in world space.
            if let (Dialect::Resolved, Shape::Mesh(mesh)) = (map.dialect, &mut block.shape) {
                object.position = [0.0; 3];
                mesh.vertices.iter_mut().for_each(|vertex| *vertex = add(*vertex, position));
            }
            block.index = block.index.map(|_| block.number);
            object.members.push(Member { kind: MemberKind::Block, number: block.number });
            map.blocks.push(Part::new(block));
        }
        Item::Entity(kind) => {
            let mut entity = Entity::new(u32::try_from(map.entities.len()).unwrap(), kind);
            if let (Dialect::Resolved, EntityKind::Path(path)) = (map.dialect, &mut entity.kind) {
                object.position = [0.0; 3];
                path.nodes.iter_mut().for_each(|node| node.point = add(node.point, position));
            }
            entity.comment = entity.name().clone();
            if let EntityKind::Model(model) = &entity.kind {
                object.scale = model.scale;
            }
            object.members.push(Member { kind: entity.member_kind(), number: entity.number });
            map.entities.push(Part::new(entity));
        }
    }
    map.objects.push(Part::new(object));
    let members = &mut map.objects[under as usize].members;
    let after = members.iter().take_while(|member| member.kind == MemberKind::Object).count();
    members.insert(after, Member { kind: MemberKind::Object, number });
    number
}

fn add([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a + x, b + y, c + z]
}

pub(crate) enum Item {
    Group(&'static str),
    Block(Block),
    Entity(EntityKind),
}

/// Returns a map with a tower and a wall in a group, and one part of each other kind.
pub(crate) fn village(dialect: Dialect) -> Document {
    let mut map = Document::new(dialect);
    let group = |map: &mut Document, under: u32, name: &'static str, position: [f64; 3]| {
        if dialect == Dialect::Resolved { 0 } else { add_item(map, under, Item::Group(name), position) }
    };
    if let Some(wed) = &mut map.wed {
        wed.wads = vec![source("C:\\games\\wads\\standard.wad"), source("local.wad")];
    }
    let all = group(&mut map, 0, "", [0.0; 3]);
    let tower = group(&mut map, all, "Tower", [100.0, 200.0, 0.0]);
    let mut locked = cube(dialect, [16.0, 32.0, 64.0], "brick1");
    locked.flags = BlockFlags::TEXTURE_LOCK;
    add_item(&mut map, tower, Item::Block(locked), [0.0, 0.0, 64.0]);
    add_item(&mut map, tower, Item::Block(cube(dialect, [8.0, 8.0, 4.0], "wood")), [10.0, -20.0, 4.0]);
    let guard = model(dialect, "guard", "guard.mdl", 20);
    let guard = add_item(&mut map, tower, Item::Entity(EntityKind::Model(guard)), [20.0, 0.0, 8.0]);
    map.objects[guard as usize].angles = [0.5, 0.0, 0.0];
    let hut = model(dialect, "hut", "hut.wmb", 20);
    add_item(&mut map, tower, Item::Entity(EntityKind::Model(hut)), [-40.0, 0.0, 0.0]);
    let light = Light { colour: [100.0, 50.0, 0.0], range: 300.0, flags: Some(LightFlags(0)) };
    add_item(&mut map, tower, Item::Entity(EntityKind::Light(light)), [0.0, 0.0, 140.0]);
    let nodes = [[0.0; 3], [64.0, 0.0, 0.0], [64.0, 32.0, 0.0]];
    let path = Path {
        name: "round".into(),
        nodes: nodes.map(|point| PathNode { point, ..PathNode::default() }).to_vec(),
        edges: match dialect {
            Dialect::A4 | Dialect::A5 => Vec::new(),
            Dialect::Binary => vec![Edge { from: 0, to: 1, weight: 1.0, ..Edge::default() }],
            _ => vec![Edge { from: 1, to: 2, weight: 1.0, ..Edge::default() }],
        },
        ..Path::default()
    };
    add_item(&mut map, tower, Item::Entity(EntityKind::Path(path)), [5.0, 6.0, 7.0]);
    add_item(&mut map, all, Item::Block(cube(dialect, [200.0, 8.0, 32.0], "brick2")), [0.0, 300.0, 32.0]);
    add_item(
        &mut map,
        all,
        Item::Entity(EntityKind::Start(Start { name: "entry".into(), word_04: 0 })),
        [0.0, -50.0, 0.0],
    );
    if !matches!(dialect, Dialect::A4) {
        let sound = Sound { file: "wind.wav".into(), numbers: [50.0, 0.0, 0.0, 500.0], ..Sound::default() };
        add_item(&mut map, all, Item::Entity(EntityKind::Sound(sound)), [1.0, 2.0, 3.0]);
    }
    if dialect == Dialect::Binary {
        let (minimum, maximum) = ([-10.0; 3], [10.0, 20.0, 30.0]);
        let region = Region { name: "water".into(), minimum, maximum, word_04: 0 };
        add_item(&mut map, all, Item::Entity(EntityKind::Region(region)), [0.0; 3]);
    }
    map.renumber();
    map
}

fn source(path: &str) -> TextureSource {
    TextureSource { path: path.into(), enabled: 1 }
}

/// A corpus map.
pub(crate) struct Real {
    /// The name of the file.
    pub(crate) name: String,
    /// The file with the same map in another dialect.
    pub(crate) agrees: Option<String>,
    /// Its known features.
    pub(crate) features: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) map: Document,
}

/// Returns the corpus maps, if the corpus is available.
pub(crate) fn real() -> Vec<Real> {
    let Some(folder) = mapwright_testkit::corpus("wmp") else { return Vec::new() };
    let table = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let read = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let is_map = ["$$M-711", "710", "A4", "A5-510", "WMPB"].contains(&columns[5]);
        is_map.then(|| {
            let bytes = std::fs::read(folder.join(columns[0])).unwrap();
            let map = Document::from_bytes(&bytes).unwrap_or_else(|error| panic!("{}: {error}", columns[0]));
            let agrees = columns[8].strip_prefix("agrees:").map(str::to_owned);
            Real { name: columns[0].to_owned(), agrees, features: columns[9].to_owned(), bytes, map }
        })
    };
    let maps: Vec<Real> = table.lines().skip(1).filter_map(read).collect();
    assert!(maps.len() > 150);
    maps
}
