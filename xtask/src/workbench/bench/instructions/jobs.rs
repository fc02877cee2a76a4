//! The jobs. Together they do what the other benchmarks measure, on one thread and on inputs that are always the same.

use std::error::Error;
use std::hint::black_box;

use mapwright::interchange::{gltf, obj};
use mapwright::render::{RenderOptions, Scale, to_png};
use mapwright::scene::NoFiles;
use mapwright::scene::Scene;
use mapwright::{AnyDocument, ConvertOptions, Format, ReadOptions, convert, dmx, vmap, wings, wmp, wrp, wwd};

use super::super::{self as bench, interchange};
use crate::fixtures;

pub(super) type Done = Result<(), Box<dyn Error>>;

/// A job with its input.
pub(super) type Work = Box<dyn FnOnce() -> Done>;

/// A job.
pub(super) struct Job {
    pub(super) name: &'static str,
    /// Creates the input, which is not counted.
    pub(super) prepare: fn() -> Result<Work, Box<dyn Error>>,
}

pub(super) const JOBS: [Job; 10] = [
    Job { name: "wings-read", prepare: wings_read },
    Job { name: "wings-write", prepare: wings_write },
    Job { name: "dmx-read", prepare: dmx_read },
    Job { name: "dmx-write", prepare: dmx_write },
    Job { name: "vmap-render", prepare: vmap_render },
    Job { name: "wwd-tmx-wwd", prepare: wwd_tmx_wwd },
    Job { name: "wmp-read-write", prepare: wmp_read_write },
    Job { name: "wrp-read-write", prepare: wrp_read_write },
    Job { name: "obj-glb", prepare: obj_glb },
    Job { name: "glb-read", prepare: glb_read },
];

fn torus() -> Vec<u8> {
    fixtures::wings::torus_alone(100, 50)
}

fn wings_read() -> Result<Work, Box<dyn Error>> {
    let file = torus();
    Ok(Box::new(move || {
        let document = wings::Document::from_bytes(&file)?;
        black_box(document.model()?);
        Ok(())
    }))
}

fn wings_write() -> Result<Work, Box<dyn Error>> {
    let scene = AnyDocument::from_vec_as(torus(), Format::Wings, &ReadOptions::default())?.into_scene()?.scene;
    Ok(Box::new(move || {
        black_box(wings::scene::scene_to_bytes(&scene, &wings::scene::ExportOptions::default())?);
        Ok(())
    }))
}

/// Returns the graph of a map with many objects.
fn rooms(count: usize) -> Result<dmx::Document, Box<dyn Error>> {
    let room = fixtures::vmap::room(40).into_graph();
    let world = room.iter().find(|element| element.is("CMapWorld")).ok_or("a map has a world")?.id();
    Ok(bench::dmx::repeated(room, world, count))
}

/// Returns a graph for a binary file, and the same for text.
fn graphs() -> Result<[dmx::Document; 2], Box<dyn Error>> {
    let binary = rooms(40)?;
    let mut text = binary.clone();
    text.set_encoding(dmx::Encoding::KEYVALUES2_4);
    Ok([binary, text])
}

fn dmx_read() -> Result<Work, Box<dyn Error>> {
    let [binary, text] = graphs()?.map(|graph| graph.to_bytes());
    let files = [binary?, text?];
    Ok(Box::new(move || {
        for file in &files {
            black_box(dmx::Document::from_bytes(file)?);
        }
        Ok(())
    }))
}

fn dmx_write() -> Result<Work, Box<dyn Error>> {
    let graphs = graphs()?;
    Ok(Box::new(move || {
        for graph in &graphs {
            black_box(graph.to_bytes()?);
        }
        Ok(())
    }))
}

