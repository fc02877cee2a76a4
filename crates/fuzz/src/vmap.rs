//! Bodies for Source 2 maps.

use mapwright_scene::Import;
use mapwright_testkit::{Refusal, laws};
use mapwright_vmap::dmx::ElementId;
use mapwright_vmap::merge::{MergeOptions, Side};
use mapwright_vmap::scene::{ExportOptions, ImportOptions, Subdivision, from_scene, merge_scene, to_scene};
use mapwright_vmap::{Document, Editor, HiddenFlags, MapMesh, Mesh, NodeKind, Output, Transform, WriteError};

use crate::scene::check_whole;
use crate::target::{Target, refusal};

/// The targets of `mapwright-vmap`.
pub const TARGETS: &[Target] = &[
    Target { body: read, memory: 64, ..vmap("vmap_read") },
    Target { body: roundtrip, memory: 64, ..vmap("vmap_roundtrip") },
    Target { body: edit, memory: 256, ..vmap("vmap_edit") },
    Target { body: scene, memory: 256, ..vmap("vmap_scene") },
    Target { body: merge, memory: 256, ..vmap("vmap_merge") },
];

const fn vmap(name: &'static str) -> Target {
    Target { name, format: "vmap", files: "vmap", inputs: FILES, ..Target::NEW }
}

/// A map with the least of everything: an entity in a group, an instance of that, a prefab, a hidden node, a set; and
/// a number that is none.
const FILES: &[&[u8]] = &[
    b"<!-- dmx encoding keyvalues2 4 format vmap 40 -->\n\"$prefix_element$\"{\"map_asset_references\" \"string_array\" [\"a.vmat\"]}\n\
    \"CMapRootElement\"{\"world\" \"CMapWorld\"{\"nodeID\" \"int\" \"1\"\n\"children\" \"element_array\" [\n\
    \"CMapGroup\"{\"id\" \"elementid\" \"00000000-0000-0000-0000-000000000001\"\n\"nodeID\" \"int\" \"2\"\n\"children\" \"element_array\" [\n\
    \"CMapEntity\"{\"nodeID\" \"int\" \"3\"\n\"children\" \"element_array\" []\n\"origin\" \"vector3\" \"1 2 3\"\n\
    \"odd\" \"vector3\" \"nan -0 1\"\n\"angles\" \"qangle\" \"0 90 0\"\n\
    \"connectionsData\" \"element_array\" []\n\"entity_properties\" \"EditGameClassProps\"{\"classname\" \"string\" \"light_omni\"}}]}\n,\
    \"CMapInstance\"{\"nodeID\" \"int\" \"4\"\n\"children\" \"element_array\" []\n\
    \"target\" \"element\" \"00000000-0000-0000-0000-000000000001\"}\n,\
    \"CMapPrefab\"{\"nodeID\" \"int\" \"5\"\n\"children\" \"element_array\" []\n\"targetMapPath\" \"string\" \"p.vmap\"}]\n\
    \"entity_properties\" \"EditGameClassProps\"{\"classname\" \"string\" \"worldspawn\"}}\n\
    \"visbility\" \"CVisibilityMgr\"{\"nodeID\" \"int\" \"0\"\n\"children\" \"element_array\" []\n\
    \"nodes\" \"element_array\" [\"element\" \"00000000-0000-0000-0000-000000000001\"]\n\"hiddenFlags\" \"int_array\" [\"4\"]}\n\
    \"rootSelectionSet\" \"CMapSelectionSet\"{\"children\" \"element_array\" [\n\
    \"CMapSelectionSet\"{\"children\" \"element_array\" []\n\"selectionSetName\" \"string\" \"s\"\n\
    \"selectionSetData\" \"CObjectSelectionSetDataElement\"{\"selectedObjects\" \"element_array\" [\n\
    \"element\" \"00000000-0000-0000-0000-000000000001\"]}}]}}\n",
];

fn document(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(refusal)
}

