//! The law of honest conversions: every difference between a scene and what arrives after a conversion is a reported loss.
//!
//! [`check`] converts a document, reads the result, and returns the [differences](Difference) that no loss covers. A loss covers a
//! difference if its path equals or is a prefix of a path of the difference: that of the field, of the item, of the node that shows it, or
//! of an ancestor of that node. A loss whose text names one field covers only that field. Entries of kind [`LossKind::Preserved`] are not
//! losses.
//!
//! Formats represent the same object differently, so items are matched by their content. Those left over are matched by fewer criteria:
//!
//! | item | matched by | compared |
//! |---|---|---|
//! | meshes and brushes | name and centre | fields; all faces as polygons in the scene, with material, UVs, colours and normals |
//! | lights, cameras, sounds, markers, entities, prefabs | name and position | fields |
//! | paths, terrains, tile layers, groups, materials, images, tile sets, selections | name, then order (images and groups: name) | fields |
//! | instances of models | model and position | rotation, scale, number |
//!
//! Numbers are compared at single precision, lengths at that of the largest coordinate. Added properties are not differences, nor are
//! added black lights, which light nothing. Extensions of image names are ignored, and images without a name have that of their file.

#![allow(clippy::indexing_slicing, reason = "indices are of lists that are built here")]

mod items;
mod surfaces;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use mapwright::io::math;
use mapwright::scene::NoFiles;
use mapwright::scene::{LossKind, Losses, Scene};

use items::{Datum, Item, Items, Kind};
use mapwright::{AnyDocument, ConvertOptions, Error, Format, ReadOptions, convert};
use surfaces::{NEIGHBOURS, near};

/// Differences that are not reported yet: the target, the kind of difference, and the reason.
pub const KNOWN: &[(Format, &str, &str)] = &[(
    Format::Xyz,
    "unreadable",
    "the file stores only points: if many are missing, the step of the grid cannot be found again",
)];

/// A difference between two scenes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The path in the first scene: `lights[2].range`. An item that only the second scene has gets the name of its list: `lights`.
    pub path: String,
    /// The paths of the item, of its node and of the node's ancestors.
    pub containers: Vec<String>,
    /// The path without indices, for groups of differences.
    pub kind: String,
    /// `true` if the path does not end in an index.
    pub has_field: bool,
    /// Only the second scene has the item, so it has no path in the first one. Any loss other than a dropped one covers it.
    pub is_added: bool,
    /// The change.
    pub text: String,
}

/// The result of [`check`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Honesty {
    /// All differences.
    pub differences: Vec<Difference>,
    /// The differences that no loss covers.
    pub unreported: Vec<Difference>,
    /// The losses of the conversion.
    pub losses: Losses,
    /// `false` if a scene is too large to compare all of it, or if the format of the target cannot be read.
    pub is_complete: bool,
}

/// Converts a document and reads the result. `folder` is an empty folder for the files.
///
/// # Errors
/// Errors of [`convert`] and of the folder. A file that cannot be read again is a difference, unless its format is never read.
pub fn check(document: &AnyDocument, to: Format, folder: &Path) -> Result<Honesty, Error> {
    let first = document.to_scene()?.scene;
    let options = ConvertOptions::default().with_allow_empty(true);
    let conversion = convert(document.clone(), to, &NoFiles, &options)?;
    let main = folder.join(format!("scene.{}", to.info().extensions.first().unwrap_or(&"bin")));
    for file in &conversion.files.side {
        fs::write(folder.join(&file.name), &file.data)?;
    }
    fs::write(&main, &conversion.files.main)?;
    let reading = ReadOptions::default().with_path(&main);
    let last = AnyDocument::from_vec_as(conversion.files.main, to, &reading).and_then(AnyDocument::into_scene);
    let (differences, is_complete) = match last {
        Ok(last) => differences(&first, &last.scene),
        // Targets that are never read, such as texture cells, cannot be compared.
        Err(Error::Unsupported { .. }) => (Vec::new(), false),
        Err(error) => (vec![Difference::new("unreadable".into(), Vec::new(), error.to_string())], true),
    };
    let coverage = Coverage::new(&conversion.losses);
    let unreported = differences.iter().filter(|difference| !coverage.covers(difference) && !difference.is_known(to));
    Ok(Honesty { unreported: unreported.cloned().collect(), differences, losses: conversion.losses, is_complete })
}

