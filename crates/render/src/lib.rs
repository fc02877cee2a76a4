//! Renders `mapwright` scenes to PNG images without a GPU.
//!
//! Tile levels are drawn with or without the art of their game. A tile without an image has a colour that is generated from its number,
//! and an object without an image is a mark in the colour and shape of its class; both are the same in all images. Collision
//! attributes of tiles can be drawn as a map. Terrain is drawn from above: relief, texture cells, and objects. Meshes, brushes and
//! instances are drawn as solids from any direction.
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
//! let info = to_png(&scene, &RenderOptions::default().with_scale(Scale::Fit(96)), &mut png)?;
//! assert_eq!((info.width, info.height, info.scale.to_string().as_str()), (96, 64, "1/2"));
//! # Ok::<(), mapwright_render::Error>(())
//! ```
//!
//! # Content of images
//!
//! | in the scene | in the image |
//! |---|---|
//! | tile layers | [`View::Level`]: images of tiles, or colours of their numbers; [`View::Numbers`]: only colours; [`View::Collision`]: collision attributes of the main layer; [`View::Objects`]: dimmed |
//! | terrains, if there are no tile layers | [`View::Relief`]: tints of heights with light, and the sea; [`View::Level`]: the same, tinted with the colours of texture cells; [`View::Numbers`]: colours of texture cells; [`View::Objects`]: the relief, dimmed |
//! | entities | an image from the tile set of their model, or a mark |
//! | instance sets on terrain | dots in the colours of their models |
//! | a marker called `start` | a cross |
//! | meshes, brushes, instances, if there are no tile layers and terrains | [`View::Solid`]: lit surfaces in parallel projection; [`View::Level`]: the same; [`View::Numbers`]: the same in generated colours; [`View::Objects`]: dimmed |
//! | terrains in [`View::Solid`] | tints of heights, and the sea |
//! | entities whose model is in another file, among solids | the [box](mapwright_scene::PlaceholderBox) of its kind, and a mark |
//! | entities, lights, sounds, cameras, markers and references to other files, among solids | a mark at their position |
//! | other content, and hidden nodes | nothing |
//!
//! **Tiles.** Layers are drawn in their order, with objects between them by their z, as in the engine of Claw and Gruntz. An image of a
//! complete level cannot show the game's view of layers that do not move with the camera. They stay and repeat, or are positioned as seen
//! from the centre of the image ([`Parallax`]). Generated colours are pale before the main layer in drawing order, and translucent
//! after it. Marks grow with the image, and shrink where they are crowded.
//!
//! **Layouts.** Oblique, isometric, staggered and hexagonal layers are drawn at the positions and in the order of Tiled, and so are layers in
//! rows and columns with changed or larger images. Their images begin at the lower left corner of the cell, keep their size, and are moved by
//! the property `tileoffset` of their set. The column `flips` of a layer mirrors tiles along x (8), y (4) and the diagonal (2), or turns
//! hexagons by 60° (2) and 120° (1). The properties `tilerendersize` and `fillmode` of a set stretch its tiles, and `renderorder` of the scene
//! is the order of cells in rows. In the levels of a WWD, images are cut off at their cell instead. Such layers take up to 16 samples for a
//! pixel. [`approximations`] lists what differs from Tiled.
//!
//! **Terrain.** North, which is −Z, is at the top. Terrain may be turned about Y, mirrored and moved. Tilted terrain is projected to
//! the ground. Slopes are scaled so that they are visible, and tints range from the lowest to the highest land without outliers.
//! Therefore images of different levels cannot be compared by their shades. Invalid heights are background, and rows without heights
//! are missing. Terrains are drawn over each other in their order.
//!
//! **Solids.** They are seen from an [`Orbit`], by default from above the south-east, and fill the image. Light comes from the upper left
//! of the image. Faces are smooth along soft edges, and have one shade otherwise; a bent quad is two triangles. Both sides of faces are
//! visible, except for faces that hide the interior of closed rooms; see [`Sides`]. Hard edges are dark. The colour of a face is the base
//! colour of its material times its texture and its vertex colours. Textures, vertex colours and smooth shading of faces with more than
//! four corners are a linear approximation, which is exact for textures that are projected to the face. Faces without texture coordinates
//! have the mean colour of the texture. Translucent faces are a pattern of dots. A material without a colour and a texture has a pale
//! colour that is generated from its name. Faces with a coordinate that is not finite, or beyond 10³⁰, are left out. Terrain of more than 4096 heights along a side is drawn with every
//! second, third, … height.
//!
//! # Safety and limits
//!
//! A [`Drawing`] stores some rows instead of the image, and never copies heights. Levels of 67,200 × 67,200 pixels can be drawn at any
//! scale. An image beyond [`RenderOptions::max_size`] is an error that states the scale that fits. Images of tiles and collision masks
//! take at most 512 MiB; further ones are drawn as colours. Textures of materials take at most 256 MiB and are halved until their sides
//! have at most 1024 pixels; further ones are drawn as their mean colour. Images are decoded one after another. Those of more than
//! 256 MiB, and those beyond 2³⁰ pixels in total, are ignored. Other memory is proportional to the scene.
//!
//! The samples of solids take at most 96 MiB, or three rows if these take more, and their pixels an eighth of it. Each such band of the
//! image processes all faces, on each thread: 4096 × 4096 pixels are six bands. Only brushes and meshes with a mirror are copied. Normals of smooth meshes take up to 80 bytes per
//! face corner while they are computed; meshes of more than 2²⁰ corners are flat. At most 2¹⁸ nodes are drawn through instances,
//! and copies have at most 2²⁷ face corners in total. Together, faces cover the image at most 24 times, or 2³¹ samples in small images;
//! a pixel has four samples. [`RenderInfo::left_out`] counts the rest.
//!
//! A [`Sheet`] stores at most 4096 images of at most 512 × 512 pixels each.
//!
//! # Errors
//!
//! [`Error`] gives the reason, and [`Error::help`] a hint about the next step.
//!
//! # Features
//!
//! | feature | default | |
//! |---|---|---|
//! | `parallel` | no | draws solids with all threads of `rayon`; the images are the same |

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod appearance;
mod approximations;
mod cells;
mod colors;
mod drawing;
mod error;
mod font;
mod ground;
mod ground_painter;
mod land;
mod legend;
mod level;
mod marks;
mod options;
mod orbit;
mod plan;
mod png;
mod raster;
mod ratio;
mod relief;
mod sheet;
mod solid;
mod sprites;
mod sweep;
mod tiles;
mod transform;

pub use approximations::approximations;
pub use drawing::{Drawing, RenderInfo, to_png};
pub use error::Error;
pub use options::{Area, Filter, Layers, Objects, Parallax, RenderOptions, Scale, Sides, View};
pub use orbit::Orbit;
pub use ratio::{ParseRatioError, Ratio};
pub use sheet::{Sheet, Thumbnail};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
