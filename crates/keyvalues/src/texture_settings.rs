//! Settings beside an image: `.txt` with the name of the image.

use mapwright_io::Position;

use crate::{ReadError, ReadErrorKind, kv1};

/// The settings of an image.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TextureSettings {
    /// `nocompress`: the compiled texture is not compressed.
    pub is_uncompressed: bool,
    /// `nomip`: the compiled texture has no mip levels.
    pub has_no_mips: bool,
    /// `clampu` and `clampv`: the image does not repeat along u and v.
    pub clamp: [bool; 2],
    /// `brightness`: factor of every sample. −1 with an offset of 1 inverts a mask.
    pub brightness: f64,
    /// `brightness_offset`: added after the factor.
    pub brightness_offset: f64,
    /// `legacy_source1_inverted_normal`: the green channel of the normal map is inverted.
    pub is_green_inverted: bool,
    /// Keys with unknown effect, and their values.
    pub others: Vec<(String, String)>,
}

impl Default for TextureSettings {
    fn default() -> Self {
        Self {
            is_uncompressed: false,
            has_no_mips: false,
            clamp: [false; 2],
            brightness: 1.0,
            brightness_offset: 0.0,
            is_green_inverted: false,
            others: Vec::new(),
        }
    }
}

impl TextureSettings {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is not a KeyValues text, or has no block `settings`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_document(&kv1::Document::from_bytes(bytes)?)
    }

    /// Reads a document. The last value of a repeated key takes precedence.
    ///
    /// # Errors
    /// If it has no block `settings`.
    pub fn from_document(document: &kv1::Document) -> Result<Self, ReadError> {
        let root = document.get("settings").filter(|root| root.is_block());
        let missing = || ReadError::new(ReadErrorKind::NoBlock { expected: "settings" }, Position::file(0));
        let mut settings = Self::default();
        for item in root.ok_or_else(missing)?.items() {
            let (name, number) = (item.name_text().to_ascii_lowercase(), item.number());
            let is_set = number.is_some_and(|number| number != 0.0);
            match (&*name, number) {
                ("nocompress", _) => settings.is_uncompressed = is_set,
                ("nomip", _) => settings.has_no_mips = is_set,
                ("clampu", _) => settings.clamp[0] = is_set,
                ("clampv", _) => settings.clamp[1] = is_set,
                ("brightness", Some(number)) => settings.brightness = number,
                ("brightness_offset", Some(number)) => settings.brightness_offset = number,
                ("legacy_source1_inverted_normal", _) => settings.is_green_inverted = is_set,
                _ => {
                    let text = item.text().unwrap_or_default().into_owned();
                    settings.others.push((item.name_text().into_owned(), text));
                }
            }
        }
        Ok(settings)
    }

    /// Returns `true` if the settings do not change the samples of the image.
    pub fn keeps_samples(&self) -> bool {
        self.brightness == 1.0 && self.brightness_offset == 0.0 && !self.is_green_inverted
    }

    /// Applies brightness and offset to a sample from 0 to 1.
    pub fn apply(&self, sample: f64) -> f64 {
        (sample * self.brightness + self.brightness_offset).clamp(0.0, 1.0)
    }
}
