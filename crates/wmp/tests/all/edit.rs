//! Edits of maps.

use crate::maps;

use mapwright_io::math;
use mapwright_wmp::edit::{EditError, Motion, PartIndex};
use mapwright_wmp::io::Severity;
use mapwright_wmp::query::{Edit, EditObjects, EditOptions, Glob, QueryError};
use mapwright_wmp::{Dialect, Document, EntityKind, MemberKind, Model, Shape};

use maps::{Item, add_item, cube, real, village};

fn edit(map: &mut Document, text: &str) -> String {
    let edit: Edit = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    map.apply(&edit, &EditOptions::default()).unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

fn fails(map: &mut Document, text: &str) -> QueryError {
    let before = map.clone();
    let error = text.parse::<Edit>().and_then(|edit| map.apply(&edit, &EditOptions::default())).unwrap_err();
    assert_eq!(*map, before, "{text}");
    error
}

fn find(map: &Document, text: &str) -> Vec<PartIndex> {
    map.find(&text.parse().unwrap()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Transforms the whole map.
fn transform(map: &mut Document, motion: Motion) {
    map.transform(&[PartIndex::Object(0)], &motion).unwrap();
}

fn turn(turn: [f64; 3], about: [f64; 3]) -> Motion {
    Motion { turn, about: Some(about), ..Motion::NONE }
}

fn model<'a>(map: &'a Document, name: &str) -> &'a Model {
    let of = |entity: &'a mapwright_wmp::Part<mapwright_wmp::Entity>| match &entity.kind {
        EntityKind::Model(model) if model.name == *name => Some(model),
        _ => None,
    };
    map.entities.iter().find_map(of).unwrap()
}

fn textures(map: &Document) -> Vec<String> {
    let of = |shape: &Shape| match shape {
        Shape::Planes(faces) => faces[0].texture.to_string(),
        Shape::Mesh(mesh) => mesh.faces[0].texture.to_string(),
    };
    map.blocks.iter().map(|block| of(&block.shape)).collect()
}

#[test]
fn names_are_changed_everywhere() {
    for dialect in Dialect::ALL {
        let mut map = village(dialect);
        assert_eq!(edit(&mut map, "rename texture BRICK* stone"), "12 face textures renamed");
        assert_eq!(textures(&map), ["stone", "wood", "stone"]);
        assert_eq!(edit(&mut map, "rename model guard.mdl 'a b.mdl'"), "1 file renamed");
        assert_eq!(model(&map, "guard").file, "a b.mdl");
        if map.wed.is_some() {
            assert_eq!(edit(&mut map, "wads shift c:/GAMES/wads D:\\new"), "1 texture source changed");
            assert_eq!(edit(&mut map, "rename wad local.wad other.wad"), "1 texture source renamed");
            let paths: Vec<_> = map.wed.as_ref().unwrap().wads.iter().map(|wad| wad.path.to_string()).collect();
            assert_eq!(paths, ["D:\\new\\standard.wad", "other.wad"]);
            // The start must end where a name ends.
            let error = fails(&mut map, "wads shift D:\\ne E:").to_string();
            assert!(error.contains("no texture source begins with"), "{error}");
        }
    }
    let mut map = village(Dialect::A7);
    let table = [("wood", "brick1"), ("brick1", "wood")]
        .map(|(from, to)| (Glob::literal(from.as_bytes()), to.as_bytes().to_vec()));
    assert_eq!(map.rename_textures_by(&table).unwrap(), [6, 6]);
    assert_eq!(textures(&map), ["wood", "brick1", "brick2"]);
    for text in ["rename texture wood 'a b'", "rename model * a>b"] {
        assert!(fails(&mut map, text).to_string().starts_with("invalid name"), "{text}");
    }
    assert_eq!(edit(&mut map, "set kind=block and texture=wood: material=old"), "1 of 1 object changed");
    assert_eq!(edit(&mut map, "rename material old new"), "1 material renamed");
}

#[test]
fn queries_find_objects_by_their_fields() {
    let map = village(Dialect::A7);
    assert_eq!(find(&map, "kind=model and #1"), [PartIndex::Entity(1)]);
    assert_eq!(find(&map, "kind=block and texture=brick* and z>40"), [PartIndex::Block(0)]);
    for (text, wanted) in [
        ("kind=entity", 6),
        ("kind=group", 2),
        ("kind=group and name=Tower", 1),
        ("class=model and file=*.wmb", 1),
        ("kind=model and model!=*.wmb", 1),
        ("skill20=0", 2),
        ("kind=model and material=\"\"", 2),
        ("kind=entity and group=tow*", 4),
        ("kind=entity and not group=tow*", 2),
        ("kind=block and group=Tower", 2),
        ("kind=block and flags~TEXTURE_LOCK", 1),
        ("kind=block and not texture=brick*", 1),
        ("faces=6 and x>=100 and y<200", 1),
        ("range>299 and colour=\"100,50,0\"", 1),
        ("nodes=3", 1),
        ("kind=start and number>0", 1),
        ("kind=model and name=g*d", 1),
        ("name=nobody", 0),
    ] {
        assert_eq!(find(&map, text).len(), wanted, "{text}");
    }
    for wrong in ["thing", "kind=thing", "skill=1", "ambient=x", "nosuchfield=1"] {
        let found = wrong.parse().and_then(|query| map.find(&query));
        assert!(found.is_err(), "{wrong}");
    }
}

