//! Frame numbers of image files.

use std::collections::BTreeMap;

use crate::ImageFormat;
use crate::image::split_extension;

/// Highest frame number.
const HIGHEST: u32 = 0xFFFF;

/// Returns the frame number of an image file by its name: the first run of digits before the extension, 0 without digits. Returns `None`
/// for numbers above 65,535, which no object can show.
///
/// ```
/// use mapwright_wapart::frame_number;
///
/// assert_eq!(frame_number(b"FRAME012.PID"), Some(12));
/// assert_eq!(frame_number(b"ARROW1X2.PID"), Some(1));
/// assert_eq!(frame_number(b"WALL.PID"), Some(0));
/// ```
pub fn frame_number(name: &[u8]) -> Option<u32> {
    let (stem, _) = split_extension(name);
    let digits = stem.iter().skip_while(|byte| !byte.is_ascii_digit()).take_while(|byte| byte.is_ascii_digit());
    digits.copied().try_fold(0_u32, |number, digit| {
        let number = number.saturating_mul(10).saturating_add(digit.wrapping_sub(b'0').into());
        (number <= HIGHEST).then_some(number)
    })
}

/// The frames of an image set: numbers, each with the index of its file in a list of names. Numbers can have gaps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrameSet {
    frames: BTreeMap<u32, usize>,
}

impl FrameSet {
    /// Finds the frames in a list of file names of one directory, in the order of the archive. Files that are not images are ignored. Leave
    /// out images that cannot be decoded.
    ///
    /// If two images have the same number, PID takes precedence, then BMP, PCX and RID, then the first name.
    ///
    /// ```
    /// use mapwright_wapart::FrameSet;
    ///
    /// let frames = FrameSet::from_names(["FRAME004.PID", "NOTES.TXT", "FRAME002.PCX", "FRAME002.PID"]);
    /// assert_eq!(frames.at_rest(-1), Some((2, 3)));
    /// assert_eq!(frames.at_rest(4), Some((4, 0)));
    /// assert_eq!(frames.at_rest(3), None);
    /// ```
    pub fn from_names<N: AsRef<[u8]>>(names: impl IntoIterator<Item = N>) -> Self {
        let mut images: Vec<_> = names
            .into_iter()
            .enumerate()
            .filter_map(|(file, name)| {
                Some((ImageFormat::from_name(name.as_ref())?, file, frame_number(name.as_ref())?))
            })
            .collect();
        images.sort_unstable();
        let mut frames = Self::default();
        frames.add(images.into_iter().map(|(_, file, number)| (number, file)));
        frames
    }

    /// Adds frames whose numbers are free.
    pub(crate) fn add(&mut self, frames: impl IntoIterator<Item = (u32, usize)>) {
        for (number, file) in frames {
            self.frames.entry(number).or_insert(file);
        }
    }

    /// Returns the number and the file of the frame that an object shows at rest. `i` is a field of the object: a frame number, or -1 for
    /// the lowest one. Returns `None` for a number that the set does not contain: the game shows nothing.
    pub fn at_rest(&self, i: i32) -> Option<(u32, usize)> {
        match u32::try_from(i) {
            Ok(number) => self.get(number).map(|file| (number, file)),
            Err(_) if i == -1 => self.iter().next(),
            Err(_) => None,
        }
    }

    /// Returns the file of a frame. Tiles show exactly the frame of their number.
    pub fn get(&self, number: u32) -> Option<usize> {
        self.frames.get(&number).copied()
    }

    /// Returns all frames in order: numbers and files.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, usize)> {
        self.frames.iter().map(|(number, file)| (*number, *file))
    }

    /// Returns the lowest and the highest frame number. Returns `None` if the set is empty.
    pub fn bounds(&self) -> Option<[u32; 2]> {
        Some([*self.frames.first_key_value()?.0, *self.frames.last_key_value()?.0])
    }

    /// Returns the number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Returns `true` if there are no frames.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}
