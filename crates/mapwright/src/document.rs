//! A document of any format.

#[cfg(any(feature = "gltf", feature = "obj"))]
mod images;

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

#[cfg(feature = "textures")]
use mapwright_content::ResolveReport;
use mapwright_etf as etf;
use mapwright_io::{Finding, Frame, Path, Severity};
use mapwright_query::{EditObjects, Objects};
use mapwright_scene::{Import, LossKind, Losses, Scene};

use crate::detect::detect;
use crate::diff::DocumentDiff;
use crate::info::Summary;
use crate::{ContentSource, Conversion, ConvertOptions, Error, FilesBeside, Format, JsonLayout, ReadOptions};

/// A document of a format: everything that this crate does with one.
pub(crate) trait FormatDocument: Any + fmt::Debug + Send + Sync + CloneAndCompare {
    /// Returns the format.
    fn format(&self) -> Format;

    /// Writes the file.
    fn to_bytes(&self) -> Result<Vec<u8>, Error>;

    /// Checks the document.
    fn validate(&self) -> Vec<Finding>;

    /// Checks the document together with files that it refers to.
    fn validate_with(&self, _files: &FilesBeside) -> Vec<Finding> {
        self.validate()
    }

    /// Checks entities against the definitions of their classes.
    #[cfg(any(feature = "vmap", feature = "vmf"))]
    fn validate_entities(
        &self,
        _definitions: &mapwright_fgd::Definitions<'_>,
        _files: &FilesBeside,
    ) -> Option<Vec<Finding>> {
        None
    }

    /// Summarizes the document. Images that it names are looked for in the files.
    fn summarize(&self, files: Option<&FilesBeside>) -> Summary;

    /// Returns `true` if the document is a part of levels, such as a tileset, which has no scene.
    fn is_part_of_level(&self) -> bool {
        false
    }

    /// Converts the document to a scene.
    fn to_scene(&self, _options: &ConvertOptions) -> Result<Import, Error> {
        Err(Error::Unsupported { format: self.format(), what: "converted to a scene" })
    }

    /// Converts the document to a scene, without a copy where the document is one.
    fn into_scene(self: Box<Self>, options: &ConvertOptions) -> Result<Import, Error> {
        self.to_scene(options)
    }

    /// Lists the files that the document needs, if its format does not list them by resolving the references of its scene. The files
    /// beside the document are looked for as the options of reading state.
    #[cfg(feature = "textures")]
    fn list_files(&self, _content: &ContentSource) -> Option<ResolveReport> {
        None
    }

    /// Adds the files that the document needs but its scene does not refer to, to those that resolving the references of the scene lists.
    #[cfg(feature = "textures")]
    fn list_other_files(&self, _files: &ContentSource, _max_bytes: usize, _report: &mut ResolveReport) {}

    /// Finds the images of a level that is drawn from tiles among the content.
    fn find_tile_art(&self, _content: &ContentSource) -> Option<Box<dyn TileArt>> {
        None
    }

    /// Applies a changed scene to the document that it was read from.
    fn merge_scene(&mut self, _scene: &Scene) -> Result<Losses, Error> {
        Err(Error::Unsupported {
            format: self.format(),
            what: "changed in place; convert them into a format of a level",
        })
    }

    /// Returns `true` if the document is written as the target without a scene, because the options change nothing that needs one.
    fn converts_directly(&self, _to: Format, _options: &ConvertOptions) -> Result<bool, Error> {
        Ok(false)
    }

    /// Writes the document as the target without a scene. Only called if [`converts_directly`](Self::converts_directly).
    fn convert_directly(self: Box<Self>, to: Format, _options: &ConvertOptions) -> Result<Conversion, Error> {
        Err(Error::Unsupported { format: to, what: "written without a scene" })
    }

    /// Returns `true` if the document states how its faces are shaded.
    fn has_shading(&self) -> bool {
        true
    }

    /// Sets options that were left open to the version of this document, if the target is of the same format.
    fn inherit_options(&self, _to: Format, _options: &mut ConvertOptions) {}

    /// Reports what is lost if the document is created again in its own format through a scene.
    fn rewrite_losses(&self, _to: Format, _options: &ConvertOptions) -> Losses {
        Losses::default()
    }

    /// Writes the parts of a dump that follow its format, each with a comma before it.
    fn write_dump_parts(&self, _out: &mut dyn Write, _layout: JsonLayout) -> io::Result<()> {
        Ok(())
    }

