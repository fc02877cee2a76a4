//! Making terms.

use crate::profile::Writers;
use crate::tree::unlimited;
use crate::{
    Elements, List, ListItem, ListItems, Mode, Profile, Tag, Term, Tree, Value, WriteError, WriteErrorKind, encode,
};

/// Makes a term in the order of its bytes: the head of a tuple, then its elements.
///
/// ```
/// use mapwright_etf::{Builder, Profile};
///
/// let mut term = Builder::new(Profile::Otp17);
/// term.tuple(2);
/// term.atom("name");
/// term.text("cube"); // a list of code points, as Erlang's strings are
/// assert_eq!(term.finish()?.as_bytes(), b"\x68\x02\x64\x00\x04name\x6b\x00\x04cube");
/// # Ok::<(), mapwright_etf::WriteError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    out: Vec<u8>,
    profile: Profile,
    open: Vec<Open>,
    misuse: bool,
}

/// What is unfinished.
#[derive(Debug, Clone, Copy)]
enum Open {
    /// A tuple or a map with so many terms to come.
    Counted { left: usize },
    /// A list.
    List { start: usize, count: u32, all_bytes: bool },
}

impl Builder {
    /// Nothing yet.
    pub fn new(profile: Profile) -> Self {
        Self { out: Vec::new(), profile, open: Vec::new(), misuse: false }
    }

    /// The profile that is followed.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Adds an atom. One of more than 255 characters fails in [`finish`](Self::finish).
    pub fn atom(&mut self, name: &str) {
        encode::atom(&mut self.out, self.profile, name);
        self.done(false);
    }

    /// Adds an integer.
    pub fn integer(&mut self, value: i64) {
        self.big(value < 0, &value.unsigned_abs().to_le_bytes());
    }

    /// Adds an integer of any size: sign, and absolute value in little-endian order.
    pub fn big(&mut self, negative: bool, magnitude: &[u8]) {
        let start = self.out.len();
        encode::integer(&mut self.out, negative, magnitude);
        self.done(self.out.get(start) == Some(&Tag::SMALL_INTEGER.0));
    }

    /// Adds a float. One that is not finite fails in [`finish`](Self::finish).
    pub fn float(&mut self, value: f64) {
        encode::float(&mut self.out, self.profile, value);
        self.done(false);
    }

    /// Adds bytes.
    pub fn binary(&mut self, bytes: &[u8]) {
        encode::binary(&mut self.out, bytes);
        self.done(false);
    }

    /// Adds a bit string with so many bits used in its last byte, from the top; unused bits are written as 0. With 8 bits
    /// it is a binary, with 0 or more than 8 it fails in [`finish`](Self::finish).
    pub fn bits(&mut self, bytes: &[u8], last: u8) {
        encode::bits(&mut self.out, bytes, last);
        self.done(false);
    }

    /// Adds a string: the list of its code points.
    pub fn text(&mut self, text: &str) {
        self.begin_list();
        for c in text.chars() {
            self.integer(u32::from(c).into());
        }
        self.end_list();
    }

    /// Begins a tuple; its elements follow.
    pub fn tuple(&mut self, arity: usize) {
        match u8::try_from(arity) {
            Ok(arity) => self.out.extend_from_slice(&[Tag::SMALL_TUPLE.0, arity]),
            Err(_) => encode::with_u32(&mut self.out, Tag::LARGE_TUPLE, arity),
        }
        self.counted(arity);
    }

    /// Begins a map of so many pairs; keys and values follow in turn.
    pub fn map(&mut self, pairs: usize) {
        encode::with_u32(&mut self.out, Tag::MAP, pairs);
        self.counted(pairs.saturating_mul(2));
    }

    /// Begins a list; its elements follow, then [`end_list`](Self::end_list).
    pub fn begin_list(&mut self) {
        self.open.push(Open::List { start: self.out.len(), count: 0, all_bytes: true });
        self.out.extend_from_slice(&[Tag::LIST.0, 0, 0, 0, 0]);
    }

    /// Ends a proper list. One of 1 to 65,535 integers 0..=255 becomes a STRING, as Erlang writes it.
    pub fn end_list(&mut self) {
        let Some(Open::List { start, count, all_bytes }) = self.open.pop() else { return self.misused() };
        match u16::try_from(count) {
            Ok(0) => {
                self.out.truncate(start);
                self.out.push(Tag::NIL.0);
            }
            Ok(short) if all_bytes => {
                // Each element is a tag and its byte.
                let bytes: Vec<u8> = self
                    .out
                    .get(start.saturating_add(5)..)
                    .unwrap_or_default()
                    .iter()
                    .skip(1)
                    .step_by(2)
                    .copied()
                    .collect();
                self.out.truncate(start);
                self.out.push(Tag::STRING.0);
                self.out.extend_from_slice(&short.to_be_bytes());
                self.out.extend_from_slice(&bytes);
            }
            _ => {
                self.set_count(start, count);
                self.out.push(Tag::NIL.0);
            }
        }
        self.done(false);
    }

