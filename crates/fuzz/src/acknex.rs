//! Bodies for models, terrains, texture archives and compiled levels of 3D Gamestudio.

use mapwright_acknex::scene::{
    Frames, HiddenFaces, ImportOptions, TerrainForm, Transparency, level_to_scene, model_to_scene, terrain_to_scene,
};
use mapwright_acknex::{Model, Palette, Terrain, Wad, Wmb, dds};
use mapwright_io::Limits;
use mapwright_testkit::laws;

use crate::scene::check_whole;
use crate::target::{Target, refusal};

/// The targets of `mapwright-acknex`.
pub const TARGETS: &[Target] = &[
    Target { body: model, inputs: MODELS, ..acknex("acknex_model") },
    Target { body: terrain, inputs: TERRAINS, ..acknex("acknex_terrain") },
    Target { body: archive, inputs: ARCHIVES, memory: 24, ..acknex("acknex_wad") },
    Target { body: level, inputs: LEVELS, memory: 24, ..acknex("acknex_wmb") },
    Target { body: scene, inputs: ALL, memory: 256, ..acknex("acknex_scene") },
];

const fn acknex(name: &'static str) -> Target {
    Target { name, format: "acknex", files: "acknex", ..Target::NEW }
}

const MODELS: &[&[u8]] = &[ALL[0], ALL[1], ALL[2], ALL[3]];
const TERRAINS: &[&[u8]] = &[ALL[4], ALL[5], ALL[6]];
const LEVELS: &[&[u8]] = &[ALL[7], ALL[8]];

