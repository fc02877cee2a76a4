//! Lists of the objects of a document: rows of fields as text, and objects as JSON.

use std::io::{self, Write};

use mapwright_query::{FieldType, Fields, Objects as _, Query, QueryError, Selection, Value, Vocabulary};
use serde_json::{Map, Value as Json};

use super::DocumentObjects;
use crate::{AnyDocument, Error, Format};

mapwright_io::options! {
    /// Options of [`ObjectList`].
    #[derive(Debug, Clone, PartialEq)]
    pub struct ListOptions {
        /// Names of the fields to list; `*` alone selects all. Empty: the default fields for rows, all fields for JSON.
        pub fields: Vec<String> = Vec::new(), with_fields;
        /// Leaves out default fields that are too long for people, such as the matrix of an object of a terrain.
        pub is_short: bool = false, with_is_short;
        /// Map coordinates of the south-west corner of a terrain in metres, to the east and the north. They are added to the fields `x`
        /// and `z`. `None`: positions are those of the file.
        pub origin: Option<[f64; 2]> = None, with_origin;
    }
}

/// The default fields of objects of all formats but terrains, which have [`wrp::lists::COLUMNS`](crate::wrp::lists::COLUMNS).
pub const DEFAULT_FIELDS: [&str; 6] = ["class", "name", "x", "y", "z", "key"];

/// The objects of a document that a query matches, with the fields to list.
///
/// ```
/// use mapwright::AnyDocument;
/// use mapwright::query::{ListOptions, ObjectList};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "obj")] {
/// let obj = b"o floor\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// let options = ListOptions::default().with_fields(vec!["faces".to_owned(), "name".to_owned()]);
/// let list = ObjectList::new(AnyDocument::from_bytes(obj)?, &"kind=mesh".parse()?, options)?;
/// assert!(list.unknown().is_empty());
/// let mut json = Vec::new();
/// list.write_json(&mut json)?;
/// assert_eq!(json, br#"[{"faces":1,"name":"floor"}]"#);
/// # }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ObjectList {
    format: Format,
    objects: DocumentObjects,
    vocabulary: Vocabulary,
    selection: Selection,
    options: ListOptions,
    unknown: Vec<UnknownPart>,
}

/// A field, value or number of a query or a list that no object of a document can have.
///
/// In a list of several documents this is only a mistake if it is unknown to all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPart {
    /// The field, or the comparison with the value: `kind=lihgt`.
    pub part: String,
    /// The problem, often with a suggestion.
    pub problem: String,
}

impl ObjectList {
    /// Selects objects of a document.
    ///
    /// # Errors
    /// As [`AnyDocument::into_objects`]. Unknown fields and values are no errors; [`unknown`](Self::unknown) returns them.
    pub fn new(document: AnyDocument, query: &Query, options: ListOptions) -> Result<Self, Error> {
        let format = document.format();
        let objects = document.into_objects()?;
        let vocabulary = objects.vocabulary();
        let (selection, mut problems) = query.bind_any(&vocabulary);
        let mut list = Self { format, objects, vocabulary, selection, options, unknown: Vec::new() };
        if !list.has_all_fields() {
            let unknown = list.options.fields.iter().filter(|field| !list.vocabulary.contains(field));
            problems.extend(unknown.map(|field| list.vocabulary.unknown_field(field)));
        }
        list.unknown.extend(problems.iter().map(UnknownPart::from_error));
        if query.has_number() && list.lacks_numbers() {
            let query = query.to_string();
            let problem = format!("{query}: objects of {format} have no numbers");
            list.unknown.push(UnknownPart { part: query, problem });
        }
        Ok(list)
    }

    /// Returns the format of the document.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Returns all objects of the document, also those that the query does not match.
    pub const fn objects(&self) -> &DocumentObjects {
        &self.objects
    }

    /// Returns the query in the form that tests objects.
    pub const fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Returns the parts of the query, and the fields of the options, that no object of the document can have.
    pub fn unknown(&self) -> &[UnknownPart] {
        &self.unknown
    }

    /// Checks that objects of the document can have all fields and values.
    ///
    /// # Errors
    /// [`QueryError::Refused`] with the problem of the first [unknown](Self::unknown) part.
    pub fn check_known(&self) -> Result<(), QueryError> {
        self.unknown.first().map_or(Ok(()), |unknown| Err(QueryError::refused(&unknown.problem)))
    }

