//! Objects and planes where they are, as queries see them.

use mapwright_query::{FieldType, FieldValue, Fields, Schema, Value, ValueError, fields, type_error};

use crate::document::{OBJECT, PLANE, object_key, plane_key};
use crate::{Object, Plane};

/// An object on its plane.
pub(super) struct PlacedObject<'a> {
    pub(super) object: &'a Object,
    pub(super) plane: &'a Plane,
    /// Index of the plane, and of the object on it.
    pub(super) place: (usize, usize),
}

/// A plane at its place.
pub(super) struct PlacedPlane<'a> {
    pub(super) plane: &'a Plane,
    pub(super) index: usize,
}

fields! {
    pub(super) view static PLACED_OBJECT: "object" = PlacedObject<'_>, extends OBJECT via object {
        /// Kind of the object: `object`, or `entity` as in other formats.
        kind: Kind => get(|_| Some(Value::Word("object", &["entity"])));
        /// Name of its plane.
        plane: Vec<u8> => get(|object| Some(object.plane.name.text().into()));
        /// Path in the document.
        key: String => get(|object| Some(object_key(object.place).into()));
    }
}

fields! {
    pub(super) view static PLACED_PLANE: "plane" = PlacedPlane<'_>, extends PLANE via plane {
        /// Kind of the object: `plane`, or `tiles` as in other formats.
        kind: Kind => get(|_| Some(Value::Word("plane", &["tiles"])));
        /// Index of the plane.
        index: i64 => get(|plane| Some(plane.index.into()));
        /// Names of its image sets.
        image_set | texture | material: Vec<u8>
            => get(|plane| {
                let names: Vec<Value<'_>> = plane.plane.image_sets.iter().map(Value::from).collect();
                (!names.is_empty()).then_some(Value::Any(names))
            });
        /// Path in the document.
        key: String => get(|plane| Some(plane_key(plane.index).into()));
    }
}

/// The type of the field `kind`.
struct Kind;

impl FieldValue for Kind {
    const TYPE: FieldType = FieldType::Choice(&["object", "entity", "plane", "tiles"]);

    fn to_value(&self) -> Option<Value<'_>> {
        None
    }

    fn set_value(&mut self, _: &Value<'_>) -> Result<(), ValueError> {
        Err(type_error(Self::TYPE))
    }
}

/// Schemas of all that queries select.
pub(super) fn schemas() -> [&'static Schema; 2] {
    [&PLACED_OBJECT, &PLACED_PLANE]
}

/// Calls the visitor with each plane, followed by its objects.
pub(super) fn visit(planes: &[Plane], visitor: &mut dyn FnMut(&dyn Fields)) {
    for (index, plane) in planes.iter().enumerate() {
        visitor(&PlacedPlane { plane, index });
        for (at, object) in plane.objects.iter().enumerate() {
            visitor(&PlacedObject { object, plane, place: (index, at) });
        }
    }
}
