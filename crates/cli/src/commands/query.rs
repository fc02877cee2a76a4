//! `mapwright query`

mod lists;

use std::io::{self, Write};

use mapwright::query::{DocumentObjects, FieldType, Fields, Objects as _, QueryError, Selection, Value, Vocabulary};
use mapwright::{AnyDocument, Error, Format};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{item_options, json_line, output, warning_line, with_document_of, with_input};
use crate::args::{Global, ObjectList, Output, Query};
use crate::batch::{self, Outcome, Sort};
use crate::encoding;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand};
use crate::out::{Out, print_message};
use crate::table::{csv, table};
use crate::text::clean;
use lists::{COLUMNS, Centres, Elevation, has_lists};

pub(super) use lists::read_centres;

/// The start of the JSON line of a file, which its items follow.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    file: String,
    format: Format,
}

/// The default fields.
const FIELDS: [&str; 6] = ["class", "name", "x", "y", "z", "key"];

/// A query with the files that it searches.
struct Search<'a> {
    args: &'a Query,
    global: &'a Global,
    text: String,
    query: mapwright::Query,
    items: Vec<Item>,
    /// The format of the output; `None` is a table for people.
    list: Option<ObjectList>,
    centres: Centres,
    /// `true` if there are several inputs and all are terrains. Their tables contain all that a list for import needs.
    are_terrains: bool,
}

/// The result for one file.
struct Found {
    content: Content,
    /// The fields to show.
    fields: Vec<String>,
    /// Fields and values that no object of the file can have, with the error for each.
    unknown: Vec<(String, String)>,
}

enum Content {
    /// The objects, which are printed one by one. All of them as text could take much more memory.
    Objects(Format, Box<DocumentObjects>, Selection),
    /// The rows of a table, cut to the width of its columns.
    Rows(Vec<Vec<String>>),
}

pub(crate) fn run(args: &Query, global: &Global) -> io::Result<Exit> {
    let searched = Search::new(args, global).and_then(|search| {
        let is_exported = args.dir.is_some() || search.list.is_some_and(ObjectList::is_of_terrains);
        if is_exported { search.export() } else { Ok(search.print()) }
    });
    searched.unwrap_or_else(|failure| failure.print(global))
}

impl<'a> Search<'a> {
    fn new(args: &'a Query, global: &'a Global) -> Result<Self, Box<Failure>> {
        let (text, query, files) = args.query_and_files()?;
        let list = args.list(global.json)?;
        let centres = read_centres(args.centres.as_deref())?;
        let items = expand(&files);
        let is_terrain = |item: &Item| !item.is_stdin() && item.has_format(has_lists);
        let is_table = args.dir.is_none() && list.is_none_or(|list| matches!(list, ObjectList::Csv));
        if has_all_fields(args) && items.len() != 1 && is_table {
            let failure = output::wrong("a table with all fields takes one input");
            return Err(failure.with_help("use --json, or name the fields"));
        }
        if args.origin.is_some() && !items.iter().all(|item| item.is_stdin() || item.has_format(has_lists)) {
            return Err(output::wrong("--origin applies to terrains").with_help("leave it out"));
        }
        let are_terrains = items.len() != 1 && items.iter().all(is_terrain);
        Ok(Self { args, global, text, query, items, list, centres, are_terrains })
    }