/// Files with one of each part: MDL2, IDPO, MDL5 and MDL7; HMP7, HMP4 and HMP4 with triangles; WMB2 and WMB7.
const ALL: &[&[u8]] = &[
    b"MDL2\0\0\0\0\0\0\0@\0\0\0@\0\0\0@\0\0\x80\xbf\0\0\0\xc0\0\0@\xc0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x08\
      \0\0\0\x04\0\0\0\x03\0\0\0\x02\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\
      \xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\0\0\0\0\0\0\0\
      \0\0\0\0\0\x20\0\0\0\x03\0\0\0\x01\0\0\0\0\0\0\0\x07\0\0\0\x03\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x02\0\0\0\0\0\
      \0\0\x02\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0frame1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\x01\x09\
      \0",
    b"IDPO\0\0\0\0\0\0\0@\0\0\0@\0\0\0@\0\0\x80\xbf\0\0\0\xc0\0\0@\xc0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x08\
      \0\0\0\x04\0\0\0\x03\0\0\0\x02\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\
      \xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\xc8\0\0\0\0\0\0\0\
      \0\0\0\0\0\x20\0\0\0\x03\0\0\0\x01\0\0\0\0\0\0\0\x07\0\0\0\x03\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x02\0\0\0\0\0\
      \0\0\x02\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0frame1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\x01\x09\
      \0",
    b"MDL5\0\0\0\0\0\0\0@\0\0\0@\0\0\0@\0\0\x80\xbf\0\0\0\xc0\0\0@\xc0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\
      \0\0\0\0\0\0\x03\0\0\0\x01\0\0\0\x02\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x01\0\0\0\x01\0\0\0\x1f\xf8\0\0\
      \0\0\x08\0\0\0\0\0\x04\0\0\0\x01\0\x02\0\0\0\x01\0\x02\0\x02\0\0\0\x09\x09\x09\x09\x09\x09\x09\x09\x09\x09\x09\
      \x09\x09\x09\x09\x09stand1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\x02\0\0\0\
      \x09\x09\x09\x09\x09\x09\x09\x09\x09\x09\x09\x09\x09\x09\x09\x09stand2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0\
      \x01\0\0\0\x05\0\0\0\0\0\x01\0\x05\0\0\0",
    b"MDL7\0\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0$\0\x1c\0\x10\0D\0\x08\0\x1a\0\x1a\0\x1a\0D\0\x18\0\
      \xff\xff\0\0\0\0\x80?\0\0\0@\0\0@@root\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0body\0\0\0\0\0\0\0\0\0\
      \0\0\0\x04\0\0\0\x03\0\0\0\x02\0\0\0\x03\0\0\0\x02\0\0\0\x05\0\0\0\x01\0\0\0\x01\0\0\0paint\0\0\0\0\0\0\0\0\0\
      \0\0\x03\x02\x01\x80'\0\0\0\x06\0\0\0\x01\0\0\0cloth\0\0\0\0\0\0\0\0\0\0\0a.tga\0\x04\0\0\0x.fx\x10\0\0\0\0\0\
      \0\0\0\0\0\0glass\0\0\0\0\0\0\0\0\0\0\0\0\0\0?\0\0\x80>\0\0\0>\0\0\0\0\xcd\xcc\xcc=\xcd\xccL>\x9a\x99\x99>\0\0\
      @?\0\0\x80?\0\0\x80?\0\0\x80?\0\0\0\0\0\0\0?\0\0\0?\0\0\0?\0\0\0\0\0\0\0B\x01\0\0\0\0\0\0\0\0\0\0\0again\0\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80?\0\0\0\0\0\0\0\0\0\0\xc0?\0\0\x01\0\x02\0\0\0\x01\0\x02\0\0\0\0\0\xff\
      \xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\x02\0\x01\0\0\0\x01\0\x02\0\x02\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\
      \xff\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc0\0\0\x80?\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \0\0\xc0\0\0\0\0\0\0\x80?\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc0base\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0jump1\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\x80?\0\0\xa0@\x02\0\0\0\0\
      \0\0\0\0\0\0\0\0\xc0\x01\0\0\0\0\0\0\0head\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x03\0\0\0\0\0\0\0\
      \0\0\x01\0\x02\0\xff\xff\xff\xff\xff\xff\x03\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0@\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc0\0\0\0@\0\0\0\0\0\0\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\xc0editor\x20data",
    b"HMP7\0\0\0\0\0\0\0@\0\0\0@\0\0\0@\0\0\x80\xbf\0\0\0\xc0\0\0@\xc0\0\0\0\0\0\0\x20A\0\0\xa0A\0\0@@\x01\0\0\0\0\0\
      \0\0\0\0\0\0\x06\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x06\0\0\0\x01\0\0\0g.bmp\0\x02\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0frame\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x02\0\0\0\x03\0\0\0\x04\0\0\0\
      \x05\0\0\0",
    b"HMP4\0\0\0\0\0\0\0@\0\0\0@\0\0\0@\0\0\x80\xbf\0\0\0\xc0\0\0@\xc0\0\0\0\0\0\0\x20A\0\0\xa0A\0\0\0@\x01\0\0\0\
      \x02\0\0\0\x01\0\0\0\x04\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\0\xf8\x1f\0\x02\0\0\0\0\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0frame\0\0\0\0\0\0\0\0\0\0\0Z\0[\0\0\0\0\0Z\0[\0\x01\0\0\0Z\0[\0\x02\0\0\0Z\0[\0\x03\
      \0\0\0",
    b"HMP4\0\0\0\0\0\0\0@\0\0\0@\0\0\0@\0\0\x80\xbf\0\0\0\xc0\0\0@\xc0\0\0\0\0\0\0\x20A\0\0\xa0A\0\0\0@\x01\0\0\0\
      \x02\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0\x01\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\0\xf8\x1f\0\0\0\0\0\x01\
      \0\0\0\0\0\x01\0\x01\0\x01\0\0\0\x01\0\x02\0\0\0\x01\0\x02\0\x01\0\x03\0\x02\0\x01\0\x03\0\x02\0\0\0\0\0\0\0\0\
      \0\0\0\0\0frame\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\x01\x01\x01\0\0\0\x02\0\x01\0\x03\0",
    b"WMB2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x84\0\0\x002\0\0\0\xb6\0\0\x000\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xe6\0\0\
      \0@\0\0\0&\x01\0\0\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0:\x01\0\0\x14\0\0\
      \0N\x01\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x08\0\0\0wall\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\
      \0\x01\0\0\0(\0\0\0)\0\0\0\0\0\0\0\0\0\0\0\x07\x07\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80@\0\0\0\0\0\0\x80@\0\
      \0\x80@\0\0\0\0\0\0\x80@\0\0\0\0\0\0\0\0\0\0\x80?\0\0\0\0\0\0\0\0\0\0\0@\0\0\0\0\0\0\x80\xbf\0\0\0\0\0\0\0\0\0\
      \0\0\0\x09\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \0\0\0\0\x01\0\x02\0\x01\0\x02\0\x03\0\x03\0\0\0\x01\0\0\0\xfe\xff\xff\xff\x03\0\0\0\x04\0\0\0",
    b"WMB7\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xa4\0\0\0:\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xde\0\0\0\xc0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \x02\0\0\0\xff\xff\xff\xff\x0c\0\0\0wall\0\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x01\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\
      \0\0\0\0\x03\x02\x01\x06\x05\x04\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x03\0\0\0\
      \x02\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\xe0@\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80@\0\0\xe0@\0\0\0\
      \0\0\0\0@\0\0\0\0\0\0\0\0\0\0\x80@\0\0\0\0\0\0\xe0@\0\0\0@\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\x02\0\0\0\0\0\0\0\
      \0\0\x02\0\x01\0\x01\0\x01\0\0\0\x01\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\xff\xff\xff\xff\0\
      \0\0\0\0\0\0\0\x0b@\0\0",
];

