//! The terrain of a scene as a map: from north to south, from west to east.

use std::borrow::Cow;

use mapwright_scene::{Content, Heights, Losses, Scene, Terrain, TerrainId, Transform};

use super::crs::Crs;
use crate::{Error, ErrorKind};

/// A terrain with its position on the map.
pub(super) struct Grid<'a> {
    pub(super) columns: u32,
    pub(super) rows: u32,
    /// Heights in the order of the scene. [`rows`](Self::rows) reverses them.
    pub(super) heights: Cow<'a, Heights>,
    south_first: bool,
    /// Distance between points, east and north; positive. In units of the coordinate reference system.
    pub(super) spacing: [f64; 2],
    /// East and north of the south-western point, in the same unit.
    pub(super) corner: [f64; 2],
    pub(super) crs: Option<Crs>,
    /// The path of the terrain in the scene.
    pub(super) path: String,
}

impl<'a> Grid<'a> {
    /// Finds the terrain with a name, or the first one. Other terrains are reported as losses.
    pub(super) fn new(
        scene: &'a Scene,
        name: Option<&str>,
        origin: [f64; 2],
        losses: &mut Losses,
    ) -> Result<Self, Error> {
        let (id, terrain, world) = choose(scene, name)?;
        for other in scene.terrains.ids().filter(|&other| other != id) {
            losses.dropped(format!("terrains[{}]", other.index()), "another terrain");
        }
        let path = format!("terrains[{}]", id.index());
        let [columns, rows] = terrain.size;
        if columns == 0 || rows == 0 {
            return Err(Error::on_path(ErrorKind::Unsupported("a terrain without points".into()), path));
        }
        if !terrain.name.is_empty() {
            losses.dropped(format!("{path}.name"), format!("name {:?}", terrain.name));
        }
        for (node, of) in scene.nodes.iter().filter(|(_, node)| node.content == Content::Terrain(id)) {
            if !of.name.is_empty() && of.name != terrain.name {
                losses.dropped(format!("nodes[{}].name", node.index()), format!("name {:?}", of.name));
            }
        }
        if !terrain.cells.is_empty() {
            losses.dropped(format!("{path}.cells"), "texture cells");
        }
        if terrain.diagonal != mapwright_scene::Diagonal::default() {
            losses.dropped(format!("{path}.diagonal"), "the diagonals of quads");
        }
        let mut grid = Self {
            columns,
            rows,
            heights: Cow::Borrowed(&terrain.heights),
            south_first: false,
            spacing: [1.0; 2],
            corner: [0.0; 2],
            crs: Crs::from_scene(scene),
            path,
        };
        let place = Upright::from_transform(&world).unwrap_or_else(|| {
            losses.dropped(&grid.path, "rotation and shear: written in its own space");
            Upright { scale: [1.0; 3], place: [0.0; 3] }
        });
        grid.set_position(terrain, &place, origin, losses)?;
        if let Some(crs) = &grid.crs {
            let metres = crs.metres * scene.metres_per_unit.map_or(1.0, f64::recip);
            grid.spacing = grid.spacing.map(|length| divide(length, metres));
            grid.corner = grid.corner.map(|length| divide(length, metres));
        }
        Ok(grid)
    }

    /// Makes the distances positive, and sets the position.
    fn set_position(
        &mut self,
        terrain: &Terrain,
        at: &Upright,
        origin: [f64; 2],
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let [step_x, step_z] = [terrain.spacing[0] * at.scale[0], terrain.spacing[1] * at.scale[2]];
        self.spacing = [step_x.abs(), step_z.abs()];
        self.south_first = step_z < 0.0;
        let across = |count: u32, step: f64| f64::from(count.saturating_sub(1)) * step;
        let west = at.place[0] + across(self.columns, step_x).min(0.0);
        let south = at.place[2] + across(self.rows, step_z).max(0.0);
        self.corner = [origin[0] + west, origin[1] - south];
        for number in self.spacing.iter().chain(&self.corner) {
            if !number.is_finite() {
                return Err(Error::on_path(ErrorKind::NotFinite(*number), &self.path));
            }
        }
        if self.spacing.contains(&0.0) {
            return Err(Error::on_path(ErrorKind::NotFinite(0.0), format!("{}.spacing", self.path)));
        }
        if at.scale[1] != 1.0 || at.place[1] != 0.0 {
            self.heights = Cow::Owned(moved(&self.heights, at.scale[1], at.place[1]));
            losses.approximated(format!("{}.heights", self.path), "transformed with their node, and rounded");
        }
        if step_x < 0.0 {
            let columns = self.columns as usize;
            match self.heights.to_mut() {
                Heights::F32(heights) => heights.chunks_exact_mut(columns).for_each(<[f32]>::reverse),
                Heights::Steps { values, .. } => values.chunks_exact_mut(columns).for_each(<[i16]>::reverse),
            }
        }
        if step_x < 0.0 || !self.south_first {
            losses.approximated(
                format!("{}.spacing", self.path),
                "the order of rows and columns: read again as south to north, west to east",
            );
        }
        Ok(())
    }

