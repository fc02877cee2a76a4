//! Problems of maps.

use crate::maps;

use std::collections::BTreeSet;
use std::sync::Arc;

use mapwright_wmp::io::{Finding, Severity};
use mapwright_wmp::query::{EditObjects, EditOptions};
use mapwright_wmp::{
    BlockFlags, Chunk, Dialect, Document, Edge, Entity, EntityKind, FaceFlags, FileKind, Member, MemberKind, Mesh,
    Name, Object, Part, Presence, Shape, TextureSource,
};

use maps::{Item, add_item, cube, model, real, village};

fn found(map: &Document) -> Vec<String> {
    map.validate().iter().map(ToString::to_string).collect()
}

fn codes(findings: &[Finding]) -> BTreeSet<&'static str> {
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn maps_of_the_editor_have_no_findings() {
    for dialect in Dialect::ALL {
        let map = village(dialect);
        let mut usual = BTreeSet::new();
        if map.wed.is_some() {
            usual.insert("wad-absolute");
        }
        if matches!(dialect, Dialect::A7 | Dialect::Binary) {
            usual.insert("map-entity-turned");
        }
        if dialect == Dialect::A5 {
            usual.insert("lock-no-effect");
        }
        assert_eq!(codes(&map.validate()), usual, "{dialect:?}");
    }
}

/// Returns the findings after a change, without those of the unchanged village.
fn findings_after(dialect: Dialect, change: impl FnOnce(&mut Document)) -> Vec<String> {
    let mut map = village(dialect);
    let before = found(&map);
    change(&mut map);
    found(&map).into_iter().filter(|finding| !before.contains(finding)).collect()
}

fn mesh(map: &mut Document, block: usize) -> &mut Mesh {
    match &mut map.blocks[block].shape {
        Shape::Mesh(mesh) => mesh,
        Shape::Planes(_) => panic!(),
    }
}

fn member(kind: MemberKind, number: u32) -> Member {
    Member { kind, number }
}

#[test]
fn broken_trees_are_errors() {
    let reported = findings_after(Dialect::A7, |map| {
        map.objects[1].members.extend([member(MemberKind::Block, 99), member(MemberKind::Object, 0)]);
        map.objects[1].members.push(member(MemberKind::Block, 0));
    });
    let wanted = [
        "error[member-missing]: there is no block 99 in objects[1]",
        "error[member-cycle]: object 0 contains itself in objects[1]",
    ];
    assert_eq!(reported[..2], wanted);
    assert!(reported.iter().any(|finding| finding.starts_with("error[member-twice]")), "{reported:?}");
}

#[test]
fn problems_of_numbers_and_parents_are_reported() {
    let reported = findings_after(Dialect::A7, |map| {
        map.header.counts.as_mut().unwrap().blocks = 9;
        map.blocks[1].index = Some(7);
        map.blocks.swap(0, 2);
        map.objects[2].members.pop();
        map.objects.push(Part::new(Object::new(77)));
    });
    let wanted = [
        "warning[orphan]: object 8 is not in the tree of the root, so the level does not contain it in objects[8]",
        "warning[orphan]: object 77 is not in the tree of the root, so the level does not contain it in objects[12]",
        "warning[counts]: the header states 9 blocks, the map has 3 in header",
        "warning[counts]: the header states 12 objects, the map has 13 in header",
        "warning[block-index]: block 1 ends with the number 7 in blocks[1]",
        "warning[numbering]: blocks are not numbered in the order of the tree: expected 0, found 0 in blocks",
    ];
    for line in wanted {
        assert!(reported.contains(&line.to_owned()), "{line}: {reported:#?}");
    }
    assert!(reported.iter().any(|line| line.starts_with("note[group-empty]: object 77")));
    let reported = findings_after(Dialect::A7, |map| {
        let group = add_item(map, 0, Item::Group("a"), [0.0; 3]);
        add_item(map, group, Item::Group("b"), [0.0; 3]);
        map.renumber();
    });
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        reported[0].starts_with("note[group-empty]") && reported[1].starts_with("note[group-unused]"),
        "{reported:?}"
    );
}

/// A finding, and the change of a mesh that causes it.
type Case = (&'static str, &'static dyn Fn(&mut Mesh));

