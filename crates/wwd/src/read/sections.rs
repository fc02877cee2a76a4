//! The sections of the main block.

use std::ops::Range;
use std::sync::Arc;

use mapwright_io::{Budget, Context, FaultKind, Input, Position};

use crate::document::record::Field as _;
use crate::document::split;
use crate::write::usual_layout;
use crate::{
    ImageSets, Layout, Object, Objects, Plane, PlaneLayout, ReadError, ReadErrorKind, Rect, Residue, Shape,
    TileProperties, TileProperty, Tiles,
};

/// Sections may share bytes. Together they may take this many times the size of the main block, and `FREE_CLAIMS` bytes. In known
/// files they share none.
const MAX_CLAIMS: u64 = 2;
const FREE_CLAIMS: u64 = 1 << 20;

/// The contents of the main block.
pub(crate) struct Sections {
    pub(crate) planes: Vec<Plane>,
    pub(crate) tile_properties: Option<TileProperties>,
    pub(crate) layout: Option<Layout>,
}

impl Sections {
    /// Reads the sections of a main block whose offset in the file is `start`.
    pub(crate) fn read(
        main: &Arc<Vec<u8>>,
        start: usize,
        [num_planes, planes_offset, tile_properties_offset]: [u32; 3],
        inflated: bool,
        budget: &mut Budget,
    ) -> Result<Self, ReadError> {
        let mut reader = Reader::new(main, start, inflated, budget);
        let mut planes = Vec::new();
        let mut layouts = Vec::new();
        if num_planes > 0 {
            let mut input = reader.section("plane headers", planes_offset).in_field("planes")?;
            let count = input.count(num_planes.into(), Plane::FILE_SIZE, "planes").in_field("planes")?;
            planes.reserve_exact(count);
            for index in 0..count {
                let (plane, layout) = reader.plane(&mut input).in_item("planes", index)?;
                planes.push(plane);
                layouts.push(layout);
            }
            reader.claim(planes_offset, &input)?;
        }
        let tile_properties = match tile_properties_offset {
            0 => None,
            offset => Some(reader.tile_properties(offset).in_field("tile_properties")?),
        };
        let main_block_size = u32::try_from(main.len()).map_err(|_| {
            reader.input(0).fault(FaultKind::Limit {
                what: "main block",
                asked: main.len() as u64,
                limit: u32::MAX.into(),
            })
        })?;
        let residue = reader.residue();
        let layout = Layout { planes_offset, planes: layouts, tile_properties_offset, main_block_size, residue };
        let usual = usual_layout(&planes, tile_properties.as_ref(), start).is_ok_and(|usual| usual == layout);
        Ok(Self { planes, tile_properties, layout: (!usual).then_some(layout) })
    }
}

/// Reads sections.
pub(crate) struct Reader<'a, 'b> {
    main: &'a Arc<Vec<u8>>,
    start: usize,
    inflated: bool,
    claimed: u64,
    pub(crate) budget: &'b mut Budget,
    /// Ranges of the main block that belong to a section.
    used: Vec<(usize, usize)>,
}

impl<'a, 'b> Reader<'a, 'b> {
    pub(crate) fn new(main: &'a Arc<Vec<u8>>, start: usize, inflated: bool, budget: &'b mut Budget) -> Self {
        Self { main, start, inflated, claimed: 0, budget, used: Vec::new() }
    }

