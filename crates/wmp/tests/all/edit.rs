//! Edits of maps.

use crate::maps;

use mapwright_wmp::edit::{Edit, EditError, Edited, PartIndex, Selection};
use mapwright_wmp::{Dialect, Document, EntityKind, MemberKind, Model, Shape};

use mapwright_wmp::io::Severity;

use maps::{Item, cube, put, real, village};

fn edit(map: &mut Document, text: &str) -> String {
    let edit: Edit = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    map.apply(&edit).unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

fn fails(map: &mut Document, text: &str) -> EditError {
    let before = map.clone();
    let error = text.parse::<Edit>().and_then(|edit| map.apply(&edit)).unwrap_err();
    assert_eq!(*map, before, "{text}");
    error
}

fn find(map: &Document, text: &str) -> Vec<PartIndex> {
    map.find(&text.parse().unwrap()).unwrap()
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
        assert_eq!(edit(&mut map, "textures rename BRICK* stone"), "textures of 12 faces renamed");
        assert_eq!(textures(&map), ["stone", "wood", "stone"]);
        assert_eq!(edit(&mut map, "files rename guard.mdl a\\x20b.mdl"), "1 files renamed");
        assert_eq!(model(&map, "guard").file, "a b.mdl");
        if map.wed.is_some() {
            assert_eq!(edit(&mut map, "wads shift c:/GAMES/wads D:\\new"), "1 paths of textures changed");
            assert_eq!(edit(&mut map, "wads rename local.wad other.wad"), "1 paths of textures changed");
            let paths: Vec<_> = map.wed.as_ref().unwrap().wads.iter().map(|wad| wad.path.to_string()).collect();
            assert_eq!(paths, ["D:\\new\\standard.wad", "other.wad"]);
            // A beginning ends where a name does.
            assert_eq!(edit(&mut map, "wads shift D:\\ne E:"), "0 paths of textures changed");
        }
    }
    let mut map = village(Dialect::A7);
    let table = [("wood", "brick1"), ("brick1", "wood")]
        .map(|(from, to)| (mapwright_wmp::edit::Pattern::new(from.as_bytes()), to.as_bytes().to_vec()));
    assert_eq!(map.rename_textures_by(&table).unwrap(), [6, 6]);
    assert_eq!(textures(&map), ["wood", "brick1", "brick2"]);
    assert!(matches!(fails(&mut map, "textures rename wood a\\x20b"), EditError::Name { .. }));
    assert!(matches!(fails(&mut map, "files rename * a>b"), EditError::Name { .. }));
}

#[test]
fn items_are_found_by_what_they_are() {
    let map = village(Dialect::A7);
    let count = |text: &str| find(&map, text).len();
    assert_eq!(find(&map, "model #1"), [PartIndex::Entity(1)]);
    assert_eq!(find(&map, "block where texture=brick* z>40"), [PartIndex::Block(0)]);
    for (text, wanted) in [
        ("entity", 6),
        ("group", 3),
        ("group Tower", 1),
        ("model where file=*.wmb", 1),
        ("model where file!=*.wmb", 1),
        ("model where skill20=0", 2),
        ("model where material=ndef", 2),
        ("entity where group=tow*", 4),
        ("entity where group!=tow*", 2),
        ("block where group=Tower", 2),
        ("block where flags~TEXTURE_LOCK", 1),
        ("block where texture!=brick*", 1),
        ("block where faces=6 x>=100 y<200", 1),
        ("light where range>299 colour=100,50,0", 1),
        ("path where nodes=3", 1),
        ("level", 1),
        ("start * where number>0", 1),
        ("model g*d", 1),
        ("model x*", 0),
    ] {
        assert_eq!(count(text), wanted, "{text}");
    }
    let error = map.find(&"model #99".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "there is no model #99");
    assert_eq!(map.find(&Selection::number(mapwright_wmp::edit::Kind::Start, 5)).unwrap(), [PartIndex::Entity(5)]);
    for wrong in ["", "thing", "model where", "model where skill", "model where action~x", "model where skill1~3"] {
        assert!(wrong.parse::<Selection>().is_err(), "{wrong}");
    }
    for text in ["model #12", "group Tower*", "model where file=*.wmb x>100", "block * where faces=6"] {
        let selection: Selection = text.parse().unwrap();
        assert_eq!(selection.to_string().parse::<Selection>().unwrap(), selection, "{text}");
    }
}

