//! Every target on its seeds, its regressions and some mutants. One test, because it measures the heap.

use std::collections::HashSet;

use mapwright_fuzz::{Campaign, seeds, targets};
use mapwright_testkit::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// No larger seeds: the long runs are for those.
const LARGEST: usize = 16 << 10;

#[test]
fn every_target_survives_its_seeds_and_their_mutants() {
    let mut names = HashSet::new();
    for target in targets() {
        assert!(names.insert(target.name), "two targets are called {}", target.name);
        assert!(target.name.starts_with(&format!("{}_", target.format)), "{} begins with its format", target.name);
        let (names, seeds): (Vec<_>, Vec<_>) = seeds(target).into_iter().unzip();
        let small = seeds.iter().filter(|seed| seed.len() <= LARGEST).cloned().collect();
        let campaign = Campaign::new(target, small, 1, &HEAP);
        let plain = names.iter().zip(&seeds).map(|(name, seed)| campaign.run(seed, || name.clone()));
        let mutants = (0..target.smoke).map(|number| campaign.run_mutant(number));
        if let Some(failure) = plain.chain(mutants).find_map(Result::err) {
            panic!("{failure}");
        }
    }
}
