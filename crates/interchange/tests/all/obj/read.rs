//! Files written by hand.

use mapwright_interchange::{Category, obj};
use mapwright_io::LineColumn;
use mapwright_scene::NoFiles;
use mapwright_scene::*;
use mapwright_testkit::mutate;

fn import(text: &str) -> Import {
    obj::to_scene(text.as_bytes(), &NoFiles, &obj::ImportOptions::default()).unwrap()
}

fn import_with(text: &str, library: &str) -> Import {
    let library = library.to_owned();
    let files = move |name: &str| (name == "a.mtl").then(|| library.clone().into_bytes());
    obj::to_scene(text.as_bytes(), &files, &obj::ImportOptions::default()).unwrap()
}

fn mesh(import: &Import, index: u32) -> &Mesh {
    import.scene.meshes.get(Id::new(index)).unwrap()
}

/// Two triangles that share an edge, at a right angle.
const ROOF: &str = "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\n";

#[test]
fn corners_in_all_formats() {
    let import = import(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0.25\nvt 1\nvn 0 0 1\n\
         f 1 2 3\nf 1/1 2/2 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/2/1 3/1/1 4/1/1\nf 1// 2// 3/\nf -4/-2/-1 -3 -2\n",
    );
    assert!(import.scene.validate().is_empty());
    let mesh = mesh(&import, 0);
    let faces: Vec<&[u32]> = mesh.faces.iter().collect();
    assert_eq!(faces, [&[0, 1, 2][..], &[0, 1, 2], &[0, 1, 2], &[0, 1, 2, 3], &[0, 1, 2], &[0, 1, 2]]);
    let set = &mesh.uv_sets[0];
    assert_eq!(
        (set.origin, set.corners.get(3), set.corners.get(4)),
        (UvOrigin::LowerLeft, Some([0.0, 0.25]), Some([1.0, 0.0]))
    );
    assert_eq!((set.corners.get(0), set.corners.get(16), set.corners.get(17)), (None, Some([0.0, 0.25]), None));
    assert!(import.losses.iter().any(|loss| loss.text.contains("not on every corner")));
}

