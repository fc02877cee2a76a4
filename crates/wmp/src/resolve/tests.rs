//! Maps by hand.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use super::*;
use crate::document::Part;
use crate::{Block, Member, Model, Object, Path, PathNode, Region, Start};

/// A map with these blocks and entities in the root, and a group with number 1 around object 2.
fn map(dialect: Dialect, held: Member) -> Document {
    let mut map = Document::new(dialect);
    let mut group = Object::new(1);
    group.position = [100.0, 0.0, 0.0];
    group.members = vec![Member { kind: MemberKind::Object, number: 2 }].into();
    let mut leaf = Object::new(2);
    leaf.position = [0.0, 10.0, 1.0];
    leaf.members = vec![held].into();
    map.objects[0].members.push(Member { kind: MemberKind::Object, number: 1 });
    map.objects.extend([group, leaf].map(Part::new));
    map
}

fn block(dialect: Dialect) -> Document {
    let mut map = map(dialect, Member { kind: MemberKind::Block, number: 0 });
    let vertices = vec![[0.0, 0.0, 0.0], [0.0, 8.0, 0.0], [8.0, 8.0, 0.0], [8.0, 0.0, 0.0]];
    let face = Face {
        corners: vec![0, 1, 2, 3].into(),
        texture: "brick".into(),
        mapping: Some(Arc::new([1.0, 2.0, 0.0, 2.0, 1.0])),
        ..Face::default()
    };
    let mut block = Block::new(0, Mesh { vertices, faces: vec![face] });
    block.flags = BlockFlags::TEXTURE_LOCK;
    map.blocks.push(Part::new(block));
    map
}

fn model(dialect: Dialect, skills: usize, file: &str) -> Document {
    let mut map = map(dialect, Member { kind: MemberKind::Model, number: 1 });
    let model = Model { scale: [2.0; 3], file: file.into(), name: "m".into(), ..Model::new(skills) };
    map.entities.push(Part::new(Entity::new(1, EntityKind::Model(model))));
    map
}

fn gaps(map: &Document) -> Vec<(MemberKind, u32, GapKind)> {
    map.resolve().gaps.iter().map(|gap| (gap.what, gap.number, gap.kind)).collect()
}

#[test]
fn blocks_have_the_position_of_their_groups() {
    let resolved = block(Dialect::A7).resolve();
    let [block] = resolved.blocks.as_slice() else { panic!("{resolved:?}") };
    assert_eq!((block.block, block.object, block.origin), (0, 2, [100.0, 10.0, 1.0]));
    assert_eq!(block.vertices[2], [108.0, 18.0, 1.0]);
    let face = &block.faces[0];
    assert_eq!((face.normal.map(|part| part + 0.0), face.corners.len()), ([0.0, 0.0, 1.0], 4));
    // U is (x - 100) / 2 + 1, V is -(y - 10) + 2.
    assert_eq!(face.vectors, [[0.5, 0.0, 0.0, -49.0], [0.0, -1.0, 0.0, 12.0]]);
    assert_eq!(gaps(&block_of_a5()), []);
    assert_eq!(block_of_a5().resolve().blocks[0].faces[0].vectors, [[0.5, 0.0, 0.0, 1.0], [0.0, -1.0, 0.0, 2.0]]);
}

fn block_of_a5() -> Document {
    block(Dialect::A5)
}

#[test]
fn groups_are_rotated_and_scaled() {
    let mut map = block(Dialect::A4);
    map.objects[1].angles = [FRAC_PI_2, 0.0, 0.0];
    map.objects[1].scale = [2.0; 3];
    let block = &map.resolve().blocks[0];
    // Clockwise: y runs to x.
    assert_eq!(block.origin.map(f64::round), [120.0, 0.0, 2.0]);
    assert_eq!(block.vertices[1].map(f64::round), [136.0, 0.0, 2.0]);
}

