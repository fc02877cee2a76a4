//! `mapwright convert`

mod output;
mod plan;
mod report;

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use mapwright::io::format_count;
use mapwright::{
    AnyDocument, ArtFolder, Conversion, ConvertOptions, FilesBeside, Format, SaveOptions, TextureFolder, convert, save,
};

use super::output::skipped;
use super::{item_options, open_art, open_textures, suits_art, warn, with_input};
use crate::args::{Convert, Global};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::out::print_message;
use output::Saver;
use plan::Target;
use report::Facts;

/// The folders that the command line names.
struct Folders {
    art: Option<ArtFolder>,
    textures: Option<TextureFolder>,
}

impl Folders {
    fn open(args: &Convert) -> Result<Self, Box<Failure>> {
        Ok(Self { art: open_art(args.formats.assets.as_deref())?, textures: open_textures(args.textures.as_deref())? })
    }
}

pub(crate) fn run(args: &Convert, global: &Global) -> io::Result<Exit> {
    let planned = Folders::open(args).and_then(|folders| Ok((plan::plan(args, global)?, folders)));
    let ((items, targets), folders): ((Vec<Item>, Vec<Target>), _) = match planned {
        Ok((plan, folders)) => (plan.into_iter().unzip(), folders),
        Err(failure) => {
            print_message(failure.text());
            return Ok(failure.exit);
        }
    };
    let mut saver = Saver::new(args, &items);
    if let Some(path) = &args.report
        && (saver.is_protected(path) || targets.iter().any(|target| target.path.as_ref() == Some(path)))
    {
        let failure = output::overwrite_failure(&Item { path: path.clone(), folder: None }, path);
        print_message(failure.text());
        return Ok(failure.exit);
    }
    if let Some(path) = &args.report
        && !args.output.force
        && path.is_file()
    {
        let failure = Failure::new(&path.display().to_string(), &mapwright::Error::Exists(path.clone()));
        print_message(failure.text());
        return Ok(failure.exit);
    }
    let mut report = String::new();
    let mut all_known = false;
    let converted = |index, item: &Item| convert_file(item, targets.get(index)?, args, &folders, global);
    // Results are saved in the order of the inputs, so that the result does not depend on timing.
    let exit = batch::run_in_turn(&items, global, None, converted, |index, item, made, _| {
        let outcome = match (made, targets.get(index)) {
            (Some(Ok(mut made)), Some(target)) => {
                if !all_known && saver.replaces_beside(target, &made.conversion.files) {
                    all_known = true;
                    let later = items.get(index + 1..).unwrap_or_default();
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
            print_message(failure.text());
            exit.max(failure.exit)
        }
    })
}

/// The result of a conversion that is not saved yet.
struct Converted {
    from: Format,
    /// The warning about the name of the input, or an empty string.
    warning: String,
    conversion: Conversion,
    /// The files that were read beside the input.
    beside: Vec<PathBuf>,
}

fn convert_file(
    item: &Item,
    target: &Target,
    args: &Convert,
    folders: &Folders,
    global: &Global,
) -> Option<Result<Converted, Outcome>> {
    if let Some(outcome) = skipped(&args.output, target.path.as_deref()) {
        return Some(Err(outcome));
    }
    let mut options = item_options(item, global);
    args.heightmaps.read(target.format, &mut options);
    let converted = with_input(
        item,
        args.inputs.from,
        &options,
        |format| format.converts_to(target.format) && suits_art(folders.art.as_ref(), format),
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
            let document = AnyDocument::from_bytes_as(&input.bytes, input.format, &options)?;
            let files = FilesBeside::new(&options);
            let mut beside = document.side_files().to_vec();
            let mut converting = convert_options(args, target, global);
            converting.art.clone_from(&folders.art);
            converting.textures.clone_from(&folders.textures);
            let conversion = convert(document, target.format, &files, &converting)?;
            beside.append(&mut files.into_loaded());
            let warning = warn(item, input, global.quiet);
            Ok(Ok(Converted { from: input.format, warning, conversion, beside }))
        },
    );
    Some(converted.and_then(|converted| converted))
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
    let mut talk = made.warning.clone();
    if refused {
        let message = format!("{} with --strict", format_count(lost, "loss"));
        talk += &Failure::other(&item.name(), "losses", Exit::Losses, message).text();
    }
    if !global.quiet {
        talk += &if is_batch { report::line(&facts) } else { report::summary(&facts) };
        if global.verbose {
            talk += &report::losses(&facts);
        }
    }
    let sort = match (refused, lossless) {
        (true, _) => Sort::Failed(Exit::Losses),
        (false, true) => Sort::Done,
        (false, false) => Sort::WithLosses,
    };
    Ok(Outcome { data, line: report::json(&facts), talk, sort })
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
    let item = Item { path: path.clone(), folder: None };
    if saver.is_protected(path) {
        return Err(output::overwrite_failure(&item, path));
    }
    let saved = save(path, lines.as_bytes(), SaveOptions::default().with_overwrite(saver.args.output.force));
    saved.map_err(|error| Failure::new(&item.name(), &error))
}
