//! Levels of Claw and Gruntz.
#![cfg(feature = "wwd")]

use std::fs;
use std::path::PathBuf;

use mapwright::interchange::NoFiles;
use mapwright::wwd::HeaderSize;
use mapwright::{AnyDocument, ConvertOptions, Format, ReadOptions, Roundtrip, convert, roundtrip};
use mapwright_testkit::{files_below, workspace};

fn fixtures() -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
    let files = files_below(&workspace().join("fixtures/wwd")).into_iter();
    let levels: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|it| it == "wwd")).collect();
    assert!(levels.len() > 5);
    levels.into_iter().map(|path| (path.clone(), fs::read(path).unwrap()))
}

#[test]
fn levels_come_back_byte_for_byte() {
    for (path, bytes) in fixtures() {
        let found = roundtrip(&bytes, Format::Wwd, &ReadOptions::default()).unwrap();
        assert_eq!(found, Roundtrip::Exact, "{}", path.display());
    }
}

#[test]
fn what_is_not_changed_is_not_converted() {
    for (path, bytes) in fixtures() {
        let document = AnyDocument::from_bytes(&bytes).unwrap();
        assert_eq!(document.format(), Format::Wwd);
        let conversion = convert(document, Format::Wwd, &NoFiles, &ConvertOptions::default()).unwrap();
        assert!(conversion.files.main == bytes && conversion.losses.is_empty(), "{}", path.display());
    }
}

#[test]
fn a_larger_header_is_read_on_request() {
    let (_, mut bytes) = fixtures().next().unwrap();
    bytes[0..4].copy_from_slice(&44474_u32.to_le_bytes());
    let read = |options: &ReadOptions| AnyDocument::from_bytes_as(&bytes, Format::Wwd, options);
    let error = read(&ReadOptions::default()).unwrap_err();
    assert!(error.help().unwrap().contains("size of the header"), "{error}");
    let any = ReadOptions::default().with_header_size(HeaderSize::Any);
    assert_eq!(read(&any).unwrap().to_bytes().unwrap(), bytes);
}

#[test]
fn bytes_around_a_place_are_those_of_the_inflated_block() {
    let (_, bytes) = fixtures().next().unwrap();
    let at = mapwright::io::Position::inflated(1524);
    let (start, around) = mapwright::bytes_around(&bytes, Format::Wwd, at, &ReadOptions::default()).unwrap();
    // The size of the header of the first plane.
    assert_eq!((start, &around[20..24]), (1504, &160_u32.to_le_bytes()[..]));
}
