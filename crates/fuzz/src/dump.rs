//! Bodies for JSON that documents are made of.

use mapwright::wwd::HeaderSize;
use mapwright::{AnyDocument, JsonLayout, ReadOptions, detect};
use mapwright_testkit::{Refusal, laws};

use crate::target::Target;

/// The targets of dumps.
pub const TARGETS: &[Target] = &[
    Target { name: "wwd_dump", format: "wwd", files: "wwd", inputs: LEVELS, ..DUMP },
    Target { name: "etf_dump", format: "etf", inputs: TERMS, ..DUMP },
    Target { name: "wings_dump", format: "wings", files: "wings", ..DUMP },
    Target { name: "dmx_dump", format: "dmx", files: "dmx", ..DUMP },
    Target { name: "vmap_dump", format: "vmap", files: "vmap", ..DUMP },
    Target { name: "vmf_dump", format: "vmf", files: "vmf", ..DUMP },
    Target { name: "wmp_dump", format: "wmp", files: "wmp", ..DUMP },
    Target { name: "wrp_dump", format: "wrp", files: "wrp", ..DUMP },
];

// A field of JSON takes a node of a tree.
const DUMP: Target = Target { body: document, cut: dump_of, memory: 256, ..Target::NEW };

const LEVELS: &[&[u8]] = &[
    br#"{"format":"wwd","level":{"style":"editor","header":{"header_size":1524,"flags":2,"name":"A\\xb3"},"planes":[{"fields":
    {"tiles_wide":3,"tiles_high":2,"tile_w":64,"tile_h":64},"image_sets":["A"],"tiles":[[1,null,"fill"],[[3,null]]],
    "objects":[{"logic":"Rat","x":-5,"rect_hit":[1,2,3,4]},{}]}],"tile_properties":{"size":32,"reserved_04":0,
    "reserved_0c":[0,0,0,0,0],"items":[{"size":[1,2],"single":1},{"size":[1,2],"double":[0,1],"rect":[0,0,1,1]},
    {"size":[2,1],"mask":"0001"}]},"trailer":"<\\x00>"}}"#,
    br#"{"format":"wwd","level":{"style":"wapmap","stored":{"adler32":1},"header":{"header_size":1524},"planes":[],"layout":
    {"planes_offset":1524,"planes":[],"tile_properties_offset":0,"main_block_size":2,"residue":[{"offset":1524,"bytes":"00ff"}]}}}"#,
];

const TERMS: &[&[u8]] = &[
    br#"{"format":"etf","term":{"tuple":["wings",2,[{"text":"a"},1.5,{"map":[["k",{"binary":"00ff"}]]}],{"list":[1],"tail":2}]}}"#,
    br#"{"format":"etf","term":{"bits":"a0","last":3},"encoding":{"profile":"otp26","packing":"plain"}}"#,
];

fn options(json: &[u8]) -> ReadOptions {
    let mut options = ReadOptions::default().with_header_size(HeaderSize::Any);
    // A limit that the law of memory can see: a run of cells is a few letters.
    options.limits.max_decompressed = (1 << 20) + 16 * json.len() as u64;
    options
}

fn dump_of(file: &[u8]) -> Option<Vec<u8>> {
    let format = detect(file, None).format?;
    Some(dumped(&AnyDocument::from_bytes_as(file, format, &options(file)).ok()?))
}

fn dumped(document: &AnyDocument) -> Vec<u8> {
    let mut json = Vec::new();
    document.write_dump(&mut json, JsonLayout::OneLine).expect("memory takes it");
    json
}

/// Checks that a built document can be written or is refused, and that its own JSON gives the same file.
pub fn document(json: &[u8]) {
    let build = |json: &[u8]| {
        AnyDocument::from_dump(json, &options(json))
            .map_err(|error| Refusal::new(error.category().name(), None, &error))
    };
    let Some(built) = laws::total(json, build) else { return };
    let Ok(file) = built.to_bytes() else { return };
    let again = AnyDocument::from_dump(&dumped(&built), &ReadOptions::default()).expect("a dump can be read");
    assert!(
        again.to_bytes().expect("a document that was read can be written") == file,
        "the JSON of a document gives another file"
    );
}
