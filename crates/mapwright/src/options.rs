//! Options of reading and converting.

use std::path::{Path, PathBuf};

use mapwright_etf::Mode;
use mapwright_io::Limits;
use mapwright_scene::{Capabilities, Estimate, Feature, Support};

#[cfg(feature = "fs")]
use crate::External;
use crate::{Axis, ContentSource, FilesBeside, Format, Query};

mapwright_io::options! {
    /// Options of reading, for all formats.
    #[derive(Debug, Clone)]
    pub struct ReadOptions {
        /// Limits for reading. glTF, OBJ and heightmaps use [`max_objects`](Self::max_objects) and
        /// [`max_expanded`](Self::max_expanded) instead of the limits of items and decompressed bytes.
        pub limits: Limits = Limits::default(), with_limits;
        /// Maximum number of objects in a glTF or OBJ file, and of items in a file of Tiled. `None`: in proportion to the size of the
        /// file; for Tiled, as [`limits`](Self::limits) state.
        pub max_objects: Option<u64> = None, with_max_objects;
        /// Maximum bytes of geometry, cells, heights and pixels that are created from a glTF, OBJ, Tiled map or heightmap. `None`: at
        /// least 256 MiB, and for glTF in proportion to the size of the file.
        pub max_expanded: Option<u64> = None, with_max_expanded;
        /// Accepted encodings of Erlang terms.
        pub mode: Mode = Mode::default(), with_mode;
        /// The path of the file. Material libraries, images and other files that it names are looked for from there. `None`: other files
        /// are only looked for in the content, as without the feature `fs`.
        pub path: Option<PathBuf> = None;
        /// Files outside of the document that may be read. Default: [`External::Beside`].
        #[cfg(feature = "fs")]
        pub external: External = External::default(), with_external;
        /// Folders and archives with files that the document may refer to. They are searched after its own folder.
        pub content: ContentSource = ContentSource::default(), with_content;
        /// [`wwd`](crate::wwd): accepted header sizes of levels.
        #[cfg(feature = "wwd")]
        pub header_size: mapwright_wwd::HeaderSize = mapwright_wwd::HeaderSize::default(), with_header_size;
        /// Terrains, greyscale images and raw heights: grid spacing in metres, if the file does not store it. `None`: 50 for
        /// terrains; for the others the value of their file.
        pub cell: Option<f32> = None, with_cell;
        /// Terrains: metres per height step, for variants that store steps. `None`: 0.045, the value of the engine. Heightmaps: metres
        /// per unit of heights. `None`: as stored in the file, else 1.
        pub height_unit: Option<f32> = None, with_height_unit;
        /// Options of heightmaps. Their format, limit and world file are those of the file that is read.
        #[cfg(feature = "heightmap")]
        pub heightmap: mapwright_heightmap::ImportOptions = Default::default(), with_heightmap;
    }
}

impl ReadOptions {
    /// Changes [`path`](Self::path).
    #[must_use]
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Returns the files that the document may refer to: those in the folder of its path, as far as the option `external` allows, and
    /// those of the content. All files together have at most [`max_input`](Limits::max_input) bytes.
    pub fn files(&self) -> FilesBeside {
        #[cfg(not(feature = "fs"))]
        return FilesBeside::in_content(self.content.clone(), self.limits.max_input);
        #[cfg(feature = "fs")]
        FilesBeside::new(self.path.as_deref(), self.external, self.content.clone(), self.limits.max_input)
    }

    /// Returns options for services that read untrusted files: the limits of [`Limits::service`], 256 MiB for
    /// [`max_expanded`](Self::max_expanded), and no files outside of the document.
    ///
    /// The page [Using mapwright with untrusted files](crate::manual::untrusted) describes what else a service needs.
    pub fn service() -> Self {
        let limits = Limits::service();
        let max_expanded = Some(limits.max_decompressed);
        Self {
            limits,
            max_expanded,
            #[cfg(feature = "fs")]
            external: External::None,
            ..Self::default()
        }
    }
}

