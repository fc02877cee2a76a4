//! Items on the map of the game.

use mapwright_io::{Input, Output};

use crate::ReadError;

/// An item on the map of the game. Equality compares bits.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct MapInfo {
    /// Kind, 0 to 44. 44 is a river; only the [layout](MapShape) of the others is known.
    pub kind: u32,
    /// Position and appearance. The kind determines the layout.
    pub shape: MapShape,
}

/// Position and appearance of an item on the map. The meaning of `numbers` is unknown.
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase", deny_unknown_fields)
)]
pub enum MapShape {
    /// Kinds 0 to 2, 10 to 17, 22, 23, 26, 27, 30.
    Point {
        /// ID of its object.
        id: u32,
        /// x and z.
        #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
        position: [f32; 2],
    },
    /// Kinds 24, 31, 32.
    Outline {
        /// ID of its object.
        id: u32,
        /// x and z of its four corners.
        #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
        corners: [[f32; 2]; 4],
    },
    /// Kinds 25, 33, 41 to 43.
    Zone {
        /// Colour.
        color: u32,
        /// Indicator.
        indicator: u32,
        /// Four numbers of unknown meaning.
        #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
        numbers: [f32; 4],
    },
    /// Kinds 3, 4, 8, 9, 18 to 21, 28, 29, 36 to 39.
    Area {
        /// ID of its object.
        id: u32,
        /// x and z of its four corners.
        #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
        corners: [[f32; 2]; 4],
        /// Colour.
        color: [u8; 4],
    },
    /// Kind 34.
    Line {
        /// ID of its object.
        id: u32,
        /// Four numbers of unknown meaning.
        #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
        numbers: [f32; 4],
    },
    /// Kind 35.
    Track {
        /// ID of its object.
        id: u32,
        /// Six numbers of unknown meaning.
        #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
        numbers: [f32; 6],
        /// Flag.
        flag: u8,
    },
    /// Kind 44.
    River {
        /// ID of its object.
        id: u32,
        /// x and z of each point.
        #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
        points: Vec<[f32; 2]>,
    },
}

/// Layout of a [`MapShape`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Point,
    Outline,
    Zone,
    Area,
    Line,
    Track,
    River,
}

impl Layout {
    const fn from_kind(kind: u32) -> Option<Self> {
        Some(match kind {
            0..=2 | 10..=17 | 22 | 23 | 26 | 27 | 30 => Self::Point,
            24 | 31 | 32 => Self::Outline,
            25 | 33 | 41..=43 => Self::Zone,
            3 | 4 | 8 | 9 | 18..=21 | 28 | 29 | 36..=39 => Self::Area,
            34 => Self::Line,
            35 => Self::Track,
            44 => Self::River,
            _ => return None,
        })
    }
}

impl MapShape {
    const fn layout(&self) -> Layout {
        match self {
            Self::Point { .. } => Layout::Point,
            Self::Outline { .. } => Layout::Outline,
            Self::Zone { .. } => Layout::Zone,
            Self::Area { .. } => Layout::Area,
            Self::Line { .. } => Layout::Line,
            Self::Track { .. } => Layout::Track,
            Self::River { .. } => Layout::River,
        }
    }
}

impl MapInfo {
    /// Reads an item. Returns `None` if its kind is unknown.
    pub(crate) fn read(input: &mut Input<'_>) -> Result<Option<Self>, ReadError> {
        let kind = input.u32_le()?;
        let Some(layout) = Layout::from_kind(kind) else { return Ok(None) };
        // In a zone, this is the colour.
        let id = input.u32_le()?;
        let shape = match layout {
            Layout::Point => MapShape::Point { id, position: numbers(input)? },
            Layout::Outline => MapShape::Outline { id, corners: corners(input)? },
            Layout::Zone => MapShape::Zone { color: id, indicator: input.u32_le()?, numbers: numbers(input)? },
            Layout::Area => MapShape::Area { id, corners: corners(input)?, color: input.array()? },
            Layout::Line => MapShape::Line { id, numbers: numbers(input)? },
            Layout::Track => MapShape::Track { id, numbers: numbers(input)?, flag: input.u8()? },
            Layout::River => {
                let declared = input.u32_le()?;
                let count = input.count(declared.into(), 8, "points of a river")?;
                let mut points = Vec::with_capacity(count);
                for _ in 0..count {
                    points.push(numbers(input)?);
                }
                MapShape::River { id, points }
            }
        };
        Ok(Some(Self { kind, shape }))
    }

    /// Writes the item.
    pub(crate) fn write(&self, output: &mut Output) {
        output.u32_le(self.kind);
        match &self.shape {
            MapShape::Point { id, position } => {
                output.u32_le(*id);
                output.f32s_le(position);
            }
            MapShape::Outline { id, corners } => {
                output.u32_le(*id);
                output.f32s_le(corners.as_flattened());
            }
            MapShape::Zone { color, indicator, numbers } => {
                output.u32_le(*color);
                output.u32_le(*indicator);
                output.f32s_le(numbers);
            }
            MapShape::Area { id, corners, color } => {
                output.u32_le(*id);
                output.f32s_le(corners.as_flattened());
                output.bytes(color);
            }
            MapShape::Line { id, numbers } => {
                output.u32_le(*id);
                output.f32s_le(numbers);
            }
            MapShape::Track { id, numbers, flag } => {
                output.u32_le(*id);
                output.f32s_le(numbers);
                output.u8(*flag);
            }
            MapShape::River { id, points } => {
                output.u32_le(*id);
                // The writer has checked the number of points.
                output.u32_le(u32::try_from(points.len()).unwrap_or(u32::MAX));
                output.f32s_le(points.as_flattened());
            }
        }
    }

    /// Returns `true` if the kind has this layout.
    pub(crate) fn is_consistent(&self) -> bool {
        Layout::from_kind(self.kind) == Some(self.shape.layout())
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut output = Output::new();
        self.write(&mut output);
        output.into_bytes()
    }
}

impl PartialEq for MapInfo {
    fn eq(&self, other: &Self) -> bool {
        self.shape.layout() == other.shape.layout() && self.to_bytes() == other.to_bytes()
    }
}

fn numbers<const N: usize>(input: &mut Input<'_>) -> Result<[f32; N], ReadError> {
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = input.f32_le()?;
    }
    Ok(numbers)
}

fn corners(input: &mut Input<'_>) -> Result<[[f32; 2]; 4], ReadError> {
    Ok([numbers(input)?, numbers(input)?, numbers(input)?, numbers(input)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "OPRW 10 and later", map info.
    #[test]
    fn kinds_have_the_published_layouts() {
        let published: [(Layout, &[u32]); 7] = [
            (Layout::Point, &[0, 1, 2, 10, 11, 12, 13, 14, 15, 16, 17, 22, 23, 26, 27, 30]),
            (Layout::Outline, &[24, 31, 32]),
            (Layout::Zone, &[25, 33, 41, 42, 43]),
            (Layout::Area, &[3, 4, 8, 9, 18, 19, 20, 21, 28, 29, 36, 37, 38, 39]),
            (Layout::Line, &[34]),
            (Layout::Track, &[35]),
            (Layout::River, &[44]),
        ];
        for (layout, kinds) in published {
            let found = (0..100).filter(|&kind| Layout::from_kind(kind) == Some(layout));
            assert!(found.eq(kinds.iter().copied()), "{layout:?}");
        }
    }
}