/// Reads and looks at everything.
pub fn read(bytes: &[u8]) {
    let Some(map) = laws::total(bytes, document) else { return };
    for visit in map.nodes() {
        let node = visit.node;
        let _ = (node.transform().rows(), node.plugs().count(), node.bindings().count(), node.connections().count());
        let _ = node.entity().map(|entity| (entity.keys().count(), entity.bones().count()));
        let _ = match node.kind() {
            NodeKind::Prefab(prefab) => prefab.overrides().count(),
            NodeKind::Instance(instance) => instance.target().into_iter().count(),
            NodeKind::TileGrid(grid) => grid.layers().map(|layer| layer.hidden_cells().count()).sum(),
            _ => 0,
        };
        let mesh = node.mesh().and_then(MapMesh::data).map(Mesh::from_element);
        let _ = mesh.and_then(Result::ok).map(|mesh| mesh.check());
    }
    let _ = (map.census(), map.assets(), map.thumbnail(), map.selection_sets().count());
    let _ = map.visibility().map(|visibility| visibility.hidden().count());
    let _ = map.variables().map(|variables| (variables.iter().count(), variables.choice_groups().count()));
    assert!(map.validate().iter().all(|finding| !finding.message.is_empty()), "a finding without a message");
}

/// Checks that an accepted map comes back byte for byte.
pub fn roundtrip(bytes: &[u8]) {
    if laws::total(bytes, document).is_some() {
        laws::exact("the input", bytes, document, Document::to_bytes);
    }
}

