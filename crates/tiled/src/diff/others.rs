//! Parts of records that no field compares: animations, collision shapes, Wang sets, fonts, and everything that Tiled does not know.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use mapwright_query::Fields as _;

use crate::codes::{LayerKind, PropertyType};
use crate::document::{Item, ItemKind};
use crate::edit::Record;
use crate::validate::is_valid;
use crate::view::{AttributeValue as _, Layer, Object, Property, Shape, points};

/// The extent in which fields compare an item.
#[derive(Clone, Copy)]
enum Cover {
    /// The item and everything in it.
    All,
    /// Only the item, without its attributes and the items in it.
    Own,
    /// The item and the cells directly in it.
    Cells,
}

type Covers = HashMap<usize, Cover>;

/// Returns names and values of the parts of a record that no field compares. Other records in it are left out.
pub(super) fn other_parts(
    record: Record<'_>,
    records: &HashMap<usize, i32>,
    properties: &BTreeMap<Cow<'_, str>, Property<'_>>,
) -> String {
    let mut covers = Covers::new();
    cover_fields(record, &mut covers);
    cover_lists(record, &mut covers);
    cover_properties(record.item(), properties, &mut covers);
    match record {
        Record::Object(object, _) => cover_shape(object, &mut covers),
        Record::Layer(layer) if layer.kind() == LayerKind::Tiles => cover_cells(layer, &mut covers),
        _ => {}
    }
    covers.insert(record.item().index(), Cover::Own);
    let is_other = |item: Item<'_>| item != record.item() && records.contains_key(&item.index());
    collect(record.item(), &|item| if is_other(item) { Some(Cover::All) } else { covers.get(&item.index()).copied() })
}

/// Returns names and values of an item and the items in it.
pub(super) fn values(item: Item<'_>) -> String {
    collect(item, &|_| None)
}

fn insert(covers: &mut Covers, item: Option<Item<'_>>, cover: Cover) {
    covers.extend(item.map(|item| (item.index(), cover)));
}

/// Inserts a value, which is no object or array.
fn insert_value(covers: &mut Covers, item: Option<Item<'_>>) {
    let is_container = |item: &Item<'_>| matches!(item.kind(), ItemKind::Object | ItemKind::Array);
    // The value of an element is its text.
    let cover = if item.is_some_and(|item| item.kind() == ItemKind::Element) { Cover::Own } else { Cover::All };
    insert(covers, item.filter(|item| !is_container(item)), cover);
}

/// Covers attributes. Those with invalid values are not compared by fields, because they have the default value there.
fn cover_fields(record: Record<'_>, covers: &mut Covers) {
    let (item, schema) = (record.item(), record.schema());
    for field in schema.base.unwrap_or(schema).fields {
        insert_value(covers, item.get(field.name).filter(|value| is_valid(*value, field)));
    }
    insert_value(covers, record.image_item());
    insert(covers, item.elements().find(|child| child.is("image")), Cover::Own);
    match record {
        Record::Object(object, _) => insert_value(covers, object.class_item()),
        Record::Tile(tile, _) => {
            insert_value(covers, tile.class_item());
            insert_value(covers, item.get("id"));
        }
        // The kind of the layer.
        Record::Layer(_) if item.kind() == ItemKind::Object => insert_value(covers, item.get("type")),
        _ => {}
    }
}

/// Covers the lists of JSON whose items are records.
fn cover_lists(record: Record<'_>, covers: &mut Covers) {
    let names: &[&str] = match record {
        Record::Map(_) => &["tilesets", "layers"],
        Record::Tileset(..) => &["tiles"],
        Record::Layer(layer) if layer.kind() == LayerKind::Group => &["layers"],
        Record::Layer(layer) if layer.kind() == LayerKind::Objects => &["objects"],
        _ => &[],
    };
    for name in names.iter().filter(|_| record.item().kind() == ItemKind::Object) {
        let list = record.item().get(name);
        insert(covers, list.filter(|list| matches!(list.kind(), ItemKind::Array | ItemKind::Object)), Cover::Own);
    }
}

/// Covers the properties that count, each of which is the last one with its name.
fn cover_properties(item: Item<'_>, properties: &BTreeMap<Cow<'_, str>, Property<'_>>, covers: &mut Covers) {
    if properties.is_empty() {
        return;
    }
    item.items().filter(|child| child.is("properties")).for_each(|list| insert(covers, Some(list), Cover::Own));
    insert(covers, item.get("propertytypes"), Cover::All);
    for property in properties.values() {
        let is_tree = matches!(property.kind(), Some(PropertyType::Class | PropertyType::List));
        if is_tree || property.value_item() == property.item() && property.item().kind() != ItemKind::Element {
            insert(covers, Some(property.item()), Cover::All);
            continue;
        }
        insert(covers, Some(property.item()), Cover::Own);
        for name in ["name", "propertytype", "value"] {
            insert_value(covers, property.item().get(name));
        }
        insert_value(covers, property.item().get("type").filter(|_| property.kind().is_some()));
    }
}

