//! Scene → document: a new one, or the one that the scene came from.

mod context;
mod face_names;
mod folders;
mod images;
mod lights;
mod materials;
mod mesh_changes;
mod mesh_report;
mod meshes;
mod objects;
mod selections;
mod shapes;
mod terms;
mod views;

use mapwright_io::Error;
use mapwright_scene::{ColorSpace, Content, Estimate, ImageSource, Losses, MeshCounts, NodeId, Scene};

use super::capabilities::capabilities;
use super::imported::ImportedScene;
use super::options::ExportOptions;
use crate::write::{MeshSource, stream_model};
use crate::{EncodeOptions, Model, WriteError, WriteErrorKind};
use context::WriteContext;
use face_names::FaceNames;
use folders::Folders;
use meshes::{MeshColumns, NamedColumns};
use terms::empty_list;

/// A scene as a model whose new meshes are columns.
pub(super) struct WrittenScene<'a> {
    /// The model. Objects with columns have an empty mesh.
    model: Model,
    /// The mesh of each shape, if it is new.
    columns: Vec<Option<MeshColumns<'a>>>,
    names: FaceNames,
}

impl WrittenScene<'_> {
    /// Returns the whole model.
    pub(super) fn into_model(self) -> Model {
        let Self { mut model, columns, names } = self;
        for (shape, columns) in model.shapes.iter_mut().zip(columns) {
            if let Some((object, columns)) = shape.as_object_mut().zip(columns) {
                object.mesh = NamedColumns { columns: &columns, names: &names }.to_mesh();
            }
        }
        model
    }

    /// Writes a file.
    pub(super) fn to_bytes(&self, options: &EncodeOptions) -> Result<Vec<u8>, WriteError> {
        let named = |columns| NamedColumns { columns, names: &self.names };
        let meshes: Vec<_> = self.columns.iter().map(|columns| columns.as_ref().map(named)).collect();
        stream_model(&self.model, &meshes, options.profile)
    }
}

/// Writes a scene as a model. With a base, unchanged parts of the base stay as they are.
pub(super) fn write_model<'a>(
    scene: &'a Scene,
    base: Option<&'a ImportedScene>,
    form: Form,
    options: &ExportOptions,
) -> Result<(WrittenScene<'a>, Losses), WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(Error::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    estimate(scene, form).check(options.max_bytes).map_err(|excess| Error::without_position(excess.into()))?;
    let mut context = WriteContext::new(scene, base, capabilities().losses(scene));
    report_scene(&mut context);
    // Wings writes these two properties before all others, and `set` appends new ones.
    if base.is_none() {
        context.model.props.set("scene_prefs", &empty_list()?)?;
        context.model.props.set("plugin_states", &empty_list()?)?;
    }
    // Folders first: writing an object needs the folder that it belongs to.
    let folders = Folders::new(&mut context);
    let (mut meshes, mut lights, mut cameras) = (Vec::new(), Vec::new(), Vec::new());
    for visit in scene.walk() {
        match visit.node.content {
            Content::Mesh(mesh) => meshes.push((visit, mesh)),
            Content::Light(_) => lights.push(visit),
            Content::Camera(_) => cameras.push(visit),
            _ => {}
        }
    }
    // Views, images, lights, selections: the order of the properties in files of Wings.
    views::write_views(&mut context, &cameras)?;
    // Maps of materials refer to images by number.
    let image_ids = images::write_images(&mut context)?;
    // Faces refer to materials by name, and writing a material may change its name.
    let names = materials::write_materials(&mut context, &image_ids)?;
    let mut objects = objects::write_objects(&mut context, &meshes, &folders, &names, options.weld)?;
    let order = shapes::arrange_shapes(&mut context, &mut objects);
    lights::write_lights(&mut context, &lights)?;
    // The list contains only folders in use, so it needs the objects that are in the model now.
    folders::write_list(&mut context, &folders)?;
    // Selections refer to objects by position. They must come after the lights: Wings shifts the numbers of earlier ones.
    selections::write_selections(&mut context, &objects, &order)?;
    let columns = order.iter().map(|index| objects[(*index)?].columns.take()).collect();
    Ok((WrittenScene { model: context.model, columns, names }, context.losses))
}

/// The form in which a scene is written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// A document in memory.
    Document,
    /// The bytes of a file, whose terms are compressed as they are encoded.
    File,
}

/// Estimates the memory for winged edges, terms and the file.
fn estimate(scene: &Scene, form: Form) -> Estimate {
    let shown = scene.occurrences().counts(scene);
    let MeshCounts { vertices, faces, corners, .. } = shown.meshes;
    // Measured on grids with texture coordinates: columns of numbers and the compressed file take 32 bytes per corner. The corners of a mesh
    // below a transform are copied, and colours compress badly: 24 more. A document also contains edges of 112 bytes, terms and their index.
    let estimate = match form {
        Form::File => Estimate::default().with(corners, 0, 56).with(vertices, 0, 30).with(faces, 0, 10),
        Form::Document => Estimate::default().with(corners, 0, 118).with(vertices, 0, 130).with(faces, 0, 61),
    };
    // Pixels are in the model, in the terms and in the payload.
    let pixels = scene.images.items().iter().map(|image| match &image.source {
        ImageSource::Pixels(pixels) => pixels.data.len() as u64,
        _ => 0,
    });
    // Names are in the model, in the terms and in the payload. Every node has a mesh and properties of its own.
    let names = shown.names.saturating_add(shown.material_names);
    estimate.with(shown.nodes, 0, 2000).with(names, 0, 3).with(pixels.fold(0, u64::saturating_add), 1, 3)
}

/// Reports the settings of a scene that documents cannot store.
fn report_scene(context: &mut WriteContext<'_>) {
    let WriteContext { scene, losses, .. } = context;
    let has_colors = scene.meshes.iter().any(|(_, mesh)| !mesh.color_sets.is_empty());
    if scene.color_space == ColorSpace::Linear
        && (has_colors || !scene.materials.is_empty() || !scene.lights.is_empty())
    {
        losses.approximated("color_space", "colours, converted to sRGB");
    }
    if !scene.properties.is_empty() {
        losses.dropped("properties", "properties of the scene");
    }
    if !scene.name.is_empty() {
        losses.dropped("name", "name of the scene");
    }
    // Files store objects, then empty folders, lights and views.
    let rank = |id: &NodeId| match &scene.nodes[*id] {
        node if matches!(node.content, Content::Light(_)) => 2,
        node if matches!(node.content, Content::Camera(_)) => 3,
        node if matches!(node.content, Content::Group) && node.children.is_empty() => 1,
        _ => 0,
    };
    if context.base.is_none() && !scene.roots.iter().map(rank).is_sorted() {
        losses.approximated("roots", "order of the nodes: objects come first, then lights, then cameras");
    }
}
