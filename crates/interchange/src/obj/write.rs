//! Writes scenes as OBJ files.

mod line;
mod mesh;
mod mtl;

use std::fmt::Write;

use mapwright_scene::{
    BoundedOutput, Capabilities, Content, Estimate, Export, Feature, Files, Losses, MeshCounts, Scene, SideFile,
    VertexColors, Visit,
};

use super::{ExportOptions, ObjectOrder, mtl::HEADER};
use crate::{
    Error,
    brushes::Meshed,
    error::{check, exceeded},
};

/// Returns the features that OBJ and MTL can store.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    // Colours, hard edges, opacity, UV origins and texture settings depend on their values: the writer reports them.
    Capabilities::none()
        .full(&[F::Meshes, F::Polygons, F::Uvs, F::Colors, F::HardEdges, F::Normals])
        .full(&[F::Materials, F::MetallicRoughness, F::Emission, F::Alpha])
        .full(&[F::BaseColorTextures, F::NormalTextures, F::BumpTextures, F::SeparateMetalRoughTextures])
        .full(&[F::EmissionTextures, F::GlossTextures, F::OpacityTextures, F::TextureSettings])
        .full(&[F::EmbeddedImages, F::ExternalImages])
        .approximated(F::Brushes, "as a mesh")
        .approximated(F::Hierarchy, "flattened")
        .approximated(F::Transforms, "applied to the vertices")
        .approximated(F::SharedMeshes, "one copy per node")
        .approximated(F::HiddenFaces, "written like the others")
        .approximated(F::Mirrors, "replaced by its reflection")
        .approximated(F::Terrains, "as a mesh of triangles")
        .approximated(F::ClassicTerms, "without opacity")
}

/// Writes a scene as an OBJ file, with a material library and images beside it.
///
/// # Errors
/// [`Malformed`](crate::ErrorKind::Malformed) for an invalid scene, [`NotFinite`](crate::ErrorKind::NotFinite) if a transform
/// moves a vertex out of range, [`Excess`](crate::ErrorKind::Excess) for more text than the options allow. Every node with a
/// mesh writes a copy of it.
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Files>, Error> {
    check(scene)?;
    estimate(scene).check(options.max_bytes).map_err(exceeded)?;
    let mut losses = Losses::new();
    let scene = scene.with_texture_uv_set_first(&mut losses);
    losses.append(capabilities().losses(&scene));
    let meshed = Meshed::new(&scene, &mut losses);
    let mut export = write(&meshed, losses, options).map_err(|error| meshed.name(error))?;
    meshed.name_in(&mut export.losses);
    Ok(export)
}

/// Gives an image of a written file another name, and updates the material library. Returns `false` if there is no such
/// image, or if the new name is taken.
pub fn rename_image(files: &mut Files, old: &str, new: &str) -> bool {
    if files.side.iter().any(|file| file.name.eq_ignore_ascii_case(new)) {
        return false;
    }
    // The library is the first file, see `write`.
    let Some((library, images)) = files.side.split_first_mut() else { return false };
    let Some(image) = images.iter_mut().find(|image| image.name == old) else { return false };
    image.name = new.to_owned();
    library.data = mtl::rename_image(&library.data, old, new);
    true
}

/// Writes a scene without brushes.
fn write(
    Meshed { scene, images, .. }: &Meshed<'_>,
    mut losses: Losses,
    options: &ExportOptions,
) -> Result<Export<Files>, Error> {
    let names = mtl::names(scene, &mut losses);
    let mut text = BoundedOutput::new(options.max_bytes);
    // A text beyond the limit reports the error itself.
    let _ = writeln!(text, "{HEADER}");
    let mut side = Vec::new();
    if !scene.materials.is_empty() {
        let library = format!("{}.mtl", one_line(&options.name));
        let _ = writeln!(text, "mtllib {library}");
        side.push(SideFile { name: library, data: Vec::new() });
    }
    let mut objects = objects(scene, &mut losses);
    if options.order == ObjectOrder::Reversed {
        objects.reverse();
    }
    let mut writer = mesh::Writer::new(scene, &names, options);
    for object in &objects {
        writer.object(object, &mut text, &mut losses)?;
        text.check().map_err(|excess| Error::on_path(excess.into(), format!("nodes[{}]", object.id.index())))?;
    }
    if let Some(library) = side.first_mut() {
        let (data, files) = mtl::library(scene, images, &names, options.max_image_bytes, &mut losses);
        library.data = data.into_bytes();
        side.extend(files);
    }
    report_unused_images(scene, images.len(), &mut losses);
    report_shown_colors(scene, &mut losses);
    let document = Files { main: text.finish().map_err(exceeded)?, side };
    document.check_size(options.max_bytes).map_err(exceeded)?;
    Ok(Export { document, losses })
}

