//! Read access to outputs of entities.

use std::borrow::Cow;
use std::fmt;

use mapwright_keyvalues::kv1::Item;

use super::value;

/// The byte between the fields of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Separator {
    /// A comma, in games before Alien Swarm.
    Comma,
    /// The byte 0x1B, in Alien Swarm and later games.
    Escape,
}

impl Separator {
    /// Returns the separator as a character.
    pub const fn char(self) -> char {
        match self {
            Self::Comma => ',',
            Self::Escape => '\u{1B}',
        }
    }
}

/// An output of an entity: an event, and what it triggers.
#[derive(Clone, Copy)]
pub struct Output<'a> {
    item: Item<'a>,
}

/// The fields of an output.
#[derive(Debug, Clone, PartialEq)]
pub struct Connection {
    /// The name of the entities that receive the input.
    pub target: String,
    /// The input.
    pub input: String,
    /// The parameter of the input. May be empty.
    pub parameter: String,
    /// The delay in seconds.
    pub delay: f64,
    /// The number of times that the output fires. -1 is any number.
    pub times: i64,
    /// The byte between the fields.
    pub separator: Separator,
}

impl<'a> Output<'a> {
    pub(crate) fn from_key(item: Item<'a>) -> Self {
        Self { item }
    }

    /// Returns the key of the output.
    pub fn item(self) -> Item<'a> {
        self.item
    }

    /// Returns the name of the event, such as `OnTrigger`.
    pub fn name(self) -> Cow<'a, str> {
        self.item.name_text()
    }

    /// Returns the value: all fields with their separators.
    pub fn text(self) -> Cow<'a, str> {
        self.item.text().unwrap_or_default()
    }

    /// Returns the fields. Returns `None` if there are fewer than five, or if delay and times are no numbers.
    pub fn connection(self) -> Option<Connection> {
        Connection::parse(&self.text())
    }
}

impl Connection {
    /// Reads the value of an output. Empty delay and times are 0 and -1.
    ///
    /// Further separators belong to the parameter.
    pub fn parse(text: &str) -> Option<Self> {
        let separator = if text.contains('\u{1B}') { Separator::Escape } else { Separator::Comma };
        let mut first = text.splitn(3, separator.char());
        let (target, input, rest) = (first.next()?, first.next()?, first.next()?);
        let mut last = rest.rsplitn(3, separator.char());
        let (times, delay, parameter) = (last.next()?, last.next()?, last.next()?);
        Some(Self {
            target: target.to_owned(),
            input: input.to_owned(),
            parameter: parameter.to_owned(),
            delay: if delay.is_empty() { 0.0 } else { value::parse_number(delay)? },
            times: if times.is_empty() { -1 } else { value::parse_integer(times)? },
            separator,
        })
    }
}

impl fmt::Display for Connection {
    /// Formats the value of an output.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, input, parameter, delay, times, separator } = self;
        let separator = separator.char();
        write!(f, "{target}{separator}{input}{separator}{parameter}{separator}{delay}{separator}{times}")
    }
}

impl fmt::Debug for Output<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.item.fmt(f)
    }
}
