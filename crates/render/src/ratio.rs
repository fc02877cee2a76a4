//! Scales as fractions.

use std::{fmt, str::FromStr};

/// Pixels of the image per pixel of the level, as a fraction: 1/8 is eight times smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: u32,
    denominator: u32,
}

impl Ratio {
    /// The original size.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };
    /// The maximum numerator and denominator: 2²⁰.
    pub const MAX: u32 = 1 << 20;

    /// Creates a fraction in lowest terms. Returns `None` unless both numbers are then 1 to [`MAX`](Self::MAX).
    pub const fn new(numerator: u32, denominator: u32) -> Option<Self> {
        if numerator == 0 || denominator == 0 {
            return None;
        }
        let (mut a, mut b) = (numerator, denominator);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let (numerator, denominator) = (numerator / a, denominator / a);
        if numerator > Self::MAX || denominator > Self::MAX { None } else { Some(Self { numerator, denominator }) }
    }

    /// Returns the largest 1/n with which `pixels` become at most `limit`; 1 if they already fit. Returns `None` if no [`Ratio`] is
    /// small enough.
    pub fn to_fit(pixels: u64, limit: u32) -> Option<Self> {
        let denominator = pixels.div_ceil(u64::from(limit).max(1)).max(1);
        Self::new(1, u32::try_from(denominator).ok()?)
    }

    /// Returns the pixels of the image.
    pub const fn numerator(self) -> u32 {
        self.numerator
    }

    /// Returns the pixels of the level.
    pub const fn denominator(self) -> u32 {
        self.denominator
    }

    /// Returns the length in the image of a length in the level, rounded up.
    pub(crate) fn length(self, pixels: u64) -> u64 {
        pixels.saturating_mul(self.numerator.into()).div_ceil(self.denominator.into())
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
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

/// The text is not a scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid scale: expected a number such as 2, 1/8, 0.125 or 12.5%, not zero and at most 2^20 to 1")]
pub struct ParseRatioError;

impl FromStr for Ratio {
    type Err = ParseRatioError;

    fn from_str(text: &str) -> Result<Self, ParseRatioError> {
        let whole = |text: &str| text.parse::<u32>().ok();
        let ratio = if let Some((numerator, denominator)) = text.split_once('/') {
            whole(numerator)
                .zip(whole(denominator))
                .and_then(|(numerator, denominator)| Self::new(numerator, denominator))
        } else {
            let (number, hundred) = text.strip_suffix('%').map_or((text, 1), |number| (number, 100));
            let (integer, fraction) = number.split_once('.').unwrap_or((number, ""));
            let places = u32::try_from(fraction.len()).unwrap_or(u32::MAX);
            let denominator = 10_u32.checked_pow(places).and_then(|tens| tens.checked_mul(hundred));
            // `u32::from_str` would take a plus sign.
            let digits = integer.chars().chain(fraction.chars()).all(|digit| digit.is_ascii_digit());
            let numerator = whole(&format!("{integer}{fraction}")).filter(|_| digits);
            numerator.zip(denominator).and_then(|(numerator, denominator)| Self::new(numerator, denominator))
        };
        ratio.ok_or(ParseRatioError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_read_in_all_formats() {
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
        assert_eq!(Ratio::to_fit(4096, 4096), Some(Ratio::ONE));
        let ratio = Ratio::to_fit(67_200, 4096).unwrap();
        assert_eq!((ratio.to_string().as_str(), ratio.length(67_200)), ("1/17", 3953));
        assert!(Ratio::new(1, 16).unwrap().length(67_200) > 4096);
        assert_eq!(Ratio::to_fit(u64::MAX, 1), None);
    }
}
