//! Packs images on large ones.

use mapwright_scene::{AlphaMode, PixelFormat, Pixels};

/// Maximum width and height of a page with several images.
const PAGE: u32 = 2048;
/// Pixels around each image that repeat its border, so that filters mix no neighbours in.
const BORDER: u32 = 1;
/// Opacity below which a pixel of a page is invisible.
const CUTOFF: f64 = 0.5;

/// Images on pages.
pub(super) struct Atlas {
    /// The pages, with the use of their opacity.
    pub(super) pages: Vec<(Pixels, AlphaMode)>,
    /// The place of each image, in the order of the sources.
    pub(super) regions: Vec<Region>,
}

/// The place of an image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Region {
    pub(super) page: usize,
    at: [u32; 2],
    /// Width and height of the image.
    pub(super) size: [u32; 2],
    page_size: [u32; 2],
}

impl Region {
    /// Returns the texture coordinates of the upper left part of the image: left, top, right and bottom. Flipping swaps sides.
    pub(super) fn uv(&self, part: [u32; 2], flips: [bool; 2]) -> [f64; 4] {
        let [[left, right], [top, bottom]] = [(0, flips[0]), (1, flips[1])].map(|(axis, is_flipped)| {
            let get = |pair: [u32; 2]| f64::from(pair.get(axis).copied().unwrap_or(0));
            let (start, length) = (get(self.at), get(self.page_size));
            let sides = [start / length, (start + get(part)) / length];
            if is_flipped { [sides[1], sides[0]] } else { sides }
        });
        [left, top, right, bottom]
    }
}

/// Returns `true` if a pixel is neither opaque nor transparent.
pub(super) fn is_translucent(pixels: &Pixels) -> bool {
    pixels.format == PixelFormat::Rgba8 && opacities(pixels).any(|opacity| !matches!(opacity, 0 | 255))
}

fn opacities(pixels: &Pixels) -> impl Iterator<Item = u8> {
    pixels.data.iter().skip(3).step_by(4).copied()
}

/// A page that is being filled, in rows of images.
#[derive(Default)]
struct Shelves {
    /// Top of the last row.
    top: u32,
    /// Height of the last row.
    height: u32,
    /// End of the images in the last row.
    right: u32,
    width: u32,
}

impl Atlas {
    /// Packs images with four channels. Others are left transparent.
    pub(super) fn pack(sources: &[&Pixels]) -> Self {
        // High images first, so that rows have little waste. The sort is stable, so the result does not vary.
        let mut order: Vec<usize> = (0..sources.len()).collect();
        order.sort_by_key(|place| std::cmp::Reverse(sources.get(*place).map_or(0, |pixels| pixels.height)));
        let mut pages: Vec<Shelves> = Vec::new();
        let mut places = vec![(0, [0; 2]); sources.len()];
        for index in order {
            let (Some(source), Some(place)) = (sources.get(index), places.get_mut(index)) else { continue };
            let size = [source.width, source.height].map(|side| side.saturating_add(2 * BORDER));
            let at = match pages.last_mut().and_then(|page| page.add(size)) {
                Some(at) => at,
                None => {
                    pages.push(Shelves { width: size[0], height: size[1], right: size[0], top: 0 });
                    [0, 0]
                }
            };
            *place = (pages.len().saturating_sub(1), at.map(|side: u32| side.saturating_add(BORDER)));
        }
        let mut images: Vec<Pixels> = pages.iter().map(Shelves::page).collect();
        let mut regions = Vec::with_capacity(sources.len());
        for (source, (page, at)) in sources.iter().zip(places) {
            let Some(image) = images.get_mut(page) else { continue };
            copy(source, image, at);
            let (size, page_size) = ([source.width, source.height], [image.width, image.height]);
            regions.push(Region { page, at, size, page_size });
        }
        let mut alphas = vec![AlphaMode::Opaque; images.len()];
        for (source, region) in sources.iter().zip(&regions) {
            let alpha = match () {
                () if is_translucent(source) => AlphaMode::Blend,
                () if opacities(source).any(|opacity| opacity == 0) => AlphaMode::Mask(CUTOFF),
                () => continue,
            };
            if let Some(page) = alphas.get_mut(region.page).filter(|page| **page != AlphaMode::Blend) {
                *page = alpha;
            }
        }
        Self { pages: images.into_iter().zip(alphas).collect(), regions }
    }
}

