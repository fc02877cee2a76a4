//! Lists of objects that only terrains have.

use std::io::Write;

use mapwright_query::{Objects as _, Query};
use mapwright_scene::Losses;
use mapwright_wrp::Document;
use mapwright_wrp::lists::{Centres, Elevation, TERRAIN_BUILDER_ORIGIN, write_lbt, write_terrain_builder};

use super::write_objects_geojson;
use crate::Error;

/// A format of a list of objects that only terrains have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TerrainList {
    /// Points for GIS software, as by [`write_objects_geojson`].
    GeoJson,
    /// Text that Terrain Builder imports.
    TerrainBuilder,
    /// LandBuilder text with the exact matrices of the file.
    Lbt,
}

mapwright_io::options! {
    /// Options of [`write_terrain_list`].
    #[derive(Debug, Clone)]
    pub struct TerrainListOptions {
        /// [`TerrainList::TerrainBuilder`]: heights above the sea or above the ground.
        pub elevation: Elevation = Elevation::Absolute, with_elevation;
        /// [`TerrainList::TerrainBuilder`]: the bounding centres of models.
        pub centres: Centres = Centres::default(), with_centres;
        /// Map coordinates of the south-west corner in metres, to the east and the north. `None`: 0 and 0, or 200000 and 0 for
        /// [`TerrainList::TerrainBuilder`]. [`TerrainList::Lbt`] has no coordinates on the map.
        pub origin: Option<[f64; 2]> = None, with_origin;
    }
}

/// Writes the objects of a terrain that a query matches. Returns what the list cannot store.
///
/// # Errors
/// [`Error::Query`] if the query asks for an unknown field or an impossible value; errors of the writer.
pub fn write_terrain_list(
    out: &mut dyn Write,
    terrain: &Document,
    query: &Query,
    list: TerrainList,
    options: &TerrainListOptions,
) -> Result<Losses, Error> {
    let selected = terrain.select(query)?;
    let mut selected = selected.iter().peekable();
    let rows = terrain.rows().filter(|row| selected.next_if_eq(&&row.index).is_some());
    match list {
        TerrainList::TerrainBuilder => {
            let origin = options.origin.unwrap_or(TERRAIN_BUILDER_ORIGIN);
            let options = (options.elevation, &options.centres, origin);
            return Ok(write_terrain_builder(rows, &terrain.ground(), options, out)?);
        }
        TerrainList::Lbt => write_lbt(rows, out)?,
        TerrainList::GeoJson => {
            write_objects_geojson(out, rows, &terrain.ground(), options.origin.unwrap_or_default())?;
        }
    }
    Ok(Losses::new())
}

/// Reads the bounding centres of models from a template library of Terrain Builder (`.tml`) or a table.
///
/// # Errors
/// [`Error::List`] for invalid text.
pub fn read_model_centres(name: &str, text: &[u8]) -> Result<Centres, Error> {
    let is_library = std::path::Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("tml"));
    let read = if is_library { Centres::from_tml(text) } else { Centres::from_csv(text) };
    read.map_err(|error| Error::List(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_wrp::lists::Angles;
    use mapwright_wrp::{Builder, Name, Wvr};

    const UPRIGHT: Angles = Angles { yaw: 0.0, pitch: 0.0, roll: 0.0, scale: 1.0 };

    /// A terrain with three objects of two models.
    fn terrain() -> Document {
        let mut builder = Builder::default();
        for (name, x) in [("tree.p3d", 1.0), ("house.p3d", 2.0), ("tree.p3d", 3.0)] {
            let model = builder.add_model(&Name::new(name.as_bytes()));
            builder.push(model, UPRIGHT.to_matrix([x, 0.0, 5.0]), None);
        }
        Document::Wvr(Wvr { objects: builder.finish(), ..Wvr::new([4, 4]) })
    }

    fn write(query: &str, list: TerrainList, options: &TerrainListOptions) -> Result<String, Error> {
        let mut out = Vec::new();
        write_terrain_list(&mut out, &terrain(), &query.parse()?, list, options)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn lists_have_the_selected_objects() {
        let options = TerrainListOptions::default();
        let lines = |list| write("model=tree*", list, &options).unwrap().matches("tree").count();
        assert_eq!([TerrainList::GeoJson, TerrainList::TerrainBuilder, TerrainList::Lbt].map(lines), [2; 3]);
        assert!(matches!(write("modle=tree*", TerrainList::Lbt, &options), Err(Error::Query(_))));
    }

    #[test]
    fn points_are_at_the_origin_of_the_options() {
        let options = TerrainListOptions::default().with_origin(Some([100.0, 200.0]));
        let text = write("model=house*", TerrainList::GeoJson, &options).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let point = &json["features"][0]["geometry"]["coordinates"];
        assert_eq!((point[0].as_f64(), point[1].as_f64()), (Some(102.0), Some(205.0)), "{text}");
    }

    #[test]
    fn centres_are_a_table_or_a_library() {
        let table = b"model,cx,cy,cz\ntree.p3d,0,1,0\n";
        assert!(read_model_centres("centres.csv", table).is_ok());
        let error = read_model_centres("centres.TML", table).unwrap_err();
        assert_eq!(error.to_string(), "line 1: not a template library: <Library> is missing");
    }
}
