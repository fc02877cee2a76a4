//! The summary of a terrain.

use mapwright_wrp::io::escape_bytes;
use mapwright_wrp::{Document, Matrix};
use serde::Serialize;

/// A summary of a terrain. Texts are encoded as by [`escape_bytes`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WrpInfo {
    /// The variant: `4WVR`, `OPRW 25`.
    pub variant: String,
    /// The games that use this version of OPRW, if known.
    pub games: Option<&'static str>,
    /// The program that wrote the file, if its traces identify one.
    pub program: Option<&'static str>,
    /// Number of heights from west to east, and from south to north.
    pub heights: [u32; 2],
    /// Number of texture cells from west to east, and from south to north.
    pub cells: [u32; 2],
    /// Size of a texture cell in metres. 1WVR to 4WVR do not store it; the options of reading do.
    pub cell: f32,
    /// Extent from west to east, and from south to north, in metres.
    pub extent: [f64; 2],
    /// The lowest and the highest height in metres, rounded to millimetres. `None` if there are no finite heights.
    pub range: Option<[f64; 2]>,
    /// Number of heights below sea level.
    pub below_sea: usize,
    /// Number of textures or materials that the file names.
    pub materials: usize,
    /// Number of objects.
    pub objects: usize,
    /// Number of objects that the game places on the ground.
    pub fit_to_ground: usize,
    /// Objects by model, the most frequent first.
    pub models: Vec<WrpModel>,
    /// Number of names of textures and models with residual bytes after them.
    pub residue: usize,
    /// The end of the list of objects.
    pub end: &'static str,
    /// Bytes after the list of objects.
    pub bytes_after: usize,
    /// Number of roads.
    pub roads: usize,
}

/// The number of objects with a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrpModel {
    /// The model.
    pub model: String,
    /// Number of objects.
    pub count: usize,
}

impl WrpInfo {
    /// Summarizes a terrain.
    pub fn new(document: &Document) -> Self {
        let ground = document.ground();
        // Steps of 0.045 m are not exact in single precision.
        let rounded = |height: f32| (f64::from(height) * 1000.0).round() / 1000.0;
        let finite = || ground.heights.iter().filter(|height| height.is_finite());
        let range = [finite().reduce(f32::min), finite().reduce(f32::max)];
        let objects = document.objects();
        let mut models: Vec<WrpModel> = objects
            .models
            .iter()
            .zip(objects.counts())
            .map(|(name, count)| WrpModel { model: escape_bytes(&name.bytes), count })
            .collect();
        models.sort_by_key(|model| std::cmp::Reverse(model.count));
        let residue = objects.models.iter().filter(|name| !name.rest.is_empty()).count();
        let fits = |object: mapwright_wrp::Object<'_>| match object.placement {
            mapwright_wrp::Placement::Matrix(matrix) => matrix.fits_to_ground(),
            mapwright_wrp::Placement::Heading(_) => true,
        };
        let (cells, cell, materials, slots, games) = match document {
            Document::Wvr(terrain) => {
                let named = terrain.names.iter().filter(|name| !name.text().is_empty()).count();
                let stale = terrain.names.iter().filter(|name| name.residue().iter().any(|&byte| byte != 0)).count();
                (terrain.size, terrain.cell, named, stale, None)
            }
            Document::Wvr8(terrain) => (terrain.land, terrain.cell, terrain.materials.len(), 0, None),
            Document::Oprw(terrain) => (terrain.land, terrain.cell, terrain.materials.len(), 0, terrain.version.name()),
        };
        let (end, after, roads) = list_end(document);
        Self {
            variant: document.variant(),
            games,
            program: document.program(),
            heights: ground.size,
            cells,
            cell,
            extent: document.extent(),
            range: match range {
                [Some(low), Some(high)] => Some([rounded(low), rounded(high)]),
                _ => None,
            },
            below_sea: finite().filter(|height| *height < 0.0).count(),
            materials,
            objects: objects.len(),
            fit_to_ground: objects.iter().filter(|object| fits(*object)).count(),
            models,
            residue: residue + slots,
            end,
            bytes_after: after,
            roads,
        }
    }
}

fn list_end(document: &Document) -> (&'static str, usize, usize) {
    match document {
        Document::Wvr(terrain) => {
            let end = match &terrain.terminator {
                None => "with the file",
                Some(record) if record.iter().all(|&byte| byte == 0) => "a record of zeros",
                Some(_) => "a record without a name, with old bytes",
            };
            (end, terrain.after.len(), terrain.nets.as_ref().map_or(0, |nets| nets.nets.len()))
        }
        Document::Wvr8(terrain) => {
            let usual = |matrix: &Matrix| *matrix == mapwright_wrp::Sentinel::new().matrix;
            let end = match &terrain.sentinel {
                None => "with the file",
                Some(sentinel) if usual(&sentinel.matrix) => "a sentinel",
                Some(_) => "an unusual sentinel",
            };
            (end, terrain.after.len(), 0)
        }
        Document::Oprw(terrain) => ("as its sizes say", terrain.after.len(), terrain.roads.len()),
    }
}