    /// Compares the document with another one. `None` if that is of another format, or if the format has no comparison.
    fn diff(&self, _other: &dyn FormatDocument) -> Option<DocumentDiff> {
        None
    }

    /// Returns the records of the document, if its format has fields of its own. Queries use the scene of other documents.
    fn objects(&self) -> Option<&dyn Objects> {
        None
    }

    /// Returns the records of the document for edits, if its format has edits of its own.
    fn objects_mut(&mut self) -> Option<&mut dyn EditObjects> {
        None
    }

    /// Returns the length of one unit in metres, if the file or its format states it.
    fn metres_per_unit(&self) -> Option<f64> {
        None
    }

    /// Returns the other files that were read for the document.
    fn side_files(&self) -> &[PathBuf] {
        &[]
    }

    /// Returns the Erlang term, in formats that are one.
    fn term(&self) -> Option<&etf::Document> {
        None
    }

    /// Returns the part of the file that contains the term.
    fn term_frame(&self) -> Option<Frame> {
        None
    }

    /// Returns `true` if the file is text.
    fn is_text(&self) -> bool {
        false
    }

    /// Returns the path of the part of the document at a byte of its file.
    fn path_at(&self, _offset: u64) -> Option<Path> {
        None
    }
}

/// The images of a level that is drawn from tiles. The methods return losses and the paths of the files that were read.
pub(crate) trait TileArt {
    /// Attaches the images of tiles. If `objects` is set, objects with an image become tiles, too.
    fn attach_to_tiles(&self, scene: &mut Scene, max_bytes: usize, objects: bool) -> (Losses, Vec<PathBuf>);

    /// Replaces planes and objects with an image by textured meshes, in the draw order of the game. A scene without any image stays as it
    /// is. Objects that are hidden in the game are not drawn, unless `hidden` is set.
    fn draw_layers(&self, scene: &mut Scene, max_bytes: usize, hidden: bool) -> (Losses, Vec<PathBuf>);
}

/// `Clone` and `PartialEq` for trait objects.
pub(crate) trait CloneAndCompare {
    fn clone_box(&self) -> Box<dyn FormatDocument>;
    fn is_equal(&self, other: &dyn Any) -> bool;
}

impl<T: FormatDocument + Clone + PartialEq> CloneAndCompare for T {
    fn clone_box(&self) -> Box<dyn FormatDocument> {
        Box::new(self.clone())
    }

    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

/// A document of any format. Lossless formats keep their file byte for byte. Files of interchange formats are converted to a scene
/// when they are read.
///
/// The document itself is available under the name of its format: [`as_etf`](Self::as_etf), [`as_etf_mut`](Self::as_etf_mut),
/// [`into_etf`](Self::into_etf), and likewise for the other formats. A document of a format crate becomes an `AnyDocument` by `from`.
pub struct AnyDocument(Box<dyn FormatDocument>);

impl fmt::Debug for AnyDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Clone for AnyDocument {
    fn clone(&self) -> Self {
        Self(self.0.clone_box())
    }
}

impl PartialEq for AnyDocument {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal(&*other.0)
    }
}

/// Gives access to the documents of a format inside of an [`AnyDocument`].
macro_rules! document_access {
    ($document:ty, $what:literal, $as_ref:ident, $as_mut:ident, $into:ident) => {
        impl $crate::AnyDocument {
            #[doc = concat!("Returns the document if it is ", $what, ".")]
            pub fn $as_ref(&self) -> Option<&$document> {
                self.downcast_ref()
            }

            #[doc = concat!("Returns the document if it is ", $what, ", to change it.")]
            pub fn $as_mut(&mut self) -> Option<&mut $document> {
                self.downcast_mut()
            }

            #[doc = concat!("Returns the document by value if it is ", $what, ".")]
            ///
            /// # Errors
            /// The unchanged document if it is of another format.
            pub fn $into(self) -> Result<$document, Self> {
                self.downcast()
            }
        }

        impl From<$document> for $crate::AnyDocument {
            fn from(document: $document) -> Self {
                Self::new(document)
            }
        }
    };
}
pub(crate) use document_access;

document_access!(SceneFile, "a file of an interchange format", as_scene_file, as_scene_file_mut, into_scene_file);

impl AnyDocument {
    /// Wraps a document of a format.
    pub(crate) fn new(document: impl FormatDocument) -> Self {
        Self(Box::new(document))
    }

    pub(crate) fn downcast_ref<T: Any>(&self) -> Option<&T> {
        let document: &dyn Any = &*self.0;
        document.downcast_ref()
    }

