//! Conversion between variants.
//!
//! | from → to | exact | computed | lost, and reported |
//! |---|---|---|---|
//! | 4WVR → 8WVR | heights, matrices, IDs, names | both grids equal the old one; slot 0 and empty slots become unnamed materials; objects that fit to the ground get its height | bytes after names and lists, the name of the sea |
//! | 8WVR → 4WVR | matrices, IDs | heights in steps of 0.045 m; one grid ([`Grid`]) | heights beyond ±1474.5 m, materials beyond 511, long names, materials of several files, the cell size |
//! | 1WVR to 3WVR → 4WVR | heights, textures, names | IDs; matrices of upright objects | roads of 1WVR |
//! | OPRW → 4WVR, 8WVR | materials, models, IDs; heights as above | objects ordered by ID since version 10 | precomputed data |
//!
//! A conversion from 4WVR to 8WVR and back changes nothing except the reported losses.

mod wvr;
mod wvr8;

use std::borrow::Cow;

use mapwright_io::FixedBytes;

use crate::document::{Document, Name, Objects, Wvr};
use crate::loss::{Export, LossKind, OLD_NAMES, Report};
use crate::{Matrix, Placements, Wvr8};

mapwright_io::options! {
    /// Options for conversions.
    #[derive(Debug, Clone)]
    pub struct ConvertOptions {
        /// The grid that becomes the grid of 4WVR.
        pub grid: Grid = Grid::default(), with_grid;
    }
}

/// The grid that becomes the grid of 4WVR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Grid {
    /// The height grid. Materials are repeated on the finer grid.
    #[default]
    Terrain,
    /// The material grid. Intermediate heights are dropped, as the game does when it thins a terrain.
    Land,
}

impl Document {
    /// Converts the terrain to 4WVR.
    pub fn to_wvr4(&self, options: &ConvertOptions) -> Export<Wvr> {
        let mut report = Report::default();
        let document = match self {
            Self::Wvr(terrain) => wvr::upgrade(terrain, &mut report),
            Self::Wvr8(_) | Self::Oprw(_) => {
                wvr::from_parts(&Parts::from_document(self, &mut report), options, &mut report)
            }
        };
        Export { document, losses: report.0 }
    }

    /// Converts the terrain to 8WVR.
    pub fn to_wvr8(&self) -> Export<Wvr8> {
        let mut report = Report::default();
        let document = match self {
            Self::Wvr8(terrain) => terrain.clone(),
            Self::Wvr(_) | Self::Oprw(_) => wvr8::from_parts(&Parts::from_document(self, &mut report), &mut report),
        };
        Export { document, losses: report.0 }
    }
}

/// The content that all variants share.
struct Parts<'a> {
    /// Sizes of the material grid and of the height grid.
    land: [u32; 2],
    terrain: [u32; 2],
    /// Cell size of the material grid in metres.
    cell: f32,
    heights: Cow<'a, [f32]>,
    cells: Cow<'a, [u16]>,
    /// Material names, empty for unnamed materials.
    materials: Vec<&'a [u8]>,
    objects: Cow<'a, Objects>,
}

impl<'a> Parts<'a> {
    fn from_document(document: &'a Document, report: &mut Report) -> Self {
        match document {
            Document::Wvr(terrain) => Self::from_wvr(terrain, report),
            Document::Wvr8(terrain) => {
                let several = terrain.materials.iter().filter(|names| names.len() > 1).count();
                report.count(
                    LossKind::Approximated,
                    "materials",
                    several,
                    [
                        "material of several files: only the first is stored",
                        "materials of several files: only the first is stored",
                    ],
                );
                report_trailing_bytes(&terrain.after, report);
                let is_inside = terrain.sentinel.is_some_and(|sentinel| sentinel.followed_by > 0);
                report.count(
                    LossKind::Approximated,
                    "sentinel",
                    is_inside.into(),
                    ["sentinel moved to the end of the objects", "sentinel moved to the end of the objects"],
                );
                Self {
                    land: terrain.land,
                    terrain: terrain.terrain,
                    cell: terrain.cell,
                    heights: Cow::Borrowed(&terrain.heights),
                    cells: Cow::Borrowed(&terrain.cells),
                    materials: terrain
                        .materials
                        .iter()
                        .map(|names| names.first().map_or(&[][..], Vec::as_slice))
                        .collect(),
                    objects: Cow::Borrowed(&terrain.objects),
                }
            }
            Document::Oprw(terrain) => {
                let what = "precomputed data: geography, sounds, peaks, roads, map, drawing hints";
                report.add(LossKind::Dropped, "", what);
                let mut objects = Cow::Borrowed(&terrain.objects);
                if terrain.version.0 >= 10 {
                    objects = Cow::Owned(sort_by_id(&terrain.objects));
                }
                report_trailing_bytes(&terrain.after, report);
                Self {
                    land: terrain.land,
                    terrain: terrain.terrain,
                    cell: terrain.cell,
                    heights: Cow::Borrowed(&terrain.heights),
                    cells: Cow::Borrowed(&terrain.cells),
                    materials: terrain.materials.iter().map(|material| material.name.as_slice()).collect(),
                    objects,
                }
            }
        }
    }