mapwright_io::options! {
    /// Options of conversions.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ConvertOptions {
        /// The name of the file to be written, without its extension. Files beside it are named after it. Default: `scene`.
        pub stem: String = "scene".into(), with_stem(impl Into<String>);
        /// Factor for all lengths. Default: 1.
        pub scale: f64 = 1.0, with_scale;
        /// The axis that points up in the source. `None`: the axis of its format, or Y if the format does not fix it.
        pub source_up: Option<Axis> = None, with_source_up(Axis);
        /// The axis that points up in the target. `None`: the axis of its format, or Y if the format does not fix it.
        pub target_up: Option<Axis> = None, with_target_up(Axis);
        /// Converts only objects that match one of these queries, including their children. Empty: all objects. Queries select the objects
        /// of [`AnyDocument::into_objects`](crate::AnyDocument::into_objects), or else nodes of the scene.
        pub only: Vec<Query> = Vec::new(), with_only;
        /// Leaves out objects that match one of these queries, including their children.
        pub exclude: Vec<Query> = Vec::new(), with_exclude;
        /// Also converts hidden nodes to formats that cannot hide nodes.
        pub hidden: bool = false, with_hidden;
        /// Gamestudio maps: also converts faces that its programs do not draw, with a material of their own, to formats of meshes.
        pub keep_hidden_faces: bool = false, with_keep_hidden_faces;
        /// Accepts a result that shows nothing of the source. Otherwise that is [`Error::Empty`](crate::Error::Empty).
        pub allow_empty: bool = false, with_allow_empty;
        /// Triangulates faces of meshes in every format, not only in formats of triangles. Brushes are not changed.
        #[cfg(feature = "gltf")]
        pub triangulate: bool = false, with_triangulate;
        /// Maximum bytes of memory for decoding images: for one image, and for all together if the target stores pixels or if they decode
        /// to more than 64 times the size of their files. Other images are left out and reported. Default: 1 GiB.
        pub max_pixel_bytes: usize = 1 << 30, with_max_pixel_bytes;
        /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
        /// Default: 2 GiB.
        pub max_output: u64 = Estimate::MAX_BYTES, with_max_output;
        /// Maximum number of nodes and rows of instance sets after instances of nodes are expanded. Applies if the target format or a
        /// selection requires expanded instances. Default: 2³².
        pub max_items: u64 = Limits::default().max_items, with_max_items;
        /// Folders and archives with the images of the game. They provide the images of levels, which contain none, and images for
        /// materials without textures. If an image cannot be decoded, its size is still used for texture coordinates.
        pub content: ContentSource = ContentSource::default(), with_content;
        /// The path of a level in the folder of its game. Models and textures that it refers to are looked for in this folder and below
        /// before the content, if levels of its format are there. For Source 2 maps, they are looked for after the content, in the folders
        /// of [`content_roots`](crate::content_roots). `None`: only in the content. The right choice for untrusted levels,
        /// unless the folder contains only their files.
        #[cfg(feature = "fs")]
        pub level: Option<PathBuf> = None, with_level(PathBuf);
        /// Options of KeyValues2 text. The defaults preserve the formatting of text that was read.
        #[cfg(feature = "dmx")]
        pub text: mapwright_dmx::WriteOptions = Default::default(), with_text;
        /// Inverts the green channel of normal maps of Source 2 materials, whose green points down, so that it points up as in glTF.
        /// Images with the setting `legacy_source1_inverted_normal` have the right direction. Default: normal maps are not changed.
        pub flip_green: bool = false, with_flip_green;
        /// Subdivision of displaced and subdivided faces of Source 2 maps and their prefabs. Default: none.
        #[cfg(feature = "vmap")]
        pub subdivision: mapwright_vmap::scene::Subdivision = Default::default(), with_subdivision;
        /// The format version of a new Source 2 map: 18 to 40. `None`: the nearest to that of a source that is a Source 2 map,
        /// otherwise 40.
        pub map_format: Option<u32> = None, with_map_format(u32);
        /// The texture format of Quake maps.
        #[cfg(feature = "map")]
        pub projection: mapwright_qmap::scene::ProjectionFormat = mapwright_qmap::scene::ProjectionFormat::Auto, with_projection;
        /// Moves the planes of brushes in a Quake map to a grid with this step. Brushes whose corners would move by more than half a step
        /// stay, and are reported.
        pub snap: Option<f64> = None, with_snap(f64);
        /// The variant of a new terrain. `None`: the variant of the source if it can be written, otherwise 4WVR where it is exact, and
        /// 8WVR.
        #[cfg(feature = "wrp")]
        pub variant: Option<mapwright_wrp::scene::Variant> = None, with_variant;
        /// Resamples the heights of a new terrain to a square with this number of heights per side.
        pub size: Option<u32> = None, with_size;
        /// Cuts out this number of heights per side from a new terrain, from its south-west corner.
        pub crop: Option<u32> = None, with_crop;
        /// The dialect of a new Gamestudio map. `None`: the dialect of a source that is one, otherwise 710.
        #[cfg(feature = "wmp")]
        pub dialect: Option<mapwright_wmp::Dialect> = None, with_dialect;
        /// Writes placeholder boxes of models to glTF as meshes, not as instances of one box.
        pub bake_boxes: bool = false, with_bake_boxes;
        /// Options of new heightmaps. Their format is that of the target, and files beside them are named after the stem.
        #[cfg(feature = "heightmap")]
        pub heightmap: mapwright_heightmap::ExportOptions = Default::default(), with_heightmap;
    }
}

