//! The laws of conversion to and from scenes.
#![cfg(feature = "scene")]

use mapwright_testkit::corpus;
use mapwright_wrp::io::FixedBytes;
use mapwright_wrp::scene::mapwright_scene::{Content, Heights, InstanceTransforms, Model, Node, Scene, Terrain};
use mapwright_wrp::scene::{
    AXES, ExportOptions, ImportOptions, Variant, capabilities, from_scene, merge_scene, to_scene,
};
use mapwright_wrp::{Builder, Document, Heading, Matrix, Name, Objects, Placements, Version, Wvr, Wvr8};

fn scene(document: &Document) -> Scene {
    let scene = to_scene(document, &ImportOptions::default()).unwrap().scene;
    assert!(!scene.validate().iter().any(|problem| format!("{:?}", problem.severity) == "Error"));
    scene
}

fn merged(document: &Document, scene: &Scene) -> Document {
    let mut merged = document.clone();
    merge_scene(&mut merged, scene, &ExportOptions::default()).unwrap();
    merged
}

/// Returns an island that rises to the north-east, with a residue after a name, a gap in the table, and a model name in two cases.
fn island() -> Wvr {
    let mut terrain = Wvr::new([4, 4]);
    terrain.heights = (0..16).map(|vertex| vertex * 100 - 300).collect();
    terrain.textures = vec![0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, -1, 512, 3, 1, 0];
    terrain.names[1] = FixedBytes { raw: *b"landtext\\pi.paa\0old.paa\0\0\0\0\0\0\0\0\0" };
    terrain.names[3] = FixedBytes::from_text(b"landtext\\s\xb3o.paa").unwrap();
    let mut builder = Builder::default();
    let house = builder.add_model(&Name { bytes: b"data3d\\dum.p3d".to_vec(), rest: b"\0rest".to_vec() });
    let shouted = builder.add_model(&Name::new(*b"DATA3D\\DUM.p3d"));
    let tree = builder.add_model(&Name::new(*b"data3d\\les.p3d"));
    builder.push(house, Matrix::from_position([10.0, 20.0, 30.0]), Some(7));
    builder.push(tree, Matrix::from_position([60.0, Matrix::FIT_TO_GROUND, 60.0]), Some(3));
    let nan = f32::from_bits(0x7fa0_0001);
    let mut unusual = Matrix::from_position([nan, -0.0, 5.0]);
    unusual.aside = [-1.0, 0.0, 0.0];
    builder.push(shouted, unusual, Some(3));
    terrain.objects = builder.finish();
    terrain
}

#[test]
#[ignore = "needs the corpus"]
fn an_unchanged_scene_changes_no_corpus_terrain() {
    let document = Document::Wvr(island());
    assert!(merged(&document, &scene(&document)) == document);
    let Some(folder) = corpus("wrp") else { return };
    let mut exact = 0;
    for folder in [folder.join("synthetic"), folder] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let Ok(document) = Document::from_bytes(&std::fs::read(&path).unwrap_or_default()) else { continue };
            let mut scene = scene(&document);
            assert!(merged(&document, &scene) == document, "{}", path.display());
            // Change something else, so that every part is compared.
            scene.name = "island".to_owned();
            assert!(merged(&document, &scene) == document, "{}", path.display());
            exact += 1;
        }
    }
    assert!(exact > 30);
}

#[test]
fn a_changed_scene_preserves_unchanged_parts() {
    let document = Document::Wvr(island());
    let mut scene = scene(&document);
    let set = scene.instance_sets.iter_mut().next().unwrap().1;
    let InstanceTransforms::Affine(maps) = &mut set.transforms else { panic!("matrices") };
    maps[0][3] = [11.0, 20.0, -30.0];
    let Document::Wvr(merged) = merged(&document, &scene) else { panic!("a 4WVR") };
    let mut expected = island();
    let Placements::Matrices(matrices) = &mut expected.objects.placements else { panic!("matrices") };
    matrices[0].position[0] = 11.0;
    assert_eq!(merged, expected, "names, bits and the rest are those of the document");
}

