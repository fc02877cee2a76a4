//! `mapwright render`

mod html;
mod sheet;

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use mapwright::content::missing_files_legend;
use mapwright::info::ReferenceInfo;
use mapwright::io::format_count;
use mapwright::page::image_scale;
use mapwright::render::{
    Area, Error as DrawError, Layers, Objects, Orbit, Parallax, RenderInfo, RenderOptions, Scale, Sides, View,
};
use mapwright::scene::{LossKind, Losses};
use mapwright::{AnyDocument, Drawable, Error, Format, save_with};
use serde::Serialize;

use html::{Drawn, Work};

use super::{
    LEVEL_IMAGES_HELP, is_skipped_part, item_options, json_line, level_path, output, unread_files_help, warn,
    warning_line, with_input,
};
use crate::args::{Global, Render, RenderParallax, RenderView};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand};
use crate::out::is_terminal;
use crate::text::clean;

/// Bytes that each pixel of an image counts against the limit of the output.
const BYTES_PER_PIXEL: u64 = 16;
/// The maximum number of losses that are printed for a file; --json has all.
const MAX_REPORTED_LOSSES: usize = 5;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    format: Format,
    output: Option<String>,
    width: u32,
    height: u32,
    scale: f64,
    from: [i64; 2],
    size: [u32; 2],
    layers: usize,
    sprites: usize,
    marks: usize,
    bodies: usize,
    boxes: usize,
    left_out: usize,
    cutaway_faces: usize,
    missing_textures: usize,
    tool_faces: usize,
    /// `None` for images of tiles and terrain.
    units_per_pixel: Option<f64>,
    /// The number of objects that a page lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    objects: Option<usize>,
    /// The size of the model of a page, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<usize>,
    /// The files that the image lacks.
    missing: Vec<ReferenceInfo>,
    /// The missing images of the game.
    losses: &'a Losses,
}

/// A file that can be drawn.
struct Ready {
    format: Format,
    /// The scene, with the options of drawing it.
    drawable: Drawable,
    /// `true` if a bar shows the progress of the image. It must be the only image of the command.
    shows_progress: bool,
    /// Facts for a page.
    facts: Option<html::Facts>,
    /// The warning about the name of the input, or an empty string.
    warning: String,
    /// `true` for a level whose images were not looked for.
    lacks_images: bool,
}

/// A file that is drawn already, or goes to standard output in its turn.
enum Made {
    Drawn(Outcome),
    Ready(Box<Ready>),
}

pub(crate) fn run(args: &Render, global: &Global) -> io::Result<Exit> {
    let items = expand(&args.inputs.files);
    if let Some(path) = &args.sheet {
        return sheet::run(path, &items, args, global);
    }
    let places = output::places(
        &args.output,
        &items,
        |_| Some(if args.html { "html" } else { "png" }),
        |item| item.has_format(Format::is_drawn),
    );
    let places = places.and_then(|places| match global.json && places.contains(&None) {
        true => Err(output::wrong("--json and the image cannot both go to standard output")),
        false => check_outputs(args, &items, &places, global)
            .and_then(|()| check_textures(args, &items, &places, global))
            .map(|()| places),
    });
    if let Ok(places) = &places
        && !args.html
        && places.contains(&None)
        && is_terminal()
    {
        let failure = output::wrong("the image is binary, and standard output is a terminal").with_help("use -o FILE");
        return failure.print(global);
    }
    let places = match places {
        Ok(places) => places,
        Err(failure) => return failure.print(global),
    };
    let options = options(args).with_max_pixels(global.limits.conversion().max_output / BYTES_PER_PIXEL);
    let work = |index: usize, item: &Item| {
        if let Some(outcome) = output::skipped(&args.output, places.get(index).and_then(Option::as_deref)) {
            return Err(outcome);
        }
        let mut ready = ready(item, args, &options, global)?;
        ready.shows_progress = items.len() == 1 && !global.quiet;
        let Some(path) = places.get(index).cloned().flatten() else { return Ok(Made::Ready(Box::new(ready))) };
        let image = save(item, &ready, &path, args).map_err(|failure| Outcome::failed(&failure))?;
        Ok(Made::Drawn(report(item, &ready, &image, Some(&path), global)))
    };
    batch::run_in_turn(&items, global, None, work, |_, item, made, out| {
        let ready = match made {
            Ok(Made::Ready(ready)) => ready,
            Ok(Made::Drawn(outcome)) | Err(outcome) => return Ok(outcome),
        };
        match Work::new(item, &ready).and_then(|work| work.write(out)) {
            Ok(made) => Ok(report(item, &ready, &made, None, global)),
            Err(DrawError::Write(error)) => Err(error),
            Err(error) => Ok(Outcome::failed(&failure(item, &error))),
        }
    })
}

