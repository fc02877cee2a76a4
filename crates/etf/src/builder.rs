//! Making terms.

use crate::tree::unlimited;
use crate::{List, Tag, Term, Tree, Value, WriteError, WriteErrorKind};

/// Which Erlang's way of writing is followed: what `term_to_binary` gives differs between generations and platforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Profile {
    /// OTP up to 16: text floats with 21 digits, Latin-1 atoms.
    Otp16,
    /// OTP up to 16 on Windows with an old C library: text floats with 17 digits and three-digit exponents.
    Otp16Win3,
    /// OTP up to 16 on Windows with a newer C library: text floats with 17 digits and two-digit exponents.
    Otp16Win2,
    /// OTP 17 to 25: binary floats, Latin-1 atoms.
    Otp17,
    /// OTP 26 and later: binary floats, UTF-8 atoms.
    Otp26,
}

impl Profile {
    /// Every profile, oldest first.
    pub const ALL: [Self; 5] = [Self::Otp16, Self::Otp16Win3, Self::Otp16Win2, Self::Otp17, Self::Otp26];

    /// The name: `otp17`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Otp16 => "otp16",
            Self::Otp16Win3 => "otp16win3",
            Self::Otp16Win2 => "otp16win2",
            Self::Otp17 => "otp17",
            Self::Otp26 => "otp26",
        }
    }
}

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
        let latin1: Option<Vec<u8>> = match self.profile {
            Profile::Otp26 => None,
            _ => name.chars().map(|c| u8::try_from(c).ok()).collect(),
        };
        match latin1 {
            Some(bytes) => self.with_u16(Tag::ATOM, &bytes),
            None => match u8::try_from(name.len()) {
                Ok(length) => {
                    self.out.extend_from_slice(&[Tag::SMALL_ATOM_UTF8.0, length]);
                    self.out.extend_from_slice(name.as_bytes());
                }
                Err(_) => self.with_u16(Tag::ATOM_UTF8, name.as_bytes()),
            },
        }
        self.done(false);
    }

    /// Adds an integer.
    pub fn integer(&mut self, value: i64) {
        self.big(value < 0, &value.unsigned_abs().to_le_bytes());
    }

    /// Adds an integer of any size: sign, and absolute value in little-endian order.
    pub fn big(&mut self, negative: bool, magnitude: &[u8]) {
        let length = magnitude.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let magnitude = magnitude.get(..length).unwrap_or_default();
        let mut low = [0; 4];
        let small = low.get_mut(..length).map(|low| low.copy_from_slice(magnitude)).is_some();
        let low = u32::from_le_bytes(low);
        let signed = if negative { -i64::from(low) } else { i64::from(low) };
        match (u8::try_from(signed), i32::try_from(signed)) {
            (Ok(value), _) if small => {
                self.out.extend_from_slice(&[Tag::SMALL_INTEGER.0, value]);
                return self.done(true);
            }
            (_, Ok(value)) if small => {
                self.out.push(Tag::INTEGER.0);
                self.out.extend_from_slice(&value.to_be_bytes());
            }
            _ => {
                match u8::try_from(length) {
                    Ok(length) => self.out.extend_from_slice(&[Tag::SMALL_BIG.0, length]),
                    Err(_) => self.with_u32(Tag::LARGE_BIG, length),
                }
                self.out.push(negative.into());
                self.out.extend_from_slice(magnitude);
            }
        }
        self.done(false);
    }

    /// Adds a float.
    pub fn float(&mut self, value: f64) {
        let text = match self.profile {
            Profile::Otp16 => c_exponent(&format!("{value:.20e}"), "", 2),
            Profile::Otp16Win3 => c_exponent(&format!("{value:.16e}"), "0000", 3),
            Profile::Otp16Win2 => c_exponent(&format!("{value:.16e}"), "0000", 2),
            Profile::Otp17 | Profile::Otp26 => {
                self.out.push(Tag::NEW_FLOAT.0);
                self.out.extend_from_slice(&value.to_be_bytes());
                return self.done(false);
            }
        };
        self.out.push(Tag::FLOAT.0);
        let end = self.out.len().saturating_add(31);
        self.out.extend_from_slice(text.as_bytes());
        self.out.resize(end, 0);
        self.done(false);
    }

    /// Adds bytes.
    pub fn binary(&mut self, bytes: &[u8]) {
        self.with_u32(Tag::BINARY, bytes.len());
        self.out.extend_from_slice(bytes);
        self.done(false);
    }

    /// Adds a bit string with so many bits used in its last byte, from the top; unused bits are written as 0.
    pub fn bits(&mut self, bytes: &[u8], last: u8) {
        let Some((&tail, head)) = bytes.split_last().filter(|_| last < 8) else { return self.binary(bytes) };
        self.with_u32(Tag::BIT_BINARY, bytes.len());
        self.out.push(last);
        self.out.extend_from_slice(head);
        self.out.push(tail & !(0xFF_u8 >> last));
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
            Err(_) => self.with_u32(Tag::LARGE_TUPLE, arity),
        }
        self.counted(arity);
    }

    /// Begins a map of so many pairs; keys and values follow in turn.
    pub fn map(&mut self, pairs: usize) {
        self.with_u32(Tag::MAP, pairs);
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
                let bytes: Vec<u8> =
                    self.out.get(start + 5..).unwrap_or_default().iter().skip(1).step_by(2).copied().collect();
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
                self.set_count(start, count - 1);
                self.done(false);
            }
            _ => self.misused(),
        }
    }

    /// Adds a term as it is spelled elsewhere.
    pub fn copy(&mut self, term: Term<'_>) {
        self.out.extend_from_slice(term.as_bytes());
        self.done(term.tag() == Tag::SMALL_INTEGER);
    }

    /// Adds the value of a term, spelled as the profile writes it. Map pairs keep their order; pids, ports, references
    /// and funs are copied.
    pub fn recode(&mut self, term: Term<'_>) {
        let mut work = vec![Work::Terms(Some(term).into_iter().collect())];
        while let Some(step) = work.last_mut() {
            let next = match step {
                Work::Terms(terms) => terms.pop(),
                Work::Elements(terms) => terms.next(),
                Work::Items(items) => match items.next() {
                    Some(crate::ListItem::Byte(byte)) => {
                        self.integer(byte.into());
                        continue;
                    }
                    Some(crate::ListItem::Term(term)) => Some(term),
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
        match term.value() {
            Value::Integer(integer) => self.big(integer.negative, &integer.magnitude()),
            Value::Float(value) => self.float(value),
            Value::Atom(atom) => self.atom(&atom.name()),
            Value::Binary(bytes) => self.binary(bytes),
            Value::Bits { bytes, last } => self.bits(bytes, last),
            Value::Other(_) => self.copy(term),
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
    /// [`WriteErrorKind::NotATerm`] if it is unfinished, followed by another, or not legal: an atom of more than 255
    /// characters, a float that is not finite.
    pub fn finish(self) -> Result<Tree, WriteError> {
        let options = unlimited().with_mode(crate::Mode::Strict);
        let tree =
            Tree::from_bytes_with(&self.out, &options).map_err(|error| error.map_kind(WriteErrorKind::NotATerm))?;
        if self.misuse || !self.open.is_empty() {
            let at = mapwright_io::Position::file(self.out.len() as u64);
            let kind = mapwright_io::FaultKind::Truncated { needed: 1, available: 0 };
            return Err(WriteError::new(WriteErrorKind::NotATerm(kind.into()), at));
        }
        Ok(tree)
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
        if let Some(place) = self.out.get_mut(start + 1..).and_then(<[u8]>::first_chunk_mut) {
            *place = count.to_be_bytes();
        }
    }

    /// A length that does not fit makes a term that `finish` refuses.
    fn with_u32(&mut self, tag: Tag, length: usize) {
        self.out.push(tag.0);
        self.out.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
    }

    fn with_u16(&mut self, tag: Tag, bytes: &[u8]) {
        self.out.push(tag.0);
        self.out.extend_from_slice(&u16::try_from(bytes.len()).unwrap_or(u16::MAX).to_be_bytes());
        self.out.extend_from_slice(bytes);
    }
}

/// What is left to do while a term is recoded.
enum Work<'t> {
    Terms(Vec<Term<'t>>),
    Elements(crate::Elements<'t>),
    Items(crate::ListItems<'t>),
    EndImproper,
}

/// `1.5e-1` as C's printf writes it: so many digits in the exponent at least, and its sign always.
fn c_exponent(text: &str, padding: &str, digits: usize) -> String {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{mantissa}{padding}e{sign}{exponent:0>digits$}")
}
