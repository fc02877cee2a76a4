//! The laws of reading and writing, for terms of every tag in every encoding.

use crate::strategies;
use crate::support;

use mapwright_etf::{Compressor, Document, Edit, Packing, Tag, Tree, WriterProfile};
use mapwright_testkit::{Refusal, laws, mutate};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use support::{compressed, ranges, read, read_lenient, refusal};

fn read_tree(bytes: &[u8]) -> Result<Tree, Refusal> {
    Tree::from_bytes(bytes).map_err(|error| refusal(&error))
}

fn write_tree(tree: &Tree) -> Result<Vec<u8>, &'static str> {
    Ok(tree.as_bytes().to_vec())
}

fn tree() -> BoxedStrategy<Tree> {
    strategies::term().prop_map(|bytes| Tree::from_bytes(&bytes).expect("the strategy makes legal terms")).boxed()
}

fn profile() -> BoxedStrategy<WriterProfile> {
    select(WriterProfile::ALL.to_vec()).boxed()
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_rejected(bytes in vec(any::<u8>(), 0..200), tag in 60..130_u8) {
        for bytes in [&bytes[..], &[&[131, tag], &bytes[..]].concat()] {
            let strict = laws::total(bytes, read);
            let lenient = laws::total(bytes, read_lenient);
            prop_assert!(strict.is_none() || strict == lenient);
        }
    }

    #[test]
    fn legal_streams_round_trip(term in strategies::term(), trailing in vec(any::<u8>(), 0..9), inner in vec(any::<u8>(), 0..9)) {
        let plain = [&[131], &term[..], &trailing].concat();
        laws::exact("plain", &plain, read, Document::to_bytes);
        laws::stable(&plain, read, Document::to_bytes);
        let inflated = [term, inner].concat();
        let stream = [compressed(&inflated, inflated.len()), trailing].concat();
        laws::exact("compressed", &stream, read, Document::to_bytes);
        laws::stable(&stream, read, Document::to_bytes);
    }

    #[test]
    fn damaged_terms_are_stable(term in strategies::term(), seed: u64) {
        let sample = [vec![131], term].concat();
        for mutant in mutate::random(&sample, std::slice::from_ref(&sample), seed).take(20) {
            laws::stable(&mutant, read, Document::to_bytes);
            laws::stable(&mutant, read_lenient, Document::to_bytes);
        }
    }

    #[test]
    fn models_round_trip(tree in tree(), trailing in vec(any::<u8>(), 0..9), inner in vec(any::<u8>(), 0..9)) {
        laws::model(&tree, read_tree, write_tree);
        let mut document = Document::new(tree.clone());
        document.set_trailing(trailing);
        document.set_packing(Packing::Plain);
        laws::model(&document, read, Document::to_bytes);
        // The stream is new, but its content is the same.
        for compressor in [Compressor::Fast, Compressor::Erlang] {
            document.set_packing(Packing::Compressed { trailing: inner.clone(), compressor });
            let again = read(&document.to_bytes().unwrap()).unwrap();
            prop_assert_eq!(again.tree(), &tree);
            prop_assert_eq!(again.trailing(), document.trailing());
            // A file does not name its compressor.
            let erlang = Packing::Compressed { trailing: inner.clone(), compressor: Compressor::Erlang };
            prop_assert!(*again.packing() == erlang || inner.is_empty());
        }
    }

    #[test]
    fn prefixes_of_terms_are_rejected(term in strategies::term()) {
        laws::prefixes(&[&[131], &term[..]].concat(), read, |_, _| false);
        laws::prefixes(&compressed(&term, term.len()), read, |_, _| false);
    }

    #[test]
    fn a_profile_has_one_encoding_per_value(tree in tree(), profile in profile(), other in profile()) {
        let recoded = tree.root().recode(profile).unwrap();
        prop_assert!(recoded.root().same_value(tree.root()));
        prop_assert_eq!(recoded.root().to_text(), tree.root().to_text());
        prop_assert_eq!(ranges(&recoded), ranges(&Tree::from_bytes(recoded.as_bytes()).unwrap()));
        prop_assert_eq!(&recoded.root().recode(profile).unwrap(), &recoded);
        let way_round = tree.root().recode(other).unwrap().root().recode(profile).unwrap();
        prop_assert_eq!(&way_round, &recoded);
    }

    #[test]
    fn detection_agrees_with_recoding(tree in tree()) {
        for tree in [&tree, &tree.root().recode(WriterProfile::Otp16).unwrap(), &tree.root().recode(WriterProfile::Otp26).unwrap()] {
            let fits = |profile: &WriterProfile| &tree.root().recode(*profile).unwrap() == tree;
            for profile in WriterProfile::ALL {
                prop_assert_eq!(profile.first_deviation(tree.root()).is_none(), fits(&profile), "{} {:02x?}", profile.name(), tree.as_bytes());
            }
            let detected = WriterProfile::detect(tree.root());
            prop_assert_eq!(detected.is_some(), WriterProfile::ALL.iter().any(fits));
            prop_assert!(detected.is_none_or(|profile| fits(&profile)));
        }
    }

    #[test]
    fn equal_values_are_repeated_keys(one in tree(), other in tree()) {
        prop_assert!(one.root().same_value(one.clone().root()));
        let same = one.root().same_value(other.root());
        prop_assert_eq!(same, other.root().same_value(one.root()));
        // Both as keys of one map: rejected exactly if they are equal.
        let map = [&[116, 0, 0, 0, 2], one.as_bytes(), &[106], other.as_bytes(), &[106]].concat();
        prop_assert_eq!(Tree::from_bytes(&map).is_err(), same);
        let recoded = one.root().recode(WriterProfile::Otp26).unwrap();
        let twice = [&[116, 0, 0, 0, 2], one.as_bytes(), &[106], recoded.as_bytes(), &[106]];
        prop_assert!(Tree::from_bytes(&twice.concat()).is_err());
    }

    #[test]
    fn an_edit_is_a_splice(tree in tree(), with in tree(), place in any::<Index>()) {
        let terms: Vec<_> = tree.root().descendants().collect();
        prop_assert_eq!(tree.term_count(), terms.len());
        let term = terms[place.index(terms.len())];
        let mut edit = Edit::new(&tree);
        edit.replace(term, &with);
        let spliced = [&tree.as_bytes()[..term.range().start], with.as_bytes(), &tree.as_bytes()[term.range().end..]].concat();
        let changed = edit.apply().unwrap();
        prop_assert_eq!(changed.as_bytes(), &spliced);
        prop_assert_eq!(term.to_tree().to_string(), term.to_string());
        prop_assert_eq!(term.to_tree().root().descendants().count(), term.descendants().count());
    }

    #[test]
    fn views_and_validation_never_fail(tree in tree()) {
        let document = Document::new(tree.clone());
        let findings = document.validate();
        prop_assert!(findings.iter().all(|finding| !finding.to_string().is_empty() && finding.at.is_some()));
        for term in tree.root().descendants() {
            prop_assert!(Tag::name(term.tag()).is_some());
            prop_assert!(term.range().end <= tree.as_bytes().len());
            prop_assert!(!term.to_text().is_empty());
        }
    }
}

/// The strategies reach every tag that the strict mode accepts.
#[test]
fn every_tag_is_reached() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut reached = [false; 256];
    for _ in 0..2000 {
        let tree = tree().new_tree(&mut runner).unwrap().current();
        tree.root().descendants().for_each(|term| reached[usize::from(term.tag().0)] = true);
    }
    let expected = |tag: u8| Tag(tag).name().is_some() && !matches!(Tag(tag), Tag::COMPRESSED | Tag::LOCAL);
    for tag in 0..=255 {
        assert_eq!(reached[usize::from(tag)], expected(tag), "{:?}", Tag(tag));
    }
}
