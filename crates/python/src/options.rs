//! Keyword arguments as options of reading and converting.

use std::path::PathBuf;

use mapwright::dmx::{LineEnd, TextStyle};
use mapwright::etf::Mode;
use mapwright::heightmap::{ByteOrder, Corner, Engine, NoData, Numbers, PixelHeights, RowOrder};
use mapwright::qmap::scene::ProjectionFormat;
use mapwright::query::suggestion;
use mapwright::vmap::scene::Subdivision;
use mapwright::wmp::Dialect;
use mapwright::wrp::scene::Variant;
use mapwright::wwd::HeaderSize;
use mapwright::{Axis, ContentSource, ConvertOptions, External, Format, Query, ReadOptions};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::raise;

/// The first row of raw heights.
const FIRST_ROWS: [(&str, RowOrder); 2] = [("north", RowOrder::North), ("south", RowOrder::South)];
/// The order of the bytes of raw heights.
const BYTE_ORDERS: [(&str, ByteOrder); 2] = [("little", ByteOrder::Little), ("big", ByteOrder::Big)];

/// Keyword arguments.
pub(crate) type Keywords<'a, 'py> = &'a Bound<'py, PyDict>;

/// Returns the format with a name or an extension.
pub(crate) fn format(name: &str) -> PyResult<Format> {
    Format::from_name(name).ok_or_else(|| {
        let names = Format::available().map(Format::name);
        let help = suggestion(name, names).map(|name| format!("; did you mean {name:?}?")).unwrap_or_default();
        PyValueError::new_err(format!("unknown format {name:?}{help}"))
    })
}

/// Returns the options of reading.
pub(crate) fn read_options(py: Python<'_>, keywords: Option<Keywords<'_, '_>>) -> PyResult<ReadOptions> {
    let untrusted = keywords.map(|keywords| keywords.get_item("untrusted")).transpose()?.flatten();
    let mut options = match untrusted.map(|flag| flag.is_truthy()).transpose()? {
        Some(true) => ReadOptions::service(),
        _ => ReadOptions::default(),
    };
    for (name, value) in keywords.into_iter().flatten() {
        let name: String = name.extract()?;
        match name.as_str() {
            "untrusted" => {}
            "content" => options.content = content(py, &value)?,
            "external" => {
                options.external = choose(
                    &name,
                    &value,
                    &[("none", External::None), ("beside", External::Beside), ("any", External::Any)],
                )?;
            }
            "max_input" => options.limits = options.limits.with_max_input(value.extract()?),
            "max_decompressed" => options.limits = options.limits.with_max_decompressed(value.extract()?),
            "lenient" => options.mode = if value.is_truthy()? { Mode::Lenient } else { Mode::Strict },
            "any_header_size" if value.is_truthy()? => options.header_size = HeaderSize::Any,
            "any_header_size" => options.header_size = HeaderSize::AsEngine,
            "cell" => options.cell = value.extract()?,
            "height_unit" => options.height_unit = value.extract()?,
            "corner" => options.heightmap.corner = corner(&name, &value)?,
            "origin" => options.heightmap.origin = value.extract()?,
            "range" => options.heightmap.pixels = value.extract::<Option<_>>()?.map(PixelHeights::Range),
            "nodata" => options.heightmap.no_data = no_data(&value)?,
            "raw_size" => options.heightmap.size = value.extract()?,
            "first_row" => options.heightmap.rows = choose_or_none(&name, &value, &FIRST_ROWS)?,
            "byte_order" => options.heightmap.byte_order = choose_or_none(&name, &value, &BYTE_ORDERS)?,
            _ => return Err(unknown("open", &name)),
        }
    }
    Ok(options)
}

