//! Changes of maps: of single parts with [`Edit`], and of objects that a query finds.
//!
//! A document implements [`Objects`](mapwright_query::Objects) and [`EditObjects`](mapwright_query::EditObjects). Its objects are the
//! entities, each followed by its brushes, patches and other primitives. `set level: …` changes `worldspawn`.
//!
//! ```
//! use mapwright_qmap::Document;
//! use mapwright_qmap::query::{EditObjects, EditOptions};
//!
//! let mut map = Document::from_bytes(b"{\n\"classname\" \"worldspawn\" // the world\n}\n{\n\"classname\" \"light\"\n\"light\" \"0300\"\n}\n")?;
//! let options = EditOptions::default().with_create_fields(true);
//! for line in ["set class=light and light>200: style=2, origin=\"0 0 64\"", "set level: message=\"The Hall\"", "add entity class=info_null"] {
//!     map.apply(&line.parse()?, &options)?;
//! }
//! let text = "{\n\"classname\" \"worldspawn\" // the world\n\"message\" \"The Hall\"\n}\n\
//!             {\n\"classname\" \"light\"\n\"light\" \"0300\"\n\"style\" \"2\"\n\"origin\" \"0 0 64\"\n}\n\
//!             {\n\"classname\" \"info_null\"\n}\n";
//! assert_eq!(map.as_bytes(), text.as_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Fields
//!
//! Entities have `kind` (`world`, `layer`, `group`, `solid` with brushes or `point` without; all are also `entity`), `number`, `class`,
//! `name`, `target`, `model`, `origin`, `x`, `y`, `z`, `layer`, `group`, `brushes`, `patches`, and all of their keys.
//! Primitives have `kind` (`brush`, `patch` or `other`), `entity` (the number of their entity), `index` in it, `class` of the entity,
//! `texture`, `contents`, `flags`, `value` and `faces`. A new value is that of all faces.
//!
//! # Edits
//!
//! | text | does |
//! |---|---|
//! | `set QUERY: …` | sets keys of entities, or the texture of all faces of a brush |
//! | `delete QUERY` | deletes entities with their brushes, and single brushes |
//! | `duplicate QUERY: …` | copies them, and sets fields of the copies |
//! | `add entity class=light, origin="0 0 0"` | adds an entity without brushes; any class is a kind, too: `add light …` |
//! | `rename texture OLD NEW` | renames textures of faces and patches; `material` is the same |
//! | `snap QUERY: STEP` | moves the points of brushes to a grid, if each corner moves by at most half a step, see [`snap_planes`](crate::geometry::snap_planes) |

mod apply;
mod objects;

use std::ops::Range;

use mapwright_io::splice::{Splices, indentation, line_end, removal};

use crate::bytes::{content_start, has_line_end, is_space, slice};
use crate::document::number::{format_number, parse_number, word_ranges};
use crate::read::lexer::Lexer;
use crate::{
    Document, Entity, Face, KeyValue, Mapping, Patch, Primitive, PrimitiveKind, ReadError, WriteError, WriteErrorKind,
};

/// A list of changes of one map. Everything else keeps its bytes. New parts have the layout of the parts before them.
///
/// All parts must belong to this map.
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    map: &'a Document,
    splices: Splices,
    /// Number of entities that were added, for their comments.
    added: usize,
}

impl<'a> Edit<'a> {
    /// Creates an empty list.
    pub fn new(map: &'a Document) -> Self {
        Self { map, splices: Splices::default(), added: 0 }
    }

    /// Changes the value of a pair. A quote that is not escaped gets a backslash, and a last backslash is doubled.
    ///
    /// # Errors
    /// If the value has a quote before a line end or `}`, where the quote would end it.
    pub fn set_value(&mut self, pair: KeyValue<'a>, value: impl AsRef<[u8]>) -> Result<(), WriteError> {
        let value = escape_text(value.as_ref());
        if pair.value() != value {
            self.splices.replace(pair.value_range(), quote(&value)?);
        }
        Ok(())
    }

