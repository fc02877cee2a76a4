//! The description beside raw heights.

use serde::{Deserialize, Serialize};

/// The order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ByteOrder {
    /// The lowest byte first: Unreal, Unity on Windows, World Machine.
    #[default]
    Little,
    /// The highest byte first: Unity on Mac.
    Big,
}

/// The first row of a raw file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RowOrder {
    /// The northern row is first: Unreal, World Machine.
    #[default]
    North,
    /// The southern row is first: Unity.
    South,
}

/// The content of the file beside raw heights. A raw file itself has only numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RawInfo {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) height: Option<u32>,
    /// Bits per height, as Unreal names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bpp: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) byte_order: Option<ByteOrder>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rows: Option<RowOrder>,
    /// The heights of the lowest and the highest number of 16 bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max: Option<f64>,
    /// Distance between points, east and north.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spacing: Option<[f64; 2]>,
    /// East and north of the south-western point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) origin: Option<[f64; 2]>,
}
