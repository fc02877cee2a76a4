//! Queries and edits as text.

use mapwright_query::{
    Assigner, Assignment, EditObjects, Edited, Fields, Glob, Objects, Query, QueryError, Text, Vocabulary, Words,
};

use super::EditError;
use super::fields::{OBJECT, ObjectRow};
use super::objects::ObjectChange;
use crate::document::{Document, Matrix, Name};
use crate::loss::counted;

const OBJECTS: [&str; 2] = ["object", "objects"];
const HEIGHTS: [&str; 2] = ["height", "heights"];

/// The edits that only terrains have.
const OWN: [&str; 9] = [
    "heights shift METRES",
    "heights clamp LOW HIGH",
    "sea raise METRES",
    "resample 512x512",
    "crop 64,64 128x128",
    "move QUERY: EAST,UP,NORTH",
    "objects renumber [FIRST]",
    "objects drop-outside",
    "clean",
];

impl From<EditError> for QueryError {
    fn from(error: EditError) -> Self {
        Self::refused(error)
    }
}

impl Objects for Document {
    fn vocabulary(&self) -> Vocabulary {
        Vocabulary::new([&OBJECT])
    }

    fn visit(&self, visitor: &mut dyn FnMut(&dyn Fields)) {
        self.object_rows().for_each(|row| visitor(&row));
    }
}

impl EditObjects for Document {
    fn set(&mut self, objects: &[usize], assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        check_settable(assignments)?;
        let mut assigner = Assigner::new(assignments, create);
        let mut changes = Vec::new();
        let mut selected = objects.iter().copied().peekable();
        for old in self.object_rows() {
            if selected.next_if_eq(&old.index).is_none() {
                continue;
            }
            let mut new = old.clone();
            if assigner.apply(&mut new)? {
                changes.push(ObjectChange::between(&old, &new));
            }
        }
        self.change_objects(&changes)?;
        Ok(Edited::objects(changes.len(), objects.len()))
    }

    fn set_document(&mut self, assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        let Self::Wvr8(terrain) = self else {
            return Err(QueryError::refused(format!("{} stores no fields of the terrain", self.variant())));
        };
        let cell = terrain.cell;
        let changed = Assigner::new(assignments, create).apply(terrain).inspect_err(|_| terrain.cell = cell)?;
        Ok(Edited::new(changed.into(), if changed { "terrain changed" } else { "terrain unchanged" }))
    }

    fn delete(&mut self, objects: &[usize]) -> Result<Edited, QueryError> {
        let count = self.delete_objects(objects)?;
        let text = format!("{} deleted", counted(count, OBJECTS));
        Ok(Edited { matched: Some(count), ..Edited::new(count, text) })
    }

    fn duplicate(&mut self, objects: &[usize], assignments: &[Assignment]) -> Result<Edited, QueryError> {
        let mut changed = self.clone();
        let first = changed.objects().len();
        changed.duplicate_objects(objects)?;
        let copies: Vec<usize> = (first..changed.objects().len()).collect();
        if !assignments.is_empty() {
            changed.set(&copies, assignments, false)?;
        }
        *self = changed;
        let text = format!("{} duplicated", counted(copies.len(), OBJECTS));
        Ok(Edited { matched: Some(copies.len()), ..Edited::new(copies.len(), text) })
    }

    fn add(&mut self, kind: &str, assignments: &[Assignment]) -> Result<Edited, QueryError> {
        if !kind.eq_ignore_ascii_case("object") && !kind.eq_ignore_ascii_case("model") {
            return Err(QueryError::refused(format!("unknown kind `{kind}`: expected `object`")));
        }
        let index = self.objects().len();
        let mut row = ObjectRow { index, model: None, matrix: Matrix::from_position([0.0; 3]), id: None };
        Assigner::new(assignments, false).apply(&mut row)?;
        let Some(model) = row.model else {
            return Err(QueryError::refused("new object has no model: expected model=NAME"));
        };
        // A new object is on the ground unless it has a height.
        let fields = ["y", "ground"].map(|name| OBJECT.find(name));
        let has_height = assignments.iter().any(|one| fields.contains(&OBJECT.find(&one.field)));
        if !has_height {
            let [x, _, z] = row.matrix.position;
            let height = self.ground().height_at(x.into(), z.into()).unwrap_or(0.0);
            row.matrix.position = [x, crate::steps::to_f32(height), z];
        }
        self.add_object(&Name::new(model), row.matrix, row.id)?;
        Ok(Edited::new(1, "1 object added"))
    }

    fn rename(&mut self, what: &str, from: &Text, to: &Text) -> Result<Edited, QueryError> {
        let from = Glob::from(from);
        if what.eq_ignore_ascii_case("model") {
            let count = self.rename_models(&from, to.as_bytes())?;
            return Ok(Edited::new(count, format!("model of {} renamed", counted(count, OBJECTS))));
        }
        let known = ["texture", "material"].iter().find(|known| known.eq_ignore_ascii_case(what));
        let Some(noun) = known else {
            return Err(QueryError::refused(format!(
                "unknown kind `{what}`: expected `model`, `texture` or `material`"
            )));
        };
        let count = self.rename_textures(&from, to.as_bytes())?;
        Ok(Edited::new(count, format!("{} renamed", counted(count, [noun, &format!("{noun}s")]))))
    }

