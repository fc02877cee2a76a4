//! Variants into each other.
//!
//! | from → to | exact | computed | lost, and reported |
//! |---|---|---|---|
//! | 4WVR → 8WVR | heights, matrices, numbers, names | both grids are the old one; slot 0 and empty slots become materials without a name; objects that fit to the ground get its height | bytes behind names and lists, the name of the sea |
//! | 8WVR → 4WVR | matrices, numbers | heights in steps of 0.045 m; one grid ([`Grid`]) | heights beyond ±1474.5 m, materials beyond 511, long names, sets of several files, the size of cells |
//! | 1WVR to 3WVR → 4WVR | heights, textures, names | numbers; matrices of upright objects | roads of 1WVR |
//! | OPRW → 4WVR, 8WVR | materials, models, numbers; heights as above | objects ordered by number since version 10 | what the game computed beforehand |
//!
//! From 4WVR to 8WVR and back nothing changes but what is reported on the way.

mod wvr;
mod wvr8;

use std::borrow::Cow;

use mapwright_io::FixedBytes;

use crate::document::{Document, Name, Objects, Wvr};
use crate::loss::{Export, LossKind, Report};
use crate::{Matrix, Placements, Wvr8};

/// How to convert.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// Which of two grids becomes the one of 4WVR.
    pub grid: Grid,
}

/// Which of two grids becomes the one of 4WVR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Grid {
    /// That of the heights: materials are repeated on the finer grid.
    #[default]
    Terrain,
    /// That of the materials: as many heights are left out, as the game does where it thins a terrain.
    Land,
}

impl ConvertOptions {
    /// Changes [`grid`](Self::grid).
    #[must_use]
    pub fn with_grid(mut self, grid: Grid) -> Self {
        self.grid = grid;
        self
    }
}

impl Document {
    /// The same terrain as 4WVR.
    pub fn to_wvr4(&self, options: &ConvertOptions) -> Export<Wvr> {
        let mut report = Report::default();
        let document = match self {
            Self::Wvr(terrain) => wvr::renew(terrain, &mut report),
            Self::Wvr8(_) | Self::Oprw(_) => wvr::make(&Parts::of(self, &mut report), options, &mut report),
        };
        Export { document, losses: report.0 }
    }

    /// The same terrain as 8WVR.
    pub fn to_wvr8(&self) -> Export<Wvr8> {
        let mut report = Report::default();
        let document = match self {
            Self::Wvr8(terrain) => terrain.clone(),
            Self::Wvr(_) | Self::Oprw(_) => wvr8::make(&Parts::of(self, &mut report), &mut report),
        };
        Export { document, losses: report.0 }
    }
}

/// What variants have in common.
struct Parts<'a> {
    /// The size of the material grid, and of the height grid.
    land: [u32; 2],
    terrain: [u32; 2],
    /// Metres of a cell of the material grid.
    cell: f32,
    heights: Cow<'a, [f32]>,
    cells: Cow<'a, [u16]>,
    /// Empty where a place in the list has none.
    materials: Vec<&'a [u8]>,
    objects: Cow<'a, Objects>,
}

