//! Pictures of `mapwright` scenes as PNG files, drawn without a GPU.
//!
//! Levels of tiles are drawn with or without the art of their game: a tile without a picture has the colour of its number, which is the
//! same in all pictures of all levels, things without a picture have a mark in the colour and shape of their class, and what tiles are
//! to the touch gives a map of collisions. Terrain is drawn from above: its relief, its texture cells, and what stands on it.
//! Meshes, brushes and instances are drawn as solids, from any side.
//!
//! ```
//! use mapwright_render::{RenderOptions, Scale, to_png};
//! use mapwright_scene::{Content, Node, Scene, TileLayer};
//!
//! let mut scene = Scene::default();
//! let layer = TileLayer { size: [3, 2], tile_size: [64, 64], cells: vec![1, 2, 1, 2, 1, 2], ..TileLayer::default() };
//! let layer = scene.tile_layers.push(layer);
//! scene.add_node(None, Node::new("Action", Content::TileLayer(layer)));
//!
//! let mut png = Vec::new();
//! let picture = to_png(&scene, &RenderOptions::default().with_scale(Scale::Fit(96)), &mut png)?;
//! assert_eq!((picture.width, picture.height, picture.scale.to_string().as_str()), (96, 64, "1/2"));
//! # Ok::<(), mapwright_render::Error>(())
//! ```
//!
//! # What is drawn
//!
//! | of the scene | as |
//! |---|---|
//! | tile layers | [`View::Level`]: pictures of tiles, or colours of their numbers; [`View::Numbers`]: colours alone; [`View::Collision`]: what the main layer is to the touch; [`View::Objects`]: dim |
//! | terrains, where there are no tile layers | [`View::Relief`]: tints of heights in the light, and the sea; [`View::Level`]: with something of their texture cells; [`View::Numbers`]: the colours of texture cells; [`View::Objects`]: the relief, dim |
//! | entities | the picture of their model's tile set, or a mark |
//! | instance sets, on terrain | dots in the colours of their models |
//! | a marker called `start` | a cross |
//! | meshes, brushes, instances, where there are neither tile layers nor terrains | [`View::Solid`], which is [`View::Level`] there: surfaces in the light, in parallel projection; [`View::Numbers`]: the same in made-up colours; [`View::Objects`]: dim |
//! | terrains, in [`View::Solid`] | tints of heights, and the sea |
//! | entities, lights, sounds, cameras, markers, references to other files, with solids | a mark where they stand |
//! | other content, and what is hidden | nothing |
//!
//! Layers are drawn in their order, things between them by their z, as the engine of Claw and Gruntz does. No picture of a whole level can
//! have layers right that move at another pace than the camera: they stand still and repeat, or as seen from the middle of the part
//! that is drawn ([`Parallax`]). Colours that are made up are pale behind the main layer and translucent in front of it. Marks grow with
//! the picture, and shrink where they would hide each other.
//!
//! Terrain is seen from above, with north, which is −Z, at the top. It may be turned about Y, mirrored and moved; of a tilt, only the
//! shadow on the ground is drawn. Slopes are made steeper or flatter until they show well, and tints go from the lowest to the highest
//! land, outliers left out, so that both tell about one picture and are no measure across several. Where heights are infinite or no
//! numbers, the background is seen; rows for which there are no heights are not there. Several terrains lie over each other in their
//! order. Whether an instance is to be put on the ground makes no difference from above.
//!
//! Solids are seen from an [`Orbit`], at first from above the south-east, and fill the picture. The light comes from the upper left,
//! whichever side is seen; each face has one shade, but a bent quad is two triangles. Both sides of faces are seen, and closed
//! rooms without what hides their inside, unless [`Sides`] says otherwise. Edges are dark. A face has the base colour of its material
//! times the mean of its picture, and what blends is a screen of dots; a material that says nothing of its colour has one of its name,
//! which is the same in all pictures. Faces with a corner that is no number, infinite, or farther than 10³⁰ units away are left out; all
//! others have a place in the picture, however far they are from the rest. Of terrain of more than 4096 heights along a side, every second, third and so on is drawn.
//!
//! # Safety and limits
//!
//! A [`Drawing`] holds some rows, not the picture: levels of 67,200 pixels squared are drawn at any scale, as is terrain, of which
//! heights are never copied; what would be larger than [`RenderOptions::max_size`] is refused with the scale that fits. Images of tiles
//! and masks of collisions take at most 512 MiB in all; those beyond are colours. Pictures of materials are decoded one after another;
//! those of more than 256 MiB have no say. What else is held is in proportion to the scene.
//!
//! Solids have samples in memory of as many rows as take 96 MiB, or of three rows where these take more. All faces are gone through for
//! each such part of the picture: 4096 × 4096 pixels are six parts. They are not in memory a second time, but for those of brushes and of
//! meshes with a mirror.
//! Of nodes that instances show, 2¹⁸ are drawn, and of all that is shown more than once, 2²⁷ corners of faces. All faces together cover
//! the picture up to about a thousand times; small pictures up to 2³² samples, of which a pixel has four. [`Picture::left_out`] counts
//! what is beyond. Concave faces of more than 4096 corners are drawn as fans.
//!
//! A [`Sheet`] holds its pictures, each a [`Thumbnail`], of which each has at most 512 × 512 pixels, and there are at most 4096.
//!
//! # Errors
//!
//! [`Error`] says what is missing or too large; [`Error::help`] what to do about it.
//!
//! # Features
//!
//! None.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod colors;
mod drawing;
mod error;
mod ground;
mod land;
mod letters;
mod level;
mod look;
mod marks;
mod options;
mod orbit;
mod painted;
mod plan;
mod png;
mod raster;
mod ratio;
mod relief;
mod sheet;
mod solid;
mod sweep;
mod things;
mod tiles;

pub use drawing::{Drawing, Picture, to_png};
pub use error::Error;
pub use options::{Area, Filter, Layers, Parallax, RenderOptions, Scale, Sides, Things, View};
pub use orbit::Orbit;
pub use ratio::{ParseRatioError, Ratio};
pub use sheet::{Sheet, Thumbnail};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