/// Sets the options of a conversion. The content is added to that of the document.
pub(crate) fn set_convert_options(
    py: Python<'_>,
    keywords: Option<Keywords<'_, '_>>,
    options: &mut ConvertOptions,
) -> PyResult<()> {
    for (name, value) in keywords.into_iter().flatten() {
        let name: String = name.extract()?;
        match name.as_str() {
            "stem" => options.stem = value.extract()?,
            "scale" => options.scale = value.extract()?,
            "only" => options.only = queries(py, &value)?,
            "exclude" => options.exclude = queries(py, &value)?,
            "source_up" => options.source_up = axis(&name, &value)?,
            "target_up" => options.target_up = axis(&name, &value)?,
            "hidden" => options.hidden = value.is_truthy()?,
            "keep_hidden_faces" => options.keep_hidden_faces = value.is_truthy()?,
            "allow_empty" => options.allow_empty = value.is_truthy()?,
            "triangulate" => options.triangulate = value.is_truthy()?,
            "bake_boxes" => options.bake_boxes = value.is_truthy()?,
            "content" => options.content.extend(&content(py, &value)?),
            "max_output" => options.max_output = value.extract()?,
            "subdivide" if value.is_truthy()? => options.subdivision = Subdivision::Fine,
            "subdivide" => options.subdivision = Subdivision::default(),
            "flip_green" => options.flip_green = value.is_truthy()?,
            "map_format" => options.map_format = value.extract()?,
            "text_style" => {
                options.text.style =
                    choose(&name, &value, &[("exact", TextStyle::Exact), ("hammer", TextStyle::Hammer)])?;
            }
            "line_end" => {
                options.text.line_end = choose(&name, &value, &[("lf", LineEnd::Lf), ("crlf", LineEnd::CrLf)])?;
            }
            "projection" => {
                let choices = [("standard", ProjectionFormat::Standard), ("valve220", ProjectionFormat::Valve)];
                options.projection = choose_or_none(&name, &value, &choices)?.unwrap_or_default();
            }
            "variant" => {
                options.variant = choose_or_none(&name, &value, &[("4wvr", Variant::Wvr4), ("8wvr", Variant::Wvr8)])?;
            }
            "size" => options.size = side(&name, &value)?,
            "crop" => options.crop = side(&name, &value)?,
            "dialect" => options.dialect = choose_or_none(&name, &value, &Dialect::ALL.map(|one| (one.name(), one)))?,
            "corner" => options.heightmap.corner = corner(&name, &value)?,
            "origin" => options.heightmap.origin = value.extract()?,
            "range" => options.heightmap.range = value.extract()?,
            "engine" => {
                let choices = [("unreal", Engine::Unreal), ("unity", Engine::Unity)];
                options.heightmap.engine = choose_or_none(&name, &value, &choices)?;
            }
            "first_row" => options.heightmap.rows = choose(&name, &value, &FIRST_ROWS)?,
            "byte_order" => options.heightmap.byte_order = choose(&name, &value, &BYTE_ORDERS)?,
            "decimals" => {
                let choices = [("2", Numbers::Hundredths), ("all", Numbers::Shortest)];
                options.heightmap.numbers = choose(&name, &value.str()?.into_any(), &choices)?;
            }
            _ => return Err(unknown("convert", &name)),
        }
    }
    Ok(())
}

/// Returns the exception for an unknown keyword argument, as Python does.
fn unknown(function: &str, name: &str) -> PyErr {
    PyTypeError::new_err(format!("{function}() got an unexpected keyword argument '{name}'"))
}

/// Opens a folder or archive, or several.
fn content(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<ContentSource> {
    let roots: Vec<PathBuf> = match value.extract() {
        Ok(root) => vec![root],
        Err(_) => value.try_iter()?.map(|root| root?.extract()).collect::<PyResult<_>>()?,
    };
    py.detach(|| {
        let mut source = ContentSource::default();
        roots.into_iter().try_for_each(|root| {
            let added = source.add(&root);
            added.map_err(|error| mapwright::Error::Content { folder: root, error })
        })?;
        Ok(source)
    })
    .map_err(|error| raise(py, error, None))
}

/// Parses a query or name, or several.
fn queries(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Vec<Query>> {
    let texts: Vec<String> = match value.extract::<String>() {
        Ok(text) => vec![text],
        Err(_) => value.extract()?,
    };
    let parse = |text: &String| Query::parse_or_name(text).map_err(|error| raise(py, error.into(), None));
    texts.iter().map(parse).collect()
}

/// Returns one of several values by its name.
fn choose<T: Copy>(option: &str, value: &Bound<'_, PyAny>, choices: &[(&str, T)]) -> PyResult<T> {
    let name: String = value.extract()?;
    choices.iter().find(|(choice, _)| *choice == name).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        PyValueError::new_err(format!("invalid {option} {name:?}: expected one of {}", names.join(", ")))
    })
}

fn choose_or_none<T: Copy>(option: &str, value: &Bound<'_, PyAny>, choices: &[(&str, T)]) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { choose(option, value, choices).map(Some) }
}

fn axis(option: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Axis>> {
    choose_or_none(option, value, &[("y", Axis::Y), ("z", Axis::Z)])
}

fn corner(option: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Corner>> {
    choose_or_none(option, value, &[("point", Corner::Point), ("cell", Corner::Cell)])
}

fn no_data(value: &Bound<'_, PyAny>) -> PyResult<Option<NoData>> {
    if value.is_none() {
        return Ok(None);
    }
    match value.extract() {
        Ok(height) => Ok(Some(NoData::Height(height))),
        Err(_) => choose("nodata", value, &[("interpolate", NoData::Interpolate)]).map(Some),
    }
}

/// Returns a number of heights per side.
fn side(option: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    match value.extract::<Option<u32>>()? {
        Some(side) if !(1..=16384).contains(&side) => {
            Err(PyValueError::new_err(format!("invalid {option} {side}: expected 1 to 16384")))
        }
        side => Ok(side),
    }
}