    fn apply_own(&mut self, edit: &Words) -> Result<Edited, QueryError> {
        let heights = |count: usize| Edited::new(count, format!("{} changed", counted(count, HEIGHTS)));
        Ok(match edit.to_strs()[..] {
            ["heights", "shift", by] => {
                let by = metres(by)?;
                with_rounding(heights(self.shift_heights(by)?), by, self.round_to_steps(by))
            }
            ["heights", "clamp", low, high] => heights(self.clamp_heights(metres(low)?, metres(high)?)?),
            ["sea", "raise", by] => {
                let by = metres(by)?;
                with_rounding(heights(self.raise_sea(by)?), by, self.round_to_steps(by))
            }
            ["resample", size] => {
                let size = pair(size, 'x').ok_or_else(|| expected("a size such as 512x512", size))?;
                self.resample(size)?;
                let [columns, rows] = size;
                with_warning(Edited::new(1, format!("{columns}×{rows} heights")), size)
            }
            ["crop", at, size] => {
                let at = pair(at, ',').ok_or_else(|| expected("a cell such as 64,64", at))?;
                let size = pair(size, 'x').ok_or_else(|| expected("a size in cells such as 128x128", size))?;
                let removed = self.crop(at, size)?;
                let text = format!("terrain cropped; {} outside removed", counted(removed, OBJECTS));
                with_warning(Edited::new(1, text), self.ground().size)
            }
            ["move", ..] => {
                let (query, by) = edit.query_and_words()?;
                self.move_selected(&query, &by)?
            }
            ["objects", "renumber"] => self.renumber(0)?,
            ["objects", "renumber", first] => {
                self.renumber(first.parse().map_err(|_| expected("a whole number", first))?)?
            }
            ["objects", "drop-outside"] => {
                let count = self.delete_outside_objects()?;
                Edited::new(count, format!("{} deleted", counted(count, OBJECTS)))
            }
            ["clean"] => {
                let count = self.clean();
                Edited::new(count, format!("{} cleared", counted(count, ["byte", "bytes"])))
            }
            _ => return Err(edit.unknown(&OWN)),
        })
    }
}

impl Document {
    fn move_selected(&mut self, query: &Query, by: &Words) -> Result<Edited, QueryError> {
        let [by] = by.to_strs()[..] else {
            return Err(QueryError::refused(
                "expected `move QUERY: EAST,UP,NORTH`, such as `move model=*oak*: 10,0,-5`",
            ));
        };
        let numbers = by.split(',').map(metres).collect::<Result<Vec<_>, _>>()?;
        let [east, up, north] = numbers[..] else { return Err(expected("metres such as 10,0,-5", by)) };
        let objects = self.select(query)?;
        query.check_match_count(objects.len())?;
        self.move_objects([east, up, north], &objects)?;
        let text = format!("{} moved", counted(objects.len(), OBJECTS));
        Ok(Edited { matched: Some(objects.len()), ..Edited::new(objects.len(), text) })
    }

    fn renumber(&mut self, first: i32) -> Result<Edited, QueryError> {
        let count = self.renumber_objects(first)?;
        Ok(Edited::new(count, format!("{} renumbered", counted(count, OBJECTS))))
    }
}

impl ObjectChange {
    /// Returns the differences between two states of an object.
    fn between(old: &ObjectRow<'_>, new: &ObjectRow<'_>) -> Self {
        Self {
            index: old.index,
            model: new.model.as_deref().filter(|_| old.model != new.model).map(Name::new),
            matrix: Some(new.matrix).filter(|matrix| *matrix != old.matrix),
            id: new.id.filter(|_| old.id != new.id),
        }
    }
}

/// Rejects other names of the model: `name=` does not select another model.
fn check_settable(assignments: &[Assignment]) -> Result<(), QueryError> {
    for Assignment { field, .. } in assignments {
        let known = OBJECT.find(field).and_then(|index| OBJECT.field(index));
        if known.is_some_and(|known| known.name == "model") && !field.eq_ignore_ascii_case("model") {
            let reason = "set `model` to use another model".into();
            return Err(QueryError::ReadOnly { kind: "object".into(), field: field.clone(), reason });
        }
    }
    Ok(())
}

fn expected(what: &str, found: &str) -> QueryError {
    QueryError::refused(format!("expected {what}, found {found:?}"))
}

fn metres(word: &str) -> Result<f64, QueryError> {
    let number = word.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| expected("a number of metres", word))
}

fn pair(text: &str, separator: char) -> Option<[u32; 2]> {
    let (first, second) = text.split_once(separator)?;
    Some([first.parse().ok()?, second.parse().ok()?])
}

/// Reports that heights changed by another distance than the edit states, because they are multiples of a step.
fn with_rounding(mut edited: Edited, wanted: f64, rounded: f64) -> Edited {
    // Products of steps have noise in their last digits.
    let [wanted, rounded] = [wanted, rounded].map(|metres| (metres * 1e6).round() / 1e6);
    if wanted != rounded {
        edited
            .losses
            .approximated("heights", format!("changed by {rounded} m instead of {wanted} m: heights have steps"));
    }
    edited
}

/// Adds a warning if the games reject a grid of this size.
fn with_warning(edited: Edited, [columns, rows]: [u32; 2]) -> Edited {
    match () {
        () if columns != rows => edited.with_note("warning: the games require a square grid"),
        () if !columns.is_power_of_two() => edited.with_note("warning: the games require sides that are powers of two"),
        () => edited,
    }
}
