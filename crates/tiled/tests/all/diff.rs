//! Differences of two files.

use crate::support;

use mapwright_tiled::diff::Diff;
use mapwright_tiled::query::{EditObjects, EditOptions};
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
