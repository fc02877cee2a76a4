//! Brushes and meshes → brushes and patches.

use mapwright_io::format_count;
use mapwright_scene::{Brush, Mesh, MeshId, TextureProjection, Transform, Visit};

use super::context::{Context, Owner};
use super::faces::{self, Face};
use super::items::{Body, Solid};
use super::numbers::number;
use super::patches::Patch;
use crate::geometry::snap_planes;
use crate::scene::AXES;
use crate::scene::textures::{NO_TEXTURE, PATCH};
use crate::{Plane, WriteError, WriteErrorKind};

impl<'a> Context<'a> {
    pub(super) fn mesh(&mut self, owner: Owner, visit: &Visit<'a>, id: MeshId, path: &str) -> Result<(), WriteError> {
        let Some(mesh) = self.scene.meshes.get(id) else { return Ok(()) };
        if mesh.properties.get(PATCH).is_some() {
            let material = mesh.face_material(0);
            let texture = self.texture(material);
            if let Some(patch) = Patch::from_mesh(mesh, &visit.world, &texture) {
                self.used_materials.extend(material);
                self.push(owner, visit, Body::Patch(patch));
                return Ok(());
            }
            self.losses.dropped(path, "control points of the patch, which no longer has their shape");
        }
        if self.rejections.skips(id) {
            return Ok(());
        }
        let surface = mesh.surface();
        let mut placed = surface.transformed(&visit.world).into_owned();
        let projections = std::mem::take(&mut placed.face_projections);
        placed.face_projections = projections.iter().map(|it| in_scene(it, &visit.world)).collect();
        match Brush::from_mesh(&placed, |material| self.sizes.texture_size(material)) {
            Ok(made) => {
                self.rejections.accept(id);
                self.losses.approximated(path, "convex mesh converted to a brush");
                let size = placed.positions.iter().flatten().fold(0.0_f64, |size, c| size.max(c.abs()));
                if made.shift > size * 1e-6 {
                    self.losses.approximated(path, format!("vertices, moved by up to {}", number(made.shift)));
                }
                if made.bent > 0 {
                    self.losses.approximated(
                        path,
                        format!(
                            "texture coordinates of {} that no projection matches",
                            format_count(made.bent, "side")
                        ),
                    );
                }
                if made.merged > 0 {
                    self.losses.dropped(
                        path,
                        format!("materials of {} on a side of another one", format_count(made.merged, "face")),
                    );
                }
                self.brush(owner, visit, &made.brush, &Transform::IDENTITY, path)
            }
            Err(error) => {
                self.rejections.reject(id, placed.faces.len());
                self.losses.dropped(path, format!("mesh{} cannot become a brush: {error}", called(&placed)));
                Ok(())
            }
        }
    }

    pub(super) fn brush(
        &mut self,
        owner: Owner,
        visit: &Visit<'a>,
        brush: &Brush,
        world: &Transform,
        path: &str,
    ) -> Result<(), WriteError> {
        let back = AXES.inverse();
        let mut faces = Vec::with_capacity(brush.sides.len());
        let mut others = 0_usize;
        for side in &brush.sides {
            // Maps are clockwise, scenes counter-clockwise. A mirror reverses the order again.
            let mut plane = side.plane.map(|point| back.apply(world.point(point)));
            if !world.mirrors() {
                plane.reverse();
            }
            if let Some(bad) = plane.iter().flatten().find(|number| !number.is_finite()) {
                return Err(WriteError::on_path(WriteErrorKind::Number(*bad), path));
            }
            self.used_materials.extend(side.material);
            let (numbers, left) = faces::flags(&side.properties);
            others += left;
            let mut face = Face {
                plane,
                texture: self.texture(side.material),
                projection: in_scene(&side.projection, world),
                numbers,
                matrix: None,
                size: self.sizes.texture_size(side.material),
            };
            face.set_matrix(&side.properties);
            faces.push(face);
        }
        if faces.iter().any(|face| face.matrix.is_none()) {
            faces.iter_mut().for_each(|face| face.matrix = None);
        }
        if others > 0 {
            self.losses
                .dropped(path, format!("{} that the format cannot store", format_count(others, "side property")));
        }
        if let Some(step) = self.options.snap {
            self.snap(&mut faces, step, path);
        }
        self.faces += faces.len() as u64;
        self.push(owner, visit, Body::Brush(faces));
        Ok(())
    }

    /// Moves the planes of a brush to a grid, if that changes it little.
    fn snap(&mut self, faces: &mut [Face], step: f64, path: &str) {
        let planes: Vec<Plane> = faces.iter().map(|face| Plane::Points(face.plane)).collect();
        match snap_planes(&planes, step) {
            Some(snapped) => {
                let is_moved = faces.iter().zip(&snapped).any(|(face, plane)| face.plane != *plane);
                faces.iter_mut().zip(snapped).for_each(|(face, plane)| face.plane = plane);
                if is_moved {
                    self.losses.approximated(path, format!("points of the brush, moved to a grid of {}", number(step)));
                }
            }
            None => {
                let text = format!("a brush whose corners are not near a grid of {}: it is not moved", number(step));
                self.losses.approximated(path, text);
            }
        }
    }

    fn push(&mut self, owner: Owner, visit: &Visit<'_>, body: Body) {
        if let Some(item) = self.items.get_mut(owner.item) {
            item.solids.push(Solid { key: visit.node.key.clone(), body });
        }
    }

    fn texture(&self, material: Option<mapwright_scene::MaterialId>) -> String {
        let texture = material.and_then(|id| self.textures.get(id.index()));
        texture.map_or(NO_TEXTURE, String::as_str).to_owned()
    }
}

/// Transforms a projection to the space of the scene. A projection of a node that collapses space is unchanged.
fn in_scene(projection: &TextureProjection, world: &Transform) -> TextureProjection {
    projection.in_scene(world).unwrap_or(TextureProjection { local: false, ..*projection })
}

fn called(mesh: &Mesh) -> String {
    if mesh.name.is_empty() { String::new() } else { format!(" {:?}", mesh.name) }
}
