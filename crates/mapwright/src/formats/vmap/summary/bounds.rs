//! The box around all meshes of a map.

use std::collections::HashSet;

use mapwright_dmx::{ElementId, ElementRef, Value};
use mapwright_scene::Transform;
use mapwright_scene::transform::{cross, dot};
use mapwright_vmap::{Document, MapMesh, Node, NodeKind, World};

use crate::info::union;

/// Maximum number of nodes of instances that are visited. Instances of groups of instances multiply.
const MAX_NODES: usize = 1 << 20;
/// Maximum number of vertices of these nodes.
const MAX_VERTICES: usize = 1 << 26;

/// The box around all meshes.
pub(super) struct Bounds {
    pub(super) all: Option<[[f64; 3]; 2]>,
    /// `true` if instances have more nodes or vertices than were visited.
    pub(super) is_cut: bool,
}

/// Finds the box around all meshes.
pub(super) fn find_bounds(map: &Document) -> Bounds {
    // A group with instances is shown only by them, not at its own position.
    let instances = map.graph().iter().filter(|element| element.is("CMapInstance"));
    let targets = instances.filter_map(|instance| instance.child("target"));
    let definitions: HashSet<ElementId> = targets.filter(|target| target.is("CMapGroup")).map(ElementRef::id).collect();
    let mut bounds = Bounds { all: None, is_cut: false };
    let mut seen = HashSet::new();
    let (mut nodes, mut vertices) = (MAX_NODES, MAX_VERTICES);
    // Nodes with the transform from the position that they state to the position where they are shown; `None` if both are equal.
    let mut next: Vec<(Node<'_>, Option<Transform>)> =
        map.world().map(|world| (World::node(world), None)).into_iter().collect();
    while let Some((node, moved)) = next.pop() {
        if definitions.contains(&node.id()) || moved.is_none() && !seen.insert(node.id()) {
            continue;
        }
        let own = transform(node);
        let place = moved.map_or(own, |moved| moved.compose(&own));
        if let Some(positions) = positions(node) {
            let left = if moved.is_none() { Some(vertices) } else { vertices.checked_sub(positions.len()) };
            bounds.is_cut |= left.is_none();
            let shown = left.map_or(&[][..], |_| positions);
            vertices = left.unwrap_or_default();
            let points = shown.iter().map(|point| [place.point(point.map(f64::from)); 2]);
            bounds.all = points.chain(bounds.all).reduce(union);
        }
        let mut show = |node, moved: Option<Transform>| {
            nodes = match (moved, nodes.checked_sub(1)) {
                (None, _) => nodes,
                (_, Some(left)) => left,
                (_, None) => {
                    bounds.is_cut = true;
                    return false;
                }
            };
            next.push((node, moved));
            true
        };
        let _ = node.children().all(|child| show(child, moved));
        let NodeKind::Instance(instance) = node.kind() else { continue };
        // Positions in a group that is scaled to zero cannot be computed.
        let Some(target) = instance.target() else { continue };
        let Some(inverse) = inverse(&transform(target)) else { continue };
        let moved = Some(place.compose(&inverse));
        let _ = match definitions.contains(&target.id()) {
            true => target.children().all(|child| show(child, moved)),
            false => show(target, moved),
        };
    }
    bounds
}

fn transform(node: Node<'_>) -> Transform {
    let [x, y, z] = node.transform().rows();
    columns(x, y, z)
}

/// A transform by the first three rows of its matrix.
fn columns([a, b, c, d]: [f64; 4], [e, f, g, h]: [f64; 4], [i, j, k, l]: [f64; 4]) -> Transform {
    Transform::Matrix([[a, e, i, 0.0], [b, f, j, 0.0], [c, g, k, 0.0], [d, h, l, 1.0]])
}

fn positions(node: Node<'_>) -> Option<&[[f32; 3]]> {
    let mut streams = node.mesh().and_then(MapMesh::data)?.child("vertexData")?.children("streams");
    match streams.find(|stream| stream.name() == b"position:0")?.get("data")? {
        Value::Vector3Array(positions) => Some(positions),
        _ => None,
    }
}

/// Returns the inverse of a transform; `None` if it collapses space.
fn inverse(transform: &Transform) -> Option<Transform> {
    let determinant = transform.determinant();
    if !determinant.is_normal() {
        return None;
    }
    let ([x, y, z], origin) = (transform.linear(), transform.origin());
    let row = |row: [f64; 3]| {
        let [a, b, c] = row.map(|number| number / determinant);
        [a, b, c, -dot([a, b, c], origin)]
    };
    Some(columns(row(cross(y, z)), row(cross(z, x)), row(cross(x, y))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{Content, Faces, Mesh, Node, Scene};

    fn map(scene: &Scene) -> Document {
        mapwright_vmap::scene::from_scene(scene, &Default::default()).unwrap().document
    }

    fn at(translation: [f64; 3], scale: f64, content: Content) -> Node {
        let transform = Transform::Trs { translation, rotation: [0.0, 0.0, 0.0, 1.0], scale: [scale; 3] };
        Node { transform, ..Node::new("", content) }
    }

    #[test]
    fn instanced_meshes_count_at_the_instances() {
        let mut scene = Scene::default();
        let mut faces = Faces::default();
        faces.push(&[0, 1, 2]);
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mesh = scene.meshes.push(Mesh { positions, faces, face_materials: vec![None], ..Mesh::default() });
        let group = scene.add_node(None, at([100.0, 0.0, 0.0], 4.0, Content::Group));
        scene.add_node(Some(group), at([2.0, 0.0, 0.0], 1.0, Content::Mesh(mesh)));
        scene.roots.clear();
        for height in [50.0, 70.0] {
            scene.add_node(None, at([0.0, height, 0.0], 2.0, Content::Instance(group)));
        }
        // Z is up in maps.
        let Bounds { all, is_cut } = find_bounds(&map(&scene));
        let (all, expected) = (all.unwrap(), [[4.0, 0.0, 50.0], [6.0, 0.0, 72.0]]);
        let is_far = all.iter().flatten().zip(expected.iter().flatten()).any(|(a, b)| (a - b).abs() > 1e-4);
        assert!(!is_far && !is_cut, "{all:?}");
    }

    #[test]
    fn instances_of_instances_are_limited() {
        let levels = |levels| {
            let mut scene = Scene::default();
            let mut shown = scene.add_node(None, Node::new("", Content::Group));
            for _ in 0..levels {
                let group = scene.add_node(None, Node::new("", Content::Group));
                for _ in 0..2 {
                    scene.add_node(Some(group), Node::new("", Content::Instance(shown)));
                }
                shown = group;
            }
            find_bounds(&map(&scene)).is_cut
        };
        assert!(!levels(8) && levels(21));
    }
}
