//! `mapwright render`

use std::io;

use mapwright::render::{Area, Error, Layers, Picture, RenderOptions, Scale, Things, View, to_png};
use mapwright::{AnyDocument, Format};
use serde::Serialize;

use super::{json_line, output, with_document_of};
use crate::args::{Global, Render, RenderView};
use crate::batch::{self, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand};
use crate::out::say;
use crate::text::clean;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    file: String,
    format: Format,
    output: Option<String>,
    width: u32,
    height: u32,
    scale: String,
    from: [i64; 2],
    size: [u32; 2],
    layers: usize,
    sprites: usize,
    marks: usize,
}

pub(crate) fn run(args: &Render, global: &Global) -> io::Result<Exit> {
    let items = expand(&args.inputs.files);
    let places = output::places(&args.output, &items, Some("png"));
    let places = places.and_then(|places| match global.json && places.contains(&None) {
        true => Err(output::wrong("--json and the picture cannot both go to standard output")),
        false => Ok(places),
    });
    let places = match places {
        Ok(places) => places,
        Err(failure) => {
            say(failure.text());
            return Ok(failure.exit);
        }
    };
    let options = options(args);
    batch::run(&items, global, "odd", |index, item| {
        let takes = |format: Format| format.has_tiles();
        with_document_of(item, args.inputs.from, global, takes, |input, document| {
            let place = places.get(index).cloned().flatten();
            let drawn = draw(item, document, &options).and_then(|(picture, png)| {
                let data = output::put(item, place.as_deref(), png, &args.output)?;
                Ok((picture, data))
            });
            let (picture, mut data) = match drawn {
                Ok(drawn) => drawn,
                Err(failure) => return Outcome::failed(&failure),
            };
            let Picture { width, height, scale, from, size, layers, sprites, marks, .. } = picture;
            let output = place.map(|path| path.display().to_string());
            let mut talk = String::new();
            if global.json {
                let (schema, file, scale) = ("mapwright.render/1", item.name(), scale.to_string());
                let format = input.format;
                let report =
                    Report { schema, file, format, output, width, height, scale, from, size, layers, sprites, marks };
                data = json_line(&report).into_bytes();
            } else if let Some(output) = output.filter(|_| !global.quiet) {
                talk = clean(&format!("{}: {output}, {width} × {height} pixels, scale {scale}", item.name())) + "\n";
            }
            Outcome { data, talk, ..Outcome::done(String::new()) }
        })
    })
}

fn options(args: &Render) -> RenderOptions {
    let (view, things) = match args.view {
        RenderView::Composed => (View::Level, Things::Drawn),
        RenderView::Tiles => (View::Numbers, Things::Hidden),
        RenderView::Collision => (View::Collision, Things::Hidden),
        RenderView::Objects => (View::Objects, Things::Marked),
    };
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
    let scale = args.scale.map_or(Scale::Fit(args.fit), Scale::Exactly);
    RenderOptions::default().with_view(view).with_things(things).with_layers(layers).with_area(area).with_scale(scale)
}

fn draw(item: &Item, document: AnyDocument, options: &RenderOptions) -> Result<(Picture, Vec<u8>), Box<Failure>> {
    let import = document.into_scene().map_err(|error| Failure::new(&item.name(), &error))?;
    let mut png = Vec::new();
    let picture = to_png(&import.scene, options, &mut png).map_err(|error| {
        let (category, exit) = match error {
            Error::Nothing => ("unsupported", Exit::Unsupported),
            _ => ("usage", Exit::Usage),
        };
        let failure = Failure::other(&item.name(), category, exit, error.to_string());
        match error.help() {
            Some(help) => failure.with_help(help),
            None => failure,
        }
    })?;
    Ok((picture, png))
}
