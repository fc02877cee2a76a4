//! Terrains as meshes of chunks, with their water.

mod chunk;
mod field;

use mapwright_io::format_count;
use mapwright_scene::{Terrain, TerrainId, Wrap};

use super::{
    Writer, push,
    vertices::{Geometry, PLACED, single},
};
use crate::{
    Error, ErrorKind,
    gltf::{
        Container, ExportOptions,
        json::{self, Extras, Pbr, Primitive},
    },
};
use chunk::Chunk;
use field::Field;
pub(super) use field::height;

/// Quads along a side of a chunk. Its vertices have 16-bit indices, and viewers can skip chunks that are not visible.
const CHUNK: u32 = 128;

/// Number of words before the texture coordinates of a vertex.
const FIRST_UV: usize = 6;

/// Minimum bytes of a quad: a vertex and six indices.
const QUAD: u64 = 4 * FIRST_UV as u64 + 12;

/// A written terrain.
#[derive(Default)]
pub(super) struct Shown {
    chunks: Vec<Part>,
    water: Option<Part>,
}

/// A mesh and its position.
struct Part {
    name: String,
    mesh: u32,
    translation: [f64; 3],
}

/// Returns the minimum number of bytes for a terrain: vertices and triangles of its quads.
///
/// # Errors
/// If the container cannot store that many.
pub(super) fn least_bytes(terrain: &Terrain, options: &ExportOptions, path: &str) -> Result<u64, Error> {
    let [columns, rows] = Field::new(terrain, options.terrain_step).map_or([0; 2], |field| field.quads());
    let least = u64::from(columns).saturating_mul(rows.into()).saturating_mul(QUAD);
    let limit = u64::from(u32::MAX);
    if options.container == Container::Glb && least > limit {
        return Err(Error::on_path(ErrorKind::Limit { what: "bytes of a terrain in one file", limit }, path));
    }
    Ok(least)
}

