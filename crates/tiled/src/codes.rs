//! Words and flags of the format.

use std::fmt;

/// The flags and the global id of a cell or a tile object.
///
/// In hexagonal maps, [`DIAGONAL`](Self::DIAGONAL) turns the tile by 60 degrees and [`ROTATED`](Self::ROTATED) by 120 degrees clockwise.
/// In other maps, the diagonal flip, which swaps x and y, comes before the other flips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Gid(pub u32);

impl Gid {
    /// Flipped horizontally.
    pub const HORIZONTAL: u32 = 0x8000_0000;
    /// Flipped vertically.
    pub const VERTICAL: u32 = 0x4000_0000;
    /// Flipped along the diagonal.
    pub const DIAGONAL: u32 = 0x2000_0000;
    /// Turned by 120 degrees in hexagonal maps. No effect in others.
    pub const ROTATED: u32 = 0x1000_0000;
    /// All flags.
    pub const FLAGS: u32 = 0xF000_0000;

    /// Returns the global id without flags. 0 is an empty cell.
    pub const fn id(self) -> u32 {
        self.0 & !Self::FLAGS
    }

    /// Returns the flags.
    pub const fn flags(self) -> u32 {
        self.0 & Self::FLAGS
    }

    /// Returns `true` for an empty cell. Its flags have no effect.
    pub const fn is_empty(self) -> bool {
        self.id() == 0
    }
}

/// A colour, from 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Color {
    pub alpha: u8,
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

impl Color {
    /// Reads `#RRGGBB`, `#AARRGGBB` or `#RGB`, with or without `#`.
    pub fn from_text(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        let is_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_digits)?;
        let [alpha, red, green, blue] = number.to_be_bytes();
        match digits.len() {
            8 => Some(Self { alpha, red, green, blue }),
            6 => Some(Self { alpha: 255, red, green, blue }),
            // Each digit is repeated.
            3 => {
                let digit = |shift: u32| u8::try_from(number >> shift & 15).unwrap_or(0);
                let [red, green, blue] = [8, 4, 0].map(|shift| digit(shift) << 4 | digit(shift));
                Some(Self { alpha: 255, red, green, blue })
            }
            _ => None,
        }
    }
}

/// Formats `#rrggbb`, or `#aarrggbb` if the colour is not opaque, as Tiled does.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { alpha, red, green, blue } = self;
        f.write_str("#")?;
        if *alpha != 255 {
            write!(f, "{alpha:02x}")?;
        }
        write!(f, "{red:02x}{green:02x}{blue:02x}")
    }
}

/// Declares an attribute whose values are words.
macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[doc = $doc:literal])* $word:ident = $text:literal,)* })*) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[doc = $doc])* $word,)*
        }

        impl $name {
            /// The words of the format, in the order of the variants.
            pub const NAMES: &'static [&'static str] = &[$($text),*];

            /// Returns the word of the format.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$word => $text,)*
                }
            }

            /// Returns the value with this word.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$word),)*
                    _ => None,
                }
            }
        }
    )* };
}

