//! Converts a Tiled map to a scene.

mod layers;
mod objects;
mod tilesets;

use std::collections::HashMap;

use mapwright_io::format_count;
use mapwright_scene::{ColorSpace, FileSource, Import, Losses, NodeId, Scene, Transform};

use super::{
    ImportOptions,
    encode::{Incoming, loses_type},
    json,
    model::{Map, Property},
    names, xml,
};
use crate::{Error, ErrorKind, Position, error::malformed};

/// See [`super::to_scene`].
pub(super) fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let max_objects = options.max_objects_of(bytes);
    let map: Map = match bytes.trim_ascii_start().first() {
        Some(b'<') => xml::map(text(bytes)?, max_objects)?,
        Some(b'{') => json::read(bytes, max_objects)?,
        _ => return Err(not_tiled("neither XML nor JSON".into())),
    };
    if map.kind != "map" {
        return Err(not_tiled(format!("a file of type {:?}", map.kind)));
    }
    if !matches!(map.orientation.as_str(), "orthogonal" | "") {
        return Err(Error::on_path(ErrorKind::Unsupported(format!("{} orientation", map.orientation)), "orientation"));
    }
    let mut reader = Reader {
        files,
        options,
        left: options.max_bytes,
        size: [map.width, map.height],
        tile_size: [map.tilewidth, map.tileheight],
        sets: Vec::new(),
        owners: HashMap::new(),
        early: Vec::new(),
        last_layer: 0,
        assigned_ids: Vec::new(),
        scene: Scene::default(),
        losses: Losses::new(),
    };
    if map.backgroundcolor {
        reader.losses.dropped("backgroundcolor", "background colour of the map");
    }
    if [map.parallaxoriginx, map.parallaxoriginy] != [0.0; 2] {
        reader.losses.dropped("parallaxorigin", "the origin of the parallax");
    }
    if !matches!(map.renderorder.as_str(), "" | "right-down") {
        reader.losses.dropped("renderorder", format!("the render order {:?}", map.renderorder));
    }
    if map.editorsettings {
        reader.losses.dropped("editorsettings", "the settings of the editor");
    }
    reader.report_class(&map.class, "");
    let mut own = reader.properties(map.properties, "properties");
    reader.scene.name = own.text("name").unwrap_or_default();
    reader.scene.metres_per_unit = own.float("metres_per_unit").filter(|metres| metres.is_finite() && *metres > 0.0);
    if own.flag("linear_colors") == Some(true) {
        reader.scene.color_space = ColorSpace::Linear;
    }
    reader.assigned_ids = own.text(names::ASSIGNED_IDS).map(|runs| parse_runs(&runs)).unwrap_or_default();
    [reader.scene.properties, _] = own.into_remaining();
    for (index, set) in map.tilesets.into_iter().enumerate() {
        reader.tile_set(set, index)?;
    }
    reader.sort_sets()?;
    reader.layers(map.layers, None, "")?;
    reader.add_late_groups()?;
    Ok(Import { scene: reader.scene, losses: reader.losses })
}

fn text(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|error| {
        let text = "invalid UTF-8: other encodings are not supported";
        malformed("", text).at(Position::file(error.valid_up_to() as u64))
    })
}

fn not_tiled(found: String) -> Error {
    Error::without_position(ErrorKind::NotTheFormat { format: "Tiled", found, expected: "a map" })
}

struct Reader<'a> {
    files: &'a dyn FileSource,
    options: &'a ImportOptions,
    /// Number of bytes that may still be created.
    left: u64,
    /// Size of the map.
    size: [u32; 2],
    tile_size: [u32; 2],
    sets: Vec<tilesets::Set>,
    /// The tile layers so far, by the names that their object groups get when written. Of several with one name, the last.
    owners: HashMap<String, NodeId>,
    /// Object groups of tile layers that have not been read yet.
    early: Vec<layers::Early>,
    /// The id that the writer gives to the last layer.
    last_layer: u32,
    /// First and last id of each run of objects whose ids the scene did not contain, in ascending order.
    assigned_ids: Vec<[u32; 2]>,
    scene: Scene,
    losses: Losses,
}

impl Reader<'_> {
    /// Reads properties. Reports types that the scene cannot store.
    fn properties(&mut self, properties: Vec<Property>, path: &str) -> Incoming {
        let typed = properties.iter().filter(|property| loses_type(property)).count();
        if typed > 0 {
            let text = format!("types of {}: values without the type", format_count(typed, "property"));
            self.losses.approximated(path, text);
        }
        Incoming::new(properties)
    }

    fn report_class(&mut self, class: &str, path: &str) {
        if !class.is_empty() {
            self.losses.dropped(path, format!("the class {class:?}"));
        }
    }

    /// Subtracts bytes from the limit.
    fn spend(&mut self, bytes: u64, path: &str) -> Result<(), Error> {
        let limit = ErrorKind::Limit { what: "bytes of cells and images", limit: self.options.max_bytes };
        self.left = self.left.checked_sub(bytes).ok_or_else(|| Error::on_path(limit, path))?;
        Ok(())
    }
}

/// Parses runs of numbers, such as `0-5,7`, and sorts them.
fn parse_runs(text: &str) -> Vec<[u32; 2]> {
    let run = |run: &str| {
        let (first, last) = run.split_once('-').unwrap_or((run, run));
        Some([first.trim().parse().ok()?, last.trim().parse().ok()?])
    };
    let mut runs: Vec<[u32; 2]> = text.split(',').filter_map(run).collect();
    runs.sort_unstable();
    runs
}

/// Returns the transform of a node from x and y of Tiled and from its properties, and `true` if all numbers are finite.
fn read_transform(x: f64, y: f64, depth: &'static str, own: &mut Incoming) -> (Transform, bool) {
    let [x, y, z] =
        [exact(x, own.float("exact_x")), 0.0 - exact(y, own.float("exact_y")), own.float(depth).unwrap_or(0.0)];
    let rest = own.floats("transform");
    let are_numbers = [x, y, z].iter().chain(rest.iter().flatten()).all(|number| number.is_finite())
        && matches!(rest.as_deref(), None | Some(&[_, _, _, _, _, _, _] | &[_, _, _, _, _, _, _, _, _]));
    let [x, y, z] = [x, y, z].map(finite);
    let transform = match rest.as_deref().filter(|numbers| numbers.iter().all(|number| number.is_finite())) {
        Some(&[rx, ry, rz, rw, sx, sy, sz]) => {
            Transform::Trs { translation: [x, y, z], rotation: [rx, ry, rz, rw], scale: [sx, sy, sz] }
        }
        Some(&[a, b, c, d, e, f, g, h, i]) => {
            Transform::Matrix([[a, b, c, 0.0], [d, e, f, 0.0], [g, h, i, 0.0], [x, y, z, 1.0]])
        }
        _ => Transform::translation([x, y, z]),
    };
    (transform, are_numbers)
}

/// Returns the exact number of an attribute, if the attribute still equals the rounded number.
fn exact(rounded: f64, exact: Option<f64>) -> f64 {
    let is_rounded = |exact: &f64| {
        exact.is_finite()
            && [
                rounded == *exact,
                format!("{exact:.5e}").parse() == Ok(rounded),
                format!("{exact:.14e}").parse() == Ok(rounded),
            ]
            .contains(&true)
    };
    exact.filter(is_rounded).unwrap_or(rounded)
}

/// Replaces numbers that are not finite by 0.
fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

/// Loss text for numbers that are not finite.
const NO_NUMBER: &str = "number that is not finite: read as 0";