/// Covers shape and text of an object.
fn cover_shape(object: Object<'_>, covers: &mut Covers) {
    let Some(item) = object.shape_item() else { return };
    match object.shape() {
        // The comparison of points leaves out invalid ones.
        Shape::Polygon(_) | Shape::Polyline(_) if points(item).any(|point| point.is_none()) => {}
        Shape::Polygon(_) | Shape::Polyline(_) if item.kind() == ItemKind::Element => {
            insert(covers, Some(item), Cover::Own);
            insert(covers, item.get("points"), Cover::All);
        }
        Shape::Polygon(_) | Shape::Polyline(_) => insert(covers, Some(item), Cover::All),
        Shape::Text(text) => {
            insert(covers, Some(item), Cover::Own);
            insert_value(covers, text.content_item());
        }
        _ => insert_value(covers, Some(item)),
    }
}

fn cover_cells(layer: Layer<'_>, covers: &mut Covers) {
    let Some(cells) = layer.cells() else { return };
    insert_value(covers, cells.data().get("encoding").filter(|_| cells.encoding().is_some()));
    insert_value(covers, cells.data().get("compression").filter(|_| cells.compression().is_some()));
    insert(covers, cells.list(), Cover::Own);
    for chunk in cells.chunks() {
        if chunk.item() != layer.item() {
            insert(covers, Some(chunk.item()), Cover::Own);
            for name in ["x", "y", "width", "height"] {
                insert_value(covers, chunk.item().get(name).filter(|value| i32::read(*value).is_some()));
            }
        }
        let is_element = chunk.payload().kind() == ItemKind::Element;
        insert(covers, Some(chunk.payload()), if is_element { Cover::Cells } else { Cover::All });
    }
}

/// Returns names and values of an item and the items in it, with the items in an item in parentheses.
fn collect<'a>(item: Item<'a>, cover_of: &dyn Fn(Item<'a>) -> Option<Cover>) -> String {
    let mut values = String::new();
    // The items that are not visited yet, of each item around the current one, and `true` if they are in parentheses.
    let mut open: Vec<(Box<dyn Iterator<Item = Item<'a>> + 'a>, bool)> = vec![(Box::new(std::iter::once(item)), false)];
    while let Some((items, is_listed)) = open.last_mut() {
        let Some(item) = items.next() else {
            values.push_str(if *is_listed { ") " } else { "" });
            open.pop();
            continue;
        };
        let cover = cover_of(item);
        if matches!(cover, Some(Cover::All)) {
            continue;
        }
        if cover.is_none() {
            push_value(&mut values, item);
        }
        if item.items().next().is_some() {
            values.push_str(if cover.is_none() { "( " } else { "" });
            open.push((items_in_order(item, matches!(cover, Some(Cover::Cells))), cover.is_none()));
        }
    }
    values
}

/// Iterates over the items in an item. Attributes and members, which have no order, are sorted by name.
fn items_in_order<'a>(item: Item<'a>, skips_cells: bool) -> Box<dyn Iterator<Item = Item<'a>> + 'a> {
    let sort = |mut items: Vec<Item<'a>>| {
        items.sort_by(|left, right| left.name().cmp(&right.name()));
        items.into_iter()
    };
    match item.kind() {
        ItemKind::Element => {
            let attributes = item.items().take_while(|child| child.kind() == ItemKind::Attribute).collect();
            let elements = item.elements().filter(move |child| !(skips_cells && child.is("tile")));
            Box::new(sort(attributes).chain(elements))
        }
        ItemKind::Object => Box::new(sort(item.items().collect())),
        _ => Box::new(item.items()),
    }
}

/// Appends name and value of an item, without the items in it, and a space.
fn push_value(out: &mut String, item: Item<'_>) {
    out.push_str(&item.name());
    match item.kind() {
        ItemKind::Array if item.items().next().is_none() => {
            out.push_str("=[");
            item.number_tokens().for_each(|(_, token)| out.extend([&*number(token), ","]));
            out.push(']');
        }
        ItemKind::Object | ItemKind::Array => {}
        ItemKind::Number => out.extend(["=", &*number(item.raw())]),
        ItemKind::Bool | ItemKind::Null => out.extend(["=", item.raw()]),
        ItemKind::Text | ItemKind::Attribute => out.push_str(&format!("={:?}", item.text())),
        ItemKind::Element => {
            let text = item.text();
            // White space between elements is formatting.
            let is_formatted = item.elements().next().is_some() || text.trim().is_empty();
            let text = if is_formatted { text.trim() } else { &*text };
            if !text.is_empty() {
                out.push_str(&format!("={text:?}"));
            }
        }
    }
    out.push(' ');
}

/// Returns a number in one format, or another word as it is.
fn number(token: &str) -> Cow<'_, str> {
    match (token.parse::<i64>(), token.parse::<f64>()) {
        (Ok(number), _) => Cow::Owned(number.to_string()),
        (_, Ok(number)) => Cow::Owned(number.to_string()),
        _ => Cow::Borrowed(token),
    }
}