#[test]
fn fields_are_set() {
    let mut map = village(Dialect::A7);
    let said = edit(&mut map, "set model guard action=patrol skill1=5 ambient-=10 flags+=SHADOW,0b1 string1=hi");
    assert_eq!(said, "1 of 1 items changed");
    let guard = model(&map, "guard");
    assert_eq!((&guard.action.to_string()[..], *guard.skills[0].get(), guard.ambient), ("patrol", 5.0, -10.0));
    assert_eq!(guard.flags.0, 1 << 18 | 1);
    assert_eq!(guard.tail.iter().map(ToString::to_string).collect::<Vec<_>>(), ["", "", "", "hi", ""]);
    edit(&mut map, "set model * scale=2,2,3 where file=*.mdl");
    assert_eq!((model(&map, "guard").scale, map.objects[5].scale), ([2.0, 2.0, 3.0], [2.0, 2.0, 3.0]));
    edit(&mut map, "set block texture=steel material=hard flags=DETAIL where texture=wood");
    assert_eq!(textures(&map), ["brick1", "steel", "brick2"]);
    assert_eq!((map.blocks[1].flags.0, &map.blocks[1].material), (16, &"hard".into()));
    edit(&mut map, "set level * nexus+=10 sun=1,2,3");
    let level = map.level().unwrap();
    assert_eq!((level.nexus, level.colours[0]), (40, [1.0, 2.0, 3.0]));
    assert_eq!(edit(&mut map, "set group #1 name=All"), "1 of 1 items changed");
    assert_eq!(edit(&mut map, "set group #1 name=All"), "0 of 1 items changed");
    // Quotes around words and values.
    assert_eq!(edit(&mut map, "set model \"guard\" action='stand still' where file=\"*.mdl\""), "1 of 1 items changed");
    assert_eq!(model(&map, "guard").action.to_string(), "stand still");
}

#[test]
fn what_no_field_takes_is_refused() {
    let mut map = village(Dialect::A5);
    for (text, wanted) in [
        ("set model guard path=round", "a model has no field path"),
        ("set model guard skill21=1", "a model has no field skill21"),
        ("set model guard skill=1", "a model has no field skill"),
        ("set model guard ambient=x", "ambient takes a number"),
        ("set model guard action=a\\x0ab", "has a line end"),
        ("set model guard name+=b", "name takes = alone"),
        ("set block #0 texture=a\\x20b", "blanks end names"),
        ("set light * flags=FLAG1", "flags takes"),
        ("set level * nexus=1.5", "nexus takes a number without a fraction"),
        ("set model action=x", "says which"),
        ("set model guard", "assignments"),
        ("set model nobody action=x", "there is no model nobody"),
        ("delete model", "says which"),
        ("delete model where", "says which"),
        ("delete light lamp", "with a name"),
        ("delete group #0", "the root stays"),
        ("move group Tower 1,2", "quants"),
        ("turn group Tower 90 about 1,2", "degrees"),
        ("scale group Tower 0", "factors above 0"),
        ("scale group Tower -1,1,1", "factors above 0"),
        ("extract group *", "means 3 of them"),
        ("extract model guard", "is not an edit"),
        ("frobnicate", "is not an edit"),
    ] {
        let error = fails(&mut map, text).to_string();
        assert!(error.contains(wanted), "{text}: {error}");
    }
    let mut map = village(Dialect::Resolved);
    for (text, wanted) in [
        (
            "set level * nexus=60",
            "a level of a resolved map has no field nexus: fields are wad palette azimuth elevation",
        ),
        ("set level * script=main.c", "has no field script"),
        ("set level * fog1=0,0,0", "has no field fog1"),
        ("set model * path=foo", "path takes a whole number"),
        ("set model * target=1.5", "target takes a whole number"),
        ("files rename guard.mdl <a", "begins with a bracket"),
        ("files rename guard.mdl a\\x20//b", "would be a comment"),
        ("files rename guard.mdl }", "a brace"),
        ("set sound * file=a\\x20", "blanks at its ends"),
    ] {
        let error = fails(&mut map, text).to_string();
        assert!(error.contains(wanted), "{text}: {error}");
    }
    edit(&mut map, "set level * azimuth=45");
    edit(&mut map, "set model * path=1");
    assert!(map.to_bytes().is_ok());
}

