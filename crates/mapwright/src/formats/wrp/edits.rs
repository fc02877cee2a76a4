//! Edits of terrains that read other files, and edits of heightmaps.

use std::path::Path;

use mapwright_heightmap::{interpolate_missing, is_missing};
use mapwright_io::format_count;
use mapwright_query::{EditOptions, Edited, Glob, QueryError, Text};
use mapwright_scene::{Content, Losses, Terrain};
use mapwright_wrp::edit::EditError;
use mapwright_wrp::lists::{
    Centres, Elevation, ListError, TERRAIN_BUILDER_ORIGIN, read_csv_with, read_lbt, read_pairs, read_terrain_builder,
};
use mapwright_wrp::{Document, Objects, scene};

use super::{read_model_centres, read_objects_json};
use crate::edit::EditFiles;
use crate::{AnyDocument, Error, Format};

/// The edits, as error messages list them.
pub(crate) const EDITS: &[&str] = &[
    "heights import FILE",
    "heights fill METRES",
    "heights fill interpolate",
    "cells import FILE",
    "objects import FILE [relative] [centres=FILE] [origin=EAST,NORTH]",
    "paste FILE X,Z",
    "models rename-table FILE",
    "textures rename-table FILE",
];

/// Applies an edit. Returns `None` for other edits.
pub(crate) fn apply(
    terrain: &mut Document,
    words: &[Text],
    options: &EditOptions,
    files: &mut dyn EditFiles,
) -> Option<Result<Edited, Error>> {
    let words: Vec<_> = words.iter().map(Text::to_string_lossy).collect();
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let is_empty_allowed = options.allow_no_match;
    Some(match words[..] {
        ["heights", "import", file] => import_heights(terrain, file, files),
        ["heights", "fill", height] => fill_heights(terrain, height),
        ["cells", "import", file] => import_cells(terrain, file, files),
        ["objects", "import", file, ref how @ ..] => import_objects(terrain, file, how, files),
        ["paste", file, at] => paste(terrain, file, at, is_empty_allowed, files),
        ["models", "rename-table", file] => {
            rename(file, |table| terrain.rename_models_by(table), "object", is_empty_allowed, files)
        }
        ["textures", "rename-table", file] => {
            rename(file, |table| terrain.rename_textures_by(table), "texture", is_empty_allowed, files)
        }
        _ => return None,
    })
}

/// Returns the error of an edit that the terrain cannot have.
fn refused(reason: impl std::fmt::Display) -> Error {
    QueryError::refused(reason).into()
}

/// Returns the error of a list or table in another file.
fn list_error(file: &str) -> impl Fn(ListError) -> Error {
    move |error| Error::List(error.to_string()).in_edit_file(file)
}

fn import_heights(terrain: &mut Document, file: &str, files: &mut dyn EditFiles) -> Result<Edited, Error> {
    let import = read(files, file, None)?.into_scene().map_err(|error| error.in_edit_file(file))?;
    let before = terrain.clone();
    // The file may have more than heights, but the edit takes only these.
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
    let losses = scene::merge_scene(terrain, &heights, &Default::default()).map_err(refused)?;
    let (old, new) = (before.ground(), terrain.ground());
    let changed = old.heights.iter().zip(new.heights.iter()).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    let report = format!("{} changed{}", format_count(changed, "height"), format_losses(&losses, "heights"));
    Ok(Edited::new(changed, report))
}

/// Replaces heights that are missing.
fn fill_heights(terrain: &mut Document, height: &str) -> Result<Edited, Error> {
    let is_interpolated = height.eq_ignore_ascii_case("interpolate");
    let metres = height.parse().ok().filter(|height: &f32| height.is_finite());
    if !is_interpolated && metres.is_none() {
        return Err(refused(format_args!("expected metres or interpolate, found {height:?}")));
    }
    let Document::Wvr8(terrain) = terrain else {
        return Err(refused(format_args!("{} has no missing heights", terrain.variant())));
    };
    let missing = terrain.heights.iter().filter(|height| is_missing(**height)).count();
    if let Some(metres) = metres {
        terrain.heights.iter_mut().filter(|height| is_missing(**height)).for_each(|height| *height = metres);
    } else {
        // The method is defined for rows from the north.
        let [columns, _] = terrain.terrain;
        let mut rows: Vec<f32> = terrain.heights.rchunks(columns.max(1) as usize).flatten().copied().collect();
        if missing > 0 && !interpolate_missing(&mut rows, columns) {
            return Err(refused("no height exists: expected at least one to interpolate from"));
        }
        terrain.heights = rows.rchunks(columns.max(1) as usize).flatten().copied().collect();
    }
    Ok(Edited::new(missing, format!("{} filled", format_count(missing, "height"))))
}

