//! Fields of objects and terrains, for queries and edits.

use std::borrow::Cow;

use mapwright_query::{FieldType, FieldValue, Value, ValueError, fields};

use crate::Wvr8;
use crate::document::{Document, Matrix, Placement};
use crate::lists::{Angles, format_bits, parse_bits};

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
        heading: f64 { unit: "degrees" }
            => get(|row| Some(row.matrix.heading().into()))
               set(|row, value| {
                   let mut heading = row.matrix.heading();
                   heading.set_value(value)?;
                   let turn = heading - row.matrix.heading();
                   if turn != 0.0 {
                       row.matrix = row.matrix.turned(turn);
                   }
                   Ok(())
               });
        /// Rotation around the vertical axis, clockwise from north. It cannot be set on objects that are mirrored or sheared; nor can
        /// pitch and roll.
        yaw: f64 { unit: "degrees" }
            => get(|row| six_decimals(Angles::from_matrix(&row.matrix).yaw))
               set(|row, value| set_angle(row, value, |angles| &mut angles.yaw));
        /// Rotation of the nose upwards.
        pitch: f64 { unit: "degrees" }
            => get(|row| six_decimals(Angles::from_matrix(&row.matrix).pitch))
               set(|row, value| set_angle(row, value, |angles| &mut angles.pitch));
        /// Rotation to the side.
        roll: f64 { unit: "degrees" }
            => get(|row| six_decimals(Angles::from_matrix(&row.matrix).roll))
               set(|row, value| set_angle(row, value, |angles| &mut angles.roll));
        /// Mean length of the axes. 1 is the size of the model.
        scale: f64
            => get(|row| six_decimals(Angles::from_matrix(&row.matrix).scale))
               set(|row, value| {
                   let old = Angles::from_matrix(&row.matrix).scale;
                   let mut scale = old;
                   scale.set_value(value)?;
                   if is_changed(old, scale) {
                       let matrix = row.matrix.scaled(scale / old);
                       // An object without a size has no axes that could grow.
                       if scale <= 0.0 || !matrix.is_finite() {
                           return Err(ValueError::new("a number above 0, for an object with a size"));
                       }
                       row.matrix = matrix;
                   }
                   Ok(())
               });
        /// The bits of the matrix as twelve hexadecimal words: the axes to the right, up and forward, and the position.
        matrix: String
            => get(|row| Some(format_bits(&row.matrix).into()))
               set(|row, value| {
                   let mut words = String::new();
                   words.set_value(value)?;
                   row.matrix = parse_bits(&words).ok_or_else(|| ValueError::new("twelve hexadecimal words"))?;
                   Ok(())
               });
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

/// Returns `true` if numbers differ by more than the last of six decimals.
fn is_changed(old: f64, new: f64) -> bool {
    (new - old).abs() > 1e-6
}

/// Changes an angle of an object that has no mirroring and no shear, which angles cannot represent.
fn set_angle(
    row: &mut ObjectRow<'_>,
    value: &Value<'_>,
    angle: impl Fn(&mut Angles) -> &mut f64,
) -> Result<(), ValueError> {
    let mut angles = Angles::from_matrix(&row.matrix);
    let same = angles.to_matrix(row.matrix.position);
    let old = *angle(&mut angles);
    angle(&mut angles).set_value(value)?;
    if !is_changed(old, *angle(&mut angles)) {
        return Ok(());
    }
    let numbers = same.numbers().into_iter().zip(row.matrix.numbers()).take(9);
    // The comparison is false for numbers that are not finite.
    if !numbers.into_iter().all(|(same, own)| f64::from((same - own).abs()) < 1e-3 * angles.scale) {
        return Err(ValueError::new(
            "an object that is neither mirrored nor sheared (set its heading or its matrix instead)",
        ));
    }
    row.matrix = angles.to_matrix(row.matrix.position);
    Ok(())
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
