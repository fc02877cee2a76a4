//! Documents whose objects can be queried and edited.

use std::fmt;

use mapwright_io::Losses;

use crate::error::QueryError;
use crate::{Assignment, BoundAssignments, Edit, FieldType, Fields, Query, Schema, SetFields, Text, Vocabulary, Words};

/// A document with objects that have fields.
pub trait Objects {
    /// Returns the fields that its objects have.
    fn vocabulary(&self) -> Vocabulary;

    /// Calls the visitor with every object, in the order of the file. Objects are numbered in this order.
    fn visit(&self, visitor: &mut dyn FnMut(&dyn Fields));

    /// Returns the numbers of the objects that a query matches.
    ///
    /// # Errors
    /// If the query asks for an unknown field or an impossible value.
    fn select(&self, query: &Query) -> Result<Vec<usize>, QueryError> {
        let selection = query.bind(&self.vocabulary())?;
        let (mut found, mut index) = (Vec::new(), 0_usize);
        self.visit(&mut |object| {
            if selection.matches(object) {
                found.push(index);
            }
            index = index.saturating_add(1);
        });
        Ok(found)
    }
}

/// A document whose objects can be edited.
///
/// Formats implement what they can; [`apply`](Self::apply) does what is common to all. An operation that fails changes nothing.
pub trait EditObjects: Objects {
    /// Sets fields of objects. `create` allows keys that an object does not have yet.
    ///
    /// # Errors
    /// If an object has no such field, or cannot have the value.
    fn set(&mut self, objects: &[usize], assignments: &[Assignment], create: bool) -> Result<Edited, QueryError>;

    /// Sets fields of the document itself.
    ///
    /// # Errors
    /// If it has no such field, or cannot have the value.
    fn set_document(&mut self, assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        let _ = (assignments, create);
        Err(QueryError::refused("the document itself has no fields"))
    }

    /// Deletes objects.
    ///
    /// # Errors
    /// If the format does not allow that.
    fn delete(&mut self, objects: &[usize]) -> Result<Edited, QueryError> {
        let _ = objects;
        Err(QueryError::refused("objects of this format cannot be deleted"))
    }

    /// Copies objects, and sets fields of the copies.
    ///
    /// # Errors
    /// If the format does not allow that, or as [`set`](Self::set).
    fn duplicate(&mut self, objects: &[usize], assignments: &[Assignment]) -> Result<Edited, QueryError> {
        let _ = (objects, assignments);
        Err(QueryError::refused("objects of this format cannot be duplicated"))
    }

    /// Adds an object.
    ///
    /// # Errors
    /// If there is no such kind, or as [`set`](Self::set).
    fn add(&mut self, kind: &str, assignments: &[Assignment]) -> Result<Edited, QueryError> {
        let _ = (kind, assignments);
        Err(QueryError::refused("objects cannot be added to this format"))
    }

    /// Renames what objects refer to.
    ///
    /// # Errors
    /// If nothing of that kind has names, or the new one is not allowed.
    fn rename(&mut self, what: &str, from: &Text, to: &Text) -> Result<Edited, QueryError> {
        let _ = (from, to);
        Err(QueryError::refused(format!("this format has no names of the kind {what}")))
    }

    /// Returns the type of the names that [`rename`](Self::rename) changes.
    fn name_type(&self) -> FieldType {
        FieldType::BYTES
    }

    /// Applies an edit that only this format has.
    ///
    /// # Errors
    /// If there is no such edit, or for its own reasons.
    fn apply_own(&mut self, edit: &Words) -> Result<Edited, QueryError> {
        Err(edit.unknown(&[]))
    }

