//! Whether a file comes back as it was, and if not, where it first differs.

use mapwright_etf as etf;
#[cfg(feature = "dmx")]
use mapwright_io::LineColumn;
use mapwright_io::{Frame, Path, Position, Space};

use crate::{AnyDocument, Error, Format, ReadOptions};

/// How a file came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Roundtrip {
    /// Every byte as it was.
    Exact,
    /// What the file says is the same byte for byte, but it is packed in other bytes.
    Payload(Difference),
    /// Something else is said.
    Different(Difference),
}

/// The first difference of two files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where it is: in the file, or in the inflated data where that is where they differ.
    pub at: Position,
    /// In which part of the document.
    pub path: Path,
    /// Where the two excerpts begin, counted as [`at`](Self::at) is.
    pub start: u64,
    /// Bytes of the original around the place.
    pub expected: Vec<u8>,
    /// Bytes of what came back around the place.
    pub found: Vec<u8>,
}

/// Reads a file, writes it, and compares.
///
/// # Errors
/// When the file cannot be read, or what was read cannot be written.
pub fn roundtrip(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Roundtrip, Error> {
    let document = AnyDocument::from_bytes_as(bytes, format, options)?;
    let written = document.to_bytes()?;
    if written == bytes {
        return Ok(Roundtrip::Exact);
    }
    // What was written and cannot be read again differs where its bytes do.
    let again = AnyDocument::from_bytes_as(&written, format, options).ok();
    Ok(compare(bytes, &document, &written, again.as_ref()))
}

/// Compares two files of a format, with what was read from them: where they first differ. Without `read` the other one is
/// compared as bytes.
pub fn compare(bytes: &[u8], document: &AnyDocument, other: &[u8], read: Option<&AnyDocument>) -> Roundtrip {
    if bytes == other {
        return Roundtrip::Exact;
    }
    let terms = (document.term(), read.and_then(AnyDocument::term));
    if let (Some(old), Some(new)) = terms
        && *old.packing() != etf::Packing::Plain
    {
        let (old_term, new_term) = (old.tree().as_bytes(), new.tree().as_bytes());
        if let Some(offset) = first_difference(old_term, new_term) {
            let path = term_path(old.tree(), offset);
            let at = Position::inflated(offset as u64);
            return Roundtrip::Different(Difference::new(at, prefixed(document, &path), old_term, new_term));
        }
    }
    let offset = first_difference(bytes, other).unwrap_or_default();
    let difference =
        Difference::new(position(document, bytes, offset), file_path(document, bytes, offset), bytes, other);
    match terms {
        (Some(old), Some(new)) if old.tree() == new.tree() => Roundtrip::Payload(difference),
        _ => Roundtrip::Different(difference),
    }
}

fn first_difference(old: &[u8], new: &[u8]) -> Option<usize> {
    let common = old.len().min(new.len());
    old.iter().zip(new).position(|(a, b)| a != b).or((old.len() != new.len()).then_some(common))
}

/// A place in the file, with its line where that is text.
fn position(document: &AnyDocument, bytes: &[u8], offset: usize) -> Position {
    let position = Position::file(offset as u64);
    #[cfg(feature = "dmx")]
    if document.graph().is_some_and(|graph| graph.header.encoding.is_text()) {
        let before = bytes.get(..offset).unwrap_or(bytes);
        let mut lines = before.split(|&byte| byte == b'\n');
        let (line, column) = (lines.clone().count(), lines.next_back().map_or(0, <[u8]>::len) + 1);
        let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let text = Some(LineColumn { line: number(line), column: number(column) });
        return Position { text, ..position };
    }
    #[cfg(not(feature = "dmx"))]
    let _ = (document, bytes);
    position
}

/// The path of a byte of the file.
fn file_path(document: &AnyDocument, bytes: &[u8], offset: usize) -> Path {
    #[cfg(feature = "dmx")]
    if let Some(graph) = document.graph() {
        return graph.path_at(offset as u64);
    }
    let Some(term) = document.term() else { return Path::new() };
    if *term.packing() != etf::Packing::Plain {
        return prefixed(document, &Path::new());
    }
    // The 131 and the term stand in front of what trails.
    let start = bytes.len().saturating_sub(term.trailing().len() + term.tree().as_bytes().len());
    match offset.checked_sub(start) {
        Some(offset) => prefixed(document, &term_path(term.tree(), offset)),
        None => Path::from_iter([Frame::Field("header")]),
    }
}

/// Puts the part of the file that holds the term in front, as the errors of the format do.
fn prefixed(document: &AnyDocument, path: &Path) -> Path {
    let payload = match document {
        #[cfg(feature = "wings")]
        AnyDocument::Wings(_) => Some(Frame::Field("payload")),
        _ => None,
    };
    payload.into_iter().chain(path.frames().cloned()).collect()
}

/// The path of the innermost term around a byte.
fn term_path(tree: &etf::Tree, offset: usize) -> Path {
    let mut term = tree.root();
    while let Some(child) = term.children().find(|child| child.range().contains(&offset)) {
        term = child;
    }
    term.path()
}

impl Difference {
    fn new(at: Position, path: Path, old: &[u8], new: &[u8]) -> Self {
        let start = excerpt_start(at.offset);
        Self { at, path, start, expected: excerpt(old, start).to_vec(), found: excerpt(new, start).to_vec() }
    }
}

/// Bytes of an excerpt.
const EXCERPT: usize = 48;

/// Where the excerpt around an offset begins: a row of 16 before that of the offset.
fn excerpt_start(offset: u64) -> u64 {
    (offset / 16).saturating_sub(1).saturating_mul(16)
}

fn excerpt(bytes: &[u8], start: u64) -> &[u8] {
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    let rest = bytes.get(start..).unwrap_or_default();
    rest.get(..EXCERPT).unwrap_or(rest)
}

/// The bytes around a place in a file, with the offset of the first of them; those of the inflated data where that is what
/// the position counts.
///
/// `None` if the place is beyond the end, or the data cannot be inflated even so far.
pub fn bytes_around(bytes: &[u8], format: Format, at: Position, options: &ReadOptions) -> Option<(u64, Vec<u8>)> {
    let start = excerpt_start(at.offset);
    let inflated;
    let data = match at.space {
        Space::File => bytes,
        Space::Inflated => {
            let header: u64 = match format {
                #[cfg(feature = "wings")]
                Format::Wings => crate::document::WINGS_HEADER,
                Format::Etf => 0,
                #[cfg(feature = "wwd")]
                Format::Wwd => {
                    // Offsets count as if the block behind the header was not compressed.
                    let size = usize::try_from(u32::from_le_bytes(*bytes.first_chunk()?)).ok()?.min(1524);
                    let (header, stream) = bytes.split_at_checked(size)?;
                    let mut budget = mapwright_io::Budget::new(&options.limits);
                    let main = mapwright_io::inflate(stream, None, &mut budget, Position::file(0)).ok()?.bytes;
                    let image = [header, &main].concat();
                    return Some((start, excerpt(&image, start).to_vec())).filter(|(_, bytes)| !bytes.is_empty());
                }
                // These never speak of inflated data.
                #[cfg(any(
                    feature = "dmx",
                    feature = "wmp",
                    feature = "wrp",
                    feature = "gltf",
                    feature = "heightmap",
                    feature = "map",
                    feature = "obj",
                    feature = "tiled"
                ))]
                _ => return None,
            };
            // 131, 80, the inflated size.
            let stream = bytes.get(usize::try_from(header).ok()? + 6..)?;
            let mut budget = mapwright_io::Budget::new(&options.limits);
            inflated = mapwright_io::inflate(stream, None, &mut budget, Position::file(0)).ok()?;
            &inflated.bytes
        }
    };
    Some((start, excerpt(data, start).to_vec())).filter(|(_, bytes)| !bytes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn etf(bytes: &[u8]) -> AnyDocument {
        AnyDocument::from_bytes_as(bytes, Format::Etf, &ReadOptions::default()).unwrap()
    }

    fn compared(old: &[u8], new: &[u8]) -> Roundtrip {
        compare(old, &etf(old), new, Some(&etf(new)))
    }

    /// `{a,[1,N]}`, plain.
    fn plain(n: u8) -> Vec<u8> {
        vec![131, 104, 2, 100, 0, 1, b'a', 108, 0, 0, 0, 2, 97, 1, 97, n, 106]
    }

    /// A list long enough to be worth compressing, with one number in it.
    fn compressed(n: u8, stream: &[u8]) -> Vec<u8> {
        let mut term = etf::Builder::new(etf::WriterProfile::Otp17);
        term.begin_list();
        (0..100).for_each(|_| term.tuple(0));
        term.integer(n.into());
        term.end_list();
        let bytes = etf::Document::new(term.finish().unwrap()).to_bytes().unwrap();
        assert_eq!(bytes[1], 80);
        [&bytes, stream].concat()
    }

    #[test]
    fn equal_files_are_exact() {
        assert_eq!(compared(&plain(1), &plain(1)), Roundtrip::Exact);
        assert_eq!(roundtrip(&plain(9), Format::Etf, &ReadOptions::default()).unwrap(), Roundtrip::Exact);
    }

    #[test]
    fn a_difference_in_a_plain_term_has_a_path() {
        let Roundtrip::Different(difference) = compared(&plain(1), &plain(2)) else { panic!("must differ") };
        assert_eq!((difference.at, difference.path.to_string()), (Position::file(15), "[1][1]".to_owned()));
        assert_eq!((difference.start, difference.expected, difference.found), (0, plain(1), plain(2)));
    }

    #[test]
    fn a_difference_in_a_compressed_term_is_found_in_the_inflated_data() {
        let Roundtrip::Different(difference) = compared(&compressed(1, b""), &compressed(2, b"")) else {
            panic!("must differ")
        };
        assert_eq!(difference.at, Position::inflated(206));
        assert_eq!(difference.path.to_string(), "[100]");
        assert_eq!(difference.start, 176);
    }

    #[test]
    fn the_same_term_packed_otherwise_is_payload_exact() {
        let old = compressed(1, b"");
        let mut plain = vec![131];
        plain.extend_from_slice(etf(&old).term().unwrap().tree().as_bytes());
        let Roundtrip::Payload(difference) = compared(&old, &plain) else { panic!("must be the same term") };
        assert_eq!(difference.at, Position::file(1));
        assert!(matches!(compared(&old, &compressed(1, b"more")), Roundtrip::Payload(_)));
    }

    #[cfg(feature = "dmx")]
    #[test]
    fn a_difference_in_a_graph_has_a_path_or_a_line() {
        use mapwright_dmx::{Document, ElementId, Encoding, Guid, Value};
        let graph = |encoding, number| {
            let mut graph = Document::new(encoding, "test", 1, "Root", Guid::default());
            graph.set(ElementId::ROOT, "number", Value::Int(number));
            let bytes = graph.to_bytes().unwrap();
            (AnyDocument::from_bytes(&bytes).unwrap(), bytes)
        };
        let difference = |encoding| {
            let ((old, old_bytes), (new, new_bytes)) = (graph(encoding, 7), graph(encoding, 8));
            match compare(&old_bytes, &old, &new_bytes, Some(&new)) {
                Roundtrip::Different(difference) => (difference.path.to_string(), difference.at.text),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(difference(Encoding::BINARY_9), ("elements[0].number".to_owned(), None));
        assert_eq!(difference(Encoding::KEYVALUES2_4), (String::new(), Some(LineColumn { line: 5, column: 18 })));
    }

    #[test]
    fn the_bytes_around_a_place_can_be_inflated() {
        let file = compressed(7, b"");
        let around = |at| bytes_around(&file, Format::Etf, at, &ReadOptions::default());
        let (start, bytes) = around(Position::inflated(206)).unwrap();
        assert_eq!((start, bytes.len(), &bytes[29..]), (176, 32, &[97, 7, 106][..]));
        assert_eq!(around(Position::file(3)).unwrap().0, 0);
        assert_eq!(around(Position::inflated(1 << 40)), None);
    }
}
