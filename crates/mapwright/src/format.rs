//! The formats, each with what can be done with it.

use mapwright_io::{Confidence, FormatInfo};
use mapwright_scene::AxisChange;

use crate::Axis;

/// A format that this build knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wings 3D scene.
    #[cfg(feature = "wings")]
    Wings,
    /// Source 2 Hammer map: DMX of the format `vmap`, binary or text.
    #[cfg(feature = "vmap")]
    Vmap,
    /// Any other DMX file: an element graph, binary or text.
    #[cfg(feature = "dmx")]
    Dmx,
    /// Maps and other element graphs as KeyValues2 text. Only to be written: what is read says itself whether it is a map.
    #[cfg(feature = "dmx")]
    KeyValues2,
    /// WAP32 level: Claw, Gruntz.
    #[cfg(feature = "wwd")]
    Wwd,
    /// Gamestudio map: text, `$$M`, binary.
    #[cfg(feature = "wmp")]
    Wmp,
    /// Terrain of Operation Flashpoint, Arma or DayZ.
    #[cfg(feature = "wrp")]
    Wrp,
    /// Erlang external term: any stream that begins with 131.
    Etf,
    /// glTF 2.0 in one binary file.
    #[cfg(feature = "gltf")]
    Glb,
    /// glTF 2.0 as JSON, with other files beside it.
    #[cfg(feature = "gltf")]
    Gltf,
    /// Wavefront OBJ with its material library.
    #[cfg(feature = "obj")]
    Obj,
    /// Quake map, in the standard spelling or Valve's.
    #[cfg(feature = "map")]
    Map,
    /// Tiled map as XML, with pictures beside it.
    #[cfg(feature = "tiled")]
    Tmx,
    /// Tiled map as JSON, with pictures beside it.
    #[cfg(feature = "tiled")]
    Tmj,
    /// Heights as ESRI ASCII grid.
    #[cfg(feature = "heightmap")]
    Asc,
    /// Heights as GeoTIFF.
    #[cfg(feature = "heightmap")]
    Tif,
    /// Heights as grey PNG.
    #[cfg(feature = "heightmap")]
    HeightPng,
    /// Heights as lines of x, y and height.
    #[cfg(feature = "heightmap")]
    Xyz,
    /// What the ground is made of, as a PNG with a pixel for each texture cell and a legend beside it.
    #[cfg(feature = "heightmap")]
    CellPng,
}

/// What can be done with a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Access {
    /// Files are kept as documents: read, looked into, checked, and written back without losing a byte.
    pub lossless: bool,
    /// Files can be turned into a scene.
    pub import: bool,
    /// Files can be made of a scene.
    pub export: bool,
}

/// Erlang terms have no usual extension; these are the ones met.
const ETF: FormatInfo = FormatInfo::new("etf", "Erlang external term", &["etf", "bert"]);

impl Format {
    /// Every format of this build, in the order in which they are shown.
    pub const ALL: &[Self] = &[
        #[cfg(feature = "wings")]
        Self::Wings,
        #[cfg(feature = "vmap")]
        Self::Vmap,
        #[cfg(feature = "dmx")]
        Self::Dmx,
        #[cfg(feature = "dmx")]
        Self::KeyValues2,
        #[cfg(feature = "wwd")]
        Self::Wwd,
        #[cfg(feature = "wmp")]
        Self::Wmp,
        #[cfg(feature = "wrp")]
        Self::Wrp,
        Self::Etf,
        #[cfg(feature = "gltf")]
        Self::Glb,
        #[cfg(feature = "gltf")]
        Self::Gltf,
        #[cfg(feature = "obj")]
        Self::Obj,
        #[cfg(feature = "map")]
        Self::Map,
        #[cfg(feature = "tiled")]
        Self::Tmx,
        #[cfg(feature = "tiled")]
        Self::Tmj,
        #[cfg(feature = "heightmap")]
        Self::Asc,
        #[cfg(feature = "heightmap")]
        Self::Tif,
        #[cfg(feature = "heightmap")]
        Self::HeightPng,
        #[cfg(feature = "heightmap")]
        Self::Xyz,
        #[cfg(feature = "heightmap")]
        Self::CellPng,
    ];

