//! `mapwright render --html`

use std::io::Write;
use std::path::PathBuf;

use mapwright::content::missing_files_legend;
use mapwright::info::Info;
use mapwright::page::{Page, PageOptions, Source};
use mapwright::render::{Drawing, Error, RenderInfo};
use mapwright::{AnyDocument, ConvertOptions, Drawable, Input, ReadOptions};

use super::Ready;
use crate::inputs::Item;
use crate::progress::Progress;

/// The facts about a file that a page shows in addition to its scene.
pub(super) struct Facts {
    info: Info,
    bytes: usize,
    reading: ReadOptions,
    limits: ConvertOptions,
}

impl Facts {
    pub(super) fn new(input: &Input, document: &AnyDocument, reading: &ReadOptions, limits: ConvertOptions) -> Self {
        let (info, bytes) = (document.info(Some(&reading.files())), input.bytes.len());
        Self { info, bytes, reading: reading.clone(), limits }
    }
}

/// An image or a page that is ready to be written.
pub(super) enum Work<'a> {
    Image { drawing: Box<Drawing<'a>>, progress: Progress },
    Page { page: Box<Page>, read: Vec<PathBuf> },
}

/// Counts of a written page.
pub(super) struct Drawn {
    pub(super) image: RenderInfo,
    pub(super) objects: Option<usize>,
    pub(super) model: Option<usize>,
}

impl From<RenderInfo> for Drawn {
    fn from(image: RenderInfo) -> Self {
        Self { image, objects: None, model: None }
    }
}

impl<'a> Work<'a> {
    pub(super) fn new(item: &Item, ready: &'a Ready) -> Result<Self, Error> {
        let Drawable { scene, render, imported, losses, missing, .. } = &ready.drawable;
        let Some(Facts { info, bytes, reading, limits }) = &ready.facts else {
            let mut drawing = Drawing::new(scene, render)?;
            drawing.check_visible()?;
            let RenderInfo { width, height, .. } = drawing.info();
            let progress = Progress::for_image(width, height, ready.shows_progress);
            return Ok(Self::Image { drawing: Box::new(drawing), progress });
        };
        let name = item.path.file_name().map_or_else(|| item.name(), |name| name.to_string_lossy().into_owned());
        let name = if item.is_stdin() { item.name() } else { name };
        let mut all = imported.clone();
        all.append(losses.clone());
        let missing = missing_files_legend(missing);
        let source = Source { name: &name, bytes: *bytes, info, scene, losses: &all, missing: &missing };
        let files = reading.files();
        let mut page = PageOptions::default().with_render(render.clone());
        page.max_model_bytes = page.max_model_bytes.min(usize::try_from(limits.max_output).unwrap_or(usize::MAX));
        let page = page.with_max_items(limits.max_items).with_max_image_bytes(limits.max_pixel_bytes);
        let page = Page::new(&source, &files, &page)?;
        let read = files.into_loaded();
        Ok(Self::Page { page: Box::new(page), read })
    }

    /// Returns the files that were read for the page.
    pub(super) fn read(&self) -> &[PathBuf] {
        match self {
            Self::Image { .. } => &[],
            Self::Page { read, .. } => read,
        }
    }

    pub(super) fn write(self, out: impl Write) -> Result<Drawn, Error> {
        match self {
            Self::Image { drawing, progress } => {
                let written = drawing.write_png_with(out, |rows| progress.set_position(rows));
                progress.finish();
                written.map(Drawn::from)
            }
            Self::Page { page, .. } => {
                page.write_to(out).map_err(Error::Write)?;
                Ok(Drawn { image: page.image(), objects: Some(page.objects()), model: page.model_bytes() })
            }
        }
    }
}
