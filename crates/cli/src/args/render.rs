//! The options of `render`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Inputs, Output};

pub(super) const EXAMPLES: &str = "\
Examples:
  mapwright render level.wwd -o level.png
  mapwright render --content unpacked/ level.wwd -o level.png
  mapwright render --html house.vmap -o house.html
  mapwright render models/ --sheet models.png";

pub(super) const DETAILS: &str = "\
Draws tile levels, terrains and 3D scenes. Without the images of the game, tiles get a colour derived from their number, and objects are marks coloured by class. --content takes the images from the archive of \
the game (CLAW.REZ), or from the folder with its content (LEVEL1/TILES/ACTION/001.PID, LEVEL1/PALETTES/MAIN.PAL), and textures for the materials of 3D scenes; missing images are reported.

With the images of the game, levels of Claw and Gruntz are drawn as the game shows them: without hidden objects (--hidden), and with marks \
only for objects without an image (--no-marks). Planes that move at another speed are at rest; --parallax camera places them as \
on a screen, and --parallax stretched enlarges them for an image of a whole level.
Missing models, textures and image sets are listed in the lower left corner of images that are large enough. --no-marks leaves this \
legend out.

3D scenes are drawn in parallel projection, by default from above and from the south-east; north is -Z where Y is up. Materials without a colour get one \
derived from their name. --scale is pixels per unit of length, and --crop is in units of length.

--html writes one page per file that works from disk in any browser and loads nothing. It shows 3D scenes and terrains interactively if the \
browser has WebGL 2, else the image; all objects with the fields of `query`; and the text of `info`.

Examples:
  mapwright render level.wwd -o level.png
  mapwright render --content unpacked/ level.wwd -o level.png
  mapwright render --view collision --scale 1/4 level.wwd -o solid.png
  mapwright render --content CLAW.REZ --no-marks --parallax camera --crop 0,0,640,480 --scale 1 level.wwd -o screen.png
  mapwright render --plane Back --crop 0,0,1280,960 --scale 1 level.wwd -o part.png
  mapwright render levels/ -d images/ --fit 1024
  mapwright render --view relief --scale 2 heights.asc -o relief.png
  mapwright render --fit 1024 --azimuth 225 --elevation 20 house.vmap -o house.png
  mapwright render models/ --sheet models.png
  mapwright render --html house.vmap -o house.html";

/// The heading of options for tile levels.
const TILES: &str = "Tile levels (wwd, tmx, tmj)";
/// The heading of options for 3D scenes.
const SOLIDS: &str = "3D scenes";

