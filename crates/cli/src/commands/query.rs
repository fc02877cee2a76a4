//! `mapwright query`

use std::io::{self, Write};

use mapwright::query::{DocumentObjects, Fields, Objects as _, QueryError, Selection, Value};
use mapwright::{AnyDocument, Error, Format};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{item_options, json_line, with_input};
use crate::args::{Global, Query};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{self, expand};
use crate::out::{Out, print_message};
use crate::table::{csv, table};
use crate::text::clean;

/// The start of the JSON line of a file, which its items follow.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    file: String,
    format: Format,
}

/// The default fields.
const FIELDS: [&str; 6] = ["class", "name", "x", "y", "z", "key"];

/// The result for one file.
struct Found {
    content: Content,
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
    let fields: Vec<&str> = match args.fields.is_empty() {
        true => FIELDS.to_vec(),
        false => args.fields.iter().map(String::as_str).collect(),
    };
    let items = expand(&args.inputs.files);
    // With one file its name is not repeated in every row.
    let named = items.len() != 1;
    let head = named.then_some("file").into_iter().chain(fields.iter().copied()).map(str::to_owned).collect();
    let mut rows = vec![head];
    let mut has_head = false;
    // Fields and values that no file has are misspelled.
    let mut unknown: Option<Vec<(String, String)>> = None;
    let work = |_, item: &inputs::Item| find(item, args, &fields, named, global);
    let exit = batch::run_in_turn(&items, global, "odd", work, |_, item, found, out| {
        if let Ok(Found { unknown: own, .. }) = &found {
            let known = unknown.get_or_insert_with(|| own.clone());
            known.retain(|(field, _)| own.iter().any(|(own, _)| own == field));
        }
        match found.map(|found| found.content) {
            Ok(Content::Objects(format, objects, selection)) if global.json => {
                let report = Report { schema: "mapwright.query/1", file: item.name(), format };
                write_json(&report, &objects, &selection, args, out)?;
            }
            Ok(Content::Objects(_, objects, selection)) => {
                if !std::mem::replace(&mut has_head, true) {
                    out.write_all(csv(&rows, args.csv.is_safe()).as_bytes())?;
                }
                for_each_match(&objects, &selection, |object| {
                    let row = row(&item.name(), object, &fields, named);
                    out.write_all(csv(&[row], args.csv.is_safe()).as_bytes())
                })?;
            }
            Ok(Content::Rows(found)) => rows.extend(found),
            Err(outcome) => return Ok(outcome),
        }
        Ok(Outcome::silent(Sort::Done))
    })?;
    if exit == Exit::Ok
        && let Some((_, error)) = unknown.iter().flatten().next()
    {
        print_message(Failure::other("the command line", "usage", Exit::Usage, error.clone()).text());
        return Ok(Exit::Usage);
    }
    if global.json || has_head {
        return Ok(exit);
    }
    if rows.len() == 1 && !args.csv.is_wanted() {
        // Files that could not be read may have matching objects.
        if !global.quiet && exit == Exit::Ok {
            print_message(format_args!("no objects match {}\n", clean(&args.query.to_string())));
        }
        return Ok(exit);
    }
    let is_number = |column: usize| {
        let cells = rows.iter().skip(1).filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty());
        let mut cells = cells.peekable();
        cells.peek().is_some() && cells.all(|cell| cell.parse::<f64>().is_ok())
    };
    let mut out = Out::new();
    out.write_all(
        if args.csv.is_wanted() { csv(&rows, args.csv.is_safe()) } else { table(&rows, is_number) }.as_bytes(),
    )?;
    out.flush()?;
    Ok(exit)
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
    out: &mut Out,
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

fn find(item: &inputs::Item, args: &Query, fields: &[&str], named: bool, global: &Global) -> Result<Found, Outcome> {
    let options = item_options(item, global);
    let takes = |format: Format| format.access().import;
    with_input(item, args.inputs.from, &options, takes, |input| -> Result<Found, Error> {
        let objects = AnyDocument::from_bytes_as(&input.bytes, input.format, &options)?.into_objects()?;
        let vocabulary = objects.vocabulary();
        // Other files may have the fields and values that this one lacks.
        let (selection, mut problems) = args.query.bind_any(&vocabulary);
        let unknown = args.fields.iter().filter(|field| !vocabulary.contains(field));
        problems.extend(unknown.map(|field| vocabulary.unknown_field(field)));
        let unknown = problems.into_iter().map(|error| (subject(&error), error.to_string())).collect();
        let content = if global.json || args.csv.is_wanted() {
            Content::Objects(input.format, Box::new(objects), selection)
        } else {
            let mut rows = Vec::new();
            objects.visit(&mut |object| {
                if selection.matches(object) {
                    let mut row = row(&item.name(), object, fields, named);
                    row.iter_mut().for_each(crate::table::cut);
                    rows.push(row);
                }
            });
            Content::Rows(rows)
        };
        Ok(Found { content, unknown })
    })
}

/// Returns the part of a query that a file does not know.
fn subject(error: &QueryError) -> String {
    match error {
        QueryError::Value { field, value, .. } => format!("{field}={value}"),
        QueryError::UnknownField { field, .. } => field.clone(),
        error => error.to_string(),
    }
}

fn row(file: &str, object: &dyn Fields, fields: &[&str], named: bool) -> Vec<String> {
    let file = named.then(|| file.to_owned());
    let text = |field: &&str| object.get_by_name(field).map(|value| value.to_string()).unwrap_or_default();
    file.into_iter().chain(fields.iter().map(text)).collect()
}

/// Returns the fields that are asked for, or all.
fn object_to_json(object: &dyn Fields, args: &Query) -> Map<String, Json> {
    let field = |name: &str| Some((name.to_owned(), to_json(&object.get_by_name(name)?)));
    if !args.fields.is_empty() {
        return args.fields.iter().filter_map(|name| field(name)).collect();
    }
    let schema = object.schema();
    let own = (0..schema.len()).filter_map(|index| Some((schema.field(index)?.name, object.get(index)?)));
    let mut fields: Map<String, Json> = own.map(|(name, value)| (name.to_owned(), to_json(&value))).collect();
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
