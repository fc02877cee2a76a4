//! The error type of all readers and writers: kind, position and path.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::{Fault, FaultKind};

/// The category of an error, by which callers can decide what to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The input ended early.
    Truncated,
    /// The input contradicts the format.
    Malformed,
    /// The input is legal, but this version of the crate does not read or write it.
    Unsupported,
    /// A limit of [`Limits`](crate::Limits) was reached; the caller can raise it.
    Limit,
    /// The operating system reported an error.
    Io,
}

impl Category {
    /// The category in lower case, as the command line prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
            Self::Unsupported => "unsupported",
            Self::Limit => "limit",
            Self::Io => "io",
        }
    }
}

/// An error kind of a format crate.
pub trait ErrorKind: std::error::Error + Send + Sync + 'static {
    /// The category of this error.
    fn category(&self) -> Category;

    /// Returns one line that states what to do next, if there is something to do.
    fn help(&self) -> Option<String> {
        None
    }
}

/// The bytes that an offset refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Space {
    /// The bytes that the reader was given.
    #[default]
    File,
    /// The bytes that a compressed part of the file inflates to.
    Inflated,
}

/// Line and column of a text, both counted from 1; the column counts bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineColumn {
    /// 1 for the first line.
    pub line: u32,
    /// 1 for the first byte of a line.
    pub column: u32,
}

/// A position in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Position {
    /// Number of bytes before the position.
    pub offset: u64,
    /// The bytes that the offset refers to.
    pub space: Space,
    /// Line and column, if the input is text.
    pub text: Option<LineColumn>,
}

impl Position {
    /// Creates a position at a byte offset of the file.
    pub const fn file(offset: u64) -> Self {
        Self { offset, space: Space::File, text: None }
    }

    /// Creates a position at a byte offset of the inflated data.
    pub const fn inflated(offset: u64) -> Self {
        Self { offset, space: Space::Inflated, text: None }
    }

    /// Creates a position at a byte offset of a text, with its line and column. Lines end with a line feed. Takes time in proportion
    /// to the offset.
    pub fn in_text(text: &[u8], offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.iter().filter(|&&byte| byte == b'\n').count().saturating_add(1);
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count().saturating_add(1);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let text = Some(LineColumn { line: number(line), column: number(column) });
        Self { text, ..Self::file(before.len() as u64) }
    }

    /// A line and column of a text, both counted from 1, with their byte offset. Lines end with a line feed.
    pub fn at_line(text: &[u8], line: usize, column: usize) -> Self {
        let lines = text.split_inclusive(|&byte| byte == b'\n').take(line.saturating_sub(1));
        let start = lines.map(<[u8]>::len).fold(0, usize::saturating_add);
        Self::in_text(text, start.saturating_add(column.saturating_sub(1)).min(text.len()))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Readers of text look for lines, not for offsets.
        if let Some(LineColumn { line, column }) = self.text {
            return write!(f, "line {line}, column {column}");
        }
        write!(f, "offset {} ({:#x})", self.offset, self.offset)?;
        match self.space {
            Space::File => Ok(()),
            Space::Inflated => f.write_str(" of the inflated data"),
        }
    }
}

/// One step of a [`Path`]. A field equals a name with the same text.
#[derive(Debug, Clone)]
pub enum Frame {
    /// A named part, printed `.name`.
    Field(&'static str),
    /// An item of a list, counted from 0, printed `[7]`.
    Index(usize),
    /// A part whose name comes from the file, printed `.name` or `."a name"`.
    Name(String),
    /// Another file that the document refers to, printed `"tiles.tsx"`. What follows is a path in that file.
    File(String),
}

impl Frame {
    /// Returns the name of a part.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Field(name) => Some(name),
            Self::Name(name) => Some(name),
            Self::Index(_) | Self::File(_) => None,
        }
    }
}

impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Index(index), Self::Index(other)) => index == other,
            (Self::File(name), Self::File(other)) => name == other,
            _ => self.name().is_some() && self.name() == other.name(),
        }
    }
}

impl Eq for Frame {}

impl Hash for Frame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Index(index) => index.hash(state),
            Self::File(name) => (true, name).hash(state),
            Self::Field(_) | Self::Name(_) => self.name().hash(state),
        }
    }
}

