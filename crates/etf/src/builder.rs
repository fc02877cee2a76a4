//! Builds terms.

use crate::profile::ProfileSet;
use crate::spans::{Span, Spans};
use crate::tree::unlimited_options;
use crate::{
    Elements, List, ListItem, ListItems, Mode, ReadOptions, Tag, Term, Tree, Value, WriteError, WriteErrorKind,
    WriterProfile, encode,
};

/// Builds a term in file order: the head of a tuple, then its elements.
///
/// ```
/// use mapwright_etf::{Builder, WriterProfile};
///
/// let mut term = Builder::new(WriterProfile::Otp17);
/// term.tuple(2);
/// term.atom("name");
/// term.text("cube"); // a list of code points, like all strings in Erlang
/// assert_eq!(term.finish()?.as_bytes(), b"\x68\x02\x64\x00\x04name\x6b\x00\x04cube");
/// # Ok::<(), mapwright_etf::WriteError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    out: Vec<u8>,
    /// Index of the terms in `out`.
    spans: Spans,
    profile: WriterProfile,
    open: Vec<Open>,
    misuse: bool,
    /// `true` if strict reading may reject a term, so that [`finish`](Self::finish) must check all of them.
    is_doubtful: bool,
}

/// An unfinished term.
#[derive(Debug, Clone, Copy)]
enum Open {
    /// A tuple or a map with `left` terms to come. `left` is never 0.
    Counted { span: u32, left: usize },
    /// A list.
    List { span: u32, start: usize, count: u32, all_bytes: bool },
}

impl Builder {
    /// Creates an empty builder.
    pub fn new(profile: WriterProfile) -> Self {
        Self { out: Vec::new(), spans: Spans::default(), profile, open: Vec::new(), misuse: false, is_doubtful: false }
    }

    /// Returns the profile.
    pub fn profile(&self) -> WriterProfile {
        self.profile
    }

    /// Adds an atom. More than 255 characters fail in [`finish`](Self::finish).
    pub fn atom(&mut self, name: &str) {
        encode::write_atom(&mut self.out, self.profile, name);
        self.is_doubtful |= name.len() > 255;
        self.complete_term(false);
    }

    /// Adds an integer.
    pub fn integer(&mut self, value: i64) {
        let is_byte = encode::write_i64(&mut self.out, value);
        self.complete_term(is_byte);
    }

    /// Adds an integer of any size, given by its sign and little-endian absolute value.
    pub fn big(&mut self, negative: bool, magnitude: &[u8]) {
        let start = self.out.len();
        encode::write_integer(&mut self.out, negative, magnitude);
        self.complete_term(self.out.get(start) == Some(&Tag::SMALL_INTEGER.0));
    }

    /// Adds a float. A float that is not finite fails in [`finish`](Self::finish).
    pub fn float(&mut self, value: f64) {
        encode::write_float(&mut self.out, self.profile, value);
        self.is_doubtful |= !value.is_finite();
        self.complete_term(false);
    }

    /// Adds bytes.
    pub fn binary(&mut self, bytes: &[u8]) {
        encode::write_binary(&mut self.out, bytes);
        self.complete_term(false);
    }

    /// Adds a bit string whose last byte uses its `last` high bits; unused bits are written as 0. Adds a binary if `last` is
    /// 8. A `last` of 0 or more than 8 fails in [`finish`](Self::finish).
    pub fn bits(&mut self, bytes: &[u8], last: u8) {
        encode::write_bits(&mut self.out, bytes, last);
        self.is_doubtful |= !(1..=8).contains(&last);
        self.complete_term(false);
    }

    /// Adds a string: the list of its code points.
    pub fn text(&mut self, text: &str) {
        self.begin_list();
        for c in text.chars() {
            self.integer(u32::from(c).into());
        }
        self.end_list();
    }

    /// Begins a tuple. Its elements follow.
    pub fn tuple(&mut self, arity: usize) {
        match u8::try_from(arity) {
            Ok(arity) => self.out.extend_from_slice(&[Tag::SMALL_TUPLE.0, arity]),
            Err(_) => encode::write_header(&mut self.out, Tag::LARGE_TUPLE, arity),
        }
        self.open_counted(arity);
    }

    /// Begins a map of `pairs` pairs. Keys and values follow alternately.
    pub fn map(&mut self, pairs: usize) {
        encode::write_header(&mut self.out, Tag::MAP, pairs);
        // A key may be repeated.
        self.is_doubtful |= pairs > 1;
        self.open_counted(pairs.saturating_mul(2));
    }

    /// Begins a list. Its elements follow, then [`end_list`](Self::end_list).
    pub fn begin_list(&mut self) {
        let span = self.open_span();
        self.open.push(Open::List { span, start: self.out.len(), count: 0, all_bytes: true });
        self.out.extend_from_slice(&[Tag::LIST.0, 0, 0, 0, 0]);
    }

    /// Ends a proper list. As in Erlang, a list of 1 to 65,535 integers 0..=255 becomes a STRING.
    pub fn end_list(&mut self) {
        let Some(Open::List { span, start, count, all_bytes }) = self.open.pop() else { return self.set_misused() };
        match u16::try_from(count) {
            Ok(0) => {
                self.out.truncate(start);
                self.out.push(Tag::NIL.0);
                self.spans.pop();
            }
            Ok(short) if all_bytes => {
                // Each element is a tag and a byte.
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
                self.spans.pop();
            }
            _ => {
                self.set_count(start, count);
                self.out.push(Tag::NIL.0);
                self.close_span(span);
            }
        }
        self.complete_term(false);
    }