    /// Name, title and extensions.
    pub const fn info(self) -> FormatInfo {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings => mapwright_wings::FORMAT,
            #[cfg(feature = "vmap")]
            Self::Vmap => mapwright_vmap::FORMAT,
            #[cfg(feature = "dmx")]
            Self::Dmx => mapwright_dmx::FORMAT,
            #[cfg(feature = "dmx")]
            Self::KeyValues2 => FormatInfo::new("kv2", "KeyValues2, the text form of vmap and dmx", &["kv2", "txt"]),
            #[cfg(feature = "wwd")]
            Self::Wwd => mapwright_wwd::FORMAT,
            #[cfg(feature = "wmp")]
            Self::Wmp => mapwright_wmp::FORMAT,
            #[cfg(feature = "wrp")]
            Self::Wrp => mapwright_wrp::FORMAT,
            Self::Etf => ETF,
            #[cfg(feature = "gltf")]
            Self::Glb => FormatInfo::new("glb", "glTF 2.0, binary", &["glb"]),
            #[cfg(feature = "gltf")]
            Self::Gltf => FormatInfo::new("gltf", "glTF 2.0, JSON with files beside it", &["gltf"]),
            #[cfg(feature = "obj")]
            Self::Obj => FormatInfo::new("obj", "Wavefront OBJ", &["obj"]),
            #[cfg(feature = "map")]
            Self::Map => FormatInfo::new("map", "Quake map, standard or Valve 220", &["map"]),
            #[cfg(feature = "tiled")]
            Self::Tmx => FormatInfo::new("tmx", "Tiled map, XML", &["tmx"]),
            #[cfg(feature = "tiled")]
            Self::Tmj => FormatInfo::new("tmj", "Tiled map, JSON", &["tmj"]),
            #[cfg(feature = "heightmap")]
            Self::Asc => FormatInfo::new("asc", "Heightmap, ESRI ASCII grid", &["asc"]),
            #[cfg(feature = "heightmap")]
            Self::Tif => FormatInfo::new("tif", "Heightmap, GeoTIFF", &["tif", "tiff"]),
            #[cfg(feature = "heightmap")]
            Self::HeightPng => FormatInfo::new("heightpng", "Heightmap, grey PNG", &["png"]),
            #[cfg(feature = "heightmap")]
            Self::Xyz => FormatInfo::new("xyz", "Heightmap, lines of x y z", &["xyz"]),
            #[cfg(feature = "heightmap")]
            Self::CellPng => FormatInfo::new("cellpng", "Texture cells, PNG with a legend", &["cells.png"]),
        }
    }

    /// The short name in lower case, as the command line takes it.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// What can be done with files of this format.
    pub const fn access(self) -> Access {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings => Access { lossless: true, import: true, export: true },
            #[cfg(feature = "vmap")]
            Self::Vmap => Access { lossless: true, import: true, export: true },
            #[cfg(feature = "dmx")]
            Self::Dmx => Access { lossless: true, import: false, export: false },
            // A scene becomes a map, and that text.
            #[cfg(feature = "dmx")]
            Self::KeyValues2 => Access { lossless: false, import: false, export: cfg!(feature = "vmap") },
            #[cfg(feature = "wwd")]
            Self::Wwd => Access { lossless: true, import: true, export: true },
            #[cfg(feature = "wmp")]
            Self::Wmp => Access { lossless: true, import: true, export: true },
            #[cfg(feature = "wrp")]
            Self::Wrp => Access { lossless: true, import: true, export: true },
            Self::Etf => Access { lossless: true, import: false, export: false },
            #[cfg(feature = "gltf")]
            Self::Glb | Self::Gltf => Access { lossless: false, import: true, export: true },
            #[cfg(feature = "obj")]
            Self::Obj => Access { lossless: false, import: true, export: true },
            #[cfg(feature = "map")]
            Self::Map => Access { lossless: false, import: true, export: true },
            #[cfg(feature = "tiled")]
            Self::Tmx | Self::Tmj => Access { lossless: false, import: true, export: true },
            #[cfg(feature = "heightmap")]
            Self::Asc | Self::Tif | Self::HeightPng | Self::Xyz | Self::CellPng => {
                Access { lossless: false, import: true, export: true }
            }
        }
    }

    /// Whether [`convert`](crate::convert()) makes files of another format of files of this one, be it through a scene or as another
    /// encoding of the same document.
    pub fn converts_to(self, to: Self) -> bool {
        self.access().import && to.access().export || self.is_graph() && (self == to || to.is_graph_text())
    }

    /// How the axes of files, as [`axes`](Self::axes) says them, become those of scenes.
    pub const fn axis_change(self) -> AxisChange {
        match self {
            #[cfg(feature = "vmap")]
            Self::Vmap => mapwright_vmap::scene::AXES,
            #[cfg(feature = "wwd")]
            Self::Wwd => mapwright_wwd::scene::AXES,
            #[cfg(feature = "wmp")]
            Self::Wmp => mapwright_wmp::scene::AXES,
            #[cfg(feature = "wrp")]
            Self::Wrp => mapwright_wrp::scene::AXES,
            #[cfg(feature = "map")]
            Self::Map => mapwright_interchange::map::AXES,
            #[cfg(feature = "tiled")]
            Self::Tmx | Self::Tmj => mapwright_interchange::tiled::AXES,
            #[cfg(feature = "heightmap")]
            Self::Asc | Self::Tif | Self::HeightPng | Self::Xyz | Self::CellPng => {
                mapwright_interchange::heightmap::AXES
            }
            _ => AxisChange::NONE,
        }
    }

    /// Whether files hold what is drawn: layers of tiles, terrain, or solids.
    pub const fn is_drawn(self) -> bool {
        match self {
            #[cfg(feature = "heightmap")]
            Self::CellPng => false,
            _ => self.access().import,
        }
    }

    /// Whether files are pictures, of which few are heightmaps: whoever goes through folders passes them by.
    pub const fn is_picture(self) -> bool {
        match self {
            #[cfg(feature = "heightmap")]
            Self::Tif | Self::HeightPng => true,
            _ => false,
        }
    }

    /// Which kind of heightmap files are.
    #[cfg(feature = "heightmap")]
    pub(crate) const fn heightmap(self) -> Option<mapwright_interchange::heightmap::Format> {
        use mapwright_interchange::heightmap::Format as Kind;
        match self {
            Self::Asc => Some(Kind::Asc),
            Self::Tif => Some(Kind::Tif),
            Self::HeightPng => Some(Kind::Png),
            Self::Xyz => Some(Kind::Xyz),
            _ => None,
        }
    }

    /// Whether files can show a node in several places.
    pub(crate) fn has_instances(self) -> bool {
        match self {
            #[cfg(feature = "vmap")]
            Self::Vmap | Self::KeyValues2 => true,
            _ => false,
        }
    }

    /// Whether files are element graphs.
    fn is_graph(self) -> bool {
        match self {
            #[cfg(feature = "vmap")]
            Self::Vmap => true,
            #[cfg(feature = "dmx")]
            Self::Dmx => true,
            _ => false,
        }
    }

    /// Whether files are element graphs as text.
    pub(crate) fn is_graph_text(self) -> bool {
        #[cfg(feature = "dmx")]
        return self == Self::KeyValues2;
        #[cfg(not(feature = "dmx"))]
        false
    }

    /// The frame of geometry in words; `None` for formats without.
    pub const fn axes(self) -> Option<&'static str> {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings => Some("right-handed, Y up"),
            #[cfg(feature = "vmap")]
            Self::Vmap => Some("right-handed, Z up, inches"),
            #[cfg(feature = "dmx")]
            Self::Dmx | Self::KeyValues2 => None,
            #[cfg(feature = "wwd")]
            Self::Wwd => Some("x to the right, y down the screen, pixels"),
            #[cfg(feature = "wmp")]
            Self::Wmp => Some("right-handed, Z up, quants"),
            #[cfg(feature = "wrp")]
            Self::Wrp => Some("left-handed, Y up, Z north, metres"),
            Self::Etf => None,
            #[cfg(feature = "gltf")]
            Self::Glb | Self::Gltf => Some("right-handed, Y up"),
            #[cfg(feature = "obj")]
            Self::Obj => Some("right-handed, up not said and taken for Y"),
            #[cfg(feature = "map")]
            Self::Map => Some("right-handed, Z up, units of about 1/32 m"),
            #[cfg(feature = "tiled")]
            Self::Tmx | Self::Tmj => Some("x to the right, y down the screen, pixels"),
            #[cfg(feature = "heightmap")]
            Self::Asc | Self::Tif | Self::HeightPng | Self::Xyz | Self::CellPng => Some("x east, y north, heights up"),
        }
    }

    /// The axis that points up, where the format fixes it.
    pub const fn up(self) -> Option<Axis> {
        match self {
            #[cfg(feature = "vmap")]
            Self::Vmap => Some(Axis::Z),
            #[cfg(feature = "dmx")]
            Self::KeyValues2 => Some(Axis::Z),
            #[cfg(feature = "gltf")]
            Self::Glb | Self::Gltf => Some(Axis::Y),
            #[cfg(feature = "wwd")]
            Self::Wwd => Some(Axis::Y),
            #[cfg(feature = "wmp")]
            Self::Wmp => Some(Axis::Z),
            #[cfg(feature = "wrp")]
            Self::Wrp => Some(Axis::Y),
            #[cfg(feature = "map")]
            Self::Map => Some(Axis::Z),
            #[cfg(feature = "tiled")]
            Self::Tmx | Self::Tmj => Some(Axis::Y),
            #[cfg(feature = "heightmap")]
            Self::Asc | Self::Tif | Self::HeightPng | Self::Xyz | Self::CellPng => Some(Axis::Y),
            // OBJ does not say, and Wings 3D not in the file.
            _ => None,
        }
    }

    /// Whether files are read as this format, be it as a document or into a scene.
    pub(crate) const fn is_read(self) -> bool {
        let Access { lossless, import, .. } = self.access();
        lossless || import
    }

    /// The format of a name or an extension, in any case: `wings`, `GLB`.
    pub fn from_name(name: &str) -> Option<Self> {
        let is = |text: &&str| text.eq_ignore_ascii_case(name);
        let by_name = Self::ALL.iter().find(|format| is(&format.name()));
        by_name.or_else(|| Self::ALL.iter().find(|format| format.info().extensions.iter().any(&is))).copied()
    }

    /// The format of the name of a file: that of the longest extension, as of `island.cells.png`.
    pub fn from_path(path: &std::path::Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy();
        // Of the extensions of two words each stands for one format.
        let words = name.rsplit_once('.').and_then(|(stem, _)| stem.rsplit_once('.')).map(|(stem, _)| stem.len() + 1);
        let long = words.and_then(|at| Self::from_name(name.get(at..)?));
        long.or_else(|| Self::from_name(path.extension()?.to_str()?))
    }

    /// Whether the name of a file ends as those of this format do, be it but with the last word of an extension.
    pub fn suits(self, path: &std::path::Path) -> bool {
        let Some(ending) = path.extension().and_then(|ending| ending.to_str()) else { return false };
        let last =
            |extension: &&str| extension.rsplit('.').next().is_some_and(|last| last.eq_ignore_ascii_case(ending));
        ending.eq_ignore_ascii_case(self.name()) || self.info().extensions.iter().any(last)
    }

    /// Says whether bytes are of this format. A prefix of some kilobytes suffices.
    pub fn sniff(self, prefix: &[u8]) -> Confidence {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings => mapwright_wings::sniff(prefix),
            #[cfg(feature = "vmap")]
            Self::Vmap => mapwright_vmap::sniff(prefix),
            #[cfg(feature = "dmx")]
            Self::Dmx => sniff_dmx(prefix),
            #[cfg(feature = "dmx")]
            Self::KeyValues2 => Confidence::No,
            #[cfg(feature = "wwd")]
            Self::Wwd => mapwright_wwd::sniff(prefix),
            #[cfg(feature = "wmp")]
            Self::Wmp => mapwright_wmp::sniff(prefix),
            #[cfg(feature = "wrp")]
            Self::Wrp => mapwright_wrp::sniff(prefix),
            Self::Etf => sniff_etf(prefix),
            #[cfg(feature = "gltf")]
            Self::Glb => {
                if prefix.starts_with(b"glTF") {
                    Confidence::Certain
                } else {
                    Confidence::No
                }
            }
            #[cfg(feature = "gltf")]
            Self::Gltf => sniff_gltf(prefix),
            #[cfg(feature = "obj")]
            Self::Obj => sniff_obj(prefix),
            #[cfg(feature = "map")]
            Self::Map => sniff_map(prefix),
            #[cfg(feature = "tiled")]
            Self::Tmx => sniff_tmx(prefix),
            #[cfg(feature = "tiled")]
            Self::Tmj => sniff_tmj(prefix),
            #[cfg(feature = "heightmap")]
            Self::Asc => sniff_asc(prefix),
            #[cfg(feature = "heightmap")]
            Self::Tif => match prefix {
                [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Confidence::Maybe,
                _ => Confidence::No,
            },
            // Most pictures are something else, and so are most lines of numbers: that is for the name to say.
            #[cfg(feature = "heightmap")]
            Self::HeightPng | Self::Xyz => Confidence::No,
            #[cfg(feature = "heightmap")]
            Self::CellPng => sniff_cells(prefix),
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl serde::Serialize for Format {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Maps are a format of their own.
#[cfg(feature = "dmx")]
fn sniff_dmx(prefix: &[u8]) -> Confidence {
    #[cfg(feature = "vmap")]
    if mapwright_vmap::sniff(prefix) != Confidence::No {
        return Confidence::No;
    }
    mapwright_dmx::sniff(prefix)
}

/// 131 and a tag. A compressed term shows the first byte of a zlib stream too.
fn sniff_etf(prefix: &[u8]) -> Confidence {
    match *prefix {
        [131, 80, _, _, _, _, 0x78, ..] => Confidence::Certain,
        [131, tag, ..] if mapwright_etf::Tag(tag).name().is_some() => Confidence::Maybe,
        _ => Confidence::No,
    }
}

/// A JSON object that has `"asset"` near its start, as glTF must have it somewhere.
#[cfg(feature = "gltf")]
fn sniff_gltf(prefix: &[u8]) -> Confidence {
    let text = prefix.strip_prefix(b"\xef\xbb\xbf").unwrap_or(prefix).trim_ascii_start();
    let has_asset = || text.windows(7).any(|part| part == b"\"asset\"");
    if text.starts_with(b"{") && has_asset() { Confidence::Maybe } else { Confidence::No }
}

/// Text that begins with one of the two keywords that every head has, and a number.
#[cfg(feature = "heightmap")]
fn sniff_asc(prefix: &[u8]) -> Confidence {
    let text = prefix.strip_prefix(b"\xef\xbb\xbf").unwrap_or(prefix).trim_ascii_start();
    let Some((keyword, rest)) = text.split_first_chunk::<5>() else { return Confidence::No };
    let is_head = keyword.eq_ignore_ascii_case(b"ncols") || keyword.eq_ignore_ascii_case(b"nrows");
    let is_number = || rest.trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
    if is_head && rest.first().is_some_and(u8::is_ascii_whitespace) && is_number() {
        Confidence::Certain
    } else {
        Confidence::No
    }
}

/// Behind comments a brace, and behind that a text between quotes or another brace.
#[cfg(feature = "map")]
fn sniff_map(prefix: &[u8]) -> Confidence {
    let mut text = prefix.strip_prefix(b"\xef\xbb\xbf").unwrap_or(prefix);
    let mut marks = [0_u8; 2];
    for mark in &mut marks {
        text = text.trim_ascii_start();
        while text.starts_with(b"//") {
            let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
            text = text.get(end..).unwrap_or_default().trim_ascii_start();
        }
        let Some((first, rest)) = text.split_first() else { return Confidence::No };
        (*mark, text) = (*first, rest);
    }
    // JSON has a colon behind its first text.
    let is_key = || {
        let mut rest = text.splitn(2, |&byte| byte == b'"').skip(1);
        rest.next().is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
    };
    match marks {
        [b'{', b'"'] if is_key() => Confidence::Maybe,
        [b'{', b'{'] => Confidence::Maybe,
        _ => Confidence::No,
    }
}

/// A PNG that names a legend.
#[cfg(feature = "heightmap")]
fn sniff_cells(prefix: &[u8]) -> Confidence {
    let names_legend = |chunk: &[u8]| matches!(chunk, b"tEXtlegend\0" | b"iTXtlegend\0");
    let is_png = prefix.starts_with(b"\x89PNG");
    if is_png && prefix.windows(11).any(names_legend) { Confidence::Maybe } else { Confidence::No }
}

/// XML with the element of a map.
#[cfg(feature = "tiled")]
fn sniff_tmx(prefix: &[u8]) -> Confidence {
    let text = prefix.strip_prefix(b"\xef\xbb\xbf").unwrap_or(prefix).trim_ascii_start();
    let has_map = || {
        text.windows(4)
            .zip(text.get(4..).unwrap_or_default())
            .any(|(part, behind)| part == b"<map" && behind.is_ascii_whitespace())
    };
    if text.starts_with(b"<") && has_map() { Confidence::Maybe } else { Confidence::No }
}

/// A JSON object with keys near its start that maps have there, in the order of Tiled or of others.
#[cfg(feature = "tiled")]
fn sniff_tmj(prefix: &[u8]) -> Confidence {
    let text = prefix.strip_prefix(b"\xef\xbb\xbf").unwrap_or(prefix).trim_ascii_start();
    let has = |key: &[u8]| text.windows(key.len()).any(|part| part == key);
    let keys: [&[u8]; 3] = [b"\"layers\"", b"\"tiledversion\"", b"\"tilewidth\""];
    if text.starts_with(b"{") && keys.iter().any(|key| has(key)) { Confidence::Maybe } else { Confidence::No }
}

/// A text of OBJ statements, at least one of which is not found in other texts.
#[cfg(feature = "obj")]
fn sniff_obj(prefix: &[u8]) -> Confidence {
    const TELLING: [&[u8]; 6] = [b"v", b"vt", b"vn", b"f", b"mtllib", b"usemtl"];
    const OTHERS: [&[u8]; 6] = [b"o", b"g", b"s", b"l", b"p", b"vp"];
    let mut lines: Vec<&[u8]> = prefix.split(|&byte| byte == b'\n').collect();
    // The last line may be cut off.
    if lines.len() > 1 {
        lines.pop();
    }
    let mut found = Confidence::No;
    for line in lines {
        let Some(word) = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()) else { continue };
        if TELLING.contains(&word) {
            found = Confidence::Maybe;
        } else if !OTHERS.contains(&word) && !word.starts_with(b"#") {
            return Confidence::No;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_lead_to_one_format() {
        for &format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
            for extension in format.info().extensions {
                assert_eq!(Format::from_name(&extension.to_uppercase()), Some(format), "{extension}");
            }
        }
        assert_eq!(Format::from_name("docx"), None);
    }

    #[test]
    fn terms_are_known_by_their_first_bytes() {
        assert_eq!(Format::Etf.sniff(&[131, 104, 0]), Confidence::Maybe);
        assert_eq!(Format::Etf.sniff(&[131, 80, 0, 0, 0, 9, 0x78, 0x9c]), Confidence::Certain);
        assert_eq!(Format::Etf.sniff(&[131, 0]), Confidence::No);
        assert_eq!(Format::Etf.sniff(&[]), Confidence::No);
    }

    #[cfg(feature = "vmap")]
    #[test]
    fn maps_are_told_from_other_graphs() {
        let (map, other): (&[u8], &[u8]) =
            (b"<!-- dmx encoding keyvalues2 4 format vmap 40 -->", b"<!-- dmx encoding binary 9 format pcf 2 -->\n\0");
        assert_eq!([map, other].map(|bytes| Format::Vmap.sniff(bytes)), [Confidence::Certain, Confidence::No]);
        assert_eq!([map, other].map(|bytes| Format::Dmx.sniff(bytes)), [Confidence::No, Confidence::Certain]);
        assert_eq!(Format::KeyValues2.sniff(map), Confidence::No);
    }

    #[cfg(feature = "heightmap")]
    #[test]
    fn pictures_of_cells_are_known_by_their_legend() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0etEXtlegend\0a.json";
        assert_eq!([png, &png[..20]].map(|bytes| Format::CellPng.sniff(bytes)), [Confidence::Maybe, Confidence::No]);
        let names = ["a.png", "a.cells.png", "a.b.asc", "cells.png", ".cells.png", "asc"];
        let formats = names.map(|name| Format::from_path(name.as_ref()).map(Format::name));
        let (height, cells) = (Some("heightpng"), Some("cellpng"));
        assert_eq!(formats, [height, cells, Some("asc"), height, cells, None]);
        assert!(Format::CellPng.suits("a.PNG".as_ref()) && !Format::CellPng.suits("png".as_ref()));
    }

    #[cfg(feature = "wwd")]
    #[test]
    fn levels_are_known_by_their_header() {
        let level = mapwright_wwd::Document::new().to_bytes().unwrap();
        assert_eq!(Format::Wwd.sniff(&level), Confidence::Certain);
        assert_eq!(Format::Wwd.sniff(&level[1..]), Confidence::No);
    }

    #[cfg(feature = "gltf")]
    #[test]
    fn gltf_is_known_in_both_containers() {
        assert_eq!(Format::Glb.sniff(b"glTF\x02\0\0\0"), Confidence::Certain);
        assert_eq!(Format::Gltf.sniff(b"{\n \"asset\": {\"version\": \"2.0\"}}"), Confidence::Maybe);
        assert_eq!(Format::Gltf.sniff(b"{\"name\": 1}"), Confidence::No);
        assert_eq!(Format::Gltf.sniff(b"[\"asset\"]"), Confidence::No);
    }

    #[cfg(feature = "tiled")]
    #[test]
    fn tiled_maps_are_known_by_their_start() {
        let xml = b"<?xml version=\"1.0\"?>\n<map version=\"1.10\">";
        let json = b"{ \"compressionlevel\":-1, \"height\":2, \"layers\":[";
        assert_eq!([xml, &json[..]].map(|bytes| Format::Tmx.sniff(bytes)), [Confidence::Maybe, Confidence::No]);
        assert_eq!([xml, &json[..]].map(|bytes| Format::Tmj.sniff(bytes)), [Confidence::No, Confidence::Maybe]);
        assert_eq!(Format::Tmx.sniff(b"<mapper/>"), Confidence::No);
    }

    #[cfg(feature = "map")]
    #[test]
    fn quake_maps_are_known_by_their_first_words() {
        let sniff = |text: &str| Format::Map.sniff(text.as_bytes());
        assert_eq!(sniff("// Game: Quake\n// entity 0\n{\n\"classname\" \"worldspawn\""), Confidence::Maybe);
        assert_eq!(sniff("{ { ( 0 0 0 )"), Confidence::Maybe);
        assert_eq!(sniff("{\"asset\": {}}"), Confidence::No);
        assert_eq!(sniff("// WMP2\n// ACKWED\nblocks 1"), Confidence::No);
        assert_eq!(sniff("// only"), Confidence::No);
    }

    #[cfg(feature = "obj")]
    #[test]
    fn obj_is_known_by_its_statements() {
        let sniff = |text: &str| Format::Obj.sniff(text.as_bytes());
        assert_eq!(sniff("# made by hand\no cube\nv 1 2 3\nv 1 2"), Confidence::Maybe);
        assert_eq!(sniff("mtllib cube.mtl\r\n\r\nv 1 2 3\r\n"), Confidence::Maybe);
        assert_eq!(sniff("# A title\n"), Confidence::No);
        assert_eq!(sniff("# A title\nv ery\nplain text\n"), Confidence::No);
        assert_eq!(sniff(""), Confidence::No);
    }
}