#[test]
fn objects_share_numbers_but_not_vertices() {
    let import =
        import("v 9 9 9\no A\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 2 3 4\no Loose\nv 5 5 5\no B\nv 0 1 0\nf 2 4 6\no Empty\n");
    let names: Vec<(&str, usize, usize)> =
        import.scene.meshes.iter().map(|(_, m)| (m.name.as_str(), m.positions.len(), m.faces.len())).collect();
    assert_eq!(names, [("", 1, 0), ("A", 3, 1), ("Loose", 1, 0), ("B", 3, 1), ("Empty", 0, 0)]);
    assert_eq!(mesh(&import, 3).positions, [[0.0; 3], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(import.scene.roots.len(), 5);
}

#[test]
fn groups_are_objects_until_there_is_one() {
    let text = format!("{ROOF}g a\nf 1 2 3\ng b\nf 1 2 4\no C\nf 1 3 4\ng inside\nf 1 2 3\n");
    let import = import(&text);
    let names: Vec<(&str, usize)> = import.scene.meshes.iter().map(|(_, m)| (m.name.as_str(), m.faces.len())).collect();
    assert_eq!(names, [("a", 1), ("b", 1), ("C", 2)]);
    assert_eq!(import.losses.items[0].text, "1 × g, the first in line 11");
}

#[test]
fn any_line_ends_marks_and_comments() {
    let lines =
        ["\u{feff}# a comment", "v 0 0 0 # here", "v 1 \\", "  0 0", "v 1 1 0", "", "o Blå \u{1f600} #1", "f 1 2 3"];
    let expected = import(&lines.join("\n"));
    assert_eq!(mesh(&expected, 0).name, "Blå \u{1f600} #1");
    assert_eq!(mesh(&expected, 0).positions[1], [1.0, 0.0, 0.0]);
    for end in ["\r\n", "\r"] {
        assert_eq!(import(&lines.join(end)), expected, "{end:?}");
    }
}

#[test]
fn normals_become_hard_edges_where_they_can() {
    let flat = import(&format!("{ROOF}vn 0 0 -1\nvn -1 0 0\nf 1//1 2//1 3//1\nf 2//2 1//2 4//2\n"));
    assert_eq!((&*mesh(&flat, 0).hard_edges, &mesh(&flat, 0).normals), (&[[0, 1]][..], &None));
    let own = import(&format!("{ROOF}vn 0 5 0\nf 1//1 2//1 3//1\n"));
    assert_eq!(mesh(&own, 0).normals, Some(CornerColumn::filled(Some([0.0, 1.0, 0.0]), 3)));
    assert!(own.scene.validate().is_empty());
}

#[test]
fn smoothing_groups_count_without_normals() {
    let faces = |a: &str, b: &str| {
        let import = import(&format!("{ROOF}s {a}\nf 1 2 3\ns {b}\nf 2 1 4\n"));
        (mesh(&import, 0).smoothing, mesh(&import, 0).hard_edges.clone())
    };
    assert_eq!(faces("1", "1"), (Smoothing::Smooth, vec![]));
    assert_eq!(faces("1", "2"), (Smoothing::Smooth, vec![[0, 1]]));
    assert_eq!(faces("1", "off"), (Smoothing::Smooth, vec![[0, 1]]));
    assert_eq!(faces("off", "0"), (Smoothing::Flat, vec![]));
    assert_eq!(mesh(&import(&format!("{ROOF}f 1 2 3\n")), 0).smoothing, Smoothing::Flat);
}

#[test]
fn colours_follow_positions() {
    let import = import("v 0 0 0 1 0.5 0\nv 1 0 0\nv 0 1 0 1 0 1 0.25\nusemtl red\nf 1 2 3\n");
    let corners = &mesh(&import, 0).color_sets[0].corners;
    assert!(corners.iter().eq([Some([1.0, 0.5, 0.0, 1.0]), None, Some([1.0, 0.0, 1.0, 0.25])]));
    assert_eq!(import.scene.materials.items()[0].vertex_colors, VertexColors::Multiply);
    assert_eq!(import.losses.count(LossKind::Synthesized), 1);
}

#[test]
fn materials_come_from_libraries() {
    let text = format!("mtllib a.mtl missing.mtl\n{ROOF}usemtl two words\nf 1 2 3\nusemtl none\nf 1 2 4\n");
    let library = "# Exported from Wings 3D 2.2.9\nnewmtl two words\nKd 0.5 .25 1e-1\nKe 1\nd 0.5\nPr 0.3\nPm 0.75\nNi 1.5\n\
                   map_Kd -s 2 2 -clamp on tex tures\\wood.png\nbump -bm 0.5 b.png\nKs wrong\n\
                   newmtl old\nNs 25\nKs 1 1 1\nTr 0.25\n";
    let import = import_with(&text, library);
    let [material, old] = import.scene.materials.items() else { panic!("{:?}", import.scene.materials) };
    assert_eq!(mesh(&import, 0).face_materials, [Some(Id::new(0)), None]);
    assert_eq!(
        (material.name.as_str(), material.base_color, material.emissive),
        ("two words", [0.5, 0.25, 0.1, 0.5], [1.0; 4])
    );
    assert_eq!((material.roughness, material.metallic, material.classic), (0.3, 0.75, None));
    assert_eq!((material.alpha, material.properties.get("Ni")), (AlphaMode::Blend, Some(&Value::Text("1.5".into()))));
    let slots: Vec<_> = material.textures.iter().map(|slot| (&slot.usage, slot.wrap[0], slot.strength)).collect();
    assert_eq!(slots, [(&TextureUsage::BaseColor, Wrap::Clamp, 1.0), (&TextureUsage::Bump, Wrap::Repeat, 0.5)]);
    let image = &import.scene.images.items()[0];
    assert_eq!(
        (image.name.as_str(), &image.source),
        ("wood", &ImageSource::External { path: r"tex tures\wood.png".into() })
    );
    let classic = old.classic.unwrap();
    assert_eq!((classic.shininess, classic.specular, old.roughness, old.base_color[3]), (0.25, [1.0; 4], 0.75, 0.75));
    let missing = import.losses.iter().find(|loss| loss.text.contains("missing.mtl")).unwrap();
    assert_eq!(missing.to_string(), "repaired: material library \"missing.mtl\": file not found");
    for text in ["1 × Ks, the first in line 11", "option -s", "metallic and roughness of \"old\""] {
        assert!(import.losses.iter().any(|loss| loss.text.contains(text)), "{text}: {:#?}", import.losses);
    }
}

#[test]
fn unsupported_statements_are_counted() {
    let import = import(&format!(
        "{ROOF}l 1 2\nl 2 3\np 1\nf 1 2\nvt 0 0 3\nv 0 0 0 2\ncstype bezier\n\
                          v 0 0 0 1 1\nv 0 0 0 1 1 1 1 1\nv 0 0 0 1 1 1 1\n"
    ));
    let texts: Vec<&str> = import.losses.iter().map(|loss| loss.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "1 × cstype, the first in line 11",
            "1 × f with fewer than 3 vertices, the first in line 8",
            "2 × l, the first in line 5",
            "1 × p, the first in line 7",
            "1 × third coordinate of vt, the first in line 9",
            "2 × v with more numbers than a position and a colour, the first in line 12",
            "1 × weight of v, the first in line 10",
        ]
    );
}

#[test]
fn invalid_statements_are_dropped_and_the_rest_is_read() {
    let nothing = "face with an invalid vertex: left out";
    let face = ["f 1 1 9", "f 1 0 1", "f -9 1 1", "f 1 2 99999999999999999999", "f 1 2 4294967296", "f 1/// 2 3"];
    let mut cases: Vec<(&str, &str)> = face.into_iter().map(|line| (line, nothing)).collect();
    cases.extend([
        ("f -9223372036854775808 1 1", nothing),
        ("f a b c", nothing),
        ("v 0 0", "v without three numbers: its faces are left out"),
        ("v 5 5 x", "v without three numbers: its faces are left out"),
        ("v 5 nan 5", "v without three numbers: its faces are left out"),
        ("v 1e999 5 5", "v without three numbers: its faces are left out"),
        ("v 0 0 0 # five", ""),
        ("v 0 0 0 1 x", "word that is not a number: ignored with the rest of its line"),
        ("v 0 0 0 1e39 0 0", "colour of v out of range: ignored"),
        ("vt", "vt without a number: read as 0 0"),
        ("vn -nan nan nan", "vn without three numbers: ignored"),
    ]);
    for (line, text) in cases {
        let import = import(&format!("o A\n{ROOF}f 1 2 3\n{line}\no B\nf 1 2 4 # the other\nf -2 -3 1#\n"));
        let losses: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
        let expected = format!("repaired: 1 × {text}, the first in line 7");
        assert_eq!(losses, if text.is_empty() { &[][..] } else { std::slice::from_ref(&expected) }, "{line}");
        let problems = import.scene.validate();
        assert!(problems.iter().all(|problem| problem.severity < Severity::Error), "{line}: {problems:?}");
        let faces: Vec<usize> = import.scene.meshes.iter().map(|(_, mesh)| mesh.faces.len()).collect();
        assert_eq!(faces, [1, 2], "{line}");
        if line.starts_with("v ") {
            // The vertex counts, or the others would change their numbers.
            assert_eq!(mesh(&import, 0).positions.last(), Some(&[0.0; 3]), "{line}");
        }
    }
    // A face with an unreadable vertex would have a wrong shape, whether it comes before or after the vertex.
    let spikes = import("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 1,5 1 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\nf -4 -2 -1\n");
    let faces: Vec<&[u32]> = mesh(&spikes, 0).faces.iter().collect();
    assert_eq!(faces, [[0, 1, 3]]);
    let losses: Vec<String> = spikes.losses.iter().map(ToString::to_string).collect();
    let expected = [
        "repaired: 3 × face with an invalid vertex: left out, the first in line 1",
        "repaired: 1 × v without three numbers: its faces are left out, the first in line 4",
    ];
    assert_eq!(losses, expected);
    // Faces may precede their vertices. Each keeps its material and its object if one between is left out.
    let import = import(
        "usemtl a\nf 1 2 3\nf 7 8\nf 1/1 2 4\no B\nf 1 2 9\nusemtl b\nf 2 3 4\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\n",
    );
    let faces: Vec<Vec<&[u32]>> = import.scene.meshes.iter().map(|(_, mesh)| mesh.faces.iter().collect()).collect();
    assert_eq!(faces, [vec![&[0, 1, 2][..], &[0, 1, 3]], vec![&[0, 1, 2][..]]]);
    assert_eq!(mesh(&import, 1).face_materials, [Some(Id::new(1))]);
    let losses: Vec<&str> = import
        .losses
        .iter()
        .map(|loss| loss.text.as_str())
        .filter(|text| text.contains(" f ") || text.contains(" face "))
        .collect();
    assert_eq!(
        losses,
        [
            "1 × f with fewer than 3 vertices, the first in line 3",
            "1 × face with an invalid vertex: left out, the first in line 6"
        ]
    );
}

#[test]
fn faces_stay_without_texture_coordinates_and_normals_that_do_not_exist() {
    const UV: &str = "texture coordinate of a face that does not exist";
    const NORMAL: &str = "normal of a face that does not exist";
    for (face, uvs, text) in [
        ("f 1/1/0 2/1/0 3/1/0", 3, NORMAL),
        ("f 1/1/x 2/1 3/1", 3, NORMAL),
        ("f 1/1 2/2 3/1", 2, UV),
        ("f 1/1 2/-2 3/1", 2, UV),
        ("f 1/99999999999999999999 2/1 3/1", 2, UV),
        ("f 1/5 2/6 3/7", 0, UV),
    ] {
        let import = import(&format!("{ROOF}vt 0.5 0.25\n{face}\nf 1 2 4\n"));
        let mesh = mesh(&import, 0);
        assert_eq!(mesh.faces.iter().collect::<Vec<_>>(), [&[0, 1, 2][..], &[0, 1, 3]], "{face}");
        let mapped = mesh.uv_sets.iter().flat_map(|set| set.corners.iter()).flatten().count();
        assert_eq!((mapped, &mesh.normals), (uvs, &None), "{face}");
        let losses: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
        assert!(losses.len() == 1 && losses[0].starts_with("dropped: ") && losses[0].contains(text), "{losses:?}");
    }
}

#[test]
fn numbers_beyond_the_range_are_invalid() {
    let library = "newmtl m\nKd 1e200 1 1\nPm 1e200\nKe 1e200 0 0\nPr 0.5\n";
    let import = import_with(&format!("mtllib a.mtl\n{ROOF}usemtl m\nf 1 2 3\n"), library);
    let material = &import.scene.materials.items()[0];
    assert_eq!((material.base_color, material.metallic, material.emissive[0]), ([1.0; 4], 0.0, 0.0));
    assert_eq!(import.scene.validate(), []);
    assert_eq!(import.losses.count(LossKind::Dropped), 3, "{:#?}", import.losses);
}

#[test]
fn highlights_are_read_by_the_rule_of_their_program() {
    let read = |library: &str| {
        let import = import_with(&format!("mtllib a.mtl\n{ROOF}usemtl m\nf 1 2 3\n"), library);
        let material = &import.scene.materials.items()[0];
        (material.roughness, material.classic.map(|classic| classic.shininess))
    };
    // An exponent up to 1000: 250 is neither a mirror nor 2.5 of 1.
    assert_eq!(read("newmtl m\nNs 250\nKs 1 1 1\n"), (0.5, Some(0.5)));
    assert_eq!(read("# Blender 4.2\nnewmtl m\nNs 250\nPr 0.25\nKs 1 1 1\n"), (0.25, Some(0.5)));
    assert_eq!(read("newmtl m\nNs 5000\nKs 1 1 1\n"), (0.0, Some(1.0)));
    assert_eq!(read("newmtl m\nNs -5\nKs 1 1 1\n"), (1.0, Some(0.0)));
    for header in ["# Exported from Wings 3D 2.4.1", "# Exported by mapwright"] {
        assert_eq!(read(&format!("{header}\nnewmtl m\nNs 25\nKs 1 1 1\n")), (0.75, Some(0.25)));
    }
    // Without a header, but by the rule of Wings 3D.
    assert_eq!(read("newmtl m\nKd 1 1 1\nKa 0 0 0\nKs 0.1 0.1 0.1\nNs 75\nPr 0.25\nPm 0\n"), (0.25, None));
}

#[test]
fn another_scale_of_highlights_is_reported() {
    let losses = |library: &str| {
        let import = import_with(&format!("mtllib a.mtl\n{ROOF}usemtl m\nf 1 2 3\n"), library);
        let texts = import.losses.iter().map(ToString::to_string);
        texts.filter(|text| text.contains("Ns")).collect::<Vec<_>>()
    };
    let expected = "approximated: materials[0]: Ns 250 of \"m\": the shininess 0.5, Ns 50 in OBJ files of this program";
    assert_eq!(losses("newmtl m\nNs 250\nKs 1 1 1\nPr 0.5\nPm 0\n"), [expected]);
    for unchanged in [
        "# Exported by mapwright\nnewmtl m\nNs 25\nKs 1 1 1\n",
        "newmtl m\nKd 1 1 1\nKa 0 0 0\nKs 0.1 0.1 0.1\nNs 75\nPr 0.25\nPm 0\n",
        "newmtl m\nNs 0\nKs 1 1 1\n",
        "newmtl m\nKs 1 1 1\n",
    ] {
        assert_eq!(losses(unchanged), [""; 0], "{unchanged}");
    }
}

#[test]
fn items_are_limited() {
    let library = |name: &str| (name == "a.mtl").then(|| b"newmtl a\nNi 1\nmap_Kd a.png\n".to_vec());
    let read = |items| {
        let options = obj::ImportOptions::default().with_max_items(items);
        obj::to_scene(b"mtllib a.mtl\no A\no B\nusemtl c\nv 0 0 0\n", &library, &options)
    };
    assert!(read(6).is_ok());
    for items in 0..6 {
        let error = read(items).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{items}: {error}");
    }
    let many: String = (0..1000).map(|i| format!("word{i}\n")).chain(["v 0 0 0".into()]).collect();
    assert_eq!(import(&many).losses.len(), 65);
}

#[test]
fn any_bytes_end_well() {
    let text = format!("mtllib a.mtl\no A\n{ROOF}vt 0 1\nvn 0 0 1\nusemtl m\ns 1\nf 1/1/1 2/1/1 -1/1/1\nf 1 2 4\n");
    let library = b"newmtl m\nKd 1 0 0\nmap_Kd -s 1 1 1 a.png\nPr 0.5\n".to_vec();
    let read = |text: &[u8], library: &[u8]| {
        let files = |_: &str| Some(library.to_vec());
        if let Ok(import) = obj::to_scene(text, &files, &obj::ImportOptions::default()) {
            let problems = import.scene.validate();
            assert!(problems.iter().all(|problem| problem.severity < Severity::Error), "{problems:?}");
            obj::from_scene(&import.scene, &obj::ExportOptions::default()).unwrap();
        }
    };
    mutate::prefixes(text.as_bytes()).for_each(|mutant| read(mutant, &library));
    mutate::byte_flips(text.as_bytes()).for_each(|mutant| read(&mutant, &library));
    mutate::byte_flips(&library).for_each(|mutant| read(text.as_bytes(), &mutant));
    mutate::random(text.as_bytes(), std::slice::from_ref(&library), 7)
        .take(2000)
        .for_each(|mutant| read(&mutant, &library));
}

#[test]
fn files_that_are_not_obj_are_rejected() {
    let error = |bytes: &[u8]| obj::to_scene(bytes, &NoFiles, &obj::ImportOptions::default()).unwrap_err();
    let binary = error(b"binary 0\n\0\x93");
    assert_eq!(
        (binary.category(), binary.to_string().as_str()),
        (Category::Malformed, "not in OBJ format: found a zero byte, expected text at offset 9 (0x9)")
    );
    assert!(binary.help().is_some());
    let prose = error(b"# a title\n\nDear reader,\nhow are you?\n");
    assert_eq!(prose.position().and_then(|at| at.text), Some(LineColumn { line: 3, column: 1 }));
    assert_eq!(error(b"\x93\xfe\x07 junk").category(), Category::Malformed);
    // There is nothing wrong with nothing, and one statement makes the others unknown ones.
    for fine in ["", "\n\n", "# nothing was selected\n", "Dear reader,\nv 0 0 0\n", "vp 0 1\n", "l 1 2\n"] {
        import(fine);
    }
}

#[test]
fn a_zero_byte_drops_its_line_only() {
    let import = import(&format!("{ROOF}# a\0comment\nf 1 2 3\0\n"));
    assert_eq!(
        import.scene.meshes.items()[0].positions.len(),
        self::import(ROOF).scene.meshes.items()[0].positions.len()
    );
    let texts: Vec<&str> = import.losses.iter().map(|loss| loss.text.as_str()).collect();
    assert!(texts.iter().any(|text| text.starts_with("1 × line with a zero byte")), "{texts:?}");
}

#[test]
fn names_of_missing_images_are_preserved() {
    let library = "newmtl wall\nmap_Kd away.png\nmap_Ke here.png\nnewmtl door\nmap_Kd away.png\n";
    let files = |name: &str| match name {
        "a.mtl" => Some(library.into()),
        "here.png" => Some(b"\xff\xd8\xff".to_vec()),
        _ => None,
    };
    let text = format!("mtllib a.mtl\n{ROOF}usemtl wall\nf 1 2 3\n");
    let import = obj::to_scene(text.as_bytes(), &files, &obj::ImportOptions::default()).unwrap();
    let kept: Vec<String> =
        import.losses.iter().filter(|loss| loss.kind == LossKind::Preserved).map(ToString::to_string).collect();
    assert_eq!(kept, ["preserved: images[0]: image \"away.png\": not read, its path is preserved (file not found)"]);
    assert_eq!(import.losses.count(LossKind::Dropped), 0);
}
