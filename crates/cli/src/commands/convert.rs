//! `mapwright convert`

mod plan;
mod put;
mod report;

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use mapwright::{
    AnyDocument, ConvertOptions, Error, FilesBeside, Format, Input, ReadOptions, SaveOptions, convert, save,
};

use super::{open_failure, read_options, warn};
use crate::args::{Convert, Global};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::out::say;
use plan::Target;
use put::Saver;
use report::Facts;

pub(crate) fn run(args: &Convert, global: &Global) -> io::Result<Exit> {
    let (items, targets): (Vec<Item>, Vec<Target>) = match plan::plan(args, global) {
        Ok(plan) => plan.into_iter().unzip(),
        Err(failure) => {
            say(failure.text());
            return Ok(failure.exit);
        }
    };
    let saver = Saver::new(args);
    // The lines of the report in the order of the files.
    let lines = Mutex::new(vec![String::new(); items.len()]);
    let exit = batch::run(&items, global, "odd", |index, item| {
        let Some(target) = targets.get(index) else { return Outcome::skipped() };
        let Done { mut outcome, report } = one(item, target, &saver, global, items.len() > 1);
        if global.json {
            outcome.data.extend_from_slice(report.as_bytes());
        }
        if let Some(place) = lines.lock().unwrap_or_else(PoisonError::into_inner).get_mut(index) {
            *place = report;
        }
        outcome
    })?;
    let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner).concat();
    Ok(match save_report(args, &lines) {
        Ok(()) => exit,
        Err(failure) => {
            say(failure.text());
            exit.max(Exit::Io)
        }
    })
}

/// What became of one file.
struct Done {
    outcome: Outcome,
    /// The line of the report.
    report: String,
}

impl Done {
    fn failed(failure: &Failure) -> Self {
        Self { outcome: Outcome::failed(failure, false), report: failure.json() }
    }
}

fn one(item: &Item, target: &Target, saver: &Saver<'_>, global: &Global, is_batch: bool) -> Done {
    // Wings 3D keeps pictures as pixels.
    let options = read_options(global).with_path(&item.path).with_pixels(target.format == Format::Wings);
    if let Some(other) = &target.taken_by {
        let message = format!("{} comes of {} already", target.name(), other.display());
        let failure = Failure::other(&item.name(), "usage", Exit::Usage, message);
        return Done::failed(&failure.with_help("convert them into folders of their own"));
    }
    let input = match item.open(saver.args.inputs.from, &options) {
        Ok(input) => input,
        Err(Error::UnknownFormat) if item.folder.is_some() => {
            return Done { outcome: Outcome::skipped(), report: String::new() };
        }
        Err(error) => return Done::failed(&open_failure(item, &error)),
    };
    done(item, &input, target, saver, &options, is_batch, global.quiet).unwrap_or_else(|failure| Done::failed(&failure))
}

fn done(
    item: &Item,
    input: &Input,
    target: &Target,
    saver: &Saver<'_>,
    options: &ReadOptions,
    is_batch: bool,
    quiet: bool,
) -> Result<Done, Box<Failure>> {
    let args = saver.args;
    let conversion = AnyDocument::from_bytes_as(&input.bytes, input.format, options)
        .and_then(|it| convert(&it, target.format, &FilesBeside::new(options), &convert_options(args, target)))
        .map_err(|error| Failure::new(&item.name(), &error).with_bytes(&input.bytes, input.format, options))?;
    let lossless = conversion.losses.is_empty();
    let refused = args.strict && !lossless;
    let mut data = Vec::new();
    if !refused && !args.dry_run {
        match &target.path {
            Some(path) => saver.save(item, path, &conversion.files)?,
            None => data.extend_from_slice(put::alone(item, &conversion.files)?),
        }
    }
    let facts = Facts { item, from: input.format, target, conversion: &conversion, args, refused };
    let mut talk = warn(item, input, quiet);
    if refused {
        let message = format!("{} losses, and --strict allows none", conversion.losses.len());
        talk += &Failure::other(&item.name(), "losses", Exit::Losses, message).text();
    }
    if !quiet || refused {
        talk += &if is_batch { report::line(&facts) } else { report::summary(&facts) };
    }
    let sort = match (refused, lossless) {
        (true, _) => Sort::Failed(Exit::Losses),
        (false, true) => Sort::Done,
        (false, false) => Sort::WithLosses,
    };
    Ok(Done { outcome: Outcome { data, talk, sort }, report: report::json(&facts) })
}

fn convert_options(args: &Convert, target: &Target) -> ConvertOptions {
    let stem = target.path.as_deref().and_then(Path::file_stem);
    ConvertOptions::default()
        .with_stem(stem.map_or("scene".into(), |stem| stem.to_string_lossy()))
        .with_scale(args.scale)
        .with_source_up(args.source_up.into())
        .with_target_up(args.target_up.into())
        .with_only(args.only.clone())
        .with_hidden(args.hidden)
}

fn save_report(args: &Convert, lines: &str) -> Result<(), Box<Failure>> {
    let Some(path) = &args.report else { return Ok(()) };
    let saved = save(path, lines.as_bytes(), SaveOptions::default().with_overwrite(args.force));
    saved.map_err(|error| put::failure(&Item { path: path.clone(), folder: None }, &error))
}