    pub(crate) fn downcast_mut<T: Any>(&mut self) -> Option<&mut T> {
        let document: &mut dyn Any = &mut *self.0;
        document.downcast_mut()
    }

    pub(crate) fn downcast<T: Any>(self) -> Result<T, Self> {
        if self.downcast_ref::<T>().is_none() {
            return Err(self);
        }
        let document: Box<dyn Any> = self.0;
        #[expect(clippy::expect_used, reason = "the type was checked above")]
        Ok(*document.downcast().expect("the document has the type that was checked"))
    }

    /// Returns the implementation of the format.
    pub(crate) fn as_format_document(&self) -> &dyn FormatDocument {
        &*self.0
    }

    /// Returns the mutable implementation of the format.
    pub(crate) fn as_format_document_mut(&mut self) -> &mut dyn FormatDocument {
        &mut *self.0
    }

    /// Returns the implementation of the format by value.
    pub(crate) fn into_format_document(self) -> Box<dyn FormatDocument> {
        self.0
    }

    /// Reads a file. Its content states the format.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`], or an error of the format.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let format = detect(bytes, None).format.ok_or(Error::UnknownFormat)?;
        Self::from_bytes_as(bytes, format, &ReadOptions::default())
    }

    /// Reads a file of the given format.
    ///
    /// # Errors
    /// [`Error::Unavailable`], or an error of the format.
    pub fn from_bytes_as(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Self, Error> {
        (format.require()?.read)(Cow::Borrowed(bytes), format, options)
    }

    /// Reads a file of the given format from an owned buffer, as [`Input`](crate::Input) contains it. Documents that keep their file keep
    /// this buffer; [`from_bytes_as`](Self::from_bytes_as) copies it.
    ///
    /// # Errors
    /// As for [`from_bytes_as`](Self::from_bytes_as).
    pub fn from_vec_as(bytes: Vec<u8>, format: Format, options: &ReadOptions) -> Result<Self, Error> {
        (format.require()?.read)(Cow::Owned(bytes), format, options)
    }

    /// Returns the format.
    pub fn format(&self) -> Format {
        self.0.format()
    }

    /// Returns the paths of the other files that were read for the document.
    pub fn side_files(&self) -> &[PathBuf] {
        self.0.side_files()
    }

    /// Writes the file. An unchanged document gives the bytes that were read.
    ///
    /// # Errors
    /// Errors of the format; [`Error::Unsupported`] for formats that are not [lossless](crate::Access::lossless).
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.0.to_bytes()
    }

    /// Returns the Erlang term and its packing, for formats that consist of one.
    pub fn term(&self) -> Option<&etf::Document> {
        self.0.term()
    }

    /// Checks the document and returns its problems and peculiarities.
    pub fn validate(&self) -> Vec<Finding> {
        self.0.validate()
    }

    /// Checks the document as [`validate`](Self::validate) does, together with files that it refers to: the prefabs of a map, and
    /// the images, animations and sounds of the game of a level.
    pub fn validate_with(&self, files: &FilesBeside) -> Vec<Finding> {
        self.0.validate_with(files)
    }

    /// Checks the entities of a map against the definitions of their classes: unknown classes, keys, inputs and outputs, values of the
    /// wrong type, and targets that no entity matches. Prefabs come from the files. Returns `None` for formats other than Source 2 maps.
    ///
    /// | code | severity | problem |
    /// |---|---|---|
    /// | `class-unknown` | warning, note | the class is not defined. A note if an included file was not read |
    /// | `class-excluded` | warning | the game does not support the class |
    /// | `class-incomplete` | note | a base of the class is missing, so its entities are not checked |
    /// | `class-limit` | note | the definitions are too large, so entities of the class are not checked |
    /// | `class-meshes` | warning | a `PointClass` with meshes, or a `SolidClass` without |
    /// | `key-unknown` | warning | the class does not have the key |
    /// | `key-value` | warning | the value does not have the type of the key, or is none of its choices |
    /// | `key-flags` | warning | flags that the class does not have |
    /// | `key-target` | warning, note | no entity has the target as its name or class. A note if a prefab was not read, or if no player starts in the map |
    /// | `output-unknown` | warning | the class does not have the output |
    /// | `input-unknown` | warning | the class of a target does not have the input |
    /// | `input-parameter` | note | an input gets a parameter that it ignores, or lacks one |
    #[cfg(any(feature = "vmap", feature = "vmf"))]
    pub fn validate_entities(
        &self,
        definitions: &mapwright_fgd::Definitions<'_>,
        files: &FilesBeside,
    ) -> Option<Vec<Finding>> {
        self.0.validate_entities(definitions, files)
    }

    /// Lists the files that the document needs, if its format does not list them by resolving the references of its scene.
    #[cfg(feature = "textures")]
    pub(crate) fn list_files(&self, content: &ContentSource) -> Option<ResolveReport> {
        self.0.list_files(content)
    }

    /// Adds the files that the document needs but its scene does not refer to.
    #[cfg(feature = "textures")]
    pub(crate) fn list_other_files(&self, files: &ContentSource, max_bytes: usize, report: &mut ResolveReport) {
        self.0.list_other_files(files, max_bytes, report);
    }

    /// Returns `true` for tilesets, object templates and worlds of Tiled. They have no scene of their own.
    pub fn is_part_of_level(&self) -> bool {
        self.0.is_part_of_level()
    }

    /// Converts the document to a scene, with the losses of doing so.
    ///
    /// # Errors
    /// Errors of the format, also for [parts of levels](Self::is_part_of_level); [`Error::Unsupported`] for formats that cannot be
    /// [imported](crate::Access::import).
    pub fn to_scene(&self) -> Result<Import, Error> {
        self.0.to_scene(&ConvertOptions::default())
    }

    /// Converts the document to a scene. A document that is a scene already is not copied.
    ///
    /// # Errors
    /// As for [`to_scene`](Self::to_scene).
    pub fn into_scene(self) -> Result<Import, Error> {
        self.0.into_scene(&ConvertOptions::default())
    }

    /// Applies a changed scene to the document that it was read from. Parts that are equal in both keep their bytes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for interchange formats; errors of writing. The document is unchanged then.
    pub fn merge_scene(&mut self, scene: &Scene) -> Result<Losses, Error> {
        self.0.merge_scene(scene)
    }

    /// Compares two documents of the same format. `None` if their formats differ, or if the format has no comparison.
    pub fn diff(&self, new: &Self) -> Option<DocumentDiff> {
        self.0.diff(&*new.0)
    }
}