#[test]
fn planes_become_polygons() {
    let mut map = block(Dialect::A4);
    let side = |axis: usize, at: f64| {
        let mut points = [[0.0; 3], [0.0; 3], [0.0; 3]];
        let (u, v) = if at > 0.0 { ((axis + 2) % 3, (axis + 1) % 3) } else { ((axis + 1) % 3, (axis + 2) % 3) };
        points[1][u] = 1.0;
        points[2][v] = 1.0;
        points.iter_mut().for_each(|point| point[axis] = at);
        PlaneFace {
            points,
            texture: "brick".into(),
            mapping: [0.0, 0.0, 0.0, 1.0, 1.0],
            flags: FaceFlags(3),
            flags2: FaceFlags(1 << 7),
            ..PlaneFace::default()
        }
    };
    let sides: Vec<_> = (0..3).flat_map(|axis| [side(axis, 8.0), side(axis, -8.0)]).collect();
    map.blocks[0].shape = Shape::Planes(sides.clone());
    let resolved = map.resolve();
    let block = &resolved.blocks[0];
    assert_eq!((block.vertices.len(), block.faces.len(), resolved.gaps.len()), (8, 6, 0));
    assert!(block.faces.iter().all(|face| face.corners.len() == 4 && face.flags.has(FaceFlags::MIRROR)));
    assert_eq!(block.faces[0].normal.map(f64::round), [1.0, 0.0, 0.0]);
    assert_eq!(block.faces[0].plane.map(|plane| plane[0]), Some([108.0, 10.0, 1.0]));
    map.blocks[0].shape = Shape::Planes(vec![sides[0].clone(); MAX_PLANES + 1]);
    assert_eq!(gaps(&map), [(MemberKind::Block, 0, GapKind::Planes)]);
}

#[test]
fn entities_rotate_by_the_rules_of_their_dialect() {
    let angles = |mut map: Document, heading: f64| {
        map.objects[2].angles = [heading, 0.0, 0.0];
        let entity = map.resolve().entities.remove(0);
        (entity.position, entity.angles[0].round(), entity.scale[0], entity.has_mirrored_heading)
    };
    let at = [100.0, 10.0, 1.0];
    assert_eq!(angles(model(Dialect::A5, 20, "a.wmb"), 0.0), (at, 90.0, 2.0, false));
    assert_eq!(angles(model(Dialect::A7, 20, "a.mdl"), FRAC_PI_2), (at, 90.0, 2.0, false));
    assert_eq!(angles(model(Dialect::A7, 8, "a.wmb"), FRAC_PI_2), (at, 90.0, 2.0, false));
    assert_eq!(angles(model(Dialect::A7, 20, "A.WMB"), FRAC_PI_2), (at, 0.0, 2.0, true));
    // Binary maps store the scale only in the object.
    assert_eq!(angles(model(Dialect::Binary, 20, ".wmb"), 0.0), (at, 90.0, 1.0, true));
    assert_eq!(angles(model(Dialect::Resolved, 20, "a.wmb"), 30.0), (at, 30.0, 2.0, false));
}

#[test]
fn nodes_of_paths_rotate_with_them() {
    let mut map = map(Dialect::A5, Member { kind: MemberKind::Path, number: 1 });
    let nodes = [[0.0; 3], [10.0, 0.0, 0.0]].map(|point| PathNode { point, ..PathNode::default() });
    let path = Path { nodes: nodes.to_vec(), ..Path::default() };
    map.entities.push(Part::new(Entity::new(1, EntityKind::Path(path))));
    let nodes = |map: &Document| map.resolve().entities.remove(0).nodes;
    assert_eq!(nodes(&map), [[100.0, 10.0, 1.0], [100.0, 20.0, 1.0]]);
    map.dialect = Dialect::Resolved;
    assert_eq!(nodes(&map), [[0.0; 3], [10.0, 0.0, 0.0]]);
}

