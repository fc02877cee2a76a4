//! Writes scenes as Quake maps.

mod entities;
mod face;

use std::fmt::Write;

use mapwright_io::format_count;
use mapwright_scene::{
    BoundedOutput, Brush, Content, Estimate, Export, Files, GrowthCheck, Losses, MaterialId, Mesh, MeshId, NodeId,
    Rejections, Scene, TextureProjection, Transform, Visit, images::TextureSizes,
};

use self::entities::Entities;
use self::face::Face;
use super::{AXES, ExportOptions, METRES, NO_TEXTURE, ProjectionFormat, capabilities};
use crate::{
    Error, ErrorKind,
    error::{check, exceeded},
};

/// Writes a scene as a map: `worldspawn`, then the other entities in the order of the tree.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for an invalid scene, [`NotFinite`](ErrorKind::NotFinite) if a transform moves a point
/// out of range, [`Excess`](ErrorKind::Excess) for more text than the options allow.
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Files>, Error> {
    check(scene)?;
    let counts = scene.occurrences_where(|node| node.visible).counts(scene);
    let names = counts.names.saturating_add(counts.material_names);
    let estimate_of_nodes = estimate(counts.brush_sides).with(counts.nodes, 0, 200).with(names, 0, 1);
    estimate_of_nodes.check(options.max_bytes).map_err(exceeded)?;
    let mut losses = capabilities().losses(scene);
    let textures = textures(scene, &mut losses);
    let sizes = TextureSizes::new(scene, &mapped_materials(scene), &mut losses);
    let rejections = Rejections::new(scene);
    let mut writer = Writer {
        scene,
        textures,
        sizes,
        losses,
        entities: Entities::default(),
        used_materials: Vec::new(),
        faces: 0,
        rejections,
    };
    // The number of sides is unknown until meshes are converted.
    let mut growth = GrowthCheck::default();
    for visit in scene.walk() {
        writer.visit(&visit)?;
        let faces = writer.faces as u64;
        if growth.is_due(faces) {
            let error = estimate(faces).check(options.max_bytes).map_err(exceeded);
            error.map_err(|error| Error::on_path(error.kind().clone(), format!("nodes[{}]", visit.id.index())))?;
        }
    }
    writer.report();
    let text = writer.text(options)?;
    Ok(Export { document: Files { main: text, side: Vec::new() }, losses: writer.losses })
}

/// Estimates the text and memory for faces of brushes.
fn estimate(faces: u64) -> Estimate {
    Estimate::default().with(faces, Face::MIN_BYTES, size_of::<Face>() as u64 + 64)
}

struct Writer<'a> {
    scene: &'a Scene,
    /// Texture names of materials.
    textures: Vec<String>,
    sizes: TextureSizes,
    losses: Losses,
    entities: Entities,
    /// Materials of written faces.
    used_materials: Vec<MaterialId>,
    /// Number of faces.
    faces: usize,
    /// Meshes that cannot become brushes.
    rejections: Rejections,
}

impl<'a> Writer<'a> {
    fn visit(&mut self, visit: &Visit<'a>) -> Result<(), Error> {
        let path = format!("nodes[{}]", visit.id.index());
        if !visit.visible {
            if visit.node.visible {
                self.losses.dropped(path, format!("{:?} is below a hidden node", visit.node.name));
            }
            return Ok(());
        }
        let entity = self.entities.entity_index(visit);
        match &visit.node.content {
            Content::Group if visit.node.children.is_empty() => self.losses.dropped(path, "group without children"),
            Content::Group => self.losses.approximated(path, format!("group {:?}: flattened", visit.node.name)),
            Content::Brush(id) => {
                if let Some(brush) = self.scene.brushes.get(*id) {
                    if !visit.world.is_identity() {
                        self.losses.preserved(&*path, "the transform, applied to the points");
                    }
                    if !visit.node.name.is_empty() {
                        self.losses.dropped(&*path, "name of the brush");
                    }
                    self.brush(entity, brush, &visit.world, &path)?;
                }
            }
            Content::Mesh(id) => self.mesh(entity, visit, *id, &path)?,
            Content::Light(id) => self.light(visit, *id, &path),
            Content::Entity(id) => self.entity(visit, *id, &path)?,
            Content::Marker => self.marker(visit, &path),
            Content::Path(id) => self.path(visit, *id),
            // The capabilities report other contents.
            _ => {}
        }
        Ok(())
    }

