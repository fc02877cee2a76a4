//! Maps of Source 1, and the way from them to Source 2.
#![cfg(all(feature = "vmf", feature = "vmap", feature = "gltf"))]

use std::collections::BTreeMap;
use std::fs;

use mapwright::fgd::{Definitions, Document as Fgd};
use mapwright::info::VmfInfo;
use mapwright::scene::{Content, LossKind, NoFiles, Scene};
use mapwright::vmap::NodeKind;
use mapwright::{AnyDocument, ConvertOptions, EditOptions, Format, Query, ReadOptions, convert};
use mapwright_testkit::{corpus, files_below, workspace};

fn room() -> AnyDocument {
    AnyDocument::from_bytes(&fs::read(workspace().join("fixtures/vmf/room.vmf")).unwrap()).unwrap()
}

fn to(document: &AnyDocument, format: Format) -> (AnyDocument, Vec<String>) {
    let conversion = convert(document.clone(), format, &NoFiles, &ConvertOptions::default().with_allow_empty(true));
    let conversion = conversion.unwrap_or_else(|error| panic!("{format}: {error}"));
    let losses = conversion.losses.iter().filter(|loss| loss.kind != LossKind::Preserved).map(ToString::to_string);
    (AnyDocument::from_bytes(&conversion.files.main).unwrap(), losses.collect())
}

fn scene(document: &AnyDocument) -> Scene {
    document.to_scene().unwrap().scene
}

/// What a scene shows: the number of triangles, the sum of their areas and of the coordinates of their centres, by material.
fn shown(scene: &Scene) -> BTreeMap<String, (usize, f64, [f64; 3])> {
    let metres = scene.metres_per_unit.unwrap_or(1.0);
    let mut found: BTreeMap<String, (usize, f64, [f64; 3])> = BTreeMap::new();
    for visit in scene.walk().filter(|visit| visit.visible) {
        let Content::Mesh(id) = visit.node.content else { continue };
        let mesh = &scene.meshes[id];
        for (face, ring) in mesh.faces.iter().enumerate() {
            let material = mesh.face_material(face).map(|id| scene.materials[id].name.to_lowercase());
            let points: Vec<[f64; 3]> = ring
                .iter()
                .map(|vertex| visit.world.point(mesh.positions[*vertex as usize]).map(|c| c * metres))
                .collect();
            let entry = found.entry(material.unwrap_or_default()).or_default();
            for corner in 1..points.len() - 1 {
                let (a, b, c) = (points[0], points[corner], points[corner + 1]);
                let side = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
                let cross = mapwright::scene::transform::cross(side(b), side(c));
                let area = cross.iter().map(|c| c * c).sum::<f64>().sqrt() / 2.0;
                entry.0 += 1;
                entry.1 += area;
                for axis in 0..3 {
                    // Weighted with the area, the sum does not depend on the diagonals of flat faces.
                    entry.2[axis] += area * (a[axis] + b[axis] + c[axis]) / 3.0;
                }
            }
        }
    }
    found
}

/// Checks that a map shows the same as glTF, whether it was a map of Source 2 before or not.
fn check_way_over_source_2(map: &AnyDocument, name: &str) {
    let (direct, _) = to(map, Format::Glb);
    let (vmap, _) = to(map, Format::Vmap);
    let (over, _) = to(&vmap, Format::Glb);
    let (direct, over) = (shown(&scene(&direct)), shown(&scene(&over)));
    assert_eq!(direct.keys().collect::<Vec<_>>(), over.keys().collect::<Vec<_>>(), "{name}");
    for (material, (count, area, centre)) in &direct {
        let (other_count, other_area, other_centre) = over[material];
        assert_eq!(*count, other_count, "{name}: triangles of {material}");
        let most = area.max(1.0) * 1e-3;
        assert!((area - other_area).abs() < most, "{name}: {material} has the area {area} and {other_area}");
        let far = centre.iter().zip(other_centre).any(|(a, b)| (a - b).abs() > most * 100.0);
        assert!(!far, "{name}: {material} is at {centre:?} and {other_centre:?}");
    }
}

#[test]
fn maps_show_the_same_over_source_2() {
    check_way_over_source_2(&room(), "room");
}

#[test]
#[ignore = "needs the corpus"]
fn maps_of_the_corpus_show_the_same_over_source_2() {
    let Some(folder) = corpus("vmf") else { return };
    for path in files_below(&folder).into_iter().filter(|path| path.extension().is_some_and(|it| it == "vmf")) {
        let map = AnyDocument::from_bytes(&fs::read(&path).unwrap()).unwrap();
        check_way_over_source_2(&map, &path.display().to_string());
    }
}

