//! Terms as text, in Erlang's own syntax.

use std::fmt::{self, Write};

use mapwright_io::format_shortest;

use crate::{
    Elements, Export, Fun, Integer, List, ListItem, ListItems, Pid, Port, Reference, Term, TextOptions, Value,
};
use crate::{Layout, Strings};

impl<'t> Term<'t> {
    /// The term in Erlang syntax, in one line: `{wings,2,{[],[],[]}}`. Spellings are not visible in it.
    ///
    /// What Erlang has no syntax for is shown as `#Pid<node,id,serial,creation>`, `#Port<node,id,creation>`,
    /// `#Ref<node,creation,word,…>`, `#Fun<module,index,arity>`, `#Local<so many bytes>`, and floats that are not finite,
    /// which only the lenient mode reads, as `inf`, `-inf` and `NaN`.
    pub fn to_text(self) -> String {
        self.to_text_with(&TextOptions::default())
    }

    /// The term in Erlang syntax, with options.
    pub fn to_text_with(self, options: &TextOptions) -> String {
        let mut text = String::new();
        // A string takes everything.
        let _ = self.write_text(&mut text, options);
        text
    }

    /// Writes the term in Erlang syntax.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_text(self, out: &mut dyn Write, options: &TextOptions) -> fmt::Result {
        Printer { out, options, open: Vec::new(), broken: 0 }.print(self)
    }
}

impl fmt::Display for Term<'_> {
    /// As [`Term::to_text`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_text(f, &TextOptions::default())
    }
}

impl fmt::Debug for Term<'_> {
    /// The start of the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 200;
        let mut start = Start { text: String::new(), room: SHOWN };
        let whole = self.write_text(&mut start, &TextOptions::default()).is_ok();
        f.write_str(&start.text)?;
        if whole { Ok(()) } else { write!(f, "… ({} bytes)", self.range().len()) }
    }
}

/// Takes the first so many bytes of a text, then fails.
struct Start {
    text: String,
    room: usize,
}

impl Write for Start {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let fits = |end: &usize| part.is_char_boundary(*end);
        let taken = (0..=self.room.min(part.len())).rev().find(fits).unwrap_or_default();
        self.room = self.room.saturating_sub(taken);
        self.text.push_str(part.get(..taken).unwrap_or_default());
        if taken == part.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

struct Printer<'t, 'o> {
    out: &'o mut dyn Write,
    options: &'o TextOptions,
    /// The terms around the one being written.
    open: Vec<Open<'t>>,
    /// How many of them are broken over several lines: those that come first.
    broken: usize,
}

/// A term whose elements are being written.
struct Open<'t> {
    rest: Rest<'t>,
    close: &'static str,
    /// Whether no element is written yet.
    first: bool,
}

/// What is still to be written of a term.
enum Rest<'t> {
    Tuple(Elements<'t>),
    List(ListItems<'t>),
    /// Keys and values in turn.
    Map(Elements<'t>),
    /// Nothing but the closing bracket.
    Nothing,
}

impl<'t> Open<'t> {
    /// The separator in front of the next element, and the element.
    fn next(&mut self) -> Option<(&'static str, ListItem<'t>)> {
        let separator = if std::mem::replace(&mut self.first, false) { "" } else { "," };
        match &mut self.rest {
            Rest::Tuple(terms) => Some((separator, ListItem::Term(terms.next()?))),
            Rest::Map(terms) => {
                let separator = if terms.len().is_multiple_of(2) { separator } else { " => " };
                Some((separator, ListItem::Term(terms.next()?)))
            }
            Rest::List(items) => {
                if let Some(item) = items.next() {
                    return Some((separator, item));
                }
                let tail = items.tail()?;
                self.rest = Rest::Nothing;
                Some(("|", ListItem::Term(tail)))
            }
            Rest::Nothing => None,
        }
    }
}

impl<'t> Printer<'t, '_> {
    fn print(&mut self, root: Term<'t>) -> fmt::Result {
        self.term(root)?;
        while let Some(open) = self.open.last_mut() {
            match open.next() {
                Some((separator, item)) => {
                    self.out.write_str(separator)?;
                    if self.open.len() == self.broken && matches!(separator, "," | "|") {
                        self.new_line()?;
                    }
                    match item {
                        ListItem::Term(term) => self.term(term)?,
                        ListItem::Byte(byte) => write!(self.out, "{byte}")?,
                    }
                }
                None => {
                    self.out.write_str(open.close)?;
                    self.open.pop();
                    self.broken = self.broken.min(self.open.len());
                }
            }
        }
        Ok(())
    }

    /// Elements stand below the first one, which follows its bracket.
    fn new_line(&mut self) -> fmt::Result {
        write!(self.out, "\n{:indent$}", "", indent = self.indent())
    }

    /// Very deep terms are indented no further: blanks alone would fill the disk.
    fn indent(&self) -> usize {
        const DEEPEST: usize = 64;
        self.broken.min(DEEPEST)
    }

    /// Writes a term without elements whole, and the opening bracket of any other.
    fn term(&mut self, term: Term<'t>) -> fmt::Result {
        let term = term.resolved();
        let (bracket, rest, close) = match term.value() {
            Value::Tuple(elements) => ("{", Rest::Tuple(elements), "}"),
            Value::Map(pairs) => ("#{", Rest::Map(pairs.terms()), "}"),
            Value::List(list) => match string(list, self.options.strings) {
                Some(text) => return self.out.write_str(&text),
                None => ("[", Rest::List(list.items()), "]"),
            },
            value => return self.leaf(value, term),
        };
        if let Layout::Indented { width } = self.options.layout
            && self.broken == self.open.len()
        {
            let mut line = Start { text: String::new(), room: width.saturating_sub(self.indent()) };
            let compact = self.options.clone().with_layout(Layout::Compact);
            if term.write_text(&mut line, &compact).is_ok() {
                return self.out.write_str(&line.text);
            }
            self.broken = self.broken.saturating_add(1);
        }
        self.out.write_str(bracket)?;
        self.open.push(Open { rest, close, first: true });
        Ok(())
    }

    fn leaf(&mut self, value: Value<'t>, term: Term<'t>) -> fmt::Result {
        let out = &mut *self.out;
        match value {
            Value::Integer(integer) => write!(out, "{integer}"),
            Value::Float(float) => out.write_str(&format_shortest(float)),
            Value::Atom(atom) => write!(out, "{atom}"),
            Value::Binary(bytes) => self.binary(bytes, 8),
            Value::Bits { bytes, last } => self.binary(bytes, last),
            Value::Pid(Pid { node, id, serial, creation }) => write!(out, "#Pid<{node},{id},{serial},{creation}>"),
            Value::Port(Port { node, id, creation }) => write!(out, "#Port<{node},{id},{creation}>"),
            Value::Reference(reference @ Reference { node, creation, .. }) => {
                write!(out, "#Ref<{node},{creation}")?;
                reference.words().try_for_each(|word| write!(out, ",{word}"))?;
                out.write_str(">")
            }
            Value::Export(Export { module, function, arity }) => write!(out, "fun {module}:{function}/{arity}"),
            Value::Fun(Fun { module, arity, index }) => write!(out, "#Fun<{module},{index},{arity}>"),
            Value::Other(_) => write!(out, "#Local<{} bytes>", term.as_bytes().len()),
            // Written by `term`.
            Value::Tuple(_) | Value::List(_) | Value::Map(_) => Ok(()),
        }
    }

    fn binary(&mut self, bytes: &[u8], last: u8) -> fmt::Result {
        if bytes.len() > self.options.max_binary {
            return write!(self.out, "<<… {} bytes, fnv1a 16#{:016x}>>", bytes.len(), fnv1a(bytes));
        }
        self.out.write_str("<<")?;
        for (index, byte) in bytes.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            if last != 8 && index.checked_add(1) == Some(bytes.len()) {
                let value = byte.checked_shr(8_u32.saturating_sub(last.into())).unwrap_or_default();
                write!(self.out, "{comma}{value}:{last}")?;
            } else {
                write!(self.out, "{comma}{byte}")?;
            }
        }
        self.out.write_str(">>")
    }
}

