//! Compiled levels → scenes.

use std::collections::HashMap;

use mapwright_scene::{Import, Material, MaterialId, Mesh, Smoothing, UvSet};

use super::geometry::add_mesh;
use super::materials::add_texture;
use super::{AXES, HiddenFaces, ImportOptions};
use crate::wmb::{LevelFace, LevelMesh};
use crate::{ReadError, Wmb};

/// Converts the faces of a compiled level to a scene with one mesh. The level's own palette takes precedence.
///
/// # Errors
/// If a face refers to data outside the file.
pub fn level_to_scene(level: &Wmb<'_>, options: &ImportOptions) -> Result<Import, ReadError> {
    let faces = level.faces()?;
    let mut import = Import::default();
    let mut mesh = Mesh { name: options.name.clone(), smoothing: Smoothing::Flat, ..Mesh::default() };
    let mut uvs = UvSet::default();
    let mut materials = Materials { level, options, known: HashMap::new() };
    mesh.positions = positions(&faces);
    let (mut hidden, mut invalid) = (0_usize, 0_usize);
    for (face, corners) in faces.iter() {
        if (face.is_hidden() || face.is_sky()) && options.hidden_faces == HiddenFaces::LeaveOut {
            hidden = hidden.saturating_add(1);
            continue;
        }
        let position = |vertex: u32| usize::try_from(vertex).ok().and_then(|vertex| faces.positions.get(vertex));
        let is_finite = |vertex| position(vertex).is_some_and(|it| it.iter().all(|number| number.is_finite()));
        if !corners.iter().all(|corner| is_finite(corner.vertex)) {
            invalid = invalid.saturating_add(1);
            continue;
        }
        // Files store faces clockwise, scenes counter-clockwise.
        let vertices: Vec<u32> = corners.iter().rev().map(|corner| corner.vertex).collect();
        mesh.faces.push(&vertices);
        mesh.face_materials.push(materials.get(&mut import, face));
        let is_mapped = face.texture.is_some();
        let uv = |uv: [f32; 2]| (is_mapped && uv.iter().all(|number| number.is_finite())).then(|| uv.map(f64::from));
        uvs.corners.extend(corners.iter().rev().map(|corner| uv(corner.uv)));
    }
    if uvs.corners.has_values() {
        mesh.uv_sets.push(uvs);
    }
    if hidden > 0 {
        import.losses.dropped("faces", format!("faces that games do not draw: {hidden}"));
    }
    if invalid > 0 {
        import.losses.repaired("faces", format!("faces with positions that are not finite, left out: {invalid}"));
    }
    add_mesh(&mut import, mesh);
    Ok(import)
}

/// Returns the vertices in the axes of scenes. Those that are not finite belong to faces that are left out.
fn positions(faces: &LevelMesh) -> Vec<[f64; 3]> {
    let finite = |position: &[f32; 3]| position.iter().all(|number| number.is_finite());
    let positions = faces.positions.iter().map(|it| if finite(it) { it.map(f64::from) } else { [0.0; 3] });
    positions.map(|position| AXES.apply(position)).collect()
}

/// The materials of a level, created when a face needs them.
struct Materials<'a> {
    level: &'a Wmb<'a>,
    options: &'a ImportOptions,
    known: HashMap<Result<u32, &'static str>, MaterialId>,
}

impl Materials<'_> {
    fn get(&mut self, import: &mut Import, face: LevelFace) -> Option<MaterialId> {
        let key = match (face.is_hidden(), face.is_sky()) {
            (true, _) => Err("none"),
            (_, true) => Err("sky"),
            _ => Ok(face.texture?),
        };
        if let Some(id) = self.known.get(&key) {
            return Some(*id);
        }
        let id = match key {
            Err(name) => import.scene.materials.push(Material { is_tool: true, ..Material::new(name) }),
            Ok(index) => {
                let index = usize::try_from(index).ok()?;
                let palette = self.level.palette.as_ref().or(self.options.palette.as_ref());
                add_texture(import, &self.level.texture(index)?, &format!("textures[{index}]"), self.options, palette)
            }
        };
        self.known.insert(key, id);
        Some(id)
    }
}