/// Reports images that no material refers to.
fn report_unused_images(scene: &Scene, count: usize, losses: &mut Losses) {
    let mut is_used = vec![false; count];
    for slot in scene.materials.items().iter().flat_map(|material| &material.textures) {
        is_used.get_mut(slot.image.index()).into_iter().for_each(|used| *used = true);
    }
    for (index, _) in is_used.into_iter().enumerate().filter(|(_, used)| !used) {
        losses.dropped(format!("images[{index}]"), "no material refers to the image");
    }
}

/// Reports materials that ignore vertex colours: other programs show them.
fn report_shown_colors(scene: &Scene, losses: &mut Losses) {
    let mut is_colored = vec![false; scene.materials.len()];
    let colored = scene.meshes.items().iter().filter(|mesh| !mesh.color_sets.is_empty());
    for id in colored.flat_map(|mesh| mesh.face_materials.iter().flatten()) {
        is_colored.get_mut(id.index()).into_iter().for_each(|colored| *colored = true);
    }
    let materials = scene.materials.iter().filter(|(_, material)| material.vertex_colors == VertexColors::Ignore);
    for (id, _) in materials.filter(|(id, _)| is_colored.get(id.index()) == Some(&true)) {
        losses.approximated(format!("materials[{}]", id.index()), "ignored vertex colours: shown by other programs");
    }
}

/// Estimates the text for visible nodes, and the memory for the largest object. Objects are created one after another.
fn estimate(scene: &Scene) -> Estimate {
    // `v 0.0 0.0 0.0`; `f` and a line end; a space and a digit; the rest of a brush side, which is a face.
    const VERTEX: u64 = 14;
    const FACE: u64 = 2;
    const CORNER: u64 = 2;
    const SIDE: u64 = 15;
    let shown = scene.occurrences_where(|node| node.visible);
    let counts = shown.counts(scene);
    let sum = Estimate::default()
        .with(counts.meshes.vertices, VERTEX, 0)
        .with(counts.meshes.faces, FACE, 0)
        .with(counts.meshes.corners, CORNER, 0)
        .with(counts.brush_sides, SIDE, 400)
        .with(counts.heights, mesh::MIN_HEIGHT_BYTES, 0)
        .with(counts.nodes, 0, 200);
    let used = |copies: &[u64], index: usize| copies.get(index).is_some_and(|copies| *copies > 0);
    let meshes = scene.meshes.iter().filter(|(id, _)| used(&shown.meshes, id.index())).map(|(_, mesh)| {
        let MeshCounts { vertices, corners, .. } = MeshCounts::from_mesh(mesh);
        vertices.saturating_mul(50).saturating_add(corners.saturating_mul(60))
    });
    let terrains = scene.terrains.iter().filter(|(id, _)| used(&shown.terrains, id.index()));
    let heights = terrains.map(|(_, terrain)| (terrain.heights.len() as u64).saturating_mul(mesh::MEMORY));
    sum.with(meshes.chain(heights).max().unwrap_or_default(), 0, 1)
}

/// Returns the nodes that become objects: visible ones with a mesh or terrain.
fn objects<'a>(scene: &'a Scene, losses: &mut Losses) -> Vec<Visit<'a>> {
    let mut shown = vec![false; scene.meshes.len()];
    let mut objects = Vec::new();
    for visit in scene.walk() {
        match visit.node.content {
            Content::Mesh(mesh) => shown.get_mut(mesh.index()).into_iter().for_each(|shown| *shown = true),
            Content::Terrain(_) => {}
            _ => continue,
        }
        if visit.visible {
            objects.push(visit);
        } else if visit.node.visible {
            losses.dropped(
                format!("nodes[{}]", visit.id.index()),
                format!("{:?} is below a hidden node", visit.node.name),
            );
        }
    }
    for (mesh, _) in shown.iter().enumerate().filter(|(_, shown)| !**shown) {
        losses.dropped(format!("meshes[{mesh}]"), "no visible node has this mesh");
    }
    objects
}

/// Converts a name to one line that reads back as similar as possible.
fn one_line(name: &str) -> String {
    // Some readers also end lines at line and paragraph separators.
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let line: String = name.chars().map(|c| if breaks(c) { '_' } else { c }).collect();
    let line = line.trim_ascii();
    // A backslash at the end would continue the line.
    line.strip_suffix('\\').map_or_else(|| line.to_owned(), |start| format!("{start}_"))
}
