//! Laws on generated texts.

use mapwright_testkit::{laws, mutate};
use mapwright_vmf::{Connection, Cordon, DisplacementArray, Document, VisGroup, sniff};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::{read, read_escaped};

/// Pieces of texts, in any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "{",
        "}",
        " ",
        "\r\n",
        "\t",
        "\"",
        "\\\"",
        "// c\n",
        "/* ",
        "[",
        "]",
        "world",
        "entity",
        "hidden",
        "solid",
        "side",
        "versioninfo",
        "connections",
        "editor",
        "dispinfo",
        "\"id\" \"1\"",
        "\"plane\" \"(0 0 0) (0 1 0) (1 0 0)\"",
        "\"OnA\" \"b,c,,0,1\"",
        "\"a\" \"\x1b\x1b\x1b1\x1b2\"",
        "power 2",
        "\u{feff}",
        "é",
    ];
    vec(select(pieces.to_vec()), 0..40).prop_map(|pieces| pieces.concat().into_bytes())
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i16>().prop_map(|number| number.to_string()),
        (-1e6..1e6_f64).prop_map(|number| number.to_string()),
        select(vec!["-0", "1e1", ".5", "64", "nan", "x", ""]).prop_map(str::to_owned),
    ]
}

fn numbers(count: usize) -> impl Strategy<Value = String> {
    vec(number(), count).prop_map(|numbers| numbers.join(" "))
}

/// Keys with values that are valid at times.
fn key() -> impl Strategy<Value = String> {
    let plane = vec(numbers(3), 3).prop_map(|points| format!("\"plane\" \"({})\"", points.join(") (")));
    let axis = (select(vec!["uaxis", "vaxis"]), numbers(4), number());
    let connection = (select(vec![",", "\x1b"]), vec(select(vec!["a", "", "-1", "0.5", "b c"]), 3..8));
    let other = (
        select(vec!["id", "classname", "origin", "angles", "targetname", "groupid", "visgroupid", "mins", "v", "file"]),
        prop_oneof![
            number(),
            numbers(3),
            select(vec!["func_instance", "info_overlay", "light", "ž"]).prop_map(str::to_owned)
        ],
    );
    prop_oneof![
        plane,
        axis.prop_map(|(name, axis, scale)| format!("\"{name}\" \"[{axis}] {scale}\"")),
        connection.prop_map(|(separator, fields)| format!("\"OnA\" \"{}\"", fields.join(separator))),
        other.prop_map(|(name, value)| format!("\"{name}\" \"{value}\"")),
        (0..6_usize, numbers(5)).prop_map(|(row, numbers)| format!("\"row{row}\" \"{numbers}\"")),
        select(vec!["\"power\" \"2\"", "power 1", "\"a\" \"\"b\"\"", "// c"]).prop_map(str::to_owned),
    ]
}

/// Maps with every kind of block, in any order, as programs write them and otherwise.
pub(crate) fn map_text() -> impl Strategy<Value = Vec<u8>> {
    let names = [
        "entity",
        "world",
        "hidden",
        "solid",
        "side",
        "editor",
        "group",
        "connections",
        "dispinfo",
        "normals",
        "distances",
        "vertices_plus",
        "\"point_data\"",
        "visgroup",
        "cordon",
        "box",
        "camera",
    ];
    let line_end = select(vec!["\n", "\r\n", "\n\t"]);
    let items = (key(), line_end.clone()).prop_map(|(key, end)| format!("\t{key}{end}"));
    let items = items.prop_recursive(4, 60, 6, move |item| {
        (select(names.to_vec()), vec(item, 0..6))
            .prop_map(|(name, items)| format!("{name}\n{{\n{}}}\n", items.concat()))
    });
    let tops = select(vec!["entity", "world", "hidden", "visgroups", "cameras", "cordons", "quickhide"]);
    let blocks = (tops, vec(items, 0..6)).prop_map(|(name, items)| format!("{name}\r\n{{\r\n{}}}\r\n", items.concat()));
    let head = select(vec!["", "\u{feff}", "// c\n"]);
    (head, vec(blocks, 0..5)).prop_map(|(head, blocks)| {
        format!("{head}versioninfo\n{{\n\t\"mapversion\" \"1\"\n}}\n{}", blocks.concat()).into_bytes()
    })
}

/// Asks everything that views offer. All items must be inside the text.
pub(crate) fn visit(map: &Document) {
    let size = map.as_bytes().len();
    let _ = (map.version("mapversion"), map.active_camera(), format!("{map:?}"));
    for entity in map.all_entities() {
        assert!(entity.item().range().end <= size);
        let _ = (entity.id(), entity.origin(), entity.groups().count(), format!("{entity:?}"));
        let _ = entity.as_overlay().map(|overlay| (overlay.corners(), overlay.texture_coordinates()));
        let _ = entity.as_instance().map(|instance| (instance.fixup_style(), instance.replacements().count()));
        for output in entity.outputs() {
            if let Some(connection) = output.connection() {
                assert_eq!(Connection::parse(&connection.to_string()), Some(connection));
            }
        }
        for solid in entity.solids() {
            assert!(!entity.is_hidden() || solid.is_hidden());
            let _ = solid.editor().map(|editor| (editor.visgroup_ids().count(), editor.color()));
            for side in solid.sides() {
                let _ = (side.stored_vertices(), format!("{side:?}"));
                if let Some(displacement) = side.displacement() {
                    for array in DisplacementArray::ALL {
                        let size = displacement.point_count().map(|points| array.shape(points).iter().product());
                        assert!(displacement.array(array).is_none_or(|numbers| Some(numbers.len()) == size));
                    }
                }
            }
        }
    }
    let _ = map.visgroups().flat_map(VisGroup::visgroups).count();
    let _ = (map.cordons().filter_map(Cordon::bounds).count(), map.cameras().count());
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_rejected(bytes in vec(any::<u8>(), 0..200), pieces in pieces()) {
        for bytes in [&bytes, &pieces] {
            let _ = sniff(bytes);
            for read in [read, read_escaped] {
                if let Some(map) = laws::total(bytes, read) {
                    visit(&map);
                    laws::exact("the text", bytes, read, Document::to_bytes);
                }
            }
        }
    }

    #[test]
    fn legal_maps_round_trip(text in map_text()) {
        laws::exact("the map", &text, read, Document::to_bytes);
        laws::stable(&text, read, Document::to_bytes);
        visit(&read(&text).unwrap());
    }

    #[test]
    fn damaged_maps_are_stable(text in map_text(), seed: u64) {
        for mutant in mutate::random(&text, std::slice::from_ref(&text), seed).take(20) {
            if let Some(map) = laws::total(&mutant, read) {
                visit(&map);
            }
            laws::stable(&mutant, read, Document::to_bytes);
        }
    }

    #[test]
    fn prefixes_are_rejected_or_shorter_maps(text in map_text()) {
        laws::prefixes(&text, read, |prefix, map| map.as_bytes() == prefix);
    }
}