#[test]
fn objects_are_deleted_added_and_renamed() {
    let document = Document::Wvr(island());
    let mut scene = scene(&document);
    let names = scene.instance_sets.iter().map(|(_, set)| format!("{:?}", set.models)).collect::<Vec<_>>();
    assert_eq!(names.len(), 2, "upper and lower case are one: {names:?}");
    let tree = scene.instance_sets.iter_mut().nth(1).unwrap().1;
    tree.models = vec![Model::Reference("data3d\\ker.p3d".to_owned())];
    tree.model.push(0);
    tree.ids.clear();
    tree.order.clear();
    tree.on_ground.clear();
    let InstanceTransforms::Affine(maps) = &mut tree.transforms else { panic!("matrices") };
    maps.push([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 2.0, -3.0]]);
    let merged = merged(&document, &scene);
    let objects = merged.objects();
    let names: Vec<String> = objects.iter().map(|object| object.model.unwrap().to_string()).collect();
    assert_eq!(names, ["data3d\\dum.p3d", "DATA3D\\DUM.p3d", "data3d\\ker.p3d", "data3d\\ker.p3d"]);
    assert_eq!(objects.ids, [7, 3, 8, 9]);
    assert_eq!(Document::from_bytes(&merged.to_bytes().unwrap()).unwrap().objects().len(), 4);
}

#[test]
fn axes_change_signs_only() {
    let mut builder = Builder::default();
    let model = builder.add_model(&Name::new(*b"a.p3d"));
    // Faces east, leans, and has twice its size.
    let matrix =
        Matrix { aside: [0.0, 0.0, -2.0], up: [0.5, 2.0, 0.0], dir: [2.0, -0.5, 0.0], position: [1.0, 2.0, 3.0] };
    builder.push(model, matrix, Some(1));
    let terrain = Wvr { objects: builder.finish(), ..Wvr::new([2, 2]) };
    let scene = scene(&Document::Wvr(terrain));
    let (_, set) = scene.instance_sets.iter().next().unwrap();
    let transform = set.transforms.get(0).unwrap();
    // Transform a point of the model in the axes of the file and in those of the scene.
    let point = [0.3, -0.7, 1.9];
    let there = AXES.apply(matrix.apply(point));
    let here = transform.point(AXES.apply(point));
    assert!(there.iter().zip(here).all(|(a, b)| (a - b).abs() < 1e-12), "{there:?} {here:?}");
}

#[test]
fn a_new_terrain_has_the_content_of_the_scene() {
    let island = Document::Wvr(Wvr { names: island().names, ..clean_island() });
    for variant in [Variant::Wvr4, Variant::Wvr8] {
        let before = scene(&island);
        let options = ExportOptions::default().with_variant(Some(variant));
        let export = from_scene(&before, &options).unwrap();
        let bytes = export.document.to_bytes().unwrap();
        let after = scene(&Document::from_bytes(&bytes).unwrap());
        let ([old], [new]) = (before.terrains.items(), after.terrains.items()) else { panic!("one each") };
        let heights = |terrain: &Terrain| (0..16).map(|at| terrain.heights.get(at).unwrap()).collect::<Vec<_>>();
        let worst = heights(old).iter().zip(heights(new)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-5, "{worst}");
        assert_eq!((old.spacing, old.size, &old.cells), (new.spacing, new.size, &new.cells));
        assert_eq!(before.instance_sets, after.instance_sets);
        assert_eq!(export.losses.items, [], "{variant:?}");
    }
}

fn clean_island() -> Wvr {
    let mut terrain = island();
    for name in &mut terrain.objects.models {
        name.rest.clear();
    }
    terrain.objects.retain(|_, object| object.id == Some(7));
    terrain
}