words! {
    /// The arrangement of cells.
    Orientation {
        /// Rectangles in rows and columns.
        Orthogonal = "orthogonal",
        /// Diamonds in diagonal rows and columns.
        Isometric = "isometric",
        /// Diamonds in rows, every second of which is shifted.
        Staggered = "staggered",
        /// Hexagons in rows, every second of which is shifted.
        Hexagonal = "hexagonal",
        /// Rectangles in skewed rows and columns.
        Oblique = "oblique",
    }

    /// The order in which tiles are drawn.
    RenderOrder {
        /// From left to right, from the top down.
        RightDown = "right-down",
        /// From left to right, from the bottom up.
        RightUp = "right-up",
        /// From right to left, from the top down.
        LeftDown = "left-down",
        /// From right to left, from the bottom up.
        LeftUp = "left-up",
    }

    /// The direction along which cells are shifted.
    StaggerAxis {
        /// Columns are shifted.
        X = "x",
        /// Rows are shifted.
        Y = "y",
    }

    /// The rows or columns that are shifted.
    StaggerIndex {
        /// The second, the fourth and so on.
        Odd = "odd",
        /// The first, the third and so on.
        Even = "even",
    }

    /// The order in which objects are drawn.
    DrawOrder {
        /// By their y coordinates.
        TopDown = "topdown",
        /// As in the file.
        Index = "index",
    }

    /// The way in which a layer is blended with the layers below.
    BlendMode {
        /// Covers the layers below.
        Normal = "normal",
        /// Adds colours.
        Add = "add",
        /// Multiplies colours.
        Multiply = "multiply",
        /// Multiplies inverted colours.
        Screen = "screen",
        /// Multiplies or screens, depending on the colour below.
        Overlay = "overlay",
        /// The darker colour.
        Darken = "darken",
        /// The lighter colour.
        Lighten = "lighten",
        /// Brightens the colour below.
        ColorDodge = "color-dodge",
        /// Darkens the colour below.
        ColorBurn = "color-burn",
        /// Multiplies or screens, depending on the colour above.
        HardLight = "hard-light",
        /// Darkens or lightens softly.
        SoftLight = "soft-light",
        /// The difference of colours.
        Difference = "difference",
        /// Like the difference, with less contrast.
        Exclusion = "exclusion",
    }

    /// The point of a tile object that is at its position.
    ObjectAlignment {
        /// The bottom left corner. In isometric maps, the middle of the bottom.
        Unspecified = "unspecified",
        /// The top left corner.
        TopLeft = "topleft",
        /// The middle of the top.
        Top = "top",
        /// The top right corner.
        TopRight = "topright",
        /// The middle of the left side.
        Left = "left",
        /// The middle.
        Center = "center",
        /// The middle of the right side.
        Right = "right",
        /// The bottom left corner.
        BottomLeft = "bottomleft",
        /// The middle of the bottom.
        Bottom = "bottom",
        /// The bottom right corner.
        BottomRight = "bottomright",
    }

    /// The size in which tiles are drawn.
    TileRenderSize {
        /// The size of the tile.
        Tile = "tile",
        /// The size of the cell.
        Grid = "grid",
    }

    /// The way in which tiles fill another size than their own.
    FillMode {
        /// Stretched.
        Stretch = "stretch",
        /// With their own proportions.
        PreserveAspectFit = "preserve-aspect-fit",
    }

    /// The horizontal alignment of a text.
    HorizontalAlignment {
        /// At the left.
        Left = "left",
        /// In the middle.
        Center = "center",
        /// At the right.
        Right = "right",
        /// At both sides.
        Justify = "justify",
    }

    /// The vertical alignment of a text.
    VerticalAlignment {
        /// At the top.
        Top = "top",
        /// In the middle.
        Center = "center",
        /// At the bottom.
        Bottom = "bottom",
    }

    /// The parts of tiles that the colours of a Wang set mark.
    WangSetKind {
        /// Corners.
        Corner = "corner",
        /// Edges.
        Edge = "edge",
        /// Both.
        Mixed = "mixed",
    }

    /// The type of a property.
    PropertyType {
        /// Text.
        String = "string",
        /// A whole number.
        Int = "int",
        /// A number.
        Float = "float",
        /// `true` or `false`.
        Bool = "bool",
        /// A colour.
        Color = "color",
        /// The path of a file.
        File = "file",
        /// The id of an object.
        Object = "object",
        /// Members with names.
        Class = "class",
        /// Values without names.
        List = "list",
    }

    /// The encoding of cells.
    Encoding {
        /// One element `tile` for each cell; in XML only.
        Tiles = "",
        /// Numbers with commas.
        Csv = "csv",
        /// Base64 of 32-bit numbers, which may be compressed.
        Base64 = "base64",
    }

    /// The compression of cells in base64.
    Compression {
        /// Not compressed.
        None = "",
        /// The gzip format.
        Gzip = "gzip",
        /// The zlib format.
        Zlib = "zlib",
        /// The Zstandard format.
        Zstd = "zstd",
    }

    /// The kind of a layer, by its name in JSON.
    LayerKind {
        /// Cells.
        Tiles = "tilelayer",
        /// Objects.
        Objects = "objectgroup",
        /// An image.
        Image = "imagelayer",
        /// Layers.
        Group = "group",
    }
}

impl LayerKind {
    /// Returns the name of the element in XML.
    pub const fn element(self) -> &'static str {
        match self {
            Self::Tiles => "layer",
            kind => kind.name(),
        }
    }

    /// Returns the kind of an element in XML.
    pub fn from_element(name: &str) -> Option<Self> {
        match name {
            "layer" => Some(Self::Tiles),
            "tilelayer" => None,
            name => Self::from_name(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: TMX map format, "Tile flipping".
    #[test]
    fn flags_have_the_published_bits() {
        let flags = [Gid::HORIZONTAL, Gid::VERTICAL, Gid::DIAGONAL, Gid::ROTATED].map(u32::leading_zeros);
        assert_eq!(flags, [0, 1, 2, 3]);
        assert_eq!((Gid(0x9000_0005).id(), Gid(0x9000_0005).flags()), (5, 0x9000_0000));
        assert!(Gid(0x8000_0000).is_empty());
    }

    #[test]
    fn colours_are_read_in_every_form() {
        let text = |text| Color::from_text(text).map(|color| color.to_string());
        for (read, written) in [
            ("#A0b1C2", "#a0b1c2"),
            ("a0b1c2", "#a0b1c2"),
            ("#80ff0001", "#80ff0001"),
            ("#f0a", "#ff00aa"),
            ("#ff010203", "#010203"),
        ] {
            assert_eq!(text(read).as_deref(), Some(written));
        }
        for wrong in ["", "#", "red", "#12345", "#+12345", "#0000000000"] {
            assert_eq!(text(wrong), None, "{wrong}");
        }
    }
}
