//! Every real file comes back byte for byte.
#![cfg(feature = "wings")]

use std::fs;

use mapwright::{Format, ReadOptions, Roundtrip, detect, roundtrip};
use mapwright_testkit::{corpus, files_below};

#[test]
fn wings_files_come_back_byte_for_byte() {
    let Some(folder) = corpus("wings") else { return };
    let (mut exact, mut refused) = (0, 0);
    for path in files_below(&folder) {
        let bytes = fs::read(&path).unwrap();
        if detect(&bytes, Some(&path)).format != Some(Format::Wings) {
            continue;
        }
        match roundtrip(&bytes, Format::Wings, &ReadOptions::default()) {
            Ok(outcome) => {
                assert_eq!(outcome, Roundtrip::Exact, "{}", path.display());
                exact += 1;
            }
            // Probes are made to be refused; nothing that a program wrote is.
            Err(error) => {
                assert!(path.components().any(|part| part.as_os_str() == "probes"), "{}: {error}", path.display());
                refused += 1;
            }
        }
    }
    assert!(exact > refused, "{exact} exact, {refused} refused");
}