impl ConvertOptions {
    /// Returns options for services that convert untrusted files: 256 MiB for the files of a result and for decoded images, and
    /// 2²⁰ items after instances are expanded.
    pub fn service() -> Self {
        Self { max_output: 256 << 20, max_pixel_bytes: 256 << 20, max_items: 1 << 20, ..Self::default() }
    }

    /// Returns the path of the level in the folder of its game, in builds that read files on disk.
    pub(crate) fn level_path(&self) -> Option<&Path> {
        #[cfg(not(feature = "fs"))]
        return None;
        #[cfg(feature = "fs")]
        self.level.as_deref()
    }

    /// Sets the path of the level in the folder of its game, in builds that read files on disk.
    pub(crate) fn with_level_path(self, level: Option<&Path>) -> Self {
        #[cfg(feature = "fs")]
        let options = Self { level: level.map(Path::to_owned), ..self };
        #[cfg(not(feature = "fs"))]
        let options = {
            let _ = level;
            self
        };
        options
    }

    /// Returns `true` if the options change nothing in a conversion from a format to itself.
    pub(crate) fn change_nothing(&self, format: Format) -> bool {
        if cfg!(feature = "textures")
            && !self.content.is_empty()
            && format.capabilities().is_some_and(|format| stores_textures(&format))
        {
            return false;
        }
        #[cfg(feature = "gltf")]
        if self.triangulate {
            return false;
        }
        let Self { scale, source_up, target_up, only, exclude, hidden, size, crop, .. } = self;
        if size.is_some() || crop.is_some() {
            return false;
        }
        let axis = |up: &Option<Axis>| up.or(format.up_axis()).unwrap_or_default();
        *scale == 1.0 && axis(source_up) == axis(target_up) && only.is_empty() && exclude.is_empty() && !hidden
    }
}

/// Returns `true` for formats that store textures, not only the names of their materials.
fn stores_textures(capabilities: &Capabilities) -> bool {
    matches!(capabilities.support(Feature::BaseColorTextures), Support::Full | Support::Preserved(_))
}

#[cfg(all(test, feature = "obj"))]
mod tests {
    use super::*;
    use crate::AnyDocument;

    #[test]
    fn files_of_a_document_come_from_memory() {
        let mut content = ContentSource::default();
        content.add_files("dropped", [("models/floor.mtl".to_owned(), b"newmtl red\nKd 1 0 0\n".to_vec())]);
        let obj = b"mtllib floor.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
        let color = |options: &ReadOptions| {
            let document = AnyDocument::from_bytes_as(obj, Format::Obj, options).unwrap();
            let scene = document.into_scene().unwrap().scene;
            scene.materials.items().first().map(|material| material.base_color)
        };
        let options = ReadOptions::default();
        assert_ne!(color(&options), Some([1.0, 0.0, 0.0, 1.0]));
        let mut same_folder = ContentSource::default();
        same_folder.add_files("dropped", [("floor.mtl".to_owned(), b"newmtl red\nKd 1 0 0\n".to_vec())]);
        assert_eq!(color(&options.clone().with_content(same_folder)), Some([1.0, 0.0, 0.0, 1.0]));
        // Only images are found by their name alone.
        assert_ne!(color(&options.with_content(content)), Some([1.0, 0.0, 0.0, 1.0]));
    }
}
