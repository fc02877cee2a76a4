//! Errors of rendering.

use mapwright_io::format_count;

use crate::{Ratio, RenderInfo, View};

/// Errors of rendering.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The scene has no content that this crate can draw.
    #[error("nothing to draw: the scene has no tiles, no terrain, no faces, and no objects with a position")]
    Nothing,
    /// All faces have coordinates beyond the range of images.
    #[error("nothing to draw: the coordinates of {} are not finite or beyond 1e30", format_count(*.faces, "face"))]
    OutOfRange {
        /// Number of faces.
        faces: usize,
    },
    /// All pixels of the image have the colour of the background.
    #[error("the image would show nothing: {}", explain_empty_image(.info))]
    NothingVisible {
        /// The size and content of the image.
        info: Box<RenderInfo>,
    },
    /// The scene has no content for the view.
    #[error("cannot draw the view {}: the scene has no {}", name_of(*.view), content_of(*.view))]
    NoView {
        /// The requested view.
        view: View,
    },
    /// The scene has no such layer.
    #[error("unknown plane {wanted}: the planes are {}", if .layers.is_empty() { "none" } else { .layers })]
    NoLayer {
        /// The requested index or name.
        wanted: String,
        /// The indices and names of the layers.
        layers: String,
    },
    /// No face can be drawn within the time limit.
    #[error("the scene is too complex: its faces cover the image too often or have too many corners")]
    TooComplex,
    /// The scene has no marker for the start of the player.
    #[error("the scene has no start")]
    NoStart,
    /// The area has no pixels.
    #[error("the area is empty: width and height must be positive")]
    EmptyArea,
    /// The area does not overlap the scene.
    #[error("the area is outside the scene, which has a size of {} x {}", .size[0], .size[1])]
    OutsideArea {
        /// Width and height of the scene.
        size: [i64; 2],
    },
    /// The image would be too large.
    #[error("the image is too large: {width} x {height} pixels, at most {limit} x {limit} are allowed{}", fitting_scale(*.fitting))]
    TooLarge {
        /// Width in pixels.
        width: u64,
        /// Height in pixels.
        height: u64,
        /// Maximum width and height.
        limit: u32,
        /// The largest scale 1/n that fits, if there is one.
        fitting: Option<Ratio>,
    },
    /// The image would have too many pixels.
    #[error("the image is too large: {width} x {height} pixels, at most {limit} pixels are allowed")]
    TooManyPixels {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Maximum number of pixels.
        limit: u64,
    },
    /// The image could not be written.
    #[error("cannot write the image: {0}")]
    Write(#[source] std::io::Error),
}

const fn content_of(view: View) -> &'static str {
    match view {
        View::Relief => "terrain",
        View::Solid => "solids",
        _ => "tiles",
    }
}

/// Returns the word for a view that the option of the command has.
const fn name_of(view: View) -> &'static str {
    match view {
        View::Level => "composed",
        View::Numbers => "tiles",
        View::Collision => "collision",
        View::Objects => "objects",
        View::Relief => "relief",
        View::Solid => "solid",
    }
}

/// Returns the probable reason why an image shows nothing.
fn explain_empty_image(info: &RenderInfo) -> String {
    match (info.bodies, info.tool_faces) {
        (0, _) => "the visible part of the level is empty".to_owned(),
        (_, 0) => "the faces have no area, are smaller than a pixel, or are outside the view".to_owned(),
        (_, faces) => format!("{} have materials that games do not draw", format_count(faces, "face")),
    }
}

fn fitting_scale(ratio: Option<Ratio>) -> String {
    ratio.map_or_else(String::new, |ratio| format!("; it fits at a scale of {ratio}"))
}

impl Error {
    /// Returns a hint about the next step.
    pub const fn help(&self) -> Option<&'static str> {
        match self {
            Self::TooManyPixels { .. } => Some("use a smaller scale, draw a part, or raise max_pixels"),
            Self::TooLarge { .. } => Some("use a smaller scale, draw a part, or raise max_size"),
            Self::TooComplex => Some("use a smaller scale"),
            Self::NoView { .. } => Some("choose another view"),
            Self::NoStart => Some("specify the area as a rectangle"),
            _ => None,
        }
    }
}

impl From<png::EncodingError> for Error {
    fn from(error: png::EncodingError) -> Self {
        Self::Write(error.into())
    }
}
