//! The options and the help that concern single formats.
//!
//! A format with such options has them here. The formats that `diff` and the lists of formats show come from the library.

use std::path::Path;

use clap::{Args, ValueEnum};
use mapwright::dmx::WriteOptions;
use mapwright::etf::Mode;
use mapwright::vmap::scene::Subdivision;
use mapwright::wmp::Dialect;
use mapwright::wwd::HeaderSize;
use mapwright::{ConvertOptions, Format, ReadOptions};

use super::{READING, format_where};

/// Examples of `convert` that concern single formats.
pub(super) const CONVERT_EXAMPLES: &str = "
  mapwright convert map.vmap map.txt
  mapwright convert --map-format 29 model.glb prefab.vmap
  mapwright convert --subdivide map.vmap map.glb
  mapwright convert --text-style hammer --line-end crlf map.vmap map.txt
  mapwright convert --variant 8wvr island.wrp for-terrain-builder.wrp
  mapwright convert --corner cell --decimals all island.wrp island.asc
  mapwright convert --range -50,400 heights.png island.wrp
  mapwright convert island.wrp island.cells.png
  mapwright convert --for unreal island.wrp island.r16
  mapwright convert --content unpacked/ level.wwd level.tmx";

/// Examples and notes of `query` that concern single formats.
pub(super) const QUERY_DETAILS: &str = "
  mapwright query island.wrp -o objects.csv
  mapwright edit island.wrp -o new.wrp 'objects import objects.csv'
  mapwright query --as geojson 'model=*smrk* and y<0' island.wrp
  mapwright query --as terrain-builder --relative --centres plants.tml island.wrp -o objects.txt

`edit 'objects import FILE'` reads object lists of terrains (wrp) in csv, json, geojson, lbt and terrain-builder, and replaces all objects. csv and \
json are exact; geojson supports only objects with a matrix. Positions are metres from the south-west corner and refer to the bounding \
centre of the model, as in the file. Terrain Builder expects the ground point instead: --centres takes the bounding centres of the models, as a table with the columns \
model,cx,cy,cz or as a template library (.tml).";

/// The heading of options for Source 2 maps.
const SOURCE_2: &str = "Source 2 maps (vmap, kv2)";
/// The heading of options for the other formats of levels.
const LEVELS: &str = "Other levels";

/// Options for reading files of single formats.
#[derive(Debug, Clone, Args)]
pub(crate) struct FormatReading {
    /// [wings, etf] Accept Erlang terms that Erlang itself rejects, if their bytes can be preserved
    #[arg(long, global = true, help_heading = READING, hide_short_help = true)]
    lenient: bool,
    /// [wwd] Accept files whose declared header size is too large
    #[arg(long, global = true, help_heading = READING, hide_short_help = true)]
    any_header_size: bool,
    /// [wrp, heightpng, r16, r32] Grid spacing in metres, if the file does not store it [default: wrp: 50; others: 1]
    #[arg(long, value_name = "METRES", value_parser = metres, allow_negative_numbers = true)]
    #[arg(global = true, help_heading = READING, hide_short_help = true)]
    cell: Option<f32>,
    /// [wrp, heightmaps] Metres per unit of heights [default: stored in the file; wrp: 0.045; others: 1]
    #[arg(long, value_name = "METRES", value_parser = metres, allow_negative_numbers = true)]
    #[arg(global = true, help_heading = READING, hide_short_help = true)]
    height_unit: Option<f32>,
    /// [wwd, wmp, wrp] Show and read text in this encoding, such as cp1251, instead of bytes as \xHH
    #[arg(long, value_name = "NAME", value_parser = crate::encoding::parse)]
    #[arg(global = true, help_heading = READING, hide_short_help = true)]
    pub(crate) encoding: Option<&'static encoding_rs::Encoding>,
}

impl FormatReading {
    /// Applies the options to those for reading.
    pub(crate) fn apply(&self, options: ReadOptions) -> ReadOptions {
        let mode = if self.lenient { Mode::Lenient } else { Mode::Strict };
        let header_size = if self.any_header_size { HeaderSize::Any } else { HeaderSize::AsEngine };
        let options = options.with_mode(mode).with_header_size(header_size);
        options.with_cell(self.cell).with_height_unit(self.height_unit)
    }
}