/// The path of a part of a document, from the outside in: `planes[2].objects[17].name`.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Path {
    // Innermost first: frames are added on the way out.
    frames: Vec<Frame>,
}

impl Path {
    /// The path of the document itself.
    pub const fn new() -> Self {
        Self { frames: Vec::new() }
    }

    /// The path of another file that the document refers to.
    pub fn from_file(name: impl Into<String>) -> Self {
        Self { frames: vec![Frame::File(name.into())] }
    }

    /// Puts a frame around the path.
    pub fn wrap(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    /// Returns the innermost file of the path, or `None` if it is the document itself.
    pub fn file(&self) -> Option<&str> {
        self.frames.iter().find_map(|frame| match frame {
            Frame::File(name) => Some(&**name),
            _ => None,
        })
    }

    /// Returns the part of the path inside [`file`](Self::file).
    pub fn within_file(&self) -> Self {
        let frames = self.frames.iter().take_while(|frame| !matches!(frame, Frame::File(_)));
        Self { frames: frames.cloned().collect() }
    }

    /// Changes the names of files and of parts that come from the document.
    pub(crate) fn map_names(&mut self, map: impl Fn(&mut String)) {
        for frame in &mut self.frames {
            if let Frame::Name(name) | Frame::File(name) = frame {
                map(name);
            }
        }
    }

    /// The frames from the outside in.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &Frame> {
        self.frames.iter().rev()
    }

    /// Returns `true` for the path of the document itself.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}

impl FromIterator<Frame> for Path {
    /// Builds a path from frames given from the outside in.
    fn from_iter<I: IntoIterator<Item = Frame>>(frames: I) -> Self {
        let mut frames: Vec<Frame> = frames.into_iter().collect();
        frames.reverse();
        Self { frames }
    }
}

impl From<&str> for Path {
    /// Reads a path as it is printed, such as `planes[2].name`. Names with characters other than letters, digits and `_` need no
    /// quotes, but a point or a bracket ends them.
    fn from(text: &str) -> Self {
        let mut frames = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let index = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            if let Some((Ok(index), after)) = index.map(|(digits, after)| (digits.parse(), after)) {
                frames.push(Frame::Index(index));
                rest = after;
                continue;
            }
            let start = rest.strip_prefix('.').filter(|_| !frames.is_empty()).unwrap_or(rest);
            // At least one character, so that the loop ends.
            let first = start.chars().next().map_or(0, char::len_utf8);
            let tail = start.get(first..).unwrap_or_default();
            let length = tail.find(['.', '[']).unwrap_or(tail.len()).saturating_add(first);
            let (name, after) = start.split_at_checked(length).unwrap_or((start, ""));
            frames.push(Frame::Name(name.to_owned()));
            rest = after;
        }
        frames.into_iter().collect()
    }
}

impl From<String> for Path {
    fn from(text: String) -> Self {
        Self::from(&*text)
    }
}

impl From<&String> for Path {
    fn from(text: &String) -> Self {
        Self::from(&**text)
    }
}

impl From<&Self> for Path {
    fn from(path: &Self) -> Self {
        path.clone()
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}

/// Compares the path as it is printed.
impl PartialEq<str> for Path {
    fn eq(&self, text: &str) -> bool {
        let printed = self.to_string();
        printed == text
    }
}

/// Compares the path as it is printed.
impl PartialEq<&str> for Path {
    fn eq(&self, text: &&str) -> bool {
        self == *text
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Hostile input can nest paths thousands deep; the ends locate the part, the middle does not.
        const SHOWN: usize = 24;
        let hidden = SHOWN..self.frames.len().saturating_sub(SHOWN);
        let mut separator = "";
        for (index, frame) in self.frames().enumerate() {
            let dot = std::mem::replace(&mut separator, ".");
            if hidden.contains(&index) {
                if index == SHOWN {
                    write!(f, "…({} more)…", hidden.len())?;
                }
                continue;
            }
            match frame {
                Frame::Field(name) => write!(f, "{dot}{name}")?,
                Frame::Index(item) if dot == ": " => write!(f, "{dot}[{item}]")?,
                Frame::Index(item) => write!(f, "[{item}]")?,
                Frame::Name(name) if is_word(name) => write!(f, "{dot}{name}")?,
                Frame::Name(name) => write!(f, "{dot}{name:?}")?,
                Frame::File(name) => {
                    write!(f, "{dot}{name:?}")?;
                    separator = ": ";
                }
            }
        }
        Ok(())
    }
}

/// Returns `true` if a name needs no quotes.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/'))
}

