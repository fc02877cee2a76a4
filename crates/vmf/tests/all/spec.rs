//! The rules of the format, each on a text of its own.

use mapwright_vmf::io::{Category, Confidence, Limits};
use mapwright_vmf::{
    Connection, DisplacementArray, Document, EditorData, Entity, FixupStyle, ReadOptions, Separator, VisGroup, sniff,
};

use crate::support::map;

/// Returns a map with one entity that contains a text.
fn with_entity(content: &str) -> Document {
    map(format!("entity\n{{\n{content}\n}}\n"))
}

fn entity(map: &Document) -> Entity<'_> {
    map.entities().next().expect("an entity")
}

/// Returns a map whose world has one solid of one side.
fn with_side(content: &str) -> Document {
    map(format!("world\n{{\n\tsolid\n\t{{\n\t\tside\n\t\t{{\n{content}\n\t\t}}\n\t}}\n}}\n"))
}

#[test]
fn values_have_no_escapes_unless_the_options_state_that() {
    let text = b"entity\n{\n\t\"path\" \"C:\\dir\\\"\n\t\"quote\" \"a\\\"\n}\n";
    assert_eq!(entity(&map(text)).text("path").as_deref(), Some("C:\\dir\\"));
    let text = "entity\n{\n\t\"quote\" \"a \\\"b\\\"\"\n}\n";
    let escaped = Document::from_bytes_with(text.as_bytes(), &ReadOptions::default().with_escapes(true)).unwrap();
    assert_eq!(entity(&escaped).text("quote").as_deref(), Some("a \"b\""));
    assert_eq!(escaped.as_bytes(), text.as_bytes());
}

/// Hammer does not escape quotes that a mapper types.
#[test]
fn unescaped_quotes_are_read_as_another_key() {
    let map = with_entity("\t\"comments\" \"\"other\"\"\n\t\"id\" \"5\"");
    let keys: Vec<_> = entity(&map).keys().map(|key| (key.name_text(), key.text().unwrap())).collect();
    assert_eq!(keys, [("comments".into(), "".into()), ("other".into(), "".into()), ("id".into(), "5".into())]);
}

#[test]
fn comments_brackets_and_lines_in_values_are_read() {
    let map = with_entity("// a \"b\n\"message\" \"two\nlines // no comment\" origin \"[1 2 3]\" /* \"x\"");
    let entity = entity(&map);
    assert_eq!(entity.text("message").as_deref(), Some("two\nlines // no comment"));
    assert_eq!(entity.origin(), Some([1.0, 2.0, 3.0]));
    assert_eq!(entity.text("/*").as_deref(), Some("x"));
}

#[test]
fn keys_are_compared_without_case_and_the_first_one_counts() {
    let map = with_entity("\"ClassName\" \"light\"\n\"Origin\" \"1 2 3\"\n\"origin\" \"4 5 6\"");
    let entity = entity(&map);
    assert!(entity.is_class("LIGHT") && entity.class().as_deref() == Some("light"));
    assert_eq!((entity.origin(), entity.keys().count()), (Some([1.0, 2.0, 3.0]), 3));
}

#[test]
fn numbers_must_be_finite_and_complete() {
    for (value, expected) in [
        ("1 2 3", Some([1.0, 2.0, 3.0])),
        (" [1 -2.5e1 .5] ", Some([1.0, -25.0, 0.5])),
        ("1 2", None),
        ("1 2 3 4", None),
        ("1 2 nan", None),
        ("1 2 inf", None),
        ("a b c", None),
        ("", None),
    ] {
        assert_eq!(entity(&with_entity(&format!("\"origin\" \"{value}\""))).origin(), expected, "{value}");
    }
}

#[test]
fn hidden_entities_and_solids_are_among_the_others_in_order() {
    let map =
        map("hidden { entity { id 1 solid { id 7 } } } entity { id 2 hidden { solid { id 8 } } solid { id 9 } } \
         world { hidden { solid { id 10 } } } hidden { entity { id 3 } }");
    let ids: Vec<_> = map.entities().map(|entity| (entity.id().unwrap(), entity.is_hidden())).collect();
    assert_eq!(ids, [(1, true), (2, false), (3, true)]);
    let solids: Vec<_> = map.solids().map(|solid| (solid.id().unwrap(), solid.is_hidden())).collect();
    assert_eq!(solids, [(7, true), (8, true), (9, false), (10, true)]);
    let all: Vec<_> = map.all_entities().map(|entity| (entity.id(), entity.is_world())).collect();
    assert_eq!(all, [(Some(1), false), (Some(2), false), (None, true), (Some(3), false)]);
    assert_eq!(map.world().unwrap().solids().count(), 1);
}