    /// Iterates over the rows of values, in the order of the heights, from north to south.
    pub(super) fn rows<'v, T>(&self, values: &'v [T]) -> impl Iterator<Item = &'v [T]> {
        rows(values, self.columns, self.rows, self.south_first)
    }

    /// Returns the north coordinate of the northern row.
    pub(super) fn north(&self) -> f64 {
        f64::from(self.rows.saturating_sub(1)).mul_add(self.spacing[1], self.corner[1])
    }

    /// Returns the path of the heights in the scene.
    pub(super) fn heights_path(&self) -> String {
        format!("{}.heights", self.path)
    }
}

/// Divides a length, and removes the error of a multiplication by the same factor.
fn divide(length: f64, factor: f64) -> f64 {
    let exact = length / factor;
    let rounded = (exact * 1e6).round() / 1e6;
    if (exact - rounded).abs() <= exact.abs() * 1e-15 { rounded } else { exact }
}

/// Iterates over the rows of a grid from north to south.
pub(super) fn rows<T>(values: &[T], columns: u32, rows: u32, south_first: bool) -> impl Iterator<Item = &[T]> {
    let (columns, rows) = (columns as usize, rows as usize);
    (0..rows).map(move |row| {
        let row = if south_first { rows - 1 - row } else { row };
        let start = row.saturating_mul(columns);
        values.get(start..start.saturating_add(columns)).unwrap_or_default()
    })
}

/// Returns the terrain and its transform.
pub(super) fn choose<'a>(scene: &'a Scene, name: Option<&str>) -> Result<(TerrainId, &'a Terrain, Transform), Error> {
    let shown = scene.walk().filter_map(|visit| match visit.node.content {
        Content::Terrain(id) => Some((visit.visible, visit.node, id, scene.terrains.get(id)?, visit.world)),
        _ => None,
    });
    let mut shown = shown.filter(|(visible, node, _, terrain, _)| match name {
        Some(name) => terrain.name == name || node.name == name,
        None => *visible,
    });
    if let Some((_, _, id, terrain, world)) = shown.next() {
        return Ok((id, terrain, world));
    }
    // A terrain without a node is a terrain, too.
    let mut stored = scene.terrains.iter().filter(|(_, terrain)| name.is_none_or(|name| terrain.name == name));
    stored.next().map(|(id, terrain)| (id, terrain, Transform::IDENTITY)).ok_or_else(|| {
        let names = scene.terrains.iter().map(|(_, terrain)| terrain.name.clone()).collect();
        Error::on_path(ErrorKind::NoTerrain { wanted: name.map(str::to_owned), names }, "terrains")
    })
}

/// A transform of only translation and scales along the axes.
struct Upright {
    scale: [f64; 3],
    place: [f64; 3],
}

impl Upright {
    fn from_transform(transform: &Transform) -> Option<Self> {
        let [x, y, z, place] = transform.matrix();
        let sides = [x[1], x[2], y[0], y[2], z[0], z[1]];
        let scale = [x[0], y[1], z[2]];
        let upright = sides.iter().all(|side| *side == 0.0) && scale.iter().all(|scale| *scale != 0.0);
        upright.then_some(Self { scale, place: [place[0], place[1], place[2]] })
    }
}

/// Transforms heights to the space around their node.
#[allow(clippy::cast_possible_truncation)] // To the nearest 32-bit float.
fn moved(heights: &Heights, scale: f64, offset: f64) -> Heights {
    match heights {
        Heights::Steps { step, values } if offset == 0.0 => {
            Heights::Steps { step: step * scale, values: values.clone() }
        }
        heights => {
            let all = (0..heights.len()).filter_map(|index| heights.get(index));
            Heights::F32(all.map(|height| height.mul_add(scale, offset) as f32).collect())
        }
    }
}