/// The content of a file of an interchange format.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneFile {
    /// The format.
    pub format: Format,
    /// The scene, and what reading the file lost.
    pub import: Import,
    /// The other files that were read for it.
    pub side_files: Vec<PathBuf>,
    /// `true` if the file states how its faces are shaded. Otherwise programs differ in their assumptions.
    pub has_shading: bool,
    /// The value that marks points without a height, in heightmaps that store one.
    pub no_data: Option<f64>,
}

impl FormatDocument for SceneFile {
    fn format(&self) -> Format {
        self.format
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Err(Error::Unsupported { format: self.format, what: "written back byte for byte" })
    }

    fn validate(&self) -> Vec<Finding> {
        let losses = self.import.losses.iter().map(|loss| {
            // Only a repair is due to a fault of the file. Others are data that scenes do not store.
            let severity = if loss.kind == LossKind::Repaired { Severity::Warning } else { Severity::Note };
            Finding::new("import-loss", severity, loss.to_string())
        });
        // Heightmaps may have points without a height, which a loss describes.
        let is_quiet = |finding: &Finding| self.format.is_heightmap() && finding.code == "scene-unusual";
        let findings = self.import.scene.validate().into_iter().filter(|finding| !is_quiet(finding));
        findings.chain(losses).collect()
    }

    #[cfg(any(feature = "gltf", feature = "obj"))]
    fn validate_with(&self, files: &FilesBeside) -> Vec<Finding> {
        images::validate_with(self, files)
    }

    fn summarize(&self, _files: Option<&FilesBeside>) -> Summary {
        let scene = &self.import.scene;
        let summarize = self.format.entry().and_then(|entry| entry.summarize);
        let summary = summarize.map_or_else(Summary::new, |summarize| summarize(self));
        summary.with("scene", &crate::info::SceneInfo::new(scene, self.format.axis_change()))
    }

    fn to_scene(&self, _options: &ConvertOptions) -> Result<Import, Error> {
        Ok(self.import.clone())
    }

    fn into_scene(self: Box<Self>, _options: &ConvertOptions) -> Result<Import, Error> {
        Ok(self.import)
    }

    fn metres_per_unit(&self) -> Option<f64> {
        self.import.scene.metres_per_unit
    }

    fn side_files(&self) -> &[PathBuf] {
        &self.side_files
    }

    fn has_shading(&self) -> bool {
        self.has_shading
    }
}
