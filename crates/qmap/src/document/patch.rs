//! Read access to patches.

use std::borrow::Cow;

use super::face::texture_name;
use super::number::{parse_number, words};
use crate::bytes::slice;
use crate::read::layout::{PatchLayout, patch_layout};
use crate::read::lexer::Lexer;
use crate::{Document, PrimitiveKind};

/// A curved surface of control points.
#[derive(Debug, Clone)]
pub struct Patch<'a> {
    document: &'a Document,
    kind: PrimitiveKind,
    layout: PatchLayout,
}

/// A control point of a patch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ControlPoint {
    /// The position.
    pub position: [f64; 3],
    /// The texture coordinates in repeats of the texture.
    pub uv: [f64; 2],
}

impl<'a> Patch<'a> {
    #[expect(clippy::expect_used, reason = "the reader finds the parts in the same way")]
    pub(crate) fn new(document: &'a Document, mut lexer: Lexer<'a>, kind: PrimitiveKind) -> Option<Self> {
        let layout = kind.is_patch().then(|| patch_layout(&mut lexer, kind, usize::MAX))?;
        let layout = layout.expect("the reader has checked the patch");
        Some(Self { document, kind, layout })
    }

    /// Returns the number of rows of control points: the first number of the patch, which editors call the width.
    pub fn row_count(&self) -> usize {
        self.layout.row_count
    }

    /// Returns the number of control points in each row.
    pub fn column_count(&self) -> usize {
        self.layout.column_count
    }

    /// Returns the fixed numbers of segments from row to row and within each row. Only `patchDef3` has them.
    pub fn subdivisions(&self) -> Option<[f64; 2]> {
        let mut numbers = self.info_words().skip(2).map(parse_number);
        (self.kind == PrimitiveKind::PatchDef3).then(|| Some([numbers.next()?, numbers.next()?]))?
    }

    /// Iterates over the numbers in parentheses after the texture, as the text has them.
    pub fn info_words(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        words(slice(&self.document.source, self.layout.info.clone()))
    }

    /// Returns the texture as the text has it, with its quotes.
    pub fn texture_token(&self) -> &'a [u8] {
        slice(&self.document.source, self.layout.texture.clone())
    }

    /// Returns the range of the texture in the text.
    pub(crate) fn texture_range(&self) -> std::ops::Range<usize> {
        self.layout.texture.clone()
    }

    /// Returns the name of the texture without its quotes and escapes.
    pub fn texture(&self) -> Cow<'a, [u8]> {
        texture_name(self.texture_token())
    }

    /// Iterates over the numbers of the control points, five each, as the text has them.
    pub fn point_words(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        words(slice(&self.document.source, self.layout.points.clone()))
    }

    /// Iterates over the control points, row by row.
    pub fn points(&self) -> impl Iterator<Item = ControlPoint> + use<'a> {
        let mut numbers = self.point_words().map(parse_number);
        std::iter::from_fn(move || {
            let mut next = || numbers.next();
            Some(ControlPoint { position: [next()?, next()?, next()?], uv: [next()?, next()?] })
        })
    }
}
