//! Reads bytes into a [`Document`].

use std::borrow::Cow;

use mapwright_io::{Budget, Fault, FaultKind, Position};

use super::lexer::{LexError, Lexeme, Lexer, Token};
use super::{Document, Grammar, Node, ReadOptions};
use crate::bytes::{check_source, offset};
use crate::{ReadError, ReadErrorKind};

pub(super) fn read(source: Cow<'_, [u8]>, options: &ReadOptions) -> Result<Document, ReadError> {
    check_source(&source)?;
    let mut budget = Budget::new(&options.limits);
    let parsed = count_items(&source, options.grammar(), &mut budget)
        .and_then(|count| index_items(&source, options, &budget, count));
    match parsed {
        Ok(nodes) => Ok(Document { source: source.into_owned(), nodes, grammar: options.grammar() }),
        // Count lines only for an error, not for every token.
        Err((kind, at)) => Err(ReadError::new(kind, Position::in_text(&source, at))),
    }
}

type Failure = (ReadErrorKind, usize);

fn fault(fault: Fault) -> Failure {
    (fault.kind.into(), usize::try_from(fault.at.offset).unwrap_or(usize::MAX))
}

fn unended((error, at): (LexError, usize)) -> Failure {
    let what = match error {
        LexError::String => "string",
        LexError::Comment => "comment",
        LexError::Condition => "condition",
    };
    (ReadErrorKind::Unended(what), at)
}

/// Counts the items of a text whose braces match. With this capacity, the index never grows, which would take three times its memory.
fn count_items(source: &[u8], grammar: Grammar, budget: &mut Budget) -> Result<usize, Failure> {
    let mut lexer = Lexer::new(source, grammar);
    let (mut texts, mut blocks) = (0_usize, 0_usize);
    loop {
        let lexeme = lexer.next().map_err(unended)?;
        match lexeme.token {
            Token::Quoted | Token::Bare => texts = texts.saturating_add(1),
            Token::Close => blocks = blocks.saturating_add(1),
            Token::End => break,
            _ => {}
        }
    }
    // A block has one text, every other item has two.
    let count = texts.saturating_add(blocks).div_ceil(2);
    budget.take_items(count as u64, Position::file(0)).map_err(fault)?;
    Ok(count)
}

/// The parent of blocks at the top level.
const NO_PARENT: u32 = u32::MAX;

/// Finds the items of all blocks.
fn index_items(source: &[u8], options: &ReadOptions, budget: &Budget, count: usize) -> Result<Vec<Node>, Failure> {
    let mut lexer = Lexer::new(source, options.grammar());
    let mut nodes: Vec<Node> = Vec::with_capacity(count);
    // The innermost open block, and the number of open ones. `next` of an open block is its parent until its end is known.
    let (mut open, mut depth) = (NO_PARENT, 0_usize);
    let mut next = || lexer.next().map_err(unended);
    let unexpected = |found: &'static str, expected: &'static str, at: usize| {
        Err((ReadErrorKind::Unexpected { found, expected }, at))
    };
    let not_closed = || (ReadErrorKind::Ended { expected: "`}`" }, source.len());
    let mut lexeme = next()?;
    loop {
        let name = lexeme.range.clone();
        match lexeme.token {
            Token::End => break,
            Token::Close => {
                let end = offset(nodes.len());
                let Some(node) = nodes.get_mut(open as usize) else { return unexpected("`}`", "a name", name.start) };
                (open, depth) = (node.next, depth.saturating_sub(1));
                (node.value_end, node.next) = (offset(name.start), end);
                lexeme = next()?;
                continue;
            }
            Token::Quoted | Token::Bare => {}
            Token::Open => return unexpected("`{`", "a name", name.start),
            _ => return unexpected("condition", "a name", name.start),
        }
        check_length(&lexeme, options)?;
        let mut value = next()?;
        let is_conditional = value.token == Token::Condition;
        if is_conditional {
            value = next()?;
        }
        let is_block = value.token == Token::Open;
        match value.token {
            Token::Open => {}
            Token::Quoted | Token::Bare if !is_conditional => check_length(&value, options)?,
            Token::End => {
                let expected = "a value or a block after the name";
                return Err((ReadErrorKind::Ended { expected }, value.range.start));
            }
            Token::Close => return unexpected("`}`", "a value or a block after the name", value.range.start),
            Token::Condition => return unexpected("condition", "a block after the condition", value.range.start),
            _ => return unexpected("text", "a block after the condition", value.range.start),
        }
        let index = nodes.len();
        if index == count {
            // There are more items than texts and `}` in the whole file allow, so a block is not closed.
            return Err(not_closed());
        }
        nodes.push(Node {
            name: offset(name.start),
            name_end: offset(name.end),
            value: offset(value.range.start),
            value_end: offset(value.range.end),
            next: if is_block { open } else { offset(index.saturating_add(1)) },
        });
        if is_block {
            (open, depth) = (offset(index), depth.saturating_add(1));
            budget.check_depth(depth, Position::file(value.range.start as u64)).map_err(fault)?;
        }
        lexeme = next()?;
        if !is_block && lexeme.token == Token::Condition {
            lexeme = next()?;
        }
    }
    if open == NO_PARENT { Ok(nodes) } else { Err(not_closed()) }
}

fn check_length(lexeme: &Lexeme, options: &ReadOptions) -> Result<(), Failure> {
    let length = lexeme.range.len();
    if length > options.max_text {
        let kind = FaultKind::Limit { what: "max_text", asked: length as u64, limit: options.max_text as u64 };
        return Err((kind.into(), lexeme.range.start));
    }
    Ok(())
}
