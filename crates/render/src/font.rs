//! Draws text of any script in GNU Unifont, 16 pixels high.

use unicode_bidi::{BidiClass, BidiInfo, bidi_class};
use unifont::i18n::preprocess_text;
use unifont::{Glyph, get_glyph};

/// Height of a line in pixels.
pub(crate) const HEIGHT: usize = 16;
/// The colour of text.
pub(crate) const INK: [u8; 3] = [0xD0, 0xD4, 0xDC];
/// Replaces characters without a glyph.
static BOX: Glyph = Glyph::Halfwidth([0, 0, 0, 0, 0x7E, 0x42, 0x42, 0x42, 0x42, 0x42, 0x42, 0x42, 0x42, 0x7E, 0, 0]);

/// Returns the glyph of a character.
fn glyph(character: char) -> &'static Glyph {
    get_glyph(character).filter(|_| !character.is_control()).unwrap_or(&BOX)
}

/// A text that is broken into lines.
#[derive(Debug)]
pub(crate) struct Label {
    /// Letters from left to right, each with its left side in pixels.
    lines: Vec<Vec<(usize, Letter)>>,
}

/// A character with its marks, such as accents. Marks have no width.
type Letter = Vec<char>;

fn width(letter: &Letter) -> usize {
    letter.first().map_or(0, |character| glyph(*character).get_width())
}

impl Label {
    /// Breaks a text into lines of `line_width` pixels. If it needs more than `line_count` lines, `~` replaces its beginning.
    pub(crate) fn new(text: &str, line_width: usize, line_count: usize) -> Self {
        let mut letters: Vec<Letter> = Vec::new();
        // Join Arabic letters before the text is broken into lines: their form depends on their neighbours.
        for character in preprocess_text(text).chars() {
            match letters.last_mut() {
                Some(letter) if bidi_class(character) == BidiClass::NSM => letter.push(character),
                _ => letters.push(vec![character]),
            }
        }
        let mut lines = break_lines(&letters, line_width);
        // The end of a path is more informative than its beginning. No letter is narrower than 8 pixels.
        let mut end = letters.len().saturating_sub(line_count * line_width / 8).max(1);
        while lines.len() > line_count && end <= letters.len() {
            letters.splice(..end, [vec!['~']]);
            lines = break_lines(&letters, line_width);
            end = 2;
        }
        Self { lines: lines.into_iter().map(|line| place_letters(&line)).collect() }
    }

    /// Returns the width of the longest line in pixels.
    pub(crate) fn width(&self) -> usize {
        let end = |(left, letter): &(usize, Letter)| left + width(letter);
        self.lines.iter().filter_map(|line| line.last().map(end)).max().unwrap_or_default()
    }

    /// Returns `true` if a letter covers a pixel.
    pub(crate) fn covers(&self, x: usize, y: usize) -> bool {
        let line = self.lines.get(y / HEIGHT).map_or(&[][..], Vec::as_slice);
        let place = line.partition_point(|(left, _)| *left <= x);
        let letter = place.checked_sub(1).and_then(|place| line.get(place));
        letter.is_some_and(|(left, letter)| letter.iter().any(|part| glyph(*part).get_pixel(x - left, y % HEIGHT)))
    }
}

/// Breaks letters into lines of at most `line_width` pixels.
fn break_lines(letters: &[Letter], line_width: usize) -> Vec<Vec<Letter>> {
    let (mut lines, mut left) = (vec![Vec::new()], 0);
    for letter in letters {
        if left + width(letter) > line_width && left > 0 {
            lines.push(Vec::new());
            left = 0;
        }
        left += width(letter);
        if let Some(line) = lines.last_mut() {
            line.push(letter.clone());
        }
    }
    lines
}

/// Orders the letters of a line from left to right.
fn place_letters(line: &[Letter]) -> Vec<(usize, Letter)> {
    // Control characters can end a paragraph. They are drawn as boxes.
    let first = |letter: &Letter| letter.first().copied().filter(|&part| bidi_class(part) != BidiClass::B);
    let text: String = line.iter().map(|letter| first(letter).unwrap_or('\u{FFFC}')).collect();
    let levels = BidiInfo::new(&text, None);
    let levels: Vec<_> = text.char_indices().filter_map(|(at, _)| levels.levels.get(at).copied()).collect();
    let mut left = 0;
    let order = BidiInfo::reorder_visual(&levels);
    let place = |letter: &Letter| {
        let place = (left, letter.clone());
        left += width(letter);
        place
    };
    order.into_iter().filter_map(|index| line.get(index)).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(text: &str) -> Vec<String> {
        let label = Label::new(text, 320, 1);
        (0..HEIGHT).map(|y| (0..320).map(|x| if label.covers(x, y) { '#' } else { '.' }).collect()).collect()
    }

    /// The text of each line from left to right.
    fn lines(text: &str, width: usize, count: usize) -> Vec<String> {
        let label = Label::new(text, width, count);
        label.lines.iter().map(|line| line.iter().flat_map(|(_, letter)| letter).collect()).collect()
    }

    #[test]
    fn letters_of_every_script_have_glyphs() {
        for text in ["Level", "Ελλάδα", "Крепость", "мир", "שלום", "سلام", "城の地図", "한국어", "ไทย", "हिन्दी"]
        {
            let boxes: String =
                text.chars().map(|character| if glyph(character).is_fullwidth() { '\u{E000}' } else { '\0' }).collect();
            assert!(text.chars().all(|character| glyph(character) != &BOX), "{text}");
            assert_ne!(pixels(text), pixels(&boxes), "{text}");
        }
        let box_of_one = pixels("\0");
        for text in ["\n", "\u{10FFFF}", "\u{1}"] {
            assert_eq!(pixels(text), box_of_one, "{text:?}");
        }
        assert!(box_of_one.concat().contains("######"));
    }

    #[test]
    fn letters_are_upright() {
        let rows: Vec<String> = pixels("F").into_iter().map(|row| row[..8].to_owned()).collect();
        assert_eq!(
            rows[4..14],
            [
                ".######.", ".#......", ".#......", ".#......", ".#####..", ".#......", ".#......", ".#......",
                ".#......", ".#......"
            ]
        );
    }

    #[test]
    fn marks_are_on_their_letters() {
        let [plain, accent] = ["e", "e\u{301}"].map(pixels);
        assert_ne!(plain, accent);
        assert!(accent.iter().all(|row| !row[8..].contains('#')));
        for (plain, accent) in plain.iter().zip(&accent) {
            assert!(plain.chars().zip(accent.chars()).all(|(plain, accent)| plain == '.' || accent == '#'));
        }
    }

    #[test]
    fn right_to_left_text_is_reversed() {
        assert_eq!(lines("אבג.wwd", 320, 1), ["wwd.גבא"]);
        assert_eq!(lines("a/אבג", 320, 1), ["a/גבא"]);
        // The joined forms of two letters, and marks on their letters.
        assert_eq!(lines("سل", 320, 1), ["\u{FEDE}\u{FEB3}"]);
        assert_eq!(lines("a\nב", 320, 1), ["a\nב"]);
    }

    #[test]
    fn long_texts_lose_their_beginning() {
        assert_eq!(lines("abcdefgh", 32, 2), ["abcd", "efgh"]);
        assert_eq!(lines("abcdefghi", 32, 2), ["~cde", "fghi"]);
        assert_eq!(lines("城の地図.wwd", 32, 2), ["~図.", "wwd"]);
        assert_eq!(lines("", 32, 2), [""]);
        assert!(lines(&"ж".repeat(100_000), 32, 2).concat().starts_with("~ж"));
    }
}
