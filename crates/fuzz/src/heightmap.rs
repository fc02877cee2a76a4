//! Bodies for heightmaps. The first byte selects the kind of heightmap.

use mapwright_heightmap::{ExportOptions, Format, ImportOptions};
use mapwright_scene::{Files, SideFile};
use mapwright_testkit::laws;

use crate::scene::{check_whole, refusal};
use crate::target::Target;

/// The targets of heightmaps.
pub const TARGETS: &[Target] = &[Target {
    name: "heightmap_read",
    format: "heightmap",
    files: "heightmap",
    body: read,
    inputs: FILES,
    memory: 256,
    ..Target::NEW
}];

const KINDS: [Format; 8] =
    [Format::Asc, Format::Tif, Format::Png, Format::Xyz, Format::Bil, Format::Flt, Format::R16, Format::R32];

/// The limit of bytes for heights: an image of a few bytes can declare many.
const HEIGHTS: u64 = 1 << 20;

const FILES: &[&[u8]] = &[
    b"\0ncols 3\nnrows 2\nxllcorner 200000\nyllcorner 0.5\ncellsize 25\nNODATA_value -9999\n1 2.5 -3\n4 -9999 6e1\n",
    b"\0NROWS 1\r\nNCOLS 2\r\nXLLCENTER 0\r\nYLLCENTER 0\r\nDX 1\r\nDY 2\r\n1 2\r\n",
    // Two by two heights of 16 bits, as they are.
    b"\x01II*\0\x10\0\0\0\x01\0\x02\0\x03\0\x04\0\x09\0\0\x01\x03\0\x01\0\0\0\x02\0\0\0\x01\x01\x03\0\x01\0\0\0\x02\0\0\0\
      \x02\x01\x03\0\x01\0\0\0\x10\0\0\0\x03\x01\x03\0\x01\0\0\0\x01\0\0\0\x06\x01\x03\0\x01\0\0\0\x01\0\0\0\
      \x11\x01\x04\0\x01\0\0\0\x08\0\0\0\x15\x01\x03\0\x01\0\0\0\x01\0\0\0\x16\x01\x03\0\x01\0\0\0\x02\0\0\0\
      \x17\x01\x04\0\x01\0\0\0\x08\0\0\0\0\0\0\0",
    // A pixel of 16 bits.
    b"\x02\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x10\0\0\0\0\x6a\xee\x47\x16\0\0\0\x0bIDAT\x78\x9c\x63\x60\x10\x64\0\0\0\x18\0\x09",
    b"\x030 0 1\n1 0 2.5\n0 1 -3\n1 1 4e0\n",
    b"\x03x,y,z\n0,2,1\n5,2,2\n0,0,3\n5,0,4\n",
    b"\x04nrows 2\nncols 2\nnbits 16\npixeltype signedint\nxdim 5\nydim 5\nulxmap 10\nulymap 30\nnodata -1\n\0\x01\0\x02\0\xff\xff\x04\x01",
    b"\x05ncols 1\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\nbyteorder LSBFIRST\n\0\0\0\x80?\0\0\0@",
    b"\x06{\"width\":2,\"height\":1,\"bpp\":16,\"min\":0,\"max\":9}\0\x01\0\xff\xff",
    b"\x07{\"width\":1,\"height\":2,\"rows\":\"south\"}\0\0\0\x80?\0\0\0@",
];

/// Reads. An accepted input is a valid scene, and written as any kind or refused.
pub fn read(bytes: &[u8]) {
    let Some((kind, file)) = bytes.split_first() else { return };
    let mut options = ImportOptions::default();
    options.format = KINDS.get(usize::from(*kind) % KINDS.len()).copied();
    options.max_bytes = HEIGHTS;
    (options.header_file, options.description_file) = (Some("scene.hdr".into()), Some("scene.json".into()));
    // The file beside these comes first, and ends with a zero.
    let has_header = matches!(options.format, Some(Format::Bil | Format::Flt | Format::R16 | Format::R32));
    let end = file.iter().position(|byte| *byte == 0).filter(|_| has_header);
    let (header, file) = end.and_then(|end| Some((file.get(..end)?, file.get(end + 1..)?))).unwrap_or((&[], file));
    let beside = |name: &str| SideFile { name: name.to_owned(), data: header.to_vec() };
    let side = if header.is_empty() { Vec::new() } else { vec![beside("scene.hdr"), beside("scene.json")] };
    let files = Files { main: Vec::new(), side };
    let import = laws::total(file, |file| mapwright_heightmap::to_scene(file, &files, &options).map_err(refusal));
    let Some(import) = import else { return };
    check_whole(&import.scene);
    for format in KINDS {
        let mut writing = ExportOptions::default();
        writing.format = format;
        let Ok(export) = mapwright_heightmap::from_scene(&import.scene, &writing) else { continue };
        options.format = Some(format);
        let again = mapwright_heightmap::to_scene(&export.document.main, &export.document, &options);
        // Points leave holes out, and few points are no grid.
        if let Err(error) = again
            && format != Format::Xyz
        {
            panic!("the file written as {} is refused: {error}", format.name());
        }
    }
}
