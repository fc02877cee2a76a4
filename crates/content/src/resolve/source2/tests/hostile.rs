//! Content that is damaged or made to break programs.

use super::*;

/// Returns the reason why a file was not decoded.
fn reason<'a>(report: &'a ResolveReport, path: &str) -> &'a str {
    match &reference(report, path).outcome {
        Outcome::Undecodable(reason) => reason,
        other => panic!("{path}: {other:?}"),
    }
}

#[test]
fn prefabs_nested_too_deep_and_too_many_nodes_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for depth in 0..34 {
        let mut map = empty();
        let content = triangle(&mut map, "materials/a.vmat");
        map.add_node(None, node("", content, [0.0; 3]));
        // Twice, so that the number of nodes doubles with each map.
        for _ in 0..2 {
            map.add_node(None, node("", prefab(&format!("maps/{}.vmap", depth + 1), &[]), [0.0; 3]));
        }
        save(&map, root, &format!("maps/{depth}.vmap"));
    }
    let mut scene = empty();
    scene.add_node(None, node("", prefab("maps/0.vmap", &[]), [0.0; 3]));
    let content = ContentSource::open([root]).unwrap();
    let options = ResolveOptions::default().with_max_depth(32).with_max_nodes(1000);
    let report = resolve(&mut scene, &content, &Source2::default(), &options);
    assert!(scene.nodes.len() <= 1001 && scene.first_error().is_none());
    assert!(
        report.losses.iter().any(|loss| loss.text.contains("exceed the limit of 1000 nodes")),
        "{:?}",
        report.losses
    );

    // Without the second use, the chain is followed to its limit.
    for depth in 0..34 {
        let mut map = empty();
        map.add_node(None, node("", prefab(&format!("maps/{}.vmap", depth + 1), &[]), [0.0; 3]));
        save(&map, root, &format!("maps/{depth}.vmap"));
    }
    let mut scene = empty();
    scene.add_node(None, node("", prefab("maps/0.vmap", &[]), [0.0; 3]));
    let report = run(&mut scene, root);
    assert_eq!(reference(&report, "maps/31.vmap").outcome, Outcome::Found("maps/31.vmap".to_owned()));
    assert_eq!(reason(&report, "maps/32.vmap"), "nested more than 32 files deep");
    assert!(!report.references.iter().any(|it| it.path == "maps/33.vmap"));
}

#[test]
fn hostile_materials_and_images_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let vmat = |keys: &str| format!("Layer0\n{{\n\tshader \"vr_complex.vfx\"\n{keys}\n}}");
    let image = |name: &str| format!("TextureColor \"materials/{name}\"");
    let many: String = (0..1_000_000).map(|index| format!("key{index} 1\n")).collect();
    write(root, "materials/many.vmat", vmat(&(many + &image("small.tga"))));
    write(root, "materials/small.tga", tga(&[1]));
    // 65535 × 65535 pixels in a few bytes, and more pixels than there are bytes for.
    let huge = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 24, 0x20, 1, 2, 3];
    write(root, "materials/huge.tga", huge);
    let cut = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 24, 0x20, 1, 2, 3];
    write(root, "materials/cut.tga", cut);
    let mut png = PNG.to_vec();
    png[16..24].copy_from_slice(&[0; 8]);
    write(root, "materials/zero.png", png);
    // The header alone.
    write(root, "materials/cut.png", &PNG[..33]);
    write(root, "materials/paint.psd", b"8BPS");
    write(root, "materials/open.vmat", "Layer0\n{\n".repeat(10_000));
    for name in ["huge.tga", "cut.tga", "zero.png", "cut.png", "paint.psd"] {
        write(root, &format!("materials/{name}.vmat"), vmat(&image(name)));
    }
    let mut scene = empty();
    for name in ["many", "huge.tga", "cut.tga", "zero.png", "cut.png", "paint.psd", "open"] {
        let content = triangle(&mut scene, &format!("materials/{name}.vmat"));
        scene.add_node(None, Node::new(name, content));
    }
    let start = std::time::Instant::now();
    let report = run(&mut scene, root);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    for name in ["huge.tga", "cut.tga", "zero.png", "cut.png", "open.vmat"] {
        reason(&report, &format!("materials/{name}"));
    }
    let advice = "PSD is not supported: export it as TGA or PNG with the same name into the same folder";
    assert_eq!(reason(&report, "materials/paint.psd"), advice);
    let textured = scene.materials.items().iter().filter(|material| !material.textures.is_empty()).count();
    assert_eq!(textured, 1);
}

