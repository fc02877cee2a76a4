//! Every target on its seeds, its regressions and some thousand mutants. One test, because it measures the heap.

use std::collections::HashSet;

use mapwright_fuzz::{Campaign, Target, seeds, targets};
use mapwright_testkit::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Mutants per target: a few seconds for all of them, unoptimised.
const MUTANTS: u64 = 20_000;
/// No larger seeds: the long runs are for those.
const LARGEST: usize = 16 << 10;

#[test]
fn every_target_survives_its_seeds_and_their_mutants() {
    a_broken_body_is_noticed();
    let mut names = HashSet::new();
    for target in targets() {
        assert!(names.insert(target.name), "two targets are called {}", target.name);
        assert!(target.name.starts_with(&format!("{}_", target.format)), "{} begins with its format", target.name);
        let (names, seeds): (Vec<_>, Vec<_>) = seeds(target).into_iter().unzip();
        let small = seeds.iter().filter(|seed| seed.len() <= LARGEST).cloned().collect();
        let campaign = Campaign::new(target, small, 1, &HEAP);
        let plain = names.iter().zip(&seeds).map(|(name, seed)| campaign.run(seed, || name.clone()));
        let mutants = (0..MUTANTS).map(|number| campaign.run_mutant(number));
        if let Some(failure) = plain.chain(mutants).find_map(Result::err) {
            panic!("{failure}");
        }
    }
}

/// A body that panics on inputs with a `!`, and one that takes too much memory.
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