/// An error of kind `K` with its path and its position in the input, if it has one. One word wide, so that results stay small.
#[derive(Clone, PartialEq)]
pub struct Error<K> {
    inner: Box<Inner<K>>,
}

#[derive(Clone, PartialEq)]
struct Inner<K> {
    kind: K,
    at: Option<Position>,
    path: Path,
}

impl<K> Error<K> {
    /// Creates an error at a position.
    pub fn new(kind: K, at: Position) -> Self {
        Self { inner: Box::new(Inner { kind, at: Some(at), path: Path::new() }) }
    }

    /// Creates an error without a position in any input, such as one of writing or of the operating system.
    pub fn without_position(kind: K) -> Self {
        Self { inner: Box::new(Inner { kind, at: None, path: Path::new() }) }
    }

    /// Creates an error on a path, without a position.
    pub fn on_path(kind: K, path: impl Into<Path>) -> Self {
        Self { inner: Box::new(Inner { kind, at: None, path: path.into() }) }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> &K {
        &self.inner.kind
    }

    /// Returns the kind of the error by value.
    pub fn into_kind(self) -> K {
        self.inner.kind
    }

    /// Returns the position of the error in the input, or `None` if it has none.
    pub fn position(&self) -> Option<Position> {
        self.inner.at
    }

    /// Returns the path of the part with the error.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Returns the file with the error, as the document names it, or `None` if it is the document itself.
    pub fn file(&self) -> Option<&str> {
        self.inner.path.file()
    }

    /// Sets the path.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<Path>) -> Self {
        self.inner.path = path.into();
        self
    }

    /// Wraps the path in a file that the document refers to. Path and position count within that file.
    #[must_use]
    pub fn in_file(self, name: impl Into<String>) -> Self {
        self.wrap(Frame::File(name.into()))
    }

    /// Adds a frame around the path.
    #[must_use]
    pub fn wrap(mut self, frame: Frame) -> Self {
        self.inner.path.wrap(frame);
        self
    }

    /// Converts the kind. Position and path stay.
    pub fn map_kind<L>(self, map: impl FnOnce(K) -> L) -> Error<L> {
        let Inner { kind, at, path } = *self.inner;
        Error { inner: Box::new(Inner { kind: map(kind), at, path }) }
    }

    /// Removes the position: for writers that read data only to check it.
    #[must_use]
    pub fn strip_position(mut self) -> Self {
        self.inner.at = None;
        self
    }

    /// Sets the position.
    #[must_use]
    pub fn at(mut self, at: Position) -> Self {
        self.inner.at = Some(at);
        self
    }
}

impl<K: ErrorKind> Error<K> {
    /// The category of the kind.
    pub fn category(&self) -> Category {
        self.inner.kind.category()
    }

    /// Returns one line that states what to do next, if there is something to do.
    pub fn help(&self) -> Option<String> {
        self.inner.kind.help()
    }
}

impl<K: fmt::Debug> fmt::Debug for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.inner.kind)
            .field("at", &self.inner.at)
            .field("path", &format_args!("{}", self.inner.path))
            .finish()
    }
}

impl<K: fmt::Display> fmt::Display for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, at, path } = &*self.inner;
        write!(f, "{kind}")?;
        if let Some(at) = at {
            write!(f, " at {at}")?;
        }
        if !path.is_empty() {
            write!(f, " in {path}")?;
        }
        Ok(())
    }
}

impl<K: std::error::Error> std::error::Error for Error<K> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.inner.kind.source()
    }
}

impl<K: From<FaultKind>> From<Fault> for Error<K> {
    fn from(fault: Fault) -> Self {
        Self::new(fault.kind.into(), fault.at)
    }
}