    /// Writes a file for each input, or one list to standard output.
    fn export(&self) -> Result<io::Result<Exit>, Box<Failure>> {
        let Self { args, global, items, .. } = self;
        let Some(list) = self.list else {
            return Err(output::wrong("-d needs a format").with_help("add --as csv or --as json"));
        };
        let takes = |format: Format| match list.is_of_terrains() {
            true => has_lists(format),
            false => format.access().import,
        };
        let force = args.output.force;
        let to = Output { output: None, dir: args.dir.clone(), force, skip_existing: false };
        let places = match (&args.dir, items.len()) {
            (None, 1) => vec![None],
            (None, _) => {
                let message = format!("--as {} takes one input, and there are {}", list.name(), items.len());
                return Err(output::wrong(&message).with_help("use -d DIR for several"));
            }
            (Some(_), _) => output::places(&to, items, |_| Some(list.extension()), |item| item.has_format(takes))?,
        };
        let read = items.iter().map(Item::disk_path).chain(args.centres.clone());
        output::keep(&read.collect::<Vec<_>>(), &places)?;
        let elevation = if args.relative { Elevation::Relative } else { Elevation::Absolute };
        Ok(batch::run(items, global, None, |index, item| {
            let place = places.get(index).and_then(Option::as_deref);
            let save = |bytes: Vec<u8>, messages: String| match output::save_output(
                item,
                place,
                encoding::decode_bytes(bytes),
                &to,
            ) {
                Ok(data) => Outcome { data, messages, ..Outcome::done(String::new()) },
                Err(failure) => Outcome::failed(&failure),
            };
            if !list.is_of_terrains() {
                return match self.find(item) {
                    Ok(Found { unknown, .. }) if !unknown.is_empty() => {
                        Outcome::failed(&Failure::other(&item.name(), "usage", Exit::Usage, unknown[0].1.clone()))
                    }
                    Ok(found) => {
                        let mut bytes = Vec::new();
                        // Writing to memory does not fail.
                        let _ = self
                            .write_header(&found.fields, &mut bytes)
                            .and_then(|()| self.write(item, &found, &mut bytes));
                        save(bytes, String::new())
                    }
                    Err(outcome) => outcome,
                };
            }
            with_document_of(item, args.from, global, takes, |input, document| {
                let query = self.query(input.format).map_err(Failure::usage);
                let listed = query.and_then(|query| {
                    lists::list_objects(item, document, &query, (list, elevation, &self.centres, args.origin))
                });
                match listed {
                    Ok((bytes, losses)) => {
                        let messages = losses.iter().filter(|_| !global.quiet).map(|loss| warning_line(item, loss));
                        save(bytes, messages.collect())
                    }
                    Err(failure) => Outcome::failed(&failure),
                }
            })
        }))
    }

    /// Prints one table of all inputs, or a line of JSON for each.
    fn print(&self) -> io::Result<Exit> {
        let Self { global, items, .. } = self;
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut has_head = false;
        // Fields and values that no file has are misspelled.
        let mut unknown: Option<Vec<(String, String)>> = None;
        let processed = batch::process(
            items,
            global,
            |_, item| self.find(item),
            |_, item, found, out| {
                let mut found = match found {
                    Ok(found) => found,
                    Err(outcome) => return Ok(outcome),
                };
                // A single input has no output then, as every input that fails.
                if let ([_], [(_, error), ..]) = (items.as_slice(), found.unknown.as_slice()) {
                    return Ok(Outcome::failed(&Failure::other(&item.name(), "usage", Exit::Usage, error.clone())));
                }
                let known = unknown.get_or_insert_with(|| found.unknown.clone());
                known.retain(|(field, _)| found.unknown.iter().any(|(own, _)| own == field));
                if !std::mem::replace(&mut has_head, true) {
                    match self.list {
                        Some(_) => self.write_header(&found.fields, out)?,
                        None => rows.push(self.head(&found.fields)),
                    }
                }
                match &mut found.content {
                    Content::Rows(found) => rows.append(found),
                    Content::Objects(..) => self.write(item, &found, out)?,
                }
                Ok(Outcome::silent(Sort::Done))
            },
        )?;
        if let Some((_, error)) = unknown.iter().flatten().next() {
            let exit = Failure::usage(error).print(global)?;
            return if processed.exit() == Exit::Ok { Ok(exit) } else { processed.report(global, None) };
        }
        let exit = processed.report(global, None)?;
        if self.list.is_some() || rows.is_empty() {
            return Ok(exit);
        }
        if rows.len() == 1 {
            // Files that could not be read may have matching objects.
            if !global.quiet && exit == Exit::Ok {
                print_message(format_args!("no objects match {}\n", clean(&self.query.to_string())));
            }
            return Ok(exit);
        }
        let is_number = |column: usize| {
            let cells = rows.iter().skip(1).filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
            let mut cells = cells.peekable();
            cells.peek().is_some() && cells.all(|cell| cell.parse::<f64>().is_ok())
        };
        let mut out = Out::new();
        out.write_all(table(&rows, is_number).as_bytes())?;
        out.flush()?;
        Ok(exit)
    }

    /// Returns the query for documents of a format, with text in their encoding.
    fn query(&self, format: Format) -> Result<mapwright::Query, String> {
        encoding::encode(&self.text, format)?.parse().map_err(|error: QueryError| error.to_string())
    }

    /// Returns `true` if rows begin with the name of the file. With one file it is not repeated in every row.
    fn is_named(&self) -> bool {
        self.items.len() != 1 && self.args.dir.is_none()
    }

