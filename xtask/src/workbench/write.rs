//! What `cargo xtask conformance` puts before its judges: every model at hand, written by this project.

mod dmx;

use std::fs;
use std::path::{Path, PathBuf};

use mapwright_interchange::{NoFiles, gltf, obj};
use mapwright_scene::Scene;
use mapwright_testkit::{corpus, files_below, workspace};
use mapwright_wings::etf::Stream;
use mapwright_wings::scene;
use mapwright_wings::{Document, WriteOptions};

use crate::verdicts;

/// A file and its document.
struct Source {
    path: PathBuf,
    document: Document,
}

/// Writes a model in some way, or not where that way has nothing to show the judge.
type Way = fn(&Source) -> Result<Option<Vec<u8>>, String>;

/// Each judge's ways, with the ending of what they write.
const WAYS: &[(&str, &[(&str, Way)])] = &[
    ("gltf", &[("glb", glb)]),
    (
        "wings",
        &[
            ("renewed.wings", renewed),
            ("model.wings", model),
            ("scene.wings", through_scene),
            ("obj.wings", through_obj),
            ("gltf.wings", through_gltf),
        ],
    ),
];

pub(crate) fn write(args: &[String]) -> Result<(), String> {
    let [judge, folder] = args else { return Err("usage: write wings|gltf|dmx FOLDER".to_owned()) };
    if judge == "dmx" {
        return dmx::write(Path::new(folder));
    }
    let (_, ways) = WAYS.iter().find(|(name, _)| name == judge).ok_or(format!("nothing is written for {judge}"))?;
    let sources = sources()?;
    for (index, source) in sources.iter().enumerate() {
        let stem = source.path.file_stem().unwrap_or_default().to_string_lossy();
        for (ending, way) in *ways {
            let bytes = way(source).map_err(|error| format!("{}, {ending}: {error}", source.path.display()))?;
            let path = Path::new(folder).join(format!("{index:03}-{stem}.{ending}"));
            bytes
                .map_or(Ok(()), |bytes| fs::write(&path, bytes))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    println!("{} models, ways to write each: {}", sources.len(), ways.len());
    Ok(())
}

/// The fixtures, and the files of the local corpus that the real program can load and save.
fn sources() -> Result<Vec<Source>, String> {
    let folders = [Some(workspace().join("fixtures/wings")).filter(|folder| folder.is_dir()), corpus("wings")];
    let mut sources = Vec::new();
    for path in folders.iter().flatten().flat_map(|folder| files_below(folder)) {
        let is_wings = path.extension().is_some_and(|extension| extension == "wings");
        if !is_wings || verdicts::listed(&path, "verify").is_some_and(|verify| verify != "ok") {
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let document = Document::from_bytes(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        sources.push(Source { path, document });
    }
    Ok(sources)
}

/// The same term, compressed by this project. The real program has long forgotten versions before 2.
fn renewed(source: &Source) -> Result<Option<Vec<u8>>, String> {
    if source.document.model().map_err(|error| error.to_string())?.version < 2 {
        return Ok(None);
    }
    let options = WriteOptions::default().with_stream(Stream::Renew);
    source.document.to_bytes_with(&options).map(Some).map_err(|error| error.to_string())
}

/// A new document of what the file says.
fn model(source: &Source) -> Result<Option<Vec<u8>>, String> {
    let model = source.document.model().map_err(|error| error.to_string())?;
    let document = Document::from_model(&model).map_err(|error| error.to_string())?;
    document.to_bytes().map(Some).map_err(|error| error.to_string())
}

/// A new document of the scene that the file means.
fn through_scene(source: &Source) -> Result<Option<Vec<u8>>, String> {
    let import =
        scene::to_scene(&source.document, &scene::ImportOptions::default()).map_err(|error| error.to_string())?;
    of_scene(&import.scene)
}

/// A new document of the scene that an OBJ file of the scene means.
fn through_obj(source: &Source) -> Result<Option<Vec<u8>>, String> {
    let import =
        scene::to_scene(&source.document, &scene::ImportOptions::default()).map_err(|error| error.to_string())?;
    let export = obj::from_scene(&import.scene, &obj::ExportOptions::default()).map_err(|error| error.to_string())?;
    let files = export.document;
    let import =
        obj::to_scene(&files.main, &files, &obj::ImportOptions::default()).map_err(|error| error.to_string())?;
    of_scene(&import.scene)
}

/// A new document of the scene that a glTF file of the scene means.
fn through_gltf(source: &Source) -> Result<Option<Vec<u8>>, String> {
    let Some(glb) = glb(source)? else { return Ok(None) };
    let import = gltf::to_scene(&glb, &NoFiles, &gltf::ImportOptions::default()).map_err(|error| error.to_string())?;
    of_scene(&import.scene)
}

/// The scene as one file for other programs.
fn glb(source: &Source) -> Result<Option<Vec<u8>>, String> {
    let import =
        scene::to_scene(&source.document, &scene::ImportOptions::default()).map_err(|error| error.to_string())?;
    let export = gltf::from_scene(&import.scene, &NoFiles, &gltf::ExportOptions::default());
    export.map(|export| Some(export.document.main)).map_err(|error| error.to_string())
}

fn of_scene(scene: &Scene) -> Result<Option<Vec<u8>>, String> {
    let export = scene::from_scene(scene, &scene::ExportOptions::default()).map_err(|error| error.to_string())?;
    export.document.to_bytes().map(Some).map_err(|error| error.to_string())
}
