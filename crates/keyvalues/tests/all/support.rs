//! Helpers shared by the test files.
#![allow(dead_code, reason = "every test file takes what it needs")]

use std::path::PathBuf;

use mapwright_keyvalues::{ReadError, kv1, kv3};
use mapwright_testkit::{Refusal, corpus, files_below};

/// A header of KV3.
pub(crate) const HEADER: &str = "<!-- kv3 encoding:text:version{e21c7f3c-8a33-41c5-9977-a76d3a32aa0d} \
     format:generic:version{7412167c-06e9-4698-aff2-e63eb59037e7} -->\n";

/// Returns a KV3 text with a value.
pub(crate) fn text(value: &str) -> Vec<u8> {
    format!("{HEADER}{value}").into_bytes()
}

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

/// Reads a document for the laws of the testkit.
pub(crate) fn read_kv1(bytes: &[u8]) -> Result<kv1::Document, Refusal> {
    kv1::Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

pub(crate) fn read_kv3(bytes: &[u8]) -> Result<kv3::Document, Refusal> {
    kv3::Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

/// Returns the files of a folder of the corpus with one of the extensions.
pub(crate) fn corpus_files(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let files = corpus(folder).into_iter().flat_map(|folder| files_below(&folder));
    let has_extension = |path: &PathBuf| path.extension().is_some_and(|found| extensions.iter().any(|it| found == *it));
    files.filter(has_extension).collect()
}
