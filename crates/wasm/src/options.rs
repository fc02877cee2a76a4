//! Options objects.

use mapwright::io::Limits;
use mapwright::qmap::scene::ProjectionFormat;
use mapwright::wmp::Dialect;
use mapwright::wrp::scene::Variant;
use mapwright::{Axis, ConvertOptions, Format, Query, ReadOptions};
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::error::{error, usage};

/// Maximum decompressed size, and maximum memory of decoded images. The memory of a module ends at 4 GiB.
const MAX_EXPANDED: u64 = 256 << 20;
/// Maximum size of the result of a conversion, and of the memory to create it.
const MAX_OUTPUT: u64 = 1 << 30;

/// Returns the options of reading with the limits of the module.
pub(crate) fn reading() -> ReadOptions {
    let mut limits = Limits::default();
    limits.max_decompressed = MAX_EXPANDED;
    ReadOptions::default().with_limits(limits).with_max_expanded(Some(MAX_EXPANDED))
}

/// Returns the options of converting with the limits of the module.
pub(crate) fn converting() -> ConvertOptions {
    let max_pixel_bytes = usize::try_from(MAX_EXPANDED).unwrap_or(usize::MAX);
    ConvertOptions::default().with_max_output(MAX_OUTPUT).with_max_pixel_bytes(max_pixel_bytes)
}

/// Finds an available format by its name or extension.
pub(crate) fn format(name: &str) -> Result<Format, JsValue> {
    let names = || Format::available().map(Format::name).collect::<Vec<_>>().join(", ");
    Format::from_name(name).ok_or_else(|| usage(&format!("unknown format {name}: expected one of {}", names())))
}

/// Options of `Document.convert`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Convert {
    stem: Option<String>,
    scale: Option<f64>,
    source_up: Option<Up>,
    target_up: Option<Up>,
    only: Vec<String>,
    exclude: Vec<String>,
    hidden: bool,
    keep_hidden_faces: bool,
    allow_empty: bool,
    triangulate: bool,
    flip_green: bool,
    bake_boxes: bool,
    map_format: Option<u32>,
    projection: Option<Projection>,
    variant: Option<TerrainVariant>,
    dialect: Option<String>,
    size: Option<u32>,
    crop: Option<u32>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Up {
    Y,
    Z,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Projection {
    Standard,
    Valve220,
}

#[derive(Clone, Copy, Deserialize)]
enum TerrainVariant {
    #[serde(rename = "4wvr")]
    Wvr4,
    #[serde(rename = "8wvr")]
    Wvr8,
}

impl From<Up> for Axis {
    fn from(up: Up) -> Self {
        match up {
            Up::Y => Self::Y,
            Up::Z => Self::Z,
        }
    }
}

impl Convert {
    /// Returns the options of the library. `stem` is the name of the document without its extension.
    pub(crate) fn into_options(self, stem: &str) -> Result<ConvertOptions, JsValue> {
        let mut options = converting()
            .with_stem(self.stem.as_deref().unwrap_or(stem))
            .with_scale(self.scale.unwrap_or(1.0))
            .with_only(queries(&self.only)?)
            .with_exclude(queries(&self.exclude)?)
            .with_hidden(self.hidden)
            .with_keep_hidden_faces(self.keep_hidden_faces)
            .with_allow_empty(self.allow_empty)
            .with_triangulate(self.triangulate)
            .with_flip_green(self.flip_green)
            .with_bake_boxes(self.bake_boxes)
            .with_size(self.size)
            .with_crop(self.crop);
        options.source_up = self.source_up.map(Into::into);
        options.target_up = self.target_up.map(Into::into);
        options.map_format = self.map_format;
        options.projection = match self.projection {
            None => ProjectionFormat::Auto,
            Some(Projection::Standard) => ProjectionFormat::Standard,
            Some(Projection::Valve220) => ProjectionFormat::Valve,
        };
        options.variant = self.variant.map(|variant| match variant {
            TerrainVariant::Wvr4 => Variant::Wvr4,
            TerrainVariant::Wvr8 => Variant::Wvr8,
        });
        options.dialect = self.dialect.as_deref().map(dialect).transpose()?;
        Ok(options)
    }
}

fn dialect(name: &str) -> Result<Dialect, JsValue> {
    Dialect::from_name(&name.to_ascii_lowercase()).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        usage(&format!("unknown dialect {name}: expected one of {}", names.join(", ")))
    })
}

fn queries(texts: &[String]) -> Result<Vec<Query>, JsValue> {
    let parse = |text: &String| Query::parse_or_name(text).map_err(|problem| error(problem.into()));
    texts.iter().map(parse).collect()
}

/// Parses a query.
pub(crate) fn query(text: &str) -> Result<Query, JsValue> {
    text.parse().map_err(|problem: mapwright::query::QueryError| error(problem.into()))
}

/// Options of `Document.query`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct List {
    pub(crate) fields: Vec<String>,
}

/// Options of `Document.edit`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Edit {
    pub(crate) allow_no_match: bool,
    pub(crate) create_fields: bool,
}

/// Options of `Document.page`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Page {
    pub(crate) image_size: Option<u32>,
    pub(crate) hidden: bool,
    pub(crate) tools: bool,
}