    /// Applies an edit.
    ///
    /// # Errors
    /// As the operation; [`QueryError::NoMatch`] if no object matches, unless the options allow that; [`QueryError::Ambiguous`] if `#12`
    /// matches more than one. Nothing has changed then.
    fn apply(&mut self, edit: &Edit, options: &EditOptions) -> Result<Edited, QueryError> {
        if let Edit::Set { assignments, .. } | Edit::Duplicate { assignments, .. } = edit {
            let vocabulary = self.vocabulary();
            let unknown = assignments.iter().find(|one| !vocabulary.contains(&one.field));
            if let Some(assignment) = unknown.filter(|_| !options.create_fields) {
                return Err(vocabulary.unknown_field(&assignment.field));
            }
        }
        let objects = match edit.query() {
            Some(query) => self.select(query)?,
            None => Vec::new(),
        };
        match edit.query() {
            Some(_) if objects.is_empty() && options.allow_no_match => return Ok(Edited::objects(0, 0)),
            Some(query) => query.check_match_count(objects.len())?,
            None => {}
        }
        // The field exists, but not for all objects.
        let select = |error| match error {
            QueryError::NoField { kind, field, .. } => {
                QueryError::NoField { kind, field, help: "select only objects that have it".to_owned() }
            }
            error => error,
        };
        match edit {
            Edit::Set { assignments, .. } => self.set(&objects, assignments, options.create_fields).map_err(select),
            Edit::SetDocument { assignments } => self.set_document(assignments, options.create_fields),
            Edit::Delete { .. } => self.delete(&objects),
            Edit::Duplicate { assignments, .. } => self.duplicate(&objects, assignments).map_err(select),
            Edit::Add { kind, assignments } => self.add(kind, assignments),
            Edit::Rename { what, from, to } => {
                self.name_type().parse(to).map_err(|error| QueryError::Value {
                    field: what.clone(),
                    value: to.to_string(),
                    error,
                })?;
                let edited = self.rename(what, from, to)?;
                match edited.changed == 0 && !options.allow_no_match {
                    true => Err(QueryError::refused(format!("no {what} is named {from}"))),
                    false => Ok(edited),
                }
            }
            Edit::Own(words) => {
                let edited = self.apply_own(words)?;
                match edited.matched == Some(0) && !options.allow_no_match {
                    true => Err(QueryError::refused(format!("nothing matches: {}", edited.text))),
                    false => Ok(edited),
                }
            }
        }
    }
}

/// Options of [`EditObjects::apply`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditOptions {
    /// A query that matches nothing is not an error.
    pub allow_no_match: bool,
    /// Keys that an object does not have yet are added, where the format allows free keys.
    pub create_fields: bool,
}

impl EditOptions {
    /// Allows queries that match nothing.
    #[must_use]
    pub const fn with_allow_no_match(mut self, allow: bool) -> Self {
        self.allow_no_match = allow;
        self
    }

    /// Allows keys that an object does not have yet.
    #[must_use]
    pub const fn with_create_fields(mut self, create: bool) -> Self {
        self.create_fields = create;
        self
    }
}

/// The result of an edit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edited {
    /// The number of objects that matched, if the edit has a query.
    pub matched: Option<usize>,
    /// The number of objects, fields or cells that changed.
    pub changed: usize,
    /// The report: `3 of 5 objects changed`.
    pub text: String,
    /// Rounded values and other differences from the edit.
    pub losses: Losses,
}

impl Edited {
    /// Creates the result of setting fields of objects.
    pub fn objects(changed: usize, matched: usize) -> Self {
        let text = format!("{changed} of {matched} object{} changed", if matched == 1 { "" } else { "s" });
        Self { matched: Some(matched), changed, text, losses: Losses::new() }
    }

    /// Creates the result of another edit.
    pub fn new(changed: usize, text: impl Into<String>) -> Self {
        Self { matched: None, changed, text: text.into(), losses: Losses::new() }
    }

    /// Adds a sentence.
    #[must_use]
    pub fn with_note(mut self, note: impl fmt::Display) -> Self {
        self.text = format!("{}; {note}", self.text);
        self
    }
}

impl fmt::Display for Edited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Assignments to records of several schemas, each of which looks up its fields once.
#[derive(Debug)]
pub struct Assigner<'a> {
    assignments: &'a [Assignment],
    create: bool,
    bound: Vec<BoundAssignments>,
}

impl<'a> Assigner<'a> {
    /// Creates an assigner. `create` allows keys that a record does not have yet.
    pub const fn new(assignments: &'a [Assignment], create: bool) -> Self {
        Self { assignments, create, bound: Vec::new() }
    }

    /// Applies the assignments to a record. Returns `true` if a field has another value now.
    ///
    /// # Errors
    /// As [`BoundAssignments::apply`] and [`Assignment::bind`].
    pub fn apply(&mut self, record: &mut (impl SetFields + ?Sized)) -> Result<bool, QueryError> {
        self.apply_as(record.schema(), record)
    }

    /// Applies the assignments to a record that a view with this schema shows. Fields that only the view has cannot be set.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn apply_as(
        &mut self,
        schema: &'static Schema,
        record: &mut (impl SetFields + ?Sized),
    ) -> Result<bool, QueryError> {
        let known = self.bound.iter().position(|bound| std::ptr::eq(bound.schema(), schema));
        if let Some(bound) = known.and_then(|known| self.bound.get(known)) {
            return bound.apply(record);
        }
        let bound = Assignment::bind(self.assignments, schema, self.create)?;
        let result = bound.apply(record);
        self.bound.push(bound);
        result
    }
}