    /// Returns the main block from an index on.
    fn input(&self, at: usize) -> Input<'a> {
        let offset = self.start.saturating_add(at) as u64;
        let base = if self.inflated { Position::inflated(offset) } else { Position::file(offset) };
        Input::at_base(self.main.get(at..).unwrap_or_default(), base)
    }

    /// Returns the main block from an offset of the file on.
    pub(crate) fn section(&self, what: &'static str, offset: u32) -> Result<Input<'a>, ReadError> {
        let place = usize::try_from(offset).ok().and_then(|offset| offset.checked_sub(self.start));
        match place.filter(|place| *place <= self.main.len()) {
            Some(place) => Ok(self.input(place)),
            None => {
                let end = self.start.saturating_add(self.main.len()) as u64;
                let kind = ReadErrorKind::Offset { what, offset, start: self.start as u64, end };
                Err(ReadError::new(kind, self.input(0).position()))
            }
        }
    }

    /// Records that a section takes what was consumed of `input`. Called as soon as the size is known, before anything is stored.
    fn claim(&mut self, offset: u32, input: &Input<'_>) -> Result<(), ReadError> {
        let size = input.consumed();
        let claimed = self.claimed.saturating_add(size as u64);
        if claimed > self.max_claims() {
            let kind = ReadErrorKind::Overlap { claimed, available: self.main.len() as u64 };
            return Err(ReadError::without_position(kind).at(input.position()));
        }
        self.claimed = claimed;
        if size > 0 {
            let from = usize::try_from(offset).unwrap_or(usize::MAX).saturating_sub(self.start);
            self.used.push((from, from.saturating_add(size)));
        }
        Ok(())
    }

    fn max_claims(&self) -> u64 {
        (self.main.len() as u64).saturating_mul(MAX_CLAIMS).saturating_add(FREE_CLAIMS)
    }

    /// Returns the number of bytes that sections may still take.
    fn claims_left(&self) -> usize {
        usize::try_from(self.max_claims().saturating_sub(self.claimed)).unwrap_or(usize::MAX)
    }

    fn plane(&mut self, input: &mut Input<'_>) -> Result<(Plane, PlaneLayout), ReadError> {
        self.budget.take_items(1, input.position())?;
        let at = input.position();
        let (mut plane, [num_image_sets, num_objects, tiles_offset, image_sets_offset, objects_offset]) =
            plane_header(input)?;
        let (columns, rows) = (plane.tiles_wide, plane.tiles_high);
        if columns < 0 || rows < 0 {
            return Err(ReadError::new(ReadErrorKind::Grid { columns, rows }, at));
        }
        plane.tiles = self.tiles(tiles_offset, plane.size()).in_field("tiles")?;
        plane.image_sets = self.image_sets(image_sets_offset, num_image_sets).in_field("image_sets")?;
        if objects_offset != 0 {
            plane.objects = self.objects(objects_offset, num_objects)?;
        }
        let num_objects = if objects_offset == 0 { num_objects } else { 0 };
        Ok((plane, PlaneLayout { tiles_offset, image_sets_offset, objects_offset, num_objects }))
    }

    pub(crate) fn tiles(&mut self, offset: u32, (columns, rows): (u32, u32)) -> Result<Tiles, ReadError> {
        let cells = u64::from(columns).saturating_mul(rows.into());
        if cells == 0 {
            return Ok(Tiles::new());
        }
        let mut input = self.section("tiles", offset)?;
        let cells = input.count(cells, 4, "tiles")?;
        let from = self.main.len().saturating_sub(input.remaining());
        let bytes = input.take(cells.saturating_mul(4))?.len();
        self.claim(offset, &input)?;
        Ok(Tiles::in_block(self.main, from..from.saturating_add(bytes)))
    }

    pub(crate) fn image_sets(&mut self, offset: u32, count: u32) -> Result<ImageSets, ReadError> {
        if count == 0 {
            return Ok(ImageSets::new());
        }
        let mut input = self.section("image sets", offset)?;
        let count = input.count(count.into(), 1, "image sets")?;
        self.budget.take_items(count as u64, input.position())?;
        let bytes = input.peek();
        let last = bytes.iter().enumerate().filter(|(_, byte)| **byte == 0).nth(count.saturating_sub(1));
        let size = last.map_or(bytes.len().saturating_add(1), |(at, _)| at.saturating_add(1));
        let names = input.take(size)?;
        self.claim(offset, &input)?;
        Ok(ImageSets::from_raw(names.to_vec()).unwrap_or_default())
    }

    pub(crate) fn objects(&mut self, offset: u32, count: u32) -> Result<Objects, ReadError> {
        if count == 0 {
            return Ok(Objects::new());
        }
        let mut input = self.section("objects", offset).in_field("objects")?;
        let count = input.count(count.into(), Object::FILE_SIZE, "objects").in_field("objects")?;
        self.budget.take_items(count as u64, input.position())?;
        let from = self.main.len().saturating_sub(input.remaining());
        for index in 0..count {
            Objects::skip(&mut input).in_item("objects", index)?;
        }
        self.claim(offset, &input).in_field("objects")?;
        Ok(Objects::in_block(self.main, from..from.saturating_add(input.consumed()), count))
    }

    /// Claims the bytes from an offset to the next section of a damaged level, as far as sections may still take bytes. Returns `true`
    /// if more bytes belong to the section. Without `end`, it is the last one.
    pub(crate) fn claim_before(&mut self, offset: u32, end: Option<u32>) -> Result<(Range<usize>, bool), ReadError> {
        let Ok(mut input) = self.section("section", offset) else { return Ok((0..0, true)) };
        let from = self.main.len().saturating_sub(input.remaining());
        let wanted = end.map_or(usize::MAX, |end| end.saturating_sub(offset) as usize);
        let size = wanted.min(self.claims_left()).min(input.remaining());
        input.take(size)?;
        self.claim(offset, &input)?;
        Ok((from..from.saturating_add(size), size < wanted))
    }

    pub(crate) const fn main(&self) -> &'a Arc<Vec<u8>> {
        self.main
    }

    /// Counts items of a damaged level.
    pub(crate) fn take_items(&mut self, count: usize) -> Result<(), ReadError> {
        Ok(self.budget.take_items(count as u64, self.input(0).position())?)
    }

    pub(crate) fn tile_properties(&mut self, offset: u32) -> Result<TileProperties, ReadError> {
        let mut input = self.section("tile properties", offset)?;
        let size = input.u32_le()?;
        let reserved_04 = input.u32_le()?;
        let count = input.u32_le()?;
        let mut reserved_0c = [0; 5];
        for word in &mut reserved_0c {
            *word = input.u32_le()?;
        }
        let count = input.count(count.into(), 16, "tile properties")?;
        self.budget.take_items(count as u64, input.position())?;
        let mut items = Vec::with_capacity(count);
        for index in 0..count {
            items.push(tile_property(&mut input).in_item("items", index)?);
        }
        self.claim(offset, &input)?;
        Ok(TileProperties { size, reserved_04, reserved_0c, items })
    }

    /// Returns the bytes that belong to no section.
    fn residue(&mut self) -> Vec<Residue> {
        self.used.push((self.main.len(), self.main.len()));
        self.used.sort_unstable();
        let mut residue = Vec::new();
        let mut reached = 0_usize;
        for (from, to) in &self.used {
            if let Some(bytes) = self.main.get(reached..*from).filter(|bytes| !bytes.is_empty()) {
                let offset = u32::try_from(self.start.saturating_add(reached)).unwrap_or(u32::MAX);
                residue.push(Residue { offset, bytes: bytes.to_vec() });
            }
            reached = reached.max(*to);
        }
        residue
    }
}