/// WAD2 with 8 and 16 bits per pixel, WAD7 with 32 and 8 bits, WAD3 with its own palette, WAD7 with a DDS file.
const ARCHIVES: &[&[u8]] = &[
    b"WAD2\x03\0\0\0g\0\0\0ab\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0(\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x02\
      \x03\x04high\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0(\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x1f\xf812345\x0c\0\0\0\
      ,\0\0\0,\0\0\0D\0\xff\xffab\0\0\0\0\0\0\0\0\0\0\0\0\0\08\0\0\0*\0\0\0*\0\0\0T\0\xff\xffhigh\0\0\0\0\0\0\0\0\0\
      \0\0\0b\0\0\0\x05\0\0\0\x05\0\0\0B\0\xff\xffbar\0\0\0\0\0\0\0\0\0\0\0\0\0",
    b"WAD7\x02\0\0\0a\0\0\0sky\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x03\
      \x02\x01\xfflow\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x0c\0\0\0,\0\
      \0\0,\0\0\0\x05\0\xff\xffsky\0\0\0\0\0\0\0\0\0\0\0\0\08\0\0\0)\0\0\0)\0\0\0\0\0\xff\xfflow\0\0\0\0\0\0\0\0\0\0\
      \0\0\0",
    b"WAD3\x01\0\0\0:\0\0\0{own\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0(\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x01\0\
      \x07\x07\x07\x0c\0\0\0.\0\0\0.\0\0\0C\0\xff\xff{own\0\0\0\0\0\0\0\0\0\0\0\0",
    b"WAD7\x01\0\0\0\xbc\0\0\0dds\0\0\0\0\0\0\0\0\0\0\0\0\0\x88\0\0\0\x01\0\0\0\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0DDS\
      \x20|\0\0\0\0\0\0\0\x04\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x04\0\0\0DXT1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\0\0\xe4\xe4\xe4\xe4\x0c\0\0\0\xb0\0\0\0\xb0\0\0\0\x06\0\xff\xffdds\
      \0\0\0\0\0\0\0\0\0\0\0\0\0",
];

/// Limits the result of small files that declare many items.
fn options() -> mapwright_acknex::ReadOptions {
    mapwright_acknex::ReadOptions::default().with_limits(Limits::service())
}

/// Reads a model. Its triangles refer to vertices and skins that exist.
pub fn model(bytes: &[u8]) {
    let read = |bytes: &[u8]| Model::from_bytes_with(bytes, &options()).map_err(refusal);
    let Some(model) = laws::total(bytes, read) else { return };
    for group in &model.groups {
        for triangle in &group.triangles {
            let vertices = triangle.vertices.map(|vertex| group.positions.get(vertex as usize));
            let is_finite = |position: &[f32; 3]| position.iter().all(|number| number.is_finite());
            assert!(vertices.iter().all(|vertex| vertex.is_some_and(is_finite)), "a triangle without a vertex");
            assert!(
                triangle.skin.is_none_or(|skin| model.image_skin(skin).is_some() || model.skins.len() > skin as usize)
            );
            assert!(triangle.uvs.is_none_or(|uvs| uvs.as_flattened().iter().all(|number| number.is_finite())));
        }
        assert_eq!(group.pose(1).len(), group.positions.len());
    }
    model.skins.iter().for_each(|skin| drop(skin.image(None)));
}

