//! Differences of two files.

use crate::support;

use mapwright_tiled::diff::Diff;
use mapwright_tiled::edit::Scalar;
use mapwright_tiled::query::{EditObjects, EditOptions};
use mapwright_tiled::{Edit, Item, ItemKind};
use support::document;

const XML: &str = include_str!("map.tmx");
const JSON: &str = include_str!("map.tmj");

fn diff(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (document(old), document(new));
    let diff = Diff::between(&old, &new);
    assert_eq!(diff.is_empty(), old == new);
    diff.to_string().lines().map(str::to_owned).collect()
}

#[test]
fn the_same_map_in_both_languages_has_no_differences() {
    assert_eq!(diff(XML, XML), [""; 0]);
    assert_eq!(diff(XML, JSON), ["only spaces, comments or formatting differ"]);
    assert_eq!(diff(&XML.replace("x=\"1.5\"", "x='1.50'"), XML), ["only spaces, comments or formatting differ"]);
}

#[test]
fn every_edit_is_a_difference() {
    for (edit, expected) in [
        ("set map: renderorder=right-up, text=x", &["renderorder: left-up → right-up", "text: two\nlines → x"][..]),
        (
            "set #10: x=8, visible=true, hp=2",
            &["~ rectangle #10 A \"B\": x: 1.5 → 8; visible: false → true; hp: none → 2"],
        ),
        ("set name=Sky: image=a.png, opacity=0.5", &["~ imagelayer #3 Sky: opacity: 1 → 0.5; image: sky.png → a.png"]),
        ("delete #12", &["- point #12"]),
        ("duplicate #12", &["nextobjectid: 30 → 31", "+ point #30"]),
        ("set kind=tile: solid=false, probability=1", &["~ tile #1: probability: 0.5 → 1; solid: true → false"]),
        ("set kind=tileset and name=Walls: margin=0", &["~ tileset #1 Walls: margin: 2 → 0"]),
        ("rename tileset *ground.tsx x.tsx", &["- tileset #0 ../ground.tsx", "+ tileset #0 x.tsx"]),
    ] {
        for text in [XML, JSON] {
            let old = document(text);
            let mut new = old.clone();
            let options = EditOptions::default().with_create_fields(true);
            new.apply(&edit.parse().unwrap(), &options).unwrap_or_else(|error| panic!("{edit}: {error}"));
            let found = Diff::between(&old, &new).to_string();
            assert_eq!(found.trim_end(), expected.join("\n"), "{edit}");
        }
    }
}

#[test]
fn other_changes_are_differences() {
    for (old, new, expected) in [
        ("1879048195", "9", "~ tilelayer #1 Ground <1>: cell 0,1: 1879048195 → 9"),
        (
            "8,0.5 8,-8\"/>",
            "8,0.5\"/>",
            "~ polygon #14: points: [[0.0, 0.0], [8.0, 0.5], [8.0, -8.0]] → [[0.0, 0.0], [8.0, 0.5]]",
        ),
        ("duration=\"250\"", "duration=\"9\"", "~ tile #1: other parts: unchanged → changed"),
        ("<ellipse/>", "<point/>", "~ tile #1: other parts: unchanged → changed"),
        ("wangid=\"0,1", "wangid=\"1,1", "~ tileset #1 Walls: other parts: unchanged → changed"),
        ("name=\"int\" type=\"int\"", "name=\"int\" type=\"float\"", "int: -7 (int) → -7 (float)"),
        ("value=\"axe\"", "value=\"bow\"", "class: "),
        ("chunksize width=\"8\"", "chunksize width=\"9\"", "other parts: unchanged → changed"),
    ] {
        let found = diff(XML, &XML.replacen(old, new, 1));
        assert!(found.len() == 1 && found[0].starts_with(expected), "{old}: {found:?}");
    }
}