/// Checks that no output replaces an input or has a misleading extension.
fn check_outputs(
    args: &Render,
    items: &[Item],
    places: &[Option<PathBuf>],
    global: &Global,
) -> Result<(), Box<Failure>> {
    let read: Vec<_> = items.iter().map(Item::disk_path).chain(global.content_archives()).collect();
    output::keep(&read, places)?;
    places.iter().flatten().try_for_each(|place| fits(place, args.html))
}

/// Checks that no image replaces a texture of any input. Inputs are read for that only if an image replaces a file where textures can be.
fn check_textures(
    args: &Render,
    items: &[Item],
    places: &[Option<PathBuf>],
    global: &Global,
) -> Result<(), Box<Failure>> {
    // Each input protects its own files, and no input refers to a page.
    if !args.output.force || args.html || items.len() < 2 {
        return Ok(());
    }
    let whole = |folder: &Path| if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.canonicalize().ok();
    let folders = items.iter().filter_map(|item| item.path.parent());
    let folders: HashSet<PathBuf> =
        folders.chain(global.content_paths.iter().map(PathBuf::as_path)).filter_map(whole).collect();
    let mut old = places.iter().flatten().filter_map(|place| place.canonicalize().ok());
    if !old.any(|old| folders.iter().any(|folder| old.starts_with(folder))) {
        return Ok(());
    }
    let options = options(args);
    // Standard input can be read only once, and refers to no files by default.
    let read = |_: usize, item: &Item| match item.is_stdin() {
        true => Vec::new(),
        false => ready(item, args, &options, global).map(|ready| ready.drawable.files).unwrap_or_default(),
    };
    let mut all = Vec::new();
    batch::process_in_order(items, global, &read, |_, _, read| {
        all.extend(read.unwrap_or_default());
        ControlFlow::Continue(())
    });
    output::keep(&all, places)
}

/// Refuses an output name whose extension contradicts the kind of output.
fn fits(place: &Path, is_page: bool) -> Result<(), Box<Failure>> {
    const IMAGE: &[&str] = &["png"];
    const PAGE: &[&str] = &["html", "htm"];
    let has = |names: &[&str]| {
        place.extension().is_some_and(|extension| names.iter().any(|name| extension.eq_ignore_ascii_case(name)))
    };
    let own_name = |extension| place.with_extension(extension).display().to_string();
    let (kind, help) = match is_page {
        false if has(PAGE) => ("images are written as PNG", format!("add --html, or use {}", own_name("png"))),
        _ if place.extension().is_none() => return Ok(()),
        false if !has(IMAGE) => ("images are written as PNG", format!("use {}", own_name("png"))),
        true if has(IMAGE) => ("pages are written as HTML", format!("omit --html, or use {}", own_name("html"))),
        true if !has(PAGE) => ("pages are written as HTML", format!("use {}", own_name("html"))),
        _ => return Ok(()),
    };
    Err(output::wrong(&format!("{}: {kind}", place.display())).with_help(&help))
}

fn ready(item: &Item, args: &Render, options: &RenderOptions, global: &Global) -> Result<Ready, Outcome> {
    let reading = item_options(item, global);
    let ready = with_input(item, args.inputs.from, &reading, Format::is_drawn, |input| {
        let document = AnyDocument::from_bytes_as(&input.bytes, input.format, &reading)?;
        if is_skipped_part(item, &document) {
            return Ok(Err(Outcome::silent(Sort::Unsupported)));
        }
        let limits = global.limits.conversion();
        let facts = args.html.then(|| html::Facts::new(input, &document, &reading, limits.clone()));
        let content = item.content(&global.content);
        let lacks_images = document.format() == Format::Wwd && content.is_empty();
        let is_tiled = matches!(document.format(), Format::Tmx | Format::Tmj);
        let has_files_beside = is_tiled || document.as_scene_file().is_some();
        let mut converting = limits.with_content(content);
        converting.level = level_path(item, global);
        let mut drawable = document.into_drawable(options.clone(), &converting)?;
        let Drawable { scene, render, imported, losses, missing, .. } = &mut drawable;
        // Data of missing files, such as an image of tiles, is not drawn. A page lists all losses of reading.
        for loss in imported.iter().filter(|loss| has_files_beside && facts.is_none() && loss.kind == LossKind::Dropped)
        {
            losses.push(loss.kind, loss.path.clone(), loss.text_with_count());
        }
        if facts.is_some() && args.fit.is_none() && args.scale.is_none() {
            render.scale = image_scale(scene);
        }
        // A page has a list of its own.
        if facts.is_none() && !args.no_marks {
            render.legend = missing_files_legend(missing);
        }
        let warning = warn(item, input, global.quiet);
        Ok(Ok(Ready { format: input.format, drawable, shows_progress: false, facts, warning, lacks_images }))
    });
    ready.and_then(|ready| ready)
}