/// Options for writing files of single formats.
#[derive(Debug, Clone, Args)]
pub(crate) struct FormatWriting {
    /// Convert subdivided and displaced faces at in-game resolution instead of the control mesh
    #[arg(long, help_heading = SOURCE_2, hide_short_help = true)]
    pub(crate) subdivide: bool,
    /// Invert the green channel of normal maps, so that it points up as in glTF
    ///
    /// Images with the setting `legacy_source1_inverted_normal` are not inverted.
    #[arg(long, help_heading = SOURCE_2, hide_short_help = true)]
    pub(crate) flip_green: bool,
    /// Version of new maps: 29 for Half-Life: Alyx, 30 for s&box, 40 for Counter-Strike 2, Deadlock and Dota 2 [default: the version
    /// nearest to the source, else 40]
    #[arg(long, value_name = "18–40", value_parser = clap::value_parser!(u32).range(18..=40), help_heading = SOURCE_2)]
    #[arg(hide_short_help = true)]
    pub(crate) map_format: Option<u32>,
    /// Number formatting of KeyValues2 text [default: exact]
    #[arg(long, value_enum, value_name = "STYLE", help_heading = SOURCE_2, hide_short_help = true)]
    pub(crate) text_style: Option<TextStyle>,
    /// Line ends of KeyValues2 text [default: lf]
    #[arg(long, value_enum, value_name = "END", help_heading = SOURCE_2, hide_short_help = true)]
    pub(crate) line_end: Option<LineEnd>,
    /// [map] Texture projection of Quake maps [default: standard if it is exact, else valve220]
    #[arg(long, value_enum, value_name = "PROJECTION", help_heading = LEVELS, hide_short_help = true)]
    pub(crate) projection: Option<Projection>,
    /// [map] Move the planes of brushes to a grid with this step, such as 1 or 0.125, if each corner moves by at most half a step
    #[arg(long, value_name = "STEP", value_parser = step, help_heading = LEVELS, hide_short_help = true)]
    pub(crate) snap: Option<f64>,
    /// [wrp] Variant of terrains [default: that of the source, else 4wvr if all heights are multiples of 0.045 m, else 8wvr]
    #[arg(long, value_enum, value_name = "VARIANT", help_heading = LEVELS, hide_short_help = true)]
    pub(crate) variant: Option<Variant>,
    /// [wrp] Resample the heights to N×N over the same area. The games require a power of two
    #[arg(long, value_name = "N", value_parser = side, help_heading = LEVELS, hide_short_help = true)]
    pub(crate) size: Option<u32>,
    /// [wrp] Cut out N×N heights, from the south-west corner
    #[arg(long, value_name = "N", value_parser = side, help_heading = LEVELS, hide_short_help = true)]
    pub(crate) crop: Option<u32>,
    /// [wmp] Dialect of Gamestudio maps: a4, 510, 710, 711 or wmpb [default: that of the source, 711 for .$$M, else 710]
    #[arg(long, value_name = "DIALECT", value_parser = dialect, help_heading = LEVELS, hide_short_help = true)]
    pub(crate) dialect: Option<Dialect>,
}

impl FormatWriting {
    /// Applies the options to those for a conversion to a file.
    pub(crate) fn apply(&self, output: Option<&Path>, options: &mut ConvertOptions) {
        let (style, line_end) = (self.text_style.unwrap_or_default(), self.line_end.unwrap_or_default());
        options.text = WriteOptions::default().with_style(style.into()).with_line_end(line_end.into());
        options.map_format = self.map_format;
        options.flip_green = self.flip_green;
        options.projection = self.projection.map(Into::into).unwrap_or_default();
        options.snap = self.snap;
        options.variant = self.variant.map(Into::into);
        (options.size, options.crop) = (self.size, self.crop);
        // The extension of the output may select a dialect.
        let is_resolved =
            output.and_then(Path::extension).is_some_and(|extension| extension.eq_ignore_ascii_case("$$m"));
        options.dialect = self.dialect.or(is_resolved.then_some(Dialect::Resolved));
        if self.subdivide {
            options.subdivision = Subdivision::Fine;
        }
    }