    /// Returns the names of the fields of rows: those of the options, or the default fields that the objects have, under the names that
    /// JSON has.
    pub fn fields(&self) -> Vec<String> {
        if self.has_all_fields() {
            return self.vocabulary.names().into_iter().map(str::to_owned).collect();
        }
        if !self.options.fields.is_empty() {
            return self.options.fields.clone();
        }
        let usual = default_fields(self.format, self.options.is_short);
        usual.iter().filter_map(|name| own_name(&self.vocabulary, name)).collect()
    }

    /// Calls a function with each object that matches, until it fails.
    ///
    /// # Errors
    /// Errors of the function.
    pub fn visit<E>(&self, mut work: impl FnMut(&dyn Fields) -> Result<(), E>) -> Result<(), E> {
        let mut result = Ok(());
        self.objects.visit(&mut |object| {
            if result.is_ok() && self.selection.matches(object) {
                result = work(object);
            }
        });
        result
    }

    /// Calls a function with a row for each object that matches: the texts of these fields. A field that the object lacks is empty.
    ///
    /// # Errors
    /// Errors of the function.
    pub fn visit_rows<E>(
        &self,
        fields: &[String],
        mut work: impl FnMut(Vec<String>) -> Result<(), E>,
    ) -> Result<(), E> {
        let text = |object: &dyn Fields, name: &String| {
            self.value(object, name).map(|value| value.to_string()).unwrap_or_default()
        };
        self.visit(|object| work(fields.iter().map(|name| text(object, name)).collect()))
    }

    /// Writes an array with an object of JSON for each object that matches.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"[")?;
        let mut is_first = true;
        self.visit(|object| {
            if !std::mem::replace(&mut is_first, false) {
                out.write_all(b",")?;
            }
            serde_json::to_writer(&mut *out, &self.object_to_json(object)).map_err(io::Error::from)
        })?;
        out.write_all(b"]")
    }

    /// Returns the value of a field as lists show it: on the map, if the options place the terrain there, and numbers of single precision
    /// as those of double precision with the same short text.
    pub fn value<'o>(&self, object: &'o dyn Fields, name: &str) -> Option<Value<'o>> {
        let schema = object.schema();
        let field = schema.find(name).and_then(|index| schema.field(index));
        let value = match object.get_by_name(name)? {
            #[allow(clippy::cast_possible_truncation, reason = "the number has single precision")]
            Value::Float(number) if field.is_some_and(|field| field.of == FieldType::F32) => {
                Value::Float((number as f32).to_string().parse().ok()?)
            }
            value => value,
        };
        // Only terrains have a place on a map.
        let origin = self.options.origin.filter(|_| self.format == Format::Wrp);
        let (Some([east, north]), Value::Float(number)) = (origin, &value) else { return Some(value) };
        let offset = match field.map(|field| field.name) {
            Some("x") => east,
            Some("z") => north,
            _ => return Some(value),
        };
        // Positions have at most six decimals, and sums more.
        Some(Value::Float(((number + offset) * 1e6).round() / 1e6))
    }

    /// Returns the fields of the options of an object, or all.
    fn object_to_json(&self, object: &dyn Fields) -> Map<String, Json> {
        let field = |name: &str| Some((name.to_owned(), value_to_json(&self.value(object, name)?)));
        if !self.options.fields.is_empty() && !self.has_all_fields() {
            return self.options.fields.iter().filter_map(|name| field(name)).collect();
        }
        let schema = object.schema();
        let mut fields: Map<String, Json> = schema.iter().filter_map(|own| field(own.name)).collect();
        for key in object.free_keys().iter().filter(|key| schema.find(key).is_none()) {
            if let Some(value) = object.get_free(key) {
                fields.entry(key.to_string()).or_insert_with(|| value_to_json(&value));
            }
        }
        fields
    }

    /// Returns `true` if the options select all fields.
    fn has_all_fields(&self) -> bool {
        self.options.fields == ["*"]
    }

    /// Returns `true` if there are objects, and none of them has a number.
    fn lacks_numbers(&self) -> bool {
        let (mut is_empty, mut has_number) = (true, false);
        self.objects.visit(&mut |object| {
            is_empty = false;
            has_number |= object.number().is_some();
        });
        !is_empty && !has_number
    }
}

impl UnknownPart {
    fn from_error(error: &QueryError) -> Self {
        let part = match error {
            QueryError::Value { field, value, .. } => format!("{field}={value}"),
            QueryError::UnknownField { field, .. } => field.clone(),
            error => error.to_string(),
        };
        Self { part, problem: error.to_string() }
    }
}

