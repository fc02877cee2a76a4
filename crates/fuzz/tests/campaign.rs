//! A campaign notices a broken body. One test, because it measures the heap.

use mapwright_fuzz::{Campaign, Target, targets};
use mapwright_testkit::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// One body panics on inputs with a `!`, and one takes too much memory.
#[test]
fn a_broken_body_is_noticed() {
    let panics = |bytes: &[u8]| assert!(!bytes.contains(&b'!'), "no exclamation, please");
    let hoards = |_: &[u8]| drop(std::hint::black_box(vec![1_u8; 64 << 20]));
    let target = |body| Target { name: "test_body", body, ..targets().next().unwrap().clone() };
    let (panics, hoards) = (target(panics), target(hoards));
    let campaign = Campaign::new(&panics, vec![b"!".to_vec()], 1, &HEAP);
    assert!((0..100).any(|number| campaign.run_mutant(number).is_ok()));
    let failure = (0..100).find_map(|number| campaign.run_mutant(number).err()).unwrap();
    assert!(failure.input.contains(&b'!') && failure.message == "no exclamation, please", "{failure}");
    let failure = Campaign::new(&hoards, Vec::new(), 1, &HEAP).run(b"", || "nothing".to_owned()).unwrap_err();
    assert!(failure.message.contains("bytes of heap"), "{failure}");
}