    /// Ends an improper list. Its last term becomes the tail.
    pub fn end_improper_list(&mut self) {
        match self.open.pop() {
            Some(Open::List { span, start, count: count @ 1.., .. }) => {
                self.set_count(start, count.saturating_sub(1));
                self.close_span(span);
                self.complete_term(false);
            }
            _ => self.set_misused(),
        }
    }

    /// Adds a copy of a term, in its encoding. A list of such terms still follows the profile: if all of them are
    /// SMALL_INTEGERs, it becomes a STRING.
    pub fn copy(&mut self, term: Term<'_>) {
        let (tree, bytes) = (term.tree(), term.as_bytes());
        tree.copy_spans(term, &mut self.spans, to_offset(self.out.len()));
        self.out.extend_from_slice(bytes);
        // Some trees were read leniently.
        self.is_doubtful |= !tree.is_strict() && Tree::from_bytes_with(bytes, &strict_options()).is_err();
        self.complete_term(term.tag() == Tag::SMALL_INTEGER);
    }

    /// Adds the value of a term, encoded as the profile does. Map pairs keep their order; pids, ports, references and funs are
    /// copied.
    pub fn recode(&mut self, term: Term<'_>) {
        let term = term.resolved();
        if self.profile.first_deviation(term).is_none() {
            // Most terms come from a file with this profile.
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

    /// Adds the head of a term and returns the work that is left for its children.
    fn recode_head<'t>(&mut self, term: Term<'t>) -> Option<Work<'t>> {
        let term = term.resolved();
        if ProfileSet::for_leaf(term).is_some_and(|profiles| profiles.contains(self.profile)) {
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
                encode::write_export(&mut self.out, self.profile, export);
                self.is_doubtful = true;
                self.complete_term(false);
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

    /// Returns the finished term.
    ///
    /// # Errors
    /// [`WriteErrorKind::Unbalanced`] if a tuple, map or list is unfinished, or the end of a list has no start.
    /// [`WriteErrorKind::NotATerm`] if there is not exactly one term, or if Erlang rejects it: an atom of more than 255
    /// characters, a float that is not finite, a map with a repeated key.
    pub fn finish(self) -> Result<Tree, WriteError> {
        if self.misuse || !self.open.is_empty() {
            return Err(WriteError::without_position(WriteErrorKind::Unbalanced));
        }
        let tree = Tree::from_parts(self.out, self.spans, true);
        let length = tree.as_bytes().len();
        if !self.is_doubtful && u32::try_from(length).is_ok() && tree.root().range() == (0..length) {
            return Ok(tree);
        }
        Tree::from_owned(tree.into_bytes(), &strict_options())
            .map_err(|error| error.map_kind(WriteErrorKind::NotATerm).strip_position())
    }

    /// Counts a complete term in its parent, and completes the parents whose last term it is.
    #[inline]
    fn complete_term(&mut self, is_byte: bool) {
        let mut is_byte = is_byte;
        loop {
            match self.open.last_mut() {
                Some(Open::Counted { left: left @ 2.., .. }) => {
                    *left = left.saturating_sub(1);
                    return;
                }
                Some(Open::List { count, all_bytes, .. }) => {
                    *count = count.saturating_add(1);
                    *all_bytes &= is_byte;
                    return;
                }
                Some(&mut Open::Counted { span, .. }) => {
                    self.open.pop();
                    self.close_span(span);
                    is_byte = false;
                }
                None => return,
            }
        }
    }

    fn open_counted(&mut self, terms: usize) {
        match terms {
            0 => self.complete_term(false),
            left => {
                let span = self.open_span();
                self.open.push(Open::Counted { span, left });
            }
        }
    }

    /// Adds a span for a term that begins.
    fn open_span(&mut self) -> u32 {
        let span = self.spans.len();
        self.spans.push(Span::default());
        span
    }

    /// Sets the span of a term that ends.
    fn close_span(&mut self, span: u32) {
        self.spans.replace(span, Span { end: to_offset(self.out.len()), next: self.spans.len() });
    }

    fn set_misused(&mut self) {
        self.misuse = true;
    }

    fn set_count(&mut self, start: usize, count: u32) {
        if let Some(field) = self.out.get_mut(start.saturating_add(1)..).and_then(<[u8]>::first_chunk_mut) {
            *field = count.to_be_bytes();
        }
    }
}

/// Returns an offset for the index. A longer term is rejected when it is finished.
#[expect(clippy::cast_possible_truncation, reason = "the index of a term of more than 4 GiB is not used")]
fn to_offset(length: usize) -> u32 {
    length as u32
}

fn strict_options() -> ReadOptions {
    unlimited_options().with_mode(Mode::Strict)
}

/// Pending step of [`Builder::recode`].
enum Work<'t> {
    Terms(Vec<Term<'t>>),
    Elements(Elements<'t>),
    Items(ListItems<'t>),
    EndImproper,
}