fn vmap_render() -> Result<Work, Box<dyn Error>> {
    let file = vmap::Document::from_graph(rooms(20)?)?.to_bytes()?;
    Ok(Box::new(move || {
        let scene = AnyDocument::from_vec_as(file, Format::Vmap, &ReadOptions::default())?.into_scene()?.scene;
        let mut image = Vec::new();
        to_png(&scene, &RenderOptions::default().with_scale(Scale::Fit(256)), &mut image)?;
        black_box(image);
        Ok(())
    }))
}

/// Creates a level with many tiles and objects.
fn level() -> wwd::Document {
    const TIMES: i32 = 12;
    let mut level = fixtures::wwd::level();
    let action = &mut level.planes[1];
    let (tiles, columns) = (std::mem::take(&mut action.tiles), usize::try_from(action.tiles_wide).unwrap_or(1));
    let times = usize::try_from(TIMES).unwrap_or(1);
    let rows = tiles.chunks(columns).map(|row| row.repeat(times)).collect::<Vec<_>>().concat();
    action.tiles = rows.repeat(times).into();
    for side in [&mut action.tiles_wide, &mut action.tiles_high, &mut action.width_px, &mut action.height_px] {
        *side *= TIMES;
    }
    let objects = Vec::from_iter(action.objects.iter().cloned());
    action.objects = (0..3000)
        .zip(objects.iter().cycle())
        .map(|(id, object)| wwd::Object {
            id,
            x: object.x + id % 10 * 1280,
            y: object.y + id % 12 * 576,
            ..object.clone()
        })
        .collect();
    level
}

fn wwd_tmx_wwd() -> Result<Work, Box<dyn Error>> {
    let file = level().to_bytes()?;
    Ok(Box::new(move || {
        let (reading, converting) = (ReadOptions::default(), ConvertOptions::default());
        let document = AnyDocument::from_vec_as(file, Format::Wwd, &reading)?;
        let map = convert(document, Format::Tmx, &NoFiles, &converting)?.files.main;
        let document = AnyDocument::from_vec_as(map, Format::Tmx, &reading)?;
        black_box(convert(document, Format::Wwd, &NoFiles, &converting)?);
        Ok(())
    }))
}

fn wmp_read_write() -> Result<Work, Box<dyn Error>> {
    let file = |dialect| bench::wmp::many(&fixtures::wmp::document(dialect), 1 << 20);
    let files = [file(wmp::Dialect::A7)?, file(wmp::Dialect::Binary)?];
    Ok(Box::new(move || {
        for file in &files {
            let mut map = wmp::Document::from_bytes(file)?;
            map.forget_source();
            black_box(map.to_bytes()?);
        }
        Ok(())
    }))
}

fn wrp_read_write() -> Result<Work, Box<dyn Error>> {
    let files = [bench::wrp::eight(50_000).to_bytes()?, bench::wrp::four(50_000).to_bytes()?];
    Ok(Box::new(move || {
        for file in &files {
            black_box(wrp::Document::from_bytes(file)?.to_bytes()?);
        }
        Ok(())
    }))
}

/// Reads a grid of quads.
fn grid(text: &[u8]) -> Result<Scene, Box<dyn Error>> {
    Ok(obj::to_scene(text, &NoFiles, &obj::ImportOptions::default())?.scene)
}

fn to_glb(scene: &Scene) -> Result<Vec<u8>, Box<dyn Error>> {
    Ok(gltf::from_scene(scene, &NoFiles, &gltf::ExportOptions::default())?.document.main)
}

fn obj_glb() -> Result<Work, Box<dyn Error>> {
    let text = interchange::grid(100);
    Ok(Box::new(move || {
        black_box(to_glb(&grid(&text)?)?);
        Ok(())
    }))
}

fn glb_read() -> Result<Work, Box<dyn Error>> {
    let file = to_glb(&grid(&interchange::grid(100))?)?;
    Ok(Box::new(move || {
        black_box(gltf::to_scene(&file, &NoFiles, &gltf::ImportOptions::default())?);
        Ok(())
    }))
}
