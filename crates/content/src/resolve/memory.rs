//! Estimates of the memory that parts of scenes take, in bytes.

use mapwright_scene::{Content, CornerColumn, Entity, ImageSource, Mesh, Node, NodeId, Properties, Scene, Value};

/// Memory of a property without its texts: with space that lists reserve.
pub(super) const PROPERTY: usize = 128;
/// Memory of a connection without its texts.
const CONNECTION: usize = 128;

pub(super) fn properties_memory(properties: &Properties) -> usize {
    let entries = properties.iter().map(|(name, value)| name.len().saturating_add(value_memory(value)));
    sum(entries.map(|entry| entry.saturating_add(PROPERTY)))
}

/// Values nest at most [`Value::MAX_DEPTH`] deep.
fn value_memory(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(items) => sum(items.iter().map(value_memory)).saturating_add(items.len().saturating_mul(32)),
        Value::Map(properties) => properties_memory(properties),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
    }
}

pub(super) fn entity_memory(entity: &Entity) -> usize {
    let connections = entity.connections.iter().map(|it| {
        let texts = [&it.output, &it.target, &it.input, &it.parameter];
        texts.iter().map(|text| text.len()).sum::<usize>().saturating_add(CONNECTION)
    });
    let texts = entity.class.len().saturating_add(entity.model.as_ref().map_or(0, String::len));
    let own = size_of::<Entity>().saturating_add(texts).saturating_add(properties_memory(&entity.properties));
    sum(connections).saturating_add(own)
}

pub(super) fn node_memory(node: &Node) -> usize {
    let prefab = match &node.content {
        Content::Prefab(prefab) => prefab.reference.len().saturating_add(properties_memory(&prefab.overrides)),
        _ => 0,
    };
    // Also its place among the children of another node.
    let children = node.children.len().saturating_add(1).saturating_mul(size_of::<NodeId>());
    let texts = node.name.len().saturating_add(properties_memory(&node.properties));
    sum([size_of::<Node>(), texts, prefab, children].into_iter())
}

fn mesh_memory(mesh: &Mesh) -> usize {
    let corners = mesh.faces.corner_count();
    let attributes = mesh.attributes.iter().map(|attribute| attribute.values.len().saturating_mul(8));
    let uv_sets = mesh.uv_sets.iter().map(|set| set.corners.memory());
    let sets = uv_sets.chain(mesh.color_sets.iter().map(|set| set.corners.memory()));
    let columns = sets.chain(mesh.normals.iter().map(CornerColumn::memory)).chain(attributes);
    sum(columns.chain([corners.saturating_mul(4), mesh.positions.len().saturating_mul(24)]))
}

/// Returns roughly the memory that a scene takes.
pub(super) fn scene_memory(scene: &Scene) -> usize {
    let meshes = scene.meshes.items().iter().map(mesh_memory);
    let images = scene.images.items().iter().map(|image| match &image.source {
        ImageSource::Pixels(pixels) => pixels.data.len(),
        ImageSource::Encoded { data, .. } => data.len(),
        ImageSource::External { path } => path.len(),
    });
    let terrains =
        scene.terrains.items().iter().map(|terrain| {
            terrain.heights.len().saturating_mul(4).saturating_add(terrain.cells.len().saturating_mul(2))
        });
    let brushes = scene.brushes.items().iter().map(|brush| brush.sides.len().saturating_mul(512));
    let nodes = scene.nodes.items().iter().map(node_memory);
    let entities = scene.entities.items().iter().map(entity_memory);
    let lights = scene.lights.items().iter().map(|light| properties_memory(&light.properties).saturating_add(512));
    let materials = scene.materials.items().iter();
    let materials = materials.map(|material| properties_memory(&material.properties).saturating_add(512));
    let small = nodes.chain(entities).chain(lights).chain(materials);
    sum(meshes.chain(images).chain(terrains).chain(brushes).chain(small))
}

fn sum(sizes: impl Iterator<Item = usize>) -> usize {
    sizes.fold(0, usize::saturating_add)
}