#[test]
fn every_raw_height_survives_metres() {
    let mut terrain = Wvr::new([256, 256]);
    terrain.heights = (i16::MIN..=i16::MAX).collect();
    let scene = scene(&Document::Wvr(terrain.clone()));
    let as_metres = from_scene(&scene, &ExportOptions::default().with_variant(Some(Variant::Wvr8))).unwrap();
    let metres = to_scene(&as_metres.document, &ImportOptions::default()).unwrap().scene;
    assert!(matches!(metres.terrains.items()[0].heights, Heights::F32(_)));
    let back = from_scene(&metres, &ExportOptions::default().with_variant(Some(Variant::Wvr4))).unwrap();
    let Document::Wvr(back) = back.document else { panic!("a 4WVR") };
    assert!(back.heights == terrain.heights);
    // The same when they are merged into the original document.
    let mut flat = Document::Wvr(Wvr::new([256, 256]));
    let losses = merge_scene(&mut flat, &metres, &ExportOptions::default()).unwrap();
    let Document::Wvr(flat) = flat else { panic!("a 4WVR") };
    assert!(flat.heights == terrain.heights);
    assert!(!losses.iter().any(|loss| loss.path.to_string().contains("heights")), "{losses:?}");
}

#[test]
fn a_heightmap_changes_only_heights() {
    let document = Document::Wvr(island());
    let mut image = Scene::default();
    let terrain = Terrain {
        heights: Heights::F32(vec![4.5; 16]),
        cells: Vec::new(),
        cell_size: [0, 0],
        materials: Vec::new(),
        // A heightmap has its northern row first.
        spacing: [50.0, 50.0],
        ..scene(&document).terrains.items()[0].clone()
    };
    let id = image.terrains.push(terrain);
    image.add_node(None, Node::new("", Content::Terrain(id)));
    let Document::Wvr(merged) = merged(&document, &image) else { panic!("a 4WVR") };
    assert_eq!(merged, Wvr { heights: vec![100; 16], ..island() });
}

#[test]
fn rows_that_run_south_are_reversed() {
    let document = Document::Wvr(clean_island());
    let mut scene = scene(&document);
    let (_, terrain) = scene.terrains.iter_mut().next().unwrap();
    terrain.spacing[1] = 50.0;
    let Heights::Steps { values, .. } = &mut terrain.heights else { panic!("steps") };
    *values = values.chunks(4).rev().flatten().copied().collect();
    terrain.cells = terrain.cells.chunks(4).rev().flatten().copied().collect();
    // Now the northern row is at the origin.
    scene.nodes.iter_mut().next().unwrap().1.transform =
        mapwright_wrp::scene::mapwright_scene::Transform::translation([0.0, 0.0, -150.0]);
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let Document::Wvr(turned) = export.document else { panic!("a 4WVR") };
    let expected = clean_island();
    assert_eq!((turned.heights, turned.textures), (expected.heights, expected.textures));
    assert_eq!(turned.objects.placements, expected.objects.placements);
}

#[test]
fn upright_objects_are_on_the_ground() {
    let objects = Objects {
        models: vec![Name::new(*b"a.p3d")],
        model: vec![0],
        placements: Placements::Headings(vec![Heading { x: 1.0, y: 2.0, z: 1.0, heading: 90.0 }]),
        ids: Vec::new(),
    };
    let version = Version::Wvr2;
    let terrain = Wvr { version, objects, terminator: Some(vec![0; 64]), heights: vec![100; 4], ..Wvr::new([2, 2]) };
    let document = Document::Wvr(terrain);
    let scene = scene(&document);
    let (_, set) = scene.instance_sets.iter().next().unwrap();
    let InstanceTransforms::Affine(maps) = &set.transforms else { panic!("matrices") };
    assert_eq!(maps[0][3], [50.0, 6.5, -50.0]);
    assert!(merged(&document, &scene) == document);
}

