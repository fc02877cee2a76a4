//! Damaged maps give an error or a map, in bounded memory. There is only one test because it measures the heap.

use mapwright_testkit::{PeakAlloc, allowed_memory, fixtures, mutate};
use mapwright_vmap::{Document, ReadError};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

fn survives(what: &str, bytes: &[u8]) -> Result<Document, ReadError> {
    let input = (bytes, allowed_memory(bytes.len()));
    let validate = |document: &Document| document.validate().len();
    let offset = |error: &ReadError| error.position().map(|at| at.offset);
    mapwright_testkit::survives(&HEAP, what, input, Document::from_bytes, Document::to_bytes, validate, offset)
}

#[test]
fn damaged_maps_survive() {
    for name in ["empty.vmap", "room.vmap", "room.vmap.txt"] {
        let bytes = std::fs::read(fixtures("vmap").join(name)).expect("a fixture");
        survives(name, &bytes).expect("a map");
        for prefix in mutate::prefixes(&bytes).step_by(397) {
            let _ = survives("a prefix", prefix);
        }
        for mutant in mutate::byte_flips(&bytes).step_by(397).chain(mutate::numbers(&bytes).step_by(3989)) {
            let _ = survives("a damaged map", &mutant);
        }
    }
}