#[test]
fn fields_are_set() {
    let mut map = village(Dialect::A7);
    let report = edit(&mut map, "set name=guard: action=patrol, skill1=5, ambient-=10, flags+=SHADOW|0b1, string1=hi");
    assert_eq!(report, "1 of 1 object changed");
    let guard = model(&map, "guard");
    assert_eq!((&guard.action.to_string()[..], *guard.skills[0].get(), guard.ambient), ("patrol", 5.0, -10.0));
    assert_eq!(guard.flags.0, 1 << 18 | 1);
    assert_eq!(guard.tail.iter().map(ToString::to_string).collect::<Vec<_>>(), ["", "", "", "hi", ""]);
    edit(&mut map, "set kind=model and file=*.mdl: scale=\"2,2,3\"");
    assert_eq!((model(&map, "guard").scale, map.objects[5].scale), ([2.0, 2.0, 3.0], [2.0, 2.0, 3.0]));
    edit(&mut map, "set texture=wood: texture=steel, material=hard, flags=DETAIL");
    assert_eq!(textures(&map), ["brick1", "steel", "brick2"]);
    assert_eq!((map.blocks[1].flags.0, &map.blocks[1].material), (16, &"hard".into()));
    edit(&mut map, "set level: nexus+=10, sun=\"1,2,3\"");
    let level = map.level().unwrap();
    assert_eq!((level.nexus, level.colours[0]), (40, [1.0, 2.0, 3.0]));
    assert_eq!(edit(&mut map, "set kind=group and #1: name=All"), "1 of 1 object changed");
    assert_eq!(edit(&mut map, "set kind=group and #1: name=All"), "0 of 1 object changed");
    assert_eq!(edit(&mut map, "set name=guard: action='stand still'"), "1 of 1 object changed");
    assert_eq!(model(&map, "guard").action.to_string(), "stand still");
    // Coordinates of the world move the object of a part.
    let before = map.objects[5].position;
    edit(&mut map, "set name=guard: z+=8");
    assert_eq!(map.objects[5].position, [before[0], before[1], before[2] + 8.0]);
}

#[test]
fn queries_and_edits_select_the_same_objects() {
    for dialect in Dialect::ALL {
        let map = village(dialect);
        for query in ["kind=entity", "x>0", "kind=model and skill1=0", "group=Tower", "kind=block", "number=1"] {
            let found = find(&map, query).len();
            let mut edited = map.clone();
            let edit: Edit = format!("set {query}: name=other").parse().unwrap();
            let options = EditOptions::default().with_allow_no_match(true);
            match edited.apply(&edit, &options) {
                Ok(edited) => assert_eq!(edited.matched, Some(found), "{dialect:?} {query}"),
                // Resolved maps store no names of blocks.
                Err(error) => assert!(dialect == Dialect::Resolved, "{query}: {error}"),
            }
        }
    }
}

#[test]
fn impossible_edits_are_rejected() {
    let mut map = village(Dialect::A5);
    for (text, wanted) in [
        ("set name=guard: path=round", "have no path in the 510 dialect"),
        ("set name=guard: skill21=1", "unknown field `skill21`"),
        ("set name=guard: skill=1", "unknown field `skill`"),
        ("set name=guard: ambient=x", "expected a number"),
        ("set kind=light: range=-5", "invalid range -5: expected a number of at least 0"),
        ("set kind=sound: volume=-1", "invalid volume -1"),
        ("set kind=sound: radius=-1", "invalid range -1"),
        ("set name=guard: action=a\\x0ab", "contains a line end"),
        ("set name=guard: name+=b", "use `=`"),
        ("set kind=block and #0: texture='a b'", "spaces would end it"),
        ("set kind=light: flags=FLAG1", "expected a number of 32 bits"),
        ("set level: nexus=1.5", "expected a whole number"),
        ("set kind=model", "expected `:`"),
        ("set name=nobody: action=x", "no object matches"),
        ("set kind=block: members=1", "have no field `members`"),
        ("set kind=group: members=1", "cannot be set"),
        ("delete", "expected a query"),
        ("delete name=nobody", "no object matches"),
        ("move name=Tower: 1,2", "expected quants"),
        ("turn name=Tower: 90 about 1,2", "expected degrees"),
        ("scale name=Tower: 0", "expected a number above 0"),
        ("scale name=Tower: -1,1,1", "expected a number above 0"),
        ("extract kind=group", "matches 2 objects"),
        ("extract name=guard", "cannot extract model \"guard\": expected a group"),
        ("extract name=Tower: foo", "expected only a query"),
        ("set name=guard: x=5, position=\"1,2,3\"", "position and x both move the object"),
        ("set name=guard: Position=\"1,2,3\", Z+=1", "position and z both move the object"),
        ("wads shift C: größe", "expected ASCII text"),
        ("frobnicate", "unknown edit"),
    ] {
        let error = fails(&mut map, text).to_string();
        assert!(error.contains(wanted), "{text}: {error}");
    }
    assert!(matches!(map.delete_parts(&[PartIndex::Object(0)]), Err(EditError::Required { .. })));
    let mut map = village(Dialect::Resolved);
    for (text, wanted) in [
        ("set level: nexus=60", "neither nexus nor script"),
        ("set level: script=main.c", "neither nexus nor script"),
        ("set level: fog1=\"0,0,0\"", "a level that stores this colour"),
        ("set kind=model: path=foo", "the number of a path"),
        ("set kind=model: target=1.5", "the number of a path"),
        ("rename model guard.mdl <a", "would be read as a file"),
        ("rename model guard.mdl 'a //b'", "would be read as a comment"),
        ("rename model guard.mdl }", "a brace"),
        ("set kind=sound: file='a '", "spaces at its ends"),
    ] {
        let error = fails(&mut map, text).to_string();
        assert!(error.contains(wanted), "{text}: {error}");
    }
    edit(&mut map, "set level: azimuth=45");
    edit(&mut map, "set kind=model: path=1");
    assert!(map.to_bytes().is_ok());
}