#[test]
fn other_scenes_are_rejected_and_losses_are_reported() {
    let error = from_scene(&Scene::default(), &ExportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("heightmap"), "{error}");
    let mut scene = scene(&Document::Wvr8(Wvr8::new([2, 2], 40.0, 4)));
    let (_, terrain) = scene.terrains.iter_mut().next().unwrap();
    terrain.heights = Heights::F32((0_u8..64).map(|at| f32::from(at) * 100.0).collect());
    let options = ExportOptions::default().with_variant(Some(Variant::Wvr4));
    let export = from_scene(&scene, &options).unwrap();
    let losses: Vec<String> = export.losses.iter().map(ToString::to_string).collect();
    assert!(losses.iter().any(|loss| loss.contains("to the range")), "{losses:?}");
    assert!(losses.iter().any(|loss| loss.contains("the game uses 50 m")), "{losses:?}");
    assert!(capabilities().losses(&Scene::default()).is_empty());
    for (spacing, height) in [(1e39, 1.0), (40.0, 1e39)] {
        let mut scene = scene.clone();
        let (_, terrain) = scene.terrains.iter_mut().next().unwrap();
        terrain.spacing = terrain.spacing.map(|step| step.signum() * spacing);
        terrain.heights = Heights::Steps { step: height, values: vec![1; 64] };
        let error = from_scene(&scene, &ExportOptions::default()).unwrap_err();
        assert!(error.to_string().contains("exceeds single precision: 1e39 m"), "{error}");
    }
    let mut other = Document::Wvr(Wvr::new([4, 4]));
    let error = merge_scene(&mut other, &scene, &ExportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("heightmap has 8×8 heights, the terrain has 4×4"), "{error}");
}

#[test]
fn cells_keep_their_materials_in_a_changed_table() {
    for version in [Version::Wvr1, Version::Wvr4] {
        let mut terrain = Wvr { version, textures: vec![1, 2, 0, 1], ..Wvr::new([2, 2]) };
        if version == Version::Wvr1 {
            terrain.names.truncate(256);
            terrain.objects.placements = Placements::Headings(Vec::new());
            terrain.terminator = None;
            terrain.names[0] = FixedBytes::from_text(b"zero.pac").unwrap();
        }
        terrain.names[1] = FixedBytes::from_text(b"one.pac").unwrap();
        terrain.names[2] = FixedBytes::from_text(b"two.pac").unwrap();
        let document = Document::Wvr(terrain);
        let mut scene = scene(&document);
        // Change the material of all land, at the index of the sea in 4WVR.
        let new = scene.materials.push(mapwright_wrp::scene::mapwright_scene::Material::new("new.pac"));
        for (_, field) in scene.terrains.iter_mut() {
            field.materials[0] = Some(new);
            field.cells = vec![0, 1, 2, 0];
        }
        let Document::Wvr(merged) = merged(&document, &scene) else { panic!("the same variant") };
        let shown: Vec<&[u8]> =
            merged.textures.iter().map(|index| merged.texture(*index).map_or(&b""[..], |name| name.text())).collect();
        assert_eq!(shown, [&b"new.pac"[..], b"one.pac", b"two.pac", b"new.pac"], "{version:?}");
    }
}

#[test]
fn losses_are_reported_once_with_a_count() {
    let losses = to_scene(&Document::Wvr(island()), &ImportOptions::default()).unwrap().losses;
    let said: Vec<String> = losses.iter().map(ToString::to_string).collect();
    for expected in [
        "approximated: objects.models: 1 name that differs from another only in upper and lower case",
        "dropped: objects.models: 1 name with bytes of an older name after it",
        "dropped: names: 1 name with bytes of an older name after it",
    ] {
        assert!(said.iter().any(|loss| loss == expected), "{expected}: {said:?}");
    }
    let flat = Document::Wvr8(Wvr8::new([4, 4], 0.0, 1));
    let losses = to_scene(&flat, &ImportOptions::default()).unwrap().losses;
    assert!(losses.iter().any(|loss| loss.text.contains("invalid distance of vertices")), "{losses:?}");
}

