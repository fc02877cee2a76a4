//! `mapwright query`

mod lists;

use std::convert::Infallible;
use std::io::{self, Write};

use mapwright::query::{DEFAULT_FIELDS, ListOptions, ObjectList as Objects, QueryError, UnknownPart, default_fields};
use mapwright::{AnyDocument, Error, Format};
use serde::Serialize;

use super::{item_options, json_line, output, referenced_files, warning_line, with_document_of, with_input};
use crate::args::{Global, ObjectList, Output, Query};
use crate::batch::{self, Outcome, Sort};
use crate::encoding;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand};
use crate::out::{self, Out, print_message};
use crate::table::{csv, table};
use crate::text::clean;
use lists::{Centres, Elevation, has_lists, read_centres};

/// The start of the JSON line of a file, which its items follow.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    file: String,
    format: Format,
}

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
    /// Fields and values that no object of the file can have.
    unknown: Vec<UnknownPart>,
}

enum Content {
    /// The objects, which are printed one by one. All of them as text could take much more memory.
    Objects(Box<Objects>),
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
                        Outcome::failed(&Failure::other(&item.name(), "usage", Exit::Usage, unknown[0].problem.clone()))
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
                        let messages =
                            losses.iter().filter(|_| !global.quiet).map(|loss| warning_line(&item.name(), loss));
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
        let mut unknown: Option<Vec<UnknownPart>> = None;
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
                if let ([_], [first, ..]) = (items.as_slice(), found.unknown.as_slice()) {
                    let failure = Failure::other(&item.name(), "usage", Exit::Usage, first.problem.clone());
                    return Ok(Outcome::failed(&failure));
                }
                let known = unknown.get_or_insert_with(|| found.unknown.clone());
                known.retain(|known| found.unknown.iter().any(|own| own.part == known.part));
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
        if let Some(first) = unknown.iter().flatten().next() {
            let exit = Failure::usage(&first.problem).print(global)?;
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
        let Content::Objects(list) = &found.content else { return Ok(()) };
        if let Some(ObjectList::Json) = self.list {
            let report = Report { schema: "mapwright.query/1", file: item.name(), format: list.format() };
            return write_json(&report, list, out);
        }
        list.visit_rows(&found.fields, |row| {
            out.write_all(csv(&[self.with_name(item, row)], self.args.csv.is_safe()).as_bytes())
        })
    }

    /// Returns the fields to show of a file. A table of one file has only columns that its objects have, under the names that JSON has.
    fn fields(&self, list: &Objects) -> Vec<String> {
        if !self.args.fields.is_empty() || !self.is_named() {
            return list.fields();
        }
        let usual = match self.are_terrains {
            true => default_fields(Format::Wrp, self.list.is_none()),
            false => &DEFAULT_FIELDS,
        };
        usual.iter().copied().map(str::to_owned).collect()
    }

    fn find(&self, item: &Item) -> Result<Found, Outcome> {
        let options = item_options(item, self.global);
        let takes = |format: Format| format.access().import;
        with_input(item, self.args.from, &options, takes, |input| -> Result<Result<Found, Outcome>, Error> {
            let document = AnyDocument::from_bytes_as(&input.bytes, input.format, &options)?;
            out::protect(|| referenced_files(item, &document, self.global));
            let query = match self.query(input.format) {
                Ok(query) => query,
                Err(error) => return Ok(Err(Outcome::failed(&Failure::usage(error)))),
            };
            let shown = ListOptions::default().with_fields(self.args.fields.clone()).with_origin(self.args.origin);
            let list = Objects::new(document, &query, shown.with_is_short(self.list.is_none()))?;
            let (fields, unknown) = (self.fields(&list), list.unknown().to_vec());
            let content = if self.list.is_some() {
                Content::Objects(Box::new(list))
            } else {
                let mut rows = Vec::new();
                let Ok(()) = list.visit_rows(&fields, |row| {
                    let mut row = self.with_name(item, row);
                    row.iter_mut().for_each(crate::table::cut);
                    rows.push(row);
                    Ok::<(), Infallible>(())
                });
                Content::Rows(rows)
            };
            Ok(Ok(Found { content, fields, unknown }))
        })?
    }

    /// Returns a row that begins with the name of the file, if rows do.
    fn with_name(&self, item: &Item, row: Vec<String>) -> Vec<String> {
        self.is_named().then(|| item.name()).into_iter().chain(row).collect()
    }
}

/// Returns `true` if `--fields '*'` selects all fields.
fn has_all_fields(args: &Query) -> bool {
    args.fields == ["*"]
}

/// Writes the line of a file, object by object.
fn write_json(report: &Report, list: &Objects, out: &mut impl Write) -> io::Result<()> {
    let line = json_line(report);
    write!(out, "{},\"items\":", line.trim_end().trim_end_matches('}'))?;
    list.write_json(out)?;
    out.write_all(b"}\n")
}
