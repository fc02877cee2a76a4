//! Edits of terrains that read other files.

use std::path::{Path, PathBuf};

use mapwright::io::format_count;
use mapwright::scene::{Content, Losses, Terrain};
use mapwright::wrp::edit::EditError;
use mapwright::wrp::lists::{Centres, Elevation, read_csv, read_lbt, read_pairs, read_terrain_builder};
use mapwright::wrp::query::{Glob, Text};
use mapwright::wrp::{Document, Objects, scene};
use mapwright::{Format, ReadOptions, read_objects_json};

use super::{EditProblem, read, take_file};
use crate::commands::query::read_centres;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;

/// The edits, as error messages list them.
pub(super) const EDITS: &[&str] = &[
    "heights import FILE",
    "cells import FILE",
    "objects import FILE [relative] [centres=FILE]",
    "paste FILE X,Z",
    "models rename-table FILE",
    "textures rename-table FILE",
];

/// Applies an edit that reads a file, which is added to `files`. Returns `None` for other edits.
pub(super) fn apply(
    terrain: &mut Document,
    words: &[Text],
    (options, is_empty_allowed): (&ReadOptions, bool),
    files: &mut Vec<PathBuf>,
) -> Option<Result<String, EditProblem>> {
    let words: Vec<_> = words.iter().map(Text::to_string_lossy).collect();
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let how = (options, is_empty_allowed);
    let mut file = |word: &str| take_file(word, files);
    Some(match words[..] {
        ["heights", "import", name] => import_heights(terrain, &file(name), options),
        ["cells", "import", name] => {
            let name = file(name);
            import_cells(terrain, &name, options, files)
        }
        ["objects", "import", name, ref how @ ..] => {
            let name = file(name);
            import_objects(terrain, &name, how, options, files)
        }
        ["paste", name, at] => paste(terrain, &file(name), at, options),
        ["models", "rename-table", name] => {
            rename(&file(name), |table| terrain.rename_models_by(table), "objects", how)
        }
        ["textures", "rename-table", name] => {
            rename(&file(name), |table| terrain.rename_textures_by(table), "textures", how)
        }
        _ => return None,
    })
}

fn import_heights(terrain: &mut Document, file: &str, options: &ReadOptions) -> Result<String, EditProblem> {
    let import = read(file, None, options)?.into_scene().map_err(|error| EditProblem::of_file(file, error))?;
    let before = terrain.clone();
    // Of a terrain that has more than heights only these are taken.
    let mut heights = import.scene;
    heights.instance_sets = Default::default();
    heights.properties = Default::default();
    for (_, field) in heights.terrains.iter_mut() {
        (field.cells, field.cell_size, field.materials) = (Vec::new(), [0, 0], Vec::new());
    }
    heights.nodes.iter_mut().for_each(|(_, node)| {
        if let Content::InstanceSet(_) = node.content {
            node.content = Content::Group;
        }
    });
    let losses = scene::merge_scene(terrain, &heights, &Default::default()).map_err(|error| error.to_string())?;
    let (old, new) = (before.ground(), terrain.ground());
    let changed = old.heights.iter().zip(new.heights.iter()).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    Ok(format!("{changed} heights changed{}", format_losses(&losses, "heights")))
}

/// Returns the losses of a part, for the end of a report.
fn format_losses(losses: &Losses, part: &str) -> String {
    let of_part = losses.iter().filter(|loss| loss.path.to_string().contains(part));
    of_part.map(|loss| format!("; {}: {}", loss.kind.name(), loss.text)).collect()
}

fn import_cells(
    terrain: &mut Document,
    file: &str,
    options: &ReadOptions,
    beside: &mut Vec<PathBuf>,
) -> Result<String, EditProblem> {
    let picture = read(file, Some(Format::CellPng), options)?;
    beside.extend_from_slice(picture.side_files());
    let picture = picture.into_scene().map_err(|error| {
        let failure = Failure::new(file, &error);
        EditProblem::File(failure.with_help("`mapwright convert TERRAIN -o cells.png` writes an image and its legend"))
    })?;
    let picture = picture.scene;
    let mut scene = scene::to_scene(terrain, &Default::default()).map_err(|error| error.to_string())?.scene;
    let Some(Terrain { cell_size, cells, materials, .. }) = picture.terrains.items().first() else {
        return Err("the file contains no cells".into());
    };
    // A picture without a legend has numbers alone.
    let with_legend = !materials.is_empty();
    let materials = materials.iter().map(|id| id.and_then(|id| picture.materials.get(id)).cloned());
    let materials = materials.map(|material| material.map(|material| scene.materials.push(material))).collect();
    let Some((_, own)) = scene.terrains.iter_mut().next() else { return Err("the terrain has no cells".into()) };
    if own.cell_size != *cell_size {
        let ([columns, rows], [width, height]) = (own.cell_size, *cell_size);
        return Err(format!("{width} by {height} pixels for {columns} by {rows} cells").into());
    }
    let changed = own.cells.iter().zip(cells).filter(|(old, new)| old != new).count();
    own.cells.clone_from(cells);
    if with_legend {
        own.materials = materials;
    }
    let losses = scene::merge_scene(terrain, &scene, &Default::default()).map_err(|error| error.to_string())?;
    Ok(format!("{changed} cells changed{}", format_losses(&losses, "cells")))
}