    fn mesh(&mut self, entity: usize, visit: &Visit<'a>, id: MeshId, path: &str) -> Result<(), Error> {
        let Some(mesh) = self.scene.meshes.get(id) else { return Ok(()) };
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
                self.brush(entity, &made.brush, &Transform::IDENTITY, path)
            }
            Err(error) => {
                self.rejections.reject(id, placed.faces.len());
                self.losses.dropped(path, format!("mesh{} cannot become a brush: {error}", called(&placed)));
                Ok(())
            }
        }
    }

    fn brush(&mut self, entity: usize, brush: &Brush, world: &Transform, path: &str) -> Result<(), Error> {
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
                return Err(Error::on_path(ErrorKind::NotFinite(*bad), path));
            }
            let texture = side.material.and_then(|id| self.textures.get(id.index()));
            let texture = texture.map_or(NO_TEXTURE, String::as_str).to_owned();
            self.used_materials.extend(side.material);
            let (numbers, left) = face::flags(&side.properties);
            others += left;
            faces.push(Face { plane, texture, projection: in_scene(&side.projection, world), numbers });
        }
        if others > 0 {
            self.losses
                .dropped(path, format!("{} that the format cannot store", format_count(others, "side property")));
        }
        self.faces += faces.len();
        self.entities.push(entity, faces);
        Ok(())
    }

    /// Reports losses that depend on values.
    fn report(&mut self) {
        self.rejections.report_skipped(self.scene, "a brush", &mut self.losses);
        if let Some(metres) = self.scene.metres_per_unit.filter(|metres| *metres != METRES) {
            let text = format!("one unit is {metres} m, which the file does not store; games use about {METRES}");
            self.losses.approximated("metres_per_unit", text);
        }
        self.scene.report_unused_materials(std::mem::take(&mut self.used_materials), &mut self.losses);
        for (id, material) in self.scene.materials.iter() {
            if material.base_color != [1.0; 4] {
                self.losses.dropped(format!("materials[{}]", id.index()), format!("colour of {:?}", material.name));
            }
        }
        for (id, light) in self.scene.lights.iter() {
            if light.color.iter().take(3).any(|c| !(0.0..=1.0).contains(c)) {
                self.losses.approximated(format!("lights[{}]", id.index()), "colour of the light, limited to 0 to 1");
            }
            if light.attenuation != mapwright_scene::Attenuation::default() || light.intensity != 1.0 {
                self.losses.dropped(format!("lights[{}]", id.index()), "intensity and falloff of the light");
            }
        }
    }

    fn text(&mut self, options: &ExportOptions) -> Result<Vec<u8>, Error> {
        let all = || self.entities.items.iter().flat_map(|entity| entity.brushes.iter().flatten());
        let is_valve = match options.projection {
            ProjectionFormat::Standard => false,
            ProjectionFormat::Valve => true,
            ProjectionFormat::Auto => all().any(|face| face.standard().is_none() || face.is_ambiguous()),
        };
        if !is_valve {
            let bent = all().filter(|face| face.standard().is_none()).count();
            if bent > 0 {
                self.losses.approximated(
                    "",
                    format!(
                        "textures of {} that do not follow the axes of the face normal",
                        format_count(bent, "face")
                    ),
                );
            }
            let ambiguous = all().filter(|face| face.standard().is_some() && face.is_ambiguous()).count();
            if ambiguous > 0 {
                let text = format!(
                    "texture axes of {} at almost 45°: other programs may choose different axes",
                    format_count(ambiguous, "face")
                );
                self.losses.preserved("", text);
            }
        }
        let has_flags = all().any(|face| !face.numbers.is_empty());
        let format = match (has_flags, is_valve) {
            (false, false) => "Standard",
            (false, true) => "Valve",
            (true, false) => "Quake2",
            (true, true) => "Quake2 (Valve)",
        };
        let mut text = BoundedOutput::new(options.max_bytes);
        // A text beyond the limit reports the error itself.
        let _ = writeln!(text, "// Game: {}\n// Format: {format}", if has_flags { "Quake 2" } else { "Quake" });
        for (index, entity) in self.entities.items.iter().enumerate() {
            text.push(b"{\n");
            for (key, value) in entity.keys(index == 0 && is_valve) {
                let _ = writeln!(text, "\"{key}\" \"{value}\"");
            }
            for faces in &entity.brushes {
                text.push(b"{\n");
                faces.iter().for_each(|face| face.write(is_valve, &mut text));
                text.push(b"}\n");
            }
            text.push(b"}\n");
            text.check().map_err(exceeded)?;
        }
        text.finish().map_err(exceeded)
    }
}

/// Transforms a projection to the space of the scene. A projection of a node that collapses space is unchanged.
fn in_scene(projection: &TextureProjection, world: &Transform) -> TextureProjection {
    projection.in_scene(world).unwrap_or(TextureProjection { local: false, ..*projection })
}

fn called(mesh: &Mesh) -> String {
    if mesh.name.is_empty() { String::new() } else { format!(" {:?}", mesh.name) }
}

/// Marks materials of meshes with texture coordinates but no projections: the sizes of their textures are needed.
fn mapped_materials(scene: &Scene) -> Vec<bool> {
    let mut used = vec![false; scene.materials.len()];
    let meshes = scene.meshes.items().iter();
    let mapped = meshes.filter(|mesh| !mesh.uv_sets.is_empty() && mesh.face_projections.is_empty());
    for material in mapped.flat_map(|mesh| &mesh.face_materials).flatten() {
        used.get_mut(material.index()).into_iter().for_each(|used| *used = true);
    }
    used
}

/// Returns the texture names of materials as they are written: in quotes if they contain spaces, quotes or backslashes.
fn textures(scene: &Scene, losses: &mut Losses) -> Vec<String> {
    let mut names = Vec::with_capacity(scene.materials.len());
    for (id, material) in scene.materials.iter() {
        let is_bad = |c: char| c.is_control() && c != '\t';
        let mut name: String = material.name.chars().map(|c| if is_bad(c) { '_' } else { c }).collect();
        if name.is_empty() {
            name = format!("material_{}", id.index());
        }
        if name != material.name {
            let path = format!("materials[{}]", id.index());
            losses.approximated(path, format!("the name {:?} is renamed to {name:?}", material.name));
        }
        // A backslash before the last quote of a line would not escape it.
        let needs_quotes = name.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\\'));
        names.push(if needs_quotes {
            format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
        } else {
            name
        });
    }
    names
}

/// Formats a number with the fewest digits that read back the same, and without negative zero.
fn number(number: f64) -> String {
    format!("{}", number + 0.0)
}

/// Formats numbers with spaces between them.
fn numbers(all: impl IntoIterator<Item = f64>) -> String {
    all.into_iter().map(number).collect::<Vec<_>>().join(" ")
}

/// The entity of each node, for its child nodes.
type Owners = std::collections::HashMap<NodeId, usize>;