    fn from_wvr(terrain: &'a Wvr, report: &mut Report) -> Self {
        let sea =
            terrain.names.first().filter(|_| terrain.is_sea(0)).map(FixedBytes::text).filter(|name| !name.is_empty());
        if let Some(name) = sea {
            let name = mapwright_io::escape_bytes(name);
            report.add(LossKind::Dropped, "names", format!("name \"{name}\" of slot 0 (the sea)"));
        }
        let residue = terrain.names.iter().filter(|name| name.residue().iter().any(|&byte| byte != 0)).count();
        report.count(LossKind::Dropped, "names", residue, OLD_NAMES);
        let materials = terrain.names.iter().map(FixedBytes::text);
        let mut materials: Vec<&[u8]> =
            materials.enumerate().map(|(slot, name)| if slot == 0 && terrain.is_sea(0) { &[] } else { name }).collect();
        let used = materials.iter().rposition(|name| !name.is_empty()).map_or(1, |last| last.saturating_add(1));
        materials.truncate(used);
        Self {
            land: terrain.size,
            terrain: terrain.size,
            cell: terrain.cell,
            heights: Cow::Owned(terrain.ground().heights.iter().collect()),
            cells: terrain.textures.iter().map(|index| index.cast_unsigned()).collect(),
            materials,
            objects: Cow::Owned(wvr::collect_objects(terrain, report)),
        }
    }

    /// Returns the distance between vertices in metres.
    fn vertex_spacing(&self) -> f32 {
        let ([land, _], [terrain, _]) = (self.land, self.terrain);
        if land == terrain || terrain == 0 {
            return self.cell;
        }
        crate::steps::to_f32(crate::document::vertex_spacing(self.cell, self.land, self.terrain)[0])
    }
}

fn report_trailing_bytes(after: &[u8], report: &mut Report) {
    report.count(LossKind::Dropped, "after", after.len(), ["trailing byte", "trailing bytes"]);
}

/// Orders objects by ID. IDs are compared as unsigned numbers. Columns of different lengths stay as they are.
fn sort_by_id(objects: &Objects) -> Objects {
    let rows = objects.len();
    let matrices = match &objects.placements {
        Placements::Matrices(matrices) if matrices.len() == rows && objects.ids.len() == rows => matrices,
        _ => return objects.clone(),
    };
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by_key(|&place| objects.ids.get(place).map(|id| id.cast_unsigned()));
    Objects {
        models: objects.models.clone(),
        model: order.iter().filter_map(|&place| objects.model.get(place).copied()).collect(),
        placements: Placements::Matrices(order.iter().filter_map(|&place| matrices.get(place).copied()).collect()),
        ids: order.iter().filter_map(|&place| objects.ids.get(place).copied()).collect(),
    }
}

/// Rebuilds objects with names changed by `clean`. Drops objects whose name it rejects, and objects without a model, a matrix or an ID.
fn rebuild_with_names(
    objects: &Objects,
    report: &mut Report,
    clean: impl Fn(&Name, &mut Report) -> Option<Name>,
) -> Objects {
    let mut builder = crate::Builder::default();
    let counts = objects.counts();
    let models = objects.models.iter().zip(&counts);
    let names: Vec<Option<Name>> =
        models.map(|(name, count)| if *count == 0 { None } else { clean(name, report) }).collect();
    // Models in the order of first use, as they are read again.
    let mut indices: Vec<Option<u32>> = vec![None; names.len()];
    let matrices = match &objects.placements {
        Placements::Matrices(matrices) => &matrices[..],
        Placements::Headings(_) => &[],
    };
    let complete = objects.len().min(matrices.len()).min(objects.ids.len());
    let incomplete = objects.len().saturating_sub(complete);
    let texts = ["object without a matrix or an ID", "objects without a matrix or an ID"];
    report.count(LossKind::Dropped, "objects", incomplete, texts);
    let mut dropped = 0_usize;
    for ((model, matrix), id) in objects.model.iter().zip(matrices).zip(&objects.ids) {
        let model = usize::try_from(*model).unwrap_or(usize::MAX);
        match (names.get(model), indices.get_mut(model)) {
            (Some(Some(name)), Some(index)) => {
                let index = *index.get_or_insert_with(|| builder.add_model(name));
                builder.push(index, *matrix, Some(*id));
            }
            _ => dropped = dropped.saturating_add(1),
        }
    }
    report.count(
        LossKind::Dropped,
        "objects",
        dropped,
        ["object without a model name", "objects without a model name"],
    );
    builder.finish()
}

/// Moves objects that fit to the ground to its height, and returns their number.
fn move_to_ground(matrices: &mut [Matrix], ground: &crate::Ground<'_>) -> usize {
    let mut moved = 0_usize;
    for matrix in matrices.iter_mut().filter(|matrix| matrix.fits_to_ground()) {
        let [x, _, z] = matrix.position;
        let surface = ground.height_at(f64::from(x), f64::from(z)).unwrap_or(0.0);
        matrix.position = [x, crate::steps::to_f32(surface), z];
        moved = moved.saturating_add(1);
    }
    moved
}