impl<'a> Parts<'a> {
    fn of(document: &'a Document, report: &mut Report) -> Self {
        match document {
            Document::Wvr(terrain) => Self::of_wvr(terrain, report),
            Document::Wvr8(terrain) => {
                let several = terrain.materials.iter().filter(|names| names.len() > 1).count();
                report.count(LossKind::Approximated, "materials", several, "of several files, by the first");
                left(&terrain.after, report);
                let odd = terrain.sentinel.is_some_and(|sentinel| sentinel.followed_by > 0);
                report.count(LossKind::Approximated, "sentinel", odd.into(), "before the last object, at the end");
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
                let what =
                    "what the game computed beforehand: geography, sounds, summits, roads, map, hints for drawing";
                report.add(LossKind::Dropped, "", what);
                let mut objects = Cow::Borrowed(&terrain.objects);
                if terrain.version.0 >= 10 {
                    objects = Cow::Owned(by_id(&terrain.objects));
                }
                left(&terrain.after, report);
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

    fn of_wvr(terrain: &'a Wvr, report: &mut Report) -> Self {
        let sea =
            terrain.names.first().filter(|_| terrain.is_sea(0)).map(FixedBytes::text).filter(|name| !name.is_empty());
        if let Some(name) = sea {
            let name = mapwright_io::escape(name);
            report.add(LossKind::Dropped, "names", format!("\"{name}\" in slot 0, the sea: a material without a name"));
        }
        let residue = terrain.names.iter().filter(|name| name.residue().iter().any(|&byte| byte != 0)).count();
        report.count(LossKind::Dropped, "names", residue, "names with bytes behind them: those bytes");
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
            objects: Cow::Owned(wvr::objects(terrain, report)),
        }
    }

    /// Metres between vertices.
    fn step(&self) -> f32 {
        let ([land, _], [terrain, _]) = (self.land, self.terrain);
        if land == terrain || terrain == 0 {
            return self.cell;
        }
        crate::steps::narrow(crate::document::step(self.cell, self.land, self.terrain)[0])
    }
}

fn left(after: &[u8], report: &mut Report) {
    report.count(LossKind::Dropped, "after", after.len(), "bytes at the end");
}

/// Objects ordered by their numbers; numbers count without a sign.
fn by_id(objects: &Objects) -> Objects {
    let mut order: Vec<usize> = (0..objects.len()).collect();
    order.sort_by_key(|&place| objects.ids.get(place).map(|id| id.cast_unsigned()));
    let Placements::Matrices(matrices) = &objects.placements else { return objects.clone() };
    Objects {
        models: objects.models.clone(),
        model: order.iter().filter_map(|&place| objects.model.get(place).copied()).collect(),
        placements: Placements::Matrices(order.iter().filter_map(|&place| matrices.get(place).copied()).collect()),
        ids: order.iter().filter_map(|&place| objects.ids.get(place).copied()).collect(),
    }
}

/// Objects with every name made clean by `clean`; those for whose name it gives nothing are left out. Objects of models that the
/// file does not name are left out, too.
fn with_names(objects: &Objects, report: &mut Report, clean: impl Fn(&Name, &mut Report) -> Option<Name>) -> Objects {
    let mut builder = crate::Builder::default();
    let counts = objects.counts();
    let models = objects.models.iter().zip(&counts);
    let names: Vec<Option<Name>> =
        models.map(|(name, count)| if *count == 0 { None } else { clean(name, report) }).collect();
    // Listed in the order of first use, as they are read again.
    let mut places: Vec<Option<u32>> = vec![None; names.len()];
    let Placements::Matrices(matrices) = &objects.placements else { return Objects::default() };
    let mut dropped = 0_usize;
    for ((model, matrix), id) in objects.model.iter().zip(matrices).zip(&objects.ids) {
        let model = usize::try_from(*model).unwrap_or(usize::MAX);
        match (names.get(model), places.get_mut(model)) {
            (Some(Some(name)), Some(place)) => {
                let place = *place.get_or_insert_with(|| builder.model(name));
                builder.push(place, *matrix, Some(*id));
            }
            _ => dropped = dropped.saturating_add(1),
        }
    }
    report.count(LossKind::Dropped, "objects", dropped, "of models without a name");
    builder.finish()
}

/// Objects that fit to the ground, at its height.
fn on_ground(matrices: &mut [Matrix], ground: &crate::Ground<'_>) -> usize {
    let mut moved = 0_usize;
    for matrix in matrices.iter_mut().filter(|matrix| matrix.fits_to_ground()) {
        let [x, _, z] = matrix.position;
        let surface = ground.at(f64::from(x), f64::from(z)).unwrap_or(0.0);
        matrix.position = [x, crate::steps::narrow(surface), z];
        moved = moved.saturating_add(1);
    }
    moved
}