impl Difference {
    fn new(path: String, containers: Vec<String>, text: impl Into<String>) -> Self {
        let mut kind = without_indices(&path);
        // Names of properties come from the file.
        if let Some((before, _)) = kind.split_once("properties.") {
            kind = format!("{before}properties");
        }
        Self { has_field: !path.ends_with(']'), path, containers, kind, is_added: false, text: text.into() }
    }

    fn is_known(&self, to: Format) -> bool {
        KNOWN.iter().any(|(target, kind, _)| *target == to && *kind == self.kind)
    }

    fn added(list: &str, text: impl Into<String>) -> Self {
        Self { is_added: true, kind: format!("{list} (added)"), ..Self::new(list.to_owned(), Vec::new(), text) }
    }
}

/// Returns a path without `[7]`.
fn without_indices(path: &str) -> String {
    path.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest)).collect()
}

/// The losses of a conversion by their path.
struct Coverage(BTreeMap<String, Vec<Topics>>, bool);

/// The fields that the text of a loss is about. `None`: all, because the text names none.
type Topics = Option<Vec<&'static str>>;

impl Coverage {
    fn new(losses: &Losses) -> Self {
        let mut by_path = BTreeMap::<String, Vec<Topics>>::new();
        let mut covers_added = false;
        for loss in losses.iter().filter(|loss| loss.kind != LossKind::Preserved) {
            covers_added |= loss.kind != LossKind::Dropped;
            let path = loss.path.to_string();
            if !path.is_empty() {
                let topics = topics(&loss.text);
                // A loss that occurs several times has the path of the first occurrence.
                if loss.count > 1 {
                    by_path.entry(without_indices(&path)).or_default().push(topics.clone());
                }
                by_path.entry(path).or_default().push(topics);
            }
        }
        Self(by_path, covers_added)
    }