#[test]
fn names_that_lines_cannot_store_are_rejected() {
    for dialect in Dialect::ALL.into_iter().filter(|dialect| *dialect != Dialect::Binary) {
        let mut map = village(dialect);
        for text in ["set kind=model: name=}", "set kind=block: material=}", "set kind=model: action='a //b'"] {
            assert!(fails(&mut map, text).to_string().starts_with("invalid name"), "{text}");
        }
        // Text would read such a line as the start of a section.
        if dialect == Dialect::A7 {
            let mut braced = map.clone();
            edit(&mut braced, "set name=guard: string1=a{");
            let error = braced.to_bytes().unwrap_err().to_string();
            assert!(error.contains("its brace would open a section"), "{error}");
            let text = braced.convert(Dialect::Binary).document.convert(Dialect::A7).document.to_bytes().unwrap();
            assert_eq!(model(&Document::from_bytes(&text).unwrap(), "guard").tail[3], "a");
        }
        // This does not begin a comment.
        edit(&mut map, "set name=guard: action=a//b");
        assert_eq!(model(&Document::from_bytes(&map.to_bytes().unwrap()).unwrap(), "guard").action, "a//b");
    }
    for (dialect, name) in [(Dialect::Resolved, "set kind=model: name=b"), (Dialect::Binary, "set kind=model: name=b")]
    {
        // Parts without a name must not take part in the renaming.
        let mut map = village(dialect);
        edit(&mut map, "set kind=model: name=ndef");
        edit(&mut map, name);
        let read = Document::from_bytes(&map.to_bytes().unwrap()).unwrap();
        assert_eq!(model(&read, "b").name, "b");
    }
}

#[test]
fn invalid_positions_are_rejected() {
    for dialect in Dialect::ALL {
        let other = village(dialect);
        for place in [[f64::NAN, 0.0, 0.0], [0.0, f64::INFINITY, 0.0]] {
            let mut map = village(dialect);
            assert!(matches!(map.merge(&other, b"new", place), Err(EditError::Motion { .. })));
            assert_eq!(map, village(dialect));
        }
    }
}

#[test]
fn scaled_models_of_binary_maps_can_be_written() {
    let mut map = village(Dialect::Binary);
    edit(&mut map, "scale name=guard: 2");
    assert_eq!(model(&map, "guard").scale, [2.0; 3]);
    assert_eq!(model(&Document::from_bytes(&map.to_bytes().unwrap()).unwrap(), "guard").scale, [2.0; 3]);
}