#[test]
fn problems_of_shapes_are_reported() {
    let cases: [Case; 9] = [
        ("error[vertex-range]: vertex index 8 out of range (8 vertices) in blocks[1].faces[2]", &|mesh| {
            mesh.faces[2].corners[0] = 8;
        }),
        ("error[number-nan]: a vertex is not finite in blocks[1]", &|mesh| mesh.vertices[0][1] = f64::NAN),
        ("warning[block-open]: the block is not closed: 4 edges without exactly two faces in blocks[1]", &|mesh| {
            mesh.faces.pop();
        }),
        ("warning[face-vertices]: a face has only 2 distinct vertices in blocks[1].faces[6]", &|mesh| {
            let mut face = mesh.faces[0].clone();
            face.corners.truncate(2);
            mesh.faces.push(face);
        }),
        ("warning[face-duplicate]: a face has the same vertices as an earlier one in blocks[1].faces[6]", &|mesh| {
            mesh.faces.push(mesh.faces[0].clone());
        }),
        ("warning[face-not-planar]: vertices are up to 0.734 quants off the plane in blocks[1].faces[0]", &|mesh| {
            mesh.vertices[0][0] -= 3.0;
        }),
        (
            "warning[block-concave]: the block is not convex and is not marked as a mesh (flag 5) in blocks[1]",
            &|mesh| {
                mesh.vertices[0] = [7.0, 7.0, 3.0];
            },
        ),
        ("warning[block-inside-out]: faces look inward: the volume is negative in blocks[1]", &|mesh| {
            mesh.faces.iter_mut().for_each(|face| face.corners.reverse());
        }),
        ("warning[block-flat]: a block without volume in blocks[1]", &|mesh| {
            mesh.vertices.iter_mut().for_each(|vertex| vertex[2] = 0.0);
        }),
    ];
    for (wanted, change) in cases {
        let reported = findings_after(Dialect::A7, |map| change(mesh(map, 1)));
        assert!(reported.contains(&wanted.to_owned()), "{wanted}: {reported:#?}");
    }
    // Problems of meshes that need not be convex.
    let reported = findings_after(Dialect::Binary, |map| {
        map.blocks[1].flags = BlockFlags::CONCAVE;
        mesh(map, 1).faces.pop();
    });
    assert!(reported.iter().all(|line| line.starts_with("note[mesh-open]")) && reported.len() == 1, "{reported:?}");
    let reported = findings_after(Dialect::Binary, |map| map.blocks[1].flags = BlockFlags::CONCAVE);
    assert_eq!(reported, ["warning[block-convex]: a convex block that is marked as a mesh (flag 5) in blocks[1]"]);
    let reported = findings_after(Dialect::Binary, |map| {
        let mesh = mesh(map, 1);
        mesh.vertices.push(mesh.vertices[3]);
        mesh.faces[1].corners.iter_mut().filter(|corner| **corner == 3).for_each(|corner| *corner = 8);
        mesh.faces[0].bare = true;
    });
    let wanted = [
        "note[vertex-duplicate]: 1 vertex at the position of another in blocks[1]",
        "note[face-bare]: no texture on 1 of 6 faces: drawn with the default texture in blocks[1]",
    ];
    assert_eq!(reported, wanted);
}

#[test]
fn problems_of_planes_are_reported() {
    let planes =
        |map: &mut Document, change: &dyn Fn(&mut Vec<mapwright_wmp::PlaneFace>)| match &mut map.blocks[1].shape {
            Shape::Planes(planes) => change(planes),
            Shape::Mesh(_) => panic!(),
        };
    let reported = findings_after(Dialect::A4, |map| planes(map, &|planes| planes[0].points[1] = planes[0].points[0]));
    assert_eq!(reported[0], "warning[face-degenerate]: the three points are on one line in blocks[1].faces[0]");
    assert!(reported[1].starts_with("warning[block-open]"), "{reported:?}");
    let reported = findings_after(Dialect::A4, |map| {
        planes(map, &|planes| {
            let mut far = planes[1].clone();
            far.points.iter_mut().for_each(|point| point[0] += 100.0);
            planes.push(far);
        });
    });
    assert_eq!(
        reported,
        ["note[plane-unused]: the plane is outside of the body: the face is not drawn in blocks[1].faces[6]"]
    );
    let reported = findings_after(Dialect::A4, |map| {
        planes(map, &|planes| planes.iter_mut().for_each(|plane| plane.points.reverse()));
    });
    assert_eq!(reported, ["warning[block-empty]: the planes enclose no body in blocks[1]"]);
}