    /// Returns `true` if a loss covers the difference.
    fn covers(&self, difference: &Difference) -> bool {
        let Difference { path, containers, .. } = difference;
        let is_part = |part: &str, whole: &str| {
            part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        // A loss of a part of the field.
        let mut below = self.0.range::<String, _>(path.clone()..).map(|(loss, _)| loss);
        if difference.is_added && self.1 || difference.has_field && below.next().is_some_and(|loss| is_part(loss, path))
        {
            return true;
        }
        let is_about = |loss: &str| {
            self.0.get(loss).is_some_and(|texts| {
                let is_meant = |topics: &Topics| {
                    topics.as_ref().is_none_or(|topics| topics.iter().any(|topic| difference.kind.contains(topic)))
                };
                // Below the item, the path names the field.
                loss.contains('.') || texts.iter().any(is_meant)
            })
        };
        // `terrains.cells` is a loss of all terrains.
        let of_all = [path].into_iter().chain(containers).map(|path| without_indices(path)).collect::<Vec<_>>();
        [path].into_iter().chain(containers).chain(&of_all).any(|path| {
            let ends = path.char_indices().filter(|(_, letter)| matches!(letter, '.' | '[')).map(|(end, _)| end);
            ends.chain([path.len()]).any(|end| is_about(&path[..end]))
        })
    }
}

/// Returns the fields that a text is about.
///
/// Many losses have the path of a mesh. A loss of vertex colours must not cover lost texture coordinates.
fn topics(text: &str) -> Topics {
    const TOPICS: [(&[&str], &[&str]); 16] = [
        (&["attribute "], &["attributes"]),
        (
            &["as a mesh", "to a brush", "triang"],
            &["kind", "faces", "nodes", "normals", "terrains", "brushes", "transform"],
        ),
        (&["double-sided"], &["double_sided"]),
        (&["shininess"], &["classic"]),
        (&["metallic and roughness"], &["metallic", "roughness"]),
        (&["emissive"], &["emissive"]),
        (&["texture"], &["textures", "images", "uv_sets", "texture_size", "material", "attributes"]),
        (&["32-bit integer"], &["transform", "parallax", "z"]),
        (&["written as UTF-8"], &["name", "parent", "properties", "class", "model", "materials", "nodes", "entities"]),
        (&["rotation and scale of"], &["transform"]),
        (&["hidden face"], &["face_flags", "faces"]),
        (&["vertex colour"], &["color_sets", "vertex_colors"]),
        (&["a material for faces"], &["face_materials"]),
        (&["names of the sets of texture coordinates"], &["uv_sets.name", "color_sets.name"]),
        (&["UV set", "texture coordinates"], &["uv_sets"]),
        (&["hard edges", "soft edges", "normals"], &["normals"]),
    ];
    // Names of properties and names in quotes are not names of fields.
    if text.starts_with("properties ") || text.starts_with("property ") {
        return None;
    }
    let text: String = text.split('"').step_by(2).collect();
    let is_named = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let fields = TOPICS.iter().filter(|(words, _)| is_named(words)).flat_map(|(_, fields)| fields.iter().copied());
    Some(fields.collect()).filter(|fields: &Vec<&str>| !fields.is_empty())
}

/// Returns the differences between two scenes, and `false` if one is too large to compare all of it.
pub fn differences(first: &Scene, last: &Scene) -> (Vec<Difference>, bool) {
    let mut found = Vec::new();
    let after = Items::of_scene(last, 1.0);
    let size_after = size(&after);
    // A format may convert lengths to its unit, or keep the numbers of a game. Take the factor with which most items are in place.
    let [a, b] = [first, last].map(|scene| scene.metres_per_unit);
    let declared = a.unwrap_or(1.0) / b.unwrap_or(1.0);
    let mut before = Items::of_scene(first, 1.0);
    let size_before = size(&before);
    // Without an object in place, a scene or format without a unit keeps the numbers.
    let mut factor = if a.is_none() || b.is_none() { 1.0 } else { declared };
    // If factors place equally many items, the size decides: a single object at the origin is always in place.
    let fit = |factor: f64| {
        let is_size = (size_before * factor / size_after - 1.0).abs() < 1e-3;
        (before.count_in_place(&after, factor), is_size)
    };
    for other in [1.0, a.unwrap_or(1.0), 1.0 / b.unwrap_or(1.0)] {
        if fit(other) > fit(factor) {
            factor = other;
        }
    }
    if factor != 1.0 {
        before = Items::of_scene(first, factor);
    }
    // Formats without a unit may store metres.
    if math::ln(factor / declared).abs() > 1e-6 && !(b.is_none() && a == Some(factor)) && a.is_some() {
        let text = format!("{a:?} becomes {b:?}, and lengths are multiplied by {factor}");
        found.push(Difference::new("metres_per_unit".into(), Vec::new(), text));
    }
    let exact = (size_after.max(size_before * factor) * 4e-6).max(1e-9);
    let pairs = match_items(&before.items, &after.items, exact, &mut found);
    for (&item, &other) in &pairs {
        compare_fields(&before.items[item], &after.items[other], exact, &mut found);
    }
    // Each kind of difference once per item.
    let mut faces = BTreeMap::<(usize, &str, Option<usize>), (usize, String)>::new();
    for face in before.surfaces.compare(&after.surfaces, &pairs, exact) {
        faces.entry((face.owner, face.field, face.material)).or_insert((0, face.text)).0 += 1;
    }
    for ((owner, field, material), (count, text)) in faces {
        found.push(match before.items.get(owner) {
            Some(item) => {
                let mut difference = item.difference(field, false, format!("{count} faces: {text}"));
                difference.containers.extend(material.map(|index| format!("materials[{index}]")));
                difference
            }
            None => Difference::added(field, text),
        });
    }
    let is_complete = [&before, &after].iter().all(|items| items.is_complete && !items.surfaces.is_cut);
    (found, is_complete)
}

impl Items {
    /// Counts the items that have a position and are near an item of the same kind after their position is multiplied.
    fn count_in_place(&self, other: &Self, factor: f64) -> usize {
        let exact = 1e-5;
        #[allow(clippy::cast_possible_truncation)]
        let key = |item: &Item, at: [f64; 3]| {
            // Rounding changes small coordinates beside large ones.
            let least = at.iter().fold(1e-1, |most: f64, c| most.max(c.abs())) * 1e-3;
            (item.kind, at.map(|c| if c.abs() < least { 0 } else { (math::ln(c.abs()) / exact).round() as i64 / 8 }))
        };
        let places: std::collections::HashSet<_> =
            other.items.iter().filter_map(|item| item.at.map(|at| key(item, at))).collect();
        let scaled = |item: &&Item| {
            item.at.is_some_and(|at| at != [0.0; 3] && places.contains(&key(item, at.map(|c| c * factor))))
        };
        self.items.iter().filter(scaled).count()
    }
}

/// The largest coordinate.
fn size(items: &Items) -> f64 {
    let numbers = items.items.iter().flat_map(|item| {
        let lengths = item.fields.iter().filter(|field| field.name == "points" || field.name == "spacing");
        let lengths = lengths.filter_map(|field| match &field.value {
            Datum::Lengths(lengths) => Some(lengths.as_slice()),
            _ => None,
        });
        item.at.iter().flatten().chain(lengths.flatten()).copied()
    });
    let points = items.surfaces.points();
    numbers.chain(points).map(f64::abs).filter(|c| c.is_finite()).fold(0.0, f64::max)
}

impl Item {
    fn difference(&self, field: &str, of_node: bool, text: impl Into<String>) -> Difference {
        let mut containers: Vec<String> = self.paths.nodes().collect();
        let node = containers.first().cloned();
        let base = node.clone().filter(|_| of_node).unwrap_or_else(|| self.paths.content.to_string());
        containers.push(self.paths.content.to_string());
        containers.extend(self.paths.users.iter().cloned());
        if let Some(node) = node.as_ref().filter(|_| !field.is_empty()) {
            containers.push(format!("{node}.{field}"));
        }
        containers.retain(|path| !path.is_empty());
        let path = match (base.is_empty(), field.is_empty()) {
            (_, true) => base,
            (true, false) => field.to_owned(),
            (false, false) => format!("{base}.{field}"),
        };
        Difference::new(path, containers, text)
    }

