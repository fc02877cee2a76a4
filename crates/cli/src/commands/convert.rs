//! `mapwright convert`

mod output;
mod plan;
mod report;

use std::ffi::OsStr;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use mapwright::io::format_count;
use mapwright::{AnyDocument, Conversion, ConvertOptions, Error, Format, SaveOptions, convert, save};

use super::output::skipped;
use super::{
    LEVEL_IMAGES_HELP, is_skipped_part, item_options, level_path, referenced_files, take_document, warn, with_input,
};
use crate::args::{Convert, Global};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use output::Saver;
use plan::Target;
use report::Facts;

pub(crate) fn run(args: &Convert, global: &Global) -> io::Result<Exit> {
    let (items, targets): (Vec<Item>, Vec<Target>) = match plan::plan(args, global) {
        Ok(plan) => plan.into_iter().unzip(),
        Err(failure) => return failure.print(global),
    };
    let read = items.iter().zip(&targets).filter(|(_, target)| !target.is_earlier_output);
    let mut saver = Saver::new(args, read.map(|(item, _)| item.disk_path()).chain(global.content_archives()));
    if let Some(path) = &args.report
        && (saver.is_protected(path) || targets.iter().any(|target| target.path.as_ref() == Some(path)))
    {
        let failure = output::overwrite_failure(&Item::new(path), path);
        return failure.print(global);
    }
    if let Some(path) = &args.report
        && let Err(error) = check_report(path, args.output.force)
    {
        let failure = Failure::new(&path.display().to_string(), &error);
        return failure.print(global);
    }
    let mut report = String::new();
    let mut all_known = false;
    let converted = |index, item: &Item| convert_file(item, targets.get(index)?, args, global);
    // Results are saved in the order of the inputs, so that the result does not depend on timing.
    let exit = batch::run_in_turn(&items, global, None, converted, |index, item, made, _| {
        let outcome = match (made, targets.get(index)) {
            (Some(Ok(mut made)), Some(target)) => {
                let later = items.get(index + 1..).unwrap_or_default();
                let folders = later.iter().filter_map(|item| item.path.parent());
                let folders = folders.chain(global.content_paths.iter().map(PathBuf::as_path));
                if !all_known && saver.replaces_old(target, &made.conversion.files, folders) {
                    all_known = true;
                    protect_later(later, global, |at, item| converted(index + 1 + at, item), &mut saver);
                }
                save_converted(item, target, &mut made, &mut saver, global, items.len() > 1)
                    .unwrap_or_else(|failure| Outcome::failed(&failure))
            }
            (Some(Err(outcome)), _) => outcome,
            _ => Outcome::silent(Sort::Unknown),
        };
        report += &outcome.line;
        Ok(outcome)
    })?;
    Ok(match save_report(&saver, &report) {
        Ok(()) => exit,
        Err(failure) => {
            failure.print(global)?;
            exit.max(failure.exit)
        }
    })
}

/// Checks the path of a report, before anything is written.
fn check_report(path: &Path, force: bool) -> Result<(), Error> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let error = match () {
        () if path.is_file() && !force => return Err(Error::Exists(path.to_owned())),
        () if path.is_dir() => std::io::ErrorKind::IsADirectory,
        () if folder.is_some_and(|folder| !folder.is_dir()) => std::io::ErrorKind::NotFound,
        () => return Ok(()),
    };
    Err(Error::Save { path: path.to_owned(), error: error.into() })
}

/// The result of a conversion that is not saved yet.
struct Converted {
    from: Format,
    /// The warning about the name of the input, or an empty string.
    warning: String,
    conversion: Conversion,
    /// The other files that were read for the input.
    beside: Vec<PathBuf>,
}