/// Reads a terrain. Its grid is complete.
pub fn terrain(bytes: &[u8]) {
    let read = |bytes: &[u8]| Terrain::from_bytes_with(bytes, &options()).map_err(refusal);
    let Some(terrain) = laws::total(bytes, read) else { return };
    let [columns, rows] = terrain.size.map(u64::from);
    for frame in &terrain.frames {
        assert_eq!(frame.steps.len() as u64, columns * rows, "a frame with another number of heights");
    }
    assert!(terrain.mesh.is_some() == terrain.frames.is_empty(), "a grid or a mesh");
}

/// Reads an archive and decodes every image.
pub fn archive(bytes: &[u8]) {
    if dds::is_dds(bytes) {
        let _ = dds::decode(bytes);
    }
    let refused = |bytes: &[u8]| Wad::from_bytes(bytes).map(drop).map_err(refusal);
    if laws::total(bytes, refused).is_none() {
        return;
    }
    let Ok(wad) = Wad::from_bytes(bytes) else { return };
    let palette = Palette::from_rgb(&[7; 768]);
    for texture in &wad.textures {
        assert!(wad.texture(texture.name.text()).is_some(), "a texture that its archive does not find");
        if let Ok(image) = texture.image(Some(&palette)) {
            assert_eq!(image.size, texture.size, "the image has another size than declared");
            assert_eq!(image.rgba.len() as u64, image.size.iter().map(|side| u64::from(*side)).product::<u64>() * 4);
        }
    }
}

/// Reads a compiled level, its images and its faces.
pub fn level(bytes: &[u8]) {
    let refused = |bytes: &[u8]| Wmb::from_bytes(bytes).map(drop).map_err(refusal);
    if laws::total(bytes, refused).is_none() {
        return;
    }
    let Ok(level) = Wmb::from_bytes(bytes) else { return };
    level.textures().for_each(|texture| drop(texture.image(level.palette.as_ref())));
    let Some(mesh) = laws::total(bytes, |_| level.faces_with(&options()).map_err(refusal)) else { return };
    let corners: usize = mesh.iter().map(|(_, corners)| corners.len()).sum();
    assert_eq!(corners, mesh.corners.len(), "corners without a face");
    assert!(mesh.corners.iter().all(|corner| (corner.vertex as usize) < mesh.positions.len()), "a missing vertex");
    assert!(mesh.faces.iter().filter_map(|face| face.texture).all(|texture| level.texture(texture as usize).is_some()));
}

/// Converts every readable file with all options, and checks that the scenes are valid.
pub fn scene(bytes: &[u8]) {
    let plain = ImportOptions::default().with_palette(Some(Palette::from_rgb(&[7; 768])));
    let other = plain
        .clone()
        .with_transparency(Transparency::Overlay)
        .with_frames(Frames::MorphTargets)
        .with_terrain(TerrainForm::Heightmap)
        .with_hidden_faces(HiddenFaces::Keep);
    for options in [plain.clone().with_frame(1), plain, other] {
        if let Ok(model) = Model::from_bytes(bytes) {
            check_whole(&model_to_scene(&model, &options).scene);
        }
        if let Ok(terrain) = Terrain::from_bytes(bytes) {
            check_whole(&terrain_to_scene(&terrain, &options).scene);
        }
        if let Ok(Ok(import)) = Wmb::from_bytes(bytes).map(|level| level_to_scene(&level, &options)) {
            check_whole(&import.scene);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_made_files_are_read() {
        assert!(MODELS.iter().all(|bytes| Model::from_bytes(bytes).is_ok()));
        assert!(TERRAINS.iter().all(|bytes| Terrain::from_bytes(bytes).is_ok()));
        assert!(LEVELS.iter().all(|bytes| {
            Wmb::from_bytes(bytes).is_ok_and(|level| level.faces().is_ok_and(|mesh| !mesh.faces.is_empty()))
        }));
        let palette = Palette::from_rgb(&[7; 768]);
        for bytes in ARCHIVES {
            let wad = Wad::from_bytes(bytes).unwrap();
            assert!(wad.textures.iter().all(|texture| texture.image(Some(&palette)).is_ok()), "{wad:?}");
        }
    }
}
