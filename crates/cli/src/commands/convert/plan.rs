//! The plan of a conversion: inputs with their outputs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use mapwright::query::suggestion;
use mapwright::{ForeignFormat, Format};

use crate::args::{Convert, Global};
use crate::commands::output::{distinct_paths, no_output, not_one, wrong};
use crate::failure::Failure;
use crate::inputs::{Item, expand};

/// The output of one input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The path; `None` for standard output, and in a dry run without a path.
    pub(super) path: Option<PathBuf>,
    pub(super) format: Format,
    /// `true` if the input is the output of an earlier run, and is skipped.
    pub(super) is_earlier_output: bool,
}

impl Target {
    /// Returns `true` for an output with the extension `.txt`, which many kinds of text have.
    pub(super) fn is_txt(&self) -> bool {
        self.path.as_ref().and_then(|path| path.extension()).is_some_and(|it| it.eq_ignore_ascii_case("txt"))
    }

    /// The name in messages.
    pub(super) fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| "standard output".to_owned(), |path| path.display().to_string())
    }
}

/// Returns all inputs with their outputs, before anything is read.
pub(super) fn plan(args: &Convert, global: &Global) -> Result<Vec<(Item, Target)>, Box<Failure>> {
    let plan = targets(args, global)?;
    // All outputs have one format.
    if let Some((_, target)) = plan.first() {
        applicable(args, target.format)?;
    }
    Ok(plan)
}

/// Checks that the options apply to the output format.
fn applicable(args: &Convert, to: Format) -> Result<(), Box<Failure>> {
    let is_baked = args.bake_boxes && !matches!(to, Format::Glb | Format::Gltf);
    let misplaced = args.formats.misplaced(to).or_else(|| args.heightmaps.misplaced(None, to));
    match misplaced.or(is_baked.then_some(("--bake-boxes", "glTF"))) {
        Some((option, what)) => Err(wrong(&format!("{option} applies to {what}, not to {to}"))),
        None => Ok(()),
    }
}

fn targets(args: &Convert, global: &Global) -> Result<Vec<(Item, Target)>, Box<Failure>> {
    let (files, output) = match (&args.output.output, &args.output.dir, args.inputs.files.as_slice()) {
        // As with cp: one input and its output. With --to or --dry-run, the second file may as well be another input.
        (None, None, [input, output]) if args.to.is_none() && !args.dry_run && (input.is_dir() || !output.is_dir()) => {
            (std::slice::from_ref(input), Some(output))
        }
        (output, _, files) => (files, output.as_ref()),
    };
    if args.report.as_deref() == Some(Path::new("-")) {
        return Err(wrong("--report needs a file").with_help("use --json to print the report to standard output"));
    }
    let items = expand(files);
    match (output, &args.output.dir) {
        (Some(_), _) if items.iter().all(Item::is_empty_folder) => Err(not_one(0)),
        (Some(output), _) => {
            let [item] = items.try_into().map_err(|items: Vec<Item>| not_one(items.len()))?;
            let target = single(output, args.to)?;
            if target.path.is_none() && global.json && !args.dry_run {
                return Err(wrong("--json and the file cannot both go to standard output"));
            }
            Ok(vec![(item, target)])
        }
        (None, Some(folder)) => several(items, folder, args.to, args.inputs.from),
        (None, None) if args.dry_run => {
            if let [input, output] = files
                && !input.is_dir()
                && !output.exists()
                && output.as_os_str() != "-"
            {
                let message = format!("{} does not exist: with --dry-run, all names are inputs", output.display());
                return Err(wrong(&message).with_help(&format!("use -o {} for the output", output.display())));
            }
            let target = Target { path: None, format: args.to.unwrap_or(Format::Glb), is_earlier_output: false };
            Ok(items.into_iter().map(|item| (item, target.clone())).collect())
        }
        (None, None) => Err(no_output(files)),
    }
}

fn single(output: &Path, to: Option<Format>) -> Result<Target, Box<Failure>> {
    if output.as_os_str() == "-" {
        let format = to.ok_or_else(|| wrong("standard output needs an output format").with_help("use --to FORMAT"))?;
        return Ok(Target { path: None, format, is_earlier_output: false });
    }
    let named = Format::from_path(output);
    if let (Some(to), Some(named)) = (to, named)
        && to != named
        && !to.suits(output)
    {
        let message = format!("the extension of {} is that of {named}, but --to is {to}", output.display());
        return Err(wrong(&message).with_help("omit --to, or use another name"));
    }
    let format = to.or(named).ok_or_else(|| unknown_output(output))?;
    Ok(Target { path: Some(output.to_owned()), format, is_earlier_output: false })
}