#[test]
fn sides_have_planes_and_texture_axes() {
    let map = with_side(
        "\"id\" \"4\" \"plane\" \"(0 1 2) (3.5 4 5) (6 7 -8)\" \"material\" \"a/b\" \"uaxis\" \"[1 0 0 -32] 0.25\" \
         \"vaxis\" \"[0 -1 0 0.5] 1\" \"rotation\" \"90\" \"lightmapscale\" \"16\" \"smoothing_groups\" \"4294967295\" \
         vertices_plus { v \"0 1 2\" v \"3 4 5\" }",
    );
    let side = map.solids().next().unwrap().sides().next().unwrap();
    assert_eq!(side.plane(), Some([[0.0, 1.0, 2.0], [3.5, 4.0, 5.0], [6.0, 7.0, -8.0]]));
    let axis = side.u_axis().unwrap();
    assert_eq!((axis.direction, axis.shift, axis.scale), ([1.0, 0.0, 0.0], -32.0, 0.25));
    assert_eq!(side.v_axis().map(|axis| (axis.shift, axis.scale)), Some((0.5, 1.0)));
    assert_eq!((side.id(), side.material().as_deref(), side.rotation()), (Some(4), Some("a/b"), Some(90.0)));
    assert_eq!((side.lightmap_scale(), side.smoothing_groups()), (Some(16.0), Some(u32::MAX)));
    assert_eq!(side.stored_vertices(), Some(vec![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]));
    assert!(side.displacement().is_none());
    let malformed = with_side("vertices_plus { v \"0 1\" }");
    assert_eq!(malformed.solids().next().unwrap().sides().next().unwrap().stored_vertices(), None);
}

#[test]
fn displacements_have_arrays_of_the_size_that_the_power_requires() {
    let rows = |count: usize, numbers: &str| -> String {
        (0..count).map(|row| format!("\"row{row}\" \"{numbers}\" ")).collect()
    };
    let map = with_side(&format!(
        "dispinfo {{ power 1 startposition \"[0 0 64]\" flags 14 elevation 2.5 subdiv 1 distances {{ {} }} alphas {{ {} }} \
         triangle_tags {{ {} }} offsets {{ {} }} allowed_verts {{ 10 \"-1 -1 5\" }} }}",
        rows(3, "1 2 3"),
        rows(2, "1 2 3"),
        rows(2, "9 9 1 0"),
        rows(3, "1 2 3"),
    ));
    let displacement = map.solids().next().unwrap().sides().next().unwrap().displacement().unwrap();
    assert_eq!((displacement.power(), displacement.point_count()), (Some(1), Some(3)));
    assert_eq!(displacement.start_position(), Some([0.0, 0.0, 64.0]));
    assert_eq!((displacement.flags(), displacement.elevation()), (Some(14), Some(2.5)));
    assert_eq!(displacement.is_subdivided(), Some(true));
    let array = |array| displacement.array(array);
    assert_eq!(array(DisplacementArray::Distances), Some([1.0, 2.0, 3.0].repeat(3)));
    assert_eq!(array(DisplacementArray::TriangleTags), Some([9.0, 9.0, 1.0, 0.0].repeat(2)));
    // A row is missing; a row is too short; the array is missing.
    assert_eq!(array(DisplacementArray::Alphas), None);
    assert_eq!(array(DisplacementArray::Offsets), None);
    assert_eq!(array(DisplacementArray::Normals), None);
    assert_eq!(displacement.allowed_vertices(), Some(vec![-1, -1, 5]));
    for power in ["0", "5", "-1", "64", "99999999999999999999", "x"] {
        let map = with_side(&format!("dispinfo {{ power {power} }}"));
        let displacement = map.solids().next().unwrap().sides().next().unwrap().displacement().unwrap();
        assert_eq!((displacement.power(), displacement.array(DisplacementArray::Alphas)), (None, None), "{power}");
    }
}

