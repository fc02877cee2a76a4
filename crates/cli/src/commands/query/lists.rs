//! Lists of objects that only terrains have.

use std::io;
use std::path::Path;

use mapwright::query::Objects as _;
use mapwright::scene::Losses;
use mapwright::wrp::Document;
pub(super) use mapwright::wrp::lists::{COLUMNS, Centres, Elevation};
use mapwright::wrp::lists::{TERRAIN_BUILDER_ORIGIN, write_lbt, write_terrain_builder};
use mapwright::{AnyDocument, Error, Format, Query, write_objects_geojson};

use crate::args::ObjectList;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;

/// Returns `true` for formats with these lists.
pub(super) fn has_lists(format: Format) -> bool {
    format == Format::Wrp
}

/// Reads bounding centres of models from a table or a template library of Terrain Builder.
pub(in crate::commands) fn read_centres(path: Option<&Path>) -> Result<Centres, Box<Failure>> {
    let Some(path) = path else { return Ok(Centres::default()) };
    let name = path.display().to_string();
    let text = std::fs::read(path).map_err(|error| Failure::new(&name, &Error::Io(error)))?;
    let is_library = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tml"));
    let read = if is_library { Centres::from_tml(&text) } else { Centres::from_csv(&text) };
    read.map_err(|error| Failure::other(&name, "malformed", Exit::Malformed, error.to_string()))
}

/// Lists the objects of a terrain that a query matches, and returns the losses.
pub(super) fn list_objects(
    item: &Item,
    document: AnyDocument,
    query: &Query,
    (list, elevation, centres, origin): (ObjectList, Elevation, &Centres, Option<[f64; 2]>),
) -> Result<(Vec<u8>, Losses), Box<Failure>> {
    let format = document.format();
    let Ok(terrain) = document.into_wrp() else {
        let what = "listed in this way; only terrains are";
        let failure = Failure::new(&item.name(), &Error::Unsupported { format, what });
        return Err(
            failure.with_help("use --as csv or --as json, or convert the file to a 3D format with `mapwright convert`")
        );
    };
    let selected = terrain.select(query).map_err(|error| Failure::new(&item.name(), &Error::Query(error)))?;
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let losses = write(&terrain, &selected, (list, elevation, centres, origin), &mut bytes).unwrap_or_default();
    Ok((bytes, losses))
}

fn write(
    terrain: &Document,
    selected: &[usize],
    (list, elevation, centres, origin): (ObjectList, Elevation, &Centres, Option<[f64; 2]>),
    out: &mut Vec<u8>,
) -> io::Result<Losses> {
    let mut selected = selected.iter().peekable();
    let rows = terrain.rows().filter(|row| selected.next_if_eq(&&row.index).is_some());
    match list {
        ObjectList::TerrainBuilder => {
            return write_terrain_builder(
                rows,
                &terrain.ground(),
                (elevation, centres, origin.unwrap_or(TERRAIN_BUILDER_ORIGIN)),
                out,
            );
        }
        ObjectList::Lbt => write_lbt(rows, out)?,
        _ => write_objects_geojson(out, rows, &terrain.ground(), origin.unwrap_or_default())?,
    }
    Ok(Losses::new())
}
