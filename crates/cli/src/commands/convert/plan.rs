//! What is written where.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use mapwright::Format;

use crate::args::{Convert, Global};
use crate::commands::output::{below, no_output, not_one, wrong};
use crate::failure::Failure;
use crate::inputs::{Item, expand};

/// Where a file goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The path; `None` is standard output, or no_output in a dry run.
    pub(super) path: Option<PathBuf>,
    pub(super) format: Format,
    /// Another file that goes to the same place.
    pub(super) taken_by: Option<PathBuf>,
}

impl Target {
    /// The name in messages.
    pub(super) fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| "standard output".to_owned(), |path| path.display().to_string())
    }
}

/// All files with their targets, before anything is read.
pub(super) fn plan(args: &Convert, global: &Global) -> Result<Vec<(Item, Target)>, Box<Failure>> {
    let plan = targets(args, global)?;
    // All have one format.
    if let Some((_, target)) = plan.first() {
        applicable(args, target.format)?;
    }
    Ok(plan)
}

/// Whether options are for what is written.
fn applicable(args: &Convert, to: Format) -> Result<(), Box<Failure>> {
    let text = to == Format::KeyValues2;
    let options = [
        ("--text-style", args.text_style.is_some(), text, "KeyValues2 text"),
        ("--line-end", args.line_end.is_some(), text, "KeyValues2 text"),
        ("--dialect", args.dialect.is_some(), to == Format::Wmp, "Gamestudio maps"),
        ("--variant", args.variant.is_some(), to == Format::Wrp, "terrains"),
        ("--bake-boxes", args.bake_boxes, matches!(to, Format::Glb | Format::Gltf), "glTF"),
        ("--map-format", args.map_format.is_some(), text || to == Format::Vmap, "maps"),
    ];
    let misplaced = options.iter().find(|(_, given, applies, _)| *given && !applies);
    match misplaced.map(|(option, .., what)| (*option, *what)).or_else(|| args.heightmaps.misplaced(None, to)) {
        Some((option, what)) => Err(wrong(&format!("{option} is for {what}, and {to} is to be written"))),
        None => Ok(()),
    }
}

fn targets(args: &Convert, global: &Global) -> Result<Vec<(Item, Target)>, Box<Failure>> {
    let (files, output) = match (&args.output, &args.dir, args.inputs.files.as_slice()) {
        // As with cp: one file, and what becomes of it. With --to or --dry-run its name need not say anything, and a second
        // file is as likely meant as one more input.
        (None, None, [input, output]) if args.to.is_none() && !args.dry_run => {
            (std::slice::from_ref(input), Some(output))
        }
        (output, _, files) => (files, output.as_ref()),
    };
    if args.report.as_deref() == Some(Path::new("-")) {
        return Err(wrong("a report is a file").with_help("--json prints the same to standard output"));
    }
    let items = expand(files);
    match (output, &args.dir) {
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
            let target = Target { path: None, format: args.to.unwrap_or(Format::Glb), taken_by: None };
            Ok(items.into_iter().map(|item| (item, target.clone())).collect())
        }
        (None, None) => Err(no_output(files)),
    }
}

fn single(output: &Path, to: Option<Format>) -> Result<Target, Box<Failure>> {
    if output.as_os_str() == "-" {
        let format =
            to.ok_or_else(|| wrong("standard output has no name that says the format").with_help("--to FORMAT"))?;
        return Ok(Target { path: None, format, taken_by: None });
    }
    let named = Format::from_path(output);
    if let (Some(to), Some(named)) = (to, named)
        && to != named
        && !to.suits(output)
    {
        let message = format!("the name {} says {named}, and --to says {to}", output.display());
        return Err(wrong(&message).with_help("leave --to out, or write to another name"));
    }
    let format = to.or(named).ok_or_else(|| {
        let names: Vec<&str> = Format::available().filter(|format| format.access().export).map(Format::name).collect();
        wrong(&format!("the name {} does not say the format", output.display()))
            .with_help(&format!("--to FORMAT, where FORMAT is one of {}", names.join(", ")))
    })?;
    Ok(Target { path: Some(output.to_owned()), format, taken_by: None })
}

/// Files keep their places below the folders that were named.
fn several(
    items: Vec<Item>,
    folder: &Path,
    to: Option<Format>,
    from: Option<Format>,
) -> Result<Vec<(Item, Target)>, Box<Failure>> {
    let format = to.ok_or_else(|| wrong("-d does not say the format").with_help("--to FORMAT"))?;
    let extension = format.info().extensions.first().copied().unwrap_or(format.name());
    // Who writes to a place: of a map, its backup and its resolved form the map, else the first.
    let mut taken: HashMap<PathBuf, usize> = HashMap::new();
    let mut plan: Vec<(Item, PathBuf, bool)> = Vec::with_capacity(items.len());
    let written = folder.canonicalize().ok();
    for item in items {
        let path = below(folder, &item, Some(extension));
        if written.as_deref().is_some_and(|written| is_written(&item, &path, written)) {
            continue;
        }
        // A folder holds all sorts of files, which take no places.
        let claims = item.folder.is_none() || from.is_some() || item.is_convertible(format);
        let holder = taken.get(&path).and_then(|at| plan.get(*at));
        if claims && holder.is_none_or(|(other, ..)| is_main(&item.path) && !is_main(&other.path)) {
            taken.insert(path.clone(), plan.len());
        }
        plan.push((item, path, claims));
    }
    let other = |at: usize, path: &PathBuf| {
        let holder = *taken.get(path).filter(|holder| **holder != at)?;
        plan.get(holder).map(|(item, ..)| item.path.clone())
    };
    let others: Vec<_> =
        plan.iter().enumerate().map(|(at, (_, path, claims))| claims.then(|| other(at, path)).flatten()).collect();
    let target = |((item, path, _), taken_by)| (item, Target { path: Some(path), format, taken_by });
    Ok(plan.into_iter().zip(others).map(target).collect())
}

/// Whether a file has the usual extension of its format.
fn is_main(path: &Path) -> bool {
    let usual = Format::from_path(path).and_then(|format| format.info().extensions.first());
    usual.zip(path.extension()).is_some_and(|(usual, extension)| extension.eq_ignore_ascii_case(usual))
}

/// Whether a file of a folder is what an earlier run wrote, and so no input of this one: it is where it would be written
/// itself, or the folder that is written into lies within the one that is read.
fn is_written(item: &Item, target: &Path, written: &Path) -> bool {
    let (Some(Ok(root)), Ok(path)) = (item.folder.as_ref().map(|root| root.canonicalize()), item.path.canonicalize())
    else {
        return false;
    };
    let is_within = path.starts_with(written) && !root.starts_with(written);
    is_within || target.canonicalize().is_ok_and(|target| target == path)
}