    /// Changes the value of a key, or adds the key.
    ///
    /// # Errors
    /// If the entity is brushes outside of entities, which have no keys, and as [`set_value`](Self::set_value).
    pub fn set(
        &mut self,
        entity: Entity<'a>,
        key: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Result<(), WriteError> {
        match entity.pair(escape_text(key.as_ref())) {
            Some(pair) => self.set_value(pair, value),
            None => self.insert_pair(entity, key, value),
        }
    }

    /// Adds a pair after the last pair of an entity.
    ///
    /// # Errors
    /// If the entity is brushes outside of entities, which have no keys, and as [`set_value`](Self::set_value).
    pub fn insert_pair(
        &mut self,
        entity: Entity<'a>,
        key: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Result<(), WriteError> {
        if entity.is_fragment() {
            let (found, expected) = ("brushes outside of entities", "an entity with keys");
            return Err(WriteError::new(WriteErrorKind::Kind { found, expected }, entity.position()));
        }
        let pair = format_pair(key.as_ref(), value.as_ref())?;
        let source = self.map.as_bytes();
        let neighbour = entity.pairs().next_back().map(KeyValue::range);
        let start = neighbour.clone().map_or(entity.range().start, |range| range.start);
        let after = neighbour.map_or(entity.range().start.saturating_add(1), |range| range.end);
        match indentation(source, start) {
            // A new line, after a comment after the neighbour.
            Some(indent) => {
                let at = self.end_of_line(after);
                self.splices.insert(at, [line_end(source, after), indent, &pair].concat());
            }
            None => {
                // A quote after a backslash ends a string only before a line end.
                let is_line_needed = slice(source, 0..after).ends_with(b"\\\"");
                let separator = if is_line_needed { line_end(source, after) } else { b" " };
                self.splices.insert(after, [separator, &*pair].concat());
            }
        }
        Ok(())
    }

    /// Removes a pair, with its line if nothing else is in it.
    pub fn remove_pair(&mut self, pair: KeyValue<'a>) {
        self.remove(pair.range());
    }

    /// Removes an entity with its brushes, and the comment with its number.
    pub fn remove_entity(&mut self, entity: Entity<'a>) {
        self.remove_block(entity.range());
    }

    /// Removes a primitive, and the comment with its number.
    pub fn remove_primitive(&mut self, primitive: Primitive<'a>) {
        self.remove_block(primitive.range());
    }

    /// Removes a face, with its line if nothing else is in it.
    pub fn remove_face(&mut self, face: Face<'a>) {
        self.remove(face.range());
    }

    /// Changes the texture of a face.
    ///
    /// # Errors
    /// If the name has a quote before a line end or `}`.
    pub fn set_texture(&mut self, face: Face<'a>, name: impl AsRef<[u8]>) -> Result<(), WriteError> {
        self.replace_texture(face.layout().texture, &face.texture(), name.as_ref())
    }

    /// Changes the texture of a patch.
    ///
    /// # Errors
    /// As [`set_texture`](Self::set_texture).
    pub fn set_patch_texture(&mut self, patch: &Patch<'a>, name: impl AsRef<[u8]>) -> Result<(), WriteError> {
        self.replace_texture(patch.texture_range(), &patch.texture(), name.as_ref())
    }

    fn replace_texture(&mut self, range: Range<usize>, old: &[u8], new: &[u8]) -> Result<(), WriteError> {
        if old != new {
            let was_quoted = slice(self.map.as_bytes(), range.clone()).starts_with(b"\"");
            self.splices.replace(range, texture_token(new, was_quoted)?);
        }
        Ok(())
    }

    /// Changes the numbers of the mapping of a texture, or the matrix of a face of a brush primitive. Numbers with the same value keep their
    /// formatting.
    ///
    /// # Errors
    /// If the face has a mapping of another kind, or if a number is not finite.
    pub fn set_mapping(&mut self, face: Face<'a>, mapping: Mapping) -> Result<(), WriteError> {
        let numbers = match (face.mapping(), mapping) {
            (Mapping::Standard { .. }, Mapping::Standard { shift: [s, t], rotation, scale: [x, y] }) => {
                vec![s, t, rotation, x, y]
            }
            (Mapping::Valve { .. }, Mapping::Valve { u, v, rotation, scale }) => {
                [&u[..], &v, &[rotation], &scale].concat()
            }
            (Mapping::Matrix(_), Mapping::Matrix(rows)) => {
                // The matrix follows the numbers of the plane.
                let skipped = face.plane().number_count();
                return self.set_numbers(face, face.layout().plane, skipped, rows.as_flattened());
            }
            (found, expected) => {
                let [found, expected] = [found, expected].map(mapping_description);
                return Err(WriteError::new(WriteErrorKind::Kind { found, expected }, face.position()));
            }
        };
        self.set_numbers(face, face.layout().mapping, 0, &numbers)
    }

    /// Changes the three points of a face, clockwise as seen from outside. Numbers with the same value keep their formatting.
    ///
    /// # Errors
    /// If the face stores an equation, as in Doom 3, or if a number is not finite.
    pub fn set_points(&mut self, face: Face<'a>, points: [[f64; 3]; 3]) -> Result<(), WriteError> {
        if face.kind() == PrimitiveKind::BrushDef3 {
            let (found, expected) = ("a face with the equation of its plane", "a face with three points");
            return Err(WriteError::new(WriteErrorKind::Kind { found, expected }, face.position()));
        }
        // The numbers of a matrix follow, and stay.
        self.set_numbers(face, face.layout().plane, 0, points.as_flattened())
    }

    /// Changes numbers of a part of a face, after some that stay.
    fn set_numbers(
        &mut self,
        face: Face<'a>,
        range: Range<usize>,
        skipped: usize,
        numbers: &[f64],
    ) -> Result<(), WriteError> {
        if let Some(bad) = numbers.iter().find(|number| !number.is_finite()) {
            return Err(WriteError::new(WriteErrorKind::Number(*bad), face.position()));
        }
        let text = slice(self.map.as_bytes(), range.clone());
        for (word, number) in word_ranges(text).skip(skipped).zip(numbers) {
            if parse_number(slice(text, word.clone())) != *number {
                let [start, end] = [word.start, word.end].map(|at| range.start.saturating_add(at));
                self.splices.replace(start..end, format_number(*number));
            }
        }
        Ok(())
    }

    /// Changes the words after the mapping, such as contents, flags and value of Quake 2.
    ///
    /// # Errors
    /// If a text is not one word or number.
    pub fn set_extra(&mut self, face: Face<'a>, words: &[&str]) -> Result<(), WriteError> {
        let is_word = |word: &str| {
            let lexeme = Lexer::at(word.as_bytes(), 0).next_with_comments();
            lexeme.is_ok_and(|lexeme| lexeme.is_bare() && lexeme.range() == (0..word.len()))
        };
        if let Some(bad) = words.iter().find(|word| !is_word(word)) {
            return Err(WriteError::new(WriteErrorKind::Word((*bad).to_owned()), face.position()));
        }
        let extra = face.layout().extra;
        if !face.extra().eq(words.iter().map(|word| word.as_bytes())) {
            let text = words.join(" ");
            let text = if extra.is_empty() && !words.is_empty() { format!(" {text}") } else { text };
            self.splices.replace(extra, text);
        }
        Ok(())
    }

    /// Adds an entity with keys at the end of the map. It has a comment with its number if the last entity has one.
    ///
    /// # Errors
    /// As [`set_value`](Self::set_value).
    pub fn insert_entity<K: AsRef<[u8]>, V: AsRef<[u8]>>(
        &mut self,
        keys: impl IntoIterator<Item = (K, V)>,
    ) -> Result<(), WriteError> {
        let source = self.map.as_bytes();
        let line_end = line_end(source, source.len());
        let mut lines = Vec::new();
        let last = self.map.entities().next_back();
        if last.is_none_or(|last| counter_comment(source, last.range().start).is_some()) {
            lines.push(format!("// entity {}", self.map.entity_count().saturating_add(self.added)).into_bytes());
        }
        self.added = self.added.saturating_add(1);
        lines.push(b"{".to_vec());
        for (key, value) in keys {
            lines.push(format_pair(key.as_ref(), value.as_ref())?);
        }
        lines.push(b"}".to_vec());
        let before: &[u8] = if matches!(source.last(), None | Some(b'\n' | b'\r')) { b"" } else { line_end };
        self.splices.insert(source.len(), [before, &lines.join(line_end), line_end].concat());
        Ok(())
    }

    /// Adds a copy of a block after it, with the line end and indentation before it. The copy has no comment with a number.
    pub(crate) fn insert_copy(&mut self, block: Range<usize>, copy: &[u8]) {
        let source = self.map.as_bytes();
        let separator = match indentation(source, block.start) {
            Some(indent) => [line_end(source, block.start), indent].concat(),
            None => b" ".to_vec(),
        };
        self.splices.insert(block.end, [&*separator, copy].concat());
    }

    /// Replaces a range of the text.
    #[cfg(feature = "scene")]
    pub(crate) fn replace_text(&mut self, range: Range<usize>, text: Vec<u8>) {
        self.splices.replace(range, text);
    }

    /// Returns `true` if there are no changes.
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// Applies all changes and reads the result, with the options with which the map was read.
    ///
    /// # Errors
    /// If two changes overlap, if the edited text is no map, such as for a text with other quotes than its own, or if it exceeds a limit.
    pub fn apply(self) -> Result<Document, WriteError> {
        let source = self.map.as_bytes();
        let overlap = |at| WriteError::new(WriteErrorKind::Overlap, mapwright_io::Position::in_text(source, at));
        let text = self.splices.apply(source).map_err(overlap)?;
        let invalid = |error: ReadError| error.map_kind(|kind| WriteErrorKind::Invalid(Box::new(kind)));
        Document::from_vec_with(text, &self.map.options).map_err(invalid)
    }

    fn remove(&mut self, range: Range<usize>) {
        self.splices.replace(removal(self.map.as_bytes(), range), []);
    }

    /// Removes a block, and the comment with its number before it.
    fn remove_block(&mut self, range: Range<usize>) {
        let start = counter_comment(self.map.as_bytes(), range.start).unwrap_or(range.start);
        self.remove(start..range.end);
    }

    /// Returns the end of the line after spaces and a comment, or the offset itself if anything else follows.
    fn end_of_line(&self, at: usize) -> usize {
        let rest = slice(self.map.as_bytes(), at..self.map.as_bytes().len());
        let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let is_free = matches!(slice(rest, 0..length).trim_ascii_start(), [] | [b';', ..] | [b'/', b'/', ..]);
        if is_free { at.saturating_add(length) } else { at }
    }
}

/// Describes a face with a mapping, for errors.
const fn mapping_description(mapping: Mapping) -> &'static str {
    match mapping {
        Mapping::Standard { .. } => "a face with a standard mapping",
        Mapping::Valve { .. } => "a face with a Valve 220 mapping",
        Mapping::Matrix(_) => "a face with a matrix",
    }
}

/// Maximum length of a line that is a comment with a number, so that many blocks in one long line take linear time.
const MAX_COUNTER_LINE: usize = 40;

/// Returns the start of the comment `// entity 5`, `// brush 5` or `// primitive 5` in the line before an offset.
fn counter_comment(source: &[u8], at: usize) -> Option<usize> {
    let end = slice(source, 0..at).trim_ascii_end().len();
    if !has_line_end(slice(source, end..at)) {
        return None;
    }
    let earliest = end.saturating_sub(MAX_COUNTER_LINE).max(content_start(source));
    let before = slice(source, earliest..end);
    let line = match before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) {
        Some(line_end) => slice(before, line_end.saturating_add(1)..before.len()),
        None if earliest == content_start(source) => before,
        None => return None,
    };
    let mut words = line.split(|&byte| is_space(byte)).filter(|word| !word.is_empty());
    let is_counter = words.next() == Some(b"//")
        && matches!(words.next(), Some(b"entity" | b"brush" | b"primitive"))
        && words.next().is_some_and(|number| number.iter().all(u8::is_ascii_digit))
        && words.next().is_none();
    is_counter.then(|| end.saturating_sub(line.trim_ascii_start().len()))
}