    /// Ends a list whose last added term is not an element but the tail: an improper list.
    pub fn end_improper_list(&mut self) {
        match self.open.pop() {
            Some(Open::List { start, count: count @ 1.., .. }) => {
                self.set_count(start, count.saturating_sub(1));
                self.done(false);
            }
            _ => self.misused(),
        }
    }

    /// Adds a term as it is spelled elsewhere. A list of such terms is still spelled as the profile does: of
    /// SMALL_INTEGERs alone it becomes a STRING.
    pub fn copy(&mut self, term: Term<'_>) {
        self.out.extend_from_slice(term.as_bytes());
        self.done(term.tag() == Tag::SMALL_INTEGER);
    }

    /// Adds the value of a term, spelled as the profile writes it. Map pairs keep their order; pids, ports, references
    /// and funs are copied.
    pub fn recode(&mut self, term: Term<'_>) {
        let term = term.resolved();
        if self.profile.first_deviation(term).is_none() {
            // Most terms come from a file that the profile was taken from.
            return self.copy(term);
        }
        let mut work = vec![Work::Terms(Some(term).into_iter().collect())];
        while let Some(step) = work.last_mut() {
            let next = match step {
                Work::Terms(terms) => terms.pop(),
                Work::Elements(terms) => terms.next(),
                Work::Items(items) => match items.next() {
                    Some(ListItem::Byte(byte)) => {
                        self.integer(byte.into());
                        continue;
                    }
                    Some(ListItem::Term(term)) => Some(term),
                    None => {
                        let tail = items.tail();
                        work.pop();
                        match tail {
                            Some(tail) => {
                                work.push(Work::EndImproper);
                                work.push(Work::Terms(vec![tail]));
                            }
                            None => self.end_list(),
                        }
                        continue;
                    }
                },
                Work::EndImproper => {
                    self.end_improper_list();
                    None
                }
            };
            match next {
                Some(term) => work.extend(self.recode_head(term)),
                None => drop(work.pop()),
            }
        }
    }

    /// Adds what is not inside the term, and says what is.
    fn recode_head<'t>(&mut self, term: Term<'t>) -> Option<Work<'t>> {
        let term = term.resolved();
        if Writers::of_leaf(term).is_some_and(|writers| writers.contains(self.profile)) {
            self.copy(term);
            return None;
        }
        match term.value() {
            Value::Integer(integer) => self.big(integer.negative, &integer.magnitude()),
            Value::Float(value) => self.float(value),
            Value::Atom(atom) => self.atom(&atom.name()),
            Value::Binary(bytes) => self.binary(bytes),
            Value::Bits { bytes, last } => self.bits(bytes, last),
            Value::Export(export) => {
                encode::export(&mut self.out, self.profile, export);
                self.done(false);
            }
            Value::Pid(_) | Value::Port(_) | Value::Reference(_) | Value::Fun(_) | Value::Other(_) => self.copy(term),
            Value::List(list) => {
                self.begin_list();
                return Some(Work::Items(List::items(list)));
            }
            Value::Tuple(elements) => {
                self.tuple(elements.len());
                return Some(Work::Elements(elements));
            }
            Value::Map(pairs) => {
                self.map(pairs.len());
                return Some(Work::Elements(pairs.terms()));
            }
        }
        None
    }

    /// The term.
    ///
    /// # Errors
    /// [`WriteErrorKind::Unbalanced`] if a tuple, map or list is unfinished, or one was ended that is none.
    /// [`WriteErrorKind::NotATerm`] if there is no term, more than one, or one that Erlang refuses: an atom of more than
    /// 255 characters, a float that is not finite, a map with a key twice.
    pub fn finish(self) -> Result<Tree, WriteError> {
        if self.misuse || !self.open.is_empty() {
            return Err(WriteError::without_position(WriteErrorKind::Unbalanced));
        }
        let options = unlimited().with_mode(Mode::Strict);
        Tree::whole(self.out, &options).map_err(|error| error.map_kind(WriteErrorKind::NotATerm).strip_position())
    }

    /// A term is whole, and with it perhaps those around it.
    fn done(&mut self, mut is_byte: bool) {
        loop {
            match self.open.last_mut() {
                Some(Open::Counted { left }) => {
                    *left = left.saturating_sub(1);
                    if *left > 0 {
                        return;
                    }
                    self.open.pop();
                    is_byte = false;
                }
                Some(Open::List { count, all_bytes, .. }) => {
                    *count = count.saturating_add(1);
                    *all_bytes &= is_byte;
                    return;
                }
                None => return,
            }
        }
    }

    fn counted(&mut self, terms: usize) {
        match terms {
            0 => self.done(false),
            left => self.open.push(Open::Counted { left }),
        }
    }

    fn misused(&mut self) {
        self.misuse = true;
    }

    fn set_count(&mut self, start: usize, count: u32) {
        if let Some(place) = self.out.get_mut(start.saturating_add(1)..).and_then(<[u8]>::first_chunk_mut) {
            *place = count.to_be_bytes();
        }
    }
}

/// What is left to do while a term is recoded.
enum Work<'t> {
    Terms(Vec<Term<'t>>),
    Elements(Elements<'t>),
    Items(ListItems<'t>),
    EndImproper,
}
