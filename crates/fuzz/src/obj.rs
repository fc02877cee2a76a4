//! Bodies for Wavefront OBJ. The input is the OBJ file, then perhaps a zero byte and the library that it names.

use mapwright_interchange::{Error, obj};
use mapwright_scene::{Files, Import};
use mapwright_testkit::{hexdiff, laws};

use crate::scene::{check_whole, refusal};
use crate::target::Target;

/// The targets of OBJ.
pub const TARGETS: &[Target] = &[
    Target { body: read, memory: 64, ..obj("obj_read") },
    Target { body: roundtrip, memory: 256, ..obj("obj_roundtrip") },
];

const fn obj(name: &'static str) -> Target {
    Target { name, format: "obj", files: "obj", inputs: FILES, ..Target::NEW }
}

const FILES: &[&[u8]] = &[
    b"o Quad\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n",
    b"mtllib a.mtl\ng one two\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\nusemtl red\n\
      s 1\nf 1/1/1 2/2/1 3/3/1\ns off\nf -3//1 -1//1 -2//1\nl 1 2\n\0newmtl red\nKa 1 0 0\nKd 1 0 0\nKs 1 1 1\nNs 50\nd 0.5\n\
      Pr 0.5\nPm 1\nKe 1 1 1\nmap_Kd red.png\nnorm n.png\n",
    b"v 0 0 0\\\n\nv 1e3 0 -1.5e-7\r\nv 0 1 0\r\nf 1 2 3\r\nf 1 2\nf 1 1 2\np 1\n",
];

fn import(bytes: &[u8]) -> Result<Import, Error> {
    let (file, library) = match bytes.iter().position(|&byte| byte == 0) {
        Some(end) => (&bytes[..end], Some(&bytes[end + 1..])),
        None => (bytes, None),
    };
    obj::to_scene(file, &|_: &str| library.map(<[u8]>::to_vec), &obj::ImportOptions::default())
}

/// Reads. An accepted input is a valid scene.
pub fn read(bytes: &[u8]) {
    if let Some(import) = laws::total(bytes, |bytes| import(bytes).map_err(refusal)) {
        check_whole(&import.scene);
    }
}

/// Checks that the output of a scene is read again as a valid scene. The first reading may normalize it, such as normals that follow from
/// hard edges. From then on the output stays the same.
pub fn roundtrip(bytes: &[u8]) {
    let Ok(Import { scene, .. }) = import(bytes) else { return };
    let Ok(first) = obj::from_scene(&scene, &obj::ExportOptions::default()) else { return };
    let second = rewritten(&first.document);
    let third = rewritten(&second);
    if let Some(diff) = hexdiff(&second.main, &third.main) {
        panic!("writing again changes the output: {diff}");
    }
    assert!(second == third, "the files beside it do not settle");
}

fn rewritten(files: &Files) -> Files {
    let import = obj::to_scene(&files.main, files, &obj::ImportOptions::default());
    let import = import.unwrap_or_else(|error| panic!("the written document is refused: {error}"));
    check_whole(&import.scene);
    let export = obj::from_scene(&import.scene, &obj::ExportOptions::default());
    export.unwrap_or_else(|error| panic!("a written document cannot be read and written again: {error}")).document
}