/// A list of printable characters as text in quotes.
fn string(list: List<'_>, strings: Strings) -> Option<String> {
    let mut items = list.items();
    let mut text = String::new();
    for item in items.by_ref() {
        let byte = u8::try_from(item.as_i64()?).ok()?;
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            32..=126 => text.push(char::from(byte)),
            160..=255 if strings == Strings::Latin1 => text.push(char::from(byte)),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            0x0B => text.push_str("\\v"),
            0x08 => text.push_str("\\b"),
            0x0C => text.push_str("\\f"),
            0x1B => text.push_str("\\e"),
            _ => return None,
        }
    }
    (!text.is_empty() && items.tail().is_none()).then(|| format!("\"{text}\""))
}

/// FNV-1a, 64 bits: to tell long binaries apart at sight, not to trust.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

impl fmt::Display for crate::Atom<'_> {
    /// As Erlang writes it: bare, or in quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        let bare = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '@'))
            && !RESERVED.contains(&&*name);
        if bare {
            return f.write_str(&name);
        }
        f.write_str("'")?;
        for c in name.chars() {
            match c {
                '\'' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                c if c.is_control() => write!(f, "\\x{{{:X}}}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_str("'")
    }
}

/// Words that are no bare atoms.
const RESERVED: [&str; 29] = [
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch", "cond", "div",
    "end", "fun", "if", "let", "maybe", "not", "of", "or", "orelse", "receive", "rem", "try", "when", "xor", "else",
];

impl fmt::Display for Integer<'_> {
    /// Decimal; from 1,024 bytes on, where that would take long, hexadecimal with `16#` in front, as Erlang reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Decimal digits that fit a word.
        const DIGITS: u32 = 9;
        const BASE: u64 = 10_u64.pow(DIGITS);
        if let Some(value) = self.to_i64() {
            return write!(f, "{value}");
        }
        if self.negative {
            f.write_str("-")?;
        }
        let magnitude = self.magnitude();
        if magnitude.len() >= 1024 {
            f.write_str("16#")?;
            for (index, byte) in magnitude.iter().rev().enumerate() {
                if index == 0 { write!(f, "{byte:X}")? } else { write!(f, "{byte:02X}")? }
            }
            return Ok(());
        }
        let mut words: Vec<u64> = magnitude
            .chunks(4)
            .map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
            .collect();
        let mut groups = Vec::new();
        while !words.is_empty() {
            let mut remainder = 0;
            for word in words.iter_mut().rev() {
                let value = remainder << 32 | *word;
                (*word, remainder) = (value / BASE, value % BASE);
            }
            groups.push(remainder);
            while words.last() == Some(&0) {
                words.pop();
            }
        }
        for (index, group) in groups.iter().rev().enumerate() {
            if index == 0 { write!(f, "{group}")? } else { write!(f, "{group:0width$}", width = DIGITS as usize)? }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Text form", reserved words. The description lists `maybe` without `else`, which Erlang reserves with it.
    #[test]
    fn reserved_words_are_those_published() {
        let published = "after and andalso band begin bnot bor bsl bsr bxor case catch cond div end fun if let maybe not of or \
                         orelse receive rem try when xor else";
        assert!(published.split(' ').eq(RESERVED));
    }
}
