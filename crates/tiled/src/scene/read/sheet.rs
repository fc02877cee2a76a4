//! The image of a tileset, which is cut into tiles.

use mapwright_scene::Pixels;

/// The arrangement of tiles in an image.
pub(super) struct Sheet {
    pub(super) tile: [u32; 2],
    pub(super) columns: u32,
    pub(super) spacing: u32,
    pub(super) margin: u32,
}

impl Sheet {
    /// Returns `true` if there is no space around tiles.
    pub(super) const fn is_dense(&self) -> bool {
        self.spacing == 0 && self.margin == 0
    }

    /// Returns the part of an image for a tile, or `None` if it is outside.
    pub(super) fn part(&self, pixels: &Pixels, place: usize) -> Option<Pixels> {
        let [width, height] = self.tile;
        let step = |edge: u32| u64::from(edge).saturating_add(self.spacing.into());
        let room = u64::from(pixels.width).saturating_add(self.spacing.into()).checked_sub(self.margin.into())?;
        let columns = if self.columns == 0 { room.checked_div(step(width))? } else { self.columns.into() };
        let (column, row) = ((place as u64).checked_rem(columns)?, (place as u64).checked_div(columns)?);
        let at = |index: u64, edge: u32| index.checked_mul(step(edge))?.checked_add(self.margin.into());
        let [left, top] = [usize::try_from(at(column, width)?).ok()?, usize::try_from(at(row, height)?).ok()?];
        cut(pixels, [left, top], self.tile)
    }
}

/// Returns a part of an image, or `None` if it is not inside.
pub(super) fn cut(pixels: &Pixels, [left, top]: [usize; 2], [width, height]: [u32; 2]) -> Option<Pixels> {
    let channels = pixels.format.channels();
    let inside = left.checked_add(width as usize)? <= pixels.width as usize
        && top.checked_add(height as usize)? <= pixels.height as usize;
    if !inside || width == 0 || height == 0 {
        return None;
    }
    let mut data = Vec::with_capacity((width as usize).checked_mul(height as usize)?.checked_mul(channels)?);
    for y in top..top.checked_add(height as usize)? {
        let start = y.checked_mul(pixels.width as usize)?.checked_add(left)?.checked_mul(channels)?;
        data.extend_from_slice(pixels.data.get(start..start.checked_add((width as usize).checked_mul(channels)?)?)?);
    }
    Some(Pixels { width, height, format: pixels.format, data })
}

/// Returns the number of tiles in an image of a size, for tilesets that do not store it.
pub(super) fn tiles_in_image(size: [u32; 2], sheet: &Sheet) -> u32 {
    let fitting = |room: u32, edge: u32| {
        let room = room.saturating_sub(sheet.margin).saturating_add(sheet.spacing);
        room.checked_div(edge.saturating_add(sheet.spacing)).unwrap_or(0)
    };
    let ([width, height], [tile_width, tile_height]) = (size, sheet.tile);
    fitting(width, tile_width).saturating_mul(fitting(height, tile_height))
}