/// Returns the losses of a part, for the end of a report.
fn format_losses(losses: &Losses, part: &str) -> String {
    let of_part = losses.iter().filter(|loss| loss.path.to_string().contains(part));
    of_part.map(|loss| format!("; {}: {}", loss.kind.name(), loss.text)).collect()
}

fn import_cells(terrain: &mut Document, file: &str, files: &mut dyn EditFiles) -> Result<Edited, Error> {
    let image = read(files, file, Some(Format::CellPng))?.into_scene().map_err(|error| error.in_edit_file(file))?.scene;
    let mut scene = scene::to_scene(terrain, &Default::default()).map_err(refused)?.scene;
    let Some(Terrain { cell_size, cells, materials, .. }) = image.terrains.items().first() else {
        return Err(refused("the file contains no cells"));
    };
    // An image without a legend stores only numbers.
    let with_legend = !materials.is_empty();
    let materials = materials.iter().map(|id| id.and_then(|id| image.materials.get(id)).cloned());
    let materials = materials.map(|material| material.map(|material| scene.materials.push(material))).collect();
    let Some((_, own)) = scene.terrains.iter_mut().next() else { return Err(refused("the terrain has no cells")) };
    if own.cell_size != *cell_size {
        let ([columns, rows], [width, height]) = (own.cell_size, *cell_size);
        return Err(refused(format_args!("{width} by {height} pixels for {columns} by {rows} cells")));
    }
    let changed = own.cells.iter().zip(cells).filter(|(old, new)| old != new).count();
    own.cells.clone_from(cells);
    if with_legend {
        own.materials = materials;
    }
    let losses = scene::merge_scene(terrain, &scene, &Default::default()).map_err(refused)?;
    let report = format!("{} changed{}", format_count(changed, "cell"), format_losses(&losses, "cells"));
    Ok(Edited::new(changed, report))
}

fn import_objects(
    terrain: &mut Document,
    file: &str,
    how: &[&str],
    files: &mut dyn EditFiles,
) -> Result<Edited, Error> {
    let mut elevation = Elevation::Absolute;
    let (mut known, mut origin) = (Centres::default(), None);
    for word in how {
        match word.split_once('=') {
            None if *word == "relative" => elevation = Elevation::Relative,
            None if *word == "absolute" => elevation = Elevation::Absolute,
            Some(("centres", table)) => {
                let text = files.text(table).map_err(|error| error.in_edit_file(table))?;
                known = read_model_centres(table, &text).map_err(|error| error.in_edit_file(table))?;
            }
            Some(("origin", place)) => {
                let numbers = place.split_once(',').and_then(|(east, north)| {
                    Some([east.parse::<f64>().ok()?, north.parse::<f64>().ok()?]).filter(|[x, z]| (x + z).is_finite())
                });
                let expected = || refused(format_args!("expected origin=EAST,NORTH in metres, found {word:?}"));
                origin = Some(numbers.ok_or_else(expected)?);
            }
            _ => {
                let expected = "expected relative, absolute, centres=FILE or origin=EAST,NORTH";
                return Err(refused(format_args!("{expected}, found {word}")));
            }
        }
    }
    let map = origin.unwrap_or_default();
    let text = files.text(file).map_err(|error| error.in_edit_file(file))?;
    let wrong = list_error(file);
    let extension = Path::new(file).extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let (mut unknown, mut ambiguous) = (Vec::new(), Vec::new());
    let objects: Objects = match extension.as_deref() {
        Some("csv") => read_csv_with(&text, map).map_err(&wrong)?,
        Some("lbt") => read_lbt(&text).map_err(&wrong)?,
        Some("txt") => {
            let options = (elevation, &known, origin.unwrap_or(TERRAIN_BUILDER_ORIGIN));
            let listed = read_terrain_builder(&text, options, terrain).map_err(&wrong)?;
            (unknown, ambiguous) = (listed.unknown, listed.ambiguous);
            listed.objects
        }
        Some("json" | "geojson") => read_objects_json(&text, map).map_err(|error| error.in_edit_file(file))?,
        _ => {
            return Err(refused("lists of objects are .csv, .json, .geojson, .lbt and .txt of Terrain Builder"));
        }
    };
    if objects.is_empty() {
        return Err(Error::NoObjects.in_edit_file(file));
    }
    let (before, after) = (terrain.objects().len(), objects.len());
    terrain.replace_objects(objects).map_err(refused)?;
    let mut report = format!("{} replaced by {after}", format_count(before, "object"));
    if let Some(first) = unknown.first() {
        report.push_str(&format!("; {} of unknown models, such as {first}", format_count(unknown.len(), "template")));
    }
    if let Some(first) = ambiguous.first() {
        let count = format_count(ambiguous.len(), "template");
        report.push_str(&format!("; {count} of several models, such as {first}: the last one is taken"));
    }
    Ok(Edited::new(after, report))
}