fn import_objects(
    terrain: &mut Document,
    file: &str,
    how: &[&str],
    options: &ReadOptions,
    taken: &mut Vec<PathBuf>,
) -> Result<String, EditProblem> {
    let mut elevation = Elevation::Absolute;
    let mut known = Centres::default();
    for word in how {
        match (*word, word.strip_prefix("centres=")) {
            ("relative", _) => elevation = Elevation::Relative,
            ("absolute", _) => elevation = Elevation::Absolute,
            (_, Some(table)) => {
                let table = take_file(table, taken);
                known = read_centres(Some(Path::new(&table))).map_err(EditProblem::File)?;
            }
            _ => return Err(format!("expected relative, absolute or centres=FILE, found {word}").into()),
        }
    }
    let text = read_text(file, options)?;
    let wrong = |error: mapwright::wrp::lists::ListError| EditProblem::of_list(file, error);
    let extension = Path::new(file).extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let (mut unknown, mut ambiguous) = (Vec::new(), Vec::new());
    let objects: Objects = match extension.as_deref() {
        Some("csv") => read_csv(&text).map_err(wrong)?,
        Some("lbt") => read_lbt(&text).map_err(wrong)?,
        Some("txt") => {
            let listed = read_terrain_builder(&text, elevation, &known, terrain).map_err(wrong)?;
            (unknown, ambiguous) = (listed.unknown, listed.ambiguous);
            listed.objects
        }
        Some("json" | "geojson") => read_objects_json(&text).map_err(|error| EditProblem::of_file(file, error))?,
        _ => {
            return Err("lists of objects are .csv, .json, .geojson, .lbt and .txt of Terrain Builder".into());
        }
    };
    if objects.is_empty() {
        let failure = Failure::other(file, "usage", Exit::Usage, "the file contains no objects".to_owned());
        return Err(EditProblem::File(failure.with_help("use the edit `delete *` to delete all objects")));
    }
    let (before, after) = (terrain.objects().len(), objects.len());
    terrain.replace_objects(objects).map_err(|error| error.to_string())?;
    let mut report = format!("{before} objects replaced by {after}");
    if let Some(first) = unknown.first() {
        report.push_str(&format!("; {} templates of unknown models, such as {first}", unknown.len()));
    }
    if let Some(first) = ambiguous.first() {
        report.push_str(&format!(
            "; {} templates of several models, such as {first}: the last one is taken",
            ambiguous.len()
        ));
    }
    Ok(report)
}

fn paste(terrain: &mut Document, file: &str, at: &str, options: &ReadOptions) -> Result<String, EditProblem> {
    let at = at.split_once(',').and_then(|(x, z)| Some([x.parse().ok()?, z.parse().ok()?]));
    let at = at.ok_or("invalid cell: expected columns and rows from the south-west, such as 64,-8")?;
    let other = read(file, None, options)?
        .into_wrp()
        .map_err(|other| EditProblem::of_format(file, "a terrain (wrp)", other.format()))?;
    Ok(terrain.paste(&other, at).map_err(|error| error.to_string())?.to_string())
}

/// Reads a list or a table, which may be UTF-16.
fn read_text(file: &str, options: &ReadOptions) -> Result<Vec<u8>, EditProblem> {
    let item = Item { path: file.into(), folder: None };
    item.text(options).map_err(|error| EditProblem::of_file(file, error))
}

/// Renames by the rows of a table of old and new names.
fn rename(
    file: &str,
    rename: impl FnOnce(&[(Glob, Vec<u8>)]) -> Result<Vec<usize>, EditError>,
    what: &str,
    (options, is_empty_allowed): (&ReadOptions, bool),
) -> Result<String, EditProblem> {
    let text = read_text(file, options)?;
    let pairs = read_pairs(&text).map_err(|error| EditProblem::of_list(file, error))?;
    let table: Vec<(Glob, Vec<u8>)> = pairs.into_iter().map(|[from, to]| (Glob::new(&from), to)).collect();
    let renamed = rename(&table).map_err(|error| error.to_string())?;
    let count = renamed.iter().sum::<usize>();
    if count == 0 && !is_empty_allowed {
        let first = table.first().map(|(from, _)| format!(", such as {from}")).unwrap_or_default();
        return Err(format!("no {what} have one of the old names of the table{first}").into());
    }
    let mut report = format!("names of {} changed", format_count(count, what.trim_end_matches('s')));
    if let Some(row) = renamed.iter().position(|count| *count == 0) {
        let rows = renamed.iter().filter(|count| **count == 0).count();
        report.push_str(&format!("; {} changed nothing, such as that of {}", format_count(rows, "row"), table[row].0));
    }
    Ok(report)
}
