//! Prints terms in Erlang syntax.

use std::fmt::{self, Write};

use mapwright_io::format_shortest;

use crate::{
    Elements, Export, Fun, Integer, List, ListItem, ListItems, Pid, Port, Reference, Term, TextOptions, Value,
};
use crate::{Layout, Strings};

impl<'t> Term<'t> {
    /// Returns the term in Erlang syntax, in one line: `{wings,2,{[],[],[]}}`. The text does not show the encoding.
    ///
    /// Terms without Erlang syntax are printed as `#Pid<node,id,serial,creation>`, `#Port<node,id,creation>`,
    /// `#Ref<node,creation,word,…>`, `#Fun<module,index,arity>` and `#Local<N bytes>`. Floats that are not finite, which only
    /// the lenient mode reads, are printed as `inf`, `-inf` and `NaN`.
    pub fn to_text(self) -> String {
        self.to_text_with(&TextOptions::default())
    }

    /// Returns the term in Erlang syntax, with the given options.
    pub fn to_text_with(self, options: &TextOptions) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_text(&mut text, options);
        text
    }

    /// Writes the term in Erlang syntax.
    ///
    /// # Errors
    /// Fails if `out` fails.
    pub fn write_text(self, out: &mut dyn Write, options: &TextOptions) -> fmt::Result {
        Printer { out, options, open: Vec::new(), broken: 0 }.print(self)
    }
}

impl fmt::Display for Term<'_> {
    /// Writes the same text as [`Term::to_text`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_text(f, &TextOptions::default())
    }
}

impl fmt::Debug for Term<'_> {
    /// Writes the start of the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 200;
        let mut start = BoundedText { text: String::new(), room: SHOWN };
        let whole = self.write_text(&mut start, &TextOptions::default()).is_ok();
        f.write_str(&start.text)?;
        if whole { Ok(()) } else { write!(f, "… ({} bytes)", self.range().len()) }
    }
}

/// Accepts the first `room` bytes of a text, then fails.
struct BoundedText {
    text: String,
    room: usize,
}

impl Write for BoundedText {
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
    /// Ancestors of the term that is being written.
    open: Vec<Open<'t>>,
    /// Number of them that are split over several lines. These are the outermost ones.
    broken: usize,
}

/// A term whose elements are being written.
struct Open<'t> {
    rest: Remaining<'t>,
    close: &'static str,
    /// `true` until an element is written.
    first: bool,
}

/// Parts of a term that are still to be written.
enum Remaining<'t> {
    Tuple(Elements<'t>),
    List(ListItems<'t>),
    /// Keys and values alternately.
    Map(Elements<'t>),
    /// Only the closing bracket.
    Nothing,
}

impl<'t> Open<'t> {
    /// Returns the next element and the separator before it.
    fn next(&mut self) -> Option<(&'static str, ListItem<'t>)> {
        let separator = if std::mem::replace(&mut self.first, false) { "" } else { "," };
        match &mut self.rest {
            Remaining::Tuple(terms) => Some((separator, ListItem::Term(terms.next()?))),
            Remaining::Map(terms) => {
                let separator = if terms.len().is_multiple_of(2) { separator } else { " => " };
                Some((separator, ListItem::Term(terms.next()?)))
            }
            Remaining::List(items) => {
                if let Some(item) = items.next() {
                    return Some((separator, item));
                }
                let tail = items.tail()?;
                self.rest = Remaining::Nothing;
                Some(("|", ListItem::Term(tail)))
            }
            Remaining::Nothing => None,
        }
    }
}

impl<'t> Printer<'t, '_> {
    fn print(&mut self, root: Term<'t>) -> fmt::Result {
        self.write_term(root)?;
        while let Some(open) = self.open.last_mut() {
            match open.next() {
                Some((separator, item)) => {
                    self.out.write_str(separator)?;
                    if self.open.len() == self.broken && matches!(separator, "," | "|") {
                        self.write_line_break()?;
                    }
                    match item {
                        ListItem::Term(term) => self.write_term(term)?,
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

    /// Starts a line. Elements are aligned with the first one, which follows its bracket.
    fn write_line_break(&mut self) -> fmt::Result {
        write!(self.out, "\n{:indent$}", "", indent = self.indent())
    }

    /// Returns the indentation. It is limited, or the spaces of very deep terms would fill the disk.
    fn indent(&self) -> usize {
        const DEEPEST: usize = 64;
        self.broken.min(DEEPEST)
    }

    /// Writes a term without elements completely, and only the opening bracket of any other.
    fn write_term(&mut self, term: Term<'t>) -> fmt::Result {
        let term = term.resolved();
        let (bracket, rest, close) = match term.value() {
            Value::Tuple(elements) => ("{", Remaining::Tuple(elements), "}"),
            Value::Map(pairs) => ("#{", Remaining::Map(pairs.terms()), "}"),
            Value::List(list) => match quoted_text(list, self.options.strings) {
                Some(text) => return self.out.write_str(&text),
                None => ("[", Remaining::List(list.items()), "]"),
            },
            value => return self.write_leaf(value, term),
        };
        if let Layout::Indented { width } = self.options.layout
            && self.broken == self.open.len()
        {
            let mut line = BoundedText { text: String::new(), room: width.saturating_sub(self.indent()) };
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

    fn write_leaf(&mut self, value: Value<'t>, term: Term<'t>) -> fmt::Result {
        let out = &mut *self.out;
        match value {
            Value::Integer(integer) => write!(out, "{integer}"),
            Value::Float(float) => out.write_str(&format_shortest(float)),
            Value::Atom(atom) => write!(out, "{atom}"),
            Value::Binary(bytes) => self.write_binary(bytes, 8),
            Value::Bits { bytes, last } => self.write_binary(bytes, last),
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
            // `write_term` writes these.
            Value::Tuple(_) | Value::List(_) | Value::Map(_) => Ok(()),
        }
    }

    fn write_binary(&mut self, bytes: &[u8], last: u8) -> fmt::Result {
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

/// Returns a list of printable characters as text in quotes, `None` for other lists.
fn quoted_text(list: List<'_>, strings: Strings) -> Option<String> {
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

/// Computes FNV-1a, 64 bits: enough to distinguish long binaries by eye, but not secure.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

impl fmt::Display for crate::Atom<'_> {
    /// Writes the atom in Erlang syntax, bare or in quotes.
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

/// Words that must be quoted as atoms.
const RESERVED: [&str; 29] = [
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch", "cond", "div",
    "end", "fun", "if", "let", "maybe", "not", "of", "or", "orelse", "receive", "rem", "try", "when", "xor", "else",
];

impl fmt::Display for Integer<'_> {
    /// Writes the integer in decimal. From 1,024 bytes on, decimal would be slow, so it is hexadecimal with the prefix `16#`,
    /// which Erlang reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Number of decimal digits per group.
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