    /// Returns `true` for a light without colour.
    fn is_black_light(&self) -> bool {
        let is_black = |field: &items::Field| field.name == "color" && field.value == Datum::Numbers(vec![0.0; 3]);
        self.kind == Kind::Object && self.fields.iter().any(is_black)
    }

    fn kind_text(&self) -> &str {
        match self.fields.iter().find(|field| matches!(&*field.name, "kind" | "source")).map(|field| &field.value) {
            Some(Datum::Text(kind)) => kind,
            _ => "",
        }
    }
}

/// Indices of candidates. Used ones at the start are skipped, so that thousands of equal items take linear time.
#[derive(Default)]
struct Bucket {
    indices: Vec<usize>,
    start: usize,
}

impl Bucket {
    /// Returns the first unused candidate that fits.
    fn find(&mut self, is_used: &[bool], fits: impl Fn(&usize) -> bool) -> Option<usize> {
        while self.indices.get(self.start).is_some_and(|index| is_used[*index]) {
            self.start += 1;
        }
        self.indices.iter().skip(self.start).copied().find(|index| !is_used[*index] && fits(index))
    }
}

/// Matches the items of two scenes: returns the second index for each first one. Reports items without a counterpart.
fn match_items(before: &[Item], after: &[Item], exact: f64, found: &mut Vec<Difference>) -> BTreeMap<usize, usize> {
    let mut pairs = BTreeMap::new();
    let mut is_used = vec![false; after.len()];
    let mut by_name = HashMap::<(Kind, &str), Bucket>::new();
    let mut by_kind = HashMap::<(Kind, &str), std::vec::IntoIter<usize>>::new();
    let mut by_cell = HashMap::<(Kind, [i64; 3]), Bucket>::new();
    let mut by_name_and_cell = HashMap::<(Kind, &str, [i64; 3]), Bucket>::new();
    let cell = |at: [f64; 3], by: [i64; 3]| {
        #[allow(clippy::cast_possible_truncation)]
        let index = |axis: usize| (at[axis] / (exact * 8.0)).floor() as i64 + by[axis];
        [index(0), index(1), index(2)]
    };
    for (index, item) in after.iter().enumerate() {
        by_name.entry((item.kind, &item.name)).or_default().indices.push(index);
        if let Some(at) = item.at {
            let at = cell(at, [0; 3]);
            by_cell.entry((item.kind, at)).or_default().indices.push(index);
            by_name_and_cell.entry((item.kind, &item.name, at)).or_default().indices.push(index);
        }
    }
    let mut left: Vec<usize> = (0..before.len()).collect();
    for round in 0..4 {
        if round == 3 {
            for item in before {
                let is_left = |index: &usize| {
                    after[*index].kind == item.kind
                        && after[*index].kind_text() == item.kind_text()
                        && after[*index].at.is_none()
                        && !is_used[*index]
                };
                by_kind
                    .entry((item.kind, item.kind_text()))
                    .or_insert_with(|| (0..after.len()).filter(is_left).collect::<Vec<_>>().into_iter());
            }
        }
        let mut next = Vec::new();
        for place in left {
            let item = &before[place];
            let fits = |index: &usize| {
                let other = &after[*index];
                let is_named = item.name == other.name;
                let is_kind = item.kind_text() == other.kind_text();
                let is_placed = match (item.at, other.at) {
                    (Some(a), Some(b)) => near(a, b, exact),
                    (a, b) => a.is_none() && b.is_none(),
                };
                match round {
                    0 => is_named && is_kind && is_placed,
                    1 => is_named && is_placed || is_kind && is_placed && item.at.is_some(),
                    2 => is_named && (!item.name.is_empty() || item.kind == Kind::Terrain),
                    _ => is_placed,
                }
            };
            let mut hit = None;
            if let Some(at) = item.at.filter(|_| round < 2 || round == 3) {
                for at in NEIGHBOURS.map(|by| cell(at, by)) {
                    let bucket = match round {
                        0 => by_name_and_cell.get_mut(&(item.kind, &item.name, at)),
                        _ => by_cell.get_mut(&(item.kind, at)),
                    };
                    hit = hit.or_else(|| bucket?.find(&is_used, fits));
                }
            } else if round < 3 {
                let bucket = by_name.get_mut(&(item.kind, &item.name));
                hit = bucket.and_then(|bucket| bucket.find(&is_used, fits));
            } else if !matches!(item.kind, Kind::Image | Kind::Group) {
                // The order is all that is left.
                hit = by_kind.get_mut(&(item.kind, item.kind_text())).and_then(Iterator::next);
            }
            if hit.is_none() && round == 3 && item.kind == Kind::Terrain {
                // Formats with a single terrain store neither its name nor its position.
                hit = after.iter().zip(&is_used).position(|(other, used)| !used && other.kind == Kind::Terrain);
            }
            match hit {
                Some(index) => {
                    is_used[index] = true;
                    pairs.insert(place, index);
                }
                None => next.push(place),
            }
        }
        left = next;
    }
    for item in left.into_iter().map(|index| &before[index]).filter(|item| !item.is_world) {
        let kind = match item.kind_text() {
            "" => format!("{:?}", item.kind).to_lowercase(),
            kind => kind.to_owned(),
        };
        found.push(item.difference("", false, format!("{kind} {:?} is missing", item.name)));
    }
    // Tree structure, materials and images may be added; objects may not.
    for (item, _) in after.iter().zip(is_used).filter(|(_, used)| !used) {
        if matches!(item.kind, Kind::Object | Kind::Model | Kind::Terrain | Kind::TileLayer)
            && !item.is_world
            && !item.is_black_light()
        {
            let list = item.paths.content.split('[').next().unwrap_or_default();
            let text = format!("{} {:?} is added", item.kind_text(), item.name);
            found.push(Difference::added(list, text));
        }
    }
    pairs
}

/// Compares the fields of two items.
fn compare_fields(item: &Item, other: &Item, exact: f64, found: &mut Vec<Difference>) {
    // A format may give a name to an unnamed item.
    let is_world = |item: &Item| item.kind_text() == "entity" && item.name == "worldspawn";
    if item.name != other.name && !item.name.is_empty() && !is_world(item) {
        found.push(item.difference("name", true, format!("{:?} becomes {:?}", item.name, other.name)));
    }
    if let (Some(a), Some(b)) = (item.at, other.at)
        && !near(a, b, exact)
    {
        found.push(item.difference("transform", true, format!("{:?}: {a:?} becomes {b:?}", item.name)));
    }
    if let Some(parent) = item.ancestors.first().filter(|parent| !other.ancestors.contains(parent)) {
        let text = format!("{:?}: parent {parent:?} becomes {:?}", item.name, other.ancestors.first());
        found.push(item.difference("parent", true, text));
    }
    let values: HashMap<&str, &Datum> = other.fields.iter().map(|field| (&*field.name, &field.value)).collect();
    for field in &item.fields {
        let after = values.get(&*field.name).copied().unwrap_or(&Datum::Missing);
        if !field.value.is_near(after, exact) {
            let text = format!("{:?}: {} becomes {}", item.name, field.value.text(), after.text());
            let mut difference = item.difference(&field.name, field.of_node, text);
            difference.containers.extend(field.refers_to.clone());
            found.push(difference);
        }
    }
}

impl Datum {
    fn is_near(&self, other: &Self, exact: f64) -> bool {
        let all_near = |a: &[f64], b: &[f64], least: f64| {
            // The small numbers of a rotation are as exact as its large ones.
            let most = a.iter().chain(b).filter(|c| c.is_finite()).fold(0.0_f64, |most, c| most.max(c.abs()));
            let near =
                |(a, b): (&f64, &f64)| a == b || (a - b).abs() <= (most * 4e-6).max(least) || a.is_nan() && b.is_nan();
            a.len() == b.len() && a.iter().zip(b).all(near)
        };
        let are_words_near = |a: &str, b: &str| {
            let is_near = |(a, b): (&str, &str)| match (a.parse::<f64>(), b.parse::<f64>()) {
                (Ok(a), Ok(b)) => all_near(&[a], &[b], 1e-6),
                _ => a == b,
            };
            let words = || a.split(' ').zip(b.split(' '));
            a.split(' ').count() == b.split(' ').count() && words().all(is_near)
        };
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => true,
            (Self::Numbers(a), Self::Numbers(b)) => all_near(a, b, 2e-6),
            (Self::Lengths(a), Self::Lengths(b)) => all_near(a, b, exact),
            (Self::Text(a), Self::Text(b)) => are_words_near(a, b),
            _ => self == other,
        }
    }