#[test]
fn problems_of_textures_and_flags_are_reported() {
    let reported = findings_after(Dialect::A7, |map| {
        map.blocks[0].flags.0 |= 1 << 9;
        let mesh = mesh(map, 0);
        mesh.faces[0].texture = "a_name_of_16_let".into();
        mesh.faces[1].vectors = Some(Arc::new([[1.0, 0.0, 0.0, 5.0], [2.0, 0.0, 0.0, 0.0]]));
        mesh.faces[2].mapping = Some(Arc::new([0.0, 0.0, 0.0, 0.0, 1.0]));
        mesh.faces[3].flags = FaceFlags(1 << 10 | 3);
        mesh.faces[4].ambient = f64::INFINITY;
    });
    let wanted = [
        "error[number-nan]: a number of the texture is not finite in blocks[0].faces[4]",
        "warning[flags]: unknown flags 0x200 in blocks[0]",
        "warning[texture-long]: the name \"a_name_of_16_let\" has 16 bytes, expected at most 15 in blocks[0].faces[0]",
        "warning[vectors-degenerate]: texture vectors are zero or parallel: the texture becomes a line in \
         blocks[0].faces[1]",
        "warning[scale-zero]: a texture scale of 0 is treated as 1 in blocks[0].faces[2]",
        "warning[flags]: unknown flags 0x400 in blocks[0].faces[3]",
    ];
    assert_eq!(reported, wanted);
    let reported = findings_after(Dialect::A5, |map| {
        let turned = map.apply(&"turn kind=block and #1: 45".parse().unwrap(), &EditOptions::default());
        turned.unwrap();
    });
    let wanted = "note[face-ambiguous]: 4 faces at exactly 45° without texture vectors: the compiler's choice of axes depends on rounding \
                  in blocks[1]";
    assert_eq!(reported, [wanted]);
}

#[test]
fn problems_of_entities_are_reported() {
    let reported = findings_after(Dialect::A7, |map| {
        for (place, entity) in (0..).zip(&mut map.entities) {
            match &mut entity.kind {
                EntityKind::Model(model) if place == 1 => {
                    model.flags.0 = 1 << 31;
                    model.tail[0] = "nowhere".into();
                    model.tail[1] = "nobody".into();
                    model.file = "a_file_name_of_more_than_32_bytes.mdl".into();
                }
                EntityKind::Light(light) => light.range = 0.0,
                EntityKind::Path(path) => path.edges.push(Edge { from: 0, to: 3, ..Edge::default() }),
                EntityKind::Start(start) => start.name = Name::from(&[b'x'; 33][..]),
                EntityKind::Sound(sound) => sound.flags.0 = 2,
                _ => {}
            }
        }
        let eight = model(Dialect::A7, "a name of 20 letters", "a_longer.file", 8);
        add_item(map, 0, Item::Entity(EntityKind::Model(eight.clone())), [0.0; 3]);
        add_item(map, 0, Item::Entity(EntityKind::Model(eight)), [f64::NAN; 3]);
        map.renumber();
    });
    for wanted in [
        "error[number-nan]: position, angles or scale are not finite in objects[",
        "warning[flags]: unknown flags 0x80000000 in entities[1]",
        "warning[path-missing]: there is no path \"nowhere\" in entities[1]",
        "warning[target-missing]: there is no entity \"nobody\" in entities[1]",
        "note[file-long]: the file name \"a_file_name_of_more_than_32_bytes.mdl\" has 37 bytes, the engine truncates it to 32",
        "warning[light-range]: a light with a range of 0",
        "warning[edge-node]: an edge from node 0 to 3 is out of range (3 nodes) in entities[4].edges[1]",
        "note[name-long]: the name \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" has 33 bytes, the engine truncates it to 32",
        "warning[flags]: unknown flags 0x2",
        "note[name-long]: the name \"a name of 20 letters\" has 20 bytes, the engine truncates it to 19",
        "note[file-long]: the file name \"a_longer.file\" has 13 bytes, the engine truncates it to 12",
        "note[name-repeated]: 2 models have the name \"a name of 20 letters\"",
    ] {
        assert!(reported.iter().any(|line| line.starts_with(wanted)), "{wanted}: {reported:#?}");
    }
    let reported = findings_after(Dialect::Resolved, |map| {
        let edit = "set name=guard: path=2".parse().unwrap();
        map.apply(&edit, &EditOptions::default()).unwrap();
    });
    assert_eq!(reported, ["warning[path-missing]: path 2 out of range (1 paths) in entities[1]"]);
}

