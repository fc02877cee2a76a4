//! Materials of all versions.

use mapwright_scene::{FaceFlags, Scene};
use mapwright_wings::Document;
use mapwright_wings::scene::{ExportOptions, from_scene};

use crate::scenes::{cube, import, scene_of};

/// A document of one material and a cube.
fn with_material(opengl: &[(&str, &[f64])], merge: impl FnOnce(&mut mapwright_wings::Model)) -> Scene {
    let mut model = from_scene(&scene_of(cube()), &ExportOptions::default()).unwrap().document.model().unwrap();
    let mut material = mapwright_wings::Material::new("m");
    for (key, values) in opengl {
        match **values {
            [value] => material.set_number(key, value).unwrap(),
            [r, g, b, a] => material.set_color(key, [r, g, b, a]).unwrap(),
            _ => unreachable!(),
        }
    }
    model.materials.push(mapwright_wings::MaterialEntry::Material(material));
    merge(&mut model);
    import(&Document::from_model(&model).unwrap())
}

#[test]
fn older_materials_are_converted_as_wings_does() {
    // No specular colour: 0.1. Parallel to the diffuse colour: 1 − acos(1)·2/π = 1. At a right angle: 0.
    let metallic = |opengl: &[(&str, &[f64])]| with_material(opengl, |_| ()).materials.items()[0].metallic;
    assert_eq!(metallic(&[]), 0.1);
    let grey: &[f64] = &[0.5, 0.5, 0.5, 1.0];
    assert!((metallic(&[("diffuse", grey), ("specular", &[1.0; 4])]) - 1.0).abs() < 1e-7);
    assert!(metallic(&[("diffuse", &[1.0, 0.0, 0.0, 1.0]), ("specular", &[0.0, 1.0, 0.0, 1.0])]).abs() < 1e-12);
    // cos = 0.3, so 1 − acos(0.3)·2/π.
    let third = metallic(&[("diffuse", &[1.0, 0.0, 0.0, 1.0]), ("specular", &[0.3, 0.0, 0.0, 1.0])]);
    assert!((third - 0.193_973_368_04).abs() < 1e-10, "{third}");
    assert_eq!(metallic(&[("specular", &[1.0; 4]), ("metallic", &[0.25])]), 0.25);

    let scene = with_material(&[("diffuse", &[0.1, 0.2, 0.3, 0.5]), ("shininess", &[0.75])], |_| ());
    let material = &scene.materials.items()[0];
    // A shininess that follows from the roughness is not stored separately.
    assert_eq!((material.roughness, material.classic), (0.25, None));
    assert_eq!((material.alpha, material.double_sided), (mapwright_scene::AlphaMode::Blend, false));
    assert_eq!((material.base_color, material.emissive), ([0.1, 0.2, 0.3, 0.5], [0.0, 0.0, 0.0, 1.0]));
}

#[test]
fn holes_of_files_before_1_1_11_are_holes() {
    let scene = with_material(&[], |model| {
        model.materials.push(mapwright_wings::MaterialEntry::Material(mapwright_wings::Material::new("_hole_")));
        if let mapwright_wings::Shape::Object(object) = &mut model.shapes[0] {
            object.mesh.faces[3] = Some("_hole_".into());
            object.mesh.faces[4] = Some("m".into());
        }
    });
    let mesh = &scene.meshes.items()[0];
    assert!(mesh.flags(3).contains(FaceFlags::HOLE) && mesh.flags(4).is_empty());
    assert_eq!((scene.materials.len(), mesh.face_material(3), mesh.surface().faces.len()), (1, None, 5));
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let (_, object) = export.document.model().unwrap().objects().next().map(|(i, o)| (i, o.clone())).unwrap();
    assert_eq!((object.hidden_faces(), object.holes()), (1, vec![0]));
}

#[test]
fn names_of_materials_become_unique_atoms() {
    let mut scene = scene_of(cube());
    for name in
        ["red", "red", "red2", "", "dark red", "dark red 7", "dark red", "_hole_", &"x".repeat(300), &"x".repeat(300)]
    {
        scene.materials.push(mapwright_scene::Material::new(name));
    }
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let model = export.document.model().unwrap();
    let names: Vec<String> = model.materials().map(|material| material.name.to_string()).collect();
    assert_eq!(names[..8], ["red", "red2", "red3", "material", "dark red", "dark red 7", "dark red 2", "_hole_2"]);
    assert!(names[8] == "x".repeat(255) && names[9].len() < 255 && names[9].ends_with('2'));
}
