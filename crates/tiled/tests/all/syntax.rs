//! XML as JSON, and JSON as XML.

use crate::support::document;

use mapwright_testkit::{corpus, files_below};
use mapwright_tiled::diff::Diff;
use mapwright_tiled::io::Export;
use mapwright_tiled::{Document, Syntax};

fn other(syntax: Syntax) -> Syntax {
    if syntax == Syntax::Xml { Syntax::Json } else { Syntax::Xml }
}

/// Writes a document in the other language and back. Returns the losses of both steps.
fn there_and_back(name: &str, file: &Document) -> Vec<String> {
    let Export { document: there, mut losses } =
        file.to_syntax(other(file.syntax())).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut diff = Diff::between(file, &there);
    diff.formatting = false;
    assert!(diff.is_empty() || !losses.is_empty(), "{name}: {diff}\n{}", there.as_str());
    let back = there.to_syntax(file.syntax()).unwrap_or_else(|error| panic!("{name}: {error}"));
    losses.append(back.losses);
    let again = back.document.to_syntax(there.syntax()).unwrap_or_else(|error| panic!("{name}: {error}"));
    // The first conversion may add default values.
    let last = again.document.to_syntax(file.syntax()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut lines = back.document.as_str().lines().zip(last.document.as_str().lines());
    assert_eq!(lines.find(|(old, new)| old != new && losses.is_empty()), None, "{name}");
    losses.iter().map(ToString::to_string).collect()
}

#[test]
fn files_have_the_same_content_in_both_languages() {
    for text in [include_str!("map.tmx"), include_str!("map.tmj")] {
        let losses = there_and_back("map", &document(text));
        println!("{losses:?}");
    }
    let tileset = "<tileset name='S' tilewidth='8' tileheight='8' tilecount='2' columns='2'><tileoffset x='1' y='-2'/>\
        <image source='a.png' trans='ff00ff' width='16' height='8'/><tile id='1' type='Wall' probability='0.5'><properties>\
        <property name='solid' type='bool' value='true'/></properties><objectgroup draworder='index'><object id='1' x='1' y='2'>\
        <polygon points='0,0 1.5,0 -1,1'/></object></objectgroup><animation><frame tileid='0' duration='100'/></animation></tile>\
        <wangsets><wangset name='W' type='corner' tile='-1'><wangcolor name='c' color='#ff0000' tile='1' probability='1'/>\
        <wangtile tileid='0' wangid='0,1,0,0,0,1,0,0'/></wangset></wangsets></tileset>";
    assert_eq!(there_and_back("tileset", &document(tileset)), [""; 0]);
    let template = "<template><tileset firstgid='1' source='s.tsx'/><object name='o' gid='2147483650' width='8' height='8'/></template>";
    assert_eq!(there_and_back("template", &document(template)), [""; 0]);
}

#[test]
fn all_properties_and_cells_are_converted() {
    let map = "<map orientation='hexagonal' width='2' height='2' tilewidth='8' tileheight='8' infinite='1' hexsidelength='4'>\
        <properties><property name='lines' type='string'>a\nb</property><property name='c' type='class' propertytype='K'>\
        <properties><property name='n' type='int' value='3'/></properties></property><property name='l' type='list'>\
        <item type='float' value='1.5'/><item type='list'><item value='x'/></item></property>\
        <property name='e' propertytype='E' value='up'/></properties>\
        <layer id='1' name='A' width='2' height='2'><data encoding='base64' compression='zlib'>\
        <chunk x='-16' y='0' width='1' height='1'>eJxjZGBgAAAACAAC</chunk></data></layer>\
        <layer id='2' name='B' width='2' height='1'><data><tile gid='1'/><tile/></data></layer>\
        <objectgroup id='3'><object id='1' template='t.tx'/><object id='2'><text wrap='1' pixelsize='9'>a&lt;b</text></object>\
        <object id='3' rotation='45'><capsule/></object></objectgroup>\
        <imagelayer id='4' repeatx='1'><image source='sky.png'/></imagelayer></map>";
    assert_eq!(there_and_back("map", &document(map)), [""; 0]);
}

#[test]
fn parts_without_a_place_in_the_other_language_are_reported() {
    let map = "<map orientation='orthogonal'><!-- note --><odd/><tileset firstgid='1' name='a'><image format='png'><data/></image>\
        </tileset></map>";
    let losses: Vec<String> =
        document(map).to_syntax(Syntax::Json).unwrap().losses.iter().map(ToString::to_string).collect();
    let expected = [
        "dropped: comments: JSON has none",
        "dropped: map: element \"odd\", which Tiled does not know",
        "dropped: tileset: image in the file: JSON stores only paths",
    ];
    assert_eq!(losses, expected);
    let json = "{\"type\":\"map\",\"odd\":1,\"layers\":[{\"type\":\"odd\"}]}";
    let losses = document(json).to_syntax(Syntax::Xml).unwrap().losses;
    assert_eq!(losses.len(), 2, "{losses:?}");
    let world = document("{\"type\":\"world\",\"maps\":[]}");
    assert!(world.to_syntax(Syntax::Xml).is_err());
    assert!(document("{\"type\":\"map\",\"class\":\"\\u0000\"}").to_syntax(Syntax::Xml).is_err());
}

#[test]
fn deep_files_are_rejected() {
    let depth = 300;
    let map = format!("<map>{}{}</map>", "<group>".repeat(100), "</group>".repeat(100));
    document(&map).to_syntax(Syntax::Json).unwrap();
    let map = format!("<map>{}{}</map>", "<group>".repeat(depth), "</group>".repeat(depth));
    let options = mapwright_tiled::ReadOptions::default();
    let limits = options.limits.clone().with_max_depth(1000);
    let deep = Document::from_bytes_with(map.as_bytes(), &options.with_limits(limits)).unwrap();
    assert!(deep.to_syntax(Syntax::Json).is_err());
}

#[test]
#[ignore = "needs the corpus"]
fn real_files_have_the_same_content_in_both_languages() {
    let Some(folder) = corpus("tiled") else { return };
    let (mut count, mut lossy) = (0, 0);
    for path in files_below(&folder) {
        let Ok(file) = std::fs::read(&path).map_err(drop).and_then(|bytes| Document::from_vec(bytes).map_err(drop))
        else {
            continue;
        };
        if file.kind() == mapwright_tiled::DocumentKind::World {
            continue;
        }
        let losses = there_and_back(&path.display().to_string(), &file);
        (count, lossy) = (count + 1, lossy + usize::from(!losses.is_empty()));
        if !losses.is_empty() {
            println!("{}: {losses:?}", path.display());
        }
    }
    println!("{count} files, {lossy} with losses");
    assert!(count >= 60);
}