#[test]
fn names_that_no_line_can_be_are_refused() {
    for dialect in Dialect::ALL.into_iter().filter(|dialect| *dialect != Dialect::Binary) {
        let mut map = village(dialect);
        for text in ["set model * name=}", "set block * material=}", "set model * action=a\\x20//b"] {
            assert!(matches!(fails(&mut map, text), EditError::Name { .. }), "{text}");
        }
        // A line that ends so would open a section where a name need not be.
        if dialect == Dialect::A7 {
            let mut braced = map.clone();
            edit(&mut braced, "set model guard string1=a{");
            let error = braced.to_bytes().unwrap_err().to_string();
            assert!(error.contains("its brace would open a section"), "{error}");
            let text = braced.convert(Dialect::Binary).document.convert(Dialect::A7).document.to_bytes().unwrap();
            assert_eq!(model(&Document::from_bytes(&text).unwrap(), "guard").tail[3], "a");
        }
        // No comment begins there.
        edit(&mut map, "set model guard action=a//b");
        assert_eq!(model(&Document::from_bytes(&map.to_bytes().unwrap()).unwrap(), "guard").action, "a//b");
    }
    for (dialect, name) in [(Dialect::Resolved, "set model * name=b"), (Dialect::Binary, "set model * name=b")] {
        // What had no name gives its new one to nothing that has none in this dialect.
        let mut map = village(dialect);
        edit(&mut map, "set model * name=ndef");
        edit(&mut map, name);
        let read = Document::from_bytes(&map.to_bytes().unwrap()).unwrap();
        assert_eq!(model(&read, "b").name, "b");
    }
}

#[test]
fn a_place_that_is_none_is_refused() {
    for dialect in Dialect::ALL {
        let other = village(dialect);
        for place in [[f64::NAN, 0.0, 0.0], [0.0, f64::INFINITY, 0.0]] {
            let mut map = village(dialect);
            assert!(matches!(map.merge(&other, b"new", place), Err(EditError::Range { .. })));
            assert_eq!(map, village(dialect));
        }
    }
}

#[test]
fn a_scaled_model_of_a_binary_map_can_be_written() {
    let mut map = village(Dialect::Binary);
    edit(&mut map, "scale model guard 2");
    assert_eq!(model(&map, "guard").scale, [2.0; 3]);
    assert_eq!(model(&Document::from_bytes(&map.to_bytes().unwrap()).unwrap(), "guard").scale, [2.0; 3]);
}

