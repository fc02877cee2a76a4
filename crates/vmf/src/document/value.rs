//! Values of keys, and blocks by their names.

use std::borrow::Cow;

use mapwright_keyvalues::kv1::{Item, Items};

/// Iterates over the blocks with a name.
pub(crate) fn blocks<'a, 'n>(items: Items<'a>, name: &'n str) -> impl Iterator<Item = Item<'a>> + Clone + use<'a, 'n> {
    items.filter(move |item| item.is_block() && item.is(name))
}

/// A block, and the block `hidden` around it.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    pub(crate) item: Item<'a>,
    pub(crate) wrapper: Option<Item<'a>>,
}

impl<'a> Member<'a> {
    /// Returns the block that exists only for this member: the block `hidden`, or else the member itself.
    pub(crate) fn outer(self) -> Item<'a> {
        self.wrapper.filter(|wrapper| wrapper.items().nth(1).is_none()).unwrap_or(self.item)
    }
}

/// Iterates over the blocks with a name, and those in blocks `hidden`.
pub(crate) fn members<'a>(items: Items<'a>, name: &'static str) -> impl Iterator<Item = Member<'a>> + Clone + use<'a> {
    items.filter(|item| item.is_block()).flat_map(move |item| member_or_hidden(item, name))
}

/// Returns the block itself if it has a name, and the blocks with the name in a block `hidden`.
pub(crate) fn member_or_hidden<'a>(
    item: Item<'a>,
    name: &'static str,
) -> impl Iterator<Item = Member<'a>> + Clone + use<'a> {
    let shown = item.is(name).then_some(Member { item, wrapper: None });
    let hidden = item.is("hidden").then(|| blocks(item.items(), name)).into_iter().flatten();
    shown.into_iter().chain(hidden.map(move |inner| Member { item: inner, wrapper: Some(item) }))
}

/// Returns the first key with a name, which is no block.
pub(crate) fn key<'a>(block: Item<'a>, name: impl AsRef<[u8]>) -> Option<Item<'a>> {
    let name = name.as_ref();
    block.items().find(|item| !item.is_block() && item.is(name))
}

/// Returns the first block with a name.
pub(crate) fn block<'a>(parent: Item<'a>, name: &str) -> Option<Item<'a>> {
    blocks(parent.items(), name).next()
}

/// Returns the value of a key as text.
pub(crate) fn text<'a>(block: Item<'a>, name: &str) -> Option<Cow<'a, str>> {
    key(block, name)?.text()
}

/// Returns the value of a key as a whole number.
pub(crate) fn integer(block: Item<'_>, name: &str) -> Option<i64> {
    parse_integer(&text(block, name)?)
}

/// Returns the value of a key as a finite number.
pub(crate) fn number(block: Item<'_>, name: &str) -> Option<f64> {
    parse_number(&text(block, name)?)
}

/// Returns the value of a key as N finite numbers.
pub(crate) fn numbers<const N: usize>(block: Item<'_>, name: &str) -> Option<[f64; N]> {
    parse_numbers(&text(block, name)?)
}

/// Returns `true` if a key is `1`.
pub(crate) fn flag(block: Item<'_>, name: &str) -> Option<bool> {
    integer(block, name).map(|number| number != 0)
}

pub(crate) fn parse_integer(text: &str) -> Option<i64> {
    text.trim().parse().ok()
}

pub(crate) fn parse_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Iterates over the words of a list of numbers. Brackets and parentheses separate them, too.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_ascii_whitespace() || matches!(c, '(' | ')' | '[' | ']')).filter(|word| !word.is_empty())
}

/// Reads exactly N finite numbers.
pub(crate) fn parse_numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let mut words = words(text);
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = parse_number(words.next()?)?;
    }
    words.next().is_none().then_some(numbers)
}