#[test]
fn long_names_are_shortened_and_stay_distinct() {
    let long = |folder: &str, end: &str| format!("{folder}\\{}{end}.p3d", "x".repeat(80)).into_bytes();
    let mut builder = Builder::default();
    for name in [long("a", "1"), long("a", "2"), b"short.p3d".to_vec(), [b"x".repeat(72), b".p3d".to_vec()].concat()] {
        let model = builder.add_model(&Name::new(name));
        builder.push(model, Matrix::from_position([1.0, 2.0, 3.0]), Some(0));
    }
    let mut terrain = Wvr8 { objects: builder.finish(), ..Wvr8::new([4, 4], 50.0, 1) };
    terrain.materials = vec![Vec::new(), vec![[b"y".repeat(40), b".paa".to_vec()].concat()]];
    let options = ExportOptions::default().with_variant(Some(Variant::Wvr4));
    let export = from_scene(&scene(&Document::Wvr8(terrain)), &options).unwrap();
    let reported = export.losses.iter().filter(|loss| loss.text.contains("names have 76 bytes")).count();
    assert_eq!(reported, 2, "{:?}", export.losses);
    assert!(export.losses.iter().any(|loss| loss.text.contains("names have 32 bytes")));
    let again = Document::from_bytes(&export.document.to_bytes().unwrap()).unwrap();
    let names: Vec<String> = again.objects().models.iter().map(ToString::to_string).collect();
    let x = |count: usize| "x".repeat(count);
    let expected =
        [format!("{}~2.p3d", x(70)), format!("{}~3.p3d", x(70)), "short.p3d".to_owned(), format!("{}.p3d", x(72))];
    assert_eq!(names, expected);
    let Document::Wvr(again) = again else { panic!("4WVR") };
    assert_eq!(again.names[1].text(), [b"y".repeat(28), b".paa".to_vec()].concat());
}

/// A scene with a heightmap that came from elsewhere.
fn scene_of(spacing: [f64; 2], heights: Heights) -> Scene {
    let mut scene = Scene::default();
    let side = u32::try_from(heights.len().isqrt()).unwrap();
    let id = scene.terrains.push(Terrain::new([side; 2], [spacing[0], -spacing[1]], heights));
    scene.add_node(None, Node::new("", Content::Terrain(id)));
    scene
}

#[test]
fn the_variant_of_new_terrains_is_exact() {
    let steps = |step| Heights::Steps { step, values: (0..64).collect() };
    for (step, cell, expected) in
        [(0.045, 50.0, "4WVR"), (0.045, 10.0, "8WVR"), (1.0, 50.0, "8WVR"), (0.05, 50.0, "8WVR")]
    {
        let export = from_scene(&scene_of([cell; 2], steps(step)), &ExportOptions::default()).unwrap();
        assert_eq!(export.document.variant(), expected, "{step} {cell}");
        let ground = export.document.ground();
        assert_eq!(ground.step, [cell; 2]);
        for (vertex, height) in ground.heights.iter().enumerate() {
            assert!((f64::from(height) - vertex as f64 * step).abs() < 1e-6, "{vertex}: {height}");
        }
        let losses: Vec<String> = export.losses.iter().map(ToString::to_string).collect();
        let sea = "synthesized: terrains.sea_level: the sea at 0, which all terrains have";
        let is_expected = |loss: &String| {
            let variant = format!("preserved: variant: {expected}, ");
            loss == sea || loss.starts_with("synthesized: terrains.cells") || loss.starts_with(&variant)
        };
        assert!(losses.iter().all(is_expected), "{losses:?}");
    }
    // The cells of the material grid are near 40 m.
    for (cell, land) in [(10.0, 16), (7.5, 16), (4.0, 8), (50.0, 64), (1.0, 4), (200.0, 64)] {
        let export =
            from_scene(&scene_of([cell; 2], Heights::F32(vec![0.0; 4096])), &ExportOptions::default()).unwrap();
        let Document::Wvr8(terrain) = export.document else { panic!("8WVR") };
        assert_eq!((terrain.land, terrain.ground().step), ([land; 2], [cell; 2]), "{cell}");
    }
}

