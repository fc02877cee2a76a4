//! Attributes and elements, by the structure of the format.

use mapwright_query::{Field, FieldType};

use super::Report;
use crate::codes::{Color, PropertyType};
use crate::document::{Document, DocumentKind, Item, ItemKind};
use crate::structure::{self, Part, Structure};
use crate::view::{AttributeValue as _, Property, read_int};

pub(super) fn check(document: &Document, report: &mut Report) {
    let root = match document.kind() {
        DocumentKind::Map => &structure::MAP,
        DocumentKind::Tileset => &structure::TILESET,
        DocumentKind::Template => &structure::TEMPLATE,
        DocumentKind::World => &structure::WORLD,
    };
    // The items that are not checked yet, of each item around the current one.
    let mut open = vec![(document.root().items(), Part::Child(root))];
    while let Some((items, around)) = open.last_mut() {
        let around = *around;
        let Some(item) = items.next() else {
            open.pop();
            continue;
        };
        let part = match around {
            Part::Child(structure) => structure.part(item),
            Part::List(element, structure) => part_of_list(item, element, structure),
            Part::Field(_) | Part::Unknown => Part::Unknown,
        };
        match part {
            Part::Child(structure) => {
                if std::ptr::eq(structure, structure::property()) {
                    check_property(item, report);
                }
                open.push((item.items(), part));
            }
            Part::List(..) => open.push((item.items(), part)),
            Part::Field(field) => check_value(item, field, report),
            Part::Unknown if item.kind() == ItemKind::Element => {
                report.note("element-unknown", item, format_args!("Tiled does not know the element {}", item.name()));
            }
            Part::Unknown => {
                let message = format_args!("Tiled does not know the attribute {}", item.name());
                report.note("attribute-unknown", item, message);
            }
        }
    }
}

/// Returns the meaning of an item of a list.
fn part_of_list(item: Item<'_>, element: &str, structure: &'static Structure) -> Part {
    match item.kind() {
        ItemKind::Element if item.is(element) => Part::Child(structure),
        ItemKind::Object => Part::Child(structure),
        _ => Part::Unknown,
    }
}

fn is_color(field: &Field) -> bool {
    ["color", "trans"].iter().any(|end| field.name.ends_with(end))
}

/// Returns `true` if an item has a value of the type of its field.
pub(crate) fn is_valid(item: Item<'_>, field: &Field) -> bool {
    let text = item.text();
    match field.of {
        FieldType::Bool => bool::read(item).is_some(),
        FieldType::Float { .. } => f64::read(item).is_some(),
        FieldType::Int { min, max } => read_int(item).is_some_and(|number| (min..=max).contains(&number)),
        // The words of Tiled have one case.
        FieldType::Choice(words) => words.contains(&&*text),
        _ if is_color(field) => text.is_empty() || Color::read(item).is_some(),
        _ => true,
    }
}

fn check_value(item: Item<'_>, field: &Field, report: &mut Report) {
    if is_valid(item, field) {
        // Images in JSON have their path in the item around them.
        if matches!(field.name, "source" | "template" | "image" | "fileName") {
            check_file(item, report);
        }
        return;
    }
    let expected = if is_color(field) { COLOR.to_owned() } else { field.of.to_string() };
    let shown: String = item.text().chars().take(40).collect();
    report.warning("attribute-invalid", item, format_args!("invalid {} {shown:?}: expected {expected}", field.name));
}

/// The expected text of a colour.
const COLOR: &str = "a colour such as #ff8000";

/// Checks the path of a file.
fn check_file(item: Item<'_>, report: &mut Report) {
    let path = item.text();
    let shown: String = path.chars().take(80).collect();
    if path.contains('\\') {
        report.warning("path-backslash", item, format_args!("path {shown:?} has backslashes: expected `/`"));
    }
    let has_drive = path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && path.get(1..2) == Some(":");
    if path.starts_with('/') || has_drive {
        report.warning(
            "path-absolute",
            item,
            format_args!("path {shown:?} is absolute: expected one relative to this file"),
        );
    }
}

/// Checks the value of a property by its type.
fn check_property(item: Item<'_>, report: &mut Report) {
    let property = Property::from_item(item);
    let value = property.value_item();
    let text = value.text();
    // An unknown type is reported as the value of an attribute.
    let expected = match property.kind() {
        Some(PropertyType::Int | PropertyType::Object) if read_int(value).is_none() => "a whole number",
        Some(PropertyType::Float) if f64::read(value).is_none() => "a number",
        Some(PropertyType::Bool) if !matches!(&*text, "true" | "false") => "true or false",
        Some(PropertyType::Color) if !text.is_empty() && Color::read(value).is_none() => COLOR,
        Some(PropertyType::File) => return check_file(value, report),
        _ => return,
    };
    let (shown, name) = (text.chars().take(40).collect::<String>(), property.name());
    report.warning("attribute-invalid", value, format_args!("invalid value {shown:?} of {name}: expected {expected}"));
}