fn convert_file(item: &Item, target: &Target, args: &Convert, global: &Global) -> Option<Result<Converted, Outcome>> {
    if target.is_earlier_output {
        return Some(Err(Outcome::silent(Sort::Output)));
    }
    if let Some(outcome) = skipped(&args.output, target.path.as_deref()) {
        return Some(Err(outcome));
    }
    let mut options = item_options(item, global);
    args.heightmaps.read(target.format, &mut options);
    let converted = with_input(
        item,
        args.inputs.from,
        &options,
        |format| {
            let is_ground = |format: Format| format.is_terrain() || format.is_heightmap() || format.is_image();
            // A folder with maps of the ground may be that of a level with textures.
            let suits_target = !format.is_image() || is_ground(target.format);
            suits_target && format.converts_to(target.format)
        },
        |input| {
            if let Some((option, what)) = args.heightmaps.misplaced(Some(input.format), target.format) {
                let message = format!("{option} applies to {what}, not to {} → {}", input.format, target.format);
                return Ok(Err(Outcome::failed(&Failure::other(&item.name(), "usage", Exit::Usage, message))));
            }
            if args.to.is_none() && target.is_txt() && !matches!(input.format, Format::Vmap | Format::Dmx) {
                let message = format!("cannot write {} files as .txt", input.format);
                let failure = Failure::other(&item.name(), "usage", Exit::Usage, message);
                return Ok(Err(Outcome::failed(&failure.with_help("use --to kv2 for a Source 2 map as text"))));
            }
            if !input.format.converts_to(target.format) {
                // An archive is an input of its own only if it is damaged.
                if input.format == Format::Rez {
                    AnyDocument::from_bytes_as(&input.bytes, input.format, &options)?;
                }
                return Ok(Err(Outcome::failed(&impossible(item, input.format, target.format))));
            }
            let document = take_document(item, input, &options)?;
            if is_skipped_part(item, &document) {
                return Ok(Err(Outcome::silent(Sort::Unsupported)));
            }
            let files = options.files();
            let content = item.content(&global.content);
            let mut beside = document.side_files().to_vec();
            // Files that the conversion does not read, such as sounds, have no extension of its target.
            let replaced = target.path.as_deref().filter(|path| args.output.force && path.is_file());
            let is_usual = |path: &Path| {
                let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
                target.format.info().extensions.iter().any(|usual| usual.eq_ignore_ascii_case(extension))
            };
            if replaced.is_some_and(|path| !is_usual(path)) {
                beside.extend(referenced_files(item, &document, global));
            }
            let mut converting = convert_options(args, target, global).with_content(content.clone());
            converting.level = level_path(item, global);
            let conversion = match convert(document, target.format, &files, &converting) {
                Err(error) if target.format.is_image() && !input.format.is_image() => {
                    let help = format!("to draw the file, use `mapwright render {} -o {}`", item.name(), target.name());
                    return Ok(Err(Outcome::failed(&Failure::new(&item.name(), &error).with_help(&help))));
                }
                Err(error @ Error::Empty { .. }) if input.format == Format::Wwd => {
                    let help = match content.is_empty() {
                        true => LEVEL_IMAGES_HELP.to_owned(),
                        false => "`mapwright check` with the same --content lists the images that it lacks".to_owned(),
                    };
                    let help = help + "; --allow-empty writes the file anyway";
                    return Ok(Err(Outcome::failed(&Failure::new(&item.name(), &error).with_help(&help))));
                }
                conversion => conversion?,
            };
            beside.append(&mut files.into_loaded());
            beside.extend_from_slice(&conversion.read);
            let warning = warn(item, input, global.quiet);
            Ok(Ok(Converted { from: input.format, warning, conversion, beside }))
        },
    );
    Some(converted.and_then(|converted| converted))
}

/// Returns the failure for a conversion between formats that have nothing in common.
fn impossible(item: &Item, from: Format, to: Format) -> Box<Failure> {
    let message = format!("cannot convert {from} to {to}");
    let failure = Failure::other(&item.name(), "unsupported", Exit::Unsupported, message);
    let names = |is_one: &dyn Fn(Format) -> bool| {
        Format::available().filter(|format| is_one(*format)).map(Format::name).collect::<Vec<_>>().join(", ")
    };
    let sources = names(&|format| format != to && format.converts_to(to));
    let targets = names(&|format| format != from && from.converts_to(format));
    match (sources.as_str(), targets.as_str()) {
        ("", "") => failure,
        (sources, "") => failure.with_help(&format!("{to} can be written from {sources}")),
        (_, targets) => failure.with_help(&format!("{from} can be converted to {targets}")),
    }
}