#[test]
fn grids_that_a_terrain_cannot_store_are_rejected_or_reported() {
    let mut heights = vec![0.0; 16];
    (heights[5], heights[9]) = (f32::NAN, -3.4e38);
    let error = from_scene(&scene_of([10.0; 2], Heights::F32(heights)), &ExportOptions::default()).unwrap_err();
    // Rows of the scene run north.
    let expected = "2 of 16 samples have no height (the first at column 1, row 1 from the north-west)";
    assert!(error.to_string().starts_with(expected), "{error}");
    let wide = from_scene(&scene_of([10.0, 30.0], Heights::F32(vec![0.0; 16])), &ExportOptions::default()).unwrap_err();
    assert!(wide.to_string().starts_with("cells of 10 × 30 m are not squares"), "{wide}");

    let mut scene = scene_of([10.0; 2], Heights::F32(vec![0.0; 33 * 33]));
    scene.nodes.iter_mut().for_each(|(_, node)| {
        node.transform = mapwright_wrp::scene::mapwright_scene::Transform::translation([5.0, 0.0, -7.0]);
    });
    let mut crs = mapwright_wrp::scene::mapwright_scene::Properties::new();
    crs.push("epsg", 32633);
    scene.properties.push("crs", crs);
    scene.properties.push("author", "me");
    let losses = |options: &ExportOptions| {
        let export = from_scene(&scene, options).unwrap();
        (export.document.ground().size, export.losses.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let (size, whole) = losses(&ExportOptions::default());
    assert_eq!(size, [33; 2]);
    assert_eq!(
        whole,
        [
            "dropped: properties.crs: coordinate reference system EPSG:32633",
            "dropped: properties: properties author",
            "approximated: terrains: south-west corner 5 m east and 7 m north of the origin: moved to it",
            "preserved: variant: 8WVR, because the cells are 10×10 m and those of 4WVR are 50×50 m",
            "synthesized: terrains.sea_level: the sea at 0, which all terrains have",
            "synthesized: terrains.cells: an unnamed material for all cells",
            "approximated: terrains.heights: 33×33 heights stored as they are: the games require a square with a power of two as its side; \
             --size 32 resamples, --crop 32 cuts",
        ]
    );
    for options in [ExportOptions::default().with_size(Some(32)), ExportOptions::default().with_crop(Some(32))] {
        let (size, losses) = losses(&options);
        assert_eq!(size, [32; 2]);
        assert!(losses.last().is_some_and(|loss| loss.contains("32×32")), "{losses:?}");
    }
}

#[test]
fn the_variant_is_4wvr_only_if_that_is_exact_and_the_reason_is_reported() {
    let steps = |step| Heights::Steps { step, values: (0..16).collect() };
    let sized = ExportOptions::default().with_size(Some(8));
    let mut scaled = scene_of([100.0; 2], steps(0.045));
    scaled.properties.push("variant", "4WVR");
    for (scene, options, is_4wvr, reason) in [
        (scaled, ExportOptions::default(), false, "8WVR, because the cells are 100×100 m"),
        (scene_of([50.0; 2], steps(0.045)), ExportOptions::default(), true, "4WVR, whose cells of 50 m and heights"),
        (scene_of([50.0; 2], steps(0.05)), ExportOptions::default(), false, "8WVR, because heights of 4WVR are steps"),
        (
            scene_of([50.0; 2], Heights::F32((0_u8..16).map(|z| f32::from(z) * 0.5).collect())),
            ExportOptions::default(),
            false,
            "8WVR, because heights of 4WVR are steps of 0.045 m and these are any numbers",
        ),
        (scene_of([25.0; 2], steps(0.045)), ExportOptions::default(), false, "8WVR, because the cells are 25×25 m"),
        (scene_of([50.0; 2], steps(0.045)), sized, false, "8WVR, because the cells are resampled"),
    ] {
        let export = from_scene(&scene, &options).unwrap();
        assert_eq!(matches!(export.document, Document::Wvr(_)), is_4wvr, "{reason}");
        let losses: Vec<String> = export.losses.iter().map(ToString::to_string).collect();
        let expected = format!("preserved: variant: {reason}");
        assert!(losses.iter().any(|loss| loss.starts_with(&expected)), "{expected}: {losses:?}");
    }
}