/// Escapes quotes that are not escaped, and doubles a last backslash that would escape the closing quote.
pub(crate) fn escape_text(text: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(text.len());
    let mut is_escaped = false;
    for &byte in text {
        if byte == b'"' && !is_escaped {
            escaped.push(b'\\');
        }
        escaped.push(byte);
        is_escaped = byte == b'\\' && !is_escaped;
    }
    if is_escaped {
        escaped.push(b'\\');
    }
    escaped
}

/// Adds quotes to a text that is escaped.
fn quote(text: &[u8]) -> Result<Vec<u8>, WriteError> {
    // A quote there would end the text, as in paths of Windows.
    let ends_early = text.windows(2).any(|pair| matches!(pair, [b'"', b'\n' | b'\r' | b'}']));
    if ends_early {
        let text = mapwright_io::escape(text).to_string();
        return Err(WriteError::without_position(WriteErrorKind::Text(text)));
    }
    Ok([b"\"", text, b"\""].concat())
}

/// Formats a key and its value.
fn format_pair(key: &[u8], value: &[u8]) -> Result<Vec<u8>, WriteError> {
    Ok([quote(&escape_text(key))?, quote(&escape_text(value))?].join(&b' '))
}

/// Formats the name of a texture. It is quoted if it was, or if it is empty or has spaces, quotes, backslashes or the start of a comment.
pub(crate) fn texture_token(name: &[u8], was_quoted: bool) -> Result<Vec<u8>, WriteError> {
    let needs_quotes = name.is_empty()
        || name.iter().any(|&byte| is_space(byte) || matches!(byte, b'"' | b'\\'))
        || name.starts_with(b"//")
        || name.starts_with(b";");
    if !was_quoted && !needs_quotes {
        return Ok(name.to_vec());
    }
    let mut escaped = Vec::with_capacity(name.len());
    for &byte in name {
        if matches!(byte, b'"' | b'\\') {
            escaped.push(b'\\');
        }
        escaped.push(byte);
    }
    quote(&escaped)
}