/// Returns the first option that does not apply to the content.
fn idle(options: &RenderOptions, is_solid: bool) -> Option<&'static str> {
    match is_solid {
        true if options.parallax != Parallax::Still => Some("--parallax has no effect on 3D scenes"),
        true => (options.layers != Layers::All).then_some("--plane has no effect on 3D scenes"),
        false if options.orbit != Orbit::ISOMETRIC => {
            Some("--azimuth and --elevation have no effect on levels and terrains")
        }
        false => match options.sides {
            Sides::Front => Some("--cutaway has no effect on levels and terrains"),
            Sides::Both => Some("--closed has no effect on levels and terrains"),
            _ => None,
        },
    }
}

/// Reports an image.
fn report(item: &Item, ready: &Ready, made: &Drawn, place: Option<&Path>, global: &Global) -> Outcome {
    let Ready { format, drawable: Drawable { losses, render, missing, .. }, .. } = ready;
    let Drawn { image, objects, model } = *made;
    let output = place.map(|path| path.display().to_string());
    let mut outcome = Outcome { messages: ready.warning.clone(), ..Outcome::silent(Sort::Done) };
    if !global.quiet {
        for loss in losses.iter().take(MAX_REPORTED_LOSSES) {
            outcome.messages += &warning_line(&item.name(), loss);
        }
        if losses.len() > MAX_REPORTED_LOSSES {
            outcome.messages +=
                &warning_line(&item.name(), format!("and {} more like these", losses.len() - MAX_REPORTED_LOSSES));
        }
        for help in unread_files_help(losses).chain(ready.lacks_images.then_some(LEVEL_IMAGES_HELP)) {
            outcome.messages += &warning_line(&item.name(), help);
        }
        if let Some(idle) = idle(render, image.units_per_pixel.is_some()) {
            outcome.messages += &warning_line(&item.name(), idle);
        }
        if image.left_out > 0 {
            outcome.messages +=
                &warning_line(&item.name(), format!("not drawn: {} brushes, copies or faces", image.left_out));
        }
        if image.missing_textures > 0 {
            let textures = format_count(image.missing_textures, "texture");
            outcome.messages +=
                &warning_line(&item.name(), format!("not drawn: {textures}, missing, damaged or too large"));
        }
    }
    if global.json {
        outcome.line = json_line(&Report {
            schema: "mapwright.render/3",
            file: item.name(),
            format: *format,
            output,
            width: image.width,
            height: image.height,
            scale: f64::from(image.scale.numerator()) / f64::from(image.scale.denominator()),
            from: image.from,
            size: image.size,
            layers: image.layers,
            sprites: image.sprites,
            marks: image.marks,
            bodies: image.bodies,
            boxes: image.boxes,
            left_out: image.left_out,
            cutaway_faces: image.cutaway_faces,
            missing_textures: image.missing_textures,
            tool_faces: image.tool_faces,
            units_per_pixel: image.units_per_pixel,
            objects,
            model,
            missing: missing.iter().map(ReferenceInfo::from).collect(),
            losses,
        });
    } else if !global.quiet {
        let size = output.map(|output| {
            let RenderInfo { width, height, scale, .. } = image;
            format!("{output}, {width} × {height} pixels, scale {scale}")
        });
        let faces = format_count(image.cutaway_faces, "face");
        let inside =
            (image.cutaway_faces > 0).then(|| format!("without {faces} that hid the inside (--closed draws them)"));
        let faces = format_count(image.tool_faces, "face");
        let tools =
            (image.tool_faces > 0).then(|| format!("without {faces} that games do not draw (--tools draws them)"));
        let shape = if image.boxes == 1 { "a box" } else { "boxes" };
        let boxes = format!("{} missing, drawn as {shape}", format_count(image.boxes, "model"));
        let missing = (image.boxes > 0).then_some(boxes);
        let parts: Vec<String> = size.into_iter().chain(missing).chain(inside).chain(tools).collect();
        if !parts.is_empty() {
            outcome.messages += &(clean(&format!("{}: {}", item.name(), parts.join(", "))) + "\n");
        }
    }
    outcome
}

