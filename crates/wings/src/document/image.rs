//! Images of the scene.

use mapwright_etf::{List, Term, Tree};

use super::props::build;
use super::{Model, PropList, value_tree};
use crate::WriteError;

/// An image: `{Id,Properties}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The id that maps refer to. An integer in all known files; Wings accepts any term.
    pub id: Tree,
    /// `name` and either the pixels or a `filename`.
    pub props: PropList,
}

/// Location of the pixels of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImageSource {
    /// In this file.
    Embedded {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Bytes per pixel: 1 grey (or alpha, with `mask_size` 1), 2 grey and alpha, 3 RGB, 4 RGBA.
        samples: u8,
        /// Bytes of alpha per pixel. Missing in files of about 2003.
        mask_size: Option<u8>,
        /// Rows from the bottom up, without padding. If the size is wrong, Wings shows a black pixel.
        pixels: Vec<u8>,
    },
    /// In another file.
    External {
        /// The absolute path on the author's machine, in the form of any operating system.
        path: String,
    },
}

impl Image {
    /// Returns the name.
    pub fn name(&self) -> String {
        self.text("name").unwrap_or_default()
    }

    /// Returns the location of the pixels, if the properties specify one.
    pub fn source(&self) -> Option<ImageSource> {
        if let Some(path) = self.text("filename") {
            return Some(ImageSource::External { path });
        }
        let integer = |key: &str| self.props.get(key).and_then(Term::as_i64);
        Some(ImageSource::Embedded {
            width: u32::try_from(integer("width")?).ok()?,
            height: u32::try_from(integer("height")?).ok()?,
            samples: u8::try_from(integer("samples_per_pixel")?).ok()?,
            mask_size: integer("mask_size").and_then(|size| u8::try_from(size).ok()),
            pixels: self.props.get("pixels")?.as_binary()?.to_vec(),
        })
    }

    /// Creates an image.
    ///
    /// # Errors
    /// None: any content can be encoded.
    pub fn new(id: i64, name: &str, source: &ImageSource) -> Result<Self, WriteError> {
        let mut props = PropList::default();
        props.set("name", &build(|term| term.text(name))?)?;
        match source {
            ImageSource::External { path } => props.set("filename", &build(|term| term.text(path))?)?,
            ImageSource::Embedded { width, height, samples, mask_size, pixels } => {
                let mut integer = |key: &str, value: u32| props.set(key, &build(|term| term.integer(value.into()))?);
                integer("width", *width)?;
                integer("height", *height)?;
                integer("samples_per_pixel", (*samples).into())?;
                if let Some(size) = mask_size {
                    integer("mask_size", (*size).into())?;
                }
                props.set("pixels", &build(|term| term.binary(pixels))?)?;
            }
        }
        Ok(Self { id: build(|term| term.integer(id))?, props })
    }

    /// Reads a string, which is a list of code points or a binary.
    fn text(&self, key: &str) -> Option<String> {
        let term = self.props.get(key)?;
        let list = term.as_list().and_then(List::to_text);
        list.or_else(|| Some(String::from_utf8_lossy(term.as_binary()?).into_owned()))
    }
}

impl Model {
    /// Returns the images of the scene. Entries that are not `{Id,Properties}` are skipped.
    pub fn images(&self) -> Vec<Image> {
        self.props.entries("images", |entry| {
            let [id, props] = entry.as_tuple_of()?;
            Some(Image { id: value_tree(id), props: PropList::read(props.as_list()?)? })
        })
    }

    /// Sets the images of the scene.
    ///
    /// # Errors
    /// None for images that were read or created.
    pub fn set_images(&mut self, images: &[Image]) -> Result<(), WriteError> {
        self.props.set_entries("images", images, |term, image| {
            term.tuple(2);
            term.copy(image.id.root());
            image.props.emit(term);
        })
    }
}
