//! Bodies for terrains of Operation Flashpoint, Arma and DayZ.

use mapwright_testkit::{Refusal, hexdiff, laws};
use mapwright_wrp::convert::ConvertOptions;
use mapwright_wrp::diff::Diff;
use mapwright_wrp::io::Limits;
use mapwright_wrp::lists::{self, Centres, Elevation};
use mapwright_wrp::scene::{ExportOptions, ImportOptions, merge_scene, to_scene};
use mapwright_wrp::{Document, ReadError, ReadOptions};

use crate::scene::check_whole;
use crate::target::{Target, refusal};

/// The targets of `mapwright-wrp`.
pub const TARGETS: &[Target] = &[
    Target { body: read, memory: 16, ..wrp("wrp_read") },
    Target { body: roundtrip, memory: 64, ..wrp("wrp_roundtrip") },
    Target { body: scene, memory: 256, ..wrp("wrp_scene") },
    Target { body: lists, memory: 256, inputs: LISTS, cut: list, ..wrp("wrp_lists") },
];

/// The limit of decompression: a few bytes of a tree can encode a whole grid.
const UNPACKED: u64 = 1 << 20;

const fn wrp(name: &'static str) -> Target {
    Target { name, format: "wrp", files: "wrp", ..Target::NEW }
}

const LISTS: &[&[u8]] = &[
    b"model,x,y,z,yaw\n\"a,b.p3d\",1,2.5,-3,90\n",
    b"\"tree\";200010.000;20.000;30.000;-5.000;0.000;1.250;5.000;\n",
    b"objects\n1 0 0 0 1 0 0 0 1 10 20 30 0 a.p3d\nend objects\n",
    b"model,cx,cy,cz\na.p3d,0,1.5,0\n",
    b"<Library><Template><Name>a</Name><File>x\\a.p3d</File><BoundingCenter X=\"0\" Y=\"1\" Z=\"0\" /></Template></Library>",
];

fn document(bytes: &[u8]) -> Result<Document, Refusal> {
    let options = ReadOptions::default().with_limits(Limits::default().with_max_decompressed(UNPACKED));
    Document::from_bytes_with(bytes, &options).map_err(|error: ReadError| refusal(error))
}

/// Reads and looks at everything.
pub fn read(bytes: &[u8]) {
    let Some(document) = laws::total(bytes, document) else { return };
    let findings = document.validate();
    assert!(findings.iter().all(|finding| !finding.message.is_empty()), "a finding without a message");
    let [x, z] = document.extent();
    // Wherever that is.
    let _ = document.ground().height_at(x / 2.0, z / 3.0);
}

/// Checks that an accepted terrain comes back byte for byte, equals itself, and converts to other variants that can be written.
pub fn roundtrip(bytes: &[u8]) {
    let Some(read) = laws::total(bytes, document) else { return };
    laws::exact("the input", bytes, document, Document::to_bytes);
    assert!(Diff::between(&read, &read).is_empty(), "a terrain differs from itself");
    let four = read.to_wvr4(&ConvertOptions::default()).document;
    // Sides without cells may be longer than 4WVR can say.
    if four.size.iter().all(|cells| i32::try_from(*cells).is_ok()) {
        Document::Wvr(four).to_bytes().expect("a converted document can be written");
    }
    laws::model(&Document::Wvr8(read.to_wvr8().document), document, Document::to_bytes);
}

/// The scene of a terrain is whole, and leaves the terrain as it is when put back.
pub fn scene(bytes: &[u8]) {
    let Ok(mut read) = document(bytes) else { return };
    let mut import = to_scene(&read, &ImportOptions::default()).expect("a terrain is a scene");
    check_whole(&import.scene);
    // With something else changed, so that every part is looked at.
    import.scene.name = "terrain".to_owned();
    merge_scene(&mut read, &import.scene, &ExportOptions::default()).expect("its own scene");
    let merged = read.to_bytes().expect("a document that was read can be written");
    assert!(hexdiff(bytes, &merged).is_none(), "its own scene changes a terrain");
}

/// The objects of a terrain as a table.
fn list(file: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    lists::write_csv(Document::from_bytes(file).ok()?.rows(), &mut text).ok()?;
    Some(text)
}

/// Any text is a list or an error with its place; a list that is read comes back with the same bits as a table.
pub fn lists(text: &[u8]) {
    let flat = Document::Wvr8(mapwright_wrp::Wvr8::new([2, 2], 40.0, 2));
    let centres = Centres::from_csv(text).or_else(|_| Centres::from_tml(text)).unwrap_or_default();
    let builder =
        lists::read_terrain_builder(text, (Elevation::Relative, &centres, [0.0; 2]), &flat).map(|list| list.objects);
    for objects in [lists::read_csv(text), lists::read_lbt(text), builder] {
        let objects = match objects {
            Ok(objects) => objects,
            Err(error) => {
                assert!(error.line > 0 && !error.problem.is_empty(), "an error without a place");
                continue;
            }
        };
        let mut terrain = flat.clone();
        if terrain.replace_objects(objects).is_err() {
            continue;
        }
        let mut table = Vec::new();
        lists::write_csv(terrain.rows(), &mut table).expect("a vector takes all");
        let again = lists::read_csv(&table).expect("its own table");
        assert!(again == *terrain.objects(), "a table changes objects");
        for elevation in [Elevation::Absolute, Elevation::Relative] {
            lists::write_terrain_builder(
                terrain.rows(),
                &terrain.ground(),
                (elevation, &centres, [0.0; 2]),
                &mut Vec::new(),
            )
            .expect("a vector takes all");
        }
    }
}
