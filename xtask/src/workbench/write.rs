//! Input of the judges of `cargo xtask conformance`: every available model, written by this project.

mod dmx;

use std::path::{Path, PathBuf};
use std::{env, fs};

use mapwright::{AnyDocument, ConvertOptions, Format, ReadOptions, convert, detect};
use mapwright_interchange::{gltf, obj};
use mapwright_scene::{NoFiles, Scene};
use mapwright_testkit::gamestudio::made_level;
use mapwright_testkit::{corpus, files_below, workspace};
use mapwright_wings::etf::Stream;
use mapwright_wings::scene;
use mapwright_wings::{Document, WriteOptions};

use crate::level::{read_whole_level, to_glb};
use crate::verdicts;

/// A file and its document.
struct Source {
    path: PathBuf,
    bytes: usize,
    document: AnyDocument,
}

/// A way to write a model. Returns `None` if the judge would learn nothing from it.
type Way = fn(&Source) -> Result<Option<Vec<u8>>, String>;

/// A judge, the selection of the formats of its models, and its ways with the extension of what they write.
type Judge = (&'static str, fn(Format) -> bool, &'static [(&'static str, Way)]);

const JUDGES: &[Judge] = &[
    ("gltf", |format| format.access().lossless && format.converts_to(Format::Glb), &[("glb", glb)]),
    (
        "wings",
        |format| format == Format::Wings,
        &[
            ("scene.wings", through_scene),
            ("renewed.wings", renewed),
            ("model.wings", model),
            ("obj.wings", through_obj),
            ("gltf.wings", through_gltf),
        ],
    ),
];

/// Larger models are only written in the first way, because a judge takes seconds for each. Others are also written in one other way, in
/// turn.
const LARGE: usize = 1 << 18;

pub(crate) fn write(args: &[String]) -> Result<(), String> {
    let [judge, folder] = args else { return Err("usage: write wings|gltf|dmx FOLDER".to_owned()) };
    if judge == "dmx" {
        return dmx::write(Path::new(folder));
    }
    let ways = JUDGES.iter().find(|(name, ..)| name == judge).ok_or(format!("unknown judge {judge}"))?;
    let (_, formats, ways) = ways;
    let sources = sources(*formats)?;
    for (index, source) in sources.iter().enumerate() {
        let stem = source.path.file_stem().unwrap_or_default().to_string_lossy();
        let (first, others) = ways.split_first().ok_or("there is no way to write it")?;
        let turn = others.get(index % others.len().max(1)).filter(|_| source.bytes <= LARGE);
        for (ending, way) in std::iter::once(first).chain(turn) {
            let bytes = way(source).map_err(|error| format!("{}, {ending}: {error}", source.path.display()))?;
            let path = Path::new(folder).join(format!("{index:03}-{stem}.{ending}"));
            bytes
                .map_or(Ok(()), |bytes| fs::write(&path, bytes))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    if judge == "gltf" {
        write_whole_levels(Path::new(folder))?;
    }
    println!("{} models, {} ways to write them", sources.len(), ways.len());
    Ok(())
}

/// Writes levels with their models, images and prefabs as binary glTF: a made level of 3D Gamestudio, a map of Source 2, and a real game
/// of the corpus.
fn write_whole_levels(folder: &Path) -> Result<(), String> {
    let made = env::current_exe().map_err(|error| error.to_string())?.with_file_name("made-level");
    made_level(8, 64).write(&made).map_err(|error| format!("{}: {error}", made.display()))?;
    let of_corpus = corpus("acknex").map(|corpus| corpus.join("bundle/retrofps/map.wmp"));
    let levels = [made.join("level.wmp"), workspace().join("fixtures/addon/maps/house.vmap")];
    let mut count = 0;
    for level in levels.into_iter().chain(of_corpus) {
        let glb = to_glb(&read_whole_level(&level)?).map_err(|error| format!("{}: {error}", level.display()))?;
        let path = folder.join(format!("whole-{count}.glb"));
        fs::write(&path, glb).map_err(|error| format!("{}: {error}", path.display()))?;
        count += 1;
    }
    println!("{count} levels with the files that they refer to");
    fs::remove_dir_all(&made).map_err(|error| format!("{}: {error}", made.display()))
}

/// Reads the fixtures, and the undamaged corpus files that the real program can load and save. Inputs that fuzzing found are no levels.
fn sources(is_wanted: fn(Format) -> bool) -> Result<Vec<Source>, String> {
    let names = Format::available().filter(|format| is_wanted(*format)).map(Format::name);
    let fixtures = names.clone().map(|name| workspace().join("fixtures").join(name));
    let folders = fixtures.filter(|folder| folder.is_dir()).chain(names.filter_map(corpus));
    let mut sources = Vec::new();
    for path in folders.flat_map(|folder| files_below(&folder)) {
        let is_bad = verdicts::listed(&path, "verify").is_some_and(|verify| verify != "ok");
        let is_of_fuzzing = path.parent().is_some_and(|folder| folder.ends_with("regressions"));
        if is_bad || is_of_fuzzing || verdicts::is_refusal_listed(&path) {
            continue;
        }
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let bytes = fs::read(&path).map_err(|error| failed(&error))?;
        let Some(format) = detect(&bytes, Some(&path)).format.filter(|format| is_wanted(*format)) else {
            continue;
        };
        let document = AnyDocument::from_bytes_as(&bytes, format, &ReadOptions::default());
        let document = document.map_err(|error| failed(&error))?;
        if !document.is_part_of_level() {
            sources.push(Source { path, bytes: bytes.len(), document });
        }
    }
    Ok(sources)
}

impl Source {
    fn wings(&self) -> Result<&Document, String> {
        let document = &self.document;
        document.as_wings().ok_or_else(|| format!("{} is not a Wings 3D scene", document.format()))
    }

    fn scene(&self) -> Result<Scene, String> {
        self.document.to_scene().map(|import| import.scene).map_err(|error| error.to_string())
    }
}

/// Compresses the same term again. The real program no longer reads versions before 2.
fn renewed(source: &Source) -> Result<Option<Vec<u8>>, String> {
    let document = source.wings()?;
    if document.model().map_err(|error| error.to_string())?.version < 2 {
        return Ok(None);
    }
    let options = WriteOptions::default().with_stream(Stream::Renew);
    document.to_bytes_with(&options).map(Some).map_err(|error| error.to_string())
}

/// Writes a new document from the model of the file.
fn model(source: &Source) -> Result<Option<Vec<u8>>, String> {
    let model = source.wings()?.model().map_err(|error| error.to_string())?;
    let document = Document::from_model(&model).map_err(|error| error.to_string())?;
    document.to_bytes().map(Some).map_err(|error| error.to_string())
}

/// Writes a new document from the scene of the file.
fn through_scene(source: &Source) -> Result<Option<Vec<u8>>, String> {
    write_scene(&source.scene()?)
}

/// Writes a new document from the scene after a round trip through OBJ.
fn through_obj(source: &Source) -> Result<Option<Vec<u8>>, String> {
    let export =
        obj::from_scene(&source.scene()?, &obj::ExportOptions::default()).map_err(|error| error.to_string())?;
    let files = export.document;
    let import =
        obj::to_scene(&files.main, &files, &obj::ImportOptions::default()).map_err(|error| error.to_string())?;
    write_scene(&import.scene)
}

/// Writes a new document from the scene after a round trip through glTF.
fn through_gltf(source: &Source) -> Result<Option<Vec<u8>>, String> {
    let Some(glb) = glb(source)? else { return Ok(None) };
    let import = gltf::to_scene(&glb, &NoFiles, &gltf::ImportOptions::default()).map_err(|error| error.to_string())?;
    write_scene(&import.scene)
}

/// Converts the document to binary glTF.
fn glb(source: &Source) -> Result<Option<Vec<u8>>, String> {
    // An empty level has an empty file.
    let options = ConvertOptions::default().with_allow_empty(true);
    let conversion = convert(source.document.clone(), Format::Glb, &NoFiles, &options);
    conversion.map(|conversion| Some(conversion.files.main)).map_err(|error| error.to_string())
}

fn write_scene(scene: &Scene) -> Result<Option<Vec<u8>>, String> {
    let export = scene::from_scene(scene, &scene::ExportOptions::default()).map_err(|error| error.to_string())?;
    export.document.to_bytes().map(Some).map_err(|error| error.to_string())
}
