//! Differences of two files.
//!
//! Layers and objects are matched by their ids, tilesets by file or name, tiles by their ids in the tileset. A map in XML can be compared
//! with one in JSON. Animations, collision shapes, Wang sets, fonts, sizes of images, members of classes, and everything that Tiled does not
//! know are compared only between files of the same language. Values that equal the defaults and encodings of cells are formatting.
//!
//! ```
//! use mapwright_tiled::query::{EditObjects, EditOptions};
//! use mapwright_tiled::{Document, diff::Diff};
//!
//! let old = Document::from_bytes(b"<map width='4'><objectgroup><object id='5' name='door' x='1'/></objectgroup></map>")?;
//! let mut new = old.clone();
//! new.apply(&"set #5: x=8, open=true".parse()?, &EditOptions::default().with_create_fields(true))?;
//! new.apply(&"set map: width=5".parse()?, &EditOptions::default())?;
//! let text = "width: 4 → 5\n~ rectangle #5 door: x: 1 → 8; open: none → true\n";
//! assert_eq!(Diff::between(&old, &new).to_string(), text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cells;
mod others;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use mapwright_io::diff::{Pairs, write_items, write_lines};
use mapwright_query::{Fields, Value};

pub use mapwright_io::diff::FieldChange;

use self::others::{other_parts, values};
use crate::codes::PropertyType;
use crate::document::Document;
use crate::edit::Record;
use crate::view::{Property, Shape};

/// Differences of two files. It is displayed as one line per difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Diff {
    /// Changed attributes and properties of the map, tileset or world itself.
    pub document: Vec<FieldChange>,
    /// Tilesets.
    pub tilesets: ItemsDiff,
    /// Tiles with data of their own.
    pub tiles: ItemsDiff,
    /// Layers.
    pub layers: ItemsDiff,
    /// Objects.
    pub objects: ItemsDiff,
    /// `true` if nothing else differs, but the texts do: by spaces, comments, the formatting of numbers, or the encoding of cells.
    pub formatting: bool,
}

/// The differences between items of one kind.
pub type ItemsDiff = mapwright_io::diff::ItemsDiff<ItemRef>;

/// An item that differs.
pub type ItemChange = mapwright_io::diff::ItemChange<ItemRef>;

/// A reference to an item of one of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ItemRef {
    /// The kind: `point`, `tilelayer`, `tileset` and so on.
    pub kind: String,
    /// The id. For tilesets, the index.
    pub number: i64,
    /// The name, or the file of a tileset. May be empty.
    pub name: String,
}

impl Diff {
    /// Compares two files.
    pub fn between(old: &Document, new: &Document) -> Self {
        let (old_records, new_records) = (old.records(), new.records());
        let around = [&old_records, &new_records].map(|records| layers_around(records));
        let files = Files { same_syntax: old.syntax() == new.syntax(), around };
        // The root of a file with a tileset is compared as the document.
        let items = |sort: Sort| {
            let of = |records: &[Record<'_>]| -> Vec<usize> {
                let is_root = |record: &Record<'_>| record.item().index() == 0;
                let found = (0..).zip(records).filter(|(_, record)| Sort::of(**record) == sort && !is_root(record));
                found.map(|(index, _)| index).collect()
            };
            compare(&pick(&old_records, &of(&old_records)), &pick(&new_records, &of(&new_records)), &files)
        };
        let mut diff = Self {
            document: compare_fields(old.record(), new.record(), &files),
            tilesets: items(Sort::Tileset),
            tiles: items(Sort::Tile),
            layers: items(Sort::Layer),
            objects: items(Sort::Object),
            formatting: false,
        };
        if old.kind() != new.kind() {
            diff.document.insert(0, FieldChange::new("kind", old.kind().name(), new.kind().name()));
        }
        diff.formatting = diff.is_empty() && old.as_str() != new.as_str();
        diff
    }

    /// Returns `true` if there is no difference.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Languages and layers of the old and new file, for the comparison of records.
struct Files {
    /// `true` if both have the same language, so that other parts can be compared.
    same_syntax: bool,
    /// The indices of all records, with the id of the layer around each.
    around: [HashMap<usize, i32>; 2],
}

/// Returns the indices of records, with the id of the layer around each, or 0.
fn layers_around(records: &[Record<'_>]) -> HashMap<usize, i32> {
    let mut around = HashMap::with_capacity(records.len());
    let mut open: Vec<(usize, i32)> = Vec::new();
    for record in records {
        let index = record.item().index();
        while open.pop_if(|(end, _)| *end <= index).is_some() {}
        around.insert(index, open.last().map_or(0, |(_, id)| *id));
        if let Record::Layer(layer) = record {
            open.push((record.item().node().next as usize, layer.id()));
        }
    }
    around
}

/// The sorts of items that are compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Tileset,
    Tile,
    Layer,
    Object,
    Document,
}

impl Sort {
    fn of(record: Record<'_>) -> Self {
        match record {
            Record::Tileset(..) => Self::Tileset,
            Record::Tile(..) => Self::Tile,
            Record::Layer(_) => Self::Layer,
            Record::Object(..) => Self::Object,
            Record::Map(_) | Record::World(_) | Record::Template(_) => Self::Document,
        }
    }
}

fn pick<'a>(records: &[Record<'a>], indices: &[usize]) -> Vec<Record<'a>> {
    indices.iter().filter_map(|index| records.get(*index).copied()).collect()
}