    fn text(&self) -> String {
        let mut text = match self {
            Self::Missing | Self::Unknown => return "nothing".into(),
            Self::Text(text) => format!("{text:?}"),
            Self::Numbers(numbers) | Self::Lengths(numbers) => format!("{:?}", &numbers[..numbers.len().min(12)]),
        };
        if let Some((end, _)) = text.char_indices().nth(120) {
            text.truncate(end);
            text.push('…');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_cover_what_they_are_about() {
        let mut losses = Losses::new();
        losses.dropped("meshes[1]", "vertex colours of \"UV set\"");
        losses.dropped("nodes[4]", "hidden node");
        losses.dropped("terrains.cells", "texture cells");
        losses.preserved("lights[0]", "range");
        losses.approximated("entities[2].properties.angles", "rounded");
        let coverage = Coverage::new(&losses);
        let covers = |path: &str, containers: &[&str]| {
            coverage.covers(&Difference::new(path.into(), containers.iter().map(|path| (*path).into()).collect(), ""))
        };
        assert!(covers("meshes[1].color_sets", &["meshes[1]"]));
        assert!(!covers("meshes[1].uv_sets", &["meshes[1]"]), "another field");
        assert!(!covers("meshes[10].color_sets", &["meshes[10]"]), "another mesh");
        assert!(covers("meshes[10]", &["nodes[7]", "nodes[4]", "meshes[10]"]), "below a hidden node");
        assert!(covers("terrains[3].cells", &["terrains[3]"]), "a loss of all terrains");
        assert!(!covers("lights[0].range", &["lights[0]"]), "nothing is lost");
        assert!(covers("entities[2].properties", &["entities[2]"]) && !covers("entities[2]", &["entities[2]"]));
    }
}