#[test]
fn maps_become_maps_of_source_2() {
    let (document, losses) = to(&room(), Format::Vmap);
    let map = document.as_vmap().unwrap();
    let entity = |class: &str| {
        let entities = map.nodes().filter_map(|visit| visit.node.entity());
        entities.into_iter().find(|entity| entity.classname() == class.as_bytes()).unwrap()
    };
    let door = entity("func_door");
    let outputs: Vec<_> = door.node().connections().collect();
    assert_eq!((outputs.len(), outputs[0].target(), outputs[0].input()), (2, &b"lamp"[..], &b"TurnOn"[..]));
    assert!(door.node().children().any(|child| matches!(child.kind(), NodeKind::Mesh(_))));
    let keys = |class: &str, key: &str| {
        entity(class).keys().find(|(name, _)| *name == key.as_bytes()).map(|(_, value)| value.to_vec())
    };
    assert_eq!(keys("prop_static", "model").as_deref(), Some(&b"models/props/barrel01.vmdl"[..]));
    let prefab = map.nodes().find_map(|visit| match visit.node.kind() {
        NodeKind::Prefab(prefab) => Some(prefab.path().to_vec()),
        _ => None,
    });
    assert_eq!(prefab.as_deref(), Some(&b"maps/instances/lamp.vmap"[..]));
    let scene = scene(&document);
    let references: Vec<_> =
        scene.materials.items().iter().filter_map(|material| material.reference.as_deref()).collect();
    assert!(references.contains(&"materials/dev/dev_measuregeneric01b.vmat"), "{references:?}");
    // A unit is an inch in both.
    let (_, node) = scene.nodes.iter().find(|(_, node)| node.name == "door").unwrap();
    assert_eq!(node.transform.origin(), [96.0, 48.0, 0.0]);
    for part in ["path of the model", "path of the instance", "in lower case", "overlay"] {
        assert!(losses.iter().any(|loss| loss.contains(part)), "{part}: {losses:#?}");
    }

    // Convex meshes come back as solids, and what does not is reported.
    let (back, losses) = to(&document, Format::Vmf);
    let back = back.into_vmf().unwrap();
    assert_eq!(back.solids().count(), 3, "{losses:#?}");
    let door = back.entities().find(|entity| entity.is_class("func_door")).unwrap();
    assert_eq!((door.solids().count(), door.outputs().count()), (1, 2));
    assert!(losses.iter().any(|loss| loss.contains("cannot become a solid")), "{losses:#?}");
    let model = back.entities().find_map(|entity| entity.text("model").map(std::borrow::Cow::into_owned));
    assert_eq!(model.as_deref(), Some("models/props/barrel01.mdl"));
}

#[test]
fn maps_are_summarized_compared_and_edited() {
    let mut map = room();
    let info = VmfInfo::new(map.as_vmf().unwrap());
    assert_eq!((info.editor_build, info.totals.solids, info.totals.displacements), (Some(8870), 4, 1));
    assert_eq!(info.totals.bounds, Some([[-128.0, -128.0, -16.0], [256.0, 128.0, 96.0]]));
    let before = map.clone();
    map.edit(&"set class=light: style=10".parse().unwrap(), &EditOptions::default()).unwrap();
    let diff = before.diff(&map).unwrap();
    assert!(!diff.is_empty() && diff.to_string().contains("style: 0 → 10"), "{diff}");
    let options = ConvertOptions::default().with_only(vec![Query::equal("class", "func_door")]);
    let door = convert(map.clone(), Format::Glb, &NoFiles, &options).unwrap();
    assert_eq!(door.source.brushes, 1);
    let options = ConvertOptions::default().with_only(vec![Query::equal("displacement", "true")]);
    assert_eq!(convert(map, Format::Glb, &NoFiles, &options).unwrap().source.meshes, 1);
}

#[test]
fn entities_are_checked_against_definitions() {
    let fgd = "@SolidClass = worldspawn [ skyname(string) : \"Sky\" ] @PointClass = info_player_start [ ] \
        @PointClass = func_door [ speed(integer) output OnFullyOpen(void) ] \
        @PointClass = light [ _light(string) style(choices) = [ 1 : \"a\" ] _quadratic_attn(string) input TurnOff(void) ] \
        @PointClass = prop_static [ skin(float) solid(boolean) ]";
    let fgd = Fgd::from_bytes(fgd.as_bytes()).unwrap();
    let definitions = Definitions::new([("my.fgd", &fgd)]);
    let files = ReadOptions::default().files();
    let findings = room().validate_entities(&definitions, &files).unwrap();
    let mut codes: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let expected = ["class-meshes", "class-unknown", "input-unknown", "key-unknown", "key-value", "output-unknown"];
    assert_eq!(codes, expected, "{findings:#?}");
    let path = |code: &str| findings.iter().find(|finding| finding.code == code).unwrap().path.to_string();
    assert_eq!((&*path("class-meshes"), &*path("output-unknown")), ("entities[1]", "entities[1].outputs[1]"));
}