/// Returns the failure for an output name that selects no format.
fn unknown_output(output: &Path) -> Box<Failure> {
    let formats: Vec<Format> = Format::available().filter(|format| format.access().export).collect();
    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    let Some(extension) = output.extension().map(|extension| extension.to_string_lossy().into_owned()) else {
        return wrong(&format!("{} has no extension that selects the output format", output.display()))
            .with_help(&format!("add one, or use --to FORMAT: {}", names.join(", ")));
    };
    let is_one_of = |names: &[&str]| names.iter().any(|name| extension.eq_ignore_ascii_case(name));
    let page = if is_one_of(&["html", "htm"]) { "--html " } else { "" };
    if !page.is_empty() || is_one_of(&["jpg", "jpeg", "gif", "bmp", "webp", "svg", "pdf"]) {
        let output = if page.is_empty() { output.with_extension("png") } else { output.to_owned() };
        return wrong(&format!("cannot write .{extension}; supported: {}", names.join(", ")))
            .with_help(&format!("use `mapwright render {page}FILE -o {}` to draw a file", output.display()));
    }
    if let Some(foreign) = ForeignFormat::from_path(output) {
        let message = format!("cannot write .{extension} ({})", foreign.name);
        return match foreign.output_step {
            Some(step) => wrong(&message).with_help(step),
            None => {
                wrong(&format!("{message}; supported: {}", names.join(", "))).with_help("write one of these formats")
            }
        };
    }
    let failure = wrong(&format!("cannot write .{extension}; supported: {}", names.join(", ")));
    let extensions = formats.iter().flat_map(|format| format.info().extensions.iter().copied());
    match suggestion(&extension, extensions) {
        Some(similar) => failure.with_help(&format!("did you mean `.{similar}`?")),
        None => failure.with_help("use --to FORMAT to write a format under this name"),
    }
}

/// Plans a batch: every input gets a path of its own in the folder.
fn several(
    items: Vec<Item>,
    folder: &Path,
    to: Option<Format>,
    from: Option<Format>,
) -> Result<Vec<(Item, Target)>, Box<Failure>> {
    let format = to.ok_or_else(|| {
        let message = format!("output folder {} given without an output format", folder.display());
        wrong(&message).with_help("add --to FORMAT, such as --to glb")
    })?;
    let extension = format.info().extensions.first().copied().unwrap_or(format.name());
    let written = folder.canonicalize().ok();
    let first_paths = distinct_paths(folder, &items, |_| Some(extension), |_| false);
    let is_earlier =
        |item: &Item, path: &Path| written.as_deref().is_some_and(|written| is_written(item, path, written));
    let earlier = items.iter().zip(&first_paths).filter(|(item, path)| is_earlier(item, path));
    let earlier: HashSet<PathBuf> = earlier.map(|(item, _)| item.path.clone()).collect();
    // Folders contain all kinds of files; those that are skipped need no path.
    let is_converted = |item: &Item| {
        let is_readable = item.folder.is_none() || from.is_some() || item.is_convertible(format);
        is_readable && !earlier.contains(&item.path)
    };
    let paths = distinct_paths(folder, &items, |_| Some(extension), is_converted);
    let target = |(item, path): (Item, PathBuf)| {
        let is_earlier_output = earlier.contains(&item.path);
        (item, Target { path: Some(path), format, is_earlier_output })
    };
    Ok(items.into_iter().zip(paths).map(target).collect())
}

/// Returns `true` for a file of a folder that an earlier run wrote and that is not an input of this run: its output would replace it, or
/// the output folder lies within the input folder.
fn is_written(item: &Item, target: &Path, written: &Path) -> bool {
    let (Some(Ok(root)), Ok(path)) = (item.folder.as_ref().map(|root| root.canonicalize()), item.path.canonicalize())
    else {
        return false;
    };
    let is_within = path.starts_with(written) && !root.starts_with(written);
    is_within || target.canonicalize().is_ok_and(|target| target == path)
}