/// A change of a map by the first and the last of its nodes.
type Change = fn(&mut Editor<'_>, ElementId, ElementId) -> Result<(), WriteError>;

const CHANGES: [(&str, Change); 12] = [
    ("add_entity", |map, first, _| {
        let lamp = map.add_entity(first, "light_omni")?;
        map.add_output(lamp, &Output::new("OnUser1", "lamp", "TurnOff"))?;
        map.set_key(lamp, "targetname", "lamp")
    }),
    ("add_node", |map, _, last| map.add_node(last, "CMapStaticOverlay").map(|_| ())),
    ("add_mesh", |map, first, _| map.add_mesh(first, &Mesh::default()).map(|_| ())),
    ("add_instance", |map, first, last| map.add_instance(first, last).map(|_| ())),
    ("add_asset", |map, _, _| map.add_asset("materials/a.vmat")),
    ("rename_asset", |map, _, _| map.rename_asset("a.vmat", "materials/b.vmat").map(|_| ())),
    ("set_key", |map, _, last| map.set_key(last, "classname", "prop_static")),
    ("set_transform", |map, _, last| map.set_transform(last, Transform { origin: [1.0; 3], ..Transform::IDENTITY })),
    ("set_name", |map, _, last| map.set_name(last, "name")),
    ("set_hidden", |map, _, last| map.set_hidden(last, HiddenFlags::QUICK_HIDE)),
    ("move_to", |map, first, last| map.move_to(last, first)),
    ("remove", |map, _, last| map.remove(last)),
];

/// Checks that a failed edit changes nothing, and that a map after an edit can be written and read again.
pub fn edit(bytes: &[u8]) {
    let Ok(mut map) = document(bytes) else { return };
    // Encodings before those of maps cannot say all that new nodes have.
    let modern = map.graph().header.encoding.is_text() || map.graph().header.encoding.version == 9;
    for (name, change) in CHANGES {
        let Some(first) = map.nodes().next().map(|visit| visit.node.id()) else { return };
        let last = map.nodes().last().map_or(first, |visit| visit.node.id());
        let before = map.to_bytes();
        let done = map.edit(|map| change(map, first, last));
        let after = map.to_bytes();
        match (done, before, after) {
            (Err(error), Ok(before), Ok(after)) => assert!(before == after, "{name} fails with a change: {error}"),
            (_, Ok(_), Err(error)) => assert!(!modern, "{name} creates a map that cannot be written: {error}"),
            (Ok(()), _, Ok(after)) => {
                let again = document(&after).unwrap_or_else(|refusal| panic!("{name}: {}", refusal.text));
                assert_eq!(again.nodes().count(), map.nodes().count(), "nodes after {name}");
            }
            _ => {}
        }
    }
    let _ = map.validate();
}

/// Checks that merging the scene of a map back changes nothing, that a changed scene comes back, and that a new map of it has a scene.
pub fn scene(bytes: &[u8]) {
    let Ok(mut map) = document(bytes) else { return };
    for subdivision in [Subdivision::Coarse, Subdivision::Fine] {
        if let Ok(import) = to_scene(&map, &ImportOptions::default().with_subdivision(subdivision)) {
            check_whole(&import.scene);
        }
    }
    let Ok(Import { mut scene, .. }) = to_scene(&map, &ImportOptions::default()) else { return };
    if merge_scene(&mut map, &scene, &ExportOptions::default()).is_ok() {
        assert!(map.to_bytes().is_ok_and(|written| written == bytes), "a map changes when its own scene is merged");
    }
    if let Ok(export) = from_scene(&scene, &ExportOptions::default()) {
        check_written(&export.document);
    }
    if let Some(node) = scene.roots.first().copied().and_then(|id| scene.nodes.get_mut(id)) {
        node.name.push('x');
        node.visible = !node.visible;
    }
    if merge_scene(&mut map, &scene, &ExportOptions::default()).is_ok() {
        let import = to_scene(&map, &ImportOptions::default());
        check_whole(&import.unwrap_or_else(|error| panic!("the merged map is not a scene: {error}")).scene);
    }
}

/// Checks that a merge of two edited maps, or of unrelated maps, can be written and read again.
pub fn merge(bytes: &[u8]) {
    let Ok(base) = document(bytes) else { return };
    let modern = |map: &Document| map.graph().header.encoding.is_text() || map.graph().header.encoding.version == 9;
    let side = |start| {
        let mut map = base.clone();
        for (_, change) in CHANGES.iter().skip(start).step_by(2) {
            let Some(first) = map.nodes().next().map(|visit| visit.node.id()) else { continue };
            let last = map.nodes().last().map_or(first, |visit| visit.node.id());
            let _ = map.edit(|map| change(map, first, last));
        }
        map
    };
    let (one, other) = (side(0), side(1));
    for sides in [[&one, &other], [&other, &one]] {
        let [ours, theirs] = sides;
        for prefer in [Side::Ours, Side::Theirs] {
            let options = MergeOptions::default().with_prefer(prefer);
            let Ok(merged) = mapwright_vmap::merge::merge(&base, ours, theirs, &options) else { continue };
            if modern(ours) && sides.iter().all(|side| side.to_bytes().is_ok()) {
                let bytes = merged.document.to_bytes();
                let bytes = bytes.unwrap_or_else(|error| panic!("the merged map is not written: {error}"));
                let again = document(&bytes).unwrap_or_else(|refusal| panic!("merged: {}", refusal.text));
                assert_eq!(again.nodes().count(), merged.document.nodes().count(), "nodes of the merged map");
            }
            assert!(
                merged.conflicts.iter().all(|conflict| !conflict.to_string().is_empty()),
                "a conflict without a message"
            );
        }
    }
    for unrelated in FILES.iter().filter_map(|bytes| document(bytes).ok()) {
        for [base, ours, theirs] in [[&unrelated, &one, &other], [&base, &unrelated, &one], [&base, &one, &unrelated]] {
            let _ = mapwright_vmap::merge::merge(base, ours, theirs, &MergeOptions::default());
        }
    }
}

/// Checks that a map of a scene can be written, read and converted to a scene again.
fn check_written(map: &Document) {
    let bytes = map.to_bytes().unwrap_or_else(|error| panic!("the exported map is not written: {error}"));
    let again = document(&bytes).unwrap_or_else(|refusal| panic!("the exported map is refused: {}", refusal.text));
    let import = to_scene(&again, &ImportOptions::default());
    let import = import.unwrap_or_else(|error| panic!("the exported document is not a scene: {error}"));
    check_whole(&import.scene);
    let export = from_scene(&import.scene, &ExportOptions::default());
    export.unwrap_or_else(|error| panic!("the document that was exported and imported is not exported: {error}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_made_inputs_are_maps_that_every_change_can_begin_with() {
        for bytes in FILES {
            let map = document(bytes).unwrap_or_else(|refusal| panic!("{}", refusal.text));
            assert_eq!((map.nodes().count(), map.selection_sets().count()), (5, 2));
            assert_eq!(map.visibility().unwrap().hidden().count(), 1);
            let import = to_scene(&map, &ImportOptions::default()).unwrap();
            assert_eq!((import.scene.nodes.len(), import.scene.sets.len()), (4, 1));
        }
    }
}
