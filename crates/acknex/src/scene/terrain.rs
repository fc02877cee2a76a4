//! Terrains → scenes.

use mapwright_scene as scene;
use mapwright_scene::{Content, Diagonal, Heights, Import, Losses, MaterialId, Node, Transform};

use super::geometry::{add_mesh, build_mesh, report_repairs};
use super::materials::add_skins;
use super::{Frames, ImportOptions, TerrainForm};
use crate::{Frame, Terrain, TerrainFrame};

/// Converts a terrain to a scene with one mesh or one heightmap, centred on the origin.
pub fn terrain_to_scene(terrain: &Terrain, options: &ImportOptions) -> Import {
    let mut import = Import::default();
    // The first skin covers the terrain. The engine repeats the second one; others belong to effects.
    let is_used: Vec<bool> = (0..terrain.skins.len()).map(|skin| skin == 0).collect();
    let materials = add_skins(&mut import, &terrain.skins, &is_used, options);
    report_repairs(&terrain.repairs, &mut import.losses);
    // A heightmap needs cells with a size.
    let fits_heightmap = terrain.mesh.is_none() && terrain.cell.iter().all(|side| *side != 0.0);
    if options.terrain == TerrainForm::Heightmap && fits_heightmap {
        add_heightmap(&mut import, terrain, materials.first().copied().flatten(), options);
        return import;
    }
    let is_grid = terrain.mesh.is_none();
    let mut mesh = terrain.to_mesh(if is_grid && options.frames == Frames::LeaveOut { options.frame } else { 0 });
    if is_grid && options.frames == Frames::MorphTargets {
        mesh.frames = terrain.frames.iter().enumerate().map(|(index, frame)| pose(terrain, frame, index)).collect();
    } else if is_grid {
        report_frames(terrain, "animation frames", &mut import.losses);
    }
    let mesh = build_mesh(&[mesh], &materials, options, &mut import.losses);
    add_mesh(&mut import, mesh);
    import
}

/// Returns the positions of an animation frame.
fn pose(terrain: &Terrain, frame: &TerrainFrame, index: usize) -> Frame {
    let positions = if index == 0 { Vec::new() } else { terrain.positions(index) };
    Frame { name: frame.name, vertices: Vec::new(), positions, turned_bones: 0 }
}

/// Reports the frames that are not shown.
fn report_frames(terrain: &Terrain, text: &str, losses: &mut Losses) {
    let others = terrain.frames.len().saturating_sub(1);
    if others > 0 {
        losses.dropped("frames", format!("{text}: {others}"));
    }
}

#[allow(clippy::cast_possible_truncation, reason = "rounds to single precision")]
fn add_heightmap(import: &mut Import, terrain: &Terrain, material: Option<MaterialId>, options: &ImportOptions) {
    let [columns, rows] = terrain.size;
    let frame = if options.frame < terrain.frames.len() { options.frame } else { 0 };
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
    let height = |[column, row]: [u32; 2]| Some(terrain.position(frame, column, row)?[2] as f32);
    let heights = Heights::F32(places.filter_map(height).collect());
    let spacing = terrain.cell.map(f64::from);
    let mut heightmap = scene::Terrain::new(terrain.size, spacing, heights);
    heightmap.name.clone_from(&options.name);
    heightmap.diagonal = Diagonal::Anti;
    if material.is_some() {
        heightmap.cell_size = [1, 1];
        heightmap.cells = vec![0];
        heightmap.materials = vec![material];
    }
    let heightmap = import.scene.terrains.push(heightmap);
    let mut node = Node::new(options.name.clone(), Content::Terrain(heightmap));
    // Rows of files run to the south, which is along Z of scenes. The first vertex is the north-west one.
    let [x, z] = [0, 1].map(|axis: usize| {
        let count = terrain.size.get(axis).copied().unwrap_or_default();
        let spacing = spacing.get(axis).copied().unwrap_or_default();
        -(f64::from(count) - 1.0) / 2.0 * spacing
    });
    node.transform = Transform::translation([x, 0.0, z]);
    import.scene.add_node(None, node);
    report_frames(terrain, "animation frames, which heightmaps cannot store", &mut import.losses);
}