#[test]
fn unknown_data_is_reported() {
    let reported = findings_after(Dialect::Binary, |map| {
        map.objects[2].extra.push(Chunk { index: 0, bytes: vec![0; 12] });
        map.header.around.push(Chunk { index: 0, bytes: vec![0; 9] });
    });
    let wanted = [
        "warning[chunk-unknown]: 9 bytes of unknown chunks preserved in header",
        "warning[chunk-unknown]: 12 bytes of unknown chunks preserved in objects[2]",
    ];
    assert_eq!(reported, wanted);
    let reported = findings_after(Dialect::A7, |map| {
        let mut entity = Entity::new(9, map.entities[1].kind.clone());
        entity.lines.push("odd".into());
        map.entities[1] = Part::new(Entity { number: 1, ..entity });
    });
    assert_eq!(reported, ["warning[lines-unknown]: 1 unknown line preserved in entities[1]"]);
    let mut text = village(Dialect::A7).to_bytes().unwrap();
    let before = codes(&Document::from_bytes(&text).unwrap().validate());
    let carriage = text.windows(2).rposition(|pair| pair == b"\r\n").unwrap();
    text.remove(carriage);
    let now = codes(&Document::from_bytes(&text).unwrap().validate());
    assert_eq!(now.difference(&before).collect::<Vec<_>>(), [&"line-ends"]);
}

#[test]
fn each_file_is_looked_up_once() {
    let mut map = village(Dialect::A7);
    add_item(&mut map, 0, Item::Entity(EntityKind::Model(model(Dialect::A7, "b", "guard.mdl", 20))), [0.0; 3]);
    add_item(&mut map, 0, Item::Block(cube(Dialect::A7, [1.0; 3], "x")), [0.0; 3]);
    map.renumber();
    map.wed.as_mut().unwrap().wads.push(TextureSource { path: "build.$$W".into(), enabled: 1 });
    let asked = std::cell::RefCell::new(Vec::new());
    let findings = map.validate_with(&|kind, name| {
        asked.borrow_mut().push((kind, name.to_string()));
        match kind {
            FileKind::Model if *name == "guard.mdl" => Presence::Missing,
            FileKind::Sound => Presence::OtherCase("WIND.WAV".into()),
            _ => Presence::Found,
        }
    });
    let reported: Vec<String> = findings.iter().map(ToString::to_string).collect();
    for wanted in [
        "warning[model-missing]: the model \"guard.mdl\" is missing in entities[1]",
        "warning[file-case]: the sound \"wind.wav\" exists as \"WIND.WAV\" in entities[6]",
        "note[wad-temporary]: \"build.$$W\" is created by each build, and is empty before in wed.wads[2]",
    ] {
        assert!(reported.contains(&wanted.to_owned()), "{wanted}: {reported:#?}");
    }
    let asked = asked.into_inner();
    assert_eq!(asked.len(), asked.iter().collect::<BTreeSet<_>>().len());
    assert_eq!(asked.len(), 6);
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_maps_have_their_known_findings() {
    let maps = real();
    for map in &maps {
        for finding in map.map.validate() {
            assert!(finding.severity < Severity::Error, "{}: {finding}", map.name);
        }
    }
    if maps.is_empty() {
        return;
    }
    let says = |name: &str| codes(&maps.iter().find(|map| map.name == name).unwrap().map.validate());
    for (name, code) in [
        ("cc-by-nc/ack4stuff_hh_demo_cube.wmp", "group-empty"),
        ("unstated/marble_menu.wmp", "wad-temporary"),
        ("cc-by-nc/flw_waterl1.wmp", "wad-temporary"),
        ("unstated/shadow_main.wmp", "wad-absolute"),
        ("mit/libgs_wmb6_prefab.wmp", "wad-absolute"),
        ("cc-by-nc/flw_l6.wmp", "lock-no-effect"),
        ("unstated/ackmania_lotteria_level01_v7.wmp", "mesh-open"),
        ("unstated/ackmania_lotteria_level01_v7.wmp", "vertex-duplicate"),
        ("unstated/lottvsworld_prototype_wmb.wmp", "block-flat"),
        ("unstated/lottvsworld_prototype_wmb.wmp", "face-bare"),
        ("unstated/shadow_intro1.wmp", "face-bare"),
        ("unstated/gex4_l1.wmp", "map-entity-turned"),
        ("unstated/rocker_lvl42.wmp", "map-entity-turned"),
        ("unstated/gex4_l1.wmp", "name-repeated"),
        ("cc-by-nc/flw_l1.wmp", "name-repeated"),
    ] {
        assert!(says(name).contains(code), "{name} without {code}");
    }
    // Blocks of text are convex, closed and planar. Other meshes are marked.
    let forms =
        ["block-open", "block-concave", "block-convex", "block-inside-out", "face-not-planar", "face-degenerate"];
    for map in &maps {
        let found = codes(&map.map.validate());
        assert!(forms.iter().all(|code| !found.contains(code)), "{}: {found:?}", map.name);
    }
}
