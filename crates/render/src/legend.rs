//! A legend: lines of text on a panel in the lower left corner of an image.

use crate::colors::BACKGROUND;
use crate::font::{HEIGHT, INK, Label};

/// Pixels between the border of the panel and its text.
const PADDING: usize = 6;
/// Pixels between the panel and the border of the image.
const MARGIN: usize = 8;
/// Minimum width of the text in pixels. In smaller images the legend is left out.
const MIN_WIDTH: usize = 144;
/// Minimum number of lines: the heading and one other line.
const MIN_LINES: usize = 2;
/// Maximum number of lines, also in large images.
const MAX_LINES: usize = 16;
/// The text is enlarged by one for each multiple of this shorter side of the image, so that it is legible in an overview.
const SIDE_PER_ZOOM: usize = 900;
const MAX_ZOOM: usize = 4;
/// Opacity of the panel in 256ths.
const OPACITY: u32 = 216;

/// A legend at its place in an image.
#[derive(Debug)]
pub(crate) struct Legend {
    lines: Vec<Label>,
    /// The side of a pixel of the font in pixels of the image.
    zoom: usize,
    /// Left and top of the panel in pixels of the image.
    from: [usize; 2],
    /// Width and height of the panel in pixels of the font.
    size: [usize; 2],
}

impl Legend {
    /// Creates a legend for an image of a width and height. It covers at most half of the width and a third of the height. Lines that
    /// do not fit are counted in the last line. Returns `None` without lines, and if the image is too small.
    pub(crate) fn new(lines: &[String], [width, height]: [u32; 2]) -> Option<Self> {
        let [width, height] = [width as usize, height as usize];
        let zoom = (width.min(height) / SIDE_PER_ZOOM).clamp(1, MAX_ZOOM);
        let room = (width / 2 / zoom).checked_sub(MARGIN + 2 * PADDING).filter(|room| *room >= MIN_WIDTH)?;
        let count = (height / 3 / zoom).checked_sub(MARGIN + 2 * PADDING)? / HEIGHT;
        let count = count.min(MAX_LINES);
        if lines.is_empty() || count < MIN_LINES {
            return None;
        }
        let label = |text: &str| Label::new(text, room, 1);
        let shown = if lines.len() <= count { lines.len() } else { count - 1 };
        let mut labels: Vec<Label> = lines.iter().take(shown).map(|line| label(line)).collect();
        if shown < lines.len() {
            labels.push(label(&format!("and {} more", lines.len() - shown)));
        }
        let text_width = labels.iter().map(Label::width).max().unwrap_or_default();
        let size = [text_width + 2 * PADDING, labels.len() * HEIGHT + 2 * PADDING];
        let from = [MARGIN * zoom, height.saturating_sub((size[1] + MARGIN) * zoom)];
        Some(Self { lines: labels, zoom, from, size })
    }

    /// Draws a row of the legend over a row of the image, which has red, green and blue of each pixel.
    pub(crate) fn draw(&self, y: u32, row: &mut [u8]) {
        let ([left, top], [width, height]) = (self.from, self.size);
        let Some(y) = (y as usize).checked_sub(top).map(|y| y / self.zoom).filter(|y| *y < height) else { return };
        let line = y.checked_sub(PADDING).and_then(|y| Some((self.lines.get(y / HEIGHT)?, y % HEIGHT)));
        for (x, pixel) in row.as_chunks_mut::<3>().0.iter_mut().skip(left).take(width * self.zoom).enumerate() {
            let x = (x / self.zoom).checked_sub(PADDING);
            let is_text = line.zip(x).is_some_and(|((label, y), x)| label.covers(x, y));
            *pixel = if is_text { INK } else { cover(*pixel) };
        }
    }
}

/// Returns the colour of a pixel below the panel.
fn cover(pixel: [u8; 3]) -> [u8; 3] {
    let mut parts = pixel;
    for (part, panel) in parts.iter_mut().zip(BACKGROUND) {
        let mixed = (u32::from(panel) * OPACITY + u32::from(*part) * (256 - OPACITY)) / 256;
        *part = u8::try_from(mixed).unwrap_or(u8::MAX);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("model {number}.mdl")).collect()
    }

    #[test]
    fn legends_fit_into_the_image_or_are_left_out() {
        for ([width, height], count) in [([340, 340], 5), ([1024, 768], 100), ([4096, 4096], 100), ([700, 300], 100)] {
            let legend = Legend::new(&lines(count), [width, height]).unwrap();
            let [right, bottom] = [0, 1].map(|axis| legend.from[axis] + legend.size[axis] * legend.zoom);
            assert!(right <= width as usize / 2 && bottom <= height as usize, "{width} x {height}");
            assert!(legend.size[1] * legend.zoom <= height as usize / 3, "{width} x {height}");
            assert!((MIN_LINES..=MAX_LINES).contains(&legend.lines.len()));
        }
        assert!(Legend::new(&[], [1024, 1024]).is_none());
        for size in [[192, 192], [300, 2000], [2000, 150], [1, 1]] {
            assert!(Legend::new(&lines(3), size).is_none(), "{size:?}");
        }
    }

    #[test]
    fn only_the_panel_changes_and_text_is_enlarged_in_large_images() {
        let painted = |side: u32| {
            let legend = Legend::new(&lines(2), [side, side]).unwrap();
            let mut ink = 0;
            for y in 0..side {
                let mut row = vec![200; side as usize * 3];
                legend.draw(y, &mut row);
                for (x, pixel) in row.as_chunks::<3>().0.iter().enumerate() {
                    ink += usize::from(*pixel == INK);
                    let is_panel = (legend.from[0]..legend.from[0] + legend.size[0] * legend.zoom).contains(&x)
                        && (y as usize) >= legend.from[1];
                    assert!(is_panel || *pixel == [200; 3], "{x}, {y}");
                }
            }
            ink
        };
        let small = painted(400);
        assert!(small > 50);
        assert_eq!(painted(1800), small * 4);
    }

    #[test]
    fn lines_beyond_the_room_are_counted() {
        let legend = Legend::new(&lines(100), [1024, 768]).unwrap();
        let text = Label::new(&format!("and {} more", 100 - (legend.lines.len() - 1)), 320, 1);
        let same = |other: &Label| (0..320).all(|x| (0..HEIGHT).all(|y| text.covers(x, y) == other.covers(x, y)));
        assert!(same(legend.lines.last().unwrap()));
        assert!(!same(&legend.lines[0]));
    }
}
