//! Selections and selection groups → named sets.

use mapwright_scene::{Elements, NamedSet};

use crate::scene::imported::{ImportedObject, ImportedScene};
use crate::{SelectMode, Shape, WingedMesh};

/// Reads the selections.
pub(super) fn read_selections(imported: &mut ImportedScene) {
    for (index, selection) in imported.model.selections().iter().enumerate() {
        let name = selection.name.as_ref().map_or("", crate::Name::as_str);
        let path = format!("selections[{index}]");
        if let SelectMode::Other(mode) = &selection.mode {
            imported.losses.dropped(path, format!("selection {name:?} of the unknown mode {mode}"));
            continue;
        }
        let mut members = Vec::with_capacity(selection.members.len());
        let (mut missing_objects, mut missing_elements) = (0_usize, 0_usize);
        for (number, ids) in &selection.members {
            let find = || {
                let index = usize::try_from(*number).ok()?;
                let mesh = &imported.model.shapes.get(index).and_then(Shape::as_object)?.mesh;
                Some((imported.objects[index].as_ref()?, mesh))
            };
            let Some((object, mesh)) = find() else {
                missing_objects += 1;
                continue;
            };
            let (elements, missing) = read_elements(&selection.mode, ids, mesh, object);
            missing_elements += missing;
            members.push((object.node, elements));
        }
        for (missing, what) in [(missing_objects, "objects"), (missing_elements, "elements")] {
            if missing > 0 {
                let text = format!("{missing} {what} of the selection {name:?} that do not exist");
                imported.losses.dropped(&path, text);
            }
        }
        imported.scene.sets.push(NamedSet { name: name.to_owned(), members, ..NamedSet::default() });
    }
}

/// Reads the selected elements of one object. Also returns the number of those that do not exist.
fn read_elements(mode: &SelectMode, ids: &[i64], mesh: &WingedMesh, object: &ImportedObject) -> (Elements, usize) {
    let numbers = || ids.iter().filter_map(|&id| u32::try_from(id).ok());
    let (elements, count) = match mode {
        SelectMode::Vertex => {
            let vertices: Vec<u32> = numbers().filter(|&vertex| (vertex as usize) < mesh.vertices.len()).collect();
            let count = vertices.len();
            (Elements::Vertices(vertices), count)
        }
        SelectMode::Edge => {
            let edges = numbers().filter_map(|edge| mesh.edges.get(edge as usize));
            let edges: Vec<[u32; 2]> = edges.map(|edge| [edge.start.min(edge.end), edge.start.max(edge.end)]).collect();
            let count = edges.len();
            (Elements::Edges(edges), count)
        }
        SelectMode::Face => {
            let face = |face: u32| u32::try_from(object.rings.faces.binary_search(&face).ok()?).ok();
            let faces: Vec<u32> = numbers().filter_map(face).collect();
            let count = faces.len();
            (Elements::Faces(faces), count)
        }
        SelectMode::Body | SelectMode::Other(_) => (Elements::Node, ids.len()),
    };
    (elements, ids.len().saturating_sub(count))
}