/// Protects the files that later inputs refer to. Those inputs are read twice, because keeping all of them would need too much memory.
fn protect_later(
    later: &[Item],
    global: &Global,
    converted: impl Fn(usize, &Item) -> Option<Result<Converted, Outcome>> + Sync,
    saver: &mut Saver<'_>,
) {
    let beside = |at, item: &Item| item.path.is_file().then(|| Some(converted(at, item)?.ok()?.beside)).flatten();
    batch::process_in_order(later, global, &beside, |_, _, made| {
        if let Some(Some(files)) = made {
            saver.protect(files);
        }
        ControlFlow::Continue(())
    });
}

/// Saves the result of a conversion and reports it.
fn save_converted(
    item: &Item,
    target: &Target,
    made: &mut Converted,
    saver: &mut Saver<'_>,
    global: &Global,
    is_batch: bool,
) -> Result<Outcome, Box<Failure>> {
    let Converted { from, conversion, .. } = made;
    let args = saver.args;
    saver.protect_read(item, &made.beside)?;
    if let Some(path) = target.path.as_ref().filter(|_| target.format == Format::Obj && !args.dry_run) {
        for (old, new) in saver.separate_images(path, &mut conversion.files) {
            let text = format!("image {old:?} renamed to {new:?}: another input has an image of this name");
            conversion.losses.approximated("", text);
        }
    }
    let lost = conversion.losses.lost_count();
    let lossless = lost == 0;
    let refused = args.strict && !lossless;
    let mut data = Vec::new();
    if !refused && !args.dry_run {
        match &target.path {
            Some(path) => saver.save(item, path, &conversion.files)?,
            None => data.extend_from_slice(output::single_output(item, &conversion.files)?),
        }
    } else if let Some(path) = target.path.as_ref().filter(|path| saver.is_protected(path)) {
        return Err(output::overwrite_failure(item, path));
    }
    let facts = Facts { item, from: *from, target, conversion, args, refused, is_verbose: global.verbose };
    let mut messages = made.warning.clone();
    if refused {
        let message = format!("{} with --strict", format_count(lost, "loss"));
        messages += &Failure::other(&item.name(), "losses", Exit::Losses, message).text();
    }
    if !global.quiet {
        messages += &if is_batch { report::line(&facts) } else { report::summary(&facts) };
        if global.verbose {
            messages += &report::losses(&facts);
        }
    }
    let sort = match (refused, lossless) {
        (true, _) => Sort::Failed(Exit::Losses),
        (false, true) => Sort::Done,
        (false, false) => Sort::WithLosses,
    };
    Ok(Outcome { data, line: report::json(&facts), messages, sort })
}

fn convert_options(args: &Convert, target: &Target, global: &Global) -> ConvertOptions {
    let stem = target.path.as_deref().and_then(Path::file_stem);
    let limits = global.limits.conversion();
    let mut options = limits
        .with_stem(stem.map_or("scene".into(), |stem| stem.to_string_lossy()))
        .with_scale(args.scale)
        .with_only(args.only.clone())
        .with_exclude(args.exclude.clone())
        .with_hidden(args.hidden)
        .with_keep_hidden_faces(args.keep_hidden_faces);
    options.source_up = args.source_up.map(Into::into);
    options.target_up = args.target_up.map(Into::into);
    options.allow_empty = args.allow_empty;
    options.triangulate = args.triangulate;
    options.bake_boxes = args.bake_boxes;
    args.formats.apply(target.path.as_deref(), &mut options);
    args.heightmaps.convert(&mut options);
    options
}

fn save_report(saver: &Saver<'_>, lines: &str) -> Result<(), Box<Failure>> {
    let Some(path) = &saver.args.report else { return Ok(()) };
    let item = Item::new(path);
    if saver.is_protected(path) {
        return Err(output::overwrite_failure(&item, path));
    }
    let saved = save(path, lines.as_bytes(), SaveOptions::default().with_overwrite(saver.args.output.force));
    saved.map_err(|error| Failure::new(&item.name(), &error))
}