#[test]
fn edits_are_linear() {
    let mut map = Document::new(Dialect::A7);
    let count = 100_000_u32;
    for number in 1..=count {
        map.entities.push(mapwright_wmp::Entity::new(number, EntityKind::Start(Default::default())).into());
        map.objects[0].members.push(mapwright_wmp::Member { kind: MemberKind::Start, number });
    }
    let start = std::time::Instant::now();
    assert_eq!(edit(&mut map, "move kind=start: 0,0,1"), "100000 of 100000 objects moved");
    // Searching all members for each part would take ten times as long.
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
    let mut other = Document::new(Dialect::A7);
    let wads = |letter: char| {
        let source =
            |number| mapwright_wmp::TextureSource { path: format!("{letter}{number}").as_str().into(), enabled: 1 };
        (0..count / 2).map(source).collect::<Vec<_>>()
    };
    map.wed.get_or_insert_default().wads = wads('a');
    other.wed.get_or_insert_default().wads = [wads('A'), wads('b')].concat();
    let start = std::time::Instant::now();
    assert_eq!(map.merge(&other, b"", [0.0; 3]).unwrap().sources, 50_000);
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn renaming_updates_references() {
    let mut map = village(Dialect::A7);
    edit(&mut map, "set name=guard: path=round, target=hut");
    let path = find(&map, "kind=path and name=round");
    let [PartIndex::Entity(path)] = path[..] else { panic!() };
    let leaf = map.objects.iter().position(|object| object.members.iter().any(|m| m.kind == MemberKind::Path)).unwrap();
    map.objects[leaf].name = "round".into();
    assert_eq!(
        edit(&mut map, "set kind=path and name=round: name=square"),
        "1 of 1 object changed; 1 reference renamed"
    );
    assert_eq!((&map.entities[path].comment, &map.objects[leaf].name), (&"square".into(), &"square".into()));
    assert_eq!(model(&map, "guard").tail[0], "square");
    assert_eq!(model(&map, "guard").tail[1], "hut");
}

#[test]
fn deleting_a_part_deletes_its_object() {
    for dialect in [Dialect::A4, Dialect::A5, Dialect::A7, Dialect::Binary] {
        let mut map = village(dialect);
        let (objects, blocks) = (map.objects.len(), map.blocks.len());
        assert_eq!(edit(&mut map, "delete kind=block and #0"), "1 block, 0 entities and 0 groups deleted");
        assert_eq!((map.objects.len(), map.blocks.len()), (objects - 1, blocks - 1));
        assert_eq!(edit(&mut map, "delete kind=group and name=Tower"), "1 block, 4 entities and 1 group deleted");
        assert_eq!(map.header.counts.unwrap().objects as usize, map.objects.len());
        assert_eq!(textures(&map), ["brick2"]);
        assert!(map.resolve().gaps.is_empty());
        let before = map.clone();
        map.renumber();
        assert_eq!(map, before);
    }
}

#[test]
fn references_to_paths_of_resolved_maps_are_updated() {
    let mut map = village(Dialect::Resolved);
    let path = |name: &str| EntityKind::Path(mapwright_wmp::Path { name: name.into(), ..Default::default() });
    add_item(&mut map, 0, Item::Entity(path("second")), [0.0; 3]);
    map.renumber();
    edit(&mut map, "set name=guard: path=2");
    edit(&mut map, "set name=hut: path=1");
    edit(&mut map, "delete kind=path and name=round");
    assert_eq!((&model(&map, "guard").tail[0], &model(&map, "hut").tail[0]), (&"1".into(), &"0".into()));
    let other = map.clone();
    map.merge(&other, b"", [0.0; 3]).unwrap();
    let paths = map.entities.iter().filter_map(|entity| match &entity.kind {
        EntityKind::Model(model) if model.name == "guard" => Some(model.tail[0].to_string()),
        _ => None,
    });
    assert_eq!(paths.collect::<Vec<_>>(), ["1", "2"]);
}

/// The points of a part in the world, and its rotation.
type Standing = (Vec<[f64; 3]>, [[f64; 3]; 3]);

/// Returns all parts of the map.
fn world(map: &Document) -> Vec<Standing> {
    let resolved = map.resolve();
    assert!(resolved.gaps.is_empty());
    let none = [[0.0; 3]; 3];
    let blocks = resolved.blocks.iter().map(|block| {
        // A4 stores three points. The first vertex of a polygon is arbitrary there.
        let points = |face: &mapwright_wmp::resolve::ResolvedFace| match face.plane {
            Some(points) => points.to_vec(),
            None => face.corners.iter().map(|&at| block.vertices[at as usize]).collect(),
        };
        assert!(block.faces.iter().all(|face| face.corners.len() == 4));
        (block.faces.iter().flat_map(points).collect(), none)
    });
    let entities = resolved.entities.iter().map(|entity| {
        let points = [entity.position].into_iter().chain(entity.nodes.iter().copied()).collect();
        let turns = matches!(map.entities[entity.entity].kind, EntityKind::Model(_) | EntityKind::Start(_));
        (points, if turns { entity.rotation } else { none })
    });
    blocks.chain(entities).collect()
}

fn near(a: [f64; 3], b: [f64; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
}

#[test]
fn moving_a_map_moves_the_world() {
    // The whole map about the origin: a rotation by 90°, then a scale, then a shift, then a tilt.
    for dialect in Dialect::ALL {
        let mut map = village(dialect);
        let before = world(&map);
        transform(&mut map, turn([90.0, 0.0, 0.0], [10.0, 0.0, 0.0]));
        transform(&mut map, Motion { scale: [2.0; 3], about: Some([0.0; 3]), ..Motion::NONE });
        transform(&mut map, Motion::shift([1.0, 2.0, 3.0]));
        let after = world(&map);
        for ((old, old_turn), (new, new_turn)) in before.iter().zip(&after) {
            for (old, new) in old.iter().zip(new) {
                let [x, y, z] = *old;
                let wanted = [2.0 * (10.0 - y) + 1.0, 2.0 * (x - 10.0) + 2.0, 2.0 * z + 3.0];
                assert!(near(*new, wanted), "{dialect:?}: {old:?} became {new:?}, not {wanted:?}");
            }
            let [x, y, z] = *old_turn;
            let wanted = [y.map(|part| -part), x, z];
            assert!(wanted.iter().zip(new_turn).all(|(a, b)| near(*a, *b)), "{dialect:?} {old_turn:?} {new_turn:?}");
        }
        let guard = find(&map, "name=guard");
        let guard =
            map.resolve().entities.into_iter().find(|entity| guard == [PartIndex::Entity(entity.entity)]).unwrap();
        assert!(near(guard.scale, [2.0; 3]), "{dialect:?}");
        let light = map.entities.iter().find_map(|entity| match &entity.kind {
            EntityKind::Light(light) => Some(light.range),
            _ => None,
        });
        assert!((light.unwrap() - 600.0).abs() < 1e-9);
        // A tilt and back.
        transform(&mut map, turn([10.0, 20.0, 30.0], [0.0; 3]));
        transform(&mut map, turn([0.0, 0.0, -30.0], [0.0; 3]));
        let tilted = world(&map);
        assert!(tilted.iter().zip(&after).any(|(a, b)| !near(a.0[0], b.0[0])));
    }
}

#[test]
fn groups_rotate_as_a_whole() {
    for dialect in Dialect::ALL {
        let mut map = village(dialect);
        let before = world(&map);
        transform(&mut map, turn([20.0, 30.0, 40.0], [1.0, 2.0, 3.0]));
        // R = Rz(20) Ry(-30) Rx(40).
        let turned = world(&map);
        let (sp, cp) = math::sin_cos(20f64.to_radians());
        let (st, ct) = math::sin_cos(30f64.to_radians());
        let (sr, cr) = math::sin_cos(40f64.to_radians());
        let rotate = |[x, y, z]: [f64; 3]| {
            let (y, z) = (y * cr - z * sr, y * sr + z * cr);
            let (x, z) = (x * ct - z * st, x * st + z * ct);
            [x * cp - y * sp, x * sp + y * cp, z]
        };
        for ((old, old_turn), (new, new_turn)) in before.iter().zip(&turned) {
            for (&[x, y, z], new) in old.iter().zip(new) {
                let [a, b, c] = rotate([x - 1.0, y - 2.0, z - 3.0]);
                assert!(near(*new, [a + 1.0, b + 2.0, c + 3.0]), "{dialect:?}");
            }
            for column in 0..3 {
                let of = |m: &[[f64; 3]; 3]| m.map(|row| row[column]);
                assert!(near(rotate(of(old_turn)), of(new_turn)), "{dialect:?}");
            }
        }
    }
}

#[test]
fn locked_textures_move_and_others_stay() {
    // Returns the texture coordinates of the face vertices of a block.
    let shown = |map: &Document, block: usize| -> Vec<[f64; 2]> {
        let resolved = map.resolve();
        let block = resolved.blocks.iter().find(|resolved| resolved.block == block).unwrap();
        let texel = |vector: [f64; 4], [x, y, z]: [f64; 3]| vector[0] * x + vector[1] * y + vector[2] * z + vector[3];
        let faces = block.faces.iter().flat_map(|face| face.corners.iter().map(move |&at| (face, at)));
        faces.map(|(face, at)| face.vectors.map(|vector| texel(vector, block.vertices[at as usize]))).collect()
    };
    let close =
        |a: &[[f64; 2]], b: &[[f64; 2]]| a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-6);
    for dialect in [Dialect::A7, Dialect::Binary] {
        for text in ["move name=Tower: 8,4,2", "turn name=Tower: 30,20,10", "scale name=Tower: 2,3,4"] {
            let mut map = village(dialect);
            let before = shown(&map, 0);
            edit(&mut map, text);
            assert!(close(&before, &shown(&map, 0)), "{dialect:?} {text}");
        }
        // A face mapped along the axes of the world is mapped along those of its new direction.
        let mut map = village(dialect);
        edit(&mut map, "turn kind=block and #1: 90");
        let mut wanted = cube(dialect, [8.0, 8.0, 4.0], "wood");
        wanted.number = 1;
        let (Shape::Mesh(new), Shape::Mesh(old)) = (&map.blocks[1].shape, &wanted.shape) else { panic!() };
        let face = |mesh: &mapwright_wmp::Mesh, at: usize| mesh.faces[at].vectors.clone().unwrap();
        // Faces that pointed along x now point along y.
        assert_eq!(face(new, 0), face(old, 2));
        assert_eq!(face(new, 2), face(old, 0));
        assert_eq!(face(new, 5), face(old, 5));
    }
}

#[test]
fn a_shift_changes_one_position() {
    let map = village(Dialect::A7);
    let mut moved = map.clone();
    assert_eq!(edit(&mut moved, "move name=Tower: 0,0,64"), "1 of 1 object moved");
    assert_eq!(moved.objects[2].position, [100.0, 200.0, 64.0]);
    moved.objects[2].position = map.objects[2].position;
    assert_eq!(moved, map);
    // Members of a group that moves do not move twice.
    let mut moved = map.clone();
    assert_eq!(edit(&mut moved.clone(), "turn name=Tower: 90"), "1 of 1 object turned");
    assert_eq!(edit(&mut moved.clone(), "scale kind=block: 2"), "3 of 3 objects scaled");
    assert_eq!(edit(&mut moved, "move *: 1,1,1"), "11 of 11 objects moved");
    assert_eq!(moved.objects[2].position, map.objects[2].position);
}

#[test]
fn parts_that_share_an_object_get_their_own() {
    let mut map = village(Dialect::A7);
    // Two blocks in one object, as on the vendor's page.
    let (first, second) = (map.objects[3].clone(), map.objects[4].members[0]);
    map.objects[3].members.push(second);
    map.objects[4].members.clear();
    map.renumber();
    let before = world(&map);
    edit(&mut map, "move kind=block and #1: 5,0,0");
    let after = world(&map);
    assert_eq!(before[0], after[0]);
    for (old, new) in before[1].0.iter().zip(&after[1].0) {
        assert!(near([old[0] + 5.0, old[1], old[2]], *new));
    }
    assert_eq!(map.objects[3].position, first.position);
    assert!(map.resolve().gaps.is_empty());
}

#[test]
fn parts_without_an_object_cannot_be_moved() {
    let mut map = village(Dialect::A7);
    map.objects[3].members.clear();
    map.renumber();
    let orphan = map.blocks.len() - 1;
    assert_eq!(
        edit(&mut map, &format!("move kind=block and #{orphan}: 5,0,0")),
        "0 of 1 object moved; 1 match without a position"
    );
    map.objects[2].scale = [0.0; 3];
    assert_eq!(
        fails(&mut map, "move kind=block and #0: 1,0,0").to_string(),
        "object 4 has a scale of 0: its contents cannot be moved"
    );
}

#[test]
fn extracted_groups_can_be_merged_again() {
    for dialect in [Dialect::A4, Dialect::A5, Dialect::A7, Dialect::Binary] {
        let map = village(dialect);
        let tower = map.extract(find(&map, "kind=group and name=Tower")[0]).unwrap();
        assert_eq!((tower.blocks.len(), tower.entities.len(), tower.objects.len()), (2, 5, 9));
        assert_eq!(tower.level(), map.level());
        let all = world(&map);
        assert!(world(&tower).iter().all(|item| all.contains(item)), "{dialect:?}");
        let mut rest = map.clone();
        edit(&mut rest, "delete kind=group and name=Tower");
        let merged = rest.merge(&tower, b"Tower again", [0.0; 3]).unwrap();
        assert_eq!(merged.to_string(), "2 blocks, 4 entities, 2 groups and 0 paths of textures added");
        let again = world(&rest);
        assert!(all.len() == again.len() && all.iter().all(|item| again.contains(item)), "{dialect:?}");
        assert_eq!(find(&rest, "kind=entity and group='tower again'").len(), 4);
        assert_eq!(rest.entities.iter().filter(|entity| matches!(entity.kind, EntityKind::Level(_))).count(), 1);
        let before = rest.clone();
        rest.renumber();
        assert_eq!(rest, before);
    }
    let mut resolved = village(Dialect::Resolved);
    let other = resolved.clone();
    let before = world(&resolved);
    resolved.merge(&other, b"", [7.0, 0.0, 0.0]).unwrap();
    let after = world(&resolved);
    assert_eq!(after.len(), 2 * before.len());
    let shifted: Vec<_> = before.iter().map(|item| item.0[0]).map(|[x, y, z]| [x + 7.0, y, z]).collect();
    assert!(shifted.iter().all(|wanted| after.iter().any(|item| near(item.0[0], *wanted))));
    let error = resolved.merge(&village(Dialect::A7), b"", [0.0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "cannot merge a map of 710 into one of 711: convert it first");
}

#[test]
fn edits_report_what_they_did() {
    let mut map = village(Dialect::A7);
    for _ in 0..2 {
        assert_eq!(edit(&mut map, "extract kind=group and name=Tower"), "2 blocks and 5 entities extracted");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn renumbering_keeps_corpus_maps() {
    for mut real in real() {
        real.map.renumber();
        assert!(real.map.to_bytes().unwrap() == real.bytes, "{}", real.name);
    }
}

#[test]
#[ignore = "needs the corpus"]
fn edited_corpus_maps_read_back_the_same() {
    for real in real() {
        let mut map = real.map;
        let count = map.blocks.len();
        let options = EditOptions::default().with_allow_no_match(true);
        if count > 0 {
            // Some maps have blocks without faces, and so without textures.
            let rename: Edit = "rename texture * other".parse().unwrap();
            map.apply(&rename, &options).unwrap_or_else(|error| panic!("{}: {error}", real.name));
            edit(&mut map, "delete kind=block and #0");
            assert_eq!(map.blocks.len(), count - 1, "{}", real.name);
        }
        let players: Edit = "set kind=model and not name=\"\": action=Player, skill1=5".parse().unwrap();
        map.apply(&players, &options).unwrap_or_else(|error| panic!("{}: {error}", real.name));
        transform(&mut map, turn([90.0, 0.0, 0.0], [0.0; 3]));
        transform(&mut map, Motion::shift([0.0, 0.0, 64.0]));
        let written = map.to_bytes().unwrap_or_else(|error| panic!("{}: {error}", real.name));
        let read = Document::from_bytes(&written).unwrap_or_else(|error| panic!("{}: {error}", real.name));
        let (wanted, found) = (map.resolve(), read.resolve());
        assert_eq!((wanted.blocks.len(), wanted.entities.len()), (found.blocks.len(), found.entities.len()));
        for (wanted, found) in wanted.blocks.iter().zip(&found.blocks) {
            assert_eq!(wanted.vertices.len(), found.vertices.len(), "{}", real.name);
            for (a, b) in wanted.vertices.iter().zip(&found.vertices) {
                assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.05), "{}: {a:?} {b:?}", real.name);
            }
        }
        for (wanted, found) in wanted.entities.iter().zip(&found.entities) {
            let near = wanted.position.iter().zip(found.position).all(|(a, b)| (a - b).abs() < 1e-4);
            assert!(near, "{}: {:?} {:?}", real.name, wanted.position, found.position);
        }
        let errors = read.validate().into_iter().filter(|finding| finding.severity == Severity::Error).count();
        assert_eq!(errors, 0, "{}", real.name);
    }
}

#[test]
#[ignore = "needs the corpus"]
fn an_edit_of_a_corpus_map_changes_only_what_it_must() {
    for real in real() {
        let mut map = real.map.clone();
        let found = find(&map, "kind=model and not name=\"\"");
        let (Some(PartIndex::Entity(first)), true) = (found.first(), map.dialect != Dialect::Binary) else { continue };
        let number = map.entities[*first].number;
        edit(&mut map, &format!("set kind=model and #{number}: action=a_new_action"));
        let written = map.to_bytes().unwrap();
        let lines = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
        let (old, new) = (lines(&real.bytes), lines(&written));
        assert_eq!(old.len(), new.len(), "{}", real.name);
        let changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
        assert!(changed <= 1, "{}: {changed} lines", real.name);
    }
}

#[test]
fn set_coordinates_are_found() {
    for dialect in Dialect::ALL {
        let mut map = village(dialect);
        // Blocks and paths of resolved maps have no position.
        let query = if dialect == Dialect::Resolved { "kind=entity and not kind=path" } else { "*" };
        let count = find(&map, query).len();
        for (text, wanted) in [("x=500", "x=500"), ("z=7", "z=7"), ("y=-3.5, z=1", "y=-3.5 and z=1 and x=500")] {
            edit(&mut map, &format!("set {query}: {text}"));
            assert_eq!(find(&map, wanted).len(), count, "{dialect:?} {text}");
            let again = edit(&mut map, &format!("set {query}: {text}"));
            assert_eq!(again, format!("0 of {count} objects changed"), "{dialect:?} {text}");
        }
        assert!(map.resolve().gaps.is_empty());
    }
}

#[test]
#[ignore = "needs the corpus"]
fn set_coordinates_are_found_in_corpus_maps() {
    for real in real() {
        let mut map = real.map;
        let count = find(&map, "x<1e30").len();
        if count > 0 {
            edit(&mut map, "set x<1e30: x=500.25, z=7");
            assert_eq!(find(&map, "x=500.25 and z=7").len(), count, "{}", real.name);
            let again = edit(&mut map, "set x<1e30: x=500.25, z=7");
            assert!(again.starts_with("0 of "), "{}: {again}", real.name);
        }
    }
}

#[test]
fn objects_move_once_with_their_group() {
    for dialect in [Dialect::A4, Dialect::A5, Dialect::A7, Dialect::Binary] {
        let mut map = village(dialect);
        // The group inside rotates its members.
        map.objects[2].angles = [0.3, 0.0, 0.0];
        let before = world(&map);
        edit(&mut map, "set *: z+=8, x-=1");
        for (old, new) in before.iter().zip(world(&map)) {
            for (&[x, y, z], new) in old.0.iter().zip(new.0) {
                assert!(near([x - 1.0, y, z + 8.0], new), "{dialect:?}");
            }
        }
        // A member keeps its coordinate although its group moves.
        let guard = find(&map, "name=guard and x>100");
        assert_eq!(guard.len(), 1);
        edit(&mut map, "set name=guard: x=50");
        edit(&mut map, "set name=guard or name=Tower: x=50");
        assert_eq!(find(&map, "(name=guard or name=Tower) and x>49.999999 and x<50.000001").len(), 2, "{dialect:?}");
    }
}

#[test]
fn boxes_of_regions_follow_their_group() {
    for text in ["set name=\"\" and kind=group: x+=5", "set kind=group and members>4: position=\"5,0,0\""] {
        let mut map = village(Dialect::Binary);
        edit(&mut map, text);
        let region = map.entities.iter().find_map(|entity| match &entity.kind {
            EntityKind::Region(region) => Some((region.minimum, region.maximum)),
            _ => None,
        });
        assert_eq!(region, Some(([-5.0, -10.0, -10.0], [15.0, 20.0, 30.0])), "{text}");
    }
}

#[test]
fn blocks_and_paths_of_resolved_maps_have_no_position() {
    let mut map = village(Dialect::Resolved);
    assert!(find(&map, "(kind=block or kind=path) and (x<1000 or position~0)").is_empty());
    for text in ["set kind=block: x=500", "set kind=path: z+=1", "set kind=block: position=\"0,0,1\""] {
        fails(&mut map, text);
    }
    let error = fails(&mut map, "set kind=path: y=5").to_string();
    assert_eq!(error, "invalid value `5` for `y`: expected an object with a position");
}

#[test]
fn motions_beyond_the_range_of_numbers_are_rejected() {
    for dialect in Dialect::ALL {
        let mut map = village(dialect);
        edit(&mut map, "scale kind=block: 1e300");
        let error = fails(&mut map, "scale kind=block: 1e300").to_string();
        assert!(error.contains("too large"), "{dialect:?}: {error}");
        edit(&mut map, "set kind=start: x=1.5e308");
        assert!(fails(&mut map, "move kind=start: 1.5e308,0,0").to_string().contains("too large"), "{dialect:?}");
        assert!(map.to_bytes().is_ok(), "{dialect:?}");
    }
    // Binary maps store the range of lights in single precision.
    let mut map = village(Dialect::Binary);
    assert!(fails(&mut map, "scale kind=light: 1e39").to_string().contains("too large"));
    assert!(fails(&mut map, "scale kind=sound: 1e9").to_string().contains("too large"));
}

#[test]
fn fields_that_a_dialect_lacks_are_rejected() {
    for (dialect, skills, has_albedo) in
        [(Dialect::A4, 8, false), (Dialect::A5, 8, false), (Dialect::A5, 20, true), (Dialect::A7, 8, true)]
    {
        let mut map = village(dialect);
        for name in ["guard", "hut"] {
            let at = map.entities.iter().position(|entity| *entity.name() == *name).unwrap();
            map.entities[at].kind = EntityKind::Model(maps::model(dialect, name, "a.mdl", skills));
        }
        let bytes = map.to_bytes().unwrap();
        if has_albedo {
            edit(&mut map, "set kind=model: albedo=5");
        } else {
            let error = fails(&mut map, "set kind=model: albedo=5").to_string();
            let name = dialect.name();
            assert_eq!(error, format!("models with {skills} skills have no albedo in the {name} dialect"));
            assert_eq!(map.to_bytes().unwrap(), bytes);
        }
    }
    let mut map = village(Dialect::A4);
    assert_eq!(fails(&mut map, "set kind=light: flags=3").to_string(), "lights have no flags in the a4 dialect");
    edit(&mut map, "set kind=light: range=5");
}

#[test]
fn each_word_renames_its_own_files() {
    let files = |map: &Document| {
        let level = map.level().unwrap();
        let sound = map.entities.iter().find_map(|entity| match &entity.kind {
            EntityKind::Sound(sound) => Some(sound.file.to_string()),
            _ => None,
        });
        [model(map, "guard").file.to_string(), sound.unwrap(), level.script.to_string(), level.palette.to_string()]
    };
    let mut map = village(Dialect::A7);
    edit(&mut map, "set level: script=main.wdl");
    let old = files(&map);
    for (changed, word) in ["model", "sound", "script", "palette"].into_iter().enumerate() {
        let mut map = map.clone();
        edit(&mut map, &format!("rename {word} * other.x"));
        for (at, (old, new)) in old.iter().zip(files(&map)).enumerate() {
            assert_eq!(new, if at == changed { "other.x" } else { old }, "{word}");
        }
    }
    assert_eq!(edit(&mut map, "rename file * other.x"), "5 files renamed");
    assert_eq!(files(&map), ["other.x"; 4]);
}

#[test]
fn the_root_is_no_group() {
    let mut map = village(Dialect::A7);
    map.objects[0].name = "Root".into();
    assert!(find(&map, "group=Root").is_empty());
    assert_eq!(find(&map, "group=Tower").len(), 6);
}
