//! Read access to faces.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use mapwright_io::Position;

use super::FaceRow;
use super::entity::strip_quotes;
use super::number::{numbers, words};
use crate::bytes::slice;
use crate::read::layout::{FaceLayout, face_layout};
use crate::read::lexer::Lexer;
use crate::{Document, PrimitiveKind};

/// A face of a brush.
#[derive(Clone, Copy)]
pub struct Face<'a> {
    pub(crate) document: &'a Document,
    pub(crate) index: usize,
    pub(crate) kind: PrimitiveKind,
}

/// The plane of a face, as the file stores it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Plane {
    /// Three points, clockwise as seen from outside.
    Points([[f64; 3]; 3]),
    /// The numbers a, b, c and d of ax + by + cz + d = 0. The normal (a, b, c) points outwards.
    Equation([f64; 4]),
}

/// The mapping of a texture, as the file stores it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mapping {
    /// Offsets, rotation and scale on the axes that follow from the normal.
    Standard {
        /// Offsets in texels.
        shift: [f64; 2],
        /// Rotation in degrees.
        rotation: f64,
        /// Units per texel. 0 means 1.
        scale: [f64; 2],
    },
    /// Valve 220: two axes, each with its offset.
    Valve {
        /// Direction of the first coordinate, and its offset in texels.
        u: [f64; 4],
        /// Direction of the second coordinate, and its offset in texels.
        v: [f64; 4],
        /// Rotation in degrees, which the axes already contain.
        rotation: f64,
        /// Units per texel. 0 means 1.
        scale: [f64; 2],
    },
    /// The two rows of the matrix of a brush primitive. They map to repeats of the texture.
    Matrix([[f64; 3]; 2]),
}

impl Plane {
    /// Returns the number of numbers in the text.
    pub(crate) const fn number_count(self) -> usize {
        match self {
            Self::Points(_) => 9,
            Self::Equation(_) => 4,
        }
    }
}

impl<'a> Face<'a> {
    /// Returns the index of the face among those of all brushes.
    pub fn index(self) -> usize {
        self.index
    }

    #[expect(clippy::expect_used, reason = "views have indices of their document")]
    fn row(self) -> FaceRow {
        self.document.index.faces.get(self.index).expect("the face is in the index")
    }

    /// Finds the parts of the face.
    #[expect(clippy::expect_used, reason = "the reader finds them in the same way")]
    pub(crate) fn layout(self) -> FaceLayout {
        let mut lexer = Lexer::at(&self.document.source, self.row().start as usize);
        let layout = lexer.next().and_then(|first| face_layout(&mut lexer, self.kind, first));
        layout.expect("the reader has checked the face").0
    }

    fn bytes(self, range: Range<usize>) -> &'a [u8] {
        slice(&self.document.source, range)
    }

    /// Returns the range of the face in the text, without a comment after it.
    pub fn range(self) -> Range<usize> {
        let layout = self.layout();
        layout.plane.start..layout.extra.end.max(layout.texture.end)
    }

    /// Returns the position of the face in the text. Takes time in proportion to the offset.
    pub fn position(self) -> Position {
        Position::in_text(&self.document.source, self.row().start as usize)
    }

    /// Returns the kind of the brush of the face.
    pub fn kind(self) -> PrimitiveKind {
        self.kind
    }

    /// Returns the plane.
    pub fn plane(self) -> Plane {
        if self.kind == PrimitiveKind::BrushDef3 {
            return Plane::Equation(numbers(self.plane_words()));
        }
        let [a, b, c, d, e, f, g, h, i] = numbers(self.plane_words());
        Plane::Points([[a, b, c], [d, e, f], [g, h, i]])
    }

    /// Iterates over the numbers before the texture as the text has them: those of the plane, and those of the matrix.
    pub fn plane_words(self) -> impl Iterator<Item = &'a [u8]> {
        let row = self.row();
        words(self.bytes(row.start as usize..row.texture as usize))
    }

    /// Returns the texture as the text has it, with its quotes.
    pub fn texture_token(self) -> &'a [u8] {
        let range = Lexer::at(&self.document.source, self.row().texture as usize).next_texture();
        self.bytes(range.map_or(0..0, crate::read::lexer::Lexeme::range))
    }

    /// Returns the name of the texture without its quotes and escapes.
    pub fn texture(self) -> Cow<'a, [u8]> {
        texture_name(self.texture_token())
    }

    /// Returns the mapping of the texture.
    pub fn mapping(self) -> Mapping {
        if self.kind != PrimitiveKind::Brush {
            let [a, b, c, d, e, f] = numbers(self.plane_words().skip(self.plane().number_count()));
            return Mapping::Matrix([[a, b, c], [d, e, f]]);
        }
        let layout = self.layout();
        let words = words(self.bytes(layout.mapping));
        if layout.is_valve {
            let [a, b, c, d, e, f, g, h, rotation, x, y] = numbers(words);
            return Mapping::Valve { u: [a, b, c, d], v: [e, f, g, h], rotation, scale: [x, y] };
        }
        let [s, t, rotation, x, y] = numbers(words);
        Mapping::Standard { shift: [s, t], rotation, scale: [x, y] }
    }

    /// Iterates over the numbers of the mapping after the texture, as the text has them. Brush primitives have none.
    pub fn mapping_words(self) -> impl Iterator<Item = &'a [u8]> {
        words(self.bytes(self.layout().mapping))
    }

    /// Iterates over the words after the mapping in the same line, such as contents, flags and value of Quake 2.
    pub fn extra(self) -> impl Iterator<Item = &'a [u8]> + Clone {
        self.bytes(self.layout().extra).split(|&byte| crate::bytes::is_space(byte)).filter(|word| !word.is_empty())
    }

    /// Returns contents, flags and value of Quake 2 and Quake 3, if the face has them.
    pub fn surface_flags(self) -> Option<[f64; 3]> {
        let mut words = self.extra().map(|word| std::str::from_utf8(word).ok()?.parse().ok());
        let mut next = || words.next().flatten().filter(|number: &f64| number.is_finite());
        Some([next()?, next()?, next()?])
    }
}

/// Returns the name of a texture without the quotes and escapes of its token.
pub(crate) fn texture_name(token: &[u8]) -> Cow<'_, [u8]> {
    let inner = strip_quotes(token);
    if inner.len() == token.len() || memchr::memchr(b'\\', inner).is_none() {
        return Cow::Borrowed(inner);
    }
    let mut name = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek().copied()) {
            (b'\\', Some(escaped @ (b'"' | b'\\'))) => {
                name.push(escaped);
                bytes.next();
            }
            _ => name.push(byte),
        }
    }
    Cow::Owned(name)
}

impl fmt::Debug for Face<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Face")
            .field("plane", &self.plane())
            .field("texture", &format_args!("\"{}\"", self.texture().escape_ascii()))
            .field("mapping", &self.mapping())
            .field("extra", &self.extra().map(|word| word.escape_ascii().to_string()).collect::<Vec<_>>())
            .finish()
    }
}
