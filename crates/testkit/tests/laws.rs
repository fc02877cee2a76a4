//! Every law must detect its mistake: readers and writers with one planted mistake each.

use mapwright_testkit::{Refusal, laws};

/// A format with one length byte and that many bytes.
fn read(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
    let length = bytes.first().map_or(0, |&length| usize::from(length) + 1);
    if length == bytes.len() && length > 0 {
        Ok(bytes[1..].to_vec())
    } else {
        Err(Refusal::new(if length < bytes.len() { "malformed" } else { "truncated" }, Some(0), "wrong length"))
    }
}

fn write(document: &Vec<u8>) -> Result<Vec<u8>, &'static str> {
    let length = u8::try_from(document.len()).map_err(|_| "too long")?;
    Ok([&[length], document.as_slice()].concat())
}

#[test]
fn an_honest_format_obeys_all_laws() {
    laws::exact("file", b"\x03abc", read, write);
    assert_eq!(laws::stable(b"\x03abc", read, write).as_deref(), Some(b"\x03abc".as_slice()));
    assert_eq!(laws::stable(b"\x03ab", read, write), None);
    assert_eq!(laws::model(&b"abc".to_vec(), read, write), b"\x03abc");
    laws::prefixes(b"\x03abc", read, |_, _| false);
}

#[test]
#[should_panic(expected = "behind the end")]
fn total_detects_a_position_beyond_the_end() {
    laws::total(b"ab", |_| Err::<(), _>(Refusal::new("truncated", Some(3), "no")));
}

#[test]
#[should_panic(expected = "without a text")]
fn total_detects_an_error_without_a_text() {
    laws::total(b"ab", |_| Err::<(), _>(Refusal::new("truncated", Some(2), "")));
}

#[test]
#[should_panic(expected = "the document changes")]
fn stable_detects_a_lossy_writer() {
    laws::stable(b"\x03abc", read, |_| write(&b"xy".to_vec()));
}

#[test]
#[should_panic(expected = "second writing differs")]
fn stable_detects_a_nondeterministic_writer() {
    let writes = std::cell::Cell::new(0);
    let reader = |_: &[u8]| Ok(());
    laws::stable(b"", reader, |(): &()| Ok::<_, &str>(vec![writes.replace(writes.get() + 1)]));
}

#[test]
#[should_panic(expected = "file: first difference at offset 3 (0x3): 63 expected, 00 found")]
fn exact_detects_a_changed_byte() {
    laws::exact("file", b"\x03abc", read, |document| {
        let mut bytes = write(document)?;
        bytes[3] = 0;
        Ok::<_, &str>(bytes)
    });
}

#[test]
#[should_panic(expected = "is not written: too long")]
fn model_detects_an_unwritable_model() {
    laws::model(&vec![0; 300], read, write);
}

#[test]
#[should_panic(expected = "the model changes")]
fn model_detects_a_wrong_reader() {
    laws::model(&vec![1, 2], |_| Ok(vec![1]), write);
}

#[test]
#[should_panic(expected = "prefix of 2 bytes is accepted")]
fn prefixes_detects_an_accepted_prefix() {
    laws::prefixes(b"\x01abc", read, |_, _| false);
}

#[test]
#[should_panic(expected = "prefix of 0 bytes is refused as")]
fn prefixes_detects_a_wrong_category() {
    laws::prefixes(b"ab", |_| Err::<(), _>(Refusal::new("io", None, "no")), |_, _| false);
}
