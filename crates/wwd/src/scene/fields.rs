//! Fields of levels as properties of scenes, and the values that both directions share.

use std::collections::HashMap;

use crate::document::record::Record;
use crate::{FieldValue, Object, PlaneFlags, Rect};

/// Size of a tile in pixels if a plane has none.
pub(super) const DEFAULT_TILE: u32 = 64;

/// The property with the Adler-32 of the main block that a preserved checksum belongs to.
pub(super) const CHECKSUM_BLOCK: &str = "checksum_block";

/// The reserved words in the header of the table.
pub(super) const RESERVED: [&str; 5] = ["reserved_0c", "reserved_10", "reserved_14", "reserved_18", "reserved_1c"];

/// Flags of planes that scenes store otherwise than as properties.
pub(super) const PLANE_FLAGS: [PlaneFlags; 4] =
    [PlaneFlags::MAIN, PlaneFlags::NO_DRAW, PlaneFlags::WRAP_X, PlaneFlags::WRAP_Y];

/// Returns an object with the values that properties leave out: those of new objects, which have no frame. An id is never left out.
pub(super) fn new_object() -> Object {
    Object { i: -1, ..Object::default() }
}

/// The names of the sides of rectangles in properties.
pub(super) const SIDES: [&str; 4] = ["left", "top", "right", "bottom"];

/// The fields of a record that are stored as properties.
pub(super) struct Fields {
    /// Each field with its default value, which is left out.
    pub(super) defaults: Vec<(&'static str, FieldValue)>,
    /// For each property name, the field and the side of its rectangle.
    pub(super) names: HashMap<String, (&'static str, Option<usize>)>,
}

impl Fields {
    /// Creates the table of all fields except some, with the default values of a record.
    pub(super) fn new<R: Record>(default: &R, except: &[&str]) -> Self {
        let fields = R::FIELDS.iter().filter(|name| !except.contains(name));
        let defaults: Vec<_> = fields.filter_map(|name| Some((*name, default.value(name)?))).collect();
        let mut names = HashMap::new();
        for (name, value) in &defaults {
            match value {
                FieldValue::Rect(_) => {
                    let sides = SIDES.iter().enumerate();
                    names.extend(sides.map(|(at, side)| (format!("{name}_{side}"), (*name, Some(at)))));
                }
                _ => {
                    names.insert((*name).to_owned(), (*name, None));
                }
            }
        }
        Self { defaults, names }
    }
}

/// Returns the sides of a rectangle in the order of [`SIDES`].
pub(super) fn sides(rect: Rect) -> [i32; 4] {
    [rect.left, rect.top, rect.right, rect.bottom]
}

/// Returns the size of a tile in pixels, or the default.
pub(super) fn pixels(tile: i32) -> u32 {
    u32::try_from(tile).ok().filter(|pixels| *pixels > 0).unwrap_or(DEFAULT_TILE)
}

/// Returns the plane whose first image set has the tile properties: the main plane, else the first one with image sets. `planes`
/// contains `is_main` and `has_image_sets` of each plane.
pub(super) fn find_owner(planes: &[(bool, bool)]) -> Option<usize> {
    let main = planes.iter().position(|(is_main, _)| *is_main);
    let main = main.filter(|index| planes.get(*index).is_some_and(|(_, has_set)| *has_set));
    main.or_else(|| planes.iter().position(|(_, has_set)| *has_set))
}
