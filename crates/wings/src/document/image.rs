//! Images of the scene.

use mapwright_etf::{List, Term, Tree};

use super::props::build;
use super::{Model, PropList, value_tree};
use crate::WriteError;

/// An image: `{Id,Properties}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The id that maps refer to: an integer in all real files, any term to Wings.
    pub id: Tree,
    /// `name` and either the pixels or a `filename`.
    pub props: PropList,
}

/// Where the picture is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImageSource {
    /// In the file.
    Embedded {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes per pixel: 1 grey (or alpha, with `mask_size` 1), 2 grey and alpha, 3 RGB, 4 RGBA.
        samples: u8,
        /// Bytes of alpha per pixel; missing in files of about 2003.
        mask_size: Option<u8>,
        /// Rows from the bottom up, without padding. Wings shows a black pixel unless the size is right.
        pixels: Vec<u8>,
    },
    /// In another file: the absolute path on the author's machine, of any system's form.
    External {
        /// The path.
        path: String,
    },
}

impl Image {
    /// The name.
    pub fn name(&self) -> String {
        self.text("name").unwrap_or_default()
    }

    /// Where the picture is; `None` if the properties do not say.
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

    /// An image made of its parts.
    ///
    /// # Errors
    /// None for any content; the signature is that of all makers of terms.
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

    /// A text: a list of code points, or a binary.
    fn text(&self, key: &str) -> Option<String> {
        let term = self.props.get(key)?;
        let list = term.as_list().and_then(List::to_text);
        list.or_else(|| Some(String::from_utf8_lossy(term.as_binary()?).into_owned()))
    }
}

impl Model {
    /// The images of the scene. Entries that are no `{Id,Properties}` are left out.
    pub fn images(&self) -> Vec<Image> {
        let list = self.props.get("images").and_then(Term::as_list).map(List::items);
        let images = list.into_iter().flatten().filter_map(|item| {
            let entry = item.term()?;
            let [id, props] = entry.as_tuple_of()?;
            Some(Image { id: value_tree(id), props: PropList::read(props.as_list()?)? })
        });
        images.collect()
    }

    /// Sets the images of the scene.
    ///
    /// # Errors
    /// None for images that were read or made.
    pub fn set_images(&mut self, images: &[Image]) -> Result<(), WriteError> {
        let list = build(|term| {
            term.begin_list();
            for image in images {
                term.tuple(2);
                term.copy(image.id.root());
                image.props.emit(term);
            }
            term.end_list();
        })?;
        self.props.set("images", &list)
    }
}