/// Returns another value of the same type, if the item has one of its own.
fn other_value(item: Item<'_>) -> Option<Scalar<'static>> {
    let text = item.text();
    Some(match item.kind() {
        ItemKind::Object | ItemKind::Array => return None,
        ItemKind::Element if item.elements().next().is_some() || text.trim().is_empty() => return None,
        ItemKind::Bool => Scalar::Bool(text == "false"),
        _ => match text.parse::<f64>() {
            // Any other number is true.
            Ok(1.0) => 0.into(),
            Ok(number) => (number + 1.0).into(),
            Err(_) if text == "true" => "false".into(),
            Err(_) => format!("{text}x").into(),
        },
    })
}

#[test]
fn every_value_is_compared() {
    // Numbers in arrays are no items.
    let in_arrays = ["2147483649,", "1879048195\n", "-1,\n", "\"wangid\": [\n        0"];
    for text in [XML, JSON] {
        let old = document(text);
        let mut counts = [0, 0];
        for item in old.items() {
            let Some(value) = other_value(item) else { continue };
            let mut edit = Edit::new(&old);
            edit.set_value(item, value).unwrap();
            let Ok(new) = edit.apply() else {
                // The type of the file.
                counts[1] += 1;
                continue;
            };
            counts[0] += 1;
            let diff = Diff::between(&old, &new);
            assert!(!diff.is_empty() && !diff.formatting, "{item:?}: {diff}");
        }
        assert!(counts[0] > 200 && counts[1] <= 1, "{counts:?}");
    }
    for number in in_arrays {
        assert!(JSON.contains(number), "{number}");
        let changed = JSON.replacen(number, &number.replacen(|c: char| c.is_ascii_digit(), "5", 1), 1);
        let found = diff(JSON, &changed);
        assert!(!found.is_empty() && found[0] != "only spaces, comments or formatting differ", "{number:?}: {found:?}");
    }
}

#[test]
fn unknown_parts_are_compared() {
    for (old, new) in [
        ("<map ", "<map new='1' "),
        ("<tileset first", "<tileset new='1' first"),
        ("<layer id", "<layer new='1' id"),
        ("<data enc", "<data new='1' enc"),
        ("<chunk x", "<chunk new='1' x"),
        ("<object id=\"12\"", "<object new='1' id=\"12\""),
        ("<property name=\"bool\"", "<property new='1' name=\"bool\""),
        ("<point/>", "<point new='1'/>"),
        ("<point/>", "<point/><new/>"),
        ("encoding=\"csv\"", "encoding=\"base64\""),
        ("8,0.5 8,-8", "8,0.5 8,-8 1,"),
        ("opacity=\"0.25\"", "opacity=\"full\""),
        ("<properties>\n  <property name=\"bool\"", "<properties new='1'>\n  <property name=\"bool\""),
    ] {
        let changed = XML.replacen(old, new, 1);
        assert!(changed != XML, "{old}");
        let found = diff(XML, &changed);
        assert!(found.len() == 1 && found[0] != "only spaces, comments or formatting differ", "{new}: {found:?}");
    }
    // Attributes have no order, and default values are no difference.
    for (old, new) in [
        ("hflip=\"1\" vflip=\"0\"", "vflip=\"0\" hflip=\"1\""),
        ("offsetx=\"1.25\" offsety=\"-2\"", "offsety='-2.0' offsetx='1.250'"),
        ("<object id=\"12\"", "<object visible='1' id=\"12\""),
    ] {
        let changed = XML.replacen(old, new, 1);
        assert_eq!(diff(XML, &changed), ["only spaces, comments or formatting differ"], "{new}");
    }
}

#[test]
fn many_properties_are_compared_in_little_time() {
    let properties = |value: &str| {
        let properties: String =
            (0..50_000).map(|index| format!("<property name='p{index}' value='{value}'/>")).collect();
        format!("<map><properties>{properties}</properties></map>")
    };
    let start = std::time::Instant::now();
    let (old, new) = (document(&properties("a")), document(&properties("b")));
    assert_eq!(Diff::between(&old, &new).document.len(), 50_000);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn moves_to_other_layers_are_differences() {
    let object = "<object id='3' x='1'/>";
    let map = |first: &str, second: &str| {
        format!("<map><group id='1'>{first}</group><objectgroup id='2' name='A'>{second}</objectgroup></map>")
    };
    let layer = |objects: &str| format!("<objectgroup id='4' name='A'>{objects}</objectgroup>");
    let old = map(&layer(object), "");
    assert_eq!(diff(&old, &map(&layer(""), object)), ["~ rectangle #3: layer id: 4 → 2"]);
    let out = format!("<map><group id='1'></group>{}<objectgroup id='2' name='A'></objectgroup></map>", layer(object));
    assert_eq!(diff(&old, &out), ["~ objectgroup #4 A: layer id: 1 → none"]);
}

#[test]
fn chunks_are_compared_by_position() {
    let map = |data: &str| format!("<map infinite='1'><layer id='1'><data encoding='csv'>{data}</data></layer></map>");
    let whole = map("<chunk x='-1' y='0' width='2' height='1'>1,2</chunk>");
    let parts =
        map("<chunk x='-1' y='0' width='1' height='1'>1</chunk><chunk x='0' y='0' width='1' height='2'>2,0</chunk>");
    assert_eq!(diff(&whole, &parts), ["only spaces, comments or formatting differ"]);
    let other = parts.replace(">2,0<", ">7,8<");
    assert_eq!(diff(&whole, &other), ["~ tilelayer #1: cell 0,0 and 1 more cell: 2 → 7"]);
    let invalid = diff(&whole, &whole.replace("1,2", "1,x"));
    assert!(invalid.len() == 1 && invalid[0].contains("cells: "), "{invalid:?}");
}