#[derive(Debug, Clone, Args)]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Write an interactive HTML page instead of a PNG image
    ///
    /// Models larger than 64 MiB, and the part of the object list beyond 16 MiB, are left out; the page reports that.
    #[arg(long, conflicts_with = "sheet")]
    pub(crate) html: bool,
    /// Draw thumbnails of all files with their names into one image FILE, or to standard output with -
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "dir", "scale"])]
    pub(crate) sheet: Option<PathBuf>,
    /// Content of the image
    #[arg(long, value_enum, default_value_t)]
    pub(crate) view: RenderView,
    /// Scale the image to fill N×N pixels as far as possible [default: 4096 without enlarging; 192 per thumbnail with --sheet; 1600
    /// with --html]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=32768), allow_negative_numbers = true)]
    pub(crate) fit: Option<u32>,
    /// Pixels of the image per pixel or unit of the level: 1/8, 0.5 or 25%
    #[arg(long, value_name = "RATIO", conflicts_with = "fit")]
    pub(crate) scale: Option<mapwright::render::Ratio>,
    /// Draw only this part of the level, in its pixels or units
    #[arg(long, value_name = "X,Y,W,H", value_parser = rectangle, allow_hyphen_values = true)]
    pub(crate) crop: Option<[i32; 4]>,
    /// Draw hidden objects, too
    #[arg(long, hide_short_help = true)]
    pub(crate) hidden: bool,
    /// Colour of areas without content, as six hexadecimal digits: 000000 is black [default: 1b1f2a]
    #[arg(long, value_name = "RRGGBB", value_parser = color, hide_short_help = true)]
    pub(crate) background: Option<[u8; 3]>,
    /// Draw no marks: neither for objects without an image nor for the start, and no legend of missing files
    #[arg(long, hide_short_help = true)]
    pub(crate) no_marks: bool,
    /// Position of planes that move slower or faster than the main plane
    #[arg(long, value_enum, default_value_t, help_heading = TILES, hide_short_help = true)]
    pub(crate) parallax: RenderParallax,
    /// Draw only this plane: its name, its index as #0, or #main
    #[arg(long, value_name = "PLANE", help_heading = TILES, hide_short_help = true)]
    pub(crate) plane: Option<String>,
    /// Bearing from the scene to the camera: 0 is north, 90 east, 180 south [default: 135]
    #[arg(long, value_name = "DEGREES", help_heading = SOLIDS, value_parser = degrees::<3600>, allow_negative_numbers = true)]
    #[arg(hide_short_help = true)]
    pub(crate) azimuth: Option<f64>,
    /// Angle of the camera above the horizon; 90 is straight from above [default: 35.26, an isometric view]
    #[arg(long, value_name = "DEGREES", help_heading = SOLIDS, value_parser = degrees::<90>, allow_negative_numbers = true)]
    #[arg(hide_short_help = true)]
    pub(crate) elevation: Option<f64>,
    /// Draw triggers, clip brushes, skies and other faces that the game does not draw, too
    #[arg(long, help_heading = SOLIDS, hide_short_help = true)]
    pub(crate) tools: bool,
    /// Leave out faces seen from behind, which opens rooms towards the camera
    #[arg(long, help_heading = SOLIDS, hide_short_help = true)]
    pub(crate) cutaway: bool,
    /// Keep ceilings, walls and skyboxes. By default, those that hide the interior are removed if most objects are inside
    #[arg(long, conflicts_with = "cutaway", help_heading = SOLIDS, hide_short_help = true)]
    pub(crate) closed: bool,
}

/// The content of an image.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum RenderView {
    /// All planes with objects; terrain with the images or colours of its texture cells, with objects; or the 3D scene
    #[default]
    Composed,
    /// Tiles or texture cells, coloured by number, without objects
    Tiles,
    /// Solid, climbable and deadly tiles of the main plane
    Collision,
    /// Only the heights of terrain
    Relief,
    /// A mark for each object on a dimmed background
    Objects,
    /// Meshes, brushes and terrain as a 3D scene
    Solid,
}

/// The position of planes that move at another speed.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum RenderParallax {
    /// At the upper left corner of the level; planes that wrap repeat
    #[default]
    Still,
    /// As the game shows them with the camera in the middle of the image: for --crop of the size of a screen
    Camera,
    /// Enlarged, so that each place shows what is in the middle of the screen when the camera is there: for whole levels
    Stretched,
}

/// Parses a colour of six hexadecimal digits.
fn color(text: &str) -> Result<[u8; 3], String> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let is_color = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_color);
    let [_, red, green, blue] = number.ok_or("expected six hexadecimal digits, such as ff8000")?.to_be_bytes();
    Ok([red, green, blue])
}

/// Parses an angle of at most `MAX` degrees.
fn degrees<const MAX: u16>(text: &str) -> Result<f64, String> {
    let angle = text.parse().ok().filter(|angle: &f64| angle.abs() <= f64::from(MAX));
    angle.ok_or_else(|| format!("expected degrees from -{MAX} to {MAX}"))
}

/// Parses left, top, width and height.
fn rectangle(text: &str) -> Result<[i32; 4], String> {
    let sides: Option<Vec<i32>> = text.split(',').map(|side| side.trim().parse().ok()).collect();
    let sides: Option<[i32; 4]> = sides.and_then(|sides| sides.try_into().ok());
    let is_positive = |[_, _, width, height]: &[i32; 4]| *width > 0 && *height > 0;
    sides.filter(is_positive).ok_or_else(|| "expected left, top, width and height, such as 0,0,1280,960".to_owned())
}
