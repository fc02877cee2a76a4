//! Options of reading and converting.

use std::path::PathBuf;

use mapwright_etf::Mode;
use mapwright_io::Limits;
use mapwright_scene::Estimate;

use crate::{Axis, External, Format, Query};

/// Defines a struct of options: its fields with their defaults, and a function for each field that changes it.
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {$(
            $(#[doc = $doc:literal])*
            $(#[cfg($($cfg:tt)+)])?
            $field:ident: $type:ty = $default:expr;
            $with:ident($value:ident: $argument:ty) => $change:expr;
        )*}
    ) => {
        $(#[$meta])*
        #[non_exhaustive]
        pub struct $name {$(
            $(#[doc = $doc])*
            $(#[cfg($($cfg)+)])?
            pub $field: $type,
        )*}

        impl Default for $name {
            fn default() -> Self {
                Self {$(
                    $(#[cfg($($cfg)+)])?
                    $field: $default,
                )*}
            }
        }

        impl $name {$(
            #[doc = concat!("Changes [`", stringify!($field), "`](Self::", stringify!($field), ").")]
            $(#[cfg($($cfg)+)])?
            #[must_use]
            pub fn $with(mut self, $value: $argument) -> Self {
                self.$field = $change;
                self
            }
        )*}
    };
}

options! {
    /// Options of reading, for all formats.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits for reading. glTF, OBJ, Quake maps, Tiled maps and heightmaps use [`max_objects`](Self::max_objects) and
        /// [`max_expanded`](Self::max_expanded) instead of the limits of items and decompressed bytes.
        limits: Limits = Limits::default();
        with_limits(limits: Limits) => limits;

        /// Maximum number of objects in a glTF, OBJ, Quake map or Tiled map. `None`: in proportion to the size of the file.
        max_objects: Option<u64> = None;
        with_max_objects(objects: Option<u64>) => objects;

        /// Maximum bytes of geometry, cells, heights and pixels that are created from a glTF, OBJ, Tiled map or heightmap. `None`: at
        /// least 256 MiB, and for glTF in proportion to the size of the file.
        max_expanded: Option<u64> = None;
        with_max_expanded(bytes: Option<u64>) => bytes;

        /// Accepted encodings of Erlang terms.
        mode: Mode = Mode::default();
        with_mode(mode: Mode) => mode;

        /// The path of the file. Material libraries, images and other files that it names are looked for from there. `None`: no other
        /// files are read.
        path: Option<PathBuf> = None;
        with_path(path: impl Into<PathBuf>) => Some(path.into());

        /// Files outside of the document that may be read. Default: [`External::Beside`].
        external: External = External::default();
        with_external(external: External) => external;

        /// [`wwd`](crate::wwd): accepted header sizes of levels.
        #[cfg(feature = "wwd")]
        header_size: mapwright_wwd::HeaderSize = mapwright_wwd::HeaderSize::default();
        with_header_size(header_size: mapwright_wwd::HeaderSize) => header_size;

        /// Terrains and greyscale images: grid spacing in metres, if the file does not store it. `None`: 50 for terrains; for images
        /// the value of their file.
        cell: Option<f32> = None;
        with_cell(metres: Option<f32>) => metres;

        /// Terrains: metres per height step, for variants that store steps. `None`: 0.045, the value of the engine.
        height_unit: Option<f32> = None;
        with_height_unit(metres: Option<f32>) => metres;

        /// Options of heightmaps. Their format, limit and world file are those of the file that is read.
        #[cfg(feature = "heightmap")]
        heightmap: mapwright_interchange::heightmap::ImportOptions = Default::default();
        with_heightmap(options: mapwright_interchange::heightmap::ImportOptions) => options;
    }
}

impl ReadOptions {
    /// Returns options for services that read files from strangers: the limits of [`Limits::service`], 256 MiB for
    /// [`max_expanded`](Self::max_expanded), and [`External::None`].
    ///
    /// The page [Using mapwright with untrusted files](crate::manual::untrusted) describes what else a service needs.
    pub fn service() -> Self {
        let limits = Limits::service();
        let max_expanded = Some(limits.max_decompressed);
        Self { limits, max_expanded, external: External::None, ..Self::default() }
    }
}

options! {
    /// Options of conversions.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ConvertOptions {
        /// The name of the file to be written, without its extension. Files beside it are named after it. Default: `scene`.
        stem: String = "scene".into();
        with_stem(stem: impl Into<String>) => stem.into();

        /// Factor for all lengths. Default: 1.
        scale: f64 = 1.0;
        with_scale(scale: f64) => scale;

        /// The axis that points up in the source. `None`: the axis of its format, or Y if the format does not fix it.
        source_up: Option<Axis> = None;
        with_source_up(axis: Axis) => Some(axis);

        /// The axis that points up in the target. `None`: the axis of its format, or Y if the format does not fix it.
        target_up: Option<Axis> = None;
        with_target_up(axis: Axis) => Some(axis);

        /// Converts only objects that match one of these queries, including their children. Empty: all objects.
        only: Vec<Query> = Vec::new();
        with_only(queries: Vec<Query>) => queries;

        /// Leaves out objects that match one of these queries, including their children.
        exclude: Vec<Query> = Vec::new();
        with_exclude(queries: Vec<Query>) => queries;

        /// Also converts hidden nodes to formats that cannot hide nodes.
        hidden: bool = false;
        with_hidden(hidden: bool) => hidden;

        /// Triangulates faces of meshes in every format, not only in formats of triangles. Brushes are not changed.
        #[cfg(feature = "gltf")]
        triangulate: bool = false;
        with_triangulate(triangulate: bool) => triangulate;

        /// Maximum bytes of memory for decoding images: for one image, and for all together if the target stores pixels or if they decode
        /// to more than 64 times the size of their files. Other images are left out and reported. Default: 1 GiB.
        max_pixel_bytes: usize = 1 << 30;
        with_max_pixel_bytes(bytes: usize) => bytes;

        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        max_output: u64 = Estimate::MAX_BYTES;
        with_max_output(bytes: u64) => bytes;

        /// Maximum number of nodes and rows of instance sets after instances of nodes are expanded. Applies if the target format or a
        /// selection requires expanded instances. Default: 2³².
        max_items: u64 = Limits::default().max_items;
        with_max_items(items: u64) => items;

        /// The images of the game that a level belongs to. They become the images of its tilesets; levels themselves contain none.
        #[cfg(feature = "wwd")]
        art: Option<crate::ArtFolder> = None;
        with_art(art: crate::ArtFolder) => Some(art);

        /// The images of materials without textures, or their sizes alone, which texture coordinates need.
        #[cfg(feature = "wad")]
        textures: Option<crate::TextureFolder> = None;
        with_textures(textures: crate::TextureFolder) => Some(textures);

        /// Options of KeyValues2 text. The defaults preserve the formatting of text that was read.
        #[cfg(feature = "dmx")]
        text: mapwright_dmx::WriteOptions = Default::default();
        with_text(text: mapwright_dmx::WriteOptions) => text;

        /// Subdivision of displaced and subdivided faces of Source 2 maps. Default: none.
        #[cfg(feature = "vmap")]
        subdivision: mapwright_vmap::scene::Subdivision = Default::default();
        with_subdivision(subdivision: mapwright_vmap::scene::Subdivision) => subdivision;

        /// The format version of a new Source 2 map: 18 to 40. `None`: the nearest to that of a source that is a Source 2 map,
        /// otherwise 40.
        map_format: Option<u32> = None;
        with_map_format(version: u32) => Some(version);

        /// The texture format of Quake maps.
        #[cfg(feature = "map")]
        map_spelling: mapwright_interchange::map::ProjectionFormat = mapwright_interchange::map::ProjectionFormat::Auto;
        with_map_spelling(spelling: mapwright_interchange::map::ProjectionFormat) => spelling;

        /// The variant of a new terrain. `None`: the variant of the source if it can be written, otherwise 4WVR for heights in steps
        /// and 8WVR for others.
        #[cfg(feature = "wrp")]
        variant: Option<mapwright_wrp::scene::Variant> = None;
        with_variant(variant: Option<mapwright_wrp::scene::Variant>) => variant;

        /// The dialect of a new Gamestudio map. `None`: the dialect of a source that is one, otherwise 710.
        #[cfg(feature = "wmp")]
        dialect: Option<mapwright_wmp::Dialect> = None;
        with_dialect(dialect: Option<mapwright_wmp::Dialect>) => dialect;

        /// Writes placeholder boxes of models to glTF as meshes, not as instances of one box.
        bake_boxes: bool = false;
        with_bake_boxes(bake_boxes: bool) => bake_boxes;

        /// Options of new heightmaps. Their format is that of the target, and files beside them are named after the stem.
        #[cfg(feature = "heightmap")]
        heightmap: mapwright_interchange::heightmap::ExportOptions = Default::default();
        with_heightmap(options: mapwright_interchange::heightmap::ExportOptions) => options;
    }
}

impl ConvertOptions {
    /// Returns options for services that convert files from strangers: 256 MiB for the files of a result and for decoded images, and
    /// 2²⁰ items after instances are expanded.
    pub fn service() -> Self {
        Self { max_output: 256 << 20, max_pixel_bytes: 256 << 20, max_items: 1 << 20, ..Self::default() }
    }

    /// Returns `true` if the options change nothing in a conversion from a format to itself.
    pub(crate) fn change_nothing(&self, format: Format) -> bool {
        #[cfg(feature = "wad")]
        if self.textures.is_some() {
            return false;
        }
        #[cfg(feature = "gltf")]
        if self.triangulate {
            return false;
        }
        let Self { scale, source_up, target_up, only, exclude, hidden, .. } = self;
        let axis = |up: &Option<Axis>| up.or(format.up()).unwrap_or_default();
        *scale == 1.0 && axis(source_up) == axis(target_up) && only.is_empty() && exclude.is_empty() && !hidden
    }
}
