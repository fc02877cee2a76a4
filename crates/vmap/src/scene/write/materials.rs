//! Gives materials references.

use mapwright_scene::{Material, MaterialId, Mesh, Terrain};

use super::super::names;
use super::context::WriteContext;

/// The materials of the scene, as meshes of maps refer to them.
pub(super) struct Materials {
    references: Vec<String>,
    texture_sizes: Vec<Option<[u32; 2]>>,
    /// References of the materials of the base; empty for materials without one.
    old_references: Vec<String>,
}

impl Materials {
    /// Returns the reference of a material.
    pub(super) fn reference(&self, id: Option<MaterialId>) -> Option<&str> {
        self.references.get(id?.index()).map(String::as_str)
    }

    /// Returns the reference of a material of the base.
    pub(super) fn old_reference(&self, id: Option<MaterialId>) -> Option<&str> {
        self.old_references.get(id?.index()).map(String::as_str)
    }

    /// Returns the size of a material's texture in texels, 512 × 512 if unknown.
    pub(super) fn texture_size(&self, id: Option<MaterialId>) -> [f64; 2] {
        let known = id.and_then(|id| self.texture_sizes.get(id.index()).copied().flatten());
        known.filter(|size| !size.contains(&0)).map_or([512.0; 2], |size| size.map(f64::from))
    }

    /// Returns `true` if each face has the same reference as before.
    pub(super) fn are_equal(&self, before: &Mesh, mesh: &Mesh) -> bool {
        (0..mesh.faces.len())
            .all(|face| self.old_reference(before.face_material(face)) == self.reference(mesh.face_material(face)))
    }
}

/// Collects the references of all materials. Synthesizes missing ones from the name.
pub(super) fn collect_materials(context: &mut WriteContext<'_, '_, '_>) -> Materials {
    let stated = |material: &Material| material.reference.clone().filter(|reference| !reference.is_empty());
    let old_references = context.base.map_or_else(Vec::new, |base| {
        base.scene.materials.items().iter().map(|material| stated(material).unwrap_or_default()).collect()
    });
    let mut references = Vec::with_capacity(context.scene.materials.len());
    for (id, material) in context.scene.materials.iter() {
        let path = format!("materials[{}]", id.index());
        let reference = stated(material).unwrap_or_else(|| {
            let name = if material.name.is_empty() { "unnamed" } else { material.name.as_str() };
            let reference = format!("materials/{name}.vmat");
            context.losses.synthesized(&path, format!("reference {reference}"));
            reference
        });
        if material.reference.is_some() && names::material_name(&reference) != material.name {
            let text = format!("name {:?} of the material; maps only store its file name", material.name);
            context.losses.dropped(&path, text);
        }
        references.push(context.without_zero_bytes(&reference));
    }
    // Maps only store the materials of meshes.
    let scene = context.scene;
    let quads = scene.terrains.items().iter().flat_map(Terrain::quad_materials);
    scene.report_unused_materials(scene.face_materials().chain(quads), &mut context.losses);
    let texture_sizes = context.scene.materials.items().iter().map(|material| material.texture_size).collect();
    Materials { references, texture_sizes, old_references }
}