/// Reads the header of a plane, and its derived words: the numbers of image sets and objects, the offsets of tiles, image sets and
/// objects.
pub(crate) fn plane_header(input: &mut Input<'_>) -> Result<(Plane, [u32; 5]), ReadError> {
    let at = input.position();
    let bytes = input.array::<{ Plane::FILE_SIZE }>()?;
    let (bytes, derived) = split::<{ Plane::FILE_SIZE }, { Plane::SIZE + 4 }, 5>(&bytes, Plane::DERIVED);
    let size = u32::get(&bytes);
    if size != 160 {
        return Err(ReadError::new(ReadErrorKind::PlaneSize { found: size }, at));
    }
    let fields = bytes.last_chunk().copied().unwrap_or([0; Plane::SIZE]);
    Ok((Plane::get(&fields), derived))
}

pub(crate) fn tile_property(input: &mut Input<'_>) -> Result<TileProperty, ReadError> {
    let at = input.position();
    let kind = input.u32_le()?;
    let reserved_04 = input.u32_le()?;
    let width = input.u32_le()?;
    let height = input.u32_le()?;
    let shape = match kind {
        1 => Shape::Single(input.i32_le()?),
        2 => {
            Shape::Double { outside: input.i32_le()?, inside: input.i32_le()?, rect: Rect::get(&input.array::<16>()?) }
        }
        3 => {
            let pixels = u64::from(width).saturating_mul(height.into());
            let pixels = input.count(pixels, 1, "pixels")?;
            Shape::Mask(input.take(pixels)?.to_vec())
        }
        found => return Err(ReadError::new(ReadErrorKind::PropertyKind { found }, at)),
    };
    Ok(TileProperty { reserved_04, width, height, shape })
}
