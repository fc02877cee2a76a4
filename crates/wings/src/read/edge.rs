//! Entries of edges and vertices: the elements that Wings uses.

use mapwright_etf::{Elements, ListItem, Term};

use crate::Side;

/// The elements of an edge's entry. If several have one kind, the last one counts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EdgeScan<'t> {
    /// The eight numbers of the `edge` tuple.
    pub(crate) numbers: Option<Elements<'t>>,
    /// Attributes of the left side.
    left: WingScan<'t>,
    /// Attributes of the right side.
    right: WingScan<'t>,
}

/// The attributes of one side.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WingScan<'t> {
    /// Texture coordinates.
    pub(crate) uv: Option<AttributeSource<'t>>,
    /// Colour.
    pub(crate) color: Option<AttributeSource<'t>>,
}

/// Location of an attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttributeSource<'t> {
    /// The binary.
    pub(crate) term: Term<'t>,
    /// Offset of the attribute in the binary.
    pub(crate) start: usize,
    /// `true` for the dialect before 0.98.15: both sides in one binary, colours as 8-byte floats.
    pub(crate) old: bool,
}

/// Reason why an entry cannot be read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EntryError {
    NotAList,
    OldSize,
    OldNotFinite,
}

impl<'t> EdgeScan<'t> {
    /// Reads an entry. Passes unknown elements to `extra`.
    pub(crate) fn new(entry: Term<'t>, mut extra: impl FnMut(ListItem<'t>)) -> Result<Self, EntryError> {
        let mut scan = Self::default();
        let list = entry.as_list().ok_or(EntryError::NotAList)?;
        let mut items = list.items();
        for item in items.by_ref() {
            if !scan.element(item)? {
                extra(item);
            }
        }
        if items.tail().is_some() { Err(EntryError::NotAList) } else { Ok(scan) }
    }

    /// Reads one element. Returns `true` if it is known.
    fn element(&mut self, item: ListItem<'t>) -> Result<bool, EntryError> {
        let Some(term) = item.term() else { return Ok(false) };
        if let Some(mut numbers) = term.as_tuple().filter(|elements| elements.len() == 9) {
            let is_edge = numbers.next().is_some_and(|name| name.is_atom("edge"));
            if is_edge {
                self.numbers = Some(numbers);
            }
            return Ok(is_edge);
        }
        let Some((name, value)) = term.as_property() else { return Ok(false) };
        let bytes = match (value.as_binary(), name.as_bytes()) {
            (Some(bytes), _) => bytes,
            // Wings requires a binary here, without a check.
            (None, b"uv" | b"color") => return Err(EntryError::OldSize),
            (None, _) => return Ok(false),
        };
        let source = |start, old| Some(AttributeSource { term: value, start, old });
        match name.as_bytes() {
            b"uv_lt" if finite::<f64>(bytes, 16) => self.left.uv = source(0, false),
            b"uv_rt" if finite::<f64>(bytes, 16) => self.right.uv = source(0, false),
            b"color_lt" if finite::<f32>(bytes, 12) => self.left.color = source(0, false),
            b"color_rt" if finite::<f32>(bytes, 12) => self.right.color = source(0, false),
            b"uv" => {
                check_old_attribute(bytes, 32)?;
                self.left.uv = source(0, true);
                self.right.uv = source(16, true);
            }
            b"color" => {
                check_old_attribute(bytes, 48)?;
                // A value may be finite as 8-byte float, but not as 4-byte float.
                if doubles::<6>(bytes).is_none_or(|channels| channels.iter().any(|x| x.abs() > f32::MAX.into())) {
                    return Err(EntryError::OldNotFinite);
                }
                self.left.color = source(0, true);
                self.right.color = source(24, true);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The attributes of one side.
    pub(crate) fn wing(&self, side: Side) -> &WingScan<'t> {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    pub(crate) fn uv(&self, side: Side) -> Option<[f64; 2]> {
        let source = self.wing(side).uv?;
        let [u, v] = doubles(source.bytes())?;
        Some([u, v])
    }

    #[expect(clippy::cast_possible_truncation, reason = "Wings stores colours as 4-byte floats since 0.98.15")]
    pub(crate) fn color(&self, side: Side) -> Option<[f32; 3]> {
        let source = self.wing(side).color?;
        if source.old {
            return doubles(source.bytes()).map(|color| color.map(|channel| channel as f32));
        }
        let (channels, _) = source.bytes().as_chunks();
        channels.first_chunk().map(|color| color.map(f32::from_be_bytes))
    }
}

impl<'t> AttributeSource<'t> {
    /// Returns the bytes from the attribute to the end of the binary, which in the old dialect contains the other side.
    fn bytes(&self) -> &'t [u8] {
        self.term.as_binary().and_then(|bytes| bytes.get(self.start..)).unwrap_or_default()
    }
}

/// Finds the binary with the position of a vertex: the last one with 24 bytes of finite numbers.
pub(crate) fn vertex_slot<'t>(
    entry: Term<'t>,
    mut extra: impl FnMut(ListItem<'t>),
) -> Option<Result<(Term<'t>, [f64; 3]), ()>> {
    let mut found = Err(());
    let mut items = entry.as_list()?.items();
    for item in items.by_ref() {
        let position = item.term().and_then(|term| Some((term, position(term.as_binary()?)?)));
        match position {
            Some(position) => found = Ok(position),
            None => extra(item),
        }
    }
    items.tail().is_none().then_some(found)
}

/// Returns `true` for a binary with the position of a vertex.
pub(super) fn is_position(term: Term<'_>) -> bool {
    term.as_binary().and_then(position).is_some()
}

fn position(bytes: &[u8]) -> Option<[f64; 3]> {
    if bytes.len() != 24 {
        return None;
    }
    doubles(bytes).filter(|position| position.iter().all(|x| x.is_finite()))
}

pub(crate) fn doubles<const N: usize>(bytes: &[u8]) -> Option<[f64; N]> {
    let (numbers, _) = bytes.as_chunks();
    numbers.first_chunk().map(|all| all.map(f64::from_be_bytes))
}

/// Checks an attribute of the dialect before 0.98.15. Wings crashes on a wrong one; it ignores wrong ones of the new dialect.
fn check_old_attribute(bytes: &[u8], size: usize) -> Result<(), EntryError> {
    if bytes.len() != size {
        return Err(EntryError::OldSize);
    }
    if finite::<f64>(bytes, size) { Ok(()) } else { Err(EntryError::OldNotFinite) }
}

/// Returns `true` if the bytes have a size and contain only finite numbers, whose exponent is not all ones.
fn finite<T>(bytes: &[u8], size: usize) -> bool {
    let (width, exponent) = if size_of::<T>() == 8 { (8, [0x7F, 0xF0]) } else { (4, [0x7F, 0x80]) };
    let is_finite = |number: &[u8]| !matches!(number, [a, b, ..] if a & exponent[0] == exponent[0] && b & exponent[1] == exponent[1]);
    bytes.len() == size && bytes.chunks_exact(width).all(is_finite)
}