/// Adds path frames to errors while they are returned, so that successful reads do not pay for paths.
pub trait Context<T, K> {
    /// Adds the field that was read.
    fn in_field(self, name: &'static str) -> Result<T, Error<K>>;

    /// Adds the list and the index of the item that was read.
    fn in_item(self, list: &'static str, index: usize) -> Result<T, Error<K>>;

    /// Adds the part that was read, with a name from the file.
    fn in_name(self, name: &str) -> Result<T, Error<K>>;
}

impl<T, K, E: Into<Error<K>>> Context<T, K> for Result<T, E> {
    fn in_field(self, name: &'static str) -> Result<T, Error<K>> {
        self.map_err(|error| error.into().wrap(Frame::Field(name)))
    }

    fn in_item(self, list: &'static str, index: usize) -> Result<T, Error<K>> {
        self.map_err(|error| error.into().wrap(Frame::Index(index)).wrap(Frame::Field(list)))
    }

    fn in_name(self, name: &str) -> Result<T, Error<K>> {
        self.map_err(|error| error.into().wrap(Frame::Name(name.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_print_from_the_outside_in() {
        let mut path = Path::new();
        path.wrap(Frame::Field("name"));
        path.wrap(Frame::Index(17));
        path.wrap(Frame::Field("objects"));
        path.wrap(Frame::Index(2));
        path.wrap(Frame::Field("planes"));
        assert_eq!(path.to_string(), "planes[2].objects[17].name");
    }

    #[test]
    fn printed_paths_are_read_as_frames() {
        let frames = [Frame::Field("planes"), Frame::Index(2), Frame::Index(0), Frame::Name("a key".into())];
        let path: Path = frames.into_iter().collect();
        assert_eq!(Path::from("planes[2][0].a key"), path);
        assert!(path == "planes[2][0].\"a key\"");
        for text in ["", "[3]", "[3].a", "a", "a.b[1].c"] {
            assert_eq!(Path::from(text).to_string(), text);
        }
        // Texts that are no paths lose nothing either.
        for (text, printed) in [(".", "\".\""), ("a..b", "a.\".b\""), ("a[x]", "a.\"[x]\""), ("é.[", "é.\"[\"")] {
            assert_eq!(Path::from(text).to_string(), printed);
        }
    }

    #[test]
    fn a_file_begins_a_path_of_its_own() {
        let mut path = Path::from("[1].cells");
        path.wrap(Frame::File("a.tsx".into()));
        assert_eq!((path.file(), &*path.to_string()), (Some("a.tsx"), "\"a.tsx\": [1].cells"));
        path.wrap(Frame::Field("tilesets"));
        assert!(path.within_file() == "[1].cells", "{path}");
        assert_eq!(path.to_string(), "tilesets.\"a.tsx\": [1].cells");
        assert_eq!(Path::from("a.tsx").file(), None);
    }

    #[test]
    fn positions_in_text_count_lines_and_columns_from_1() {
        let text = b"ab\n\nc";
        let at = |offset| Position::in_text(text, offset).text.map(|LineColumn { line, column }| (line, column));
        assert_eq!([0, 2, 3, 4, 5, 99].map(at), [(1, 1), (1, 3), (2, 1), (3, 1), (3, 2), (3, 2)].map(Some));
        for offset in 0..=text.len() {
            let position = Position::in_text(text, offset);
            let LineColumn { line, column } = position.text.unwrap();
            assert_eq!(Position::at_line(text, line as usize, column as usize), position);
        }
        assert_eq!(Position::at_line(text, 99, 99).offset, 5);
    }

    #[test]
    fn deep_paths_print_their_ends() {
        let path: Path = (0..1_000_000).map(Frame::Index).collect();
        let text = path.to_string();
        assert!(text.starts_with("[0][1]") && text.ends_with("[999999]") && text.len() < 1000, "{text}");
    }

    #[test]
    fn errors_print_their_position_if_they_have_one() {
        let kind = FaultKind::Zlib;
        let read = Error::new(kind, Position::inflated(3)).wrap(Frame::Field("payload"));
        assert_eq!(read.to_string(), format!("{kind} at offset 3 (0x3) of the inflated data in payload"));
        let written = Error::without_position(kind).wrap(Frame::Index(7)).wrap(Frame::Field("shapes"));
        assert_eq!(written.to_string(), format!("{kind} in shapes[7]"));
        assert_eq!(read.strip_position().to_string(), format!("{kind} in payload"));
    }

    #[test]
    fn an_error_is_one_word() {
        assert_eq!(size_of::<Error<FaultKind>>(), size_of::<usize>());
    }
}