impl Shelves {
    /// Adds an image at the end of the last row, or in a new row. Returns its place, or `None` if the page is full.
    fn add(&mut self, [width, height]: [u32; 2]) -> Option<[u32; 2]> {
        // A page for one large image stays alone: rows as wide, or images as high, as that image would take much memory.
        let top = self.top.saturating_add(self.height);
        if self.width.max(top) > PAGE {
            return None;
        }
        if height <= self.height && self.right.saturating_add(width) <= PAGE {
            let at = [self.right, self.top];
            self.right = self.right.saturating_add(width);
            self.width = self.width.max(self.right);
            return Some(at);
        }
        if width > PAGE || top.saturating_add(height) > PAGE {
            return None;
        }
        (self.top, self.height, self.right) = (top, height, width);
        self.width = self.width.max(width);
        Some([0, top])
    }

    /// Creates the transparent page.
    fn page(&self) -> Pixels {
        let [width, height] = [self.width, self.top.saturating_add(self.height)];
        let bytes = u64::from(width).saturating_mul(height.into()).saturating_mul(4);
        let data = vec![0; usize::try_from(bytes).unwrap_or(usize::MAX)];
        Pixels { width, height, format: PixelFormat::Rgba8, data }
    }
}

/// Copies an image, and repeats its border around it.
fn copy(source: &Pixels, page: &mut Pixels, [left, top]: [u32; 2]) {
    let bytes = |pixels: u32| usize::try_from(pixels).unwrap_or(usize::MAX).saturating_mul(4);
    let (Some(last), from) = (source.height.checked_sub(1), left.saturating_sub(BORDER)) else { return };
    for row in 0..source.height.saturating_add(2 * BORDER) {
        let line = row.saturating_sub(BORDER).min(last);
        let start = bytes(source.width).saturating_mul(usize::try_from(line).unwrap_or(usize::MAX));
        let pixels = source.data.get(start..start.saturating_add(bytes(source.width))).unwrap_or_default();
        let (Some(first), Some(end)) = (pixels.first_chunk::<4>(), pixels.last_chunk::<4>()) else { continue };
        let line = [first.as_slice(), pixels, end.as_slice()].concat();
        let row = usize::try_from(top.saturating_sub(BORDER).saturating_add(row)).unwrap_or(usize::MAX);
        let start = bytes(page.width).saturating_mul(row).saturating_add(bytes(from));
        let target = page.data.get_mut(start..start.saturating_add(line.len()));
        target.into_iter().for_each(|target| target.copy_from_slice(&line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, height: u32, color: [u8; 4]) -> Pixels {
        let data = color.repeat((width * height) as usize);
        Pixels { width, height, format: PixelFormat::Rgba8, data }
    }

    #[test]
    fn images_keep_their_pixels_and_get_a_border() {
        let (mut small, high) = (image(2, 1, [1, 2, 3, 255]), image(1, 3, [9, 9, 9, 0]));
        small.data[4..].copy_from_slice(&[4, 5, 6, 255]);
        let Atlas { pages, regions } = Atlas::pack(&[&small, &high]);
        let (page, alpha) = &pages[0];
        assert_eq!((pages.len(), [page.width, page.height], alpha), (1, [3 + 4, 5], &AlphaMode::Mask(CUTOFF)));
        // The high one is first.
        assert_eq!((regions[1].at, regions[0].at), ([1, 1], [4, 1]));
        let pixel = |x: usize, y: usize| page.data[(y * 7 + x) * 4];
        assert_eq!([pixel(3, 0), pixel(4, 1), pixel(5, 1), pixel(6, 2), pixel(4, 3)], [1, 1, 4, 4, 0]);
        assert_eq!(regions[0].uv([2, 1], [true, false]), [6.0 / 7.0, 1.0 / 5.0, 4.0 / 7.0, 2.0 / 5.0]);
    }

    #[test]
    fn full_pages_are_followed_by_others() {
        let large = image(1500, 1500, [1, 1, 1, 255]);
        let light = image(3000, 1, [255, 255, 255, 128]);
        let Atlas { pages, regions } = Atlas::pack(&[&large, &large, &light]);
        assert_eq!(regions.iter().map(|region| region.page).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(
            pages.iter().map(|(_, alpha)| *alpha).collect::<Vec<_>>()[1..],
            [AlphaMode::Opaque, AlphaMode::Blend]
        );
        // Nothing is added to the page of an image that is too wide.
        let small = image(1, 1, [1, 1, 1, 255]);
        let Atlas { pages, .. } = Atlas::pack(&[&light, &small]);
        assert_eq!(pages.iter().map(|(page, _)| [page.width, page.height]).collect::<Vec<_>>(), [[3002, 3], [3, 3]]);
        // Nor to that of one that is too high, which would become as wide as a page.
        let high = image(1, 3000, [1, 1, 1, 255]);
        let Atlas { pages, .. } = Atlas::pack(&[&high, &small]);
        assert_eq!(pages.iter().map(|(page, _)| [page.width, page.height]).collect::<Vec<_>>(), [[3, 3002], [3, 3]]);
        let none = Atlas::pack(&[]);
        assert!(none.pages.is_empty() && none.regions.is_empty());
    }
}