#[test]
fn parts_without_a_position_are_reported() {
    let mut map = block(Dialect::Binary);
    let again = [MemberKind::Object, MemberKind::Block].map(|kind| Member { kind, number: 0 });
    map.objects[2].members.extend(again);
    map.objects[2].members.push(Member { kind: MemberKind::Model, number: 7 });
    let region = Entity::new(3, EntityKind::Region(Region::default()));
    map.entities.push(Part::new(region));
    map.objects.push(Part::new(Object::new(9)));
    let lost = Block::new(8, Mesh::default());
    map.blocks.push(Part::new(lost));
    map.objects[3].members.push(Member { kind: MemberKind::Block, number: 8 });
    let found = [(MemberKind::Block, 8, GapKind::Unowned), (MemberKind::Region, 3, GapKind::Unowned)];
    assert_eq!(gaps(&map), found);
    let resolved = map.resolve();
    assert_eq!((resolved.blocks.len(), resolved.gaps[0].to_string()), (1, "block 8 is not below the root".into()));
    map.objects.clear();
    assert_eq!((map.resolve().blocks.len(), gaps(&map).len()), (0, 3));
}

#[test]
fn long_chains_of_objects_are_resolved() {
    let mut map = Document::new(Dialect::A7);
    let count = 200_000;
    for number in 1..=count {
        map.objects[number as usize - 1].members.push(Member { kind: MemberKind::Object, number });
        map.objects.push(Part::new(Object::new(number)));
    }
    let start = Entity::new(1, EntityKind::Start(Start::default()));
    map.entities.push(Part::new(start));
    map.objects[count as usize].members.push(Member { kind: MemberKind::Start, number: 1 });
    assert_eq!(map.resolve().entities.len(), 1);
}

#[test]
fn broken_faces_are_reported() {
    let mut map = block(Dialect::A7);
    let Shape::Mesh(mesh) = &mut map.blocks[0].shape else { panic!("a mesh") };
    mesh.vertices[0] = [f64::NAN, f64::INFINITY, 0.0];
    mesh.faces.push(Face { corners: vec![0, 9, 1].into(), ..Face::default() });
    mesh.faces.push(Face { bare: true, ..Face::default() });
    let resolved = map.resolve();
    let faces = &resolved.blocks[0].faces;
    assert_eq!(faces.iter().map(|face| face.corners.len()).collect::<Vec<_>>(), [4, 0, 0]);
    assert_eq!((faces[1].texture.clone(), faces[2].texture.clone()), (Some(Name::NONE), None));
    assert_eq!(gaps(&map), [(MemberKind::Block, 0, GapKind::Vertices)]);
}

#[test]
fn single_precision_rounds_at_each_step() {
    let mut map = block(Dialect::Binary);
    map.objects[1].position = [0.1, 0.2, 0.3];
    let options = ResolveOptions::default().with_precision(Precision::Single);
    let block = &map.resolve_with(&options).blocks[0];
    let step = |a: f32, b: f32| f64::from(a + b);
    assert_eq!(block.origin, [step(0.1, 0.0), step(0.2, 10.0), step(0.3, 1.0)]);
    assert_eq!(block.vertices[2], [step(0.1, 8.0), step(10.2, 8.0), block.origin[2]]);
}

#[test]
fn colours_of_binary_maps_become_percent() {
    let mut map = Document::new(Dialect::Binary);
    let Some(EntityKind::Level(level)) = map.entities.first_mut().map(|entity| &mut entity.kind) else { panic!() };
    level.colours = vec![[255.0, 51.0, 0.0]; 3];
    let sun = map.resolve().sun.unwrap();
    assert_eq!((sun.colour, sun.fogs), (Some([100.0, 20.0, 0.0]), vec![[100.0, 20.0, 0.0]]));
    assert_eq!(colour::light_to_percent(Dialect::Binary, [255.0, 0.0, 0.0])[0], 100.0);
    assert_eq!(colour::light_to_percent(Dialect::A7, [255.0, 0.0, 0.0])[0], 255.0);
}