#[test]
fn hostile_models_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    // Each part contains the next one twice: 2⁶⁰ copies of the mesh.
    let id = |number: usize| format!("00000000-0000-4000-8000-{number:012}");
    let mut bomb = "<!-- dmx encoding keyvalues2 4 format model 22 -->\n".to_owned();
    bomb += &format!(
        "\"DmElement\" {{ \"id\" \"elementid\" \"{}\" \"model\" \"DmeModel\" {{ \"id\" \"elementid\" \"{}\" \
         \"children\" \"element_array\" [ \"element\" \"{}\" ] }} }}\n",
        id(1000),
        id(1001),
        id(0)
    );
    for part in 0..60 {
        let next = id(part + 1);
        let children = format!("\"children\" \"element_array\" [ \"element\" \"{next}\", \"element\" \"{next}\" ]");
        bomb += &format!("\"DmeDag\" {{ \"id\" \"elementid\" \"{}\" {children} }}\n", id(part));
    }
    let shape = DMX.split("\"shape\" ").nth(1).unwrap().rsplit_once("\n\t\t\t}\n\t\t]").unwrap().0;
    bomb += &format!("\"DmeDag\" {{ \"id\" \"elementid\" \"{}\" \"shape\" {shape} }}\n", id(60));
    write(root, "models/bomb.vmdl", vmdl("models/bomb.dmx"));
    write(root, "models/bomb.dmx", bomb);
    // A count of 2³¹ − 1 elements.
    let mut counts = b"<!-- dmx encoding binary 9 format model 22 -->\n\0".to_vec();
    counts.extend([0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f]);
    write(root, "models/counts.vmdl", vmdl("models/counts.dmx"));
    write(root, "models/counts.dmx", counts);
    write(root, "models/deep.vmdl", vmdl("a").replace("\"a\"", &"[".repeat(100_000)));
    // Includes itself, and another model that includes the first.
    let include =
        |path: &str| format!("{{ _class = \"Prefab\" target_file = \"{path}\" }},\n{{ _class = \"MaterialGroupList\"");
    let first = include("models/loop.vmdl") + &include("models/other.vmdl");
    write(
        root,
        "models/loop.vmdl",
        vmdl("models/a.dmx").replacen(
            "{ _class = \"MaterialGroupList\"",
            &first.replacen(",\n{ _class = \"MaterialGroupList\"", ",\n", 1),
            1,
        ),
    );
    write(
        root,
        "models/other.vmdl",
        vmdl("models/b.dmx").replacen("{ _class = \"MaterialGroupList\"", &include("models/loop.vmdl"), 1),
    );
    write(root, "models/b.dmx", DMX);
    let mut scene = empty();
    let names = ["bomb", "counts", "deep", "loop", "link", "folder/secret"];
    #[cfg(unix)]
    {
        let outside = tempfile::tempdir().unwrap();
        write(outside.path(), "secret.vmdl", vmdl("models/b.dmx"));
        std::os::unix::fs::symlink(outside.path().join("secret.vmdl"), root.join("models/link.vmdl")).unwrap();
        std::os::unix::fs::symlink(outside.path(), root.join("models/folder")).unwrap();
    }
    for name in names {
        let content = entity(&mut scene, "prop_static", Some(&format!("models/{name}.vmdl")), &[]);
        scene.add_node(None, node("", content, [0.0; 3]));
    }
    let start = std::time::Instant::now();
    let report = run(&mut scene, root);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    for name in ["bomb", "counts", "deep"] {
        reason(&report, &format!("models/{name}.vmdl"));
    }
    assert_eq!(reference(&report, "models/loop.vmdl").outcome, Outcome::Found("models/loop.vmdl".to_owned()));
    assert!(reason(&report, "models/link.vmdl").contains("leads out of the folder"));
    assert_eq!(reference(&report, "models/folder/secret.vmdl").outcome, Outcome::Missing);
}

#[test]
fn long_prefixes_of_names_count_towards_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut inner = empty();
    let content = entity(&mut inner, "logic_relay", None, &[("targetname", "relay")]);
    inner.add_node(None, node("", content, [0.0; 3]));
    save(&inner, root, "maps/inner.vmap");
    for (length, expected) in [(10, "xxxxxxxxxx__relay"), (100_000, "relay")] {
        let mut scene = empty();
        let mut place = node("", prefab("maps/inner.vmap", &[]), [0.0; 3]);
        place.properties.set("targetName", "x".repeat(length) + "_");
        place.properties.set("useTargetNameAsPrefix", true);
        scene.add_node(None, place);
        let content = ContentSource::open([root]).unwrap();
        let options = ResolveOptions::default().with_max_bytes(100_000);
        let report = resolve(&mut scene, &content, &Source2::default(), &options);
        assert_eq!(entity_names(&scene), [expected]);
        let is_reported = report.losses.iter().any(|loss| loss.text.contains("stay equal"));
        assert_eq!(is_reported, length > 10, "{:?}", report.losses);
    }
}
