//! Scales as fractions.

use std::{fmt, str::FromStr};

/// Pixels of the picture for pixels of the level, as a fraction: 1/8 is eight times smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio {
    picture: u32,
    level: u32,
}

impl Ratio {
    /// As it is.
    pub const ONE: Self = Self { picture: 1, level: 1 };
    /// The largest number of a fraction: 2²⁰.
    pub const MAX: u32 = 1 << 20;

    /// So many pixels of the picture for so many of the level; `None` unless both are 1 to [`MAX`](Self::MAX), in lowest
    /// terms.
    pub const fn new(picture: u32, level: u32) -> Option<Self> {
        if picture == 0 || level == 0 {
            return None;
        }
        let (mut a, mut b) = (picture, level);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let (picture, level) = (picture / a, level / a);
        if picture > Self::MAX || level > Self::MAX { None } else { Some(Self { picture, level }) }
    }

    /// The largest 1/n with which `pixels` become at most `limit`; 1 if they fit as they are. `None` if no [`Ratio`] is
    /// small enough.
    pub fn fitting(pixels: u64, limit: u32) -> Option<Self> {
        let level = pixels.div_ceil(u64::from(limit).max(1)).max(1);
        Self::new(1, u32::try_from(level).ok()?)
    }

    /// Pixels of the picture.
    pub const fn picture(self) -> u32 {
        self.picture
    }

    /// Pixels of the level.
    pub const fn level(self) -> u32 {
        self.level
    }

    /// How many pixels of the picture so many of the level take: the last one may be covered in part.
    pub(crate) fn length(self, pixels: u64) -> u64 {
        pixels.saturating_mul(self.picture.into()).div_ceil(self.level.into())
    }
}

impl Default for Ratio {
    fn default() -> Self {
        Self::ONE
    }
}

/// `2`, or `1/8`.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            1 => write!(f, "{}", self.picture),
            level => write!(f, "{}/{level}", self.picture),
        }
    }
}

/// No scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a scale is a number such as 2, 1/8, 0.125 or 12.5%, not zero and of at most 2^20 to 1")]
pub struct ParseRatioError;

impl FromStr for Ratio {
    type Err = ParseRatioError;

    fn from_str(text: &str) -> Result<Self, ParseRatioError> {
        let whole = |text: &str| text.parse::<u32>().ok();
        let ratio = if let Some((picture, level)) = text.split_once('/') {
            whole(picture).zip(whole(level)).and_then(|(picture, level)| Self::new(picture, level))
        } else {
            let (number, hundred) = text.strip_suffix('%').map_or((text, 1), |number| (number, 100));
            let (before, behind) = number.split_once('.').unwrap_or((number, ""));
            let places = u32::try_from(behind.len()).unwrap_or(u32::MAX);
            let level = 10_u32.checked_pow(places).and_then(|tens| tens.checked_mul(hundred));
            // `u32::from_str` would take a plus sign.
            let digits = before.chars().chain(behind.chars()).all(|digit| digit.is_ascii_digit());
            let picture = whole(&format!("{before}{behind}")).filter(|_| digits);
            picture.zip(level).and_then(|(picture, level)| Self::new(picture, level))
        };
        ratio.ok_or(ParseRatioError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_read_in_all_spellings() {
        for text in ["1/8", "0.125", "12.5%", "2/16", ".125"] {
            assert_eq!(text.parse::<Ratio>().unwrap().to_string(), "1/8", "{text}");
        }
        assert_eq!("2".parse::<Ratio>().unwrap().to_string(), "2");
        assert_eq!("2.5".parse::<Ratio>().unwrap().to_string(), "5/2");
        for text in ["", "0", "1/0", "-1", "+1", "1e3", "%", ".", "99999999999", "1/9999999", "0.00000000001"] {
            assert_eq!(text.parse::<Ratio>(), Err(ParseRatioError), "{text}");
        }
    }

    #[test]
    fn a_fitting_ratio_fits_and_the_next_larger_does_not() {
        assert_eq!(Ratio::fitting(4096, 4096), Some(Ratio::ONE));
        let ratio = Ratio::fitting(67_200, 4096).unwrap();
        assert_eq!((ratio.to_string().as_str(), ratio.length(67_200)), ("1/17", 3953));
        assert!(Ratio::new(1, 16).unwrap().length(67_200) > 4096);
        assert_eq!(Ratio::fitting(u64::MAX, 1), None);
    }
}
