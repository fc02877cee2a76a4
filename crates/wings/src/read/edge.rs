//! Entries of edges and vertices: the elements that Wings uses.

use mapwright_etf::{Elements, ListItem, Term};

use crate::{Edge, Side, Wing};

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

/// Reads an edge from an entry as Wings has written them since 0.98.15. Returns `None` for every other entry, which [`EdgeScan`] reads.
///
/// Almost all entries are of this kind. Their bytes are read at once, without a view of each term.
pub(super) fn usual_edge(entry: &[u8]) -> Option<Edge> {
    usual_edge_and_count(entry).map(|(edge, _)| edge)
}

/// Returns `true` for an edge that [`usual_edge`] reads, in whose entry no element replaces another.
pub(super) fn is_usual_edge_without_duplicates(entry: &[u8]) -> bool {
    usual_edge_and_count(entry).is_some_and(|(edge, count)| {
        let wings = [&edge.left, &edge.right];
        let attributes = wings.map(|wing| u8::from(wing.uv.is_some()).saturating_add(wing.color.is_some().into()));
        // Each attribute, and the tuple of the edge.
        count == attributes.into_iter().fold(1, u8::saturating_add)
    })
}

/// Reads an edge and the number of elements of its entry.
#[inline]
fn usual_edge_and_count(entry: &[u8]) -> Option<(Edge, u8)> {
    let (count, mut rest) = match *entry {
        [108, 0, 0, 0, count @ 1..=5, ref rest @ ..] => (count, rest),
        _ => return None,
    };
    let mut edge = Edge::default();
    let mut numbers = None;
    for _ in 0..count {
        let [104, arity, element @ ..] = rest else { return None };
        // An atom in Latin-1, or in UTF-8 from OTP 26 on.
        let element = element.strip_prefix(&[100, 0]).or_else(|| element.strip_prefix(&[119]))?;
        rest = match (*arity, element) {
            // {uv_lt,<<U:64/float,V:64/float>>}
            (2, [5, b'u', b'v', b'_', side, b't', 109, 0, 0, 0, 16, rest @ ..]) => {
                let (bytes, rest) = rest.split_first_chunk::<16>()?;
                usual_wing(&mut edge, *side)?.uv = doubles(bytes).filter(|_| finite::<f64>(bytes, 16));
                usual_wing(&mut edge, *side)?.uv?;
                rest
            }
            // {color_lt,<<R:32/float,G:32/float,B:32/float>>}
            (2, [8, b'c', b'o', b'l', b'o', b'r', b'_', side, b't', 109, 0, 0, 0, 12, rest @ ..]) => {
                let (bytes, rest) = rest.split_first_chunk::<12>()?;
                let (channels, _) = bytes.as_chunks();
                let color = channels.first_chunk().map(|color| color.map(f32::from_be_bytes));
                usual_wing(&mut edge, *side)?.color = color.filter(|_| finite::<f32>(bytes, 12));
                usual_wing(&mut edge, *side)?.color?;
                rest
            }
            // {edge,Va,Vb,Lf,Rf,LtPr,LtSu,RtPr,RtSu}
            (9, [4, b'e', b'd', b'g', b'e', rest @ ..]) => {
                let mut rest: &[u8] = rest;
                let mut found = [0; 8];
                for number in &mut found {
                    (*number, rest) = match *rest {
                        [97, value, ref rest @ ..] => (value.into(), rest),
                        [98, a @ ..=0x7F, b, c, d, ref rest @ ..] => (u32::from_be_bytes([a, b, c, d]), rest),
                        _ => return None,
                    };
                }
                numbers = Some(found);
                rest
            }
            _ => return None,
        };
    }
    edge.set_numbers(numbers.filter(|_| rest == [106])?);
    Some((edge, count))
}

/// Returns the side with this letter.
fn usual_wing(edge: &mut Edge, side: u8) -> Option<&mut Wing> {
    match side {
        b'l' => Some(&mut edge.left),
        b'r' => Some(&mut edge.right),
        _ => None,
    }
}

/// Reads a position from an entry as Wings writes it: `[<<X:64/float,Y:64/float,Z:64/float>>]`. Returns `None` for every other entry,
/// which [`vertex_slot`] reads.
pub(super) fn usual_vertex(entry: &[u8]) -> Option<[f64; 3]> {
    match *entry {
        [108, 0, 0, 0, 1, 109, 0, 0, 0, 24, ref bytes @ .., 106] => position(bytes),
        _ => None,
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

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::unwrap_used)]
mod tests {
    use super::*;
    use mapwright_etf::{Builder, Tree, WriterProfile};

