//! Fields of objects and terrains, for queries and edits.

use std::borrow::Cow;

use mapwright_query::{FieldType, FieldValue, Value, ValueError, fields};

use crate::Wvr8;
use crate::document::{Document, Matrix, Placement};
use crate::lists::{Angles, format_bits};

/// An object as a record with named fields. See [`OBJECT`].
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectRow<'a> {
    /// Index in the list of objects.
    pub index: usize,
    /// Name of the model. `None` if the model index is out of range.
    pub model: Option<Cow<'a, [u8]>>,
    /// Transform. For the upright objects of 1WVR and 2WVR it is computed.
    pub matrix: Matrix,
    /// ID, in variants that have IDs.
    pub id: Option<i32>,
}

fields! {
    /// Fields of objects.
    pub static OBJECT: "object" = ObjectRow<'_> {
        /// Kind of the object: always `object`.
        kind: String { of: FieldType::Choice(&["object"]) } => get(|_| Some("object".into()));
        /// Index in the list of objects, from 0.
        index | number: u32 => get(|row| Some(row.index.into()));
        /// ID. 1WVR to 3WVR have none.
        id: i32 => get(|row| row.id.to_value()) set(|row, value| row.id.set_value(value));
        /// File name of the model.
        model | name | class | classname: Vec<u8>
            => get(|row| row.model.as_deref().map(Into::into))
               set(|row, value| {
                   let mut name = Vec::new();
                   name.set_value(value)?;
                   row.model = Some(Cow::Owned(name));
                   Ok(())
               });
        /// Distance from the west edge.
        x: f32 { unit: "m" }
            => get(|row| row.matrix.position[0].to_value()) set(|row, value| row.matrix.position[0].set_value(value));
        /// Height of the bounding centre above the sea. 32768 makes the game put the object on the ground.
        y: f32 { unit: "m" }
            => get(|row| row.matrix.position[1].to_value()) set(|row, value| row.matrix.position[1].set_value(value));
        /// Distance from the south edge.
        z: f32 { unit: "m" }
            => get(|row| row.matrix.position[2].to_value()) set(|row, value| row.matrix.position[2].set_value(value));
        /// Compass heading: 0 is north, 90 is east.
        heading: f64 { unit: "degrees" } => get(|row| Some(row.matrix.heading().into()));
        /// Rotation around the vertical axis, clockwise from north.
        yaw: f64 { unit: "degrees" } => get(|row| six_decimals(Angles::from_matrix(&row.matrix).yaw));
        /// Rotation of the nose upwards.
        pitch: f64 { unit: "degrees" } => get(|row| six_decimals(Angles::from_matrix(&row.matrix).pitch));
        /// Rotation to the side.
        roll: f64 { unit: "degrees" } => get(|row| six_decimals(Angles::from_matrix(&row.matrix).roll));
        /// Mean length of the axes. 1 is the size of the model.
        scale: f64 => get(|row| six_decimals(Angles::from_matrix(&row.matrix).scale));
        /// The bits of the matrix as twelve hexadecimal words.
        matrix: String => get(|row| Some(format_bits(&row.matrix).into()));
        /// `true` if the game puts the object on the ground. Setting it changes y to 32768.
        ground | on_ground: bool
            => get(|row| Some(row.matrix.fits_to_ground().into()))
               set(|row, value| {
                   let mut fits = row.matrix.fits_to_ground();
                   fits.set_value(value)?;
                   match (fits, row.matrix.fits_to_ground()) {
                       (true, _) => row.matrix.position[1] = Matrix::FIT_TO_GROUND,
                       (false, false) => {}
                       (false, true) => return Err(ValueError::new("true (for a fixed height, set y instead)")),
                   }
                   Ok(())
               });
    }
}

fields! {
    /// Fields of 8WVR terrains. The other variants store none.
    pub static TERRAIN: "terrain" = Wvr8 {
        /// Cell size of the material grid.
        cell: f32 { unit: "m" }
            => get(|terrain| terrain.cell.to_value())
               set(|terrain, value| {
                   let mut cell = 0.0_f32;
                   cell.set_value(value)?;
                   if cell <= 0.0 {
                       return Err(ValueError::new("a number above 0"));
                   }
                   terrain.cell = cell;
                   Ok(())
               });
    }
}

/// Rounds a number as object lists do, without a negative zero. Readers of lists ignore a difference of this size.
fn six_decimals(number: f64) -> Option<Value<'static>> {
    Some(((number * 1e6).round() / 1e6 + 0.0).into())
}

impl Document {
    /// Returns the objects as records, in file order.
    pub fn object_rows(&self) -> impl Iterator<Item = ObjectRow<'_>> {
        let (ground, cell) = (self.ground(), self.upright_cell());
        self.objects().iter().enumerate().map(move |(index, object)| ObjectRow {
            index,
            model: object.model.map(|name| Cow::Borrowed(name.bytes.as_slice())),
            matrix: match object.placement {
                Placement::Matrix(matrix) => matrix,
                Placement::Heading(heading) => heading.to_matrix(&ground, cell),
            },
            id: object.id,
        })
    }
}