    fn head(&self, fields: &[String]) -> Vec<String> {
        self.is_named().then(|| "file".to_owned()).into_iter().chain(fields.iter().cloned()).collect()
    }

    fn write_header(&self, fields: &[String], out: &mut impl Write) -> io::Result<()> {
        match self.list {
            Some(ObjectList::Csv) => out.write_all(csv(&[self.head(fields)], self.args.csv.is_safe()).as_bytes()),
            _ => Ok(()),
        }
    }

    /// Writes the objects of a file as CSV or JSON.
    fn write(&self, item: &Item, found: &Found, out: &mut impl Write) -> io::Result<()> {
        let Content::Objects(format, objects, selection) = &found.content else { return Ok(()) };
        if let Some(ObjectList::Json) = self.list {
            let report = Report { schema: "mapwright.query/1", file: item.name(), format: *format };
            return write_json(&report, objects, selection, self.args, out);
        }
        for_each_match(objects, selection, |object| {
            let row = self.row(item, object, &found.fields);
            out.write_all(csv(&[row], self.args.csv.is_safe()).as_bytes())
        })
    }

    /// Returns the fields to show of a file. A table of one file has only columns that its objects have, under the names that JSON has.
    fn fields(&self, format: Format, vocabulary: &Vocabulary) -> Vec<String> {
        let is_terrain = self.are_terrains || (has_lists(format) && !self.is_named());
        let usual: &[&str] = match (is_terrain, self.list) {
            // The matrix is too long for people.
            (true, None) => COLUMNS.split_last().map_or(&[], |(_, columns)| columns),
            (true, Some(_)) => &COLUMNS,
            (false, _) => &FIELDS,
        };
        if self.args.fields.is_empty() && !self.is_named() {
            usual.iter().filter_map(|name| own_name(vocabulary, name)).collect()
        } else if self.args.fields.is_empty() {
            usual.iter().copied().map(str::to_owned).collect()
        } else {
            self.args.fields.clone()
        }
    }

    fn find(&self, item: &Item) -> Result<Found, Outcome> {
        let options = item_options(item, self.global);
        let takes = |format: Format| format.access().import;
        with_input(item, self.args.from, &options, takes, |input| -> Result<Result<Found, Outcome>, Error> {
            let objects = AnyDocument::from_bytes_as(&input.bytes, input.format, &options)?.into_objects()?;
            let vocabulary = objects.vocabulary();
            // Other files may have the fields and values that this one lacks.
            let query = match self.query(input.format) {
                Ok(query) => query,
                Err(error) => return Ok(Err(Outcome::failed(&Failure::usage(error)))),
            };
            let (selection, mut problems) = query.bind_any(&vocabulary);
            let has_all_fields = has_all_fields(self.args);
            let unknown = self.args.fields.iter().filter(|field| !has_all_fields && !vocabulary.contains(field));
            problems.extend(unknown.map(|field| vocabulary.unknown_field(field)));
            let mut unknown: Vec<_> = problems.into_iter().map(|error| (subject(&error), error.to_string())).collect();
            let number = self.text.trim();
            if number.starts_with('#') && lack_numbers(&objects) {
                unknown.push((number.to_owned(), format!("{number}: objects of {} have no numbers", input.format)));
            }
            let fields = match has_all_fields {
                true => vocabulary.names().into_iter().map(str::to_owned).collect(),
                false => self.fields(input.format, &vocabulary),
            };
            let content = if self.list.is_some() {
                Content::Objects(input.format, Box::new(objects), selection)
            } else {
                let mut rows = Vec::new();
                objects.visit(&mut |object| {
                    if selection.matches(object) {
                        let mut row = self.row(item, object, &fields);
                        row.iter_mut().for_each(crate::table::cut);
                        rows.push(row);
                    }
                });
                Content::Rows(rows)
            };
            Ok(Ok(Found { content, fields, unknown }))
        })?
    }

