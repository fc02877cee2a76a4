//! `mapwright query`

use std::io::{self, Write};

use mapwright::query::Item;
use mapwright::scene::{AxisChange, Scene, Value};
use mapwright::{AnyDocument, Error, Format};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{item_options, json_line, with_input};
use crate::args::{Global, Query};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::inputs::{self, expand};
use crate::out::{Out, say};
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
    what: What,
    /// The fields that no object of the file has.
    without: Vec<String>,
}

enum What {
    /// The scene, of which objects are printed one by one. All of them as text could take much more memory.
    Scene(Format, Box<Scene>, AxisChange),
    /// The rows of a table, cut to the width of its columns.
    Rows(Vec<Vec<String>>),
}

pub(crate) fn run(args: &Query, global: &Global) -> io::Result<Exit> {
    let fields: Vec<&str> = match args.fields.is_empty() {
        true => FIELDS.to_vec(),
        false => args.fields.iter().map(String::as_str).collect(),
    };
    let items = expand(&args.inputs.files);
    // Of one file the name is no news.
    let named = items.len() != 1;
    let head = named.then_some("file").into_iter().chain(fields.iter().copied()).map(str::to_owned).collect();
    let mut rows = vec![head];
    let mut has_head = false;
    // Fields that no file has are spelled wrongly, more often than not.
    let mut unknown: Option<Vec<String>> = None;
    let work = |_, item: &inputs::Item| find(item, args, &fields, named, global);
    let exit = batch::run_in_turn(&items, global, "odd", work, |_, item, found, out| {
        if let Ok(Found { without, .. }) = &found {
            let known = unknown.get_or_insert_with(|| without.clone());
            known.retain(|field| without.contains(field));
        }
        match found.map(|found| found.what) {
            Ok(What::Scene(format, scene, axes)) if global.json => {
                let report = Report { schema: "mapwright.query/1", file: item.name(), format };
                write_json(&report, args.query.items(&scene, axes).map(|found| object(&found, args, &fields)), out)?;
            }
            Ok(What::Scene(_, scene, axes)) => {
                if !std::mem::replace(&mut has_head, true) {
                    out.write_all(csv(&rows, args.csv.is_safe()).as_bytes())?;
                }
                for found in args.query.items(&scene, axes) {
                    let row = row(&item.name(), &found, &fields, named);
                    out.write_all(csv(&[row], args.csv.is_safe()).as_bytes())?;
                }
            }
            Ok(What::Rows(found)) => rows.extend(found),
            Err(outcome) => return Ok(outcome),
        }
        Ok(Outcome::silent(Sort::Done))
    })?;
    if !global.quiet && exit == Exit::Ok {
        for field in unknown.into_iter().flatten() {
            say(format_args!("nothing there has a field {} (--json shows all that there are)\n", clean(&field)));
        }
    }
    if global.json || has_head {
        return Ok(exit);
    }
    if rows.len() == 1 && !args.csv.is_wanted() {
        // Of what could not be read nobody knows.
        if !global.quiet && exit == Exit::Ok {
            say(format_args!("no objects match {}\n", clean(&args.query.to_string())));
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

/// Writes the line of a file, object by object.
fn write_json(report: &Report, items: impl Iterator<Item = Map<String, Json>>, out: &mut Out) -> io::Result<()> {
    let line = json_line(report);
    write!(out, "{},\"items\":[", line.trim_end().trim_end_matches('}'))?;
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *out, &item)?;
    }
    out.write_all(b"]}\n")
}

fn find(item: &inputs::Item, args: &Query, fields: &[&str], named: bool, global: &Global) -> Result<Found, Outcome> {
    let options = item_options(item, global);
    let takes = |format: Format| format.access().import;
    with_input(item, args.inputs.from, &options, takes, |input| -> Result<Found, Error> {
        let document = AnyDocument::from_bytes_as(&input.bytes, input.format, &options)?;
        let axes = document.format().axis_change();
        let scene = document.into_scene()?.scene;
        let mut without: Vec<String> = args.query.unknown_fields(&scene, axes).into_iter().map(str::to_owned).collect();
        let all = mapwright::Query::default();
        let is_known = |field: &String| {
            Item::COMMON.contains(&field.as_str()) || all.items(&scene, axes).any(|item| item.get(field).is_some())
        };
        let asked = args.fields.iter().filter(|field| !without.contains(field) && !is_known(field));
        without.extend(asked.cloned().collect::<Vec<_>>());
        let what = if global.json || args.csv.is_wanted() {
            What::Scene(input.format, Box::new(scene), axes)
        } else {
            let rows = args.query.items(&scene, axes).map(|found| {
                let mut row = row(&item.name(), &found, fields, named);
                row.iter_mut().for_each(crate::table::cut);
                row
            });
            What::Rows(rows.collect())
        };
        Ok(Found { what, without })
    })
}

fn row(file: &str, found: &Item<'_>, fields: &[&str], named: bool) -> Vec<String> {
    let file = named.then(|| file.to_owned());
    file.into_iter().chain(fields.iter().map(|field| found.text(field))).collect()
}

/// With the fields that are asked for, or all that there are.
fn object(found: &Item<'_>, args: &Query, fields: &[&str]) -> Map<String, Json> {
    let get = |field: &str| Some((field.to_owned(), json(&*found.get(field)?)));
    match args.fields.is_empty() {
        true => found.fields().iter().filter_map(|field| get(field)).collect(),
        false => fields.iter().filter_map(|field| get(field)).collect(),
    }
}

/// A number that JSON has no words for is text.
fn json(value: &Value) -> Json {
    match value {
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Int(number) => Json::from(*number),
        Value::Float(number) => {
            serde_json::Number::from_f64(*number).map_or_else(|| Json::String(number.to_string()), Json::Number)
        }
        Value::Text(text) => Json::String(text.clone()),
        Value::Bytes(bytes) => Json::String(mapwright::io::escape_bytes(bytes).to_string()),
        Value::List(values) => Json::Array(values.iter().map(json).collect()),
        Value::Map(pairs) => Json::Array(
            pairs.iter().map(|(name, value)| Json::Array(vec![Json::String(name.to_owned()), json(value)])).collect(),
        ),
    }
}
