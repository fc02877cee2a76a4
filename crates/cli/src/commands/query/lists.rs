//! Lists of objects that only terrains have.

use std::path::Path;

use mapwright::scene::Losses;
pub(super) use mapwright::wrp::lists::{Centres, Elevation};
use mapwright::{AnyDocument, Error, Format, Query, TerrainList, TerrainListOptions, write_terrain_list};

use crate::args::ObjectList;
use crate::failure::Failure;
use crate::inputs::Item;

/// Returns `true` for formats with these lists.
pub(super) fn has_lists(format: Format) -> bool {
    format == Format::Wrp
}

/// Reads bounding centres of models from a table or a template library of Terrain Builder.
pub(super) fn read_centres(path: Option<&Path>) -> Result<Centres, Box<Failure>> {
    let Some(path) = path else { return Ok(Centres::default()) };
    let name = path.display().to_string();
    let text = std::fs::read(path).map_err(|error| Failure::new(&name, &Error::Io(error)))?;
    mapwright::read_model_centres(&name, &text).map_err(|error| Failure::new(&name, &error))
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
    let list = match list {
        ObjectList::TerrainBuilder => TerrainList::TerrainBuilder,
        ObjectList::Lbt => TerrainList::Lbt,
        _ => TerrainList::GeoJson,
    };
    let options = TerrainListOptions::default().with_elevation(elevation).with_origin(origin);
    let options = options.with_centres(centres.clone());
    let mut bytes = Vec::new();
    let losses = write_terrain_list(&mut bytes, &terrain, query, list, &options);
    losses.map(|losses| (bytes, losses)).map_err(|error| Failure::new(&item.name(), &error))
}
