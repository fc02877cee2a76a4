//! Tile properties as data.

use serde::{Deserialize, Serialize};

use mapwright_io::serial::{Hex, is_default};

use crate::{Rect, Shape, TileProperty};

/// A tile property: `single`, or `double` and `rect`, or `mask`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TilePropertyData {
    size: [u32; 2],
    #[serde(default, skip_serializing_if = "is_default")]
    reserved_04: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    single: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    double: Option<[i32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rect: Option<Rect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mask: Option<Hex<'static>>,
}

impl From<TileProperty> for TilePropertyData {
    fn from(TileProperty { reserved_04, width, height, shape }: TileProperty) -> Self {
        let mut data = Self { size: [width, height], reserved_04, single: None, double: None, rect: None, mask: None };
        match shape {
            Shape::Single(attribute) => data.single = Some(attribute),
            Shape::Double { outside, inside, rect } => (data.double, data.rect) = (Some([outside, inside]), Some(rect)),
            Shape::Mask(pixels) => data.mask = Some(Hex(pixels.into())),
        }
        data
    }
}

impl TryFrom<TilePropertyData> for TileProperty {
    type Error = &'static str;

    fn try_from(data: TilePropertyData) -> Result<Self, &'static str> {
        let shape = match (data.single, data.double, data.rect, data.mask) {
            (Some(attribute), None, None, None) => Shape::Single(attribute),
            (None, Some([outside, inside]), Some(rect), None) => Shape::Double { outside, inside, rect },
            (None, None, None, Some(Hex(pixels))) => Shape::Mask(pixels.into_owned()),
            _ => return Err("invalid tile property: expected `single`, `double` with `rect`, or `mask`"),
        };
        let [width, height] = data.size;
        Ok(Self { reserved_04: data.reserved_04, width, height, shape })
    }
}