impl Writer<'_> {
    /// Writes a terrain directly from its heights.
    pub(super) fn terrain(&mut self, terrain: &Terrain, path: &str) -> Result<Shown, Error> {
        let mut shown = Shown::default();
        let step = self.options.terrain_step;
        let Some(field) = Field::new(terrain, step) else {
            self.losses.dropped(path, "a heightmap of fewer than two rows or columns");
            return Ok(shown);
        };
        let [columns, rows] = field.quads();
        let too_far = |number| Error::on_path(ErrorKind::NotFinite(number), path);
        let extent = field.plane([columns, rows]);
        if let Some(&number) = extent.iter().find(|number| !single(**number).is_finite()) {
            return Err(too_far(number));
        }
        let infinite = field.infinite();
        if infinite > 0 {
            self.losses.repaired(path, format!("{}: set to 0", format_count(infinite, "non-finite height")));
        }
        if step > 1 {
            self.losses.approximated(path, format!("only one of {step} heights along each side"));
        }
        let materials = self.terrain_materials(terrain);
        let is_whole = columns <= CHUNK && rows <= CHUNK;
        let mut rounded = false;
        for (z, row) in (0_u32..).zip((0..rows).step_by(CHUNK as usize)) {
            for (x, column) in (0_u32..).zip((0..columns).step_by(CHUNK as usize)) {
                let size = [CHUNK.min(columns - column), CHUNK.min(rows - row)];
                let mut chunk = Chunk::new(&field, [column, row], size);
                let translation = chunk.origin();
                let mut primitives = Vec::new();
                for quads in chunk.quads(&materials).chunk_by(|a, b| a.material == b.material) {
                    let material = quads.first().and_then(|quad| quad.material);
                    let material = material.and_then(|index| self.places.materials.get(index).copied().flatten());
                    let needed = material.map_or(0, |material| material.uv_sets);
                    let uv_sets = needed.max(usize::from(field.has_cells()));
                    let surface = chunk.surface(quads, uv_sets).map_err(too_far)?;
                    rounded |= surface.rounded;
                    let width = FIRST_UV + 2 * uv_sets;
                    let geometry = Geometry { words: surface.words, width, indices: surface.indices };
                    let names = (0..uv_sets).map(|set| (format!("TEXCOORD_{set}"), FIRST_UV + 2 * set, "VEC2"));
                    let names =
                        PLACED.map(|(name, first, shape)| (name.to_owned(), first, shape)).into_iter().chain(names);
                    let tangents = material.and_then(|material| material.normal_map).map(|set| FIRST_UV + 2 * set);
                    let (attributes, indices) = self.geometry(geometry, names, tangents);
                    let material = material.map(|material| material.index);
                    primitives.push(Primitive { attributes, indices: Some(indices), material, ..Primitive::default() });
                }
                let name = if is_whole { terrain.name.clone() } else { format!("{} {x},{z}", terrain.name) };
                let mesh = json::Mesh { name: name.clone(), primitives, extras: Extras::default() };
                shown.chunks.push(Part { name, mesh: push(&mut self.root.meshes, mesh), translation });
            }
        }
        if rounded {
            self.losses.approximated(path, "positions rounded to 32 bits");
        }
        if let Some(level) = terrain.sea_level.filter(|&level| single(level).is_finite()) {
            shown.water = Some(self.water(extent, level, path));
        }
        Ok(shown)
    }

    /// Returns the material of the scene for each entry of a terrain's materials, and `true` if its textures end with the cell.
    fn terrain_materials(&self, terrain: &Terrain) -> Vec<(Option<usize>, bool)> {
        let each = terrain.materials.iter().map(|&id| {
            let textures = id.and_then(|id| self.scene.materials.get(id)).map(|material| material.textures.as_slice());
            let ends = textures.unwrap_or_default().iter().any(|slot| slot.wrap != [Wrap::Repeat; 2]);
            (id.map(mapwright_scene::Id::index), ends)
        });
        each.collect()
    }

    /// Creates a translucent rectangle over a whole terrain.
    fn water(&mut self, [x, z]: [f64; 2], level: f64, path: &str) -> Part {
        self.losses.synthesized(path, "a rectangle for the water");
        let material = *self.places.water.get_or_insert_with(|| {
            let base_color_factor = Some([0.02, 0.1, 0.15, 0.6]);
            let (metallic_factor, roughness_factor) = (Some(0.0), Some(0.1));
            let pbr = Pbr { base_color_factor, metallic_factor, roughness_factor, ..Pbr::default() };
            let material = json::Material {
                name: "water".into(),
                pbr_metallic_roughness: Some(pbr),
                alpha_mode: Some("BLEND".into()),
                double_sided: true,
                ..json::Material::default()
            };
            push(&mut self.root.materials, material)
        });
        let corners = [[0.0, 0.0], [0.0, z], [x, z], [x, 0.0]];
        let rows = corners.map(|[x, z]| [single(x), 0.0, single(z), 0.0, 1.0, 0.0].map(f32::to_bits));
        let indices = if (x < 0.0) == (z < 0.0) { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
        let geometry = Geometry { words: rows.as_flattened().to_vec(), width: FIRST_UV, indices: indices.to_vec() };
        let (attributes, indices) = self.geometry(geometry, PLACED, None);
        let primitive =
            Primitive { attributes, indices: Some(indices), material: Some(material), ..Primitive::default() };
        let mesh = json::Mesh { name: "water".into(), primitives: vec![primitive], extras: Extras::default() };
        let mesh = push(&mut self.root.meshes, mesh);
        Part { name: "water".into(), mesh, translation: [0.0, level, 0.0] }
    }

    /// Attaches a terrain to a node: one chunk to the node itself, several to child nodes. Water is always on a child node.
    pub(super) fn show_terrain(&mut self, id: TerrainId, out: &mut json::Node) {
        let Some(shown) = self.places.terrains.get(id.index()) else { return };
        let mut below = shown.chunks.as_slice();
        if let [only] = below {
            out.mesh = Some(only.mesh);
            below = &[];
        }
        for part in below.iter().chain(&shown.water) {
            let node = json::Node {
                name: part.name.clone(),
                mesh: Some(part.mesh),
                translation: Some(part.translation).filter(|translation| *translation != [0.0; 3]),
                ..json::Node::default()
            };
            out.children.push(self.places.node_count.saturating_add(push(&mut self.places.below, node)));
        }
    }
}