    fn row(&self, item: &Item, object: &dyn Fields, fields: &[String]) -> Vec<String> {
        let file = self.is_named().then(|| item.name());
        let text = |name: &String| {
            placed_value(object, name, self.args.origin).map(|value| value.to_string()).unwrap_or_default()
        };
        file.into_iter().chain(fields.iter().map(text)).collect()
    }
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

/// Returns `true` if `--fields '*'` selects all fields.
fn has_all_fields(args: &Query) -> bool {
    args.fields == ["*"]
}

/// Returns `true` if there are objects, and none of them has a number.
fn lack_numbers(objects: &DocumentObjects) -> bool {
    let (mut is_empty, mut has_number) = (true, false);
    objects.visit(&mut |object| {
        is_empty = false;
        has_number |= object.number().is_some();
    });
    !is_empty && !has_number
}

/// Returns the part of a query that a file does not know.
fn subject(error: &QueryError) -> String {
    match error {
        QueryError::Value { field, value, .. } => format!("{field}={value}"),
        QueryError::UnknownField { field, .. } => field.clone(),
        error => error.to_string(),
    }
}

/// Returns the value of a field on the map, if the options place the terrain there.
fn placed_value<'o>(object: &'o dyn Fields, name: &str, origin: Option<[f64; 2]>) -> Option<Value<'o>> {
    let value = shown_value(object, name)?;
    let (Some([east, north]), Value::Float(number)) = (origin, &value) else { return Some(value) };
    let offset = match object.schema().find(name).and_then(|index| object.schema().field(index)).map(|field| field.name)
    {
        Some("x") => east,
        Some("z") => north,
        _ => return Some(value),
    };
    // Without the rounding of a sum: positions have at most six decimals here.
    Some(Value::Float(((number + offset) * 1e6).round() / 1e6))
}

/// Returns the value of a field. Numbers of single precision become those of double precision with the same short text.
fn shown_value<'o>(object: &'o dyn Fields, name: &str) -> Option<Value<'o>> {
    let schema = object.schema();
    let is_single =
        schema.find(name).and_then(|index| schema.field(index)).is_some_and(|field| field.of == FieldType::F32);
    match object.get_by_name(name)? {
        #[allow(clippy::cast_possible_truncation)]
        Value::Float(number) if is_single => (number as f32).to_string().parse().ok().map(Value::Float),
        value => Some(value),
    }
}

/// Calls a function with each object that matches, until it fails.
fn for_each_match(
    objects: &DocumentObjects,
    selection: &Selection,
    mut work: impl FnMut(&dyn Fields) -> io::Result<()>,
) -> io::Result<()> {
    let mut result = Ok(());
    objects.visit(&mut |object| {
        if result.is_ok() && selection.matches(object) {
            result = work(object);
        }
    });
    result
}

/// Writes the line of a file, object by object.
fn write_json(
    report: &Report,
    objects: &DocumentObjects,
    selection: &Selection,
    args: &Query,
    out: &mut impl Write,
) -> io::Result<()> {
    let line = json_line(report);
    write!(out, "{},\"items\":[", line.trim_end().trim_end_matches('}'))?;
    let mut is_first = true;
    for_each_match(objects, selection, |object| {
        if !std::mem::replace(&mut is_first, false) {
            out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *out, &object_to_json(object, args))?;
        Ok(())
    })?;
    out.write_all(b"]}\n")
}

/// Returns the requested fields of an object as JSON, or all.
fn object_to_json(object: &dyn Fields, args: &Query) -> Map<String, Json> {
    let field = |name: &str| Some((name.to_owned(), to_json(&placed_value(object, name, args.origin)?)));
    if !args.fields.is_empty() && !has_all_fields(args) {
        return args.fields.iter().filter_map(|name| field(name)).collect();
    }
    let schema = object.schema();
    let mut fields: Map<String, Json> = schema.iter().filter_map(|own| field(own.name)).collect();
    for key in object.free_keys().iter().filter(|key| schema.find(key).is_none()) {
        if let Some(value) = object.get_free(key) {
            fields.entry(key.to_string()).or_insert_with(|| to_json(&value));
        }
    }
    fields
}

/// Returns a value as JSON. Numbers that JSON cannot represent are text.
fn to_json(value: &Value<'_>) -> Json {
    let number = |number: &f64| {
        serde_json::Number::from_f64(*number).map_or_else(|| Json::String(number.to_string()), Json::Number)
    };
    match value {
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Int(number) => Json::from(*number),
        Value::Float(float) => number(float),
        Value::Flags(word, _) | Value::Code(word, _) => Json::from(*word),
        Value::Numbers(numbers) => Json::Array(numbers.iter().map(number).collect()),
        Value::Any(values) => Json::Array(values.iter().map(to_json).collect()),
        other => Json::String(other.to_string()),
    }
}