/// Returns the default fields of the objects of a format. `is_short` leaves out those that are too long for people.
pub fn default_fields(format: Format, is_short: bool) -> &'static [&'static str] {
    #[cfg(feature = "wrp")]
    if format == Format::Wrp {
        let all: &[&str] = &crate::formats::wrp::COLUMNS;
        // The matrix is the last one.
        return if is_short { all.split_last().map_or(&[], |(_, columns)| columns) } else { all };
    }
    let _ = (format, is_short);
    &DEFAULT_FIELDS
}

/// Returns the name of a field if all schemas with this field call it so, or the given alias.
fn own_name(vocabulary: &Vocabulary, name: &str) -> Option<String> {
    let own = vocabulary.schemas().iter().filter_map(|schema| schema.field(schema.find(name)?));
    let mut own: Vec<&str> = own.map(|field| field.name).collect();
    own.dedup();
    match own[..] {
        [own] => Some(own.to_owned()),
        _ => vocabulary.contains(name).then(|| name.to_owned()),
    }
}

/// Returns a value as JSON. Numbers that JSON cannot represent are text.
fn value_to_json(value: &Value<'_>) -> Json {
    let number = |number: &f64| {
        serde_json::Number::from_f64(*number).map_or_else(|| Json::String(number.to_string()), Json::Number)
    };
    match value {
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Int(number) => Json::from(*number),
        Value::Float(float) => number(float),
        Value::Flags(word, _) | Value::Code(word, _) => Json::from(*word),
        Value::Numbers(numbers) => Json::Array(numbers.iter().map(number).collect()),
        Value::Any(values) => Json::Array(values.iter().map(value_to_json).collect()),
        other => Json::String(other.to_string()),
    }
}

#[cfg(all(test, feature = "obj"))]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Two meshes.
    const OBJ: &[u8] = b"o floor\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no wall\nf 3 2 1\nf 1 2 3\n";

    fn list(query: &str, fields: &[&str]) -> ObjectList {
        let options = ListOptions::default().with_fields(fields.iter().map(|&field| field.to_owned()).collect());
        ObjectList::new(AnyDocument::from_bytes(OBJ).unwrap(), &query.parse().unwrap(), options).unwrap()
    }

    fn rows(list: &ObjectList) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        let Ok(()) = list.visit_rows(&list.fields(), |row| {
            rows.push(row);
            Ok::<(), Infallible>(())
        });
        rows
    }

    fn json(list: &ObjectList) -> Json {
        let mut out = Vec::new();
        list.write_json(&mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn rows_have_the_wanted_fields() {
        let list = list("kind=mesh", &["name", "faces"]);
        assert_eq!(rows(&list), [["floor", "1"], ["wall", "2"]]);
        assert_eq!(json(&list), serde_json::json!([{"name": "floor", "faces": 1}, {"name": "wall", "faces": 2}]));
    }

    #[test]
    fn default_fields_are_those_that_objects_have() {
        let list = list("name=wall", &[]);
        assert_eq!(list.fields(), DEFAULT_FIELDS);
        assert_eq!(rows(&list)[0][..2], ["mesh", "wall"]);
        // JSON has all fields.
        assert_eq!(json(&list)[0]["faces"], 2);
    }

    #[test]
    fn all_fields_are_those_of_the_vocabulary() {
        let list = list("name=wall", &["*"]);
        assert!(list.fields().contains(&"faces".to_owned()) && list.unknown().is_empty(), "{:?}", list.fields());
    }

    #[test]
    fn unknown_fields_values_and_numbers_are_listed() {
        let parts = |query, fields| {
            let unknown = list(query, fields).unknown().to_vec();
            unknown.into_iter().map(|unknown| (unknown.part, unknown.problem)).collect::<Vec<_>>()
        };
        let unknown = parts("kind=mush", &["nmae"]);
        assert_eq!(unknown.iter().map(|(part, _)| part.as_str()).collect::<Vec<_>>(), ["kind=mush", "nmae"]);
        assert!(unknown[0].1.contains("mesh") && unknown[1].1.contains("name"), "{unknown:?}");
        for query in ["#7", "not #7", "kind=mesh and #7"] {
            assert_eq!(parts(query, &[]), [(query.to_owned(), format!("{query}: objects of obj have no numbers"))]);
        }
    }

    #[test]
    fn a_failing_function_ends_the_visit() {
        let mut visited = 0;
        let result = list("kind=mesh", &[]).visit(|_| {
            visited += 1;
            Err("enough")
        });
        assert_eq!((result, visited), (Err("enough"), 1));
    }
}
