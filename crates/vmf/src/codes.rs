//! Names and numbers of the format.

/// An array of numbers of a displacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DisplacementArray {
    /// The direction in which each point is moved. Not always of length 1.
    Normals,
    /// The distance by which each point is moved.
    Distances,
    /// A further offset of each point.
    Offsets,
    /// Directions of the offsets, which do not change the position.
    OffsetNormals,
    /// The weight of the second texture, from 0 to 255.
    Alphas,
    /// Flags of each triangle: 9 can be walked and built on, 1 can be walked on, 0 is steep.
    TriangleTags,
    /// Weights of four textures, in Counter-Strike: Global Offensive and later.
    Multiblend,
    /// Weights of the alpha channels of four textures.
    AlphaBlend,
    /// Colour of the first texture.
    MultiblendColor0,
    /// Colour of the second texture.
    MultiblendColor1,
    /// Colour of the third texture.
    MultiblendColor2,
    /// Colour of the fourth texture.
    MultiblendColor3,
}

impl DisplacementArray {
    /// All arrays, in the order in which Hammer writes them.
    pub const ALL: [Self; 12] = [
        Self::Normals,
        Self::Distances,
        Self::Offsets,
        Self::OffsetNormals,
        Self::Alphas,
        Self::TriangleTags,
        Self::Multiblend,
        Self::AlphaBlend,
        Self::MultiblendColor0,
        Self::MultiblendColor1,
        Self::MultiblendColor2,
        Self::MultiblendColor3,
    ];

    /// Returns the name of the block.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normals => "normals",
            Self::Distances => "distances",
            Self::Offsets => "offsets",
            Self::OffsetNormals => "offset_normals",
            Self::Alphas => "alphas",
            Self::TriangleTags => "triangle_tags",
            Self::Multiblend => "multiblend",
            Self::AlphaBlend => "alphablend",
            Self::MultiblendColor0 => "multiblend_color_0",
            Self::MultiblendColor1 => "multiblend_color_1",
            Self::MultiblendColor2 => "multiblend_color_2",
            Self::MultiblendColor3 => "multiblend_color_3",
        }
    }

    /// Returns the number of rows, and of numbers in each row, for a displacement with a number of points along each side.
    pub const fn shape(self, points: usize) -> [usize; 2] {
        let per_point = match self {
            Self::Distances | Self::Alphas => 1,
            Self::Multiblend | Self::AlphaBlend => 4,
            // Two triangles for each square between points.
            Self::TriangleTags => {
                let squares = points.saturating_sub(1);
                return [squares, squares.saturating_mul(2)];
            }
            _ => 3,
        };
        [points, points.saturating_mul(per_point)]
    }
}

/// The way in which names of an instance are made unique.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FixupStyle {
    /// The name of the instance before each name.
    #[default]
    Prefix,
    /// The name of the instance after each name.
    Postfix,
    /// Names do not change.
    None,
}

impl FixupStyle {
    /// Returns the number of the format.
    pub const fn number(self) -> i32 {
        match self {
            Self::Prefix => 0,
            Self::Postfix => 1,
            Self::None => 2,
        }
    }

    /// Returns the style with this number.
    pub const fn from_number(number: i32) -> Option<Self> {
        match number {
            0 => Some(Self::Prefix),
            1 => Some(Self::Postfix),
            2 => Some(Self::None),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the table of displacements of the specification, for power 2.
    #[test]
    fn arrays_have_the_published_shapes() {
        let shapes = DisplacementArray::ALL.map(|array| array.shape(5));
        let [normals, alphas, tags, blend] = [[5, 15], [5, 5], [4, 8], [5, 20]];
        assert_eq!(shapes[..6], [normals, alphas, normals, normals, alphas, tags]);
        assert_eq!(shapes[6..], [blend, blend, normals, normals, normals, normals]);
    }

    #[test]
    fn fixup_styles_have_the_published_numbers() {
        for style in [FixupStyle::Prefix, FixupStyle::Postfix, FixupStyle::None] {
            assert_eq!(FixupStyle::from_number(style.number()), Some(style));
        }
        assert_eq!((FixupStyle::default().number(), FixupStyle::from_number(3)), (0, None));
    }
}
