//! `mapwright query`

use std::io::{self, Write};

use mapwright::query::Item;
use mapwright::scene::Value;
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

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    file: String,
    format: Format,
    items: Vec<Map<String, Json>>,
}

/// What is shown unless it is said.
const FIELDS: [&str; 6] = ["class", "name", "x", "y", "z", "key"];

/// What a file has.
struct Found {
    what: What,
    /// The fields that nothing in it has, whether it is meant or not.
    without: Vec<String>,
}

enum What {
    Items(Format, Vec<Map<String, Json>>),
    Rows(Vec<Vec<String>>),
}

pub(crate) fn run(args: &Query, global: &Global) -> io::Result<Exit> {
    let fields: Vec<&str> = match args.fields.is_empty() {
        true => FIELDS.to_vec(),
        false => args.fields.iter().map(String::as_str).collect(),
    };
    let mut head = vec!["file".to_owned()];
    head.extend(fields.iter().map(|field| (*field).to_owned()));
    let mut rows = vec![head];
    let items = expand(&args.inputs.files);
    // Fields that no file has are spelled wrongly, more often than not.
    let mut unknown: Option<Vec<String>> = None;
    let work = |_, item: &inputs::Item| find(item, args, &fields, global);
    let exit = batch::run_in_turn(&items, global, "odd", work, |_, item, found, _| {
        if let Ok(Found { without, .. }) = &found {
            let known = unknown.get_or_insert_with(|| without.clone());
            known.retain(|field| without.contains(field));
        }
        Ok(match found.map(|found| found.what) {
            Ok(What::Items(format, items)) => {
                let report = Report { schema: "mapwright.query/1", file: item.name(), format, items };
                Outcome::done(json_line(&report))
            }
            Ok(What::Rows(found)) => {
                rows.extend(found);
                Outcome::silent(Sort::Done)
            }
            Err(outcome) => outcome,
        })
    })?;
    if !global.quiet && exit == Exit::Ok {
        for field in unknown.into_iter().flatten() {
            say(format_args!("nothing there has a field {} (--json shows all that there are)\n", clean(&field)));
        }
    }
    if global.json {
        return Ok(exit);
    }
    // Of one file the name is no news.
    if items.len() == 1 {
        rows.iter_mut().for_each(|row| drop(row.remove(0)));
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

fn find(item: &inputs::Item, args: &Query, fields: &[&str], global: &Global) -> Result<Found, Outcome> {
    let options = item_options(item, global);
    let takes = |format: Format| format.access().import;
    with_input(item, args.inputs.from, &options, takes, |input| -> Result<Found, Error> {
        let document = AnyDocument::from_bytes_as(&input.bytes, input.format, &options)?;
        let axes = document.format().axis_change();
        let scene = document.into_scene()?.scene;
        let found = args.query.items(&scene, axes);
        let what = match global.json {
            true => What::Items(input.format, found.map(|found| object(&found, args, fields)).collect()),
            false => What::Rows(found.map(|found| row(&item.name(), &found, fields)).collect()),
        };
        let mut without: Vec<String> = args.query.unknown_fields(&scene, axes).into_iter().map(str::to_owned).collect();
        let all = mapwright::Query::default();
        let is_known = |field: &String| {
            Item::COMMON.contains(&field.as_str()) || all.items(&scene, axes).any(|item| item.get(field).is_some())
        };
        let asked = args.fields.iter().filter(|field| !without.contains(field) && !is_known(field));
        without.extend(asked.cloned().collect::<Vec<_>>());
        Ok(Found { what, without })
    })
}

fn row(file: &str, found: &Item<'_>, fields: &[&str]) -> Vec<String> {
    let mut row = vec![file.to_owned()];
    row.extend(fields.iter().map(|field| found.text(field)));
    row
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
        Value::Bytes(bytes) => Json::String(mapwright::io::spell(bytes).to_string()),
        Value::List(values) => Json::Array(values.iter().map(json).collect()),
        Value::Map(pairs) => Json::Array(
            pairs.iter().map(|(name, value)| Json::Array(vec![Json::String(name.to_owned()), json(value)])).collect(),
        ),
    }
}