#[test]
fn outputs_are_split_at_the_escape_or_at_commas() {
    let connection = |target: &str, input: &str, parameter: &str, delay, times, separator| {
        let [target, input, parameter] = [target, input, parameter].map(str::to_owned);
        Some(Connection { target, input, parameter, delay, times, separator })
    };
    for (text, expected) in [
        ("door,Open,,0.5,-1", connection("door", "Open", "", 0.5, -1, Separator::Comma)),
        ("a,Say,hello, you,1,3", connection("a", "Say", "hello, you", 1.0, 3, Separator::Comma)),
        ("a\x1bSay\x1bhello, you\x1b0\x1b1", connection("a", "Say", "hello, you", 0.0, 1, Separator::Escape)),
        ("a\x1bb\x1bc\x1bd\x1b2\x1b1", connection("a", "b", "c\x1bd", 2.0, 1, Separator::Escape)),
        ("a,b,c,,", connection("a", "b", "c", 0.0, -1, Separator::Comma)),
        ("a,b,c,0", None),
        ("a,b,c,x,1", None),
        ("", None),
    ] {
        assert_eq!(Connection::parse(text), expected, "{text:?}");
        if let Some(connection) = expected.filter(|_| !text.ends_with(',')) {
            assert_eq!(connection.to_string(), text);
        }
    }
}

#[test]
fn blocks_between_outputs_and_keys_after_them_are_read() {
    let map = with_entity(
        "connections { OnA \"b,c,,0,1\" note { OnB \"d,e,,0,1\" } OnC \"f\" } connections { OnD \"\" } origin \"1 2 3\"",
    );
    let names: Vec<_> = entity(&map).outputs().map(|output| output.name().into_owned()).collect();
    assert_eq!(names, ["OnA", "OnC", "OnD"]);
    assert_eq!(entity(&map).origin(), Some([1.0, 2.0, 3.0]));
}

#[test]
fn editor_data_can_name_several_visgroups() {
    let map = map("visgroups { visgroup { name a visgroupid 1 color \"1 2 3\" visgroup { name b visgroupid 2 } } } \
         world { group { id 5 editor { groupid 6 } } } \
         entity { editor { color \"220 30 220\" visgroupid 1 groupid 5 visgroupid 2 visgroupshown 1 visgroupautoshown 0 \
         logicalpos \"[0 500]\" comments \"a b\" } } entity { } \
         cordon { mins \"(1 2 3)\" maxs \"(4 5 6)\" active 0 } \
         cordons { active 1 cordon { name c active 1 box { mins \"(7 8 9)\" maxs \"(10 11 12)\" } } } \
         cameras { activecamera 0 camera { position \"[1 2 3]\" look \"[4 5 6]\" } }");
    let editor = entity(&map).editor().unwrap();
    assert_eq!((editor.color(), editor.logical_position()), (Some([220.0, 30.0, 220.0]), Some([0.0, 500.0])));
    assert_eq!((editor.visgroup_ids().collect::<Vec<_>>(), editor.group_id()), (vec![1, 2], Some(5)));
    assert_eq!((editor.is_shown(), editor.is_auto_shown()), (Some(true), Some(false)));
    assert_eq!((editor.comments().as_deref(), editor.is_cordon_solid()), (Some("a b"), false));
    assert!(map.entities().nth(1).unwrap().editor().is_none());
    let visgroup = map.visgroups().next().unwrap();
    assert_eq!(
        (visgroup.name().as_deref(), visgroup.id(), visgroup.color()),
        (Some("a"), Some(1), Some([1.0, 2.0, 3.0]))
    );
    assert_eq!(visgroup.visgroups().map(VisGroup::id).collect::<Vec<_>>(), [Some(2)]);
    let group = map.world().unwrap().groups().next().unwrap();
    assert_eq!((group.id(), group.editor().and_then(EditorData::group_id)), (Some(5), Some(6)));
    let cordons: Vec<_> = map.cordons().map(|cordon| (cordon.is_active(), cordon.bounds())).collect();
    let [old, new] = [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]];
    assert_eq!(cordons, [(Some(false), Some(old)), (Some(true), Some(new))]);
    let camera = map.cameras().next().unwrap();
    assert_eq!((camera.position(), camera.look_at()), (Some([1.0, 2.0, 3.0]), Some([4.0, 5.0, 6.0])));
    assert_eq!(map.active_camera(), Some(0));
}