/// Compares the items of one sort.
fn compare(old: &[Record<'_>], new: &[Record<'_>], files: &Files) -> ItemsDiff {
    let mut pairs = Pairs::new(old.len(), new.len());
    let id = |records: &[Record<'_>], index: usize| records.get(index).and_then(|record| identity(*record));
    pairs.match_by_key(|index| id(old, index), |index| id(new, index));
    // Old files have no ids of layers.
    let name = |records: &[Record<'_>], index: usize| {
        let record = records.get(index)?;
        Some((Sort::of(*record) as u8, ItemRef::new(*record).name))
    };
    pairs.match_by_key(|index| name(old, index), |index| name(new, index));
    let label = |records: &[Record<'_>], index: usize| records.get(index).map(|record| ItemRef::new(*record));
    pairs.to_diff(
        |index| label(old, index),
        |index| label(new, index),
        |old_index, new_index| {
            let (old, new) = (*old.get(old_index)?, *new.get(new_index)?);
            let fields = compare_fields(old, new, files);
            (!fields.is_empty()).then(|| ItemChange { old: ItemRef::new(old), new: ItemRef::new(new), fields })
        },
    )
}

/// Returns what identifies an item among those of its sort.
fn identity(record: Record<'_>) -> Option<(String, i64)> {
    let number = record.number().unwrap_or(0);
    match record {
        Record::Tile(_, tileset) => Some((tileset.name().into_owned(), number)),
        Record::Tileset(..) => Some((ItemRef::new(record).name, 0)),
        _ => Some((String::new(), number)).filter(|_| number != 0),
    }
}

fn compare_fields(old: Record<'_>, new: Record<'_>, files: &Files) -> Vec<FieldChange> {
    const NONE: &str = "none";
    let mut changes = Vec::new();
    let mut compare = |name: &str, old: Option<String>, new: Option<String>| {
        if old != new {
            let text = |value: Option<String>| value.unwrap_or_else(|| NONE.to_owned());
            changes.push(FieldChange::new(name, text(old), text(new)));
        }
    };
    let text = |value: Option<Value<'_>>| value.map(|value| value.to_string());
    for (index, field) in old.schema().iter().enumerate() {
        // The index of a tileset may change, and the layer of an object is that of its name.
        if field.name != "number" || Sort::of(old) != Sort::Tileset {
            compare(field.name, text(old.value(index)), text(new.get_by_name(field.name)));
        }
    }
    // Layers are in groups without a field, and the names of layers may be equal.
    let [old_layer, new_layer] = [(old, &files.around[0]), (new, &files.around[1])]
        .map(|(record, around)| around.get(&record.item().index()).filter(|id| **id != 0).map(i32::to_string));
    if old.get_by_name("layer") == new.get_by_name("layer") {
        compare("layer id", old_layer, new_layer);
    }
    let points = |record: Record<'_>| match record {
        Record::Object(object, _) => match object.shape() {
            Shape::Polygon(points) | Shape::Polyline(points) => Some(format!("{points:?}")),
            _ => None,
        },
        _ => None,
    };
    compare("points", points(old), points(new));
    let (old_properties, new_properties) = (properties_of(old), properties_of(new));
    let names: BTreeSet<_> = old_properties.keys().chain(new_properties.keys()).collect();
    for name in names {
        let [old, new] = [&old_properties, &new_properties]
            .map(|properties| properties.get(name).map(|property| describe(*property, files.same_syntax)));
        // A property with another type may have the same text.
        if old != new {
            let text = |value: &Option<(String, String)>| value.as_ref().map(|(_, text)| text.clone());
            let kind = |value: &Option<(String, String)>| value.as_ref().map(|(kind, text)| format!("{text} ({kind})"));
            match text(&old) == text(&new) {
                true => compare(name, kind(&old), kind(&new)),
                false => compare(name, text(&old), text(&new)),
            }
        }
    }
    if let (Record::Layer(old), Record::Layer(new)) = (old, new) {
        changes.extend(cells::compare(old, new));
    }
    let [old_around, new_around] = &files.around;
    if files.same_syntax
        && other_parts(old, old_around, &old_properties) != other_parts(new, new_around, &new_properties)
    {
        changes.push(FieldChange::new("other parts", "unchanged", "changed"));
    }
    changes
}

/// Returns the properties by name. If several have one name, the last one counts.
fn properties_of(record: Record<'_>) -> BTreeMap<Cow<'_, str>, Property<'_>> {
    record.properties().iter().map(|property| (property.name(), property)).collect()
}

/// Returns the type of a property, and its value as text.
fn describe(property: Property<'_>, same_syntax: bool) -> (String, String) {
    let kind = property.kind().map_or("unknown", PropertyType::name);
    let name = property.property_type().unwrap_or_default();
    let text = match property.kind() {
        Some(PropertyType::Class | PropertyType::List) if same_syntax => values(property.item()).trim_end().to_owned(),
        Some(PropertyType::Class | PropertyType::List) => String::new(),
        _ => property.text().into_owned(),
    };
    (format!("{kind} {name}").trim_end().to_owned(), text)
}

impl ItemRef {
    fn new(record: Record<'_>) -> Self {
        let text = |name: &str| record.get_by_name(name).map(|value| value.to_string()).filter(|text| !text.is_empty());
        Self {
            kind: text("kind").unwrap_or_default(),
            number: record.number().unwrap_or(0),
            name: text("source").or_else(|| text("name")).unwrap_or_default(),
        }
    }
}

/// Prints kind, number and name.
impl fmt::Display for ItemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} #{}", self.kind, self.number)?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_lines(f, "changed fields", &self.document, |f, change| write!(f, "{change}"))?;
        for (what, items) in
            [("tilesets", &self.tilesets), ("tiles", &self.tiles), ("layers", &self.layers), ("objects", &self.objects)]
        {
            write_items(f, what, items)?;
        }
        if self.formatting { writeln!(f, "only spaces, comments or formatting differ") } else { Ok(()) }
    }
}
