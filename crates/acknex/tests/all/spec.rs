//! Files assembled byte by byte from the description, and what they contain.

use mapwright_acknex::model::{self, Model, ModelVersion};
use mapwright_acknex::terrain::{Terrain, TerrainVersion};
use mapwright_acknex::{Image, SkinContent, Wad, Wmb, terrain, wad, wmb};
use mapwright_io::Confidence;

use crate::support::*;

fn rgba(image: &Image) -> &[u8] {
    &image.rgba
}

#[test]
fn packed_models_have_positions_coordinates_and_frames() {
    let model = Model::from_bytes(&mdl5()).unwrap();
    assert_eq!((model.version, model.groups.len(), model.skins.len()), (ModelVersion::Mdl5, 1, 1));
    let image = model.skins[0].image(None).unwrap().unwrap();
    assert_eq!((image.size, &rgba(&image)[..4]), ([8, 8], &[255, 0, 255, 255][..]));
    let group = &model.groups[0];
    // The header scales by 2 and moves by (−1, −2, −3).
    assert_eq!(group.positions, [[-1.0, -2.0, -3.0], [1.0, -2.0, -3.0], [-1.0, 0.0, -3.0]]);
    let [triangle] = group.triangles[..] else { panic!("{:?}", group.triangles) };
    assert_eq!((triangle.vertices, triangle.skin), ([0, 1, 2], Some(0)));
    // Coordinates are those of the middle of a texel.
    assert_eq!(triangle.uvs, Some([[0.0625, 0.0625], [1.0625, 0.0625], [0.0625, 0.5625]]));
    assert_eq!(group.frames.len(), 2);
    assert_eq!((group.frames[1].name.text(), group.pose(1)[2]), (&b"stand2"[..], [-1.0, 0.0, 7.0]));
    assert_eq!((&*group.pose(0), &*group.pose(9)), (&*group.positions, &*group.positions));
}

#[test]
fn vertices_have_four_or_eight_bytes() {
    for (magic, code, vertex) in [("MDL3", 0, &[1, 2, 3, 0][..]), ("MDL4", 2, &[1, 0, 2, 0, 3, 0, 0, 0])] {
        let file = Bytes::new(magic).header([0.0; 3], 1, [1, 1], [1, 0, 1, 0]).u32(&[2]).u16(&[0]);
        let file = file.u32(&[code]).bytes(&vertex.repeat(2)).name("a").bytes(vertex);
        let model = Model::from_bytes(&file.0).unwrap();
        assert_eq!((model.version.name(), &*model.groups[0].positions), (magic, &[[1.0, 2.0, 3.0]][..]));
        assert_eq!(model.skins[0].size(), Some([1, 1]), "the header states the size of all skins");
    }
}

#[test]
fn corners_of_back_triangles_on_the_seam_are_half_an_image_further() {
    for (magic, version) in [("MDL2", ModelVersion::Mdl2), ("IDPO", ModelVersion::Quake)] {
        let model = Model::from_bytes(&mdl2(magic)).unwrap();
        assert_eq!((model.version, model.version.name()), (version, magic));
        let u = |triangle: usize| model.groups[0].triangles[triangle].uvs.unwrap().map(|[u, _]| u * 8.0 - 0.5);
        // The front triangle has the vertices 0, 1, 2, the back one 2, 1, 0.
        assert_eq!((u(0), u(1)), ([0.0, 3.0, 7.0], [7.0, 7.0, 0.0]));
        assert_eq!(model.groups[0].positions[2], [-1.0, 0.0, 15.0]);
        assert_eq!(rgba(&model.skins[0].image(Some(&greys())).unwrap().unwrap())[..4], [200, 200, 200, 255]);
        assert!(model.skins[0].image(None).unwrap_err().to_string().contains("needs a palette"));
    }
}

