//! The parts of faces and patches. The reader checks them; views find them again.

use std::ops::Range;

use super::lexer::{Lexeme, Lexer, Token};
use super::{Failure, Problem, expected, limit};
use crate::PrimitiveKind;
use crate::bytes::{has_line_end, slice};
use crate::document::number::{parse_number, word_ranges};

/// The ranges of a face.
#[derive(Debug, Clone)]
pub(crate) struct FaceLayout {
    /// Everything before the texture: points or plane, and the matrix.
    pub(crate) plane: Range<usize>,
    /// The texture, with its quotes.
    pub(crate) texture: Range<usize>,
    /// The numbers of the texture. Empty for brush primitives.
    pub(crate) mapping: Range<usize>,
    pub(crate) is_valve: bool,
    /// The words after them in the same line.
    pub(crate) extra: Range<usize>,
}

/// Reads a face. Returns the token after it, too.
pub(crate) fn face_layout(
    lexer: &mut Lexer<'_>,
    kind: PrimitiveKind,
    first: Lexeme,
) -> Result<(FaceLayout, Lexeme), Failure> {
    let mut end = if kind == PrimitiveKind::BrushDef3 {
        group(lexer, first, Token::Four)?
    } else if first.token == Token::Points {
        first.end
    } else {
        group(lexer, first, Token::Three)?;
        next_group(lexer, Token::Three)?;
        next_group(lexer, Token::Three)?
    };
    if kind != PrimitiveKind::Brush {
        want(lexer, Token::OpenParenthesis, "`(` of the texture matrix")?;
        next_group(lexer, Token::Three)?;
        next_group(lexer, Token::Three)?;
        end = want(lexer, Token::CloseParenthesis, "`)` of the texture matrix")?.end;
    }
    let texture = lexer.next_texture()?;
    if texture.token == Token::End {
        return expected("a texture", texture);
    }
    let mut next = lexer.next()?;
    let (mapping, is_valve) = if kind == PrimitiveKind::Brush {
        let start = next.start;
        let is_valve = matches!(next.token, Token::Axis | Token::OpenBracket);
        let count = if is_valve {
            group(lexer, next, Token::Axis)?;
            next_group(lexer, Token::Axis)?;
            next = lexer.next()?;
            3
        } else {
            5
        };
        let mut end = start;
        for _ in 0..count {
            end = number(next)?;
            next = lexer.next()?;
        }
        (start..end, is_valve)
    } else {
        (texture.end..texture.end, false)
    };
    let mut extra = mapping.end..mapping.end;
    // A comment in between would extend to the end of the line.
    let source = lexer.source();
    let is_same_line = |end: usize, next: Lexeme| !has_line_end(slice(source, end..next.start));
    while next.is_bare() && is_same_line(extra.end, next) {
        if extra.is_empty() {
            extra.start = next.start;
        }
        extra.end = next.end;
        next = lexer.next()?;
    }
    Ok((FaceLayout { plane: first.start..end, texture: texture.range(), mapping, is_valve, extra }, next))
}

/// The ranges of a patch up to its control points.
#[derive(Debug, Clone)]
pub(crate) struct PatchLayout {
    pub(crate) texture: Range<usize>,
    /// The numbers in parentheses after the texture.
    pub(crate) info: Range<usize>,
    pub(crate) row_count: usize,
    pub(crate) column_count: usize,
    /// The control points with all parentheses.
    pub(crate) points: Range<usize>,
}

/// Reads a patch after its inner brace, up to its control points. Each side has at most `max` points.
pub(crate) fn patch_layout(lexer: &mut Lexer<'_>, kind: PrimitiveKind, max: usize) -> Result<PatchLayout, Failure> {
    let texture = lexer.next_texture()?;
    if texture.token == Token::End {
        return expected("the texture of the patch", texture);
    }
    let open = lexer.next()?;
    let end = if kind == PrimitiveKind::PatchDef2 {
        group(lexer, open, Token::Five)?
    } else {
        numbers(lexer, open, Token::OpenParenthesis, Token::CloseParenthesis, 7)?
    };
    let info = open.start..end;
    let text = slice(lexer.source(), info.clone());
    let mut sizes = word_ranges(text).map(|word| {
        let at = info.start.saturating_add(word.start);
        patch_size(parse_number(slice(text, word)), max, at)
    });
    let mut size = || sizes.next().unwrap_or_else(|| expected("the size of the patch", open));
    let (row_count, column_count) = (size()?, size()?);
    let start = want(lexer, Token::OpenParenthesis, "`(` of the control points")?.start;
    for _ in 0..row_count {
        want(lexer, Token::OpenParenthesis, "`(` of a row of control points")?;
        for _ in 0..column_count {
            next_group(lexer, Token::Five)?;
        }
        want(lexer, Token::CloseParenthesis, "`)` of a row of control points")?;
    }
    let end = want(lexer, Token::CloseParenthesis, "`)` of the control points")?.end;
    Ok(PatchLayout { texture: texture.range(), info, row_count, column_count, points: start..end })
}

/// Converts the number of control points along a side of a patch. It has at most 65,536, even without a limit.
fn patch_size(number: f64, max: usize, at: usize) -> Result<usize, Failure> {
    if number < 0.0 || number.fract() != 0.0 {
        return Err(Failure { problem: Problem::Expected("a whole number of control points"), at });
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "larger numbers become the largest one"
    )]
    let (size, max) = (number as usize, max.min(1 << 16));
    if size > max { limit("max_patch", size, max, at) } else { Ok(size) }
}

fn want(lexer: &mut Lexer<'_>, token: Token, what: &'static str) -> Result<Lexeme, Failure> {
    let lexeme = lexer.next()?;
    if lexeme.token == token { Ok(lexeme) } else { expected(what, lexeme) }
}

fn number(lexeme: Lexeme) -> Result<usize, Failure> {
    if lexeme.token == Token::Number { Ok(lexeme.end) } else { expected("a number", lexeme) }
}

fn next_group(lexer: &mut Lexer<'_>, group_token: Token) -> Result<usize, Failure> {
    let first = lexer.next()?;
    group(lexer, first, group_token)
}

/// Checks a group of numbers in brackets. Returns its end.
fn group(lexer: &mut Lexer<'_>, first: Lexeme, group_token: Token) -> Result<usize, Failure> {
    if first.token == group_token {
        return Ok(first.end);
    }
    let (open, close) = match group_token {
        Token::Axis => (Token::OpenBracket, Token::CloseBracket),
        _ => (Token::OpenParenthesis, Token::CloseParenthesis),
    };
    let count = match group_token {
        Token::Three => 3,
        Token::Five => 5,
        _ => 4,
    };
    numbers(lexer, first, open, close, count)
}

/// Reads numbers in brackets, one token at a time.
fn numbers(lexer: &mut Lexer<'_>, first: Lexeme, open: Token, close: Token, count: usize) -> Result<usize, Failure> {
    if first.token != open {
        let what = if open == Token::OpenBracket { "four numbers in brackets" } else { "numbers in parentheses" };
        return expected(what, first);
    }
    for _ in 0..count {
        number(lexer.next()?)?;
    }
    Ok(want(lexer, close, "the end of the group of numbers")?.end)
}