    /// Returns the entry of an edge with the given attributes and numbers.
    fn entry(profile: WriterProfile, attributes: &[(&str, &[u8])], numbers: &[i64]) -> Tree {
        let mut term = Builder::new(profile);
        term.begin_list();
        for (name, bytes) in attributes {
            term.tuple(2);
            term.atom(name);
            term.binary(bytes);
        }
        term.tuple(numbers.len() + 1);
        term.atom("edge");
        numbers.iter().for_each(|&number| term.integer(number));
        term.end_list();
        term.finish().unwrap()
    }

    /// Reads an entry as the slow way does; `None` if there are elements that Wings does not use.
    fn scan(entry: &Tree) -> Option<Edge> {
        let mut has_extra = false;
        let scan = EdgeScan::new(entry.root(), |_| has_extra = true).ok()?;
        let number = |term: Term<'_>| u32::try_from(term.as_i64()?).ok();
        let numbers: Vec<u32> = scan.numbers?.map(number).collect::<Option<_>>()?;
        let wing = |side| Wing { uv: scan.uv(side), color: scan.color(side), ..Wing::default() };
        let mut edge = Edge { left: wing(Side::Left), right: wing(Side::Right), ..Edge::default() };
        edge.set_numbers(numbers.try_into().ok()?);
        (!has_extra).then_some(edge)
    }

    #[test]
    fn usual_entries_are_read_as_all_others() {
        let [uv, other] = [[0.25_f64, -1.5], [f64::MAX, 0.0]].map(|uv| uv.map(f64::to_be_bytes).concat());
        let color = [1.0_f32, 0.5, -0.0].map(f32::to_be_bytes).concat();
        let infinite = [0.0, f64::INFINITY].map(f64::to_be_bytes).concat();
        let old = [uv.clone(), other.clone()].concat();
        let usual = [0, 255, 256, 1, 65_536, 7, 2_147_483_647, 8];
        let all: &[(&str, &[u8])] = &[("color_rt", &color), ("color_lt", &color), ("uv_rt", &uv), ("uv_lt", &other)];
        let attributes = [&all[..0], &all[..1], &all[2..3], all, &[("uv_lt", &uv), ("uv_lt", &other)]];
        for profile in [WriterProfile::Otp17, WriterProfile::Otp26] {
            for attributes in attributes {
                let entry = entry(profile, attributes, &usual);
                assert!(scan(&entry).is_some());
                assert_eq!(usual_edge(entry.as_bytes()), scan(&entry), "{entry}");
                let is_repeated = attributes.len() == 2;
                assert_eq!(is_usual_edge_without_duplicates(entry.as_bytes()), !is_repeated);
                // Bytes that are missing or in excess are no entry.
                for end in 0..entry.as_bytes().len() {
                    assert_eq!(usual_edge(&entry.as_bytes()[..end]), None);
                }
                assert_eq!(usual_edge(&[entry.as_bytes(), &[106]].concat()), None);
            }
            // Entries that only the slow way reads, and those that are no edges.
            let unusual: [&[(&str, &[u8])]; 5] =
                [&[("uv", &old)], &[("uv_lt", &infinite)], &[("uv_lt", &old)], &[("uv_xt", &uv)], &[("edge", &uv)]];
            for attributes in unusual {
                assert_eq!(usual_edge(entry(profile, attributes, &usual).as_bytes()), None);
            }
            for numbers in [&usual[..7], &[0, 1, 2, 3, 4, 5, 6, -1], &[0, 1, 2, 3, 4, 5, 6, 1 << 31]] {
                assert_eq!(usual_edge(entry(profile, &[], numbers).as_bytes()), None);
            }
        }
    }

    #[test]
    fn usual_vertices_are_read_as_all_others() {
        let vertex = |position: [f64; 3]| {
            let mut term = Builder::new(WriterProfile::Otp17);
            term.begin_list();
            term.binary(&position.map(f64::to_be_bytes).concat());
            term.end_list();
            term.finish().unwrap()
        };
        let usual = vertex([1.0, -0.0, 1e300]);
        assert_eq!(usual_vertex(usual.as_bytes()), Some([1.0, -0.0, 1e300]));
        assert_eq!(
            vertex_slot(usual.root(), |_| ()).map(|slot| slot.map(|(_, position)| position)),
            Some(Ok([1.0, -0.0, 1e300]))
        );
        assert_eq!(usual_vertex(vertex([0.0, f64::NAN, 0.0]).as_bytes()), None);
        assert_eq!(usual_vertex(&usual.as_bytes()[..20]), None);
    }
}