#[test]
fn quake_groups_of_images_and_frames_show_the_first_one() {
    let file = Bytes::new("IDPO").header([0.0; 3], 1, [2, 1], [1, 0, 1, 7]);
    let file = file.u32(&[1, 2]).f32(&[0.1, 0.2]).bytes(&[1, 2, 3, 4]).i32(&[0, 0, 0]);
    let file = file.u32(&[1, 2]).bytes(&[0; 8]).f32(&[0.1, 0.2]);
    let file = file.bytes(&[0; 8]).name("a").bytes(&[1, 1, 1, 0]).bytes(&[0; 8]).name("b").bytes(&[2, 2, 2, 0]);
    let model = Model::from_bytes(&file.0).unwrap();
    let image = model.skins[0].image(Some(&greys())).unwrap().unwrap();
    assert_eq!((rgba(&image).len(), rgba(&image)[0], rgba(&image)[4]), (8, 1, 2));
    let group = &model.groups[0];
    assert_eq!((group.positions[0], group.frames.len(), group.frames[0].name.text()), ([1.0, 0.0, -1.0], 1, &b"a"[..]));
    assert!(Model::from_bytes(&file.0[..file.0.len() - 1]).is_err());
}

#[test]
fn mdl7_has_groups_skins_of_all_kinds_and_partial_frames() {
    let model = Model::from_bytes(&mdl7()).unwrap();
    assert_eq!((model.version, model.bones.len(), model.bones[0].parent), (ModelVersion::Mdl7, 1, None));
    assert_eq!((model.bones[0].name.text(), model.bones[0].position), (&b"root"[..], [1.0, 2.0, 3.0]));
    let contents: Vec<&SkinContent> = model.skins.iter().map(|skin| &skin.content).collect();
    assert!(matches!(contents[0], SkinContent::Pixels { size: [1, 1], data } if data == &[3, 2, 1, 128]));
    assert_eq!(
        contents[1..],
        [&SkinContent::External(b"a.tga".to_vec()), &SkinContent::Empty, &SkinContent::SameAs(0)]
    );
    assert_eq!((model.skins[1].effect.as_slice(), model.skins[0].name.text()), (&b"x.fx"[..], &b"paint"[..]));
    let material = model.skins[2].material.as_deref().unwrap();
    assert_eq!((material.diffuse, material.opacity(), material.power), ([0.5, 0.25, 0.125, 0.0], 0.75, 32.0));
    assert_eq!((material.specular[0], material.emissive[0]), (1.0, 0.5));
    let image = model.image_skin(3).unwrap().image(None).unwrap().unwrap();
    assert_eq!((rgba(&image), image.has_alpha), (&[1, 2, 3, 128][..], true));
    assert_eq!(model.skins[1].image(None).unwrap(), None);

    let [body, head] = &model.groups[..] else { panic!() };
    assert_eq!((body.name.text(), head.name.text()), (&b"body"[..], &b"head"[..]));
    assert_eq!(body.triangles[0].uvs, Some([[0.0, 0.0], [1.0, 0.0], [0.0, 1.5]]));
    // Indices of skins count the skins of all groups. The index 0xFFFF is a missing texture coordinate.
    let skins = [body.triangles[0].skin, body.triangles[1].skin, head.triangles[0].skin];
    assert_eq!((skins, head.triangles[0].uvs), ([Some(0), Some(2), Some(3)], None));
    // Files store normals inwards.
    assert_eq!(body.normals, [[0.0, 0.0, 2.0]; 3]);
    assert_eq!((body.frames[0].turned_bones, &*body.pose(0)), (1, &*body.positions));
    assert_eq!(
        (&*body.frames[1].vertices, &*body.pose(1)),
        (&[2][..], &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 5.0]][..])
    );
    assert_eq!(model.repairs, mapwright_acknex::Repairs::default());
}

