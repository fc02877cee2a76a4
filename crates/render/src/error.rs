//! What goes wrong.

use crate::{Ratio, View};

/// What goes wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The scene has nothing that this crate can draw.
    #[error("nothing to draw: the scene has no tiles, no terrain, no faces, and no things that stand somewhere")]
    Nothing,
    /// The view is of something else than what the scene has.
    #[error("the view {view:?} is of {}, and the scene has none", of(*.view))]
    NoView {
        /// The view that was asked for.
        view: View,
    },
    /// The scene has no such layer.
    #[error("there is no layer {wanted}; the layers are {}", if .layers.is_empty() { "none" } else { .layers })]
    NoLayer {
        /// The place or name that was asked for.
        wanted: String,
        /// What there is: places and names.
        layers: String,
    },
    /// No face can be drawn within the limit of time.
    #[error("the faces cover the picture too often, or have too many corners, to be drawn within the limit of time")]
    TooComplex,
    /// The scene says nowhere where the player starts.
    #[error("the scene has no start")]
    NoStart,
    /// The area has no pixels.
    #[error("the area is empty")]
    EmptyArea,
    /// The picture would be too large.
    #[error("a picture of {width} x {height} pixels is too large, the limit is {limit}{}", fits(*.fitting))]
    TooLarge {
        /// Pixels across.
        width: u64,
        /// Pixels down.
        height: u64,
        /// What is allowed across and down.
        limit: u32,
        /// The largest scale 1/n with which it fits, if there is one.
        fitting: Option<Ratio>,
    },
    /// The picture could not be written.
    #[error("the picture could not be written: {0}")]
    Write(#[source] std::io::Error),
}

const fn of(view: View) -> &'static str {
    match view {
        View::Relief => "terrain",
        View::Solid => "solids",
        _ => "tiles",
    }
}

fn fits(ratio: Option<Ratio>) -> String {
    ratio.map_or_else(String::new, |ratio| format!("; it fits at a scale of {ratio}"))
}

impl Error {
    /// One line on what to do next, where there is something to do.
    pub const fn help(&self) -> Option<&'static str> {
        match self {
            Self::TooLarge { .. } => Some("draw it smaller, draw a part of it, or raise max_size"),
            Self::TooComplex => Some("draw it smaller"),
            Self::NoView { .. } => Some("choose another view"),
            Self::NoStart => Some("name the area as a rectangle"),
            _ => None,
        }
    }
}

impl From<png::EncodingError> for Error {
    fn from(error: png::EncodingError) -> Self {
        Self::Write(error.into())
    }
}