#[test]
fn edits_of_many_take_as_much_longer_as_they_are_more() {
    let mut map = Document::new(Dialect::A7);
    let count = 100_000_u32;
    for number in 1..=count {
        map.entities.push(mapwright_wmp::Entity::new(number, EntityKind::Start(Default::default())).into());
        map.objects[0].members.push(mapwright_wmp::Member { kind: MemberKind::Start, number });
    }
    let start = std::time::Instant::now();
    assert_eq!(edit(&mut map, "move start * 0,0,1"), "100000 items moved");
    // Looking through all of them for each takes ten times as long.
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
fn another_name_goes_everywhere() {
    let mut map = village(Dialect::A7);
    edit(&mut map, "set model guard path=round target=hut");
    let path = find(&map, "path round");
    let [PartIndex::Entity(path)] = path[..] else { panic!() };
    let leaf = map.objects.iter().position(|object| object.members.iter().any(|m| m.kind == MemberKind::Path)).unwrap();
    map.objects[leaf].name = "round".into();
    assert_eq!(edit(&mut map, "set path round name=square"), "1 of 1 items changed; 1 models name them anew");
    assert_eq!((&map.entities[path].comment, &map.objects[leaf].name), (&"square".into(), &"square".into()));
    assert_eq!(model(&map, "guard").tail[0], "square");
    assert_eq!(model(&map, "guard").tail[1], "hut");
}

#[test]
fn what_is_deleted_takes_its_place_along() {
    for dialect in [Dialect::A4, Dialect::A5, Dialect::A7, Dialect::Binary] {
        let mut map = village(dialect);
        let (objects, blocks) = (map.objects.len(), map.blocks.len());
        assert_eq!(edit(&mut map, "delete block #0"), "1 blocks, 0 entities and 0 groups deleted");
        assert_eq!((map.objects.len(), map.blocks.len()), (objects - 1, blocks - 1));
        assert_eq!(edit(&mut map, "delete group Tower"), "1 blocks, 4 entities and 1 groups deleted");
        assert_eq!(map.header.counts.unwrap().objects as usize, map.objects.len());
        assert_eq!(textures(&map), ["brick2"]);
        assert!(map.resolve().gaps.is_empty());
        let before = map.clone();
        map.renumber();
        assert_eq!(map, before);
    }
}

#[test]
fn paths_of_resolved_maps_are_counted_anew() {
    let mut map = village(Dialect::Resolved);
    let path = |name: &str| EntityKind::Path(mapwright_wmp::Path { name: name.into(), ..Default::default() });
    put(&mut map, 0, Item::Entity(path("second")), [0.0; 3]);
    map.renumber();
    edit(&mut map, "set model guard path=2");
    edit(&mut map, "set model hut path=1");
    edit(&mut map, "delete path round");
    assert_eq!((&model(&map, "guard").tail[0], &model(&map, "hut").tail[0]), (&"1".into(), &"0".into()));
    let other = map.clone();
    map.merge(&other, b"", [0.0; 3]).unwrap();
    let paths = map.entities.iter().filter_map(|entity| match &entity.kind {
        EntityKind::Model(model) if model.name == "guard" => Some(model.tail[0].to_string()),
        _ => None,
    });
    assert_eq!(paths.collect::<Vec<_>>(), ["1", "2"]);
}

/// The points of an item in the world, and its turn.
type Standing = (Vec<[f64; 3]>, [[f64; 3]; 3]);

/// Every item of the map.
fn world(map: &Document) -> Vec<Standing> {
    let resolved = map.resolve();
    assert!(resolved.gaps.is_empty());
    let none = [[0.0; 3]; 3];
    let blocks = resolved.blocks.iter().map(|block| {
        // Of A4 the three points: where a polygon begins is arbitrary.
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
fn a_moved_map_means_a_moved_world() {
    // The whole map about the origin: pan 90, then a shift; then tilted.
    for dialect in Dialect::ALL {
        let mut map = village(dialect);
        let before = world(&map);
        edit(&mut map, "turn group #0 90 about 10,0,0");
        edit(&mut map, "scale group #0 2 about 0,0,0");
        edit(&mut map, "move group #0 1,2,3");
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
        let guard = find(&map, "model guard");
        let guard =
            map.resolve().entities.into_iter().find(|entity| guard == [PartIndex::Entity(entity.entity)]).unwrap();
        assert!(near(guard.scale, [2.0; 3]), "{dialect:?}");
        let light = map.entities.iter().find_map(|entity| match &entity.kind {
            EntityKind::Light(light) => Some(light.range),
            _ => None,
        });
        assert!((light.unwrap() - 600.0).abs() < 1e-9);
        // There and back again.
        edit(&mut map, "turn group #0 10,20,30 about 0,0,0");
        edit(&mut map, "turn group #0 0,0,-30 about 0,0,0");
        let tilted = world(&map);
        assert!(tilted.iter().zip(&after).any(|(a, b)| !near(a.0[0], b.0[0])));
    }
}

#[test]
fn tilted_groups_turn_as_a_whole() {
    for dialect in Dialect::ALL {
        let mut map = village(dialect);
        let before = world(&map);
        edit(&mut map, "turn group #0 20,30,40 about 1,2,3");
        // R = Rz(20) Ry(-30) Rx(40).
        let turned = world(&map);
        let (sp, cp) = 20f64.to_radians().sin_cos();
        let (st, ct) = 30f64.to_radians().sin_cos();
        let (sr, cr) = 40f64.to_radians().sin_cos();
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
fn locked_textures_go_along_and_others_stay() {
    // What each corner of the first face of a block shows.
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
        for text in ["move group Tower 8,4,2", "turn group Tower 30,20,10", "scale group Tower 2,3,4"] {
            let mut map = village(dialect);
            let before = shown(&map, 0);
            edit(&mut map, text);
            assert!(close(&before, &shown(&map, 0)), "{dialect:?} {text}");
        }
        // A face that is mapped along the axes of the world is mapped along those of its new direction.
        let mut map = village(dialect);
        edit(&mut map, "turn block #1 90");
        let mut wanted = cube(dialect, [8.0, 8.0, 4.0], "wood");
        wanted.number = 1;
        let (Shape::Mesh(new), Shape::Mesh(old)) = (&map.blocks[1].shape, &wanted.shape) else { panic!() };
        let face = |mesh: &mapwright_wmp::Mesh, at: usize| mesh.faces[at].vectors.clone().unwrap();
        // Those that looked along x look along y.
        assert_eq!(face(new, 0), face(old, 2));
        assert_eq!(face(new, 2), face(old, 0));
        assert_eq!(face(new, 5), face(old, 5));
    }
}

#[test]
fn a_shift_changes_one_place_alone() {
    let map = village(Dialect::A7);
    let mut moved = map.clone();
    assert_eq!(edit(&mut moved, "move group Tower 0,0,64"), "1 items moved");
    assert_eq!(moved.objects[2].position, [100.0, 200.0, 64.0]);
    moved.objects[2].position = map.objects[2].position;
    assert_eq!(moved, map);
    // What is inside of a group that moves does not move twice.
    let mut moved = map.clone();
    assert_eq!(edit(&mut moved, "move group * 1,1,1"), "1 items moved");
    assert_eq!(moved.objects[2].position, map.objects[2].position);
}

#[test]
fn what_shares_an_object_gets_its_own() {
    let mut map = village(Dialect::A7);
    // Two blocks in one object, as the public page has it.
    let (first, second) = (map.objects[3].clone(), map.objects[4].members[0]);
    map.objects[3].members.push(second);
    map.objects[4].members.clear();
    map.renumber();
    let before = world(&map);
    edit(&mut map, "move block #1 5,0,0");
    let after = world(&map);
    assert_eq!(before[0], after[0]);
    for (old, new) in before[1].0.iter().zip(&after[1].0) {
        assert!(near([old[0] + 5.0, old[1], old[2]], *new));
    }
    assert_eq!(map.objects[3].position, first.position);
    assert!(map.resolve().gaps.is_empty());
}

#[test]
fn what_nothing_holds_has_no_place() {
    let mut map = village(Dialect::A7);
    map.objects[3].members.clear();
    map.renumber();
    let orphan = map.blocks.len() - 1;
    assert_eq!(
        edit(&mut map, &format!("move block #{orphan} 5,0,0")),
        "0 items moved; 1 are held by nothing and have no place"
    );
    map.objects[2].scale = [0.0; 3];
    assert_eq!(
        fails(&mut map, "move block #0 1,0,0").to_string(),
        "object 4 has a scale of 0: nothing in it can be moved"
    );
}

#[test]
fn a_group_is_a_map_of_its_own_and_comes_back() {
    for dialect in [Dialect::A4, Dialect::A5, Dialect::A7, Dialect::Binary] {
        let map = village(dialect);
        let tower = map.extract(&"group Tower".parse().unwrap()).unwrap();
        assert_eq!((tower.blocks.len(), tower.entities.len(), tower.objects.len()), (2, 5, 9));
        assert_eq!(tower.level(), map.level());
        let all = world(&map);
        assert!(world(&tower).iter().all(|item| all.contains(item)), "{dialect:?}");
        let mut rest = map.clone();
        edit(&mut rest, "delete group Tower");
        let merged = rest.merge(&tower, b"Tower again", [0.0; 3]).unwrap();
        assert_eq!(merged.to_string(), "2 blocks, 4 entities, 2 groups and 0 paths of textures added");
        let again = world(&rest);
        assert!(all.len() == again.len() && all.iter().all(|item| again.contains(item)), "{dialect:?}");
        assert_eq!(find(&rest, "entity where group=tower\\x20again").len(), 4);
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
    assert_eq!(error.to_string(), "a map of 710 cannot be merged into one of 711: convert it first");
}

#[test]
fn edits_say_what_they_did() {
    let mut map = village(Dialect::A7);
    let edit: Edit = "extract group Tower".parse().unwrap();
    assert_eq!(map.apply(&edit).unwrap(), Edited::Extracted { blocks: 2, entities: 5 });
    assert_eq!(map.apply(&edit).unwrap().to_string(), "2 blocks and 5 entities left");
}

#[test]
fn real_maps_are_numbered_as_the_editor_does() {
    for mut real in real() {
        real.map.renumber();
        assert!(real.map.to_bytes().unwrap() == real.bytes, "{}", real.name);
    }
}

#[test]
fn edited_real_maps_say_what_they_were_made_to() {
    for real in real() {
        let mut map = real.map;
        let count = map.blocks.len();
        if count > 0 {
            edit(&mut map, "textures rename * other");
            edit(&mut map, "delete block #0");
            assert_eq!(map.blocks.len(), count - 1, "{}", real.name);
        }
        edit(&mut map, "set model * action=Player skill1=5 where name!=ndef");
        edit(&mut map, "turn group #0 90 about 0,0,0");
        edit(&mut map, "move group #0 0,0,64");
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
fn an_edit_of_a_real_map_changes_only_what_it_must() {
    for real in real() {
        let mut map = real.map.clone();
        let Ok(found) = map.find(&"model where name!=ndef".parse().unwrap()) else { panic!() };
        let (Some(PartIndex::Entity(first)), true) = (found.first(), map.dialect != Dialect::Binary) else { continue };
        let number = map.entities[*first].number;
        edit(&mut map, &format!("set model #{number} action=a_new_action"));
        let written = map.to_bytes().unwrap();
        let lines = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
        let (old, new) = (lines(&real.bytes), lines(&written));
        assert_eq!(old.len(), new.len(), "{}", real.name);
        let changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
        assert!(changed <= 1, "{}: {changed} lines", real.name);
    }
}