#[test]
fn triangles_of_mdl7_have_four_sizes() {
    for (size, vertex) in [(12, 16), (16, 26), (26, 26), (44, 28)] {
        let mut sizes = SIZES;
        (sizes[5], sizes[6], sizes[7]) = (size, vertex, vertex);
        let file = group(mdl7_header(0, 1, sizes), "", [1, 3, 1, 3, 0]).u32(&[5, 1, 1]).name("").bytes(&[9; 4]);
        let file = file.f32(&[0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
        let file = match size {
            12 => file.u16(&[0, 1, 2, 2, 1, 0]),
            16 => file.u16(&[0, 1, 2, 2, 1, 0]).i32(&[0]),
            26 => triangle26(file, [0, 1, 2], [2, 1, 0], 0),
            _ => file.u32(&[0, 1, 2, 2, 1, 0]).i32(&[0]).u32(&[u32::MAX; 3]).i32(&[-1]),
        };
        let point = |file: Bytes, x: f32| match vertex {
            16 => file.f32(&[x, 0.0, 0.0]).u16(&[0xffff, 161]),
            26 => vertex26(file, [x, 0.0, 0.0], 0xffff),
            _ => file.f32(&[x, 0.0, 0.0]).u32(&[0]).f32(&[0.0, 0.0, -1.0]),
        };
        let model = Model::from_bytes(&point(point(point(file, 0.0), 1.0), 2.0).0).unwrap();
        let [triangle] = model.groups[0].triangles[..] else { panic!("{size}") };
        assert_eq!((triangle.vertices, triangle.skin), ([0, 1, 2], Some(0)), "{size}");
        assert_eq!(triangle.uvs, Some([[0.4, 0.5], [0.2, 0.3], [0.0, 0.1]]), "{size}");
        assert_eq!(
            (model.groups[0].positions[2], model.groups[0].normals.len()),
            ([2.0, 0.0, 0.0], if vertex == 16 { 0 } else { 3 })
        );
    }
}

#[test]
fn the_short_triangles_of_a_group_have_its_first_skin() {
    let mut sizes = SIZES;
    (sizes[5], sizes[6], sizes[7]) = (12, 16, 16);
    let skin = |file: Bytes| file.u32(&[0, 0, 0]).name("");
    let body = |file: Bytes| file.u16(&[0, 0, 0, 0, 0, 0]).f32(&[0.0; 3]).u16(&[0, 0]);
    let file = body(skin(skin(group(mdl7_header(0, 3, sizes), "", [2, 0, 1, 1, 0]))));
    let file = body(group(body(skin(group(file, "", [1, 0, 1, 1, 0]))), "", [0, 0, 1, 1, 0]));
    let model = Model::from_bytes(&file.0).unwrap();
    let skins: Vec<_> = model.groups.iter().map(|group| group.triangles[0].skin).collect();
    assert_eq!(skins, [Some(0), Some(2), Some(0)]);
}

#[test]
fn invalid_indices_and_numbers_are_repaired_and_counted() {
    let file = group(mdl7_header(0, 1, SIZES), "", [0, 1, 4, 3, 0]).f32(&[f32::NAN, 0.5]);
    let file = triangle26(file, [0, 1, 9], [0, 0, 0], -1);
    let file = triangle26(file, [0, 1, 2], [0, 0, 0], -1);
    let file = triangle26(file, [0, 0, 1], [0, 5, 0], 7);
    let file = triangle26(file, [0, 1, 0], [5, 5, 5], -1);
    let file = vertex26(vertex26(vertex26(file, [0.0; 3], 0), [1.0; 3], 0), [f32::INFINITY, 0.0, 0.0], 0);
    let model = Model::from_bytes(&file.0).unwrap();
    let triangles = &model.groups[0].triangles;
    assert_eq!(triangles.iter().map(|triangle| triangle.vertices).collect::<Vec<_>>(), [[0, 0, 1], [0, 1, 0]]);
    assert_eq!((triangles[0].uvs, triangles[0].skin), (Some([[0.0; 2]; 3]), None));
    let repairs = model.repairs;
    assert_eq!((repairs.triangles, repairs.uvs, repairs.skins), (2, 6, 1));
}

#[test]
fn terrains_are_centred_with_the_north_row_first() {
    let terrain = Terrain::from_bytes(&hmp7()).unwrap();
    assert_eq!((terrain.version, terrain.size, terrain.cell), (TerrainVersion::Hmp7, [3, 2], [10.0, 20.0]));
    assert_eq!(terrain.skins[0].content, SkinContent::External(b"g.bmp".to_vec()));
    // Heights are 2 times the step, minus 3.
    assert_eq!(terrain.position(0, 0, 0), Some([-10.0, 10.0, -3.0]));
    assert_eq!(terrain.position(0, 2, 1), Some([10.0, -10.0, 7.0]));
    assert_eq!([terrain.position(0, 3, 0), terrain.position(0, 0, 2), terrain.position(1, 0, 0)], [None; 3]);
    let mesh = terrain.to_mesh(0);
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (6, 4));
    assert_eq!([mesh.triangles[0].vertices, mesh.triangles[1].vertices], [[0, 1, 3], [1, 4, 3]]);
    assert_eq!(mesh.triangles[1].uvs, Some([[0.5, 0.0], [0.5, 1.0], [0.0, 1.0]]));
    assert_eq!(mesh.triangles[0].skin, Some(0));
}

#[test]
fn early_terrains_have_packed_vertices_or_triangles() {
    let terrain = Terrain::from_bytes(&hmp4()).unwrap();
    assert_eq!((terrain.version, &*terrain.frames[0].steps), (TerrainVersion::Hmp4, &[0, 1, 2, 3][..]));
    let image = terrain.skins[0].image(None).unwrap().unwrap();
    assert_eq!(rgba(&image), [255, 0, 0, 255, 0, 0, 255, 255]);
    let terrain = Terrain::from_bytes(&hmp4_mesh()).unwrap();
    assert!(terrain.frames.is_empty());
    let mesh = terrain.to_mesh(0);
    assert_eq!((mesh.triangles.len(), mesh.positions[3]), (2, [1.0, -2.0, 3.0]));
    assert_eq!(mesh.triangles[0].uvs, Some([[0.25, 0.5], [0.75, 0.5], [0.25, 1.5]]));
}

#[test]
fn terrain_skins_have_materials_and_effects_but_no_names() {
    let file = Bytes::new("HMP5").header([1.0, 1.0, 2.0], 1, [0, 0], [2, 0, 2, 0]);
    let file =
        file.u32(&[2 | 8 | 16 | 32, 8, 8]).bytes(&[0; 128]).bytes(&[0; 42]).f32(&[0.5; 17]).u32(&[2]).bytes(b"fx");
    let frame = |file: Bytes, step| file.u32(&[2]).bytes(&[0; 16]).name("f").u16(&[step, 0, step, 0]);
    let terrain = Terrain::from_bytes(&frame(frame(file, 1), 2).0).unwrap();
    assert_eq!((terrain.skins[0].material.as_ref().unwrap().power, &*terrain.skins[0].effect), (0.5, &b"fx"[..]));
    assert_eq!((terrain.version.name(), &*terrain.frames[1].steps), ("HMP5", &[2, 2][..]));
}

#[test]
fn archives_have_textures_of_all_kinds() {
    let [plain, with_palette, half_life, gamestudio] = wads();
    let pixels = |bytes: &[u8], name: &str| -> Result<Vec<u8>, String> {
        let wad = Wad::from_bytes(bytes).unwrap();
        let texture = wad.texture(name.as_bytes()).unwrap();
        let image = texture.image(None).map_err(|error| error.to_string())?;
        assert_eq!(image.size, texture.size);
        Ok(image.rgba)
    };
    let wad = Wad::from_bytes(&plain).unwrap();
    assert_eq!((wad.textures.len(), wad.textures[0].size, &wad.palette), (2, [8, 8], &None));
    assert_eq!(pixels(&plain, "a").unwrap_err(), "image needs a palette, but none was given");
    assert_eq!(wad.textures[0].image(Some(&greys())).unwrap().rgba[4..8], [1, 1, 1, 255]);
    assert_eq!(pixels(&plain, "*WOOD").unwrap(), [0, 255, 0, 255, 255, 0, 0, 255]);
    let indexed = pixels(&with_palette, "A").unwrap();
    assert_eq!((&indexed[4..8], &indexed[252..]), (&[1, 254, 0, 255][..], &[255, 0, 127, 255][..]));
    let fence = pixels(&half_life, "{fence").unwrap();
    assert_eq!((&fence[4..8], &fence[252..]), (&[1, 254, 0, 255][..], &[0; 4][..]), "the last index is a hole");
    assert!(pixels(&half_life, "short").is_err());
    assert_eq!(pixels(&gamestudio, "plain").unwrap(), [1, 254, 0, 255, 2, 253, 1, 255]);
    assert_eq!(pixels(&gamestudio, "high").unwrap(), [0, 255, 0, 255, 255, 0, 0, 255]);
    assert_eq!(pixels(&gamestudio, "rgb").unwrap(), [1, 2, 3, 255, 4, 5, 6, 255]);
    assert_eq!(pixels(&gamestudio, "argb").unwrap(), [1, 2, 3, 9, 4, 5, 6, 8]);
    assert!(pixels(&gamestudio, "dds").unwrap_err().contains("DDS"));
    assert_eq!(pixels(&gamestudio, "cut").unwrap_err(), "unsupported image: its header is truncated");
    assert!(Wad::from_bytes(b"WAD7\0\0\0\0\x0c\0\0\0").unwrap().textures.is_empty(), "an empty one has twelve bytes");
}

#[test]
fn compiled_levels_have_textures_and_faces() {
    let file = wmb7();
    let level = Wmb::from_bytes(&file).unwrap();
    assert_eq!(
        (level.texture_count(), level.texture(0), level.palette.as_ref().unwrap().colors[1]),
        (2, None, [1, 254, 0])
    );
    let texture = level.texture(1).unwrap();
    assert_eq!((texture.name.text(), texture.size), (&b"wall"[..], [2, 1]));
    assert_eq!(texture.image(None).unwrap().rgba, [1, 2, 3, 255, 4, 5, 6, 255]);
    let mesh = level.faces().unwrap();
    assert_eq!((mesh.positions.len(), mesh.corners.len()), (3, 6));
    let faces: Vec<_> = mesh.iter().collect();
    assert_eq!(
        (faces[0].0.texture, faces[0].0.is_hidden(), faces[1].0.texture, faces[1].0.is_hidden()),
        (Some(1), false, None, true)
    );
    assert_eq!(
        faces[0].1.iter().map(|corner| (corner.vertex, corner.uv)).collect::<Vec<_>>(),
        [(0, [0.0, 0.0]), (1, [0.0, 2.0]), (2, [2.0, 0.0])]
    );
}

#[test]
fn faces_of_older_levels_are_loops_of_edges() {
    for magic in ["WMB2", "WMB3", "WMB4"] {
        let file = wmb4(magic);
        let level = Wmb::from_bytes(&file).unwrap();
        let names = level.textures().map(|texture| texture.format.name());
        assert_eq!(names.collect::<Vec<_>>(), ["RGB565", "8-bit"], "the room for the image tells the encoding");
        let mesh = level.faces().unwrap();
        let [(face, corners)] = mesh.iter().collect::<Vec<_>>()[..] else { panic!("{magic}") };
        assert!(face.is_turbulent() && face.texture == Some(0));
        // A negative edge is reversed. The texture vectors give texels of an image of 8 by 8.
        let vertices: Vec<u32> = corners.iter().map(|corner| corner.vertex).collect();
        assert_eq!((vertices, corners[2].uv), (vec![0, 1, 2, 3], [0.75, -0.5]), "{magic}");
    }
}

#[test]
fn levels_of_version_6_may_state_the_format() {
    for (word, name) in [(40, "8-bit"), (4, "RGB888")] {
        let texture = texture("a", [1, 1], [word, 0, 0, 0], &[1, 2, 3]);
        let list = Bytes::default().u32(&[1, 8]).bytes(&texture).0;
        let file = level("WMB6", 17, &[(2, list)]);
        assert_eq!(
            Wmb::from_bytes(&file).unwrap().texture(0).unwrap().format.name(),
            if word == 40 { "RGB565" } else { name }
        );
    }
}

#[test]
fn the_first_four_bytes_tell_the_format() {
    for magic in ["IDPO", "MDL2", "MDL3", "MDL4", "MDL5", "MDL7"] {
        assert_eq!(model::sniff(magic.as_bytes()), Confidence::Certain);
    }
    for magic in ["HMP4", "HMP5", "HMP7"] {
        assert_eq!(terrain::sniff(magic.as_bytes()), Confidence::Certain);
    }
    for magic in ["WAD2", "WAD3", "WAD7"] {
        assert_eq!(wad::sniff(magic.as_bytes()), Confidence::Certain);
    }
    for magic in ["WMB2", "WMB3", "WMB4", "WMB6", "WMB7"] {
        assert_eq!(wmb::sniff(magic.as_bytes()), Confidence::Certain);
    }
    let all = |bytes: &[u8]| [model::sniff(bytes), terrain::sniff(bytes), wad::sniff(bytes), wmb::sniff(bytes)];
    for other in ["", "MDL", "MDL6", "IDSP", "HMP6", "WAD4", "WMB5"] {
        assert_eq!(all(other.as_bytes()), [Confidence::No; 4], "{other}");
    }
}