#[test]
fn overlays_have_corners_in_the_plane_of_their_basis() {
    let map = with_entity(
        "classname info_overlay material a/b sides \"5 7 x 9\" uv0 \"-1 -2 0\" uv1 \"-1 2 0\" uv2 \"1 2 0\" uv3 \"1 -2 0\" \
         StartU 0 endu 1 StartV 1 EndV 0.5 BasisOrigin \"10 20 30\" BasisU \"0 1 0\" BasisV \"0 0 1\"",
    );
    let overlay = entity(&map).as_overlay().unwrap();
    assert_eq!((overlay.material().as_deref(), overlay.sides()), (Some("a/b"), vec![5, 7, 9]));
    let corners = [[10.0, 19.0, 28.0], [10.0, 19.0, 32.0], [10.0, 21.0, 32.0], [10.0, 21.0, 28.0]];
    assert_eq!(overlay.corners(), Some(corners));
    assert_eq!(overlay.texture_coordinates(), Some([[0.0, 1.0], [0.0, 0.5], [1.0, 0.5], [1.0, 1.0]]));
    assert!(entity(&map).as_instance().is_none());
}

#[test]
fn instances_have_variables() {
    let map = with_entity(
        "classname func_instance file \"a/b.vmf\" replace01 \"$name some value\" replace02 \"$empty\" replaceable x fixup_style 1",
    );
    let instance = entity(&map).as_instance().unwrap();
    assert_eq!((instance.file().as_deref(), instance.fixup_style()), (Some("a/b.vmf"), Some(FixupStyle::Postfix)));
    let expected = [("$name", "some value"), ("$empty", "")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(instance.replacements().collect::<Vec<_>>(), expected);
    let style = |text| entity(&with_entity(text)).as_instance().unwrap().fixup_style();
    assert_eq!(style("classname func_instance"), Some(FixupStyle::Prefix));
    assert_eq!(style("classname func_instance fixup_style 7"), None);
}

#[test]
fn new_maps_have_an_empty_world() {
    let map = Document::new();
    let world = map.world().unwrap();
    assert!(world.is_class("worldspawn") && world.solids().count() == 0 && map.entities().count() == 0);
    assert_eq!((map.version("editorversion"), map.version("formatversion")), (Some(400), Some(100)));
    assert_eq!((map.active_camera(), sniff(map.as_bytes())), (None, Confidence::Certain));
}

#[test]
fn other_texts_are_rejected_with_their_position() {
    let error = |text: &str| Document::from_bytes(text.as_bytes()).unwrap_err();
    for (text, category, message) in [
        ("", Category::Malformed, "not a map"),
        ("LightmappedGeneric { $basetexture a }", Category::Malformed, "not a map"),
        ("world", Category::Truncated, "expected a value or a block after the name at line 1, column 6"),
        ("world\n{\n\"a", Category::Truncated, "string has no end at line 3, column 1"),
        ("world { a", Category::Truncated, "expected a value or a block"),
        ("world { a b", Category::Truncated, "expected `}`"),
        ("world { } }", Category::Malformed, "unexpected `}`"),
        ("world { { } }", Category::Malformed, "unexpected `{`"),
        ("{ }", Category::Malformed, "unexpected `{`"),
    ] {
        let error = error(text);
        assert_eq!(error.category(), category, "{text:?}: {error}");
        assert!(error.to_string().contains(message), "{text:?}: {error}");
    }
}

#[test]
fn limits_are_errors() {
    let text = b"world { a { b { c d } } } entity { } entity { }";
    let with =
        |options: &ReadOptions| Document::from_bytes_with(text, options).map(drop).map_err(|error| error.category());
    let limits = Limits::default();
    assert_eq!(with(&ReadOptions::default()), Ok(()));
    for options in [
        ReadOptions::default().with_limits(limits.clone().with_max_depth(2)),
        ReadOptions::default().with_limits(limits.clone().with_max_items(5)),
        ReadOptions::default().with_max_text(4),
    ] {
        assert_eq!(with(&options), Err(Category::Limit));
    }
    let reader = Document::from_reader_with(&text[..], &ReadOptions::default().with_limits(limits.with_max_input(10)));
    assert_eq!(reader.map_err(|error| error.category()), Err(Category::Limit));
}

#[test]
fn maps_are_recognized_by_their_first_block() {
    for (text, expected) in [
        ("versioninfo\r\n{\r\n", Confidence::Certain),
        ("\u{feff}// c\n\n\"VersionInfo\"\n{", Confidence::Certain),
        ("world\n{\n", Confidence::Maybe),
        ("entity { \"a\"", Confidence::Maybe),
        ("Layer0\n{\n", Confidence::No),
        ("versioninfo", Confidence::No),
        ("world \"a\"", Confidence::No),
        ("", Confidence::No),
    ] {
        assert_eq!(sniff(text.as_bytes()), expected, "{text:?}");
    }
}
