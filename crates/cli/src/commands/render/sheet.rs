//! `mapwright render --sheet`: thumbnails of all files in one image.

use std::io;
use std::path::Path;

use mapwright::render::{Drawing, Error as DrawError, Scale, Sheet, Thumbnail};
use mapwright::{Error, SaveOptions, save_with};

use super::{DrawOrSaveError, check_outputs, failure, options, output, ready, report};
use crate::args::{Global, Render};
use crate::batch::{self, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::out::Out;

/// Draws all files, and writes the sheet once the last is on it.
pub(super) fn run(path: &Path, items: &[Item], args: &Render, global: &Global) -> io::Result<Exit> {
    let place = (path.as_os_str() != "-").then(|| path.to_owned());
    let start = match (&place, global.json) {
        (None, true) => Err(output::wrong("--json and the sheet cannot both go to standard output")),
        (Some(place), _) if place.exists() && !args.output.force => {
            Err(Failure::new(&place.display().to_string(), &Error::Exists(place.clone())))
        }
        _ => check_outputs(args, items, std::slice::from_ref(&place), global),
    };
    if let Err(failure) = start {
        return failure.print(global);
    }
    let mut sheet = Sheet::new(args.fit.unwrap_or(192));
    let cell = sheet.cell();
    let options = options(args).with_scale(Scale::Fill(cell));
    // Whole scenes do not wait for their turn.
    let work = |_: usize, item: &Item| {
        let mut ready = ready(item, args, &options, global)?;
        // Thumbnails are too small for it.
        ready.drawable.render.legend.clear();
        let drawing = Drawing::new(&ready.drawable.scene, &ready.drawable.render);
        let visible = drawing.and_then(|mut drawing| drawing.check_visible().map(|()| drawing));
        let drawing = visible.map_err(|error| Outcome::failed(&failure(item, &error)))?;
        let outcome = report(item, &ready, &drawing.info().into(), place.as_deref(), global);
        let thumbnail = Thumbnail::new(&item.relative_path().display().to_string(), cell, drawing);
        Ok((thumbnail, outcome, ready.drawable.files))
    };
    let mut read = Vec::new();
    let exit = batch::run_in_turn(items, global, None, work, |_, item, made, _| {
        let (thumbnail, outcome, files) = match made {
            Ok(made) => made,
            Err(outcome) => return Ok(outcome),
        };
        read.extend(files);
        if !sheet.add(thumbnail) {
            let message = format!("the sheet is full: it has room for {} images", Sheet::MAX_IMAGES);
            return Ok(Outcome::failed(&Failure::other(&item.name(), "limit", Exit::Limit, message)));
        }
        Ok(outcome)
    })?;
    if sheet.is_empty() {
        return Ok(exit);
    }
    let Some(place) = &place else {
        return match sheet.write_png(Out::new()) {
            Err(DrawError::Write(error)) => Err(error),
            _ => Ok(exit),
        };
    };
    if let Err(failure) = output::keep(&read, &[Some(place.clone())]) {
        return failure.print(global);
    }
    let saving = SaveOptions::default().with_overwrite(args.output.force);
    match save_with(place, saving, |out| sheet.write_png(out).map_err(DrawOrSaveError::Draw)) {
        Ok(_) => Ok(exit),
        Err(trouble) => {
            let error = match trouble {
                DrawOrSaveError::Save(error) => error,
                DrawOrSaveError::Draw(error) => Error::Save { path: place.clone(), error: io::Error::other(error) },
            };
            let failure = Failure::new(&place.display().to_string(), &error);
            failure.print(global)
        }
    }
}
