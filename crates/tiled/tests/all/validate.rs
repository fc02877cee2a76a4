//! Findings with their codes and places.

use crate::support;

use mapwright_tiled::io::{Category, Limits, Severity};
use mapwright_tiled::{Document, Edit, Gid, ReadOptions};
use support::document;

/// Returns code and path of each finding.
fn findings(text: &str) -> Vec<(&'static str, String)> {
    let findings = document(text).validate();
    assert!(findings.iter().all(|finding| finding.at.is_some() && !finding.message.is_empty()), "{findings:?}");
    findings.into_iter().map(|finding| (finding.code, finding.path.to_string())).collect()
}

#[track_caller]
fn check(text: &str, expected: &[(&'static str, &str)]) {
    let found = findings(text);
    let found: Vec<_> = found.iter().map(|(code, path)| (*code, path.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

/// Returns a map in XML.
fn map(inner: &str) -> String {
    format!("<map orientation='orthogonal' width='2' height='1'>{inner}</map>")
}

const SET: &str = "<tileset firstgid='1' tilecount='4' columns='2'/>";

#[test]
fn attributes_and_elements_are_checked_by_their_types() {
    check(
        &map(
            "<layer id='1' opacity='a' visible='yes' mode='mix' tintcolor='red' width='1.5' zoom='1'><data encoding='csv'/></layer>",
        ),
        &[
            ("cells-invalid", "layer[0]"),
            ("attribute-invalid", "layer[0].opacity"),
            ("attribute-invalid", "layer[0].visible"),
            ("attribute-invalid", "layer[0].mode"),
            ("attribute-invalid", "layer[0].tintcolor"),
            ("attribute-invalid", "layer[0].width"),
            ("attribute-unknown", "layer[0].zoom"),
        ],
    );
    check(
        &map("<properties><property name='a'/><b/></properties><c/>"),
        &[("element-unknown", "properties[0].b[0]"), ("element-unknown", "c[0]")],
    );
    let properties = "<properties><property name='a' type='int' value='x'/><property name='b' type='bool' value='1'/>\
        <property name='c' type='date' value=''/><property name='d' type='float' value=''/></properties>";
    let path = |index: usize, name: &str| format!("properties[0].property[{index}].{name}");
    let found: Vec<_> = findings(&map(properties)).into_iter().map(|(_, path)| path).collect();
    assert_eq!(found, [path(0, "value"), path(1, "value"), path(2, "type"), path(3, "value")]);
    check(
        r#"{"type":"map","orientation":"orthogonal","layers":[{"type":"group","id":1,"opacity":"a","layers":[{"type":"objectgroup","id":2,"x":[1]}]}],"zoom":{}}"#,
        &[
            ("attribute-invalid", "layers[0].opacity"),
            ("attribute-unknown", "layers[0].layers[0].x"),
            ("attribute-unknown", "zoom"),
        ],
    );
}

#[test]
fn maps_are_checked() {
    check("<map/>", &[("orientation-unknown", "")]);
    check(
        "<map orientation='round'/>",
        &[("orientation-unknown", "orientation"), ("attribute-invalid", "orientation")],
    );
    let layer = "<layer id='1' width='2' height='1'>";
    check(&map(&format!("{layer}</layer>")), &[("cells-missing", "layer[0]")]);
    check(
        &map(&format!("{layer}<data><chunk width='0' height='0'/></data></layer>")),
        &[("chunks-unexpected", "layer[0]")],
    );
    check(
        &map(&format!("{SET}{layer}<data encoding='csv'>5,2147483652</data></layer>")),
        &[("gid-unknown", "layer[0]")],
    );
    check(
        &map(&format!("{layer}<data encoding='csv'>1,0</data></layer>{SET}")),
        &[("tileset-after-layer", "tileset[0]")],
    );
    check(
        &map("<tileset/><tileset firstgid='5'/><tileset firstgid='5'/><tileset firstgid='3'/>"),
        &[("firstgid-invalid", "tileset[0]"), ("firstgid-invalid", "tileset[2]"), ("firstgid-order", "tileset[3]")],
    );
}

#[test]
fn objects_are_checked() {
    let objects = "<objectgroup id='1'><object id='1'/><object/><object id='1' gid='9'/>\
        <object id='2'><polygon points='0,0 1'/></object><object id='3'><polyline points='1,1'/></object></objectgroup><group id='1'/>";
    check(
        &map(objects),
        &[
            ("id-duplicate", "objectgroup[0].object[2]"),
            ("gid-unknown", "objectgroup[0].object[2].gid"),
            ("points-invalid", "objectgroup[0].object[3].polygon[0]"),
            ("points-invalid", "objectgroup[0].object[4].polyline[0]"),
            ("id-duplicate", "group[0]"),
            ("id-missing", "objectgroup[0].object[1]"),
        ],
    );
    let reference = "<properties><property name='a' type='object' value='2'/><property name='b' type='object' value='0'/>\
        <property name='c' type='list'><item type='object' value='7'/></property></properties>\
        <objectgroup id='1'><object id='2'/></objectgroup>";
    check(&map(reference), &[("object-unknown", "properties[0].property[2].item[0]")]);
    check(
        r#"{"type":"map","orientation":"isometric","nextobjectid":3,"nextlayerid":2,"layers":[{"type":"objectgroup","id":1,"objects":[{"id":3}]}]}"#,
        &[("next-id-low", "nextobjectid")],
    );
}

#[test]
fn tilesets_and_templates_are_checked() {
    check(
        "<tileset tilecount='2' columns='2'><tile id='1'><animation><frame tileid='2'/></animation></tile><tile id='1'/>\
         <wangsets><wangset type='mixed'><wangcolor/><wangtile tileid='0' wangid='0,1,0,1,0,1,0,2'/><wangtile tileid='5' wangid='0'/></wangset></wangsets></tileset>",
        &[
            ("tile-duplicate", "tile[1]"),
            ("tile-unknown", "tile[0].animation[0].frame[0]"),
            ("wangid-invalid", "wangsets[0].wangset[0].wangtile[0]"),
            ("tile-unknown", "wangsets[0].wangset[0].wangtile[1]"),
            ("wangid-invalid", "wangsets[0].wangset[0].wangtile[1]"),
        ],
    );
    check("<tileset source='a.tsx'/>", &[("tileset-nested", "source")]);
    check("<template/>", &[("template-empty", "")]);
    check(
        "<template><object template='a\\b.tx'/></template>",
        &[("template-nested", "object[0].template"), ("path-backslash", "object[0].template")],
    );
    check(
        &map("<tileset firstgid='1' source='C:/a.tsx'/><imagelayer id='1'><image source='/a.png'/></imagelayer>"),
        &[("path-absolute", "tileset[0].source"), ("path-absolute", "imagelayer[0].image[0].source")],
    );
}

#[test]
fn many_findings_are_counted() {
    let findings = document(&map(&"<a/>".repeat(1000))).validate();
    assert_eq!((findings.len(), findings[100].count, findings[0].severity), (101, 900, Severity::Note));
}

#[test]
fn the_limits_of_reading_apply_to_cells_and_edits() {
    let layer = "<layer id='1' width='2' height='1'><data encoding='csv'>1,2</data></layer>";
    let text = map(&format!("{SET}{layer}{}", layer.replace("id='1'", "id='2'")));
    let read = |limits: Limits| {
        Document::from_bytes_with(text.as_bytes(), &ReadOptions::default().with_limits(limits)).unwrap()
    };
    let document = read(Limits::default().with_max_decompressed(12));
    let findings = document.validate();
    assert_eq!(findings.len(), 1, "{findings:?}");
    let finding = (findings[0].code, findings[0].severity, findings[0].path.to_string());
    assert_eq!(finding, ("cells-unchecked", Severity::Note, "layer[1]".to_owned()));
    let change = |document: &Document| {
        let mut edit = Edit::new(document);
        edit.set_cells(document.as_map().unwrap().layers().next().unwrap(), &[([0, 0], Gid(3))])?;
        edit.set(document.root(), "class", "A")?;
        edit.apply()
    };
    assert!(change(&document).is_ok());
    let small = read(Limits::default().with_max_decompressed(4));
    assert_eq!(change(&small).unwrap_err().category(), Category::Limit, "the cells are too large");
    let full = read(Limits::default().with_max_items(document.item_count() as u64));
    assert_eq!(change(&full).unwrap_err().category(), Category::Limit, "there is one more item");
    assert_eq!(small, full, "limits are no part of the content");
}