fn paste(
    terrain: &mut Document,
    file: &str,
    at: &str,
    is_empty_allowed: bool,
    files: &mut dyn EditFiles,
) -> Result<Edited, Error> {
    let at = at.split_once(',').and_then(|(x, z)| Some([x.parse().ok()?, z.parse().ok()?]));
    let at = at.ok_or_else(|| refused("invalid cell: expected columns and rows from the south-west, such as 64,-8"))?;
    let other = read(files, file, None)?.into_wrp().map_err(|other| {
        Error::UnexpectedFormat { expected: "a terrain (wrp)", found: other.format() }.in_edit_file(file)
    })?;
    let pasted = terrain.paste(&other, at).map_err(refused)?;
    let count = pasted.heights.saturating_add(pasted.cells).saturating_add(pasted.objects);
    if !is_empty_allowed && count == 0 {
        return Err(refused(format_args!("nothing to paste: {pasted}")));
    }
    Ok(Edited::new(count, pasted.to_string()))
}

/// Reads a document that an edit names.
fn read(files: &mut dyn EditFiles, file: &str, format: Option<Format>) -> Result<AnyDocument, Error> {
    files.document(file, format).map_err(|error| error.in_edit_file(file))
}

/// Renames by the rows of a table of old and new names.
fn rename(
    file: &str,
    rename: impl FnOnce(&[(Glob, Vec<u8>)]) -> Result<Vec<usize>, EditError>,
    what: &str,
    is_empty_allowed: bool,
    files: &mut dyn EditFiles,
) -> Result<Edited, Error> {
    let text = files.text(file).map_err(|error| error.in_edit_file(file))?;
    let pairs = read_pairs(&text).map_err(list_error(file))?;
    let table: Vec<(Glob, Vec<u8>)> = pairs.into_iter().map(|[from, to]| (Glob::new(&from), to)).collect();
    let renamed = rename(&table).map_err(refused)?;
    let count = renamed.iter().sum::<usize>();
    if count == 0 && !is_empty_allowed {
        let first = table.first().map(|(from, _)| format!(", such as {from}")).unwrap_or_default();
        return Err(refused(format_args!("no {what} has one of the old names of the table{first}")));
    }
    let mut report = format!("{} renamed", format_count(count, what));
    let unused = || renamed.iter().zip(&table).filter(|(count, _)| **count == 0);
    if let Some((_, (from, _))) = unused().next() {
        let rows = format_count(unused().count(), "row");
        report.push_str(&format!("; {rows} changed nothing, such as that of {from}"));
    }
    Ok(Edited::new(count, report))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use mapwright_wrp::lists::Angles;
    use mapwright_wrp::{Builder, Name, Wvr};

    use super::*;
    use crate::ReadOptions;

    const UPRIGHT: Angles = Angles { yaw: 0.0, pitch: 0.0, roll: 0.0, scale: 1.0 };

    /// A terrain of 4 by 4 heights with an object.
    fn terrain(model: &str) -> AnyDocument {
        let mut builder = Builder::default();
        let model = builder.add_model(&Name::new(model.as_bytes()));
        builder.push(model, UPRIGHT.to_matrix([10.0, 0.0, 20.0]), Some(1));
        Document::Wvr(Wvr { objects: builder.finish(), ..Wvr::new([4, 4]) }).into()
    }

    /// Files in memory.
    struct Files(HashMap<&'static str, Vec<u8>>);

    impl EditFiles for Files {
        fn document(&mut self, file: &str, format: Option<Format>) -> Result<AnyDocument, Error> {
            let bytes = self.text(file)?;
            let format = format.or_else(|| crate::detect(&bytes, Some(Path::new(file))).format);
            AnyDocument::from_bytes_as(&bytes, format.ok_or(Error::UnknownFormat)?, &ReadOptions::default())
        }

        fn text(&mut self, file: &str) -> Result<Vec<u8>, Error> {
            self.0.get(file).cloned().ok_or_else(|| std::io::Error::from(std::io::ErrorKind::NotFound).into())
        }
    }

    fn files() -> Files {
        let heights = b"ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 50\n1 1 1 1\n1 1 1 1\n1 1 1 1\n1 1 1 9\n";
        Files(HashMap::from([
            ("heights.asc", heights.to_vec()),
            ("names.csv", b"tree*,house.p3d\nrock,stone\n".to_vec()),
            ("objects.csv", b"model,x,y,z\nrock.p3d,1,2,3\nrock.p3d,4,5,6\n".to_vec()),
            ("empty.csv", b"model,x,y,z\n".to_vec()),
            ("damaged.csv", b"model,x,y,z\nrock.p3d,1,2,north\n".to_vec()),
            ("other.wrp", terrain("bush.p3d").to_bytes().unwrap()),
            ("term.etf", vec![131, 106]),
        ]))
    }

    fn edit(document: &mut AnyDocument, text: &str) -> Result<Edited, Error> {
        document.edit_with(&text.parse()?, &EditOptions::default(), &mut files())
    }

    fn models(document: &AnyDocument) -> Vec<String> {
        document.as_wrp().unwrap().rows().map(|row| row.model).collect()
    }

    #[test]
    fn heights_come_from_heightmaps() {
        let mut document = terrain("tree.p3d");
        let edited = edit(&mut document, "heights import heights.asc").unwrap();
        assert_eq!(edited.changed, 16, "{edited}");
        // The rows of the heightmap begin in the north.
        assert_eq!(document.as_wrp().unwrap().ground().heights.iter().nth(3), Some(9.0));
        assert_eq!(models(&document), ["tree.p3d"]);
    }

    #[test]
    fn tables_rename_models_and_lists_replace_objects() {
        let mut document = terrain("tree.p3d");
        let edited = edit(&mut document, "models rename-table names.csv").unwrap();
        assert_eq!(edited.text, "1 object renamed; 1 row changed nothing, such as that of rock");
        assert_eq!(models(&document), ["house.p3d"]);
        let edited = edit(&mut document, "objects import objects.csv").unwrap();
        assert_eq!((edited.changed, &*edited.text), (2, "1 object replaced by 2"));
        assert_eq!(models(&document), ["rock.p3d"; 2]);
        assert!(edit(&mut document, "paste other.wrp 0,0").unwrap().changed > 0);
        assert!(models(&document).contains(&"bush.p3d".to_owned()));
    }

    #[test]
    fn errors_name_the_other_file_and_change_nothing() {
        let mut document = terrain("tree.p3d");
        for (text, expected) in [
            ("objects import empty.csv", "empty.csv: the file contains no objects"),
            ("objects import damaged.csv", "damaged.csv: line 2"),
            ("objects import missing.csv", "missing.csv: "),
            ("objects import objects.csv centres=names.csv", "names.csv: line 1: missing column"),
            ("paste term.etf 0,0", "term.etf: expected a terrain (wrp), found etf"),
        ] {
            let error = edit(&mut document, text).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{text}: {error}");
            assert_eq!(error.side_file(), expected.split(':').next(), "{text}");
        }
        for (text, expected) in [
            ("heights fill high", "expected metres or interpolate, found \"high\""),
            ("paste other.wrp here", "invalid cell"),
            ("models rename-list names.csv", "models rename-table FILE"),
            ("plant trees", "heights import FILE"),
        ] {
            let error = edit(&mut document, text).unwrap_err();
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
        assert_eq!(document, terrain("tree.p3d"));
    }
}