    /// Returns the first given option that does not apply to the output format, and the formats that it is for.
    pub(crate) fn misplaced(&self, to: Format) -> Option<(&'static str, &'static str)> {
        let (is_text, is_terrain) = (to == Format::KeyValues2, to.is_terrain());
        let options = [
            ("--text-style", self.text_style.is_some(), is_text, "KeyValues2 text"),
            ("--line-end", self.line_end.is_some(), is_text, "KeyValues2 text"),
            ("--dialect", self.dialect.is_some(), to == Format::Wmp, "Gamestudio maps"),
            ("--projection", self.projection.is_some(), to == Format::Map, "Quake maps"),
            ("--snap", self.snap.is_some(), to == Format::Map, "Quake maps"),
            ("--variant", self.variant.is_some(), is_terrain, "terrains"),
            ("--size", self.size.is_some(), is_terrain, "terrains"),
            ("--crop", self.crop.is_some(), is_terrain, "terrains"),
            ("--map-format", self.map_format.is_some(), is_text || to == Format::Vmap, "maps"),
        ];
        options.into_iter().find(|(_, given, applies, _)| *given && !applies).map(|(option, .., what)| (option, what))
    }
}

/// A texture projection of Quake maps.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Projection {
    /// Standard Quake axes, derived from the face normal; other projections are approximated
    Standard,
    /// Texture axes stored for each face
    Valve220,
}

impl From<Projection> for mapwright::qmap::scene::ProjectionFormat {
    fn from(projection: Projection) -> Self {
        match projection {
            Projection::Standard => Self::Standard,
            Projection::Valve220 => Self::Valve,
        }
    }
}

/// A variant of terrains.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Variant {
    /// Editors of Operation Flashpoint
    #[value(name = "4wvr")]
    Wvr4,
    /// Terrain Builder
    #[value(name = "8wvr")]
    Wvr8,
}

/// Parses the step of a grid.
fn step(text: &str) -> Result<f64, String> {
    let step = text.parse().ok().filter(|step: &f64| step.is_finite() && *step > 0.0);
    step.ok_or_else(|| "expected a number above 0, such as 1 or 0.125".to_owned())
}

/// Parses the number of heights per side.
fn side(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|side| (1..=16384).contains(side)).ok_or_else(|| "expected 1 to 16384".to_owned())
}

impl From<Variant> for mapwright::wrp::scene::Variant {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::Wvr4 => Self::Wvr4,
            Variant::Wvr8 => Self::Wvr8,
        }
    }
}

/// A number format of KeyValues2 text.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum TextStyle {
    /// Enough digits for a lossless round trip
    #[default]
    Exact,
    /// Ten decimals, as Hammer writes them (lossy for some values)
    Hammer,
}

impl From<TextStyle> for mapwright::dmx::TextStyle {
    fn from(style: TextStyle) -> Self {
        match style {
            TextStyle::Exact => Self::Exact,
            TextStyle::Hammer => Self::Hammer,
        }
    }
}

/// A line end of KeyValues2 text.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum LineEnd {
    #[default]
    Lf,
    /// As Valve's programs write it
    Crlf,
}

impl From<LineEnd> for mapwright::dmx::LineEnd {
    fn from(end: LineEnd) -> Self {
        match end {
            LineEnd::Lf => Self::Lf,
            LineEnd::Crlf => Self::CrLf,
        }
    }
}

/// Parses a length in metres.
fn metres(text: &str) -> Result<f32, String> {
    let metres = text.parse().ok().filter(|metres: &f32| metres.is_finite() && *metres > 0.0);
    metres.ok_or_else(|| "expected a number of metres above 0".to_owned())
}

/// Parses a dialect of Gamestudio maps.
fn dialect(text: &str) -> Result<Dialect, String> {
    Dialect::from_name(&text.to_ascii_lowercase()).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// Parses a format that some input can be converted to. For a dialect, the error names the option that sets it.
pub(super) fn target(text: &str) -> Result<Format, String> {
    match text.trim_start_matches('.').eq_ignore_ascii_case("$$m") {
        true => Err("this is a dialect of wmp: use --to wmp --dialect 711".to_owned()),
        false => format_where(text, |to| Format::available().any(|from| from.converts_to(to))),
    }
}