fn options(args: &Render) -> RenderOptions {
    let (view, objects) = match args.view {
        RenderView::Composed if args.no_marks => (View::Level, Objects::Sprites),
        RenderView::Composed => (View::Level, Objects::Drawn),
        RenderView::Tiles => (View::Numbers, Objects::Hidden),
        RenderView::Collision => (View::Collision, Objects::Hidden),
        RenderView::Relief => (View::Relief, Objects::Hidden),
        RenderView::Objects => (View::Objects, Objects::Marked),
        RenderView::Solid if args.no_marks => (View::Solid, Objects::Sprites),
        RenderView::Solid => (View::Solid, Objects::Drawn),
    };
    let isometric = Orbit::ISOMETRIC;
    let (azimuth, elevation) = (args.azimuth, args.elevation);
    // The command line takes no others.
    let orbit = Orbit::new(azimuth.unwrap_or(isometric.azimuth()), elevation.unwrap_or(isometric.elevation()));
    let layers = match args.plane.as_deref() {
        None => Layers::All,
        Some("#main") => Layers::Main,
        Some(name) => match name.strip_prefix('#').and_then(|index| index.parse().ok()) {
            Some(index) => Layers::At(index),
            None => Layers::Named(name.to_owned()),
        },
    };
    let area = match args.crop {
        Some([x, y, width, height]) => Area::Rectangle {
            from: [x, y],
            size: [width, height].map(|length| u32::try_from(length).unwrap_or_default()),
        },
        None => Area::Whole,
    };
    let fit = args.fit.map_or(Scale::Fit(4096), Scale::Fill);
    let scale = args.scale.map_or(fit, Scale::Exactly);
    let sides = match (args.cutaway, args.closed) {
        (true, _) => Sides::Front,
        (false, true) => Sides::Both,
        (false, false) => Sides::Open,
    };
    let options = RenderOptions::default().with_view(view).with_objects(objects).with_layers(layers);
    let options = options.with_area(area).with_scale(scale).with_orbit(orbit.unwrap_or_default()).with_sides(sides);
    let parallax = match args.parallax {
        RenderParallax::Still => Parallax::Still,
        RenderParallax::Camera => Parallax::Camera,
        RenderParallax::Stretched => Parallax::Stretched,
    };
    let options = options.with_hidden(args.hidden).with_tools(args.tools).with_parallax(parallax);
    match args.background {
        Some(color) => options.with_background(color),
        None => options,
    }
}

/// An error of drawing an image, or of saving it.
enum DrawOrSaveError {
    Save(Error),
    Draw(DrawError),
}

impl From<Error> for DrawOrSaveError {
    fn from(error: Error) -> Self {
        Self::Save(error)
    }
}

/// Draws into a file. Checks first that there is something to draw, so that no folder is created in vain.
fn save(item: &Item, ready: &Ready, path: &Path, args: &Render) -> Result<Drawn, Box<Failure>> {
    let work = Work::new(item, ready).map_err(|error| failure(item, &error))?;
    let read = [&ready.drawable.files, work.read()].concat();
    output::keep(&read, &[Some(path.to_owned())])?;
    let options = output::prepare(item, path, &args.output)?;
    save_with(path, options, |out| work.write(out).map_err(DrawOrSaveError::Draw)).map_err(|trouble| match trouble {
        DrawOrSaveError::Save(error) => Failure::new(&item.name(), &error),
        DrawOrSaveError::Draw(DrawError::Write(error)) => {
            Failure::new(&item.name(), &Error::Save { path: path.to_owned(), error })
        }
        DrawOrSaveError::Draw(error) => failure(item, &error),
    })
}

fn failure(item: &Item, error: &DrawError) -> Box<Failure> {
    let (category, exit, help) = match error {
        DrawError::Nothing | DrawError::OutOfRange { .. } | DrawError::NothingVisible { .. } => {
            ("unsupported", Exit::Unsupported, Some("`mapwright info` shows its contents"))
        }
        DrawError::TooManyPixels { .. } => (
            "limit",
            Exit::Limit,
            Some("draw it smaller with --fit or --scale, or raise the limit with --limit-output"),
        ),
        DrawError::NoView { .. } => ("unsupported", Exit::Unsupported, Some("draw it with --view composed")),
        DrawError::TooLarge { .. } | DrawError::TooComplex => {
            ("limit", Exit::Limit, Some("draw it smaller with --fit 4096 or --scale 1/8, or a part of it with --crop"))
        }
        _ => ("usage", Exit::Usage, error.help()),
    };
    let failure = Failure::other(&item.name(), category, exit, error.to_string());
    match help {
        Some(help) => failure.with_help(help),
        None => failure,
    }
}
